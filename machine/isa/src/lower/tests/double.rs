//! Double precision: the selected micro-ops, and rejected instructions.

use super::{assert_program, entry_for};
use crate::diag::render_all;

const REGISTERS: &str = ".reg .f64 %e<9>;";

#[track_caller]
fn assert_code(target: &str, body: &str, expected: &[&str]) {
    assert_program(&entry_for(target, "", "", &format!("{REGISTERS} {body}")), expected);
}

#[test]
fn the_rounding_mode_selects_the_micro_op() {
    assert_code(
        "sm_20",
        "add.f64 %e1, %e2, 0d3FF0000000000000;
         mul.rz.f64 %e1, %e1, 1.0;
         mad.rm.f64 %e1, %e1, %e1, %e2;
         fma.rp.f64 %e1, %e1, %e2, 0f3F800000;
         div.rn.f64 %e1, %e1, %e2;
         sqrt.rp.f64 %e1, %e1;
         rcp.approx.ftz.f64 %e1, %e1;
         rsqrt.approx.f64 %e1, %e1;
         neg.f64 %e1, %e1;
         st.global.f64 [%d1], %e1;",
        &[
            "add.rn.f64 d2, d0, #0x3ff0000000000000",
            "mul.rz.f64 d2, d2, #0x3ff0000000000000",
            "fma.rm.f64 d2, d2, d2, d0",
            "fma.rp.f64 d2, d2, d0, #0x3ff0000000000000",
            "div.rn.f64 d2, d2, d0",
            "sqrt.rp.f64 d2, d2",
            "rcp.approx.ftz.f64 d2, d2",
            "rsqrt.approx.f64 d2, d2",
            "neg.f64 d2, d2",
            "st.global.b64 [d1], d2",
        ],
    );
}

#[test]
fn comparisons_and_tests() {
    assert_code(
        "sm_20",
        "setp.geu.f64 %p1, %e1, %e2;
         @%p1 setp.num.f64 %p2, %e1, %e2;
         @%p2 testp.notanumber.f64 %p3, %e1;
         @%p3 copysign.f64 %e3, %e1, %e2;
         @%p3 st.global.f64 [%d1], %e3;",
        &[
            "setp.lt.f64 p2, d0, d1",
            "not.pred p2, p2",
            "setp.eq.f64 p3, d0, d0",
            "setp.eq.f64 p4, d1, d1",
            "@p2 and.pred p0, p3, p4",
            "and.b64 d4, d0, #0x7fffffffffffffff",
            "@p0 setp.gt.u64 p1, d4, #0x7ff0000000000000",
            "and.b64 d0, d0, #0x8000000000000000",
            "and.b64 d1, d1, #0x7fffffffffffffff",
            "@p1 or.b64 d2, d0, d1",
            "@p1 st.global.b64 [d3], d2",
        ],
    );
}

#[test]
fn conversions_use_the_shortest_chain() {
    assert_code(
        "sm_13",
        "cvt.rn.f64.s16 %e1, %h1;
         cvt.rmi.s32.f64 %r1, %e1;
         cvt.rni.s8.f64 %h2, %e1;
         cvt.rpi.sat.f64.f64 %e2, %e1;
         cvt.rz.sat.f32.f64 %f1, %e2;
         cvt.f64.f32 %e3, %f1;
         cvt.rzi.u64.f64 %d1, %e3;
         cvt.rp.f64.u64 %e4, %d1;
         st.global.u32 [%d1], %r1;
         st.global.u16 [%d1], %h2;
         st.global.f64 [%d1], %e4;",
        &[
            "cvt.s32.s16 w0, w0",
            "cvt.f64.s32 d0, w0",
            "cvt.rmi.s32.f64 w0, d0",
            "cvt.rni.f64.f64 d1, d0",
            "cvt.rzi.s8.f64 w1, d1",
            "cvt.u32.u16 w1, w1",
            "cvt.rpi.f64.f64 d0, d0",
            "cvt.sat.f64.f64 d0, d0",
            "cvt.sat.f64.f64 d0, d0",
            "cvt.rz.f32.f64 w2, d0",
            "cvt.f64.f32 d0, w2",
            "cvt.rzi.u64.f64 d0, d0",
            "cvt.rp.f64.u64 d1, d0",
            "st.global.b32 [d0], w0",
            "st.global.b16 [d0], w1",
            "st.global.b64 [d0], d1",
        ],
    );
}

/// Returns whether the conversions f64 to f32 and f32 to f64 flush in a kernel of `version` for
/// `sm_13`.
fn flushes(version: &str, modifier: &str) -> [bool; 2] {
    let text = format!(
        ".version {version}\n.target sm_13\n.entry k\n{{\n.reg .f32 %f1; .reg .f64 %e1;\n\
         cvt.rn{modifier}.f32.f64 %f1, %e1;\ncvt{modifier}.f64.f32 %e1, %f1;\n}}\n"
    );
    let program = &super::module(&text).entries[0];
    [0, 1].map(|i| program.code[i].op.is_ftz())
}

/// PTX ISA 2.3, "cvt": up to PTX 1.4, conversions from or to a 64-bit type keep subnormals on
/// `sm_1x`.
#[test]
fn conversions_of_old_modules_keep_subnormals() {
    assert_eq!(flushes("1.4", ""), [false; 2]);
    assert_eq!(flushes("1.5", ".ftz"), [true; 2]);
    assert_eq!(flushes("2.0", ""), [true; 2]);
}

#[test]
fn directed_rounding_of_double_precision_requires_sm_13() {
    for (target, option, code) in
        [(12, "", "E0401"), (12, ", map_f64_to_f32", "E0401"), (13, ", map_f64_to_f32", "E0310")]
    {
        let text = format!(
            ".version 1.4\n.target sm_{target}{option}\n.entry k\n{{\n.reg .f64 %e<3>;\nadd.rm.f64 %e1, %e1, %e2;\n}}\n"
        );
        let (module, diagnostics) = crate::compile("k.ptx", &text);
        assert!(module.is_none());
        let found = render_all(&diagnostics, "k.ptx", &text);
        assert!(found.starts_with(&format!("error[{code}]")), "{found}");
    }
}
