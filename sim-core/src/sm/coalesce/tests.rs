//! Each rule on accesses whose transactions the Programming Guide states.

use super::*;
use crate::config::CoalesceRule;
use isa::uop::Op;

const STRICT: LsuConfig = LsuConfig {
    queue: 4,
    latency: 0,
    transaction_cycles: 1,
    group: 16,
    rule: CoalesceRule::Strict,
    same_word_once: false,
};

fn run(config: &LsuConfig, bytes: u32, mask: u32, f: impl Fn(u32) -> u32) -> (Coalesced, Vec<Addressed>) {
    let op = if bytes == 8 { Op::LdGlobalB64 } else { Op::LdGlobalB32 };
    let addr = std::array::from_fn(|lane| f(lane as u32));
    let access = Access { op, bytes, mask, addr, ..Access::new() };
    let mut out = Vec::new();
    let by = Coalescer { config: *config, map: AddressMap::new(256, 6), burst_bytes: 32 };
    (by.messages(&access, 0, 0, &mut out), out)
}

#[test]
fn aligned_words_in_order_are_one_transaction_per_half_warp() {
    let (c, out) = run(&STRICT, 4, u32::MAX, |l| 0x1000 + 4 * l);
    assert_eq!((c.transactions, c.bytes, c.coalesced_groups), (2, 128, 2));
    assert_eq!(out.iter().map(|(_, r)| (r.transactions, r.bursts)).collect::<Vec<_>>(), [(1, 2), (1, 2)]);
}

#[test]
fn idle_lanes_do_not_matter() {
    let (c, _) = run(&STRICT, 4, 0x0000_7ffe, |l| 0x1000 + 4 * l);
    assert_eq!((c.transactions, c.bytes), (1, 64));
}

#[test]
fn swapped_or_misaligned_lanes_have_a_transaction_each() {
    let swapped = |l: u32| 0x1000 + 4 * (l ^ u32::from(l < 2));
    assert_eq!(run(&STRICT, 4, 0xffff, swapped).0.transactions, 16);
    let (c, out) = run(&STRICT, 4, 0xffff, |l| 0x1004 + 4 * l);
    assert_eq!((c.transactions, c.bytes, c.uncoalesced_groups), (16, 512, 1));
    assert_eq!(out.len(), 1, "one chunk, one message");
    assert_eq!((out[0].1.transactions, out[0].1.bursts), (16, 16));
}

#[test]
fn a_column_walk_spreads_over_partitions() {
    let (c, out) = run(&STRICT, 4, 0xffff, |l| 0x1000 + 1024 * l);
    assert_eq!(c.transactions, 16);
    assert_eq!(out.len(), 16);
    assert!(out.iter().all(|(link, r)| u32::from(*link) == r.chunk / 256 % 6));
}

#[test]
fn double_words_are_one_128_byte_transaction() {
    let (c, out) = run(&STRICT, 8, 0xffff, |l| 0x1000 + 8 * l);
    assert_eq!((c.transactions, c.bytes), (1, 128));
    assert_eq!(out.iter().map(|(_, r)| r.bursts).collect::<Vec<_>>(), [2, 2]);
    let (c, out) = run(&STRICT, 8, 0x00f0, |l| 0x1000 + 8 * l);
    assert_eq!((c.transactions, c.bytes, out.len(), out[0].1.bursts), (1, 128, 1, 4));
    assert_eq!(run(&STRICT, 8, 0xffff, |l| 0x1040 + 8 * l).0.transactions, 16, "aligned to 64 only");
}

#[test]
fn bytes_never_coalesce() {
    assert_eq!(run(&STRICT, 1, 0xffff, |l| 0x1000 + l).0.transactions, 16);
}

#[test]
fn the_same_word_for_all_moves_once_only_if_switched_on() {
    let (c, out) = run(&STRICT, 4, 0xffff, |_| 0x1008);
    assert_eq!((c.transactions, out[0].1.bursts), (16, 16));
    let once = LsuConfig { same_word_once: true, ..STRICT };
    let (c, out) = run(&once, 4, 0xffff, |_| 0x1008);
    let sent = (out[0].1.transactions, out[0].1.bursts);
    assert_eq!((c.transactions, sent), (16, (1, 1)), "requests by the rule, the word on the way once");
}
