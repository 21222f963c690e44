//! The effect of each pass on PTX, and the code that it must not change.

use crate::diag::render_all;
use crate::options::Options;
use crate::uop::{Program, disasm, verify};
use std::fmt::Write;
use std::sync::Arc;

const REGISTERS: &str =
    ".reg .u32 %r<20>; .reg .u64 %d<9>; .reg .f32 %f<9>; .reg .f64 %e<9>; .reg .pred %p<9>;";
const FUSING: Options = Options { fmad: true, ..Options::PLAIN.optimized() };

/// Compiles a body. `[a]` and `[b]` are 32-bit parameters, `[q]` is a 64-bit parameter; `s` is a
/// shared array, `c` a constant array, `g` a global array.
pub fn program(target: &str, options: Options, body: &str) -> Arc<Program> {
    let text = format!(
        ".version 2.0\n.target {target}\n.const .u32 c[4];\n.global .u32 g[4];\n\
         .entry k(.param .u32 a, .param .u32 b, .param .u64 q)\n{{\n{REGISTERS}\n.shared .u32 s[64];\n{body}\n}}\n"
    );
    let (module, diagnostics) = crate::compile_with("k.ptx", &text, options);
    let module = module.unwrap_or_else(|| panic!("{}", render_all(&diagnostics, "k.ptx", &text)));
    let program = &module.entries[0];
    assert_eq!(verify::verify(program), Ok(()), "{}", disasm::program(program));
    Arc::clone(program)
}

pub fn lines(program: &Program) -> Vec<String> {
    let mut code: Vec<String> = program.code.iter().map(|inst| disasm::instruction(program, inst)).collect();
    code.pop_if(|last| last == "exit");
    code
}

/// Checks the optimized code of a body for `sm_20`, without the exit at its end.
#[track_caller]
fn assert_optimized(body: &str, expected: &[&str]) {
    assert_eq!(lines(&program("sm_20", Options::default(), body)), expected);
}

/// Checks that the optimizer does not change a body for `sm_20`.
#[track_caller]
fn assert_unchanged(body: &str) {
    let optimized = lines(&program("sm_20", FUSING, body));
    assert_eq!(optimized, lines(&program("sm_20", Options::PLAIN, body)));
}

#[test]
fn copies_are_replaced_by_their_source() {
    assert_optimized(
        "mov.u32 %r1, %tid.x; mov.u32 %r2, %r1; mov.u32 %r3, %r2; st.shared.u32 [%r3], %r2;",
        &["mov.sreg w0, %tid.x", "st.shared.b32 [w0], w0"],
    );
}

#[test]
fn a_copy_does_not_outlive_its_source() {
    // `%r2` holds the old `%r1`. The move must stay, or the exchange of two registers would be
    // lost.
    assert_optimized(
        "mov.u32 %r1, %tid.x; mov.u32 %r2, %r1; add.u32 %r1, %r1, 1; st.shared.v2.u32 [s], {%r1, %r2};",
        &["mov.sreg w0, %tid.x", "add.b32 w1, w0, #1", "st.shared.v2.b32 [0], {w1, w0}"],
    );
    assert_unchanged(
        "mov.u32 %r1, %tid.x; mov.u32 %r2, %tid.y;\n\
         L: mov.u32 %r3, %r1; mov.u32 %r1, %r2; mov.u32 %r2, %r3; setp.ne.u32 %p1, %r1, 5;\n\
         st.shared.u32 [s], %r1; @%p1 bra L;",
    );
}

/// Tests: `optimizing-changes-no-result`.
#[test]
fn a_guarded_write_gives_no_facts() {
    assert_unchanged(
        "mov.u32 %r1, %tid.x; mov.u32 %r2, %tid.y; setp.eq.u32 %p1, %r1, 3; @%p1 mov.u32 %r2, %r1;\n\
         st.shared.v2.u32 [s], {%r1, %r2};",
    );
    assert_unchanged(
        "mov.u32 %r1, %tid.x; setp.eq.u32 %p1, %r1, 3; @%p1 mov.u32 %r2, 7; add.u32 %r3, %r2, 1;\n\
         st.shared.u32 [%r1], %r3;",
    );
}

