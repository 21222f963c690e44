//! Random traffic: ticking every shader cycle or only at the wake-up times gives the same messages,
//! bytes and counters.

use super::{config, link, send_words};
use crate::cache::{Replacement, SetIndex};
use crate::config::{Clocks, CrossbarConfig, L2Config, PartitionConfig, PcieConfig, WritePolicy};
use crate::mem::image::PartitionImage;
use crate::mem::map::AddressMap;
use crate::mem::partition::{Partition, PartitionCounters};
use crate::time::NEVER;
use crate::time::message::{PartitionOutbox, REQUEST_LANES, Request, RequestKind, Words};
use isa::sem::atomic::Operation;
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

struct Setup {
    map: AddressMap,
    config: PartitionConfig,
    clocks: Clocks,
    crossbar: CrossbarConfig,
    clusters: usize,
    /// First address of mapped host memory, and the link.
    mapped: Option<(u32, PcieConfig)>,
}

fn random_setup(rng: &mut ChaCha8Rng) -> Setup {
    let mut config = config();
    config.arbiter_cycles = rng.random_range(1..5);
    config.pipeline_cycles = rng.random_range(0..200);
    config.input_bytes_per_cycle = rng.random_range(8..65);
    config.reply_header_cycles = rng.random_range(0..4);
    config.reply_bytes_per_cycle = rng.random_range(1..33);
    config.atomic_cycles = rng.random_range(1..20);
    config.dram.queue = rng.random_range(1..24);
    config.dram.starvation = rng.random_range(0..400);
    if rng.random() {
        let ways = rng.random_range(1..4);
        let seed = rng.random_range(0..9);
        let replacement = [
            Replacement::Lru,
            Replacement::Fifo,
            Replacement::Random { seed },
            Replacement::Biased { seed },
            if ways == 3 { Replacement::Lru } else { Replacement::PseudoLru },
        ][rng.random_range(0..5)];
        let index = if rng.random() { SetIndex::Modulo } else { SetIndex::Hashed };
        config.l2 = Some(L2Config {
            bytes: 128 * ways * rng.random_range(1..9),
            ways,
            hit_cycles: rng.random_range(0..60),
            sector_cycles: rng.random_range(1..5),
            misses: rng.random_range(1..9),
            replacement,
            index,
            writes: if rng.random() { WritePolicy::WriteBack } else { WritePolicy::WriteThrough },
        });
    }
    if rng.random() {
        config.dram.ecc_bursts = rng.random_range(1..9);
    }
    if rng.random() {
        (config.dram.timing.refi, config.dram.timing.rfc) = (500, 70);
    }
    let clocks = Clocks {
        shader_khz: 1_350,
        core_khz: rng.random_range(200..1_600),
        memory_khz: rng.random_range(200..3_000),
    };
    let crossbar = CrossbarConfig { latency: rng.random_range(8..100), depth: rng.random_range(1..10) };
    let (map, clusters) = (AddressMap::new(256, 3), rng.random_range(1..6));
    Setup { map, config, clocks, crossbar, clusters, mapped: None }
}

/// Adds mapped memory, between addresses that have requests.
fn with_mapped(mut setup: Setup, rng: &mut ChaCha8Rng) -> Setup {
    let chunks = if setup.config.l2.is_some() { 20 } else { 200 };
    let rate = 1000 * 3 * rng.random_range(200..20_000);
    let link = link(rate, rng.random_range(1..1_000_000));
    setup.mapped = Some((256 * 3 * rng.random_range(1..chunks), link));
    setup
}

fn random_request(rng: &mut ChaCha8Rng) -> Request {
    let kind = match rng.random_range(0..10) {
        0 => RequestKind::Fence,
        1..4 => RequestKind::Store,
        _ => RequestKind::Load,
    };
    let bytes = 1 << rng.random_range(0..5);
    let lanes = rng.next_u32() & if bytes >= 8 { 0xff00 } else { 0xffff };
    let transactions = rng.random_range(1..17);
    Request {
        kind,
        sm: rng.random_range(0..3),
        tag: rng.random(),
        bytes,
        transactions,
        transfers: rng.random_range(1..=transactions),
        bursts: rng.random_range(1..=transactions),
        sectors: 0,
        lanes,
        // Chunks of partition 1.
        chunk: 256 * (1 + 3 * rng.random_range(0..200)),
        offset: std::array::from_fn(|_| rng.random::<u8>() & !(bytes - 1)),
        // The first lane's words last.
        quads: if bytes == 16 { 0x0123_4567 } else { 0 },
    }
}

