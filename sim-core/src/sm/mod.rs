//! WHEN things happen inside one streaming multiprocessor.
//!
//! [`sm::Sm`] holds the parts and steps them: blocks and warps, the scheduler, scoreboard and units that decide
//! which instruction issues, the banks of shared memory, barriers, and the load/store unit that turns global
//! accesses into messages, with the L1 behind it where there is one. What an instruction *does* is `exec/`'s; no data value other than an address, a mask
//! or a barrier operand decides anything in here.

mod access;
mod account;
pub mod banks;
pub mod barrier;
pub mod block;
mod cached;
pub mod coalesce;
mod constants;
pub mod decode;
mod execute;
mod fetch;
mod front;
mod generic;
mod issue;
pub mod l1;
pub mod lsu;
mod memory;
mod replies;
pub mod scheduler;
pub mod scoreboard;
mod second;
pub mod setup;
mod slots;
#[expect(clippy::module_inception, reason = "the SM itself, beside its parts")]
pub mod sm;
pub mod standing;
pub mod units;
mod warps;
mod watched;

pub use sm::Sm;

#[cfg(test)]
mod tests;
