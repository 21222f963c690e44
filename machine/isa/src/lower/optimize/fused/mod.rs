//! Fused micro-ops, which need no instruction: operands from memory and sign changes are placed
//! before the only micro-op that reads them, and comparisons with zero are placed after the
//! micro-op whose result they compare.
//!
//! Each block is walked once. A value can be computed later, at its reader, if its sources and its
//! guard are unchanged there. A load from shared memory also requires that no micro-op in between
//! may write shared memory, orders memory accesses or reads a clock. A comparison can be computed
//! earlier if no micro-op in between reads or writes its predicate. Nothing else moves, so each
//! block keeps its micro-ops and the positions outside the block do not change.

use super::Context;
use super::reach::uses;
use super::supported::{fuses_test, modifies, reads};
use super::values::is_launch_constant;
use crate::lower::code::{Code, File, OperandRow, VInst};
use crate::lower::flow::Flow;
use crate::lower::pure::depends_on_time;
use crate::lower::slots::Numbering;
use crate::sreg::SReg;
use crate::uop::issue::{MAX_OPERANDS, is_modifier, is_test, operand_space};
use crate::uop::{Class, Inst, MemorySpace, Op};
use std::ops::Range;

/// Not seen so far, or absent.
const NONE: u32 = u32::MAX;

/// State of the walk through the code. PCs refer to the code before the pass.
struct Walk<'a> {
    insts: &'a [VInst],
    context: &'a Context,
    numbers: Numbering,
    /// Number of reads of each register.
    uses: Vec<u32>,
    /// The only micro-op that defines a register, for registers that are not shared with other
    /// functions.
    only: Vec<u32>,
    /// Last micro-op that wrote each register, and last one that read it.
    written: Vec<u32>,
    read: Vec<u32>,
    /// Last micro-op that a load of shared memory must not pass, and the last call.
    fence: u32,
    call: u32,
    /// For each micro-op the one that it is fused with.
    into: Vec<u32>,
    /// For each micro-op its fused test.
    test: Vec<u32>,
}

/// Moves the micro-ops that can be fused.
pub fn fuse(code: &mut Code, context: &Context) {
    let flow = Flow::new(&code.insts);
    let mut walk = Walk::new(code, context);
    for block in 0..flow.starts.len() {
        walk.block(code, flow.range(block), |inst| !is_modifier(inst.op));
    }
    // A sign change that remains a separate instruction can still have a fused operand from memory.
    walk.start();
    for block in 0..flow.starts.len() {
        walk.block(code, flow.range(block), |inst| is_modifier(inst.op));
    }
    let Walk { into, test, .. } = walk;
    let mut parts: Vec<(u32, u32)> = (0..).zip(&into).map(|(pc, main)| (*main, pc)).collect();
    parts.retain(|(main, pc)| *main != NONE && *main > *pc);
    // Loads come first because they do not depend on the other parts. On a chip that does not fuse
    // the loads, the remaining parts stay together.
    parts.sort_unstable_by_key(|(main, pc)| (*main, is_modifier(code.insts[*pc as usize].op), *pc));
    let mut old: Vec<Option<VInst>> = std::mem::take(&mut code.insts).into_iter().map(Some).collect();
    let mut parts = parts.into_iter().peekable();
    for main in 0..old.len() {
        if into[main] != NONE {
            continue;
        }
        let guard = old[main].as_ref().and_then(|inst| inst.guard);
        while let Some((_, part)) = parts.next_if(|(into, _)| *into as usize == main) {
            let part = old[part as usize].take();
            code.insts.extend(part.map(|part| VInst { guard, aux: part.aux | Inst::FUSED, ..part }));
        }
        code.insts.extend(old[main].take());
        if let Some(test) = old.get_mut(test[main] as usize).and_then(Option::take) {
            code.insts.push(VInst { aux: test.aux | Inst::FUSED, ..test });
        }
    }
}

impl<'a> Walk<'a> {
    fn new(code: &'a Code, context: &'a Context) -> Self {
        let numbers = Numbering::new(code.registers);
        let mut only = vec![NONE; numbers.len];
        let mut defined = vec![false; numbers.len];
        for (pc, inst) in (0..).zip(&code.insts) {
            for register in inst.defs().map(|def| numbers.of(def)) {
                only[register] = if std::mem::replace(&mut defined[register], true) { NONE } else { pc };
            }
        }
        for shared in &code.shared {
            shared.params.iter().chain(&shared.returns).for_each(|known| only[numbers.of(*known)] = NONE);
        }
        Self {
            insts: &code.insts,
            context,
            uses: uses(code, &numbers),
            only,
            written: vec![NONE; numbers.len],
            read: vec![NONE; numbers.len],
            fence: NONE,
            call: NONE,
            into: vec![NONE; code.insts.len()],
            test: vec![NONE; code.insts.len()],
            numbers,
        }
    }

    /// Resets the walk to the beginning of the code.
    fn start(&mut self) {
        self.written.fill(NONE);
        self.read.fill(NONE);
        (self.fence, self.call) = (NONE, NONE);
    }

    /// Walks through a block and fuses the operands and tests of the micro-ops for which `mains` is
    /// true.
    fn block(&mut self, code: &Code, range: Range<usize>, mains: impl Fn(&VInst) -> bool) {
        for pc in range.clone() {
            if mains(&self.insts[pc]) && self.into[pc] == NONE {
                match self.compared(code, pc, range.start) {
                    Some(tested) => {
                        self.test[tested] = pc as u32;
                        self.into[pc] = tested as u32;
                    }
                    None => self.operands(code, pc, range.start),
                }
            }
            self.pass(pc);
        }
    }

