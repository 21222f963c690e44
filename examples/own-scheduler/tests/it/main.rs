//! The rules of `rules.rs` as properties: of a policy alone, and of a policy in the real machine.

mod alone;
mod machine;
mod starvation;
