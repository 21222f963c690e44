//! The code around the accesses of spilled values.

use super::choice::Chosen;
use crate::lower::code::{Code, File, OperandRow, VInst};
use crate::lower::link::CallSites;
use crate::lower::slots::Numbering;
use crate::span::Span;
use crate::uop::issue::{Fused, fused_as};
use crate::uop::{ConstValue, Op, Spills};

/// Slots and new registers of a rewrite.
struct Rewrite<'a> {
    chosen: &'a [Chosen],
    numbers: Numbering,
    /// Offset in local memory of each spilled register.
    slots: Vec<Option<u32>>,
    /// End of the slots.
    end: u32,
    old: &'a [VInst],
    spills: &'a mut Spills,
}

/// Inserts the loads, stores and repeated definitions of the chosen registers. Slots begin at
/// `end`. Returns the end of the slots.
pub fn rewrite(
    code: &mut Code,
    sites: &mut CallSites,
    chosen: &[Chosen],
    end: u32,
    spills: &mut Spills,
) -> u32 {
    let old = std::mem::take(&mut code.insts);
    let mut dropped = vec![false; old.len()];
    for chosen in chosen {
        if let Chosen::Repeated(pc) = chosen {
            dropped[*pc] = true;
        }
    }
    let numbers = Numbering::new(code.registers);
    let slots = vec![None; numbers.len];
    let mut rewrite = Rewrite { chosen, numbers, slots, end: end.next_multiple_of(8), old: &old, spills };
    let mut at = Vec::with_capacity(old.len() + 1);
    let mut first = 0;
    while first < old.len() {
        let mut last = first;
        while old[last].is_operand() {
            last += 1;
        }
        let tested = old.get(last + 1).is_some_and(|i| fused_as(i.op, i.aux) == Some(Fused::Test));
        let unit = first..last + 1 + usize::from(tested);
        let begin = code.insts.len() as u32;
        // A jump to the instruction executes its loads.
        at.resize(unit.end, begin);
        if dropped[first] {
            // A definition that is repeated is a whole instruction, and a test of it stays in use.
            first = unit.start + 1;
            at.truncate(first);
            continue;
        }
        rewrite.unit(code, unit.start, unit.end);
        first = unit.end;
    }
    at.push(code.insts.len() as u32);
    let end = rewrite.end;
    code.labels.iter_mut().for_each(|pc| *pc = at[*pc as usize]);
    for inst in code.insts.iter_mut().filter(|inst| inst.op == Op::Bra) {
        inst.imm = at[inst.imm as usize];
    }
    sites.moved(&at);
    end
}

impl Rewrite<'_> {
    /// Copies an instruction, the micro-ops `start..end`, with the code around it.
    fn unit(&mut self, code: &mut Code, start: usize, end: usize) {
        let old = self.old;
        let unit = &old[start..end];
        let span = unit[0].span;
        let guard = unit[0].guard;
        // Registers of the instruction that are replaced, each with its new register.
        let mut new: Vec<((File, u32), OperandRow)> = Vec::new();
        for register in unit.iter().flat_map(VInst::uses) {
            if self.is_kept(register) || new.iter().any(|(known, _)| *known == register) {
                continue;
            }
            let row = code.register(register.0);
            new.push((register, row));
            let before = match self.chosen[self.numbers.of(register)] {
                Chosen::Repeated(pc) => VInst { dst: row, span, ..old[pc].clone() },
                Chosen::Kept | Chosen::Spilled => self.load(register, row, span),
            };
            code.insts.push(before);
        }
        let mut written: Vec<((File, u32), OperandRow)> = Vec::new();
        for inst in unit {
            for register in inst.defs() {
                if self.is_kept(register) || written.iter().any(|(known, _)| *known == register) {
                    continue;
                }
                let row = match new.iter().find(|(known, _)| *known == register) {
                    Some((_, row)) => *row,
                    None => code.register(register.0),
                };
                if !new.iter().any(|(known, _)| *known == register) {
                    new.push((register, row));
                    // Without a definition in all lanes the register would be live before.
                    if !inst.overwrites() {
                        let zero = zero(code, register.0, row, span);
                        code.insts.push(zero);
                    }
                }
                written.push((register, row));
            }
        }
        for inst in unit {
            let mut inst = inst.clone();
            let renamed = |file: File, row: OperandRow| match row {
                OperandRow::Reg(register) => {
                    new.iter().find(|(known, _)| *known == (file, register)).map_or(row, |(_, row)| *row)
                }
                other => other,
            };
            inst.map_srcs(renamed);
            inst.map_dsts(renamed);
            code.insts.push(inst);
        }
        for (register, row) in written {
            let store = VInst { guard, ..self.store(register, row, span) };
            code.insts.push(store);
        }
    }

    fn is_kept(&self, register: (File, u32)) -> bool {
        self.chosen[self.numbers.of(register)] == Chosen::Kept
    }

    /// Returns the offset of a register's slot.
    fn slot(&mut self, register: (File, u32)) -> u32 {
        let number = self.numbers.of(register);
        let bytes = bytes(register.0);
        *self.slots[number].get_or_insert_with(|| {
            let offset = self.end.next_multiple_of(bytes);
            self.end = offset + bytes;
            offset
        })
    }

    fn load(&mut self, register: (File, u32), row: OperandRow, span: Span) -> VInst {
        let op = if register.0 == File::D { Op::LdLocalB64 } else { Op::LdLocalB32 };
        self.spills.load_bytes += bytes(register.0);
        VInst { dst: row, imm: self.slot(register), ..VInst::new(op, span) }
    }

    fn store(&mut self, register: (File, u32), row: OperandRow, span: Span) -> VInst {
        let op = if register.0 == File::D { Op::StLocalB64 } else { Op::StLocalB32 };
        self.spills.store_bytes += bytes(register.0);
        let mut store = VInst { imm: self.slot(register), ..VInst::new(op, span) };
        store.src[1] = row;
        store
    }
}

/// Returns the size of a register in bytes.
fn bytes(file: File) -> u32 {
    if file == File::D { 8 } else { 4 }
}

/// Returns a move of zero to a register.
fn zero(code: &mut Code, file: File, row: OperandRow, span: Span) -> VInst {
    let op = if file == File::D { Op::MovB64 } else { Op::MovB32 };
    let mut zero = VInst { dst: row, ..VInst::new(op, span) };
    zero.src[0] = code.constant(file, ConstValue::Bits(0));
    zero
}
