//! NVIDIA's occupancy calculator, exactly: how many blocks of a launch an SM holds, what limits them, and why a
//! launch cannot run at all.
//!
//! The rules are those of the CUDA Occupancy Calculator 5.1. Up to compute capability 1.3 registers are handed
//! out by block: the block's warps, rounded up to the granularity, times registers per thread times 32, rounded
//! up to the unit. From 2.0 on they are handed out by warp. Shared memory is rounded up to its unit per block.

use crate::config::{Chip, RegisterScope, WARP_SIZE};
use serde::Serialize;

/// What an SM has to hand out, and in which portions.
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
    /// The most threads that a block may have.
    pub threads_per_block: u32,
    /// The most registers that a thread may have.
    pub registers_per_thread: u32,
    /// Whether registers are handed out by block or by warp.
    pub register_scope: RegisterScope,
    /// Registers are handed out in multiples of this.
    pub register_unit: u32,
    /// Warps are counted in multiples of this when registers are handed out.
    pub warp_granularity: u32,
    /// Shared memory is handed out in multiples of this many bytes.
    pub shared_unit: u32,
}

/// What one block of a launch asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct BlockNeeds {
    /// Threads per block.
    pub threads: u32,
    /// Registers per thread.
    pub registers: u32,
    /// Bytes of shared memory per block, everything included.
    pub shared_bytes: u32,
}

/// How many blocks each resource of an SM allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct BlockLimits {
    /// By warp and thread slots.
    pub warps: u32,
    /// By block slots.
    pub block_slots: u32,
    /// By registers; the block slots for a kernel without registers.
    pub registers: u32,
    /// By shared memory; the block slots for a block without shared memory.
    pub shared: u32,
}

/// A resource that allows no more blocks than there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the variants are the fields of `BlockLimits`")]
pub enum Limiter {
    Warps,
    BlockSlots,
    Registers,
    Shared,
}

impl Limiter {
    /// In words.
    pub fn name(self) -> &'static str {
        match self {
            Self::Warps => "warp and thread slots",
            Self::BlockSlots => "block slots",
            Self::Registers => "registers",
            Self::Shared => "shared memory",
        }
    }
}

/// What a launch asks too much of.
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
    /// Bytes of shared memory of an SM.
    Shared,
}

/// Why a launch cannot run: one block asks for more than there is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, thiserror::Error)]
#[error("{}", self.sentence())]
pub struct Refusal {
    /// Of what.
    pub limit: Exceeded,
    /// What one block (or thread) needs, as allocated.
    pub needed: u64,
    /// What there is.
    pub available: u64,
}

impl Refusal {
    fn sentence(&self) -> String {
        let (needed, available) = (self.needed, self.available);
        match self.limit {
            Exceeded::NoThreads => "a block has no threads".to_owned(),
            Exceeded::ThreadsPerBlock => format!("a block has {needed} threads; at most {available} are allowed"),
            Exceeded::Warps => format!("a block has {needed} warps; an SM holds {available}"),
            Exceeded::RegistersPerThread => {
                format!("a thread needs {needed} registers; at most {available} are allowed")
            }
            Exceeded::Registers => format!("a block needs {needed} registers; an SM has {available}"),
            Exceeded::Shared => format!("a block needs {needed} bytes of shared memory; an SM has {available}"),
        }
    }
}

