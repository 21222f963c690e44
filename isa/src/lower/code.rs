//! Code before rows are assigned: micro-ops on virtual registers, one numbering per register file.

use crate::span::Span;
use crate::uop::issue::{self, Fused};
use crate::uop::{ConstValue, Inst, Op, OperandKind};
use std::collections::HashMap;
use std::sync::Arc;

/// A register file. Its number indexes arrays such as [`Code::registers`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum File {
    /// 32-bit rows.
    W,
    /// 64-bit rows.
    D,
    /// Predicates.
    P,
}

impl File {
    /// All files in the order of their numbers.
    pub const ALL: [Self; 3] = [Self::W, Self::D, Self::P];

    /// The file of an operand; an address lives where the flags in `aux` say.
    pub fn of(kind: OperandKind, aux: u32) -> Self {
        match kind {
            OperandKind::D => Self::D,
            OperandKind::P => Self::P,
            OperandKind::Addr if aux & Inst::ADDR64 != 0 => Self::D,
            OperandKind::W | OperandKind::Addr => Self::W,
        }
    }
}

/// An operand; its file follows from the micro-op's shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Row {
    /// Absent.
    #[default]
    None,
    /// A virtual register of the file.
    Reg(u32),
    /// A constant of the file's pool; of predicates 0 is false and 1 is true.
    Const(u32),
}

/// The registers through which values pass at a call, or at a return. Nothing else touches them
/// between the moves that fill and empty them: their values must be copied, not kept.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Passed {
    /// Read: arguments of a call, results of a return.
    pub uses: Vec<(File, u32)>,
    /// Written: results of a call.
    pub defs: Vec<(File, u32)>,
}

impl Passed {
    /// `None` if no value passes.
    pub fn if_any(self) -> Option<Arc<Self>> {
        (self != Self::default()).then(|| Arc::new(self))
    }
}

/// A micro-op on virtual registers. `imm` of a branch is a label's number until
/// [`Code::resolve_targets`], then a PC; that of a call is a function's
/// number, and in linked code its place among the functions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VInst {
    /// What it does.
    pub op: Op,
    /// Guard predicate register, and whether it is negated.
    pub guard: Option<(u32, bool)>,
    /// Destination.
    pub dst: Row,
    /// Second destination.
    pub dst2: Row,
    /// Sources.
    pub src: [Row; 4],
    /// Elements of a vector access behind the first, which is in `dst` or `src[1]`.
    pub rest: [Row; 3],
    /// As in [`Inst::imm`].
    pub imm: u32,
    /// As in [`Inst::aux`].
    pub aux: u32,
    /// A sum or product whose instruction names no rounding: PTX lets the assembler fuse it.
    pub fusable: bool,
    /// The PTX instruction it came from.
    pub span: Span,
    /// What a call or return passes.
    pub passed: Option<Arc<Passed>>,
}

impl VInst {
    /// An unguarded micro-op without operands.
    pub fn new(op: Op, span: Span) -> Self {
        Self {
            op,
            guard: None,
            dst: Row::None,
            dst2: Row::None,
            src: [Row::None; 4],
            rest: [Row::None; 3],
            imm: 0,
            aux: 0,
            fusable: false,
            span,
            passed: None,
        }
    }

    /// The rows that it writes, with their files.
    pub fn dsts(&self) -> impl Iterator<Item = (File, Row)> + use<> {
        let (shape, aux, [second, third, fourth]) = (self.op.shape(), self.aux, self.rest);
        let second = if shape.elements() > 1 { second } else { self.dst2 };
        let rows = shape.dsts().into_iter().zip([self.dst, second, third, fourth]);
        rows.filter_map(move |(kind, row)| Some((File::of(kind?, aux), row)))
    }

    /// The rows that it reads, with their files; the guard is none of them.
    pub fn srcs(&self) -> impl Iterator<Item = (File, Row)> + use<> {
        let ([a, b, c, d], [second, third, fourth]) = (self.src, self.rest);
        let rows = if self.op.shape().elements() > 1 {
            [a, b, second, third, fourth]
        } else {
            [a, b, c, d, Row::None]
        };
        let aux = self.aux;
        self.op.shape().srcs().iter().zip(rows).map(move |(kind, row)| (File::of(*kind, aux), row))
    }

    /// Replaces each register that it passes at a call or return.
    pub fn map_passed(&mut self, mut new: impl FnMut(File, u32) -> u32) {
        if let Some(passed) = &self.passed {
            let mut all =
                |list: &[(File, u32)]| list.iter().map(|(file, r)| (*file, new(*file, *r))).collect();
            self.passed = Some(Arc::new(Passed { uses: all(&passed.uses), defs: all(&passed.defs) }));
        }
    }

    /// Replaces each row that it reads; the guard is none of them.
    pub fn map_srcs(&mut self, mut new: impl FnMut(File, Row) -> Row) {
        let (shape, aux) = (self.op.shape(), self.aux);
        let ([a, b, c, d], [second, third, fourth]) = (&mut self.src, &mut self.rest);
        let rows = if shape.elements() > 1 { [a, b, second, third, fourth] } else { [a, b, c, d, fourth] };
        for (kind, row) in shape.srcs().iter().zip(rows) {
            *row = new(File::of(*kind, aux), *row);
        }
    }

