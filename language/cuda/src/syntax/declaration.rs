//! Declarations: dispatch, declarators and initializers.

use std::rc::Rc;

use super::ast::{
    Access, BaseType, Chunk, Decl, DeclKind, Declarator, DeclaratorName, FunctionBody, FunctionDecl,
    InitDeclarator, Initializer, Member, QualifiedName, RecordDecl, Specifiers, Tag, TemplateParameters,
};
use super::declarator::Mode;
use super::keyword::Keyword;
use super::parser::{Parser, Step};
use super::scope::{NameKind, ScopeId};
use crate::lex::{Punct, Symbol, TokenKind, unescape};
use crate::source::Span;

/// Where a declaration is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum DeclaredIn {
    /// At file or namespace scope.
    File,
    /// In the class of this name.
    Class(Option<Symbol>),
    /// In a function.
    Block,
}

impl DeclaredIn {
    fn mode(self) -> Mode {
        if self == Self::Block { Mode::Inner } else { Mode::Outer }
    }
}

impl Parser<'_> {
    /// Parses a declaration.
    pub(super) fn declaration(&mut self, place: DeclaredIn) -> Step<Decl> {
        let start = self.span();
        let simple = |kind| Ok(Decl { kind, span: start });
        if self.accept(Punct::Semicolon) {
            return simple(DeclKind::Empty);
        }
        if let TokenKind::Unroll(_) = self.kind() {
            self.bump();
            return simple(DeclKind::Empty);
        }
        if let TokenKind::Pack(bytes) = self.kind() {
            self.bump();
            self.pack = bytes;
            return simple(DeclKind::Empty);
        }
        if self.attribute_follows() {
            let before = self.at;
            self.attributes()?;
            let alone = self.is(Punct::Semicolon);
            let before_keyword = matches!(
                self.keyword(),
                Some(Keyword::Namespace | Keyword::Using | Keyword::Template | Keyword::StaticAssert)
            );
            if alone || before_keyword {
                let next = std::mem::replace(&mut self.at, before);
                self.plain_attributes()?;
                self.at = next;
                return self.declaration(place);
            }
            self.at = before;
        }
        match self.keyword() {
            Some(Keyword::Namespace) => return self.namespace(start, false),
            Some(Keyword::Inline) if self.keyword_at(1) == Some(Keyword::Namespace) => {
                self.bump();
                return self.namespace(start, true);
            }
            Some(Keyword::Using) => return self.using(start),
            Some(Keyword::Template) => return self.template_declaration(place),
            Some(Keyword::Extern) if self.keyword_at(1) == Some(Keyword::Template) => {
                return self.declared_instantiation(start);
            }
            Some(Keyword::StaticAssert) => return self.static_assertion(start),
            Some(Keyword::Extern) if matches!(self.kind_at(1), TokenKind::Text(_)) => {
                let before = std::mem::replace(&mut self.extern_c, true);
                let result = self.linkage(place, start);
                self.extern_c = before;
                return result;
            }
            _ => {}
        }
        if place == DeclaredIn::File && self.peek_qualified(0).0.is_none() && self.module_follows() {
            return self.unsupported(start, "a module of C++20");
        }
        if self.guide_follows() {
            return self.guide(start, None);
        }
        let class = if let DeclaredIn::Class(class) = place { class } else { None };
        let specifiers = self.specifiers(class)?;
        self.rest_of_declaration(start, specifiers, None, place)
    }

    /// Whether a declaration of a module follows, whose words are names before C++20.
    fn module_follows(&self) -> bool {
        let behind = |ahead: usize| {
            self.name_at(ahead).is_some() && self.is_at(ahead + 1, Punct::Semicolon)
                || self.is_at(ahead, Punct::Semicolon)
        };
        let is_import = |ahead: usize| {
            behind(ahead) && self.name_at(ahead).is_some()
                || matches!(self.kind_at(ahead), TokenKind::Text(_) | TokenKind::Punct(Punct::Less))
        };
        self.is_word("export") && (self.name_at(1).is_some() || self.keyword_at(1).is_some())
            || self.is_word("module") && behind(1)
            || self.is_word("import") && is_import(1)
    }

    /// The declaration behind `template<...>`.
    pub(super) fn templated(
        &mut self,
        start: Span,
        parameters: Rc<TemplateParameters>,
        outer: ScopeId,
        place: DeclaredIn,
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
        if self.guide_follows() {
            return self.guide(start, Some(parameters));
        }
        let class = if let DeclaredIn::Class(class) = place { class } else { None };
        let specifiers = self.specifiers(class)?;
        self.rest_of_declaration(start, specifiers, Some((parameters, outer)), place)
    }

    /// Whether `C(parameters) ->` of a class template follows.
    fn guide_follows(&self) -> bool {
        let first = usize::from(self.keyword() == Some(Keyword::Explicit));
        let Some(name) = self.name_at(first).filter(|_| self.is_at(first + 1, Punct::LeftParen)) else {
            return false;
        };
        if !matches!(self.scopes.find(name.symbol), Some(NameKind::TypeTemplate(_))) {
            return false;
        }
        let mut depth = 0;
        for at in first + 1.. {
            match self.kind_at(at) {
                TokenKind::Punct(Punct::LeftParen) => depth += 1,
                TokenKind::Punct(Punct::RightParen) => depth -= 1,
                TokenKind::Punct(Punct::Semicolon | Punct::LeftBrace) | TokenKind::End => return false,
                _ => {}
            }
            if depth == 0 {
                return self.is_at(at + 1, Punct::Arrow);
            }
        }
        false
    }

    /// Parses a deduction guide.
    fn guide(&mut self, start: Span, template: Option<Rc<TemplateParameters>>) -> Step<Decl> {
        if self.accept_keyword(Keyword::Explicit) {
            return self.unsupported(start, "a deduction guide that is `explicit`");
        }
        let name = self.expect_name("the name of a class template")?;
        let function = self.scoped(Self::parameter_list)?;
        self.expect_semicolon("after the deduction guide")?;
        let specifiers = Specifiers::of_both_halves(BaseType::Auto, name.span);
        let decl = FunctionDecl {
            specifiers: Rc::new(specifiers),
            declarator: Declarator {
                name: DeclaratorName::Plain(name),
                chunks: vec![Chunk::Function(Box::new(function))],
                span: name.span,
            },
            template,
            extern_c: false,
            is_pure: false,
            body: FunctionBody::None,
        };
        Ok(Decl { kind: DeclKind::Guide(name, Rc::new(decl)), span: self.since(start) })
    }

    /// Whether `struct name` behind `template<...>` is followed by a body, `:`, `;` or arguments.
    fn record_template_follows(&self) -> bool {
        if self.attribute_follows_at(1)
            || matches!(self.keyword_at(1), Some(Keyword::Align | Keyword::Alignas | Keyword::Attribute))
        {
            return true;
        }
        let at = 1 + usize::from(self.name_at(1).is_some());
        if self.is_at(at, Punct::Less) && self.is_at(self.end_of_angles(at), Punct::ColonColon) {
            // `struct A<T>::B {` or `struct A<T>::B f() {`
            let length = 1 + self.peek_qualified(1).1;
            return self.is_at(length, Punct::LeftBrace) || self.is_at(length, Punct::Colon);
        }
        matches!(
            self.kind_at(at),
            TokenKind::Punct(Punct::LeftBrace | Punct::Colon | Punct::Semicolon | Punct::Less)
        ) || self.name_at(at).is_some_and(|name| self.text(name.symbol) == "final")
    }

    fn static_assertion(&mut self, start: Span) -> Step<Decl> {
        self.bump();
        let open = self.span();
        self.expect(Punct::LeftParen, "after `static_assert`")?;
        let condition = self.assignment()?;
        let mut text = Vec::new();
        if self.accept(Punct::Comma) {
            let TokenKind::Text(symbol) = self.kind() else { return self.unexpected("expected a string") };
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
        mut template: Option<(Rc<TemplateParameters>, ScopeId)>,
        place: DeclaredIn,
    ) -> Step<Decl> {
        let defines_type =
            matches!(specifiers.base, BaseType::Record(_) | BaseType::Enum(_) | BaseType::Elaborated(_));
        if defines_type && (self.is(Punct::Semicolon) || self.missing_semicolon_after_type()) {
            self.expect_semicolon("after the type")?;
            return Ok(Decl { kind: DeclKind::Simple(specifiers, Vec::new()), span: self.since(start) });
        }
        let specifiers = self.implicit_int(specifiers, place);
        if matches!(specifiers.base, BaseType::None) && !self.may_lack_type(place) {
            if let Some(name) = self.name().filter(|_| self.at_declaration(place)) {
                return self.unknown_type(name.symbol, name.span);
            }
            return self.unexpected("expected a declaration");
        }
        let (mut list, mut functions) = (Vec::new(), Vec::new());
        loop {
            let is_first = list.is_empty() && functions.is_empty();
            let mut declarator = self.first_declarator(&specifiers, place, is_first)?;
            if self.side.is_cpp() && place != DeclaredIn::Block && !specifiers.flags.is_typedef {
                template = self.abbreviated_function(&mut declarator, template)?;
            }
            if declarator.function().is_some() && !specifiers.flags.is_typedef {
                let is_definition = is_first && (self.body_follows() || self.special_body_follows());
                self.declare_function(&declarator, template.as_ref().map(|(_, scope)| *scope));
                let is_one_of_several = !is_first || self.is(Punct::Comma);
                if place == DeclaredIn::File && is_one_of_several && template.is_none() {
                    let body = super::ast::FunctionBody::None;
                    let (specifiers, extern_c) = (specifiers.clone(), self.extern_c);
                    let function = FunctionDecl {
                        specifiers,
                        declarator,
                        template: None,
                        extern_c,
                        is_pure: false,
                        body,
                    };
                    let kind = DeclKind::Function(Rc::new(function));
                    functions.push(Decl { kind, span: self.since(start) });
                    if self.accept(Punct::Comma) {
                        continue;
                    }
                    break;
                }
                if is_definition || place != DeclaredIn::Block {
                    let template = template.map(|(template, _)| template);
                    return self.function(start, specifiers, declarator, template, place);
                }
            }
            let bits = if matches!(place, DeclaredIn::Class(_)) && self.accept(Punct::Colon) {
                Some(self.conditional()?)
            } else {
                None
            };
            if let (DeclaratorName::Plain(name), Some((_, scope)), false) =
                (&declarator.name, &template, specifiers.flags.is_typedef)
            {
                // A variable template is visible in its own initializer.
                self.scopes.declare_in(*scope, name.symbol, NameKind::FunctionTemplate);
            } else if let DeclaratorName::Plain(name) = &declarator.name {
                let kind = if specifiers.flags.is_typedef {
                    self.typedef_kind(&specifiers)
                } else {
                    if matches!(place, DeclaredIn::Class(_)) {
                        self.scopes.add_field(name.symbol);
                    }
                    NameKind::Value
                };
                self.scopes.declare(name.symbol, kind);
            } else {
                self.declare_values(&declarator);
            }
            let align = self.trailing_attributes()?;
            let init = self.initializer()?;
            list.push(InitDeclarator { declarator, init, bits, align });
            if !self.accept(Punct::Comma) {
                break;
            }
        }
        self.expect_semicolon("after the declaration")?;
        if let (Some((template, _)), [InitDeclarator { declarator, .. }]) = (&template, list.as_slice())
            && !template.list.is_empty()
            && matches!(&declarator.name, DeclaratorName::Qualified(name) if name.segments.len() > 1)
            && let Some(one) = list.pop()
        {
            let kind = DeclKind::StaticMember(template.clone(), Box::new(one));
            return Ok(Decl { kind, span: self.since(start) });
        }
        // `template <> int C<float>::n = 1;` defines a member as one without `template` does.
        let is_member = matches!(list.as_slice(), [InitDeclarator { declarator, .. }]
            if matches!(&declarator.name, DeclaratorName::Qualified(name) if name.segments.len() > 1));
        let template = template.filter(|(template, _)| !(template.list.is_empty() && is_member));
        if let Some((template, _)) = template.filter(|_| !specifiers.flags.is_typedef) {
            return self.variable_template(start, &specifiers, list, template, place);
        }
        if !functions.is_empty() {
            let kind = DeclKind::Simple(specifiers, list);
            functions.push(Decl { kind, span: self.since(start) });
            return Ok(Decl { kind: DeclKind::Linkage(functions), span: self.since(start) });
        }
        Ok(Decl { kind: DeclKind::Simple(specifiers, list), span: self.since(start) })
    }

    /// `template <class T> constexpr T name = value;`: a class template with one static member.
    fn variable_template(
        &mut self,
        start: Span,
        specifiers: &Specifiers,
        mut list: Vec<InitDeclarator>,
        template: Rc<TemplateParameters>,
        place: DeclaredIn,
    ) -> Step<Decl> {
        let span = self.since(start);
        let Some(mut one) = list.pop().filter(|_| list.is_empty()) else {
            return self.unsupported(span, "a template with several variables");
        };
        let flags = specifiers.flags;
        if place == DeclaredIn::Block || flags.shared {
            return self.unsupported(span, "a variable template at this place or in shared memory");
        }
        let (name, arguments) = match &one.declarator.name {
            DeclaratorName::Plain(name) => (*name, None),
            DeclaratorName::Qualified(name) if name.segments.len() == 1 => {
                (name.last().name, name.last().arguments.clone())
            }
            _ => return self.unsupported(span, "this variable template"),
        };
        one.declarator.name = DeclaratorName::Plain(name);
        let mut own = specifiers.clone();
        own.flags.is_static = true;
        own.flags.is_inline = true;
        own.flags.is_extern = false;
        own.qualifiers.is_const |= flags.is_constexpr && one.declarator.chunks.is_empty();
        let kind = DeclKind::Simple(Rc::new(own), vec![one]);
        let member = Member { access: Access::Public, decl: Decl { kind, span } };
        let record = RecordDecl {
            arguments,
            members: Some(vec![member]),
            is_variable: true,
            ..RecordDecl::declared(Tag::Struct, name, template, span)
        };
        Ok(Decl { kind: DeclKind::RecordTemplate(Rc::new(record)), span })
    }

    /// Whether a declaration without a type may be a constructor, destructor or conversion.
    fn may_lack_type(&self, place: DeclaredIn) -> bool {
        self.is(Punct::Tilde)
            || self.keyword() == Some(Keyword::Operator)
            || match place {
                DeclaredIn::Class(class) => self.name().is_some_and(|name| Some(name.symbol) == class),
                DeclaredIn::File => {
                    let length = self.peek_qualified(0).1;
                    length >= 3 || self.names_member_without_type(length)
                }
                DeclaredIn::Block => false,
            }
    }

    /// Whether the name at the current token is meant as a type.
    fn at_declaration(&self, place: DeclaredIn) -> bool {
        place == DeclaredIn::File
            || self.name_at(1).is_some()
            || (self.is_at(1, Punct::Star) || self.is_at(1, Punct::And))
                && matches!(place, DeclaredIn::Class(_))
    }

    /// Whether a new declaration starts on the next line although `;` is missing behind a class.
    fn missing_semicolon_after_type(&self) -> bool {
        self.on_new_line()
            && self.at > 0
            && self.kind_of(self.at - 1) == TokenKind::Punct(Punct::RightBrace)
            && (self.keyword().is_some() || self.ended() || self.starts_type())
    }

    fn first_declarator(
        &mut self,
        specifiers: &Specifiers,
        place: DeclaredIn,
        first: bool,
    ) -> Step<Declarator> {
        let lacks_type = matches!(specifiers.base, BaseType::None);
        if let (true, true, DeclaredIn::Class(Some(class)), Some(name)) =
            (first, lacks_type, place, self.name())
            && name.symbol == class
            && self.is_at(1, Punct::LeftParen)
        {
            self.bump();
            let function = self.scoped(Self::parameter_list)?;
            let chunks = vec![Chunk::Function(Box::new(function))];
            return Ok(Declarator { name: DeclaratorName::Constructor(None), chunks, span: name.span });
        }
        if matches!(place, DeclaredIn::Class(_)) && self.is(Punct::Colon) {
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
