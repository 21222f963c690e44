//! Expressions of `#if`.

use super::Preprocessor;
use crate::diagnostics::Diagnostic;
use crate::lex::{NumberKind, Punct, Symbol, Token, TokenKind, parse_number, unescape};
use crate::source::Span;

/// Nesting of parentheses and operators.
const MAX_DEPTH: usize = 100;

/// A value; the result of mixed operands is unsigned.
#[derive(Clone, Copy)]
struct Value {
    bits: i64,
    unsigned: bool,
}

type Parsed = Result<Value, (Span, String)>;

struct Evaluator<'t> {
    tokens: &'t [Token],
    at: usize,
    depth: usize,
    end: Span,
    /// Whether the value of the operands matters: not behind `0 &&`.
    live: bool,
}

impl Preprocessor<'_> {
    /// Whether a macro or a special name is defined.
    pub(super) fn is_defined(&self, symbol: Symbol) -> bool {
        let words = &self.words;
        self.macros.contains_key(&symbol)
            || [words.line, words.file, words.counter, words.has_include].contains(&symbol)
    }

    /// Evaluates the rest of the line after `#if`.
    pub(super) fn condition(&mut self, directive: Span) -> bool {
        let mut tokens = Vec::new();
        while let Some(token) = self.lex_in_line() {
            let TokenKind::Name(symbol) = token.kind else {
                tokens.push(token);
                continue;
            };
            let value = if symbol == self.words.defined {
                self.defined_operand(token.span)
            } else if symbol == self.words.has_include {
                self.has_include()
            } else {
                tokens.push(token);
                continue;
            };
            let text = self.names.intern(if value { "1" } else { "0" });
            tokens.push(Token { kind: TokenKind::Number(text), ..token });
        }
        let mut tokens = self.expand_directive(&tokens);
        if self.side.is_cpp() {
            crate::syntax::replace_operators(&mut tokens, self.names);
        }
        if tokens.is_empty() {
            self.out.push(Diagnostic::error("bad-directive", directive, "condition is missing"));
            return false;
        }
        match self.evaluate(&tokens) {
            Ok(value) => value.bits != 0,
            Err((span, message)) => {
                self.out.push(Diagnostic::error("bad-condition", span, message));
                false
            }
        }
    }

    /// Evaluates tokens without a message.
    pub(super) fn evaluate_quietly(&mut self, tokens: &[Token]) -> Option<i64> {
        if tokens.iter().any(|token| token.name().is_some()) {
            return None;
        }
        self.evaluate(tokens).ok().map(|value| value.bits)
    }

    fn evaluate(&mut self, tokens: &[Token]) -> Parsed {
        let last = tokens.last().map_or(Span::NONE, |token| token.span);
        let end = Span { start: last.end.saturating_sub(1).max(last.start), ..last };
        let mut evaluator = Evaluator { tokens, at: 0, depth: 0, end, live: true };
        let names = &*self.names;
        let text = |symbol: Symbol| names.text(symbol);
        let value = evaluator.ternary(&text)?;
        match evaluator.tokens.get(evaluator.at) {
            Some(extra) => Err((extra.span, "unexpected token after the condition".to_owned())),
            None => Ok(value),
        }
    }

    fn defined_operand(&mut self, span: Span) -> bool {
        let mut token = self.lex_in_line();
        let parenthesis = token.is_some_and(|token| token.is(Punct::LeftParen));
        if parenthesis {
            token = self.lex_in_line();
        }
        let symbol = token.and_then(|token| token.name());
        if parenthesis {
            self.lex_in_line();
        }
        let Some(symbol) = symbol else {
            self.out.push(Diagnostic::error("bad-condition", span, "`defined` needs a name"));
            return false;
        };
        self.is_defined(symbol)
    }

    fn has_include(&mut self) -> bool {
        let mut path = String::new();
        self.lex_in_line();
        while let Some(token) = self.lex_in_line().filter(|token| !token.is(Punct::RightParen)) {
            path.push_str(&self.spelled(token));
        }
        let angled = path.starts_with('<');
        let path = path.trim_matches(['<', '>', '"']).to_owned();
        self.can_include(&path, angled)
    }
}

