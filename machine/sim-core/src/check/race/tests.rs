//! Tests of the checker with accesses made by hand: names, merging and limits of hazards.

use super::*;
use crate::check::{MissingOrder, Severity};

/// Access of thread `32 * warp + lane` of block 0 to word `word` of shared memory on line `line`.
fn access((warp, lane): (u32, u32), instruction: u64, line: u32, word: u32, kind: Kind) -> Access {
    Access {
        block: 0,
        warp,
        lane,
        instruction,
        barriers: 0,
        phase: 0,
        epoch: 0,
        trips: [0, 0],
        pc: line,
        line,
        space: Space::Shared,
        address: 4 * word,
        bytes: 4,
        kind,
        value: (kind == Kind::Write).then_some(u128::from(line)),
    }
}

fn check(log: &[Access]) -> Vec<Hazard> {
    let mut check = Detector::new();
    for access in log {
        check.access(access);
    }
    check.found().hazards
}

fn found(log: &[Access]) -> Vec<(String, u32, u32, MissingOrder)> {
    let fields = |h: &Hazard| (h.kind().to_string(), h.first.line, h.second.line, h.between);
    check(log).iter().map(fields).collect()
}

/// Tests: `races-are-found`.
#[test]
fn the_kind_does_not_depend_on_which_warp_ran_first() {
    // A loop that stores on line 10 and loads on line 20; warp 0 runs ahead of warp 1.
    let at = |warp, trip: u32, line, kind| Access {
        trips: [trip, trip],
        ..access((warp, 0), u64::from(trip) + 1, line, 0, kind)
    };
    let (store, load) =
        (|warp, trip| at(warp, trip, 10, Kind::Write), |warp, trip| at(warp, trip, 20, Kind::Read));
    // No barrier between the store and the load.
    let raw = [("RAW".to_owned(), 10, 20, MissingOrder::Warps)];
    assert_eq!(found(&[load(0, 0), store(1, 0)]), raw);
    assert_eq!(found(&[store(1, 0), load(0, 0)]), raw);
    // No barrier between the load and the store of the next trip.
    let war = [("WAR".to_owned(), 20, 10, MissingOrder::Warps)];
    assert_eq!(found(&[load(0, 0), store(1, 1)]), war);
    assert_eq!(found(&[store(1, 1), load(0, 0)]), war);
    // Neither barrier.
    let both = found(&[store(1, 0), store(1, 1), load(0, 0)]);
    assert_eq!(both, [raw, war].concat());
    let waw = found(&[at(0, 0, 10, Kind::Write), at(1, 0, 11, Kind::Write)]);
    assert_eq!(waw, [("WAW".to_owned(), 10, 11, MissingOrder::Warps)]);
}

/// Tests: `races-are-found`.
#[test]
fn within_a_warp_only_the_last_write_and_the_reads_since_then_count() {
    let log = [
        access((0, 1), 1, 1, 0, Kind::Write),
        access((0, 0), 2, 2, 0, Kind::Read),
        access((0, 1), 3, 3, 0, Kind::Write),
        access((0, 0), 4, 4, 0, Kind::Read),
        access((0, 0), 5, 5, 0, Kind::Read),
    ];
    let lanes = |kind: &str, first, second| (kind.to_owned(), first, second, MissingOrder::Lanes);
    let want = [lanes("RAW", 1, 2), lanes("WAR", 2, 3), lanes("RAW", 3, 4), lanes("RAW", 3, 5)];
    assert_eq!(found(&log), want);
    assert!(check(&log).iter().all(|hazard| hazard.severity() == Severity::Warning));
    // In another warp each write races with each read.
    let other = [log[0], log[2], access((1, 0), 1, 9, 0, Kind::Read)];
    assert_eq!(found(&other).len(), 2);
}

/// Access to bytes `from` to `to` of word 0.
fn part(from: u32, to: u32, access: Access) -> Access {
    Access { address: from, bytes: to - from, ..access }
}

#[test]
fn the_last_write_is_that_of_each_byte() {
    let (write, read) = (Kind::Write, Kind::Read);
    let lanes = |kind: &str, first, second| (kind.to_owned(), first, second, MissingOrder::Lanes);
    // Two lanes write one half each; one of them loads both.
    let log = [
        part(0, 2, access((0, 1), 1, 1, 0, write)),
        part(2, 4, access((0, 0), 2, 2, 0, write)),
        access((0, 0), 3, 3, 0, read),
    ];
    assert_eq!(found(&log), [lanes("RAW", 1, 3)]);
    // A write is no longer reported when two halves have overwritten it, but still when only one
    // half has.
    let log = [
        access((0, 1), 1, 1, 0, write),
        part(0, 2, access((0, 2), 2, 2, 0, write)),
        part(2, 4, access((0, 3), 3, 3, 0, write)),
        access((0, 0), 4, 4, 0, read),
    ];
    let met = [lanes("WAW", 1, 2), lanes("WAW", 1, 3), lanes("RAW", 2, 4), lanes("RAW", 3, 4)];
    assert_eq!(found(&log), met);
    assert_eq!(found(&[log[0], log[1], log[3]]), [met[0].clone(), lanes("RAW", 1, 4), met[2].clone()]);
    // The same with a read and the writes after it.
    let log = [
        access((0, 1), 1, 1, 0, read),
        part(2, 4, access((0, 0), 2, 2, 0, write)),
        access((0, 0), 3, 3, 0, write),
        part(1, 3, access((0, 0), 4, 4, 0, write)),
    ];
    assert_eq!(found(&log), [lanes("WAR", 1, 2), lanes("WAR", 1, 3)]);
}

