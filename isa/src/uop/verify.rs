//! Checks everything that an executor relies on.
//!
//! [`verify`] proves of a [`Program`]:
//!
//! 1. It has an instruction, at most [`MOST_INSTRUCTIONS`] of them, and a span and a line for each.
//! 2. Every source row is a register or a constant of the file that the micro-op's shape names; a shape's
//!    missing operands are [`NO_ROW`]; an address row may be missing.
//! 3. Every destination row, first and second, is a register, never a constant, and is there exactly when the
//!    shape has one.
//! 4. Every guard is a predicate register or one of the two predicate constants.
//! 5. Branch targets are inside the code of the branch's function; reconvergence points are too, or are
//!    [`TO_EXIT`]. A call goes to the start of a function.
//! 6. Control cannot run past the last instruction of the kernel or of a function. Functions ascend by number and
//!    by place, and their code covers all that stands behind the kernel's. The kernel does not return.
//! 7. Special register codes are known, barrier numbers are below [`BARRIERS`].
//! 8. Rows and constants together fit in a row index.
//! 9. Labels ascend and stand inside the code; parameters lie inside the parameter block, and loads of
//!    parameters without an address row and constants taken from it do too.
//! 10. Atomics have an operation, one that there is on words of their size; `cas` is in the micro-ops of that name and
//!     in no others, and is no reduction.
//!
//! The promise: executing a verified program cannot panic, whatever its data.

use super::program::{ConstValue, Inst, NO_ROW, Program, TO_EXIT};
use super::{Op, OperandKind};
use crate::sem::atomic::Operation;
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
        if let Err(error) = instruction(program, pc, inst) {
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
    // A guard spends one bit of its row index on the negation.
    if rows(program, OperandKind::P).1 >= (NO_ROW / 2) as usize {
        errors.push("too many predicates for a guard".into());
    }
    if !program.labels.is_sorted_by_key(|(pc, _)| *pc)
        || program.labels.iter().any(|(pc, _)| *pc as usize >= len)
    {
        errors.push("labels do not ascend inside the code".into());
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
            errors.push(format!("parameter `{}` lies outside the parameter block", param.name));
        }
    }
}

/// Instructions of the kernel itself, as far as there are so many.
fn kernel_len(program: &Program) -> usize {
    program.kernel_len().min(program.code.len())
}

/// What rule 6 says of functions.
fn functions(program: &Program, ends: impl Fn(&Inst) -> bool, errors: &mut Vec<String>) {
    let mut place = kernel_len(program);
    for function in &program.functions {
        let (start, end) = (function.start as usize, function.end as usize);
        let last = end.checked_sub(1).and_then(|last| program.code.get(last));
        if start != place || end <= start || !last.is_some_and(&ends) {
            errors.push(format!(
                "function `{}` does not stand behind the code before it, or does not end",
                function.name
            ));
            return;
        }
        place = end;
    }
    if place != program.code.len() {
        errors.push("code behind the functions".into());
    }
    if !program.functions.is_sorted_by(|a, b| a.number < b.number) {
        errors.push("functions do not ascend".into());
    }
    if program.code[..kernel_len(program)].iter().any(|inst| inst.op == Op::Ret) {
        errors.push("the kernel returns".into());
    }
}

