//! The contents of an experiment file. The records have its fields as the file gives them;
//! [`Experiment`] has the kernels, factors and formulas that follow from them.

use isa::span::{Span, Spanned};
use report::formula::Expr;
use sim_core::config::read::Reader;
use sim_core::config::schema::forms::{
    Anything, At, Choice, Flag, FormulaText, IfAny, Inline, List, Map, Needed, OneOf, OneOrList, Optional,
    Or, Part, Place, Text,
};
use sim_core::config::schema::{Form, Value};
use sim_core::config::tree::{Node, NodeKind};
use sim_core::{record, words};
use std::ops::RangeInclusive;
use std::path::PathBuf;

/// Maximum number of points of a sampled design.
const MOST_SAMPLES: u64 = 1_000_000;

/// Most arguments of a program.
const MOST_ARGUMENTS: u64 = 1_000;

/// A number above 0.
const POSITIVE: RangeInclusive<f64> = f64::MIN_POSITIVE..=f64::INFINITY;

record! {
    /// An experiment file.
    #[derive(Debug, Default)]
    pub struct ExperimentFile {
        /// Name of the experiment. Without one it has the name of the file.
        pub name: Option<Spanned<String>> = Optional(At(Text));
        /// The kernels.
        pub kernels: Option<Spanned<Vec<KernelEntry>>> = Needed(At(List(Part)));
        /// Names or files of chips. Without them the chip is `fermi`.
        pub chips: Vec<Spanned<String>> = IfAny(List(At(Text)));
        /// Whether the compiler optimizes ([FROM-CUDA.md](FROM-CUDA.md#how-ptx-is-compiled)).
        pub optimize: bool = Or(Flag, true);
        /// Whether the compiler fuses multiplications and additions; by default true for CUDA C and
        /// false for PTX.
        pub fmad: Option<bool> = Optional(Flag);
        /// Values that vary, in the order of the nested loops: the last factor varies fastest.
        pub factors: Vec<FactorEntry> = IfAny(List(Part));
        /// Fields whose values are formulas over the factors.
        pub linked: Vec<LinkedEntry> = IfAny(List(Part));
        /// Formulas over the factors. A point for which one is 0 is left out.
        pub conditions: Vec<Spanned<String>> = IfAny(List(At(FormulaText)));
        /// Which combinations become points; `full` by default.
        pub design: Design = IfAny(OneOf);
        /// Repetitions: each seed replaces the seeds of `random` contents in launch files and of
        /// random policies of the chip.
        pub seeds: Vec<u64> = IfAny(List(0..=u64::MAX));
        /// Whether launches of many blocks are estimated from their first blocks, as
        /// `warpsim run --sample`.
        pub sample: bool = Or(Flag, false);
        /// Number of first blocks of each launch that run without timing ([below](#warm-up)).
        pub warmup: u64 = Or(0..=u64::MAX, 0);
        /// Limit of a launch in shader cycles; one second of the chip's own time by default.
        pub max_cycles: Option<u64> = Optional(1..=u64::MAX);
        /// Runs with ideal resources.
        pub idealize: Idealize = Or(Choice, Idealize::None);
        /// Rules that end the experiment early. Finished points are kept.
        pub stop: Stop = IfAny(Part);
        /// Columns of the rows; all by default ([METRICS.md](METRICS.md)).
        pub metrics: Vec<Spanned<String>> = IfAny(List(At(Text)));
        /// Named formulas, such as a cost ([Formulas](#formulas)).
        pub formulas: Vec<(Spanned<String>, Spanned<String>)> = IfAny(Map(At(FormulaText)));
        /// Questions about the results ([Answers](#answers)).
        pub analyses: Vec<Spanned<Question>> = IfAny(List(At(OneOf)));
    }

