//! NVIDIA's occupancy calculator, exactly: the number of blocks of a launch that an SM holds, the
//! resources that limit it, and the reasons for which a launch is rejected.
//!
//! The CUDA Occupancy Calculator has the same rules. Up to compute capability 1.3,
//! registers are allocated per block: the block's warps, rounded up to the granularity, times
//! registers per thread times 32, rounded up to the unit. From 2.0 on they are allocated per warp.
//! Shared memory is rounded up to its unit per block.
//!
//! Invariant `occupancy`: NVIDIA's calculator and the simulator have the same occupancy for a
//! block, in the library and in the program, and the machine holds as many blocks at once.

use crate::config::{Chip, RegisterScope, WARP_SIZE};
use isa::terms::Terms;
use serde::Serialize;
use std::borrow::Cow;

pub mod rules;

pub use rules::Rules;

/// Resources of an SM, and their allocation units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SmResources {
    /// Warp slots.
    pub max_warps: u32,
    /// Thread slots.
    pub max_threads: u32,
    /// Block slots.
    pub max_blocks: u32,
    /// 32-bit registers.
    pub registers: u32,
    /// Bytes of shared memory.
    pub shared_bytes: u32,
    /// Maximum number of threads per block.
    pub threads_per_block: u32,
    /// Maximum number of registers of a block, with its warps rounded up to `checked_warps`.
    pub registers_per_block: u32,
    /// Maximum number of bytes of shared memory of a block, as allocated.
    pub shared_per_block: u32,
    /// Maximum number of registers per thread.
    pub registers_per_thread: u32,
    /// Whether registers are allocated per block or per warp.
    pub register_scope: RegisterScope,
    /// Allocation unit of registers.
    pub register_unit: u32,
    /// Number of warps to which the register allocation is rounded up: the SM's partitions.
    pub warp_granularity: u32,
    /// Number of warps to which the warps of a block are rounded up before its registers are
    /// compared with `registers_per_block`.
    pub checked_warps: u32,
    /// Allocation unit of shared memory in bytes.
    pub shared_unit: u32,
    /// Barriers that limit the number of blocks, on 9.0.
    pub barriers: Option<u32>,
}

/// Resources that one block of a launch requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct BlockNeeds {
    /// Threads per block.
    pub threads: u32,
    /// Registers per thread.
    pub registers: u32,
    /// Bytes of shared memory per block, in total.
    pub shared_bytes: u32,
    /// Barriers of the kernel, as ptxas counts them: the highest number and one.
    #[serde(skip)]
    pub barriers: u32,
}

/// Number of blocks that each resource of an SM allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct BlockLimits {
    /// Blocks allowed by warp and thread slots.
    pub warps: u32,
    /// Blocks allowed by block slots.
    pub block_slots: u32,
    /// Blocks allowed by registers; the block slots for a kernel without registers, 0 if one block
    /// exceeds a limit.
    pub registers: u32,
    /// Blocks allowed by shared memory; the block slots for a block without shared memory, 0 if one
    /// block exceeds a limit.
    pub shared: u32,
    /// Blocks allowed by barriers; absent if the SM has no such limit or the kernel no barrier.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub barriers: Option<u32>,
}

/// A resource that limits the number of blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the variants are the fields of `BlockLimits`")]
pub enum Limiter {
    Warps,
    BlockSlots,
    Registers,
    Shared,
    Barriers,
}

impl Limiter {
    /// Name of the resource in texts.
    pub fn name(self, terms: &Terms) -> Cow<'static, str> {
        terms.fill(match self {
            Self::Warps => "warp and {thread} slots",
            Self::BlockSlots => "{block} slots",
            Self::Registers => "registers",
            Self::Shared => "{shared}",
            Self::Barriers => "barriers",
        })
    }
}

/// A limit that one block exceeds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Exceeded {
    /// A block must have at least one thread.
    NoThreads,
    /// Threads per block.
    ThreadsPerBlock,
    /// Warp slots of an SM.
    Warps,
    /// Registers per thread.
    RegistersPerThread,
    /// Registers of an SM.
    Registers,
    /// Registers per block, while an SM has more.
    RegistersPerBlock,
    /// Bytes of shared memory of an SM.
    Shared,
    /// Bytes of shared memory per block, while an SM has more.
    SharedPerBlock,
}

/// Reason for which a launch is rejected: one block needs more than the SM has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, thiserror::Error)]
#[error("{}", self.sentence(&Terms::CUDA))]
pub struct Refusal {
    /// Exceeded limit.
    pub limit: Exceeded,
    /// Amount that one block (or thread) needs, as allocated; registers of a block with its warps
    /// rounded up, as the check of a launch counts them.
    pub needed: u64,
    /// Amount available.
    pub available: u64,
}

