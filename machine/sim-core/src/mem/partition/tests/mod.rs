//! Tests of the partition: exact cycles, the point of order, flow control, and random traffic.

mod l2;
mod mapped;
mod order;
mod random;
mod timing;

use super::Partition;
use crate::config::{Clocks, CrossbarConfig, MapKind, PartitionConfig, PcieConfig};
use crate::mem::dram::tests::gddr3;
use crate::mem::image::PartitionImage;
use crate::mem::map::AddressMap;
use crate::time::message::{PartitionOutbox, REQUEST_LANES, Request, RequestKind, ToPartition, Words};

const CLOCKS: Clocks = Clocks { shader_khz: 1_350_000, core_khz: 575_000, memory_khz: 900_000 };
const CROSSBAR: CrossbarConfig = CrossbarConfig { latency: 40, depth: 8 };

fn config() -> PartitionConfig {
    PartitionConfig {
        chunk_bytes: 256,
        map: MapKind::Modulo,
        arbiter_cycles: 2,
        pipeline_cycles: 61,
        input_bytes_per_cycle: 0,
        reply_bytes_per_cycle: 8,
        reply_header_cycles: 0,
        dram: gddr3(),
        atomic_cycles: 9,
        l2: None,
        const_cache: None,
        texture_cache: None,
    }
}

/// The only partition of its map, so that addresses equal local addresses.
fn alone(config: &PartitionConfig, clusters: usize) -> Partition {
    Partition::new(0, AddressMap::new(256, 1), config, CLOCKS, CROSSBAR, clusters, PartitionImage::default())
}

/// A host link of this rate and latency.
fn link(bytes_per_second: u64, mapped_ns: u64) -> PcieConfig {
    PcieConfig {
        bytes_per_second,
        pageable_bytes_per_second: bytes_per_second,
        latency_ns: 0,
        launch_ns: 0,
        sync_ns: 0,
        copy_engines: 0,
        mapped: true,
        mapped_ns,
        peer: false,
    }
}

/// Returns a request of 16 lanes for the first 64 bytes of `chunk`.
fn request(kind: RequestKind, tag: u16, chunk: u32) -> Request {
    Request {
        kind,
        sm: 1,
        tag,
        bytes: 4,
        transactions: 1,
        transfers: 1,
        bursts: 2,
        sectors: 0b0011,
        lanes: 0xffff,
        chunk,
        offset: std::array::from_fn(|k| 4 * k as u8),
        quads: 0,
    }
}

/// Sends a request, whose data are zero, to the partition.
fn send(partition: &mut Partition, link: usize, arrival: u64, request: Request) {
    send_words(partition, link, arrival, request, [0; REQUEST_LANES]);
}

/// Sends a request with its data to the partition.
fn send_words(partition: &mut Partition, link: usize, arrival: u64, request: Request, words: Words) {
    let mut messages = ToPartition::default();
    messages.push(arrival, &request, request.kind.writes().then_some(&words));
    partition.accept(link, &mut messages);
}

/// Ticks every shader cycle of `cycles`.
fn run(partition: &mut Partition, cycles: std::ops::Range<u64>, out: &mut PartitionOutbox) {
    for now in cycles {
        partition.tick(now, out);
    }
}

/// Returns arrival and tag of the replies to cluster `cluster`.
fn replies(out: &PartitionOutbox, cluster: usize) -> Vec<(u64, u16)> {
    out.to_cluster[cluster].replies.iter().map(|(at, reply)| (*at, reply.tag)).collect()
}

/// Returns the arrivals of the credits to cluster `cluster`.
fn credits(out: &PartitionOutbox, cluster: usize) -> Vec<u64> {
    out.to_cluster[cluster].credits.clone()
}
