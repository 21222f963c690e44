//! The parts that all caches share: tags, replacement policies and MSHRs. The caches themselves are
//! in the modules of the units that they belong to.

pub mod mshr;
pub mod replacement;
pub mod tags;

pub use mshr::{Miss, Mshr};
pub use replacement::{Place, Replacement};
pub use tags::{CacheShape, SetIndex, Tags};

/// Bytes of a line of caches of compute capability 2.x, and of the largest transaction.
pub const LINE_BYTES: u32 = 128;
