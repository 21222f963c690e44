//! Accuracy of the instructions of a file: identical to the silicon's bits, approximate, or
//! rejected.
//!
//! The table is made from the syntax tree, not from the lowered code, so that a file with errors
//! has a table too.
//!
//! Invariant `fidelity-of-files`: The fidelity table of a file agrees with its lowered code, and
//! a file with errors has one.

use isa::diag::Diagnostic;
use isa::ptx::ast::{Ast, Function, Instruction};
use isa::ptx::forms;
use isa::sem::fidelity::{Bound, Fidelity, Measure};
use isa::span::{LineIndex, Span};
use serde::Serialize;
use std::collections::BTreeMap;

/// Codes of instructions that are rejected because the simulator, or the module's target or
/// version, does not have them.
const NOT_HERE: [&str; 6] = ["E0201", "E0202", "E0401", "E0402", "E0404", "E0405"];

/// The uses of one instruction of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Uses {
    /// Name of the instruction with its modifiers.
    pub instruction: String,
    /// Accuracy of its results.
    #[serde(flatten)]
    pub result: SiliconAgreement,
    /// Number of uses in the file.
    pub uses: usize,
    /// Lines with the instruction, without duplicates.
    pub lines: Vec<u32>,
}

/// Accuracy of an instruction's results relative to the silicon's.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(tag = "result", rename_all = "lowercase")]
pub enum SiliconAgreement {
    /// The instruction is rejected.
    Refused {
        /// Code of the diagnostic.
        code: &'static str,
        /// Message of the diagnostic.
        reason: String,
    },
    /// The results are within a bound.
    Approximate {
        /// The bound as text.
        bound: String,
        /// Binary logarithm of the bound, in tenths.
        #[serde(serialize_with = "tenths")]
        log2: i32,
        /// The bound's measure: `relative` to the silicon's value, `absolute`, or the `sum` of
        /// both.
        measure: &'static str,
    },
    /// The results have the same bits.
    Exact,
}

/// Serializes tenths as a decimal number.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes fields by reference")]
fn tenths<S: serde::Serializer>(tenths: &i32, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64(f64::from(*tenths) / 10.0)
}

impl SiliconAgreement {
    fn of(bound: Bound) -> Self {
        Self::Approximate {
            bound: bound.to_string(),
            log2: (bound.log2() * 10.0) as i32,
            measure: match bound.measure {
                Measure::Relative => "relative",
                Measure::Absolute => "absolute",
                Measure::Sum => "sum",
            },
        }
    }
}

/// Returns every instruction of the files: rejected, then approximate, then exact instructions, by
/// name.
pub fn table(trees: &[Ast], diagnostics: &[Diagnostic], text: &str) -> Vec<Uses> {
    let functions = trees.iter().flat_map(|tree| &tree.functions);
    let instructions: Vec<&Instruction> = functions.flat_map(Function::instructions).collect();
    let errors: Vec<(Span, &Diagnostic)> = diagnostics
        .iter()
        .filter(|diagnostic| diagnostic.is_error())
        .filter_map(|diagnostic| diagnostic.labels.first().map(|(span, _)| (*span, diagnostic)))
        .collect();
    let errors = InOrder::new(errors);
    let lines = LineIndex::new(text);
    let mut found: BTreeMap<(SiliconAgreement, String), (usize, Vec<u32>)> = BTreeMap::new();
    for inst in instructions {
        let Some(outcome) = outcome(inst, &errors) else { continue };
        let name = inst.modifiers.iter().fold(inst.opcode.name.to_owned(), |name, m| name + "." + m.name);
        let (uses, places) = found.entry((outcome, name)).or_default();
        *uses += 1;
        let line = lines.line(inst.opcode.span.start);
        if places.last() != Some(&line) {
            places.push(line);
        }
    }
    let uses = |((result, instruction), (uses, lines))| Uses { instruction, result, uses, lines };
    found.into_iter().map(uses).collect()
}

/// Errors ordered by the position of their first label.
struct InOrder<'a>(Vec<(Span, &'a Diagnostic)>);

