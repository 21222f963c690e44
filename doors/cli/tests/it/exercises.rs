//! `warpsim lab`: hand-outs, their tests, and grades.

use super::common::command;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;
use test_support::workspace::root;

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("exercises").join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("the folder is writable");
    folder
}

fn path(path: &Path) -> &str {
    path.to_str().expect("UTF-8")
}

fn program(name: &str) -> String {
    fs::read_to_string(root().join("course/exercises/vector-add").join(name)).expect("a program")
}

/// A wrong program of the exercise, which is a difference to its solution or starting program.
fn wrong(name: &str) -> String {
    let exercise = exercises::builtin("vector-add").expect("an exercise");
    let patch = program(&format!("wrong/{name}"));
    exercises::wrong_program(&exercise, name, &patch).expect("it fits").into_owned()
}

fn run(words: &[&str], code: i32) -> String {
    let Output { status, stdout, stderr } = command(words).output().expect("the program starts");
    let text = String::from_utf8([stdout, stderr].concat()).expect("text");
    assert_eq!(status.code(), Some(code), "{words:?}\n{text}");
    text
}

#[test]
fn a_hand_out_is_written_checked_and_solved() {
    let folder = folder("hand-out").join("ada");
    let words = ["lab", "new", "vector-add", path(&folder), "--seed", "ada"];
    assert!(run(&words, 0).contains("warpsim lab check"));
    let again = run(&words, 2);
    assert!(again.contains("exists") && again.contains("does not replace files"), "{again}");
    let mut names: Vec<String> = fs::read_dir(&folder)
        .expect("a folder")
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    assert_eq!(names, ["README.md", "exercise.ron", "vector-add.cu"], "no solution is handed out");

    let first = run(&["lab", "check", path(&folder)], 1);
    assert!(first.starts_with("Vector addition: 0 of 5 points\n"), "{first}");
    assert!(first.contains("hint: ") && first.contains("5 more points"), "{first}");
    fs::write(folder.join("vector-add.cu"), program("solution.cu")).expect("written");
    let solved = run(&["lab", "check", path(&folder)], 0);
    assert!(solved.starts_with("Vector addition: 5 of 5 points\n"), "{solved}");
}

#[test]
fn inputs_depend_on_the_student() {
    let folder = folder("seeds");
    let rubric = |student: &str| {
        let own = folder.join(student);
        run(&["lab", "new", "vector-add", path(&own), "--seed", student], 0);
        fs::read_to_string(own.join("exercise.ron")).expect("a rubric")
    };
    assert_ne!(rubric("ada"), rubric("alan"));
}

/// A class: a solution, the same with another name, typical mistakes, and hostile programs.
fn class() -> PathBuf {
    let folder = folder("class");
    let add = |student: &str, file: &str, text: &str| {
        let own = folder.join(student);
        fs::create_dir_all(&own).expect("a folder");
        fs::write(own.join(file), text).expect("written");
    };
    add("ada", "vector-add.cu", &program("solution.cu"));
    add("alan", "main.cu", &program("solution.cu"));
    add("barbara", "vector-add.cu", &wrong("no-guard.patch"));
    add("claude", "vector-add.cu", "int main() { return 0 }\n");
    add("donald", "notes.md", "no program");
    add("edsger", "vector-add.cu", "int main() { while (1); }\n");
    let escape =
        "#include <cstdio>\nint main() { FILE *f = fopen(\"../escaped.txt\", \"w\"); return f == 0; }\n";
    add("frances", "vector-add.cu", escape);
    let endless = "#include <cstdio>\n__global__ void add(int *a) { while (1) a[0]++; }\nint main() { int *d; \
                   cudaMalloc(&d, 4); add<<<2, 64>>>(d); return cudaThreadSynchronize(); }\n";
    add("grace", "vector-add.cu", endless);
    add("<b>&", "vector-add.cu", &program("solution.cu"));
    add("=1+1", "vector-add.cu", &wrong("sum-on-the-host.patch"));
    folder
}

