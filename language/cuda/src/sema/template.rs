//! Templates: arguments, specializations and definitions outside classes ([temp.spec]).

use std::rc::Rc;

use super::Sema;
use super::scope::{Entity, FunctionIndex, Owner, ScopeId, VariableIndex};
use super::types::{CType, CTypes, Qual, RecordId, TypeKind};
use super::value::{FunctionInfo, Res, TemplateValue};
use crate::diagnostics::Diagnostic;
use crate::source::Span;
use crate::syntax::ast::{
    BaseType, DeclaratorName, Expr, ExprKind, FunctionDecl, Name, QualifiedName, Segment, TemplateArgument,
    TemplateParameter, TemplateParameterKind, TemplateParameters, TypeName, UnaryOp,
};

/// The parameter of the template argument of this number.
fn parameter_at(parameters: Option<&TemplateParameters>, at: usize) -> Option<&TemplateParameter> {
    let parameters = parameters?;
    let pack = super::pack::first_pack(parameters).filter(|pack| at > *pack);
    parameters.list.get(pack.unwrap_or(at))
}

/// The place of a template argument.
fn argument_span(argument: &TemplateArgument) -> Span {
    match argument {
        TemplateArgument::Type(ty) => ty.span,
        TemplateArgument::Value(value) => value.span,
        TemplateArgument::Expand(pattern, _) => argument_span(pattern),
    }
}

/// The parameters of a new declaration with the defaults of the first.
pub(super) fn merge_defaults(new: &TemplateParameters, old: &TemplateParameters) -> TemplateParameters {
    let mut merged = new.clone();
    for (parameter, first) in merged.list.iter_mut().zip(&old.list) {
        match (&mut parameter.kind, &first.kind) {
            (TemplateParameterKind::Type(own @ None), TemplateParameterKind::Type(Some(default))) => {
                *own = Some(default.clone());
            }
            (
                TemplateParameterKind::Value(_, _, own @ None),
                TemplateParameterKind::Value(_, _, Some(default)),
            ) => {
                *own = Some(default.clone());
            }
            _ => {}
        }
    }
    merged
}

