//! Parameters and constant words that a loop loads again in each iteration: one load in front of
//! the loop, whose value stays in a register.
//!
//! Arithmetic reads one such value as an operand without a load ([`super::values`]); these loads
//! are already gone. The remaining ones are addresses, data of stores, and operands of instructions
//! that read another value from memory. A load moves if its place in memory is certainly valid, its
//! register has no other definition, and the load comes before each reader. Only loops whose blocks
//! are contiguous are considered, and the outermost of nested ones. The registers live throughout
//! the loop, so the caller compares the register counts ([`super::run`]).

use super::Context;
use super::reach::Reach;
use crate::lower::code::{Code, File, OperandRow, VInst};
use crate::uop::{Inst, MemoryKind, MemorySpace, Op};
use std::collections::BTreeMap;
use std::ops::Range;

/// A loop: its micro-ops and those that come in front of it.
struct Loop {
    pcs: Range<usize>,
    loads: Vec<VInst>,
}

/// Moves loads out of loops. Returns whether there were any. The old loads are then dead code.
pub fn loads(code: &mut Code, context: &Context) -> bool {
    let places = Reach::new(code);
    let mut loops = loops(&places);
    let settled = places.settled(code);
    let mut names: BTreeMap<(usize, u32), u32> = BTreeMap::new();
    for found in &mut loops {
        let mut known: BTreeMap<(u16, u32), u32> = BTreeMap::new();
        for pc in found.pcs.clone() {
            let inst = code.insts[pc].clone();
            let Some((file, register)) = constant_load(&inst, context) else { continue };
            if !settled[places.numbers.of((file, register))] {
                continue;
            }
            let key = (inst.op as u16, inst.imm);
            let fresh = if let Some(fresh) = known.get(&key) {
                *fresh
            } else {
                let OperandRow::Reg(fresh) = code.register(file) else { continue };
                found.loads.push(VInst { dst: OperandRow::Reg(fresh), ..inst });
                known.insert(key, fresh);
                fresh
            };
            names.insert((file as usize, register), fresh);
        }
    }
    if names.is_empty() {
        return false;
    }
    for inst in &mut code.insts {
        inst.map_srcs(|file, row| match row {
            OperandRow::Reg(register) => {
                OperandRow::Reg(names.get(&(file as usize, register)).copied().unwrap_or(register))
            }
            other => other,
        });
    }
    insert(code, loops);
    true
}

/// Returns the outermost contiguous loops, ascending.
fn loops(places: &Reach) -> Vec<Loop> {
    let flow = &places.flow;
    let mut ends: BTreeMap<u32, u32> = BTreeMap::new();
    for block in &places.order {
        for head in &flow.successors[*block as usize] {
            let back =
                (*head as usize) < flow.starts.len() && head <= block && places.dominates(*head, *block);
            if back {
                let end = ends.entry(*head).or_default();
                *end = (*end).max(*block);
            }
        }
    }
    let mut loops: Vec<Loop> = Vec::new();
    for (head, end) in ends {
        let pcs = flow.range(head as usize).start..flow.range(end as usize).end;
        let nested = loops.last().is_some_and(|outer| pcs.start < outer.pcs.end);
        if !nested && (head..=end).all(|block| places.dominates(head, block)) {
            loops.push(Loop { pcs, loads: Vec::new() });
        }
    }
    loops
}

/// Returns the register of a load whose value is the same during a launch and whose place is valid.
fn constant_load(inst: &VInst, context: &Context) -> Option<(File, u32)> {
    let memory = inst.op.memory()?;
    let size = match memory.space {
        MemorySpace::Param => context.param_bytes,
        MemorySpace::Const => context.const_bytes,
        MemorySpace::Shared | MemorySpace::Global | MemorySpace::Local | MemorySpace::Generic => return None,
    };
    let bytes = memory.width.bytes();
    let valid = inst.imm.is_multiple_of(bytes) && inst.imm.checked_add(bytes)? <= size;
    let fixed = inst.src[0] == OperandRow::None && inst.aux & Inst::VOLATILE == 0 && inst.guard.is_none();
    let single = memory.kind == MemoryKind::Load && memory.width.rows() == 1;
    let OperandRow::Reg(register) = inst.dst else { return None };
    let file = inst.dsts().next()?.0;
    (valid && fixed && single).then_some((file, register))
}

/// Inserts the loads in front of their loops. Branches from outside of a loop to its first
/// micro-op go to the loads.
fn insert(code: &mut Code, loops: Vec<Loop>) {
    let old = std::mem::take(&mut code.insts);
    let mut at = Vec::with_capacity(old.len() + 1);
    let mut before: BTreeMap<u32, (u32, Range<usize>)> = BTreeMap::new();
    let mut loops = loops.into_iter().peekable();
    let mut from = Vec::with_capacity(old.len());
    for (pc, inst) in old.into_iter().enumerate() {
        if let Some(found) = loops.next_if(|found| found.pcs.start == pc) {
            before.insert(pc as u32, (code.insts.len() as u32, found.pcs));
            from.extend(found.loads.iter().map(|_| pc));
            code.insts.extend(found.loads);
        }
        at.push(code.insts.len() as u32);
        from.push(pc);
        code.insts.push(inst);
    }
    at.push(code.insts.len() as u32);
    code.labels.iter_mut().for_each(|pc| *pc = at[*pc as usize]);
    for (inst, pc) in code.insts.iter_mut().zip(from).filter(|(inst, _)| inst.op == Op::Bra) {
        inst.imm = match before.get(&inst.imm) {
            Some((start, pcs)) if !pcs.contains(&pc) => *start,
            _ => at[inst.imm as usize],
        };
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{lines, program};
    use crate::options::Options;

    #[test]
    fn a_loop_loads_its_parameters_once() {
        // The first block needs as many registers as the loop with the pointer in one.
        let body = "mov.u32 %r1, %tid.x; mov.u32 %r2, %tid.y; mov.u32 %r3, %tid.z; mov.u32 %r4, %ntid.x;\n\
                    st.shared.v4.u32 [s], {%r1, %r2, %r3, %r4};\n\
                    L: ld.param.u32 %r5, [a]; ld.global.u32 %r6, [%r5]; add.u32 %r1, %r1, %r6;\n\
                    setp.lt.u32 %p1, %r1, 100; @%p1 bra L; st.shared.u32 [s], %r1;";
        let found = lines(&program("sm_20", Options::default(), body));
        let place = |start: &str| found.iter().position(|line| line.starts_with(start)).expect("it is there");
        let branch = &found[place("@p0 bra")];
        let target = format!("bra {} ", place("ld.global"));
        assert!(branch.contains(&target), "{found:?}");
        assert!(place("ld.param") < place("ld.global"), "{found:?}");
    }

    /// Tests: `optimizing-changes-no-result`.
    #[test]
    fn a_load_that_a_reader_precedes_stays() {
        let body = "mov.u32 %r1, %tid.x; mov.u32 %r7, %tid.y; mov.u32 %r8, %tid.z;\n\
                    L: st.shared.u32 [%r1], %r5; ld.param.u32 %r5, [a]; add.u32 %r1, %r1, 4;\n\
                    setp.lt.u32 %p1, %r1, 100; @%p1 bra L; st.shared.v2.u32 [s], {%r7, %r8};";
        let found = lines(&program("sm_20", Options::default(), body));
        let loads: Vec<usize> = (0..found.len()).filter(|at| found[*at].starts_with("ld.param")).collect();
        let store = found.iter().position(|line| line.starts_with("st.shared")).expect("it stores");
        assert!(loads.iter().all(|at| *at > store), "{found:?}");
    }
}
