//! Which instructions all threads of a block execute together: those whose execution depends on no
//! value that differs between threads.
//!
//! A value is *divergent* if it is computed from the index of the thread, is the result of an
//! atomic, comes from local memory or from an address that differs, or is computed where only some
//! threads are. Instructions between a branch with a divergent condition and its reconvergence
//! point are divergent, too; if threads exit there, everything that follows is.
//!
//! The analysis errs on the side of divergence, except that a word of memory is taken for equal in
//! all threads that load it.

use crate::exec::ways;
use isa::sreg::SReg;
use isa::uop::{Inst, MemorySpace, Op, OperandKind, Program, TO_EXIT};
use std::collections::BTreeSet;

/// Maximum number of bits of all states together.
const MOST_BITS: usize = 1 << 27;

/// The instructions and conditions of a program that not all threads share.
#[derive(Clone, Debug, Default)]
pub struct Uniformity {
    /// For each instruction, whether it is divergent.
    divergent: Vec<bool>,
    /// Lines with a condition that differs between threads.
    conditions: BTreeSet<u32>,
    /// Whether the program was too large: then nothing is known.
    unknown: bool,
}

impl Uniformity {
    /// Analyzes a program.
    pub fn of(program: &Program) -> Self {
        let code = program.code.len();
        let rows = usize::from(program.rows.w) + usize::from(program.rows.d) + usize::from(program.rows.p);
        if code.saturating_mul(rows) > MOST_BITS {
            return Self { unknown: true, ..Self::default() };
        }
        let mut states = States { program, words: rows.div_ceil(64), of: Vec::new() };
        let mut divergent = vec![false; code];
        let mut known = BTreeSet::new();
        loop {
            states.flow(&divergent);
            let splits = |pc: &u32| states.splits(*pc);
            let new: Vec<u32> = (0..code as u32).filter(|pc| !known.contains(pc)).filter(splits).collect();
            if new.is_empty() {
                break;
            }
            for pc in new {
                known.insert(pc);
                for pc in region(program, pc) {
                    divergent[pc as usize] = true;
                }
            }
        }
        let differs = |pc: &u32| states.differs(*pc, divergent[*pc as usize]);
        let line = |pc: u32| program.lines.get(pc as usize).copied().unwrap_or(0);
        let conditions = (0..code as u32).filter(differs).map(line).collect();
        Self { divergent, conditions, unknown: false }
    }

    /// Whether all threads of a block execute the instruction equally often.
    pub fn is_uniform(&self, pc: u32) -> bool {
        !self.unknown && self.divergent.get(pc as usize).is_some_and(|divergent| !divergent)
    }

    /// Whether a condition on one of these lines differs between threads, or can differ.
    pub fn differs(&self, lines: std::ops::RangeInclusive<u32>) -> bool {
        self.unknown || self.conditions.range(lines).next().is_some()
    }
}

/// The divergent registers before each instruction, one bit each.
struct States<'a> {
    program: &'a Program,
    /// Words of a state.
    words: usize,
    of: Vec<u64>,
}

impl States<'_> {
    /// Number of the bit of a register; `None` for a constant.
    fn bit(&self, (kind, row): (OperandKind, u16)) -> Option<usize> {
        let rows = self.program.rows;
        let (start, count) = match kind {
            OperandKind::W | OperandKind::Addr => (0, rows.w),
            OperandKind::D => (usize::from(rows.w), rows.d),
            OperandKind::P => (usize::from(rows.w) + usize::from(rows.d), rows.p),
        };
        (row < count).then_some(start + usize::from(row))
    }

    fn has(&self, pc: u32, register: (OperandKind, u16)) -> bool {
        let bit = self.bit(register);
        bit.is_some_and(|bit| self.of[pc as usize * self.words + bit / 64] >> (bit % 64) & 1 == 1)
    }

    /// Whether the guard of an instruction differs between threads.
    fn guard(&self, pc: u32) -> bool {
        let guard = self.program.code[pc as usize].guard.get();
        guard.is_some_and(|(row, _)| self.has(pc, (OperandKind::P, row)))
    }

    /// Whether threads part at an instruction.
    fn splits(&self, pc: u32) -> bool {
        matches!(self.program.code[pc as usize].op, Op::Bra | Op::Exit | Op::Ret) && self.guard(pc)
    }

    /// Whether an instruction has or computes a condition that differs between threads.
    fn differs(&self, pc: u32, is_divergent: bool) -> bool {
        let inst = &self.program.code[pc as usize];
        let computes = inst.dsts().any(|(kind, _)| kind == OperandKind::P) && self.result(pc, is_divergent);
        computes || self.guard(pc)
    }

    /// Whether the results of an instruction differ between threads.
    fn result(&self, pc: u32, is_divergent: bool) -> bool {
        let inst = &self.program.code[pc as usize];
        is_divergent || is_source(inst) || inst.reads().any(|register| self.has(pc, register))
    }

    /// Finds the states. `divergent` are the instructions that not all threads execute.
    fn flow(&mut self, divergent: &[bool]) {
        let code = self.program.code.len();
        self.of.resize(code * self.words, 0);
        let mut is_open = vec![true; code];
        let mut open: Vec<u32> = (0..code as u32).rev().collect();
        let mut after = vec![0; self.words];
        while let Some(pc) = open.pop() {
            is_open[pc as usize] = false;
            let inst = &self.program.code[pc as usize];
            let at = pc as usize * self.words;
            after.copy_from_slice(&self.of[at..at + self.words]);
            let result = self.result(pc, divergent[pc as usize]);
            for bit in inst.dsts().filter_map(|register| self.bit(register)) {
                if result {
                    after[bit / 64] |= 1 << (bit % 64);
                } else if inst.guard.get().is_none() {
                    after[bit / 64] &= !(1 << (bit % 64));
                }
            }
            for next in ways::after(self.program, pc) {
                let at = next as usize * self.words;
                let mut changes = false;
                for (to, from) in self.of[at..at + self.words].iter_mut().zip(&after) {
                    changes |= *from & !*to != 0;
                    *to |= from;
                }
                if changes && !std::mem::replace(&mut is_open[next as usize], true) {
                    open.push(next);
                }
            }
        }
    }
}

