//! One file per command.

mod builtin;
mod custom;
pub mod run;