    /// Replaces each row that it writes.
    pub fn map_dsts(&mut self, mut new: impl FnMut(File, Row) -> Row) {
        let (shape, aux) = (self.op.shape(), self.aux);
        let [second, third, fourth] = &mut self.rest;
        let second = if shape.elements() > 1 { second } else { &mut self.dst2 };
        for (kind, row) in shape.dsts().into_iter().zip([&mut self.dst, second, third, fourth]) {
            if let Some(kind) = kind {
                *row = new(File::of(kind, aux), *row);
            }
        }
    }

    /// The registers it writes, with their files.
    pub fn defs(&self) -> impl Iterator<Item = (File, u32)> + '_ {
        let own =
            self.dsts().filter_map(|(file, row)| if let Row::Reg(r) = row { Some((file, r)) } else { None });
        own.chain(self.passed.iter().flat_map(|passed| passed.defs.iter().copied()))
    }

    /// Whether what it writes had no value before that anybody could read: a guarded write may
    /// leave the old value, but nobody reads the results of a call that was not made, and an
    /// operand is read under the guard that it was written under.
    pub fn overwrites(&self) -> bool {
        self.guard.is_none() || self.is_call() || self.is_operand()
    }

    /// Whether it is folded into the micro-op behind it, whose operand it makes.
    pub fn is_operand(&self) -> bool {
        issue::fused_as(self.op, self.aux) == Some(Fused::Operand)
    }

    /// Whether it calls a function.
    pub fn is_call(&self) -> bool {
        matches!(self.op, Op::Call | Op::CallInd)
    }

    /// The registers it reads, with their files; the guard is one of them.
    pub fn uses(&self) -> impl Iterator<Item = (File, u32)> + '_ {
        let sources = self.srcs();
        let sources =
            sources.filter_map(|(file, row)| if let Row::Reg(r) = row { Some((file, r)) } else { None });
        let passed = self.passed.iter().flat_map(|passed| passed.uses.iter().copied());
        sources.chain(self.guard.map(|(p, _)| (File::P, p))).chain(passed)
    }

    /// Whether control never passes to the next micro-op.
    pub fn ends(&self) -> bool {
        self.guard.is_none() && matches!(self.op, Op::Bra | Op::Exit | Op::Ret | Op::Trap)
    }
}

/// Whose parameters and results lie in one set of registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Interface {
    /// Those of a function, by number.
    Function(u32),
    /// Those of all functions with the signature of this number whose address is taken.
    Signature(u32),
    /// The register that says where the thread's stack stands: as the only parameter.
    Stack,
}

/// The registers of an interface in the numbering of one [`Code`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shared {
    /// Whose they are.
    pub interface: Interface,
    /// Of the parameters, in order.
    pub params: Vec<(File, u32)>,
    /// Of the results, in order.
    pub returns: Vec<(File, u32)>,
    /// They are this body's own, and nobody else fills them while it runs.
    pub kept: bool,
}

/// The code of one entry or function.
#[derive(Clone, Debug, Default)]
pub struct Code {
    /// Micro-ops in order.
    pub insts: Vec<VInst>,
    /// Virtual registers of each [`File`].
    pub registers: [u32; 3],
    /// For each label the PC where it stands.
    pub labels: Vec<u32>,
    /// Pools of 32-bit and 64-bit constants, without duplicates.
    pub pools: [Vec<ConstValue>; 2],
    known: [HashMap<ConstValue, u32>; 2],
    /// Registers that are shared with other functions, once they are linked.
    pub shared: Vec<Shared>,
}

impl Code {
    /// Empty code with `labels` labels, all at PC 0 until they are set.
    pub fn new(labels: usize) -> Self {
        Self { labels: vec![0; labels], ..Self::default() }
    }

    /// A new virtual register.
    pub fn register(&mut self, file: File) -> Row {
        let count = &mut self.registers[file as usize];
        *count += 1;
        Row::Reg(*count - 1)
    }

    /// The constant row of a value.
    pub fn constant(&mut self, file: File, value: ConstValue) -> Row {
        if file == File::P {
            return Row::Const((value != ConstValue::Bits(0)) as u32);
        }
        let pool = &mut self.pools[file as usize];
        Row::Const(*self.known[file as usize].entry(value).or_insert_with(|| {
            pool.push(value);
            pool.len() as u32 - 1
        }))
    }

    /// Whether control or a label could run past the end.
    pub fn runs_off(&self) -> bool {
        let past_end = self.labels.iter().any(|pc| *pc as usize == self.insts.len());
        past_end || !self.insts.last().is_some_and(VInst::ends)
    }

