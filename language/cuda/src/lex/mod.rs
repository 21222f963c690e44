//! Text to preprocessing tokens.

mod literal;
mod scan;
mod token;

pub use literal::{NumberError, NumberKind, Numeric, is_wide, parse_number, unescape};
pub use scan::Lexer;
pub use token::{Interner, Punct, Symbol, Token, TokenKind};
