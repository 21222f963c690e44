//! Lowered instructions, inferred state spaces, and what is refused.

use crate::diag::render_source;
use crate::source::Source;
use crate::types::Capability;
use crate::uop::{Module, disasm};
use crate::{Compilation, compile_for};
use std::sync::Arc;

fn compile(minor: u8, text: &str) -> Result<Module, String> {
    let source = Arc::new(Source::new("k.ptx", text));
    let asked = Compilation { chip: Some(Capability::new(1, minor)), ..Compilation::default() };
    let (module, diagnostics) = compile_for(&source, asked);
    module.ok_or_else(|| render_source(&diagnostics, &source))
}

fn kernel(body: &str) -> String {
    format!(
        ".version 2.3\n.target sm_20\n.address_size 64\n.shared .align 4 .b8 s[64];\n.const .align 4 .b8 c[64];\n\
         .entry k (.param .u64 p, .param .u64 n) {{\n.reg .u64 %rd<9>; .reg .u32 %r<9>; .reg .f32 %f<9>; \
         .reg .f64 %fd<9>; .reg .pred %p<9>; .local .b8 l[8];\nld.param.u64 %rd1, [p]; ld.param.u64 %rd2, [n];\n\
         {body}\n}}\n"
    )
}

/// Code of a kernel for a chip of 1.0.
#[track_caller]
fn code(body: &str) -> String {
    let module = compile(0, &kernel(body)).unwrap_or_else(|errors| panic!("{errors}"));
    let program = &module.entries[0];
    assert_eq!(program.target, Capability::new(1, 0));
    disasm::program(program)
}

#[track_caller]
fn assert_rejected(minor: u8, body: &str, parts: &[&str]) {
    let errors = compile(minor, &kernel(body)).map(|_| ()).expect_err("it is rejected");
    for part in parts {
        assert!(errors.contains(part), "{part} is missing in\n{errors}");
    }
}

#[test]
fn generic_addresses_get_the_space_that_they_come_from() {
    let shared =
        "mov.u64 %rd3, s; cvta.shared.u64 %rd4, %rd3; add.s64 %rd5, %rd4, %rd2; ld.u32 %r1, [%rd5]; ";
    let text = code(&format!("{shared} add.s64 %rd6, %rd1, %rd2; st.u32 [%rd6], %r1; exit;"));
    assert!(text.contains("ld.shared.b32") && text.contains("st.global.b32"), "{text}");
    let text =
        code("mov.u64 %rd3, c; cvta.const.u64 %rd4, %rd3; ld.v2.u32 {%r1, %r2}, [%rd4]; st.u32 [%rd1], %r2;");
    assert!(text.contains("ld.const.v2.b32"), "{text}");
    let text = code(
        "mov.u64 %rd3, l; cvta.local.u64 %rd4, %rd3; st.volatile.u32 [%rd4+4], %r1; ld.u64 %rd5, [%rd1]; ld.u32 %r2, [%rd5]; st.u32 [%rd1], %r2;",
    );
    assert!(text.contains("st.local.b32") && text.contains("ld.global.b64"), "{text}");
}

#[test]
fn bit_fields_and_leading_zeros_are_older_instructions() {
    let text = code(
        ".reg .b32 %b<2>; ld.u32 %r1, [%rd1]; bfe.s32 %r2, %r1, 4, 8; clz.b32 %b1, %r2; st.u32 [%rd1], %b1;",
    );
    for part in
        ["shl.b32 w1, w1, #20", "shr.s32 w1, w1, #24", "cvt.rz.f32.u32", "sub.b32 w1, #158", "min.u32"]
    {
        assert!(text.contains(part), "{part} is not in\n{text}");
    }
}

#[test]
fn an_address_of_several_spaces_is_rejected_with_its_line() {
    let either =
        "mov.u64 %rd3, s; cvta.shared.u64 %rd4, %rd3; selp.b64 %rd5, %rd4, %rd1, %p1;\nld.u32 %r1, [%rd5];";
    assert_rejected(0, either, &["E0401", "k.ptx:10", ".global and .shared memory"]);
    let stored = "mov.u64 %rd3, s; cvta.shared.u64 %rd4, %rd3; st.u64 [%rd1], %rd4;\nld.u64 %rd5, [%rd1];\nld.u32 %r1, [%rd5];";
    assert_rejected(0, stored, &["E0401", "k.ptx:11"]);
    assert_rejected(
        0,
        "vote.ballot.b32 %r1, %p1;",
        &["E0401", "`vote.ballot.b32` requires sm_20 and has no equivalent on sm_10"],
    );
}

