//! The lessons of the course and the statements of the exercises show what the program prints.
//!
//! A page of `course/lessons` has blocks of shell commands, each with the output in a block that
//! follows it: standard output, then standard error. A line `...` stands for any lines. Pictures
//! are drawn again and compared. `BLESS=1` rewrites pictures and blocks without such a line.
//!
//! A statement has commands `warpsim run NAME.cu …` with their output: the output of the solution,
//! or of the starting program if the page is about its mistake.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use test_support::workspace::root;

const SHELL: &str = "```sh\n";
const TEXT: &str = "```text\n";
const END: &str = "```\n";
/// Folder of the pictures, as commands name it.
const PICTURES: &str = "course/lessons/pictures/";

fn is_blessing() -> bool {
    std::env::var_os("BLESS").is_some_and(|value| value == "1")
}

fn run(words: &[String]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_warpsim"));
    command.args(words).current_dir(root()).output().expect("the program starts")
}

/// Text on a terminal: standard output, then standard error.
fn printed(output: Output) -> String {
    String::from_utf8([output.stdout, output.stderr].concat()).expect("text").replace("\r\n", "\n")
}

/// A block of commands with its output.
struct Example<'p> {
    commands: Vec<&'p str>,
    /// Place of the output in the page, if it is shown.
    output: Option<std::ops::Range<usize>>,
}

fn examples(page: &str) -> Vec<Example<'_>> {
    let mut all = Vec::new();
    let mut at = 0;
    while let Some(start) = page[at..].find(SHELL).map(|start| at + start + SHELL.len()) {
        let end = start + page[start..].find(END).expect("a block ends");
        at = end + END.len();
        let output = page[at..].trim_start_matches('\n').starts_with(TEXT).then(|| {
            let from = at + page[at..].find(TEXT).expect("it starts so") + TEXT.len();
            from..from + page[from..].find(END).expect("a block ends")
        });
        let commands = page[start..end].lines().filter(|line| line.starts_with("warpsim ")).collect();
        all.push(Example { commands, output });
    }
    all
}

/// Whether `shown`, in which a line `...` stands for any lines, is `now`.
fn is_shown(shown: &str, now: &str) -> bool {
    let mut rest: Vec<&str> = now.lines().collect();
    rest.reverse();
    let mut is_open = false;
    for line in shown.lines() {
        if line == "..." {
            is_open = true;
            continue;
        }
        loop {
            match rest.pop() {
                Some(next) if next == line => break,
                Some(_) if is_open => {}
                _ => return false,
            }
        }
        is_open = false;
    }
    is_open || rest.is_empty()
}

/// Words of a command; pictures are written to a folder of the test.
fn words(command: &str, pictures: &Path) -> Vec<String> {
    let words = shlex::split(command).expect("the quotes of a command match");
    let own = |word: String| match word.strip_prefix(PICTURES) {
        Some(name) => pictures.join(name).display().to_string(),
        None => word,
    };
    words.into_iter().skip(1).map(own).collect()
}

