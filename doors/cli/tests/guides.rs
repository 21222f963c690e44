//! The README and the guide from CUDA C to a run: their commands work, and the outputs that they
//! show are the program's.
//!
//! A line `warpsim ARGUMENTS` in a block of shell commands runs in a copy of `examples/saxpy`,
//! which has the files of `examples/cuda-c` and `doors/cli/tests/data/linked`, and `vecadd.cu`,
//! too. Its comment names the exit code if it is not 0; a command that takes a minute is not run.
//! The block after `<!-- example: warpsim ARGUMENTS -->` is the standard output, and the block
//! after
//! `<!-- messages (exit code 2): warpsim ARGUMENTS -->` is standard error, of a run in the
//! project's root. `BLESS=1` rewrites both.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use test_support::workspace::root;

const PAGES: [&str; 2] = ["README.md", "docs/FROM-CUDA.md"];
const BLOCK: &str = " -->\n```text\n";
const END: &str = "```\n";

fn read(page: &str) -> String {
    fs::read_to_string(root().join(page)).expect("the page is readable").replace("\r\n", "\n")
}

/// Runs the program with the arguments of a shell command.
fn run(arguments: &str, folder: &Path, code: i32) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_warpsim"));
    let words = shlex::split(arguments).expect("the quotes of a command match");
    let output = command.args(words).current_dir(folder).output().expect("it starts");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "warpsim {arguments}: {errors}");
    output
}

/// The exit code in a comment or a marker; 0 where none is named.
fn exit_code(text: &str) -> i32 {
    let code = text.split_once("exit code ").map(|(_, code)| code.trim().trim_end_matches(')'));
    code.map_or(0, |code| code.parse().expect("an exit code"))
}

/// The page with current outputs in the blocks after `marker`, and the number of blocks.
fn renewed(page: &str, marker: &str, text: impl Fn(Output) -> Vec<u8>) -> (String, usize) {
    let mut parts = page.split(marker);
    let mut out = parts.next().unwrap_or_default().to_owned();
    let mut blocks = 0;
    for part in parts {
        let (head, rest) = part.split_once(BLOCK).expect("a code block follows the marker");
        let (_, rest) = rest.split_once(END).expect("the code block ends");
        let (before, arguments) = head.split_once(": warpsim ").expect("the marker names a command");
        let printed = text(run(arguments, &root(), exit_code(before)));
        let printed = String::from_utf8(printed).expect("text");
        out.extend([marker, head, BLOCK, &printed, END, rest]);
        blocks += 1;
    }
    (out, blocks)
}

/// Tests: `documents-show-outputs`.
#[test]
fn the_guides_show_what_the_program_prints() {
    let mut all = 0;
    for name in PAGES {
        let page = read(name);
        let (now, outputs) = renewed(&page, "<!-- example", |output| output.stdout);
        let (now, messages) = renewed(&now, "<!-- messages", |output| output.stderr);
        all += outputs + messages;
        if now == page {
            continue;
        }
        let differs = page.lines().zip(now.lines()).find(|(old, new)| old != new);
        assert!(
            std::env::var_os("BLESS").is_some_and(|value| value == "1"),
            "{name} shows old output; run the test with BLESS=1. First difference: {differs:#?}"
        );
        fs::write(root().join(name), now).expect("the page is writable");
    }
    assert!(all >= 3, "{all} outputs");
}

/// The commands in the shell blocks of a page, each with its comment.
fn commands(page: &str) -> Vec<(String, String)> {
    let blocks = page.split("```sh\n").skip(1).filter_map(|part| Some(part.split_once("```")?.0));
    let lines = blocks.flat_map(str::lines).filter_map(|line| line.strip_prefix("warpsim "));
    let halves = lines.map(|line| line.split_once('#').unwrap_or((line, "")));
    halves.map(|(command, comment)| (command.trim().to_owned(), comment.trim().to_owned())).collect()
}

/// Tests: `documents-show-outputs`.
#[test]
fn the_commands_of_the_guides_run() {
    for page in PAGES {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(page.replace('/', "-"));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).expect("the folder is writable");
        let entries = ["examples/saxpy", "examples/cuda-c"].map(|folder| fs::read_dir(root().join(folder)));
        for entry in entries.into_iter().flat_map(|entries| entries.expect("the folder is there")) {
            let path = entry.expect("an entry").path();
            fs::copy(&path, folder.join(path.file_name().expect("a name"))).expect("copied");
        }
        let linked = Path::new("doors/cli/tests/data/linked");
        fs::create_dir_all(folder.join(linked)).expect("the folder is writable");
        for file in ["main.ptx", "lib.ptx", "all.ron"].map(|name| linked.join(name)) {
            fs::copy(root().join(&file), folder.join(&file)).expect("copied");
        }
        let program = Path::new("examples/programs/vecadd.cu");
        fs::create_dir_all(folder.join("examples/programs")).expect("the folder is writable");
        fs::copy(root().join(program), folder.join(program)).expect("copied");
        let commands = commands(&read(page));
        assert!(commands.len() >= 4, "{page} has {} commands", commands.len());
        for (command, comment) in commands.iter().filter(|(_, comment)| !comment.contains("a minute")) {
            run(command, &folder, exit_code(comment));
        }
    }
}

/// Headers newer than PTX 2.3 and `sm_21` are accepted or refused as the guide says.
#[test]
fn newer_headers_end_as_the_guide_says() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("headers");
    fs::create_dir_all(&folder).expect("the folder is writable");
    let text = read("examples/saxpy/saxpy.ptx");
    for (version, target, code, message) in [
        ("2.3", "sm_21", 0, ""),
        ("3.2", "sm_20", 0, "note[W0302]: `.version 3.2` is read as PTX 2.3 for sm_21\n"),
        ("7.8", "sm_35", 0, "note[W0302]"),
        ("8.5", "sm_90", 0, "note[W0302]: `.version 8.5` and `.target sm_90` are read as"),
        ("2.3", "sm_30", 2, "error[E0314]"),
        ("8.5", "sm_90a", 0, "note[W0302]: `.version 8.5` and `.target sm_90a` are read as"),
        ("8.5", "sm_90x", 2, "error[E0310]"),
    ] {
        let header = text.replace(".version 7.8", &format!(".version {version}"));
        let header = header.replace(".target sm_35", &format!(".target {target}"));
        assert!(
            header.contains(&format!(".version {version}\n.target {target}\n")),
            "the header is replaced"
        );
        fs::write(folder.join("k.ptx"), header).expect("written");
        let output = run("check k.ptx", &folder, code);
        let messages = String::from_utf8(output.stderr).expect("text");
        assert_eq!(messages.is_empty(), message.is_empty(), "{version} {target}: {messages}");
        assert!(messages.contains(message), "{version} {target}: {messages}");
    }
    fs::copy(root().join("examples/saxpy/saxpy.ron"), folder.join("k.ron")).expect("copied");
    fs::write(folder.join("k.ptx"), text).expect("written");
    run("run k.ptx --launch k.ron --chip fermi", &folder, 0);
    run("run k.ptx --launch k.ron --chip gt200", &folder, 0);
}