#[test]
fn arithmetic_is_that_of_the_chip() {
    let text = code(
        "ld.f32 %f1, [%rd1]; fma.rn.ftz.f32 %f2, %f1, %f1, %f3; div.rn.f32 %f2, %f2, %f1; sqrt.rn.f32 %f2, %f2; st.f32 [%rd1], %f2;",
    );
    assert!(
        text.contains("mad.ftz.f32") && text.contains("div.full") && text.contains("sqrt.approx"),
        "{text}"
    );
}

#[test]
fn doubles_in_memory_are_converted_and_computed_in_single_precision() {
    let text = code(
        "ld.v2.f64 {%fd1, %fd2}, [%rd1]; add.rn.f64 %fd1, %fd1, %fd2; mov.b64 %rd3, %fd1; st.u64 [%rd1], %rd3; \
         st.volatile.f64 [%rd1+8], %fd1; mov.b64 %fd3, %rd2; st.f64 [%rd1+16], %fd3; st.f64 [%rd1+24], 0d3FB999999999999A;",
    );
    for part in ["ld.global.v2.b64", "add.rn.ftz.f32", "st.global.b64 [w0", "volatile", "#0x3fb999999999999a"]
    {
        assert!(text.contains(part), "{part} is not in\n{text}");
    }
    assert!(!text.contains("f64"), "{text}");
    assert!(compile(3, &kernel("ld.global.f64 %fd1, [%rd1]; st.f64 [%rd1], %fd1;")).is_ok());
    let text = code(
        "ld.global.f32 %f1, [%rd1]; cvt.f64.f32 %fd1, %f1; add.rn.f64 %fd1, %fd1, %fd1; cvt.rn.f32.f64 %f1, %fd1; st.global.f32 [%rd1], %f1;",
    );
    assert!(!text.contains("f64"), "{text}");
}

#[test]
fn a_double_in_memory_is_a_warning() {
    let source =
        Arc::new(Source::new("k.ptx", kernel("ld.global.f64 %fd1, [%rd1];\nst.global.f64 [%rd1+8], %fd1;")));
    let asked = Compilation { chip: Some(Capability::new(1, 1)), ..Compilation::default() };
    let (_, diagnostics) = compile_for(&source, asked);
    let text = render_source(&diagnostics, &source);
    assert_eq!(diagnostics.iter().map(|found| found.code).collect::<Vec<_>>(), ["W0303"], "{text}");
    assert!(text.contains("k.ptx:9") && text.contains("a double in memory keeps its 8 bytes"), "{text}");
    let global = "\n.global .align 8 .f64 g[1] = {0d3FB999999999999A};\n.entry k ()";
    let (module, _) = compile_for(
        &Arc::new(Source::new(
            "k.ptx",
            kernel("exit;")
                .replace(".entry k (.param .u64 p, .param .u64 n)", global)
                .replace("ld.param.u64 %rd1, [p]; ld.param.u64 %rd2, [n];", ""),
        )),
        asked,
    );
    assert_eq!(module.expect("it is lowered").globals[0].init, 0.1_f64.to_le_bytes());
}

#[test]
fn addresses_flow_through_calls() {
    let functions = ".func (.param .b32 r) f (.param .b64 a, .param .align 8 .b8 b[16]) {\n.reg .u64 %rd<5>; .reg .u32 %r<5>;\n\
        ld.param.u64 %rd1, [a]; ld.param.u64 %rd2, [b+8]; ld.u32 %r1, [%rd1]; ld.u32 %r2, [%rd2]; add.u32 %r1, %r1, %r2;\n\
        st.param.b32 [r], %r1; ret; }\n.entry k";
    let body = "mov.u64 %rd3, s; cvta.shared.u64 %rd4, %rd3; { .param .b64 x; .param .align 8 .b8 y[16]; .param .b32 z;\n\
        st.param.b64 [x], %rd4; st.param.b64 [y+8], %rd1; call.uni (z), f, (x, y); ld.param.b32 %r1, [z]; } st.u32 [%rd1], %r1;";
    let module =
        compile(0, &kernel(body).replace(".entry k", functions)).unwrap_or_else(|errors| panic!("{errors}"));
    let text = disasm::program(&module.entries[0]);
    assert!(text.contains("ld.shared.b32") && text.contains("ld.global.b32"), "{text}");
}