/// Returns a request that stays within one line, as Fermi's coalescing rule requires.
fn request_of_a_line(rng: &mut ChaCha8Rng) -> Request {
    let mut request = random_request(rng);
    request.kind = match (request.kind, rng.random_range(0..8)) {
        (RequestKind::Load, 0) => RequestKind::LocalLoad,
        (RequestKind::Load, 1) if matches!(request.bytes, 4 | 8) => RequestKind::Atomic(Operation::Add),
        (RequestKind::Store, 0) => RequestKind::LocalStore,
        (RequestKind::Store, 1) if matches!(request.bytes, 4 | 8) => RequestKind::Reduction(Operation::Xor),
        (kind, _) => kind,
    };
    request.lanes |= 1 << 31;
    request.lanes &= if request.bytes >= 8 { 0xff00_0000 } else { 0xffff_0000 };
    request.chunk = 256 * (1 + 3 * rng.random_range(0..20));
    let half = rng.random_range(0..2) * 128;
    request.offset = request.offset.map(|offset| half + offset % 128);
    let lanes = request.lanes.count_ones() as usize;
    let touched = request.offset[..lanes].iter().fold(0, |mask, offset| mask | 1 << (offset % 128 / 32));
    request.sectors = if request.kind == RequestKind::Load && rng.random() { 0xf } else { touched };
    request
}

/// The cycles in which a partition is ticked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ticks {
    /// In every cycle.
    Every,
    /// At its wake-up times.
    Wakes,
    /// At the cycles that [`Partition::run`] chooses.
    Run,
}

/// Sends as many requests as the credits allow. Returns all messages, the bytes, the counters and
/// the number of ticks.
fn simulate(
    setup: &Setup,
    seed: u64,
    when: Ticks,
) -> (PartitionOutbox, PartitionImage, PartitionCounters, u64) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let Setup { map, config, clocks, crossbar, clusters, mapped } = setup;
    let mut partition =
        Partition::new(1, *map, config, *clocks, *crossbar, *clusters, PartitionImage::default());
    if let Some((from, link)) = mapped {
        partition.map_host(*from, link, clocks.shader_khz);
    }
    let mut out = PartitionOutbox::new(*clusters);
    let window = u64::from(crossbar.latency);
    let (mut seen, mut room, mut ticks) = (vec![0; *clusters], vec![crossbar.depth; *clusters], 0);
    let (mut start, mut left) = (0, 400);
    while left > 0 || !partition.quiet() {
        for cluster in 0..*clusters {
            let credits = &out.to_cluster[cluster].credits;
            while credits.get(seen[cluster]).is_some_and(|arrival| *arrival < start + window) {
                room[cluster] += 1;
                seen[cluster] += 1;
            }
            let mut arrival = start;
            while left > 0 && room[cluster] > 0 && rng.random_range(0..8) != 0 {
                arrival += rng.random_range(0..window);
                if arrival >= start + window {
                    break;
                }
                let lines = config.l2.is_some();
                let request = if lines { request_of_a_line(&mut rng) } else { random_request(&mut rng) };
                send_words(&mut partition, cluster, arrival, request, rng.random());
                room[cluster] -= 1;
                left -= 1;
            }
        }
        let end = start + window;
        let mut now = start;
        while now < end {
            match when {
                Ticks::Every => {}
                Ticks::Wakes => now = partition.next_wake(now),
                Ticks::Run => {
                    ticks += partition.run(now, end, &mut out);
                    now = end;
                }
            }
            if now < end {
                partition.tick(now, &mut out);
                ticks += 1;
                now += 1;
            }
        }
        start += window;
        assert!(start < 10_000_000, "seed {seed}: {:?}", partition.stuck());
    }
    partition.flush();
    let mut now = partition.next_wake(start);
    while now != NEVER {
        partition.tick(now, &mut out);
        now = partition.next_wake(now + 1);
    }
    let counters = partition.counters(start + 20_000);
    (out, partition.take_image(), counters, ticks)
}

/// Tests: `early-ticks`, `bytes-are-conserved`.
#[test]
fn an_early_tick_changes_nothing() {
    let modes = [Ticks::Wakes, Ticks::Run];
    let mut skipped = [0; 2];
    for seed in 0..200 {
        let setup = random_setup(&mut ChaCha8Rng::seed_from_u64(seed));
        let every = simulate(&setup, seed, Ticks::Every);
        for (when, skipped) in modes.into_iter().zip(&mut skipped) {
            let skipping = simulate(&setup, seed, when);
            assert_eq!(every.0.to_cluster, skipping.0.to_cluster, "seed {seed}, {when:?}");
            assert!(every.1 == skipping.1, "seed {seed}, {when:?}: images differ");
            assert_eq!(every.2, skipping.2, "seed {seed}, {when:?}");
            *skipped += every.3 - skipping.3;
        }
        check_mail(&every.0, &every.2, &setup.config);
    }
    assert!(skipped.iter().all(|cycles| *cycles > 1_000_000), "only {skipped:?} cycles were skipped");
}

/// Tests: `early-ticks`, `mapped-link`.
#[test]
fn an_early_tick_changes_nothing_with_mapped_memory() {
    for seed in 1_000..1_200 {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let setup = random_setup(&mut rng);
        let setup = with_mapped(setup, &mut rng);
        let every = simulate(&setup, seed, Ticks::Every);
        for when in [Ticks::Wakes, Ticks::Run] {
            let skipping = simulate(&setup, seed, when);
            assert_eq!(every.0.to_cluster, skipping.0.to_cluster, "seed {seed}, {when:?}");
            assert!(every.1 == skipping.1, "seed {seed}, {when:?}: images differ");
            assert_eq!(every.2, skipping.2, "seed {seed}, {when:?}");
        }
        let counters = every.2;
        assert!(counters.mapped_read > 0 && counters.mapped_written > 0, "seed {seed}");
        assert!(counters.dram.bytes > 0, "seed {seed}");
    }
}

