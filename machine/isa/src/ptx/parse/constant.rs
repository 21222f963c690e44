//! Numbers and constant expressions: C's operators on 64-bit integers, which wrap around, and on
//! numbers of type `.f64`, as NVIDIA's assembler evaluates them.

use super::super::ast::Literal;
use super::super::lex::TokenKind;
use super::cursor::{Parsed, Parser};
use crate::diag::Diagnostic;
use crate::span::Span;

/// Maximum nesting depth of parentheses, signs and choices.
const MAX_DEPTH: u32 = 64;

/// Number of lanes of a warp, the value of PTX's `WARP_SZ`.
const WARP_SIZE: u64 = 32;

/// Precedence of the operators that are allowed in `<…>`: all that bind stronger than comparisons.
const SHIFTS: u8 = 7;

/// Value of a subexpression.
#[derive(Clone, Copy, Debug)]
enum Value {
    Int(Int),
    F32(u32),
    F64(f64),
}

/// An integer. An operator of a signed and an unsigned one is unsigned, as in C.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Int {
    bits: u64,
    unsigned: bool,
}

impl Int {
    /// A signed integer.
    const fn signed(value: i64) -> Self {
        Self { bits: value as u64, unsigned: false }
    }

    /// Returns the value, from -2^63 to 2^64 - 1.
    const fn value(self) -> i128 {
        if self.unsigned { self.bits as i128 } else { self.bits as i64 as i128 }
    }
}

