//! PTX instructions and their selected micro-ops, in the text form.

use super::{assert_code, assert_program, entry_for, module};
use crate::types::Capability;
use crate::uop::Op;

#[test]
fn sixteen_bit_values_are_kept_zero_extended() {
    assert_code(
        "mov.u16 %h1, %tid.x;
         add.s16 %h2, %h1, -1;
         min.s16 %h3, %h1, %h2;
         mul.wide.s16 %r1, %h1, %h2;
         mul.hi.u16 %h4, %h1, %h2;
         shr.s16 %h5, %h1, 3;
         setp.lt.s16 %p1, %h1, %h2;
         selp.b16 %h1, %h2, %h3, %p1;
         cvt.u32.u16 %r2, %ctaid.x;
         st.global.u16 [%r1], %h4;
         mov.s16 %h6, -1;",
        &[
            "mov.sreg w0, %tid.x",
            "cvt.u32.u16 w0, w0",
            "cvt.s32.s16 w1, w0",
            "add.b32 w1, w1, #-1",
            "cvt.u32.u16 w1, w1",
            "cvt.s32.s16 w2, w0",
            "cvt.s32.s16 w3, w1",
            "min.s32 w2, w2, w3",
            "cvt.u32.u16 w2, w2",
            "cvt.s32.s16 w3, w0",
            "cvt.s32.s16 w4, w1",
            "mul16.b32 w3, w3, w4",
            "mul16.b32 w4, w0, w1",
            "shr.u32 w4, w4, #16",
            "cvt.u32.u16 w4, w4",
            "cvt.s32.s16 w5, w0",
            "shr.s32 w5, w5, #3",
            "cvt.u32.u16 w5, w5",
            "cvt.s32.s16 w0, w0",
            "cvt.s32.s16 w5, w1",
            "setp.lt.s32 p0, w0, w5",
            "selp.b32 w0, w1, w2, p0",
            "mov.sreg w0, %ctaid.x",
            "cvt.u32.u16 w0, w0",
            "st.global.b16 [w3], w4",
            "mov.b32 w0, #0xffff",
        ],
    );
}

#[test]
fn comparisons_are_combined_and_write_pairs() {
    assert_code(
        "setp.lt.and.s32 %p1|%p2, %r1, %r2, !%p3;
         setp.gt.u64 %p1|%p2, %d1, %d2;
         setp.hs.u32 _|%p7, %r1, 0;
         setp.eq.or.b32 %p1, %r1, %r2, %p1;",
        &[
            "not.pred p0, p0",
            "setp.lt.s32 p1, w0, w1",
            "not.pred p2, p1",
            "and.pred p1, p1, p0",
            "and.pred p0, p2, p0",
            "setp.gt.u64 p0, d0, d1",
            "mov.pred p1, p0",
            "not.pred p0, p0",
            "setp.ge.u32 p0, w0, #0",
            "not.pred p0, p0",
            "setp.eq.b32 p0, w0, w1",
            "or.pred p1, p0, p1",
        ],
    );
}

#[test]
fn a_pair_that_contains_its_guard_or_operand_is_written_in_order() {
    assert_code(
        "@%p1 setp.eq.f32 %p1|%p2, %f1, %f2;
         @%p2 setp.eq.f32 %p1|%p2, %f1, %f2;
         setp.ne.xor.s32 %p1|%p2, %r1, %r2, %p1;
         @%p2 setp.ne.xor.s32 %p1|%p2, %r1, %r2, %p1;",
        &[
            "setp.eq.ftz.f32 p2, w0, w1",
            "@p0 not.pred p1, p2",
            "@p0 mov.pred p0, p2",
            "setp.eq.ftz.f32 p2, w0, w1",
            "@p1 mov.pred p0, p2",
            "@p1 not.pred p1, p2",
            "setp.ne.b32 p2, w2, w3",
            "not.pred p1, p2",
            "xor.pred p1, p1, p0",
            "xor.pred p0, p2, p0",
            "setp.ne.b32 p2, w2, w3",
            "not.pred p3, p2",
            "xor.pred p2, p2, p0",
            "xor.pred p3, p3, p0",
            "@p1 mov.pred p0, p2",
            "@p1 mov.pred p1, p3",
        ],
    );
}