/// Tests: `optimizing-changes-no-result`.
#[test]
fn a_write_on_only_one_path_gives_no_facts() {
    // Where `%r2` is read it may be 7, or the initial zero of a register.
    assert_unchanged(
        "mov.u32 %r1, %tid.x; setp.eq.u32 %p1, %r1, 3; @%p1 bra L; mov.u32 %r2, 7; bar.sync 0;\n\
         L: add.u32 %r3, %r2, 1; st.shared.u32 [%r1], %r3;",
    );
    // In the second iteration `%r2` is 7.
    assert_unchanged(
        "mov.u32 %r1, %tid.x;\nL: st.shared.u32 [%r1], %r2; mov.u32 %r2, 7;\n\
         ld.volatile.shared.u32 %r3, [s]; setp.eq.u32 %p1, %r3, 3; @%p1 bra L;",
    );
}

#[test]
fn constants_reach_the_code_that_their_definition_dominates() {
    assert_optimized(
        "mov.u32 %r1, %tid.x; mov.u32 %r2, 7; setp.eq.u32 %p1, %r1, 3; @%p1 bra L; add.u32 %r1, %r1, %r2;\n\
         L: add.u32 %r1, %r1, %r2; st.shared.u32 [s], %r1;",
        &[
            "mov.sreg w0, %tid.x",
            "setp.eq.b32 p0, w0, #3",
            "@p0 bra 4 reconv=4",
            "add.b32 w0, w0, #7",
            "add.b32 w0, w0, #7",
            "st.shared.b32 [0], w0",
        ],
    );
}

#[test]
fn constants_are_folded() {
    assert_optimized(
        "mov.u32 %r1, 6; mul.lo.u32 %r2, %r1, 7; cvt.rn.f32.u32 %f1, %r2; mul.rn.f32 %f2, %f1, 0f3F000000;\n\
         mov.u32 %r3, %tid.x; mov.b32 %r4, %f2; add.u32 %r5, %r3, %r4; st.shared.u32 [s], %r5;",
        &["mov.sreg w0, %tid.x", "add.b32 w0, w0, #0x41a80000", "st.shared.b32 [0], w0"],
    );
}

#[test]
fn a_known_condition_removes_the_guard_or_the_instruction() {
    assert_optimized(
        "mov.u32 %r1, %tid.x; setp.eq.u32 %p1, 1, 2; @%p1 st.shared.u32 [s], 1; @!%p1 st.shared.u32 [s], %r1;\n\
         @%p1 bra L; st.shared.u32 [s+4], %r1; L:",
        &["mov.sreg w0, %tid.x", "st.shared.b32 [0], w0", "st.shared.b32 [4], w0"],
    );
    assert_optimized(
        "mov.u32 %r1, %tid.x; setp.eq.u32 %p1, %r1, 2; not.pred %p2, %p1; @%p2 st.shared.u32 [s], %r1;",
        &["mov.sreg w0, %tid.x", "setp.eq.b32 p0, w0, #2", "@!p0 st.shared.b32 [0], w0"],
    );
}

#[test]
fn identities_disappear_and_powers_of_two_become_shifts() {
    assert_optimized(
        "mov.u32 %r1, %tid.x; add.u32 %r2, %r1, 0; mul.lo.u32 %r3, %r2, 16; div.u32 %r4, %r3, 4;\n\
         rem.u32 %r5, %r4, 8; and.b32 %r6, %r5, -1; mul.lo.u32 %r7, %r6, 1; st.shared.u32 [s], %r7;",
        &[
            "mov.sreg w0, %tid.x",
            "shl.b32 w0, w0, #4",
            "shr.u32 w0, w0, #2",
            "and.b32 w0, w0, #7",
            "st.shared.b32 [0], w0",
        ],
    );
    assert_unchanged("mov.u32 %r1, %tid.x; div.s32 %r2, %r1, 4; st.shared.u32 [s], %r2;");
    assert_unchanged("ld.shared.f32 %f1, [s]; add.f32 %f2, %f1, 0f00000000; st.shared.f32 [s], %f2;");
}

#[test]
fn constants_in_sums_become_offsets() {
    assert_optimized(
        "mov.u32 %r1, %tid.x; add.u32 %r2, %r1, 8; sub.u32 %r3, %r2, 12; ld.shared.u32 %r4, [%r3+4];\n\
         st.shared.u32 [%r2], %r4;",
        &["mov.sreg w0, %tid.x", "ld.shared.b32 w1, [w0]", "st.shared.b32 [w0+8], w1"],
    );
    assert_optimized(
        "mov.u64 %d1, s; add.u64 %d2, %d1, 8; ld.shared.u32 %r4, [%d2+4]; st.shared.u32 [s], %r4;",
        &["ld.shared.b32 w0, [12]", "st.shared.b32 [0], w0"],
    );
}

