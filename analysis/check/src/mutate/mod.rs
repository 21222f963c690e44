//! Mutants of PTX programs, which grade the checks of a program: each has one changed instruction,
//! and a good set of checks notices it.
//!
//! `kinds` lists the kinds of changes, `changes` makes the changes of an instruction, and `place`
//! finds the instructions. A mutant is a replacement in the text, so that it can be shown as a line
//! of source.
//!
//! Invariant `mutants-have-one-change`: A mutant differs from its program in one instruction, and
//! its text has as many lines.

mod changes;
mod kinds;
mod place;

pub use kinds::ChangeKind;
pub use place::mutants;

use isa::source::Source;
use isa::span::Span;
use isa::uop::{Module, Program};

/// A program with one changed instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mutant {
    /// Kind of the change.
    pub kind: ChangeKind,
    /// Name of the function in the PTX; whether it is a kernel.
    pub function: (String, bool),
    /// The changed instruction in the text of the program.
    pub instruction: Span,
    /// The part of the instruction that is different.
    pub changed: Span,
    /// The text in place of the instruction; only newlines if it is removed.
    pub replacement: String,
    /// The change in a few words: `lt → le`.
    pub change: String,
}

impl Mutant {
    /// Returns the text of the mutant of a program with this text.
    pub fn apply(&self, text: &str) -> String {
        let (before, after) = (self.instruction.start as usize, self.instruction.end as usize);
        [&text[..before], &self.replacement, &text[after..]].concat()
    }

    /// Returns the files of the mutant of a program with these files.
    pub fn source(&self, source: &Source) -> Source {
        let at = self.instruction.start as usize;
        let changed: Vec<(&str, String)> = source
            .texts()
            .zip(source.ranges())
            .map(|((name, text), range)| {
                if !range.contains(&at) {
                    return (name, text.to_owned());
                }
                let moved = |byte: u32| byte - range.start as u32;
                let Span { start, end } = self.instruction;
                let instruction = Span { start: moved(start), end: moved(end) };
                (name, Self { instruction, ..self.clone() }.apply(text))
            })
            .collect();
        Source::linked(changed.iter().map(|(name, text)| (*name, text.as_str())))
    }

    /// Returns the instruction in the mutant; `None` if it is removed.
    pub fn instruction(&self) -> Option<&str> {
        Some(self.replacement.trim()).filter(|text| !text.is_empty())
    }
}

/// Whether two modules execute the same code, so that no check can tell them apart. Lines and names
/// may differ.
pub fn is_same_code(a: &Module, b: &Module) -> bool {
    let same = |a: &Program, b: &Program| {
        let functions = |program: &Program| -> Vec<_> {
            program.functions.iter().map(|f| (f.number, f.start, f.end, f.frame)).collect()
        };
        a.code == b.code
            && a.const32 == b.const32
            && a.const64 == b.const64
            && a.registers == b.registers
            && (a.shared_bytes, a.local_bytes) == (b.shared_bytes, b.local_bytes)
            && functions(a) == functions(b)
    };
    a.entries.len() == b.entries.len() && a.entries.iter().zip(&b.entries).all(|(a, b)| same(a, b))
}
