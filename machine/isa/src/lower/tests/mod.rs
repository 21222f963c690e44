//! Compilation from text to program: layouts, scopes, lines, the text form.

mod across;
mod calls;
mod complaints;
mod double;
mod header;
mod integers;
mod selected;
mod single;
mod special;
mod vectors;

use crate::diag::render_all;
use crate::options::Options;
use crate::uop::{ConstValue, Module, Program, disasm, verify};
use std::sync::Arc;

const REGISTERS: &str =
    ".reg .u32 %r<9>; .reg .u64 %d<9>; .reg .f32 %f<9>; .reg .pred %p<9>; .reg .u16 %h<9>;";

/// Compiles a module without errors and verifies every program in it.
fn module(text: &str) -> Module {
    let (module, diagnostics) = crate::compile_with("k.ptx", text, Options::PLAIN);
    let module = module.unwrap_or_else(|| panic!("{}", render_all(&diagnostics, "k.ptx", text)));
    for program in &module.entries {
        assert_eq!(verify::verify(program), Ok(()), "{}", disasm::program(program));
    }
    module
}

/// Compiles the only entry of a module for `target` with variables `module_scope`, parameters
/// `params` and `body`.
fn entry_for(target: &str, module_scope: &str, params: &str, body: &str) -> Arc<Program> {
    let version = if target < "sm_20" { "1.4" } else { "2.3" };
    entry_in(version, target, module_scope, params, body)
}

/// As [`entry_for`], in a module of `version`.
fn entry_in(version: &str, target: &str, module_scope: &str, params: &str, body: &str) -> Arc<Program> {
    let text = format!(
        ".version {version}\n.target {target}\n{module_scope}\n.entry k({params})\n{{\n{REGISTERS}\n{body}\n}}\n"
    );
    Arc::clone(&module(&text).entries[0])
}

fn entry(body: &str) -> Arc<Program> {
    entry_for("sm_10", "", "", body)
}

/// Checks the micro-ops of a body, without the exit at its end.
#[track_caller]
fn assert_code(body: &str, expected: &[&str]) {
    assert_program(&entry(body), expected);
}

#[track_caller]
fn assert_program(program: &Program, expected: &[&str]) {
    let code: Vec<String> = program.code.iter().map(|inst| disasm::instruction(program, inst)).collect();
    let (last, code) = code.split_last().expect("a program has code");
    assert_eq!(
        (code, last.as_str()),
        (expected.iter().map(ToString::to_string).collect::<Vec<_>>().as_slice(), "exit")
    );
}

/// Checks that `body` is rejected with one error that has `code` and contains `expected`.
#[track_caller]
fn assert_error_at(body: &str, code: &str, expected: &str) {
    let text = format!(".version 1.4\n.target sm_10\n.entry k()\n{{\n{REGISTERS}\n{body}\n}}\n");
    let (_, diagnostics) = crate::compile("k.ptx", &text);
    let rendered = render_all(&diagnostics, "k.ptx", &text);
    assert!(rendered.contains(code) && rendered.contains(expected), "{rendered}");
    assert_eq!(diagnostics.len(), 1, "{rendered}");
}

#[test]
fn parameters_have_their_natural_alignment() {
    let params = ".param .u8 a, .param .u64 b, .param .u16 c, .param .f32 d, .param .align 8 .b8 e[12]";
    let program = entry_for("sm_10", "", params, "");
    let places: Vec<_> = program.params.iter().map(|p| (p.name.as_str(), p.offset, p.bytes)).collect();
    assert_eq!(places, [("a", 0, 1), ("b", 8, 8), ("c", 16, 2), ("d", 20, 4), ("e", 24, 12)]);
    assert_eq!(program.param_bytes, 36);
}

#[test]
fn shared_memory_contains_only_the_variables_that_an_entry_uses() {
    let text = ".version 1.4\n.target sm_10\n.extern .shared .align 16 .b8 dynamic[];\n.shared .u8 flag;\n\
                .shared .f32 unused[100];\n\
                .entry a() { .shared .f32 tile[5]; .reg .u32 %r<2>;\n mov.u32 %r0, flag; mov.u32 %r0, dynamic;\n\
                mov.u32 %r0, tile; }\n.entry b() { exit; }\n";
    let module = module(text);
    let [a, b] = module.entries.as_slice() else { panic!("two entries") };
    let places: Vec<_> = a.shared.iter().map(|s| (s.name.as_str(), s.offset, s.bytes)).collect();
    // Dynamic shared memory begins after the 24 static bytes, at its alignment.
    assert_eq!(places, [("flag", 0, 1), ("tile", 4, 20), ("dynamic", 32, 0)]);
    assert_eq!((a.shared_bytes, b.shared_bytes, b.shared.len()), (32, 0, 0));
    assert_eq!(a.const32, [ConstValue::Bits(0), ConstValue::Bits(32), ConstValue::Bits(4)]);
}

