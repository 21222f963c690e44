//! Concepts, constraints and what `auto` among the parameters of a function makes ([temp.constr]).

use std::rc::Rc;

use super::ast::{
    Access, Alignment, BaseType, Chunk, Decl, DeclKind, Declarator, DeclaratorName, Expr, ExprKind, Flags,
    Fold, FunctionChunk, InitDeclarator, Initializer, Member, Name, QualifiedName, RecordDecl, Requirement,
    Requires, Specifiers, Tag, TemplateArgument, TemplateParameter, TemplateParameterKind,
    TemplateParameters, TypeName,
};
use super::keyword::Keyword;
use super::lambda::no_parameters;
use super::parser::{Failed, Parser, Step};
use super::scope::{NameKind, ScopeId};
use crate::lex::{Punct, Symbol};
use crate::source::Span;

/// The keywords whose symbols name what the program leaves without a name: template parameters, and
/// behind them function parameters.
const UNNAMED: [u32; 2] = [0, 50];

/// The name of the parameter of this number of a list, which no program can write.
fn unnamed(first: u32, number: usize, span: Span) -> Name {
    Name { symbol: Symbol(first + number.min(49) as u32), span }
}

impl Parser<'_> {
    /// Whether a name without a meaning as a keyword in C++17 is here.
    pub(super) fn is_word(&self, word: &str) -> bool {
        self.is_word_at(0, word)
    }

    fn is_word_at(&self, ahead: usize, word: &str) -> bool {
        self.side.is_cpp() && self.name_at(ahead).is_some_and(|name| self.text(name.symbol) == word)
    }

    /// Whether a concept is here; in front of `auto`, or not.
    pub(super) fn concept_follows_at(&self, ahead: usize, of_auto: bool) -> bool {
        if !self.scopes.has_concepts() {
            return false;
        }
        let (kind, length) = self.peek_qualified(ahead);
        let is_auto = matches!(self.keyword_at(ahead + length), Some(Keyword::Auto | Keyword::Decltype));
        kind == Some(NameKind::Concept) && is_auto == of_auto
    }

    /// `concept name = constraint;` behind `template<...>`.
    pub(super) fn concept(
        &mut self,
        start: Span,
        template: Rc<TemplateParameters>,
        outer: ScopeId,
    ) -> Step<Decl> {
        self.bump();
        let name = self.expect_name("the name of a concept")?;
        if template.constraint.is_some() {
            self.error("template", name.span, "a concept takes no constraints", "");
            return Err(Failed);
        }
        self.plain_attributes()?;
        self.expect(Punct::Assign, "behind the name of the concept")?;
        self.scopes.declare_in(outer, name.symbol, NameKind::Concept);
        let value = self.with_angles(false, Self::conditional)?;
        self.expect_semicolon("after the concept")?;
        let span = self.since(start);
        let flags = Flags { is_static: true, is_inline: true, is_constexpr: true, ..Flags::default() };
        let base = BaseType::Builtin(super::ast::Builtin::Bool);
        let declarator =
            Declarator { name: DeclaratorName::Plain(name), chunks: Vec::new(), span: name.span };
        let init = Some(Initializer::Value(value));
        let one = InitDeclarator { declarator, init, bits: None, align: Alignment::default() };
        let kind = DeclKind::Simple(Rc::new(Specifiers::new(base, flags, span)), vec![one]);
        let record = RecordDecl {
            members: Some(vec![Member { access: Access::Public, decl: Decl { kind, span } }]),
            is_variable: true,
            is_concept: true,
            ..RecordDecl::declared(Tag::Struct, name, template, name.span)
        };
        Ok(Decl { kind: DeclKind::RecordTemplate(Rc::new(record)), span })
    }

    /// `concept<arguments>` with another argument in front.
    fn with_argument(&mut self, concept: &QualifiedName, first: TemplateArgument) -> Step<Expr> {
        let mut name = concept.clone();
        if let Some(last) = name.segments.last_mut() {
            last.arguments.get_or_insert_default().insert(0, first);
        }
        let span = name.span;
        self.make(ExprKind::Name(name), span, &[1])
    }

    /// What a concept in front of a parameter demands of it: of each element of a pack.
    fn constraint_on(&mut self, concept: &QualifiedName, name: Name, is_pack: bool) -> Step<Expr> {
        let ty = TypeName::named(QualifiedName::of(name));
        let one = self.with_argument(concept, TemplateArgument::Type(ty))?;
        if !is_pack {
            return Ok(one);
        }
        let (span, depth) = (one.span, one.depth);
        let fold = Fold {
            pattern: Rc::new(one),
            packs: [name.symbol].into(),
            operator: Punct::AndAnd,
            init: None,
            from_left: false,
        };
        self.make(ExprKind::Fold(Box::new(fold)), span, &[depth])
    }

    /// What `concept auto` in front of the value of a template demands of its type.
    pub(super) fn constraint_on_value(&mut self, concept: &QualifiedName, name: Name) -> Step<Expr> {
        let value = self.make(ExprKind::Name(QualifiedName::of(name)), name.span, &[1])?;
        let ty = TypeName::of(BaseType::Decltype(Box::new(value)), name.span);
        self.with_argument(concept, TemplateArgument::Type(ty))
    }

    /// `concept T = default` in a list of template parameters.
    pub(super) fn constrained_parameter(
        &mut self,
        number: usize,
        constraints: &mut Vec<Expr>,
    ) -> Step<TemplateParameter> {
        let (concept, _) = self.qualified_name()?;
        let is_pack = self.accept(Punct::Ellipsis);
        let name = match self.name() {
            Some(name) => {
                self.bump();
                self.declare_parameter(name, NameKind::Type(None), is_pack);
                name
            }
            None => unnamed(UNNAMED[0], number, concept.span),
        };
        constraints.push(self.constraint_on(&concept, name, is_pack)?);
        let default = if self.accept(Punct::Assign) { Some(self.type_name()?) } else { None };
        Ok(TemplateParameter { name: Some(name), kind: TemplateParameterKind::Type(default), is_pack })
    }

    /// All of several constraints.
    pub(super) fn conjunction(&mut self, list: Vec<Expr>) -> Step<Option<Rc<Expr>>> {
        let mut list = list.into_iter();
        let Some(mut all) = list.next() else { return Ok(None) };
        for one in list {
            let span = one.span;
            all = self.chained(Punct::AndAnd, all, one, span)?;
        }
        Ok(Some(Rc::new(all)))
    }

    /// `requires` with its constraint, if it is here.
    pub(super) fn requires_clause(&mut self) -> Step<Option<Expr>> {
        if !self.is_word("requires") {
            return Ok(None);
        }
        self.bump();
        self.nested(|parser| parser.with_angles(false, Self::constraint)).map(Some)
    }

    /// Operands of `&&` and `||`: without other operators, the end of the constraint is known.
    fn constraint(&mut self) -> Step<Expr> {
        let mut any = self.all_constraints()?;
        while self.is(Punct::OrOr) {
            let operator = self.span();
            self.bump();
            let right = self.all_constraints()?;
            any = self.chained(Punct::OrOr, any, right, operator)?;
        }
        Ok(any)
    }

    fn all_constraints(&mut self) -> Step<Expr> {
        let mut all = self.primary()?;
        while self.is(Punct::AndAnd) {
            let operator = self.span();
            self.bump();
            let right = self.primary()?;
            all = self.chained(Punct::AndAnd, all, right, operator)?;
        }
        Ok(all)
    }

    /// Whether `requires` starts an expression: its requirements, or the parameters in front of
    /// them, follow.
    pub(super) fn requires_follows(&self) -> bool {
        self.is_word("requires")
            && (self.is_at(1, Punct::LeftBrace)
                || self.is_at(1, Punct::LeftParen) && self.is_at(self.after_parentheses(1), Punct::LeftBrace))
    }

    /// `requires (parameters) { requirements }`.
    pub(super) fn requires_expression(&mut self, start: Span) -> Step<Expr> {
        self.bump();
        let (function, list) = self.scoped(|parser| {
            let function = if parser.is(Punct::LeftParen) {
                parser.parameter_list()?
            } else {
                no_parameters(parser.span())
            };
            let open = parser.span();
            parser.expect(Punct::LeftBrace, "in front of the requirements")?;
            let mut list = Vec::new();
            while !parser.is(Punct::RightBrace) {
                if parser.ended() {
                    parser.expect_close(Punct::RightBrace, open)?;
                }
                list.push(parser.nested(|parser| parser.with_angles(false, Self::requirement))?);
            }
            parser.bump();
            Ok((function, list))
        })?;
        if list.is_empty() {
            self.error("syntax", start, "a `requires` expression needs a requirement", "");
            return Err(Failed);
        }
        let requires = Requires { function, list };
        let span = self.since(start);
        // The requirements may be as deep as a function.
        self.make(ExprKind::Requires(Rc::new(requires)), span, &[])
    }

    fn requirement(&mut self) -> Step<Requirement> {
        let start = self.span();
        let made = if self.is_word("requires") && !self.requires_follows() {
            self.bump();
            Requirement::Nested(self.conditional()?)
        } else if self.keyword() == Some(Keyword::Typename) {
            Requirement::Type(self.type_name()?)
        } else if self.accept(Punct::LeftBrace) {
            let mut value = self.expression()?;
            self.expect_close(Punct::RightBrace, start)?;
            let place = self.span();
            let quiet = self.accept_keyword(Keyword::Noexcept).then_some(place);
            let mut of_type = None;
            if self.accept(Punct::Arrow) {
                if !self.concept_follows_at(0, false) {
                    return self.unexpected("expected a concept");
                }
                let (concept, _) = self.qualified_name()?;
                // In parentheses `decltype` gives the type of the value, not of its declaration.
                value.span = self.since(start);
                let span = value.span;
                let ty = TypeName::of(BaseType::Decltype(Box::new(value.clone())), span);
                of_type = Some(self.with_argument(&concept, TemplateArgument::Type(ty))?);
            }
            Requirement::Compound(value, quiet, of_type)
        } else {
            Requirement::Valid(self.expression()?)
        };
        self.expect_semicolon("after the requirement")?;
        Ok(made)
    }

    /// The template that a function with `auto` among its parameters is: each is a parameter of the
    /// template with the name of the parameter of the function ([dcl.fct]/18).
    pub(super) fn abbreviated(
        &mut self,
        function: &mut FunctionChunk,
        template: Option<Rc<TemplateParameters>>,
    ) -> Step<Option<Rc<TemplateParameters>>> {
        let is_auto = |specifiers: &Specifiers| matches!(specifiers.base, BaseType::Auto);
        if !function.parameters.iter().any(|one| is_auto(&one.specifiers)) {
            return Ok(template);
        }
        let mut made = template.as_deref().cloned().unwrap_or_else(|| TemplateParameters {
            list: Vec::new(),
            outer: None,
            constraint: None,
            span: function.span,
        });
        let mut constraints: Vec<Expr> = made.constraint.iter().map(|one| Expr::clone(one)).collect();
        for (number, parameter) in function.parameters.iter_mut().enumerate() {
            if !is_auto(&parameter.specifiers) {
                continue;
            }
            let name = match parameter.declarator.name {
                DeclaratorName::Plain(name) => name,
                _ => unnamed(UNNAMED[1], number, parameter.declarator.span),
            };
            if number >= 49 {
                return self.unsupported(name.span, "`auto` behind so many parameters");
            }
            let mut specifiers = Specifiers::clone(&parameter.specifiers);
            specifiers.base = BaseType::Named(QualifiedName::of(name));
            let is_pack = parameter.pack.is_some();
            if let Some(concept) = specifiers.constraint.take() {
                constraints.push(self.constraint_on(&concept, name, is_pack)?);
            }
            parameter.specifiers = Rc::new(specifiers);
            let kind = TemplateParameterKind::Type(None);
            made.list.push(TemplateParameter { name: Some(name), kind, is_pack });
        }
        made.constraint = self.conjunction(constraints)?;
        Ok(Some(Rc::new(made)))
    }

    /// [`Self::abbreviated`] of the function that a declarator declares in a scope.
    pub(super) fn abbreviated_function(
        &mut self,
        declarator: &mut Declarator,
        template: Option<(Rc<TemplateParameters>, ScopeId)>,
    ) -> Step<Option<(Rc<TemplateParameters>, ScopeId)>> {
        let span = declarator.span;
        let is_member =
            matches!(&declarator.name, DeclaratorName::Qualified(name) if name.segments.len() > 1);
        let Some(Chunk::Function(function)) = declarator.chunks.first_mut() else { return Ok(template) };
        let (own, scope) = match template {
            Some((own, scope)) => (Some(own), scope),
            None => (None, self.scopes.current()),
        };
        let before = own.as_ref().map(Rc::as_ptr);
        let made = self.abbreviated(function, own)?;
        let is_changed = made.as_ref().map(Rc::as_ptr) != before;
        if is_changed && before.is_some() && is_member {
            let message = "`auto` among the parameters of a member of a class template, outside the class";
            return self.unsupported(span, message);
        }
        Ok(made.map(|made| (made, scope)))
    }
}
