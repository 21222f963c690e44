//! Code before rows are assigned: micro-ops on virtual registers. Each register file has its own
//! numbering.

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

    /// Returns the file of an operand. For an address the flags in `aux` decide.
    pub fn of(kind: OperandKind, aux: u32) -> Self {
        match kind {
            OperandKind::D => Self::D,
            OperandKind::P => Self::P,
            OperandKind::Addr if aux & Inst::ADDR64 != 0 => Self::D,
            OperandKind::W | OperandKind::Addr => Self::W,
        }
    }
}

/// An operand. Its file follows from the operand shape of the micro-op.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum OperandRow {
    /// Absent.
    #[default]
    None,
    /// A virtual register of the file.
    Reg(u32),
    /// A constant in the pool of the file. In the predicate file 0 is false and 1 is true.
    Const(u32),
}

/// Registers that pass values at a call or a return. No other code uses them between the moves that
/// write them and the moves that read them, so their values must be copied and not kept there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Passed {
    /// Registers read: arguments of a call, results of a return.
    pub uses: Vec<(File, u32)>,
    /// Registers written: results of a call.
    pub defs: Vec<(File, u32)>,
}

impl Passed {
    /// Returns `None` if no value is passed.
    pub fn if_any(self) -> Option<Arc<Self>> {
        (self != Self::default()).then(|| Arc::new(self))
    }
}

/// A micro-op on virtual registers. `imm` of a branch is the number of a label until
/// [`Code::resolve_targets`] replaces it with a PC. `imm` of a call is the number of a function; in
/// linked code it is the index into the list of linked functions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VInst {
    /// Operation.
    pub op: Op,
    /// Guard predicate register, and whether it is negated.
    pub guard: Option<(u32, bool)>,
    /// Destination.
    pub dst: OperandRow,
    /// Second destination.
    pub dst2: OperandRow,
    /// Sources.
    pub src: [OperandRow; 4],
    /// Elements of a vector access after the first one, which is in `dst` or `src[1]`.
    pub rest: [OperandRow; 3],
    /// As in [`Inst::imm`].
    pub imm: u32,
    /// As in [`Inst::aux`].
    pub aux: u32,
    /// Whether this is a sum or product whose instruction names no rounding mode, which PTX allows
    /// the assembler to fuse.
    pub fusable: bool,
    /// Source range of the PTX instruction that produced this micro-op.
    pub span: Span,
    /// Registers that a call or return passes.
    pub passed: Option<Arc<Passed>>,
}

impl VInst {
    /// An unguarded micro-op without operands.
    pub fn new(op: Op, span: Span) -> Self {
        Self {
            op,
            guard: None,
            dst: OperandRow::None,
            dst2: OperandRow::None,
            src: [OperandRow::None; 4],
            rest: [OperandRow::None; 3],
            imm: 0,
            aux: 0,
            fusable: false,
            span,
            passed: None,
        }
    }

    /// Returns the rows that the micro-op writes, with their files.
    pub fn dsts(&self) -> impl Iterator<Item = (File, OperandRow)> + use<> {
        let (shape, aux, [second, third, fourth]) = (self.op.shape(), self.aux, self.rest);
        let second = if shape.elements() > 1 { second } else { self.dst2 };
        let rows = shape.dsts().into_iter().zip([self.dst, second, third, fourth]);
        rows.filter_map(move |(kind, row)| Some((File::of(kind?, aux), row)))
    }

    /// Returns the rows that the micro-op reads, with their files; the guard is not included.
    pub fn srcs(&self) -> impl Iterator<Item = (File, OperandRow)> + use<> {
        let ([a, b, c, d], [second, third, fourth]) = (self.src, self.rest);
        let rows = if self.op.shape().elements() > 1 {
            [a, b, second, third, fourth]
        } else {
            [a, b, c, d, OperandRow::None]
        };
        let aux = self.aux;
        self.op.shape().srcs().iter().zip(rows).map(move |(kind, row)| (File::of(*kind, aux), row))
    }

    /// Replaces each register that a call or return passes.
    pub fn map_passed(&mut self, mut new: impl FnMut(File, u32) -> u32) {
        if let Some(passed) = &self.passed {
            let mut all =
                |list: &[(File, u32)]| list.iter().map(|(file, r)| (*file, new(*file, *r))).collect();
            self.passed = Some(Arc::new(Passed { uses: all(&passed.uses), defs: all(&passed.defs) }));
        }
    }

