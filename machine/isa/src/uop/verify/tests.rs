//! A violation of each rule.

use super::super::{Guard, Param, RowCounts};
use super::*;
use crate::types::ScalarType;

const TEXT: &str = ".version 1.4\n.target sm_10\n.entry k(.param .u32 n) {\n.reg .u32 %r<3>; .reg .pred %p;\n\
                    ld.param.u32 %r0, [n];\nmov.u32 %r1, %tid.x;\nsetp.lt.u32 %p, %r1, %r0;\n@%p bra L;\n\
                    bar.sync 0;\nst.global.u32 [%r0], 7;\nL: membar.gl;\nexit;\n}\n";

// PCs in the program.
const LOAD: usize = 0;
const SREG: usize = 1;
const SETP: usize = 2;
const BRA: usize = 3;
const BAR: usize = 4;
const STORE: usize = 5;
const EXIT: usize = 7;

fn good() -> Program {
    let (module, _) = crate::compile_with("k.ptx", TEXT, crate::Options::PLAIN);
    let program = (*module.unwrap().entries[0]).clone();
    assert_eq!(verify(&program), Ok(()));
    program
}

#[track_caller]
fn assert_rejected(damage: impl Fn(&mut Program), expected: &str) {
    let mut program = good();
    damage(&mut program);
    let errors = verify(&program).expect_err("the program is invalid").join("; ");
    assert!(errors.contains(expected), "{errors}");
}

#[test]
fn rule_1_the_program_is_whole() {
    assert_rejected(|p| p.code.clear(), "control can run past");
    assert_rejected(|p| p.lines.truncate(1), "spans and lines");
    assert_rejected(|p| p.spans.truncate(1), "spans and lines");
}

#[test]
fn rule_2_sources_are_rows_of_their_file() {
    let end = |p: &Program| p.rows.w + p.const32.len() as u16;
    assert_rejected(|p| p.code[SETP].src[1] = end(p), "source row");
    assert_rejected(|p| p.code[STORE].src[1] = NO_ROW, "source row");
    assert_rejected(|p| p.code[STORE].src[0] = end(p), "source row");
    assert_rejected(|p| p.code[STORE].aux |= Inst::ADDR64, "address row");
    assert_rejected(|p| p.code[SETP].src[2] = 0, "the shape has no such operand");
    let mut program = good();
    program.code[STORE].src[0] = NO_ROW;
    assert_eq!(verify(&program), Ok(()), "an absolute address has no row");
}

#[test]
fn rule_3_destinations_are_registers() {
    assert_rejected(|p| p.code[LOAD].dst = p.rows.w, "destination row");
    assert_rejected(|p| p.code[LOAD].dst = NO_ROW, "destination row");
    assert_rejected(|p| p.code[STORE].dst = 0, "the shape has no such operand");
    assert_rejected(|p| p.code[LOAD].dst2 = 0, "second destination");
    assert_rejected(
        |p| p.code[LOAD] = Inst { dst: 0, src: [0, 0, NO_ROW, NO_ROW], ..carry(p.rows.p) },
        "second destination",
    );
}

/// Returns a sum that writes its carry to predicate row `row`.
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
    for damage in [&store(Op::StGlobalV4B32, 0) as &dyn Fn(&mut Program), &load(Op::LdSharedV4B32, |_| 0)] {
        let mut program = good();
        damage(&mut program);
        assert_eq!(verify(&program), Ok(()));
    }
    assert_rejected(store(Op::StGlobalV4B32, NO_ROW), "source row");
    assert_rejected(store(Op::StGlobalV2B32, NO_ROW), "the shape has no such operand");
    assert_rejected(load(Op::LdSharedV4B32, |_| NO_ROW), "destination row");
    assert_rejected(load(Op::LdSharedV4B32, |p| p.rows.w), "destination row");
    assert_rejected(load(Op::LdSharedV2B32, |_| NO_ROW), "the shape has no such operand");
}

#[test]
fn rule_4_guards_are_predicates() {
    assert_rejected(|p| p.code[BRA].guard = Guard::new(p.rows.p + 2, true), "guard row");
    let mut program = good();
    program.code[BRA].guard = Guard::new(program.rows.p + 1, false);
    assert_eq!(verify(&program), Ok(()), "a constant predicate may guard");
}

#[test]
fn rule_5_branches_stay_inside() {
    assert_rejected(|p| p.code[BRA].imm = 8, "target 8");
    assert_rejected(|p| p.code[BRA].aux = 8, "reconvergence point 8");
    let mut program = good();
    program.code[BRA].aux = TO_EXIT;
    assert_eq!(verify(&program), Ok(()));
}

#[test]
fn rule_6_control_ends() {
    assert_rejected(|p| p.code[EXIT].guard = Guard::new(0, false), "past the last");
    assert_rejected(|p| p.code[EXIT] = Inst::new(Op::MembarGl), "past the last");
}

