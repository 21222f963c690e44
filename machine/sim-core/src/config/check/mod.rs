//! Rules over several values of a chip, and rules that a range cannot express. Every broken rule is
//! reported, at the places of all values that it compares. A rule over a value that could not be
//! read is skipped.

use super::{Chip, LONGEST_TRAIN, WARP_SIZE, codes};
use isa::diag::Diagnostic;
use isa::feature::Features;
use isa::span::Span;
use isa::uop::Class;
use std::collections::BTreeMap;

mod caches;
mod data_caches;

/// Largest size of all registers and shared memory of a chip, in bytes: they are allocated for
/// every launch.
const MAX_STATE_BYTES: u64 = 1 << 30;
/// Largest number of messages on all links together.
const MAX_MESSAGES: u64 = 1 << 24;

/// Returns the complaints about all broken rules. `places` has the place of each value by its path.
pub fn check(chip: &Chip, places: &BTreeMap<String, Span>) -> Vec<Diagnostic> {
    let mut rules = Rules { places, diagnostics: Vec::new() };
    sm(chip, &mut rules);
    memory(chip, &mut rules);
    timing(chip, &mut rules);
    components(chip, &mut rules);
    caches::check(chip, &mut rules);
    data_caches::check(chip, &mut rules);
    size(chip, &mut rules);
    features(chip, &mut rules);
    rules.diagnostics
}

/// Programs of a later target are lowered to a chip of 1.x, which has none of its instructions.
fn features(chip: &Chip, rules: &mut Rules) {
    if chip.capability.major >= 2 || chip.features == Features::NONE {
        return;
    }
    if let Some(place) = rules.places.get("features") {
        let message = format!("features need compute capability 2.0, but the chip has {}", chip.capability);
        let label = format!("expected [] or no list, found {}", chip.features);
        rules.diagnostics.push(Diagnostic::error(codes::CONTRADICTION, *place, message).label(label));
    }
}

struct Rules<'p> {
    places: &'p BTreeMap<String, Span>,
    diagnostics: Vec<Diagnostic>,
}

impl Rules<'_> {
    /// The complaint at the places of `values`, the first one primary; `None` if one of the values
    /// was not read.
    fn at(&self, code: &'static str, values: &[(&str, u64)], message: String) -> Option<Diagnostic> {
        let mut diagnostic =
            Diagnostic { labels: Vec::new(), ..Diagnostic::error(code, Span::default(), message) };
        for (path, value) in values {
            diagnostic.labels.push((*self.places.get(*path)?, format!("`{path}` is {value}")));
        }
        Some(diagnostic)
    }

    fn require(
        &mut self,
        holds: bool,
        code: &'static str,
        values: &[(&str, u64)],
        message: impl Into<String>,
    ) {
        if !holds {
            let diagnostic = self.at(code, values, message.into());
            self.diagnostics.extend(diagnostic);
        }
    }

    fn advise(
        &mut self,
        holds: bool,
        code: &'static str,
        values: &[(&str, u64)],
        message: impl Into<String>,
    ) {
        if !holds {
            let diagnostic = self.at(code, values, message.into());
            let severity = isa::diag::Severity::Warning;
            self.diagnostics.extend(diagnostic.map(|d| Diagnostic { severity, ..d }));
        }
    }

    fn power_of_two(&mut self, path: &str, value: u32) {
        let message = format!("{path} must be a power of two");
        self.require(value.is_power_of_two(), codes::POWER_OF_TWO, &[(path, value.into())], message);
    }
}

fn sm(chip: &Chip, rules: &mut Rules) {
    let sm = &chip.sm;
    let warps = ("sm.max_warps", sm.max_warps.into());
    let threads = ("sm.max_threads", sm.max_threads.into());
    for unit in &sm.units {
        rules.power_of_two(&format!("sm.units.{}.lanes", unit.name), unit.lanes);
    }
    let message = if sm.max_warps > sm.max_threads / WARP_SIZE {
        let allowed = sm.max_threads / WARP_SIZE;
        format!(
            "sm.max_warps={} has no effect: sm.max_threads={} allows {allowed} warps",
            sm.max_warps, sm.max_threads
        )
    } else {
        let allowed = sm.max_warps * WARP_SIZE;
        format!(
            "sm.max_threads={} has no effect: sm.max_warps={} allows {allowed} threads",
            sm.max_threads, sm.max_warps
        )
    };
    rules.advise(sm.max_threads == sm.max_warps * 32, codes::THREAD_SLOTS, &[threads, warps], message);
    let per_block = ("limits.threads_per_block", chip.limits.threads_per_block.into());
    let message = "limits.threads_per_block is larger than the number of threads that an SM can hold";
    let fits = chip.limits.threads_per_block <= sm.max_threads.min(sm.max_warps * 32);
    rules.advise(fits, codes::THREAD_SLOTS, &[per_block, threads, warps], message);
    let schedulers = ("sm.schedulers", sm.schedulers.into());
    rules.require(
        sm.schedulers <= sm.max_warps,
        codes::CONTRADICTION,
        &[schedulers, warps],
        "there are more schedulers than warps",
    );
    rules.power_of_two("sm.shared.banks", sm.shared.banks);
    rules.require(
        matches!(sm.shared.group, 16 | 32),
        codes::CONTRADICTION,
        &[("sm.shared.group", sm.shared.group.into())],
        "sm.shared.group must be 16 (half-warp) or 32 (warp)",
    );
    coalescing(chip, rules);
    second_ports(chip, rules);
    let unit = ("allocation.register_unit", chip.allocation.register_unit.into());
    let registers = ("sm.registers", sm.registers.into());
    let message = "allocation.register_unit is larger than the register file";
    rules.require(
        chip.allocation.register_unit <= sm.registers,
        codes::CONTRADICTION,
        &[unit, registers],
        message,
    );
    launch_state(chip, rules);
}

