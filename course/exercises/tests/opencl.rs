//! Kernels in OpenCL C: hand-outs, failures in the words of OpenCL, and rubrics with mistakes.

use exercises::{Answers, Exercise, Grade, Rubric, Submission, Texts, builtin, grade, handout};

fn product() -> Exercise {
    builtin("matrix-product-opencl").expect("an exercise")
}

fn graded(exercise: &Exercise, text: &str) -> Grade {
    let files = [(exercise.file(), text.to_owned())].into();
    let submission = Submission { student: "ada".to_owned(), seed: 12, files, ..Submission::default() };
    grade(exercise, &Answers::new(exercise), &submission, false).expect("the exercise is right")
}

#[test]
fn a_hand_out_has_its_launches_and_answers() {
    let exercise = product();
    let solution = exercise.solution.clone().expect("a solution");
    let files: Texts = handout(&exercise, 12).expect("it is no hand-out");
    assert!(files.contains_key("matrix-product-opencl.cl") && !files.contains_key("solution.cl"));
    let task = Exercise::new("matrix-product-opencl", files).expect("a hand-out");
    assert_eq!((task.rubric.tests.len(), task.file().as_str()), (2, "matrix-product-opencl.cl"));
    let grade = graded(&task, &solution);
    assert!(grade.points == grade.of && grade.of > 0, "{grade:#?}");
}

#[test]
fn failures_have_the_words_of_opencl() {
    let exercise = product();
    let solution = exercise.solution.clone().expect("a solution");
    let grade =
        graded(&exercise, &solution.replace("if (row < rows && column < columns)", "if (row < rows)"));
    let row = grade.rows.iter().find(|row| row.name == "memory").expect("a row");
    let text = format!("{:?} {:?} {:?}", row.why, row.parts, row.hint);
    assert!(!text.contains("thread") && text.contains("work-item"), "{text}");
    let test = grade.rows.iter().find(|row| row.name == "high and not full").expect("a row");
    let parts = format!("{:?}", test.parts);
    assert!(
        parts.contains(
            "warpsim run matrix-product-opencl.cl --global 32x64x1 --local 16x16x1 --arg 'rows=50'"
        )
    );
}

#[test]
fn other_names_are_messages() {
    let exercise = product();
    let solution = exercise.solution.clone().expect("a solution");
    let why = |text: &str| graded(&exercise, text).rows[0].why.clone().unwrap_or_default();
    let renamed = why(&solution.replace("rows", "height"));
    assert!(renamed.contains("kernel `multiply` has no parameter `rows`"), "{renamed}");
    let other = why(&solution.replace("void multiply", "void product"));
    assert!(other.contains("does not launch the kernel `multiply`"), "{other}");
}

#[test]
fn rubrics_are_of_one_language() {
    let errors = |tests: &str| {
        let text = format!("(title: \"t\", tests: [{tests}])");
        let found = Rubric::read(&text, &Texts::new()).expect_err("a mistake");
        found.iter().map(|diagnostic| diagnostic.message.clone()).collect::<Vec<_>>().join("; ")
    };
    let mixed = errors("(name: \"a\", global: 4, output: [\"c\"]), (name: \"b\", args: [\"1\"])");
    assert_eq!(mixed, "either all tests of a rubric have `global`, or none has it");
    assert_eq!(errors("(name: \"a\", local: (2, 2))"), "`local` and `output` of a test need `global`");
}