impl From<bool> for Int {
    fn from(truth: bool) -> Self {
        Self::signed(truth.into())
    }
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
            // `!` before a name negates a predicate.
            TokenKind::Bang => {
                let next = self.peek_at(1);
                next.kind != TokenKind::Ident || self.slice(next.span) == "WARP_SZ"
            }
            TokenKind::Ident => self.slice(token.span) == "WARP_SZ",
            _ => false,
        }
    }

    /// Parses a constant expression; returns it as a literal with its span.
    pub fn literal(&mut self) -> Parsed<(Literal, Span)> {
        let (value, span) = self.choice(0)?;
        let literal = match value {
            Value::Int(int) => Literal::Int { value: int.bits, negative: int.value() < 0 },
            Value::F32(bits) => Literal::F32(bits),
            Value::F64(value) => Literal::F64(value.to_bits()),
        };
        Ok((literal, span))
    }

    /// Parses a constant expression that is an integer.
    pub fn integer(&mut self) -> Parsed<(i128, Span)> {
        let (value, span) = self.choice(0)?;
        Ok((self.as_int(value, span)?.value(), span))
    }

    /// Parses the number in `<…>`.
    pub fn number_of_names(&mut self) -> Parsed<u32> {
        let (value, span) = self.binary(SHIFTS, 0)?;
        let value = self.as_int(value, span)?.value();
        self.as_count(value, span)
    }

    /// Parses a count or size: an integer from 0 to `u32::MAX`.
    pub fn count(&mut self) -> Parsed<(u32, Span)> {
        let (value, span) = self.integer()?;
        Ok((self.as_count(value, span)?, span))
    }

    fn as_count(&mut self, value: i128, span: Span) -> Parsed<u32> {
        match u32::try_from(value) {
            Ok(count) => Ok(count),
            Err(_) => {
                self.error("E0117", format!("{value} is out of range"), span, "expected 0 to 4294967295")
            }
        }
    }

    /// Parses the byte offset of an address: a sum of terms that begins with `+` or `-`; 0 if it is
    /// absent. All 64 bits are kept.
    pub fn offset(&mut self) -> Parsed<i64> {
        if !matches!(self.peek().kind, TokenKind::Plus | TokenKind::Minus) {
            return Ok(0);
        }
        Ok(self.integer()?.0 as i64)
    }

    /// Parses an expression: a binary one, or `condition ? then : otherwise`.
    fn choice(&mut self, depth: u32) -> Parsed<(Value, Span)> {
        let (condition, span) = self.binary(0, depth)?;
        if self.take_if(TokenKind::Question).is_none() {
            return Ok((condition, span));
        }
        let (then, then_span) = self.choice(depth + 1)?;
        self.expect(TokenKind::Colon, "`:` of `?`")?;
        let (otherwise, last) = self.choice(depth + 1)?;
        let (condition, then, otherwise) =
            (self.as_int(condition, span)?, self.as_int(then, then_span)?, self.as_int(otherwise, last)?);
        let chosen = if condition.bits != 0 { then } else { otherwise };
        Ok((Value::Int(chosen), span.to(last)))
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
            let whole = span.to(right_span);
            left = if let (Value::F64(a), Value::F64(b)) = (left, right) {
                let Some(value) = apply_f64(operator.kind, a, b) else {
                    let message = "expected integers, found floating-point numbers";
                    return self.error("E0117", message, whole, "this operator takes integers");
                };
                value
            } else {
                let (a, b) = (self.as_int(left, span)?, self.as_int(right, right_span)?);
                if b.bits == 0 && matches!(operator.kind, TokenKind::Slash | TokenKind::Percent) {
                    let message = "division by zero in a constant expression";
                    return self.error("E0117", message, right_span, "this divisor is 0");
                }
                Value::Int(apply(operator.kind, a, b))
            };
            span = whole;
        }
    }

    fn unary(&mut self, depth: u32) -> Parsed<(Value, Span)> {
        let token = self.peek();
        if depth > MAX_DEPTH {
            let label = format!("the limit is {MAX_DEPTH} levels");
            return self.error("E0113", "the constant expression is nested too deeply", token.span, label);
        }
        match token.kind {
            TokenKind::Plus | TokenKind::Minus | TokenKind::Tilde | TokenKind::Bang => {
                self.take();
                let (value, span) = self.unary(depth + 1)?;
                let whole = token.span.to(span);
                let value = match (token.kind, value) {
                    (_, Value::F32(_)) => {
                        let help = "set the highest bit instead: `0fBF800000` is -1.0";
                        let message = "a number `0f…` has no operators";
                        let error = Diagnostic::error("E0117", whole, message).label("not a number");
                        return self.report(error.help(help));
                    }
                    (TokenKind::Minus, Value::F64(number)) => Value::F64(-number),
                    (TokenKind::Plus, value) => value,
                    (kind, value) => {
                        let Int { bits, unsigned } = self.as_int(value, span)?;
                        Value::Int(match kind {
                            TokenKind::Minus => Int { bits: bits.wrapping_neg(), unsigned },
                            TokenKind::Tilde => Int { bits: !bits, unsigned: true },
                            _ => (bits == 0).into(),
                        })
                    }
                };
                Ok((value, whole))
            }
            TokenKind::LParen => {
                self.take();
                if let Some(unsigned) = self.cast() {
                    self.take();
                    self.expect(TokenKind::RParen, "`)` after the type")?;
                    let (value, span) = self.unary(depth + 1)?;
                    let bits = self.as_int(value, span)?.bits;
                    return Ok((Value::Int(Int { bits, unsigned }), token.span.to(span)));
                }
                let (value, _) = self.choice(depth + 1)?;
                let close = self.expect(TokenKind::RParen, "`)`")?;
                Ok((value, token.span.to(close.span)))
            }
            _ => self.number(),
        }
    }

    /// Whether the next token is the type of a cast to an unsigned integer; `None` if it is no type
    /// of a cast.
    fn cast(&self) -> Option<bool> {
        match self.dot()? {
            "u64" => Some(true),
            "s64" => Some(false),
            _ => None,
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
            TokenKind::F64 => Value::F64(f64::from_bits(
                u64::from_str_radix(&text[2..], 16).expect("the lexer accepts exactly 16 hexadecimal digits"),
            )),
            TokenKind::Decimal => {
                let value = text.parse::<f64>().expect("the lexer accepts only decimal numbers");
                let digits = text.split(['e', 'E']).next().unwrap_or_default();
                let zero = digits.bytes().all(|digit| matches!(digit, b'0' | b'.'));
                if value.is_infinite() || value == 0.0 && !zero {
                    let message = format!("`{text}` is out of the range of `.f64`");
                    return self.error("E0102", message, token.span, "invalid number");
                }
                Value::F64(value)
            }
            TokenKind::Ident if text == "WARP_SZ" => Value::Int(Int { bits: WARP_SIZE, unsigned: false }),
            _ => return Err(self.unexpected("a number")),
        };
        self.take();
        Ok((value, token.span))
    }

    fn as_int(&mut self, value: Value, span: Span) -> Parsed<Int> {
        match value {
            Value::Int(int) => Ok(int),
            Value::F32(_) | Value::F64(_) => {
                let message = "expected an integer, found a floating-point number";
                self.error("E0117", message, span, "not an integer")
            }
        }
    }
}

