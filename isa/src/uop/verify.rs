//! Checks everything that an executor relies on.
//!
//! [`verify`] proves of a [`Program`]:
//!
//! 1. It has an instruction, at most [`MOST_INSTRUCTIONS`] of them, and a span and a line for each.
//! 2. Every source row is a register or a constant of the file that the micro-op's shape names; a shape's
//!    missing operands are [`NO_ROW`]; an address row may be missing.
//! 3. Every destination row is a register, never a constant, and is there exactly when the shape has one.
//! 4. Every guard is a predicate register or one of the two predicate constants.
//! 5. Branch targets are inside the code; reconvergence points are too, or are [`TO_EXIT`].
//! 6. Control cannot run past the last instruction.
//! 7. Special register codes are known, barrier numbers are below [`BARRIERS`].
//! 8. Rows and constants together fit in a row index.
//! 9. Labels ascend and stand inside the code; parameters lie inside the parameter block, and loads of
//!    parameters without an address row do too.
//!
//! The promise: executing a verified program cannot panic, whatever its data.

use super::program::{Inst, NO_ROW, Program, TO_EXIT};
use super::{Op, OperandKind};
use crate::sreg::SReg;

/// Most instructions of one kernel (CUDA C Programming Guide 5.5, table 12, compute capability 1.x).
pub const MOST_INSTRUCTIONS: usize = 2_000_000;

/// Barriers of a block.
pub const BARRIERS: u32 = 16;

/// Checks a program against the list in the module's documentation; `Err` names every violation.
pub fn verify(program: &Program) -> Result<(), Vec<String>> {
    let mut errors = Vec::new();
    shape_of_program(program, &mut errors);
    for (pc, inst) in program.code.iter().enumerate() {
        if let Err(error) = instruction(program, inst) {
            errors.push(format!("{pc}: {}: {error}", inst.op.text()));
        }
    }
    if errors.is_empty() { Ok(()) } else { Err(errors) }
}

/// What concerns the program as a whole: rules 1, 6, 8, and 9 except for loads.
fn shape_of_program(program: &Program, errors: &mut Vec<String>) {
    let len = program.code.len();
    if len > MOST_INSTRUCTIONS {
        errors.push(format!("{len} instructions are more than {MOST_INSTRUCTIONS}"));
    }
    if program.spans.len() != len || program.lines.len() != len {
        errors.push("spans and lines do not match the code".into());
    }
    let ends =
        |inst: &Inst| inst.guard == super::Guard::NONE && matches!(inst.op, Op::Bra | Op::Exit | Op::Trap);
    if !program.code.last().is_some_and(ends) {
        errors.push("control can run past the last instruction".into());
    }
    for kind in [OperandKind::W, OperandKind::D, OperandKind::P] {
        if rows(program, kind).1 > NO_ROW as usize {
            errors.push(format!("too many rows and constants of kind {kind:?}"));
        }
    }
    // A guard spends one bit of its row index on the negation.
    if rows(program, OperandKind::P).1 >= (NO_ROW / 2) as usize {
        errors.push("too many predicates for a guard".into());
    }
    if !program.labels.is_sorted_by_key(|(pc, _)| *pc)
        || program.labels.iter().any(|(pc, _)| *pc as usize >= len)
    {
        errors.push("labels do not ascend inside the code".into());
    }
    for param in &program.params {
        if param.offset as u64 + param.bytes as u64 > program.param_bytes as u64 {
            errors.push(format!("parameter `{}` lies outside the parameter block", param.name));
        }
    }
}

/// Registers, and registers with constants, of a file.
fn rows(program: &Program, kind: OperandKind) -> (usize, usize) {
    let (registers, constants) = match kind {
        OperandKind::W | OperandKind::Addr => (program.rows.w, program.const32.len()),
        OperandKind::D => (program.rows.d, program.const64.len()),
        OperandKind::P => (program.rows.p, 2),
    };
    (registers as usize, registers as usize + constants)
}

fn instruction(program: &Program, inst: &Inst) -> Result<(), String> {
    let len = program.code.len();
    if let Some((row, _)) = inst.guard.get() {
        in_range("guard", row, rows(program, OperandKind::P).1)?;
    }
    match inst.op.shape().dst() {
        Some(kind) => in_range("destination", inst.dst, rows(program, kind).0)?,
        None => absent("destination", inst.dst)?,
    }
    absent("second destination", inst.dst2)?;
    let kinds = inst.op.shape().srcs();
    for (i, row) in inst.src.into_iter().enumerate() {
        match kinds.get(i) {
            None => absent("source", row)?,
            Some(OperandKind::Addr) if row == NO_ROW => {}
            Some(OperandKind::Addr) if inst.aux & Inst::ADDR64 != 0 => {
                in_range("address", row, rows(program, OperandKind::D).1)?;
            }
            Some(kind) => in_range("source", row, rows(program, *kind).1)?,
        }
    }
    match inst.op {
        Op::Bra if inst.imm as usize >= len => Err(format!("target {} is outside the code", inst.imm)),
        Op::Bra if inst.aux != TO_EXIT && inst.aux as usize >= len => {
            Err(format!("reconvergence point {} is outside the code", inst.aux))
        }
        Op::BarSync if inst.imm >= BARRIERS => Err(format!("there is no barrier {}", inst.imm)),
        Op::MovSreg if SReg::from_code(inst.imm).is_none() => {
            Err(format!("there is no special register {}", inst.imm))
        }
        op if op.class() == super::Class::LdParam && inst.src[0] == NO_ROW => {
            let end = inst.imm as u64 + op.access_bytes() as u64;
            if end > program.param_bytes as u64 {
                return Err(format!("byte {} is outside the parameter block", end - 1));
            }
            Ok(())
        }
        _ => Ok(()),
    }
}

fn in_range(what: &str, row: u16, count: usize) -> Result<(), String> {
    if (row as usize) < count { Ok(()) } else { Err(format!("{what} row {row} is not one of {count}")) }
}

fn absent(what: &str, row: u16) -> Result<(), String> {
    if row == NO_ROW { Ok(()) } else { Err(format!("{what} row {row} where there is no operand")) }
}
