//! Which micro-ops are fused into which instruction, and which remain separate instructions.

use super::super::tests::{lines, program};
use crate::options::Options;
use crate::types::Capability;
use crate::uop::{Module, Program, verify};
use std::sync::Arc;

fn code(target: &str, body: &str) -> Vec<String> {
    lines(&program(target, Options::default(), body))
}

/// Loads two words of shared memory into `%f1` and `%f2`. Each body uses them only as operands.
const LOADS: &str = "mov.u32 %r1, %tid.x; ld.shared.f32 %f1, [%r1]; ld.shared.f32 %f2, [%r1+64];";

/// Whether the last load of [`LOADS`] is fused with a micro-op of the code `after`.
fn fuses(target: &str, after: &str) -> bool {
    let code = code(target, &format!("{LOADS} {after} st.shared.f32 [s], %f3;"));
    code.iter().any(|line| line.starts_with("ld.shared") && line.ends_with(" fused"))
}

#[test]
fn one_operand_of_shared_memory_moves_to_its_reader() {
    let after = "mov.f32 %f4, 0f00000000; L: mad.f32 %f4, %f1, %f2, %f4; st.shared.f32 [s], %f4; ret;";
    assert_eq!(
        code("sm_10", &format!("{LOADS} add.u32 %r2, %r1, 4; st.global.u32 [g], %r2; {after}"))[..6],
        [
            "mov.sreg w0, %tid.x",
            "ld.shared.b32 w1, [w0]",
            "add.b32 w2, w0, #4",
            "st.global.b32 [#global0], w2",
            "ld.shared.b32 w0, [w0+64] fused",
            "mad.ftz.f32 w0, w1, w0, #0",
        ]
    );
}

#[test]
fn fermi_fuses_no_load_of_shared_memory() {
    assert!(fuses("sm_10", "mul.f32 %f3, %f1, %f2;") && fuses("sm_13", "mul.f32 %f3, %f1, %f2;"));
    assert!(!fuses("sm_20", "mul.f32 %f3, %f1, %f2;"));
}

#[test]
fn without_optimization_nothing_is_fused() {
    let plain = program("sm_10", Options::PLAIN, &format!("{LOADS} mul.f32 %f3, %f1, %f2;"));
    assert!(plain.code.iter().all(|inst| inst.fused().is_none()));
}

/// Tests: `fusing-is-legal`.
#[test]
fn a_load_does_not_move_across_writes_barriers_or_clock_reads() {
    for between in [
        "st.shared.f32 [s], %f1;",
        "bar.sync 0;",
        "membar.cta;",
        "membar.gl;",
        "mov.u32 %r2, %clock;",
        "atom.global.add.u32 %r2, [%r1], 1;",
        "add.u32 %r1, %r1, 4;",
        "bra M; M:",
    ] {
        let text = format!(
            "mov.u32 %r1, %tid.x; ld.shared.f32 %f1, [%r1]; {between} mul.f32 %f3, %f1, %f1; add.f32 %f3, %f1, %f3;\n\
             st.shared.u32 [s+4], %r1;"
        );
        let twice =
            text.replace("mul.f32 %f3, %f1, %f1; add.f32 %f3, %f1, %f3;", "add.f32 %f3, %f1, 0f3F800000;");
        let target = if between.starts_with("atom") { "sm_11" } else { "sm_10" };
        let jump = if between.starts_with("bra") { " @%p1 bra M;" } else { "" };
        for (text, why) in [(text, "two readers"), (twice, between)] {
            let lines =
                code(target, &format!("{text} st.shared.f32 [s], %f3; st.shared.u32 [s+8], %r2;{jump}"));
            let fused = lines.iter().any(|line| line.starts_with("ld.shared") && line.ends_with("fused"));
            // The address is not overwritten in between, because `add` writes a new register after
            // renaming.
            assert_eq!(fused, why.starts_with("add.u32"), "{why}: {lines:#?}");
        }
    }
    assert!(fuses("sm_10", "st.global.f32 [g], %f1; mul.f32 %f3, %f2, 0f40000000;"));
}