/// Whether all threads of a block read the same value of a special register.
fn is_same_in_a_block(register: SReg) -> bool {
    use SReg::{CtaidW, CtaidX, CtaidY, CtaidZ, GridId, NctaidW, NctaidX, NctaidY, NctaidZ};
    use SReg::{NsmId, NtidW, NtidX, NtidY, NtidZ, NwarpId, SmId};
    let is_block = matches!(register, CtaidX | CtaidY | CtaidZ | CtaidW | GridId | NsmId | NwarpId | SmId);
    let is_extent = matches!(register, NtidX | NtidY | NtidZ | NtidW | NctaidX | NctaidY | NctaidZ | NctaidW);
    is_block || is_extent || register.environment().is_some()
}

/// Whether an instruction makes values that differ between threads.
fn is_source(inst: &Inst) -> bool {
    if let Some(memory) = inst.op.memory() {
        return memory.kind.is_atomic() || memory.space == MemorySpace::Local;
    }
    match inst.op {
        Op::MovSreg | Op::MovSreg64 => !SReg::from_code(inst.imm).is_some_and(is_same_in_a_block),
        op => matches!(
            op,
            Op::VoteAll
                | Op::VoteAny
                | Op::VoteUni
                | Op::VoteBallot
                | Op::VoteSyncAll
                | Op::VoteSyncAny
                | Op::VoteSyncUni
                | Op::VoteSyncBallot
                | Op::ShflUp
                | Op::ShflDown
                | Op::ShflBfly
                | Op::ShflIdx
        ),
    }
}

/// Instructions that only some threads execute if they part at `pc`.
fn region(program: &Program, pc: u32) -> Vec<u32> {
    let inst = &program.code[pc as usize];
    let until = if inst.op == Op::Bra { inst.aux } else { TO_EXIT };
    let region = ways::reached(program, pc, until, |_| false);
    let ends = |pc: &u32| matches!(program.code[*pc as usize].op, Op::Exit | Op::Trap);
    if region.iter().any(ends) && until != TO_EXIT {
        return ways::reached(program, pc, TO_EXIT, |_| false);
    }
    region
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    fn program(body: &str) -> Arc<Program> {
        let text = format!(
            ".version 2.3\n.target sm_20\n.entry k(.param .u32 n) {{\n.reg .u32 %r<9>;\n.reg .pred %p<4>;\n\
             .shared .u32 s[64];\n{body}\n}}\n"
        );
        let (module, found) = isa::compile("k.ptx", &text);
        Arc::clone(&module.unwrap_or_else(|| panic!("{found:?}")).entries[0])
    }

    /// Whether each of the barriers is uniform.
    fn barriers(body: &str) -> Vec<bool> {
        let program = program(body);
        let uniform = Uniformity::of(&program);
        let is_barrier = |pc: &u32| program.code[*pc as usize].op == Op::BarSync;
        (0..program.code.len() as u32).filter(is_barrier).map(|pc| uniform.is_uniform(pc)).collect()
    }

    #[test]
    fn only_threads_and_what_depends_on_them_differ() {
        let condition = |load: &str| {
            barriers(&format!(
                "{load}\nsetp.gt.u32 %p1, %r1, 5;\nbar.sync 0;\n@%p1 bra T;\nbar.sync 0;\nT: bar.sync 0;\nexit;"
            ))
        };
        for same in ["mov.u32 %r1, %ctaid.x;", "ld.param.u32 %r1, [n];", "ld.shared.u32 %r1, [s];"] {
            assert_eq!(condition(same), [true, true, true], "{same}");
        }
        for differs in [
            "mov.u32 %r1, %tid.x;",
            "mov.u32 %r1, %laneid;",
            "atom.shared.add.u32 %r1, [s], 1;",
            "mov.u32 %r2, %tid.x;\nand.b32 %r2, %r2, 60;\nmov.u32 %r3, s;\nadd.u32 %r3, %r3, %r2;\n\
             ld.shared.u32 %r1, [%r3];",
        ] {
            assert_eq!(condition(differs), [true, false, true], "{differs}");
        }
    }

    #[test]
    fn loops_and_exits_are_followed() {
        let counted = |first: &str| {
            barriers(&format!(
                "{first}\nL: bar.sync 0;\nadd.u32 %r1, %r1, 1;\nsetp.lt.u32 %p1, %r1, 9;\n@%p1 bra L;\n\
                 bar.sync 0;\nexit;"
            ))
        };
        assert_eq!(counted("mov.u32 %r1, 0;"), [true, true]);
        assert_eq!(counted("mov.u32 %r1, %tid.x;"), [false, true]);
        let exits =
            "mov.u32 %r1, %tid.x;\nsetp.lt.u32 %p1, %r1, 9;\nbar.sync 0;\n@%p1 exit;\nbar.sync 0;\nexit;";
        assert_eq!(barriers(exits), [true, false]);
    }
}
