//! Tests of each rule with accesses whose transactions the Programming Guide states.

use super::*;
use crate::config::{CoalesceRule, SameWord};
use crate::exec::stride::Strides;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

mod ideal;
mod lines;
mod segments;

const STRICT: LsuConfig = LsuConfig {
    queue: 4,
    latency: 0,
    transaction_cycles: 1,
    group: 16,
    rule: CoalesceRule::Strict,
    same_word: SameWord::Apart,
    ideal_coalescing: false,
};

fn run(config: &LsuConfig, bytes: u32, mask: u32, f: impl Fn(u32) -> u32) -> (Coalesced, Vec<Addressed>) {
    let addr = std::array::from_fn(|lane| f(lane as u32));
    make(config, 32, &Access { addr, bytes, mask, ..Access::new() })
}

fn make(config: &LsuConfig, burst_bytes: u32, access: &Access) -> (Coalesced, Vec<Addressed>) {
    let (made, messages) = make_messages(config, burst_bytes, access);
    // Regular accesses take a shortcut, which changes nothing.
    let strides = Strides::of(&access.addr);
    assert_eq!(
        make_messages(config, burst_bytes, &Access { strides, ..access.clone() }),
        (made, messages.clone())
    );
    (made, messages.list)
}

fn make_messages(config: &LsuConfig, burst_bytes: u32, access: &Access) -> (Coalesced, Messages) {
    let mut out = Messages::default();
    let by = Coalescer { config: *config, map: AddressMap::new(256, 6), burst_bytes };
    (by.messages(access, true, 0, 0, &mut out), out)
}

#[test]
fn aligned_words_in_order_are_one_transaction_per_half_warp() {
    let (c, out) = run(&STRICT, 4, u32::MAX, |l| 0x1000 + 4 * l);
    assert_eq!((c.transactions, c.bytes, c.coalesced_groups), (2, 128, 2));
    assert_eq!(out.iter().map(|(_, r)| (r.transactions, r.bursts)).collect::<Vec<_>>(), [(1, 2), (1, 2)]);
}

#[test]
fn inactive_lanes_do_not_prevent_coalescing() {
    let (c, _) = run(&STRICT, 4, 0x0000_7ffe, |l| 0x1000 + 4 * l);
    assert_eq!((c.transactions, c.bytes), (1, 64));
}

/// Tests: `coalescing-and-banks`.
#[test]
fn swapped_or_misaligned_lanes_do_not_coalesce() {
    let swapped = |l: u32| 0x1000 + 4 * (l ^ u32::from(l < 2));
    assert_eq!(run(&STRICT, 4, 0xffff, swapped).0.transactions, 16);
    let (c, out) = run(&STRICT, 4, 0xffff, |l| 0x1004 + 4 * l);
    assert_eq!((c.transactions, c.bytes, c.uncoalesced_groups), (16, 512, 1));
    assert_eq!(out.len(), 1, "one chunk, one message");
    assert_eq!((out[0].1.transactions, out[0].1.bursts), (16, 16));
}

#[test]
fn a_column_access_is_distributed_over_partitions() {
    let (c, out) = run(&STRICT, 4, 0xffff, |l| 0x1000 + 1024 * l);
    assert_eq!(c.transactions, 16);
    assert_eq!(out.len(), 16);
    assert!(out.iter().all(|(link, r)| u32::from(*link) == r.chunk / 256 % 6));
}

#[test]
fn words_of_8_bytes_are_one_128_byte_transaction() {
    let (c, out) = run(&STRICT, 8, 0xffff, |l| 0x1000 + 8 * l);
    assert_eq!((c.transactions, c.bytes), (1, 128));
    assert_eq!(out.iter().map(|(_, r)| (r.transactions, r.bursts)).collect::<Vec<_>>(), [(1, 4)]);
    let (c, out) = run(&STRICT, 8, 0x00f0, |l| 0x1000 + 8 * l);
    assert_eq!((c.transactions, c.bytes, out.len(), out[0].1.bursts), (1, 128, 1, 4));
    assert_eq!(run(&STRICT, 8, 0xffff, |l| 0x1040 + 8 * l).0.transactions, 16, "aligned to 64 only");
}

#[test]
fn words_of_16_bytes_are_two_128_byte_transactions() {
    let (c, out) = run(&STRICT, 16, u32::MAX, |l| 0x1000 + 16 * l);
    assert_eq!((c.transactions, c.bytes, c.coalesced_groups), (4, 512, 2));
    assert_eq!(out.iter().map(|(_, r)| (r.transactions, r.bursts)).collect::<Vec<_>>(), [(1, 4); 4]);
    assert_eq!(run(&STRICT, 16, 0xff00, |l| 0x1000 + 16 * l).0.transactions, 1, "half of it idle");
    assert_eq!(run(&STRICT, 16, 0xffff, |l| 0x1080 + 16 * l).0.transactions, 16, "aligned to 128 only");
}

