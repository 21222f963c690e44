//! `warpsim devices`: the available chips, with the property names of `cudaGetDeviceProperties`.

mod text;

use crate::args::{ChipArgs, DevicesArgs, Format};
use crate::chip;
use crate::exit::{Code, Failure};
use crate::json;
use crate::output::print;
use serde::Serialize;
use sim_core::config::builtin::builtin_names;
use sim_core::config::{Chip, WARP_SIZE};
use sim_core::stats::build::{chip_report, memory_bus};

/// Version of the JSON document.
const SCHEMA: u32 = 1;

/// Value of a property.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Value {
    /// A text.
    Text(String),
    /// A whole number.
    Number(u64),
    /// Extents x, y, z.
    Extents([u32; 3]),
    /// A measured or derived number.
    Real(f64),
}

/// A property of a chip.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Property {
    /// Name: a field of `cudaDeviceProp`, or a name of this project.
    pub name: &'static str,
    /// Value of the property.
    pub value: Value,
    /// Meaning and unit.
    pub note: &'static str,
}

/// A chip and its properties.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Device {
    /// Name for `--chip`.
    pub chip: String,
    /// Properties of `cudaGetDeviceProperties`.
    pub properties: Vec<Property>,
    /// Properties that are not in `cudaDeviceProp`.
    pub more: Vec<Property>,
}

#[derive(Serialize)]
struct Document<'a> {
    schema: u32,
    devices: &'a [Device],
}

/// Lists the chips, or describes one.
pub fn run(args: &DevicesArgs) -> Result<Code, Failure> {
    let load = |name: &str| {
        let chip = chip::load(&ChipArgs { chip: name.to_owned(), sets: args.sets.clone() })?;
        Ok(Device { chip: name.to_owned(), properties: properties(&chip), more: more(&chip) })
    };
    let devices = match &args.chip {
        Some(name) => vec![load(name)?],
        None => builtin_names().map(load).collect::<Result<_, Failure>>()?,
    };
    print(&match (args.format.format, devices.as_slice()) {
        (Format::Json, devices) => json::pretty(&Document { schema: SCHEMA, devices }),
        (Format::Text, [device]) if args.chip.is_some() => text::one(device),
        (Format::Text, devices) => text::all(devices),
    })?;
    Ok(Code::Fine)
}

/// Returns the fields of `cudaDeviceProp` that are known for the simulated device. Fields that
/// depend on parts that are not modeled (textures, pitch) are omitted.
fn properties(chip: &Chip) -> Vec<Property> {
    use Value::{Extents, Number, Text};
    let (limits, sm) = (&chip.limits, &chip.sm);
    let extents = |d: isa::types::Dim3| Extents([d.x, d.y, d.z]);
    let number = |n: u32| Number(n.into());
    let mut list = vec![("name", Text(chip.board.clone()), "the board")];
    if chip.simulated {
        list.push(("totalGlobalMem", Number(chip.usable_bytes()), "bytes of device memory"));
    }
    list.extend([
        ("sharedMemPerBlock", number(sm.shared_bytes), "bytes, at most"),
        ("regsPerBlock", number(sm.registers), "32-bit registers, at most"),
        ("warpSize", number(WARP_SIZE), "threads that execute together"),
        ("maxThreadsPerBlock", number(limits.threads_per_block), "threads of a block"),
        ("maxThreadsDim", extents(limits.block), "largest extents of a block"),
        ("maxGridSize", extents(limits.grid), "largest extents of a grid"),
        ("totalConstMem", number(limits.const_bytes), "bytes of constant memory"),
        ("major", number(chip.capability.major.into()), "compute capability: generation"),
        ("minor", number(chip.capability.minor.into()), "compute capability: revision"),
        ("maxThreadsPerMultiProcessor", number(sm.max_threads), "threads that an SM holds"),
    ]);
    if !chip.simulated {
        return list.into_iter().map(|(name, value, note)| Property { name, value, note }).collect();
    }
    list.extend([
        ("clockRate", Number(chip.clocks.shader_khz), "kHz: the shader clock"),
        ("multiProcessorCount", number(chip.clusters * chip.cluster.sms), "SMs"),
        ("asyncEngineCount", number(chip.pcie.copy_engines), "copy engines that overlap kernels"),
        ("canMapHostMemory", number(chip.pcie.mapped.into()), "1: kernels access host memory"),
        ("concurrentKernels", number((chip.dispatch.concurrent_kernels > 1).into()), "1: concurrent kernels"),
    ]);
    if let Some((bits, rate)) = memory_bus(chip) {
        list.push(("memoryClockRate", Number(rate), "kHz: two transfers to a period"));
        list.push(("memoryBusWidth", number(bits), "bits of the memory bus"));
    }
    let l2 = chip.partition.l2.map_or(0, |l2| u64::from(l2.bytes) * u64::from(chip.partitions));
    let note = if l2 == 0 { "bytes: none for global memory" } else { "bytes" };
    list.push(("l2CacheSize", Number(l2), note));
    list.into_iter().map(|(name, value, note)| Property { name, value, note }).collect()
}

