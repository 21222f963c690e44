//! Integer forms with several micro-ops or two results, in the text form.

use super::{assert_code, assert_error_at, assert_program, entry_for};
use crate::types::Capability;
use crate::uop::{Module, Op};

#[test]
fn a_carry_chain_uses_a_separate_predicate() {
    assert_code(
        "add.cc.u32 %r1, %r1, %r2;
         @%p1 addc.cc.s32 %r3, %r3, 5;
         addc.u32 %r4, 0, 0;
         sub.cc.u32 %r5, %r4, %r1;
         subc.cc.u32 %r5, %r5, %r3;
         @!%p1 subc.u32 %r5, %r5, %r4;",
        &[
            "add.cc.b32 w0|p1, w0, w1",
            "@p0 addc.cc.b32 w2|p1, w2, #5, p1",
            "addc.b32 w1, #0, #0, p1",
            "sub.cc.b32 w0|p1, w1, w0",
            "subc.cc.b32 w0|p1, w0, w2, p1",
            "@!p0 subc.b32 w0, w0, w1, p1",
        ],
    );
}

#[test]
fn other_widths_read_the_carry_of_words() {
    assert_code(
        "add.cc.u32 %r1, %r1, %r2;
         addc.u64 %d1, %d1, %d2;
         addc.s16 %h1, %h1, %h2;
         subc.u64 %d1, %d1, %d2;
         subc.u16 %h1, %h1, %h2;",
        &[
            "add.cc.b32 w0|p0, w0, w1",
            "selp.b64 d2, #1, #0, p0",
            "add.b64 d0, d0, d1",
            "add.b64 d0, d0, d2",
            "cvt.s32.s16 w0, w2",
            "cvt.s32.s16 w1, w3",
            "addc.b32 w0, w0, w1, p0",
            "cvt.u32.u16 w2, w0",
            "not.b64 d1, d1",
            "selp.b64 d2, #1, #0, p0",
            "add.b64 d0, d0, d1",
            "add.b64 d0, d0, d2",
            "subc.b32 w0, w2, w3, p0",
            "cvt.u32.u16 w2, w0",
        ],
    );
}

#[test]
fn the_carry_of_a_multiply_add_comes_from_its_sum() {
    assert_program(
        &entry_for(
            "sm_20",
            "",
            "",
            "mad.lo.cc.u32 %r1, %r2, %r3, %r4; madc.hi.cc.s32 %r5, %r2, %r3, %r6; @%p1 madc.hi.u32 %r5, %r2, %r3, 0;",
        ),
        &[
            "mul.lo.b32 w4, w0, w1",
            "add.cc.b32 w2|p1, w4, w2",
            "mul.hi.s32 w2, w0, w1",
            "addc.cc.b32 w2|p1, w2, w3, p1",
            "mul.hi.u32 w0, w0, w1",
            "@p0 addc.b32 w2, w0, #0, p1",
        ],
    );
}

#[test]
fn values_are_packed_and_unpacked() {
    assert_code(
        "mov.b64 {%r1, %r2}, %d1;
         mov.b64 %d2, {%r2, 7};
         mov.b32 {%h1, %h2}, %r1;
         mov.b64 {_, %h3, _, %h4}, %d2;
         mov.b64 %d3, {%h1, %h2, %h3, %h4};",
        &[
            "cvt.u32.u64 w0, d0",
            "hi.b64 w1, d0",
            "pack.b64 d0, w1, #7",
            "cvt.u32.u16 w1, w0",
            "shr.u32 w0, w0, #16",
            "cvt.u32.u64 w2, d0",
            "hi.b64 w3, d0",
            "shr.u32 w2, w2, #16",
            "shr.u32 w3, w3, #16",
            "pack.b32 w0, w1, w0",
            "pack.b32 w1, w2, w3",
            "pack.b64 d0, w0, w1",
        ],
    );
    assert_error_at("mov.b64 %d1, {%r1, %r2, %r3};", "error[E0304]", "two parts of 32 bits or four of 16");
    assert_error_at("mov.b32 %r1, {%h1, %h2, %h3};", "error[E0304]", "two parts of 16 bits or four of 8");
    assert_error_at("mov.b64 %d1, {%h1, %h2};", "error[E0305]", "expected a .b32");
}

