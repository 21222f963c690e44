//! `warpsim debug`: recorded sessions of scripts, and messages about wrong commands.

use crate::common::{Run, command, scratch, warpsim};
use std::fs;
use std::io::Write;
use std::process::Stdio;

/// The output of a script with the interleaved reduction of 4,096 elements.
fn session(script: &str) -> String {
    let line = format!("debug reduce-interleaved --chip g80 --size 4096 --batch -x debug/{script}.dbg");
    let Run { code, stdout, stderr } = warpsim(&line);
    assert_eq!((code, stderr.as_str()), (Some(0), ""), "{script}");
    stdout
}

#[test]
fn a_divergent_branch_forward_and_back() {
    insta::assert_snapshot!(session("divergence"));
}

#[test]
fn the_writer_of_a_register_is_found() {
    insta::assert_snapshot!(session("registers"));
}

#[test]
fn the_writer_of_a_word_of_shared_memory_is_found() {
    insta::assert_snapshot!(session("shared"));
}

#[test]
fn a_long_stall_is_found() {
    insta::assert_snapshot!(session("latency"));
}

#[test]
fn a_breakpoint_can_have_a_condition() {
    insta::assert_snapshot!(session("condition"));
}

/// The answers of a session to each of its commands, in order.
fn answers(output: &str) -> Vec<(&str, &str)> {
    let output = output.split("[End of the commands").next().unwrap_or("");
    let parts = output.split("(warpsim) ").skip(1);
    parts.map(|part| part.split_once('\n').unwrap_or((part, ""))).collect()
}

/// The output of a lesson. The script goes back at its end: the last answers to the commands `same`
/// must equal their first answers.
fn lesson(script: &str, arguments: &str, same: &[&str]) -> String {
    let line = format!("debug {arguments} --chip g80 --batch -x debug/lessons/{script}.dbg");
    let Run { code, stdout, stderr } = warpsim(&line);
    assert_eq!((code, stderr.as_str()), (Some(0), ""), "{script}: {stdout}");
    let all = answers(&stdout);
    for command in same {
        let of_command = || all.iter().filter(|(one, _)| one == command);
        let (first, last) = (of_command().next(), of_command().next_back());
        assert!(of_command().count() > 1 && first == last, "{script}: {command} differs: {stdout}");
    }
    stdout
}

#[test]
fn lesson_divergence_and_reconvergence() {
    let reduction = "reduce-interleaved --size 1024";
    insta::assert_snapshot!(lesson("divergence", reduction, &["where", "info stack"]));
}

#[test]
fn lesson_bank_conflict() {
    let columns = "debug/lessons/lessons.ptx --launch debug/lessons/columns.ron";
    insta::assert_snapshot!(lesson("bank-conflict", columns, &["where", "info timeline"]));
}

#[test]
fn lesson_uncoalesced_access() {
    insta::assert_snapshot!(lesson("uncoalesced", "matmul-naive --size 32", &["where", "info access"]));
}

#[test]
fn lesson_barrier() {
    let reduction = "reduce-interleaved --size 1024";
    insta::assert_snapshot!(lesson("barrier", reduction, &["where", "info barrier"]));
}

#[test]
fn lesson_race() {
    let neighbors = "debug/lessons/lessons.ptx --launch debug/lessons/neighbors.ron";
    let same = ["where", "x/2dw shared 124"];
    insta::assert_snapshot!(lesson("race", neighbors, &same));
    // The functional machine executes the warps in another order.
    let functional = format!("{neighbors} --functional");
    insta::assert_snapshot!("lesson_race_functional", lesson("race", &functional, &same));
}

#[test]
fn lesson_latency_hiding() {
    insta::assert_snapshot!(lesson(
        "latency",
        "reduce-interleaved --size 1024",
        &["where", "info scoreboard", "info timeline"]
    ));
}

#[test]
fn lesson_functional_machine() {
    let reduction = "reduce-interleaved --size 1024 --functional";
    insta::assert_snapshot!(lesson("functional", reduction, &[]));
}

/// The output of a script with a kernel of `endings.ptx`.
fn ending(entry: &str, script: &str, machine: &str) -> String {
    let folder = scratch(&format!("debug-{entry}{machine}"));
    let launch = folder.join("launch.ron");
    let text = format!(
        "(entry: \"{entry}\", grid: 2, block: 64, params: [buf(\"out\")], \
         buffers: {{\"out\": (type: u32, len: 64)}})"
    );
    fs::write(&launch, text).expect("the folder can be written");
    let launch = launch.to_str().expect("UTF-8");
    let line = format!("endings.ptx --launch {launch} --max-cycles 50000 {machine}");
    lesson(script, &line, &[])
}

