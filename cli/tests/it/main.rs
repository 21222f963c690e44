//! The program as its users meet it: one test binary that runs it.

mod common;
mod endings;
mod launch_files;
mod look;
mod occupancy;
mod reports;
mod trace;
mod usage;
