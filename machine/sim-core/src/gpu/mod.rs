//! The whole chip: the block dispatcher, the main loop over components, stops, and deadlock
//! reports.
//!
//! Invariant `drained-at-the-end`: A kernel ends when every cluster has drained.
//!
//! Invariant `block-dispatch`: Blocks are dispatched in order, breadth first over the clusters, at
//! the rate of the chip file.

mod bag;
mod component;
pub mod dispatcher;
pub mod functional;
pub mod interleaved;
pub mod kept;
pub mod machine;
pub mod run;
pub mod running;
mod share;
pub mod stop;
pub mod stuck;
pub mod sync;
mod team;
pub mod untimed;
mod worker;
