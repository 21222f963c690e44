//! The front end: converts PTX text to a syntax tree in which every node has a span, and reports
//! all errors.

pub mod ast;
pub mod forms;
pub mod header;
pub mod lex;
pub mod parse;