#[test]
fn constants_in_64_bit_sums_become_offsets_if_they_fit() {
    let far = |add: &str| {
        format!(
            "ld.global.u64 %d1, [g]; add.s64 %d2, %d1, {add}; ld.global.u32 %r4, [%d2+16]; st.shared.u32 [s], %r4;"
        )
    };
    let load = |add: &str| lines(&program("sm_20", Options::default(), &far(add)))[1].clone();
    assert_eq!(load("2147483631"), "ld.global.b32 w0, [d0+2147483647]");
    assert_eq!(load("2147483632"), "add.b64 d0, d0, #0x7ffffff0");
    assert_eq!(load("-2147483664"), "ld.global.b32 w0, [d0-2147483648]");
    assert_eq!(load("-2147483665"), "add.b64 d0, d0, #0xffffffff7fffffef");
    // Below `sm_20` accesses to global memory have no offset, but accesses to shared memory do.
    let body = "mov.u32 %r1, %tid.x; add.u32 %r2, %r1, 4; ld.global.u32 %r3, [%r2]; st.shared.u32 [s], %r3;";
    assert_eq!(
        lines(&program("sm_13", Options::default(), body)),
        lines(&program("sm_13", Options::PLAIN, body))
    );
    // A sum that another micro-op reads stays.
    assert_unchanged(
        "mov.u32 %r1, %tid.x; add.u32 %r2, %r1, 4; st.shared.u32 [%r2+4], %r1; st.shared.u32 [%r2], %r2;",
    );
}

#[test]
fn parameters_and_constants_are_operands_of_arithmetic_one_at_a_time() {
    assert_optimized(
        "ld.param.u32 %r1, [a]; mov.u32 %r2, %tid.x; add.u32 %r3, %r1, %r2; ld.const.u32 %r4, [c+8];\n\
         mul.lo.u32 %r5, %r3, %r4; st.shared.u32 [s], %r5;",
        &[
            "mov.sreg w0, %tid.x",
            "add.b32 w0, #param+0, w0",
            "mul.lo.b32 w0, w0, #const+8",
            "st.shared.b32 [0], w0",
        ],
    );
    assert_optimized(
        "ld.param.u32 %r1, [a]; ld.param.u32 %r2, [b]; add.u32 %r3, %r1, %r2; st.shared.u32 [s], %r3;",
        &["ld.param.b32 w0, [4]", "add.b32 w0, #param+0, w0", "st.shared.b32 [0], w0"],
    );
    // Addresses and data must be registers, and a move from memory would be the load again.
    assert_unchanged("ld.param.u64 %d1, [q]; ld.param.u32 %r1, [a]; st.global.u32 [%d1], %r1;");
}

#[test]
fn a_stored_constant_still_needs_a_register() {
    assert_unchanged("mov.u32 %r1, 5; st.shared.u32 [s], %r1;");
}

#[test]
fn dead_code_is_removed_and_effects_stay() {
    assert_optimized(
        "ld.param.u32 %r1, [a]; ld.global.u32 %r2, [%r1]; add.u32 %r3, %r2, 1; mov.u32 %r4, %tid.x;\n\
         L: add.u32 %r5, %r5, 1; setp.lt.u32 %p1, %r6, 3; membar.cta;",
        &["membar.cta"],
    );
    assert_unchanged(
        "mov.u32 %r1, %clock; ld.volatile.shared.u32 %r2, [s]; bar.sync 0; membar.gl; st.shared.u32 [s], 1;",
    );
}

#[test]
fn branches_to_the_next_instruction_are_removed() {
    assert_optimized(
        "mov.u32 %r1, %tid.x; setp.eq.u32 %p1, %r1, 3; @%p1 bra L; bra.uni M; M: add.u32 %r2, %r1, 1;\n\
         L: st.shared.u32 [s], %r1;",
        &["mov.sreg w0, %tid.x", "st.shared.b32 [0], w0"],
    );
    assert_unchanged("L: st.shared.u32 [s], 1; bra L;");
}