#[test]
fn initialized_variables_have_images() {
    let text = ".version 1.4\n.target sm_10\n.const .u8 c = 7;\n.const .f32 table[2][2] = {{1.0}, {0f40000000, 3.0}};\n\
                .global .u64 link[3] = {second+4, 0, -1};\n.global .u16 second[4] = {1, 2};\n.entry k() { exit; }\n";
    let module = module(text);
    let [c, table] = module.consts.as_slice() else { panic!("two constants") };
    assert_eq!((c.init.as_slice(), c.offset, table.offset, module.const_bytes), ([7].as_slice(), 0, 4, 20));
    let floats: Vec<f32> = table.init.chunks(4).map(|b| f32::from_le_bytes(b.try_into().unwrap())).collect();
    assert_eq!(floats, [1.0, 0.0, 2.0, 3.0]);
    let [link, second] = module.globals.as_slice() else { panic!("two variables") };
    assert_eq!(link.relocs, [(0, 1, 4, 8)]);
    assert_eq!((link.bytes, link.init.len(), &link.init[16..]), (24, 24, [0xff; 8].as_slice()));
    assert_eq!((second.bytes, second.init.as_slice()), (8, [1, 0, 2, 0].as_slice()));
}

#[test]
fn address_size_follows_from_the_addresses() {
    assert_eq!(entry("ld.global.u32 %r1, [%r2];").address_bits, 32);
    assert_eq!(entry("ld.global.u32 %r1, [%d2];").address_bits, 64);
    let shared = entry_for("sm_10", ".shared .u32 s;", "", "mov.u64 %d1, s;");
    assert_eq!(shared.address_bits, 64);
    assert_eq!(entry("add.u64 %d1, %d1, 1;").address_bits, 32);
}

#[test]
fn directives_and_lines_are_in_the_program() {
    let text = ".version 2.1\n.target sm_11\n.entry k() .maxntid 64, 2\n{\n  bar.sync 0;\n\n  exit;\n}\n";
    let required = module(&text.replace("maxntid 64, 2", "reqntid 32"));
    assert_eq!(required.entry("k").unwrap().required_block, Some([32, 1, 1]));
    let module = module(text);
    let program = module.entry("k").unwrap();
    assert_eq!((program.max_block, program.required_block), (Some([64, 2, 1]), None));
    assert_eq!(program.lines, [5, 7]);
    assert_eq!(&text[program.spans[0].range()], "bar.sync 0;");
    assert_eq!((program.target.major, program.target.minor), (1, 1));
    assert_eq!(program.source.line(5), "bar.sync 0;");
}

#[test]
fn scopes_hide_names_and_labels() {
    let body = ".reg .u32 a;\n mov.u32 a, 1;\n { .reg .u64 a; mov.u64 a, 2; bra L; L: }\n bra L;\n L: mov.u32 %r1, a;";
    let program = entry(body);
    assert_eq!(
        disasm::program(&program),
        ".entry k\n.rows w=1 d=1 p=0\n.const32 #1\n.const64 #2\n      0  mov.b32 w0, #1\n      1  mov.b64 d0, #2\n      2  bra 3\nL:\n      3  bra 4\nL:\n      \
         4  mov.b32 w0, w0\n      5  exit\n"
    );
}

#[test]
fn the_text_form_shows_guards_labels_and_reconvergence() {
    let program = entry(
        "@!%p1 bra SOME;\n st.volatile.shared.u32 [%r1+-4], 100000;\n @%p2 bra DONE;\n SOME: membar.cta;\n DONE: exit;",
    );
    let expected = ".entry k\n.rows w=1 d=0 p=2\n.const32 #0x186a0\n      0  @!p0 bra 3 reconv=3\n      1  st.shared.b32 [w0-4], #0x186a0 volatile\n      \
                    2  @p1 exit\nSOME:\n      3  membar.cta\nDONE:\n      4  exit\n";
    assert_eq!(disasm::program(&program), expected);
}

