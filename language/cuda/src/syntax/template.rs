//! Templates: parameter lists, argument lists and the declarations behind them.

use std::rc::Rc;

use super::ast::{
    BaseType, Decl, DeclKind, Expr, TemplateArgument, TemplateParameter, TemplateParameterKind,
    TemplateParameters,
};
use super::declaration::DeclaredIn;
use super::declarator::Mode;
use super::keyword::Keyword;
use super::parser::{Parser, Step};
use super::scope::NameKind;
use crate::diagnostics::Diagnostic;
use crate::lex::{Punct, TokenKind};

impl Parser<'_> {
    /// Parses `<a, b>`.
    pub(super) fn template_arguments(&mut self) -> Step<Vec<TemplateArgument>> {
        let open = self.span();
        self.nested(|parser| {
            parser.bump();
            parser.with_angles(true, |parser| {
                let mut list = Vec::new();
                loop {
                    if list.is_empty() && parser.accept_greater() {
                        return Ok(list);
                    }
                    let first = parser.at;
                    let mut argument = if parser.starts_type() && !parser.is_value_of_type() {
                        TemplateArgument::Type(parser.type_name()?)
                    } else {
                        TemplateArgument::Value(parser.conditional()?)
                    };
                    if let Some(packs) = parser.expansion(first)? {
                        argument = TemplateArgument::Expand(Rc::new(argument), packs);
                    }
                    list.push(argument);
                    if parser.accept(Punct::Comma) {
                        continue;
                    }
                    if parser.accept_greater() {
                        return Ok(list);
                    }
                    let message = format!("expected `>` or `,`, found {}", parser.found());
                    let span = parser.span();
                    parser.out.push(Diagnostic::error("syntax", span, message).at(open, "opened here"));
                    return Err(super::parser::Failed);
                }
            })
        })
    }

    /// Whether a type at the current token is the start of a value such as `T(1)` or `T::value`.
    fn is_value_of_type(&self) -> bool {
        if self.keyword() == Some(Keyword::Decltype) {
            return self.is_at(self.after_parentheses(1), Punct::ColonColon);
        }
        let length = if self.keyword().is_some() { 1 } else { self.peek_qualified(0).1 };
        match self.kind_at(length) {
            // `void(int)` is a type, `int(3)` a value.
            TokenKind::Punct(Punct::LeftParen) => {
                !self.starts_type_at(length + 1)
                    && !matches!(self.kind_at(length + 1), TokenKind::Punct(Punct::RightParen | Punct::Star))
            }
            TokenKind::Punct(Punct::LeftBrace) => true,
            _ => false,
        }
    }

    /// Parses a declaration that starts with `template`.
    pub(super) fn template_declaration(&mut self, place: DeclaredIn) -> Step<Decl> {
        let start = self.span();
        self.bump();
        if !self.is(Punct::Less) {
            return self.explicit_instantiation(start);
        }
        let outer = self.scopes.current();
        self.scoped(|parser| {
            let around = parser.around_template.take();
            let (list, mut constraints) = parser.template_parameters()?;
            let span = parser.since(start);
            constraints.extend(parser.requires_clause()?);
            let constraint = parser.conjunction(constraints)?;
            let parameters = Rc::new(TemplateParameters { list, outer: around, constraint, span });
            if parser.is_word("concept") {
                return parser.concept(start, parameters, outer);
            }
            if parser.keyword() == Some(Keyword::Template) {
                // A member template of a class template.
                parser.around_template = Some(parameters);
                return parser.nested(|parser| parser.template_declaration(place));
            }
            if parser.keyword() == Some(Keyword::Using) {
                return parser.alias(start, Some(parameters), outer);
            }
            parser.templated(start, parameters, outer, place)
        })
    }

    /// Parses `<class T, C U>`: the parameters, and what concepts in front of them demand.
    pub(super) fn template_parameters(&mut self) -> Step<(Vec<TemplateParameter>, Vec<Expr>)> {
        let open = self.span();
        self.bump();
        self.with_angles(true, |parser| {
            let (mut list, mut constraints) = (Vec::new(), Vec::new());
            while !parser.accept_greater() {
                list.push(parser.template_parameter(list.len(), &mut constraints)?);
                if parser.accept(Punct::Comma) {
                    continue;
                }
                if parser.accept_greater() {
                    break;
                }
                let message = format!("expected `>` or `,`, found {}", parser.found());
                let span = parser.span();
                parser.out.push(Diagnostic::error("syntax", span, message).at(open, "opened here"));
                return Err(super::parser::Failed);
            }
            Ok((list, constraints))
        })
    }

    fn template_parameter(&mut self, number: usize, constraints: &mut Vec<Expr>) -> Step<TemplateParameter> {
        let is_type = matches!(self.keyword(), Some(Keyword::Typename | Keyword::Class))
            && (self.name_at(1).is_none() || !self.is_at(2, Punct::ColonColon));
        if is_type {
            self.bump();
            let is_pack = self.accept(Punct::Ellipsis);
            let name = self.name();
            if let Some(name) = name {
                self.bump();
                self.declare_parameter(name, NameKind::Type(None), is_pack);
            }
            let default = if self.accept(Punct::Assign) { Some(self.type_name()?) } else { None };
            return Ok(TemplateParameter { name, kind: TemplateParameterKind::Type(default), is_pack });
        }
        if self.keyword() == Some(Keyword::Template) {
            return self.template_template_parameter();
        }
        if self.concept_follows_at(0, false) {
            return self.constrained_parameter(number, constraints);
        }
        let specifiers = self.specifiers(None)?;
        if matches!(specifiers.base, BaseType::None) {
            return self.unexpected("expected a template parameter");
        }
        let declarator = self.declarator(Mode::Parameter)?;
        let is_pack = std::mem::take(&mut self.has_dots) || self.accept(Punct::Ellipsis);
        let name = match declarator.name {
            super::ast::DeclaratorName::Plain(name) => Some(name),
            _ => None,
        };
        if let Some(name) = name {
            self.declare_parameter(name, NameKind::Value, is_pack);
        }
        if let Some(concept) = &specifiers.constraint {
            let (Some(name), false) = (name, is_pack) else {
                let construct = "a concept in front of `auto` of a template parameter without a name";
                return self.unsupported(specifiers.span, construct);
            };
            constraints.push(self.constraint_on_value(concept, name)?);
        }
        let default = if self.accept(Punct::Assign) { Some(self.conditional()?) } else { None };
        let kind = TemplateParameterKind::Value(specifiers, Box::new(declarator), default);
        Ok(TemplateParameter { name, kind, is_pack })
    }

    /// `template <class> class C`.
    fn template_template_parameter(&mut self) -> Step<TemplateParameter> {
        let start = self.span();
        self.bump();
        if !self.is(Punct::Less) {
            return self.unexpected("expected `<`");
        }
        let (list, constraints) = self.scoped(|parser| parser.nested(Self::template_parameters))?;
        let span = self.since(start);
        if !constraints.is_empty() || self.is_word("requires") {
            return self.unsupported(span, "a constraint on the parameters of a template parameter");
        }
        let inner = Rc::new(TemplateParameters { list, outer: None, constraint: None, span });
        if !self.accept_keyword(Keyword::Class) {
            self.expect_keyword_typename()?;
        }
        let is_pack = self.accept(Punct::Ellipsis);
        let name = self.name();
        if let Some(name) = name {
            self.bump();
            self.declare_parameter(name, NameKind::TypeTemplate(None), is_pack);
        }
        let default = if self.accept(Punct::Assign) { Some(self.type_name()?) } else { None };
        Ok(TemplateParameter { name, kind: TemplateParameterKind::Template(inner, default), is_pack })
    }

    fn expect_keyword_typename(&mut self) -> Step<()> {
        if self.accept_keyword(Keyword::Typename) {
            return Ok(());
        }
        self.unexpected("expected `class`")
    }

    /// `extern template class A<int>;`: another file has the members. Each file makes those whose
    /// definitions it has.
    pub(super) fn declared_instantiation(&mut self, start: crate::source::Span) -> Step<Decl> {
        self.bump();
        self.bump();
        self.explicit_instantiation(start)?;
        Ok(Decl { kind: DeclKind::Empty, span: self.since(start) })
    }

    /// `template void f<int>(int *);` or `template struct A<int>;`
    fn explicit_instantiation(&mut self, start: crate::source::Span) -> Step<Decl> {
        if matches!(self.keyword(), Some(Keyword::Struct | Keyword::Class)) {
            self.bump();
            let (name, _) = self.qualified_name()?;
            self.expect_semicolon("after the instantiation")?;
            return Ok(Decl { kind: DeclKind::InstantiateClass(name), span: self.since(start) });
        }
        let specifiers = self.specifiers(None)?;
        let declarator = self.declarator(Mode::Outer)?;
        self.expect_semicolon("after the instantiation")?;
        let kind = match &declarator.name {
            super::ast::DeclaratorName::Qualified(name) => {
                DeclKind::Instantiate(name.clone(), specifiers, declarator)
            }
            super::ast::DeclaratorName::Plain(name) => {
                let segments = vec![super::ast::Segment { name: *name, arguments: None }];
                let name = super::ast::QualifiedName { global: false, segments, span: name.span };
                DeclKind::Instantiate(name, specifiers, declarator)
            }
            _ => DeclKind::Empty,
        };
        Ok(Decl { kind, span: self.since(start) })
    }
}
