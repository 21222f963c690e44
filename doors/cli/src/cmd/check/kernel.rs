//! Properties of one kernel: resources, control flow, and occupancy on a chip.

use crate::cmd::occupancy::answer::{Refusal, refusal};
use isa::lower::flow::Flow;
use isa::mangled::parameter;
use isa::types::Dim3;
use isa::uop::{Class, Inst, Op, Program, Spills};
use serde::Serialize;
use sim_core::config::WARP_SIZE;
use sim_core::host::fit::{self, Request};
use sim_core::occupancy::{Occupancy, Rules};

/// Resources and control flow of a kernel.
#[derive(Clone, Debug, Serialize)]
pub struct Kernel {
    /// Name.
    pub name: String,
    /// Compute capability for which it was compiled.
    pub target: String,
    /// 32-bit registers per thread, from the live ranges of the lowered code.
    pub registers: u32,
    /// Registers per thread with which the built-in kernel is launched, if different.
    pub given_registers: Option<u32>,
    /// Values in local memory because of a limit of the registers, if any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub spills: Option<Spills>,
    /// Bytes of static shared memory.
    pub shared_bytes: u32,
    /// Whether it declares dynamic shared memory (`.extern .shared`).
    pub dynamic_shared: bool,
    /// Bytes of local memory per thread.
    pub local_bytes: u32,
    /// Bytes of parameters.
    pub param_bytes: u32,
    /// Parameters: type and name.
    pub params: Vec<String>,
    /// `.reqntid`.
    pub required_block: Option<[u32; 3]>,
    /// `.maxntid`.
    pub max_block: Option<[u32; 3]>,
    /// Number of micro-ops of the lowered code.
    pub instructions: usize,
    /// Source lines of barriers.
    pub barriers: Vec<u32>,
    /// Branches with a guard, on which the lanes of a warp may diverge.
    pub branches: Vec<Branch>,
    /// Basic blocks in program order.
    pub blocks: Vec<Block>,
    /// The kernel on a chip, if a chip is given.
    pub chip: Option<OnChip>,
}

/// A branch with a guard.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Branch {
    /// Basic block of the branch.
    pub block: u32,
    /// Source line of the branch.
    pub line: u32,
    /// Text of the branch.
    pub text: String,
    /// Basic block in which diverged lanes reconverge; `None`: at the end of the kernel.
    pub reconverges: Option<u32>,
    /// First source line of that block.
    pub reconvergence_line: Option<u32>,
}

/// A basic block: instructions with one entry, at the first, and one exit, at the last.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Block {
    /// Function of the block; `None`: the kernel itself.
    pub function: Option<String>,
    /// Labels at the beginning of the block.
    pub labels: Vec<String>,
    /// Index of the first micro-op.
    pub pc: usize,
    /// Number of micro-ops.
    pub instructions: usize,
    /// First source line.
    pub first_line: u32,
    /// Last source line.
    pub last_line: u32,
    /// Names of the functions that it calls.
    pub calls: Vec<String>,
    /// Successors of the block. A call returns to the following block.
    pub successors: Vec<u32>,
    /// Whether threads may exit at its last instruction, or return from the function.
    pub exits: bool,
    /// Whether lanes may diverge at its end.
    pub diverges: bool,
    /// Immediate post-dominator on the paths of the lanes that stay, as in [`Flow`]; `None`: they
    /// meet in no block.
    pub post_dominator: Option<u32>,
    /// Number of barriers in the block.
    pub barriers: usize,
}

/// A kernel on a chip.
#[derive(Clone, Debug, Serialize)]
pub struct OnChip {
    /// Block size of the occupancy; `None`: the block size is unknown, and `best` is over all
    /// sizes.
    pub block: Option<[u32; 3]>,
    /// Occupancy with that block size.
    pub occupancy: Option<Occupancy>,
    /// Highest occupancy of any block size of whole warps, and the sizes that reach it.
    pub best: Option<Best>,
    /// Warp slots of an SM.
    pub warp_slots: u32,
    /// Reasons for which it cannot be launched.
    pub refusals: Vec<Refusal>,
}

/// The highest possible occupancy.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Best {
    /// Warps as a fraction of the warp slots.
    pub occupancy: f64,
    /// Numbers of threads per block that reach it.
    pub threads: Vec<u32>,
}