#[test]
fn a_trap_can_be_inspected() {
    insta::assert_snapshot!(ending("out_of_bounds", "trap", ""));
    insta::assert_snapshot!("functional_trap", ending("out_of_bounds", "trap", "--functional"));
}

#[test]
fn a_hang_can_be_inspected() {
    insta::assert_snapshot!(ending("hang", "hang", ""));
    insta::assert_snapshot!("functional_hang", ending("hang", "hang", "--functional"));
}

#[test]
fn a_launch_that_runs_to_a_trap_has_its_exit_code() {
    let folder = scratch("debug-trap");
    let (launch, script) = (folder.join("launch.ron"), folder.join("script.dbg"));
    fs::write(
        &launch,
        "(entry: \"misaligned\", grid: 1, block: 32, params: [buf(\"out\")], buffers: {\"out\": (type: u32, len: 64)})",
    )
    .expect("the folder can be written");
    fs::write(&script, "continue\ncontinue\n").expect("the folder can be written");
    let [launch, script] = [&launch, &script].map(|path| path.to_str().expect("UTF-8"));
    for machine in ["", " --functional"] {
        let run =
            warpsim(&format!("debug endings.ptx --chip g80 --launch {launch} --batch -x {script}{machine}"));
        assert_eq!(run.code, Some(3), "{}", run.stdout);
        assert!(run.stderr.contains("misaligned"), "{}", run.stderr);
    }
}

#[test]
fn a_launch_that_is_killed_has_the_exit_code_of_an_interruption() {
    let folder = scratch("debug-kill");
    let script = folder.join("script.dbg");
    fs::write(&script, "step\nkill\n").expect("the folder can be written");
    for machine in ["", " --functional"] {
        let run =
            warpsim(&format!("debug vecadd --chip g80 --size 64 --batch -x {}{machine}", script.display()));
        assert_eq!(run.code, Some(130), "{}", run.stderr);
    }
    let page = include_str!("../../../../docs/DEBUGGING.md");
    assert!(page.contains("| 130 | `kill` ended a launch"), "the page has the code");
}

#[test]
fn the_functional_machine_has_no_time() {
    for command in
        ["cycle", "reverse-cycle", "info queue", "info timeline", "info scoreboard", "break stall 9"]
    {
        let words: Vec<&str> = command.split(' ').collect();
        let name = if words[0] == "info" || words[0] == "break" {
            words[..2].join(" ")
        } else {
            words[0].to_owned()
        };
        let found = complaint_of(command, "--functional");
        let expected =
            format!("script.dbg:1: `{name}` requires time, which the functional machine does not have");
        assert!(found.contains(&expected), "{command}: {found}");
    }
}

/// Runs a script that has a wrong command and returns the message.
fn complaint(script: &str) -> String {
    complaint_of(script, "")
}

fn complaint_of(script: &str, machine: &str) -> String {
    let folder = scratch(&format!("debug{machine}"));
    let path = folder.join("script.dbg");
    fs::write(&path, script).expect("the folder can be written");
    let path = path.to_str().expect("UTF-8");
    let Run { code, stderr, .. } =
        warpsim(&format!("debug vecadd --chip g80 --size 512 {machine} --batch -x {path}"));
    assert_eq!(code, Some(2), "{script}: {stderr}");
    stderr
}

#[test]
fn a_wrong_command_is_rejected_with_the_nearest_one() {
    for (script, expected) in [
        ("brek 40", "unknown command `brek`; did you mean `break`?"),
        ("info wraps", "unknown subject `wraps`; did you mean `warps`?"),
        ("break 1", "line 1 has no instruction; the next line with an instruction is"),
        ("break divergense", "unknown breakpoint `divergense`; did you mean `divergence`?"),
        ("print %nosuch", "no instruction of this kernel writes a register `%nosuch`;"),
        ("break 32 if %r1 = 5", "`=` assigns a value, which the debugger cannot do; `==` compares"),
        ("x/4w global 0x10", "global 0x10 is outside of all allocations;"),
        ("x/4y global 0x1000", "unknown format letter `y`;"),
        ("x/4w shared 0", "shared 0x0 to 0xf is outside of the 0 bytes of the block"),
        ("cuda sm 99", "SM 99 does not exist; the chip has 16 SMs"),
        ("cuda block (900,0,0)", "block (900,0,0) is outside of the grid (2,1,1)"),
        ("cuda lane 32", "lane 32 does not exist;"),
        ("step x", "step requires a number, found `x`"),
        ("step 1 2", "step does not accept `2`"),
        ("delete 3", "there is no breakpoint 3"),
        ("contniue", "unknown command `contniue`; did you mean `continue`?"),
        ("info scorebord", "unknown subject `scorebord`; did you mean `scoreboard`?"),
        ("break uncoalescd", "unknown breakpoint `uncoalescd`; did you mean `uncoalesced`?"),
        ("break access", "break requires a number of transactions"),
        ("break exit thread (999,0,0)", "thread (999,0,0) is outside of the block (256,1,1)"),
        ("break exit if %nosuch == 5", "no instruction of this kernel writes a register `%nosuch`;"),
        ("break exit if", "break requires an expression behind `if`"),
        ("watch global 0x7fffffff", "global 0x7fffffff is outside of all allocations;"),
        ("x/0w global 0x1000", "x requires at least one unit"),
        ("x/4294967295b shared 0xffffffff", "shared 0xffffffff to 0x1fffffffd is outside of the 0 bytes"),
        ("watch", "watch requires a register,"),
        ("goto", "goto requires a shader cycle"),
    ] {
        let found = complaint(script);
        assert!(found.contains(&format!("script.dbg:1: {expected}")), "{script}: {found}");
    }
}

