//! Claims on floating-point arithmetic.

mod arithmetic;
pub mod image;
pub mod order;
pub mod product;
pub mod rounding;
pub mod special;
pub mod subnormal;
