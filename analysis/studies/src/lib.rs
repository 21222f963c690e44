//! Studies: many runs of kernels that differ in the chip, the size or the launch.
//!
//! An experiment is a file with a store of results and questions; a sweep is a study without a
//! store, from lists of values. `file` is an experiment file, `load` reads everything that it
//! names, `design` numbers the points, `programs` has the compiled kernels, `study` makes runs of
//! them, `point` runs one, `resources` can be made ideal, and `runner` runs points on several
//! threads (`ordered`), while there is `memory`. `outcome` is the result of a point, `rows` writes
//! a line for each, `plot` draws them, and `axis` is a part that varies. `plan` has the points with
//! the digests of their runs, `values` the names of their formulas, `analysis` computes effects,
//! fronts and best points, and `answers` answers the questions of the file. `text` formats numbers,
//! `draw` draws the answers, `sections` shows them as text, and `page` makes an HTML page. `store`
//! keeps results in one `SQLite` file, `local` and `cluster` simulate the points that it does not
//! have, `batch` those of one task. `selection` reads numbers of points, `codes` lists the codes of
//! errors.
//!
//! It must not know options of the command line or a terminal: `host` is what it gets from the
//! program around it.

pub mod analysis;
pub mod answers;
mod axis;
#[cfg(feature = "store")]
pub mod batch;
pub mod chip;
#[cfg(feature = "store")]
pub mod cluster;
pub mod codes;
pub mod design;
mod digest;
pub mod draw;
#[cfg(feature = "store")]
pub mod experiment;
pub mod file;
pub mod host;
mod load;
#[cfg(feature = "store")]
mod local;
mod memory;
pub mod ordered;
pub mod outcome;
mod page;
mod plan;
mod plot;
pub mod point;
pub mod programs;
mod resources;
pub mod rows;
mod runner;
mod sections;
pub mod selection;
#[cfg(feature = "store")]
pub mod store;
pub mod study;
pub mod sweep;
#[cfg(test)]
mod testing;
mod text;
mod values;

pub use load::{Loaded, check_targets, load, load_text};