/// Whether two instructions belong to one function, or to the kernel itself.
fn together(program: &Program, a: usize, b: u32) -> bool {
    let number = |pc: u32| program.function_of(pc).map(|function| function.number);
    number(a as u32) == number(b)
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
        Op::CallInd if inst.src[0] == NO_ROW => Err("a call of nothing".to_owned()),
        Op::BarSync if inst.imm >= BARRIERS => Err(format!("there is no barrier {}", inst.imm)),
        Op::MovSreg | Op::MovSreg64 => {
            let bytes = if inst.op == Op::MovSreg64 { 8 } else { 4 };
            match SReg::from_code(inst.imm) {
                Some(register) if register.bytes() == bytes => Ok(()),
                _ => Err(format!("there is no special register {} of {bytes} bytes", inst.imm)),
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
        _ => Ok(()),
    }
}

/// Rule 10.
fn operation(inst: &Inst) -> Result<(), String> {
    let Some(operation) = inst.operation() else {
        return Err(format!("there is no operation {}", inst.aux >> Inst::OPERATION_SHIFT));
    };
    let compares = inst.op.shape().srcs().len() == 3;
    if compares != (operation == Operation::Cas) || inst.op.access_bytes() == 8 && !operation.is_wide() {
        return Err(format!("it does not do `{}`", operation.name()));
    }
    Ok(())
}

fn in_range(what: &str, row: u16, count: usize) -> Result<(), String> {
    if (row as usize) < count { Ok(()) } else { Err(format!("{what} row {row} is not one of {count}")) }
}

fn absent(what: &str, row: u16) -> Result<(), String> {
    if row == NO_ROW { Ok(()) } else { Err(format!("{what} row {row} where there is no operand")) }
}

#[cfg(test)]
mod tests {
    use super::super::{Guard, Param, RowCounts};
    use super::*;
    use crate::types::ScalarType;

    const TEXT: &str = ".version 1.4\n.target sm_10\n.entry k(.param .u32 n) {\n.reg .u32 %r<3>; .reg .pred %p;\n\
                        ld.param.u32 %r0, [n];\nmov.u32 %r1, %tid.x;\nsetp.lt.u32 %p, %r1, %r0;\n@%p bra L;\n\
                        bar.sync 0;\nst.global.u32 [%r0], 7;\nL: exit;\n}\n";

    // PCs of the program.
    const LOAD: usize = 0;
    const SREG: usize = 1;
    const SETP: usize = 2;
    const BRA: usize = 3;
    const BAR: usize = 4;
    const STORE: usize = 5;
    const EXIT: usize = 6;

    fn good() -> Program {
        let (module, _) = crate::compile_with("k.ptx", TEXT, crate::Options::PLAIN);
        let program = (*module.unwrap().entries[0]).clone();
        assert_eq!(verify(&program), Ok(()));
        program
    }

    #[track_caller]
    fn assert_refused(spoil: impl Fn(&mut Program), expected: &str) {
        let mut program = good();
        spoil(&mut program);
        let errors = verify(&program).expect_err("the program is spoilt").join("; ");
        assert!(errors.contains(expected), "{errors}");
    }

    #[test]
    fn rule_1_the_program_is_whole() {
        assert_refused(|p| p.code.clear(), "control can run past");
        assert_refused(|p| p.lines.truncate(1), "spans and lines");
        assert_refused(|p| p.spans.truncate(1), "spans and lines");
    }

    #[test]
    fn rule_2_sources_are_rows_of_their_file() {
        let end = |p: &Program| p.rows.w + p.const32.len() as u16;
        assert_refused(|p| p.code[SETP].src[1] = end(p), "source row");
        assert_refused(|p| p.code[STORE].src[1] = NO_ROW, "source row");
        assert_refused(|p| p.code[STORE].src[0] = end(p), "source row");
        assert_refused(|p| p.code[STORE].aux |= Inst::ADDR64, "address row");
        assert_refused(|p| p.code[SETP].src[2] = 0, "where there is no operand");
        let mut program = good();
        program.code[STORE].src[0] = NO_ROW;
        assert_eq!(verify(&program), Ok(()), "an absolute address has no row");
    }

    #[test]
    fn rule_3_destinations_are_registers() {
        assert_refused(|p| p.code[LOAD].dst = p.rows.w, "destination row");
        assert_refused(|p| p.code[LOAD].dst = NO_ROW, "destination row");
        assert_refused(|p| p.code[STORE].dst = 0, "where there is no operand");
        assert_refused(|p| p.code[LOAD].dst2 = 0, "second destination");
        assert_refused(
            |p| p.code[LOAD] = Inst { dst: 0, src: [0, 0, NO_ROW, NO_ROW], ..carry(p.rows.p) },
            "second destination",
        );
    }

    /// A sum that leaves its carry in predicate row `row`.
    fn carry(row: u16) -> Inst {
        Inst { dst2: row, ..Inst::new(Op::AddCcB32) }
    }

    #[test]
    fn a_vector_has_all_its_rows_and_no_more() {
        let store = |op: Op, last: u16| {
            move |p: &mut Program| {
                let [address, value, ..] = p.code[STORE].src;
                p.code[STORE].op = op;
                p.code[STORE].set_srcs([address, value, value, value, last]);
            }
        };
        let load = |op: Op, last: fn(&Program) -> u16| {
            move |p: &mut Program| {
                (p.code[STORE].op, p.code[STORE].src[1]) = (op, NO_ROW);
                let last = last(p);
                p.code[STORE].set_dsts([0, 0, 0, last]);
            }
        };
        for spoil in [&store(Op::StGlobalV4B32, 0) as &dyn Fn(&mut Program), &load(Op::LdSharedV4B32, |_| 0)]
        {
            let mut program = good();
            spoil(&mut program);
            assert_eq!(verify(&program), Ok(()));
        }
        assert_refused(store(Op::StGlobalV4B32, NO_ROW), "source row");
        assert_refused(store(Op::StGlobalV2B32, NO_ROW), "where there is no operand");
        assert_refused(load(Op::LdSharedV4B32, |_| NO_ROW), "destination row");
        assert_refused(load(Op::LdSharedV4B32, |p| p.rows.w), "destination row");
        assert_refused(load(Op::LdSharedV2B32, |_| NO_ROW), "where there is no operand");
    }

    #[test]
    fn rule_4_guards_are_predicates() {
        assert_refused(|p| p.code[BRA].guard = Guard::new(p.rows.p + 2, true), "guard row");
        let mut program = good();
        program.code[BRA].guard = Guard::new(program.rows.p + 1, false);
        assert_eq!(verify(&program), Ok(()), "a constant predicate may guard");
    }

    #[test]
    fn rule_5_branches_stay_inside() {
        assert_refused(|p| p.code[BRA].imm = 7, "target 7");
        assert_refused(|p| p.code[BRA].aux = 7, "reconvergence point 7");
        let mut program = good();
        program.code[BRA].aux = TO_EXIT;
        assert_eq!(verify(&program), Ok(()));
    }

    #[test]
    fn rule_6_control_ends() {
        assert_refused(|p| p.code[EXIT].guard = Guard::new(0, false), "past the last");
        assert_refused(|p| p.code[EXIT] = Inst::new(Op::MembarGl), "past the last");
    }

    #[test]
    fn rule_7_codes_are_known() {
        assert_refused(|p| p.code[SREG].imm = 19, "no special register 19");
        assert_refused(|p| p.code[BAR].imm = 16, "no barrier 16");
    }

    #[test]
    fn rule_8_rows_have_an_index() {
        assert_refused(|p| p.const32 = vec![ConstValue::Bits(0); 0x10000], "too many rows");
        assert_refused(|p| p.const32.push(ConstValue::Param { offset: 4 }), "outside the parameter block");
        assert_refused(|p| p.rows = RowCounts { p: 0x7fff, ..p.rows }, "too many predicates");
    }

    #[test]
    fn rule_10_atomics_have_an_operation_of_their_size() {
        let atomic = |op: Op, operation: u32| {
            move |p: &mut Program| {
                let store = p.code[STORE];
                let three = op.shape().srcs().len() == 3;
                let third = if three { store.src[1] } else { NO_ROW };
                let dst = if op.shape().dst().is_some() { 0 } else { NO_ROW };
                let src = [store.src[0], store.src[1], third, NO_ROW];
                p.code[STORE] = Inst { op, dst, src, aux: operation << Inst::OPERATION_SHIFT, ..store };
            }
        };
        let (add, cas) = (Operation::Add as u32, Operation::Cas as u32);
        for (op, operation) in [(Op::RedGlobalB32, add), (Op::AtomSharedB32, add), (Op::CasGlobalB32, cas)] {
            let mut program = good();
            atomic(op, operation)(&mut program);
            assert_eq!(verify(&program), Ok(()), "{op:?}");
        }
        assert_refused(atomic(Op::RedGlobalB32, 14), "no operation 14");
        assert_refused(atomic(Op::RedGlobalB32, cas), "does not do `cas`");
        assert_refused(atomic(Op::CasGlobalB32, add), "does not do `add`");
        let wide = |p: &mut Program| {
            p.rows.d = 1;
            atomic(Op::RedGlobalB64, Operation::And as u32)(p);
            p.code[STORE].src[1] = 0;
        };
        assert_refused(wide, "does not do `and`");
    }

    #[test]
    fn rule_9_labels_and_parameters_are_inside() {
        assert_refused(|p| p.labels[0].0 = 7, "labels");
        assert_refused(|p| p.labels.push((0, "M".into())), "labels");
        assert_refused(|p| p.code[LOAD].imm = 4, "outside the parameter block");
        assert_refused(|p| p.code[LOAD].imm = u32::MAX, "outside the parameter block");
        let param = Param { name: "m".into(), ty: ScalarType::U64, offset: u32::MAX, bytes: 8 };
        assert_refused(|p| p.params.push(param.clone()), "parameter `m`");
    }
}