#[test]
fn a_class_is_graded_with_reasons_for_broken_submissions() {
    let (class, out) = (class(), folder("grades"));
    let (csv, pages) = (out.join("grades.csv"), out.join("pages"));
    let (junit, scope) = (out.join("grades.xml"), out.join("gradescope"));
    let grade = |jobs: &str| {
        let inputs = ["lab", "grade", path(&class), "--rubric", "vector-add", "--jobs", jobs];
        let outputs = ["--csv", path(&csv), "--html", path(&pages), "--junit", path(&junit)];
        let words = [inputs.as_slice(), &outputs, &["--gradescope", path(&scope)]];
        run(&words.concat(), 0)
    };
    let text = grade("1");
    let line =
        |student: &str| text.lines().find(|line| line.starts_with(student)).expect("a line").to_owned();
    assert!(line("ada").ends_with("10 of  10") && line("alan").ends_with("10 of  10"), "{text}");
    assert!(line("barbara").contains(" 4 of  10  failed: 1000"), "{text}");
    assert!(line("claude").contains("the program does not compile: error["), "{text}");
    assert!(line("donald").contains("there is no file `vector-add.cu`"), "{text}");
    for student in ["edsger", "frances", "grace"] {
        assert!(line(student).contains(" 0 of  10  failed: one block"), "{text}");
    }
    let page = fs::read_to_string(pages.join("grace.html")).expect("written");
    assert!(page.contains("the program has used up its budget"), "{page}");
    assert!(page.contains("stopped at the limit of"), "{page}");
    assert!(page.contains("not run: a test before it used up its budget"), "{page}");
    assert!(
        !class.join("escaped.txt").exists()
            && !class.parent().expect("a folder").join("escaped.txt").exists()
    );

    let all: Vec<Vec<u8>> = [&csv, &junit, &pages.join("index.html"), &pages.join("barbara.html")]
        .map(|file| fs::read(file).expect("written"))
        .into();
    let table = String::from_utf8(all[0].clone()).expect("text");
    assert!(table.starts_with("student,points,of,one block,1000,") && table.lines().count() == 11, "{table}");
    // The cause is the last cell; a cell that could be a formula is text.
    let cause = |student: &str| {
        let line = table.lines().find(|line| line.starts_with(&format!("{student},"))).expect("a line");
        line.split_once(",0,0,").map_or(line, |(_, rest)| rest).to_owned()
    };
    assert!(table.lines().next().expect("a head").ends_with(",cause"), "{table}");
    for (student, text) in [
        ("claude", "the program does not compile: error["),
        ("donald", "there is no file `vector-add.cu`"),
        ("edsger", "test `one block`: on g80: the program has used up its budget: the host code"),
        ("frances", "test `one block`: on g80: the program ends with exit code 1"),
        ("grace", "test `one block`: on g80: the program has used up its budget: `add`: stopped"),
        ("barbara", "test `1000`: on g80: the program stops: `add`: trapped at line 39"),
        ("'=1+1", "test `one block`: on g80: the host computes the results"),
    ] {
        assert!(cause(student).contains(text), "{student}: {}", cause(student));
    }
    assert!(table.lines().any(|line| line == "ada,10,10,1,2,1,2,1,1,1,1,"), "{table}");
    let cases = String::from_utf8(all[1].clone()).expect("text");
    assert!(cases.contains("<testsuite name=\"barbara\" tests=\"8\" failures=\""), "{cases}");
    assert!(cases.contains("<testcase classname=\"vector-add\" name=\"one block\"/>"), "{cases}");
    assert!(
        cases.contains("<failure message=\"on g80: the program stops: `add`: trapped at line 39"),
        "{cases}"
    );
    assert!(cases.contains("<testsuite name=\"&lt;b&gt;&amp;\""), "{cases}");
    let index = String::from_utf8(all[2].clone()).expect("text");
    assert!(
        index.contains("href=\"./barbara.html\"")
            && index.contains("&lt;b&gt;&amp;")
            && !index.contains("<b>")
    );
    assert!(index.contains("the program has used up its budget"), "{index}");
    // A mistake that follows from another one is none.
    assert!(!index.contains("no points without") && !index.contains("not run: a test"), "{index}");
    let page = String::from_utf8(all[3].clone()).expect("text");
    assert!(page.contains("37  __global__ void add("), "{page}");
    assert!(page.contains("Hint: ") && page.contains("vector-add.cu:39"), "{page}");
    let json: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(scope.join("barbara.json")).expect("written"))
            .expect("JSON");
    assert_eq!(json["score"], 4);
    assert_eq!(json["tests"][2]["visibility"], "after_published");
    assert_eq!(grade("4"), text, "the number of jobs changes nothing");
    let again = [&csv, &junit, &pages.join("index.html"), &pages.join("barbara.html")];
    assert_eq!(again.map(|file| fs::read(file).expect("written")).to_vec(), all);
}

#[test]
fn the_exercise_of_a_hand_out_is_known_without_an_option() {
    let folder = folder("known").join("ada");
    run(&["lab", "new", "saxpy", path(&folder)], 0);
    assert!(run(&["lab", "grade", path(&folder)], 0).starts_with("saxpy: "));
    let unknown = run(&["lab", "new", "saxpi", "x"], 2);
    assert!(unknown.contains("did you mean `saxpy`?"), "{unknown}");
    let none = run(&["lab", "check", "no-such-folder"], 2);
    assert!(none.contains("there is no folder no-such-folder"), "{none}");
}

#[test]
fn every_exercise_makes_a_hand_out_that_can_be_checked() {
    let folder = folder("all");
    let list = run(&["lab", "list", "--format", "json"], 0);
    let list: serde_json::Value = serde_json::from_str(&list).expect("JSON");
    for exercise in list["exercises"].as_array().expect("a list") {
        let name = exercise["name"].as_str().expect("a name");
        let own = folder.join(name);
        run(&["lab", "new", name, path(&own)], 0);
        let ending = if own.join(format!("{name}.cl")).is_file() { "cl" } else { "cu" };
        let solution = root().join("course/exercises").join(name).join(format!("solution.{ending}"));
        fs::copy(solution, own.join(format!("{name}.{ending}"))).expect("copied");
        let text = run(&["lab", "check", path(&own)], 0);
        assert!(!text.contains("failed"), "{text}");
    }
}