    /// Whether the event last seen at `last` occurred after `pc`.
    fn since(last: u32, pc: usize) -> bool {
        last != NONE && last as usize > pc
    }

    /// Records the effects of a micro-op.
    fn pass(&mut self, pc: usize) {
        let inst = &self.insts[pc];
        inst.uses().for_each(|used| self.read[self.numbers.of(used)] = pc as u32);
        inst.defs().for_each(|def| self.written[self.numbers.of(def)] = pc as u32);
        if orders_loads(inst) {
            self.fence = pc as u32;
        }
        if inst.is_call() {
            self.call = pc as u32;
        }
    }

    /// Returns the micro-op whose result the micro-op at `pc` compares with zero. It must be in the
    /// same block, which begins at `start`, and must set the condition code as a side effect.
    fn compared(&self, code: &Code, pc: usize, start: usize) -> Option<usize> {
        let test = &self.insts[pc];
        let [a, b, ..] = test.src;
        if !is_test(test.op) || test.guard.is_some() || self.context.target.major != 1 {
            return None;
        }
        let zero = |row: OperandRow| match code.bits(File::W, row) {
            Some(0x8000_0000) => test.op.class() == Class::FCmp,
            bits => bits == Some(0),
        };
        let (OperandRow::Reg(register), true) = (if zero(b) { (a, true) } else { (b, zero(a)) }) else {
            return None;
        };
        let main = self.written[self.numbers.of((File::W, register))] as usize;
        let inst = self.insts.get(main).filter(|_| main >= start)?;
        let predicate = self.numbers.of(test.defs().next()?);
        let moves = inst.guard.is_none()
            && fuses_test(inst.op, test.op, self.context.target)
            && inst.dst == OperandRow::Reg(register)
            && [self.into[main], self.test[main]] == [NONE; 2]
            && ![self.written[predicate], self.read[predicate], self.call]
                .iter()
                .any(|at| Self::since(*at, main));
        moves.then_some(main)
    }

    /// Fuses the operands of the micro-op at `pc`.
    fn operands(&mut self, code: &Code, pc: usize, start: usize) {
        let insts = self.insts;
        let main = &insts[pc];
        if main.op.meaning().is_none() {
            return;
        }
        let from_launch = main.srcs().any(|(file, row)| is_launch_constant(code, file, row));
        // The latest value comes first: it moves the shortest distance.
        let sources = main.srcs().enumerate();
        let mut open: Vec<(usize, usize)> =
            sources.filter_map(|(place, source)| Some((place, self.value(source, pc, start)?))).collect();
        open.sort_by_key(|(_, at)| *at);
        let (mut count, mut from_memory, mut negated) = (0, from_launch, false);
        while let Some((place, at)) = open.pop() {
            let part = &insts[at];
            let integer = part.op == Op::NegS32;
            let memory = operand_space(part.op);
            let target = self.context.target;
            let suits = match memory {
                Some(from) => !from_memory && reads(main.op, place, from, target),
                None => modifies(main.op, place, part.op, target) && !(integer && negated),
            };
            let passes = memory != Some(MemorySpace::Shared) || !Self::since(self.fence, at);
            if !suits || !passes || count == MAX_OPERANDS {
                continue;
            }
            self.into[at] = pc as u32;
            count += 1;
            from_memory |= memory.is_some();
            negated |= integer;
            if memory.is_none() {
                // An operand from memory or a magnitude can be the source of a sign change.
                let before = part.srcs().next().and_then(|source| self.value(source, pc, start));
                open.extend(before.map(|before| (place, before)));
            }
        }
    }

    /// Returns the micro-op in this block that computes a source of the micro-op at `pc`, if no
    /// other micro-op reads the result, it can be fused, and it can be moved to `pc`.
    fn value(&self, (file, row): (File, OperandRow), pc: usize, start: usize) -> Option<usize> {
        let OperandRow::Reg(register) = row else { return None };
        let register = self.numbers.of((file, register));
        let at = self.only[register] as usize;
        let part = self.insts.get(at).filter(|_| start <= at && at < pc)?;
        let loads = operand_space(part.op).is_some() && part.aux & Inst::VOLATILE == 0;
        let guard = self.insts[pc].guard;
        let moves = (loads || is_modifier(part.op))
            && self.uses[register] == 1
            && [self.into[at], self.test[at]] == [NONE; 2]
            && (part.guard.is_none() || part.guard == guard)
            && !part.uses().any(|used| Self::since(self.written[self.numbers.of(used)], at));
        moves.then_some(at)
    }
}

/// Whether loads of shared memory must not be moved across this micro-op.
fn orders_loads(inst: &VInst) -> bool {
    match inst.op.class() {
        Class::StShared | Class::AtomShared | Class::AtomGlobal | Class::Barrier | Class::Membar => true,
        Class::Sreg => SReg::from_code(inst.imm).is_some_and(depends_on_time),
        _ => inst.is_call() || inst.op.is_generic() || matches!(inst.op, Op::Trap | Op::Brkpt | Op::Bra),
    }
}

#[cfg(test)]
mod tests;
