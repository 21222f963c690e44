//! Requests wait for partitions, but partitions wait for nothing: no chip deadlocks, even if its
//! queues have one entry.

use proptest::strategy::Strategy;
use warpsim_check::draw::{Draw, for_all};
use warpsim_check::generate::Case;
use warpsim_check::generate::case::case;
use warpsim_tests::check::timed_is_functional;

/// Settings that give every queue one entry.
const ONE: [(&str, &str); 4] = [
    ("crossbar.depth", "1"),
    ("cluster.reply_room", "1"),
    ("sm.lsu.queue", "1"),
    ("partition.dram.queue", "1"),
];

fn narrow() -> impl Strategy<Value = Case> {
    case().prop_map(|case| Case { chip: case.chip.with(&ONE), ..case })
}

/// With links of depth 1, space for one reply and queues of one entry every launch ends, with the
/// correct bytes.
#[test]
fn queues_of_one_entry_are_enough() {
    for_all(&narrow(), Draw::Same, 64, |case| timed_is_functional(case, None));
}

/// The same as [`queues_of_one_entry_are_enough`], with more cases.
#[test]
#[ignore = "minutes"]
fn queues_of_one_entry_are_enough_at_length() {
    for_all(&narrow(), Draw::New, 5_000, |case| timed_is_functional(case, None));
}