#[test]
fn a_loop_variable_is_one_register() {
    assert_optimized(
        "mov.u32 %r1, %tid.x; mov.u32 %r2, 0;\n\
         L: add.u32 %r3, %r2, %r1; add.u32 %r4, %r3, 5; mov.u32 %r2, %r4; setp.lt.u32 %p1, %r4, 100; @%p1 bra L;\n\
         st.shared.u32 [s], %r4;",
        &[
            "mov.sreg w0, %tid.x",
            "mov.b32 w1, #0",
            "add.b32 w1, w1, w0",
            "add.b32 w1, w1, #5",
            "setp.lt.u32 p0, w1, #100",
            "@p0 bra 2 reconv=6",
            "st.shared.b32 [0], w1",
        ],
    );
    // `%r2` is still needed when `%r4` is computed, so they are two registers.
    let both = "mov.u32 %r1, %tid.x; mov.u32 %r2, 0;\n\
         L: add.u32 %r4, %r2, %r1; st.shared.u32 [s], %r2; mov.u32 %r2, %r4; setp.lt.u32 %p1, %r4, 100; @%p1 bra L;";
    assert_unchanged(both);
}

#[test]
fn a_register_with_several_values_becomes_several_registers() {
    assert_optimized(
        "mov.u32 %r1, %tid.x; mov.u32 %r2, 4; add.u32 %r3, %r1, %r2; mov.u32 %r2, 5; add.u32 %r3, %r3, %r2;\n\
         mov.u32 %r2, %r3; st.shared.u32 [s], %r2; mov.u32 %r2, 6; add.u32 %r2, %r1, %r2; st.shared.u32 [s], %r2;",
        &[
            "mov.sreg w0, %tid.x",
            "add.b32 w1, w0, #4",
            "add.b32 w1, w1, #5",
            "st.shared.b32 [0], w1",
            "add.b32 w0, w0, #6",
            "st.shared.b32 [0], w0",
        ],
    );
}

#[test]
fn products_and_sums_become_multiply_adds_if_target_and_rounding_allow() {
    let sum = |target: &str, options: Options, mul: &str, add: &str| {
        let body = format!(
            "ld.volatile.shared.f32 %f1, [s]; ld.volatile.shared.f32 %f2, [s+4]; {mul} %f3, %f1, %f2;\n\
             {add} %f4, %f3, %f1; st.shared.f32 [s], %f4;"
        );
        lines(&program(target, options, &body))[2..].to_vec().join("; ")
    };
    let fused = |target: &str, mul: &str, add: &str| sum(target, FUSING, mul, add);
    assert_eq!(fused("sm_10", "mul.f32", "add.f32"), "mad.ftz.f32 w0, w0, w1, w0; st.shared.b32 [0], w0");
    assert_eq!(fused("sm_20", "mul.f32", "add.f32"), "fma.rn.f32 w0, w0, w1, w0; st.shared.b32 [0], w0");
    assert!(fused("sm_20", "mul.ftz.f32", "add.ftz.f32").starts_with("fma.rn.ftz.f32 "));
    assert!(fused("sm_20", "mul.f32", "add.sat.f32").starts_with("fma.rn.sat.f32 "));
    for (mul, add) in [
        ("mul.rn.f32", "add.f32"),
        ("mul.f32", "add.rn.f32"),
        ("mul.f32", "add.rz.f32"),
        ("mul.ftz.f32", "add.f32"),
        ("mul.sat.f32", "add.f32"),
    ] {
        assert!(fused("sm_20", mul, add).starts_with("mul."), "{mul} {add}");
    }
    assert!(
        sum("sm_20", Options::default(), "mul.f32", "add.f32").starts_with("mul."),
        "`fmad` is off by default"
    );
}

#[test]
fn only_a_product_with_a_single_reader_becomes_a_multiply_add() {
    let fused = |body: &str| {
        let text = format!("ld.volatile.shared.f32 %f1, [s]; ld.volatile.shared.f32 %f2, [s+4]; {body}");
        lines(&program("sm_20", FUSING, &text)).iter().any(|line| line.starts_with("fma"))
    };
    assert!(fused("mul.f32 %f3, %f1, %f2; add.f32 %f4, %f1, %f3; st.shared.f32 [s], %f4;"));
    assert!(!fused("mul.f32 %f3, %f1, %f2; add.f32 %f4, %f1, %f3; st.shared.v2.f32 [s], {%f4, %f3};"));
    assert!(!fused("mul.f32 %f3, %f1, %f2; add.f32 %f4, %f3, %f3; st.shared.f32 [s], %f4;"));
    assert!(!fused(
        "mul.f32 %f3, %f1, %f2; bra L; L: M: add.f32 %f4, %f3, %f1; st.shared.f32 [s], %f4; bra M;"
    ));
    // The factor has changed before the sum.
    assert!(!fused(
        "N: mul.f32 %f3, %f1, %f2; ld.volatile.shared.f32 %f1, [s]; add.f32 %f4, %f3, %f2; st.shared.f32 [s], %f4; bra N;"
    ));
}

