//! Letters of operators and arithmetic types.

use crate::lex::Punct;
use crate::syntax::ast::{Builtin, Operator};

pub(super) fn operator_code(operator: Operator, operands: usize) -> &'static str {
    let unary = operands == 1;
    match operator {
        Operator::Call => "cl",
        Operator::Index => "ix",
        // The name of its suffix follows.
        Operator::Literal(_) => "li",
        Operator::New(false) => "nw",
        Operator::New(true) => "na",
        Operator::Delete(false) => "dl",
        Operator::Delete(true) => "da",
        Operator::Symbol(punct) => match punct {
            Punct::Plus if unary => "ps",
            Punct::Minus if unary => "ng",
            Punct::Star if unary => "de",
            Punct::And if unary => "ad",
            Punct::Plus => "pl",
            Punct::Minus => "mi",
            Punct::Star => "ml",
            Punct::Slash => "dv",
            Punct::Percent => "rm",
            Punct::And => "an",
            Punct::Or => "or",
            Punct::Xor => "eo",
            Punct::Tilde => "co",
            Punct::Not => "nt",
            Punct::Assign => "aS",
            Punct::AddAssign => "pL",
            Punct::SubAssign => "mI",
            Punct::MulAssign => "mL",
            Punct::DivAssign => "dV",
            Punct::RemAssign => "rM",
            Punct::AndAssign => "aN",
            Punct::OrAssign => "oR",
            Punct::XorAssign => "eO",
            Punct::Shl => "ls",
            Punct::Shr => "rs",
            Punct::ShlAssign => "lS",
            Punct::ShrAssign => "rS",
            Punct::EqEq => "eq",
            Punct::NotEq => "ne",
            Punct::Less => "lt",
            Punct::Greater => "gt",
            Punct::Le => "le",
            Punct::Ge => "ge",
            Punct::AndAnd => "aa",
            Punct::OrOr => "oo",
            Punct::Increment => "pp",
            Punct::Decrement => "mm",
            Punct::Comma => "cm",
            Punct::ArrowStar => "pm",
            Punct::Spaceship => "ss",
            _ => "pt",
        },
    }
}

pub(super) fn builtin_code(builtin: Builtin) -> char {
    match builtin {
        Builtin::Void => 'v',
        Builtin::Bool => 'b',
        Builtin::Char => 'c',
        Builtin::SignedChar => 'a',
        Builtin::UnsignedChar => 'h',
        Builtin::Short => 's',
        Builtin::UnsignedShort => 't',
        Builtin::Int => 'i',
        Builtin::UnsignedInt => 'j',
        Builtin::Long => 'l',
        Builtin::UnsignedLong => 'm',
        Builtin::LongLong => 'x',
        Builtin::UnsignedLongLong => 'y',
        Builtin::Float => 'f',
        Builtin::Double => 'd',
    }
}
