//! Functions: the code of calls, the registers of callers and callees, and rejected calls.

use super::*;
use crate::uop::{FunctionCode, Op};

const LEAF: &str = ".func (.param .b32 r) leaf (.param .b32 a) {\n.reg .u32 %x; ld.param.u32 %x, [a];\n\
                    add.u32 %x, %x, 1; st.param.b32 [r], %x; ret; }\n";

/// Compiles the only entry of a module for `sm_20`.
fn program(functions: &str, body: &str) -> Arc<Program> {
    let text = format!(
        ".version 2.3\n.target sm_20\n.address_size 32\n{functions}\n.entry k(.param .u32 out)\n{{\n{REGISTERS}\n{body}\n}}\n"
    );
    Arc::clone(&module(&text).entries[0])
}

fn lines(program: &Program) -> Vec<String> {
    disasm::program(program)
        .trim_start_matches(&disasm::head(program))
        .lines()
        .map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "))
        .collect()
}

#[test]
fn a_call_has_a_move_for_each_value_in_caller_and_callee() {
    let body = "ld.param.u32 %r1, [out];\n{ .param .b32 x; .param .b32 y; st.param.b32 [x], %r1; call (y), leaf, (x);\n\
                ld.param.b32 %r2, [y]; }\nst.global.u32 [%r1], %r2;";
    let expected = [
        "0 ld.param.b32 w0, [0]",
        "1 mov.b32 w1, w0",
        "2 call 6",
        "3 mov.b32 w1, w1",
        "4 st.global.b32 [w0], w1",
        "5 exit",
        ".func leaf number=0",
        "6 mov.b32 w1, w1",
        "7 add.b32 w1, w1, #1",
        "8 mov.b32 w1, w1",
        "9 ret",
    ];
    let program = program(LEAF, body);
    assert_eq!(lines(&program), expected);
    assert_eq!((program.registers, program.call_depth), (2, 1));
}

#[test]
fn the_optimizer_removes_moves_of_a_call() {
    let text = format!(
        ".version 2.3\n.target sm_20\n.address_size 32\n{LEAF}.entry k(.param .u32 out)\n{{\n{REGISTERS}\n\
         mov.u32 %r1, %tid.x; call (%r2), leaf, (%r1); mov.u32 %r3, %tid.y; call (%r4), leaf, (%r3);\n\
         ld.param.u32 %r5, [out]; st.global.v2.u32 [%r5], {{%r2, %r4}};\n}}\n"
    );
    let (module, _) = crate::compile("k.ptx", &text);
    let program = Arc::clone(&module.expect("the text is valid").entries[0]);
    assert_eq!(verify::verify(&program), Ok(()));
    let expected = [
        "0 mov.sreg w0, %tid.x",
        "1 call 8",
        "2 mov.b32 w1, w0",
        "3 mov.sreg w0, %tid.y",
        "4 call 8",
        "5 ld.param.b32 w2, [0]",
        "6 st.global.v2.b32 [w2], {w1, w0}",
        "7 exit",
        ".func leaf number=0",
        "8 add.b32 w0, w0, #1",
        "9 ret",
    ];
    assert_eq!(lines(&program), expected, "the second call must not overwrite the result of the first");
}

#[test]
fn values_that_are_live_across_calls_have_rows_that_no_callee_uses() {
    let middle = ".func (.param .b32 r) middle (.param .b32 a) {\n.reg .u32 %x, %y, %z; ld.param.u32 %x, [a];\n\
                  call (%y), leaf, (%x); mul.lo.u32 %z, %x, %y; st.param.b32 [r], %z; }\n";
    let body = "mov.u32 %r1, %tid.x; mov.u32 %r2, %tid.y; mov.u32 %r5, %tid.z; call (%r3), middle, (%r1); call (%r4), leaf, (%r2);\n\
                add.u32 %r1, %r1, %r2; add.u32 %r1, %r1, %r3; add.u32 %r1, %r1, %r4; ld.param.u32 %r2, [out]; st.global.u32 [%r2], %r1;";
    let program = program(&(LEAF.to_owned() + middle), body);
    let [leaf, middle] = program.functions.as_slice() else { panic!("two functions") };
    assert_eq!(
        (leaf.name.as_str(), middle.name.as_str(), middle.end as usize),
        ("leaf", "middle", program.code.len())
    );
    assert_eq!((program.call_depth, program.function_of(middle.end - 1)), (2, Some(middle)));
    let written = |function: &FunctionCode| {
        let code = &program.code[function.start as usize..function.end as usize];
        code.iter().flat_map(|inst| inst.dsts().map(|(_, row)| row)).collect::<Vec<_>>()
    };
    // The thread indices stay in the caller's rows; in `middle` one more value is live across its
    // call.
    let kept: Vec<u16> = program.code.iter().filter(|i| i.op == Op::MovSreg).map(|i| i.dst).take(2).collect();
    assert!(
        kept.iter().all(|row| !written(leaf).contains(row) && !written(middle).contains(row)),
        "{kept:?}"
    );
    // Two in the kernel, one in `middle`, one in `leaf`.
    assert_eq!(program.registers, 4, "{}", disasm::program(&program));
}

