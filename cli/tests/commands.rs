//! Tests that the examples in `docs/COMMANDS.md` are the program's output.
//!
//! An example is between `<!-- example: warpsim ARGUMENTS -->` and the end of the following code
//! block. If its exit code is not 0, the marker states it:
//! `<!-- example (exit code 3): warpsim ARGUMENTS -->`. It runs in the project's root folder.

use std::path::{Path, PathBuf};
use std::process::Command;

const BEGIN: &str = "<!-- example";
const CODE: &str = " (exit code ";
const END: &str = "```\n";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Returns the output of the command.
fn output(arguments: &str, code: i32) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_warpsim"));
    let output = command.args(arguments.split_whitespace()).current_dir(root()).output().expect("it runs");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "warpsim {arguments}: {errors}");
    String::from_utf8(output.stdout).expect("text")
}

/// Returns the page with the current output of every example, and the number of examples.
fn renewed(page: &str) -> (String, usize) {
    let mut parts = page.split(BEGIN);
    let mut out = parts.next().unwrap_or_default().to_owned();
    let mut examples = 0;
    for part in parts {
        let (head, rest) = part.split_once(" -->\n```text\n").expect("a code block follows the marker");
        let (_, rest) = rest.split_once(END).expect("the code block ends");
        let (before, arguments) = head.split_once(": warpsim ").expect("the marker names a command");
        let code =
            before.strip_prefix(CODE).map_or(0, |code| code.trim_end_matches(')').parse().expect("a code"));
        let text = output(arguments, code);
        out.extend([BEGIN, head, " -->\n```text\n", &text, END, rest]);
        examples += 1;
    }
    (out, examples)
}

#[test]
fn the_commands_page_shows_what_the_program_prints() {
    let path = root().join("docs/COMMANDS.md");
    let page = std::fs::read_to_string(&path).expect("the page exists").replace("\r\n", "\n");
    let (now, examples) = renewed(&page);
    assert!(examples >= 4, "every command of the page has an example; {examples} were found");
    if now == page {
        return;
    }
    if std::env::var_os("BLESS").is_some_and(|value| value == "1") {
        std::fs::write(&path, now).expect("the page is writable");
        return;
    }
    let differs = page.lines().zip(now.lines()).find(|(old, new)| old != new);
    panic!("docs/COMMANDS.md shows old output; run the tests with BLESS=1. First difference: {differs:#?}");
}
