//! What caches have in common: their tags. Each kind of cache stands where the machine has it.

pub mod tags;

pub use tags::{CacheShape, Tags};
