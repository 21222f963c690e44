//! The course of the page: its lessons, and its exercises from the statement to the grade.

use exercises::{Grade, Row, builtin, handout, names};
use lab::course::{course, lesson};
use lab::exercise::{Given, Task};
use lab::request::{NamedText, Request};
use lab::run::run;
use std::collections::BTreeMap;

/// A built-in exercise as the page gives it.
fn given(name: &str) -> Given {
    Given { name: name.to_owned(), files: BTreeMap::new() }
}

fn graded(given: &Given, text: &str) -> Grade {
    Task::new(given).and_then(|task| task.grade(text)).expect("the exercise has no errors")
}

#[test]
fn lessons_have_their_pictures_and_their_programs() {
    let list = course();
    assert_eq!((list.lessons.len(), list.exercises.len()), (14, names().count()));
    assert_eq!(list.lessons[0].title, "Vector addition and indices");
    for of in &list.lessons {
        let page = lesson(of.number).expect("a lesson");
        assert!(page.text.contains(of.title), "{}", of.file);
        let shown = page.text.lines().filter(|line| line.starts_with("![")).count();
        assert_eq!(page.pictures.len(), shown, "{}", of.file);
        for (path, svg) in &page.pictures {
            assert!(svg.starts_with("<svg ") && svg.contains("<style>"), "{path}");
            assert!(svg.ends_with("</svg>\n"), "{path}");
        }
    }
    let first = lesson(1).expect("a lesson");
    assert!(first.programs["programs/vector_add.cu"].contains("__global__ void add"));
    let launch = &lesson(2).expect("a lesson").launches["programs/product.ron"];
    assert!(launch.file == "product.cu" && launch.text.contains("entry: \"product\""), "{launch:?}");
    assert!(lesson(0).is_none() && lesson(15).is_none());
}

/// The program of a launch file may have host code, which does not run.
#[test]
fn launches_of_the_lessons_run() {
    let mut checked = 0;
    for of in &course().lessons {
        for (path, launch) in lesson(of.number).expect("a lesson").launches {
            let ptx = NamedText { name: launch.file.to_owned(), text: launch.program.to_owned() };
            let launch = NamedText { name: path.clone(), text: launch.text };
            let ran = run(&Request { ptx: Some(ptx), launch: Some(launch), ..Request::default() }, None);
            assert_eq!(ran.code, 0, "{path}: {:?}", ran.messages);
            checked += usize::from(ran.passed == Some(true));
        }
    }
    assert!(checked >= 10, "{checked} launches have expected results");
}

#[test]
fn an_exercise_opens_with_the_arguments_of_its_first_test() {
    for name in names() {
        let opened = given(name).open().unwrap_or_else(|why| panic!("{name}: {}", why.message));
        let is_open_cl = name.ends_with("-opencl");
        assert_eq!(opened.file, format!("{name}.{}", if is_open_cl { "cl" } else { "cu" }));
        let start = if is_open_cl { "__kernel" } else { "main" };
        assert!(opened.start.contains(start) && opened.statement.starts_with("# "), "{name}");
        assert_eq!(opened.listed.points + opened.listed.closed, 10, "{name}");
        assert!(opened.chip.is_some() && !opened.arguments.contains('{'), "{name}");
    }
    let why = given("vector-ad").open().expect_err("no such exercise");
    assert!(why.message.contains("did you mean `vector-add`?"), "{}", why.message);
}

#[test]
fn the_solution_gets_all_open_points_and_a_wrong_program_gets_hints() {
    let given = given("vector-add");
    let exercise = builtin("vector-add").expect("an exercise");
    let task = Task::new(&given).expect("it has no errors");
    assert!(task.is(&given) && !task.is(&Given::default()));
    let opened = given.open().expect("it opens");
    let right = task.grade(exercise.solution.as_deref().expect("a solution")).expect("a grade");
    assert_eq!((right.points, right.of, right.closed), (5, 5, 5));
    assert_eq!((opened.listed.points, opened.listed.closed), (5, 5));
    let start = task.grade(&opened.start).expect("a grade");
    let failed: Vec<&Row> = start.rows.iter().filter(|row| !row.passed()).collect();
    assert!(start.points < 5 && failed.iter().any(|row| row.hint.is_some()), "{start:?}");
    let broken = task.grade("int main() { return x; }").expect("a grade");
    assert!(broken.points == 0 && broken.problem.is_some_and(|why| why.contains("undeclared-name")));
}

#[test]
fn a_hand_out_opens_and_has_the_grade_of_its_exercise() {
    let exercise = builtin("off-by-one").expect("an exercise");
    let files = handout(&exercise, 7).expect("a hand-out");
    let given = Given { name: "exercise".to_owned(), files };
    let opened = given.open().expect("it opens");
    assert_eq!((&*opened.file, &opened.start), ("off-by-one.cu", exercise.start.as_ref().expect("a start")));
    assert!(opened.arguments.ends_with(" 7"), "{}", opened.arguments);
    let right = graded(&given, exercise.solution.as_deref().expect("a solution"));
    assert_eq!((right.points, right.closed), (opened.listed.points, opened.listed.closed));
    assert_eq!(right.points, right.of);
    // Without the rubric, and with a rubric that has errors.
    let files = [("README.md".to_owned(), String::new())].into();
    assert!(
        Given { files, ..Given::default() }.open().expect_err("no rubric").message.contains("exercise.ron")
    );
    let files = [("exercise.ron".to_owned(), "(title: 1)".to_owned())].into();
    assert!(Given { files, ..Given::default() }.open().expect_err("an error").message.contains("-->"));
}

#[test]
fn a_program_gets_its_arguments() {
    let text = "#include <stdio.h>\nint main(int argc, char **argv) {\n  \
                for (int i = 0; i < argc; i++) printf(\"[%s]\", argv[i]);\n}\n";
    let ptx = NamedText { name: "words.cu".to_owned(), text: text.to_owned() };
    let request = Request { ptx: Some(ptx), ..Request::default() };
    let ran = |arguments: &str| run(&Request { arguments: arguments.to_owned(), ..request.clone() }, None);
    assert!(ran("").text.starts_with("[words.cu]\n"));
    assert!(ran(" 1000  'a b' \"\" ").text.starts_with("[words.cu][1000][a b][]\n"));
    let wrong = ran("'a b");
    assert!(wrong.code == 2 && wrong.messages[0].contains("is not closed"), "{:?}", wrong.messages);
}
