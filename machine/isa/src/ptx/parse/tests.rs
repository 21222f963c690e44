//! Tests of the parser: the trees of valid text, robustness against invalid text, and a corpus.

use super::super::ast::{Init, Instruction, Linkage, Literal, OperandKind, Statement};
use super::*;
use crate::types::{ScalarType, StateSpace};

/// Text that compilers and generators wrote parses without a diagnostic.
#[test]
fn the_corpus_parses() {
    let mut errors = String::new();
    for (name, text) in test_support::record::ptx("") {
        let (ast, diagnostics) = parse(text);
        assert!(!ast.functions.is_empty(), "{name} has no function");
        if let Some(first) = diagnostics.first() {
            errors += &first.render(&(name, text));
            errors += "\n";
        }
    }
    assert!(errors.is_empty(), "{errors}");
}

/// A text with many syntactic features, for the tests that damage it.
const SAMPLE: &str = r#"
.version 1.4
.target sm_10, map_f64_to_f32
.address_size 32
.file 1 "sample.cu"
.extern .shared .align 16 .b8 dynamic[];
.const .f32 table[2][2] = {{1.5}, {0f3F800000, -2.0}};
.global .u32 where[] = {table, table+4, 2 * (3 + 4)};
.visible .entry sample(.param .u32 .ptr .global .align 4 a, .param .u32 n)
.maxntid 16, 16
{
    .reg .u32 %r<5>, %x;
    .reg .pred p, q;
    .loc 1 7 3
    mov.u32 %r1, %tid.x; add.s32 %r2, %r1, -1;
    @!p bra.uni $L__BB0_2;
    setp.lt.and.s32 p|q, %r1, 0x10U, !p; /* a
    comment */
    ld.volatile.global.v2.u32 {%r1, _}, [%r3+-4]; // another
    {
        .param .b32 arg0;
        st.param.b32 [arg0+0], %r1;
        call.uni (%r2),
        callee,
        (
        arg0
        );
    }
$L__BB0_2:
    .pragma "nounroll";
    exit;
}
"#;

/// Returns the statements of the only body.
fn body(text: &str) -> Vec<Statement<'_>> {
    let (ast, diagnostics) = parse(text);
    assert!(diagnostics.is_empty(), "{}", crate::diag::render_all(&diagnostics, "k.ptx", text));
    ast.functions.into_iter().find_map(|f| f.body).expect("a body")
}

fn instruction(text: &str) -> Instruction<'static> {
    let body = body(format!(".version 1.4\n.target sm_10\n.entry k {{ {text} }}").leak());
    let Some(Statement::Instruction(inst)) = body.into_iter().next() else {
        panic!("no instruction in {text}")
    };
    *inst
}

/// Returns the kinds of an instruction's operands, in Rust's notation.
fn operands(text: &str) -> Vec<String> {
    instruction(text).operands.iter().map(|o| format!("{:?}", o.kind)).collect()
}

#[test]
fn header_and_variables() {
    let (ast, diagnostics) = parse(SAMPLE);
    assert!(diagnostics.is_empty(), "{}", crate::diag::render_all(&diagnostics, "k.ptx", SAMPLE));
    assert_eq!(ast.version.map(|(major, minor, _)| (major, minor)), Some((1, 4)));
    let target: Vec<&str> = ast.target.iter().map(|t| t.name).collect();
    assert_eq!(target, ["sm_10", "map_f64_to_f32"]);
    assert_eq!(ast.address_size.map(|(bits, _)| bits), Some(32));
    let [dynamic, table, place] = ast.variables.as_slice() else { panic!("three variables") };
    assert!(
        dynamic.linkage == Linkage::Extern && dynamic.space == StateSpace::Shared && dynamic.dims == [None]
    );
    assert_eq!(dynamic.align.map(|(bytes, _)| bytes), Some(16));
    assert_eq!((table.ty, table.dims.as_slice()), (ScalarType::F32, [Some(2), Some(2)].as_slice()));
    let values: Vec<Literal> = table.init.iter().flatten().filter_map(value).collect();
    let zero = Literal::Int { value: 0, negative: false };
    let f64_bits = |v: f64| Literal::F64(v.to_bits());
    assert_eq!(values, [f64_bits(1.5), zero, Literal::F32(0x3F80_0000), f64_bits(-2.0)]);
    let places: Vec<String> = place.init.iter().flatten().map(shown).collect();
    assert_eq!(places, ["table+0", "table+4", "14"]);
}

fn value(init: &Init) -> Option<Literal> {
    match init {
        Init::Value(literal, _) => Some(*literal),
        Init::Address(..) | Init::Generic(..) => None,
    }
}