/// Only arithmetic can issue through a second port: accesses to memory and control instructions do
/// more than occupy a unit.
fn second_ports(chip: &Chip, rules: &mut Rules) {
    for class in Class::ALL.into_iter().filter(|class| *class > Class::Sreg) {
        if let Some(second) = chip.sm.classes[class as usize].second {
            let path = format!("sm.classes.{}.second.busy", class.name());
            let message = format!(
                "class {} cannot use the second dispatch port: only arithmetic classes can",
                class.name()
            );
            rules.require(false, codes::CONTRADICTION, &[(&path, second.busy.into())], message);
        }
    }
}

/// Each coalescing rule has one size of groups of lanes.
fn coalescing(chip: &Chip, rules: &mut Rules) {
    let lsu = &chip.sm.lsu;
    let (group, reason) = lsu.rule.group();
    let message = format!("sm.lsu.group must be {group}: {reason}");
    let path = "sm.lsu.group";
    rules.require(lsu.group == group, codes::CONTRADICTION, &[(path, lsu.group.into())], message);
}

/// The shared memory that every block reserves must not be more than an SM has.
fn launch_state(chip: &Chip, rules: &mut Rules) {
    let allocation = &chip.allocation;
    let mut values = vec![
        ("sm.shared_bytes", chip.sm.shared_bytes.into()),
        ("allocation.shared_per_block", allocation.shared_per_block.into()),
    ];
    let mut taken = allocation.shared_per_block;
    if allocation.params_in_shared {
        taken += chip.limits.param_bytes;
        values.push(("limits.param_bytes", chip.limits.param_bytes.into()));
    }
    let message = format!(
        "each block may reserve {taken} bytes of shared memory before its own variables, more than an SM has"
    );
    rules.require(taken <= chip.sm.shared_bytes, codes::CONTRADICTION, &values, message);
}

fn memory(chip: &Chip, rules: &mut Rules) {
    let (partition, dram) = (&chip.partition, &chip.partition.dram);
    rules.power_of_two("partition.chunk_bytes", partition.chunk_bytes);
    rules.power_of_two("partition.dram.banks", dram.banks);
    rules.power_of_two("partition.dram.row_bytes", dram.row_bytes);
    rules.power_of_two("partition.dram.burst_bytes", dram.burst_bytes);
    let chunk = ("partition.chunk_bytes", partition.chunk_bytes.into());
    let row = ("partition.dram.row_bytes", dram.row_bytes.into());
    let burst = ("partition.dram.burst_bytes", dram.burst_bytes.into());
    let divides = dram.row_bytes.is_multiple_of(partition.chunk_bytes);
    rules.require(
        divides,
        codes::CONTRADICTION,
        &[chunk, row],
        "partition.dram.row_bytes must be a multiple of partition.chunk_bytes",
    );
    let divides = partition.chunk_bytes.is_multiple_of(dram.burst_bytes);
    rules.require(
        divides,
        codes::CONTRADICTION,
        &[burst, chunk],
        "partition.chunk_bytes must be a multiple of partition.dram.burst_bytes",
    );
    rules.power_of_two("partition.dram.bank_groups", dram.bank_groups);
    rules.power_of_two("partition.dram.interleaved_banks", dram.interleaved_banks);
    rules.power_of_two("partition.dram.interleave_bytes", dram.interleave_bytes);
    let banks = ("partition.dram.banks", dram.banks.into());
    for (path, value) in [("bank_groups", dram.bank_groups), ("interleaved_banks", dram.interleaved_banks)] {
        let path = format!("partition.dram.{path}");
        let values = [(path.as_str(), value.into()), banks];
        let message = format!("{path} must not exceed the number of banks");
        rules.require(value <= dram.banks, codes::CONTRADICTION, &values, message);
    }
    let piece = ("partition.dram.interleave_bytes", dram.interleave_bytes.into());
    let least = partition.chunk_bytes.min(256);
    rules.require(
        (least..=dram.row_bytes).contains(&dram.interleave_bytes),
        codes::CONTRADICTION,
        &[piece, chunk, row],
        format!("partition.dram.interleave_bytes must be at least {least} (one message) and at most one row"),
    );
    let size = ("memory_mib", chip.memory_bytes >> 20);
    let partitions = ("partitions", chip.partitions.into());
    let rows = u64::from(chip.partitions) * u64::from(dram.row_bytes) * u64::from(dram.banks);
    rules.require(
        chip.usable_bytes() >= rows,
        codes::CONTRADICTION,
        &[size, partitions, row, ("partition.dram.banks", dram.banks.into())],
        "the memory is smaller than one row of every bank",
    );
}

