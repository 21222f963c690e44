//! Commands in the documents: the examples are the program's own output, and other commands run.
//!
//! An example is between `<!-- example: warpsim ARGUMENTS -->` and the end of the code block that
//! follows. Before the colon an example can say three things, in this order: `in FOLDER` runs it in
//! this folder of the project instead of the project's root, `(exit code 3)` means another exit
//! code than 0, and `, messages` shows standard error instead of standard output.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const BEGIN: &str = "<!-- example";
const END: &str = "```\n";

/// Pages whose `sh` blocks are run, line by line, and the folder that they start in.
const SHELL: [&str; 2] = ["README.md", "docs/FROM-CUDA.md"];

/// Folder of the files that the commands of [`SHELL`] name.
const FILES: &str = "examples/saxpy";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Runs the program with arguments separated by blanks.
fn run(arguments: &str, folder: &Path, code: i32) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_warpsim"));
    let output = command.args(arguments.split_whitespace()).current_dir(folder).output().expect("it runs");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "warpsim {arguments}: {errors}");
    output
}

/// What the command of a marker prints; `how` is the part of the marker in front of the colon.
fn printed(how: &str, arguments: &str) -> String {
    let (how, messages) = match how.strip_suffix(", messages") {
        Some(how) => (how, true),
        None => (how, false),
    };
    let (folder, code) = match how.split_once(" (exit code ") {
        Some((folder, code)) => (folder, code.trim_end_matches(')').parse().expect("an exit code")),
        None => (how, 0),
    };
    let folder = root().join(folder.strip_prefix(" in ").unwrap_or(folder));
    let output = run(arguments, &folder, code);
    String::from_utf8(if messages { output.stderr } else { output.stdout }).expect("text")
}

/// The page with every example as the program prints it now, and the number of examples.
fn renewed(page: &str) -> (String, usize) {
    let mut parts = page.split(BEGIN);
    let mut out = parts.next().unwrap_or_default().to_owned();
    let mut examples = 0;
    for part in parts {
        let (head, rest) = part.split_once(" -->\n```text\n").expect("a code block follows the marker");
        let (_, rest) = rest.split_once(END).expect("the code block ends");
        let (how, arguments) = head.split_once(": warpsim ").expect("the marker names a command");
        out.extend([BEGIN, head, " -->\n```text\n", &printed(how, arguments), END, rest]);
        examples += 1;
    }
    (out, examples)
}

/// All pages that can have examples.
fn pages() -> Vec<String> {
    let mut pages = vec!["README.md".to_owned()];
    for entry in fs::read_dir(root().join("docs")).expect("the folder is there") {
        let name = entry.expect("readable").file_name().to_string_lossy().into_owned();
        if Path::new(&name).extension().is_some_and(|extension| extension == "md") {
            pages.push(format!("docs/{name}"));
        }
    }
    pages.sort();
    pages
}

/// Tests: `documents-show-outputs`.
#[test]
fn the_pages_show_what_the_program_prints() {
    let mut old = Vec::new();
    let mut found = 0;
    for name in pages() {
        let path = root().join(&name);
        let page = fs::read_to_string(&path).expect("the page is there").replace("\r\n", "\n");
        let (now, examples) = renewed(&page);
        found += examples;
        if now == page {
            continue;
        }
        if std::env::var_os("BLESS").is_some_and(|value| value == "1") {
            fs::write(&path, now).expect("the page is writable");
            continue;
        }
        let differs = page.lines().zip(now.lines()).find(|(old, new)| old != new);
        old.push(format!("{name}: first difference: {differs:#?}"));
    }
    assert!(old.is_empty(), "old outputs; run the test with BLESS=1:\n{}", old.join("\n"));
    assert!(found >= 20, "{found} examples");
}

/// The commands in a page's `sh` blocks, without comments, and the exit codes that these state.
fn commands(page: &str) -> Vec<(String, i32)> {
    let blocks = page.split("```sh\n").skip(1).map(|rest| rest.split("```").next().unwrap_or_default());
    let lines = blocks.flat_map(str::lines).filter(|line| line.starts_with("warpsim "));
    let command = |line: &str| {
        let (command, comment) = line.split_once('#').unwrap_or((line, ""));
        let code =
            comment.split_once("exit code ").map_or(0, |(_, code)| code.trim().parse().expect("a code"));
        (command.trim_start_matches("warpsim ").trim().to_owned(), code)
    };
    lines.map(command).collect()
}

/// The commands run in a copy of the folder, in the order of the page.
///
/// Tests: `documents-show-outputs`.
#[test]
fn the_commands_of_the_pages_run() {
    for page in SHELL {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(page.replace('/', "-"));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).expect("a folder for the page");
        for entry in fs::read_dir(root().join(FILES)).expect("the folder is there") {
            let path = entry.expect("readable").path();
            fs::copy(&path, folder.join(path.file_name().expect("a name"))).expect("copied");
        }
        let text = fs::read_to_string(root().join(page)).expect("the page is there");
        let commands = commands(&text);
        assert!(commands.len() >= 4, "{page} has {} commands", commands.len());
        for (arguments, code) in commands {
            run(&arguments, &folder, code);
        }
    }
}
