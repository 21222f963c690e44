//! The parts that all caches share: tags, replacement policies and MSHRs. Each cache itself is in
//! the module of the unit that it belongs to.

pub mod mshr;
pub mod replacement;
pub mod tags;

pub use mshr::{Miss, Mshr};
pub use replacement::{Place, Replacement};
pub use tags::{CacheShape, Tags};

/// Bytes of a line: of a cache of cc 2.x, and of the largest transaction.
pub const LINE_BYTES: u32 = 128;