/// Checks that arrivals never decrease, and that there is one credit per request and one reply per
/// load and fence. The bytes that the DRAM moved are the bytes requested, or the bytes that the L2
/// requested.
fn check_mail(out: &PartitionOutbox, counters: &PartitionCounters, config: &PartitionConfig) {
    for mail in &out.to_cluster {
        assert!(mail.replies.is_sorted_by_key(|(arrival, _)| *arrival), "replies' arrivals decrease");
        assert!(mail.credits.is_sorted(), "credits' arrivals decrease");
    }
    let credits: usize = out.to_cluster.iter().map(|mail| mail.credits.len()).sum();
    let replies = || out.to_cluster.iter().flat_map(|mail| &mail.replies);
    let sent = replies().map(|(_, reply)| u64::from(reply.wire_bytes));
    assert_eq!(credits, 400);
    let taken = counters.loads + counters.stores + counters.local_loads + counters.local_stores;
    assert_eq!(taken + counters.atomics + counters.fences, 400);
    let answered = |kind: RequestKind| replies().filter(|(_, reply)| reply.kind == kind).count() as u64;
    assert_eq!(answered(RequestKind::Load), counters.loads);
    assert_eq!(answered(RequestKind::LocalLoad), counters.local_loads);
    assert_eq!(answered(RequestKind::Fence), counters.fences);
    assert_eq!(sent.sum::<u64>(), counters.reply_bytes);
    let (dram, cache) = (&counters.dram, &counters.l2);
    if config.l2.is_some() {
        assert_eq!((dram.reads * 32, dram.writes * 32), (cache.read_bytes, cache.written_bytes));
        assert_eq!(cache.dirty_sectors, 0, "all dirty sectors have been written back");
        // A reduction counts as an atomic but has no reply.
        let asked = 32 * (cache.read_sector_queries + cache.atomic_sector_queries);
        assert!((32 * cache.read_sector_queries..=asked).contains(&counters.reply_bytes));
        assert!(cache.read_sector_misses <= cache.read_sector_queries);
        return;
    }
    let accesses = dram.row_hits + dram.row_misses + dram.row_conflicts;
    assert_eq!(dram.bytes, 32 * (dram.reads + dram.writes));
    // Error correction reads bursts that a store writes in part.
    let read = (accesses - counters.loads - counters.stores, dram.reads * 32 - counters.reply_bytes);
    let correction = config.dram.ecc_bursts > 0;
    assert!(if correction { read.0 <= counters.stores && read.1 > 0 } else { read == (0, 0) }, "{read:?}");
}

/// Compares loaded values with a plain array that is read and written in the order of the credits.
///
/// Tests: `point-of-order`.
#[test]
fn values_follow_the_order_of_acceptance() {
    for seed in 0..50 {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut partition = super::alone(&config(), 1);
        let mut out = PartitionOutbox::new(1);
        let mut plain = vec![0_u8; 256 * 4];
        let mut expected = Vec::new();
        let mut now = 0;
        for tag in 0..200 {
            let mut request = random_request(&mut rng);
            (request.chunk, request.tag) = (256 * rng.random_range(0..4), tag);
            let words = rng.random();
            send_words(&mut partition, 0, now, request, words);
            let values = in_plain(&mut plain, &request, &words);
            expected.extend((request.kind == RequestKind::Load).then_some((tag, values)));
            let credits = super::credits(&out, 0).len();
            while super::credits(&out, 0).len() == credits {
                partition.tick(now, &mut out);
                now += 1;
            }
        }
        super::run(&mut partition, now..now + 20_000, &mut out);
        let loads = out.to_cluster[0].replies.iter().filter(|(_, reply)| reply.kind == RequestKind::Load);
        let mut got: Vec<_> = loads.map(|(_, reply)| (reply.tag, reply.data)).collect();
        got.sort_unstable();
        assert_eq!(got, expected, "seed {seed}");
    }
}

/// Performs a request on a plain array, byte by byte.
fn in_plain(plain: &mut [u8], request: &Request, data: &Words) -> Words {
    let mut words = [[0_u8; 4]; REQUEST_LANES];
    let bytes = usize::from(request.bytes);
    for lane in 0..request.lanes.count_ones() as usize {
        for byte in 0..bytes {
            let at = request.chunk as usize + usize::from(request.offset[lane]) + byte;
            let (word, place) = match bytes {
                8 => (2 * lane + byte / 4, byte % 4),
                16 => (4 * (7 - lane) + byte / 4, byte % 4),
                _ => (lane, byte),
            };
            match request.kind {
                RequestKind::Load => words[word][place] = plain[at],
                RequestKind::Store => plain[at] = data[word].to_le_bytes()[place],
                _ => {}
            }
        }
    }
    words.map(u32::from_le_bytes)
}
