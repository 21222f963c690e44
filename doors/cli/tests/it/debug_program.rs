//! The debugger on whole programs: host code and its launches.

use crate::common::{Run, warpsim, warpsim_with};

#[test]
fn host_code_is_stepped_into_a_launch_and_back() {
    let Run { code, stdout, stderr } = warpsim("debug both.cu --batch -x both.dbg");
    // The last access is wrong.
    assert_eq!(code, Some(139), "{stdout}{stderr}");
    insta::assert_snapshot!(format!("{stdout}{stderr}"));
}

/// Runs a script on a program of the examples.
fn scripted(name: &str, program: &str, script: &str) -> Run {
    let file = crate::common::scratch(name).join("commands.dbg");
    std::fs::write(&file, script).expect("the script is written");
    warpsim_with(&["debug", program, "--batch", "-x", file.to_str().expect("UTF-8")])
}

const VECADD: &str = "../../../../examples/programs/vecadd.cu";

#[test]
fn a_breakpoint_at_the_first_line_of_a_kernel_stops_there() {
    let Run { code, stdout, stderr } = scripted("first-line", VECADD, "break vecadd\ncontinue\nquit\n");
    assert_eq!((code, stderr.as_str()), (Some(0), ""), "{stdout}");
    let stopped = "[Launch 1: kernel vecadd, grid (79,1,1), block (256,1,1), chip fermi]\ncycle 532, ";
    assert!(stdout.contains(stopped), "{stdout}");
    assert!(stdout.contains("\n  9\t    int i = blockIdx.x"), "{stdout}");
}

#[test]
fn a_detached_program_runs_to_its_end() {
    for script in ["detach\n", "break 33\ncontinue\nstep\ndetach\n"] {
        let Run { code, stdout, stderr } = scripted("detached", VECADD, script);
        assert_eq!((code, stderr.as_str()), (Some(0), ""), "{stdout}");
        let end = "20000 elements, 0 wrong\nPASSED\n[The program has ended with exit code 0]\n";
        assert!(stdout.ends_with(end), "{stdout}");
    }
}

/// Each step back reaches the line that the step forward has left.
#[test]
fn steps_back_are_those_forward_in_the_other_order() {
    const STEPS: usize = 40;
    let lines = ["step\n".repeat(STEPS), "reverse-step\n".repeat(STEPS)].concat();
    let Run { code, stdout, stderr } =
        scripted("steps-back", "../../../../examples/programs/product.cu", &lines);
    assert_eq!((code, stderr.as_str()), (Some(0), ""), "{stdout}");
    let places: Vec<&str> = stdout.lines().filter(|line| line.starts_with("  ")).collect();
    let (forward, back) = places.split_at(STEPS + 1);
    assert_eq!(back, forward[..STEPS].iter().rev().copied().collect::<Vec<_>>(), "{stdout}");
}

#[test]
fn the_exit_code_and_the_output_are_those_of_the_program() {
    let plain = warpsim("run ../../../../examples/programs/vecadd.cu");
    let scratch = crate::common::scratch("debugged-output");
    let script = scratch.join("back.dbg");
    // Output that was printed once is not printed again.
    std::fs::write(&script, "break 52\ncontinue\nreverse-step 4\nreverse-continue\ndelete\ncontinue\n")
        .expect("the script is written");
    let script = script.to_str().expect("UTF-8");
    let debugged =
        warpsim_with(&["debug", "../../../../examples/programs/vecadd.cu", "--batch", "-x", script]);
    assert_eq!(debugged.code, Some(0), "{debugged:?}");
    assert_eq!(debugged.stdout.matches(&plain.stdout).count(), 1, "{debugged:?}");
    assert_eq!(debugged.stdout.matches("PASSED").count(), 1, "{debugged:?}");
}

#[test]
fn wrong_commands_say_what_is_wrong() {
    let failed = |script: &str| {
        let Run { code, stderr, .. } = scripted("wrong-host-command", "both.cu", script);
        assert_eq!(code, Some(2), "{stderr}");
        stderr
    };
    assert!(failed("cycle\n").contains("`cycle` is about the warps of a launch"));
    assert!(failed("print paar\nnext\n").contains("this line of host code sees no variable `paar`"));
    for line in [6, 8] {
        let message = format!("line {line} has no code; the next line of host code is 22");
        assert!(failed(&format!("break {line}\n")).contains(&message));
    }
    assert!(failed("break other.cuh:3\n").contains("`other.cuh` is not the file of `main`"));
    assert!(failed("next 4\nprint host[9]\n").contains("is behind the end of"));
}