    /// A kernel: a built-in one, a PTX file with its [launch file](LAUNCH.md), or a program.
    #[derive(Debug)]
    pub struct KernelEntry {
        /// Name, where the name of the kernel or of the file is not unique.
        pub name: Option<String> = Optional(Text);
        /// Name of a built-in kernel.
        pub kernel: Option<Spanned<String>> = Optional(At(Text));
        /// Problem size of a built-in kernel.
        pub size: Option<u64> = Optional(0..=u64::MAX);
        /// Several sizes instead of `size`: a kernel for each.
        pub sizes: Vec<u64> = IfAny(List(0..=u64::MAX));
        /// A PTX file.
        pub ptx: Option<Spanned<PathBuf>> = Optional(At(Text));
        /// Its launch file.
        pub launch: Option<Spanned<PathBuf>> = Optional(At(Text));
        /// A CUDA C program with its host code.
        pub program: Option<Spanned<PathBuf>> = Optional(At(Text));
        /// Arguments of the program.
        pub arguments: Vec<String> = IfAny(List(Text));
        /// File that is standard input of the program.
        pub input: Option<Spanned<PathBuf>> = Optional(At(Text));
        /// Files that the program may read, under these names; it sees no others.
        pub files: Vec<Spanned<PathBuf>> = IfAny(List(At(Text)));
        /// Position of the entry.
        pub span: Span = Place;
    }

    /// A factor: fields, and their values by one of `values`, `range` and `log_range`.
    #[derive(Debug)]
    pub struct FactorEntry {
        /// Name in formulas and rows. Without one it is the last word of the path.
        pub name: Option<Spanned<String>> = Optional(At(Text));
        /// The field. Several fields get the same value.
        pub vary: Vec<Spanned<Target>> = OneOrList(At(OneOf));
        /// Any values, such as `[lrr, two_level(active: 4)]`.
        pub values: Option<Spanned<Vec<Node>>> = Optional(At(List(Anything)));
        /// Values with both ends. The step is 1 by default.
        pub range: Option<Spanned<Steps>> = Optional(At(Range));
        /// Logarithmic values, such as `(32, 512)`. The step is a factor, 2 by default.
        pub log_range: Option<Spanned<Steps>> = Optional(At(Range));
        /// Names of the kernels to which the factor applies; all by default.
        pub only: Vec<Spanned<String>> = IfAny(List(At(Text)));
        /// Position of the entry.
        pub span: Span = Place;
    }

    /// A field whose value follows from the factors.
    #[derive(Debug)]
    pub struct LinkedEntry {
        /// The field. Several fields get the same value.
        pub vary: Vec<Spanned<Target>> = OneOrList(At(OneOf));
        /// The value, a formula over the factors.
        pub formula: Spanned<String> = At(FormulaText);
        /// Names of the kernels to which the link applies; all by default.
        pub only: Vec<Spanned<String>> = IfAny(List(At(Text)));
    }