#[test]
fn rules_5_and_6_functions_are_separate() {
    let text = ".version 2.3\n.target sm_20\n.func f () { .reg .pred %p; @%p bra L; L: ret; }\n\
                .func g () { call f; ret; }\n.entry k() { call g; exit; }\n";
    let (module, _) = crate::compile_with("k.ptx", text, crate::Options::PLAIN);
    let good = (*module.expect("the text is valid").entries[0]).clone();
    assert_eq!(verify(&good), Ok(()));
    // 0: call g | 1: exit | f, 2: bra 3 | 3: ret | g, 4: call f | 5: ret
    let rejected = |damage: &dyn Fn(&mut Program), expected: &str| {
        let mut program = good.clone();
        damage(&mut program);
        let errors = verify(&program).expect_err("the program is invalid").join("; ");
        assert!(errors.contains(expected), "{errors}");
    };
    rejected(&|p| p.code[0].imm = 3, "no function begins at 3");
    rejected(&|p| p.code[0].imm = 77, "no function begins at 77");
    rejected(&|p| p.code[2].imm = 4, "leaves its function");
    rejected(&|p| p.code[2].imm = 0, "leaves its function");
    rejected(&|p| p.code[2].aux = 5, "leaves its function");
    rejected(&|p| p.code[1] = Inst::new(Op::Ret), "the kernel returns");
    rejected(&|p| p.code[1] = Inst::new(Op::MembarGl), "past the last");
    rejected(&|p| p.code[3] = Inst::new(Op::MembarGl), "run past its end");
    rejected(&|p| p.functions[0].end = 5, "does not follow");
    rejected(&|p| p.functions[1].end = 60, "run past its end");
    rejected(&|p| p.functions.truncate(1), "code after the last function");
    rejected(&|p| p.functions[1].number = 0, "not ascending");
    rejected(&|p| p.functions.clear(), "the kernel returns");
    rejected(&|p| p.code[4] = Inst::new(Op::CallInd), "without an address row");
}

#[test]
fn rule_7_codes_are_known() {
    assert_rejected(|p| p.code[SREG].imm = 19, "special register 19");
    assert_rejected(|p| p.code[BAR].imm = 16, "barrier 16 does not exist");
}

#[test]
fn rule_8_rows_have_an_index() {
    assert_rejected(|p| p.const32 = vec![ConstValue::Bits(0); 0x10000], "too many rows");
    assert_rejected(|p| p.const32.push(ConstValue::Param { offset: 4 }), "outside the parameter block");
    assert_rejected(|p| p.rows = RowCounts { p: 0x7fff, ..p.rows }, "too many predicates");
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
    assert_rejected(atomic(Op::RedGlobalB32, 15), "operation 15 does not exist");
    assert_rejected(atomic(Op::RedGlobalB32, Operation::AddF64 as u32), "does not support `add.f64`");
    assert_rejected(atomic(Op::RedGlobalB32, cas), "does not support `cas`");
    assert_rejected(atomic(Op::CasGlobalB32, add), "does not support `add`");
    let wide = |p: &mut Program| {
        p.rows.d = 1;
        atomic(Op::RedGlobalB64, Operation::Inc as u32)(p);
        p.code[STORE].src[1] = 0;
    };
    assert_rejected(wide, "does not support `inc`");
}

#[test]
fn rule_9_labels_and_parameters_are_inside() {
    assert_rejected(|p| p.labels[0].0 = 8, "labels");
    assert_rejected(|p| p.labels.push((0, "M".into())), "labels");
    assert_rejected(|p| p.code[LOAD].imm = 4, "outside the parameter block");
    assert_rejected(|p| p.code[LOAD].imm = u32::MAX, "outside the parameter block");
    let param = Param {
        name: "m".into(),
        ty: ScalarType::U64,
        offset: u32::MAX,
        bytes: 8,
        opaque: None,
        pointee: None,
    };
    assert_rejected(|p| p.params.push(param.clone()), "parameter `m`");
}

/// Tests: `fusing-is-legal`.
#[test]
fn rule_11_fused_micro_ops_can_be_fused() {
    const FOLDS: &str = ".version 1.4\n.target sm_10\n.shared .u32 s[64];\n.entry k(.param .u32 n) {\n\
                         .reg .u32 %r<6>; .reg .pred %p;\nmov.u32 %r0, %tid.x;\nL: ld.shared.u32 %r1, [%r0];\n\
                         neg.s32 %r2, %r0;\nadd.u32 %r3, %r2, %r1;\nsetp.eq.u32 %p, %r3, 0;\n\
                         st.shared.u32 [s], %r3;\n@%p bra L;\nexit;\n}\n";
    let (module, _) = crate::compile("k.ptx", FOLDS);
    let good = (*module.unwrap().entries[0]).clone();
    // mov, load, neg, add, setp, store, branch, exit
    assert_eq!(good.code.iter().filter(|inst| inst.fused().is_some()).count(), 3);
    assert_eq!(verify(&good), Ok(()));
    let rejected = |damage: &dyn Fn(&mut Program), expected: &str| {
        let mut program = good.clone();
        damage(&mut program);
        let errors = verify(&program).expect_err("the program is invalid").join("; ");
        assert!(errors.contains(expected), "{errors}");
    };
    let fused = "cannot be fused";
    rejected(&|p| p.code[0].aux |= Inst::FUSED, fused);
    rejected(&|p| p.code[3].aux |= Inst::FUSED, fused);
    rejected(&|p| p.code[5].aux |= Inst::FUSED, fused);
    rejected(&|p| p.code[1].aux |= Inst::VOLATILE, fused);
    rejected(&|p| p.code[1].op = Op::LdSharedB16, fused);
    rejected(&|p| p.code[1].guard = Guard::new(0, false), fused);
    rejected(&|p| p.code[4].guard = Guard::new(0, false), fused);
    rejected(&|p| p.code[4] = Inst { aux: Inst::FUSED, ..p.code[7] }, fused);
    rejected(
        &|p| {
            let neg = p.code[2];
            (0..MAX_OPERANDS).for_each(|_| p.code.insert(2, neg));
            (0..MAX_OPERANDS).for_each(|_| (p.spans.push(p.spans[0]), p.lines.push(1)).0);
            p.code[6 + MAX_OPERANDS].imm = 1;
            p.code[6 + MAX_OPERANDS].aux = TO_EXIT;
        },
        fused,
    );
    for pc in 2..5 {
        rejected(&|p| p.code[6].imm = pc, "in its middle");
        rejected(&|p| p.code[6].aux = pc, "in its middle");
    }
}