impl<'a> InOrder<'a> {
    fn new(mut errors: Vec<(Span, &'a Diagnostic)>) -> Self {
        errors.sort_by_key(|(span, _)| span.start);
        Self(errors)
    }

    /// Returns the errors inside an instruction.
    fn inside(&self, span: Span) -> impl Iterator<Item = &'a Diagnostic> {
        let first = self.0.partition_point(|(place, _)| place.start < span.start);
        self.0[first..].iter().take_while(move |(place, _)| place.start < span.end).map(|(_, error)| *error)
    }
}

/// Returns the accuracy of an instruction; `None` if it is not an instruction of PTX.
fn outcome(inst: &Instruction, errors: &InOrder) -> Option<SiliconAgreement> {
    if let Some(error) = errors.inside(inst.span).find(|error| NOT_HERE.contains(&error.code)) {
        return Some(SiliconAgreement::Refused { code: error.code, reason: error.message.clone() });
    }
    match forms::description(inst)?.fidelity? {
        Fidelity::Exact => Some(SiliconAgreement::Exact),
        Fidelity::Within(bound) => Some(SiliconAgreement::of(bound)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Vec<Uses> {
        let mut trees = [isa::ptx::parse::parse(text).0];
        isa::retarget::rewrite_later(&mut trees);
        let (_, diagnostics) = isa::compile("k.ptx", text);
        table(&trees, &diagnostics, text)
    }

    /// Words in another order, and later PTX, which is shown as the older PTX that is executed.
    #[test]
    fn every_instruction_is_in_the_table() {
        let found = of(
            ".version 7.0\n.target sm_70\n.entry k(.param .u32 p) {\n.reg .f32 %f<3>; .reg .u32 %r<3>;\n\
                        add.ftz.rn.f32 %f1, %f2, %f2;\natom.global.gpu.acquire.add.u32 %r1, [%r2], 1;\nexit;\n}\n",
        );
        let names: Vec<(&str, &[u32])> = found.iter().map(|u| (&*u.instruction, &*u.lines)).collect();
        let expected: [(&str, &[u32]); 4] =
            [("add.ftz.rn.f32", &[5]), ("atom.global.add.u32", &[6]), ("exit", &[7]), ("membar.gl", &[6])];
        assert_eq!(names, expected);
    }

    /// Tests: `fidelity-of-files`.
    #[test]
    fn a_file_with_errors_has_its_table() {
        let found = of(".version 1.4\n.target sm_10\n.entry k() {\n.reg .f32 %f<3>; .reg .u32 %r<3>;\n\
                        sin.approx.f32 %f1, %f2;\nadd.f32 %f1, %f1, %f9;\n{ add.f32 %f1, %f1, %f2; }\n\
                        sured.b.1d.add.u32.trap [t, {%f1}], %f1;\nmov.u32 %r1 %r2;\nadd.rn.u32 %r1, %r1, %r1;\n}\n");
        let summary: Vec<(&str, usize, &[u32])> =
            found.iter().map(|u| (u.instruction.as_str(), u.uses, u.lines.as_slice())).collect();
        let expected: [(&str, usize, &[u32]); 3] =
            [("sured.b.1d.add.u32.trap", 1, &[8]), ("sin.approx.f32", 1, &[5]), ("add.f32", 2, &[6, 7])];
        assert_eq!(summary, expected);
        assert!(matches!(&found[0].result, SiliconAgreement::Refused { .. }));
        let SiliconAgreement::Approximate { bound, log2, measure } = &found[1].result else {
            panic!("{found:?}")
        };
        assert_eq!((bound.as_str(), *log2, *measure), ("2^-19.5, for operands up to 100π", -195, "absolute"));
        assert_eq!(found[2].result, SiliconAgreement::Exact);
    }

    /// The table of a file agrees with its lowered code.
    ///
    /// Tests: `fidelity-of-files`.
    #[test]
    fn the_table_is_that_of_the_lowered_code() {
        for workload in kernels::all() {
            let (module, _) = isa::compile(workload.file, workload.ptx);
            let exact = module
                .expect("it compiles")
                .entries
                .iter()
                .all(|program| program.code.iter().all(|inst| inst.op.fidelity() == Fidelity::Exact));
            let table = of(workload.ptx);
            assert_eq!(
                table.iter().all(|uses| uses.result == SiliconAgreement::Exact),
                exact,
                "{}",
                workload.name
            );
        }
    }
}
