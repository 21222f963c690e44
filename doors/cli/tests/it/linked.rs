//! Several PTX files as one program: results, places in reports, and errors by file and line.

use crate::common::{Run, scratch, warpsim, warpsim_with};
use std::fs;

const MAIN: &str = "linked/main.ptx";
const LIB: &str = "linked/lib.ptx";
const LAUNCH: &str = "--launch linked/launch.ron --chip fermi";

/// Runs the program, which must succeed without a message.
fn fine(line: &str) -> String {
    let Run { code, stdout, stderr } = warpsim(line);
    assert_eq!((code, stderr.as_str()), (Some(0), ""), "{line}: {stdout}");
    stdout
}

/// Runs the program, which must reject its input.
fn rejected(line: &str) -> String {
    let Run { code, stderr, .. } = warpsim(line);
    assert_eq!(code, Some(2), "{line}: {stderr}");
    stderr
}

#[test]
fn the_order_of_the_files_and_the_machine_do_not_change_the_result() {
    for options in ["", " --functional", " -O0", " --check all", " --schedule true"] {
        fine(&format!("run {MAIN} {LIB} {LAUNCH}{options}"));
        fine(&format!("run {LIB} {MAIN} {LAUNCH}{options}"));
    }
}

#[test]
fn a_launch_file_names_its_files() {
    let given = fine(&format!("run {MAIN} {LIB} --json - {LAUNCH}"));
    let runs = |text: &str| {
        let document: serde_json::Value = serde_json::from_str(text).expect("JSON");
        document["runs"].clone()
    };
    for line in ["linked/all.ron", "linked/main.ptx --launch linked/all.ron"] {
        let named = fine(&format!("run {line} --json - --chip fermi"));
        assert_eq!(runs(&named), runs(&given), "{line}");
    }
    let message = rejected("run linked/launch.ron");
    assert!(message.contains("names no PTX file"), "{message}");
}

#[test]
fn reports_name_the_file_of_each_line() {
    let text = fine(&format!("run {MAIN} {LIB} --details {LAUNCH}"));
    assert!(text.contains("linked/lib.ptx:9") && text.contains("linked/main.ptx:20"), "{text}");
    let json = fine(&format!("run {MAIN} {LIB} --json - {LAUNCH}"));
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    let launch = &json["runs"][0]["launch"];
    assert_eq!(launch["file"], "linked/main.ptx, linked/lib.ptx");
    let files = serde_json::json!([
        { "name": "linked/main.ptx", "first_line": 1 },
        { "name": "linked/lib.ptx", "first_line": 23 },
    ]);
    assert_eq!(launch["files"], files);
    let trace = fine(&format!("trace {MAIN} {LIB} {LAUNCH}"));
    assert!(trace.contains("linked/lib.ptx:10"), "{trace}");
    let listing = fine(&format!("disasm {MAIN} {LIB}"));
    assert!(listing.contains("; linked/lib.ptx:10  add.u32 %a, %a, %o;"), "{listing}");
    let alone: serde_json::Value =
        serde_json::from_str(&fine("run vecadd --size 64 --json -")).expect("JSON");
    assert_eq!(alone["runs"][0]["launch"].get("files"), None, "one file has no list");
}

#[test]
fn a_trap_is_at_its_line_of_its_file() {
    let Run { code, stderr, .. } = warpsim(&format!("run {MAIN} linked/trap.ptx {LAUNCH}"));
    assert_eq!(code, Some(3), "{stderr}");
    assert!(stderr.contains("--> linked/trap.ptx:9\n"), "{stderr}");
    assert!(stderr.contains("9 | st.global.u32 [0], %a;"), "{stderr}");
}