#[test]
fn a_watchpoint_on_host_code_names_both_values_and_the_line() {
    // A variable of the program, an element that a copy from the device changes, and both ways.
    let script = "watch total\nwatch host[1]\nbreak 49\ncontinue\ninfo breakpoints\ndelete 1\ncontinue\n\
                  continue\ncontinue\nreverse-continue\ninfo breakpoints\nquit\n";
    let script = format!("next 5\n{script}");
    let Run { code, stdout, stderr } = scripted("watch-host", "both.cu", &script);
    assert_eq!((code, stderr.as_str()), (Some(0), ""), "{stdout}");
    for part in [
        "1: watchpoint on total\n",
        "2: watchpoint on host[1] of main\n",
        "total has changed in line 43: old value 7, new value 31\nhost, in main\n  46\t",
        "1: watchpoint on total; reached 1 time\n",
        "host[1] has changed in line 49: old value 5, new value 10\nhost, in main\n  50\t",
        // The way back is not counted.
        "2: watchpoint on host[1] of main; reached 1 time\n",
    ] {
        assert!(stdout.contains(part), "{part}: {stdout}");
    }
}

#[test]
fn a_watchpoint_ends_with_the_function_of_its_variable() {
    // The calls inside have variables of the same name.
    let script =
        "break factorial\ncontinue\ndelete\nwatch rest\ncontinue\ncontinue\ncontinue\ninfo breakpoints\n";
    let Run { code, stdout, stderr } = scripted("watch-ends", "both.cu", script);
    assert_eq!((code, stderr.as_str()), (Some(0), ""), "{stdout}");
    for part in [
        // Before its line the variable has any value.
        "rest has changed in line 22: old value ",
        ", new value 1\nhost, in factorial\n  23\t",
        "rest has changed in line 24: old value 1, new value 6\nhost, in factorial\n  25\t",
        "The watchpoint on rest is removed: `factorial` has returned.\nhost, in main\n",
        "No breakpoints or watchpoints.\n",
    ] {
        assert!(stdout.contains(part), "{part}: {stdout}");
    }
}

#[test]
fn wrong_watchpoints_on_host_code_are_refused() {
    for (command, why) in [
        ("watch nonsense", "this line of host code sees no variable `nonsense`"),
        ("watch global 0x1000", "memory of the device is watched in a launch"),
    ] {
        let Run { code, stderr, .. } = scripted("watch-wrong", "both.cu", &format!("{command}\n"));
        assert!(code == Some(2) && stderr.contains(why), "{stderr}");
    }
}

#[test]
fn options_of_one_launch_are_refused_for_a_program() {
    let Run { code, stderr, .. } = warpsim_with(&["debug", VECADD, "--size=5"]);
    let message = format!("error: --size is not possible with {VECADD}, a program with host code");
    assert!(code == Some(2) && stderr.starts_with(&message), "{stderr}");
}

/// A launch, the copy of its result and its use on one line: the rest of the line is not executed
/// when a command inside the launch ends the program.
#[test]
fn a_program_that_ends_inside_a_launch_does_not_finish_its_line() {
    let source = "#include <cstdio>\n\
                  __global__ void k(int* p) { *p = 7; }\n\
                  int main() { int* d; int h; cudaMalloc(&d, 4);\n\
                  k<<<1, 1>>>(d); cudaMemcpy(&h, d, 4, cudaMemcpyDeviceToHost); printf(\"%d\\n\", h);\n\
                  cudaFree(d); }\n";
    let file = crate::common::scratch("ends-inside").join("line.cu");
    std::fs::write(&file, source).expect("the program is written");
    let program = file.to_str().expect("UTF-8");
    for (script, code) in [("quit", 0), ("kill", 130), ("step", 0)] {
        let Run { code: ended, stdout, stderr } =
            scripted("ends-inside-script", program, &format!("break k\ncontinue\n{script}\n"));
        assert_eq!((ended, stderr.as_str()), (Some(code), ""), "{script}: {stdout}");
        assert!(!stdout.contains("has ended") && !stdout.contains("\n7\n"), "{script}: {stdout}");
    }
}

#[test]
fn a_failed_command_of_the_command_line_is_seen_in_the_exit_code() {
    let failing = ["debug", VECADD, "--batch", "-ex", "frobnicate", "-ex", "detach"];
    let Run { code, stdout, stderr } = warpsim_with(&failing);
    assert_eq!(code, Some(2), "{stdout}{stderr}");
    assert!(stdout.ends_with("PASSED\n[The program has ended with exit code 0]\n"), "{stdout}");
}
