//! Tests of the units: busy cycles, their counts, and units of several schedulers.

use super::*;

fn units(per_scheduler: &[bool], schedulers: usize) -> Units {
    let unit = |own: &bool| UnitConfig {
        name: String::new(),
        lanes: 8,
        count: 1,
        per_scheduler: *own,
        blocks_others: false,
    };
    Units::new(&per_scheduler.iter().map(unit).collect::<Vec<_>>(), schedulers, Period::new(4))
}

/// Tests: `unit-free-cycle`.
#[test]
fn a_unit_is_busy_until_its_free_cycle() {
    let mut units = units(&[false, false], 1);
    units.begin(0, 8);
    units.occupy(1, 0, 8, 16);
    assert_eq!(units.busy_at(0, 20), 0b10);
    assert_eq!(units.busy_at(0, 24), 0);
    assert_eq!(units.next_free(0, |unit| 0b10 >> unit & 1 == 1), 24);
    assert_eq!(units.next_free(0, |unit| 0b01 >> unit & 1 == 1), NEVER);
}

/// Tests: `exact-breakdowns`.
#[test]
fn busy_issue_cycles_are_counted() {
    let mut units = units(&[false], 1);
    units.occupy(0, 0, 8, 16); // busy at 12, 16, 20: issue cycles 3, 4, 5
    assert_eq!(units.busy_seen(0, 0, 3), 0);
    assert_eq!(units.busy_seen(0, 0, 5), 2);
    assert_eq!(units.busy_seen(0, 0, 100), 3);
    units.occupy(0, 0, 24, 4); // an issue period: never found busy
    assert_eq!(units.busy_seen(0, 0, 100), 3);
    units.occupy(0, 0, 40, 7); // free at 47, within issue cycle 11
    assert_eq!(units.busy_seen(0, 0, 12), 3);
    units.occupy(0, 0, 44, 5); // from 47 to 52: busy throughout issue cycle 12
    assert_eq!(units.busy_seen(0, 0, 12), 3);
    assert_eq!(units.busy_seen(0, 0, 100), 4);
}

/// Tests: `unit-free-cycle`.
#[test]
fn a_unit_busy_for_six_cycles_accepts_two_instructions_in_twelve() {
    let mut units = units(&[false], 1);
    let mut issued = Vec::new();
    for now in (0..48).step_by(4) {
        units.begin(0, now);
        assert_eq!(units.busy(0), units.busy_at(0, now));
        if units.busy(0) == 0 {
            issued.push((now, units.enters(0, 0, now)));
            units.occupy(0, 0, now, 6);
        } else {
            assert_eq!(
                (units.takes_at(0, 0), units.next_free(0, |unit| 1 >> unit & 1 == 1)),
                (now + 4, now + 4)
            );
        }
    }
    let twelve = [0, 12, 24, 36].map(|from| [(from, from), (from + 4, from + 6)]);
    assert_eq!(issued, twelve.concat());
    assert_eq!(units.busy_seen(0, 0, 12), 4, "every third issue cycle");
}

/// Tests: `free-unit-first`.
#[test]
fn three_units_of_a_kind_accept_three_instructions_together() {
    let three =
        UnitConfig { name: String::new(), lanes: 8, count: 3, per_scheduler: false, blocks_others: false };
    let mut units = Units::new(&[three], 2, Period::new(4));
    for (cycles, busy) in [(16, 0), (8, 0), (12, 1)] {
        units.occupy(0, 0, 8, cycles);
        assert_eq!((units.busy_at(0, 8), units.busy_at(1, 8)), (busy, busy));
    }
    // They are free at 24, 16 and 20: only issue cycle 3 finds the pipe busy.
    assert_eq!((units.takes_at(0, 1), units.busy_at(1, 12), units.busy_at(1, 16)), (16, 1, 0));
    units.occupy(0, 1, 16, 4);
    assert_eq!((units.takes_at(0, 0), units.busy_seen(0, 0, 100)), (20, 1));
    units.occupy(0, 1, 20, 40);
    units.occupy(0, 1, 20, 40);
    assert_eq!((units.takes_at(0, 0), units.busy_seen(0, 0, 100)), (24, 1));
}

/// Tests: `exact-breakdowns`.
#[test]
fn a_full_queue_counts_only_while_the_unit_is_free() {
    let mut units = units(&[false], 1);
    units.occupy(0, 0, 8, 16);
    units.count_queue_full(2, 8); // six cycles; the pipe is busy in 3, 4 and 5
    assert_eq!(units.queue_full_seen(0, 0), 3);
}

#[test]
fn a_private_unit_is_unaffected_by_other_schedulers() {
    let mut units = units(&[true, false], 2);
    let idle = Blocked { units: 0, queue_full: false };
    units.occupy(0, 1, 8, 16);
    units.occupy(1, 1, 8, 16);
    assert_eq!((units.busy_at(0, 8), units.busy_at(1, 8)), (0b10, 0b11));
    let found = Blocked { units: units.busy_at(0, 8), ..idle };
    units.overtaken(0, units.at_start(idle, found), found);
    // Issue cycle 2, in which another scheduler issued first, and 3, 4, 5.
    assert_eq!([0, 1].map(|unit| units.busy_seen(unit, 0, 100)), [0, 4]);
    assert_eq!([0, 1].map(|unit| units.busy_seen(unit, 1, 100)), [3, 3]);
    assert_eq!(units.next_free(0, |unit| 0b01 >> unit & 1 == 1), NEVER);
    assert_eq!(units.next_free(1, |unit| 0b01 >> unit & 1 == 1), 24);
    units.count_queue_full(2, 8);
    assert_eq!((units.queue_full_seen(0, 0), units.queue_full_seen(0, 1)), (6, 3));
}
