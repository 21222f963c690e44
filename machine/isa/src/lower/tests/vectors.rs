//! Vector loads and stores, cache operators and hints: their selected micro-ops in the text form.

use super::{assert_code, assert_program, entry_for};

#[test]
fn a_vector_of_words_is_one_micro_op() {
    assert_code(
        "ld.global.v4.f32 {%f1, %f2, _, %f4}, [%d1+16];
         ld.shared.v2.u64 {%d2, %d3}, [%r1];
         ld.global.v2.u32 {%r1, %r2}, [%r1];
         st.volatile.shared.v4.u32 [%r2+-4], {%r1, 7, %r2, %r1};
         st.global.v2.f32 [%r2], {%f1, %f2};
         st.global.v2.s64 [%r2], {%d2, %d3};
         @%p1 st.global.v2.f32 [%r2], {%f4, %f4};",
        &[
            "ld.global.v4.b32 {w1, w2, w4, w3}, [d0+16]",
            "ld.shared.v2.b64 {d0, d1}, [w0]",
            "ld.global.v2.b32 {w0, w4}, [w0]",
            "st.shared.v4.b32 [w4-4], {w0, #7, w4, w0} volatile",
            "st.global.v2.b32 [w4], {w1, w2}",
            "st.global.v2.b64 [w4], {d0, d1}",
            "@p0 st.global.v2.b32 [w4], {w3, w3}",
        ],
    );
}

#[test]
fn the_last_of_two_equal_destinations_determines_the_value() {
    assert_code(
        "ld.global.v2.u32 {%r1, %r1}, [%r2]; st.global.u32 [%r2], %r1;",
        &["ld.global.v2.b32 {w2, w1}, [w0]", "st.global.b32 [w0], w1"],
    );
}

#[test]
fn short_elements_share_one_row() {
    assert_code(
        "ld.global.v4.u8 {%r1, %h1, _, %d1}, [%r2];
         st.global.v2.u8 [%r2+2], {%r1, %h1};",
        &[
            "ld.global.b32 w1, [w0]",
            "cvt.u32.u8 w2, w1",
            "shr.u32 w3, w1, #8",
            "cvt.u32.u8 w3, w3",
            "shr.u32 w1, w1, #24",
            "cvt.u32.u8 w1, w1",
            "cvt.u64.u32 d0, w1",
            "and.b32 w1, w2, #255",
            "shl.b32 w2, w3, #8",
            "or.b32 w1, w1, w2",
            "st.global.b16 [w0+2], w1",
        ],
    );
    assert_code(
        "ld.shared.v4.s16 {%h1, %r1, %h2, %d1}, [%r2]; st.shared.v4.b16 [%r2], {%h1, %h2, %h1, 5};",
        &[
            "ld.shared.b64 d0, [w0]",
            "cvt.u32.u64 w1, d0",
            "cvt.u32.u16 w2, w1",
            "shr.u32 w1, w1, #16",
            "cvt.s32.s16 w1, w1",
            "shr.u64 d0, d0, #32",
            "cvt.u32.u64 w1, d0",
            "cvt.u32.u16 w3, w1",
            "shr.u32 w1, w1, #16",
            "cvt.s32.s16 w1, w1",
            "cvt.s64.s32 d0, w1",
            "and.b32 w1, w2, #0xffff",
            "shl.b32 w3, w3, #16",
            "or.b32 w1, w1, w3",
            "and.b32 w2, w2, #0xffff",
            "shl.b32 w3, #5, #16",
            "or.b32 w2, w2, w3",
            "cvt.u64.u32 d0, w1",
            "cvt.u64.u32 d1, w2",
            "shl.b64 d1, d1, #32",
            "or.b64 d0, d0, d1",
            "st.shared.b64 [w0], d0",
        ],
    );
}

#[test]
fn wider_registers_receive_extended_elements() {
    assert_code(
        "ld.global.v2.s32 {%d1, %r1}, [%r2]; st.global.v2.u32 [%r2], {%d1, %r1};",
        &[
            "ld.global.v2.b32 {w2, w1}, [w0]",
            "cvt.s64.s32 d0, w2",
            "cvt.u32.u64 w2, d0",
            "st.global.v2.b32 [w0], {w2, w1}",
        ],
    );
}

#[test]
fn cache_operators_and_hints_change_no_value() {
    let program = entry_for(
        "sm_20",
        ".global .u32 g[4];",
        "",
        "ld.global.cg.u32 %r1, [%r2];
         ld.global.cv.v2.u32 {%r1, %r3}, [%r2];
         ldu.global.f32 %f1, [%r2];
         ld.global.nc.u32 %r4, [%r2];
         prefetch.global.L2 [%r2+64];
         prefetchu.L1 [%d1];
         prefetch.L1 [g];
         st.global.wt.u32 [%r2], %r1;",
    );
    assert_program(
        &program,
        &[
            "ld.global.b32 w1, [w0] cg",
            "ld.global.v2.b32 {w1, w2}, [w0] volatile",
            "ld.global.b32 w2, [w0]",
            "ld.global.b32 w2, [w0]",
            "prefetch [w0+64]",
            "prefetch [d0]",
            "prefetch [d#global0]",
            "st.global.b32 [w0], w1 wt",
        ],
    );
}
