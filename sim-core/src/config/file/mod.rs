//! The chip file: which value stands where, of what kind, in which range.
//!
//! A value that cannot be read is complained of and stands in as the least of its range, so that
//! everything else is still read and checked; [`super::check`] skips the rules over values that
//! were not read.

use super::MAX_QUEUE;
use super::base::{Layers, Texts};
use super::read::{Fields, Range, Reader};
use super::source::Complaints;
use super::tree::Node;
use super::{
    Allocation, Chip, Clocks, ClusterConfig, CrossbarConfig, DispatchConfig, DramConfig, DramTiming, Limits,
    MapKind, PartitionConfig, PcieConfig, RegisterScope, check, codes, set,
};
use isa::diag::Diagnostic;
use isa::types::{Capability, Dim3};
use std::collections::BTreeMap;
use std::ops::RangeInclusive;

mod caches;
mod data_caches;
mod sm;

/// No time in a chip file is longer than this many cycles.
const LONG: u32 = 1_000_000;

/// Reads and checks a chip; see [`Chip::from_texts`].
pub(super) fn read(texts: &Texts, sets: &[(String, String)]) -> Result<(Chip, Complaints), Complaints> {
    let Layers { mut sources, mut root, partial, mut diagnostics, .. } = texts.read()?;
    diagnostics.extend(set::apply(&mut root, sets, &mut sources));
    let reader = Reader::default();
    let chip = chip(reader.fields(&root, ""));
    let (complaints, places) = reader.finish();
    diagnostics.extend(complaints);
    if partial {
        // What the missing base would have given is not missed.
        diagnostics.retain(|d| ![codes::MISSING_FIELD, codes::UNKNOWN_PATH].contains(&d.code));
    }
    diagnostics.extend(check::check(&chip, &places));
    let bad = diagnostics.iter().any(Diagnostic::is_error);
    let complaints = Complaints::new(diagnostics, sources);
    if bad { Err(complaints) } else { Ok((chip, complaints)) }
}

/// What every field of a chip file may hold, by path; those of the parts that the tree has.
pub fn ranges(root: &Node) -> BTreeMap<String, Range> {
    let reader = Reader::noting_ranges();
    chip(reader.fields(root, ""));
    reader.into_ranges()
}

/// Paths of the optional fields that the tree does not give; of the parts that it has.
pub fn absent(root: &Node) -> Vec<String> {
    let reader = Reader::noting_ranges();
    chip(reader.fields(root, ""));
    reader.into_absent()
}

/// A u32; the least of the range if it cannot be read.
fn num(f: &Fields, name: &'static str, range: RangeInclusive<u32>) -> u32 {
    let least = *range.start();
    f.u32(name, range).unwrap_or(least)
}

fn chip(f: Fields) -> Chip {
    let chip = Chip {
        name: f.string("name").unwrap_or("").to_owned(),
        board: f.string("board").unwrap_or("").to_owned(),
        capability: f.read("capability", capability).unwrap_or(Capability::new(1, 0)),
        simulated: f.bool("simulated").unwrap_or(true),
        clocks: clocks(f.record("clocks")),
        limits: limits(f.record("limits")),
        allocation: allocation(f.record("allocation")),
        clusters: num(&f, "clusters", 1..=64),
        cluster: cluster(f.record("cluster")),
        sm: sm::read(f.record("sm")),
        crossbar: crossbar(f.record("crossbar")),
        partitions: num(&f, "partitions", 1..=64),
        partition: partition(f.record("partition")),
        dispatch: dispatch(f.record("dispatch")),
        memory_bytes: f.u64("memory_mib", 1..=4096).unwrap_or(1) << 20,
        pcie: pcie(f.record("pcie")),
    };
    f.finish();
    chip
}

fn capability(reader: &Reader, node: &Node, what: &str) -> Option<Capability> {
    let text = reader.string(node, what)?;
    let parsed =
        text.split_once('.').and_then(|(a, b)| Some(Capability::new(a.parse().ok()?, b.parse().ok()?)));
    let known = parsed.filter(|c| (1..=9).contains(&c.major) && c.minor <= 9);
    if known.is_none() {
        let message = format!("{what} is not a compute capability: `{text}`");
        reader.push(Diagnostic::error(
            codes::OUT_OF_RANGE,
            message,
            node.span,
            "expected a value such as \"1.0\"",
        ));
    }
    known
}

fn clocks(f: Fields) -> Clocks {
    let khz = |name| f.read(name, megahertz).unwrap_or(1);
    let clocks =
        Clocks { hot_khz: khz("shader_mhz"), core_khz: khz("core_mhz"), memory_khz: khz("memory_mhz") };
    f.finish();
    clocks
}

/// A frequency in MHz, as kHz.
fn megahertz(reader: &Reader, node: &Node, what: &str) -> Option<u64> {
    let khz = reader.number(node, what)? * 1000.0;
    if (1.0..=100e6).contains(&khz) {
        return Some(khz.round() as u64);
    }
    let message = format!("{what} is out of range");
    reader.push(Diagnostic::error(
        codes::OUT_OF_RANGE,
        message,
        node.span,
        "expected a value from 0.001 to 100000 MHz",
    ));
    None
}

fn limits(f: Fields) -> Limits {
    let extent = |name| f.read(name, dim3).unwrap_or(Dim3::new(1, 1, 1));
    let limits = Limits {
        threads_per_block: num(&f, "threads_per_block", 1..=2048),
        block: extent("block"),
        grid: extent("grid"),
        param_bytes: num(&f, "param_bytes", 4..=65536),
        const_bytes: num(&f, "const_bytes", 0..=1 << 20),
        local_bytes: num(&f, "local_bytes", 0..=1 << 20),
        registers_per_thread: num(&f, "registers_per_thread", 1..=255),
    };
    f.finish();
    limits
}