fn shown(init: &Init) -> String {
    match init {
        Init::Value(Literal::Int { value, .. }, _) => value.to_string(),
        Init::Value(other, _) => format!("{other:?}"),
        Init::Address(name, offset) => format!("{}+{offset}", name.name),
        Init::Generic(name, offset) => format!("generic({}+{offset})", name.name),
    }
}

#[test]
fn functions_and_statements() {
    let (ast, _) = parse(SAMPLE);
    let function = &ast.functions[0];
    assert!(function.entry && function.name.name == "sample");
    let params: Vec<&str> = function.params.iter().map(|p| p.name.name).collect();
    assert_eq!(params, ["a", "n"]);
    assert_eq!(function.params[0].align, None, "the alignment belongs to the memory that `a` points to");
    assert_eq!(function.directives[0].0.name, "maxntid");
    assert_eq!(function.directives[0].1, [16, 16]);
    let shape: Vec<&str> = function.body.iter().flatten().map(kind).collect();
    let expected = "var var var var loc inst inst inst inst inst block label inst";
    assert_eq!(shape.join(" "), expected);
    let Some(Statement::Variable(registers)) = function.body.iter().flatten().next() else {
        panic!("a variable")
    };
    assert_eq!((registers.name.name, registers.range), ("%r", Some(5)));
}

fn kind(statement: &Statement) -> &'static str {
    match statement {
        Statement::Variable(_) => "var",
        Statement::Label(_) => "label",
        Statement::Instruction(_) => "inst",
        Statement::Block(_) => "block",
        Statement::CallTable(_) => "call table",
        Statement::Loc { .. } => "loc",
    }
}

#[test]
fn guards_modifiers_and_spans() {
    let text = ".version 1.4\n.target sm_10\n.entry k {\n  @!%p1 bra.uni  L;\n  L: exit;\n}";
    let body = body(text);
    let Some(Statement::Instruction(inst)) = body.first() else { panic!("an instruction") };
    assert_eq!(inst.guard.as_ref().map(|(p, negated)| (p.name, *negated)), Some(("%p1", true)));
    assert_eq!((inst.opcode.name, inst.modifiers[0].name), ("bra", "uni"));
    assert_eq!(&text[inst.span.range()], "@!%p1 bra.uni  L;");
    assert_eq!(&text[inst.modifiers[0].span.range()], ".uni");
    assert_eq!(&text[inst.operands[0].span.range()], "L");
}

