//! Experiments: many runs of kernels that differ in the chip, the size or the launch, as a file, a
//! store of results and an analysis.
//!
//! `file` reads an experiment file, `design` numbers its points, `store` keeps the results in one
//! `SQLite` file, `ordered` runs points on several threads, `analysis` computes effects, fronts and
//! best points, `csv` writes lines of values, and `formula` is the expression language of launch
//! files and experiments. The crate runs no kernel: the command line passes the results.

pub mod analysis;
pub mod codes;
pub mod csv;
pub mod design;
pub mod file;
pub mod formula;
pub mod ordered;
#[cfg(feature = "store")]
pub mod store;

use isa::span::Span;

/// A value with its position in the experiment file.
#[derive(Clone, Debug, PartialEq)]
pub struct Spanned<T> {
    /// The value.
    pub value: T,
    /// Position.
    pub span: Span,
}
