//! Functions and their bodies.

use super::ast::{
    Body, Decl, DeclKind, Declarator, DeclaratorName, FunctionBody, FunctionChunk, FunctionDecl, MemberInit,
    Operator, Specifiers, Stmt, TemplateParameters,
};
use super::declaration::DeclaredIn;
use super::keyword::Keyword;
use super::parser::{Failed, Parser, Step};
use super::record::Deferred;
use super::scope::{NameKind, ScopeId};
use crate::lex::{Punct, TokenKind};
use crate::source::Span;
use crate::target::Side;
use std::rc::Rc;

impl Parser<'_> {
    pub(super) fn declare_function(&mut self, declarator: &Declarator, template: Option<ScopeId>) {
        if let DeclaratorName::Plain(name) = &declarator.name {
            match template {
                Some(scope) => self.scopes.declare_in(scope, name.symbol, NameKind::FunctionTemplate),
                None => self.scopes.declare(name.symbol, NameKind::Value),
            }
        }
    }

    /// Whether `= default`, `= delete` or `= 0` follows.
    pub(super) fn special_body_follows(&self) -> bool {
        self.is(Punct::Assign)
            && (self.keyword_at(1).is_some() || matches!(self.kind_at(1), TokenKind::Number(_)))
    }

    /// A function from behind its declarator.
    pub(super) fn function(
        &mut self,
        start: Span,
        specifiers: Rc<Specifiers>,
        declarator: Declarator,
        template: Option<Rc<TemplateParameters>>,
        place: DeclaredIn,
    ) -> Step<Decl> {
        let mut declarator = declarator;
        self.old_style_declarations(&mut declarator)?;
        let flags = specifiers.flags;
        let builtin = self.sources.file_of(start).is_some_and(|file| self.sources.file(file).builtin);
        let wanted = flags.belong_to(self.side, builtin);
        let mut body = FunctionBody::None;
        let mut is_pure = false;
        if self.accept(Punct::Assign) {
            body = match self.keyword() {
                Some(Keyword::Default) => {
                    self.check_default(&specifiers, &declarator)?;
                    FunctionBody::Defaulted
                }
                Some(Keyword::Delete) => FunctionBody::Deleted,
                _ => {
                    is_pure = true;
                    FunctionBody::None
                }
            };
            self.bump();
            self.expect_semicolon("after the declaration")?;
        } else if self.body_follows() {
            if let DeclaredIn::Class(_) = place {
                if wanted {
                    let scope = self.scopes.current();
                    self.deferred.push(Deferred { member: self.member_index, body: self.at, scope });
                }
                self.skip_initializers();
                self.skip_body();
                self.skip_handlers();
                body = FunctionBody::Skipped;
            } else {
                body = self.outer_body(&declarator, wanted)?;
            }
            self.accept(Punct::Semicolon);
        } else {
            self.expect_semicolon("after the declaration")?;
        }
        let extern_c = self.extern_c;
        let function = FunctionDecl { specifiers, declarator, template, extern_c, is_pure, body };
        Ok(Decl { kind: DeclKind::Function(Rc::new(function)), span: self.since(start) })
    }

    /// Refuses `= default` of an operator that is no assignment and no comparison in its class.
    fn check_default(&mut self, specifiers: &Specifiers, declarator: &Declarator) -> Step<()> {
        let DeclaratorName::Operator(class, operator) = &declarator.name else { return Ok(()) };
        let is_assignment = *operator == Operator::Symbol(Punct::Assign);
        if specifiers.flags.is_friend || class.is_some() && !is_assignment {
            return self.unsupported(declarator.span, "a comparison of `= default` that is no method");
        }
        if is_assignment || operator.compares() {
            return Ok(());
        }
        self.error("syntax", declarator.span, "this operator cannot be defined by `= default`", "");
        Err(Failed)
    }

    fn outer_body(&mut self, declarator: &Declarator, wanted: bool) -> Step<FunctionBody> {
        let members = match &declarator.name {
            DeclaratorName::Qualified(name)
            | DeclaratorName::Operator(Some(name), _)
            | DeclaratorName::Constructor(Some(name))
            | DeclaratorName::Destructor(Some(name))
            | DeclaratorName::Conversion(Some(name), _) => Some(self.scope_of_members(name)),
            _ => None,
        };
        if wanted {
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
        self.skip_handlers();
        Ok(FunctionBody::Skipped)
    }

    /// Skips the handlers behind the body of a function.
    fn skip_handlers(&mut self) {
        while self.accept_keyword(Keyword::Catch) {
            self.skip_parentheses();
            self.skip_braces();
        }
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
            self.accept(Punct::Ellipsis);
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
            self.scopes.also_members(scope);
        }
        for parameter in chunk.iter().flat_map(|chunk| &chunk.parameters) {
            if let DeclaratorName::Plain(name) = &parameter.declarator.name {
                self.declare_parameter(*name, NameKind::Value, parameter.pack.is_some());
            }
        }
        let result = self.function_body_inner();
        self.in_angles = angles;
        self.scopes.enter(outer);
        result
    }

    /// The rest of `try : member(value) { ... } catch (...) { ... }` as the body of a function.
    fn function_try(&mut self, start: Span, initializers: Vec<MemberInit>) -> Step<Rc<Body>> {
        if self.side != Side::Host {
            return self.unsupported(start, "`try` in device code");
        }
        let kind = self.try_block()?;
        let statements = vec![Stmt { kind, span: self.since(start) }];
        Ok(Rc::new(Body { initializers, statements, is_try: true, end: self.previous() }))
    }

    fn function_body_inner(&mut self) -> Step<Rc<Body>> {
        let start = self.span();
        let is_try = self.accept_keyword(Keyword::Try);
        let mut initializers = Vec::new();
        if self.accept(Punct::Colon) {
            loop {
                let first = self.at;
                let (name, _) = self.qualified_name()?;
                let Some(init) = self.initializer()? else { return self.unexpected("expected `(` or `{`") };
                let packs = self.expansion(first)?;
                initializers.push(MemberInit { name, init, packs });
                if !self.accept(Punct::Comma) {
                    break;
                }
            }
        }
        if is_try {
            return self.function_try(start, initializers);
        }
        if !self.is(Punct::LeftBrace) {
            return self.unexpected("expected `{`");
        }
        let (statements, end) = self.block()?;
        Ok(Rc::new(Body { initializers, statements, is_try: false, end }))
    }
}
