//! Small cases of errors that the property tests have found.

use sim_core::host::{Mode, RunOptions};
use sim_core::stats::WarpState;
use warpsim_check::generate::Case;
use warpsim_check::generate::chip::ChipSpec;
use warpsim_check::generate::frame::Extents;
use warpsim_check::generate::ops::List;
use warpsim_check::generate::tree::{Block, Cond, Exchange, Op, Stmt, Width};
use warpsim_check::properties::host_changes_nothing;
use warpsim_check::run::Prepared;
use warpsim_tests::check;

fn small(body: Block, blocks: u32, threads: u32, sets: &[(&str, &str)]) -> Case {
    let one_sm = [("clusters", "1"), ("cluster.sms", "1")];
    let sets = one_sm.iter().chain(sets).map(|(path, value)| (*path, (*value).to_owned()));
    let extents = Extents { blocks, threads, results_by_thread: false };
    Case { body, extents, target: 10, seed: 0, chip: ChipSpec::new(sets), windows: (0, 1) }
}

fn exchange(shared: bool, fence: u8) -> Stmt {
    Stmt::Exchange(Exchange {
        shared,
        width: Width::B32,
        spread: 0,
        stir: 0,
        src: 1,
        dst: 2,
        shift: 32,
        fence,
        barrier: 0,
        guard: None,
    })
}

/// Selects the odd warps of blocks of 64 threads.
const ODD_WARPS: Cond = Cond::Bit { reg: 0, bit: 5 };

/// Eight divisions, which take long.
fn late() -> Block {
    vec![Stmt::Op(Op { list: List::Int, op: 16, dst: 5, a: 5, b: 4, c: 0, imm: None }); 8]
}

/// A warp waits after a barrier, a fence, a branch or its exit even if that instruction takes
/// several issue slots.
#[test]
fn an_instruction_of_several_slots_still_waits() {
    let odd_is_late = Stmt::If { cond: ODD_WARPS, then: late(), otherwise: Vec::new() };
    let slots = ["barrier", "membar", "branch", "exit"].map(|class| format!("sm.classes.{class}.slots"));
    for path in &slots {
        for (shared, fence) in [(true, 0), (false, 1), (false, 2)] {
            let case =
                small(vec![odd_is_late.clone(), exchange(shared, fence)], 2, 64, &[(path.as_str(), "3")]);
            assert_eq!(
                check::timed_is_functional(&case, None),
                Ok(()),
                "{path}, shared {shared}, fence {fence}"
            );
            assert_eq!(check::breakdowns_are_exact(&case), Ok(()), "{path}, shared {shared}, fence {fence}");
        }
    }
}

/// A warp waits for a fence of several slots to complete, not only to issue.
#[test]
fn a_fence_of_several_slots_keeps_its_latency() {
    let waits = |slots: &str| {
        let fence = Stmt::Fence { global: true };
        let case = small(vec![fence], 1, 32, &[("sm.classes.membar.slots", slots)]);
        let run = Prepared::new(&case).run(Mode::Timed, RunOptions::default());
        run.report.timing.expect("a timed run has times").warps.states[WarpState::Membar]
    };
    assert_eq!(waits("3"), waits("1") - 2, "two of its cycles are issue slots instead");
}

/// When two schedulers want the same unit in the same cycle, one of them waits.
#[test]
fn a_unit_accepts_one_instruction_of_either_scheduler() {
    let case = small(vec![exchange(true, 0)], 2, 128, &[("sm.schedulers", "2")]);
    assert_eq!(check::timed_is_functional(&case, None), Ok(()));
    assert_eq!(check::breakdowns_are_exact(&case), Ok(()));
}

/// A scheduler's empty slots get another reason when another scheduler's issue ends the block that
/// its warps waited in.
#[test]
fn another_schedulers_exit_changes_the_reason_of_a_wait() {
    let sets = [("sm.schedulers", "2"), ("sm.classes.exit.slots", "5")];
    for (then, otherwise) in [(late(), Vec::new()), (Vec::new(), late())] {
        let body = vec![Stmt::If { cond: ODD_WARPS, then, otherwise }];
        assert_eq!(host_changes_nothing(&Prepared::new(&small(body, 2, 64, &sets))), Ok(()));
    }
}

/// A message reaches every byte of a chunk that is larger than a byte-sized lane offset could
/// address.
#[test]
fn chunks_may_be_larger_than_256_bytes() {
    for bytes in ["512", "2048"] {
        let case = small(vec![exchange(false, 0)], 3, 96, &[("partition.chunk_bytes", bytes)]);
        assert_eq!(check::timed_is_functional(&case, None), Ok(()), "chunks of {bytes} bytes");
    }
}
