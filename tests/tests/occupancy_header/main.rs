//! The occupancy of compute capabilities 3.0 to 9.0 compared with NVIDIA's header
//! `cuda_occupancy.h`: of CUDA 11.8 for 3.x, of CUDA 13.5 for the others.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use sim_core::host::fit::{Request, RuleSet};
use sim_core::occupancy::rules::smaller_choices;
use sim_core::occupancy::{Exceeded, Limiter, Rules};
use std::fmt::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use test_support::tools::Tool;

/// Points of each capability.
const POINTS: usize = 100_000;

/// What the driver reports about a device.
#[derive(Clone, Copy, Debug)]
struct Device {
    capability: (u8, u8),
    /// Warp slots of an SM.
    warps: u32,
    /// Registers of an SM.
    registers: u32,
    /// KB of shared memory of an SM.
    shared: u32,
    /// KB of shared memory that a block can have after an opt-in.
    opt_in: u32,
    /// KB of shared memory that the system reserves in each block.
    reserved: u32,
}

const fn device(capability: (u8, u8), warps: u32, shared: u32, opt_in: u32, reserved: u32) -> Device {
    let registers = if matches!(capability, (3, 7)) { 131_072 } else { 65_536 };
    Device { capability, warps, registers, shared, opt_in, reserved }
}

/// The properties are from the CUDA C++ Programming Guide 12 ("Technical Specifications per Compute
/// Capability"), for 3.x from its edition 11.
const DEVICES: [Device; 13] = [
    device((3, 0), 64, 48, 48, 0),
    device((3, 5), 64, 48, 48, 0),
    device((3, 7), 64, 112, 48, 0),
    device((5, 0), 64, 64, 48, 0),
    device((5, 2), 64, 96, 48, 0),
    device((6, 0), 64, 64, 48, 0),
    device((6, 1), 64, 96, 48, 0),
    device((7, 0), 64, 96, 96, 0),
    device((7, 5), 32, 64, 64, 0),
    device((8, 0), 64, 164, 163, 1),
    device((8, 6), 48, 100, 99, 1),
    device((8, 9), 48, 100, 99, 1),
    device((9, 0), 64, 228, 227, 1),
];

/// A launch.
#[derive(Clone, Copy, Debug)]
struct Point {
    threads: u32,
    registers: u32,
    barriers: u32,
    fixed: u32,
    dynamic: u32,
    /// Whether the program raises the limit of dynamic shared memory to `dynamic`.
    opts_in: bool,
    /// Preferred percentage of shared memory, from 7.0 on; −1 without a preference.
    carveout: i32,
    /// Number of the cache preference: none, shared memory, L1, equal.
    cache: u32,
}

impl Point {
    /// A random launch: half of the numbers are near a limit.
    fn random(rng: &mut ChaCha8Rng, device: Device) -> Self {
        let near = |rng: &mut ChaCha8Rng, value: u32| (value + rng.random_range(0..600)).saturating_sub(300);
        let shared = |rng: &mut ChaCha8Rng| match rng.random_range(0..6) {
            0 | 1 => 0,
            2 => rng.random_range(0..16 << 10),
            3 => rng.random_range(0..(device.shared + 2) << 10),
            4 => {
                let kb = [8, 16, 32, 48, 64, device.opt_in, device.shared];
                let kb = kb[rng.random_range(0..kb.len())];
                near(rng, kb << 10)
            }
            _ => {
                let blocks = rng.random_range(1..=32);
                near(rng, ((device.shared << 10) / blocks).saturating_sub(device.reserved << 10))
            }
        };
        let (fixed, dynamic) = (shared(rng), shared(rng) * u32::from(rng.random_bool(0.5)));
        // 3.0 has 63 registers per thread; the header uses 255 for all of 3.x.
        let most = if device.capability == (3, 0) { 63 } else { 255 };
        Self {
            threads: match rng.random_range(0..4) {
                0 => rng.random_range(1..=1100),
                1 => near(rng, 1024).max(1),
                _ => 32 * rng.random_range(1..=32),
            },
            registers: if rng.random_bool(0.1) { 0 } else { rng.random_range(0..=most) },
            barriers: if rng.random_bool(0.5) { 1 } else { rng.random_range(0..=16) },
            fixed,
            dynamic,
            opts_in: rng.random_bool(0.5),
            carveout: if rng.random_bool(0.5) { -1 } else { rng.random_range(0..=100) },
            cache: if rng.random_bool(0.5) { 0 } else { rng.random_range(0..4) },
        }
    }

    /// The preferred size of shared memory in bytes, if there is a preference.
    fn preferred(self, device: Device) -> Option<u32> {
        let (all, is_kepler) = (device.shared << 10, device.capability.0 == 3);
        match (self.cache, u32::try_from(self.carveout)) {
            (_, Ok(percent)) if device.capability.0 >= 7 => Some(percent * all / 100),
            (2, _) if is_kepler => Some(all - (32 << 10)),
            (3, _) if is_kepler => Some(all - (16 << 10)),
            (2, _) => Some(0),
            (3, _) => Some(all / 2),
            _ => None,
        }
    }