impl Refusal {
    /// Returns the reason in the words of a language.
    pub fn sentence(&self, terms: &Terms) -> String {
        let (needed, available) = (self.needed, self.available);
        let Terms { thread, block, shared, an_sm, .. } = terms;
        match self.limit {
            Exceeded::NoThreads => format!("a {block} has no {thread}s"),
            Exceeded::ThreadsPerBlock => {
                format!("a {block} has {needed} {thread}s; at most {available} are allowed")
            }
            Exceeded::Warps => format!("a {block} has {needed} warps; {an_sm} holds {available}"),
            Exceeded::RegistersPerThread => {
                format!("a {thread} needs {needed} registers; at most {available} are allowed")
            }
            Exceeded::Registers => format!("a {block} needs {needed} registers; {an_sm} has {available}"),
            Exceeded::RegistersPerBlock => {
                format!("a {block} needs {needed} registers; at most {available} are allowed")
            }
            Exceeded::Shared => {
                format!("a {block} needs {needed} bytes of {shared}; {an_sm} has {available}")
            }
            Exceeded::SharedPerBlock => {
                format!("a {block} needs {needed} bytes of {shared}; at most {available} are allowed")
            }
        }
    }
}

/// Result of the calculator.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Occupancy {
    /// Needs of a block: `threads`, `registers` per thread, `shared_bytes` with everything
    /// included.
    pub needs: BlockNeeds,
    /// Blocks that an SM holds; 0 if the launch is rejected.
    pub blocks: u32,
    /// Warps of these blocks.
    pub warps: u32,
    /// Threads of these blocks, without the padding of last warps.
    pub threads: u32,
    /// Warps as a fraction of the SM's warp slots, 0 to 1.
    pub occupancy: f64,
    /// Warps of one block.
    pub warps_per_block: u32,
    /// Registers allocated to a block, rounded as the hardware rounds.
    pub registers_per_block: u64,
    /// Shared memory allocated to a block. Unit: bytes.
    pub shared_per_block: u64,
    /// Number of blocks that each resource alone allows: `warps` (warp and thread slots),
    /// `block_slots`, `registers`, `shared`, on 9.0 `barriers`.
    pub limits: BlockLimits,
    /// The resources that allow the fewest blocks.
    pub limiters: Vec<Limiter>,
    /// Reasons for which the launch is rejected; empty if it is accepted.
    pub refusals: Vec<Refusal>,
}

impl SmResources {
    /// The resources of a chip's SM.
    pub fn of(chip: &Chip) -> Self {
        let (sm, allocation, limits) = (&chip.sm, &chip.allocation, &chip.limits);
        Self {
            max_warps: sm.max_warps,
            max_threads: sm.max_threads,
            max_blocks: sm.max_blocks,
            registers: sm.registers,
            shared_bytes: sm.shared_bytes,
            threads_per_block: limits.threads_per_block,
            registers_per_block: sm.registers,
            shared_per_block: sm.shared_bytes,
            registers_per_thread: limits.registers_per_thread,
            register_scope: allocation.register_scope,
            register_unit: allocation.register_unit,
            warp_granularity: allocation.warp_granularity,
            checked_warps: allocation.warp_granularity,
            shared_unit: allocation.shared_unit,
            barriers: None,
        }
    }

    /// Returns the occupancy for blocks with these needs.
    pub fn occupancy(&self, needs: BlockNeeds) -> Occupancy {
        let warps = needs.threads.div_ceil(WARP_SIZE);
        let registers_per_block = self.registers_of(warps, needs.registers);
        let shared_per_block = round_up(needs.shared_bytes.into(), self.shared_unit.into());
        let slots = self.max_warps.min(self.max_threads / WARP_SIZE);
        let limits = BlockLimits {
            warps: slots.checked_div(warps).unwrap_or(0),
            block_slots: self.max_blocks,
            registers: self.blocks_by_registers(warps, needs.registers),
            shared: self.blocks_by_shared(shared_per_block),
            barriers: self.barriers.and_then(|barriers| barriers.checked_div(needs.barriers)),
        };
        let by_barriers = limits.barriers.unwrap_or(self.max_blocks);
        let fewest =
            limits.warps.min(limits.block_slots).min(limits.registers).min(limits.shared).min(by_barriers);
        let limiters = [
            (Limiter::Warps, limits.warps, true),
            (Limiter::BlockSlots, limits.block_slots, true),
            (Limiter::Registers, limits.registers, needs.registers > 0),
            (Limiter::Shared, limits.shared, needs.shared_bytes > 0),
            (Limiter::Barriers, by_barriers, limits.barriers.is_some()),
        ];
        let limiters =
            limiters.iter().filter(|(_, blocks, used)| *used && *blocks == fewest).map(|l| l.0).collect();
        let refusals = self.refusals(needs, warps, shared_per_block);
        let blocks = if refusals.is_empty() { fewest } else { 0 };
        Occupancy {
            needs,
            blocks,
            warps: blocks * warps,
            threads: blocks * needs.threads,
            occupancy: f64::from(blocks * warps) / f64::from(self.max_warps),
            warps_per_block: warps,
            registers_per_block,
            shared_per_block,
            limits,
            limiters,
            refusals,
        }
    }

