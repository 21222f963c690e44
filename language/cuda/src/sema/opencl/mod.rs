//! OpenCL C: vectors, built-in functions, images, attributes and restrictions.

mod builtin;
mod convert;
mod format;
mod image;
mod literal;
mod memory;
mod names;
mod operators;
mod restrict;
mod rounding;
mod swizzle;
mod variable;
mod vector;
