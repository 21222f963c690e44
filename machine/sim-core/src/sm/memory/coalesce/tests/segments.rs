//! The rule of cc 1.2 and 1.3.

use super::super::segments::{Transaction, next};
use super::*;

/// The rule of GT200.
pub(super) const RULE: LsuConfig = LsuConfig { rule: CoalesceRule::Segments, ..STRICT };

/// Returns the sizes of the transactions of a half-warp.
fn sizes(bytes: u32, mask: u32, f: impl Fn(u32) -> u32) -> Vec<u32> {
    let (c, out) = run(&RULE, bytes, mask, f);
    let sizes: Vec<u32> = out.iter().map(|(_, r)| u32::from(r.bursts) * 32).collect();
    assert!(out.iter().all(|(_, r)| r.transactions == 1), "a message for each transaction");
    assert_eq!((c.transactions as usize, c.bytes), (sizes.len(), sizes.iter().sum()));
    sizes
}

#[test]
fn a_segment_is_halved_while_one_half_is_not_touched() {
    let from = |word: u32| move |lane: u32| 0x1000 + 4 * (word + lane);
    assert_eq!(sizes(4, 0xffff, from(0)), [64], "in the lower half");
    assert_eq!(sizes(4, 0xffff, from(16)), [64], "in the upper half");
    assert_eq!(sizes(4, 0xffff, from(1)), [128], "one word off, in one segment");
    assert_eq!(sizes(4, 0x00ff, from(0)), [32]);
    assert_eq!(sizes(4, 0x00ff, from(24)), [32], "the last quarter");
    assert_eq!(sizes(4, 0x00ff, from(12)), [128], "across the middle");
    assert_eq!(sizes(4, 0x00ff, from(4)), [64], "across the middle of the lower half");
    assert_eq!(sizes(4, 1 << 9, from(9)), [32], "a lone lane");
}

#[test]
fn a_half_warp_across_two_segments_has_one_transaction_in_each() {
    assert_eq!(sizes(4, 0xffff, |l| 0x1000 + 4 * (24 + l)), [32, 32]);
    assert_eq!(sizes(4, 0xffff, |l| 0x1000 + 4 * (20 + l)), [64, 32]);
    let (c, _) = run(&RULE, 4, 0xffff, |l| 0x1000 + 4 * (20 + l));
    assert_eq!((c.coalesced_groups, c.uncoalesced_groups), (0, 1), "one would have been enough");
}

/// The copy with an offset of the Best Practices Guide, on a GTX 280: word `offset` + thread, even
/// and odd half-warps.
///
/// Tests: `coalescing-and-banks`.
#[test]
fn copies_with_an_offset_use_the_documented_segments() {
    for offset in 0..=16 {
        let at = |lane: u32| 0x1000 + 4 * (offset + lane);
        let (even, odd): (&[u32], &[u32]) = match offset {
            0 | 16 => (&[64], &[64]),
            1..=7 => (&[128], &[64, 32]),
            8 => (&[128], &[32, 32]),
            _ => (&[128], &[32, 64]),
        };
        assert_eq!(sizes(4, 0x0000_ffff, at), even, "even, offset {offset}");
        assert_eq!(sizes(4, 0xffff_0000, at), odd, "odd, offset {offset}");
        assert_eq!(sizes(4, u32::MAX, at), [even, odd].concat(), "half-warps do not share, offset {offset}");
    }
}

#[test]
fn lane_order_does_not_matter_and_a_word_is_transferred_once() {
    assert_eq!(sizes(4, 0xffff, |l| 0x1000 + 4 * (l ^ 15)), [64]);
    assert_eq!(sizes(4, 0xffff, |l| 0x1000 + 4 * (l * 5 % 16)), [64]);
    assert_eq!(sizes(4, 0xffff, |_| 0x1008), [32]);
    let (c, _) = run(&RULE, 4, 0xffff, |l| 0x1000 + 4 * (l ^ 15));
    assert_eq!((c.coalesced_groups, c.uncoalesced_groups), (1, 0));
}

#[test]
fn the_segment_size_depends_on_the_word_size() {
    assert_eq!(sizes(1, 0xffff, |l| 0x1000 + l), [32]);
    assert_eq!(sizes(1, 0xffff, |l| 0x1018 + l), [32, 32], "bytes 24 to 39: a segment is 32 bytes");
    assert_eq!(sizes(2, 0xffff, |l| 0x1000 + 2 * l), [32], "of 64, halved");
    assert_eq!(sizes(2, 0xffff, |l| 0x1010 + 2 * l), [64]);
    assert_eq!(sizes(2, 0xffff, |l| 0x1030 + 2 * l), [32, 32]);
    assert_eq!(sizes(8, 0xffff, |l| 0x1000 + 8 * l), [128]);
    assert_eq!(sizes(8, 0xffff, |l| 0x1008 + 8 * l), [128, 32]);
    assert_eq!(sizes(16, 0xffff, |l| 0x1000 + 16 * l), [128, 128]);
    let (c, _) = run(&RULE, 16, 0xffff, |l| 0x1000 + 16 * l);
    assert_eq!((c.coalesced_groups, c.uncoalesced_groups), (1, 0), "so many words need two");
    assert_eq!(sizes(4, 0xffff, |l| 0x1000 + 1024 * l), [32; 16], "a column");
}

/// Compares the implementation with the text of the rule, on random half-warps.
///
/// Tests: `coalescing-and-banks`.
#[test]
fn a_transaction_follows_the_programming_guide() {
    let mut rng = ChaCha8Rng::seed_from_u64(6);
    for round in 0..4_000 {
        let bytes = [1, 2, 4, 8, 16][round % 5];
        let whole = [32, 64, 128, 128, 128][round % 5];
        let left: u32 = rng.random_range(1..1 << 16);
        let reach = 1 << rng.random_range(4..10);
        let addr = std::array::from_fn(|_| 0x4000 + rng.random_range(0..reach) / bytes * bytes);
        let access = Access { addr, bytes, ..Access::new() };
        let Transaction { lanes, base, bytes: size } = next(&access, left);
        let lead = left.trailing_zeros() as usize;
        for lane in crate::sm::scheduler::bits(left.into()) {
            let served = addr[lane as usize] / whole == addr[lead] / whole;
            assert_eq!(lanes >> lane & 1 == 1, served, "{addr:?} {left:#x}");
        }
        let touched = |from: u32, bytes: u32| {
            crate::sm::scheduler::bits(lanes.into()).any(|l| (from..from + bytes).contains(&addr[l as usize]))
        };
        assert!(base.is_multiple_of(size) && (32..=whole).contains(&size) && size.is_power_of_two());
        let outside = |l: u32| !(base..base + size).contains(&addr[l as usize]);
        assert!(!crate::sm::scheduler::bits(lanes.into()).any(outside), "{addr:?} {left:#x}");
        assert!(size == 32 || touched(base, size / 2) && touched(base + size / 2, size / 2), "{addr:?}");
    }
}
