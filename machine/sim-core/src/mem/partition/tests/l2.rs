//! The L2: exact cycles of hits, misses, merges and atomics, computed by hand, and the bytes moved
//! to and from the DRAM.

use super::{alone, config, replies, request, run, send};
use crate::cache::{Replacement, SetIndex};
use crate::config::{L2Config, PartitionConfig, WritePolicy};
use crate::mem::partition::{L2Counters, Partition};
use crate::time::message::{PartitionOutbox, Request, RequestKind};
use isa::sem::atomic::Operation;

/// A cache of two sets of two lines.
const CACHE: L2Config = L2Config {
    bytes: 512,
    ways: 2,
    hit_cycles: 20,
    sector_cycles: 3,
    misses: 2,
    writes: WritePolicy::WriteBack,
    replacement: Replacement::Lru,
    index: SetIndex::Modulo,
};

fn cached(l2: L2Config) -> PartitionConfig {
    PartitionConfig { l2: Some(l2), ..config() }
}

/// Runs a partition with `l2` to its end. Each request arrives at its cycle, on a separate link.
fn after(l2: L2Config, requests: &[(u64, Request)]) -> (Partition, PartitionOutbox) {
    let mut partition = alone(&cached(l2), requests.len());
    let mut out = PartitionOutbox::new(requests.len());
    for (link, (at, request)) in requests.iter().enumerate() {
        send(&mut partition, link, *at, *request);
    }
    run(&mut partition, 0..5_000, &mut out);
    assert!(partition.quiet());
    (partition, out)
}

/// Returns the departures of the replies for each link: arrivals minus the latency of the crossbar.
fn departures(out: &PartitionOutbox) -> Vec<Vec<u64>> {
    let of = |link| replies(out, link).iter().map(|(at, _)| at - 40).collect();
    (0..out.to_cluster.len()).map(of).collect()
}

fn counters(partition: &mut Partition) -> (L2Counters, u64, u64) {
    let all = partition.counters(10_000);
    (all.l2, all.dram.reads, all.dram.writes)
}

fn load(chunk: u32) -> Request {
    request(RequestKind::Load, 7, chunk)
}

/// Tests: `cache-times`.
#[test]
fn a_miss_has_the_dram_latency_and_a_hit_has_the_l2_latency() {
    let mut partition = alone(&cached(CACHE), 1);
    let mut out = PartitionOutbox::new(1);
    send(&mut partition, 0, 100, load(0));
    // The same cycles as without a cache: see `an_unloaded_load`.
    run(&mut partition, 0..209, &mut out);
    assert!(replies(&out, 0).is_empty());
    run(&mut partition, 209..210, &mut out);
    assert_eq!(replies(&out, 0), [(209 + 40, 7)]);
    // Core cycle 128 is the first after 300 and begins at 300.5: the request is accepted and looked
    // up at 301. The hit takes 20 cycles, and 64 bytes at 8 bytes per cycle take 8.
    send(&mut partition, 0, 300, load(0));
    assert_eq!(partition.next_wake(250), 301);
    run(&mut partition, 210..329, &mut out);
    assert_eq!(replies(&out, 0).len(), 1);
    run(&mut partition, 329..330, &mut out);
    assert_eq!(replies(&out, 0)[1], (301 + 20 + 8 + 40, 7));
    let (l2, reads, writes) = counters(&mut partition);
    assert_eq!((l2.read_sector_queries, l2.read_sector_misses, reads, writes), (4, 2, 2, 0));
    assert!(partition.quiet());
}

#[test]
fn a_second_miss_on_outstanding_sectors_waits_for_the_same_fetch() {
    // Accepted at 0 and 5; the data arrive at 100: see `replies_queue_for_the_port`.
    let (mut partition, out) = after(CACHE, &[(0, load(0)), (0, load(0))]);
    assert_eq!(departures(&out), [[100 + 8], [100 + 16]]);
    let (l2, reads, _) = counters(&mut partition);
    assert_eq!((l2.read_sector_misses, reads), (4, 2), "both requests miss, and the DRAM reads once");
}

#[test]
fn a_look_up_occupies_the_cache_for_each_sector() {
    // Both lines are valid. The requests are accepted at 1000 and 1005, but each look-up takes 6
    // cycles for each of two sectors.
    let slow = L2Config { sector_cycles: 6, ..CACHE };
    let (_, out) = after(slow, &[(0, load(0)), (0, load(128)), (1000, load(0)), (1000, load(128))]);
    // Core cycle 426 begins at 1000.2, which is shader cycle 1001; the second request is looked up
    // 12 later.
    assert_eq!(departures(&out)[2..], [[1001 + 20 + 8], [1001 + 12 + 20 + 8]]);
}

