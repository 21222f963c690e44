//! Verifier: checks everything that the executor relies on.
//!
//! [`verify`] proves the following rules about a [`Program`]:
//!
//! 1. It has at least one instruction, at most [`MAX_INSTRUCTIONS`], and a span and a line for
//!    each.
//! 2. Every source row is a register or a constant of the file in the micro-op's shape. Operands
//!    that the shape does not have are [`NO_ROW`]. An address row may be missing.
//! 3. Every destination row, first and second, is a register, never a constant, and is present
//!    exactly when the shape has it.
//! 4. Every guard is a predicate register or one of the two predicate constants.
//! 5. Branch targets are inside the code of the branch's function. Reconvergence points are too, or
//!    are [`TO_EXIT`]. A call targets the start of a function.
//! 6. Control cannot run past the last instruction of the kernel or of a function. Functions are
//!    ascending by number and by PC, and together they cover the code after the kernel's. The
//!    kernel does not return.
//! 7. Special register codes are known, and barrier numbers are below [`BARRIERS`].
//! 8. Rows and constants together fit in a row index.
//! 9. Labels are ascending and inside the code. Parameters are inside the parameter block, and so
//!    are loads of parameters without an address row and constants taken from the block.
//! 10. Atomics have an operation that exists for words of their size. `cas` appears exactly in the
//!     micro-ops with that name, and is never a reduction.
//! 11. The numbers of textures, surfaces and their properties are known, and so are the modifiers
//!     of video instructions and of accesses to surfaces.
//! 12. Fused micro-ops can be fused (see [`super::issue`]): at most [`MAX_OPERANDS`] operands and
//!     one test with one main arithmetic micro-op in the same function. The operands have the guard
//!     of the main micro-op; with a test there is no guard. Control enters an instruction only at
//!     its first micro-op.
//!
//! Guarantee: executing a verified program cannot panic, for any data.
//!
//! Invariant `verified-programs-do-not-panic`: A lowered program satisfies the verifier, and a
//! verified program cannot make `exec` panic.

use super::issue::{Fused, Issue, MAX_OPERANDS, is_memory_operand, is_modifier, issues};
use super::program::{ConstValue, Inst, NO_ROW, Program, TO_EXIT};
use super::{Op, OperandKind, Shape, TextureFetch};
use crate::sem::atomic::Operation;
use crate::sreg::SReg;

/// Maximum number of instructions of one kernel (CUDA C Programming Guide 5.5, table 12, compute
/// capability 1.x).
pub const MAX_INSTRUCTIONS: usize = 2_000_000;

/// Number of barriers of a block.
pub const BARRIERS: u32 = 16;

/// Checks a program against the rules in the module documentation. `Err` contains every violation.
pub fn verify(program: &Program) -> Result<(), Vec<String>> {
    let mut errors = Vec::new();
    shape_of_program(program, &mut errors);
    for (pc, inst) in program.code.iter().enumerate() {
        if let Err(error) = instruction(program, pc, inst) {
            errors.push(format!("{pc}: {}: {error}", inst.op.text()));
        }
    }
    fused(program, &mut errors);
    if errors.is_empty() { Ok(()) } else { Err(errors) }
}

/// Checks rule 12.
fn fused(program: &Program, errors: &mut Vec<String>) {
    let code = &program.code;
    if !code.iter().any(|inst| inst.fused().is_some()) {
        return;
    }
    // A call returns to the next micro-op, and a call is never part of a fused instruction, so only
    // branches and function starts matter.
    let mut entered = vec![false; code.len()];
    let branches = code.iter().filter(|inst| inst.op == Op::Bra);
    let starts = program.functions.iter().map(|function| function.start);
    for pc in branches.flat_map(|inst| [inst.imm, inst.aux]).chain(starts) {
        if let Some(entered) = entered.get_mut(pc as usize) {
            *entered = true;
        }
    }
    for issue in issues(code) {
        let parts = &code[issue.first..issue.end];
        if !parts.iter().any(|inst| inst.fused().is_some()) {
            continue;
        }
        if !is_well_fused(code, &issue) {
            errors.push(format!("{}: cannot be fused with {}", issue.first, issue.main));
        } else if entered[issue.first + 1..issue.end].contains(&true) {
            errors.push(format!("{}: control enters the instruction in its middle", issue.first));
        }
    }
}

/// Whether the micro-ops of `issue` can be one instruction.
fn is_well_fused(code: &[Inst], issue: &Issue) -> bool {
    let main = &code[issue.main];
    // Arithmetic micro-ops are functions of one lane.
    let computes = |inst: &Inst| inst.op.meaning().is_some();
    let operand = |inst: &Inst| {
        (is_memory_operand(inst.op) && inst.aux & Inst::VOLATILE == 0 || is_modifier(inst.op))
            && inst.guard == main.guard
    };
    let tested = |inst: &Inst| {
        inst.fused() == Some(Fused::Test)
            && (inst.guard, main.guard) == (super::Guard::NONE, super::Guard::NONE)
    };
    let operands = &code[issue.first..issue.main];
    main.fused().is_none()
        && computes(main)
        && operands.len() <= MAX_OPERANDS
        && operands.iter().all(operand)
        && code[issue.main + 1..issue.end].iter().all(tested)
}

