//! Operands of instructions.

use super::super::ast::{Ident, Operand, OperandKind};
use super::super::lex::TokenKind;
use super::cursor::{Parsed, Parser};
use crate::diag::Diagnostic;
use crate::sem::video::Selector;
use crate::span::Span;

/// Splits a name such as `%r1.b0` into the register and the part.
fn part(name: &str) -> Option<(&str, Selector)> {
    let (register, part) = name.rsplit_once('.')?;
    Some((register, Selector::from_name(part)?))
}

impl<'a> Parser<'a> {
    /// Parses operands up to the semicolon, separated by commas. `call` allows lists in
    /// parentheses.
    pub fn operands(&mut self, call: bool) -> Parsed<Vec<Operand<'a>>> {
        let mut operands = Vec::new();
        if self.is(TokenKind::Semicolon) || self.peek().first_on_line && !self.continues_operands() {
            return Ok(operands);
        }
        loop {
            operands.push(self.operand(call)?);
            if self.take_if(TokenKind::Comma).is_none() {
                return Ok(operands);
            }
        }
    }

    /// Whether a token on a new line continues the operands; compilers write calls in this way.
    fn continues_operands(&self) -> bool {
        let token = self.peek();
        let name = token.kind == TokenKind::Ident
            && matches!(self.peek_at(1).kind, TokenKind::Comma | TokenKind::Semicolon);
        name || matches!(token.kind, TokenKind::LParen | TokenKind::LBracket | TokenKind::LBrace)
    }

    fn operand(&mut self, call: bool) -> Parsed<Operand<'a>> {
        let start = self.peek();
        let kind = match start.kind {
            TokenKind::Bang if !self.begins_constant() => {
                self.take();
                OperandKind::Not(self.dotted_name("a predicate after `!`")?.0)
            }
            TokenKind::LBrace => OperandKind::Vector(self.elements(TokenKind::RBrace, "`}`")?),
            TokenKind::LParen if call => OperandKind::List(self.elements(TokenKind::RParen, "`)`")?),
            TokenKind::LBracket => self.memory()?,
            _ => return self.simple(),
        };
        Ok(Operand { kind, span: start.span.to(self.last_span()) })
    }

    /// Parses a name, pair, number or `_`: the operands that are also allowed inside a vector or
    /// list.
    fn simple(&mut self) -> Parsed<Operand<'a>> {
        let start = self.peek();
        let kind = match start.kind {
            TokenKind::Minus if self.negates_a_name() => {
                self.take();
                let (name, _) = self.dotted_name("a register after `-`")?;
                let (name, selector) = part(name).unwrap_or((name, Selector::Word));
                OperandKind::Part { name, negated: true, selector }
            }
            _ if self.begins_constant() => OperandKind::Literal(self.literal()?.0),
            TokenKind::Underscore if self.peek_at(1).kind != TokenKind::Pipe => {
                self.take();
                OperandKind::Sink
            }
            TokenKind::Ident | TokenKind::Underscore => self.named()?,
            _ => {
                return Err(
                    self.unexpected("an operand: a register, number, label, `[address]` or `{vector}`")
                );
            }
        };
        Ok(Operand { kind, span: start.span.to(self.last_span()) })
    }

    /// Parses an operand that begins with a name: the name itself, `p|q` or `sym+4`.
    fn named(&mut self) -> Parsed<OperandKind<'a>> {
        let (name, span) = self.dotted_name("a name")?;
        match self.peek().kind {
            TokenKind::Pipe => {
                self.take();
                Ok(OperandKind::Pair(name, self.dotted_name("the second predicate after `|`")?.0))
            }
            TokenKind::Plus | TokenKind::Minus => {
                let offset = self.offset()?;
                Ok(OperandKind::NameOffset(name, offset))
            }
            TokenKind::LBracket => {
                let message = format!("`{name}[…]`: an array element as an operand is not supported");
                let help =
                    format!("write the byte offset: `[{name}+4]` for memory, `{name}+4` for an address");
                let place = span.to(self.peek().span);
                self.report(Diagnostic::error("E0119", place, message).label("indexed here").help(help))
            }
            _ => Ok(match part(name) {
                Some((name, selector)) => OperandKind::Part { name, negated: false, selector },
                None => OperandKind::Name(name),
            }),
        }
    }

    /// Whether a minus sign is before the name of a register.
    fn negates_a_name(&self) -> bool {
        let next = self.peek_at(1);
        next.kind == TokenKind::Ident && self.slice(next.span) != "WARP_SZ"
    }

    /// Parses a name with its component, such as `%tid.x`, or `_`.
    fn dotted_name(&mut self, what: &str) -> Parsed<(&'a str, Span)> {
        if let Some(sink) = self.take_if(TokenKind::Underscore) {
            return Ok(("_", sink.span));
        }
        let name = self.expect(TokenKind::Ident, what)?;
        let next = self.peek();
        let joined = next.kind == TokenKind::Dot && next.span.start == name.span.end;
        let span = if joined { name.span.to(self.take().span) } else { name.span };
        Ok((self.slice(span), span))
    }

    /// Parses simple operands between the opening token, which is next, and `close`.
    fn elements(&mut self, close: TokenKind, close_name: &str) -> Parsed<Box<[Operand<'a>]>> {
        self.take();
        let mut elements = Vec::new();
        if self.take_if(close).is_some() {
            return Ok(elements.into());
        }
        loop {
            elements.push(self.simple()?);
            if self.take_if(close).is_some() {
                return Ok(elements.into());
            }
            self.expect(TokenKind::Comma, &format!("`,` or {close_name}"))?;
        }
    }

    /// Parses `[base+offset]`, `[sym]` or `[4096]`; `[tex, {x, y}]` and `[tex,
    /// sampler, {x, y}]` become lists.
    fn memory(&mut self) -> Parsed<OperandKind<'a>> {
        let open = self.take();
        let base = match self.peek().kind {
            TokenKind::Ident if !self.begins_constant() => {
                let (name, span) = self.dotted_name("a register or symbol")?;
                Some(Ident { name, span })
            }
            _ if self.begins_constant() => None,
            _ => return Err(self.unexpected("a register, symbol or number in the address")),
        };
        let place = self.peek_at(1);
        let register = place.kind == TokenKind::Ident && self.slice(place.span) != "WARP_SZ";
        if base.is_some() && register && matches!(self.peek().kind, TokenKind::Plus | TokenKind::Minus) {
            let message =
                format!("the offset of an address must be a constant, not {}", self.describe(place));
            let error = Diagnostic::error("E0110", place.span, message)
                .label("expected a number")
                .help("add the two registers first and use the sum as the address");
            return self.report(error);
        }
        let offset = if base.is_some() { self.offset()? } else { self.absolute()? };
        if self.is(TokenKind::Comma) {
            let span = open.span.to(self.last_span());
            self.take();
            let mut parts = vec![Operand { kind: OperandKind::Memory { base, offset }, span }];
            if self.is(TokenKind::Ident) && self.peek_at(1).kind == TokenKind::Comma {
                parts.push(self.sampler()?);
            }
            parts.push(self.coordinates()?);
            self.expect(TokenKind::RBracket, "`]`")?;
            return Ok(OperandKind::List(parts.into()));
        }
        self.expect(TokenKind::RBracket, "`]` after the address")?;
        Ok(OperandKind::Memory { base, offset })
    }

    /// Parses the sampler of `[tex, sampler, {x, y}]` and the comma after it.
    fn sampler(&mut self) -> Parsed<Operand<'a>> {
        let (name, span) = self.dotted_name("a sampler")?;
        self.take();
        let base = Some(Ident { name, span });
        Ok(Operand { kind: OperandKind::Memory { base, offset: 0 }, span })
    }

    /// Parses the coordinates of a texture: registers in braces, or one register.
    fn coordinates(&mut self) -> Parsed<Operand<'a>> {
        let start = self.peek();
        if start.kind != TokenKind::LBrace {
            return self.simple();
        }
        let kind = OperandKind::Vector(self.elements(TokenKind::RBrace, "`}`")?);
        Ok(Operand { kind, span: start.span.to(self.last_span()) })
    }

    /// Parses an address that is only a number; all 64 bits are kept.
    fn absolute(&mut self) -> Parsed<i64> {
        Ok(self.integer()?.0 as i64)
    }
}
