//! The program as its users meet it: one test binary that runs it.

mod book;
mod common;
mod config;
mod endings;
#[cfg(unix)]
mod interrupt;
mod large;
mod launch_files;
mod look;
mod occupancy;
mod races;
mod reports;
mod sweep;
mod trace;
mod usage;
mod validate;
