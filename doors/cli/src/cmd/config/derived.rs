//! Numbers that are computed from those of a chip: peaks, ratios, latencies, and the warps that
//! hide them; each with its formula.

use crate::render::number::{fixed, rate};
use isa::uop::Class;
use serde::Serialize;
use sim_core::config::{Chip, WARP_SIZE};
use sim_core::stats::build::chip_report;
use sim_core::stats::limits::unloaded;

/// A number that is computed from numbers of the chip.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Derived {
    /// The group of the number.
    pub group: &'static str,
    /// Its name.
    pub what: &'static str,
    /// Value in its unit.
    pub value: f64,
    /// Unit of the value; empty for a number.
    pub unit: &'static str,
    /// Its formula, in words.
    pub formula: String,
}

impl Derived {
    /// The value as text: without decimals if it is whole.
    pub fn amount(&self) -> String {
        if self.value.fract() == 0.0 { fixed(self.value, 0) } else { rate(self.value) }
    }
}

/// Returns all derived numbers of a chip.
pub fn all(chip: &Chip) -> Vec<Derived> {
    [threads(chip), arithmetic(chip), memory(chip), rates(chip), latency(chip), dram(chip)].concat()
}

fn group(
    group: &'static str,
    rows: impl IntoIterator<Item = (&'static str, f64, &'static str, String)>,
) -> Vec<Derived> {
    let row = |(what, value, unit, formula)| Derived { group, what, value, unit, formula };
    rows.into_iter().map(row).collect()
}

fn sms(chip: &Chip) -> f64 {
    f64::from(chip.clusters * chip.cluster.sms)
}

fn shader_ghz(chip: &Chip) -> f64 {
    chip.clocks.shader_khz as f64 / 1e6
}

fn threads(chip: &Chip) -> Vec<Derived> {
    let sm = &chip.sm;
    let threads = f64::from(sm.max_threads.min(sm.max_warps * WARP_SIZE));
    group(
        "Threads",
        [
            ("SMs", sms(chip), "", "clusters x cluster.sms".to_owned()),
            (
                "resident threads of an SM",
                threads,
                "",
                "sm.max_threads, or 32 x sm.max_warps if less".to_owned(),
            ),
            (
                "resident threads of the chip",
                threads * sms(chip),
                "",
                "resident threads of an SM x SMs".to_owned(),
            ),
            (
                "registers per resident thread",
                f64::from(sm.registers) / threads,
                "",
                "sm.registers / resident threads: the maximum per thread at full occupancy".to_owned(),
            ),
            (
                "shared memory per block slot",
                f64::from(sm.shared_bytes) / f64::from(sm.max_blocks),
                "bytes",
                "sm.shared_bytes / sm.max_blocks: the maximum per block with all block slots in use"
                    .to_owned(),
            ),
        ],
    )
}

/// Multiply-adds that an SM starts in a shader cycle, in lanes, computed from the peak.
fn mad_lanes(chip: &Chip) -> f64 {
    chip_report(chip).peak_gflops / (2.0 * sms(chip) * shader_ghz(chip))
}

fn arithmetic(chip: &Chip) -> Vec<Derived> {
    let report = chip_report(chip);
    let lanes = mad_lanes(chip);
    let latency = f64::from(chip.sm.classes[Class::FMad as usize].latency);
    let warps = (latency * lanes / f64::from(WARP_SIZE)).ceil();
    let issue = f64::from(chip.sm.schedulers) / f64::from(chip.sm.issue_period);
    group(
        "Arithmetic",
        [
            (
                "issue rate of an SM",
                issue,
                "instr/cycle",
                "sm.schedulers / sm.issue_period: warp instructions per shader cycle, the maximum of ipc"
                    .to_owned(),
            ),
            (
                "multiply-adds of an SM",
                lanes,
                "lanes/cycle",
                "lanes of the unit sm.classes.fp_mad.unit, or the issue rate if lower, / slots".to_owned(),
            ),
            (
                "peak, multiply-adds",
                report.peak_gflops,
                "GFLOP/s",
                "2 x multiply-adds of an SM x SMs x clocks.shader_mhz".to_owned(),
            ),
            (
                "latency of a multiply-add",
                latency,
                "shader cycles",
                "sm.classes.fp_mad.latency: from issue until a dependent instruction may issue".to_owned(),
            ),
            (
                "warps that hide this latency",
                warps,
                "per SM",
                "latency x multiply-adds of an SM / 32, rounded up: dependent chains run at full rate"
                    .to_owned(),
            ),
        ],
    )
}

