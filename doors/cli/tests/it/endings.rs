//! Tests of every way in which a kernel can end, with exit code and messages, on both machines.

use crate::common::{Run, scratch, warpsim_with};

/// Runs a kernel of `endings.ptx` in two blocks of 64 threads.
fn run(entry: &str, machine: &[&str]) -> Run {
    run_in_blocks(entry, "64", machine)
}

fn run_in_blocks(entry: &str, block: &str, machine: &[&str]) -> Run {
    let folder = scratch(&format!("endings-{entry}-{}-{}", block.len(), machine.len()));
    let launch = folder.join("launch.ron");
    let text = format!(
        "(entry: \"{entry}\", grid: 2, block: {block}, params: [buf(\"out\")], \
         buffers: {{\"out\": (type: u32, len: 64)}}, expect: [(buf: \"out\", formula: \"0\")])"
    );
    std::fs::write(&launch, text).expect("written");
    let launch = launch.to_str().expect("UTF-8");
    let mut arguments =
        vec!["run", "endings.ptx", "--chip", "g80", "--launch", launch, "--max-cycles", "50000"];
    arguments.extend(machine);
    warpsim_with(&arguments)
}

fn on_both(entry: &str, code: i32, parts: &[&str]) {
    for machine in [&[][..], &["--functional"]] {
        let Run { code: got, stdout, stderr } = run(entry, machine);
        assert_eq!(got, Some(code), "{entry} {machine:?}: {stderr}");
        for part in parts {
            assert!(stderr.contains(part), "{entry} {machine:?}: {part} is missing in\n{stderr}");
        }
        assert!(stdout.contains("UNCHECKED: the kernel did not finish"), "{stdout}");
        assert!(stdout.starts_with("ended      "), "the answer is how the kernel ended: {stdout}");
        assert!(stdout.contains("\nkernel     "), "an unfinished kernel has a report too: {stdout}");
    }
}

#[test]
fn a_write_out_of_bounds_is_a_trap_with_its_place() {
    on_both(
        "out_of_bounds",
        3,
        &[
            "out of bounds",
            "`out`",
            "--> endings.ptx:18",
            "18 | st.global.u32 [%out], %t;",
            "block (1,0,0), thread (33,0,0), warp 1",
        ],
    );
    assert!(run("out_of_bounds", &[]).stderr.contains("in cycle "));
}

#[test]
fn a_misaligned_write_and_the_trap_instruction_are_traps() {
    on_both(
        "misaligned",
        3,
        &["misaligned", "26 | st.global.u32 [%out+2], %out;", "faulting lanes: 0xffffffff"],
    );
    on_both("trap_instruction", 3, &["executed a trap instruction"]);
}

#[test]
fn a_divergent_barrier_is_a_trap() {
    let parts = [
        "bar.sync 0 reached by lanes 0x0000ffff",
        "live lanes of the warp are 0xffffffff",
        "--barriers hardware",
    ];
    on_both("divergent_barrier", 3, &parts);
    insta::assert_snapshot!("divergent_barrier", run("divergent_barrier", &[]).stderr);
}

#[test]
fn hardware_barriers_count_warps() {
    for machine in [&["--barriers", "hardware"][..], &["--functional", "--barriers", "hardware"]] {
        let Run { code, stdout, stderr } = run("divergent_barrier", machine);
        assert_eq!(code, Some(0), "{stderr}");
        assert!(stdout.contains("--barriers hardware"), "{stdout}");
    }
}

/// Tests: `every-run-has-a-verdict`.
#[test]
fn warps_at_different_barriers_hang_and_are_listed() {
    on_both(
        "hang",
        4,
        &[
            "kernel `hang`",
            "hangs: a barrier can never complete",
            "block (0,0,0), barrier 0: reached by warp 1",
            "missing: warp 0 (at barrier 1",
            "waits at barrier 1",
            "help: give all warps of the block the same barriers",
        ],
    );
    insta::assert_snapshot!("hang", run("hang", &[]).stderr);
}

/// Tests: `every-run-has-a-verdict`.
#[test]
fn an_endless_loop_ends_at_the_limit() {
    on_both("counts", 4, &["stopped at the limit of 50,000", "runs in the loop of lines", "--max-cycles"]);
    insta::assert_snapshot!("counts", run("counts", &[]).stderr);
    on_both("endless", 4, &["stopped at the limit of 50,000", ": a loop never ends", "repeats line"]);
}

#[test]
fn lanes_that_wait_for_a_diverged_sibling_are_reported() {
    // The functional machine reports this only for the last block: another block could set the
    // flag.
    assert_eq!(run("spin", &["--functional"]).code, Some(4));
    let Run { code, stderr, .. } = run("spin", &[]);
    assert_eq!(code, Some(4));
    insta::assert_snapshot!("spin", stderr);
}

#[test]
fn a_launch_beyond_a_limit_has_the_exit_code_of_a_trap() {
    for machine in [&[][..], &["--functional"]] {
        let Run { code, stdout, stderr } = run_in_blocks("misaligned", "(32, 32)", machine);
        assert_eq!(code, Some(3), "{stderr}");
        assert!(stderr.contains("threads per block") && stderr.contains("512"), "{stderr}");
        assert_eq!(stdout, "");
    }
}