/// Checks the program as a whole: rules 1, 6, 8, and rule 9 except for loads.
fn shape_of_program(program: &Program, errors: &mut Vec<String>) {
    let len = program.code.len();
    if len > MAX_INSTRUCTIONS {
        errors.push(format!("{len} instructions exceed the limit of {MAX_INSTRUCTIONS}"));
    }
    if program.spans.len() != len || program.lines.len() != len {
        errors.push("spans and lines do not match the code".into());
    }
    let ends = |inst: &Inst| {
        inst.guard == super::Guard::NONE && matches!(inst.op, Op::Bra | Op::Exit | Op::Ret | Op::Trap)
    };
    if !program.code[..kernel_len(program)].last().is_some_and(ends) {
        errors.push("control can run past the last instruction".into());
    }
    functions(program, ends, errors);
    for kind in [OperandKind::W, OperandKind::D, OperandKind::P] {
        if rows(program, kind).1 > NO_ROW as usize {
            errors.push(format!("too many rows and constants of kind {kind:?}"));
        }
    }
    // One bit of a guard's row index holds the negation.
    if rows(program, OperandKind::P).1 >= (NO_ROW / 2) as usize {
        errors.push("too many predicates for a guard".into());
    }
    if !program.labels.is_sorted_by_key(|(pc, _)| *pc)
        || program.labels.iter().any(|(pc, _)| *pc as usize >= len)
    {
        errors.push("labels are not ascending or are outside the code".into());
    }
    for (pool, bytes) in [(&program.const32, 4), (&program.const64, 8)] {
        for value in pool {
            if let ConstValue::Param { offset } = value
                && *offset as u64 + bytes > program.param_bytes as u64
            {
                errors.push(format!("a constant at byte {offset} is outside the parameter block"));
            }
        }
    }
    for param in &program.params {
        if param.offset as u64 + param.bytes as u64 > program.param_bytes as u64 {
            errors.push(format!("parameter `{}` is outside the parameter block", param.name));
        }
    }
}

/// Returns the number of instructions of the kernel itself, at most the length of the code.
fn kernel_len(program: &Program) -> usize {
    program.kernel_len().min(program.code.len())
}

/// Checks the part of rule 6 about functions.
fn functions(program: &Program, ends: impl Fn(&Inst) -> bool, errors: &mut Vec<String>) {
    let mut place = kernel_len(program);
    for function in &program.functions {
        let (start, end) = (function.start as usize, function.end as usize);
        let last = end.checked_sub(1).and_then(|last| program.code.get(last));
        if start != place || end <= start || !last.is_some_and(&ends) {
            errors.push(format!(
                "function `{}` does not follow the preceding code, or control can run past its end",
                function.name
            ));
            return;
        }
        place = end;
    }
    if place != program.code.len() {
        errors.push("there is code after the last function".into());
    }
    if !program.functions.is_sorted_by(|a, b| a.number < b.number) {
        errors.push("functions are not ascending by number".into());
    }
    if program.code[..kernel_len(program)].iter().any(|inst| inst.op == Op::Ret) {
        errors.push("the kernel returns".into());
    }
}

/// Whether two instructions belong to the same function, or both to the kernel.
fn together(program: &Program, a: usize, b: u32) -> bool {
    let number = |pc: u32| program.function_of(pc).map(|function| function.number);
    number(a as u32) == number(b)
}

/// Returns the number of registers, and of registers and constants, of a file.
fn rows(program: &Program, kind: OperandKind) -> (usize, usize) {
    let (registers, constants) = match kind {
        OperandKind::W | OperandKind::Addr => (program.rows.w, program.const32.len()),
        OperandKind::D => (program.rows.d, program.const64.len()),
        OperandKind::P => (program.rows.p, 2),
    };
    (registers as usize, registers as usize + constants)
}

