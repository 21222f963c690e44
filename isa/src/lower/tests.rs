//! From text to program.
