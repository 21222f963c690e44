//! Arguments of class templates from initializers ([over.match.class.deduct]).

use std::rc::Rc;

use super::Sema;
use super::overload::Argument;
use super::scope::{Entity, FunctionIndex, TemplateIndex};
use super::types::{Qual, RecordId};
use super::value::{Res, Value};
use crate::diagnostics::Diagnostic;
use crate::lex::Punct;
use crate::source::Span;
use crate::syntax::ast::{
    BaseType, Chunk, DeclKind, Declarator, DeclaratorName, Expr, ExprKind, FunctionBody, FunctionChunk,
    FunctionDecl, Initializer, Lambda, ListItem, Name, Noexcept, QualifiedName, RecordDecl, RefQualifier,
    Segment, Specifiers, TemplateArgument, TemplateParameter, TemplateParameterKind, TemplateParameters,
    TypeName,
};

/// Classes of the lambda expressions in an initializer: they are made for the deduction, and the
/// initialization uses them again.
pub(super) type MadeLambdas = Vec<(Rc<Lambda>, RecordId)>;

/// How an object is initialized.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Form {
    /// `C x(a)`.
    Direct,
    /// `C x{a}`.
    List,
    /// `C x = a`: `explicit` constructors do not fit.
    Copy,
    /// `C x = {a}`: it is an error if an `explicit` constructor fits best.
    CopyOfList,
}

/// The template argument that names a parameter.
fn argument_of(parameter: &TemplateParameter) -> Option<TemplateArgument> {
    let name = parameter.name?;
    let argument = match parameter.kind {
        TemplateParameterKind::Value(..) => TemplateArgument::Value(Expr {
            kind: ExprKind::Name(QualifiedName::of(name)),
            span: name.span,
            depth: 1,
            chain: 0,
        }),
        _ => TemplateArgument::Type(TypeName::named(QualifiedName::of(name))),
    };
    Some(if parameter.is_pack {
        TemplateArgument::Expand(Rc::new(argument), [name.symbol].into())
    } else {
        argument
    })
}

/// Both of two constraints.
fn both(one: Rc<Expr>, other: Rc<Expr>) -> Rc<Expr> {
    let (span, depth, chain) = (one.span, one.depth.max(other.depth) + 1, one.chain + 1);
    let operands = [one, other].map(|one| Box::new(Expr::clone(&one)));
    let [left, right] = operands;
    Rc::new(Expr { kind: ExprKind::Binary(Punct::AndAnd, left, right, span), span, depth, chain })
}

/// A function for each constructor of a class template, whose result is the class.
fn implicit_guides(decl: &RecordDecl) -> Vec<FunctionDecl> {
    let (Some(name), Some(own)) = (decl.name, decl.template.as_deref()) else { return Vec::new() };
    let Some(arguments) = own.list.iter().map(argument_of).collect::<Option<Vec<_>>>() else {
        return Vec::new();
    };
    let segments = vec![Segment { name, arguments: Some(arguments) }];
    let class = TypeName::named(QualifiedName { global: false, segments, span: name.span });
    let mut made = Vec::new();
    let mut add = |chunk: Option<&FunctionChunk>,
                   more: Option<&TemplateParameters>,
                   from: Option<&Specifiers>| {
        let mut list = own.list.clone();
        list.extend(more.into_iter().flat_map(|more| more.list.iter().cloned()));
        let requires = chunk.and_then(|chunk| chunk.requires.clone());
        let constraints = [own.constraint.clone(), more.and_then(|more| more.constraint.clone()), requires];
        let constraint = constraints.into_iter().flatten().reduce(both);
        let chunk = FunctionChunk {
            is_old_style: false,
            parameters: chunk.map_or(Vec::new(), |chunk| chunk.parameters.clone()),
            variadic: false,
            is_const: false,
            reference: RefQualifier::None,
            noexcept: Noexcept::No,
            trailing: Some(Box::new(class.clone())),
            overrides: false,
            is_final: false,
            requires: None,
            span: name.span,
        };
        let mut specifiers = Specifiers::of_both_halves(BaseType::Auto, name.span);
        specifiers.flags.is_explicit = from.is_some_and(|from| from.flags.is_explicit);
        specifiers.explicit = from.and_then(|from| from.explicit.clone());
        made.push(FunctionDecl {
            specifiers: Rc::new(specifiers),
            declarator: Declarator {
                name: DeclaratorName::Plain(name),
                chunks: vec![Chunk::Function(Box::new(chunk))],
                span: name.span,
            },
            template: Some(Rc::new(TemplateParameters { list, outer: None, constraint, span: own.span })),
            extern_c: false,
            is_pure: false,
            body: FunctionBody::None,
        });
    };
    let mut has_any = false;
    for member in decl.members.iter().flatten() {
        let DeclKind::Function(function) = &member.decl.kind else { continue };
        if !matches!(function.declarator.name, DeclaratorName::Constructor(None)) {
            continue;
        }
        has_any = true;
        if let (Some(chunk), false) =
            (function.declarator.function(), matches!(function.body, FunctionBody::Deleted))
        {
            add(Some(chunk), function.template.as_deref(), Some(&function.specifiers));
        }
    }
    if !has_any {
        add(None, None, None);
    }
    made
}

