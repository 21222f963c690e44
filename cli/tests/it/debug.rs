//! `warpsim debug`: recorded sessions of scripts, and messages about wrong commands.

use crate::common::{Run, command, scratch, warpsim};
use std::fs;
use std::io::Write;
use std::process::Stdio;

/// The output of a script with the interleaved reduction of 4,096 elements.
fn session(script: &str) -> String {
    let line = format!("debug reduce-interleaved --size 4096 --batch -x debug/{script}.dbg");
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

/// Runs a script that has a wrong command and returns the message.
fn complaint(script: &str) -> String {
    let folder = scratch("debug");
    let path = folder.join("script.dbg");
    fs::write(&path, script).expect("the folder can be written");
    let path = path.to_str().expect("UTF-8");
    let Run { code, stderr, .. } = warpsim(&format!("debug vecadd --size 512 --batch -x {path}"));
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
        ("break 32 if %r1 = 5", "unknown comparison `=`; expected one of"),
        ("x/4w global 0x10", "global 0x10 is outside of all allocations;"),
        ("x/4y global 0x1000", "unknown format letter `y`;"),
        ("x/4w shared 0", "shared 0x0 to 0xf is outside of the 0 bytes of the block"),
        ("cuda sm 99", "SM 99 does not exist; the chip has 16 SMs"),
        ("cuda block (900,0,0)", "block (900,0,0) is outside of the grid (2,1,1)"),
        ("cuda lane 32", "lane 32 does not exist;"),
        ("step x", "step requires a number, found `x`"),
        ("step 1 2", "step does not accept `2`"),
        ("delete 3", "there is no breakpoint 3"),
        ("watch", "watch requires a register,"),
        ("goto", "goto requires a shader cycle"),
    ] {
        let found = complaint(script);
        assert!(found.contains(&format!("script.dbg:1: {expected}")), "{script}: {found}");
    }
}

#[test]
fn commands_come_from_standard_input() {
    let mut child = command(&["debug", "vecadd", "--size", "512", "--batch"])
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
    let line = "debug reduce-interleaved --size 4096 --batch -x debug/divergence.dbg";
    assert_eq!(warpsim(line).stdout, warpsim(&format!("{line} --threads 2")).stdout);
}

#[test]
fn a_script_that_ends_in_the_middle_ends_the_program() {
    let folder = scratch("debug-end");
    let path = folder.join("script.dbg");
    fs::write(&path, "step 2").expect("the folder can be written");
    let run = warpsim(&format!("debug vecadd --batch -x {}", path.to_str().expect("UTF-8")));
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
}
