//! Why an access to memory of the host fails.

use super::Kind;
use cuda::source::Span;

/// An allocation that returned a null pointer, because no memory was left.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Refused {
    /// Bytes that the program asked for.
    pub bytes: u64,
    /// Where it asked.
    pub place: Span,
}

/// Why an access failed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fault {
    /// The address is null or close to it. With the last allocation that failed.
    Null(Option<Refused>),
    /// The address belongs to the device, or is far behind null. With the last allocation that
    /// failed.
    Device(u64, Option<Refused>),
    /// No memory was ever at the address.
    Wild(u64),
    /// The block was freed, or its function has returned.
    Freed {
        /// What the block was.
        kind: Kind,
        /// Where it was allocated.
        made: Span,
        /// Where it was freed.
        freed: Span,
    },
    /// The access is outside its block.
    Outside {
        /// What the block is.
        kind: Kind,
        /// Where it was allocated.
        made: Span,
        /// Bytes of the block.
        size: u64,
        /// First byte of the access.
        offset: i64,
        /// Bytes of the access.
        bytes: u64,
    },
    /// A byte without a value is used.
    Uninitialized {
        /// What the block is.
        kind: Kind,
        /// Where it was allocated.
        made: Span,
        /// First byte of the access.
        offset: u64,
    },
    /// `free` of something that is not the start of allocated memory.
    NotAllocated(Option<Kind>),
    /// No memory is left: bytes that were asked for.
    Exhausted(u64),
    /// A device may still use the memory. The access is noted, and the next attempt succeeds.
    Pending,
}
