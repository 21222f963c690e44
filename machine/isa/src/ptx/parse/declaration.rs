//! Declarations of registers, variables and parameters, with their initializers.

use super::super::ast::{Init, Linkage, Literal, Variable};
use super::super::lex::TokenKind;
use super::cursor::{Parsed, Parser};
use crate::diag::Diagnostic;
use crate::span::Span;
use crate::types::{ScalarType, StateSpace};

/// Maximum number of elements of an initializer, including padding.
const MAX_INIT: u64 = 1 << 24;

/// The words of a declaration before the name.
struct Attributes {
    space: StateSpace,
    linkage: Linkage,
    align: Option<(u32, Span)>,
    ty: ScalarType,
    vector: u32,
    start: Span,
}

/// State spaces in which a variable can be declared.
const SPACES: [(&str, StateSpace); 7] = [
    ("reg", StateSpace::Reg),
    ("const", StateSpace::Const),
    ("global", StateSpace::Global),
    ("local", StateSpace::Local),
    ("param", StateSpace::Param),
    ("shared", StateSpace::Shared),
    ("tex", StateSpace::Tex),
];

/// The state space of surfaces, and the type of samplers.
const OPAQUE: [&str; 2] = ["surf", "samplerref"];

/// Whether a directive's word begins a declaration.
pub(super) fn begins_declaration(word: &str) -> bool {
    Linkage::of(word).is_some()
        || matches!(word, "align" | "texref" | "surfref")
        || OPAQUE.contains(&word)
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

    fn attributes(&mut self) -> Parsed<Attributes> {
        let start = self.peek().span;
        let (mut space, mut ty, mut align, mut vector) = (None, None, None, 1);
        let (mut linkage, mut pointer, mut reference) = (Linkage::Local, false, None);
        while let Some(word) = self.dot() {
            let span = self.take().span;
            self.record_versioned(word);
            if let Some((_, found)) = SPACES.iter().find(|(name, _)| *name == word) {
                // After `.ptr`, state space and alignment describe the memory that the parameter
                // points to.
                if !pointer && space.replace(*found).is_some() {
                    return self.error(
                        "E0116",
                        "the declaration has two state spaces",
                        span,
                        "expected one state space",
                    );
                }
                self.const_bank()?;
            } else if let Some(found) = ScalarType::from_name(word) {
                if ty.replace(found).is_some() {
                    return self.error("E0116", "the declaration has two types", span, "expected one type");
                }
            } else if word == "align" {
                let (value, place) = self.count()?;
                if !value.is_power_of_two() {
                    let message = format!("invalid alignment of {value} bytes");
                    return self.error("E0116", message, place, "expected a power of two");
                }
                if !pointer {
                    align = Some((value, span.to(place)));
                }
            } else if word == "texref" {
                reference = Some((StateSpace::Tex, span));
                ty = ty.or(Some(ScalarType::U32));
            } else if word == "surfref" {
                reference = Some((StateSpace::Surf, span));
                ty = ty.or(Some(ScalarType::U32));
            } else if OPAQUE.contains(&word) {
                let message =
                    format!("`.{word}`: samplers and `.surf` variables are not supported by this simulator");
                return self.error("E0119", message, span, "not supported");
            } else if let Some(found) = Linkage::of(word) {
                linkage = found;
            } else {
                match word {
                    "v2" => vector = 2,
                    "v4" => vector = 4,
                    "ptr" => pointer = true,
                    _ => return self.unknown_attribute(word, span),
                }
            }
        }
        let Some(space) = space else {
            let message = "the declaration has no state space";
            let label = "expected .reg, .const, .global, .local, .param or .shared";
            return self.error("E0116", message, start, label);
        };
        let space = match (reference, space) {
            (Some((of, _)), StateSpace::Global) => of,
            (Some((of, span)), _) => {
                let (what, word) =
                    if of == StateSpace::Tex { ("texture", "texref") } else { ("surface", "surfref") };
                let message = format!("a {what} reference cannot be in {space} memory");
                return self.error("E0116", message, span, format!("expected .global .{word}"));
            }
            (None, space) => space,
        };
        let Some(ty) = ty else {
            let place = self.peek().span;
            return self.error(
                "E0116",
                "the declaration has no type",
                place,
                "expected a type such as .u32 before this",
            );
        };
        Ok(Attributes { space, linkage, align, ty, vector, start })
    }

    fn unknown_attribute<T>(&mut self, word: &str, span: Span) -> Parsed<T> {
        let types = ScalarType::ALL.iter().map(|(name, _)| *name);
        let words = types.chain(SPACES.iter().map(|(name, _)| *name)).chain(["align", "v2", "v4", "ptr"]);
        let near = Self::nearest(word, words.chain(Linkage::ALL.map(|(name, _)| name)));
        let message = format!("unknown word `.{word}` in a declaration");
        let label = "expected a state space, type, .align, .v2 or .v4";
        self.report(Diagnostic::error("E0116", span, message).label(label).meant(near))
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
            range = Some(self.count()?.0);
            self.expect(TokenKind::Greater, "`>`")?;
        }
        let mut dims = Vec::new();
        while self.take_if(TokenKind::LBracket).is_some() {
            dims.push(if self.is(TokenKind::RBracket) { None } else { Some(self.dimension()?) });
            self.expect(TokenKind::RBracket, "`]`")?;
        }
        let elements = Self::elements_below(&dims, attributes.vector);
        let init = match self.take_if(TokenKind::Equals) {
            Some(equals) => {
                let init = self.initializer(&elements)?;
                self.check_fit(init.len() as u64, elements[0], equals.span.to(self.last_span()))?;
                Some(init)
            }
            None => None,
        };
        let Attributes { space, linkage, align, ty, vector, start } = *attributes;
        Ok(Variable {
            space,
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