/// The calculator's answer.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Occupancy {
    /// What was asked for.
    pub needs: BlockNeeds,
    /// Blocks that an SM holds at once; 0 if the launch is refused.
    pub blocks: u32,
    /// Their warps.
    pub warps: u32,
    /// Their threads, padding of last warps not counted.
    pub threads: u32,
    /// Warps as a fraction of the SM's warp slots, 0 to 1.
    pub occupancy: f64,
    /// Warps of one block.
    pub warps_per_block: u32,
    /// Registers allocated for one block.
    pub registers_per_block: u64,
    /// Bytes of shared memory allocated for one block.
    pub shared_per_block: u64,
    /// Blocks allowed by each resource.
    pub limits: BlockLimits,
    /// The resources that allow the fewest blocks.
    pub limiters: Vec<Limiter>,
    /// Why the launch cannot run; empty if it can.
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
            registers_per_thread: limits.registers_per_thread,
            register_scope: allocation.register_scope,
            register_unit: allocation.register_unit,
            warp_granularity: allocation.warp_granularity,
            shared_unit: allocation.shared_unit,
        }
    }

    /// Occupancy of blocks with these needs.
    pub fn occupancy(&self, needs: BlockNeeds) -> Occupancy {
        let warps = needs.threads.div_ceil(WARP_SIZE);
        let registers_per_block = self.registers_of(warps, needs.registers);
        let shared_per_block = round_up(needs.shared_bytes.into(), self.shared_unit.into());
        let slots = self.max_warps.min(self.max_threads / WARP_SIZE);
        let limits = BlockLimits {
            warps: slots.checked_div(warps).unwrap_or(0),
            block_slots: self.max_blocks,
            registers: self.blocks_by_registers(warps, needs.registers),
            shared: u64::from(self.shared_bytes)
                .checked_div(shared_per_block)
                .map_or(self.max_blocks, |blocks| blocks as u32),
        };
        let fewest = limits.warps.min(limits.block_slots).min(limits.registers).min(limits.shared);
        let limiters = [
            (Limiter::Warps, limits.warps, true),
            (Limiter::BlockSlots, limits.block_slots, true),
            (Limiter::Registers, limits.registers, needs.registers > 0),
            (Limiter::Shared, limits.shared, needs.shared_bytes > 0),
        ];
        let limiters = limiters.iter().filter(|(_, blocks, used)| *used && *blocks == fewest).map(|l| l.0).collect();
        let refusals = self.refusals(needs, warps, registers_per_block, shared_per_block);
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
            RegisterScope::Block => round_up(round_up(warps, self.warp_granularity.into()) * per_warp, unit),
            RegisterScope::Warp => warps * round_up(per_warp, unit),
        }
    }

    fn blocks_by_registers(&self, warps: u32, registers: u32) -> u32 {
        if registers > self.registers_per_thread {
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

    fn refusals(&self, needs: BlockNeeds, warps: u32, registers: u64, shared: u64) -> Vec<Refusal> {
        let slots = self.max_warps.min(self.max_threads / WARP_SIZE);
        // A block whose registers fit, but not in whole portions of the warp granularity, is refused as well.
        let by_registers = needs.registers <= self.registers_per_thread
            && self.blocks_by_registers(warps, needs.registers) == 0;
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
            (by_registers, Exceeded::Registers, registers, self.registers.into()),
            (shared > u64::from(self.shared_bytes), Exceeded::Shared, shared, self.shared_bytes.into()),
        ];
        let refused = checks.into_iter().filter(|check| check.0);
        refused.map(|(_, limit, needed, available)| Refusal { limit, needed, available }).collect()
    }
}

impl Chip {
    /// Occupancy of a launched kernel: `shared_bytes` is its static and dynamic shared memory, to which launch
    /// state and parameters are added where the chip keeps them there.
    pub fn occupancy(&self, threads: u32, registers: u32, shared_bytes: u32, param_bytes: u32) -> Occupancy {
        let allocation = &self.allocation;
        let params = if allocation.params_in_shared { param_bytes } else { 0 };
        let shared_bytes = shared_bytes.saturating_add(allocation.shared_per_block).saturating_add(params);
        SmResources::of(self).occupancy(BlockNeeds { threads, registers, shared_bytes })
    }
}

fn round_up(value: u64, unit: u64) -> u64 {
    value.div_ceil(unit) * unit
}

#[cfg(test)]
mod tests {
    use super::*;

    fn resources(capability: &str) -> SmResources {
        let g80 = SmResources::of(&Chip::builtin("g80").unwrap());
        let gt200 = SmResources { max_warps: 32, max_threads: 1024, registers: 16384, register_unit: 512, ..g80 };
        let fermi = SmResources {
            max_warps: 48,
            max_threads: 1536,
            max_blocks: 8,
            registers: 32768,
            shared_bytes: 49152,
            threads_per_block: 1024,
            registers_per_thread: 63,
            register_scope: RegisterScope::Warp,
            register_unit: 64,
            warp_granularity: 2,
            shared_unit: 128,
        };
        match capability {
            "1.0" | "1.1" => g80,
            "1.2" | "1.3" => gt200,
            "2.0" | "2.1" => fermi,
            "3.0" => SmResources {
                max_warps: 64,
                max_threads: 2048,
                max_blocks: 16,
                registers: 65536,
                register_unit: 256,
                warp_granularity: 4,
                shared_unit: 256,
                ..fermi
            },
            other => panic!("no capability {other}"),
        }
    }

    fn of(capability: &str, threads: u32, registers: u32, shared_bytes: u32) -> Occupancy {
        resources(capability).occupancy(BlockNeeds { threads, registers, shared_bytes })
    }