    /// A field that a factor sets.
    #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub enum Target {
        /// A field of the chip, as with `--set` ([CONFIG.md](CONFIG.md)).
        Chip = "chip"(path: String = Text),
        /// A value of the launch file: `grid`, `block`, `registers`, `params.3.0` (the number in
        /// the fourth parameter), `buffers.x.len`.
        Launch = "launch"(path: String = Text),
        /// An argument of a program, from 1.
        Argument = "argument"(number: u64 = 1..=MOST_ARGUMENTS),
        /// Problem size of a built-in kernel.
        Size = "size",
        /// Registers per thread.
        Registers = "registers",
    }

    /// Selection of the points.
    #[derive(Debug, Default)]
    pub enum Design {
        /// Every combination; the last factor varies fastest.
        #[default]
        Full = "full",
        /// A base point, and points that differ from it in one factor.
        OneAtATime(Base) = "one_at_a_time",
        /// Each value of each factor equally often, combined at random.
        LatinHypercube(Sampled) = "latin_hypercube",
        /// Independent random values, without duplicates.
        Random(Sampled) = "random",
        /// Every timing field of the chip, one at a time, smaller and larger by a share; without
        /// factors.
        Sensitivity(Sensitivity) = "sensitivity",
    }

    /// A base point.
    #[derive(Debug)]
    pub struct Base {
        /// Values of factors, such as `{"latency": 80}`; the first value of each other factor.
        pub base: Vec<(Spanned<String>, Node)> = IfAny(Map(Anything));
    }

    /// Random points.
    #[derive(Debug)]
    pub struct Sampled {
        /// Number of points.
        pub points: u64 = 1..=MOST_SAMPLES;
        /// Seed.
        pub seed: u64 = Or(0..=u64::MAX, 1);
    }

    /// Changes of the timing fields.
    #[derive(Debug)]
    pub struct Sensitivity {
        /// The share in percent.
        pub percent: f64 = Or(POSITIVE, 25.0);
        /// Beginnings of the paths of the fields; all timing fields by default.
        pub fields: Vec<Spanned<String>> = IfAny(List(At(Text)));
    }

    /// Rules that end an experiment early. What is done is kept.
    #[derive(Clone, Copy, Debug, Default, PartialEq)]
    pub struct Stop {
        /// After this number of failed points.
        pub failed: Option<u64> = Optional(1..=u64::MAX);
        /// After this number of simulated points.
        pub points: Option<u64> = Optional(1..=u64::MAX);
        /// After this time in minutes.
        pub minutes: Option<f64> = Optional(POSITIVE);
    }

    /// A question about the results.
    #[derive(Debug)]
    pub enum Question {
        /// For each factor the mean for each value, and the share of the variance that it explains.
        /// The shares add up to at most 1 if every combination has a result; the text says if not.
        Effects(EffectsEntry) = "effects",
        /// Points that no other point surpasses in both objectives; `minimize` and `maximize`
        /// together name two.
        Pareto(Objectives) = "pareto",
        /// The best point that meets the condition.
        Best(BestEntry) = "best",
    }

    /// Effects of the factors.
    #[derive(Debug)]
    pub struct EffectsEntry {
        /// The quantity.
        pub of: Spanned<String> = At(FormulaText);
        /// `true` adds the share that only a pair of factors explains.
        pub interactions: bool = Or(Flag, false);
    }

    /// Quantities to minimize and to maximize.
    #[derive(Debug)]
    pub struct Objectives {
        /// Quantities for which smaller values are better.
        pub minimize: Vec<Spanned<String>> = IfAny(OneOrList(At(FormulaText)));
        /// Quantities for which larger values are better.
        pub maximize: Vec<Spanned<String>> = IfAny(OneOrList(At(FormulaText)));
    }

    /// The best point.
    #[derive(Debug)]
    pub struct BestEntry {
        /// The objective.
        pub objectives: Objectives = Inline;
        /// Condition.
        pub condition as "where": Option<Spanned<String>> = Optional(At(FormulaText));
    }
}

words! {
    /// Runs with ideal resources.
    #[derive(Default)]
    pub enum Idealize {
        /// None.
        #[default]
        None = "none",
        /// For each point and resource, a run with this resource ideal.
        Gains = "gains",
        /// Also runs with each pair of resources ideal.
        Interactions = "interactions",
    }
}

/// Numbers with equal distances or ratios.
#[derive(Clone, Copy, Debug)]
pub struct Steps {
    /// First and last number.
    pub ends: (f64, f64),
    /// Distance or ratio.
    pub step: Option<f64>,
    /// Whether all of them are integers.
    pub whole: bool,
}

/// `(from, to)` or `(from, to, step)`.
struct Range;

impl Form<Steps> for Range {
    fn of(&self, reader: &Reader, node: &Node, what: &str) -> Option<Steps> {
        let (NodeKind::Tuple(parts) | NodeKind::List(parts)) = &node.kind else {
            reader.wrong_type(node, what, "`(from, to)` or `(from, to, step)`");
            return None;
        };
        let numbers: Vec<f64> = parts.iter().map(|part| reader.number(part, what)).collect::<Option<_>>()?;
        let (ends, step) = match numbers[..] {
            [from, to] => ((from, to), None),
            [from, to, step] => ((from, to), Some(step)),
            _ => {
                reader.wrong_type(node, what, "`(from, to)` or `(from, to, step)`");
                return None;
            }
        };
        Some(Steps { ends, step, whole: parts.iter().all(|part| matches!(part.kind, NodeKind::Int(_))) })
    }

    fn value(&self) -> Value {
        Value::Other("`(from, to)` or `(from, to, step)`")
    }
}

/// An experiment.
#[derive(Debug, Default)]
pub struct Experiment {
    /// The fields as the file gives them.
    pub given: ExperimentFile,
    /// Kernels; each has a unique name.
    pub kernels: Vec<Kernel>,
    /// Factors, in the order of the nested loops: the last one varies fastest.
    pub factors: Vec<Factor>,
    /// Fields whose values follow from the factors.
    pub linked: Vec<Linked>,
    /// Points for which one of these formulas is 0 are left out.
    pub conditions: Vec<Formula>,
    /// Position of the base value of each factor among its values.
    pub base: Vec<usize>,
    /// Named formulas over factors, fields of the chip, metrics and earlier formulas.
    pub formulas: Vec<NamedFormula>,
    /// Questions about the results.
    pub analyses: Vec<Spanned<Analysis>>,
}

