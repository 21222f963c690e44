//! The commands in README.md and in the pages of `docs` work, and the outputs that the pages show
//! are the program's.
//!
//! - `<!-- example: warpsim ARGUMENTS -->` before a code block: the block is the whole output.
//! - `<!-- excerpt: warpsim ARGUMENTS -->` before a code block: the lines of the block are lines of
//!   the output or of the messages, in their order. The whole output is recorded in
//!   `doors/cli/tests/snapshots`.
//! - A line `warpsim ARGUMENTS` in a block of shell commands runs.
//!
//! A marker names the exit code if it is not 0:
//! `<!-- example (exit code 3): warpsim ARGUMENTS -->`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use test_support::workspace::root;

const CODE: &str = " (exit code ";
const BLOCK: &str = " -->\n```text\n";
const END: &str = "```\n";

/// Commands that are not run, as the beginning of their line, with the reason. Times are those of a
/// test build.
const SKIPPED: [(&str, &str); 17] = [
    ("warpsim book all", "minutes: all claims; tests/tests/book.rs runs each at its small size"),
    ("warpsim book slides", "a minute: more than half of the claims, as for `book all`"),
    ("warpsim book MEM-08 PERF-04", "9 s: tests/tests/book.rs runs these claims"),
    ("warpsim run matmul-tiled --size 4096 --sample", "a minute"),
    ("warpsim run matmul-tiled --chip g80 --why", "20 s: docs/LIMITS.md has an example at a smaller size"),
    ("warpsim validate  ", "minutes: every row"),
    ("warpsim validate --chip gt200  ", "a minute: every row of a chip"),
    ("warpsim validate --csv", "minutes: every row"),
    ("warpsim validate --markdown", "minutes: every row"),
    ("warpsim validate --ablation", "half an hour: every row, nineteen times"),
    ("warpsim validate --latency", "minutes: the chases of ten chips"),
    (
        "warpsim experiment shapes.ron --engine hyperqueue",
        "needs a server: doors/cli/tests/it/cluster has one",
    ),
    ("warpsim experiment shapes.ron --engine slurm", "needs a cluster: doors/cli/tests/it/cluster has one"),
    ("warpsim run program.cu", "needs clang: doors/cli/tests/it/program.rs has one"),
    ("warpsim lab test course/exercises/saxpy", "needs the folder: course/exercises/tests/course.rs runs it"),
    (
        "warpsim lab new course/exercises/saxpy",
        "needs the folder: doors/cli/tests/it/exercises.rs makes hand-outs",
    ),
    ("warpsim exec --chip", "needs a compiled program: doors/cli/tests/it/program.rs has one"),
];

/// Commands that end with another exit code than 0, as the beginning of their line.
const CODES: [(&str, i32); 4] = [
    ("warpsim  ", 2),
    ("warpsim run dot-product-printed --check all", 1),
    ("warpsim lab check work/ada", 1),
    ("warpsim explore examples/explore/publish.cu", 1),
];

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display())).replace("\r\n", "\n")
}

/// Returns the README and the pages of `docs` and `docs/extending`, in the order of their names.
fn pages() -> Vec<PathBuf> {
    let files = ["docs", "docs/extending"].map(|folder| {
        fs::read_dir(root().join(folder))
            .expect("the folder is readable")
            .map(|file| file.expect("a file").path())
    });
    let mut pages: Vec<PathBuf> = files.into_iter().flatten().collect();
    pages.retain(|path| path.extension().is_some_and(|extension| extension == "md"));
    pages.push(root().join("README.md"));
    pages.sort();
    pages
}

fn run(arguments: &[String], folder: &Path) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_warpsim"));
    command.args(arguments).current_dir(folder).output().expect("the program starts")
}

/// Splits a line of shell commands into words; variables are not used on the pages.
fn words(line: &str) -> Vec<String> {
    shlex::split(line).expect("the quotes of a command match")
}

/// Exit code, arguments and block of a marker, and the text after the block.
fn marked(part: &str) -> (i32, &str, &str, &str) {
    let (head, rest) = part.split_once(BLOCK).expect("a code block follows the marker");
    let (block, rest) = rest.split_once(END).expect("the code block ends");
    let (before, arguments) = head.split_once(": warpsim ").expect("the marker names a command");
    let code =
        before.strip_prefix(CODE).map_or(0, |code| code.trim_end_matches(')').parse().expect("a code"));
    (code, arguments, block, rest)
}

/// Returns the page with the current output in every example, and the number of examples.
fn renewed(page: &str) -> (String, usize) {
    let mut parts = page.split("<!-- example");
    let mut out = parts.next().unwrap_or_default().to_owned();
    let mut examples = 0;
    for part in parts {
        let (code, arguments, _, rest) = marked(part);
        let (head, _) = part.split_once(BLOCK).expect("a code block follows the marker");
        let output = run(&words(arguments), &root());
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "warpsim {arguments}: {errors}");
        let text = String::from_utf8(output.stdout).expect("text");
        out.extend(["<!-- example", head, BLOCK, &text, END, rest]);
        examples += 1;
    }
    (out, examples)
}

/// Tests: `documents-show-outputs`.
#[test]
fn the_pages_show_what_the_program_prints() {
    let bless = std::env::var_os("BLESS").is_some_and(|value| value == "1");
    let mut all = 0;
    for path in pages() {
        let page = read(&path);
        let (now, examples) = renewed(&page);
        all += examples;
        if now == page {
            continue;
        }
        if bless {
            fs::write(&path, now).expect("the page is writable");
            continue;
        }
        let differs = page.lines().zip(now.lines()).find(|(old, new)| old != new);
        panic!(
            "{} shows old output; run the tests with BLESS=1. First difference: {differs:#?}",
            path.display()
        );
    }
    assert!(all >= 10, "the pages have short examples of the commands; {all} examples were found");
}