fn dim3(reader: &Reader, node: &Node, what: &str) -> Option<Dim3> {
    let items = reader.items(node, what)?;
    let [x, y, z] = items else {
        reader.wrong_type(node, what, "three extents `(x, y, z)`");
        return None;
    };
    let extent = |node| reader.int(node, what, &(1..=i128::from(i32::MAX))).map(|v| v as u32);
    let (x, y, z) = (extent(x), extent(y), extent(z));
    Some(Dim3::new(x?, y?, z?))
}

fn allocation(f: Fields) -> Allocation {
    let scopes = [("block", RegisterScope::Block), ("warp", RegisterScope::Warp)];
    let allocation = Allocation {
        register_scope: f.choice("register_scope", &scopes).unwrap_or(RegisterScope::Block),
        register_unit: num(&f, "register_unit", 1..=65536),
        warp_granularity: num(&f, "warp_granularity", 1..=64),
        shared_unit: num(&f, "shared_unit", 1..=65536),
        shared_per_block: num(&f, "shared_per_block", 0..=65536),
        params_in_shared: f.bool("params_in_shared").unwrap_or(false),
    };
    f.finish();
    allocation
}

fn cluster(f: Fields) -> ClusterConfig {
    let cluster = ClusterConfig {
        sms: num(&f, "sms", 1..=16),
        port_request_cycles: num(&f, "port_request_cycles", 1..=LONG),
        port_bytes_per_cycle: num(&f, "port_bytes_per_cycle", 1..=4096),
        reply_bytes_per_cycle: num(&f, "reply_bytes_per_cycle", 1..=4096),
        reply_room: num(&f, "reply_room", 1..=65536),
        const_cache: f.record_or_none("const_cache").map(caches::level),
        tlb: f.record_or_none("tlb").map(caches::tlb),
    };
    f.finish();
    cluster
}

fn crossbar(f: Fields) -> CrossbarConfig {
    let crossbar =
        CrossbarConfig { latency: num(&f, "latency", 1..=10_000), depth: num(&f, "depth", 1..=65536) };
    f.finish();
    crossbar
}

fn partition(f: Fields) -> PartitionConfig {
    let maps = [("modulo", MapKind::Modulo), ("hashed", MapKind::Hashed)];
    let partition = PartitionConfig {
        chunk_bytes: num(&f, "chunk_bytes", 128..=65536),
        map: f.choice("map", &maps).unwrap_or(MapKind::Modulo),
        arbiter_cycles: num(&f, "arbiter_cycles", 1..=LONG),
        input_bytes_per_cycle: num(&f, "input_bytes_per_cycle", 0..=4096),
        pipeline_cycles: num(&f, "pipeline_cycles", 0..=LONG),
        reply_bytes_per_cycle: num(&f, "reply_bytes_per_cycle", 1..=4096),
        reply_header_cycles: num(&f, "reply_header_cycles", 0..=LONG),
        dram: dram(f.record("dram")),
        const_cache: f.record_or_none("const_cache").map(caches::level),
        atomic_cycles: num(&f, "atomic_cycles", 1..=LONG),
        l2: f.record_or_none("l2").map(data_caches::l2),
    };
    f.finish();
    partition
}

fn dram(f: Fields) -> DramConfig {
    let t = f.record("timing");
    let clocks = |name| num(&t, name, 1..=LONG);
    let timing = DramTiming {
        ccd: clocks("ccd"),
        ccdl: clocks("ccdl"),
        rrd: clocks("rrd"),
        rcd: clocks("rcd"),
        ras: clocks("ras"),
        rp: clocks("rp"),
        rc: clocks("rc"),
        cl: clocks("cl"),
        wl: clocks("wl"),
        cdlr: clocks("cdlr"),
        wr: clocks("wr"),
        rtp: clocks("rtp"),
        refi: num(&t, "refi", 0..=100 * LONG),
        rfc: num(&t, "rfc", 0..=LONG),
    };
    t.finish();
    let dram = DramConfig {
        banks: num(&f, "banks", 1..=MAX_QUEUE),
        row_bytes: num(&f, "row_bytes", 32..=65536),
        burst_bytes: num(&f, "burst_bytes", 4..=256),
        bank_groups: num(&f, "bank_groups", 1..=MAX_QUEUE),
        interleaved_banks: num(&f, "interleaved_banks", 1..=MAX_QUEUE),
        interleave_bytes: num(&f, "interleave_bytes", 32..=65536),
        ecc_bursts: num(&f, "ecc_bursts", 0..=1024),
        queue: num(&f, "queue", 1..=MAX_QUEUE),
        starvation: num(&f, "starvation", 1..=LONG),
        timing,
    };
    f.finish();
    dram
}

fn dispatch(f: Fields) -> DispatchConfig {
    let dispatch = DispatchConfig {
        launch_cycles: num(&f, "launch_cycles", 2..=LONG),
        block_cycles: num(&f, "block_cycles", 1..=LONG),
        concurrent_kernels: num(&f, "concurrent_kernels", 1..=16),
    };
    f.finish();
    dispatch
}

fn pcie(f: Fields) -> PcieConfig {
    let long_ns = 1_000_000_000;
    let pcie = PcieConfig {
        bytes_per_second: f.u64("bytes_per_second", 1000..=1 << 50).unwrap_or(1000),
        latency_ns: f.u64("latency_ns", 0..=long_ns).unwrap_or(0),
        launch_ns: f.u64("launch_ns", 0..=long_ns).unwrap_or(0),
        copy_engines: num(&f, "copy_engines", 0..=2),
    };
    f.finish();
    pcie
}
