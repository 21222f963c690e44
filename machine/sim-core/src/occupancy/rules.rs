//! The rules that decide whether a launch fits and how many of its blocks an SM holds: the rules of
//! a chip, or of a compute capability without a chip, as in NVIDIA's calculator.
//!
//! Up to 3.0 all numbers of [`CAPABILITIES`] are from the CUDA C Programming Guide 5.5 (tables 11
//! and 12) and the data sheet of the CUDA Occupancy Calculator 5.1, which also has 124, not 128,
//! registers per thread for 1.x. The numbers of newer capabilities are from the CUDA C++
//! Programming Guide 12 ("Technical Specifications per Compute Capability"). Their rules are those
//! in the header `cuda_occupancy.h` of CUDA 11.8 (3.x) and 13.5 (from 5.0 on), with which a test
//! compares them. The numbers of 9.0 were compared with the driver's answers on an H200.

use super::{BlockNeeds, Occupancy, SmResources};
use crate::config::{Chip, Limits, RegisterScope};
use isa::feature::Features;
use isa::terms::Terms;
use isa::types::{Capability, Dim3};

/// The rules of a launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    /// The newest target that can run.
    pub capability: Capability,
    /// Instructions after Fermi that can run.
    pub features: Features,
    /// Limits of a launch.
    pub limits: Limits,
    /// Resources of an SM.
    pub sm: SmResources,
    /// Bytes of shared memory that every block needs for launch state (1.x), or that the system
    /// reserves (from 8.0 on).
    pub shared_per_block: u32,
    /// Whether parameters are in shared memory and count against it.
    pub params_in_shared: bool,
}

/// All capabilities for which the calculator is exact. Those from 3.0 on are included for their
/// occupancy only: no chip of them is simulated. Capabilities of embedded chips are not included.
pub const CAPABILITIES: [Rules; 19] = [
    tesla(0),
    tesla(1),
    tesla(2),
    tesla(3),
    fermi(0),
    fermi(1),
    KEPLER,
    newer(3, 5, Newer { shared: 49152, ..KEPLER_GK110 }),
    newer(3, 7, Newer { registers: 131_072, shared: 114_688, ..KEPLER_GK110 }),
    newer(5, 0, MAXWELL),
    newer(5, 2, Newer { shared: 98304, ..MAXWELL }),
    newer(6, 0, Newer { partitions: 2, ..MAXWELL }),
    newer(6, 1, Newer { shared: 98304, ..MAXWELL }),
    newer(7, 0, Newer { shared: 98304, ..MAXWELL }),
    newer(7, 5, Newer { warps: 32, blocks: 16, ..MAXWELL }),
    newer(8, 0, Newer { shared: 167_936, ..AMPERE }),
    newer(8, 6, Newer { warps: 48, blocks: 16, shared: 102_400, ..AMPERE }),
    newer(8, 9, Newer { warps: 48, blocks: 24, shared: 102_400, ..AMPERE }),
    newer(9, 0, Newer { shared: 233_472, barriers: Some(64), ..AMPERE }),
];

/// Returns the sizes of shared memory that can be configured for a capability, in bytes,
/// descending; the first is the size in [`CAPABILITIES`].
pub fn shared_choices(capability: Capability) -> &'static [u32] {
    const K: u32 = 1024;
    match (capability.major, capability.minor) {
        (1, _) => &[16 * K],
        (2, _) => &[48 * K, 16 * K],
        (3, 7) => &[112 * K, 96 * K, 80 * K],
        (3, _) => &[48 * K, 32 * K, 16 * K],
        (5, 2) | (6, 1) => &[96 * K],
        (5 | 6, _) => &[64 * K],
        (7, 5) => &[64 * K, 32 * K],
        (7, _) => &[96 * K, 64 * K, 32 * K, 16 * K, 8 * K, 0],
        (8, 0) => &[164 * K, 132 * K, 100 * K, 64 * K, 32 * K, 16 * K, 8 * K, 0],
        (8, _) => &[100 * K, 64 * K, 32 * K, 16 * K, 8 * K, 0],
        _ => &[228 * K, 196 * K, 164 * K, 132 * K, 100 * K, 64 * K, 32 * K, 16 * K, 8 * K, 0],
    }
}

