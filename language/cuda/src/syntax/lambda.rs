//! Lambda expressions.

use std::rc::Rc;

use super::ast::{
    Capture, Expr, ExprKind, FunctionChunk, Lambda, Name, Noexcept, RefQualifier, TemplateParameters,
};
use super::keyword::Keyword;
use super::parser::{Parser, Step};
use super::scope::NameKind;
use crate::lex::{Punct, Symbol, TokenKind};
use crate::source::Span;

/// What is between `[` and `]`.
#[derive(Default)]
struct Captures {
    default: Option<bool>,
    this: bool,
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
    /// Whether `[` starts a lambda expression.
    pub(super) fn lambda_follows(&self) -> bool {
        match self.kind_at(1) {
            TokenKind::Punct(Punct::RightBracket) => {
                matches!(self.kind_at(2), TokenKind::Punct(Punct::LeftParen | Punct::LeftBrace | Punct::Less))
                    || matches!(self.keyword_at(2), Some(Keyword::Device | Keyword::Host))
            }
            TokenKind::Punct(Punct::Assign | Punct::And) => true,
            _ => false,
        }
    }

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

    pub(super) fn lambda(&mut self) -> Step<Expr> {
        let start = self.span();
        self.bump();
        let captures = self.captures()?;
        while matches!(self.keyword(), Some(Keyword::Device | Keyword::Host)) {
            self.bump();
        }
        let (template, function, body, names) = self.scoped(|parser| {
            for name in &captures.packs {
                parser.declare_parameter(*name, NameKind::Value, true);
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
            if parser.accept(Punct::Arrow) {
                function.trailing = Some(Box::new(parser.result_type()?));
            }
            if function.requires.is_none() {
                function.requires = parser.requires_clause()?.map(Rc::new);
            }
            let first = parser.at;
            let body = parser.nested(|parser| parser.function_body(Some(&function), None))?;
            let names = parser.names_from(first);
            let template = parser.abbreviated(&mut function, template)?;
            Ok((template, function, body, names))
        })?;
        let span = self.since(start);
        let Captures { default, this, list, .. } = captures;
        let lambda = Rc::new(Lambda { default, this, captures: list, names, template, function, body });
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
            } else if self.keyword() == Some(Keyword::This)
                || self.is(Punct::Star) && self.keyword_at(1) == Some(Keyword::This)
            {
                self.accept(Punct::Star);
                self.bump();
                found.this = true;
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
