//! Micro-ops of f32 arithmetic and conversions with modifiers.

use super::*;
use crate::types::Capability;
use crate::uop::Op;

#[test]
fn rounding_flushing_and_saturation_are_in_the_micro_op() {
    let body = "add.rz.f32 %f1, %f2, %f3;
         sub.rm.ftz.f32 %f1, %f1, %f2;
         mul.rp.sat.f32 %f1, %f1, %f2;
         mad.rz.ftz.sat.f32 %f1, %f1, %f2, %f3;
         mad.sat.f32 %f1, %f1, %f2, %f3;
         add.sat.f32 %f1, %f1, 0.5;";
    assert_program(
        &entry_for("sm_20", "", "", body),
        &[
            "add.rz.f32 w2, w0, w1",
            "sub.rm.ftz.f32 w2, w2, w0",
            "mul.rp.sat.f32 w2, w2, w0",
            "fma.rz.ftz.sat.f32 w2, w2, w0, w1",
            "fma.rn.sat.f32 w2, w2, w0, w1",
            "add.rn.sat.f32 w2, w2, #0x3f000000",
        ],
    );
    assert_code(
        "mul.rz.f32 %f1, %f2, %f3; mad.sat.f32 %f1, %f1, %f2, %f3; sub.sat.f32 %f1, %f1, %f2;",
        &["mul.rz.ftz.f32 w2, w0, w1", "mad.ftz.sat.f32 w2, w2, w0, w1", "sub.rn.ftz.sat.f32 w2, w2, w0"],
    );
}

#[test]
fn a_saturating_truncating_mad_becomes_an_fma_on_newer_chips() {
    let text = ".version 1.4\n.target sm_10\n.entry k() {\n.reg .f32 %f<4>;\n\
                mad.sat.f32 %f1, %f2, %f3, %f1;\n}\n";
    for (major, op) in [(1, Op::MadTruncSatF32), (2, Op::FmaFtzSatF32)] {
        let module = module(text).compiled_for(Capability::new(major, 0));
        assert_eq!(module.entries[0].code[0].op, op);
    }
}

#[test]
fn conversions_become_chains_of_rounding_and_saturation() {
    assert_code(
        "cvt.rmi.s8.f32 %r1, %f1;
         cvt.rpi.u16.f32 %h1, %f1;
         cvt.rn.sat.f32.s16 %f2, %h1;
         cvt.rz.f32.u64 %f2, %d1;
         cvt.rni.sat.f32.f32 %f3, %f1;
         cvt.sat.s8.u64 %r2, %d1;
         cvt.sat.u64.s32 %d2, %r2;",
        &[
            "cvt.rmi.ftz.s32.f32 w1, w0",
            "cvt.sat.s8.s32 w1, w1",
            "cvt.rpi.ftz.u32.f32 w1, w0",
            "cvt.sat.u16.u32 w1, w1",
            "cvt.s32.s16 w1, w1",
            "cvt.rn.f32.s32 w1, w1",
            "cvt.sat.f32.f32 w1, w1",
            "cvt.rz.f32.u64 w1, d0",
            "cvt.rni.ftz.f32.f32 w0, w0",
            "cvt.sat.f32.f32 w0, w0",
            "cvt.sat.s32.u64 w0, d0",
            "cvt.sat.s8.s32 w0, w0",
            "cvt.sat.u32.s32 w0, w0",
            "cvt.u64.u32 d0, w0",
        ],
    );
}

#[test]
fn conversions_to_64_bits_flush_from_ptx_1_5_on() {
    for (version, ftz, op) in [
        ("1.4", "", Op::CvtRpiU64F32),
        ("1.5", ".ftz", Op::CvtRpiFtzU64F32),
        ("1.5", "", Op::CvtRpiFtzU64F32),
        ("2.3", "", Op::CvtRpiFtzU64F32),
    ] {
        let text = format!(
            ".version {version}\n.target sm_10\n.entry k() {{\n.reg .f32 %f; .reg .u64 %d;\n\
             cvt.rpi{ftz}.u64.f32 %d, %f;\n}}\n"
        );
        assert_eq!(module(&text).entries[0].code[0].op, op, "{version} {ftz}");
    }
}

#[test]
fn a_plain_conversion_to_the_same_type_is_a_move() {
    assert_program(&entry_for("sm_20", "", "", "cvt.f32.f32 %f1, %f2;"), &["mov.b32 w0, w0"]);
    assert_code("cvt.f32.f32 %f1, %f2;", &["cvt.ftz.f32.f32 w0, w0"]);
}

#[test]
fn halves_are_in_16_bit_registers() {
    let body = ".reg .b16 %x; cvt.rm.f16.f32 %x, %f1; cvt.sat.f32.f16 %f2, %x;";
    assert_program(
        &entry_for("sm_20", "", "", body),
        &["cvt.rm.f16.f32 w0, w0", "cvt.f32.f16 w0, w0", "cvt.sat.f32.f32 w0, w0"],
    );
}

#[test]
fn copysign_and_testp_are_bit_operations() {
    let body = "copysign.f32 %f1, %f2, %f3; testp.notanumber.f32 %p1, %f1; testp.normal.f32 %p2, %f1;";
    assert_program(
        &entry_for("sm_20", "", "", body),
        &[
            "and.b32 w0, w0, #0x80000000",
            "and.b32 w1, w1, #0x7fffffff",
            "or.b32 w0, w0, w1",
            "and.b32 w1, w0, #0x7fffffff",
            "setp.gt.u32 p0, w1, #0x7f800000",
            "and.b32 w0, w0, #0x7fffffff",
            "sub.b32 w1, w0, #1",
            "setp.lt.u32 p0, w0, #0x7f800000",
            "setp.ge.u32 p1, w1, #0x7fffff",
            "and.pred p0, p0, p1",
        ],
    );
}