fn lesson(number: usize) {
    let folder = root().join("course/lessons");
    let entries = fs::read_dir(&folder).expect("the lessons").map(|entry| entry.expect("an entry").path());
    let begin = format!("{number:02}-");
    let mut paths = entries
        .filter(|path| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(&begin)));
    let path = paths.next().expect("there is a lesson");
    let page = fs::read_to_string(&path).expect("a page").replace("\r\n", "\n");
    let pictures = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("course-{number}"));
    fs::create_dir_all(&pictures).expect("a folder");
    let (mut new, mut wrong, mut ran) = (page.clone(), Vec::new(), 0);
    let all = examples(&page);
    for example in all.iter().rev() {
        let mut now = String::new();
        for command in &example.commands {
            let output = printed(run(&words(command, &pictures)));
            if output.contains("\nUsage: warpsim ") {
                wrong.push(format!("{command}: is refused\n{output}"));
            }
            now += &output.replace(&format!("{}/", pictures.display()), PICTURES);
            ran += 1;
        }
        let Some(place) = example.output.clone() else { continue };
        let shown = &page[place.clone()];
        if is_shown(shown, &now) {
            continue;
        }
        if is_blessing() && !shown.lines().any(|line| line == "...") {
            new.replace_range(place, &now);
        } else {
            wrong.push(format!(
                "{}:\nthe page shows\n{shown}\nthe program prints\n{now}",
                example.commands.join("\n")
            ));
        }
    }
    for entry in fs::read_dir(&pictures).expect("a folder") {
        let drawn = entry.expect("an entry").path();
        let kept = folder.join("pictures").join(drawn.file_name().expect("a name"));
        let text = fs::read(&drawn).expect("a picture");
        if fs::read(&kept).is_ok_and(|kept| kept == text) {
            continue;
        }
        if is_blessing() {
            fs::write(&kept, text).expect("written");
        } else {
            wrong.push(format!("{} is old", kept.display()));
        }
    }
    if new != page {
        fs::write(&path, new).expect("written");
    }
    assert!(ran >= 5, "{}: {ran} commands", path.display());
    assert!(wrong.is_empty(), "{}: run the test with BLESS=1\n{}", path.display(), wrong.join("\n"));
}

macro_rules! lessons {
    ($($name:ident $number:literal)*) => {
        $(#[test]
        fn $name() {
            lesson($number);
        })*
    };
}

lessons! {
    lesson_1_shows_what_the_program_prints 1
    lesson_2_shows_what_the_program_prints 2
    lesson_3_shows_what_the_program_prints 3
    lesson_4_shows_what_the_program_prints 4
    lesson_5_shows_what_the_program_prints 5
    lesson_6_shows_what_the_program_prints 6
    lesson_7_shows_what_the_program_prints 7
    lesson_8_shows_what_the_program_prints 8
    lesson_9_shows_what_the_program_prints 9
    lesson_10_shows_what_the_program_prints 10
    lesson_11_shows_what_the_program_prints 11
    lesson_12_shows_what_the_program_prints 12
    lesson_13_shows_what_the_program_prints 13
    lesson_14_shows_what_the_program_prints 14
}

/// The folders of the exercises.
fn exercises() -> Vec<PathBuf> {
    let entries = fs::read_dir(root().join("course/exercises")).expect("the exercises");
    let mut folders: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    folders.retain(|path| path.join("exercise.ron").is_file());
    folders.sort();
    folders
}

#[test]
fn statements_show_what_the_programs_print() {
    let (mut wrong, mut ran) = (Vec::new(), 0);
    for folder in exercises() {
        let name = folder.file_name().expect("a name").to_string_lossy().into_owned();
        let page = fs::read_to_string(folder.join("README.md")).expect("a statement");
        assert!(page.contains("warpsim lab check ."), "{name}: the statement names the check");
        let begin = format!("warpsim run {name}.cu");
        for example in examples(&page) {
            let (Some(place), [command]) = (example.output, example.commands.as_slice()) else { continue };
            let Some(rest) = command.strip_prefix(&begin) else { continue };
            let shown = page[place].trim_end();
            let prints = |program: &str| {
                let file = folder.join(program).display().to_string();
                let words = shlex::split(rest).expect("the quotes match");
                let words: Vec<String> = ["run".to_owned(), file].into_iter().chain(words).collect();
                printed(run(&words)).replace(&format!("{program}:"), &format!("{name}.cu:"))
            };
            let outputs = ["solution.cu", "start.cu"].map(prints);
            let is_in = |output: &String| {
                let mut lines = output.lines();
                shown
                    .lines()
                    .filter(|line| *line != "...")
                    .all(|line| lines.any(|own| own.trim_end() == line.trim_end()))
            };
            ran += 1;
            if !outputs.iter().any(is_in) {
                wrong.push(format!("{name}: {command}\n{shown}\nthe programs print\n{}", outputs.join("\n")));
            }
        }
    }
    assert!(ran >= 24, "{ran} commands");
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}