#[test]
fn unordered_comparisons_are_negated_ordered_ones() {
    assert_code(
        "setp.ltu.f32 %p4, %f1, %f2;
         setp.equ.f32 %p4, %f1, %f2;
         setp.num.f32 %p4, %f1, 1.0;
         setp.nan.f32 %p4, %f1, %f2;",
        &[
            "setp.ge.ftz.f32 p0, w0, w1",
            "not.pred p0, p0",
            "setp.ne.ftz.f32 p0, w0, w1",
            "not.pred p0, p0",
            "setp.eq.ftz.f32 p0, w0, w0",
            "setp.eq.ftz.f32 p1, #0x3f800000, #0x3f800000",
            "and.pred p0, p0, p1",
            "setp.eq.ftz.f32 p0, w0, w0",
            "setp.eq.ftz.f32 p1, w1, w1",
            "and.pred p0, p0, p1",
            "not.pred p0, p0",
        ],
    );
}

#[test]
fn conversions_become_chains() {
    assert_code(
        "cvt.u32.u8 %r1, %r2;
         cvt.s32.s16 %r1, %h1;
         cvt.u16.s32 %h1, %r1;
         cvt.s64.s16 %d1, %h1;
         cvt.s16.s8 %h1, %r1;
         cvt.rn.f32.u16 %f1, %h1;
         cvt.rzi.u32.f32 %r1, %f1;
         cvt.u32.u64 %r1, %d1;
         cvt.u32.s8 %d1, %r1;
         cvt.u32.u32 %r1, %r2;",
        &[
            "cvt.u32.u8 w2, w0",
            "cvt.s32.s16 w2, w1",
            "cvt.u32.u16 w1, w2",
            "cvt.s32.s16 w1, w1",
            "cvt.s64.s32 d0, w1",
            "cvt.s32.s8 w1, w2",
            "cvt.u32.u16 w1, w1",
            "cvt.u32.u16 w1, w1",
            "cvt.rn.f32.u32 w1, w1",
            "cvt.rzi.ftz.u32.f32 w2, w1",
            "cvt.u32.u64 w2, d0",
            "cvt.s32.s8 w1, w2",
            "cvt.u64.u32 d0, w1",
            "mov.b32 w2, w0",
        ],
    );
}

#[test]
fn the_type_selects_the_micro_op_of_arithmetic() {
    assert_code(
        "mad.f32 %f1, %f2, %f3, 0.5;
         mul.rn.f32 %f1, %f1, %f2;
         @!%p1 sub.f32 %f2, %f1, %f3;
         mad.wide.u32 %d5, %r1, %r2, %d1;
         mad.hi.s32 %r3, %r1, %r2, %r4;
         shl.b64 %d6, %d5, 3;
         mad24.lo.s32 %r5, %r1, %r2, %r3;
         sad.u32 %r1, %r2, %r3, 7;
         div.s32 %r1, %r2, 10;
         rem.u32 %r1, %r2, %r3;
         abs.s32 %r1, %r2;
         xor.pred %p1, %p2, %p3;",
        &[
            "mad.ftz.f32 w5, w0, w1, #0x3f000000",
            "mul.rn.ftz.f32 w5, w5, w0",
            "@!p0 sub.rn.ftz.f32 w0, w5, w1",
            "mad.wide.u32 d0, w2, w3, d0",
            "mul.hi.s32 w0, w2, w3",
            "add.b32 w0, w0, w4",
            "shl.b64 d0, d0, #3",
            "mad24.lo.s32 w1, w2, w3, w0",
            "sad.u32 w2, w3, w0, #7",
            "div.s32 w2, w3, #10",
            "rem.u32 w2, w3, w0",
            "abs.s32 w2, w3",
            "xor.pred p0, p1, p2",
        ],
    );
}

