//! Experiment files: kernels, chips, factors, the design, and the analysis of the results.
//!
//! `schema` has the fields of the file, each in one row from which its reader and its documentation
//! follow; `read` makes an experiment of them, `factors` the values of factors, `analyses` the
//! questions, and `names` resolves the names of formulas. Reading continues after an error, so that
//! all errors are reported together, each at its line. `docs/EXPERIMENTS.md` describes the format.

mod analyses;
mod factors;
mod names;
mod read;
mod schema;

pub use names::value_of;
pub use read::read;
pub use schema::{
    Analysis, Design, Experiment, ExperimentFile, Factor, Formula, Goal, Idealize, Kernel, Level, Linked,
    NamedFormula, Objective, Quantity, Sampled, Sensitivity, Source, Stop, Target,
};

#[cfg(test)]
mod tests;
