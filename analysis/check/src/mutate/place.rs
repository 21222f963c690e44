//! The instructions of a program that are changed.

use super::Mutant;
use super::changes::{Edit, changes};
use isa::ptx::ast::Instruction;
use isa::ptx::parse::parse_part;
use isa::source::Source;
use isa::span::Span;

/// Returns all mutants of a program, in the order of its text.
pub fn mutants(source: &Source) -> Vec<Mutant> {
    let mut all = Vec::new();
    for part in source.ranges() {
        let (tree, _) = parse_part(&source.text[..part.end], part.start);
        for function in &tree.functions {
            let name = (function.name.name.to_owned(), function.entry);
            for inst in function.instructions() {
                let edits = changes(inst, &source.text).into_iter();
                all.extend(edits.filter_map(|edit| mutant(inst, &source.text, name.clone(), edit)));
            }
        }
    }
    all
}

/// Returns the mutant of an edit; `None` if its text is the same, or has other lines.
fn mutant(inst: &Instruction, text: &str, function: (String, bool), edit: Edit) -> Option<Mutant> {
    let Edit { kind, at, text: new, change } = edit;
    let part = |from: u32, to: u32| &text[from as usize..to as usize];
    let Span { start, end } = inst.span;
    let before = part(start, end);
    let mut replacement = [part(start, at.start), &new, part(at.end, end)].concat();
    let lines = |text: &str| text.matches('\n').count();
    let missing = lines(before).checked_sub(lines(&replacement))?;
    replacement.extend(std::iter::repeat_n('\n', missing));
    (replacement != before).then_some(Mutant {
        kind,
        function,
        instruction: inst.span,
        changed: at,
        replacement,
        change,
    })
}

#[cfg(test)]
mod tests {
    use super::super::{ChangeKind, is_same_code};
    use super::*;

    /// The changes of the instructions of a kernel, each with the text that it makes.
    fn all(body: &str) -> Vec<(ChangeKind, String, String)> {
        let text = format!(
            ".version 2.3\n.target sm_20\n.entry k(.param .u32 p) {{\n.reg .u32 %r<9>; .reg .f32 %f<9>;\n\
             .reg .pred %p<3>;\n.shared .u32 s[64];\nL:\n{body}\nexit;\n}}\n"
        );
        let source = Source::new("k.ptx", text.clone());
        let (module, errors) = isa::compile("k.ptx", &text);
        assert!(module.is_some(), "{errors:?}");
        let mutants = mutants(&source);
        for mutant in &mutants {
            let changed = mutant.apply(&text);
            let (module, errors) = isa::compile("k.ptx", &changed);
            assert!(module.is_some(), "{changed}\n{errors:?}");
            assert_eq!(changed.lines().count(), text.lines().count(), "{changed}");
        }
        let shown = |m: Mutant| (m.kind, m.change.clone(), m.instruction().unwrap_or("").to_owned());
        mutants.into_iter().map(shown).collect()
    }

    fn of(kind: ChangeKind, body: &str) -> Vec<(String, String)> {
        all(body).into_iter().filter(|(k, ..)| *k == kind).map(|(_, change, text)| (change, text)).collect()
    }

    fn texts(kind: ChangeKind, body: &str) -> Vec<String> {
        of(kind, body).into_iter().map(|(_, text)| text).collect()
    }

    /// Tests: `mutants-have-one-change`.
    #[test]
    fn each_kind_has_its_changes() {
        assert_eq!(of(ChangeKind::Barrier, "bar.sync 0;"), [("removed".to_owned(), String::new())]);
        assert_eq!(texts(ChangeKind::Fence, "membar.gl;"), ["", "membar.cta;"]);
        assert_eq!(texts(ChangeKind::Fence, "membar.cta;"), [""]);
        assert_eq!(texts(ChangeKind::Guard, "@%p1 bra L;"), ["bra L;", "@!%p1 bra L;"]);
        assert_eq!(
            texts(ChangeKind::Guard, "@!%p1 mov.u32 %r1, %r2;"),
            ["mov.u32 %r1, %r2;", "@%p1 mov.u32 %r1, %r2;"]
        );
        assert_eq!(
            texts(ChangeKind::Guard, "selp.u32 %r1, %r2, %r3, %p1;"),
            ["selp.u32 %r1, %r3, %r2, %p1;"]
        );
        assert_eq!(
            of(ChangeKind::Bound, "setp.lt.u32 %p1, %r1, %r2;"),
            [("lt → le".to_owned(), "setp.le.u32 %p1, %r1, %r2;".to_owned())]
        );
        assert_eq!(texts(ChangeKind::Bound, "setp.gtu.f32 %p1, %f1, %f2;"), ["setp.geu.f32 %p1, %f1, %f2;"]);
        assert_eq!(
            texts(ChangeKind::Bound, "setp.eq.and.u32 %p1, %r1, %r2, %p2;"),
            ["setp.ne.and.u32 %p1, %r1, %r2, %p2;"]
        );
        assert_eq!(texts(ChangeKind::Cache, "ld.volatile.shared.u32 %r1, [s];"), ["ld.shared.u32 %r1, [s];"]);
        assert_eq!(texts(ChangeKind::Cache, "ld.global.cg.u32 %r1, [%r2];"), ["ld.global.u32 %r1, [%r2];"]);
    }

