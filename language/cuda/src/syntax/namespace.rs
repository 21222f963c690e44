//! Namespaces, `extern "C"` blocks and `using`.

use super::ast::{Decl, DeclKind, TemplateParameters};
use super::declaration::DeclaredIn;
use super::keyword::Keyword;
use super::parser::{Failed, Parser, Step};
use super::scope::{NameKind, ScopeId};
use crate::diagnostics::Diagnostic;
use crate::lex::{Punct, Symbol, TokenKind};
use crate::source::Span;
use std::rc::Rc;

impl Parser<'_> {
    pub(super) fn linkage(&mut self, place: DeclaredIn, start: Span) -> Step<Decl> {
        let TokenKind::Text(symbol) = self.kind_at(1) else { return self.unexpected("expected a language") };
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
        let mut decl = self.declaration(place)?;
        // Without braces it says `extern`, too ([dcl.link]/7).
        if let DeclKind::Simple(specifiers, _) = &mut decl.kind {
            Rc::make_mut(specifiers).flags.is_extern = true;
        }
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

    pub(super) fn namespace(&mut self, start: Span, is_inline: bool) -> Step<Decl> {
        self.bump();
        self.plain_attributes()?;
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
            return self.in_namespace(Some(name.symbol), is_inline, |parser| {
                let is_inline = parser.accept_keyword(Keyword::Inline);
                let inner = parser.nested(|parser| parser.namespace(start, is_inline))?;
                Ok(Decl { span: inner.span, kind: DeclKind::Namespace(Some(name), false, vec![inner]) })
            });
        }
        let open = self.span();
        self.expect(Punct::LeftBrace, "after `namespace`")?;
        self.in_namespace(name.map(|name| name.symbol), is_inline, |parser| {
            let list = parser.declarations_to_brace(open)?;
            Ok(Decl { kind: DeclKind::Namespace(name, is_inline, list), span: parser.since(start) })
        })
    }

    fn in_namespace(
        &mut self,
        name: Option<Symbol>,
        is_inline: bool,
        step: impl FnOnce(&mut Self) -> Step<Decl>,
    ) -> Step<Decl> {
        let outer = self.scopes.current();
        if let Some(NameKind::Namespace(scope)) = name.and_then(|name| self.scopes.member(outer, name)) {
            self.scopes.enter(scope);
        } else {
            let scope = self.scopes.push();
            if let Some(name) = name {
                self.scopes.declare_in(outer, name, NameKind::Namespace(scope));
            }
            if is_inline || name.is_none() {
                self.scopes.enter(outer);
                self.scopes.also(scope);
                self.scopes.enter(scope);
            }
        }
        let result = step(self);
        self.scopes.enter(outer);
        result
    }

    pub(super) fn using(&mut self, start: Span) -> Step<Decl> {
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
        if self.keyword_at(1) == Some(Keyword::Enum) {
            self.bump();
            self.bump();
            let (name, _) = self.qualified_name()?;
            self.expect_semicolon("after `using enum`")?;
            return Ok(Decl { kind: DeclKind::UsingEnum(name), span: self.since(start) });
        }
        if self.name_at(1).is_some() && (self.is_at(2, Punct::Assign) || self.attribute_follows_at(2)) {
            let scope = self.scopes.current();
            return self.alias(start, None, scope);
        }
        self.bump();
        self.accept_keyword(Keyword::Typename);
        let first = self.at;
        let (name, kind) = self.qualified_name()?;
        if self.is(Punct::ColonColon) && self.keyword_at(1) == Some(Keyword::Operator) {
            self.bump();
            let Some(operator) = self.operator() else { return self.unexpected("expected an operator") };
            let packs = self.expansion(first)?;
            self.expect_semicolon("after `using`")?;
            return Ok(Decl {
                kind: DeclKind::UsingOperator(name, operator, packs),
                span: self.since(start),
            });
        }
        let packs = self.expansion(first)?;
        if let (Some(kind), None) = (kind, &packs) {
            self.scopes.declare(name.last().name.symbol, kind);
        }
        self.expect_semicolon("after `using`")?;
        Ok(Decl { kind: DeclKind::Using(name, packs), span: self.since(start) })
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
        self.plain_attributes()?;
        self.expect(Punct::Assign, "after the name")?;
        let target = self.type_name()?;
        self.expect_semicolon("after the type")?;
        let kind = if template.is_some() { NameKind::TypeTemplate(None) } else { NameKind::Type(None) };
        self.scopes.declare_in(scope, name.symbol, kind);
        Ok(Decl { kind: DeclKind::Alias(name, target, template), span: self.since(start) })
    }
}
