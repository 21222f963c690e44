//! Device memory: the address map, the bytes, and the memory partitions.
//!
//! [`map`] maps an address to its partition, [`image`] holds the bytes, and [`atomic`] performs
//! atomics. [`local`] gives the addresses of local memory traffic. [`partition`] is the component
//! with the point of order, and [`dram`] is its DRAM channel. Values are final at the point of
//! order; the stages behind it change only the time.

pub mod atomic;
pub mod bank;
pub mod dram;
pub mod image;
pub mod local;
pub mod map;
pub mod partition;
pub mod sectors;
