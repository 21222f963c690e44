//! Claims on threads, warps and divergence.

pub mod barriers;
pub mod products;
