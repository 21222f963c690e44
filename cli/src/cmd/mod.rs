//! One file per command.

pub mod run;
