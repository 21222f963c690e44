//! Analysis of results: main effects and interactions of factors, Pareto fronts, elasticities, and
//! gains of ideal resources.
//!
//! A missing result is NaN; each function leaves it out and says how many it used.

pub mod effects;
pub mod front;
pub mod gains;
pub mod sensitivity;
