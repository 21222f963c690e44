//! Ideal coalescing under each rule.

use super::*;

/// The rules.
const RULES: [LsuConfig; 3] = [STRICT, segments::RULE, lines::RULE];

fn ideal(rule: LsuConfig) -> LsuConfig {
    LsuConfig { ideal_coalescing: true, ..rule }
}

#[test]
fn a_group_has_the_transactions_of_consecutive_words() {
    // All lanes read one word: one burst for each half-warp.
    let (c, out) = run(&ideal(STRICT), 4, u32::MAX, |_| 0x1004);
    assert_eq!((c.transactions, c.bytes, c.coalesced_groups), (2, 64, 2));
    let costs = |out: &[Addressed]| {
        out.iter().map(|(_, r)| (r.transactions, r.transfers, r.bursts)).collect::<Vec<_>>()
    };
    assert_eq!(costs(&out), [(1, 1, 1), (1, 1, 1)]);
    // Misaligned words: the bursts that they touch.
    let (c, _) = run(&ideal(STRICT), 4, 0xffff, |l| 0x1004 + 4 * l);
    assert_eq!((c.transactions, c.bytes), (1, 96));
    // A column: one transaction of the load/store unit, but still a message for each chunk.
    let (c, out) = run(&ideal(STRICT), 4, 0x000f, |l| 0x1000 + 1024 * l);
    assert_eq!((c.transactions, c.bytes), (1, 128));
    assert_eq!(costs(&out), [(1, 1, 1), (0, 1, 1), (0, 1, 1), (0, 1, 1)]);
    // Words of 16 bytes need two transactions for each half-warp of capability 1.x.
    assert_eq!(run(&ideal(STRICT), 16, 0xffff, |l| 0x1000 + 16 * l).0.transactions, 2);
    // Lines keep their sectors, because an L1 needs them.
    let (c, out) = run(&ideal(lines::RULE), 4, u32::MAX, |l| 0x1004 + 4 * l);
    assert_eq!((c.transactions, c.bytes), (1, 256));
    assert_eq!(out.iter().map(|(_, r)| r.bursts).collect::<Vec<_>>(), [4, 4]);
}

/// Only costs become smaller: the messages and their lanes stay.
#[test]
fn ideal_coalescing_never_costs_more() {
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    for _ in 0..2_000 {
        let rule = RULES[rng.random_range(0..RULES.len())];
        let bytes = [1, 2, 4, 8, 16][rng.random_range(0..5)];
        let spread = 1 << rng.random_range(0..14);
        let addr = std::array::from_fn(|_| bytes * (0x1000 + rng.random_range(0..spread)));
        let access = Access { bytes, mask: rng.random(), store: rng.random(), addr, ..Access::new() };
        let burst_bytes = [16, 32, 64][rng.random_range(0..3)];
        let (usual, before) = make(&rule, burst_bytes, &access);
        let (better, after) = make(&ideal(rule), burst_bytes, &access);
        assert!(better.transactions <= usual.transactions && better.bytes <= usual.bytes, "{access:?}");
        assert_eq!(before.len(), after.len());
        for ((link, old), (new_link, new)) in before.iter().zip(&after) {
            assert_eq!(
                (link, old.lanes, old.chunk, old.offset),
                (new_link, new.lanes, new.chunk, new.offset)
            );
            assert!(new.transactions <= old.transactions && new.transfers <= old.transfers);
            assert!((1..=old.bursts).contains(&new.bursts));
        }
    }
}