    #[test]
    fn every_row_of_the_official_samples() {
        let text = include_str!("../tests/data/occupancy.csv");
        let mut rows = 0;
        for row in text.lines().skip(1) {
            let cells: Vec<&str> = row.split(',').collect();
            let n = |i: usize| cells[i].parse::<u32>().unwrap();
            let o = of(cells[0], n(1), n(2), n(3));
            assert_eq!((o.blocks, o.warps), (n(4), n(5)), "{row}");
            assert_eq!(format!("{:.4}", o.occupancy), cells[6], "{row}");
            let slots = o.limits.warps.min(o.limits.block_slots);
            assert_eq!((slots, o.limits.registers, o.limits.shared), (n(8), n(9), n(10)), "{row}");
            if o.refusals.is_empty() {
                let wanted: Vec<&str> = cells[7]
                    .split('+')
                    .filter(|l| !(*l == "regs" && n(2) == 0 || *l == "smem" && n(3) == 0))
                    .collect();
                let mut named: Vec<&str> = o.limiters.iter().map(|l| match l {
                    Limiter::Warps | Limiter::BlockSlots => "warps/blocks",
                    Limiter::Registers => "regs",
                    Limiter::Shared => "smem",
                }).collect();
                named.dedup();
                assert_eq!(named, wanted, "{row}");
            }
            rows += 1;
        }
        assert_eq!(rows, 86);
    }

    /// Ledger rows OCC-01 to OCC-04: occupancy by threads per block alone, in per cent; 0 is not launchable.
    #[test]
    fn occ_01_to_04_threads_per_block() {
        let threads = [64, 96, 128, 192, 256, 384, 512, 768, 1024];
        for (capability, percent) in [
            ("1.0", [67, 100, 100, 100, 100, 100, 67, 0, 0]),
            ("1.3", [50, 75, 100, 94, 100, 75, 100, 0, 0]),
            ("2.0", [33, 50, 67, 100, 100, 100, 100, 100, 67]),
            ("3.0", [50, 75, 100, 94, 100, 94, 100, 75, 100]),
        ] {
            let got = threads.map(|t| (of(capability, t, 0, 0).occupancy * 100.0).round() as u32);
            assert_eq!(got, percent, "{capability}");
        }
    }

    /// Ledger rows OCC-05, OCC-11, OCC-12, OCC-13 and OCC-16 on the G80; OCC-14 on the GT200.
    #[test]
    fn occ_05_and_11_to_16() {
        let o = of("1.0", 64, 0, 0);
        assert_eq!((o.blocks, o.threads, o.limiters.as_slice()), (8, 512, &[Limiter::BlockSlots][..]));
        assert_eq!((of("1.0", 256, 0, 0).blocks, of("1.0", 256, 0, 0).threads), (3, 768));
        let o = of("1.0", 1024, 0, 0);
        let refusal = Refusal { limit: Exceeded::ThreadsPerBlock, needed: 1024, available: 512 };
        assert!(o.blocks == 0 && o.refusals.contains(&refusal), "{o:?}");

        let (ten, eleven) = (of("1.0", 256, 10, 0), of("1.0", 256, 11, 0));
        assert_eq!((ten.blocks, ten.blocks as u64 * ten.registers_per_block), (3, 7680));
        assert_eq!((eleven.blocks, eleven.blocks as u64 * eleven.registers_per_block), (2, 5632));

        assert_eq!((of("1.0", 64, 0, 2048).limits.shared, of("1.0", 64, 0, 5120).limits.shared), (8, 3));
        let launched = Chip::builtin("g80").unwrap().occupancy(256, 10, 2048, 16);
        assert_eq!((launched.needs.shared_bytes, launched.shared_per_block), (2080, 2560));
        assert_eq!((launched.limits.shared, launched.blocks), (6, 3));
        assert_eq!(launched.limiters, [Limiter::Warps, Limiter::Registers]);
        assert_eq!(launched.blocks as u64 * launched.shared_per_block, 7680);

        assert_eq!([256, 128, 64].map(|t| of("1.3", t, 0, 0).blocks), [4, 8, 8]);
        assert_eq!(of("1.3", 64, 0, 0).threads, 512);

        let o = of("1.0", 256, 33, 0);
        assert_eq!(o.refusals, [Refusal { limit: Exceeded::Registers, needed: 8448, available: 8192 }]);
        assert_eq!(o.refusals[0].to_string(), "a block needs 8448 registers; an SM has 8192");
    }

    #[test]
    fn a_launch_that_asks_too_much_is_refused_for_every_reason() {
        let o = of("1.0", 800, 125, 16385);
        let limits: Vec<Exceeded> = o.refusals.iter().map(|r| r.limit).collect();
        use Exceeded::{RegistersPerThread, Shared, ThreadsPerBlock, Warps};
        assert_eq!(limits, [ThreadsPerBlock, Warps, RegistersPerThread, Shared]);
        assert_eq!(of("1.0", 0, 1, 1).refusals[0].limit, Exceeded::NoThreads);
        let extreme = of("2.0", u32::MAX, u32::MAX, u32::MAX);
        assert_eq!((extreme.blocks, extreme.occupancy), (0, 0.0));
    }
}
