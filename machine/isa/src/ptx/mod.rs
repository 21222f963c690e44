//! The front end: converts PTX text to a syntax tree in which every node has a span, and reports
//! all errors.

pub mod ast;
pub mod forms;
pub mod header;
pub mod lex;
pub mod parse;
/// Whether a text is PTX: a line begins with the directive that begins a module.
pub fn is_module(text: &str) -> bool {
    text.lines().any(|line| line.trim_start().starts_with(".version"))
}
