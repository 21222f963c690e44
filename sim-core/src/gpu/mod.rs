//! The whole chip: the block dispatcher, the main loop over islands, stops, and why nothing moves.

mod bag;
pub mod dispatcher;
pub mod functional;
mod island;
pub mod machine;
pub mod run;
pub mod running;
mod share;
pub mod stuck;
pub mod sync;
mod team;
mod worker;