/// Returns the sizes of shared memory, ascending and without the largest, that a launch can get if
/// it prefers `bytes`: a block that does not fit gets the next size from 7.0 on, before that the
/// largest.
pub fn smaller_choices(capability: Capability, bytes: u32) -> Vec<u32> {
    let choices = shared_choices(capability).iter().skip(1).rev().copied().filter(|size| *size >= bytes);
    choices.take(if capability.major < 7 { 1 } else { usize::MAX }).collect()
}

/// The numbers in which capabilities from 3.5 on differ.
#[derive(Clone, Copy)]
struct Newer {
    warps: u32,
    blocks: u32,
    registers: u32,
    /// Partitions of an SM's registers.
    partitions: u32,
    /// Bytes of shared memory of an SM.
    shared: u32,
    shared_unit: u32,
    /// Bytes of shared memory that the system takes of each block.
    reserved: u32,
    /// Barriers of an SM that limit the number of blocks: two for each block slot, as the header
    /// counts them from 9.0 on.
    barriers: Option<u32>,
}

const KEPLER_GK110: Newer = Newer {
    warps: 64,
    blocks: 16,
    registers: 65536,
    partitions: 4,
    shared: 49152,
    shared_unit: 256,
    reserved: 0,
    barriers: None,
};

const MAXWELL: Newer = Newer { blocks: 32, shared: 65536, ..KEPLER_GK110 };

const AMPERE: Newer = Newer { shared_unit: 128, reserved: 1024, ..MAXWELL };

const fn newer(major: u8, minor: u8, of: Newer) -> Rules {
    let Rules { limits, sm, .. } = KEPLER;
    Rules {
        capability: Capability::new(major, minor),
        features: Features::of(Capability::new(major, minor)),
        limits: Limits { registers_per_thread: 255, ..limits },
        sm: SmResources {
            max_warps: of.warps,
            max_threads: 32 * of.warps,
            max_blocks: of.blocks,
            registers: of.registers,
            registers_per_thread: 255,
            shared_bytes: of.shared,
            shared_per_block: sm.shared_per_block + of.reserved,
            warp_granularity: of.partitions,
            shared_unit: of.shared_unit,
            barriers: of.barriers,
            ..sm
        },
        shared_per_block: of.reserved,
        params_in_shared: false,
    }
}

const fn tesla(minor: u8) -> Rules {
    let first = minor < 2;
    let registers = if first { 8192 } else { 16384 };
    Rules {
        capability: Capability::new(1, minor),
        features: Features::NONE,
        limits: Limits {
            threads_per_block: 512,
            block: Dim3::new(512, 512, 64),
            grid: Dim3::new(65535, 65535, 1),
            param_bytes: 256,
            const_bytes: 65536,
            local_bytes: 16384,
            registers_per_thread: 124,
        },
        sm: SmResources {
            max_warps: if first { 24 } else { 32 },
            max_threads: if first { 768 } else { 1024 },
            max_blocks: 8,
            registers,
            shared_bytes: 16384,
            threads_per_block: 512,
            registers_per_block: registers,
            shared_per_block: 16384,
            registers_per_thread: 124,
            register_scope: RegisterScope::Block,
            register_unit: registers / 32,
            warp_granularity: 2,
            checked_warps: 2,
            shared_unit: 512,
            barriers: None,
        },
        shared_per_block: 16,
        params_in_shared: true,
    }
}

const fn fermi(minor: u8) -> Rules {
    Rules {
        capability: Capability::new(2, minor),
        features: Features::NONE,
        limits: Limits {
            threads_per_block: 1024,
            block: Dim3::new(1024, 1024, 64),
            grid: Dim3::new(65535, 65535, 65535),
            param_bytes: 4096,
            const_bytes: 65536,
            local_bytes: 524_288,
            registers_per_thread: 63,
        },
        sm: SmResources {
            max_warps: 48,
            max_threads: 1536,
            max_blocks: 8,
            registers: 32768,
            shared_bytes: 49152,
            threads_per_block: 1024,
            registers_per_block: 32768,
            shared_per_block: 49152,
            registers_per_thread: 63,
            register_scope: RegisterScope::Warp,
            register_unit: 64,
            warp_granularity: 2,
            checked_warps: 2,
            shared_unit: 128,
            barriers: None,
        },
        shared_per_block: 0,
        params_in_shared: false,
    }
}