/// PTX ISA 2.3, "mov": two bytes are packed into 16 bits, four into 32.
#[test]
fn bytes_are_packed_and_unpacked() {
    let text = ".version 2.3\n.target sm_20\n.entry k\n{\n.reg .b8 %b<9>; .reg .b16 %h<3>; .reg .b32 %r<3>;\n\
                mov.b32 {%b1, %b2, _, %b3}, %r1; mov.b16 %h1, {%b1, %b2}; mov.b16 {%b4, %b5}, %h1;\n\
                mov.b32 %r2, {%b5, %b4, %b3, %b2}; st.global.b32 [%r1], %r2;\n}\n";
    let program = &super::module(text).entries[0];
    let names: Vec<&str> = program.code.iter().map(|inst| inst.op.text()).collect();
    let count = |name: &str| names.iter().filter(|found| **found == name).count();
    assert!(count("shl.b32") >= 3 && count("or.b32") >= 3, "{names:?}");
}

#[test]
fn comparisons_produce_or_select_values() {
    assert_code(
        "set.lt.and.f32.s32 %f1, %r1, %r2, !%p1;
         slct.u64.s32 %d1, %d2, 3, %r3;
         @%p1 slct.f32.f32 %f1, %f2, %f3, %f4;
         cnot.b16 %h1, %h2;",
        &[
            "setp.lt.s32 p1, w0, w1",
            "not.pred p2, p0",
            "and.pred p1, p1, p2",
            "selp.b32 w0, #0x3f800000, #0, p1",
            "setp.ge.s32 p1, w2, #0",
            "selp.b64 d0, d0, #3, p1",
            "setp.ge.ftz.f32 p1, w5, #0",
            "@p0 selp.b32 w0, w3, w4, p1",
            "setp.eq.b32 p0, w6, #0",
            "selp.b32 w0, #1, #0, p0",
        ],
    );
}

#[test]
fn high_parts_and_saturation() {
    assert_code(
        "mad.hi.sat.s32 %r1, %r2, %r3, %r4;
         mad24.hi.u32 %r1, %r2, %r3, %r4;
         mad.hi.s64 %d1, %d2, %d3, %d4;",
        &[
            "mul.hi.s32 w3, w0, w1",
            "add.sat.s32 w3, w3, w2",
            "mul24.hi.u32 w0, w0, w1",
            "add.b32 w3, w0, w2",
            "mul.hi.s64 d0, d0, d1",
            "add.b64 d0, d0, d2",
        ],
    );
}

#[test]
fn products_of_16_bit_factors_use_the_24_bit_multiplier_before_fermi() {
    let of = |target: &str, body: &str| {
        let program = entry_for(target, "", "", body);
        let code: Vec<&str> = program.code.iter().map(|inst| inst.op.text()).collect();
        let driver = Module {
            entries: vec![program.clone()],
            globals: vec![],
            consts: vec![],
            const_bytes: 0,
            textures: std::sync::Arc::default(),
            surfaces: std::sync::Arc::default(),
            samplers: std::sync::Arc::default(),
        };
        let newer = driver.compiled_for(Capability::new(2, 0));
        (code.contains(&"mul16.b32"), newer.entries[0].code.iter().any(|inst| inst.op == Op::Mul16B32))
    };
    for body in [
        "mul.wide.u16 %r1, %h1, %h2;",
        "mul.wide.s16 %r1, %h1, %h2;",
        "mul.lo.u16 %h3, %h1, %h2;",
        "mul.hi.s16 %h3, %h1, %h2;",
    ] {
        assert_eq!(of("sm_10", body), (true, false), "{body}");
        assert_eq!(of("sm_20", body), (false, false), "{body}");
    }
    assert_code("mad.wide.u16 %r1, %h1, %h2, %r2;", &["mad16.b32 w0, w0, w1, w2"]);
}