#[test]
fn a_load_whose_address_is_overwritten_is_not_moved() {
    // `%r1` remains one register because it is live around the loop.
    let body = "mov.u32 %r1, %tid.x; mov.f32 %f4, 0f00000000;\n\
                L: ld.shared.f32 %f1, [%r1]; add.u32 %r1, %r1, 4; add.f32 %f4, %f4, %f1; setp.lt.u32 %p1, %r1, 64;\n\
                @%p1 bra L; st.shared.f32 [s], %f4;";
    assert!(!code("sm_10", body).iter().any(|line| line.ends_with("fused")));
    let after = body.replace(
        "add.u32 %r1, %r1, 4; add.f32 %f4, %f4, %f1;",
        "add.f32 %f4, %f4, %f1; add.u32 %r1, %r1, 4;",
    );
    assert!(code("sm_10", &after).iter().any(|line| line.ends_with("fused")));
}

#[test]
fn volatile_loads_and_narrow_loads_are_not_fused() {
    for load in ["ld.volatile.shared.u32", "ld.shared.u16", "ld.shared.u8"] {
        let text =
            format!("mov.u32 %r1, %tid.x; {load} %r2, [%r1]; add.u32 %r3, %r2, %r1; st.shared.u32 [s], %r3;");
        assert!(!code("sm_10", &text).iter().any(|line| line.ends_with("fused")), "{load}");
    }
}

/// Tests: `fusing-is-legal`.
#[test]
fn a_fused_load_has_the_guard_of_its_instruction() {
    let head = "mov.u32 %r1, %tid.x; setp.lt.u32 %p1, %r1, 7; setp.lt.u32 %p2, %r1, 9;";
    let tail = "st.shared.u32 [s], %r1;";
    let of = |load: &str, add: &str| {
        code("sm_10", &format!("{head} {load} ld.shared.u32 %r2, [s]; {add} add.u32 %r1, %r1, %r2; {tail}"))
    };
    let fused = |lines: &[String]| lines.iter().find(|line| line.ends_with("fused")).cloned();
    assert_eq!(fused(&of("", "@%p1")).as_deref(), Some("@p0 ld.shared.b32 w1, [0] fused"));
    assert_eq!(fused(&of("@%p1", "@%p1")).as_deref(), Some("@p0 ld.shared.b32 w1, [0] fused"));
    for (load, add) in [("@%p1", ""), ("@%p1", "@!%p1"), ("@%p1", "@%p2")] {
        assert_eq!(fused(&of(load, add)), None, "{load} {add}");
    }
}

#[test]
fn a_parameter_is_the_only_operand_from_memory() {
    assert!(
        !code(
            "sm_10",
            &format!("ld.param.f32 %f4, [a]; {LOADS} mad.f32 %f3, %f2, %f4, %f1; st.shared.f32 [s], %f3;")
        )
        .iter()
        .any(|line| line.ends_with("fused"))
    );
}

#[test]
fn constants_at_computed_addresses_are_fused_operands_before_fermi() {
    let body =
        "mov.u32 %r1, %tid.x; ld.const.u32 %r2, [%r1+4]; add.u32 %r3, %r2, %r1; st.shared.u32 [s], %r3;";
    assert_eq!(code("sm_10", body)[1..3], ["ld.const.b32 w1, [w0+4] fused", "add.b32 w0, w1, w0"]);
    assert_eq!(code("sm_20", body)[1], "ld.const.b32 w1, [w0+4]");
}

#[test]
fn sign_changes_are_fused() {
    let body =
        format!("{LOADS} neg.f32 %f4, %f2; abs.f32 %f5, %f1; mul.f32 %f3, %f4, %f5; st.shared.f32 [s], %f3;");
    assert_eq!(
        code("sm_10", &body)[1..6],
        [
            "ld.shared.b32 w1, [w0] fused",
            "abs.ftz.f32 w1, w1",
            "ld.shared.b32 w0, [w0+64] fused",
            "neg.ftz.f32 w0, w0 fused",
            "mul.rn.ftz.f32 w0, w0, w1",
        ],
        "a product has no magnitude modifier, and the separate `abs` still has a fused operand"
    );
    let fermi = code("sm_20", &body.replace("mul.f32", "add.f32"));
    assert_eq!(fermi.iter().filter(|line| line.ends_with("fused")).count(), 2, "{fermi:#?}");
}