fn timing(chip: &Chip, rules: &mut Rules) {
    let t = &chip.partition.dram.timing;
    let path = |name: &str| format!("partition.dram.timing.{name}");
    let mut rule = |holds: bool, values: &[(&str, u32)], message: &str| {
        let paths: Vec<(String, u64)> = values.iter().map(|(n, v)| (path(n), u64::from(*v))).collect();
        let values: Vec<(&str, u64)> = paths.iter().map(|(p, v)| (p.as_str(), *v)).collect();
        rules.require(holds, codes::DRAM_TIMING, &values, message);
    };
    let (rc, ras, rp, rcd) = (("rc", t.rc), ("ras", t.ras), ("rp", t.rp), ("rcd", t.rcd));
    rule(
        t.rc >= t.ras + t.rp,
        &[rc, ras, rp],
        "rc must be at least ras + rp: a row is open, then precharged",
    );
    rule(
        t.ccdl >= t.ccd,
        &[("ccdl", t.ccdl), ("ccd", t.ccd)],
        "ccdl must be at least ccd: one bank group is not faster than the channel",
    );
    rule(t.ras >= t.rcd, &[ras, rcd], "ras must be at least rcd: a row stays open until its column command");
    rule(
        t.rrd <= t.rc,
        &[("rrd", t.rrd), rc],
        "rrd must not exceed rc: one bank is not faster than two banks",
    );
    // Between two refreshes all rows are closed, one is opened, and the longest train of bursts
    // runs and recovers. With less time, a request might never be served.
    let train = t.ccdl * LONGEST_TRAIN.div_ceil(chip.partition.dram.burst_bytes);
    let times = [t.rfc, t.rp, t.rc, t.rrd, t.faw, t.rcd, t.cl, t.wl, t.cdlr, t.wr, t.rtp, train];
    let work: u64 = times.into_iter().map(u64::from).sum();
    rule(
        t.refi == 0 || u64::from(t.refi) > work,
        &[("refi", t.refi), ("rfc", t.rfc), rc],
        &format!(
            "refi must be 0 (no refresh) or more than {work}, so that a request fits between two refreshes: \
             rfc + rp + rc + rrd + faw + rcd + cl + wl + cdlr + wr + rtp and the longest train of bursts"
        ),
    );
}

fn components(chip: &Chip, rules: &mut Rules) {
    let window = ("crossbar.latency", u64::from(chip.crossbar.latency));
    let round_trip = 2 * window.1;
    let launch = ("dispatch.launch_cycles", chip.dispatch.launch_cycles.into());
    rules.require(
        launch.1 >= round_trip,
        codes::CONTRADICTION,
        &[launch, window],
        format!("dispatch.launch_cycles must be at least two crossbar crossings, {round_trip} shader cycles"),
    );
    let depth = ("crossbar.depth", u64::from(chip.crossbar.depth));
    // Bytes that the DRAM of a partition transfers in a round trip.
    let (dram, clocks) = (&chip.partition.dram, &chip.clocks);
    let moved = round_trip * u64::from(dram.burst_bytes) * clocks.memory_khz
        / (u64::from(dram.timing.ccd) * clocks.shader_khz);
    let clusters = ("clusters", u64::from(chip.clusters));
    let least = moved.div_ceil(64 * clusters.1);
    rules.advise(
        depth.1 >= least,
        codes::SHALLOW_LINK,
        &[depth, window, clusters],
        format!(
            "crossbar links of fewer than {least} messages limit the memory throughput: a partition's DRAM \
             transfers {moved} bytes before a credit returns"
        ),
    );
}

fn size(chip: &Chip, rules: &mut Rules) {
    let clusters = ("clusters", u64::from(chip.clusters));
    let sms = ("cluster.sms", u64::from(chip.cluster.sms));
    let registers = ("sm.registers", u64::from(chip.sm.registers));
    let shared = ("sm.shared_bytes", u64::from(chip.sm.shared_bytes));
    let bytes = clusters.1 * sms.1 * (registers.1 * 4 + shared.1);
    rules.require(
        bytes <= MAX_STATE_BYTES,
        codes::TOO_LARGE,
        &[clusters, sms, registers, shared],
        format!("registers and shared memory of all SMs are {bytes} bytes; the simulator's limit is {MAX_STATE_BYTES}"),
    );
    let partitions = ("partitions", u64::from(chip.partitions));
    let depth = ("crossbar.depth", u64::from(chip.crossbar.depth));
    let messages = clusters.1 * partitions.1 * depth.1;
    rules.require(
        messages <= MAX_MESSAGES,
        codes::TOO_LARGE,
        &[depth, clusters, partitions],
        format!("all crossbar links hold {messages} messages; the simulator's limit is {MAX_MESSAGES}"),
    );
}
