//! Declarations of functions, and their redeclarations ([over.dcl]).

use super::Sema;
use super::scope::{Entity, FunctionIndex, ScopeId, Scopes};
use super::types::{CTypes, Qual, Signature, TypeKind};
use super::value::{FunctionInfo, FunctionName, Res, TemplateValue};
use crate::diagnostics::Diagnostic;
use crate::syntax::ast::{
    Chunk, DeclaratorName, Expr, FunctionBody, FunctionDecl, Noexcept, Specifiers, TemplateParameterKind,
};
use std::rc::Rc;

/// Whether two functions have the same parameter types.
pub(super) fn same_parameters(one: &Signature, other: &Signature) -> bool {
    one.variadic == other.variadic
        && one.parameters.len() == other.parameters.len()
        && one.parameters.iter().zip(&other.parameters).all(|(one, other)| one.ty == other.ty)
}

impl Sema<'_> {
    /// Whether two functions of one scope are the same.
    fn redeclares(&mut self, new: &FunctionInfo, old: FunctionIndex) -> bool {
        let known = &self.functions[old];
        match (&new.signature, &known.signature) {
            // Functions with the names of C have no overloads.
            (Some(_), Some(_)) if new.decl.extern_c && known.decl.extern_c => true,
            (Some(new), Some(known)) => same_parameters(new, known),
            (None, None) => {
                let count =
                    |info: &FunctionInfo| (info.defaults.len(), info.template.as_ref().map(|t| t.list.len()));
                let defines = |info: &FunctionInfo| !matches!(info.decl.body, FunctionBody::None);
                if defines(new) && defines(known) || count(new) != count(known) {
                    return false;
                }
                let known = (known.decl.clone(), known.scope);
                let types =
                    [self.types_of_template(&new.decl, new.scope), self.types_of_template(&known.0, known.1)];
                match types {
                    [Some(one), Some(other)] => same_parameters(&one, &other) && one.result == other.result,
                    _ => !defines(&self.functions[old]),
                }
            }
            _ => false,
        }
    }

    /// The types of a function template with classes that nothing else has as its arguments;
    /// `None` if they depend on what the arguments are.
    fn types_of_template(&mut self, decl: &Rc<FunctionDecl>, scope: ScopeId) -> Option<Signature> {
        let template = decl.template.clone()?;
        let span = decl.declarator.span;
        let mut values = Vec::new();
        for (at, parameter) in template.list.iter().enumerate() {
            if parameter.is_pack {
                return None;
            }
            values.push(match &parameter.kind {
                TemplateParameterKind::Type(_) => {
                    while self.placeholders.len() <= at {
                        let record = self.new_record(None, Scopes::FILE, span);
                        let ty = self.types.intern(TypeKind::Record(record));
                        self.placeholders.push(ty);
                    }
                    TemplateValue::Type(Qual::plain(self.placeholders[at]))
                }
                TemplateParameterKind::Value(..) => TemplateValue::Value(1000 + at as i128, CTypes::INT),
                TemplateParameterKind::Template(..) => return None,
            });
        }
        let mark = self.out.mark();
        let scope = self.bind(scope, &template, &values);
        let made = self.in_scope(scope, |sema| sema.function_type(decl));
        self.out.truncate(mark);
        made.ok()
    }

    /// Declares a friend function that is defined in a class.
    pub(super) fn collect_friend(&mut self, decl: &Rc<FunctionDecl>, parent: ScopeId) {
        let inner = self.scope;
        // It is visible around the class, but its names are those of the class.
        if let Ok(mut info) = self.function_info(decl, inner) {
            // The class is complete where an argument of its type is.
            info.order = 0;
            self.publish(info, parent);
        }
    }

    /// Adds a function and its name in a scope.
    fn publish(&mut self, info: FunctionInfo, scope: ScopeId) -> FunctionIndex {
        let name = info.name;
        let function = self.functions.push(info);
        match name {
            FunctionName::Plain(symbol) => self.scopes.add_function(scope, symbol, function),
            FunctionName::Operator(operator) => {
                self.scopes.get_mut(scope).operators.entry(operator).or_default().push(function);
            }
            _ => {}
        }
        function
    }

    /// Declares a function at file or namespace scope, or defines a method.
    pub(super) fn collect_function(&mut self, decl: &Rc<FunctionDecl>) -> Res<()> {
        let qualified = match &decl.declarator.name {
            DeclaratorName::Qualified(name)
            | DeclaratorName::Operator(Some(name), _)
            | DeclaratorName::Constructor(Some(name))
            | DeclaratorName::Destructor(Some(name))
            | DeclaratorName::Conversion(Some(name), _) => Some(name),
            _ => None,
        };
        let specializes = decl.template.as_ref().is_some_and(|template| template.list.is_empty());
        if let Some(name) = qualified.filter(|name| name.segments.len() > 1) {
            return self.define_outside(decl, name);
        }
        if specializes || qualified.is_some() {
            return self.specialize(decl);
        }
        let scope = self.scope;
        let info = self.function_info(decl, scope)?;
        let known: Vec<FunctionIndex> = match info.name {
            FunctionName::Plain(symbol) => match self.scopes.get(scope).names.get(&symbol) {
                Some(Entity::Functions(list)) => list.clone(),
                _ => Vec::new(),
            },
            FunctionName::Operator(operator) => {
                self.scopes.get(scope).operators.get(&operator).cloned().unwrap_or_default()
            }
            _ => Vec::new(),
        };
        for other in known.iter().copied() {
            if self.rules.is_c && self.joins_old_style(&info, other)? {
                if !info.decl.is_open() {
                    let order = self.functions[other].order;
                    self.functions[other] = FunctionInfo { order, ..info };
                }
                return Ok(());
            }
            if self.redeclares(&info, other) && self.same_constraints(&info, &self.functions[other]) {
                return self.merge(info, other);
            }
        }
        // C has no overloads: a function of the program hides one of the library with other types.
        let is_own = self.rules.is_c && !self.rules.is_open_cl && !self.is_builtin(info.span);
        if let FunctionName::Plain(symbol) = info.name
            && is_own
            && !known.is_empty()
            && known.iter().all(|other| self.is_builtin(self.functions[*other].span))
        {
            self.scopes.get_mut(scope).names.remove(&symbol);
        }
        let function = self.publish(info, scope);
        self.refuse_replacement(function)?;
        self.check_defaults(decl)
    }

    /// Refuses a parameter without a default behind one with a default.
    fn check_defaults(&mut self, decl: &FunctionDecl) -> Res<()> {
        let parameters = decl.declarator.function().map_or(&[][..], |function| &function.parameters);
        let first = parameters.iter().position(|parameter| parameter.default.is_some());
        let after = parameters.iter().skip(first.unwrap_or(parameters.len()));
        match after.into_iter().find(|parameter| parameter.default.is_none()) {
            Some(missing) => self.error(
                "default-argument",
                missing.declarator.span,
                "the parameters behind one with a default argument need one, too",
            ),
            None => Ok(()),
        }
    }

    /// Declares a function again in the current scope.
    pub(super) fn redeclare(&mut self, decl: &Rc<FunctionDecl>) -> Res<()> {
        self.collect_function(decl)
    }

    /// What is known of a function from its declaration; its names are found in `scope`.
    pub(super) fn function_info(&mut self, decl: &Rc<FunctionDecl>, scope: ScopeId) -> Res<FunctionInfo> {
        let name = match &decl.declarator.name {
            DeclaratorName::Plain(name) => FunctionName::Plain(name.symbol),
            DeclaratorName::Qualified(name) => FunctionName::Plain(name.last().name.symbol),
            DeclaratorName::Operator(_, operator) => FunctionName::Operator(*operator),
            DeclaratorName::Constructor(_) => FunctionName::Constructor,
            DeclaratorName::Conversion(..) => FunctionName::Conversion,
            DeclaratorName::Destructor(_) => FunctionName::Destructor,
            DeclaratorName::None | DeclaratorName::Bindings(_) => return Err(super::Failed),
        };
        let flags = decl.specifiers.flags;
        let builtin = self.is_builtin(decl.declarator.span);
        let is_template = decl.template.as_ref().is_some_and(|template| !template.list.is_empty());
        let decl = &match &decl.specifiers.explicit {
            Some(condition) if !is_template => self.explicit_function(decl, condition, scope)?,
            _ => decl.clone(),
        };
        let signature =
            if is_template { None } else { Some(self.in_scope(scope, |sema| sema.function_type(decl))?) };
        if let (true, Some(signature)) = (flags.global, &signature) {
            self.check_kernel_result(decl, signature)?;
        }
        if let (Some(chunk), false) = (decl.declarator.function(), is_template || builtin)
            && let Noexcept::If(condition) = &chunk.noexcept
        {
            self.in_scope(scope, |sema| sema.noexcept_condition(chunk, condition))?;
        }
        let parameters = decl.declarator.function().map_or(&[][..], |function| &function.parameters);
        let mut defaults: Vec<_> =
            parameters.iter().map(|parameter| parameter.default.clone().map(Rc::new)).collect();
        if let Some(signature) = signature.as_ref().filter(|_| super::pack::has_pack(parameters)) {
            defaults.resize(signature.parameters.len(), None);
        }
        Ok(FunctionInfo {
            name,
            decl: decl.clone(),
            scope,
            class: None,
            template: decl.template.clone().filter(|template| !template.list.is_empty()),
            signature,
            defaults,
            specializations: Vec::new(),
            instances: rustc_hash::FxHashMap::default(),
            is_redeclared: false,
            // Both halves have what the language defines.
            device: flags.belong_to(self.target.side, builtin)
                || matches!(decl.body, FunctionBody::Defaulted),
            global: flags.global,
            is_static: flags.is_static
                || matches!(name, FunctionName::Operator(operator) if operator.is_of_memory()),
            is_const: decl.declarator.function().is_some_and(|function| function.is_const),
            inherits: None,
            is_guide: false,
            order: self.order,
            body_order: self.order,
            span: decl.declarator.span,
        })
    }

    /// A function with the value of its `explicit(condition)`.
    fn explicit_function(
        &mut self,
        decl: &FunctionDecl,
        condition: &Expr,
        scope: ScopeId,
    ) -> Res<Rc<FunctionDecl>> {
        let on = self.in_scope(scope, |sema| sema.explicit_value(condition))?;
        let mut specifiers = Specifiers::clone(&decl.specifiers);
        specifiers.flags.is_explicit = on;
        Ok(Rc::new(FunctionDecl { specifiers: Rc::new(specifiers), ..decl.clone() }))
    }

    fn explicit_value(&mut self, condition: &Expr) -> Res<bool> {
        Ok(self.constant_int(condition, "the condition of `explicit`")?.0 != 0)
    }

    /// Whether a function with template arguments is `explicit`.
    pub(super) fn is_explicit(&mut self, function: FunctionIndex, arguments: &[TemplateValue]) -> Res<bool> {
        let info = &self.functions[function];
        let specifiers = info.decl.specifiers.clone();
        let (Some(condition), Some(template)) = (&specifiers.explicit, info.template.clone()) else {
            return Ok(specifiers.flags.is_explicit);
        };
        let scope = self.bind(info.scope, &template, arguments);
        self.in_scope(scope, |sema| sema.explicit_value(condition))
    }

    /// The types of a function in the current scope.
    pub(super) fn function_type(&mut self, decl: &FunctionDecl) -> Res<Signature> {
        let base = match &decl.declarator.name {
            DeclaratorName::Conversion(_, ty) => self.type_name(ty)?,
            _ => self.specifiers(&decl.specifiers)?,
        };
        let span = decl.declarator.span;
        let Some((Chunk::Function(function), chunks)) = decl.declarator.chunks.split_first() else {
            return self.error("wrong-type", span, "expected a function");
        };
        let result = self.declarator(base, chunks, span)?;
        let (signature, made) = self.function(result, function, span)?;
        self.check_height(made, span)?;
        self.check_open_cl_type(Qual::plain(made), span)?;
        Ok(signature)
    }

    fn check_kernel_result(&mut self, decl: &FunctionDecl, signature: &Signature) -> Res<()> {
        if signature.result.ty == CTypes::VOID {
            return Ok(());
        }
        let shown = self.show(signature.result);
        let error = Diagnostic::error("kernel-result", decl.specifiers.span, "a kernel must return `void`")
            .label(format!("this kernel returns `{shown}`"))
            .help("write the result to memory through a pointer parameter");
        self.fail(error)
    }

    /// Joins a declaration with an earlier one of the same function.
    fn merge(&mut self, new: FunctionInfo, old: FunctionIndex) -> Res<()> {
        let has_body = |decl: &FunctionDecl| !matches!(decl.body, FunctionBody::None);
        let first = &mut self.functions[old];
        let different = match (&new.signature, &first.signature) {
            (Some(new), Some(old)) => new.result != old.result || !same_parameters(new, old),
            _ => false,
        };
        let host_and_device = new.device != first.device;
        // A function of the program replaces one of the library, as the linker does.
        let replaces = !self.rules.has_device_code
            && self.sources.is_builtin(first.span)
            && !self.sources.is_builtin(new.span);
        if has_body(&new.decl) && has_body(&first.decl) && !host_and_device && !replaces {
            let FunctionName::Plain(symbol) = first.name else { return Ok(()) };
            let span = first.span;
            let text = self.text(symbol).to_owned();
            let error =
                Diagnostic::error("redefinition", new.span, format!("function `{text}` is defined twice"))
                    .at(span, "first definition");
            return self.fail(error);
        }
        if different && new.device && first.device {
            let span = first.span;
            let message = "the function was declared with another type";
            return self
                .fail(Diagnostic::error("redefinition", new.span, message).at(span, "first declaration"));
        }
        let defines_device = new.device || !first.device;
        // Another file may define a function with a name of the library.
        let is_redeclared = self.is_part
            && !self.rules.has_device_code
            && !has_body(&new.decl)
            && first.decl.specifiers.intrinsic.is_none()
            && first.signature.as_ref().is_some_and(|signature| !signature.variadic);
        if is_redeclared && self.sources.is_builtin(first.span) && !self.sources.is_builtin(new.span) {
            (first.decl, first.span, first.is_redeclared) = (new.decl.clone(), new.span, true);
        }
        if has_body(&new.decl) && defines_device {
            // The first declaration decides about its linkage ([dcl.link]).
            let is_c = first.decl.extern_c;
            first.decl = new.decl;
            if is_c && !first.decl.extern_c {
                Rc::make_mut(&mut first.decl).extern_c = true;
            }
            first.scope = new.scope;
            first.body_order = new.body_order;
            first.span = new.span;
            first.template = new.template.or_else(|| first.template.clone());
        }
        first.device |= new.device;
        first.global |= new.global;
        for (default, other) in first.defaults.iter_mut().zip(new.defaults) {
            if default.is_none() {
                *default = other;
            }
        }
        Ok(())
    }
}
