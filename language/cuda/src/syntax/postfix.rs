//! Primary expressions and what follows them.

use std::rc::Rc;

use super::ast::{BaseType, CastKind, Declarator, DeclaratorName, Expr, ExprKind, MemberName, TypeName};
use super::keyword::Keyword;
use super::parser::{Parser, Step};
use super::scope::NameKind;
use crate::diagnostics::Diagnostic;
use crate::lex::{Punct, Symbol, TokenKind, is_wide, unescape};
use crate::source::Span;

impl Parser<'_> {
    pub(super) fn postfix(&mut self) -> Step<Expr> {
        let left = self.primary()?;
        self.postfix_of(left)
    }

    /// Parses what is behind a primary expression or a compound literal.
    pub(super) fn postfix_of(&mut self, mut left: Expr) -> Step<Expr> {
        loop {
            let start = left.span;
            match self.kind() {
                TokenKind::Punct(Punct::LeftParen) => {
                    let arguments = self.arguments()?;
                    let depth = arguments.iter().map(|argument| argument.depth).max().unwrap_or(0);
                    let depths = [left.depth, depth];
                    let span = self.since(start);
                    left = self.make(ExprKind::Call(Box::new(left), arguments), span, &depths)?;
                }
                TokenKind::Punct(Punct::LeftBracket) => {
                    let open = self.span();
                    self.bump();
                    let index = if self.is(Punct::LeftBrace) {
                        self.with_angles(false, Self::initializer_clause)?
                    } else {
                        self.with_angles(false, Self::expression)?
                    };
                    self.expect_close(Punct::RightBracket, open)?;
                    let depths = [left.depth, index.depth];
                    let span = self.since(start);
                    left = self.make(ExprKind::Index(Box::new(left), Box::new(index)), span, &depths)?;
                }
                TokenKind::Punct(punct @ (Punct::Dot | Punct::Arrow)) => {
                    self.bump();
                    let name = self.member_name()?;
                    let depth = left.depth;
                    let span = self.since(start);
                    left = self.make(
                        ExprKind::Member(Box::new(left), punct == Punct::Arrow, name),
                        span,
                        &[depth],
                    )?;
                }
                TokenKind::Punct(punct @ (Punct::Increment | Punct::Decrement)) => {
                    self.bump();
                    let depth = left.depth;
                    let span = self.since(start);
                    left = self.make(
                        ExprKind::Postfix(punct == Punct::Increment, Box::new(left)),
                        span,
                        &[depth],
                    )?;
                }
                _ => return Ok(left),
            }
        }
    }

    fn member_name(&mut self) -> Step<MemberName> {
        let start = self.span();
        if self.accept(Punct::Tilde) {
            self.expect_name("the name of the class")?;
            return Ok(MemberName::Destructor(self.since(start)));
        }
        if self.keyword() == Some(Keyword::Operator) {
            return match self.operator_name(None)? {
                DeclaratorName::Conversion(_, ty) => Ok(MemberName::Conversion(ty, self.since(start))),
                DeclaratorName::Operator(_, operator) => {
                    Ok(MemberName::Operator(None, operator, self.since(start)))
                }
                _ => self.unexpected("expected an operator"),
            };
        }
        let is_template = self.accept_keyword(Keyword::Template);
        let name = self.expect_name("the name of a member")?;
        let mut segment = super::ast::Segment { name, arguments: None };
        let known = self.scopes.is_any_template(name.symbol)
            || matches!(self.scopes.find(name.symbol), Some(NameKind::TypeTemplate(_)));
        // A member variable that shares its name with a template is compared.
        let is_compared =
            self.scopes.is_any_field(name.symbol) && !self.starts_type_at(1) && !self.calls_behind_angles();
        if self.is(Punct::Less) && (is_template || known && !is_compared && self.angles_close()) {
            segment.arguments = Some(self.template_arguments()?);
        }
        // `a.Base::member`
        let mut segments = vec![segment];
        while self.is(Punct::ColonColon) {
            self.bump();
            if self.keyword() == Some(Keyword::Operator) {
                let Some(operator) = self.operator() else { return self.unexpected("expected an operator") };
                let class = segments.last().map(|class| class.name.symbol);
                return Ok(MemberName::Operator(class, operator, self.since(start)));
            }
            let is_template = self.accept_keyword(Keyword::Template);
            let name = self.expect_name("the name of a member")?;
            let mut segment = super::ast::Segment { name, arguments: None };
            let known = self.scopes.is_any_template(name.symbol);
            if self.is(Punct::Less) && (is_template || known && self.angles_close()) {
                segment.arguments = Some(self.template_arguments()?);
            }
            segments.push(segment);
        }
        Ok(MemberName::Name(super::ast::QualifiedName { global: false, segments, span: self.since(start) }))
    }

    /// Whether the `<` at the current token has a `>` that is followed by `()`, which no comparison
    /// has.
    fn calls_behind_angles(&self) -> bool {
        let end = self.behind_angles();
        end.is_some_and(|end| self.is_at(end, Punct::LeftParen) && self.is_at(end + 1, Punct::RightParen))
    }

    /// Whether the `<` at the current token has a `>` that is followed by `(` or `::`.
    fn angles_close(&self) -> bool {
        let end = self.behind_angles();
        end.is_some_and(|end| self.is_at(end, Punct::LeftParen) || self.is_at(end, Punct::ColonColon))
    }

    /// The token behind the `>` for the `<` at the current token.
    fn behind_angles(&self) -> Option<usize> {
        let mut nesting = 0;
        for ahead in 0..100 {
            match self.kind_at(ahead) {
                TokenKind::Punct(Punct::Less) => nesting += 1,
                TokenKind::Punct(Punct::Greater) => nesting -= 1,
                TokenKind::Punct(Punct::AndAnd)
                    if !matches!(
                        self.kind_at(ahead + 1),
                        TokenKind::Punct(Punct::Greater | Punct::Comma | Punct::Ellipsis)
                    ) =>
                {
                    return None;
                }
                // With `||` a member is compared.
                TokenKind::Punct(Punct::OrOr | Punct::Semicolon | Punct::LeftBrace) | TokenKind::End => {
                    return None;
                }
                _ => {}
            }
            if nesting == 0 {
                return Some(ahead + 1);
            }
        }
        None
    }

    pub(super) fn primary(&mut self) -> Step<Expr> {
        let start = self.span();
        match self.kind() {
            TokenKind::Number(symbol) => {
                self.bump();
                self.make(ExprKind::Number(symbol), start, &[])
            }
            TokenKind::Char(symbol) => {
                self.refuse_wide(symbol);
                self.bump();
                let literal = self.make(ExprKind::Char(symbol), start, &[])?;
                self.suffixed(literal)
            }
            TokenKind::Text(_) => {
                let bytes = self.string()?;
                let span = self.since(start);
                let literal = self.make(ExprKind::Text(Rc::new(bytes)), span, &[])?;
                self.suffixed(literal)
            }
            TokenKind::Punct(Punct::LeftParen) => {
                self.bump();
                if self.is(Punct::LeftBrace) {
                    return self.statement_expression(start);
                }
                let first = self.at;
                if self.is(Punct::Ellipsis) {
                    return self.fold_from_left(start);
                }
                let mut inner = self.with_angles(false, Self::expression)?;
                if self.is_at(1, Punct::Ellipsis) && self.fold_operator().is_some() {
                    return self.fold(inner, first, start);
                }
                self.expect_close(Punct::RightParen, start)?;
                inner.span = self.since(start);
                Ok(inner)
            }
            TokenKind::Punct(Punct::LeftBracket) => self.lambda(),
            TokenKind::Punct(Punct::ColonColon) => self.name_expression(start),
            TokenKind::Name(_) => match self.keyword() {
                Some(keyword) => self.keyword_expression(keyword, start),
                None if self.coroutine_follows() => self.unsupported(start, "a coroutine"),
                None if self.requires_follows() => self.requires_expression(start),
                None => self.name_expression(start),
            },
            _ => self.unexpected("expected an expression"),
        }
    }

    /// Whether a word of coroutines is here that names nothing else.
    pub(super) fn coroutine_follows(&self) -> bool {
        let words = ["co_await", "co_return", "co_yield"];
        words.iter().any(|word| self.is_word(word)) && self.peek_qualified(0).0.is_none()
    }

    /// A literal with the suffix of the user that follows it.
    fn suffixed(&mut self, literal: Expr) -> Step<Expr> {
        let Some(name) = self.name().filter(|name| self.side.is_cpp() && name.span.start == literal.span.end)
        else {
            return Ok(literal);
        };
        self.bump();
        let span = self.since(literal.span);
        self.make(ExprKind::Suffixed(Box::new(literal), name), span, &[1])
    }

    /// Refuses `L"..."` and its like.
    fn refuse_wide(&mut self, literal: Symbol) {
        if is_wide(self.text(literal)) {
            let message = format!("`{}`: wide characters are not supported", self.text(literal));
            let error = Diagnostic::error("unsupported", self.span(), message);
            self.out.push(error.help("use characters of one byte"));
        }
    }

    /// Takes string literals that follow each other.
    pub(super) fn string(&mut self) -> Step<Vec<u8>> {
        let mut bytes = Vec::new();
        if !matches!(self.kind(), TokenKind::Text(_)) {
            return self.unexpected("expected a string");
        }
        while let TokenKind::Text(symbol) = self.kind() {
            self.refuse_wide(symbol);
            match unescape(self.text(symbol)) {
                Ok(part) => bytes.extend(part),
                Err(escape) => {
                    let span = self.span();
                    let warning = Diagnostic::warning(
                        "unknown-escape",
                        span,
                        format!("unknown escape `{escape}` in a string"),
                    );
                    self.out.push(warning);
                }
            }
            self.bump();
        }
        Ok(bytes)
    }

    /// Parses `_Generic(e, T: a, default: b)`.
    fn generic_selection(&mut self, start: Span) -> Step<Expr> {
        self.bump();
        let open = self.span();
        self.expect(Punct::LeftParen, "after `_Generic`")?;
        let control = self.with_angles(false, Self::assignment)?;
        let (mut list, mut depths) = (Vec::new(), vec![control.depth]);
        while self.accept(Punct::Comma) {
            let is_default = self.accept_keyword(Keyword::Default);
            let ty = if is_default { None } else { Some(self.with_angles(false, Self::type_name)?) };
            self.expect(Punct::Colon, "after the type")?;
            let value = self.with_angles(false, Self::assignment)?;
            depths.push(value.depth);
            list.push((ty, value));
        }
        self.expect_close(Punct::RightParen, open)?;
        let span = self.since(start);
        self.make(ExprKind::Generic(Box::new(control), list), span, &depths)
    }

    fn keyword_expression(&mut self, keyword: Keyword, start: Span) -> Step<Expr> {
        let simple = match keyword {
            Keyword::True => Some(ExprKind::Bool(true)),
            Keyword::False => Some(ExprKind::Bool(false)),
            Keyword::Nullptr => Some(ExprKind::Nullptr),
            Keyword::This => Some(ExprKind::This),
            _ => None,
        };
        if let Some(kind) = simple {
            self.bump();
            return self.make(kind, start, &[]);
        }
        let cast = match keyword {
            Keyword::StaticCast => Some(CastKind::Static),
            Keyword::ReinterpretCast => Some(CastKind::Reinterpret),
            Keyword::ConstCast => Some(CastKind::Const),
            Keyword::DynamicCast if self.side == crate::target::Side::Host => Some(CastKind::Dynamic),
            _ => None,
        };
        if let Some(cast) = cast {
            return self.named_cast(cast, start);
        }
        match keyword {
            Keyword::Typeid if self.side == crate::target::Side::Host => self.typeid(start),
            Keyword::DynamicCast | Keyword::Typeid => self.unsupported(start, "run-time type information"),
            Keyword::Generic if self.side == crate::target::Side::C => self.generic_selection(start),
            Keyword::Generic => self.unsupported(start, "`_Generic` outside of programs in C"),
            Keyword::Operator => {
                let Some(operator) = self.operator() else { return self.unexpected("expected an operator") };
                let span = self.since(start);
                self.make(ExprKind::OperatorName(operator), span, &[])
            }
            _ if self.starts_type() => self.construct(start),
            _ => self.unexpected("expected an expression"),
        }
    }

    /// `typeid(T)` and `typeid(e)`.
    fn typeid(&mut self, start: Span) -> Step<Expr> {
        self.bump();
        let open = self.span();
        let is_type = self.is(Punct::LeftParen) && self.starts_type_at(1) && self.is_cast();
        self.expect(Punct::LeftParen, "after `typeid`")?;
        if is_type {
            let ty = self.with_angles(false, Self::type_name)?;
            self.expect_close(Punct::RightParen, open)?;
            let span = self.since(start);
            return self.make(ExprKind::TypeidOfType(Box::new(ty)), span, &[]);
        }
        let value = self.with_angles(false, Self::expression)?;
        self.expect_close(Punct::RightParen, open)?;
        let (depth, span) = (value.depth, self.since(start));
        self.make(ExprKind::Typeid(Box::new(value)), span, &[depth])
    }

    fn named_cast(&mut self, cast: CastKind, start: Span) -> Step<Expr> {
        self.bump();
        self.expect(Punct::Less, "after the cast")?;
        let ty = self.with_angles(true, Self::type_name)?;
        if !self.accept_greater() {
            return self.unexpected("expected `>` after the type");
        }
        let open = self.span();
        self.expect(Punct::LeftParen, "after the type")?;
        let operand = self.with_angles(false, Self::expression)?;
        self.expect_close(Punct::RightParen, open)?;
        let depth = operand.depth;
        let span = self.since(start);
        self.make(ExprKind::Cast(cast, Box::new(ty), Box::new(operand)), span, &[depth])
    }

    /// `T(a, b)` or `T{a, b}`.
    fn construct(&mut self, start: Span) -> Step<Expr> {
        let specifiers = self.specifiers(None)?;
        if matches!(specifiers.base, BaseType::None) {
            return self.unexpected("expected an expression");
        }
        let span = self.since(start);
        if let BaseType::OfDecltype(value, name) = &specifiers.base
            && !self.is(Punct::LeftBrace)
        {
            // A function or a value; a call of it follows.
            return self.make(ExprKind::OfDecltype(value.clone(), name.clone()), span, &[value.depth]);
        }
        let declarator = Declarator { name: DeclaratorName::None, chunks: Vec::new(), span };
        let ty = Box::new(TypeName { specifiers, declarator, span });
        let braces = self.is(Punct::LeftBrace);
        let list = if braces {
            self.braced_items()?
        } else if self.is(Punct::LeftParen) {
            self.arguments()?
        } else {
            return self.unexpected("expected `(` after the type");
        };
        let depths: Vec<u16> = list.iter().map(|item| item.depth).collect();
        let span = self.since(start);
        self.make(ExprKind::Construct(ty, list, braces), span, &depths)
    }

    fn name_expression(&mut self, start: Span) -> Step<Expr> {
        if let (Some(NameKind::Type(_) | NameKind::TypeTemplate(_)), length) = self.peek_qualified(0)
            && matches!(self.kind_at(length), TokenKind::Punct(Punct::LeftParen | Punct::LeftBrace))
        {
            return self.construct(start);
        }
        if self.is(Punct::ColonColon) && self.keyword_at(1) == Some(Keyword::Operator) {
            // `::operator new`
            self.bump();
            let Some(operator) = self.operator() else { return self.unexpected("expected an operator") };
            return self.make(ExprKind::OperatorName(operator), self.since(start), &[]);
        }
        let (name, kind) = self.qualified_name()?;
        if self.is(Punct::ColonColon) && self.keyword_at(1) == Some(Keyword::Operator) {
            // `Base::operator=` in a method, and `space::operator+`.
            self.bump();
            let Some(operator) = self.operator() else { return self.unexpected("expected an operator") };
            let span = self.since(start);
            if matches!(kind, Some(NameKind::Namespace(_))) {
                return self.make(ExprKind::OperatorName(operator), span, &[]);
            }
            let this = self.make(ExprKind::This, span, &[])?;
            let member = MemberName::Operator(Some(name.last().name.symbol), operator, span);
            return self.make(ExprKind::Member(Box::new(this), true, member), span, &[]);
        }
        let depth = name.segments.len() as u16;
        let span = name.span;
        self.make(ExprKind::Name(name), span, &[depth.min(10)])
    }
}