impl Sema<'_> {
    /// The values of template arguments as they are written, one for each parameter so far.
    pub(super) fn template_values(
        &mut self,
        arguments: &[TemplateArgument],
        parameters: &TemplateParameters,
    ) -> Res<Vec<TemplateValue>> {
        let values = self.written_values(arguments, Some(parameters))?;
        if let Some(grouped) = self.grouped(&values, parameters) {
            return Ok(grouped);
        }
        let span = arguments.last().map_or(parameters.span, argument_span);
        let error = Diagnostic::error("template", span, "too many template arguments")
            .at(parameters.span, "the template is declared here");
        self.fail(error)
    }

    /// The explicit template arguments of a call of one of several functions, one by one.
    pub(super) fn explicit_values(
        &mut self,
        arguments: &[TemplateArgument],
        functions: &[FunctionIndex],
    ) -> Res<Vec<TemplateValue>> {
        let mut templates = functions.iter().filter_map(|one| self.functions[*one].template.clone());
        let Some(first) = templates.next() else { return self.written_values(arguments, None) };
        // Overloads may expect a type and a value at the same place.
        let kinds = |template: &TemplateParameters| -> Vec<_> {
            template.list.iter().map(|one| std::mem::discriminant(&one.kind)).collect()
        };
        let agree = templates.all(|other| kinds(&other) == kinds(&first));
        self.written_values(arguments, agree.then_some(&*first))
    }

    /// The values of template arguments as they are written, one by one.
    pub(super) fn written_values(
        &mut self,
        arguments: &[TemplateArgument],
        parameters: Option<&TemplateParameters>,
    ) -> Res<Vec<TemplateValue>> {
        let mut values = Vec::with_capacity(arguments.len());
        for argument in arguments {
            let TemplateArgument::Expand(pattern, packs) = argument else {
                values.push(self.template_value(argument, parameter_at(parameters, values.len()))?);
                continue;
            };
            for at in 0..self.pack_length(packs, argument_span(argument))? {
                let parameter = parameter_at(parameters, values.len());
                let value = self.in_element(packs, at, |sema| sema.template_value(pattern, parameter))?;
                values.push(value);
            }
        }
        Ok(values)
    }

    /// Template arguments one by one as the values of parameters: the first pack takes all that
    /// follow it. `None` if there are too many, or one of another kind.
    pub(super) fn grouped(
        &mut self,
        values: &[TemplateValue],
        parameters: &TemplateParameters,
    ) -> Option<Vec<TemplateValue>> {
        let pack = super::pack::first_pack(parameters);
        let single = pack.unwrap_or(parameters.list.len());
        if pack.is_none() && values.len() > single {
            return None;
        }
        for (at, value) in values.iter().enumerate() {
            let fits = match parameters.list[at.min(pack.unwrap_or(at))].kind {
                TemplateParameterKind::Type(_) => matches!(value, TemplateValue::Type(_)),
                TemplateParameterKind::Value(..) => {
                    use TemplateValue as V;
                    matches!(value, V::Value(..) | V::Function(_) | V::Address(..))
                }
                TemplateParameterKind::Template(..) => {
                    matches!(value, TemplateValue::Template(_) | TemplateValue::Alias(_))
                }
            };
            if !fits {
                return None;
            }
        }
        let mut grouped = values[..values.len().min(single)].to_vec();
        if pack.is_some() && values.len() > single {
            grouped.push(self.packs.intern(&values[single..]));
        }
        Some(grouped)
    }

    fn template_value(
        &mut self,
        argument: &TemplateArgument,
        parameter: Option<&TemplateParameter>,
    ) -> Res<TemplateValue> {
        let wants_type = parameter.map(|parameter| matches!(parameter.kind, TemplateParameterKind::Type(_)));
        let wants_template =
            parameter.is_none_or(|parameter| matches!(parameter.kind, TemplateParameterKind::Template(..)));
        match argument {
            TemplateArgument::Type(ty) => {
                if wants_template && let Some(template) = self.named_template(ty) {
                    // Inside its class, the name alone is the class where a type is possible, too.
                    let is_class = matches!(template, TemplateValue::Template(template)
                        if parameter.is_none() && self.enclosing_instance(template).is_some());
                    if !is_class {
                        return Ok(template);
                    }
                }
                let span = ty.span;
                let ty = self.type_name(ty)?;
                if wants_type == Some(false) {
                    return self.error("template", span, "the template expects a value here, not a type");
                }
                Ok(TemplateValue::Type(ty))
            }
            TemplateArgument::Value(value) => {
                if let (Some(true), ExprKind::Name(name)) = (wants_type, &value.kind) {
                    return Ok(TemplateValue::Type(self.named_type(name)?));
                }
                if let (Some(true), ExprKind::OfDecltype(of, name)) = (wants_type, &value.kind) {
                    let ty = self.in_decltype(of, name, |sema| sema.named_type(name))?;
                    return Ok(TemplateValue::Type(ty));
                }
                match self.named_entity(value, parameter) {
                    Some(Entity::Functions(list)) if list.len() == 1 => {
                        return Ok(TemplateValue::Function(list[0]));
                    }
                    Some(Entity::Variable(variable)) => {
                        let ty = self.types.pointer(self.variables[variable].ty);
                        return Ok(TemplateValue::Address(variable, ty));
                    }
                    Some(Entity::Address(variable, ty)) => return Ok(TemplateValue::Address(variable, ty)),
                    _ => {}
                }
                if wants_type == Some(true) {
                    let message = "the template expects a type here, not a value";
                    return self.error("template", value.span, message);
                }
                let (constant, ty) = self.constant_int(value, "a template argument")?;
                Ok(TemplateValue::Value(constant, ty))
            }
            TemplateArgument::Expand(..) => {
                self.error("template", argument_span(argument), "a pack cannot be expanded here")
            }
        }
    }

    /// The class template or alias template that a type without template arguments names.
    fn named_template(&mut self, ty: &TypeName) -> Option<TemplateValue> {
        let BaseType::Named(name) = &ty.specifiers.base else { return None };
        if name.last().arguments.is_some() || !ty.declarator.chunks.is_empty() {
            return None;
        }
        let mark = self.out.mark();
        let found = self.find_qualified(name);
        self.out.truncate(mark);
        match found {
            Ok((Entity::RecordTemplate(template), _)) => Some(TemplateValue::Template(template)),
            Ok((Entity::AliasTemplate(alias), _)) => Some(TemplateValue::Alias(alias)),
            _ => None,
        }
    }

    /// What `f`, `a::f` or `&f` names: a function, or a variable where its address is meant.
    fn named_entity(&mut self, value: &Expr, parameter: Option<&TemplateParameter>) -> Option<Entity> {
        let (name, is_address) = match &value.kind {
            ExprKind::Name(name) => (name, false),
            ExprKind::Unary(UnaryOp::AddressOf, operand) => match &operand.kind {
                ExprKind::Name(name) => (name, true),
                _ => return None,
            },
            _ => return None,
        };
        if name.last().arguments.is_some() {
            return None;
        }
        let mark = self.out.mark();
        let found = self.find_qualified(name);
        self.out.truncate(mark);
        // The name alone is the value of a constant, except for a reference or an array.
        let takes_place = parameter.is_some_and(|parameter| {
            matches!(&parameter.kind, TemplateParameterKind::Value(_, declarator, _) if !declarator.chunks.is_empty())
        });
        found.ok().map(|(entity, _)| entity).filter(|entity| match entity {
            Entity::Variable(_) => is_address || takes_place,
            Entity::Address(..) => !is_address,
            _ => true,
        })
    }

    /// Adds default arguments, and converts values to the types of their parameters.
    pub(super) fn complete_arguments(
        &mut self,
        parameters: &TemplateParameters,
        values: Vec<TemplateValue>,
        span: Span,
    ) -> Res<Vec<TemplateValue>> {
        let mut known: Vec<Option<TemplateValue>> = values.into_iter().map(Some).collect();
        known.resize(parameters.list.len().max(known.len()), None);
        self.complete_known(parameters, &known, span)
    }

    /// [`Sema::complete_arguments`] where any argument may be missing.
    pub(super) fn complete_known(
        &mut self,
        parameters: &TemplateParameters,
        known: &[Option<TemplateValue>],
        span: Span,
    ) -> Res<Vec<TemplateValue>> {
        let outer = self.scope;
        let scope = self.scopes.add(outer, Owner::Template);
        let mut values = Vec::with_capacity(known.len());
        for (parameter, known) in parameters.list.iter().zip(known) {
            let value = match known {
                Some(known) => *known,
                None if parameter.is_pack => self.packs.intern(&[]),
                None => self.default_value(scope, parameters, parameter, span)?,
            };
            let value = self.as_parameter(scope, parameter, value)?;
            values.push(value);
            self.bind_one(scope, parameter, value);
        }
        Ok(values)
    }

    pub(super) fn default_value(
        &mut self,
        scope: ScopeId,
        parameters: &TemplateParameters,
        parameter: &TemplateParameter,
        span: Span,
    ) -> Res<TemplateValue> {
        let value = self.in_scope(scope, |sema| match &parameter.kind {
            TemplateParameterKind::Type(Some(default)) => {
                sema.type_name(default).map(|ty| Some(TemplateValue::Type(ty)))
            }
            TemplateParameterKind::Value(_, _, Some(default)) => {
                let (value, ty) = sema.constant_int(default, "a default template argument")?;
                Ok(Some(TemplateValue::Value(value, ty)))
            }
            TemplateParameterKind::Template(_, Some(default)) => Ok(sema.named_template(default)),
            _ => Ok(None),
        })?;
        if let Some(value) = value {
            return Ok(value);
        }
        let text = parameter.name.map_or(String::new(), |name| format!(" `{}`", self.text(name.symbol)));
        let error = Diagnostic::error("template", span, format!("template argument{text} is missing"))
            .at(parameters.span, "the template is declared here");
        self.fail(error)
    }

    /// A template argument with the type of its parameter.
    fn as_parameter(
        &mut self,
        scope: ScopeId,
        parameter: &TemplateParameter,
        value: TemplateValue,
    ) -> Res<TemplateValue> {
        let TemplateParameterKind::Value(specifiers, declarator, _) = &parameter.kind else {
            return Ok(value);
        };
        let ty = match value {
            TemplateValue::Value(..) | TemplateValue::Address(..) | TemplateValue::Pack(_) => {
                self.in_scope(scope, |sema| {
                    let base = sema.specifiers(specifiers)?;
                    sema.declarator(base, &declarator.chunks, declarator.span)
                })?
            }
            _ => return Ok(value),
        };
        let is_auto = self.types.contains_auto(ty);
        let converted = |sema: &Self, value: TemplateValue| match value {
            TemplateValue::Value(value, _) if !is_auto => {
                let value = match sema.types.int_type(ty.ty) {
                    Some(int) => int.wrap(value),
                    None if ty.ty == CTypes::BOOL => i128::from(value != 0),
                    None => value,
                };
                TemplateValue::Value(value, ty.ty)
            }
            other => other,
        };
        if let TemplateValue::Address(variable, _) = value
            && !is_auto
        {
            return self.as_address(variable, ty.ty, parameter);
        }
        let TemplateValue::Pack(id) = value else { return Ok(converted(self, value)) };
        let list: Vec<_> = self.packs.get(id).iter().map(|one| converted(self, *one)).collect();
        Ok(self.packs.intern(&list))
    }

    /// The address of a variable as an argument of a parameter with a type ([temp.arg.nontype]).
    fn as_address(
        &mut self,
        variable: VariableIndex,
        ty: CType,
        parameter: &TemplateParameter,
    ) -> Res<TemplateValue> {
        let own = self.variables[variable].ty;
        let element = self.types.array(own.ty).map(|(element, _)| element);
        let fits = |to: Qual, from: Qual| {
            to.ty == from.ty
                && (to.quals.is_const || !from.quals.is_const)
                && from.quals.is_volatile <= to.quals.is_volatile
        };
        let is_fit = match (self.types.pointee(ty), self.types.referent(ty)) {
            (Some(to), _) => fits(to, own) || element.is_some_and(|element| fits(to, element)),
            (None, Some(to)) => fits(to, own),
            (None, None) => false,
        };
        if is_fit {
            return Ok(TemplateValue::Address(variable, ty));
        }
        let (wanted, name) = (self.show_type(ty), self.text(self.variables[variable].name).to_owned());
        let span = parameter.name.map_or(self.variables[variable].span, |name| name.span);
        self.error("template", span, format!("the template expects `{wanted}` here, which `{name}` is not"))
    }

    fn bind_one(&mut self, scope: ScopeId, parameter: &TemplateParameter, value: TemplateValue) {
        let Some(name) = parameter.name else { return };
        let entity = self.entity_of(value);
        self.scopes.get_mut(scope).names.insert(name.symbol, entity);
    }

    /// Makes a scope where the parameters have these values.
    pub(super) fn bind(
        &mut self,
        outer: ScopeId,
        parameters: &TemplateParameters,
        values: &[TemplateValue],
    ) -> ScopeId {
        let scope = self.scopes.add(outer, Owner::Template);
        for (parameter, value) in parameters.list.iter().zip(values) {
            self.bind_one(scope, parameter, *value);
        }
        scope
    }

    /// Declares `template <> T f<A>(B)`.
    pub(super) fn specialize(&mut self, decl: &Rc<FunctionDecl>) -> Res<()> {
        let (symbol, written) = match &decl.declarator.name {
            DeclaratorName::Plain(name) => (*name, None),
            DeclaratorName::Qualified(name) => (name.last().name, name.last().arguments.clone()),
            _ => return self.unsupported(decl.declarator.span, "a specialization of an operator"),
        };
        let Some((Entity::Functions(list), _)) = self.find(symbol.symbol) else {
            return self.undeclared(symbol);
        };
        let scope = self.scope;
        let info = self.function_info(decl, scope)?;
        let signature = info.signature.clone();
        let special = self.functions.push(info);
        let Some(signature) = signature else { return Ok(()) };
        let mut fitting: Vec<(FunctionIndex, Vec<TemplateValue>)> = Vec::new();
        for primary in list {
            let Some(template) = self.functions[primary].template.clone() else { continue };
            let mark = self.out.mark();
            let values = written.as_deref().unwrap_or(&[]);
            let found = self.template_values(values, &template).and_then(|values| {
                self.match_signature(primary, &template, &values, &signature, symbol.span)
            });
            self.out.truncate(mark);
            fitting.extend(found.ok().map(|values| (primary, values)));
        }
        let (primary, values) = self.specialized_of(fitting, symbol)?;
        let info: &mut FunctionInfo = &mut self.functions[primary];
        let known = info.specializations.iter_mut().find(|(other, _)| *other == values);
        match known {
            // A declaration of the specialization came first.
            Some((_, first)) => *first = special,
            None => info.specializations.push((values.clone(), special)),
        }
        self.specialized.insert(special, values);
        Ok(())
    }

    /// The template that a specialization belongs to ([temp.deduct.decl]).
    fn specialized_of(
        &mut self,
        mut fitting: Vec<(FunctionIndex, Vec<TemplateValue>)>,
        name: Name,
    ) -> Res<(FunctionIndex, Vec<TemplateValue>)> {
        if let Some(best) = self.most_specialized(&fitting, name.span) {
            return Ok(fitting.swap_remove(best));
        }
        if fitting.is_empty() {
            let text = self.text(name.symbol).to_owned();
            return self.error(
                "template",
                name.span,
                format!("no template `{text}` fits this specialization"),
            );
        }
        let message = "several templates fit this specialization equally well";
        let mut error = Diagnostic::error("ambiguous", name.span, message);
        for (candidate, _) in &fitting {
            error = error.at(self.functions[*candidate].span, "candidate");
        }
        self.fail(error)
    }

    /// Declares `template <> T C::f<A>(B)`: a specialization of a member template.
    fn specialize_method(
        &mut self,
        record: RecordId,
        decl: &Rc<FunctionDecl>,
        mut made: FunctionInfo,
    ) -> Res<()> {
        let (span, name) = (made.span, made.name);
        let Some(signature) = made.signature.clone() else { return Err(super::Failed) };
        let written = match &decl.declarator.name {
            DeclaratorName::Qualified(name) => name.last().arguments.clone().unwrap_or_default(),
            _ => Vec::new(),
        };
        for primary in self.methods_named(record, name) {
            let info = &self.functions[primary];
            let (Some(template), true) = (info.template.clone(), info.is_const == made.is_const) else {
                continue;
            };
            let is_static = info.is_static;
            let mark = self.out.mark();
            let found = self
                .template_values(&written, &template)
                .and_then(|values| self.match_signature(primary, &template, &values, &signature, span));
            let Ok(values) = found else {
                self.out.truncate(mark);
                continue;
            };
            (made.class, made.is_static) = (Some(record), is_static);
            let special = self.functions.push(made);
            self.functions[primary].specializations.push((values.clone(), special));
            self.specialized.insert(special, values);
            return Ok(());
        }
        let class = self.records[record].name.clone();
        self.error("template", span, format!("no template of class `{class}` fits this specialization"))
    }

    /// `template void f<int>(int *);`
    pub(super) fn instantiate_explicitly(&mut self, name: &QualifiedName, ty: Qual) -> Res<()> {
        let TypeKind::Function(signature) = self.types.kind(ty.ty).clone() else { return Ok(()) };
        let (entity, _) = self.find_qualified(name)?;
        let Entity::Functions(list) = entity else { return Ok(()) };
        for primary in list {
            let Some(template) = self.functions[primary].template.clone() else { continue };
            let mark = self.out.mark();
            let written = name.last().arguments.clone();
            let values = written.as_deref().unwrap_or(&[]);
            let found = self
                .template_values(values, &template)
                .and_then(|values| self.match_signature(primary, &template, &values, &signature, name.span));
            match found {
                Ok(values) => {
                    if self.functions[primary].device {
                        let made = self.instance(primary, values, name.span)?;
                        self.explicit.push(made);
                    }
                    return Ok(());
                }
                Err(_) => {
                    self.out.truncate(mark);
                }
            }
        }
        let text = self.text(name.last().name.symbol).to_owned();
        self.error("template", name.span, format!("no template `{text}` fits this instantiation"))
    }

    /// Defines a method, or a function of a namespace, outside its class or namespace.
    pub(super) fn define_outside(&mut self, decl: &Rc<FunctionDecl>, name: &QualifiedName) -> Res<()> {
        let parameters = decl.template.as_ref().map(|one| one.outer.as_ref().unwrap_or(one).clone());
        if let Some(parameters) = parameters.filter(|own| !own.list.is_empty())
            && decl.template.as_ref().is_some_and(|one| !one.list.is_empty())
            && let Some((template, class)) = self.outer_class(name, &parameters)?
        {
            self.templates[template].outer.push((class, decl.clone()));
            return Ok(());
        }
        let front = &name.segments[name.segments.len() - 2];
        let mut prefix = name.clone();
        prefix.segments.pop();
        let plain = QualifiedName {
            segments: prefix
                .segments
                .iter()
                .map(|segment| Segment { name: segment.name, arguments: None })
                .collect(),
            ..prefix.clone()
        };
        let (entity, _) = self.find_qualified(&plain)?;
        match entity {
            Entity::Namespace(scope) => self.in_scope(scope, |sema| {
                let mut inner = FunctionDecl::clone(decl);
                let last = name.last().clone();
                inner.declarator.name = match last.arguments {
                    None => DeclaratorName::Plain(last.name),
                    // A specialization.
                    Some(_) => DeclaratorName::Qualified(QualifiedName {
                        global: false,
                        segments: vec![last],
                        span: name.span,
                    }),
                };
                sema.redeclare(&Rc::new(inner))
            }),
            entity => {
                let ty = self.type_of_entity(&entity, front)?;
                let Some(record) = self.types.record(ty) else {
                    return self.error("wrong-type", name.span, "expected a class");
                };
                self.complete(record)?;
                self.define_method(record, decl)
            }
        }
    }

    /// Gives a method that its class declares its body.
    fn define_method(&mut self, record: RecordId, decl: &Rc<FunctionDecl>) -> Res<()> {
        let scope = self.records[record].scope;
        let made = self.function_info(decl, scope)?;
        for candidate in self.methods_named(record, made.name) {
            if !self.same_constraints(&made, &self.functions[candidate]) {
                continue;
            }
            let info = &mut self.functions[candidate];
            let same = match (&made.signature, &info.signature) {
                (Some(new), Some(old)) => {
                    super::declare::same_parameters(new, old)
                        && made.is_const == info.is_const
                        && made.reference() == info.reference()
                        && (made.name != super::value::FunctionName::Conversion
                            || new.result.ty == old.result.ty)
                }
                (None, None) => made.defaults.len() == info.defaults.len(),
                _ => false,
            };
            if same {
                info.decl = decl.clone();
                info.span = made.span;
                info.device |= made.device;
                if let Some(template) = made.template {
                    info.template = Some(template);
                }
                return Ok(());
            }
        }
        if decl.template.as_ref().is_some_and(|template| template.list.is_empty()) {
            return self.specialize_method(record, decl, made);
        }
        let name = self.records[record].name.clone();
        self.error("undeclared-name", decl.declarator.span, format!("class `{name}` declares no such method"))
    }
}
