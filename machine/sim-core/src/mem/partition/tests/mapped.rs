//! Mapped host memory: exact cycles on the link, and its rate.

use super::{CLOCKS, CROSSBAR, alone, config, credits, link, replies, request, run, send};
use crate::cache::{Replacement, SetIndex};
use crate::config::{L2Config, WritePolicy};
use crate::mem::partition::Partition;
use crate::time::message::{PartitionOutbox, RequestKind};
use isa::sem::atomic::Operation;

/// First address of mapped memory.
const MAPPED: u32 = 0x10000;

/// A partition whose link carries a byte in `cycles` shader cycles, with a latency of 1 µs: 1350
/// cycles.
fn mapped(cycles: u64, l2: bool) -> Partition {
    let mut config = config();
    config.l2 = l2.then_some(L2Config {
        bytes: 4096,
        ways: 4,
        hit_cycles: 20,
        sector_cycles: 1,
        misses: 8,
        writes: WritePolicy::WriteBack,
        replacement: Replacement::Lru,
        index: SetIndex::Modulo,
    });
    let mut partition = alone(&config, 1);
    partition.map_host(MAPPED, &link(1_350_000_000 / cycles, 1_000), CLOCKS.shader_khz);
    partition
}

/// Tests: `mapped-link`.
#[test]
fn an_unloaded_mapped_load() {
    for l2 in [false, true] {
        let mut partition = mapped(1, l2);
        let mut out = PartitionOutbox::new(1);
        send(&mut partition, 0, 100, request(RequestKind::Load, 7, MAPPED));
        run(&mut partition, 0..102, &mut out);
        // Accepted at 101, as a load of device memory. The link carries 64 bytes in 64 cycles.
        // After the latency follow 8 cycles of the reply port.
        assert_eq!(credits(&out, 0), [101 + 40]);
        let departure = 101 + 64 + 1350 + 8;
        assert_eq!(partition.next_wake(102), departure);
        run(&mut partition, 102..departure, &mut out);
        assert!(replies(&out, 0).is_empty());
        assert!(!partition.quiet());
        run(&mut partition, departure..departure + 1, &mut out);
        assert_eq!(replies(&out, 0), [(departure + 40, 7)]);
        assert!(partition.quiet());
        let counters = partition.counters(5_000);
        assert_eq!((counters.loads, counters.load_bytes, counters.reply_bytes), (1, 64, 64));
        assert_eq!((counters.mapped_read, counters.mapped_written), (64, 0));
        assert_eq!((counters.dram.bytes, counters.l2.read_sector_queries), (0, 0));
    }
}

/// The last address below mapped memory is device memory.
#[test]
fn only_mapped_memory_crosses_the_link() {
    let mut partition = mapped(1, false);
    let mut out = PartitionOutbox::new(1);
    send(&mut partition, 0, 0, request(RequestKind::Load, 0, MAPPED - 256));
    send(&mut partition, 0, 0, request(RequestKind::Load, 1, MAPPED));
    run(&mut partition, 0..3_000, &mut out);
    let tags: Vec<u16> = replies(&out, 0).iter().map(|(_, tag)| *tag).collect();
    assert_eq!(tags, [0, 1]);
    let counters = partition.counters(3_000);
    assert_eq!((counters.mapped_read, counters.dram.bytes), (64, 64));
}

/// Tests: `mapped-link`.
#[test]
fn the_arbiter_waits_while_a_write_waits_for_the_link() {
    for l2 in [false, true] {
        let mut partition = mapped(2, l2);
        let mut out = PartitionOutbox::new(1);
        for tag in 0..4 {
            send(&mut partition, 0, 0, request(RequestKind::Store, tag, MAPPED));
        }
        run(&mut partition, 0..1_000, &mut out);
        // The link carries the first store from 0 to 128. The second is accepted at 5, when the
        // arbiter is free, and occupies the arbiter until 128: core cycle 55 begins at 130 (129.1).
        // The third occupies it until 256: core cycle 109 begins then (255.9).
        assert_eq!(credits(&out, 0), [40, 5 + 40, 130 + 40, 256 + 40]);
        assert_eq!(partition.counters(1_000).mapped_written, 256);
        assert_eq!(partition.counters(1_000).dram.bytes, 0);
        assert!(partition.quiet());
    }
}

/// Tests: `mapped-link`.
#[test]
fn the_directions_are_independent_and_each_is_saturated() {
    let mut partition = mapped(3, false);
    let mut out = PartitionOutbox::new(1);
    for tag in 0..8 {
        let kind = if tag % 2 == 0 { RequestKind::Load } else { RequestKind::Store };
        send(&mut partition, 0, 0, request(kind, tag, MAPPED));
    }
    run(&mut partition, 0..10_000, &mut out);
    // Loads and stores alternate. The arbiter accepts the load after a store when the link carries
    // the store, so the loads follow each other without a gap from the second on.
    let arrival = |bytes: u64| 3 * bytes + 1350 + 8 + 40;
    let expected: Vec<(u64, u16)> = (0..4).map(|k| (arrival(64 * (k + 1)), 2 * k as u16)).collect();
    assert_eq!(replies(&out, 0), expected);
    assert_eq!(partition.counters(9_000).mapped_read, 256);
    assert_eq!(partition.counters(9_000).mapped_written, 256);
}

#[test]
fn an_atomic_crosses_the_link_in_both_directions() {
    for l2 in [false, true] {
        let mut partition = mapped(1, l2);
        let mut out = PartitionOutbox::new(1);
        send(&mut partition, 0, 0, request(RequestKind::Atomic(Operation::Add), 3, MAPPED));
        run(&mut partition, 0..3_000, &mut out);
        assert_eq!(replies(&out, 0), [(64 + 1350 + 8 + 40, 3)]);
        let counters = partition.counters(3_000);
        assert_eq!((counters.mapped_read, counters.mapped_written, counters.dram.bytes), (64, 64, 0));
    }
    assert_eq!(CROSSBAR.latency, 40);
}
