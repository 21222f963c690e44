//! Tests of `run --check`: the kernels with mistakes in `tests/data/checkers`, whose README says
//! which line a finding has, and the built-in kernels.

use crate::common::{Run, command, scratch, small, warpsim};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// A finding: its checker, kind and line.
type Found = (String, String, u64);

/// A case: the files in its scratch folder, and what the checkers must find.
struct Case {
    folder: PathBuf,
    /// Errors and warnings in the kernel with the mistake.
    expected: [BTreeSet<Found>; 2],
    chips: &'static [&'static str],
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/checkers")
}

/// Reads a case and writes its three files to a folder of the test `user`.
fn case(user: &str, name: &str) -> Case {
    let text = std::fs::read_to_string(folder().join(name).with_extension("ptx")).expect("readable");
    assert!(text.starts_with("// MISTAKE: "), "{name} does not name its mistake");
    let mut expected = [BTreeSet::new(), BTreeSet::new()];
    let (mut launch, mut fixed) = (String::new(), String::new());
    for (number, line) in (1..).zip(text.lines()) {
        let (_, marks) = line.split_once("//~ ").unwrap_or_default();
        for mark in marks.split("; ").filter(|mark| !mark.is_empty()) {
            let words: Vec<&str> = mark.split_whitespace().collect();
            let (severity, check, kind) = match words[..] {
                [check, kind] => (0, check, kind),
                ["warning", check, kind] => (1, check, kind),
                _ => panic!("{name}, line {number}: no finding: {mark}"),
            };
            expected[severity].insert((check.to_owned(), kind.to_owned(), number));
        }
        launch.extend(line.strip_prefix("//launch").into_iter().flat_map(|part| [part, "\n"]));
        if !line.contains(" //-") {
            fixed.extend([&line.replacen("//+ ", "", 1), "\n"]);
        }
    }
    assert!(expected.iter().any(|found| !found.is_empty()) && fixed != text, "{name} has no mistake");
    let folder = scratch(&format!("checkers/{user}/{name}"));
    for (file, text) in [("buggy.ptx", &text), ("fixed.ptx", &fixed), ("launch.ron", &launch)] {
        std::fs::write(folder.join(file), text).expect("written");
    }
    // The oldest chip of the kernel's target, and the newest chip.
    let target = text.split_once(".target ").and_then(|(_, rest)| rest.split_whitespace().next());
    let chips: &[&str] = match target {
        Some("sm_10") => &["g80", "fermi"],
        Some("sm_11" | "sm_12") => &["gt200", "fermi"],
        Some("sm_20") => &["fermi"],
        _ => panic!("{name} has another target: {target:?}"),
    };
    Case { folder, expected, chips }
}

/// Returns all cases with their names.
fn cases(user: &str) -> Vec<(String, Case)> {
    let paths = std::fs::read_dir(folder()).expect("readable").map(|entry| entry.expect("readable").path());
    let paths = paths.filter(|path| path.extension().is_some_and(|extension| extension == "ptx"));
    let mut names: Vec<String> =
        paths.filter_map(|path| Some(path.file_stem()?.to_str()?.to_owned())).collect();
    names.sort();
    let read = |name: String| (name.clone(), case(user, &name));
    names.into_iter().map(read).collect()
}

/// Runs a file of a case on a chip.
fn run(case: &Case, file: &str, chip: &str, options: &[&str]) -> Run {
    let arguments = [&["run", file, "--launch", "launch.ron", "--chip", chip], options].concat();
    let output = command(&arguments).current_dir(&case.folder).output().expect("the program starts");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    Run { code: output.status.code(), stdout: text(output.stdout), stderr: text(output.stderr) }
}

/// Runs a file of a case, and returns the errors and the warnings found.
fn found(case: &Case, file: &str, chip: &str) -> (Run, [BTreeSet<Found>; 2]) {
    let run = run(case, file, chip, &["--check", "all", "--json", "-"]);
    let Ok(document) = serde_json::from_str::<serde_json::Value>(&run.stdout) else {
        panic!("{}: no report\n{}{}", case.folder.display(), run.stdout, run.stderr);
    };
    let findings = document["runs"][0]["checks"]["findings"].as_array().expect("a list").clone();
    let text = |value: &serde_json::Value| value.as_str().expect("a string").to_owned();
    let all = ["error", "warning"].map(|severity| {
        let of = findings.iter().filter(|finding| finding["severity"] == severity);
        of.map(|finding| {
            let line = finding["line"].as_u64().expect("a number");
            (text(&finding["check"]), text(&finding["kind"]), line)
        })
        .collect()
    });
    (run, all)
}