    #[test]
    fn numbers_and_offsets_have_neighbors() {
        assert_eq!(
            of(ChangeKind::Constant, "add.u32 %r1, %r2, 4;")
                .into_iter()
                .map(|(change, _)| change)
                .collect::<Vec<_>>(),
            ["add: 4 → 5", "add: 4 → 3", "add: 4 → 8"]
        );
        assert_eq!(
            texts(ChangeKind::Constant, "add.u32 %r1, %r2, 1;"),
            ["add.u32 %r1, %r2, 2;", "add.u32 %r1, %r2, 0;"]
        );
        assert_eq!(texts(ChangeKind::Constant, "add.u32 %r1, %r2, 0x10;")[2], "add.u32 %r1, %r2, 32;");
        assert_eq!(texts(ChangeKind::Constant, "add.s32 %r1, %r2, -4;")[0], "add.s32 %r1, %r2, -3;");
        assert_eq!(
            texts(ChangeKind::Constant, "ld.global.v2.u32 {%r1, %r2}, [%r3+16];"),
            ["ld.global.v2.u32 {%r1, %r2}, [%r3+24];", "ld.global.v2.u32 {%r1, %r2}, [%r3+8];"]
        );
        assert_eq!(
            texts(ChangeKind::Constant, "st.shared.u32 [s], %r1;"),
            ["st.shared.u32 [s+4], %r1;", "st.shared.u32 [s+-4], %r1;"]
        );
        assert!(
            texts(ChangeKind::Constant, "ld.param.u32 %r1, [p];").is_empty(),
            "arguments have no neighbors"
        );
        assert!(texts(ChangeKind::Constant, "add.f32 %f1, %f2, 0f3F800000;").is_empty());
    }

    #[test]
    fn an_atomic_is_removed_or_becomes_a_load_and_a_store() {
        let found = of(ChangeKind::Atomic, "@%p1 atom.global.add.u32 %r1, [%r2+4], %r3;");
        assert_eq!(found[0], ("removed".to_owned(), String::new()));
        assert_eq!(
            found[1],
            (
                "load, add, store".to_owned(),
                "{ .reg .u32 %old, %new; @%p1 ld.global.u32 %old, [%r2+4]; @%p1 add.u32 %new, %old, %r3; \
                 @%p1 st.global.u32 [%r2+4], %new; @%p1 mov.u32 %r1, %old; }"
                    .to_owned()
            )
        );
        for body in [
            "red.shared.max.s32 [s], %r1;",
            "red.global.and.b32 [%r1], %r2;",
            "atom.global.exch.b32 %r1, [%r1], %r2;",
            "atom.shared.cas.b32 %r1, [s], %r2, %r3;",
            "atom.global.inc.u32 %r1, [%r2], %r3;",
            "atom.global.dec.u32 %r1, [%r2], %r3;",
            "red.global.add.f32 [%r1], %f1;",
            "atom.add.u32 %r1, [%r2], 1;",
        ] {
            assert_eq!(of(ChangeKind::Atomic, body).len(), 2, "{body}");
        }
    }

    #[test]
    fn operations_become_others() {
        for (body, expected) in [
            ("add.u32 %r1, %r2, %r3;", "sub.u32 %r1, %r2, %r3;"),
            ("sub.f32 %f1, %f2, %f3;", "add.f32 %f1, %f2, %f3;"),
            ("mul.lo.u32 %r1, %r2, %r3;", "add.u32 %r1, %r2, %r3;"),
            ("mul.rn.f32 %f1, %f2, %f3;", "add.rn.f32 %f1, %f2, %f3;"),
            ("mad.lo.u32 %r1, %r2, %r3, %r4;", "mul.lo.u32 %r1, %r2, %r3;"),
            ("fma.rn.f32 %f1, %f2, %f3, %f4;", "mul.rn.f32 %f1, %f2, %f3;"),
            ("rem.u32 %r1, %r2, %r3;", "div.u32 %r1, %r2, %r3;"),
            ("and.b32 %r1, %r2, %r3;", "or.b32 %r1, %r2, %r3;"),
            ("xor.b32 %r1, %r2, %r3;", "or.b32 %r1, %r2, %r3;"),
            ("shl.b32 %r1, %r2, %r3;", "shr.b32 %r1, %r2, %r3;"),
            ("shr.s32 %r1, %r2, %r3;", "shl.b32 %r1, %r2, %r3;"),
            ("min.f32 %f1, %f2, %f3;", "max.f32 %f1, %f2, %f3;"),
            ("neg.f32 %f1, %f2;", "mov.f32 %f1, %f2;"),
            ("not.b32 %r1, %r2;", "mov.b32 %r1, %r2;"),
        ] {
            assert_eq!(texts(ChangeKind::Arithmetic, body), [expected]);
        }
        for same in ["mul.wide.u16 %r1, 2, 3;", "add.cc.u32 %r1, %r2, %r3;", "mov.u32 %r1, %r2;"] {
            assert!(texts(ChangeKind::Arithmetic, same).is_empty(), "{same}");
        }
    }

    #[test]
    fn code_is_compared_without_its_lines() {
        let compiled = |body: &str| {
            let text = format!(
                ".version 1.4\n.target sm_13\n.entry k(.param .u32 p) {{\n.reg .u32 %r<9>;\n\
                 ld.param.u32 %r1, [p];\n{body}\nst.global.u32 [%r1], %r2;\nexit;\n}}\n"
            );
            isa::compile("k.ptx", &text).0.expect("it compiles")
        };
        let one = compiled("mov.u32 %r2, 3;");
        assert!(is_same_code(&one, &compiled("\n\nadd.u32 %r2, 1, 2;")), "the sum is folded");
        assert!(is_same_code(&one, &compiled("mov.u32 %r2, 3; mov.u32 %r3, 4;")), "dead code is removed");
        assert!(!is_same_code(&one, &compiled("mov.u32 %r2, 4;")), "another number");
        assert!(!is_same_code(&one, &compiled("mov.u32 %r2, %clock;")), "another operation");
    }
}