    /// Registers allocated for a block.
    fn registers_of(&self, warps: u32, registers: u32) -> u64 {
        let (warps, unit) = (u64::from(warps), self.register_unit.into());
        let per_warp = u64::from(registers) * u64::from(WARP_SIZE);
        match self.register_scope {
            RegisterScope::Block => {
                round_up(round_up(warps, self.warp_granularity.into()).saturating_mul(per_warp), unit)
            }
            RegisterScope::Warp => warps.saturating_mul(round_up(per_warp, unit)),
        }
    }

    /// Registers of a block as the check of a launch counts them: with its warps rounded up to
    /// `checked_warps`.
    pub fn checked_registers(&self, warps: u32, registers: u32) -> u64 {
        let warps = warps.checked_next_multiple_of(self.checked_warps).unwrap_or(u32::MAX);
        self.registers_of(warps, registers)
    }

    /// Blocks allowed by shared memory if each is allocated this many bytes.
    fn blocks_by_shared(&self, allocated: u64) -> u32 {
        if allocated > self.shared_per_block.into() {
            return 0;
        }
        u64::from(self.shared_bytes).checked_div(allocated).map_or(self.max_blocks, |blocks| blocks as u32)
    }

    fn blocks_by_registers(&self, warps: u32, registers: u32) -> u32 {
        if registers > self.registers_per_thread
            || self.checked_registers(warps, registers) > self.registers_per_block.into()
        {
            return 0;
        }
        if registers == 0 || warps == 0 {
            return self.max_blocks;
        }
        match self.register_scope {
            RegisterScope::Block => (u64::from(self.registers) / self.registers_of(warps, registers)) as u32,
            RegisterScope::Warp => {
                let held = u64::from(self.registers) / self.registers_of(1, registers);
                let granularity = u64::from(self.warp_granularity);
                (held / granularity * granularity / u64::from(warps)) as u32
            }
        }
    }

    fn refusals(&self, needs: BlockNeeds, warps: u32, shared: u64) -> Vec<Refusal> {
        let slots = self.max_warps.min(self.max_threads / WARP_SIZE);
        let registers = self.checked_registers(warps, needs.registers);
        let counted = needs.registers <= self.registers_per_thread;
        // A limit of the SM is reported before a lower one of the block.
        let of_block = |needed: u64, most: u32, of_sm: u32| needed > most.into() && needed <= of_sm.into();
        let checks = [
            (needs.threads == 0, Exceeded::NoThreads, 0, 1),
            (
                needs.threads > self.threads_per_block,
                Exceeded::ThreadsPerBlock,
                needs.threads.into(),
                self.threads_per_block.into(),
            ),
            (warps > slots, Exceeded::Warps, warps.into(), slots.into()),
            (
                needs.registers > self.registers_per_thread,
                Exceeded::RegistersPerThread,
                needs.registers.into(),
                self.registers_per_thread.into(),
            ),
            (
                counted && registers > self.registers.into(),
                Exceeded::Registers,
                registers,
                self.registers.into(),
            ),
            (
                counted && of_block(registers, self.registers_per_block, self.registers),
                Exceeded::RegistersPerBlock,
                registers,
                self.registers_per_block.into(),
            ),
            (shared > u64::from(self.shared_bytes), Exceeded::Shared, shared, self.shared_bytes.into()),
            (
                of_block(shared, self.shared_per_block, self.shared_bytes),
                Exceeded::SharedPerBlock,
                shared,
                self.shared_per_block.into(),
            ),
        ];
        let refused = checks.into_iter().filter(|check| check.0);
        refused.map(|(_, limit, needed, available)| Refusal { limit, needed, available }).collect()
    }
}

impl Chip {
    /// Returns the occupancy of a launched kernel. `shared_bytes` is its static and dynamic shared
    /// memory; launch state and parameters are added on chips that keep them in shared memory.
    pub fn occupancy(&self, threads: u32, registers: u32, shared_bytes: u32, param_bytes: u32) -> Occupancy {
        let needs = BlockNeeds { threads, registers, shared_bytes, barriers: 0 };
        Rules::of(self).launched(needs, param_bytes)
    }
}

fn round_up(value: u64, unit: u64) -> u64 {
    value.div_ceil(unit).saturating_mul(unit)
}

#[cfg(test)]
mod tests;
