//! The parameters from which an address is computed, for messages. It does not affect execution.

use super::ways;
use isa::uop::{ConstValue, Inst, MemoryKind, MemorySpace, OperandKind, Program};
use std::collections::BTreeSet;

/// Maximum number of (instruction, register) pairs that are followed.
const MOST: usize = 1 << 16;

/// Returns the offsets of the parameters from which the address of the access `inst` at `pc` is
/// computed, without loads from memory in between.
pub fn parameters(program: &Program, pc: u32, inst: &Inst) -> BTreeSet<u32> {
    let kind = |kind| match kind {
        OperandKind::Addr if inst.aux & Inst::ADDR64 != 0 => OperandKind::D,
        OperandKind::Addr => OperandKind::W,
        kind => kind,
    };
    let mut before = vec![Vec::new(); program.code.len()];
    for at in 0..program.code.len() as u32 {
        ways::after(program, at).for_each(|next| before[next as usize].push(at));
    }
    let mut found = BTreeSet::new();
    let mut seen = BTreeSet::new();
    let addresses = inst.srcs().filter(|(kind, _)| *kind == OperandKind::Addr);
    let mut open: Vec<(u32, OperandKind, u16)> =
        addresses.map(|(operand, row)| (pc, kind(operand), row)).collect();
    while let Some((pc, kind, row)) = open.pop() {
        let (rows, constants) = match kind {
            OperandKind::W | OperandKind::Addr => (program.rows.w, &program.const32),
            OperandKind::D => (program.rows.d, &program.const64),
            OperandKind::P => continue,
        };
        if let Some(number) = row.checked_sub(rows) {
            if let Some(ConstValue::Param { offset }) = constants.get(usize::from(number)) {
                found.insert(*offset);
            }
            continue;
        }
        for &from in &before[pc as usize] {
            if seen.len() >= MOST || !seen.insert((from, kind, row)) {
                continue;
            }
            let inst = &program.code[from as usize];
            let writes = inst.dsts().any(|dst| dst == (kind, row));
            if !writes || inst.guard.get().is_some() {
                open.push((from, kind, row));
            }
            if !writes {
                continue;
            }
            match inst.op.memory() {
                Some(memory) => {
                    let is_param = (memory.kind, memory.space) == (MemoryKind::Load, MemorySpace::Param);
                    if is_param && inst.src[0] == isa::uop::NO_ROW {
                        found.insert(inst.imm);
                    }
                }
                None => open.extend(inst.srcs().map(|(kind, row)| (from, kind, row))),
            }
        }
    }
    found
}
