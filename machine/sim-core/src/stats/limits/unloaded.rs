//! The unloaded latency of a global load: from issue to the register, without any other access.

use crate::config::Chip;
use isa::uop::Class;

/// Returns the bytes of the load: a 32-bit word for each of the lanes that are coalesced together.
pub fn load_bytes(chip: &Chip) -> u32 {
    4 * chip.sm.lsu.group
}

/// Returns the shader cycles of each part of the path.
pub fn parts(chip: &Chip) -> [(&'static str, f64); 8] {
    let (partition, timing) = (&chip.partition, &chip.partition.dram.timing);
    let hot = chip.clocks.shader_khz as f64;
    let bytes = load_bytes(chip);
    let clocks = f64::from(timing.rcd + timing.cl + bytes.div_ceil(partition.dram.burst_bytes) * timing.ccd);
    let reply = partition.reply_header_cycles + bytes.div_ceil(partition.reply_bytes_per_cycle);
    [
        ("load/store unit", f64::from(chip.sm.lsu.latency)),
        ("port", f64::from(chip.cluster.port_request_cycles)),
        ("crossbar, twice", 2.0 * f64::from(chip.crossbar.latency)),
        ("arbiter", (f64::from(partition.arbiter_cycles) * hot / chip.clocks.core_khz as f64).ceil()),
        ("partition's pipeline", f64::from(partition.pipeline_cycles)),
        ("DRAM (rcd + cl + bursts)", (clocks * hot / chip.clocks.memory_khz as f64).ceil()),
        ("reply", f64::from(reply)),
        ("to the register", f64::from(chip.sm.classes[Class::LdGlobal as usize].latency)),
    ]
}

/// Returns the shader cycles of the whole path.
pub fn latency(chip: &Chip) -> f64 {
    parts(chip).iter().map(|part| part.1).sum()
}
