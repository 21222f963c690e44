//! Chooses the values that leave their registers.

use crate::lower::code::{Code, File, OperandRow, VInst};
use crate::lower::flow::Flow;
use crate::lower::link::CallSites;
use crate::lower::pressure::{size, walk_back};
use crate::lower::pure::{depends_on_time, is_pure};
use crate::lower::slots::{Numbering, live_out};
use crate::sreg::SReg;
use crate::uop::{Inst, MemoryKind, MemorySpace, Op};

/// Place of a spilled register's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Chosen {
    /// It stays.
    Kept,
    /// Its only definition, at this PC, is repeated in front of each reader.
    Repeated(usize),
    /// Its value is in local memory.
    Spilled,
}

/// Weight of an access to a spilled value. A repeated definition has weight 1.
const MEMORY: u64 = 4;

/// Largest depth of loops that is distinguished.
const DEPTH: u32 = 4;

/// A register as a candidate.
#[derive(Clone, Copy)]
struct Candidate {
    chosen: Chosen,
    /// Weighted number of new instructions.
    cost: u64,
    /// Number of points with too many live registers at which the register is live.
    covers: u64,
}

/// Chooses registers so that at most about `target` are live. Registers from `temporary` on belong
/// to earlier spills and stay.
pub fn choose(code: &Code, sites: &CallSites, target: u32, temporary: [u32; 3]) -> Vec<Chosen> {
    let numbers = Numbering::new(code.registers);
    let flow = Flow::new(&code.insts);
    let (outs, entry) = live_out(&code.insts, &flow, &numbers);
    let mut candidates = candidates(code, sites, &numbers, temporary);
    numbers.registers(&entry).for_each(|register| candidates[numbers.of(register)].chosen = Chosen::Kept);
    for (block, mut live) in outs.iter().cloned().enumerate() {
        let range = flow.range(block);
        walk_back(&code.insts[range.clone()], &mut live, &numbers, |_, count, live| {
            if count > target {
                live.iter().for_each(|number| candidates[number].covers += 1);
            }
        });
        // The parameters of a function that it reads before it writes them.
        if sites.functions.iter().any(|function| function.start as usize == range.start) {
            live.iter().for_each(|number| candidates[number].chosen = Chosen::Kept);
        }
    }
    let mut chosen = vec![Chosen::Kept; numbers.len];
    for (block, mut live) in outs.into_iter().enumerate() {
        walk_back(&code.insts[flow.range(block)], &mut live, &numbers, |_, count, live| {
            if count <= target {
                return;
            }
            let of = |number: usize| size(numbers.register(number).0);
            let gone = live.iter().filter(|number| chosen[*number] != Chosen::Kept).map(of).sum::<u32>();
            let mut excess = (count - target).saturating_sub(gone);
            let mut open: Vec<usize> = if excess > 0 { live.iter().collect() } else { Vec::new() };
            let free = |number: &usize| {
                candidates[*number].chosen != Chosen::Kept
                    && chosen[*number] == Chosen::Kept
                    && of(*number) > 0
            };
            open.retain(free);
            // The lowest cost for each covered register point is last.
            open.sort_by(|a, b| {
                let [x, y] = [*a, *b].map(|number| {
                    (candidates[number].cost, candidates[number].covers.max(1) * u64::from(of(number)))
                });
                (y.0 * x.1).cmp(&(x.0 * y.1)).then(b.cmp(a))
            });
            while let Some(number) = open.pop().filter(|_| excess > 0) {
                chosen[number] = candidates[number].chosen;
                excess = excess.saturating_sub(of(number));
            }
        });
    }
    chosen
}

/// Returns each register with the cost of spilling it.
fn candidates(code: &Code, sites: &CallSites, numbers: &Numbering, temporary: [u32; 3]) -> Vec<Candidate> {
    let mut all = vec![Candidate { chosen: Chosen::Spilled, cost: 0, covers: 0 }; numbers.len];
    let mut definition: Vec<Option<(usize, u32)>> = vec![None; numbers.len];
    let mut owners: Vec<Option<Option<usize>>> = vec![None; numbers.len];
    let mut reads = vec![0; numbers.len];
    for ((pc, inst), weight) in code.insts.iter().enumerate().zip(weights(code)) {
        let owner = sites.owner(pc);
        let fixed = owner.is_some_and(|owner| sites.recursive[owner]);
        for number in inst.defs().chain(inst.uses()).map(|register| numbers.of(register)) {
            let known = owners[number].get_or_insert(owner);
            if fixed || *known != owner {
                all[number].chosen = Chosen::Kept;
            }
        }
        let passed = inst.passed.iter().flat_map(|passed| passed.uses.iter().chain(&passed.defs));
        passed.for_each(|register| all[numbers.of(*register)].chosen = Chosen::Kept);
        for number in inst.defs().map(|def| numbers.of(def)) {
            let count = definition[number].map_or(0, |(_, count)| count);
            definition[number] = Some((pc, count + 1));
            all[number].cost += MEMORY * weight;
            if inst.is_operand() {
                all[number].chosen = Chosen::Kept;
            }
        }
        inst.uses().for_each(|used| reads[numbers.of(used)] += weight);
    }
    for (number, candidate) in all.iter_mut().enumerate() {
        let (file, register) = numbers.register(number);
        if file == File::P || register >= temporary[file as usize] {
            candidate.chosen = Chosen::Kept;
        }
        match definition[number] {
            Some((pc, 1)) if candidate.chosen != Chosen::Kept && is_cheap(&code.insts[pc]) => {
                (candidate.chosen, candidate.cost) = (Chosen::Repeated(pc), reads[number]);
            }
            _ => candidate.cost += MEMORY * reads[number],
        }
    }
    all
}

/// Returns the weight of an instruction at each PC: ten for each loop around it. A branch backwards
/// ends a loop.
fn weights(code: &Code) -> impl Iterator<Item = u64> {
    let mut change = vec![0_i64; code.insts.len() + 1];
    for (pc, inst) in code.insts.iter().enumerate() {
        if inst.op == Op::Bra && inst.imm as usize <= pc {
            change[inst.imm as usize] += 1;
            change[pc + 1] -= 1;
        }
    }
    change.into_iter().scan(0, |depth, change| {
        *depth += change;
        Some(10_u64.pow((*depth).clamp(0, i64::from(DEPTH)) as u32))
    })
}

/// Whether a micro-op can be repeated at any place of the code with the same result: it reads no
/// register, and nothing that changes during a launch.
fn is_cheap(inst: &VInst) -> bool {
    let constant = inst.guard.is_none() && inst.srcs().all(|(_, row)| !matches!(row, OperandRow::Reg(_)));
    constant
        && inst.defs().count() == 1
        && match inst.op.memory() {
            Some(memory) => {
                let fixed = matches!(memory.space, MemorySpace::Param | MemorySpace::Const);
                fixed && memory.kind == MemoryKind::Load && inst.aux & (Inst::VOLATILE | Inst::FUSED) == 0
            }
            None if inst.op == Op::MovSreg => {
                SReg::from_code(inst.imm).is_some_and(|register| !depends_on_time(register))
            }
            None => is_pure(inst.op) && inst.aux & Inst::FUSED == 0,
        }
}
