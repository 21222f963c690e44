//! An independent, deliberately simple interpreter of PTX: one thread at a time.
//!
//! Each thread runs alone to its next barrier, vote, shuffle or exit: a program counter, no masks,
//! no time. When all threads of a block have arrived at a barrier or exited, the barrier completes;
//! when all live threads of a warp have reached the same vote or shuffle, they get its result.
//! Blocks run in order.
//!
//! It shares the syntax tree with the simulator and nothing else: names, addresses of variables
//! ([`read`]), integers ([`integer`], [`bits`]), floating point ([`float`], on bits, without the
//! host's) and memory ([`memory`]) are a second implementation of PTX's manual. Where the manual
//! and the hardware leave a choice, it follows `docs/MODEL.md`.
//!
//! Only a program that is *ordered without its warps* has the same result here as on a SIMT
//! machine: one whose threads communicate only through barriers. Communication between the lanes of
//! a warp through the order of their instructions is not supported
//! ([`Case::without_warp_cells`](warpsim_check::generate::Case::without_warp_cells)).
//!
//! Invariant `independent-reference`: The reference interpreter, which shares only the syntax tree
//! with the simulator and runs one thread at a time, leaves the same bytes as both machines.
//!
//! Invariant `reference-agrees-with-silicon`: The reference interpreter computes what silicon
//! recorded: every instruction form, compiled kernels and random programs.

pub mod bits;
pub mod block;
pub mod float;
pub mod integer;
pub mod memory;
pub mod read;
mod space;
mod step;

pub use block::{Launch, Order, run};
pub use memory::Memory;
pub use read::ReferenceProgram;
pub use space::VariablePlace;
