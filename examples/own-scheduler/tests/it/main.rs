//! Rules about the policies of this crate: in the simulator, and for all states of a few warps.

mod caches;
mod fairness;
mod machine;
mod starvation;
