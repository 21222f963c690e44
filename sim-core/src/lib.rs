//! The machine: a cycle-level model of a SIMT GPU, made of islands that exchange time-stamped messages.
//!
//! No PTX text, no input or output, no host clock in here. Start at [`host::Gpu`].

pub mod cache;
pub mod cluster;
pub mod config;
mod counters;
pub mod exec;
pub mod gpu;
pub mod hooks;
pub mod host;
pub mod mem;
pub mod observe;
pub mod occupancy;
pub mod racecheck;
pub mod sm;
pub mod stats;
pub mod time;
mod words;
