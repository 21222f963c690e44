//! Claims on floating-point arithmetic.

mod arithmetic;
pub mod image;
pub mod order;
pub mod rounding;
