//! Claims on threads, warps and divergence.

pub mod barriers;
pub mod branches;
pub mod functions;
pub mod indices;
pub mod loops;
pub mod products;
pub mod races;
pub mod reductions;
