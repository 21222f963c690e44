//! The text form of a program, for people and tests.
//!
//! One line per instruction: PC, guard, name, destination (two as in `w3|p0`), sources. `w3`, `d1`, `p0` are register rows; `#5` is
//! a constant, `#param+8` the parameter at byte 8 and `#const+8` the word of constant memory; `[w3+4]` an address; labels stand on lines of their own.
//!
//! ```text
//!       3  @!p0 bra 7 reconv=9
//! LOOP:
//!       4  ld.global.b32 w2, [d1+8]
//! ```

use super::program::{ConstValue, Inst, NO_ROW, Program, TO_EXIT};
use super::{Op, OperandKind};
use crate::sreg::SReg;
use std::fmt::Write;

/// The whole program.
pub fn program(program: &Program) -> String {
    let mut text = String::new();
    let mut labels = program.labels.iter().peekable();
    let mut functions = program.functions.iter().peekable();
    for (pc, inst) in program.code.iter().enumerate() {
        while let Some(function) = functions.next_if(|function| function.start as usize <= pc) {
            let _ = writeln!(text, "{}:", function.name);
        }
        while let Some((_, name)) = labels.next_if(|(at, _)| *at as usize <= pc) {
            let _ = writeln!(text, "{name}:");
        }
        let _ = writeln!(text, "{pc:>7}  {}", instruction(program, inst));
    }
    text
}

/// One instruction, without its PC.
pub fn instruction(program: &Program, inst: &Inst) -> String {
    let mut text = String::new();
    if let Some((row, negated)) = inst.guard.get() {
        let not = if negated { "!" } else { "" };
        let _ = write!(text, "@{not}{} ", operand(program, OperandKind::P, row));
    }
    text += inst.op.text();
    let mut operands = Vec::new();
    let vector = inst.op.shape().elements() > 1;
    let listed = |rows: &mut dyn Iterator<Item = (OperandKind, u16)>| {
        let rows: Vec<String> = rows.map(|(kind, row)| operand(program, kind, row)).collect();
        if vector && !rows.is_empty() { format!("{{{}}}", rows.join(", ")) } else { rows.join(", ") }
    };
    operands.push(if vector {
        listed(&mut inst.dsts())
    } else {
        inst.dsts().map(|(kind, row)| operand(program, kind, row)).collect::<Vec<_>>().join("|")
    });
    let mut sources = inst.srcs().peekable();
    if let Some((_, row)) = sources.next_if(|(kind, _)| *kind == OperandKind::Addr) {
        operands.push(address(program, inst, row));
    }
    operands.push(listed(&mut sources));
    operands.retain(|text| !text.is_empty());
    match inst.op {
        Op::Bra | Op::BarSync | Op::Call => operands.push(inst.imm.to_string()),
        Op::MovSreg | Op::MovSreg64 => {
            operands.push(SReg::from_code(inst.imm).map_or("?", SReg::name).to_string());
        }
        _ => {}
    }
    if !operands.is_empty() {
        let _ = write!(text, " {}", operands.join(", "));
    }
    if inst.op == Op::Bra && inst.guard.get().is_some() {
        let _ = match inst.aux {
            TO_EXIT => write!(text, " reconv=exit"),
            pc => write!(text, " reconv={pc}"),
        };
    }
    if let Some(operation) = inst.operation().filter(|_| inst.op.is_atomic()) {
        let _ = write!(text, " {}", operation.name());
    }
    if inst.op.access_bytes() > 0 && inst.aux & Inst::VOLATILE != 0 {
        text += " volatile";
    }
    text
}

fn operand(program: &Program, kind: OperandKind, row: u16) -> String {
    let (letter, registers, pool) = match kind {
        OperandKind::W | OperandKind::Addr => ('w', program.rows.w, Some(&program.const32)),
        OperandKind::D => ('d', program.rows.d, Some(&program.const64)),
        OperandKind::P => ('p', program.rows.p, None),
    };
    let constant = row.wrapping_sub(registers) as usize;
    match pool.and_then(|pool| pool.get(constant)) {
        _ if row < registers => format!("{letter}{row}"),
        Some(ConstValue::Bits(bits)) => number(*bits, if letter == 'w' { 32 } else { 64 }),
        Some(ConstValue::Global { symbol, offset: 0 }) => format!("#global{symbol}"),
        Some(ConstValue::Global { symbol, offset }) => format!("#global{symbol}+{offset}"),
        Some(ConstValue::Param { offset }) => format!("#param+{offset}"),
        Some(ConstValue::Bank { offset }) => format!("#const+{offset}"),
        None if letter == 'p' && constant < 2 => format!("#{}", constant == 1),
        None => format!("{letter}{row}?"),
    }
}

/// A constant: decimal where short, as a signed number where that is short, else in hexadecimal.
fn number(bits: u64, width: u32) -> String {
    let shift = 64 - width;
    match ((bits << shift) as i64) >> shift {
        small @ -9999..=9999 => format!("#{small}"),
        _ => format!("#{bits:#x}"),
    }
}

fn address(program: &Program, inst: &Inst, row: u16) -> String {
    let kind = if inst.aux & Inst::ADDR64 == 0 { OperandKind::W } else { OperandKind::D };
    if inst.op == Op::CallInd {
        return format!("{} signature={}", operand(program, kind, row), inst.imm);
    }
    match (row, inst.imm as i32) {
        (NO_ROW, _) => format!("[{}]", inst.imm),
        (row, 0) => format!("[{}]", operand(program, kind, row)),
        (row, offset) => format!("[{}{offset:+}]", operand(program, kind, row)),
    }
}