#[test]
fn unreachable_functions_are_not_part_of_a_kernel() {
    let unused = ".func other () { .reg .u32 %x; mov.u32 %x, 7; ret; }\n";
    assert_eq!(program(&(LEAF.to_owned() + unused), "").functions, []);
    let program = program(&(LEAF.to_owned() + unused), "call other;");
    assert_eq!(program.functions.iter().map(|f| f.number).collect::<Vec<_>>(), [1]);
    assert_eq!(program.function(1).map(|f| f.name.as_str()), Some("other"));
    assert_eq!(program.function(0), None);
}

#[test]
fn a_function_has_the_same_address_in_every_kernel() {
    let program = program(LEAF, "mov.u32 %r1, leaf;");
    assert_eq!(program.functions, [], "taking the address does not call the function");
    assert!(lines(&program)[0].ends_with("#0xfe000000"));
    assert_eq!(FunctionCode::number_at(u64::from(FunctionCode::address(12345))), Some(12345));
    assert_eq!(FunctionCode::number_at(u64::from(FunctionCode::address(3)) + 4), None);
    assert_eq!(FunctionCode::number_at(u64::from(FunctionCode::address(3)) | 1 << 32), None);
}

/// Checks that a module is rejected with one error that has `code` and contains `expected`.
#[track_caller]
fn assert_rejected(target: &str, functions: &str, body: &str, code: &str, expected: &str) {
    let version = if target == "sm_20" { "2.3" } else { "1.4" };
    let text = format!(
        ".version {version}\n.target {target}\n{functions}\n.entry k(.param .u32 out)\n{{\n{REGISTERS}\n{body}\n}}\n"
    );
    let (_, diagnostics) = crate::compile("k.ptx", &text);
    let rendered = render_all(&diagnostics, "k.ptx", &text);
    assert!(rendered.contains(code) && rendered.contains(expected), "{rendered}");
    assert_eq!(diagnostics.len(), 1, "{rendered}");
}

#[test]
fn invalid_calls_are_rejected() {
    let rejected =
        |body: &str, code: &str, expected: &str| assert_rejected("sm_20", LEAF, body, code, expected);
    rejected("call leef, (%r1);", "E0301", "did you mean `leaf`");
    rejected("call (%r1), leaf;", "E0311", "the call has 0 arguments, but the function expects 1");
    rejected("call leaf, (%r1);", "E0311", "the call has 0 results, but the function returns 1");
    rejected("call (%r1), leaf, (%d1);", "E0311", "`a` expects a value of 32 bits, found a .u64");
    rejected("call (%f1), leaf, (%p1);", "E0311", "expected a value of 32 bits");
    rejected("{ .param .b64 x; call (%r1), leaf, (x); }", "E0311", "found a value of 64 bits");
    rejected("call (%r1), %r2, (%r3);", "E0304", "add the label of a .callprototype");
    rejected("call (%r1), k, (%r3);", "E0301", "`k` is not declared");
    rejected("call (%r1), L, (%r3);\nL: exit;", "E0304", "expected a function");
    rejected("L: .calltargets leaf, gone;", "E0301", "`gone` is not declared");
    rejected(
        "L: .callprototype _ (.param .b32 _);\ncall (%r1), leaf, (%r2), L;",
        "E0304",
        "expected no operand here",
    );
    rejected(
        "L: .callprototype _ (.param .b32 _);\ncall %h1, (%r2), L;",
        "E0305",
        "expected an address of 32 bits",
    );
    rejected("mov.u16 %h1, leaf;", "E0305", "the address of a function has 32 bits");
    rejected("st.param.u32 [out], %r1;", "E0304", "cannot write an input parameter");
    rejected("{ .param .align 4 .b8 x[6]; st.param.u32 [x+4], %r1; }", "E0308", "the parameter has 6 bytes");
    rejected("{ .param .align 4 .b8 x[6]; st.param.u32 [x+2], %r1; }", "E0308", "misaligned");
    rejected("{ .param .b32 x; mov.u32 %r1, x; }", "E0402", "parameters are in registers");
    rejected("{ .param .b8 x[5000]; }", "E0309", "at most 4096 bytes");
}