    /// Replaces each row that the micro-op reads, except the guard.
    pub fn map_srcs(&mut self, mut new: impl FnMut(File, OperandRow) -> OperandRow) {
        let (shape, aux) = (self.op.shape(), self.aux);
        let ([a, b, c, d], [second, third, fourth]) = (&mut self.src, &mut self.rest);
        let rows = if shape.elements() > 1 { [a, b, second, third, fourth] } else { [a, b, c, d, fourth] };
        for (kind, row) in shape.srcs().iter().zip(rows) {
            *row = new(File::of(*kind, aux), *row);
        }
    }

    /// Replaces each row that the micro-op writes.
    pub fn map_dsts(&mut self, mut new: impl FnMut(File, OperandRow) -> OperandRow) {
        let (shape, aux) = (self.op.shape(), self.aux);
        let [second, third, fourth] = &mut self.rest;
        let second = if shape.elements() > 1 { second } else { &mut self.dst2 };
        for (kind, row) in shape.dsts().into_iter().zip([&mut self.dst, second, third, fourth]) {
            if let Some(kind) = kind {
                *row = new(File::of(kind, aux), *row);
            }
        }
    }

    /// Returns the registers that the micro-op writes, with their files.
    pub fn defs(&self) -> impl Iterator<Item = (File, u32)> + '_ {
        let own = self
            .dsts()
            .filter_map(|(file, row)| if let OperandRow::Reg(r) = row { Some((file, r)) } else { None });
        own.chain(self.passed.iter().flat_map(|passed| passed.defs.iter().copied()))
    }

    /// Whether the old values of the destinations cannot be read after this micro-op. A guarded
    /// write may leave the old value, with two exceptions: the results of a call that did not
    /// execute are never read, and a fused operand is read only under the guard that it was written
    /// under.
    pub fn overwrites(&self) -> bool {
        self.guard.is_none() || self.is_call() || self.is_operand()
    }

    /// Whether the micro-op is fused with the next one as its operand.
    pub fn is_operand(&self) -> bool {
        issue::fused_as(self.op, self.aux) == Some(Fused::Operand)
    }

    /// Returns the divisor of an integer division, which keeps its row until the result is written:
    /// the checker of undefined values reads it after the division.
    pub fn divisor(&self) -> Option<(File, u32)> {
        let (file, row) = self.srcs().nth(1).filter(|_| self.op.class().is_integer_division())?;
        if let OperandRow::Reg(register) = row { Some((file, register)) } else { None }
    }

    /// Whether the micro-op calls a function.
    pub fn is_call(&self) -> bool {
        matches!(self.op, Op::Call | Op::CallInd)
    }

    /// Returns the registers that the micro-op reads, with their files and including the guard.
    pub fn uses(&self) -> impl Iterator<Item = (File, u32)> + '_ {
        let sources = self.srcs();
        let sources = sources
            .filter_map(|(file, row)| if let OperandRow::Reg(r) = row { Some((file, r)) } else { None });
        let passed = self.passed.iter().flat_map(|passed| passed.uses.iter().copied());
        sources.chain(self.guard.map(|(p, _)| (File::P, p))).chain(passed)
    }

    /// Whether control never continues at the next micro-op.
    pub fn ends(&self) -> bool {
        self.guard.is_none() && matches!(self.op, Op::Bra | Op::Exit | Op::Ret | Op::Trap)
    }
}

/// Owner of one set of registers for parameters and results.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Interface {
    /// Parameters and results of one function, by its number.
    Function(u32),
    /// Parameters and results of all functions whose address is taken and whose signature has this
    /// number.
    Signature(u32),
    /// The register with the thread's stack pointer, as the only parameter.
    Stack,
}

/// The registers of an interface in the numbering of one [`Code`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shared {
    /// Owner of the registers.
    pub interface: Interface,
    /// Registers of the parameters, in order.
    pub params: Vec<(File, u32)>,
    /// Registers of the results, in order.
    pub returns: Vec<(File, u32)>,
    /// Whether the registers belong to this body and no other function writes them while it runs.
    pub kept: bool,
}

/// The code of one entry or function.
#[derive(Clone, Debug, Default)]
pub struct Code {
    /// Micro-ops in order.
    pub insts: Vec<VInst>,
    /// Number of virtual registers of each [`File`].
    pub registers: [u32; 3],
    /// PC of each label.
    pub labels: Vec<u32>,
    /// Pools of 32-bit and 64-bit constants, without duplicates.
    pub pools: [Vec<ConstValue>; 2],
    known: [HashMap<ConstValue, u32>; 2],
    /// Registers that are shared with other functions, after linking.
    pub shared: Vec<Shared>,
    /// Offsets of the 64-bit parameters of which only the lower half is read, as an address.
    pub addresses: Vec<u32>,
}

