//! Instructions of Fermi that are several older ones.
//!
//! Each becomes a block with private registers. Only the last instruction of the block, which
//! writes the result, has the guard.

mod bits;
mod lanes;
mod recipe;
mod text;

pub use text::older;

use crate::ptx::ast::{Ident, Instruction, Linkage, Literal, Operand, OperandKind, Statement, Variable};
use crate::types::{ScalarType, StateSpace};
use crate::uop::Sampler;

/// Returns the statements with these instructions replaced, for target `sm_number`.
pub fn expand(statements: Vec<Statement<'_>>, number: u32) -> Vec<Statement<'_>> {
    statements.into_iter().filter_map(|statement| expanded(statement, number)).collect()
}

/// Returns `None` for an instruction without an effect.
fn expanded(statement: Statement<'_>, number: u32) -> Option<Statement<'_>> {
    match statement {
        Statement::Block(inner) => Some(Statement::Block(expand(inner.into_vec(), number).into())),
        // Hints, as cache operators are.
        Statement::Instruction(inst) if inst.opcode.name.starts_with("prefetch") => None,
        Statement::Instruction(inst) => {
            let code = bits::code(&inst, number).or_else(|| lanes::code(&inst));
            Some(code.unwrap_or(Statement::Instruction(inst)))
        }
        other => Some(other),
    }
}

/// Names of registers, by type. A name of the text has no dot in it.
const NAMES: [(ScalarType, [&str; 16]); 3] = [
    (
        ScalarType::B32,
        [
            "%w.0", "%w.1", "%w.2", "%w.3", "%w.4", "%w.5", "%w.6", "%w.7", "%w.8", "%w.9", "%w.10", "%w.11",
            "%w.12", "%w.13", "%w.14", "%w.15",
        ],
    ),
    (
        ScalarType::B64,
        [
            "%d.0", "%d.1", "%d.2", "%d.3", "%d.4", "%d.5", "%d.6", "%d.7", "%d.8", "%d.9", "%d.10", "%d.11",
            "%d.12", "%d.13", "%d.14", "%d.15",
        ],
    ),
    (
        ScalarType::Pred,
        [
            "%p.0", "%p.1", "%p.2", "%p.3", "%p.4", "%p.5", "%p.6", "%p.7", "%p.8", "%p.9", "%p.10", "%p.11",
            "%p.12", "%p.13", "%p.14", "%p.15",
        ],
    ),
];

/// The block that replaces an instruction.
pub struct Block<'i, 't> {
    inst: &'i Instruction<'t>,
    statements: Vec<Statement<'t>>,
    /// Number of registers of each type in [`NAMES`].
    used: [usize; NAMES.len()],
}

impl<'i, 't> Block<'i, 't> {
    /// An empty block in the place of an instruction.
    pub fn new(inst: &'i Instruction<'t>) -> Self {
        Self { inst, statements: Vec::new(), used: [0; NAMES.len()] }
    }

    fn operand(&self, kind: OperandKind<'t>) -> Operand<'t> {
        Operand { kind, span: self.inst.span }
    }

    /// Returns an operand of the instruction; `_` if it has too few, which the check of forms
    /// reports.
    pub fn given(&self, place: usize) -> Operand<'t> {
        self.inst.operands.get(place).cloned().unwrap_or_else(|| self.operand(OperandKind::Sink))
    }

    /// Returns a number.
    pub fn number(&self, value: u64) -> Operand<'t> {
        self.operand(OperandKind::Literal(Literal::Int { value, negative: false }))
    }

    /// Returns values in braces.
    pub fn braces<const N: usize>(&self, parts: [&Operand<'t>; N]) -> Operand<'t> {
        self.operand(OperandKind::Vector(parts.map(Operand::clone).into()))
    }

    /// Declares a register of a type in [`NAMES`].
    pub fn register(&mut self, ty: ScalarType) -> Operand<'t> {
        let list = NAMES.iter().position(|(of, _)| *of == ty).expect("one of the types of the list");
        let name = NAMES[list].1[self.used[list]];
        self.used[list] += 1;
        let span = self.inst.span;
        self.statements.push(Statement::Variable(Box::new(Variable {
            space: StateSpace::Reg,
            opaque: None,
            pointee: None,
            sampler: Sampler::default(),
            linkage: Linkage::Local,
            module: 0,
            title: None,
            align: None,
            ty,
            vector: 1,
            name: Ident { name, span },
            range: None,
            dims: Vec::new(),
            init: None,
            span,
        })));
        self.operand(OperandKind::Name(name))
    }

    /// Declares a 32-bit register.
    pub fn word(&mut self) -> Operand<'t> {
        self.register(ScalarType::B32)
    }

    /// Appends an instruction without a guard.
    pub fn op<const N: usize>(&mut self, name: &'static str, operands: [&Operand<'t>; N]) {
        self.append(name, operands, false);
    }

    /// Appends an instruction that has an effect outside of the block, with the guard.
    pub fn last<const N: usize>(&mut self, name: &'static str, operands: [&Operand<'t>; N]) {
        self.append(name, operands, true);
    }

    fn append<const N: usize>(&mut self, name: &'static str, operands: [&Operand<'t>; N], guarded: bool) {
        let span = self.inst.opcode.span;
        let mut words = name.split('.').map(|name| Ident { name, span });
        let opcode = words.next().expect("a split has a first part");
        self.push(Instruction {
            guard: self.inst.guard.filter(|_| guarded),
            opcode,
            modifiers: words.collect(),
            operands: operands.map(Operand::clone).into(),
            span: self.inst.span,
        });
    }

    /// Appends an instruction.
    pub fn push(&mut self, inst: Instruction<'t>) {
        self.statements.push(Statement::Instruction(Box::new(inst)));
    }

    /// Returns a 32-bit register with the bits of an operand.
    pub fn copy(&mut self, from: &Operand<'t>) -> Operand<'t> {
        let to = self.word();
        self.op("mov.b32", [&to, from]);
        to
    }

    /// Returns the lower and the upper half of a 64-bit operand.
    pub fn halves(&mut self, from: &Operand<'t>) -> [Operand<'t>; 2] {
        let halves = [self.word(), self.word()];
        let both = self.braces([&halves[0], &halves[1]]);
        self.op("mov.b64", [&both, from]);
        halves
    }

    /// Returns the statement.
    pub fn finish(self) -> Statement<'t> {
        Statement::Block(self.statements.into())
    }
}
