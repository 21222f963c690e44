//! The contents of an experiment file as plain data. `docs/EXPERIMENTS.md` describes the format in
//! RON.

use super::names::Quantity;
use crate::Spanned;
use crate::formula::Expr;
use std::path::PathBuf;

/// An experiment file.
#[derive(Debug, Default)]
pub struct Experiment {
    /// Name of the experiment in the store, if the file gives one.
    pub name: Option<Spanned<String>>,
    /// Kernels; each has a unique name.
    pub kernels: Vec<Kernel>,
    /// Names or files of chips; at least one.
    pub chips: Vec<Spanned<String>>,
    /// Whether the compiler optimizes.
    pub optimize: bool,
    /// Whether the compiler fuses multiplications and additions.
    pub fmad: bool,
    /// Factors, in the order of the nested loops: the last one varies fastest.
    pub factors: Vec<Factor>,
    /// Fields whose values follow from the factors.
    pub linked: Vec<Linked>,
    /// Points for which one of these formulas is 0 are left out.
    pub conditions: Vec<Formula>,
    /// Selection of the points.
    pub design: Design,
    /// Seeds of the repetitions; empty for one repetition with the seeds of the files.
    pub seeds: Vec<u64>,
    /// Whether launches are sampled.
    pub sample: bool,
    /// Number of first blocks of each launch that run on the functional machine.
    pub warmup: u64,
    /// Limit of a launch in shader cycles, if given.
    pub max_cycles: Option<u64>,
    /// Runs with ideal resources.
    pub idealize: Idealize,
    /// Rules that end the experiment early.
    pub stop: Stop,
    /// Metrics of the exported rows; empty for all.
    pub metrics: Vec<Spanned<String>>,
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
}

/// A field that a factor sets.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Target {
    /// A field of the chip, as with `--set`.
    Chip(String),
    /// A field of the launch file.
    Launch(String),
    /// Problem size of a built-in kernel.
    Size,
    /// Registers per thread.
    Registers,
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

/// Selection of the points.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Design {
    /// Every combination of the values.
    #[default]
    Full,
    /// A base point, and points that differ from it in one factor.
    OneAtATime {
        /// Position of the base value of each factor among its values.
        base: Vec<usize>,
    },
    /// A Latin hypercube: each factor's values are used equally often.
    LatinHypercube {
        /// Number of points.
        points: u64,
        /// Seed of the permutations.
        seed: u64,
    },
    /// Independent random values.
    Random {
        /// Number of points.
        points: u64,
        /// Seed.
        seed: u64,
    },
    /// Every timing field of the chip, one at a time, smaller and larger than in the chip.
    Sensitivity {
        /// Change in percent.
        percent: f64,
        /// Beginnings of the paths of the fields; empty for all timing fields.
        fields: Vec<Spanned<String>>,
    },
}

/// Runs with ideal resources.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Idealize {
    /// None.
    #[default]
    None,
    /// For each point and resource, a run with this resource ideal.
    Gains,
    /// Also runs with each pair of resources ideal.
    Interactions,
}

/// Rules that end an experiment early. What is done is kept.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Stop {
    /// After this number of failed points.
    pub failed: Option<u64>,
    /// After this number of simulated points.
    pub points: Option<u64>,
    /// After this time in minutes.
    pub minutes: Option<f64>,
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
