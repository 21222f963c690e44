//! The contents of a rubric, as its file gives them. `docs/EXERCISES.md` describes the format in
//! RON.

use isa::span::{Span, Spanned};
use isa::types::Dim3;
use report::launch_file::Extent;
use sim_core::check::Check;
use sim_core::config::schema::forms::{
    At, Choice, Flag, FormulaText, IfAny, Lines, List, Map, Optional, Or, Part, Place, Text,
};
use sim_core::{record, words};
use std::ops::RangeInclusive;

/// Points of a row.
const POINTS: RangeInclusive<u32> = 0..=1000;
/// A tolerance.
const TOLERANCE: RangeInclusive<f64> = 0.0..=f64::INFINITY;
/// Tolerance of numbers relative to the expected number, where a test gives none.
const REL: f64 = 1e-5;

record! {
    /// The rubric of an exercise.
    #[derive(Debug)]
    pub struct RubricFile {
        /// Title of the exercise.
        pub title: String = Text;
        /// Name of the exercise; without one it is the name of the folder.
        pub name: Option<String> = Optional(Text);
        /// Number of the lesson.
        pub lesson: Option<u32> = Optional(1..=99);
        /// Difficulty.
        pub level: Level = Or(Choice, Level::Medium);
        /// Task of the student.
        pub kind: Kind = Or(Choice, Kind::Write);
        /// Chips on which tests run: `["fermi"]` by default. A name that ends in `.ron` is a file
        /// of the exercise.
        pub chips: Vec<Spanned<String>> = IfAny(List(At(Text)));
        /// Kernels that the program must launch, by their names in the source.
        pub kernels: Vec<String> = IfAny(List(Text));
        /// Whether the results must come from the kernels: a test fails if the host computes a
        /// part of its output.
        pub on_device: bool = Or(Flag, true);
        /// Number in the place of `{seed}`; `warpsim lab new` writes it into a hand-out.
        pub seed: Option<u32> = Optional(1..=9999);
        /// Points of the rows that a hand-out does not have; `warpsim lab new` writes it.
        pub closed: u32 = Or(0..=u32::MAX, 0);
        /// Runs of the program whose output must be right.
        pub tests: Spanned<Vec<TestEntry>> = At(List(Part));
        /// Checkers that must find no error in the tests.
        pub checks: Vec<CheckEntry> = IfAny(List(Part));
        /// Limits of metrics.
        pub limits: Vec<LimitEntry> = IfAny(List(Part));
        /// Parts that the source must have, or must not have.
        pub source: Vec<SourceEntry> = IfAny(List(Part));
    }

    /// A run of the program.
    #[derive(Debug)]
    pub struct TestEntry {
        /// Name; without one it is the arguments.
        pub name: Option<Spanned<String>> = Optional(At(Text));
        /// Arguments of the program, or of the kernel as `--arg` has them. `{seed}` becomes a
        /// number that depends on the student.
        pub args: Vec<String> = IfAny(List(Text));
        /// Work-items of a kernel in OpenCL C, which has no host code: `1024`, `(64, 48)`.
        pub global: Option<Dim3> = Optional(Extent);
        /// Work-items of a work-group; without it the largest number up to 256 that divides
        /// `global`.
        pub local: Option<Dim3> = Optional(Extent);
        /// Buffers whose contents after the launch are the output.
        pub output: Vec<String> = IfAny(List(Text));
        /// Standard input of the program.
        pub input: String = IfAny(Lines);
        /// Files in the folder of the program: their names and texts.
        pub files: Vec<(Spanned<String>, String)> = IfAny(Map(Lines));
        /// Whether students have the test.
        pub open: bool = Or(Flag, false);
        /// Chips of this test instead of the chips of the exercise.
        pub chips: Vec<Spanned<String>> = IfAny(List(At(Text)));
        /// Absolute tolerance of the printed numbers.
        pub abs: f64 = Or(TOLERANCE, 0.0);
        /// Tolerance relative to the expected number.
        pub rel: f64 = Or(TOLERANCE, REL);
        /// Points.
        pub points: u32 = Or(POINTS, 1);
        /// Hint for a student after a failure.
        pub hint: Option<String> = Optional(Text);
        /// Right answers of a hand-out, which has no solution; one for each chip.
        pub answers: Vec<AnswerEntry> = IfAny(List(Part));
        /// Position of the entry.
        pub span: Span = Place;
    }

    /// The right answer of a test.
    #[derive(Debug)]
    pub struct AnswerEntry {
        /// The chip.
        pub chip: String = Text;
        /// Standard output.
        pub output: String = Lines;
        /// Most cycles of a launch, and instructions and simulated nanoseconds of the solution.
        pub cycles: u64 = 0..=u64::MAX;
        /// Instructions of its host code.
        pub steps: u64 = 0..=u64::MAX;
        /// Simulated nanoseconds of its program.
        pub program_ns: u64 = 0..=u64::MAX;
        /// Cycles of the starting program.
        pub reference: Option<f64> = Optional(TOLERANCE);
        /// Simulated nanoseconds of the starting program.
        pub reference_program_ns: Option<f64> = Optional(TOLERANCE);
        /// Whether the output is right without the launches.
        pub host_only: bool = Or(Flag, false);
        /// Arguments with which the host has other numbers.
        pub other: Vec<String> = IfAny(List(Text));
        /// Lines of the output, from 1, that follow these numbers.
        pub host_lines: Vec<u32> = IfAny(List(1..=u32::MAX));
    }

    /// A checker that must find no error in any test.
    #[derive(Debug)]
    pub struct CheckEntry {
        /// The checker.
        pub check: Spanned<Check> = At(Choice);
        /// Points.
        pub points: u32 = Or(POINTS, 1);
        /// Hint for a student after a failure.
        pub hint: Option<String> = Optional(Text);
    }

    /// A limit of metrics of the whole program, in each test whose result is right.
    #[derive(Debug)]
    pub struct LimitEntry {
        /// The condition, such as `cycles <= 0.4 * reference`.
        pub metric: Spanned<String> = At(FormulaText);
        /// Name of the only test to which it applies.
        pub test: Option<Spanned<String>> = Optional(At(Text));
        /// Points.
        pub points: u32 = Or(POINTS, 1);
        /// Hint for a student after a failure.
        pub hint: Option<String> = Optional(Text);
    }

    /// A part that the source must have (`require`), or must not have (`forbid`). Comments do not
    /// count.
    #[derive(Debug)]
    pub struct SourceEntry {
        /// Words that must be in the source, such as `__shared__`.
        pub require: Option<Spanned<String>> = Optional(At(Text));
        /// Words that must not be there.
        pub forbid: Option<Spanned<String>> = Optional(At(Text));
        /// Points.
        pub points: u32 = Or(POINTS, 1);
        /// Hint for a student after a failure.
        pub hint: Option<String> = Optional(Text);
        /// Position of the entry.
        pub span: Span = Place;
    }
}

words! {
    /// Difficulty of an exercise.
    pub enum Level {
        /// A first exercise of a lesson.
        Easy = "easy",
        /// Needs the whole lesson.
        Medium = "medium",
        /// Needs ideas that the lesson does not give.
        Hard = "hard",
    }
}

words! {
    /// Task of a student.
    pub enum Kind {
        /// Writes a kernel.
        Write = "write",
        /// Finds a mistake.
        Debug = "debug",
        /// Makes a right program fast.
        Fast = "fast",
    }
}
