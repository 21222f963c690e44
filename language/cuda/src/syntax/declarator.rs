//! Declarators: the name with the pointers, arrays and parameters around it.

use std::rc::Rc;

use super::ast::{
    Chunk, Declarator, DeclaratorName, FunctionChunk, Noexcept, Operator, Parameter, QualifiedName,
    Qualifiers, RefQualifier,
};
use super::keyword::Keyword;
use super::parser::{Parser, Step};
use super::scope::{NameKind, ScopeId};
use crate::lex::{Punct, Symbol, TokenKind};
use crate::target::Side;

/// What a declarator may be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Mode {
    /// A type without a name.
    Abstract,
    /// A parameter, with or without a name.
    Parameter,
    /// A declaration with a name at file or class scope.
    Outer,
    /// A declaration with a name in a function: `T x(a)` is a variable.
    Inner,
}

impl Parser<'_> {
    /// Parses a declarator.
    pub(super) fn declarator(&mut self, mode: Mode) -> Step<Declarator> {
        self.nested(|parser| parser.declarator_inner(mode))
    }

    fn declarator_inner(&mut self, mode: Mode) -> Step<Declarator> {
        let mut prefix = Vec::new();
        loop {
            if self.accept(Punct::Star) {
                prefix.push(Chunk::Pointer(self.qualifiers()?));
            } else if self.pointer_to_member_at(0) {
                let (class, _) = self.qualified_name()?;
                self.bump();
                self.bump();
                prefix.push(Chunk::MemberPointer(class, self.qualifiers()?));
            } else if self.accept(Punct::And) {
                self.qualifiers()?;
                prefix.push(Chunk::Reference);
            } else if self.accept(Punct::AndAnd) {
                self.qualifiers()?;
                prefix.push(Chunk::RvalueReference);
            } else if matches!(self.keyword(), Some(Keyword::Attribute | Keyword::Declspec)) {
                self.no_packed()?;
            } else if self.attribute_follows() && !prefix.is_empty() {
                self.plain_attributes()?;
            } else {
                break;
            }
            if prefix.len() > 50 {
                return self.too_deep();
            }
        }
        if mode == Mode::Parameter && self.is(Punct::Ellipsis) && self.name_at(1).is_some() {
            self.bump();
            self.has_dots = true;
        }
        let start = self.span();
        let mut members = None;
        let mut inner = if self.is(Punct::LeftParen) && self.nested_declarator_follows(mode) {
            let open = self.span();
            self.bump();
            let inner = self.declarator(mode)?;
            self.expect_close(Punct::RightParen, open)?;
            inner
        } else {
            let name =
                if mode == Mode::Abstract { DeclaratorName::None } else { self.declarator_name(mode)? };
            if let DeclaratorName::Qualified(name)
            | DeclaratorName::Operator(Some(name), _)
            | DeclaratorName::Constructor(Some(name))
            | DeclaratorName::Destructor(Some(name))
            | DeclaratorName::Conversion(Some(name), _) = &name
            {
                members = self.scope_of_members(name);
            }
            let span = if matches!(name, DeclaratorName::None) { start } else { self.since(start) };
            Declarator { name, chunks: Vec::new(), span }
        };
        loop {
            if self.attribute_follows() {
                self.plain_attributes()?;
            } else if self.is(Punct::LeftBracket) {
                inner.chunks.push(self.array_suffix()?);
            } else if self.is(Punct::LeftParen) && self.parameters_follow(mode) {
                let function = self.scoped(|parser| {
                    if let Some(scope) = members {
                        parser.scopes.also_members(scope);
                    }
                    parser.parameter_list()
                })?;
                inner.chunks.push(Chunk::Function(Box::new(function)));
            } else {
                break;
            }
            if inner.chunks.len() > 50 {
                return self.too_deep();
            }
        }
        inner.chunks.extend(prefix.into_iter().rev());
        Ok(inner)
    }

    fn qualifiers(&mut self) -> Step<Qualifiers> {
        let mut found = Qualifiers::default();
        loop {
            match self.keyword() {
                Some(Keyword::Const) => found.is_const = true,
                Some(Keyword::Volatile) => found.is_volatile = true,
                Some(Keyword::Restrict) => found.is_restrict = true,
                Some(
                    keyword @ (Keyword::ClGlobal
                    | Keyword::ClLocal
                    | Keyword::ClConstant
                    | Keyword::ClPrivate),
                ) => {
                    self.address_space(keyword, &mut found)?;
                    continue;
                }
                _ => return Ok(found),
            }
            self.bump();
        }
    }

    /// Whether `C::*` follows at a later token.
    pub(super) fn pointer_to_member_at(&self, ahead: usize) -> bool {
        if !self.side.is_cpp() || self.name_at(ahead).is_none() && !self.is_at(ahead, Punct::ColonColon) {
            return false;
        }
        let length = self.peek_qualified(ahead).1;
        self.is_at(ahead + length, Punct::ColonColon) && self.is_at(ahead + length + 1, Punct::Star)
    }

    /// Whether `(` starts a declarator in parentheses, not a parameter list.
    fn nested_declarator_follows(&self, mode: Mode) -> bool {
        match self.kind_at(1) {
            _ if self.pointer_to_member_at(1) => true,
            TokenKind::Punct(Punct::Star | Punct::And | Punct::AndAnd) => true,
            TokenKind::Punct(Punct::LeftParen) => {
                self.is_at(2, Punct::Star) && (mode != Mode::Abstract || self.is_at(3, Punct::RightParen))
            }
            TokenKind::Name(_) => {
                mode != Mode::Abstract
                    && self.name_at(1).is_some()
                    && !self.starts_type_at(1)
                    && matches!(self.kind_at(2), TokenKind::Punct(Punct::RightParen | Punct::LeftBracket))
            }
            _ => false,
        }
    }

    /// Whether `(` behind a name starts a parameter list, not an initializer.
    fn parameters_follow(&self, mode: Mode) -> bool {
        match self.kind_at(1) {
            TokenKind::Punct(Punct::RightParen | Punct::Ellipsis) => true,
            TokenKind::Punct(Punct::LeftBracket) if self.attribute_follows_at(1) => true,
            TokenKind::Name(_) if mode == Mode::Outer && self.side == Side::C && self.names_follow(1) => true,
            _ if mode == Mode::Abstract || mode == Mode::Parameter => true,
            TokenKind::Name(_) if self.starts_type_at(1) => {
                // `T x(int(a))`, `T x(int{a})`
                let after = 1 + match self.keyword_at(1) {
                    Some(_) => 1,
                    None => self.peek_qualified(1).1,
                };
                !self.is_at(after, Punct::LeftParen) && !self.is_at(after, Punct::LeftBrace)
                    || matches!(
                        self.kind_at(after + 1),
                        TokenKind::Punct(Punct::Star | Punct::And | Punct::AndAnd)
                    )
            }
            // A parameter of an unknown type.
            TokenKind::Name(_) if self.name_at(1).is_some() => {
                let (_, length) = self.peek_qualified(1);
                self.name_at(1 + length).is_some()
                    || mode == Mode::Outer
                        && matches!(
                            self.kind_at(1 + length),
                            TokenKind::Punct(Punct::Star | Punct::And | Punct::Less)
                        )
            }
            TokenKind::Name(_) => {
                matches!(
                    self.keyword_at(1),
                    Some(Keyword::Register | Keyword::Constant | Keyword::GridConstant)
                )
            }
            _ => false,
        }
    }

    fn array_suffix(&mut self) -> Step<Chunk> {
        let open = self.span();
        self.bump();
        while matches!(
            self.keyword(),
            Some(Keyword::Static | Keyword::Const | Keyword::Restrict | Keyword::Volatile)
        ) {
            self.bump();
        }
        let size = if self.is(Punct::RightBracket) {
            None
        } else {
            Some(Box::new(self.with_angles(false, Self::assignment)?))
        };
        self.expect_close(Punct::RightBracket, open)?;
        Ok(Chunk::Array(size))
    }

    /// The scope of the class in front of the last part of a name.
    pub(super) fn scope_of_members(&self, name: &QualifiedName) -> Option<ScopeId> {
        let (_, front) = name.segments.split_last()?;
        let mut scope = None;
        for (at, segment) in front.iter().enumerate() {
            let symbol = segment.name.symbol;
            let kind = match scope {
                Some(scope) => self.scopes.member(scope, symbol),
                None if at == 0 => self.scopes.find(symbol),
                None => None,
            };
            scope = match kind? {
                NameKind::Type(scope) | NameKind::TypeTemplate(scope) => scope,
                NameKind::Namespace(scope) => Some(scope),
                _ => None,
            };
        }
        scope
    }

    fn declarator_name(&mut self, mode: Mode) -> Step<DeclaratorName> {
        if self.keyword() == Some(Keyword::Operator) {
            return self.operator_name(None);
        }
        if self.accept(Punct::Tilde) {
            self.expect_name("the name of the class")?;
            return Ok(DeclaratorName::Destructor(None));
        }
        if self.name().is_none() && !self.is(Punct::ColonColon) {
            if mode == Mode::Parameter {
                return Ok(DeclaratorName::None);
            }
            if self.is(Punct::LeftBracket) && self.side.is_cpp() {
                return self.bindings(mode);
            }
            return self.unexpected("expected a name");
        }
        let (name, _) = self.qualified_name()?;
        if self.is(Punct::ColonColon) {
            // `A::operator+`, `A::~A`
            self.bump();
            // The missing last part is the operator; the part in front is repeated in its place.
            let mut scope = name.clone();
            scope.segments.push(name.last().clone());
            if self.keyword() == Some(Keyword::Operator) {
                return self.operator_name(Some(scope));
            }
            if self.accept(Punct::Tilde) {
                self.expect_name("the name of the class")?;
                return Ok(DeclaratorName::Destructor(Some(scope)));
            }
            return self.unexpected("expected the name of a member");
        }
        match name.segments.as_slice() {
            [.., class, last] if class.name.symbol == last.name.symbol && self.is(Punct::LeftParen) => {
                Ok(DeclaratorName::Constructor(Some(name)))
            }
            _ => Ok(match name.plain() {
                Some(plain) => DeclaratorName::Plain(plain),
                None => DeclaratorName::Qualified(name),
            }),
        }
    }

    /// `[a, b]` of a structured binding.
    fn bindings(&mut self, mode: Mode) -> Step<DeclaratorName> {
        let open = self.span();
        if mode != Mode::Inner {
            return self.unsupported(open, "a structured binding outside of a function");
        }
        self.bump();
        let mut names = Vec::new();
        loop {
            names.push(self.expect_name("the name of a part")?);
            self.plain_attributes()?;
            if !self.accept(Punct::Comma) {
                break;
            }
        }
        self.expect_close(Punct::RightBracket, open)?;
        Ok(DeclaratorName::Bindings(names))
    }

    /// Declares the names of a declarator as values.
    pub(super) fn declare_values(&mut self, declarator: &Declarator) {
        match &declarator.name {
            DeclaratorName::Plain(name) => self.scopes.declare(name.symbol, NameKind::Value),
            DeclaratorName::Bindings(names) => {
                for name in names {
                    self.scopes.declare(name.symbol, NameKind::Value);
                }
            }
            _ => {}
        }
    }

    pub(super) fn operator_name(&mut self, scope: Option<QualifiedName>) -> Step<DeclaratorName> {
        if let Some(operator) = self.operator() {
            // The parameters tell which instance of a template `operator<< <T>` is.
            if self.is(Punct::Less) && operator != Operator::Call {
                self.template_arguments()?;
            }
            return Ok(DeclaratorName::Operator(scope, operator));
        }
        let outer = self.scopes.current();
        self.scopes.push();
        if let Some(members) = scope.as_ref().and_then(|name| self.scope_of_members(name)) {
            self.scopes.also_members(members);
        }
        let is_conversion = self.starts_type_at(1);
        if !is_conversion {
            self.scopes.enter(outer);
        }
        if is_conversion {
            self.bump();
            let specifiers = self.specifiers(None);
            self.scopes.enter(outer);
            let specifiers = specifiers?;
            let start = self.span();
            let mut chunks = Vec::new();
            while self.accept(Punct::Star) {
                chunks.push(Chunk::Pointer(self.qualifiers()?));
            }
            if self.accept(Punct::And) {
                chunks.insert(0, Chunk::Reference);
            }
            let declarator = Declarator { name: DeclaratorName::None, chunks, span: start };
            let span = specifiers.span;
            let ty = super::ast::TypeName { specifiers, declarator, span };
            return Ok(DeclaratorName::Conversion(scope, Box::new(ty)));
        }
        self.unexpected("expected an operator")
    }

    /// Takes `operator` and the operator behind it.
    pub(super) fn operator(&mut self) -> Option<Operator> {
        if let (TokenKind::Text(text), Some(name)) = (self.kind_at(1), self.name_at(2))
            && self.text(text) == "\"\""
            && self.side.is_cpp()
        {
            for _ in 0..3 {
                self.bump();
            }
            return Some(Operator::Literal(name.symbol));
        }
        if let Some(keyword @ (Keyword::New | Keyword::Delete)) = self.keyword_at(1) {
            let is_array = self.is_at(2, Punct::LeftBracket) && self.is_at(3, Punct::RightBracket);
            for _ in 0..if is_array { 4 } else { 2 } {
                self.bump();
            }
            let is_new = keyword == Keyword::New;
            return Some(if is_new { Operator::New(is_array) } else { Operator::Delete(is_array) });
        }
        let TokenKind::Punct(punct) = self.kind_at(1) else { return None };
        let operator = match punct {
            Punct::LeftParen if self.is_at(2, Punct::RightParen) => Operator::Call,
            Punct::LeftBracket if self.is_at(2, Punct::RightBracket) => Operator::Index,
            Punct::LeftParen
            | Punct::LeftBracket
            | Punct::LeftBrace
            | Punct::RightBrace
            | Punct::Semicolon
            | Punct::RightParen => return None,
            _ => Operator::Symbol(punct),
        };
        self.bump();
        self.bump();
        if matches!(operator, Operator::Call | Operator::Index) {
            self.bump();
        }
        Some(operator)
    }

    /// Parses a parameter list and what follows it.
    pub(super) fn parameter_list(&mut self) -> Step<FunctionChunk> {
        self.with_angles(false, super::parser::Parser::parameter_list_inner)
    }

    fn parameter_list_inner(&mut self) -> Step<FunctionChunk> {
        let open = self.span();
        self.bump();
        let mut parameters = Vec::new();
        let mut variadic = false;
        let is_void = self.keyword() == Some(Keyword::Void) && self.is_at(1, Punct::RightParen);
        if is_void {
            self.bump();
        }
        let is_old_style =
            self.side == Side::C && !is_void && (self.is(Punct::RightParen) || self.names_follow(0));
        while !self.is(Punct::RightParen) {
            if is_old_style {
                parameters.push(self.old_style_parameter()?);
                if !self.accept(Punct::Comma) {
                    break;
                }
                continue;
            }
            if self.accept(Punct::Ellipsis) {
                variadic = true;
                break;
            }
            parameters.push(self.parameter()?);
            if self.accept(Punct::Ellipsis) {
                variadic = true;
                break;
            }
            if !self.accept(Punct::Comma) {
                break;
            }
        }
        self.expect_close(Punct::RightParen, open)?;
        let span = self.since(open);
        let mut function = FunctionChunk {
            parameters,
            variadic,
            is_old_style,
            is_const: false,
            reference: RefQualifier::None,
            noexcept: Noexcept::No,
            trailing: None,
            overrides: false,
            is_final: false,
            requires: None,
            span,
        };
        loop {
            match self.keyword() {
                Some(Keyword::Const) => function.is_const = true,
                Some(Keyword::Volatile) => {}
                Some(Keyword::Noexcept) => {
                    function.noexcept = self.noexcept()?;
                    continue;
                }
                Some(Keyword::Throw) => {
                    self.bump();
                    if self.is(Punct::LeftParen) {
                        if self.is_at(1, Punct::RightParen) {
                            function.noexcept = Noexcept::Yes;
                        }
                        self.skip_parentheses();
                    }
                    continue;
                }
                Some(Keyword::Attribute | Keyword::Declspec) => {
                    self.no_packed()?;
                    continue;
                }
                _ if self.attribute_follows() => {
                    self.plain_attributes()?;
                    continue;
                }
                _ if self.is(Punct::And) => function.reference = RefQualifier::Lvalue,
                _ if self.is(Punct::AndAnd) => function.reference = RefQualifier::Rvalue,
                _ => break,
            }
            self.bump();
        }
        while let Some(name) =
            self.name().filter(|name| matches!(self.text(name.symbol), "override" | "final"))
        {
            let is_override = self.text(name.symbol) == "override";
            function.overrides |= is_override;
            function.is_final |= !is_override;
            self.bump();
        }
        if self.accept(Punct::Arrow) {
            function.trailing = Some(Box::new(self.result_type()?));
        }
        function.requires = self.requires_clause()?.map(Rc::new);
        Ok(function)
    }

    /// Parses `noexcept` and its condition.
    pub(super) fn noexcept(&mut self) -> Step<Noexcept> {
        self.bump();
        let open = self.span();
        if !self.accept(Punct::LeftParen) {
            return Ok(Noexcept::Yes);
        }
        let value = self.with_angles(false, Self::conditional)?;
        self.expect_close(Punct::RightParen, open)?;
        Ok(Noexcept::If(Box::new(value)))
    }

    fn parameter(&mut self) -> Step<Parameter> {
        let first = self.at;
        let specifiers = self.specifiers(None)?;
        if matches!(specifiers.base, super::ast::BaseType::None) {
            if let Some(name) = self.name() {
                return self.unknown_type(name.symbol, name.span);
            }
            return self.unexpected("expected a parameter");
        }
        let declarator = self.declarator(Mode::Parameter)?;
        let has_dots = std::mem::take(&mut self.has_dots);
        let is_auto = matches!(specifiers.base, super::ast::BaseType::Auto);
        let mut pack = None;
        if has_dots || self.is(Punct::Ellipsis) {
            let packs = self.packs_between(first, self.at);
            match &declarator.name {
                // `auto... x` is the pack of its types.
                DeclaratorName::Plain(name) if is_auto && has_dots => pack = Some([name.symbol].into()),
                _ if has_dots && packs.is_empty() => {
                    let message = "`...` is in front of a name, but the type names no pack";
                    self.error("syntax", declarator.span, message, "");
                    return Err(super::parser::Failed);
                }
                // `T...` is a pack, `int...` an `int` and any arguments.
                _ if !packs.is_empty() && (has_dots || self.accept(Punct::Ellipsis)) => {
                    pack = Some(packs.into());
                }
                _ => {}
            }
            if pack.is_some() {
                self.expanded.push((first, self.at));
            }
        }
        if let DeclaratorName::Plain(name) = &declarator.name {
            self.declare_parameter(*name, NameKind::Value, pack.is_some());
        }
        let default = if self.accept(Punct::Assign) { Some(self.initializer_clause()?) } else { None };
        Ok(Parameter { specifiers, declarator, default, pack })
    }

    /// Reports a name that should be a type.
    pub(super) fn unknown_type<T>(&mut self, name: Symbol, span: crate::source::Span) -> Step<T> {
        let text = self.text(name);
        let member = self.name_at(2).filter(|_| text == "std" && self.is_at(1, Punct::ColonColon));
        if let (Some(member), Side::Device) = (member, self.side)
            && let Some(error) = super::standard::missing_in_device(self.text(member.symbol), member.span)
        {
            self.out.push(error);
            return Err(super::parser::Failed);
        }
        let names = [
            "int", "float", "double", "char", "bool", "void", "unsigned", "short", "long", "size_t", "dim3",
            "float2", "float3", "float4", "int2", "int3", "int4", "uint", "uchar4", "uint3", "double2",
        ];
        let near = crate::diagnostics::did_you_mean(text, names);
        let error = crate::diagnostics::Diagnostic::error(
            "unknown-type",
            span,
            format!("unknown type name `{text}`"),
        )
        .label("not a type")
        .meant(near);
        self.out.push(error);
        Err(super::parser::Failed)
    }
}