impl Evaluator<'_> {
    fn peek(&self, punct: Punct) -> bool {
        self.tokens.get(self.at).is_some_and(|token| token.is(punct))
    }

    fn accept(&mut self, punct: Punct) -> bool {
        let found = self.peek(punct);
        self.at += usize::from(found);
        found
    }

    fn ternary<'n>(&mut self, text: &impl Fn(Symbol) -> &'n str) -> Parsed {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err((self.end, "the condition is nested too deeply".to_owned()));
        }
        let condition = self.binary(0, text)?;
        let result = if self.accept(Punct::Question) {
            let live = self.live;
            self.live = live && condition.bits != 0;
            let first = self.ternary(text)?;
            if !self.accept(Punct::Colon) {
                return Err((self.here(), "expected `:`".to_owned()));
            }
            self.live = live && condition.bits == 0;
            let second = self.ternary(text)?;
            self.live = live;
            let chosen = if condition.bits != 0 { first } else { second };
            Value { unsigned: first.unsigned || second.unsigned, ..chosen }
        } else {
            condition
        };
        self.depth -= 1;
        Ok(result)
    }

    fn here(&self) -> Span {
        self.tokens.get(self.at).map_or(self.end, |token| token.span)
    }

    fn binary<'n>(&mut self, least: u8, text: &impl Fn(Symbol) -> &'n str) -> Parsed {
        let mut left = self.unary(text)?;
        while let Some(token) = self.tokens.get(self.at) {
            let TokenKind::Punct(punct) = token.kind else { break };
            let Some(level) = punct.precedence().filter(|level| *level >= least) else { break };
            let span = token.span;
            self.at += 1;
            let live = self.live;
            self.live &= match punct {
                Punct::AndAnd => left.bits != 0,
                Punct::OrOr => left.bits == 0,
                _ => true,
            };
            self.depth += 1;
            if self.depth > MAX_DEPTH {
                return Err((span, "the condition is nested too deeply".to_owned()));
            }
            let right = self.binary(level + 1, text)?;
            self.depth -= 1;
            left = apply(punct, left, right)
                .or_else(|| (!self.live).then_some(left))
                .ok_or_else(|| (span, "division by zero in a condition".to_owned()))?;
            self.live = live;
        }
        Ok(left)
    }

    fn unary<'n>(&mut self, text: &impl Fn(Symbol) -> &'n str) -> Parsed {
        let Some(&token) = self.tokens.get(self.at) else {
            return Err((self.end, "the condition ends too early".to_owned()));
        };
        self.at += 1;
        let signed = |bits| Ok(Value { bits, unsigned: false });
        match token.kind {
            TokenKind::Punct(punct @ (Punct::Minus | Punct::Plus | Punct::Not | Punct::Tilde)) => {
                self.depth += 1;
                if self.depth > MAX_DEPTH {
                    return Err((token.span, "the condition is nested too deeply".to_owned()));
                }
                let value = self.unary(text)?;
                self.depth -= 1;
                Ok(match punct {
                    Punct::Minus => Value { bits: value.bits.wrapping_neg(), ..value },
                    Punct::Tilde => Value { bits: !value.bits, ..value },
                    Punct::Not => Value { bits: i64::from(value.bits == 0), unsigned: false },
                    _ => value,
                })
            }
            TokenKind::Punct(Punct::LeftParen) => {
                let value = self.ternary(text)?;
                if self.accept(Punct::RightParen) {
                    Ok(value)
                } else {
                    Err((self.here(), "expected `)`".to_owned()))
                }
            }
            TokenKind::Number(symbol) => match parse_number(text(symbol)) {
                Ok(number) => match number.kind {
                    NumberKind::Int { unsigned, .. } => Ok(Value {
                        bits: number.int as i64,
                        unsigned: unsigned || number.int > i64::MAX as u64,
                    }),
                    _ => Err((token.span, "a condition of the preprocessor takes integers only".to_owned())),
                },
                Err(_) => Err((token.span, format!("`{}` is no integer", text(symbol)))),
            },
            TokenKind::Char(symbol) => {
                signed(unescape(text(symbol)).ok().and_then(|b| b.first().copied()).map_or(0, i64::from))
            }
            TokenKind::Name(symbol) if text(symbol) == "true" => signed(1),
            // A name that is no macro counts as 0, also with arguments.
            TokenKind::Name(_) => {
                if self.peek(Punct::LeftParen) {
                    let span = token.span;
                    return Err((span, format!("`{}` is no macro with arguments", name_text(token, text))));
                }
                signed(0)
            }
            _ => Err((token.span, "expected a value in the condition".to_owned())),
        }
    }
}

fn name_text<'n>(token: Token, text: &impl Fn(Symbol) -> &'n str) -> &'n str {
    token.name().map_or("", text)
}

/// The value of a binary operator; `None` for a division by zero.
fn apply(punct: Punct, left: Value, right: Value) -> Option<Value> {
    let unsigned = left.unsigned || right.unsigned;
    let (a, b) = (left.bits, right.bits);
    let (ua, ub) = (a as u64, b as u64);
    let truth = |value: bool| Some(Value { bits: i64::from(value), unsigned: false });
    let less = |a: i64, b: i64| if unsigned { (a as u64) < (b as u64) } else { a < b };
    let bits = match punct {
        Punct::OrOr => return truth(a != 0 || b != 0),
        Punct::AndAnd => return truth(a != 0 && b != 0),
        Punct::EqEq => return truth(a == b),
        Punct::NotEq => return truth(a != b),
        Punct::Less => return truth(less(a, b)),
        Punct::Greater => return truth(less(b, a)),
        Punct::Le => return truth(!less(b, a)),
        Punct::Ge => return truth(!less(a, b)),
        Punct::Or => a | b,
        Punct::Xor => a ^ b,
        Punct::And => a & b,
        Punct::Shl => a.checked_shl(b as u32).unwrap_or(0),
        Punct::Shr if unsigned => ua.checked_shr(b as u32).unwrap_or(0) as i64,
        Punct::Shr => a >> b.clamp(0, 63),
        Punct::Plus => a.wrapping_add(b),
        Punct::Minus => a.wrapping_sub(b),
        Punct::Star => a.wrapping_mul(b),
        Punct::Slash if unsigned => ua.checked_div(ub)? as i64,
        Punct::Percent if unsigned => ua.checked_rem(ub)? as i64,
        Punct::Slash if b == 0 => return None,
        Punct::Slash => a.wrapping_div(b),
        _ if b == 0 => return None,
        _ => a.wrapping_rem(b),
    };
    Some(Value { bits, unsigned })
}
