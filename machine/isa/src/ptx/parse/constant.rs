//! Numbers and constant expressions: C's integer operators on 64-bit values. The only operator for
//! floating-point numbers is a sign.

use super::super::ast::Literal;
use super::super::lex::TokenKind;
use super::cursor::{Parsed, Parser};
use crate::diag::Diagnostic;
use crate::span::Span;

/// Maximum nesting depth of parentheses and signs.
const MAX_DEPTH: u32 = 64;

/// Number of lanes of a warp, the value of PTX's `WARP_SZ`.
const WARP_SIZE: i128 = 32;

/// Value of a subexpression. Integers are exact, between -2^63 and 2^64 - 1.
#[derive(Clone, Copy, Debug)]
enum Value {
    Int(i128),
    F32(u32),
    F64(u64),
}

impl Parser<'_> {
    /// Whether the next token can begin a constant.
    pub fn begins_constant(&self) -> bool {
        let token = self.peek();
        match token.kind {
            TokenKind::Int
            | TokenKind::F32
            | TokenKind::F64
            | TokenKind::Decimal
            | TokenKind::LParen
            | TokenKind::Minus
            | TokenKind::Plus
            | TokenKind::Tilde => true,
            TokenKind::Ident => self.slice(token.span) == "WARP_SZ",
            _ => false,
        }
    }

    /// Parses a constant expression; returns it as a literal with its span.
    pub fn literal(&mut self) -> Parsed<(Literal, Span)> {
        let (value, span) = self.binary(0, 0)?;
        let literal = match value {
            Value::Int(v) => Literal::Int { value: v as u64, negative: v < 0 },
            Value::F32(bits) => Literal::F32(bits),
            Value::F64(bits) => Literal::F64(bits),
        };
        Ok((literal, span))
    }

    /// Parses a constant expression that is an integer.
    pub fn integer(&mut self) -> Parsed<(i128, Span)> {
        let (value, span) = self.binary(0, 0)?;
        Ok((self.as_int(value, span)?, span))
    }

    /// Parses a count or size: an integer from 0 to `u32::MAX`.
    pub fn count(&mut self) -> Parsed<(u32, Span)> {
        let (value, span) = self.integer()?;
        match u32::try_from(value) {
            Ok(count) => Ok((count, span)),
            Err(_) => {
                self.error("E0117", format!("{value} is out of range"), span, "expected 0 to 4294967295")
            }
        }
    }

    /// Parses the byte offset of an address: a sum of terms that begins with `+` or `-`; 0 if it is
    /// absent.
    pub fn offset(&mut self) -> Parsed<i64> {
        if !matches!(self.peek().kind, TokenKind::Plus | TokenKind::Minus) {
            return Ok(0);
        }
        let (value, span) = self.integer()?;
        match i64::try_from(value) {
            Ok(offset) => Ok(offset),
            Err(_) => self.error(
                "E0117",
                format!("the offset {value} is out of range"),
                span,
                "does not fit in 63 bits",
            ),
        }
    }

    /// Parses operators whose precedence is at least `least`, by precedence climbing.
    fn binary(&mut self, least: u8, depth: u32) -> Parsed<(Value, Span)> {
        let (mut left, mut span) = self.unary(depth)?;
        loop {
            let operator = self.peek();
            let Some(binding) = precedence(operator.kind).filter(|b| *b >= least) else {
                return Ok((left, span));
            };
            self.take();
            let (right, right_span) = self.binary(binding + 1, depth + 1)?;
            let (a, b) = (self.as_int(left, span)?, self.as_int(right, right_span)?);
            span = span.to(right_span);
            left = match apply(operator.kind, a, b).filter(|v| fits(*v)) {
                Some(v) => Value::Int(v),
                None if b == 0 && matches!(operator.kind, TokenKind::Slash | TokenKind::Percent) => {
                    return self.error(
                        "E0117",
                        "division by zero in a constant expression",
                        right_span,
                        "this divisor is 0",
                    );
                }
                None => {
                    return self.error(
                        "E0117",
                        "the constant expression does not fit in 64 bits",
                        span,
                        "overflows",
                    );
                }
            };
        }
    }

    fn unary(&mut self, depth: u32) -> Parsed<(Value, Span)> {
        let token = self.peek();
        if depth > MAX_DEPTH {
            let label = format!("the limit is {MAX_DEPTH} levels");
            return self.error("E0113", "the constant expression is nested too deeply", token.span, label);
        }
        match token.kind {
            TokenKind::Plus => {
                self.take();
                self.unary(depth + 1)
            }
            TokenKind::Minus => {
                self.take();
                let (value, span) = self.unary(depth + 1)?;
                let span = token.span.to(span);
                let negated = match value {
                    Value::Int(v) if fits(-v) => Value::Int(-v),
                    Value::Int(_) => {
                        return self.error(
                            "E0117",
                            "the constant expression does not fit in 64 bits",
                            span,
                            "overflows",
                        );
                    }
                    Value::F32(bits) => Value::F32(bits ^ 1 << 31),
                    Value::F64(bits) => Value::F64(bits ^ 1 << 63),
                };
                Ok((negated, span))
            }
            TokenKind::Tilde => {
                self.take();
                let (value, span) = self.unary(depth + 1)?;
                let v = self.as_int(value, span)?;
                // As in C, `~0` is -1. Only values above the signed range stay unsigned.
                let flipped = if v > i64::MAX as i128 { !(v as u64) as i128 } else { !v };
                Ok((Value::Int(flipped), token.span.to(span)))
            }
            TokenKind::LParen => {
                self.take();
                let (value, _) = self.binary(0, depth + 1)?;
                let close = self.expect(TokenKind::RParen, "`)`")?;
                Ok((value, token.span.to(close.span)))
            }
            _ => self.number(),
        }
    }

    fn number(&mut self) -> Parsed<(Value, Span)> {
        let token = self.peek();
        let text = self.slice(token.span);
        let value = match token.kind {
            TokenKind::Int => match integer_value(text) {
                Ok(value) => Value::Int(value),
                Err(message) => {
                    self.take();
                    return self
                        .report(Diagnostic::error("E0102", token.span, message).label("invalid number"));
                }
            },
            TokenKind::F32 => Value::F32(
                u32::from_str_radix(&text[2..], 16).expect("the lexer accepts exactly 8 hexadecimal digits"),
            ),
            TokenKind::F64 => Value::F64(
                u64::from_str_radix(&text[2..], 16).expect("the lexer accepts exactly 16 hexadecimal digits"),
            ),
            TokenKind::Decimal => {
                Value::F64(text.parse::<f64>().expect("the lexer accepts only decimal numbers").to_bits())
            }
            TokenKind::Ident if text == "WARP_SZ" => Value::Int(WARP_SIZE),
            _ => return Err(self.unexpected("a number")),
        };
        self.take();
        Ok((value, token.span))
    }

    fn as_int(&mut self, value: Value, span: Span) -> Parsed<i128> {
        match value {
            Value::Int(v) => Ok(v),
            Value::F32(_) | Value::F64(_) => {
                let message = "expected an integer, found a floating-point number";
                self.error("E0117", message, span, "not an integer")
            }
        }
    }
}