#[test]
fn excerpts_are_in_the_output_of_the_program() {
    let folder = scratch("excerpts");
    let mut excerpts = 0;
    for path in pages() {
        for part in read(&path).split("<!-- excerpt").skip(1) {
            let (code, arguments, block, _) = marked(part);
            let output = run(&words(arguments), &folder);
            let printed = [output.stdout, output.stderr].concat();
            let printed = String::from_utf8(printed).expect("text").replace("\r\n", "\n");
            assert_eq!(output.status.code(), Some(code), "warpsim {arguments}: {printed}");
            let mut rest = printed.lines();
            for line in block.lines() {
                assert!(
                    rest.any(|printed| printed == line),
                    "{} shows `{line}`, but warpsim {arguments} prints\n{printed}",
                    path.display()
                );
            }
            let name = path.file_stem().expect("a page has a name").to_string_lossy();
            let name = format!("{name} {arguments}").replace(|c: char| !c.is_alphanumeric(), "_");
            insta::assert_snapshot!(name, printed);
            excerpts += 1;
        }
    }
    assert!(excerpts >= 22, "the pages have excerpts of long outputs; {excerpts} were found");
}

/// Files of the project that the pages name.
const PROJECT_FILES: [&str; 18] = [
    "examples/programs/vecadd.cu",
    "examples/mutate/sum.cu",
    "examples/mutate/sum.ron",
    "kernels/ptx/vecadd.ptx",
    "kernels/launch/vecadd_mapped.ron",
    "kernels/launch/vecadd_streams.ron",
    "doors/cli/tests/data/linked/main.ptx",
    "doors/cli/tests/data/linked/lib.ptx",
    "doors/cli/tests/data/linked/all.ron",
    "examples/opencl/vadd.cl",
    "examples/opencl/vadd_host.c",
    "examples/explore/common.h",
    "examples/explore/last_block.cu",
    "examples/explore/last_block.dbg",
    "examples/explore/last_block.ron",
    "examples/explore/last_block.schedule",
    "examples/explore/publish.cu",
    "examples/explore/publish.ron",
];

/// A new folder with the files that the pages name.
fn scratch(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("the folder is writable");
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
    for file in ["k.ptx", "saxpy.ptx"] {
        fs::copy(data.join(file), folder.join(file)).expect("the file is there");
    }
    let wrong = "__global__ void k(float *a, int width)\n{\n    int i = threadIdx.x;\n    if (i < width) a[i] = \
                 widht;\n}\n";
    fs::write(folder.join("wrong.cu"), wrong).expect("the folder is writable");
    for entry in fs::read_dir(root().join("examples/cuda-c")).expect("the folder is there") {
        let path = entry.expect("an entry").path();
        fs::copy(&path, folder.join(path.file_name().expect("a name"))).expect("copied");
    }
    fs::copy(root().join("examples/saxpy/saxpy.cu"), folder.join("saxpy.cu")).expect("copied");
    for file in PROJECT_FILES {
        let to = folder.join(file);
        fs::create_dir_all(to.parent().expect("a folder")).expect("the folder is writable");
        fs::copy(root().join(file), to).expect("the file is there");
    }
    let page = read(&root().join("docs/LAUNCH.md"));
    let (_, launch) = page.split_once("```ron\n").expect("the page has a launch file");
    let (launch, _) = launch.split_once(END).expect("the launch file ends");
    fs::write(folder.join("saxpy.ron"), launch).expect("the folder is writable");
    // The other files begin with their names.
    for page in ["docs/EXPERIMENTS.md", "docs/extending/chip.md"].map(|page| read(&root().join(page))) {
        for block in page.split("```ron\n// ").skip(1) {
            let (name, text) = block.split_once('\n').expect("a name and a file");
            let (text, _) = text.split_once(END).expect("the file ends");
            fs::write(folder.join(name), text).expect("the folder is writable");
        }
    }
    fs::write(folder.join("commands.dbg"), "step\n").expect("the folder is writable");
    fs::write(folder.join("mine.ron"), "(name: \"mine\", base: \"g80\")").expect("the folder is writable");
    folder
}

/// Returns the commands in the shell blocks of a page, each as one line without its comment.
fn commands(page: &str) -> Vec<String> {
    let blocks = page.split("```sh\n").skip(1).filter_map(|part| part.split_once("```"));
    let lines = blocks.flat_map(|(block, _)| {
        let joined = block.replace("\\\n", " ");
        joined.lines().map(str::to_owned).collect::<Vec<_>>()
    });
    let commands = lines.map(|line| line.split(['#', '>']).next().unwrap_or_default().trim().to_owned());
    commands.filter(|line| line == "warpsim" || line.starts_with("warpsim ")).collect()
}

#[test]
fn every_command_of_the_pages_runs() {
    let folder = scratch("pages");
    let (mut ran, mut skipped) = (0, [false; SKIPPED.len()]);
    for path in pages() {
        for command in commands(&read(&path)) {
            // Two blanks stand for the end of the line.
            let line = format!("{command}  ");
            if let Some(i) = SKIPPED.iter().position(|(begin, _)| line.starts_with(begin)) {
                skipped[i] = true;
                continue;
            }
            let code = CODES.iter().find(|(begin, _)| line.starts_with(begin)).map_or(0, |(_, code)| *code);
            let output = run(&words(&command)[1..], &folder);
            let errors = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(code), "{}: {command}\n{errors}", path.display());
            ran += 1;
        }
    }
    assert!(ran >= 35, "the pages have commands; {ran} were found");
    for ((begin, _), found) in SKIPPED.iter().zip(skipped) {
        assert!(found, "no page has the command `{begin}`: remove it from the list");
    }
}