    /// The registers that other functions may write whenever something is called: their values must
    /// be copied, not kept.
    pub fn lent(&self) -> impl Iterator<Item = (File, u32)> + '_ {
        let lent = self.shared.iter().filter(|shared| !shared.kept);
        lent.flat_map(|shared| shared.params.iter().chain(&shared.returns).copied())
    }

    /// What a constant row holds, where that is known when lowered: cut to the file's width.
    pub fn bits(&self, file: File, row: Row) -> Option<u64> {
        let Row::Const(number) = row else { return None };
        match (file, self.pools.get(file as usize).map(|pool| pool[number as usize])) {
            (File::P, _) => Some(number as u64),
            (File::W, Some(ConstValue::Bits(bits))) => Some(bits & u32::MAX as u64),
            (File::D, Some(ConstValue::Bits(bits))) => Some(bits),
            _ => None,
        }
    }

    /// Removes the micro-ops that are not to be kept. Labels at them, and branches to them, go to
    /// the next one that is kept; the last one always is. Gives the new PC of each, and of the end.
    pub fn retain(&mut self, keep: &[bool]) -> Vec<u32> {
        let mut at = Vec::with_capacity(keep.len() + 1);
        let mut kept = 0;
        for keep in keep {
            at.push(kept);
            kept += *keep as u32;
        }
        at.push(kept);
        self.labels.iter_mut().for_each(|pc| *pc = at[*pc as usize]);
        for inst in self.insts.iter_mut().filter(|inst| inst.op == Op::Bra) {
            inst.imm = at[inst.imm as usize];
        }
        let mut keep = keep.iter();
        self.insts.retain(|_| keep.next().is_some_and(|keep| *keep));
        at
    }

    /// Leaves out the constants that no micro-op reads any more.
    pub fn prune_constants(&mut self) {
        let pools = std::mem::take(&mut self.pools);
        self.known.iter_mut().for_each(HashMap::clear);
        let mut insts = std::mem::take(&mut self.insts);
        for inst in &mut insts {
            inst.map_srcs(|file, row| match row {
                Row::Const(number) if file != File::P => {
                    self.constant(file, pools[file as usize][number as usize])
                }
                _ => row,
            });
        }
        self.insts = insts;
    }

    /// Numbers the registers anew, without those that no micro-op names any more. What was shared
    /// with other code is not known by name any longer.
    pub fn prune_registers(&mut self) {
        let mut new = self.registers.map(|count| vec![None; count as usize]);
        for (file, register) in self.insts.iter().flat_map(|inst| inst.defs().chain(inst.uses())) {
            new[file as usize][register as usize] = Some(0);
        }
        for (numbers, count) in new.iter_mut().zip(&mut self.registers) {
            let named = numbers.iter_mut().flatten();
            let left = (0..).zip(named).map(|(number, new)| *new = number).count() as u32;
            // Of a file that has had registers one is left.
            *count = left.max((*count).min(1));
        }
        let to = |file: File, register: u32| new[file as usize][register as usize].unwrap_or(0);
        let row = |file, row| if let Row::Reg(register) = row { Row::Reg(to(file, register)) } else { row };
        for inst in &mut self.insts {
            inst.map_dsts(row);
            inst.map_srcs(row);
            inst.guard = inst.guard.map(|(predicate, negated)| (to(File::P, predicate), negated));
            inst.map_passed(to);
        }
        self.shared.clear();
    }

    /// Ends the code with an exit where control or a label could run past its end, and turns the
    /// labels in branches into PCs.
    pub fn resolve_targets(&mut self, end: Span) {
        if self.runs_off() {
            self.insts.push(VInst::new(Op::Exit, end));
        }
        for inst in self.insts.iter_mut().filter(|inst| inst.op == Op::Bra) {
            inst.imm = self.labels[inst.imm as usize];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_are_pooled_per_file() {
        let mut code = Code::default();
        let five = ConstValue::Bits(5);
        assert_eq!(code.constant(File::W, five), Row::Const(0));
        assert_eq!(code.constant(File::W, ConstValue::Bits(6)), Row::Const(1));
        assert_eq!(code.constant(File::W, five), Row::Const(0));
        assert_eq!(code.constant(File::D, five), Row::Const(0));
        assert_eq!(code.constant(File::P, five), Row::Const(1));
        assert_eq!(code.pools, [vec![five, ConstValue::Bits(6)], vec![five]]);
    }

    #[test]
    fn code_that_could_run_off_its_end_gets_an_exit() {
        let exit = VInst::new(Op::Exit, Span::default());
        let mut code = Code { insts: vec![exit.clone()], ..Code::default() };
        code.resolve_targets(Span::default());
        assert_eq!(code.insts.len(), 1);
        let mut code =
            Code { insts: vec![VInst { guard: Some((0, false)), ..exit.clone() }], ..Code::default() };
        code.resolve_targets(Span::default());
        assert_eq!(code.insts.len(), 2);
        let mut code = Code { insts: vec![exit], labels: vec![1], ..Code::default() };
        code.resolve_targets(Span::default());
        assert_eq!(code.insts.len(), 2);
    }
}
