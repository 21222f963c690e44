//! Structures, classes and unions.

use std::rc::Rc;

use super::ast::{
    Access, Alignment, BaseClass, BaseType, Decl, DeclKind, FunctionBody, FunctionDecl, Member, Name,
    QualifiedName, RecordDecl, Segment, Tag, TemplateParameters,
};
use super::declaration::DeclaredIn;
use super::keyword::Keyword;
use super::parser::{Parser, Step};
use super::scope::{NameKind, ScopeId};
use crate::lex::{Punct, Symbol, TokenKind};
use crate::target::Side;

/// A method whose body is parsed when the class is complete.
pub(super) struct Deferred {
    /// Index of the member.
    pub(super) member: usize,
    /// Token `{` or `:`.
    pub(super) body: usize,
    /// Scope in which the method was declared.
    pub(super) scope: ScopeId,
}

impl Parser<'_> {
    /// Parses from the keyword `struct`, `class` or `union`. For a template, `template` has its
    /// parameters and the scope in which its name is declared.
    pub(super) fn record(&mut self, template: Option<(&Rc<TemplateParameters>, ScopeId)>) -> Step<BaseType> {
        self.nested(|parser| parser.record_inner(template))
    }

    /// Attributes behind the keyword, and whether the type is a vector.
    fn record_attributes(&mut self) -> Step<(Alignment, bool)> {
        let (mut align, mut is_vector) = (Alignment::default(), false);
        loop {
            match self.keyword() {
                Some(Keyword::Align | Keyword::Alignas) => align.bytes = self.alignment()?,
                Some(Keyword::Attribute | Keyword::Declspec) => align.add(self.attribute_list()?),
                Some(Keyword::VectorType) => {
                    is_vector = true;
                    self.bump();
                }
                _ if self.attribute_follows() => align.add(self.attributes()?),
                _ => return Ok((align, is_vector)),
            }
        }
    }

    fn record_inner(&mut self, template: Option<(&Rc<TemplateParameters>, ScopeId)>) -> Step<BaseType> {
        let start = self.span();
        let tag = if self.keyword() == Some(Keyword::Union) { Tag::Union } else { Tag::Struct };
        let is_class = self.keyword() == Some(Keyword::Class);
        let first = if is_class { Access::Private } else { Access::Public };
        self.bump();
        let (mut align, is_vector) = self.record_attributes()?;
        let pack = self.pack;
        let around = self.scopes.current();
        let mut declared_in = template.map_or(around, |(_, scope)| scope);
        let (mut name, mut outside) = (self.name(), None);
        let mut arguments = None;
        if let Some(found) = name {
            let is_of_template =
                self.is_at(1, Punct::Less) && self.is_at(self.end_of_angles(1), Punct::ColonColon);
            if self.is_at(1, Punct::ColonColon) || is_of_template {
                let length = self.peek_qualified(0).1;
                let is_defined = self.is_at(length, Punct::LeftBrace) || self.is_at(length, Punct::Colon);
                let qualified = self.qualified_name()?.0;
                let scope = self.scope_of_members(&qualified).filter(|_| is_defined);
                let Some(scope) = scope else { return Ok(BaseType::Elaborated(qualified)) };
                name = Some(qualified.last().name);
                arguments.clone_from(&qualified.last().arguments);
                declared_in = scope;
                outside = Some(qualified);
            } else {
                self.bump();
                if self.is(Punct::Less) {
                    arguments = Some(self.template_arguments()?);
                }
                name = Some(found);
            }
        } else if self.is(Punct::ColonColon) {
            return Ok(BaseType::Elaborated(self.qualified_name()?.0));
        }
        let span = self.since(start);
        let is_final = self.name().is_some_and(|name| self.text(name.symbol) == "final");
        if is_final {
            self.bump();
        }
        // C has no base classes: `struct T :` is an association of `_Generic`, or a bit-field.
        let has_bases = self.side.is_cpp() && self.is(Punct::Colon);
        let defines = self.is(Punct::LeftBrace) || has_bases;
        // The outer parameters of a member of a class template are not its own.
        let is_template = template.is_some_and(|(parameters, _)| {
            !parameters.list.is_empty() && (outside.is_none() || parameters.outer.is_some())
        });
        if !defines {
            let Some(name) = name else { return self.unexpected("expected a name or `{`") };
            if let Some((template, _)) = template {
                if arguments.is_none() {
                    self.declare_record(declared_in, name.symbol, None, is_template);
                }
                let declared = RecordDecl::declared(tag, name, template.clone(), span);
                let record = RecordDecl { arguments, ..declared };
                return Ok(BaseType::Record(Rc::new(record)));
            }
            if self.scopes.find(name.symbol).is_none() || self.is(Punct::Semicolon) {
                self.scopes.declare(name.symbol, NameKind::Type(None));
            }
            let segments = vec![Segment { name, arguments }];
            return Ok(BaseType::Elaborated(QualifiedName { global: false, segments, span: name.span }));
        }
        if outside.is_some() && template.is_none() {
            self.scopes.enter(declared_in);
        }
        let own = self.scopes.push();
        if outside.is_some() && template.is_some() {
            // The names of the parameters come first.
            self.scopes.also_members(declared_in);
        }
        if let Some(name) = name.filter(|_| arguments.is_none()) {
            self.declare_record(declared_in, name.symbol, Some(own), is_template);
        }
        self.declare_specialization(declared_in, name, own);
        let result = self.record_body(name.map(|name| name.symbol), first);
        self.scopes.enter(around);
        let (bases, members) = result?;
        match self.keyword() {
            Some(Keyword::Align) => align.bytes = self.alignment()?,
            Some(Keyword::Attribute) => align.add(self.attribute_list()?),
            _ => {}
        }
        Ok(BaseType::Record(Rc::new(RecordDecl {
            tag,
            name,
            outside,
            arguments,
            template: template.map(|(template, _)| template.clone()),
            bases,
            members: Some(members),
            align,
            pack,
            is_variable: false,
            is_concept: false,
            is_vector,
            is_final,
            span,
        })))
    }

    /// A template that is only declared has the members of its specializations.
    fn declare_specialization(&mut self, scope: ScopeId, name: Option<Name>, own: ScopeId) {
        if let Some(Name { symbol, .. }) = name
            && self.scopes.find(symbol) == Some(NameKind::TypeTemplate(None))
        {
            self.scopes.declare_in(scope, symbol, NameKind::TypeTemplate(Some(own)));
        }
    }

    fn declare_record(&mut self, scope: ScopeId, name: Symbol, own: Option<ScopeId>, is_template: bool) {
        let kind = if is_template { NameKind::TypeTemplate(own) } else { NameKind::Type(own) };
        self.scopes.declare_in(scope, name, kind);
        if let Some(own) = own {
            // Inside, the name without arguments is the class itself.
            let inside =
                if is_template { NameKind::TypeTemplate(Some(own)) } else { NameKind::Type(Some(own)) };
            self.scopes.declare_in(own, name, inside);
        }
    }

    /// Base classes and members of a class, whose first members have the access `first`.
    fn record_body(&mut self, class: Option<Symbol>, first: Access) -> Step<(Vec<BaseClass>, Vec<Member>)> {
        let mut bases = Vec::new();
        if self.accept(Punct::Colon) {
            loop {
                self.plain_attributes()?;
                let (mut access, mut is_virtual) = (first, false);
                loop {
                    match self.keyword() {
                        Some(Keyword::Public) => access = Access::Public,
                        Some(Keyword::Protected) => access = Access::Protected,
                        Some(Keyword::Private) => access = Access::Private,
                        Some(Keyword::Virtual) => is_virtual = true,
                        _ => break,
                    }
                    self.bump();
                }
                let start = self.at;
                let (name, kind) = self.qualified_name()?;
                let packs = self.expansion(start)?;
                if let Some(NameKind::Type(Some(scope)) | NameKind::TypeTemplate(Some(scope))) = kind {
                    self.scopes.also(scope);
                }
                bases.push(BaseClass { name, access, is_virtual, packs });
                if !self.accept(Punct::Comma) {
                    break;
                }
            }
        }
        let open = self.span();
        self.expect(Punct::LeftBrace, "before the members")?;
        let mut members = Vec::new();
        let deferred = std::mem::take(&mut self.deferred);
        let in_class = std::mem::replace(&mut self.extern_c, false);
        let result = self.members((class, first), open, &mut members);
        let methods = std::mem::replace(&mut self.deferred, deferred);
        self.extern_c = in_class;
        result?;
        let end = self.at;
        for method in methods {
            self.method_body(&method, &mut members)?;
        }
        self.at = end;
        Ok((bases, members))
    }

    fn members(
        &mut self,
        (class, mut access): (Option<Symbol>, Access),
        open: crate::source::Span,
        members: &mut Vec<Member>,
    ) -> Step<()> {
        while !self.is(Punct::RightBrace) {
            if self.ended() {
                return self.expect_close(Punct::RightBrace, open);
            }
            let specifier = match self.keyword() {
                Some(Keyword::Public) => Some(Access::Public),
                Some(Keyword::Protected) => Some(Access::Protected),
                Some(Keyword::Private) => Some(Access::Private),
                _ => None,
            };
            if let Some(specifier) = specifier {
                access = specifier;
                self.bump();
                self.expect(Punct::Colon, "after the access specifier")?;
                continue;
            }
            self.member_index = members.len();
            if let Some(decl) = self.member(class)? {
                members.push(Member { access, decl });
            }
        }
        self.bump();
        Ok(())
    }

    /// Parses a member. A function that device code cannot call may name types that only the host
    /// has: device code is compiled without it.
    fn member(&mut self, class: Option<Symbol>) -> Step<Option<Decl>> {
        let first = (self.at, self.depth, self.half, self.in_angles);
        let (mark, deferred) = (self.out.mark(), self.deferred.len());
        let scope = self.scopes.current();
        let result = self.nested(|parser| parser.declaration(DeclaredIn::Class(class)));
        if result.is_ok() || self.side != Side::Device || self.is_builtin(first.0) {
            return result.map(Some);
        }
        let failed_at = self.at;
        self.scopes.enter(scope);
        (self.at, self.depth, self.half, self.in_angles) = first;
        if !self.skip_host_member() {
            self.at = failed_at;
            return result.map(Some);
        }
        self.deferred.truncate(deferred);
        self.out.truncate(mark);
        Ok(None)
    }

    /// Parses the body of a method that was deferred.
    fn method_body(&mut self, method: &Deferred, members: &mut [Member]) -> Step<()> {
        self.at = method.body;
        let member = members.get_mut(method.member).map(|member| &mut member.decl);
        let Some(Decl { kind: DeclKind::Function(function), .. }) = member else {
            return Ok(());
        };
        let outer = self.scopes.enter(method.scope);
        let body = self.function_body(function.declarator.function(), None);
        self.scopes.enter(outer);
        let body = body?;
        let mut made = FunctionDecl::clone(function);
        made.body = FunctionBody::Block(body);
        *function = Rc::new(made);
        Ok(())
    }

    /// Whether the body of a method follows.
    pub(super) fn body_follows(&self) -> bool {
        matches!(self.kind(), TokenKind::Punct(Punct::LeftBrace))
            || self.is(Punct::Colon)
            || self.keyword() == Some(Keyword::Try)
    }
}
