//! Time: cycles and clock domains, the timing wheel, and the messages that components exchange.
//!
//! All times are in shader cycles, a `u64` that starts at 0 with each launch.
//!
//! Invariant `exact-clocks`: Clock domains are exact, in integers.
//!
//! Invariant `wakes-are-not-late`: A wake-up is never late.

pub mod clock;
pub mod message;
pub mod period;
pub mod queue;
pub mod wheel;

/// A cycle that is never reached: no event is pending until a message arrives.
pub const NEVER: u64 = u64::MAX;