#[test]
fn commands_come_from_standard_input() {
    let mut child = command(&["debug", "vecadd", "--chip", "g80", "--size", "512", "--batch"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("starts");
    child.stdin.take().expect("piped").write_all(b"step\ninfo line\ncontinue\n").expect("is read");
    let output = child.wait_with_output().expect("ends");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    assert_eq!(output.status.code(), Some(0), "{text}");
    assert!(text.contains("(warpsim) info line\n") && text.contains("has ended at shader cycle"), "{text}");
    assert!(text.contains("all 512 elements equal"), "the host program checks the result: {text}");
}

#[test]
fn the_output_does_not_depend_on_host_threads() {
    let line = "debug reduce-interleaved --chip g80 --size 4096 --batch -x debug/divergence.dbg";
    assert_eq!(warpsim(line).stdout, warpsim(&format!("{line} --threads 2")).stdout);
}

#[test]
fn a_script_that_ends_in_the_middle_ends_the_program() {
    let folder = scratch("debug-end");
    let path = folder.join("script.dbg");
    fs::write(&path, "step 2").expect("the folder can be written");
    let run = warpsim(&format!("debug vecadd --chip g80 --batch -x {}", path.to_str().expect("UTF-8")));
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
}

/// A session on the example `saxpy`.
fn saxpy(script: &str) -> Run {
    let folder = "../../../../examples/saxpy";
    warpsim(&format!(
        "debug {folder}/saxpy.ptx --launch {folder}/saxpy.ron --chip fermi --batch -x {script} --allow-path {folder}"
    ))
}

#[test]
fn a_register_has_its_last_value_and_steps_return() {
    let Run { code, stdout, stderr } = saxpy("debug/last.dbg");
    assert_eq!(code, Some(0), "{stderr}");
    let all = answers(&stdout);
    let of = |command: &str| all.iter().find(|(one, _)| *one == command).expect("a command").1;
    assert!(of("print/d %r1").contains("last value, written by line 35"), "{stdout}");
    assert!(of("print %f4").contains("0.3637924"), "a float: {stdout}");
    let position = |text: &str| text.lines().next().unwrap_or("").to_owned();
    assert_eq!(position(of("continue")), position(of("reverse-step 3")), "{stdout}");
    assert_eq!(position(of("continue")), position(of("reverse-step 2")), "{stdout}");
    insta::assert_snapshot!(stdout);
}

#[test]
fn a_register_that_the_optimizer_has_removed_names_its_line() {
    let folder = scratch("debug-removed");
    let path = folder.join("script.dbg");
    fs::write(&path, "print %r2").expect("the folder can be written");
    let Run { code, stderr, .. } = saxpy(path.to_str().expect("UTF-8"));
    assert_eq!(code, Some(2));
    assert!(stderr.contains("the optimizer removed `%r2`, which line 28 writes"), "{stderr}");
}

/// The latest hit is found back over many that do not satisfy the condition.
#[test]
fn a_condition_that_never_holds_leads_back_to_the_start() {
    let folder = scratch("debug-never");
    let path = folder.join("script.dbg");
    let script = "goto 4000\nbreak 78 if %value == 123.5\nreverse-continue\ncontinue";
    fs::write(&path, script).expect("the folder can be written");
    let path = path.to_str().expect("UTF-8");
    let Run { code, stdout, stderr } =
        warpsim(&format!("debug reduce-interleaved --chip g80 --size 1024 --batch -x {path}"));
    assert_eq!(code, Some(0), "{stderr}");
    assert!(stdout.contains("This is the start of the launch."), "{stdout}");
    assert!(stdout.contains("[Launch 1 has ended at shader cycle"), "{stdout}");
}