/// As NVIDIA's driver does (580, PTX of `sm_20`): a source predicate may be negated.
#[test]
fn source_predicates_can_be_negated() {
    for (negated, same) in [
        ("selp.u32 %r1, %r2, %r3, !%p1;", "selp.u32 %r1, %r3, %r2, %p1;"),
        ("selp.u64 %d1, 5, %d3, !%p1;", "selp.u64 %d1, %d3, 5, %p1;"),
    ] {
        let code = |text: &str| entry(&format!("mov.u32 %r2, 1; mov.u32 %r3, 2;\n{text}")).code.clone();
        assert_eq!(code(negated), code(same), "{negated}");
    }
    for (negated, last) in [
        ("and.pred %p1, %p2, !%p3;", "and.pred"),
        ("mov.pred %p1, !%p2;", "mov.pred"),
        ("not.pred %p1, !%p2;", "not.pred"),
    ] {
        let program = entry(negated);
        let code: Vec<&str> = program.code.iter().map(|inst| inst.op.text()).collect();
        assert_eq!(code, ["not.pred", last, "exit"], "{negated}");
    }
    assert_error_at("mov.u32 %r1, !%p1;", "E0206", "must be a register or number");
    assert_error_at("setp.eq.u32 !%p1, %r1, %r2;", "E0206", "one predicate register, or two");
}

/// As NVIDIA's driver does: the data of an access, and one side of a `mov` of bits, may be one
/// register in braces.
#[test]
fn one_register_can_be_in_braces() {
    for (braces, same) in [
        ("ld.global.u32 {%r1}, [%r2];", "ld.global.u32 %r1, [%r2];"),
        ("ld.shared.u64 {%d1}, [%r2];", "ld.shared.u64 %d1, [%r2];"),
        ("st.global.u32 [%r2], {%r1};", "st.global.u32 [%r2], %r1;"),
        ("st.local.u32 [%r2], {5};", "st.local.u32 [%r2], 5;"),
        ("mov.b32 %r1, {%r2};", "mov.b32 %r1, %r2;"),
        ("mov.b32 {%r1}, %f2;", "mov.b32 %r1, %f2;"),
        ("mov.b64 {%d1}, %d2;", "mov.b64 %d1, %d2;"),
        ("mov.b32 %r1, {5};", "mov.b32 %r1, 5;"),
        ("mov.b16 %h1, {%h2};", "mov.b16 %h1, %h2;"),
    ] {
        assert_eq!(entry(braces).code, entry(same).code, "{braces}");
    }
    assert_error_at("ld.global.v1.u32 {%r1}, [%r2];", "E0203", "does not accept `.v1`");
    assert_error_at("ld.global.u32 {%r1, %r2}, [%r2];", "E0206", "a destination register");
    assert_error_at("ld.global.u32 {_}, [%r2];", "E0206", "a destination register");
    assert_error_at("add.u32 %r1, {%r2}, %r3;", "E0206", "a register or number");
    assert_error_at("mov.u32 %r1, {%r2};", "E0206", "a register or number");
    assert_error_at("mov.b64 %d1, {%r1};", "E0305", "expected a .b64");
    assert_error_at("mov.b32 {_}, %r1;", "E0304", "a register, or several parts");
}

#[test]
fn lowering_is_deterministic() {
    let text = include_str!("../../../../../kernels/ptx/matmul_tiled.ptx");
    let drawn = |module: &Module| format!("{:?} {:?} {:?}", module.entries, module.globals, module.consts);
    assert_eq!(drawn(&module(text)), drawn(&module(text)));
}

#[test]
fn operands_of_a_rejected_instruction_cause_no_further_errors() {
    let text = ".version 1.4\n.target sm_10\n.entry k() {\n  call some_function;\n}\n";
    let (module, diagnostics) = crate::compile("k.ptx", text);
    assert!(module.is_none());
    assert_eq!(diagnostics.len(), 1, "{}", render_all(&diagnostics, "k.ptx", text));
}

/// PTX ISA 2.3, "Initializers": an address in an initializer is that of the variable's space, and
/// `generic` makes it a generic one.
#[test]
fn initializers_have_addresses_and_generic_addresses() {
    let text = ".version 2.3\n.target sm_20\n.const .align 8 .b32 c[4];\n.global .u32 g[2];\n\
                .global .u64 p[] = {g, generic(g)+4, generic(g+4), c, generic(c)+8};\n.entry k { exit; }\n";
    let pointers = &module(text).globals[1];
    assert_eq!(pointers.relocs, [(0, 0, 0, 8), (8, 0, 4, 8), (16, 0, 4, 8)]);
    let word = |at: usize| u64::from_le_bytes(pointers.init[at..at + 8].try_into().unwrap());
    assert_eq!((word(24), word(32)), (0, u64::from(crate::generic::CONST_WINDOW) + 8));
}
