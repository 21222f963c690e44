//! Tests of the property kit: the rules of the simulator hold, and the kit notices defects.

mod counterexamples;
mod mutants;
mod policies;
mod relations;
mod rules;