/// Returns the value of an integer token: unsigned with the suffix `U` or above 2^63 - 1.
fn integer_value(text: &str) -> Result<Int, String> {
    let digits = text.strip_suffix('U').unwrap_or(text);
    let suffixed = digits.len() < text.len();
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
        .map(|bits| Int { bits, unsigned: suffixed || i64::try_from(bits).is_err() })
        .map_err(|_| format!("`{text}` does not fit in 64 bits"))
}

/// Returns the precedence of an operator, with the order of C.
fn precedence(kind: TokenKind) -> Option<u8> {
    Some(match kind {
        TokenKind::OrOr => 0,
        TokenKind::AndAnd => 1,
        TokenKind::Pipe => 2,
        TokenKind::Caret => 3,
        TokenKind::And => 4,
        TokenKind::EqualTo | TokenKind::Unequal => 5,
        TokenKind::Less | TokenKind::LessEqual | TokenKind::Greater | TokenKind::GreaterEqual => 6,
        TokenKind::ShiftLeft | TokenKind::ShiftRight => SHIFTS,
        TokenKind::Plus | TokenKind::Minus => 8,
        TokenKind::Star | TokenKind::Slash | TokenKind::Percent => 9,
        _ => return None,
    })
}

/// Applies an operator. A divisor is not 0.
fn apply(operator: TokenKind, a: Int, b: Int) -> Int {
    let unsigned = a.unsigned || b.unsigned;
    let (signed_a, signed_b) = (a.bits as i64, b.bits as i64);
    // As the assembler does, an amount counts modulo 64.
    let amount = b.bits as u32;
    let order = if unsigned { a.bits.cmp(&b.bits) } else { signed_a.cmp(&signed_b) };
    let bits = match operator {
        TokenKind::OrOr => return (a.bits != 0 || b.bits != 0).into(),
        TokenKind::AndAnd => return (a.bits != 0 && b.bits != 0).into(),
        TokenKind::EqualTo => return order.is_eq().into(),
        TokenKind::Unequal => return order.is_ne().into(),
        TokenKind::Less => return order.is_lt().into(),
        TokenKind::LessEqual => return order.is_le().into(),
        TokenKind::Greater => return order.is_gt().into(),
        TokenKind::GreaterEqual => return order.is_ge().into(),
        TokenKind::ShiftLeft => return Int { bits: a.bits.wrapping_shl(amount), ..a },
        TokenKind::ShiftRight if a.unsigned => return Int { bits: a.bits.wrapping_shr(amount), ..a },
        TokenKind::ShiftRight => return Int::signed(signed_a.wrapping_shr(amount)),
        // The assembler's remainder is always unsigned.
        TokenKind::Percent => return Int { bits: a.bits % b.bits, unsigned: true },
        TokenKind::Pipe => a.bits | b.bits,
        TokenKind::Caret => a.bits ^ b.bits,
        TokenKind::And => a.bits & b.bits,
        TokenKind::Plus => a.bits.wrapping_add(b.bits),
        TokenKind::Minus => a.bits.wrapping_sub(b.bits),
        TokenKind::Star => a.bits.wrapping_mul(b.bits),
        _ if unsigned => a.bits / b.bits,
        _ => signed_a.wrapping_div(signed_b) as u64,
    };
    Int { bits, unsigned }
}

/// Applies an operator to numbers of type `.f64`; `None` for an operator of integers.
#[expect(clippy::float_cmp, reason = "the operators of the language compare exactly")]
fn apply_f64(operator: TokenKind, a: f64, b: f64) -> Option<Value> {
    Some(match operator {
        TokenKind::Plus => Value::F64(a + b),
        TokenKind::Minus => Value::F64(a - b),
        TokenKind::Star => Value::F64(a * b),
        TokenKind::Slash => Value::F64(a / b),
        TokenKind::EqualTo => Value::Int((a == b).into()),
        TokenKind::Unequal => Value::Int((a != b).into()),
        TokenKind::Less => Value::Int((a < b).into()),
        TokenKind::LessEqual => Value::Int((a <= b).into()),
        TokenKind::Greater => Value::Int((a > b).into()),
        TokenKind::GreaterEqual => Value::Int((a >= b).into()),
        _ => return None,
    })
}