const KEPLER: Rules = {
    let Rules { limits, sm, .. } = fermi(0);
    Rules {
        capability: Capability::new(3, 0),
        features: Features::of(Capability::new(3, 0)),
        limits: Limits { grid: Dim3::new(0x7fff_ffff, 65535, 65535), ..limits },
        sm: SmResources {
            max_warps: 64,
            max_threads: 2048,
            max_blocks: 16,
            registers: 65536,
            registers_per_block: 65536,
            register_unit: 256,
            warp_granularity: 4,
            // Also on 6.0 with its two partitions: a block that no other SM of 6.x can hold is
            // refused there, too.
            checked_warps: 4,
            shared_unit: 256,
            ..sm
        },
        shared_per_block: 0,
        params_in_shared: false,
    }
};

impl Rules {
    /// Returns the rules of a chip.
    pub fn of(chip: &Chip) -> Self {
        Self {
            capability: chip.capability,
            features: chip.features,
            limits: chip.limits,
            sm: SmResources::of(chip),
            shared_per_block: chip.allocation.shared_per_block,
            params_in_shared: chip.allocation.params_in_shared,
        }
    }

    /// Returns the rules of a capability; `None` if its rules are not known.
    pub fn of_capability(capability: Capability) -> Option<Self> {
        CAPABILITIES.into_iter().find(|rules| rules.capability == capability)
    }

    /// Returns the rules of a program that raises its kernel's limit of dynamic shared memory
    /// (`cudaFuncAttributeMaxDynamicSharedMemorySize`): from 7.0 on a block can then have all
    /// shared memory of an SM. `None` before 7.0, where no limit can be raised.
    pub fn opted_in(self) -> Option<Self> {
        let sm = SmResources { shared_per_block: self.sm.shared_bytes, ..self.sm };
        (self.capability.major >= 7).then_some(Self { sm, ..self })
    }

    /// Returns the rules for numbers that ptxas reports: on 1.x its bytes of shared memory include
    /// launch state and parameters. It does not report the bytes that the system reserves.
    #[must_use]
    pub fn as_reported(self) -> Self {
        let shared_per_block = self.reserved();
        Self { shared_per_block, params_in_shared: false, ..self }
    }

    /// Bytes of shared memory that the system reserves in each block, which no program can use.
    fn reserved(&self) -> u32 {
        if self.params_in_shared { 0 } else { self.shared_per_block }
    }

    /// Largest static and dynamic shared memory of a block, in bytes.
    pub fn shared_limit(&self) -> u32 {
        self.sm.shared_per_block.saturating_sub(self.reserved())
    }

    /// Bytes of parameters that a kernel may have. Drivers of OpenCL answered 4,352 for all chips
    /// (docs/OPENCL.md).
    pub fn param_bytes(&self, terms: &Terms) -> u32 {
        self.limits.param_bytes.max(if terms.is_opencl() { 4352 } else { 0 })
    }

    /// Returns the bytes of shared memory that a launch with `param_bytes` of parameters adds to
    /// the kernel's declarations.
    pub fn launch_bytes(&self, param_bytes: u32) -> u32 {
        let own =
            if self.limits.params_in_bank(self.params_in_shared, param_bytes) { 0 } else { param_bytes };
        self.shared_per_block.saturating_add(own)
    }

    /// Returns the occupancy of a launched kernel. `needs.shared_bytes` is its static and dynamic
    /// shared memory; launch state and parameters are added where the chip keeps them in shared
    /// memory.
    pub fn launched(&self, needs: BlockNeeds, param_bytes: u32) -> Occupancy {
        let shared_bytes = needs.shared_bytes.saturating_add(self.launch_bytes(param_bytes));
        self.sm.occupancy(BlockNeeds { shared_bytes, ..needs })
    }
}
