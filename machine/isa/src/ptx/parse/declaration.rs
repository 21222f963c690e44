//! Declarations of registers, variables and parameters, with their initializers.

use super::super::ast::{Init, Linkage, Literal, Variable};
use super::super::lex::TokenKind;
use super::attributes::{Attributes, SPACES};
use super::cursor::{Parsed, Parser};
use crate::span::Span;
use crate::types::StateSpace;
use crate::uop::Sampler;

/// Maximum number of elements of an initializer, including padding.
const MAX_INIT: u64 = 1 << 24;

/// Whether a directive's word begins a declaration.
pub(super) fn begins_declaration(word: &str) -> bool {
    Linkage::of(word).is_some()
        || matches!(word, "align" | "texref" | "surfref" | "samplerref" | "surf")
        || SPACES.iter().any(|(name, _)| *name == word)
}

impl<'a> Parser<'a> {
    /// Parses `.space attributes name, name …;` including the semicolon.
    pub fn variables(&mut self) -> Parsed<Vec<Variable<'a>>> {
        let attributes = self.attributes()?;
        let mut variables = vec![self.declarator(&attributes)?];
        while self.take_if(TokenKind::Comma).is_some() {
            variables.push(self.declarator(&attributes)?);
        }
        self.semicolon("the declaration")?;
        Ok(variables)
    }

    /// Parses `(.param .u32 a, .param .u32 b)`; the opening parenthesis is the next token.
    pub fn parameters(&mut self) -> Parsed<Vec<Variable<'a>>> {
        self.expect(TokenKind::LParen, "`(`")?;
        let mut parameters = Vec::new();
        if self.take_if(TokenKind::RParen).is_some() {
            return Ok(parameters);
        }
        loop {
            let attributes = self.attributes()?;
            parameters.push(self.declarator(&attributes)?);
            if self.take_if(TokenKind::RParen).is_some() {
                return Ok(parameters);
            }
            self.expect(TokenKind::Comma, "`,` or `)` after the parameter")?;
        }
    }

    /// Parses the bank of PTX 2.x's `.const[2]`; the simulator maps all banks to one.
    pub fn const_bank(&mut self) -> Parsed<()> {
        if self.slice(self.last_span()) == ".const" && self.take_if(TokenKind::LBracket).is_some() {
            self.count()?;
            self.expect(TokenKind::RBracket, "`]`")?;
        }
        Ok(())
    }

    /// Parses a name with its count, dimensions and initializer.
    fn declarator(&mut self, attributes: &Attributes) -> Parsed<Variable<'a>> {
        let name = match self.take_if(TokenKind::Underscore) {
            Some(token) => self.ident_of(token),
            None => self.name("a name")?,
        };
        let mut range = None;
        if self.take_if(TokenKind::Less).is_some() {
            range = Some(self.number_of_names()?);
            self.expect(TokenKind::Greater, "`>`")?;
        }
        let mut dims = Vec::new();
        while self.take_if(TokenKind::LBracket).is_some() {
            dims.push(if self.is(TokenKind::RBracket) { None } else { Some(self.dimension()?) });
            self.expect(TokenKind::RBracket, "`]`")?;
        }
        let elements = Self::elements_below(&dims, attributes.vector);
        let mut sampler = Sampler::default();
        let init = match self.take_if(TokenKind::Equals) {
            Some(_) if attributes.space == StateSpace::Sampler => {
                sampler = self.members()?;
                None
            }
            Some(equals) => {
                let init = self.initializer(&elements)?;
                self.check_fit(init.len() as u64, elements[0], equals.span.to(self.last_span()))?;
                Some(init)
            }
            None => None,
        };
        let Attributes { space, opaque, pointee, linkage, align, ty, vector, start } = *attributes;
        Ok(Variable {
            space,
            opaque,
            pointee,
            sampler,
            linkage,
            module: 0,
            title: None,
            align,
            ty,
            vector,
            name,
            range,
            dims,
            init,
            span: start.to(self.last_span()),
        })
    }

    fn dimension(&mut self) -> Parsed<u64> {
        let (value, span) = self.integer()?;
        match u64::try_from(value) {
            Ok(value) => Ok(value),
            Err(_) => {
                self.error("E0117", format!("invalid array length {value}"), span, "expected 0 or more")
            }
        }
    }

    /// Returns the number of scalars in the whole variable, in one element of its first dimension,
    /// of its second, and so on. `None` means that the initializer determines the number.
    fn elements_below(dims: &[Option<u64>], vector: u32) -> Vec<Option<u64>> {
        let mut counts = vec![Some(vector as u64)];
        for dim in dims.iter().rev() {
            let inner = counts[counts.len() - 1];
            counts.push(inner.zip(*dim).map(|(a, b)| a.saturating_mul(b)));
        }
        counts.reverse();
        counts
    }

    /// Parses a value or nested braces, flattened. `elements` contains the number of scalars per
    /// nesting depth. Inner braces with fewer values are padded with zeros, as in C.
    fn initializer(&mut self, elements: &[Option<u64>]) -> Parsed<Vec<Init<'a>>> {
        let mut values = Vec::new();
        if !self.is(TokenKind::LBrace) {
            values.push(self.init_value()?);
            return Ok(values);
        }
        // For each open brace: its span and the number of values before it.
        let mut open: Vec<(Span, usize)> = Vec::new();
        loop {
            if let Some(brace) = self.take_if(TokenKind::LBrace) {
                if open.len() == elements.len() {
                    let label = "one level of braces too many";
                    return self.error(
                        "E0118",
                        "the initializer has more levels of braces than the variable has dimensions",
                        brace.span,
                        label,
                    );
                }
                open.push((brace.span, values.len()));
                if !self.is(TokenKind::RBrace) {
                    continue;
                }
            } else {
                values.push(self.init_value()?);
            }
            while let Some(close) = self.take_if(TokenKind::RBrace) {
                let (begin, before) = open.pop().unwrap_or_default();
                if open.is_empty() {
                    return Ok(values);
                }
                self.pad(&mut values, before, elements[open.len()], begin.to(close.span))?;
            }
            self.expect(TokenKind::Comma, "`,` or `}` in the initializer")?;
        }
    }

    /// Pads the values of an inner brace with zeros.
    fn pad(
        &mut self,
        values: &mut Vec<Init<'a>>,
        before: usize,
        capacity: Option<u64>,
        span: Span,
    ) -> Parsed<()> {
        let Some(capacity) = capacity else { return Ok(()) };
        self.check_fit((values.len() - before) as u64, Some(capacity), span)?;
        let total = before as u64 + capacity;
        if total > MAX_INIT {
            let message =
                format!("the initializer has {total} elements; this simulator accepts at most {MAX_INIT}");
            return self.error("E0118", message, span, "too many elements");
        }
        values.resize(total as usize, Init::Value(Literal::Int { value: 0, negative: false }, span));
        Ok(())
    }

    fn check_fit(&mut self, given: u64, capacity: Option<u64>, span: Span) -> Parsed<()> {
        match capacity {
            Some(capacity) if given > capacity => {
                let message = format!("{given} initial values for {capacity} elements");
                self.error("E0118", message, span, "too many values")
            }
            _ => Ok(()),
        }
    }

    fn init_value(&mut self) -> Parsed<Init<'a>> {
        if self.is(TokenKind::Ident) && !self.begins_constant() {
            let name = self.name("a symbol")?;
            if name.name == "generic" && self.take_if(TokenKind::LParen).is_some() {
                let name = self.name("a symbol")?;
                let offset = self.offset()?;
                self.expect(TokenKind::RParen, "`)` after the symbol")?;
                return Ok(Init::Generic(name, offset.wrapping_add(self.offset()?)));
            }
            return Ok(Init::Address(name, self.offset()?));
        }
        if !self.begins_constant() {
            return Err(self.unexpected("a number, a symbol or `{` in the initializer"));
        }
        let (literal, span) = self.literal()?;
        Ok(Init::Value(literal, span))
    }
}