#[test]
fn a_completely_written_sector_needs_no_dram_read() {
    let store = request(RequestKind::Store, 0, 0);
    let (mut partition, out) = after(CACHE, &[(0, store), (1000, load(0))]);
    assert_eq!(departures(&out)[1], [1001 + 20 + 8]);
    let (l2, reads, writes) = counters(&mut partition);
    assert_eq!((l2.read_sector_misses, reads, writes, l2.dirty_sectors), (0, 0, 0, 2));
    // The flush at the end writes it back.
    partition.flush();
    let mut out = PartitionOutbox::new(2);
    run(&mut partition, 5_000..6_000, &mut out);
    let (l2, reads, writes) = counters(&mut partition);
    assert_eq!((reads, writes, l2.written_bytes, l2.dirty_sectors), (0, 2, 64, 0));
}

#[test]
fn unwritten_bytes_are_fetched_when_they_are_read() {
    let part = Request { lanes: 0xff, sectors: 0b0001, ..request(RequestKind::Store, 0, 0) };
    let odd = Request { lanes: 1, bytes: 1, sectors: 0b0001, ..part };
    let (mut partition, _) = after(CACHE, &[(0, odd), (1000, load(0))]);
    let (l2, reads, _) = counters(&mut partition);
    assert_eq!((l2.read_sector_misses, reads), (2, 2), "only one byte of the first sector is valid");
    let (mut partition, _) = after(CACHE, &[(0, part), (1000, load(0))]);
    let (l2, reads, _) = counters(&mut partition);
    assert_eq!((l2.read_sector_misses, reads), (1, 1), "the first sector is valid");
}

#[test]
fn the_least_recently_used_line_is_written_back_when_it_is_evicted() {
    let store = |chunk| request(RequestKind::Store, 0, chunk);
    // Lines 0, 2 and 4 are in the same set of two.
    let (mut partition, _) =
        after(CACHE, &[(0, store(0)), (100, load(256)), (500, load(0)), (900, load(512)), (1300, load(0))]);
    let (l2, reads, writes) = counters(&mut partition);
    assert_eq!(
        (reads, writes, l2.read_sector_misses),
        (4, 0, 4),
        "the line at 256 was evicted, which was clean"
    );
    let (mut partition, _) =
        after(CACHE, &[(0, store(0)), (100, load(256)), (900, load(512)), (1300, load(0))]);
    let (l2, reads, writes) = counters(&mut partition);
    assert_eq!((reads, writes, l2.written_bytes), (6, 2, 64), "the line at 0 was evicted and read again");
}

/// A store without its line allocates none, and a line that is present stays valid.
#[test]
fn each_store_is_written_through_and_the_line_stays_clean() {
    let through = L2Config { writes: WritePolicy::WriteThrough, ..CACHE };
    let store = request(RequestKind::Store, 0, 0);
    let (mut partition, _) = after(through, &[(0, store), (1000, store), (2000, load(0))]);
    let (l2, reads, writes) = counters(&mut partition);
    assert_eq!((reads, writes, l2.written_bytes), (2, 4, 128), "no line is allocated");
    let (mut partition, out) = after(through, &[(0, load(0)), (1000, store), (2000, load(0))]);
    assert_eq!(departures(&out)[2], [2001 + 20 + 8], "the line is valid");
    let (l2, reads, writes) = counters(&mut partition);
    assert_eq!((reads, writes, l2.dirty_sectors), (2, 2, 0));
    partition.flush();
    run(&mut partition, 5_000..6_000, &mut PartitionOutbox::new(3));
    assert_eq!(counters(&mut partition).0, l2, "nothing is left to write");
    // An atomic needs its sector, and brings its line.
    let atomic = Request { lanes: 1, sectors: 1, ..request(RequestKind::Atomic(Operation::Add), 7, 0) };
    let (mut partition, _) = after(through, &[(0, atomic), (1000, atomic)]);
    let (l2, reads, writes) = counters(&mut partition);
    assert_eq!((l2.atomic_sector_misses, reads, writes, l2.dirty_sectors), (1, 1, 2, 0));
}

