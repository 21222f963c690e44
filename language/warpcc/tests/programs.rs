//! The programs of `examples/programs`: built with `warpcc`, and run on three chips.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use test_support::tools::Tool;

/// A program of `examples/programs`.
#[derive(Clone, Copy)]
struct Program {
    /// Name of the .cu file, or of the folder with a Makefile.
    name: &'static str,
    /// Least compute capability, times 10.
    least: u32,
    /// Whether its output has times.
    prints_times: bool,
}

/// How a program runs with all checkers.
const CHECKED: &str = "with all checkers";

const fn program(name: &'static str, least: u32) -> Program {
    Program { name, least, prints_times: false }
}

const fn with_times(name: &'static str, least: u32) -> Program {
    Program { name, least, prints_times: true }
}

const PROGRAMS: [Program; 25] = [
    program("bfs", 10),
    program("collatz", 10),
    program("convolution", 10),
    program("histogram", 12),
    program("hotspot", 10),
    program("kmeans", 10),
    program("life", 10),
    program("lud", 10),
    program("managed", 20),
    program("mandelbrot", 10),
    program("matmul", 10),
    program("montecarlo", 13),
    program("nbody", 10),
    program("needle", 10),
    program("prefix", 10),
    program("printing", 20),
    program("product", 10),
    with_times("reduction", 10),
    program("scan", 10),
    program("spmv", 10),
    with_times("streams", 10),
    program("texture", 10),
    program("texture_objects", 20),
    program("transpose", 10),
    program("vecadd", 10),
];

/// The chips, with their compute capability times 10.
const CHIPS: [(&str, u32); 3] = [("fermi", 20), ("gt200", 13), ("g80", 10)];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/programs")
}

/// Copies the program's sources to `scratch` and builds them there as its first lines say.
fn build(program: Program, scratch: &Path) -> PathBuf {
    let warpcc = env!("CARGO_BIN_EXE_warpcc");
    let Program { name, .. } = program;
    let mut command;
    if folder().join(name).is_dir() {
        for entry in fs::read_dir(folder().join(name)).expect("the folder of the program is readable") {
            let from = entry.expect("an entry is readable").path();
            let is_source = from.extension().is_some_and(|end| end == "cu" || end == "h");
            if is_source || from.ends_with("Makefile") {
                fs::copy(&from, scratch.join(from.file_name().expect("a name"))).expect("a copy");
            }
        }
        command = Command::new("make");
        command.arg(format!("NVCC={warpcc}"));
    } else {
        let source = folder().join(name).with_extension("cu");
        let text = fs::read_to_string(&source).expect("the source is readable");
        let line = text.lines().nth(1).expect("a second line");
        let options = line.strip_prefix("// Build: warpcc ").and_then(|line| line.split_once(" &&"));
        let (options, _) = options.unwrap_or_else(|| panic!("{name}: how to build it: {line}"));
        fs::copy(&source, scratch.join(name).with_extension("cu")).expect("a copy");
        command = Command::new(warpcc);
        command.args(options.split(' '));
    }
    let output = command.current_dir(scratch).output().expect("the compiler starts");
    assert!(output.status.success(), "{name}: {command:?}\n{}{}", text(&output.stdout), text(&output.stderr));
    scratch.join(name)
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Runs a built program on `chip`, with more variables.
fn run(binary: &Path, chip: &str, variables: &[(&str, &str)]) -> Output {
    let mut command = Command::new(binary);
    for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("WARPSIM_")) {
        command.env_remove(name);
    }
    command.env("WARPSIM_CHIP", chip).env("WARPSIM_QUIET", "1").envs(variables.iter().copied());
    command.current_dir(binary.parent().expect("a folder")).output().expect("the program starts")
}

/// Asserts that a run passed, without errors of checkers and other notes. Returns its output.
fn passed(program: Program, how: &str, output: &Output) -> String {
    let printed = text(&output.stdout);
    let notes = text(&output.stderr);
    // One program asks for a block that is too large, and checkers give hints.
    let known = |line: &str| line.contains(" refused: the number of threads per block is 4160;");
    let quiet = match how {
        CHECKED => !notes.contains("error["),
        _ => notes.lines().all(|line| {
            let untimed =
                program.prints_times && line.starts_with("warpsim: kernels without timing take no time");
            known(line) && program.name == "matmul" || how == "functional" && untimed
        }),
    };
    assert!(
        output.status.code() == Some(0) && printed.contains("PASSED") && quiet,
        "{} {how}: {}\n{printed}{notes}",
        program.name,
        output.status
    );
    printed
}