#[test]
fn a_hazard_has_the_barriers_of_its_second_access() {
    let one = |block, barriers, line, kind| Access {
        block,
        barriers,
        space: Space::Global,
        ..access((0, 0), 1, line, 0, kind)
    };
    let barriers = |log: &[Access]| {
        let [pair] = check(log)[..] else { panic!("one pair") };
        (pair.first.block, pair.second.block, pair.barriers)
    };
    assert_eq!(barriers(&[one(0, 2, 10, Kind::Write), one(1, 1, 20, Kind::Read)]), (0, 1, 1));
    // Block 0 is first but named second, because its access is later in the code.
    assert_eq!(barriers(&[one(0, 2, 20, Kind::Read), one(1, 1, 10, Kind::Write)]), (1, 0, 2));
}

#[test]
fn lanes_of_one_instruction_have_the_reason_instruction() {
    let log = [access((0, 0), 1, 7, 0, Kind::Write), access((0, 1), 1, 7, 0, Kind::Write)];
    let [same] = check(&log)[..] else { panic!("one pair") };
    assert_eq!((same.between, same.severity()), (MissingOrder::Instruction, Severity::Info));
    let log = [log[0], Access { value: Some(1), ..log[1] }];
    let [other] = check(&log)[..] else { panic!("one pair") };
    assert_eq!(other.severity(), Severity::Warning);
}

/// Tests: `races-are-found`.
#[test]
fn the_same_value_is_not_a_race_until_a_value_differs() {
    let write = |warp, value| Access { value: Some(value), ..access((warp, 0), 1, 7, 0, Kind::Write) };
    let [pair] = check(&[write(0, 5), write(1, 5), write(2, 5)])[..] else { panic!("one pair") };
    assert_eq!((pair.severity(), pair.times), (Severity::Info, 3));
    let [pair] = check(&[write(0, 5), write(1, 5), write(2, 6)])[..] else { panic!("one pair") };
    assert_eq!((pair.severity(), pair.times, pair.second.warp), (Severity::Error, 3, 2));
    // A wide write and one of its words: values are compared only if both accesses write the whole
    // word.
    let wide = Access { bytes: 8, value: Some(5 << 32 | 5), ..write(0, 0) };
    let [pair] = check(&[wide, write(1, 5)])[..] else { panic!("one pair") };
    assert_eq!(pair.severity(), Severity::Info);
    let [pair] = check(&[wide, Access { bytes: 1, ..write(1, 5) }])[..] else { panic!("one pair") };
    assert_eq!((pair.severity(), pair.bytes), (Severity::Error, 1));
}

/// Tests: `races-are-found`.
#[test]
fn hazards_beyond_the_maximum_are_counted() {
    let lines = 1..=1500;
    let mut log: Vec<Access> =
        lines.map(|line| access((line % 8, 0), line.into(), line, line, Kind::Write)).collect();
    log.extend((1..=1500).map(|line| access((line % 8 + 1, 0), 9000, 5000, line, Kind::Read)));
    let mut check = Detector::new();
    for access in &log {
        check.access(access);
    }
    let found = check.found();
    assert_eq!((found.hazards.len(), found.more, found.not_kept), (1000, 500, 0));
}

#[test]
fn accesses_beyond_the_maximum_are_counted_in_words() {
    let four = |warp, line, kind| Access { bytes: 16, ..access((warp, 0), 1, line, 0, kind) };
    let mut check = Detector::with_capacity(6);
    check.access(&four(0, 1, Kind::Write));
    assert_eq!(check.found(), Found::default());
    // Two of its words have records; for the others the third access cannot find a race.
    check.access(&four(1, 2, Kind::Read));
    assert_eq!(check.found().not_kept, 2);
    check.access(&Access { address: 8, bytes: 8, ..four(2, 3, Kind::Write) });
    let found = check.found();
    assert_eq!(found.not_kept, 4);
    let lines: Vec<_> = found.hazards.iter().map(|h| (h.first.line, h.second.line, h.times)).collect();
    assert_eq!(lines, [(1, 2, 4), (1, 3, 2)]);
}

#[test]
fn launches_barriers_and_blocks_order_accesses() {
    let write = |warp| access((warp, 0), 1, 7, 0, Kind::Write);
    let global = |access| Access { space: Space::Global, ..access };
    assert_eq!(check(&[write(0), Access { barriers: 1, ..write(1) }]), []);
    assert_eq!(check(&[write(0), Access { block: 1, ..write(1) }]), []);
    assert_eq!(check(&[global(write(0)), Access { barriers: 1, ..global(write(1)) }]), []);
    assert_eq!(check(&[global(write(0)), Access { block: 1, ..global(write(1)) }]).len(), 1);
    let mut launches = Detector::new();
    for warp in 0..3 {
        launches.next_launch();
        launches.access(&write(warp));
        launches.access(&global(write(warp)));
    }
    assert_eq!(launches.found(), Found::default());
}