#[test]
fn names_without_a_definition_are_reported_at_their_place() {
    let message = rejected(&format!("run {MAIN} {LAUNCH}"));
    for part in [
        "error[E0315]: `offset` is not defined in the given files\n --> linked/main.ptx:6:1",
        "error[E0312]: `shifted` has no body in the given files\n  --> linked/main.ptx:13:18",
    ] {
        assert!(message.contains(part), "{part} in\n{message}");
    }
    let folder = scratch("linked-errors");
    let other = folder.join("other.ptx");
    let other_name = other.to_str().expect("UTF-8");
    let run = |text: &str| {
        fs::write(&other, text).expect("written");
        let arguments = ["check", "--link", MAIN, LIB, other_name];
        let Run { code, stderr, .. } = warpsim_with(&arguments);
        assert_eq!(code, Some(2), "{stderr}");
        stderr
    };
    for (text, code, line) in [
        (".version 2.1\n.target sm_20\n\n.visible .global .u32 offset;\n", "E0316", 4),
        (".version 2.1\n.target sm_20\n.extern .global .u64 offset;\n", "E0313", 3),
        (".version 2.1\n.target sm_20\n\n\n.extern .func shifted ();\n", "E0313", 5),
        (".version 2.0\n.target sm_21\n", "E0317", 2),
        (".version 2.3\n.target sm_20\n.address_size 64\n", "E0317", 3),
        ("", "E0115", 1),
    ] {
        let message = run(text);
        assert!(message.contains(&format!("error[{code}]")), "{code} in\n{message}");
        assert!(message.contains(&format!("--> {other_name}:{line}:")), "{line} in\n{message}");
    }
}

#[test]
fn files_are_given_once_and_are_files() {
    let message = rejected(&format!("run {MAIN} {MAIN} {LAUNCH}"));
    assert!(message.contains("linked/main.ptx is given twice"), "{message}");
    let message = rejected(&format!("run {MAIN} vecadd {LAUNCH}"));
    assert!(message.contains("`vecadd` cannot be linked with files"), "{message}");
    let message = rejected(&format!("run {MAIN} nothing {LAUNCH}"));
    assert!(message.contains("unknown kernel `nothing`"), "{message}");
}

#[test]
fn check_links_on_request() {
    let text = fine(&format!("check --link {MAIN} {LIB}"));
    assert!(text.starts_with("linked/main.ptx, linked/lib.ptx: fine, 1 kernel"), "{text}");
    let Run { code, stdout, stderr } = warpsim(&format!("check {MAIN} {LIB}"));
    assert_eq!(code, Some(2), "{stderr}");
    assert!(
        stdout.contains("linked/main.ptx: 2 errors") && stdout.contains("linked/lib.ptx: fine"),
        "{stdout}"
    );
    let Run { stdout, .. } = warpsim(&format!("check --link --format json {LIB} {MAIN} linked/trap.ptx"));
    let json: serde_json::Value = serde_json::from_str(&stdout).expect("JSON");
    let first = &json["files"][0]["diagnostics"][0];
    assert_eq!((&first["file"], &first["line"]), (&"linked/trap.ptx".into(), &4.into()), "{first}");
}

#[test]
fn the_debugger_stops_at_a_line_of_a_file() {
    let script = scratch("linked-debug").join("script.dbg");
    fs::write(&script, "break linked/lib.ptx:10\ninfo breakpoints\ncontinue\nwhere\nlist lib.ptx:9\n")
        .expect("written");
    let script = script.to_str().expect("UTF-8");
    let text = fine(&format!("debug {MAIN} {LIB} {LAUNCH} --batch -x {script}"));
    assert!(text.contains("breakpoint at line linked/lib.ptx:10"), "{text}");
    assert!(text.contains("linked/lib.ptx:10\tadd.u32 %a, %a, %o"), "{text}");
    assert!(text.contains("linked/lib.ptx:9     ld.global.u32 %o, [offset];"), "{text}");
    let Run { code, stderr, .. } =
        warpsim(&format!("debug {MAIN} {LIB} {LAUNCH} --batch -x {script} --functional"));
    assert_eq!((code, stderr.as_str()), (Some(0), ""));
}

#[test]
fn the_skeleton_of_linked_files_runs() {
    let text = fine(&format!("init {MAIN} {LIB}"));
    assert!(text.contains("linked/main.ptx linked/lib.ptx --launch"), "{text}");
    let launch = scratch("linked-init").join("k.ron");
    fs::write(&launch, text).expect("written");
    let launch = launch.to_str().expect("UTF-8");
    fine(&format!("run {MAIN} {LIB} --launch {launch} --chip fermi"));
}