fn memory(chip: &Chip) -> Vec<Derived> {
    let report = chip_report(chip);
    let per_cycle = |bytes: u32, number: u32| f64::from(bytes) * f64::from(number) * shader_ghz(chip);
    let shared = f64::from(chip.sm.shared.banks * 4) / f64::from(chip.sm.shared.pass_cycles);
    let pcie = chip.pcie.bytes_per_second as f64 / 1e9;
    group(
        "Bandwidth",
        [
            (
                "peak of the DRAM bus",
                report.peak_gbps,
                "GB/s",
                "partitions x burst_bytes x clocks.memory_mhz / timing.ccd".to_owned(),
            ),
            (
                "bytes per operation",
                report.peak_gbps / report.peak_gflops,
                "bytes/FLOP",
                "peak GB/s / peak GFLOP/s: bytes that the DRAM delivers per operation".to_owned(),
            ),
            (
                "operations per byte",
                report.peak_gflops / report.peak_gbps,
                "FLOP/byte",
                "ridge point of the roofline: kernels with fewer operations per byte are memory bound"
                    .to_owned(),
            ),
            (
                "stores through the ports",
                per_cycle(chip.cluster.port_bytes_per_cycle, chip.clusters),
                "GB/s",
                "clusters x cluster.port_bytes_per_cycle x clocks.shader_mhz".to_owned(),
            ),
            (
                "replies to the clusters",
                per_cycle(chip.cluster.reply_bytes_per_cycle, chip.clusters),
                "GB/s",
                "clusters x cluster.reply_bytes_per_cycle x clocks.shader_mhz".to_owned(),
            ),
            (
                "replies from the partitions",
                per_cycle(chip.partition.reply_bytes_per_cycle, chip.partitions),
                "GB/s",
                "partitions x partition.reply_bytes_per_cycle x clocks.shader_mhz".to_owned(),
            ),
            (
                "shared memory of the chip",
                shared * sms(chip) * shader_ghz(chip),
                "GB/s",
                "SMs x sm.shared.banks x 4 bytes / sm.shared.pass_cycles x clocks.shader_mhz".to_owned(),
            ),
            ("host link", pcie, "GB/s", "pcie.bytes_per_second".to_owned()),
            (
                "DRAM to host link",
                report.peak_gbps / pcie,
                "times",
                "peak of the DRAM bus / host link".to_owned(),
            ),
        ],
    )
}

/// The rates of units that not every chip has, or that do not count bytes.
fn rates(chip: &Chip) -> Vec<Derived> {
    let (ghz, partitions) = (shader_ghz(chip), f64::from(chip.partitions));
    let per_second = |number: f64, cycles: u32| number / f64::from(cycles.max(1)) * ghz;
    let row = |what, value, unit, formula: &str| (what, value, unit, formula.to_owned());
    let t = &chip.partition.dram.timing;
    let rows = f64::from(chip.partition.dram.banks) / f64::from(t.rc);
    let mut all = vec![
        row(
            "transactions of the load/store units",
            per_second(sms(chip), chip.sm.lsu.transaction_cycles),
            "G/s",
            "SMs / sm.lsu.transaction_cycles x clocks.shader_mhz",
        ),
        row(
            "requests through the ports",
            per_second(f64::from(chip.clusters), chip.cluster.port_request_cycles),
            "G/s",
            "clusters / cluster.port_request_cycles x clocks.shader_mhz",
        ),
        row(
            "requests into the partitions",
            partitions / f64::from(chip.partition.arbiter_cycles.max(1)) * chip.clocks.core_khz as f64 / 1e6,
            "G/s",
            "partitions / partition.arbiter_cycles x clocks.core_mhz: one transaction each",
        ),
        row(
            "row changes of the DRAM",
            partitions * rows.min(1.0 / f64::from(t.rrd)) * chip.clocks.memory_khz as f64 / 1e6,
            "G/s",
            "partitions x the minimum of banks / timing.rc and 1 / timing.rrd x clocks.memory_mhz",
        ),
        row(
            "atomics on one word",
            per_second(1.0, chip.partition.atomic_cycles),
            "G/s",
            "clocks.shader_mhz / partition.atomic_cycles",
        ),
    ];
    if let Some(l2) = chip.partition.l2 {
        all.push(row(
            "look-ups in the L2",
            per_second(32.0 * partitions, l2.sector_cycles),
            "GB/s",
            "partitions x 32 bytes / partition.l2.sector_cycles x clocks.shader_mhz",
        ));
    }
    if let Some(cache) = chip.sm.const_cache {
        all.push(row(
            "words from the constant caches",
            per_second(sms(chip), cache.pass_cycles),
            "G/s",
            "SMs / sm.const_cache.pass_cycles x clocks.shader_mhz",
        ));
    }
    if let Some(units) = chip.cluster.texture_cache {
        all.push(row(
            "texture fetches of warps",
            per_second(f64::from(chip.clusters), units.fetch_cycles.max(units.line_cycles)),
            "G/s",
            "clusters / the maximum of fetch_cycles and line_cycles of cluster.texture_cache x clocks.shader_mhz: one line for each fetch",
        ));
    }
    group("Rates", all)
}

