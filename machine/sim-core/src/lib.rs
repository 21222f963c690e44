//! The machine: a cycle-level model of a SIMT GPU, made of components that exchange time-stamped
//! messages.
//!
//! It must not know how PTX is compiled, files, printing or a clock of the host. Start at
//! [`host::Gpu`].
//!
//! Invariant `no-host-access`: `isa` and `sim-core` use no file, clock, environment or output, and
//! iterate over no hash map.

mod cache;
pub mod check;
mod cluster;
mod components;
pub mod config;
mod counters;
pub mod debug;
mod events;
mod exec;
mod gpu;
pub mod hooks;
pub mod host;
mod mem;
pub mod observe;
pub mod occupancy;
pub mod registry;
mod sm;
mod state;
pub mod stats;
mod time;
mod words;

pub use components::{coalescing, dram, l1, map, replacement, throttle};
pub use sm::scheduler;
