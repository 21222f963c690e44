//! How long the simulator takes for one request to a partition, all in. A measurement, not a test: run it with
//! `cargo test --release -p sim-core --test partition_speed -- --ignored --nocapture`.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use sim_core::config::{Chip, CrossbarConfig};
use sim_core::mem::image::PartitionImage;
use sim_core::mem::map::AddressMap;
use sim_core::mem::partition::Partition;
use sim_core::time::message::{PartitionOutbox, REQUEST_LANES, Request, RequestKind};
use std::time::Instant;

const CLUSTERS: usize = 8;
const REQUESTS: u32 = 1_000_000;

/// Requests that are made beforehand and sent over and over, so that the caches hold them.
const PREPARED: u32 = 16_000;

/// Chunk and request of the n-th request of a pattern.
type Pattern = fn(u32, &mut ChaCha8Rng) -> Request;

fn request(kind: RequestKind, chunk: u32, transactions: u8, bursts: u8) -> Request {
    let offset = std::array::from_fn(|k| if transactions == 1 { 4 * k as u8 } else { 0 });
    let lanes = 0xffff;
    Request {
        kind,
        sm: 0,
        tag: 0,
        bytes: 4,
        transactions,
        transfers: transactions,
        bursts,
        sectors: 0,
        lanes,
        chunk,
        offset,
        quads: 0,
        data: [1; REQUEST_LANES],
    }
}

fn streaming(n: u32, _: &mut ChaCha8Rng) -> Request {
    let kind = if n % 4 == 3 { RequestKind::Store } else { RequestKind::Load };
    request(kind, n / 4 * 256, 1, 2)
}

fn random(_: u32, rng: &mut ChaCha8Rng) -> Request {
    let kind = if rng.random_range(0..4) == 0 { RequestKind::Store } else { RequestKind::Load };
    request(kind, rng.random_range(0..1 << 14) * 256, 1, 2)
}

fn broadcast(n: u32, _: &mut ChaCha8Rng) -> Request {
    if n.is_multiple_of(2) {
        request(RequestKind::Load, n / 64 * 256, 16, 16)
    } else {
        request(RequestKind::Load, (1 << 22) + n / 2 % 4096 * 256, 1, 2)
    }
}

#[test]
#[ignore = "a measurement"]
fn nanoseconds_per_request() {
    let chip = Chip::builtin("g80").expect("the G80 is built in");
    let (config, clocks, crossbar) = (chip.partition, chip.clocks, chip.crossbar);
    let patterns: [(&str, Pattern); 3] =
        [("streaming", streaming), ("random", random), ("broadcast", broadcast)];
    for (name, pattern) in patterns {
        let map = AddressMap::new(256, 1);
        let mut partition =
            Partition::new(0, map, &config, clocks, crossbar, CLUSTERS, PartitionImage::default());
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let traffic: Vec<Request> = (0..PREPARED).map(|n| pattern(n, &mut rng)).collect();
        let start = Instant::now();
        let cycles = drive(&mut partition, crossbar, &traffic);
        let spent = start.elapsed();
        let counters = partition.counters(cycles);
        println!(
            "{name:>10}: {:6.1} ns per request; {:.2} hot cycles per request, data bus {:.0} % busy, {:.0} % row hits",
            spent.as_secs_f64() * 1e9 / f64::from(REQUESTS),
            cycles as f64 / f64::from(REQUESTS),
            100.0 * counters.dram.data_busy as f64 / (cycles as f64 * 900.0 / 1350.0),
            100.0 * counters.dram.row_hits as f64 / f64::from(REQUESTS),
        );
    }
}

/// Keeps all links as full as their credits allow, in windows of the crossbar's latency. Gives the end.
fn drive(partition: &mut Partition, crossbar: CrossbarConfig, traffic: &[Request]) -> u64 {
    let mut out = PartitionOutbox::new(CLUSTERS);
    let mut room = [crossbar.depth; CLUSTERS];
    let mut traffic = traffic.iter().cycle().take(REQUESTS as usize);
    let window = u64::from(crossbar.latency);
    let mut start = 0;
    loop {
        let mut sent = true;
        while sent {
            sent = false;
            for (link, room) in room.iter_mut().enumerate().filter(|(_, room)| **room > 0) {
                let Some(&request) = traffic.next() else { break };
                partition.accept(link, start, request);
                *room -= 1;
                sent = true;
            }
        }
        if traffic.size_hint().0 == 0 && partition.quiet() {
            return start;
        }
        let mut now = partition.next_wake(start);
        while now < start + window {
            partition.tick(now, &mut out);
            now = partition.next_wake(now + 1);
        }
        for (room, mail) in room.iter_mut().zip(&mut out.to_cluster) {
            *room += mail.credits.drain(..).count() as u32;
            mail.replies.clear();
        }
        start += window;
    }
}
