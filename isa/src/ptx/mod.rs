//! The front end: PTX text to a syntax tree, with a span on everything and all errors at once.

pub mod ast;
pub mod forms;
pub mod header;
pub mod lex;
pub mod parse;
