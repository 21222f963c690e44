//! Requests wait for partitions, partitions wait for nobody: no chip deadlocks, however little its
//! queues hold.

use proptest::strategy::Strategy;
use warpsim_tests::check::timed_is_functional;
use warpsim_tests::draw::{Draw, hold};
use warpsim_tests::generate::Case;
use warpsim_tests::generate::case::case;

/// Room for one of everything.
const ONE: [(&str, &str); 4] = [
    ("crossbar.depth", "1"),
    ("cluster.reply_room", "1"),
    ("sm.lsu.queue", "1"),
    ("partition.dram.queue", "1"),
];

fn narrow() -> impl Strategy<Value = Case> {
    case().prop_map(|case| Case { chip: case.chip.with(&ONE), ..case })
}

/// With links of depth 1, room for one reply and queues of one, every launch ends, and with the
/// right bytes.
#[test]
fn room_for_one_of_everything_is_enough() {
    hold(&narrow(), Draw::Same, 64, |case| timed_is_functional(case, None));
}

/// As [`room_for_one_of_everything_is_enough`], for longer.
#[test]
#[ignore = "minutes"]
fn room_for_one_of_everything_is_enough_at_length() {
    hold(&narrow(), Draw::New, 5_000, |case| timed_is_functional(case, None));
}
