//! The older instructions as text, for a compiler that writes PTX of a target below 2.0.

use super::bits;
use crate::ptx::ast::{Ident, Instruction, Literal, Operand, OperandKind, Statement};
use crate::span::Span;
use std::fmt::Write as _;

/// Returns the block of PTX that computes the instruction `name` of Fermi (`popc.b32`) on a target
/// (10 for `sm_10`). The operands are registers and numbers, the destination first. `None` for an
/// instruction that is not replaced.
pub fn older(name: &str, operands: &[&str], target: u32) -> Option<String> {
    let span = Span::new(0, 0);
    let mut words = name.split('.').map(|name| Ident { name, span });
    let inst = Instruction {
        guard: None,
        opcode: words.next()?,
        modifiers: words.collect(),
        operands: operands.iter().map(|text| operand(text, span)).collect(),
        span,
    };
    let Statement::Block(statements) = bits::code(&inst, target)? else { return None };
    let mut text = String::from("{\n");
    for statement in &statements {
        match statement {
            Statement::Variable(one) => {
                writeln!(text, "\t.reg .{} {};", one.ty.name(), one.name.name.replace('.', "_")).ok()?;
            }
            Statement::Instruction(one) => {
                let words = one.modifiers.iter().map(|word| word.name);
                let name = [one.opcode.name].into_iter().chain(words).collect::<Vec<_>>().join(".");
                writeln!(text, "\t{name} {};", list(&one.operands)).ok()?;
            }
            _ => return None,
        }
    }
    Some(text + "\t}\n")
}

fn operand(text: &str, span: Span) -> Operand<'_> {
    let number = text.parse::<i64>().ok();
    let number = number.map(|n| Literal::Int { value: n as u64, negative: n < 0 });
    Operand { kind: number.map_or(OperandKind::Name(text), OperandKind::Literal), span }
}

fn list(operands: &[Operand]) -> String {
    operands.iter().map(shown).collect::<Vec<_>>().join(", ")
}

fn shown(operand: &Operand) -> String {
    match &operand.kind {
        OperandKind::Name(name) => name.replacen('.', "_", usize::from(name.starts_with('%'))),
        OperandKind::Literal(Literal::Int { value, negative: true }) => (*value as i64).to_string(),
        OperandKind::Literal(Literal::Int { value, .. }) => value.to_string(),
        OperandKind::Vector(parts) => format!("{{{}}}", list(parts)),
        _ => "_".to_owned(),
    }
}
