//! Tests the rules of `rules.rs` as properties: of a policy alone, and of a policy in the
//! simulator.

mod alone;
mod fairness;
mod machine;
mod starvation;
