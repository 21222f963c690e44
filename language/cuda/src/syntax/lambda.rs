//! Lambda expressions.

use std::rc::Rc;

use super::ast::{
    Capture, DeclaratorName, Expr, ExprKind, FunctionChunk, Lambda, Marks, Name, Noexcept, RefQualifier,
    TemplateParameters,
};
use super::keyword::Keyword;
use super::parser::{Parser, Step, WantedName};
use super::scope::NameKind;
use crate::lex::{Punct, Symbol, TokenKind};
use crate::source::{Place, Span};

/// What is between `[` and `]`.
#[derive(Default)]
struct Captures {
    default: Option<bool>,
    list: Vec<Capture>,
    /// The names of packs.
    packs: Vec<Name>,
}

/// The parameter list of a lambda expression without one.
pub(super) fn no_parameters(span: Span) -> FunctionChunk {
    FunctionChunk {
        is_old_style: false,
        parameters: Vec::new(),
        variadic: false,
        is_const: true,
        reference: RefQualifier::None,
        noexcept: Noexcept::No,
        trailing: None,
        overrides: false,
        is_final: false,
        requires: None,
        span,
    }
}

impl Parser<'_> {
    /// The names from a token to the current one.
    pub(super) fn names_from(&self, first: usize) -> Vec<Symbol> {
        let mut names: Vec<Symbol> = Vec::new();
        for at in first..self.at {
            if let TokenKind::Name(symbol) = self.kind_of(at)
                && !names.contains(&symbol)
            {
                names.push(symbol);
            }
        }
        names
    }

    /// The names from a token to the current one, without members of objects and parameters.
    fn variables_from(&self, first: usize, function: &FunctionChunk) -> Vec<Symbol> {
        let is_parameter = |symbol: Symbol| {
            let mut names = function.parameters.iter().map(|one| &one.declarator.name);
            names.any(|name| matches!(name, DeclaratorName::Plain(name) if name.symbol == symbol))
        };
        let is_member = |at: usize| {
            let before = |distance| at.checked_sub(distance).map(|at| self.kind_of(at));
            let of_other = match before(2) {
                Some(TokenKind::Name(object)) => Keyword::of(object) != Some(Keyword::This),
                other => other == Some(TokenKind::Punct(Punct::RightBracket)),
            };
            of_other && matches!(before(1), Some(TokenKind::Punct(Punct::Dot | Punct::Arrow)))
        };
        let mut names: Vec<Symbol> = Vec::new();
        for at in first..self.at {
            if let TokenKind::Name(symbol) = self.kind_of(at)
                && !names.contains(&symbol)
                && !is_member(at)
                && !is_parameter(symbol)
            {
                names.push(symbol);
            }
        }
        names
    }

    /// Notes a lambda expression of host code whose body begins at a token.
    fn note_lambda(&mut self, place: &Place, open: usize, lambda: &Rc<Lambda>) -> Step<()> {
        let length = self.at - open;
        let mut known = self.lambda_tokens.get(place).into_iter();
        // A file that is included again may have other macros.
        let differs = known.any(|(first, known)| {
            *known != length || (0..length).any(|at| self.kind_of(first + at) != self.kind_of(open + at))
        });
        if differs {
            return self.unsupported(
                self.span_of(open),
                "different `__device__` lambda expressions at one place of a file that is included again",
            );
        }
        self.lambda_tokens.insert(place.clone(), (open, length));
        self.lambdas.insert(place.clone(), lambda.clone());
        Ok(())
    }

    /// Parses a lambda expression of a host function, if the other half uses it. The current token
    /// is `__device__` or `__host__`; takes nothing.
    pub(super) fn wanted_lambda(&mut self) {
        let Some(open) = self.bracket_before(self.at) else { return };
        let Some(place) = self.sources.place(self.span_of(self.brace_behind(self.at))) else { return };
        let Some(wanted) = self.wanted.iter().find(|one| one.place == place) else { return };
        let (at, depth, half, angles) = (self.at, self.depth, self.half, self.in_angles);
        // Errors stay: the half of the host has none here.
        let _ = self.scoped(|parser| {
            for (name, kind) in &wanted.names {
                let Some(symbol) = parser.names.find(name) else { continue };
                let name = Name { symbol, span: Span::NONE };
                match kind {
                    WantedName::Type => parser.declare_parameter(name, NameKind::Type(None), false),
                    WantedName::Template => {
                        parser.declare_parameter(name, NameKind::TypeTemplate(None), false);
                    }
                    WantedName::Types => parser.declare_parameter(name, NameKind::Type(None), true),
                    WantedName::Values => parser.declare_parameter(name, NameKind::Value, true),
                }
            }
            (parser.at, parser.in_angles) = (open, false);
            parser.lambda()
        });
        (self.at, self.depth, self.half, self.in_angles) = (at, depth, half, angles);
    }

    /// The `[` of the captures that end in front of a token.
    fn bracket_before(&self, at: usize) -> Option<usize> {
        let mut nesting = 0usize;
        for at in (0..at).rev() {
            match self.kind_of(at) {
                TokenKind::Punct(Punct::RightBracket) => nesting += 1,
                TokenKind::Punct(Punct::LeftBracket) => nesting = nesting.saturating_sub(1),
                _ => {}
            }
            if nesting == 0 {
                return (self.kind_of(at) == TokenKind::Punct(Punct::LeftBracket)).then_some(at);
            }
        }
        None
    }

    /// The next `{` that is not inside parentheses.
    fn brace_behind(&self, from: usize) -> usize {
        let mut nesting = 0usize;
        let mut at = from;
        loop {
            match self.kind_of(at) {
                TokenKind::Punct(Punct::LeftParen) => nesting += 1,
                TokenKind::Punct(Punct::RightParen) => nesting = nesting.saturating_sub(1),
                TokenKind::Punct(Punct::LeftBrace) if nesting == 0 => return at,
                TokenKind::End => return at,
                _ => {}
            }
            at += 1;
        }
    }

    pub(super) fn lambda(&mut self) -> Step<Expr> {
        let start = self.span();
        self.bump();
        let captures = self.captures()?;
        let first = self.at;
        let (mut host, mut device) = (false, false);
        while let Some(keyword @ (Keyword::Device | Keyword::Host)) = self.keyword() {
            host |= keyword == Keyword::Host;
            device |= keyword == Keyword::Device;
            self.bump();
        }
        let (template, function, body, names, open) = self.scoped(|parser| {
            for name in &captures.packs {
                parser.declare_parameter(*name, NameKind::Value, true);
            }
            // `[less = a]` hides a template of this name.
            for capture in captures.list.iter().filter(|one| one.init.is_some() && one.pack.is_none()) {
                parser.declare_parameter(capture.name, NameKind::Value, false);
            }
            let template = parser.lambda_template()?;
            let mut function = if parser.is(Punct::LeftParen) {
                parser.parameter_list()?
            } else {
                no_parameters(parser.span())
            };
            // A lambda expression is `constexpr` if it can be.
            function.is_const = true;
            while let Some(keyword @ (Keyword::Mutable | Keyword::Constexpr)) = parser.keyword() {
                function.is_const &= keyword != Keyword::Mutable;
                parser.bump();
            }
            if parser.keyword() == Some(Keyword::Noexcept) {
                function.noexcept = parser.noexcept()?;
            }
            if parser.accept(Punct::Arrow) {
                function.trailing = Some(Box::new(parser.result_type()?));
            }
            if function.requires.is_none() {
                function.requires = parser.requires_clause()?.map(Rc::new);
            }
            let first = parser.at;
            let body = parser.nested(|parser| parser.function_body(Some(&function), None))?;
            let names = parser.variables_from(first, &function);
            let template = parser.abbreviated(&mut function, template)?;
            Ok((template, function, body, names, first))
        })?;
        let marks = (host || device).then(|| Marks {
            host,
            device,
            names: self.names_from(first),
            place: self.sources.place(self.span_of(open)),
        });
        let span = self.since(start);
        let Captures { default, list, .. } = captures;
        let lambda = Lambda { default, captures: list, names, marks, template, function, body };
        let lambda = Rc::new(lambda);
        if let Some(place) = lambda.marks.as_ref().and_then(|marks| marks.place.as_ref())
            && self.wanted.iter().any(|one| one.place == *place)
        {
            self.note_lambda(place, open, &lambda)?;
        }
        // The body may be as deep as a function.
        self.make(ExprKind::Lambda(lambda), span, &[])
    }

    /// Parses `<class T> requires C<T>` behind the captures.
    fn lambda_template(&mut self) -> Step<Option<Rc<TemplateParameters>>> {
        if !self.is(Punct::Less) {
            return Ok(None);
        }
        let start = self.span();
        let (list, mut constraints) = self.nested(Self::template_parameters)?;
        let span = self.since(start);
        constraints.extend(self.requires_clause()?);
        let constraint = self.conjunction(constraints)?;
        Ok(Some(Rc::new(TemplateParameters { list, outer: None, constraint, span })))
    }

    /// Parses `this` or `*this`, if it follows.
    fn captured_this(&mut self) -> Option<Capture> {
        let by_reference = !self.is(Punct::Star);
        let symbol = match self.kind_at(usize::from(!by_reference)) {
            TokenKind::Name(symbol) if Keyword::of(symbol) == Some(Keyword::This) => symbol,
            _ => return None,
        };
        self.accept(Punct::Star);
        let span = self.span();
        self.bump();
        Some(Capture { name: Name { symbol, span }, by_reference, init: None, pack: None })
    }

    /// Parses the captures and the `]`.
    fn captures(&mut self) -> Step<Captures> {
        let mut found = Captures::default();
        while !self.is(Punct::RightBracket) {
            let ends = |parser: &Self, ahead: usize| {
                matches!(parser.kind_at(ahead), TokenKind::Punct(Punct::Comma | Punct::RightBracket))
            };
            if matches!(self.kind(), TokenKind::Punct(Punct::Assign | Punct::And)) && ends(self, 1) {
                found.default = Some(self.is(Punct::And));
                self.bump();
            } else if let Some(this) = self.captured_this() {
                found.list.push(this);
            } else {
                let by_reference = self.accept(Punct::And);
                let dots = self.accept(Punct::Ellipsis);
                let first = self.at;
                let name = self.expect_name("the name of a captured variable")?;
                let init = if self.accept(Punct::Assign) {
                    Some(self.with_angles(false, Self::assignment)?)
                } else {
                    None
                };
                let pack = match &init {
                    // `...a = e`: `e` has the packs.
                    Some(_) if dots => Some(self.packs_of_pattern(first, self.at)?),
                    _ => self.expansion(first)?,
                };
                found.packs.extend(pack.iter().map(|_| name));
                found.list.push(Capture { name, by_reference, init, pack });
            }
            if !self.accept(Punct::Comma) && !self.is(Punct::RightBracket) {
                return self.unexpected("expected `]`");
            }
        }
        self.bump();
        Ok(found)
    }
}