#[test]
fn a_comparison_of_a_result_with_zero_is_fused() {
    let test = |op: &str, between: &str, compare: &str| {
        let body = format!(
            "mov.u32 %r1, %tid.x; mov.u32 %r4, %tid.y; {op} %r2, %r1, 12; {between} {compare};\n\
             @%p1 st.shared.u32 [s], %r2; st.shared.u32 [s+4], %r4;"
        );
        code("sm_10", &body).iter().filter(|line| line.starts_with("setp") && line.ends_with("fused")).count()
    };
    assert_eq!(test("and.b32", "", "setp.eq.u32 %p1, %r2, 0"), 1);
    assert_eq!(test("sub.u32", "add.u32 %r4, %r4, %r1;", "setp.lt.s32 %p1, %r2, 0"), 1);
    assert_eq!(
        test("and.b32", "setp.gt.u32 %p2, %r2, 0; @%p2", "setp.eq.u32 %p1, %r2, 0"),
        1,
        "the other predicate"
    );
    assert_eq!(test("and.b32", "", "setp.eq.u32 %p1, %r2, 1"), 0);
    assert_eq!(test("mul.lo.u32", "", "setp.eq.u32 %p1, %r2, 0"), 0);
    assert_eq!(test("and.b32", "bar.sync 0; bra M; M:", "setp.eq.u32 %p1, %r2, 0; @%p2 bra M"), 0);
    let reads = "setp.eq.u32 %p1, %r1, 5; @%p1 add.u32 %r4, %r4, 1;";
    let old = format!(
        "mov.u32 %r1, %tid.x; mov.u32 %r4, %tid.y; L: and.b32 %r2, %r1, 12; {reads} setp.eq.u32 %p1, %r2, 0;\n\
         @%p1 bra L; st.shared.u32 [s], %r4;"
    );
    let lines = code("sm_10", &old);
    assert!(
        lines[3..].iter().all(|line| !line.starts_with("setp.eq.b32 p1, w2") || line.ends_with("fused")),
        "{lines:#?}"
    );
}

/// A fused operand is in no register, so a kernel needs no additional register for it.
#[test]
fn a_fused_operand_needs_no_register() {
    let body = format!("{LOADS} mad.f32 %f3, %f1, %f2, %f1; st.shared.f32 [s], %f3;");
    let registers = |target: &str| program(target, Options::default(), &body).registers;
    assert_eq!((registers("sm_10"), registers("sm_20")), (2, 2));
    let sum = "mov.u32 %r1, %tid.x; ld.shared.f32 %f1, [%r1]; mov.f32 %f2, 0f00000000;\n\
               L: ld.shared.f32 %f3, [%r1+4]; mad.f32 %f2, %f3, %f1, %f2; add.u32 %r1, %r1, 4;\n\
               setp.lt.u32 %p1, %r1, 64; @%p1 bra L; st.shared.f32 [s], %f2;";
    let registers = |target: &str| program(target, Options::default(), sum).registers;
    assert_eq!((registers("sm_10"), registers("sm_20")), (3, 4));
}

#[test]
fn recompilation_for_fermi_separates_operands_that_fermi_cannot_fuse() {
    let body = format!(
        "{LOADS} neg.f32 %f4, %f2; mad.f32 %f3, %f1, %f4, %f1; and.b32 %r2, %r1, 4; setp.eq.u32 %p1, %r2, 0;\n\
         @%p1 st.shared.f32 [s], %f3; st.shared.u32 [s], %r2;"
    );
    let old = program("sm_10", Options::default(), &body);
    let module = Module {
        entries: vec![Arc::clone(&old)],
        globals: vec![],
        consts: vec![],
        const_bytes: 16,
        textures: Arc::default(),
        surfaces: Arc::default(),
        samplers: Arc::default(),
    };
    let fused = |program: &Program| {
        let fused: Vec<String> = lines(program).into_iter().filter(|line| line.ends_with("fused")).collect();
        fused.join("; ")
    };
    assert_eq!(
        fused(&old),
        "ld.shared.b32 w2, [w0+64] fused; neg.ftz.f32 w2, w2 fused; setp.eq.b32 p0, w0, #0 fused"
    );
    let new = module.compiled_for(Capability::new(2, 0));
    assert_eq!(verify::verify(&new.entries[0]), Ok(()));
    assert_eq!(fused(&new.entries[0]), "neg.ftz.f32 w2, w2 fused");
    assert_eq!((old.registers, new.entries[0].registers), (2, 3));
}