impl Code {
    /// Returns empty code with `labels` labels, all at PC 0 until they are set.
    pub fn new(labels: usize) -> Self {
        Self { labels: vec![0; labels], ..Self::default() }
    }

    /// Allocates a new virtual register.
    pub fn register(&mut self, file: File) -> OperandRow {
        let count = &mut self.registers[file as usize];
        *count += 1;
        OperandRow::Reg(*count - 1)
    }

    /// Returns the constant row of a value and adds it to the pool if necessary.
    pub fn constant(&mut self, file: File, value: ConstValue) -> OperandRow {
        if file == File::P {
            return OperandRow::Const((value != ConstValue::Bits(0)) as u32);
        }
        let pool = &mut self.pools[file as usize];
        OperandRow::Const(*self.known[file as usize].entry(value).or_insert_with(|| {
            pool.push(value);
            pool.len() as u32 - 1
        }))
    }

    /// Whether control can run past the end or a label is at the end.
    pub fn runs_off(&self) -> bool {
        let past_end = self.labels.iter().any(|pc| *pc as usize == self.insts.len());
        past_end || !self.insts.last().is_some_and(VInst::ends)
    }

    /// Returns the registers that other functions may write at any call. Their values must be
    /// copied and cannot be kept there.
    pub fn clobbered(&self) -> impl Iterator<Item = (File, u32)> + '_ {
        let clobbered = self.shared.iter().filter(|shared| !shared.kept);
        clobbered.flat_map(|shared| shared.params.iter().chain(&shared.returns).copied())
    }

    /// Returns the value of a constant row, truncated to the width of the file; `None` if the value
    /// is not known when the code is lowered.
    pub fn bits(&self, file: File, row: OperandRow) -> Option<u64> {
        let OperandRow::Const(number) = row else { return None };
        match (file, self.pools.get(file as usize).map(|pool| pool[number as usize])) {
            (File::P, _) => Some(number as u64),
            (File::W, Some(ConstValue::Bits(bits))) => Some(bits & u32::MAX as u64),
            (File::D, Some(ConstValue::Bits(bits))) => Some(bits),
            _ => None,
        }
    }

    /// Removes the micro-ops for which `keep` is false. Labels at removed micro-ops move to the
    /// next one that is kept, and so do branches. The last micro-op must be kept. Returns the new
    /// PC of each old micro-op and of the end.
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

    /// Removes constants that no micro-op reads.
    pub fn prune_constants(&mut self) {
        let pools = std::mem::take(&mut self.pools);
        self.known.iter_mut().for_each(HashMap::clear);
        let mut insts = std::mem::take(&mut self.insts);
        for inst in &mut insts {
            inst.map_srcs(|file, row| match row {
                OperandRow::Const(number) if file != File::P => {
                    self.constant(file, pools[file as usize][number as usize])
                }
                _ => row,
            });
        }
        self.insts = insts;
    }

    /// Renumbers the registers and removes those that no micro-op uses. Clears `shared`, because
    /// the link to registers of other code is lost.
    pub fn prune_registers(&mut self) {
        let mut new = self.registers.map(|count| vec![None; count as usize]);
        for (file, register) in self.insts.iter().flat_map(|inst| inst.defs().chain(inst.uses())) {
            new[file as usize][register as usize] = Some(0);
        }
        for (numbers, count) in new.iter_mut().zip(&mut self.registers) {
            let named = numbers.iter_mut().flatten();
            let left = (0..).zip(named).map(|(number, new)| *new = number).count() as u32;
            // A file that has had registers keeps at least one.
            *count = left.max((*count).min(1));
        }
        let to = |file: File, register: u32| new[file as usize][register as usize].unwrap_or(0);
        let row = |file, row| {
            if let OperandRow::Reg(register) = row { OperandRow::Reg(to(file, register)) } else { row }
        };
        for inst in &mut self.insts {
            inst.map_dsts(row);
            inst.map_srcs(row);
            inst.guard = inst.guard.map(|(predicate, negated)| (to(File::P, predicate), negated));
            inst.map_passed(to);
        }
        self.shared.clear();
    }

    /// Appends an exit if control or a label could run past the end, and replaces label numbers in
    /// branches by PCs.
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
        assert_eq!(code.constant(File::W, five), OperandRow::Const(0));
        assert_eq!(code.constant(File::W, ConstValue::Bits(6)), OperandRow::Const(1));
        assert_eq!(code.constant(File::W, five), OperandRow::Const(0));
        assert_eq!(code.constant(File::D, five), OperandRow::Const(0));
        assert_eq!(code.constant(File::P, five), OperandRow::Const(1));
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
