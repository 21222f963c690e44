//! User-defined scheduling policies, written and verified outside the simulator.
//!
//! [`MemoryFirst`] is a useful policy, [`CacheConscious`] one from research that reads the L1.
//! [`YoungestFirst`] looks harmless, but starves warps. The
//! tests of this crate state rules about both, search random kernels, chips and launches for a
//! violation, and replay the smallest one. `docs/CHECK.md` explains this step by step.

mod cache_conscious;
mod memory_first;
mod youngest_first;

pub use cache_conscious::CacheConscious;
pub use memory_first::MemoryFirst;
pub use youngest_first::YoungestFirst;