/// Tests: `mistakes-are-found`.
#[test]
fn every_mistake_is_found_at_its_line_and_nothing_else() {
    let mut wrong = Vec::new();
    let cases = cases("found");
    assert!(cases.len() >= 60, "{} cases", cases.len());
    let none = [BTreeSet::new(), BTreeSet::new()];
    for (name, case) in &cases {
        for chip in case.chips {
            for (file, expected) in [("buggy.ptx", &case.expected), ("fixed.ptx", &none)] {
                let (run, found) = found(case, file, chip);
                if found != *expected {
                    wrong.push(format!(
                        "{name}/{file} on {chip}\n  expected {expected:?}\n  found    {found:?}"
                    ));
                }
                let errors = !found[0].is_empty();
                let code_fits = match run.code {
                    Some(0) => !errors,
                    Some(1 | 3 | 4) => file == "buggy.ptx",
                    _ => false,
                };
                if !code_fits {
                    wrong.push(format!("{name}/{file} on {chip}: exit code {:?}\n{}", run.code, run.stderr));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {} cases\n{}", wrong.len(), cases.len(), wrong.join("\n"));
}

/// Whether a mistake changes the results depends on the machine, the findings do not: some kernels
/// with a race compute the expected results on the timed machine only, and some on the functional
/// machine only. The corrected kernels compute them on both.
///
/// Tests: `mistakes-are-found`.
#[test]
fn corrected_kernels_are_right_on_the_timed_machine_too() {
    let (mut timed_only, mut functional_only) = (0, 0);
    for (name, case) in &cases("right") {
        let chip = case.chips.last().expect("a chip");
        let fixed = run(case, "fixed.ptx", chip, &[]);
        assert_eq!(fixed.code, Some(0), "{name}\n{}{}", fixed.stdout, fixed.stderr);
        let [timed, functional] = [&[][..], &["--functional"]].map(|options| {
            let buggy = run(case, "buggy.ptx", chip, options);
            assert!(matches!(buggy.code, Some(0 | 1 | 3 | 4)), "{name}\n{}", buggy.stderr);
            buggy.code == Some(0)
        });
        timed_only += u32::from(timed && !functional);
        functional_only += u32::from(functional && !timed);
    }
    assert!(timed_only > 0 && functional_only > 0, "{timed_only}, {functional_only}");
}

/// Built-in kernels with warnings about warp-synchronous code, which docs/CHECKERS.md explains.
const WARP_SYNCHRONOUS: [&str; 2] = ["reduce-last-warp", "dot-product-last-warp"];

/// Tests: `mistakes-are-found`.
#[test]
fn built_in_kernels_have_no_mistakes() {
    let mut wrong = Vec::new();
    for workload in kernels::all().iter().filter(|workload| !kernels::RACING.contains(&workload.name)) {
        let run = warpsim(&format!("run {} --check all", small(workload)));
        let warnings: Vec<&str> = run.stdout.lines().filter(|line| line.starts_with("warning[")).collect();
        let expected = WARP_SYNCHRONOUS.contains(&workload.name);
        let synchronous = run.stdout.contains("Ordered by the lockstep of warps, with volatile accesses");
        let right = warnings.is_empty() && synchronous == expected && run.code == Some(0);
        if !right {
            wrong.push(format!("{}: {:?}\n{}{}", workload.name, run.code, run.stdout, run.stderr));
        }
        let long = run.stdout.lines().find(|line| line.chars().count() > 100);
        assert_eq!(long, None, "{}", workload.name);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

#[test]
fn a_finding_is_drawn_on_its_line_with_a_remedy() {
    let case = case("drawn", "tile_index_runs_into_the_next_array");
    let arguments = ["run", "buggy.ptx", "--launch", "launch.ron", "--check", "memory,sync"];
    let output = command(&arguments).current_dir(&case.folder).output().expect("the program starts");
    let stdout = String::from_utf8(output.stdout).expect("UTF-8");
    let expected =
        "error[crossing]: line 30: read of 4 bytes in `weights`, but the address was computed from `values`
  --> buggy.ptx:30:1
   |
30 | ld.shared.f32 %y, [%mine+4]; //~ memory crossing
   | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ thread (63,0,0) of block (0,0,0), warp 1, reads
   |
   = note: 4 bytes at 0x100 of shared memory, byte 0 of `weights`
   = note: `values` has 256 bytes at 0x0 .. 0x100; the access begins at its end
   = help: compare the index with the number of elements before the access

MEMCHECK: 1 error
SYNCCHECK: 0 errors
";
    assert!(stdout.ends_with(expected), "{stdout}");
    assert!(String::from_utf8_lossy(&output.stderr).contains("error: the checkers found 1 error"));
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(warpsim("run vecadd --size 64 --check everything").code, Some(2));
}

/// The hazards that one barrier would order, also those within a warp, are one finding with the
/// place for the barrier.
///
/// Tests: `mistakes-are-found`.
#[test]
fn one_missing_barrier_is_one_finding() {
    let case = case("one", "matmul_tiles_without_the_second_barrier");
    for checks in ["race", "all"] {
        let run = run(&case, "buggy.ptx", "fermi", &["--check", checks]);
        let marked = |start: &str| run.stdout.lines().filter(|line| line.starts_with(start)).count();
        assert_eq!((marked("error["), marked("warning[")), (1, 0), "{}", run.stdout);
        for part in ["the cause is the same at lines ", "add a `bar.sync` before line ", "met "] {
            assert!(run.stdout.contains(part), "{part} is missing in\n{}", run.stdout);
        }
        assert!(run.stdout.lines().count() < 30, "{}", run.stdout);
    }
}