fn instruction(program: &Program, pc: usize, inst: &Inst) -> Result<(), String> {
    let len = program.code.len();
    if let Some((row, _)) = inst.guard.get() {
        in_range("guard", row, rows(program, OperandKind::P).1)?;
    }
    let mut rest = *inst;
    let names = ["destination", "second destination", "third destination", "fourth destination"];
    for (what, (kind, row)) in names.into_iter().zip(inst.dsts()) {
        in_range(what, row, rows(program, kind).0)?;
    }
    rest.set_dsts(inst.dsts().map(|_| NO_ROW));
    for (kind, row) in inst.srcs() {
        match kind {
            OperandKind::Addr if row == NO_ROW => {}
            OperandKind::Addr if inst.aux & Inst::ADDR64 != 0 => {
                in_range("address", row, rows(program, OperandKind::D).1)?;
            }
            kind => in_range("source", row, rows(program, kind).1)?,
        }
    }
    rest.set_srcs(inst.srcs().map(|_| NO_ROW));
    absent("destination", rest.dst)?;
    absent("second destination", rest.dst2)?;
    rest.src.into_iter().try_for_each(|row| absent("source", row))?;
    match inst.op {
        Op::Bra if inst.imm as usize >= len => Err(format!("target {} is outside the code", inst.imm)),
        Op::Bra if inst.aux != TO_EXIT && inst.aux as usize >= len => {
            Err(format!("reconvergence point {} is outside the code", inst.aux))
        }
        Op::Bra
            if !together(program, pc, inst.imm)
                || inst.aux != TO_EXIT && !together(program, pc, inst.aux) =>
        {
            Err(format!("the branch to {} leaves its function", inst.imm))
        }
        Op::Call if !program.functions.iter().any(|function| function.start == inst.imm) => {
            Err(format!("no function begins at {}", inst.imm))
        }
        Op::CallInd if inst.src[0] == NO_ROW => Err("an indirect call without an address row".to_owned()),
        Op::BarSync if inst.imm >= BARRIERS => Err(format!("barrier {} does not exist", inst.imm)),
        Op::MovSreg | Op::MovSreg64 => {
            let bytes = if inst.op == Op::MovSreg64 { 8 } else { 4 };
            match SReg::from_code(inst.imm) {
                Some(register) if register.bytes() == bytes => Ok(()),
                _ => Err(format!("special register {} of {bytes} bytes does not exist", inst.imm)),
            }
        }
        op if op.class() == super::Class::LdParam && inst.src[0] == NO_ROW => {
            let end = inst.imm as u64 + op.access_bytes() as u64;
            if end > program.param_bytes as u64 {
                return Err(format!("byte {} is outside the parameter block", end - 1));
            }
            Ok(())
        }
        op if op.is_atomic() => operation(inst),
        op if (op == Op::Txq || op.is_fetch() && !by_handle(inst))
            && inst.imm as usize >= program.textures.len() =>
        {
            Err(format!("texture {} does not exist", inst.imm))
        }
        op if op.is_fetch() && inst.fetch().is_none_or(|fetch| !fits(op, fetch)) => {
            Err(format!("fetch {:#x} does not exist", inst.aux))
        }
        op if op.shape() == Shape::w_video && inst.video().is_none() => {
            Err(format!("modifiers {:#x} do not exist", inst.imm))
        }
        Op::Suq | Op::Sulea | Op::SuleaWide
            if !by_handle(inst) && inst.imm as usize >= program.surfaces.len() =>
        {
            Err(format!("surface {} does not exist", inst.imm))
        }
        Op::Sulea | Op::SuleaWide if inst.surface().is_none() => {
            Err(format!("access {:#x} does not exist", inst.aux))
        }
        Op::Txq | Op::Suq | Op::TxqHandle | Op::SuqHandle if inst.query().is_none() => {
            Err(format!("property {} does not exist", inst.aux))
        }
        _ => Ok(()),
    }
}

/// Whether a handle in a register selects the texture or surface.
fn by_handle(inst: &Inst) -> bool {
    let wide = matches!(inst.op, Op::TexWide1 | Op::TexWide2 | Op::TexWide3 | Op::SuleaWide);
    wide && inst.imm == Inst::BY_HANDLE
}

/// Whether a micro-op of a fetch has as many coordinates as the geometry.
fn fits(op: Op, fetch: TextureFetch) -> bool {
    match op {
        Op::TexWide1 => fetch.geometry.coordinates() == 1,
        Op::TexWide2 => fetch.geometry.coordinates() == 2,
        Op::TexWide3 => fetch.geometry.coordinates() >= 3,
        _ => true,
    }
}

/// Checks rule 10.
fn operation(inst: &Inst) -> Result<(), String> {
    let Some(operation) = inst.operation() else {
        return Err(format!("operation {} does not exist", inst.aux >> Inst::OPERATION_SHIFT));
    };
    let compares = inst.op.shape().srcs().len() == 3;
    let exists = if inst.op.access_bytes() == 8 { operation.is_wide() } else { operation.is_narrow() };
    if compares != (operation == Operation::Cas) || !exists {
        return Err(format!("the micro-op does not support `{}`", operation.name()));
    }
    Ok(())
}

fn in_range(what: &str, row: u16, count: usize) -> Result<(), String> {
    if (row as usize) < count {
        Ok(())
    } else {
        Err(format!("{what} row {row} is out of range: the file has {count}"))
    }
}

fn absent(what: &str, row: u16) -> Result<(), String> {
    if row == NO_ROW {
        Ok(())
    } else {
        Err(format!("{what} row {row} is present, but the shape has no such operand"))
    }
}

#[cfg(test)]
mod tests;
