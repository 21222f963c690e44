//! Doubles in memory on chips without double precision.
//!
//! The pass [`demote`](crate::lower) makes registers of type `.f64` registers of type `.f32`. The
//! host has doubles of eight bytes in memory. So a load of type `.f64` becomes a load of 64 bits
//! whose value is rounded to an f32 with integer instructions, and a store extends the f32 in the
//! same way. A move of bits between a register of type `.f64` and 64 bits, or two halves, does the
//! same.

use super::expand::Block;
use crate::ptx::ast::{Function, Ident, Instruction, Literal, Operand, OperandKind, Statement, Variable};
use crate::span::Span;
use crate::types::{ScalarType, StateSpace};

/// Difference of the exponents of a double and of an f32.
const BIAS: u64 = 1023 - 127;

/// Rewrites the accesses of a function. Returns the first one.
pub fn convert(function: &mut Function) -> Option<Span> {
    let body = function.body.take()?;
    let mut registers = Registers::default();
    function.params.iter().chain(&function.returns).for_each(|param| registers.variable(param));
    registers.declared(&body);
    let mut first = None;
    function.body = Some(converted(body, &registers, &mut first));
    first
}

/// Registers of type `.f64`.
#[derive(Default)]
struct Registers<'t> {
    names: Vec<(&'t str, Option<u32>)>,
}

impl<'t> Registers<'t> {
    fn declared(&mut self, statements: &[Statement<'t>]) {
        for statement in statements {
            match statement {
                Statement::Variable(variable) => self.variable(variable),
                Statement::Block(inner) => self.declared(inner),
                _ => {}
            }
        }
    }

    fn variable(&mut self, variable: &Variable<'t>) {
        if variable.space == StateSpace::Reg && variable.ty == ScalarType::F64 {
            self.names.push((variable.name.name, variable.range));
        }
    }

    /// Whether an operand is a register of type `.f64`.
    fn has(&self, operand: &Operand) -> bool {
        let OperandKind::Name(name) = operand.kind else { return false };
        self.names.iter().any(|(declared, range)| match (name.strip_prefix(declared), range) {
            (Some(""), None) => true,
            (Some(number), Some(range)) => number.parse::<u32>().is_ok_and(|number| number < *range),
            _ => false,
        })
    }
}

fn converted<'t>(
    body: Vec<Statement<'t>>,
    registers: &Registers,
    first: &mut Option<Span>,
) -> Vec<Statement<'t>> {
    let mut one = |statement| match statement {
        Statement::Block(inner) => {
            Statement::Block(converted(inner.into_vec(), registers, first).into_boxed_slice())
        }
        Statement::Instruction(inst) => match access(&inst).or_else(|| moved(&inst, registers)) {
            Some(block) => {
                *first = first.or(Some(inst.span));
                block
            }
            None => Statement::Instruction(inst),
        },
        other => other,
    };
    body.into_iter().map(&mut one).collect()
}

/// Returns the block for a load or store of doubles; `None` for another instruction.
fn access<'t>(inst: &Instruction<'t>) -> Option<Statement<'t>> {
    let load = match inst.opcode.name {
        "ld" | "ldu" => true,
        "st" => false,
        _ => return None,
    };
    let [first, second] = &*inst.operands else { return None };
    if inst.modifiers.last()?.name != "f64" {
        return None;
    }
    let mut block = Block::new(inst);
    let (value, address) = if load { (first, second) } else { (second, first) };
    let elements = match &value.kind {
        OperandKind::Vector(elements) => elements,
        _ => std::slice::from_ref(value),
    };
    let mut words: Vec<Operand> = Vec::new();
    for element in elements {
        words.push(match (load, &element.kind) {
            (true, OperandKind::Sink) => element.clone(),
            (true, _) => block.register(ScalarType::B64),
            (false, OperandKind::Literal(Literal::F64(bits))) => block.number(*bits),
            (false, _) => {
                let halves = extended(&mut block, element);
                let word = block.register(ScalarType::B64);
                let both = block.braces([&halves[0], &halves[1]]);
                block.op("mov.b64", [&word, &both]);
                word
            }
        });
    }
    let data = match &value.kind {
        OperandKind::Vector(_) => {
            Operand { kind: OperandKind::Vector(words.clone().into()), span: value.span }
        }
        _ => words[0].clone(),
    };
    let mut modifiers = inst.modifiers.clone();
    if let Some(last) = modifiers.last_mut() {
        *last = Ident { name: "b64", span: last.span };
    }
    let operands = if load { [data, address.clone()] } else { [address.clone(), data] };
    block.push(Instruction { modifiers, operands: operands.into(), ..inst.clone() });
    if load {
        for (element, word) in elements.iter().zip(&words) {
            if !matches!(element.kind, OperandKind::Sink) {
                let halves = block.halves(word);
                let value = rounded(&mut block, &halves);
                block.last("mov.b32", [element, &value]);
            }
        }
    }
    Some(block.finish())
}

