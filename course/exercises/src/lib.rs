//! Exercises in CUDA C and OpenCL C, and their grading: the rubric of an exercise, runs of a
//! submission, points and hints.
//!
//! A submission is text. It runs in a checked memory, with a folder in memory and with limits of
//! instructions, cycles and simulated time that follow from the runs of the solution: nothing
//! outside of the grade depends on it, and equal submissions get equal grades.
//!
//! It must not know files, the command line or threads of the host.

mod answers;
mod attempt;
mod builtin;
pub mod codes;
mod compare;
mod exercise;
pub mod export;
mod grade;
mod grading;
mod handout;
mod kernel;
mod listed;
mod observed;
mod origin;
mod program;
mod rows;
mod rubric;
mod schema;
mod source;
mod submission;
mod trial;
mod wrong;

pub use answers::Answers;
pub use builtin::{builtin, names};
pub use exercise::Exercise;
pub use grade::{Grade, Part, Row, RowKind, Source};
pub use grading::grade;
pub use handout::handout;
pub use listed::Listed;
pub use rubric::{CheckRow, Language, Limit, NdRange, Rubric, SourceRow, Test, Texts};
pub use schema::{Kind, Level, RubricFile};
pub use submission::Submission;
pub use trial::{Trial, trial};
pub use wrong::program as wrong_program;
