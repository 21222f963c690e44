//! Declarations.

use std::rc::Rc;

use super::ast::{
    BaseType, Body, Chunk, Decl, DeclKind, Declarator, DeclaratorName, FunctionBody, FunctionChunk,
    FunctionDecl, InitDeclarator, Initializer, MemberInit, QualifiedName, Specifiers, TemplateParameters,
};
use super::declarator::Mode;
use super::keyword::Keyword;
use super::parser::{Failed, Parser, Step};
use super::record::Deferred;
use super::scope::{NameKind, ScopeId};
use crate::diagnostics::Diagnostic;
use crate::lex::{Kind, Punct, Symbol, unescape};
use crate::source::Span;

/// Where a declaration is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Place {
    /// At file or namespace scope.
    File,
    /// In the class of this name.
    Class(Option<Symbol>),
    /// In a function.
    Block,
}

impl Place {
    fn mode(self) -> Mode {
        if self == Self::Block { Mode::Inner } else { Mode::Outer }
    }
}

impl Parser<'_> {
    /// Parses a declaration.
    pub(super) fn declaration(&mut self, place: Place) -> Step<Decl> {
        let start = self.span();
        let simple = |kind| Ok(Decl { kind, span: start });
        if self.accept(Punct::Semicolon) {
            return simple(DeclKind::Empty);
        }
        if let Kind::Unroll(_) = self.kind() {
            self.bump();
            return simple(DeclKind::Empty);
        }
        match self.keyword() {
            Some(Keyword::Namespace) => return self.namespace(start),
            Some(Keyword::Inline) if self.keyword_at(1) == Some(Keyword::Namespace) => {
                self.bump();
                return self.namespace(start);
            }
            Some(Keyword::Using) => return self.using(start),
            Some(Keyword::Template) => return self.template_declaration(place),
            Some(Keyword::StaticAssert) => return self.static_assertion(start),
            Some(Keyword::Extern) if matches!(self.kind_at(1), Kind::Text(_)) => {
                let before = std::mem::replace(&mut self.extern_c, true);
                let result = self.linkage(place, start);
                self.extern_c = before;
                return result;
            }
            _ => {}
        }
        let class = if let Place::Class(class) = place { class } else { None };
        let specifiers = self.specifiers(class)?;
        self.rest_of_declaration(start, specifiers, None, place)
    }

    /// The declaration behind `template<...>`.
    pub(super) fn templated(
        &mut self,
        start: Span,
        parameters: Rc<TemplateParameters>,
        outer: ScopeId,
        place: Place,
    ) -> Step<Decl> {
        if matches!(self.keyword(), Some(Keyword::Struct | Keyword::Class | Keyword::Union))
            && self.record_template_follows()
        {
            let base = self.record(Some((&parameters, outer)))?;
            self.expect_semicolon("after the class")?;
            let span = self.since(start);
            return match base {
                BaseType::Record(record) => Ok(Decl { kind: DeclKind::RecordTemplate(record), span }),
                _ => Ok(Decl { kind: DeclKind::Empty, span }),
            };
        }
        let class = if let Place::Class(class) = place { class } else { None };
        let specifiers = self.specifiers(class)?;
        self.rest_of_declaration(start, specifiers, Some((parameters, outer)), place)
    }

    /// Whether `struct name` behind `template<...>` is followed by a body, `:`, `;` or arguments.
    fn record_template_follows(&self) -> bool {
        if matches!(self.keyword_at(1), Some(Keyword::Align | Keyword::Alignas | Keyword::Attribute)) {
            return true;
        }
        let at = 1 + usize::from(self.name_at(1).is_some());
        matches!(
            self.kind_at(at),
            Kind::Punct(Punct::LeftBrace | Punct::Colon | Punct::Semicolon | Punct::Less)
        ) || self.name_at(at).is_some_and(|name| self.text(name.symbol) == "final")
    }

    fn linkage(&mut self, place: Place, start: Span) -> Step<Decl> {
        let Kind::Text(symbol) = self.kind_at(1) else { return self.unexpected("expected a language") };
        let is_c = self.text(symbol) == "\"C\"";
        self.extern_c = is_c;
        if self.is_at(2, Punct::LeftBrace) {
            self.bump();
            self.bump();
            let open = self.span();
            self.bump();
            let list = self.declarations_to_brace(open)?;
            return Ok(Decl { kind: DeclKind::Linkage(list), span: self.since(start) });
        }
        self.bump();
        self.bump();
        let decl = self.declaration(place)?;
        Ok(Decl { kind: DeclKind::Linkage(vec![decl]), span: self.since(start) })
    }

    fn declarations_to_brace(&mut self, open: Span) -> Step<Vec<Decl>> {
        self.nested(|parser| {
            let mut list = Vec::new();
            while !parser.is(Punct::RightBrace) {
                if parser.ended() {
                    parser.out.push(Diagnostic::error("syntax", open, "`{` has no `}`").label("opened here"));
                    return Ok(list);
                }
                let depth = parser.depth;
                parser.file_declaration(&mut list);
                parser.depth = depth;
                if parser.out.is_full() {
                    return Err(Failed);
                }
            }
            parser.bump();
            Ok(list)
        })
    }

    fn namespace(&mut self, start: Span) -> Step<Decl> {
        self.bump();
        let name = self.name();
        if name.is_some() {
            self.bump();
        }
        if let (Some(name), true) = (name, self.accept(Punct::Assign)) {
            // `namespace a = b;`
            let (target, kind) = self.qualified_name()?;
            self.expect_semicolon("after the namespace")?;
            if let Some(kind) = kind {
                self.scopes.declare(name.symbol, kind);
            }
            let span = target.span;
            return Ok(Decl { kind: DeclKind::NamespaceAlias(name, target), span });
        }
        if self.is(Punct::ColonColon) {
            // `namespace a::b {` nests.
            let Some(name) = name else { return self.unexpected("expected a name") };
            return self.in_namespace(Some(name.symbol), |parser| {
                let inner = parser.nested(|parser| parser.namespace(start))?;
                Ok(Decl { span: inner.span, kind: DeclKind::Namespace(Some(name), vec![inner]) })
            });
        }
        let open = self.span();
        self.expect(Punct::LeftBrace, "after `namespace`")?;
        self.in_namespace(name.map(|name| name.symbol), |parser| {
            let list = parser.declarations_to_brace(open)?;
            Ok(Decl { kind: DeclKind::Namespace(name, list), span: parser.since(start) })
        })
    }

    fn in_namespace(
        &mut self,
        name: Option<Symbol>,
        step: impl FnOnce(&mut Self) -> Step<Decl>,
    ) -> Step<Decl> {
        let outer = self.scopes.current();
        if let Some(NameKind::Namespace(scope)) = name.and_then(|name| self.scopes.member(outer, name)) {
            self.scopes.enter(scope);
        } else {
            let scope = self.scopes.push();
            if let Some(name) = name {
                self.scopes.declare_in(outer, name, NameKind::Namespace(scope));
            } else {
                self.scopes.enter(outer);
                self.scopes.also(scope);
                self.scopes.enter(scope);
            }
        }
        let result = step(self);
        self.scopes.enter(outer);
        result
    }

    fn using(&mut self, start: Span) -> Step<Decl> {
        if self.keyword_at(1) == Some(Keyword::Namespace) {
            self.bump();
            self.bump();
            let (name, kind) = self.qualified_name()?;
            if let Some(NameKind::Namespace(scope)) = kind {
                self.scopes.also(scope);
            }
            self.expect_semicolon("after `using namespace`")?;
            return Ok(Decl { kind: DeclKind::UsingNamespace(name), span: self.since(start) });
        }
        if self.name_at(1).is_some() && self.is_at(2, Punct::Assign) {
            let scope = self.scopes.current();
            return self.alias(start, None, scope);
        }
        self.bump();
        self.accept_keyword(Keyword::Typename);
        let (name, kind) = self.qualified_name()?;
        if let Some(kind) = kind {
            self.scopes.declare(name.last().name.symbol, kind);
        }
        self.expect_semicolon("after `using`")?;
        Ok(Decl { kind: DeclKind::Using(name), span: self.since(start) })
    }

    /// `using name = T;`
    pub(super) fn alias(
        &mut self,
        start: Span,
        template: Option<Rc<TemplateParameters>>,
        scope: ScopeId,
    ) -> Step<Decl> {
        self.bump();
        let name = self.expect_name("the name of the type")?;
        self.expect(Punct::Assign, "after the name")?;
        let target = self.type_name()?;
        self.expect_semicolon("after the type")?;
        let kind = if template.is_some() { NameKind::TypeTemplate(None) } else { NameKind::Type(None) };
        self.scopes.declare_in(scope, name.symbol, kind);
        Ok(Decl { kind: DeclKind::Alias(name, target, template), span: self.since(start) })
    }

    fn static_assertion(&mut self, start: Span) -> Step<Decl> {
        self.bump();
        let open = self.span();
        self.expect(Punct::LeftParen, "after `static_assert`")?;
        let condition = self.assignment()?;
        let mut text = Vec::new();
        if self.accept(Punct::Comma) {
            let Kind::Text(symbol) = self.kind() else { return self.unexpected("expected a string") };
            text = unescape(self.text(symbol)).unwrap_or_default();
            self.bump();
        }
        self.expect_close(Punct::RightParen, open)?;
        self.expect_semicolon("after `static_assert`")?;
        Ok(Decl { kind: DeclKind::StaticAssert(condition, text), span: self.since(start) })
    }

    /// The declarators behind specifiers.
    fn rest_of_declaration(
        &mut self,
        start: Span,
        specifiers: Rc<Specifiers>,
        template: Option<(Rc<TemplateParameters>, ScopeId)>,
        place: Place,
    ) -> Step<Decl> {
        let defines_type =
            matches!(specifiers.base, BaseType::Record(_) | BaseType::Enum(_) | BaseType::Elaborated(_));
        if defines_type && (self.is(Punct::Semicolon) || self.missing_semicolon_after_type()) {
            self.expect_semicolon("after the type")?;
            return Ok(Decl { kind: DeclKind::Simple(specifiers, Vec::new()), span: self.since(start) });
        }
        if matches!(specifiers.base, BaseType::None) && !self.may_lack_type(place) {
            if let Some(name) = self.name().filter(|_| self.at_declaration(place)) {
                return self.unknown_type(name.symbol, name.span);
            }
            return self.unexpected("expected a declaration");
        }
        let mut list = Vec::new();
        loop {
            let declarator = self.first_declarator(&specifiers, place, list.is_empty())?;
            if declarator.function().is_some() && !specifiers.flags.is_typedef {
                let is_definition = list.is_empty() && (self.body_follows() || self.special_body_follows());
                self.declare_function(&declarator, template.as_ref().map(|(_, scope)| *scope));
                if is_definition || place != Place::Block {
                    let template = template.map(|(template, _)| template);
                    return self.function(start, specifiers, declarator, template, place);
                }
            }
            let bits = if matches!(place, Place::Class(_)) && self.accept(Punct::Colon) {
                Some(self.conditional()?)
            } else {
                None
            };
            if let DeclaratorName::Plain(name) = &declarator.name {
                let kind = if specifiers.flags.is_typedef {
                    self.typedef_kind(&specifiers)
                } else {
                    NameKind::Value
                };
                self.scopes.declare(name.symbol, kind);
            }
            let init = self.initializer()?;
            list.push(InitDeclarator { declarator, init, bits });
            if !self.accept(Punct::Comma) {
                break;
            }
        }
        self.expect_semicolon("after the declaration")?;
        Ok(Decl { kind: DeclKind::Simple(specifiers, list), span: self.since(start) })
    }

    /// Whether a declaration without a type may be a constructor, destructor or conversion.
    fn may_lack_type(&self, place: Place) -> bool {
        self.is(Punct::Tilde)
            || self.keyword() == Some(Keyword::Operator)
            || match place {
                Place::Class(class) => self.name().is_some_and(|name| Some(name.symbol) == class),
                Place::File => self.peek_qualified(0).1 >= 3,
                Place::Block => false,
            }
    }

    /// Whether the name at the current token is meant as a type.
    fn at_declaration(&self, place: Place) -> bool {
        place == Place::File
            || self.name_at(1).is_some()
            || (self.is_at(1, Punct::Star) || self.is_at(1, Punct::And)) && matches!(place, Place::Class(_))
    }

    /// Whether a new declaration starts on the next line although `;` is missing behind a class.
    fn missing_semicolon_after_type(&self) -> bool {
        self.on_new_line()
            && self.at > 0
            && self.kind_of(self.at - 1) == Kind::Punct(Punct::RightBrace)
            && (self.keyword().is_some() || self.ended() || self.starts_type())
    }

    fn first_declarator(&mut self, specifiers: &Specifiers, place: Place, first: bool) -> Step<Declarator> {
        let lacks_type = matches!(specifiers.base, BaseType::None);
        if let (true, true, Place::Class(Some(class)), Some(name)) = (first, lacks_type, place, self.name())
            && name.symbol == class
            && self.is_at(1, Punct::LeftParen)
        {
            self.bump();
            let function = self.scoped(Self::parameter_list)?;
            let chunks = vec![Chunk::Function(Box::new(function))];
            return Ok(Declarator { name: DeclaratorName::Constructor(None), chunks, span: name.span });
        }
        if matches!(place, Place::Class(_)) && self.is(Punct::Colon) {
            // An unnamed bit field.
            return Ok(Declarator { name: DeclaratorName::None, chunks: Vec::new(), span: self.span() });
        }
        self.declarator(place.mode())
    }

    fn typedef_kind(&self, specifiers: &Specifiers) -> NameKind {
        let of = |name: &QualifiedName| self.scope_of_name(name);
        NameKind::Type(match &specifiers.base {
            BaseType::Named(name) | BaseType::Elaborated(name) => of(name),
            _ => None,
        })
    }

    fn scope_of_name(&self, name: &QualifiedName) -> Option<ScopeId> {
        let kind = match self.scope_of_members(name) {
            Some(scope) => self.scopes.member(scope, name.last().name.symbol),
            None => self.scopes.find(name.last().name.symbol),
        };
        if let Some(NameKind::Type(scope) | NameKind::TypeTemplate(scope)) = kind { scope } else { None }
    }

    fn declare_function(&mut self, declarator: &Declarator, template: Option<ScopeId>) {
        if let DeclaratorName::Plain(name) = &declarator.name {
            match template {
                Some(scope) => self.scopes.declare_in(scope, name.symbol, NameKind::FunctionTemplate),
                None => self.scopes.declare(name.symbol, NameKind::Value),
            }
        }
    }

    /// Whether `= default`, `= delete` or `= 0` follows.
    fn special_body_follows(&self) -> bool {
        self.is(Punct::Assign) && (self.keyword_at(1).is_some() || matches!(self.kind_at(1), Kind::Number(_)))
    }

    /// A function from behind its declarator.
    fn function(
        &mut self,
        start: Span,
        specifiers: Rc<Specifiers>,
        declarator: Declarator,
        template: Option<Rc<TemplateParameters>>,
        place: Place,
    ) -> Step<Decl> {
        let flags = specifiers.flags;
        let builtin = self.sources.file_of(start).is_some_and(|file| self.sources.file(file).builtin);
        let device = flags.device || flags.global || flags.is_constexpr || builtin;
        let mut body = FunctionBody::None;
        if self.accept(Punct::Assign) {
            body = match self.keyword() {
                Some(Keyword::Default) => FunctionBody::Defaulted,
                Some(Keyword::Delete) => FunctionBody::Deleted,
                _ => FunctionBody::None,
            };
            self.bump();
            self.expect_semicolon("after the declaration")?;
        } else if self.body_follows() {
            if let Place::Class(_) = place {
                if device {
                    let scope = self.scopes.current();
                    self.deferred.push(Deferred { member: self.member_index, body: self.at, scope });
                }
                self.skip_initializers();
                self.skip_body();
                body = FunctionBody::Skipped;
            } else {
                body = self.outer_body(&declarator, device)?;
            }
            self.accept(Punct::Semicolon);
        } else if self.accept(Punct::Comma) {
            // `int f(int), g(int);` declares host functions in practice.
            self.skip_statement();
        } else {
            self.expect_semicolon("after the declaration")?;
        }
        let extern_c = self.extern_c;
        let function = FunctionDecl { specifiers, declarator, template, extern_c, body };
        Ok(Decl { kind: DeclKind::Function(Rc::new(function)), span: self.since(start) })
    }

    fn outer_body(&mut self, declarator: &Declarator, device: bool) -> Step<FunctionBody> {
        let members = match &declarator.name {
            DeclaratorName::Qualified(name)
            | DeclaratorName::Operator(Some(name), _)
            | DeclaratorName::Constructor(Some(name))
            | DeclaratorName::Destructor(Some(name)) => Some(self.scope_of_members(name)),
            _ => None,
        };
        if device {
            let body = self.function_body(declarator.function(), members.flatten())?;
            return Ok(FunctionBody::Block(body));
        }
        if let Some(scope) = members {
            // The class may declare the method for the device.
            let (at, mark, depth) = (self.at, self.out.mark(), self.depth);
            if let Ok(body) = self.function_body(declarator.function(), scope)
                && self.out.mark() == mark
            {
                return Ok(FunctionBody::Block(body));
            }
            self.out.truncate(mark);
            (self.at, self.depth) = (at, depth);
        }
        self.skip_initializers();
        self.skip_body();
        Ok(FunctionBody::Skipped)
    }

    /// Skips `: member(value), ...` of a constructor, and `try`.
    fn skip_initializers(&mut self) {
        self.accept_keyword(Keyword::Try);
        if !self.accept(Punct::Colon) {
            return;
        }
        loop {
            if self.qualified_name().is_err() || self.ended() {
                return;
            }
            if self.is(Punct::LeftParen) {
                self.skip_parentheses();
            } else if self.is(Punct::LeftBrace) {
                self.skip_braces();
            }
            if !self.accept(Punct::Comma) {
                return;
            }
        }
    }

    /// Parses the body of a function, from `{` or the `:` of a constructor.
    pub(super) fn function_body(
        &mut self,
        chunk: Option<&FunctionChunk>,
        members: Option<ScopeId>,
    ) -> Step<Rc<Body>> {
        let outer = self.scopes.current();
        let angles = std::mem::replace(&mut self.in_angles, false);
        self.scopes.push();
        if let Some(scope) = members {
            self.scopes.also(scope);
        }
        for parameter in chunk.iter().flat_map(|chunk| &chunk.parameters) {
            if let DeclaratorName::Plain(name) = &parameter.declarator.name {
                self.scopes.declare(name.symbol, NameKind::Value);
            }
        }
        let result = self.function_body_inner();
        self.in_angles = angles;
        self.scopes.enter(outer);
        result
    }

    fn function_body_inner(&mut self) -> Step<Rc<Body>> {
        if self.keyword() == Some(Keyword::Try) {
            let span = self.span();
            self.out.push(Diagnostic::unsupported(span, "`try` in device code"));
            return Err(Failed);
        }
        let mut initializers = Vec::new();
        if self.accept(Punct::Colon) {
            loop {
                let (name, _) = self.qualified_name()?;
                let Some(init) = self.initializer()? else { return self.unexpected("expected `(` or `{`") };
                initializers.push(MemberInit { name, init });
                if !self.accept(Punct::Comma) {
                    break;
                }
            }
        }
        if !self.is(Punct::LeftBrace) {
            return self.unexpected("expected `{`");
        }
        let (statements, end) = self.block()?;
        Ok(Rc::new(Body { initializers, statements, end }))
    }

    /// Parses an initializer, if there is one.
    pub(super) fn initializer(&mut self) -> Step<Option<Initializer>> {
        self.with_angles(false, |parser| {
            if parser.accept(Punct::Assign) {
                return Ok(Some(Initializer::Value(parser.initializer_clause()?)));
            }
            if parser.is(Punct::LeftBrace) {
                return Ok(Some(Initializer::List(parser.initializer_clause()?)));
            }
            if parser.is(Punct::LeftParen) {
                let open = parser.span();
                let list = parser.arguments()?;
                return Ok(Some(Initializer::Arguments(list, parser.since(open))));
            }
            Ok(None)
        })
    }
}