#[test]
fn integer_multiply_adds_are_used_where_the_hardware_has_them() {
    let body = "mov.u32 %r1, %tid.x; mov.u32 %r2, %tid.y; mul.wide.u32 %d1, %r1, 4; ld.param.u64 %d2, [q];\n\
                add.u64 %d3, %d2, %d1; mul.lo.u32 %r3, %r1, %r2; add.u32 %r4, %r3, 3; st.global.u32 [%d3], %r4;";
    assert_optimized(
        body,
        &[
            "mov.sreg w0, %tid.x",
            "mov.sreg w1, %tid.y",
            "mad.wide.u32 d0, w0, #4, #param+8",
            "mad.lo.b32 w0, w0, w1, #3",
            "st.global.b32 [d0], w0",
        ],
    );
    let old = lines(&program("sm_13", Options::default(), body));
    assert!(old.iter().all(|line| !line.starts_with("mad")), "{old:?}");
    let small =
        "mov.u32 %r1, %tid.x; mul24.lo.u32 %r2, %r1, %r1; add.u32 %r3, %r2, %r1; st.shared.u32 [s], %r3;";
    assert_eq!(lines(&program("sm_10", Options::default(), small))[1], "mad24.lo.u32 w0, w0, w0, w0");
}

#[test]
fn labels_and_lines_follow_the_code() {
    let program = program(
        "sm_20",
        Options::default(),
        "mov.u32 %r1, %tid.x;\nmov.u32 %r2, %r1;\nL:\nmov.u32 %r3, 4;\nadd.u32 %r2, %r2, %r3;\n\
         st.shared.u32 [s], %r2;\nbra L;",
    );
    let texts: Vec<&str> = program.lines.iter().map(|line| program.source.line(*line)).collect();
    let (code, labels) = (disasm::program(&program), &program.labels);
    assert_eq!(
        texts,
        ["mov.u32 %r1, %tid.x;", "add.u32 %r2, %r2, %r3;", "st.shared.u32 [s], %r2;", "bra L;"]
    );
    assert_eq!((labels.as_slice(), program.code[3].imm), ([(1, "L".to_owned())].as_slice(), 1), "{code}");
}

#[test]
fn removed_copies_reduce_register_pressure() {
    let body = "mov.u32 %r1, %tid.x; mov.u32 %r2, 3; mov.u32 %r3, 4; mov.u32 %r4, 5; ld.param.u32 %r5, [a];\n\
                add.u32 %r6, %r1, %r2; add.u32 %r6, %r6, %r3; add.u32 %r6, %r6, %r4; add.u32 %r6, %r6, %r5;\n\
                st.shared.u32 [s], %r6;";
    let registers = |options| program("sm_20", options, body).registers;
    assert_eq!((registers(Options::PLAIN), registers(Options::default())), (5, 1));
}

/// Tests: `optimizing-changes-no-result`.
#[test]
fn optimization_time_is_not_quadratic_in_the_length() {
    // Loops, copies, sums, products and reused registers: 50,000 instructions in 5,000 blocks. A
    // quadratic pass would need minutes.
    let mut body = String::from("mov.u32 %r1, %tid.x; mov.f32 %f1, 0f3F800000;\n");
    for i in 0..5000 {
        let _ = writeln!(
            body,
            "L{i}: mov.u32 %r2, {i}; add.u32 %r3, %r1, %r2; add.u32 %r4, %r3, 4; ld.shared.f32 %f2, [%r4];\n\
             mul.f32 %f3, %f1, %f2; add.f32 %f4, %f3, %f1; mov.f32 %f1, %f4; add.u32 %r1, %r1, %r2;\n\
             setp.eq.u32 %p1, %r3, 7; @%p1 bra L{};",
            i / 2
        );
    }
    body += "st.shared.f32 [s], %f1; st.shared.u32 [s+4], %r1;";
    let (plain, optimized) = (program("sm_20", Options::PLAIN, &body), program("sm_20", FUSING, &body));
    assert_eq!(plain.code.len(), 50_005);
    let code = disasm::program(&optimized);
    assert_eq!(optimized.code.len(), 30_003, "{}", &code[code.len() - 2000..]);
}
