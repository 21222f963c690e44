//! Device memory: who owns which bytes, the bytes themselves, and the islands that hand them out.
//!
//! [`map`] says which partition owns an address, [`image`] holds the bytes, [`atomic`] changes
//! words, [`local`] says where the traffic of local memory goes, [`partition`] is the island with
//! the point of order, [`dram`] the channel behind it. Values are final at the point of order; all
//! that lies behind it moves only time.

pub mod atomic;
pub mod bank;
pub mod dram;
pub mod image;
pub mod local;
pub mod map;
pub mod partition;
pub mod sectors;
