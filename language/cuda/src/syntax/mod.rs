//! Tokens to a syntax tree: a parser by recursive descent.
//!
//! Bodies of host functions are skipped. Declarations at file scope that the parser does not
//! understand are skipped too, without a message unless they contain device code.

mod allocation;
mod asm;
pub mod ast;
mod attribute;
mod concept;
mod declaration;
mod declarator;
mod enumeration;
mod exception;
mod expression;
mod function;
mod keyword;
mod lambda;
mod launch;
mod loops;
mod namespace;
mod old_style;
pub mod opencl;
mod pack;
mod parser;
mod postfix;
mod qualified;
mod record;
mod scope;
mod skip;
mod specifiers;
pub mod standard;
mod statement;
mod statement_expression;
mod template;

pub(crate) use expression::assignment_operator;
pub use keyword::{Keyword, replace_operators};
pub use parser::{Launch, PART_OF_CHAIN, Parsed, Skipped, WantedLambda, WantedName, parse};

#[cfg(test)]
mod tests;
