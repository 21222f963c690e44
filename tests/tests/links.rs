//! Requests wait for partitions, partitions wait for nobody: no chip deadlocks, however little its queues hold.

use proptest::strategy::Strategy;
use proptest::test_runner::{Config, TestCaseError, TestRunner};
use warpsim_tests::check::timed_is_functional;
use warpsim_tests::generate::Case;
use warpsim_tests::generate::case::case;

/// Room for one of everything.
const ONE: [(&str, &str); 4] = [
    ("crossbar.depth", "1"),
    ("cluster.reply_room", "1"),
    ("sm.lsu.queue", "1"),
    ("partition.dram.queue", "1"),
];

fn finish(cases: u32) {
    let narrow = case().prop_map(|case| Case { chip: case.chip.with(&ONE), ..case });
    let config = Config { cases, failure_persistence: None, ..Config::default() };
    let result = TestRunner::new(config)
        .run(&narrow, |case| timed_is_functional(&case, None).map_err(TestCaseError::fail));
    if let Err(e) = result {
        panic!("{e}");
    }
}

/// With links of depth 1, room for one reply and queues of one, every launch ends, and with the right bytes.
#[test]
fn room_for_one_of_everything_is_enough() {
    finish(64);
}

/// As [`room_for_one_of_everything_is_enough`], for longer.
#[test]
#[ignore = "minutes"]
fn room_for_one_of_everything_is_enough_at_length() {
    finish(5_000);
}
