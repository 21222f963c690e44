//! Tests of the resolution of instructions to forms. `tests/legality.rs` compares the set of valid
//! instructions with a record.

use super::*;
use crate::diag::render_all;
use crate::ptx::ast::Statement;
use crate::ptx::parse::parse;

/// Collects all instructions of a body, in order.
fn instructions<'t>(statements: &[Statement<'t>], found: &mut Vec<Instruction<'t>>) {
    for statement in statements {
        match statement {
            Statement::Instruction(inst) => found.push((**inst).clone()),
            Statement::Block(inner) => instructions(inner, found),
            _ => {}
        }
    }
}

/// Returns the instructions of a text that is placed inside an entry, and the whole module.
pub(super) fn parsed(body: &str) -> (Vec<Instruction<'static>>, &'static str) {
    let text = format!(".version 1.4\n.target sm_10\n.entry k {{\n{body}\n}}\n").leak();
    let (ast, diagnostics) = parse(text);
    assert!(diagnostics.is_empty(), "{}", render_all(&diagnostics, "k.ptx", text));
    let mut found = Vec::new();
    instructions(ast.functions[0].body.as_deref().unwrap_or_default(), &mut found);
    (found, text)
}

/// Returns the form of the only instruction of `text`.
fn resolved(text: &str) -> Form {
    form(&parsed(text).0[0]).unwrap_or_else(|found| panic!("{text}: {found:?}"))
}

#[test]
fn modifiers_become_fields() {
    let f = resolved("cvt.rzi.ftz.sat.u16.f32 %h1, %f1;");
    assert_eq!((f.opcode, f.ty, f.source), (Opcode::Cvt, Some(ScalarType::U16), Some(ScalarType::F32)));
    assert_eq!((f.rounding, f.ftz, f.sat, f.sm), (Some(Rounding::Rzi), true, true, 10));
    let f = resolved("setp.hs.or.u32 p|q, %r1, 7, !%p3;");
    assert_eq!((f.compare, f.combine, f.part), (Some(Compare::Ge), Some(Combine::Or), None));
    let f = resolved("mul.hi.s32 %r1, %r2, %r3;");
    assert_eq!((f.part, f.compare, f.ty), (Some(Part::Hi), None, Some(ScalarType::S32)));
    let f = resolved("ld.volatile.shared.v4.f32 {%f1, _, %f3, %f4}, [x+16];");
    assert_eq!((f.space, f.volatile, f.vector), (Some(StateSpace::Shared), true, 4));
    let f = resolved("ld.cg.u32 %r1, [%r2];");
    assert_eq!((f.space, f.cache, f.vector, f.sm), (None, Some(Cache::Cg), 1, 20));
    assert_eq!(resolved("bra.uni L;").opcode, Opcode::Bra);
    assert_eq!(resolved("membar.gl;").level, Some(Level::Gl));
    assert_eq!(resolved("and.b32 %r1, %r2, 1;").combine, None);
}

#[test]
fn special_registers_are_read_by_mov_and_cvt_only() {
    for text in ["mov.u32 %r1, %tid.x;", "mov.u16 %h1, %ctaid.y;", "cvt.u32.u16 %r1, %ntid.x;"] {
        resolved(text);
    }
    for text in ["add.u32 %r1, %tid.x, 1;", "st.global.u32 [%r1], %tid.x;", "mov.u32 %tid.x, 1;"] {
        assert!(form(&parsed(text).0[0]).is_err(), "{text}");
    }
}

#[test]
fn a_form_stays_small() {
    assert!(size_of::<Form>() <= 32, "{}", size_of::<Form>());
}