#[test]
fn scattered_words_of_16_bytes_use_one_message_per_half_chunk() {
    let (c, out) = run(&STRICT, 16, 0xffff, |l| 0x1000 + 16 * (15 - l % 16));
    assert_eq!((c.transactions, c.bytes, out.len()), (16, 512, 2));
    assert_eq!(out.iter().map(|(_, r)| (r.transactions, r.bursts)).collect::<Vec<_>>(), [(8, 8); 2]);
    let (c, out) = run(&STRICT, 16, 0xffff, |_| 0x1010);
    assert_eq!((c.transactions, out.len(), out[0].1.transactions), (16, 1, 16), "one word for all");
    for (same_word, transfers) in [(SameWord::OneBurst, 16), (SameWord::OneTransfer, 1)] {
        let (c, out) = run(&LsuConfig { same_word, ..STRICT }, 16, 0xffff, |_| 0x1010);
        assert_eq!((c.transactions, out[0].1.transfers, out[0].1.bursts), (16, transfers, 1));
    }
}

#[test]
fn bytes_never_coalesce() {
    assert_eq!(run(&STRICT, 1, 0xffff, |l| 0x1000 + l).0.transactions, 16);
}

#[test]
fn equal_words_are_merged_only_if_configured() {
    // One word for all lanes, and two words.
    for (same_word, one, two) in [
        (SameWord::Apart, (16, 16), (16, 16)),
        (SameWord::OneBurst, (16, 1), (16, 2)),
        (SameWord::OneTransfer, (1, 1), (2, 2)),
    ] {
        let rule = LsuConfig { same_word, ..STRICT };
        let sent = |address: fn(u32) -> u32| {
            let (c, out) = run(&rule, 4, 0xffff, address);
            assert_eq!((c.transactions, out[0].1.transactions), (16, 16), "the rule counts each lane");
            (out[0].1.transfers, out[0].1.bursts)
        };
        assert_eq!((sent(|_| 0x1008), sent(|l| 0x1008 + 64 * (l % 2))), (one, two), "{same_word:?}");
    }
}

/// For random accesses: exactly one message carries each lane and covers its address. The costs of
/// the messages sum to the counts of the rule. If several lanes access one word, the message of a
/// higher lane is not before the message of a lower lane.
///
/// Tests: `every-lane-once`.
#[test]
fn messages_carry_every_lane_once_with_the_cost_of_the_rule() {
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    for round in 0..6_000 {
        let bytes = [1, 2, 4, 8, 16][round % 5];
        let config = [STRICT, segments::RULE, lines::RULE][round % 3];
        let reach = 1 << rng.random_range(3..12);
        let mask = if rng.random_bool(0.5) { u32::MAX } else { rng.random_range(1..u32::MAX) };
        let addr = std::array::from_fn(|_| 0x1000 + rng.random_range(0..reach) / bytes * bytes);
        let access = Access { bytes, store: rng.random_bool(0.5), mask, addr, ..Access::new() };
        let (c, out) = make(&config, 32, &access);
        let sum = |f: fn(&Request) -> u8| out.iter().map(|(_, r)| u32::from(f(r))).sum::<u32>();
        assert_eq!(sum(|r| r.transactions), c.transactions, "{access:?}");
        assert_eq!(sum(|r| r.bursts) * 32, c.bytes, "{access:?}");
        let values = |lane: u32| (0..4).map(move |word| 4 * lane + word);
        let words = std::array::from_fn(|word| std::array::from_fn(|lane| 4 * lane as u32 + word as u32));
        let (_, stored) = make_messages(&config, 32, &Access { words, store: true, ..access.clone() });
        assert_eq!(stored.list.len(), stored.words.len());
        for ((_, request), data) in stored.list.iter().zip(&stored.words).filter(|_| bytes == 16) {
            // Memory keeps the value of the highest lane in the message.
            for (k, lane) in crate::sm::scheduler::bits(request.lanes.into()).enumerate() {
                let same = |other: &u32| {
                    request.lanes >> other & 1 == 1 && addr[*other as usize] == addr[lane as usize]
                };
                let last = (0..32).filter(same).max().expect("the lane itself");
                let place = quad(request.quads, k);
                assert!(data[place..place + 4].iter().copied().eq(values(last)), "{access:?}");
            }
        }
        let mut travelled = 0;
        for (place, (link, request)) in out.iter().enumerate() {
            assert_eq!(u32::from(*link), request.chunk / 256 % 6);
            assert_eq!(request.lanes & travelled, 0, "{access:?}");
            travelled |= request.lanes;
            for (k, lane) in crate::sm::scheduler::bits(request.lanes.into()).enumerate() {
                assert_eq!(request.chunk + u32::from(request.offset[k]), addr[lane as usize]);
                let higher = |other: &u32| request.lanes >> other & 1 == 0 && *other > lane;
                let same =
                    (0..32).filter(higher).filter(|other| addr[*other as usize] == addr[lane as usize]);
                for other in same.filter(|other| mask >> other & 1 == 1) {
                    assert!(out[place..].iter().any(|(_, r)| r.lanes >> other & 1 == 1), "{access:?}");
                }
            }
        }
        assert_eq!(travelled, mask, "{access:?}");
    }
}