/// A kernel of an experiment.
#[derive(Clone, Debug, PartialEq)]
pub struct Kernel {
    /// Unique name.
    pub name: String,
    /// Position of the entry.
    pub span: isa::span::Span,
    /// Source of the kernel.
    pub source: Source,
}

/// Source of a kernel.
#[derive(Clone, Debug, PartialEq)]
pub enum Source {
    /// A built-in kernel.
    Builtin {
        /// Name of the kernel.
        kernel: Spanned<String>,
        /// Problem size; `None` for the default.
        size: Option<u64>,
    },
    /// A PTX file with its launch file. Paths are relative to the experiment file.
    File {
        /// The PTX file.
        ptx: Spanned<PathBuf>,
        /// The launch file.
        launch: Spanned<PathBuf>,
    },
    /// A program with its host code. Paths are relative to the experiment file.
    Program {
        /// The source.
        file: Spanned<PathBuf>,
        /// Arguments.
        arguments: Vec<String>,
        /// File of standard input.
        input: Option<Spanned<PathBuf>>,
        /// Files that it may read.
        files: Vec<Spanned<PathBuf>>,
    },
}

/// A quantity that the experiment varies.
#[derive(Clone, Debug, PartialEq)]
pub struct Factor {
    /// Unique name, a name in formulas and a column of the rows.
    pub name: Spanned<String>,
    /// Fields that get the value; at least one.
    pub targets: Vec<Spanned<Target>>,
    /// Values; at least one.
    pub levels: Vec<Level>,
    /// Names of the kernels to which the factor applies; empty for all.
    pub only: Vec<Spanned<String>>,
}

/// A value of a factor.
#[derive(Clone, Debug, PartialEq)]
pub struct Level {
    /// The value as RON text.
    pub text: String,
    /// The value as a number, if it is one.
    pub number: Option<f64>,
}

/// A field whose value is a formula over the factors.
#[derive(Clone, Debug, PartialEq)]
pub struct Linked {
    /// Fields that get the value.
    pub targets: Vec<Spanned<Target>>,
    /// Value.
    pub formula: Formula,
    /// Names of the kernels to which the link applies; empty for all.
    pub only: Vec<Spanned<String>>,
}

/// A parsed formula with its text.
#[derive(Clone, Debug, PartialEq)]
pub struct Formula {
    /// The text with its position in the file.
    pub text: Spanned<String>,
    /// The parsed text.
    pub expression: Expr<Quantity>,
}

/// A formula with a name.
#[derive(Clone, Debug, PartialEq)]
pub struct NamedFormula {
    /// Unique name.
    pub name: Spanned<String>,
    /// The formula.
    pub formula: Formula,
}

/// Direction of an objective.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// Smaller values are better.
    Minimize,
    /// Larger values are better.
    Maximize,
}

/// A quantity to minimize or to maximize.
#[derive(Clone, Debug, PartialEq)]
pub struct Objective {
    /// Text of the quantity.
    pub name: String,
    /// The quantity.
    pub formula: Formula,
    /// Direction.
    pub goal: Goal,
}

/// A question about the results.
#[derive(Clone, Debug, PartialEq)]
pub enum Analysis {
    /// Main effects of the factors on a quantity.
    Effects {
        /// The quantity.
        of: Formula,
        /// Whether the effects of pairs of factors are computed, too.
        interactions: bool,
    },
    /// Points that no other point surpasses in both objectives.
    Pareto(Box<[Objective; 2]>),
    /// Best point under a condition.
    Best {
        /// The objective.
        objective: Box<Objective>,
        /// Condition, if given.
        condition: Option<Formula>,
    },
}

/// A number that a name in a formula stands for.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Quantity {
    /// Value of the factor with this index.
    Factor(usize),
    /// A metric.
    Metric(String),
    /// Value of the named formula with this index.
    Formula(usize),
    /// A field of the chip.
    Field(String),
}
