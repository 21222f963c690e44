//! What the property tests have found, and what they could, each as a small case of its own.

use warpsim_tests::check;
use warpsim_tests::generate::Case;
use warpsim_tests::generate::chip::ChipSpec;
use warpsim_tests::generate::frame::Extents;
use warpsim_tests::generate::tree::{Block, Cell, Exchange, Stmt, Width};

fn small(body: Block, blocks: u32, threads: u32, sets: &[(&str, &str)]) -> Case {
    let one_sm = [("clusters", "1"), ("cluster.sms", "1")];
    let sets = one_sm.iter().chain(sets).map(|(path, value)| (*path, (*value).to_owned()));
    let extents = Extents { blocks, threads, results_by_thread: false };
    Case { body, extents, seed: 0, chip: ChipSpec::new(sets), windows: (0, 1) }
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

/// Two schedulers that want the same unit in the same cycle: one of them waits.
#[test]
fn a_unit_takes_one_instruction_whichever_scheduler_it_is_from() {
    let case = small(vec![exchange(true, 0)], 2, 128, &[("sm.schedulers", "2")]);
    assert_eq!(check::timed_is_functional(&case, None), Ok(()));
    assert_eq!(check::ledgers_are_exact(&case), Ok(()));
}

/// An access whose first message leaves before its last lanes' is not answered early: eight bytes a lane, one place
/// in every queue.
#[test]
fn a_load_in_many_messages_waits_for_all_of_them() {
    let load = Stmt::Own { store: false, cell: Cell::Scattered, width: Width::B64, reg: 0, part: 3 };
    let store = Stmt::Own { store: true, cell: Cell::Scattered, width: Width::B64, reg: 1, part: 4 };
    let sets = [("crossbar.depth", "1"), ("cluster.reply_room", "1"), ("sm.lsu.queue", "1")];
    let case = small(vec![load, store, exchange(false, 1)], 2, 64, &sets);
    assert_eq!(check::timed_is_functional(&case, None), Ok(()));
}
