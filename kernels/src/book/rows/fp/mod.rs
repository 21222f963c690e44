//! Arithmetic.

pub mod image;