fn latency(chip: &Chip) -> Vec<Derived> {
    let parts = unloaded::parts(chip);
    let cycles: f64 = parts.iter().map(|part| part.1).sum();
    let sum = parts.map(|(part, cycles)| format!("{part} {cycles}")).join(" + ");
    let sum = format!("of {} bytes (sm.lsu.group x 4): {sum}", unloaded::load_bytes(chip));
    // Little's law: bytes in flight = rate x time.
    let bytes = chip_report(chip).peak_gbps / shader_ghz(chip) * cycles / sms(chip);
    group(
        "Latency",
        [
            ("unloaded latency of a load", cycles, "shader cycles", sum),
            (
                "unloaded latency in time",
                cycles / shader_ghz(chip),
                "ns",
                "shader cycles / clocks.shader_mhz".to_owned(),
            ),
            (
                "bytes in flight at peak",
                bytes,
                "per SM",
                "peak GB/s x latency / SMs: requested bytes that keep the DRAM busy".to_owned(),
            ),
            (
                "warps that hide this latency",
                (bytes / f64::from(WARP_SIZE * 4)).ceil(),
                "per SM",
                "bytes in flight / 128: with one coalesced load of 4 bytes per lane in flight each"
                    .to_owned(),
            ),
            (
                "launch from the host",
                chip.pcie.launch_ns as f64 * shader_ghz(chip),
                "shader cycles",
                "pcie.launch_ns x clocks.shader_mhz".to_owned(),
            ),
            (
                "start of the next block",
                2.0 * f64::from(chip.crossbar.latency) + f64::from(chip.sm.block_start_cycles),
                "shader cycles",
                "at least 2 x crossbar.latency + sm.block_start_cycles".to_owned(),
            ),
        ],
    )
}

fn dram(chip: &Chip) -> Vec<Derived> {
    let (dram, t) = (&chip.partition.dram, &chip.partition.dram.timing);
    let refresh = if t.refi == 0 { 1.0 } else { 1.0 - f64::from(t.rfc) / f64::from(t.refi) };
    let bursts = f64::from(unloaded::load_bytes(chip).div_ceil(dram.burst_bytes));
    let busy = bursts * f64::from(t.ccd);
    let bank = f64::from(t.rc) / f64::from(dram.banks);
    let scattered = busy / busy.max(f64::from(t.rrd)).max(bank);
    let whole_row = f64::from(dram.row_bytes) / f64::from(dram.burst_bytes) * f64::from(t.ccd);
    group(
        "Maximum DRAM efficiency",
        [
            ("without refreshes", refresh, "fraction", "1 - timing.rfc / timing.refi".to_owned()),
            (
                "scattered loads",
                scattered,
                "fraction",
                "bus time of sm.lsu.group x 4 bytes / the maximum of that, timing.rrd, and timing.rc / banks: each load in another row"
                    .to_owned(),
            ),
            (
                "whole rows of one bank",
                whole_row / (whole_row + f64::from(t.rp + t.rcd)),
                "fraction",
                "bus time of a row / (that + timing.rp + timing.rcd): no other bank hides the row change".to_owned(),
            ),
            (
                "bandwidth of scattered loads",
                scattered * chip_report(chip).peak_gbps,
                "GB/s",
                "efficiency of scattered loads x peak of the DRAM bus".to_owned(),
            ),
        ],
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use sim_core::config::builtin::builtin_names;

    fn value(chip: &Chip, group: &str, what: &str) -> f64 {
        let all = all(chip);
        all.iter().find(|d| d.group == group && d.what == what).map(|d| d.value).unwrap()
    }

    #[test]
    fn the_g80_has_the_numbers_of_the_texts() {
        let chip = Chip::builtin("g80").unwrap();
        for (group, what, expected) in [
            ("Threads", "resident threads of the chip", 12288.0),
            ("Arithmetic", "peak, multiply-adds", 345.6),
            ("Arithmetic", "warps that hide this latency", 6.0),
            ("Bandwidth", "peak of the DRAM bus", 86.4),
            ("Bandwidth", "operations per byte", 4.0),
            ("Latency", "unloaded latency of a load", 475.0),
        ] {
            let value = value(&chip, group, what);
            assert!((value - expected).abs() < 1e-9, "{what}: {value}");
        }
    }

    #[test]
    fn every_number_of_every_chip_is_finite_and_unique() {
        for name in builtin_names() {
            let all = all(&Chip::builtin(name).unwrap());
            for (i, number) in all.iter().enumerate() {
                assert!(number.value.is_finite() && number.value > 0.0, "{name}: {number:?}");
                let twice = |d: &Derived| (d.group, d.what) == (number.group, number.what);
                assert!(!all[..i].iter().any(twice), "{number:?}");
            }
        }
    }
}