/// Returns the block for a move between a double and its bits; `None` for another instruction.
fn moved<'t>(inst: &Instruction<'t>, registers: &Registers) -> Option<Statement<'t>> {
    let ("mov", [to, from], [ty]) = (inst.opcode.name, &*inst.operands, &*inst.modifiers) else {
        return None;
    };
    if !matches!(ty.name, "b64" | "u64" | "s64") || registers.has(to) == registers.has(from) {
        return None;
    }
    let mut block = Block::new(inst);
    if registers.has(to) {
        let word = block.register(ScalarType::B64);
        block.op("mov.b64", [&word, from]);
        let halves = block.halves(&word);
        let value = rounded(&mut block, &halves);
        block.last("mov.b32", [to, &value]);
    } else {
        let halves = extended(&mut block, from);
        let both = block.braces([&halves[0], &halves[1]]);
        let word = block.register(ScalarType::B64);
        block.op("mov.b64", [&word, &both]);
        block.last("mov.b64", [to, &word]);
    }
    Some(block.finish())
}

/// Returns the bits of the f32 nearest to a double, given by its halves: a number below the
/// smallest normal one is zero, and a NaN keeps its sign and the upper bits of its payload.
fn rounded<'t>(block: &mut Block<'_, 't>, [low, high]: &[Operand<'t>; 2]) -> Operand<'t> {
    let [bits, magnitude, part, cut] = [(); 4].map(|()| block.word());
    let is = block.register(ScalarType::Pred);
    let [zero, one, three, cut_bits] = [0, 1, 3, 29].map(|value| block.number(value));
    // The fraction and the exponent of an f32, without the bits that an f32 does not have.
    let [all, bias] = [0x7fff_ffff, BIAS << 20].map(|value| block.number(value));
    block.op("and.b32", [&magnitude, high, &all]);
    block.op("sub.u32", [&bits, &magnitude, &bias]);
    block.op("shl.b32", [&bits, &bits, &three]);
    block.op("shr.u32", [&part, low, &cut_bits]);
    block.op("or.b32", [&bits, &bits, &part]);
    // To nearest even: up if the bits that are cut are more than half, or half of an odd number.
    let [below, almost_half] = [0x1fff_ffff, 0x0fff_ffff].map(|value| block.number(value));
    block.op("and.b32", [&part, &bits, &one]);
    block.op("and.b32", [&cut, low, &below]);
    block.op("add.u32", [&cut, &cut, &almost_half]);
    block.op("add.u32", [&cut, &cut, &part]);
    block.op("shr.u32", [&cut, &cut, &cut_bits]);
    block.op("add.u32", [&bits, &bits, &cut]);
    // Numbers that are too large or too small.
    let [too_large, infinity] = [(BIAS + 255) << 20, 0x7f80_0000].map(|value| block.number(value));
    block.op("setp.ge.u32", [&is, &magnitude, &too_large]);
    block.op("selp.b32", [&bits, &infinity, &bits, &is]);
    block.op("setp.lt.u32", [&is, &magnitude, &bias]);
    block.op("selp.b32", [&bits, &zero, &bits, &is]);
    let smallest = block.number(0x0080_0000);
    block.op("setp.lt.u32", [&is, &bits, &smallest]);
    block.op("selp.b32", [&bits, &zero, &bits, &is]);
    // A NaN: the exponent of an infinity and a bit of the fraction.
    let [quiet, payload, largest] = [0x7fc0_0000, 0x003f_ffff, 0x7ff0_0000].map(|value| block.number(value));
    block.op("shl.b32", [&part, high, &three]);
    block.op("shr.u32", [&cut, low, &cut_bits]);
    block.op("or.b32", [&part, &part, &cut]);
    block.op("and.b32", [&part, &part, &payload]);
    block.op("or.b32", [&part, &part, &quiet]);
    block.op("min.u32", [&cut, low, &one]);
    block.op("or.b32", [&magnitude, &magnitude, &cut]);
    block.op("setp.gt.u32", [&is, &magnitude, &largest]);
    block.op("selp.b32", [&bits, &part, &bits, &is]);
    let sign = block.number(0x8000_0000);
    block.op("and.b32", [&part, high, &sign]);
    block.op("or.b32", [&bits, &bits, &part]);
    bits
}

/// Returns the halves of the double with the value of an f32; a subnormal number is zero.
fn extended<'t>(block: &mut Block<'_, 't>, from: &Operand<'t>) -> [Operand<'t>; 2] {
    let bits = block.copy(from);
    let [low, high, part] = [(); 3].map(|()| block.word());
    let is = block.register(ScalarType::Pred);
    let [zero, three, cut_bits] = [0, 3, 29].map(|value| block.number(value));
    let [all, bias] = [0x7fff_ffff, BIAS << 20].map(|value| block.number(value));
    block.op("shl.b32", [&low, &bits, &cut_bits]);
    block.op("and.b32", [&high, &bits, &all]);
    block.op("shr.u32", [&high, &high, &three]);
    block.op("add.u32", [&high, &high, &bias]);
    let [exponent, largest] = [0x7f80_0000, 0x7ff0_0000].map(|value| block.number(value));
    block.op("and.b32", [&part, &bits, &exponent]);
    block.op("setp.eq.u32", [&is, &part, &zero]);
    block.op("selp.b32", [&low, &zero, &low, &is]);
    block.op("selp.b32", [&high, &zero, &high, &is]);
    // An infinity or a NaN.
    block.op("setp.eq.u32", [&is, &part, &exponent]);
    block.op("or.b32", [&part, &high, &largest]);
    block.op("selp.b32", [&high, &part, &high, &is]);
    let sign = block.number(0x8000_0000);
    block.op("and.b32", [&part, &bits, &sign]);
    block.op("or.b32", [&high, &high, &part]);
    [low, high]
}
