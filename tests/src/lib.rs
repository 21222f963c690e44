//! The suites that test the project as a whole: what they share.
//!
//! [`generate`] draws random kernels, chips and launches; [`run`] runs one of them in every way there is; [`check`]
//! holds the properties that must be true of all.

pub mod check;
pub mod generate;
pub mod run;