/// With error correction, a store of a part of a sector reads the sector, unless it is valid.
#[test]
fn a_part_of_a_sector_is_written_through_after_its_read() {
    let through = L2Config { writes: WritePolicy::WriteThrough, ..CACHE };
    let mut config = cached(through);
    config.dram.ecc_bursts = 7;
    let moved = |requests: &[Request]| {
        let mut partition = alone(&config, 1);
        for (turn, request) in requests.iter().enumerate() {
            send(&mut partition, 0, 1_000 * turn as u64, *request);
        }
        run(&mut partition, 0..5_000, &mut PartitionOutbox::new(1));
        let l2 = counters(&mut partition).0;
        (l2.read_bytes, l2.written_bytes)
    };
    let whole = request(RequestKind::Store, 0, 0);
    let part = Request { lanes: 0x3ff, ..whole };
    assert_eq!(moved(&[whole, whole]), (0, 128));
    assert_eq!(moved(&[part, part]), (64, 128), "the second sector has 8 of 32 bytes");
    assert_eq!(moved(&[load(0), part, part]), (64, 128), "the line is valid");
}

/// With error correction, a sector that is written in part is read before it is written back: when
/// its line is evicted, and at the end of a launch.
#[test]
fn error_correction_reads_a_partly_written_sector_before_its_write_back() {
    let whole = request(RequestKind::Store, 0, 0);
    let part = Request { lanes: 0x3ff, ..whole };
    let bytes_moved = |ecc_bursts, store: Request| {
        let mut config = cached(CACHE);
        config.dram.ecc_bursts = ecc_bursts;
        let mut partition = alone(&config, 1);
        let mut out = PartitionOutbox::new(1);
        send(&mut partition, 0, 0, store);
        // Two other lines of its set evict the line at 0; then one store remains for the end.
        for (at, chunk) in [(100, 256), (900, 512)] {
            send(&mut partition, 0, at, load(chunk));
        }
        send(&mut partition, 0, 1_300, Request { chunk: 128, ..store });
        run(&mut partition, 0..5_000, &mut out);
        let at_eviction = counters(&mut partition).0;
        partition.flush();
        run(&mut partition, 5_000..6_000, &mut out);
        let at_end = counters(&mut partition).0;
        let moved = |c: L2Counters| (c.read_bytes - 128, c.written_bytes);
        (moved(at_eviction), moved(at_end))
    };
    assert_eq!(bytes_moved(0, part), ((0, 64), (0, 128)), "no error correction");
    assert_eq!(bytes_moved(7, whole), ((0, 64), (0, 128)), "whole sectors");
    assert_eq!(bytes_moved(7, part), ((32, 64), (64, 128)), "the second sector has 8 of 32 bytes");
}

/// Tests: `cache-times`.
#[test]
fn a_miss_waits_for_a_free_mshr() {
    let one = L2Config { misses: 1, ..CACHE };
    let (_, out) = after(one, &[(0, load(0)), (0, load(128)), (0, load(128))]);
    // The first fetch completes at 100. Then the second one enters the pipeline: command cycle 87
    // is the first that begins at 130 or later (130.5), and the row is open. The reads are at 87
    // and 89, the data end at 101 (151.5, so 152), and the reply is ready 31 later.
    assert_eq!(departures(&out)[..2], [[108], [152 + 31 + 8]]);
    assert_eq!(departures(&out)[2], [152 + 31 + 16], "merged into the second fetch");
}

/// Tests: `cache-times`.
#[test]
fn atomics_on_one_word_are_serialized() {
    let atomic = |lanes: u32, first: u8, crowd: u8| Request {
        lanes,
        sectors: 0b0001,
        transactions: crowd,
        offset: std::array::from_fn(|k| if crowd > 1 { first } else { first + 4 * k as u8 }),
        ..request(RequestKind::Atomic(Operation::Add), 7, 0)
    };
    let there = (0, load(0));
    // Accepted at 1001 and 1005, and the third at 1010. Look-ups are at least one sector (3 cycles)
    // apart.
    let (_, out) =
        after(CACHE, &[there, (1000, atomic(1, 0, 1)), (1000, atomic(1, 0, 1)), (1000, atomic(1, 4, 1))]);
    // Each reply is a sector, which takes 4 cycles at the port. The second request waits until the
    // word is free; the third waits behind it, and for the port.
    assert_eq!(departures(&out)[1..], [[1001 + 20 + 4], [1010 + 20 + 4], [1034 + 4]]);
    // Four lanes on one word take three times 9 cycles longer than one lane. (The arbiter is busy
    // for the same number of transactions.)
    let (_, out) = after(CACHE, &[there, (1000, atomic(0xf, 0, 4))]);
    assert_eq!(departures(&out)[1], [1001 + 27 + 20 + 4]);
    let (_, out) = after(CACHE, &[there, (1000, atomic(0xf, 0, 1))]);
    assert_eq!(departures(&out)[1], [1001 + 20 + 4], "four different words");
}
