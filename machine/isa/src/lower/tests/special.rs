//! Division, roots and special functions: each is one micro-op, which flushes or keeps subnormals
//! depending on target and `.ftz`.

use super::{assert_code, assert_program, entry_for, entry_in};

#[test]
fn older_targets_flush_with_and_without_ftz() {
    assert_code(
        "div.approx.f32 %f1, %f2, %f3;
         div.full.ftz.f32 %f1, %f1, %f3;
         rcp.approx.f32 %f1, %f1;
         sqrt.approx.f32 %f1, %f1;
         rsqrt.approx.ftz.f32 %f1, %f1;
         @%p1 sin.approx.f32 %f1, %f1;
         cos.approx.f32 %f1, 0f3f800000;
         lg2.approx.f32 %f1, %f1;
         ex2.approx.f32 %f1, %f1;",
        &[
            "div.approx.ftz.f32 w0, w0, w1",
            "div.full.ftz.f32 w0, w0, w1",
            "rcp.approx.ftz.f32 w0, w0",
            "sqrt.approx.ftz.f32 w0, w0",
            "rsqrt.approx.ftz.f32 w0, w0",
            "@p0 sin.approx.ftz.f32 w0, w0",
            "cos.approx.ftz.f32 w0, #0x3f800000",
            "lg2.approx.ftz.f32 w0, w0",
            "ex2.approx.ftz.f32 w0, w0",
        ],
    );
}

#[test]
fn forms_without_a_modifier_are_approximations() {
    let body = "div.f32 %f1, %f1, %f1;
         rcp.f32 %f1, %f1;
         sqrt.f32 %f1, %f1;
         rsqrt.f32 %f1, %f1;
         sin.f32 %f1, %f1;
         cos.f32 %f1, %f1;
         lg2.f32 %f1, %f1;
         ex2.f32 %f1, %f1;";
    assert_program(
        &entry_in("1.3", "sm_10", "", "", body),
        &[
            "div.approx.ftz.f32 w0, w0, w0",
            "rcp.approx.ftz.f32 w0, w0",
            "sqrt.approx.ftz.f32 w0, w0",
            "rsqrt.approx.ftz.f32 w0, w0",
            "sin.approx.ftz.f32 w0, w0",
            "cos.approx.ftz.f32 w0, w0",
            "lg2.approx.ftz.f32 w0, w0",
            "ex2.approx.ftz.f32 w0, w0",
        ],
    );
}

#[test]
fn newer_targets_round_and_keep_subnormals() {
    let body = "div.rn.f32 %f1, %f1, %f1;
                div.rz.ftz.f32 %f1, %f1, %f1;
                rcp.rm.f32 %f1, %f1;
                sqrt.rp.ftz.f32 %f1, %f1;
                div.full.f32 %f1, %f1, %f1;
                ex2.approx.f32 %f1, %f1;
                ex2.approx.ftz.f32 %f1, %f1;";
    assert_program(
        &entry_for("sm_20", "", "", body),
        &[
            "div.rn.f32 w0, w0, w0",
            "div.rz.ftz.f32 w0, w0, w0",
            "rcp.rm.f32 w0, w0",
            "sqrt.rp.ftz.f32 w0, w0",
            "div.full.f32 w0, w0, w0",
            "ex2.approx.f32 w0, w0",
            "ex2.approx.ftz.f32 w0, w0",
        ],
    );
}

#[test]
fn rounded_divisions_and_roots_require_a_newer_target() {
    for name in ["div.rn.f32 %f1, %f1, %f1", "rcp.rz.f32 %f1, %f1", "sqrt.rn.f32 %f1, %f1"] {
        let text = format!(".version 2.0\n.target sm_13\n.entry k() {{\n.reg .f32 %f<2>;\n{name};\n}}\n");
        let (module, diagnostics) = crate::compile("k.ptx", &text);
        assert!(module.is_none(), "{name}");
        let [diagnostic] = diagnostics.as_slice() else { panic!("{name}: {diagnostics:?}") };
        assert_eq!(diagnostic.code, "E0401");
        assert!(diagnostic.message.ends_with("requires sm_20, but this module targets sm_13"), "{name}");
    }
}

#[test]
fn special_registers_are_read_in_their_width() {
    let body = "mov.u32 %r1, %lanemask_lt;
                mov.u64 %d1, %clock64;
                cvt.u32.u64 %r2, %clock64;
                mov.u16 %h1, %ntid.x;
                mov.u32 %r3, %tid.w;
                mov.u32 %r4, %pm3;
                mov.b32 %r4, %envreg31;";
    assert_program(
        &entry_for("sm_20", "", "", body),
        &[
            "mov.sreg w0, %lanemask_lt",
            "mov.sreg.b64 d0, %clock64",
            "mov.sreg.b64 d0, %clock64",
            "cvt.u32.u64 w0, d0",
            "mov.sreg w0, %ntid.x",
            "cvt.u32.u16 w0, w0",
            "mov.sreg w0, %tid.w",
            "mov.sreg w0, %pm3",
            "mov.sreg w0, %envreg31",
        ],
    );
    for (inst, expected) in [
        ("mov.u32 %r1, %clock64;", "`%clock64` is .u64"),
        ("mov.u64 %d1, %tid.x;", "special registers are .u32"),
        ("mov.b32 %r1, %envreg32;", "`%envreg32` is not declared"),
        ("mov.u32 %r1, %warpsize;", "`%warpsize` is not declared"),
    ] {
        let text = format!(
            ".version 2.3\n.target sm_20\n.entry k() {{\n.reg .u32 %r<2>; .reg .u64 %d<2>;\n{inst}\n}}\n"
        );
        let (_, found) = crate::compile("k.ptx", &text);
        let found = crate::diag::render_all(&found, "k.ptx", &text);
        assert!(found.contains(expected), "{inst}: {found}");
    }
}