impl Sema<'_> {
    /// The class template that specifiers name without arguments, if an initializer determines
    /// them.
    pub(super) fn placeholder(&mut self, specifiers: &Specifiers) -> Option<TemplateIndex> {
        let BaseType::Named(name) = &specifiers.base else { return None };
        if name.last().arguments.is_some() || self.rules.is_c {
            return None;
        }
        let mark = self.out.mark();
        let found = self.find_qualified(name);
        self.out.truncate(mark);
        match found {
            Ok((Entity::RecordTemplate(template), _))
                if !self.templates[template].decl.is_variable
                    && self.enclosing_instance(template).is_none() =>
            {
                Some(template)
            }
            _ => None,
        }
    }

    /// Runs the initialization of an object whose class `deduce` finds first.
    pub(super) fn with_deduced<T>(
        &mut self,
        deduce: impl FnOnce(&mut Self) -> Res<Qual>,
        initialize: impl FnOnce(&mut Self, Qual) -> Res<T>,
    ) -> Res<T> {
        let outer = self.made_lambdas.replace(Vec::new());
        let ty = deduce(self);
        let result = ty.and_then(|ty| initialize(self, ty));
        self.made_lambdas = outer;
        result
    }

    /// The class that an initializer makes of a template.
    pub(super) fn deduced_from(
        &mut self,
        template: TemplateIndex,
        init: Option<&Initializer>,
        span: Span,
    ) -> Res<Qual> {
        match init {
            Some(Initializer::Arguments(list, _)) => self.deduced_class(template, list, Form::Direct, span),
            Some(init @ (Initializer::Value(one) | Initializer::List(one))) => match &one.kind {
                ExprKind::List(items) => {
                    let list: Vec<Expr> = items.iter().map(|item| item.value.clone()).collect();
                    let form =
                        if matches!(init, Initializer::List(_)) { Form::List } else { Form::CopyOfList };
                    self.deduced_class(template, &list, form, span)
                }
                _ => self.deduced_class(template, std::slice::from_ref(one), Form::Copy, span),
            },
            None => self.deduced_class(template, &[], Form::Direct, span),
        }
    }

    /// The class that `C(a, b)` or `C{a, b}` makes of a template.
    pub(super) fn deduced_class(
        &mut self,
        template: TemplateIndex,
        list: &[Expr],
        form: Form,
        span: Span,
    ) -> Res<Qual> {
        let list = &*self.expanded(list)?;
        let arguments = self.without_evaluation(|sema| sema.arguments(list))?;
        // A copy of an object of the template has its class.
        if let [Argument::Value(Value { ty, .. })] = arguments.as_slice()
            && let Some(record) = self.types.record(ty.ty)
            && self.records[record].template.as_ref().is_some_and(|(own, _)| *own == template)
        {
            return Ok(ty.unqualified());
        }
        let mut guides = self.guides(template);
        if form == Form::Copy {
            guides.retain(|one| !self.functions[*one].decl.specifiers.flags.is_explicit);
        }
        if matches!(form, Form::List | Form::CopyOfList) && !list.is_empty() {
            let items = list.iter().map(|value| ListItem { designators: Vec::new(), value: value.clone() });
            let whole = Expr { kind: ExprKind::List(items.collect()), span, depth: 1, chain: 0 };
            let takes_list: Vec<_> = guides.iter().copied().filter(|one| self.takes_list(*one)).collect();
            let mark = self.out.mark();
            let of_list = [Argument::List(&whole)];
            let found = self.without_evaluation(|sema| sema.select(&takes_list, None, None, &of_list, span));
            self.out.truncate(mark);
            if let Ok(Some(selected)) = found {
                let (_, signature) = self.instance_type(selected.function, &selected.arguments, span)?;
                return Ok(signature.result);
            }
        }
        let found = self.without_evaluation(|sema| sema.select(&guides, None, None, &arguments, span))?;
        let Some(selected) = found else {
            let name = self.templates[template].decl.name;
            let text = name.map_or(String::new(), |name| self.text(name.symbol).to_owned());
            let message = format!("the template arguments of `{text}` do not follow from this initializer");
            let place = self.templates[template].decl.span;
            let error = Diagnostic::error("template", span, message)
                .at(place, "the template is declared here")
                .help(format!("write them: `{text}<...>`"));
            return self.fail(error);
        };
        let copies = matches!(form, Form::Copy | Form::CopyOfList);
        if copies && self.is_explicit(selected.function, &selected.arguments)? {
            let declared = self.functions[selected.function].span;
            let message = "the constructor that fits this initializer is `explicit`";
            return self.fail(Diagnostic::error("explicit", span, message).at(declared, "declared here"));
        }
        let (_, signature) = self.instance_type(selected.function, &selected.arguments, span)?;
        Ok(signature.result)
    }

    /// Whether the first parameter of a guide is a `std::initializer_list`.
    fn takes_list(&self, guide: FunctionIndex) -> bool {
        let chunk = self.functions[guide].decl.declarator.function();
        let first = chunk.and_then(|chunk| chunk.parameters.first());
        first.is_some_and(|first| match &first.specifiers.base {
            BaseType::Named(name) => self.text(name.last().name.symbol) == "initializer_list",
            _ => false,
        })
    }

    /// The deduction guides of a class template: those of the program, and one for each
    /// constructor.
    fn guides(&mut self, template: TemplateIndex) -> Vec<FunctionIndex> {
        let info = &self.templates[template];
        let (decl, scope) = (info.decl.clone(), info.scope);
        if info.constructors.is_none() {
            let mut made = Vec::new();
            for function in implicit_guides(&decl) {
                let mark = self.out.mark();
                match self.function_info(&Rc::new(function), scope) {
                    Ok(info) => made.push(self.functions.push(info)),
                    Err(_) => _ = self.out.truncate(mark),
                }
            }
            self.templates[template].constructors = Some(made);
        }
        let info = &self.templates[template];
        info.guides.iter().chain(info.constructors.iter().flatten()).copied().collect()
    }

    /// Declares `C(a, b) -> C<A, B>;`.
    pub(super) fn collect_guide(&mut self, name: Name, decl: &Rc<FunctionDecl>) -> Res<()> {
        let scope = self.scope;
        let Some(Entity::RecordTemplate(template)) = self.scopes.get(scope).names.get(&name.symbol).cloned()
        else {
            let text = self.text(name.symbol).to_owned();
            let message = format!("`{text}` is no class template of this scope");
            return self.error("template", name.span, message);
        };
        let mut info = self.function_info(decl, scope)?;
        info.is_guide = true;
        let guide = self.functions.push(info);
        self.templates[template].guides.push(guide);
        Ok(())
    }
}