#[test]
fn operands_of_every_kind() {
    assert_eq!(operands("mov.u32 %r1, %tid.x;"), [r#"Name("%r1")"#, r#"Name("%tid.x")"#]);
    assert_eq!(operands("mov.u32 %r1, a+4;")[1], r#"NameOffset("a", 4)"#);
    assert_eq!(operands("setp.eq.s32 p|q, 1, 2;")[0], r#"Pair("p", "q")"#);
    assert_eq!(operands("vote.all.pred p, !q;")[1], r#"Not("q")"#);
    assert!(operands("ld.u32 %r1, [4096];")[1].contains("base: None, offset: 4096"));
    assert!(operands("ld.u32 %r1, [%r2+-4];")[1].contains("offset: -4"));
    assert!(operands("ld.u32 %r1, [%r2 - 4 + 8*2];")[1].contains("offset: 12"));
    assert!(operands("ld.v2.u32 {%r1, _}, [a];")[0].starts_with("Vector(["));
    assert!(operands("call (%r1), f, (%r2, 5);")[2].starts_with("List(["));
    assert!(operands("tex.2d.v4.f32.s32 {a, b, c, d}, [t, {x, y}];")[1].starts_with("List(["));
    assert!(operands("ret;").is_empty());
}

#[test]
fn constant_expressions() {
    let int = |text: &str| match instruction(&format!("mov.u64 %r1, {text};")).operands[1].kind {
        OperandKind::Literal(Literal::Int { value, negative }) => (value, negative),
        ref other => panic!("{text} is {other:?}"),
    };
    assert_eq!(int("3*4+1"), (13, false));
    assert_eq!(int("-(2 + 3) * 4"), (20_u64.wrapping_neg(), true));
    assert_eq!(int("1 << 4 | 0x3 & ~1"), (18, false));
    assert_eq!(int("7U - 2 - 1"), (4, false));
    assert_eq!(int("WARP_SZ / 2 % 5"), (1, false));
    assert_eq!(int("017"), (15, false));
    assert_eq!(int("0b101"), (5, false));
    assert_eq!(int("~0"), (u64::MAX, false), "`~` is unsigned");
    assert_eq!(int("0xFFFFFFFFFFFFFFFF"), (u64::MAX, false));
    assert_eq!(int("-9223372036854775808"), (1 << 63, false), "2^63 is unsigned");
}

/// Values that NVIDIA's assembler (ptxas 12.9 and 13.5) gives these expressions.
#[test]
fn constant_expressions_have_the_values_of_the_assembler() {
    let bits = |text: &str| match instruction(&format!("mov.u64 %r1, {text};")).operands[1].kind {
        OperandKind::Literal(Literal::Int { value, .. } | Literal::F64(value)) => value,
        ref other => panic!("{text} is {other:?}"),
    };
    let table = include_str!("constants.tsv");
    for line in table.lines().skip(1) {
        let (text, value) = line.split_once('\t').expect("two columns");
        assert_eq!(bits(text).to_string(), value, "{text}");
    }
    assert!(table.lines().count() > 100);
}

/// Syntax of nvcc 2: registers at module scope, debug lines, 16-bit special registers, a label at
/// the end.
#[test]
fn syntax_of_early_nvcc() {
    let text = r#"
	.version 1.4
	.target sm_10, map_f64_to_f32
	.reg .u32 %ra<17>;
	.file	1	"<command-line>"
	@@DWARF .section .debug_info
	.entry _Z1kPf (
		.param .u32 __cudaparm__Z1kPf_a)
	{
	.reg .u16 %rh<4>;
	.reg .u32 %r<5>;
	.loc	15	4	0
$LBB1__Z1kPf:
	mov.u16 	%rh1, %ctaid.x;
	cvt.u32.u16 	%r1, %tid.x;
	mul.wide.u16 	%r2, %rh1, %rh2;
	ld.param.u32 	%r3, [__cudaparm__Z1kPf_a];	// id:16 __cudaparm__Z1kPf_a+0x0
	bra.uni 	$LDWend__Z1kPf;
	exit;
$LDWend__Z1kPf:
	} // _Z1kPf
"#;
    let (ast, diagnostics) = parse(text);
    assert!(diagnostics.is_empty(), "{}", crate::diag::render_all(&diagnostics, "k.ptx", text));
    assert_eq!(ast.variables[0].space, StateSpace::Reg);
    let shape: Vec<&str> = ast.functions[0].body.iter().flatten().map(kind).collect();
    assert_eq!(shape.join(" "), "var var loc label inst inst inst inst inst inst label");
}

/// nvcc before PTX 2.0 declared parameters at the top of the body.
#[test]
fn parameters_in_the_body_are_moved_to_the_head() {
    let text = |version: &str| {
        format!(".version {version}\n.target sm_10\n.entry k {{ .param .u32 n; {{ .param .u32 m; }} exit; }}")
    };
    let (old, new) = (text("1.4"), text("2.0"));
    let old = &parse(&old).0.functions[0];
    assert_eq!((old.params.len(), old.body.as_ref().map(Vec::len)), (1, Some(2)));
    let new = &parse(&new).0.functions[0];
    assert_eq!((new.params.len(), new.body.as_ref().map(Vec::len)), (0, Some(3)));
}

/// A missing semicolon or an invalid operand does not affect other instructions.
#[test]
fn errors_do_not_spread() {
    let text =
        ".version 1.4\n.target sm_10\n.entry k {\n add.s32 a, b, c\n mov.b32 {a b}, c;\n sub.s32 a, b, c;\n}";
    let (ast, diagnostics) = parse(text);
    assert_eq!(diagnostics.len(), 2);
    let body = ast.functions[0].body.as_ref().expect("a body");
    let opcodes: Vec<&str> = body
        .iter()
        .filter_map(|s| match s {
            Statement::Instruction(inst) => Some(inst.opcode.name),
            _ => None,
        })
        .collect();
    assert_eq!(opcodes, ["add", "sub"]);
}

/// The parser terminates if any part of the text is truncated, removed, inserted or replaced.
///
/// Tests: `no-input-panics`.
#[test]
fn damaged_text_causes_no_panic() {
    for i in 0..SAMPLE.len() {
        let (before, after) = SAMPLE.split_at(i);
        parse(before);
        parse(after);
        for junk in ["{", "}", "(", "[", ";", "\"", "/*", "\u{20ac}", ".", "-", ",", "@", "\n"] {
            parse(&format!("{before}{junk}{after}"));
            parse(&format!("{before}{junk}{}", &after[1..]));
        }
    }
}