/// Whether the value fits in 64 bits, signed or unsigned.
fn fits(value: i128) -> bool {
    (i64::MIN as i128..=u64::MAX as i128).contains(&value)
}

/// Returns the value of an integer token.
fn integer_value(text: &str) -> Result<i128, String> {
    let digits = text.strip_suffix('U').unwrap_or(text);
    let (radix, digits) = match digits.as_bytes() {
        [b'0', b'x' | b'X', ..] => (16, &digits[2..]),
        [b'0', b'b' | b'B', ..] => (2, &digits[2..]),
        [b'0', _, ..] => (8, &digits[1..]),
        _ => (10, digits),
    };
    if radix == 8 && digits.bytes().any(|d| d > b'7') {
        return Err(format!("`{text}` begins with 0 and is octal, but octal has no digits 8 and 9"));
    }
    u64::from_str_radix(digits, radix)
        .map(i128::from)
        .map_err(|_| format!("`{text}` does not fit in 64 bits"))
}

/// Returns the precedence of an operator, with the order of C.
fn precedence(kind: TokenKind) -> Option<u8> {
    Some(match kind {
        TokenKind::Pipe => 0,
        TokenKind::Caret => 1,
        TokenKind::And => 2,
        TokenKind::ShiftLeft | TokenKind::ShiftRight => 3,
        TokenKind::Plus | TokenKind::Minus => 4,
        TokenKind::Star | TokenKind::Slash | TokenKind::Percent => 5,
        _ => return None,
    })
}

/// Applies an operator; `None` if the result does not exist.
fn apply(operator: TokenKind, a: i128, b: i128) -> Option<i128> {
    match operator {
        TokenKind::Pipe => Some(a | b),
        TokenKind::Caret => Some(a ^ b),
        TokenKind::And => Some(a & b),
        TokenKind::Plus => a.checked_add(b),
        TokenKind::Minus => a.checked_sub(b),
        TokenKind::Star => a.checked_mul(b),
        TokenKind::Slash => a.checked_div(b),
        TokenKind::Percent => a.checked_rem(b),
        TokenKind::ShiftLeft => (0..64).contains(&b).then(|| ((a as u64) << b) as i128),
        TokenKind::ShiftRight => (0..64).contains(&b).then(|| a >> b),
        _ => None,
    }
}