    /// The numbers that `points.c` reads.
    fn line(self, device: Device) -> String {
        let Device { capability: (major, minor), warps, registers, shared, opt_in, reserved } = device;
        let [shared, opt_in, reserved] = [shared, opt_in, reserved].map(|kb| kb << 10);
        let opts_in = u32::from(self.opts_in);
        format!(
            "{major} {minor} {warps} {registers} {shared} {opt_in} {reserved} {} {} {} {} {} {opts_in} {} {}\n",
            self.threads, self.registers, self.barriers, self.fixed, self.dynamic, self.carveout, self.cache
        )
    }

    /// The numbers that `points.c` prints, of the simulator.
    fn answer(self, device: Device, rules: Rules) -> String {
        let request = Request {
            registers: self.registers,
            barriers: self.barriers,
            shared_bytes: u64::from(self.fixed) + u64::from(self.dynamic),
            ..Request::new("", (1, 1, 1).into(), (self.threads, 1, 1).into())
        };
        let smaller = self.preferred(device).map(|bytes| smaller_choices(rules.capability, bytes));
        let usual = Some(rules).filter(|_| self.opts_in).and_then(Rules::opted_in).unwrap_or(rules);
        let set = RuleSet { usual, smaller: smaller.unwrap_or_default() };
        let rules = set.of(&request);
        let found = request.occupancy(&rules);
        // The header also names what would limit the blocks if they had no barrier.
        let limiters = Request { barriers: 0, ..request }.occupancy(&rules).limiters;
        let by_barriers = found.limiters.iter().filter(|limiter| **limiter == Limiter::Barriers);
        // The header has no limit by an unused resource.
        let used = |blocks: u32, bytes: u64| if bytes == 0 { i32::MAX as u32 } else { blocks };
        // The spreadsheets, whose limits the simulator has, give a block of too many threads slots.
        let is_large = found.refusals.iter().any(|refusal| refusal.limit == Exceeded::ThreadsPerBlock);
        let warps = if is_large { 0 } else { found.limits.warps };
        let mut factors: u32 = limiters
            .iter()
            .chain(by_barriers)
            .map(|limiter| match limiter {
                Limiter::Warps => 1,
                Limiter::Registers => 2,
                Limiter::Shared => 4,
                Limiter::BlockSlots => 8,
                Limiter::Barriers => 16,
            })
            .sum();
        if is_large {
            factors = 1;
            factors += 2 * u32::from(self.registers > 0 && found.limits.registers == 0);
            factors += 4 * u32::from(found.limits.shared == 0);
        }
        format!(
            "0 {} {factors} {warps} {} {} {} {} {}",
            found.blocks,
            found.limits.block_slots,
            used(found.limits.registers, self.registers.into()),
            used(found.limits.shared, found.shared_per_block),
            found.registers_per_block,
            found.shared_per_block
        )
    }
}

/// Compiles `points.c` with a header and returns its answers.
fn header(folder: &Path, version: &str, points: &str) -> String {
    let program = folder.join(format!("points-{version}"));
    let headers = Tool::OccupancyHeaders.folder().expect("a folder").join(version);
    let mut command = Command::new("cc");
    command.arg("-I").arg(headers).arg("-o").arg(&program);
    command.arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/occupancy_header/points.c"));
    assert!(command.status().expect("cc starts").success(), "cuda_occupancy.h of CUDA {version}");
    let input = folder.join("input");
    std::fs::write(&input, points).expect("the folder can be written");
    let input = Stdio::from(std::fs::File::open(input).expect("the file exists"));
    let output = Command::new(program).stdin(input).output().expect("the program starts");
    String::from_utf8(output.stdout).expect("the program prints numbers")
}

/// Tests: `occupancy`.
#[test]
fn occupancy_equals_nvidias_header() {
    if Tool::OccupancyHeaders.is_missing("occupancy_equals_nvidias_header") {
        return;
    }
    let folder = tempfile::tempdir().expect("a temporary folder");
    for device in DEVICES {
        let (major, minor) = device.capability;
        let rules = Rules::of_capability(isa::types::Capability::new(major, minor)).expect("known rules");
        let mut rng = ChaCha8Rng::seed_from_u64(u64::from(10 * major + minor));
        let points: Vec<Point> = (0..POINTS).map(|_| Point::random(&mut rng, device)).collect();
        let lines: String = points.iter().map(|point| point.line(device)).collect();
        let version = if major == 3 { "11.8" } else { "13.5" };
        let wanted = header(folder.path(), version, &lines);
        assert_eq!(wanted.lines().count(), POINTS);
        let mut different = String::new();
        for (point, wanted) in points.iter().zip(wanted.lines()) {
            let found = point.answer(device, rules);
            if found != wanted && different.len() < 2000 {
                writeln!(different, "{point:?}\n  header    {wanted}\n  simulator {found}")
                    .expect("a string");
            }
        }
        assert!(different.is_empty(), "{major}.{minor}:\n{different}");
    }
}
