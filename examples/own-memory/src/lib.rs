//! User-defined components of the memory system, written and tested outside the simulator: one
//! small example for each door of `docs/extending/memory.md`.

mod coalescing;
mod map;
mod miss_rate;
mod slices;
mod srrip;
mod stride;

pub use coalescing::covering;
pub use map::exclusive_or;
pub use miss_rate::MissRate;
pub use slices::Slices;
pub use srrip::Srrip;
pub use stride::Stride;
