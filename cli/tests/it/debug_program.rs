//! The debugger on whole programs: host code and its launches.

use crate::common::{Run, warpsim, warpsim_with};

#[test]
fn host_code_is_stepped_into_a_launch_and_back() {
    let Run { code, stdout, stderr } = warpsim("debug both.cu --batch -x both.dbg");
    // The last access is wrong.
    assert_eq!(code, Some(139), "{stdout}{stderr}");
    insta::assert_snapshot!(format!("{stdout}{stderr}"));
}

/// Each step back reaches the line that the step forward has left.
#[test]
fn steps_back_are_those_forward_in_the_other_order() {
    const STEPS: usize = 40;
    let scratch = crate::common::scratch("steps-back");
    let script = scratch.join("steps.dbg");
    let lines = ["step\n".repeat(STEPS), "reverse-step\n".repeat(STEPS)].concat();
    std::fs::write(&script, lines).expect("the script is written");
    let script = script.to_str().expect("UTF-8");
    let Run { code, stdout, stderr } =
        warpsim_with(&["debug", "../../../examples/programs/product.cu", "--batch", "-x", script]);
    assert_eq!((code, stderr.as_str()), (Some(0), ""), "{stdout}");
    let places: Vec<&str> = stdout.lines().filter(|line| line.starts_with("  ")).collect();
    let (forward, back) = places.split_at(STEPS + 1);
    assert_eq!(back, forward[..STEPS].iter().rev().copied().collect::<Vec<_>>(), "{stdout}");
}

#[test]
fn the_exit_code_and_the_output_are_those_of_the_program() {
    let plain = warpsim("run ../../../examples/programs/vecadd.cu");
    let scratch = crate::common::scratch("debugged-output");
    let script = scratch.join("back.dbg");
    // Output that was printed once is not printed again.
    std::fs::write(&script, "break 52\ncontinue\nreverse-step 4\nreverse-continue\ndelete\ncontinue\n")
        .expect("the script is written");
    let script = script.to_str().expect("UTF-8");
    let debugged = warpsim_with(&["debug", "../../../examples/programs/vecadd.cu", "--batch", "-x", script]);
    assert_eq!(debugged.code, Some(0), "{debugged:?}");
    assert_eq!(debugged.stdout.matches(&plain.stdout).count(), 1, "{debugged:?}");
    assert_eq!(debugged.stdout.matches("PASSED").count(), 1, "{debugged:?}");
}

#[test]
fn wrong_commands_say_what_is_wrong() {
    let failed = |script: &str| {
        let scratch = crate::common::scratch("wrong-host-command");
        let file = scratch.join("wrong.dbg");
        std::fs::write(&file, script).expect("the script is written");
        let Run { code, stderr, .. } =
            warpsim_with(&["debug", "both.cu", "--batch", "-x", file.to_str().expect("UTF-8")]);
        assert_eq!(code, Some(2), "{stderr}");
        stderr
    };
    assert!(failed("cycle\n").contains("`cycle` is about the warps of a launch"));
    assert!(failed("print paar\nnext\n").contains("this line of host code sees no variable `paar`"));
    assert!(failed("break 6\n").contains("line 6 has no code; the next line of host code is"));
    assert!(failed("next 4\nprint host[9]\n").contains("is behind the end of"));
}
