//! Experiment files: kernels, chips, factors, the design, and the analysis of the results.
//!
//! `schema` has the contents as plain data, `read` makes them from RON text, `factors` reads the
//! values of factors, `analyses` the questions, and `names` resolves the names of formulas.
//! Reading continues after an error, so that all errors are reported together, each at its line.
//! `docs/EXPERIMENTS.md` describes the format.

mod analyses;
mod factors;
mod names;
mod read;
mod schema;

pub use names::{Quantity, value_of};
pub use read::read;
pub use schema::{
    Analysis, Design, Experiment, Factor, Formula, Goal, Idealize, Kernel, Level, Linked, NamedFormula,
    Objective, Source, Stop, Target,
};

#[cfg(test)]
mod tests;