#[test]
fn invalid_functions_are_rejected() {
    let wrong = |functions: &str, code: &str, expected: &str| {
        assert_rejected("sm_20", functions, "mov.u32 %r1, f;", code, expected);
    };
    wrong(".func f (.param .pred p) { ret; }", "E0309", "a predicate cannot be stored");
    wrong(".func f (.global .u32 p) { ret; }", "E0309", "expected .reg or .param");
    wrong(".func f (.param .u32 a, .param .u32 a) { ret; }", "E0302", "declared twice");
    wrong(".func f () { ret; } .func f () { ret; }", "E0302", "declared twice");
    wrong(".func f (.param .u32 a) { .reg .u32 %r; st.param.u32 [a], %r; ret; }", "E0304", "cannot write");
    wrong(
        ".func f (.param .u32 a) { .reg .u32 %r; ld.param.u32 %r, [%r]; ret; }",
        "E0402",
        "parameters are in registers",
    );
    wrong(".func f () { .reg .u32 %r; add.u32 %r, %r, %s; }", "E0301", "`%s` is not declared");
    assert_rejected("sm_10", ".func f (.param .b32 a);", "", "E0401", "pass the value in a `.reg`");
    assert_rejected("sm_13", ".func f () { ret; }", "mov.u32 %r1, f;", "E0401", "compute capability 2.0");
    assert_rejected("sm_10", ".func f () { call f; }", "call f;", "E0401", "recursion requires");
}

#[test]
fn functions_that_no_kernel_reaches_are_not_checked() {
    let bad = "{ .reg .u32 %r; add.u32 %r, %r, %s; shfl.sync.up.b32 %r, %r, 1, 0; call g; ret; }\n";
    let functions = format!(".func g () {bad}.func f () {bad}.func h (.param .b32 a) {bad}");
    assert_eq!(program(&(LEAF.to_owned() + &functions), "").functions, []);
    let named = ".global .u32 table[1] = { h };\n";
    let text = format!(".version 2.3\n.target sm_20\n{functions}{named}.entry k() {{ exit; }}\n");
    let (_, diagnostics) = crate::compile("k.ptx", &text);
    assert_eq!(diagnostics.len(), 4, "the table reaches `h`, which calls `g`: {diagnostics:?}");
    let library = text.replace(".entry k() { exit; }", "");
    let (_, diagnostics) = crate::compile("k.ptx", &library);
    assert_eq!(diagnostics.len(), 6, "a module without a kernel is checked completely");
}

#[test]
fn a_parameter_whose_address_is_used_has_a_copy_in_local_memory() {
    let pick = ".func (.reg .u32 r) pick (.param .align 4 .b8 a[14], .reg .u32 i) {\n\
                .reg .u32 %a, %b, %c, %d; mov.u32 %a, a; add.u32 %b, %a, 8; ld.param.u32 %c, [%b];\n\
                add.u32 %d, %a, i; ld.param.u32 r, [%d+4]; add.u32 r, r, %c; ret; }\n";
    let body = "{ .param .align 4 .b8 x[14]; st.param.u32 [x+8], %r2; call (%r1), pick, (x, %r3); }";
    let program = program(pick, body);
    let found = lines(&program);
    let has = |text: &str| found.iter().filter(|line| line.contains(text)).count();
    // Three words and a half; the load with a known place reads the register.
    assert_eq!((has("st.local.b32"), has("st.local.b16"), has("ld.local")), (3, 1, 1), "{found:?}");
    assert_eq!((program.local_bytes, program.local[0].name.as_str()), (14, "a"));
}

#[test]
fn an_address_that_names_one_parameter_stays_in_registers() {
    let third = ".func (.reg .u64 r) third (.param .align 8 .b8 a[24]) {\n\
                 .reg .u64 %a, %b; mov.b64 %a, a; mov.b64 %b, %a; ld.param.u64 r, [%b+16]; ret; }\n";
    let body = "{ .param .align 8 .b8 x[24]; st.param.u64 [x+16], %d2; call (%d1), third, (x); }";
    let program = program(third, body);
    assert_eq!((program.local_bytes, program.local.len()), (0, 0), "{:?}", lines(&program));
}