fn try_out(name: &str) {
    let program = *PROGRAMS.iter().find(|program| program.name == name).expect("a program");
    if Tool::Clang.is_missing(&format!("the program {name}")) {
        return;
    }
    let scratch = tempfile::tempdir().expect("a temporary folder");
    let binary = build(program, scratch.path());
    for (chip, capability) in CHIPS {
        let timed = run(&binary, chip, &[]);
        if capability < program.least {
            let printed = text(&timed.stdout);
            assert_eq!(timed.status.code(), Some(3), "{name} on {chip}: {printed}{}", text(&timed.stderr));
            assert!(printed.starts_with("needs "), "{name} on {chip}: {printed}");
            continue;
        }
        let printed = passed(program, &format!("timed on {chip}"), &timed);
        if chip == "fermi" {
            let functional = run(&binary, chip, &[("WARPSIM_FUNCTIONAL", "1")]);
            let functional = passed(program, "functional", &functional);
            if !program.prints_times {
                assert_eq!(functional, printed, "{name}: functional and timed");
            }
            let checked = run(&binary, chip, &[("WARPSIM_FUNCTIONAL", "1"), ("WARPSIM_CHECK", "all")]);
            passed(program, CHECKED, &checked);
            if name == "streams" {
                // The name of the board has a number too.
                let line = printed.lines().find(|line| line.starts_with("one stream")).unwrap_or_default();
                let times: Vec<f64> = line.split(' ').filter_map(|word| word.parse().ok()).collect();
                assert!(times.len() == 2 && times[1] < times[0], "copies overlap: {printed}");
            }
        }
    }
}

macro_rules! tests {
    ($($name:ident)*) => {
        $(
            #[test]
            fn $name() {
                try_out(stringify!($name));
            }
        )*

        const TESTED: &[&str] = &[$(stringify!($name)),*];
    };
}

tests! {
    bfs collatz convolution histogram hotspot kmeans life lud managed mandelbrot matmul montecarlo nbody
    needle prefix printing product reduction scan spmv streams texture texture_objects transpose vecadd
}

/// Functions of CUDA for later architectures, on a Fermi that has their instructions.
#[test]
fn functions_of_later_architectures_need_the_features_of_the_chip() {
    if Tool::Clang.is_missing("functions of later architectures") {
        return;
    }
    let scratch = tempfile::tempdir().expect("a temporary folder");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/after_fermi.cu");
    for (arch, features, sums) in [
        ("sm_30", "shuffle", "without"),
        ("sm_35", "shuffle", "without"),
        ("sm_60", "shuffle, atomics64, atomic_f64", "with"),
    ] {
        let binary = scratch.path().join(arch);
        let mut command = Command::new(env!("CARGO_BIN_EXE_warpcc"));
        let output = command.args(["--device-arch", arch, "-o"]).arg(&binary).arg(&source).output();
        let output = output.expect("the compiler starts");
        assert!(output.status.success(), "{arch}: {}", text(&output.stderr));
        let set = format!("features=[{features}]");
        for mode in ["0", "1"] {
            let variables = [("WARPSIM_SET", set.as_str()), ("WARPSIM_FUNCTIONAL", mode)];
            let output = run(&binary, "fermi", &variables);
            let (printed, notes) = (text(&output.stdout), text(&output.stderr));
            assert!(output.status.success(), "{arch} {mode}: {printed}{notes}");
            assert_eq!(printed, format!("PASSED, {sums} sums\n"), "{arch} {mode}");
        }
        let refused = run(&binary, "fermi", &[]);
        let notes = text(&refused.stderr);
        assert!(refused.status.code() == Some(1) && notes.contains("after_fermi.cu:"), "{arch}: {notes}");
        assert!(
            notes.contains("uses `shfl.") && notes.contains(&format!("`features: [{features}]`")),
            "{notes}"
        );
    }
}

#[test]
fn every_program_is_tested_and_in_the_table() {
    let readme = fs::read_to_string(folder().join("README.md")).expect("the table is readable");
    let rows: Vec<&str> = readme.lines().filter(|line| line.starts_with("| [")).collect();
    let mut found = Vec::new();
    for entry in fs::read_dir(folder()).expect("the folder is readable") {
        let path = entry.expect("an entry is readable").path();
        let first = if path.is_dir() { path.join("main.cu") } else { path.clone() };
        if first.extension().is_none_or(|end| end != "cu") {
            continue;
        }
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        let source = fs::read_to_string(&first).expect("a source is readable");
        let lines: Vec<&str> = source.lines().take(3).collect();
        assert!(lines[0].starts_with("// ") && lines[1].starts_with("// Build: "), "{name}: {lines:?}");
        assert!(!lines[2].starts_with("//"), "{name}: two lines at the top, found {lines:?}");
        found.push(name);
    }
    found.sort();
    assert_eq!(found, PROGRAMS.map(|program| program.name), "the folder and the list of the test");
    assert_eq!(found, TESTED, "the list and the tests");
    assert_eq!(rows.len(), PROGRAMS.len(), "rows of the table");
    for (row, Program { name, least, .. }) in rows.into_iter().zip(PROGRAMS) {
        let capability = format!("| {}.{} |", least / 10, least % 10);
        let starts = row.starts_with(&format!("| [{name}.cu](")) || row.starts_with(&format!("| [{name}]("));
        assert!(starts && row.ends_with(&capability), "{name}: {row}");
    }
}
