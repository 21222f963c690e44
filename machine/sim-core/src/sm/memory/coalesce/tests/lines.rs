//! The rule of cc 2.x.

use super::*;
use crate::exec::mask;
use crate::mem::sectors::bursts;

/// The rule of Fermi.
pub(super) const RULE: LsuConfig = LsuConfig { group: 32, rule: CoalesceRule::Lines, ..STRICT };

/// Returns (transactions, bytes) of a load and of a store.
fn load_and_store(bytes: u32, mask: u32, f: impl Fn(u32) -> u32) -> [(u32, u32); 2] {
    let addr = std::array::from_fn(|lane| f(lane as u32));
    [false, true].map(|store| {
        let (c, out) = make(&RULE, 32, &Access { addr, bytes, store, mask, ..Access::new() });
        assert_eq!(c.transactions as usize, out.len(), "a message for each line");
        (c.transactions, c.bytes)
    })
}

#[test]
fn a_warp_of_consecutive_words_is_one_line() {
    assert_eq!(load_and_store(4, u32::MAX, |l| 0x1000 + 4 * l), [(1, 128), (1, 128)]);
    assert_eq!(load_and_store(4, u32::MAX, |l| 0x1000 + 4 * (l ^ 31)), [(1, 128), (1, 128)]);
    let (c, out) = run(&RULE, 4, u32::MAX, |l| 0x1000 + 4 * l);
    assert_eq!((c.coalesced_groups, c.uncoalesced_groups, out[0].1.lanes), (1, 0, u32::MAX));
}

#[test]
fn a_warp_off_by_a_word_touches_two_lines() {
    // The fifth sector of the store contains only the last word.
    assert_eq!(load_and_store(4, u32::MAX, |l| 0x1004 + 4 * l), [(2, 256), (2, 5 * 32)]);
    let (c, _) = run(&RULE, 4, u32::MAX, |l| 0x1004 + 4 * l);
    assert_eq!((c.coalesced_groups, c.uncoalesced_groups), (0, 1));
}

/// Tests: `coalescing-and-banks`.
#[test]
fn loads_move_lines_and_stores_sectors() {
    assert_eq!(load_and_store(4, 1, |_| 0x1000), [(1, 128), (1, 32)], "a lone lane");
    assert_eq!(load_and_store(4, u32::MAX, |_| 0x1040), [(1, 128), (1, 32)], "one word for all");
    assert_eq!(load_and_store(4, u32::MAX, |l| 0x1000 + 128 * l), [(32, 4096), (32, 1024)], "a column");
    assert_eq!(load_and_store(4, u32::MAX, |l| 0x1000 + 8 * l), [(2, 256), (2, 256)], "every other word");
    assert_eq!(
        load_and_store(4, 0x8000_0001, |l| 0x1000 + 4 * l),
        [(1, 128), (1, 64)],
        "two sectors of four"
    );
    assert_eq!(load_and_store(1, u32::MAX, |l| 0x1000 + l), [(1, 128), (1, 32)], "bytes");
    assert_eq!(load_and_store(2, u32::MAX, |l| 0x1070 + 2 * l), [(2, 256), (2, 96)], "half-words");
}

#[test]
fn wider_words_split_a_warp_into_requests() {
    assert_eq!(load_and_store(8, u32::MAX, |l| 0x1000 + 8 * l), [(2, 256), (2, 256)]);
    assert_eq!(load_and_store(16, u32::MAX, |l| 0x1000 + 16 * l), [(4, 512), (4, 512)]);
    // Half-warps and quarter-warps do not share a line.
    assert_eq!(load_and_store(8, u32::MAX, |_| 0x1000), [(2, 256), (2, 64)]);
    assert_eq!(load_and_store(16, u32::MAX, |_| 0x1000), [(4, 512), (4, 128)]);
    let groups = |bytes| run(&RULE, bytes, u32::MAX, |l| 0x1000 + bytes * l).0.coalesced_groups;
    assert_eq!([1, 2, 4, 8, 16].map(groups), [1, 1, 1, 2, 4]);
}

#[test]
fn sectors_are_rounded_up_to_whole_bursts() {
    for (burst_bytes, expected) in [
        (16, [8, 2, 4, 4, 6]),
        (32, [4, 1, 2, 2, 3]),
        (64, [2, 1, 1, 2, 2]),
        (128, [1, 1, 1, 1, 1]),
        (256, [1, 1, 1, 1, 1]),
    ] {
        let sectors = [0b1111, 0b0010, 0b1100, 0b1001, 0b1101];
        assert_eq!(sectors.map(|s| bursts(s, burst_bytes)), expected, "bursts of {burst_bytes} bytes");
    }
    let access =
        Access { bytes: 4, mask: u32::MAX, addr: std::array::from_fn(|l| 4 * l as u32), ..Access::new() };
    assert_eq!(make(&RULE, 64, &access).1[0].1.bursts, 2);
}

/// Compares the messages with a list of lines in the order of their lowest lanes, for accesses that
/// ascend, descend, repeat lines and mix them, in any lanes.
///
/// Tests: `every-lane-once`.
#[test]
fn each_line_has_a_message_of_all_its_lanes() {
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    for round in 0..20_000 {
        let (start, stride) = (rng.random_range(0x8000..0x9000), rng.random_range(0..90) * 4);
        let noise: [u32; 32] = std::array::from_fn(|_| rng.random_range(0..40) * 4);
        let addr: Row32 = std::array::from_fn(|lane| match round % 4 {
            0 => start + stride * lane as u32,
            1 => start - stride * lane as u32,
            2 => start + stride * lane as u32 + noise[lane],
            _ => start + 64 * noise[lane],
        } & !3);
        let mask = match round % 3 {
            0 => u32::MAX,
            1 => u32::MAX >> rng.random_range(0..31) << rng.random_range(0..16),
            _ => rng.random(),
        };
        let mut expected: Vec<(u32, u32)> = Vec::new();
        for lane in mask::lanes(mask) {
            let line = addr[lane] / LINE;
            match expected.iter_mut().find(|(other, _)| *other == line) {
                Some((_, lanes)) => *lanes |= 1 << lane,
                None => expected.push((line, 1 << lane)),
            }
        }
        let (_, made) = make(&RULE, 32, &Access { addr, bytes: 4, mask, ..Access::new() });
        let first = |request: &Request| (request.chunk + u32::from(request.offset[0])) / LINE;
        let made: Vec<(u32, u32)> = made.iter().map(|(_, request)| (first(request), request.lanes)).collect();
        assert_eq!(made, expected, "{addr:?} {mask:#x}");
    }
}