/// Returns further properties that programmers need.
fn more(chip: &Chip) -> Vec<Property> {
    use Value::{Number, Real, Text};
    let (sm, report) = (&chip.sm, chip_report(chip));
    let number = |n: u32| Number(n.into());
    let mut list = vec![
        ("warps per SM", number(sm.max_warps), "warp slots"),
        ("blocks per SM", number(sm.max_blocks), "block slots"),
        ("registers per thread", number(chip.limits.registers_per_thread), "at most"),
        ("parameters", number(chip.limits.param_bytes), "bytes at most"),
        ("local memory per thread", number(chip.limits.local_bytes), "bytes at most"),
        ("schedulers per SM", number(sm.schedulers), "one warp instruction each per issue cycle"),
    ];
    if !chip.simulated {
        list.push(("simulated", Text("no".to_owned()), "occupancy only: no program runs on it"));
        return list.into_iter().map(|(name, value, note)| Property { name, value, note }).collect();
    }
    list.extend([
        ("issue cycle", number(sm.issue_period), "shader clocks"),
        ("scheduling policy", Text(report.policy.to_string()), "which ready warp goes first"),
        ("clusters", number(chip.clusters), "groups of SMs with one port to memory"),
        ("SMs per cluster", number(chip.cluster.sms), "they share the port"),
        ("memory partitions", number(chip.partitions), "each with a DRAM channel"),
        ("core clock", Number(chip.clocks.core_khz), "kHz: crossbar and partitions"),
        ("memory command clock", Number(chip.clocks.memory_khz), "kHz"),
        ("peak arithmetic", Real(report.peak_gflops), "GFLOP/s; a multiply-add counts 2"),
        ("peak memory bandwidth", Real(report.peak_gbps), "GB/s"),
        ("host link", Real(chip.pcie.bytes_per_second as f64 / 1e9), "GB/s each way"),
    ]);
    list.into_iter().map(|(name, value, note)| Property { name, value, note }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use sim_core::config::builtin::simulated_names;

    #[test]
    fn bus_and_memory_clock_make_the_peak_bandwidth() {
        for name in simulated_names() {
            let chip = Chip::builtin(name).expect("built in");
            let list = properties(&chip);
            let get = |wanted| match list.iter().find(|p| p.name == wanted).map(|p| &p.value) {
                Some(Value::Number(n)) => *n as f64,
                other => panic!("{name}: {wanted} is {other:?}"),
            };
            let gbps = get("memoryClockRate") * 1e3 * 2.0 * get("memoryBusWidth") / 8.0 / 1e9;
            assert!((gbps - chip_report(&chip).peak_gbps).abs() < 0.1, "{name}: {gbps}");
        }
    }

    #[test]
    fn the_memory_bus_has_the_width_of_the_board() {
        let boards = [("g80", 384, 900), ("gt200", 512, 1107), ("fermi", 384, 1848), ("gtx460", 256, 1800)];
        for (name, bits, mhz) in boards {
            let chip = Chip::builtin(name).expect("built in");
            assert_eq!(memory_bus(&chip), Some((bits, mhz * 1000)), "{name}");
        }
    }

    #[test]
    fn an_unusual_bus_is_not_guessed() {
        let mut chip = Chip::builtin("g80").expect("built in");
        chip.partition.dram.timing.ccd = 3;
        assert!(properties(&chip).iter().all(|p| p.name != "memoryBusWidth"));
    }

    #[test]
    fn the_l2_is_that_of_all_partitions() {
        for (name, bytes) in [("g80", 0), ("gt200", 0), ("fermi", 768 << 10), ("gtx460", 512 << 10)] {
            let list = properties(&Chip::builtin(name).expect("built in"));
            let found = list.iter().find(|p| p.name == "l2CacheSize").map(|p| &p.value);
            assert!(matches!(found, Some(Value::Number(n)) if *n == bytes), "{name}: {found:?}");
        }
    }
}