#[test]
fn from_sm_20_on_subnormals_are_kept_unless_flushed() {
    let body = "add.f32 %f1, %f2, %f3;
         sub.ftz.f32 %f1, %f1, %f2;
         mul.rn.f32 %f1, %f1, %f2;
         fma.rn.f32 %f1, %f1, %f2, %f3;
         fma.rn.ftz.f32 %f1, %f1, %f2, %f3;
         mad.f32 %f1, %f1, %f2, %f3;
         mad.rn.ftz.f32 %f1, %f1, %f2, %f3;
         neg.f32 %f2, %f1;
         setp.geu.f32 %p1, %f2, %f3;
         setp.ne.ftz.f32 %p1, %f2, %f3;
         setp.nan.f32 %p1, %f2, %f3;";
    assert_program(
        &entry_for("sm_20", "", "", body),
        &[
            "add.rn.f32 w2, w0, w1",
            "sub.rn.ftz.f32 w2, w2, w0",
            "mul.rn.f32 w2, w2, w0",
            "fma.rn.f32 w2, w2, w0, w1",
            "fma.rn.ftz.f32 w2, w2, w0, w1",
            "fma.rn.f32 w2, w2, w0, w1",
            "fma.rn.ftz.f32 w2, w2, w0, w1",
            "neg.f32 w0, w2",
            "setp.lt.f32 p0, w0, w1",
            "not.pred p0, p0",
            "setp.ne.ftz.f32 p0, w0, w1",
            "setp.eq.f32 p0, w0, w0",
            "setp.eq.f32 p1, w1, w1",
            "and.pred p0, p0, p1",
            "not.pred p0, p0",
        ],
    );
}

#[test]
fn generic_and_global_addresses_are_equal() {
    let body = "cvta.to.global.u64 %d1, %d2; cvta.global.u64 %d3, g+8; cvta.to.global.u32 %r1, %r2;";
    let program = entry_for("sm_20", ".global .u32 g[4];", "", body);
    assert_program(&program, &["mov.b64 d0, d0", "mov.b64 d0, #global0+8", "mov.b32 w0, w0"]);
}

#[test]
fn generic_addresses_of_other_spaces_are_offset_by_their_windows() {
    let body = "cvta.shared.u64 %d1, s+4; cvta.to.local.u32 %r1, %r2; cvta.const.u32 %r3, c;
        isspacep.local %p1, %r1; isspacep.global %p2, %d1; mov.u32 %r4, l;
        ld.s16 %r5, [%d1+2]; st.v2.f32 [%r1], {%f1, %f1}; atom.cas.b32 %r2, [%r1], %r2, %r3; red.add.f32 [%r1], %f1;";
    let variables = ".shared .u32 s[4]; .const .u32 c[2]; .local .align 16 .b8 first; .local .u32 l;";
    let program = entry_for("sm_20", variables, "", body);
    assert_program(
        &program,
        &[
            "add.b64 d0, #4, #0xfe000000",
            "sub.b32 w2, w0, #0xff000000",
            "add.b32 w3, #0, #0xfd000000",
            "sub.b32 w4, w2, #0xff000000",
            "setp.lt.u32 p0, w4, #0x1000000",
            "sub.b64 d1, d0, #0xfd000000",
            "setp.ge.u64 p0, d1, #0x3000000",
            "mov.b32 w4, #0",
            "ld.generic.s16 w4, [d0+2]",
            "st.generic.v2.b32 [w2], {w1, w1}",
            "atom.generic.cas.b32 w0, [w2], w0, w3 cas",
            "red.generic.b32 [w2], w1 add.f32",
        ],
    );
}

#[test]
fn a_truncating_mad_becomes_an_fma_on_newer_chips() {
    let text = ".version 1.4\n.target sm_10\n.entry k() {\n.reg .f32 %f<4>;\n\
                mad.f32 %f1, %f2, %f3, %f1; mul.f32 %f1, %f1, %f2;\n}\n";
    for (major, first) in [(1, Op::MadTruncF32), (2, Op::FmaFtzF32)] {
        let module = module(text).compiled_for(Capability::new(major, 0));
        let code: Vec<Op> = module.entries[0].code.iter().map(|inst| inst.op).collect();
        assert_eq!(code, [first, Op::MulFtzF32, Op::Exit]);
    }
}