impl Kernel {
    /// Analyzes a program.
    pub fn of(program: &Program, given: Option<u32>, rules: Option<&Rules>, block: Option<Dim3>) -> Self {
        let flow = Flow::of(program);
        let parents = flow.reconvergence_points(&program.code);
        let number = |block: u32| (block < flow.starts.len() as u32).then_some(block);
        let blocks: Vec<Block> =
            (0..flow.starts.len()).map(|b| basic_block(program, &flow, b, number(parents[b]))).collect();
        let line = |pc: usize| program.lines.get(pc).copied().unwrap_or(0);
        let branch = |(pc, inst): (usize, &Inst)| {
            (inst.op == Op::Bra && inst.guard.get().is_some()).then(|| {
                let block = flow.block_of(pc as u32);
                let reconverges = number(parents[block as usize]);
                Branch {
                    block,
                    line: line(pc),
                    text: program.ptx_text(pc as u32).to_owned(),
                    reconverges,
                    reconvergence_line: reconverges.map(|to| blocks[to as usize].first_line),
                }
            })
        };
        let branches = program.code.iter().enumerate().filter_map(branch).collect();
        let barriers = program.code.iter().enumerate().filter(|(_, inst)| is_barrier(inst));
        Self {
            name: program.name.clone(),
            target: program.target.to_string(),
            registers: program.registers,
            given_registers: given,
            spills: Some(program.spills).filter(|spills| *spills != Spills::default()),
            shared_bytes: program.shared_bytes,
            dynamic_shared: program.shared.iter().any(|symbol| symbol.bytes == 0),
            local_bytes: program.local_bytes,
            param_bytes: program.param_bytes,
            params: program
                .params
                .iter()
                .map(|p| format!("{} {}", p.ty, parameter(&program.name, &p.name)))
                .collect(),
            required_block: program.required_block,
            max_block: program.max_block,
            instructions: program.code.len(),
            barriers: barriers.map(|(pc, _)| line(pc)).collect(),
            branches,
            blocks,
            chip: rules.map(|rules| on_chip(program, given, rules, block)),
        }
    }
}

fn is_barrier(inst: &Inst) -> bool {
    inst.op.class() == Class::Barrier
}

fn basic_block(program: &Program, flow: &Flow, block: usize, post_dominator: Option<u32>) -> Block {
    let range = flow.range(block);
    let lines = &program.lines[range.clone()];
    let end = flow.starts.len() as u32;
    let last = &program.code[range.end - 1];
    // Labels and functions are sorted by PC.
    let first = program.labels.partition_point(|(pc, _)| (*pc as usize) < range.start);
    let labels = program.labels[first..].iter().take_while(|(pc, _)| *pc as usize == range.start);
    let called = |inst: &Inst| match inst.op {
        Op::Call => program.function_of(inst.imm).map(|f| f.name.clone()),
        _ => None,
    };
    Block {
        function: program.function_of(range.start as u32).map(|function| function.name.clone()),
        calls: program.code[range.clone()].iter().filter_map(called).collect(),
        labels: labels.map(|(_, name)| name.clone()).collect(),
        pc: range.start,
        instructions: range.len(),
        first_line: lines.iter().copied().min().unwrap_or(0),
        last_line: lines.iter().copied().max().unwrap_or(0),
        successors: flow.successors[block].iter().copied().filter(|to| *to < end).collect(),
        exits: flow.successors[block].contains(&end),
        diverges: last.op == Op::Bra && last.guard.get().is_some(),
        post_dominator,
        barriers: program.code[range].iter().filter(|inst| is_barrier(inst)).count(),
    }
}

fn on_chip(program: &Program, given: Option<u32>, rules: &Rules, block: Option<Dim3>) -> OnChip {
    let registers = given.unwrap_or(program.registers);
    let declared = program.required_block.or(program.max_block);
    let declared = declared.map(|[x, y, z]| Dim3::new(x.max(1), y.max(1), z.max(1)));
    let block = block.or(declared);
    let grid = Dim3::new(1, 1, 1);
    let request = |block| Request::of(program, grid, block, 0, registers);
    let newer = fit::capability(program, rules.capability, rules.features).err();
    // Without a block size, a single warp shows the limits that every block exceeds.
    let refusals = request(block.unwrap_or(Dim3::new(WARP_SIZE, 1, 1))).refusals(rules);
    let sizes = (1..=rules.limits.threads_per_block / WARP_SIZE).map(|warps| warps * WARP_SIZE);
    let all: Vec<(u32, f64)> =
        sizes.map(|n| (n, request(Dim3::new(n, 1, 1)).occupancy(rules).occupancy)).collect();
    let most = all.iter().map(|(_, occupancy)| *occupancy).fold(0.0, f64::max);
    let threads = all.iter().filter(|(_, occupancy)| *occupancy >= most).map(|(n, _)| *n).collect();
    OnChip {
        block: block.map(|Dim3 { x, y, z }| [x, y, z]),
        occupancy: block.map(|block| request(block).occupancy(rules)),
        best: (block.is_none() && most > 0.0).then_some(Best { occupancy: most, threads }),
        warp_slots: rules.sm.max_warps,
        refusals: newer.into_iter().chain(refusals).map(refusal).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use isa::uop::TO_EXIT;

    /// The reported reconvergence points are those that the machine uses.
    ///
    /// Tests: `shown-reconvergence-points`.
    #[test]
    fn the_reconvergence_points_are_those_of_the_code() {
        for workload in kernels::all() {
            let (module, _) = isa::compile(workload.file, workload.ptx);
            for program in &module.expect("it compiles").entries {
                let kernel = Kernel::of(program, None, None, None);
                let guarded = program.code.iter().filter(|i| i.op == Op::Bra && i.guard.get().is_some());
                let used: Vec<u32> = guarded.map(|inst| inst.aux).collect();
                let start = |b: u32| kernel.blocks[b as usize].pc as u32;
                let shown: Vec<u32> =
                    kernel.branches.iter().map(|b| b.reconverges.map_or(TO_EXIT, start)).collect();
                assert_eq!(shown, used, "{}", workload.name);
                let instructions: usize = kernel.blocks.iter().map(|b| b.instructions).sum();
                assert_eq!(instructions, kernel.instructions);
            }
        }
    }
}
