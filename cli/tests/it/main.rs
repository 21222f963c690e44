//! The program as its users meet it: one test binary that runs it.

mod common;
mod endings;
mod launch_files;
mod reports;
mod sweep;
mod usage;