#[test]
fn wide_minimum_and_maximum_are_comparison_and_selection() {
    assert_code(
        "neg.s64 %d1, %d2;
         min.s64 %d3, %d1, %d2;
         max.u64 %d3, %d1, %d2;
         abs.s64 %d4, %d1;",
        &[
            "sub.b64 d1, #0, d0",
            "setp.lt.s64 p0, d1, d0",
            "selp.b64 d2, d1, d0, p0",
            "setp.lt.u64 p0, d1, d0",
            "selp.b64 d2, d0, d1, p0",
            "setp.lt.s64 p0, d1, #0",
            "sub.b64 d0, #0, d1",
            "selp.b64 d0, d0, d1, p0",
        ],
    );
}

#[test]
fn moves_read_registers_constants_and_special_registers() {
    assert_code(
        "mov.u32 %r1, %r2;
         mov.f32 %f1, 1.5;
         mov.b64 %d1, -1;
         mov.pred %p1, 1;
         @%p1 mov.u32 %r1, %laneid;
         @%p1 mov.u16 %h1, %ntid.y;
         add.u32 %r1, %r1, WARP_SZ;
         selp.f32 %f3, %f1, 2.0, %p4;",
        &[
            "mov.b32 w0, w0",
            "mov.b32 w1, #0x3fc00000",
            "mov.b64 d0, #-1",
            "mov.pred p1, #true",
            "@p1 mov.sreg w0, %laneid",
            "mov.sreg w2, %ntid.y",
            "@p1 cvt.u32.u16 w2, w2",
            "add.b32 w0, w0, #32",
            "selp.b32 w0, w1, #0x40000000, p0",
        ],
    );
}

#[test]
fn control_instructions_become_one_micro_op() {
    assert_code(
        "bar.sync 3;
         membar.cta;
         membar.gl;
         @%p1 trap;
         @%p1 ret;
         bra L;
         L:",
        &["bar.sync 3", "membar.cta", "membar.gl", "@p0 trap", "@p0 exit", "bra 6"],
    );
}

#[test]
fn addresses_are_rows_offsets_or_constants() {
    let variables = ".global .align 16 .f32 g[8]; .const .u16 c[2] = {5, 6};
         .extern .shared .align 16 .b8 dyn[]; .shared .f32 tile[5];";
    let body = "ld.global.u32 %r1, [%d1+-4];
         ld.global.s8 %r2, [%r1+8];
         ld.shared.u32 %d2, [tile+4];
         st.shared.f32 [dyn+8], 1.0;
         ld.global.f32 %f1, [g+12];
         ld.const.u16 %h1, [c+2];
         mov.u64 %d3, g+4;
         mov.u32 %r3, tile;
         ld.param.u32 %r4, [b];
         ld.volatile.global.u64 %d5, [%d1+0x100000000];
         st.global.u8 [%d5], %d4;
         ld.param.s8 %h2, [b+1];
         st.global.u32 [4096], %r3;";
    assert_program(
        &entry_for("sm_10", variables, ".param .u64 a, .param .u32 b", body),
        &[
            "ld.global.b32 w0, [d0-4]",
            "ld.global.s8 w0, [w0+8]",
            "ld.shared.b32 w0, [4]",
            "cvt.u64.u32 d2, w0",
            "st.shared.b32 [40], #0x3f800000",
            "ld.global.b32 w0, [d#global0+12+0]",
            "ld.const.u16 w0, [2]",
            "mov.b64 d2, #global0+4",
            "mov.b32 w0, #0",
            "ld.param.b32 w1, [8]",
            "add.b64 d0, d0, #0x100000000",
            "ld.global.b64 d0, [d0] volatile",
            "cvt.u32.u64 w1, d1",
            "st.global.b8 [d0], w1",
            "ld.param.s8 w1, [9]",
            "cvt.u32.u16 w1, w1",
            "st.global.b32 [4096], w0",
        ],
    );
}
