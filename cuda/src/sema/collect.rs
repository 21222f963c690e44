//! Collecting the declarations of a program.

use std::rc::Rc;

use super::Sema;
use super::scope::{AliasTemplate, Entity, FunctionIndex, Owner, ScopeId, TemplateIndex};
use super::types::{CTypes, Kind, Qual, Signature};
use super::value::{FunctionInfo, FunctionName, RecordTemplate, Res};
use crate::diagnostics::Diagnostic;
use crate::syntax::ast::{
    Decl, DeclKind, DeclaratorName, Expr, FunctionBody, FunctionDecl, Name, QualifiedName, RecordDecl,
    TemplateParameters, TypeName,
};

impl Sema<'_> {
    /// Declares what a list of declarations declares.
    pub(super) fn collect(&mut self, declarations: &[Decl]) {
        for decl in declarations {
            self.order += 1;
            if self.out.is_full() {
                return;
            }
            let mark = self.out.mark();
            let loud = self.has_device_code(decl);
            if self.collect_one(decl).is_err() && !loud {
                // What only host code uses may be beyond this compiler.
                self.out.truncate(mark);
            }
        }
    }

    /// Whether errors in a declaration are errors of device code.
    fn has_device_code(&self, decl: &Decl) -> bool {
        let flags = match &decl.kind {
            DeclKind::Simple(specifiers, _) => specifiers.flags,
            DeclKind::Function(function) => function.specifiers.flags,
            DeclKind::Namespace(..)
            | DeclKind::Linkage(_)
            | DeclKind::Instantiate(..)
            | DeclKind::StaticAssert(..) => {
                return true;
            }
            _ => return self.is_builtin(decl.span),
        };
        flags.device || flags.global || flags.constant || flags.shared || self.is_builtin(decl.span)
    }

    fn collect_one(&mut self, decl: &Decl) -> Res<()> {
        let scope = self.scope;
        match &decl.kind {
            DeclKind::Simple(specifiers, list) => {
                let base = self.specifiers(specifiers)?;
                for one in list {
                    let ty = self.declarator(base, &one.declarator.chunks, one.declarator.span)?;
                    let name = match &one.declarator.name {
                        DeclaratorName::Plain(name) => *name,
                        DeclaratorName::Qualified(name) => {
                            self.define_static_member(name, one)?;
                            continue;
                        }
                        _ => continue,
                    };
                    if specifiers.flags.is_typedef {
                        self.name_anonymous(ty, name);
                        self.scopes.get_mut(scope).names.insert(name.symbol, Entity::Type(ty));
                    } else {
                        self.collect_variable(specifiers, one, ty, name)?;
                    }
                }
                Ok(())
            }
            DeclKind::Function(function) => self.collect_function(function),
            DeclKind::RecordTemplate(record) => self.collect_record_template(record),
            DeclKind::Namespace(name, list) => {
                let known = name.and_then(|name| match self.scopes.get(scope).names.get(&name.symbol) {
                    Some(Entity::Namespace(known)) => Some(*known),
                    _ => None,
                });
                let inner = known.unwrap_or_else(|| {
                    let inner = self.scopes.add(scope, Owner::Namespace(name.map(|name| name.symbol)));
                    match name {
                        Some(name) => {
                            self.scopes.get_mut(scope).names.insert(name.symbol, Entity::Namespace(inner));
                        }
                        None => self.scopes.get_mut(scope).also.push(inner),
                    }
                    inner
                });
                self.in_scope(inner, |sema| sema.collect(list));
                Ok(())
            }
            DeclKind::Linkage(list) => {
                self.collect(list);
                Ok(())
            }
            DeclKind::Using(name) => {
                let (entity, _) = self.find_qualified(name)?;
                let names = &mut self.scopes.get_mut(scope).names;
                match (names.get_mut(&name.last().name.symbol), entity) {
                    (Some(Entity::Functions(own)), Entity::Functions(more)) => {
                        own.extend(more.into_iter().filter(|one| !own.contains(one)).collect::<Vec<_>>());
                    }
                    (_, entity) => {
                        names.insert(name.last().name.symbol, entity);
                    }
                }
                Ok(())
            }
            DeclKind::UsingNamespace(name) => {
                if let (Entity::Namespace(other), _) = self.find_qualified(name)? {
                    self.scopes.get_mut(scope).also.push(other);
                }
                Ok(())
            }
            DeclKind::NamespaceAlias(name, target) => {
                let (entity, _) = self.find_qualified(target)?;
                self.scopes.get_mut(scope).names.insert(name.symbol, entity);
                Ok(())
            }
            DeclKind::Alias(name, target, template) => self.collect_alias(*name, target, template.as_ref()),
            DeclKind::Instantiate(name, specifiers, declarator) => {
                let base = self.specifiers(specifiers)?;
                let ty = self.declarator(base, &declarator.chunks, declarator.span)?;
                self.instantiate_explicitly(name, ty)
            }
            DeclKind::StaticAssert(condition, text) => self.static_assertion(condition, text),
            DeclKind::Empty => Ok(()),
        }
    }

    /// Gives `typedef struct { ... } name` its name.
    fn name_anonymous(&mut self, ty: Qual, name: Name) {
        match *self.types.kind(ty.ty) {
            Kind::Record(id) if self.records[id.0 as usize].symbol.is_none() => {
                let text = self.text(name.symbol).to_owned();
                let record = &mut self.records[id.0 as usize];
                record.symbol = Some(name.symbol);
                record.name = text;
            }
            Kind::Enum(id) if self.types.enums[id.0 as usize].name.is_none() => {
                self.types.enums[id.0 as usize].name = Some(name.symbol);
            }
            _ => {}
        }
    }

    pub(super) fn collect_alias(
        &mut self,
        name: Name,
        target: &TypeName,
        template: Option<&Rc<TemplateParameters>>,
    ) -> Res<()> {
        let scope = self.scope;
        let entity = match template {
            Some(parameters) => Entity::AliasTemplate(Rc::new(AliasTemplate {
                parameters: parameters.clone(),
                target: target.clone(),
                scope,
            })),
            None => Entity::Type(self.type_name(target)?),
        };
        self.scopes.get_mut(scope).names.insert(name.symbol, entity);
        Ok(())
    }

    pub(super) fn static_assertion(&mut self, condition: &Expr, text: &[u8]) -> Res<()> {
        let (value, _) = self.constant_int(condition, "the condition of `static_assert`")?;
        if value != 0 {
            return Ok(());
        }
        let text = String::from_utf8_lossy(text).into_owned();
        let error =
            Diagnostic::error("static-assert", condition.span, format!("static assertion failed: {text}"));
        self.fail(error)
    }

    /// Declares a class template or a specialization of one.
    pub(super) fn collect_record_template(&mut self, decl: &Rc<RecordDecl>) -> Res<()> {
        let Some(name) = decl.name else { return Ok(()) };
        let scope = self.scope;
        let known = match self.scopes.get(scope).names.get(&name.symbol) {
            Some(Entity::RecordTemplate(known)) => Some(*known),
            _ => None,
        };
        if let Some(arguments) = &decl.arguments {
            let known = known.or_else(|| match self.find(name.symbol) {
                Some((Entity::RecordTemplate(known), _)) => Some(known),
                _ => None,
            });
            let Some(known) = known else { return self.undeclared(name) };
            if decl.members.is_some() {
                self.templates[known.0 as usize].specializations.push((arguments.clone(), decl.clone()));
            }
            return Ok(());
        }
        if let Some(known) = known {
            let template = &mut self.templates[known.0 as usize];
            if decl.members.is_some() {
                // Default arguments may be in the first declaration.
                let mut merged = RecordDecl::clone(decl);
                if let (Some(new), Some(old)) = (&merged.template, &template.decl.template) {
                    merged.template = Some(Rc::new(super::template::merge_defaults(new, old)));
                }
                template.decl = Rc::new(merged);
            }
            return Ok(());
        }
        let index = TemplateIndex(self.templates.len() as u32);
        self.templates.push(RecordTemplate {
            decl: decl.clone(),
            specializations: Vec::new(),
            scope,
            instances: rustc_hash::FxHashMap::default(),
            outer: Vec::new(),
        });
        self.scopes.get_mut(scope).names.insert(name.symbol, Entity::RecordTemplate(index));
        Ok(())
    }

    /// Declares a friend function that is defined in a class.
    pub(super) fn collect_friend(&mut self, decl: &Rc<FunctionDecl>, parent: ScopeId) {
        let inner = self.scope;
        // It is visible around the class, but its names are those of the class.
        if let Ok(function) = self.new_function(decl, inner) {
            self.functions[function.0 as usize].class = None;
            self.publish(function, parent);
        }
    }

    /// Adds a function to the names of a scope.
    fn publish(&mut self, function: FunctionIndex, scope: ScopeId) {
        match self.functions[function.0 as usize].name {
            FunctionName::Plain(symbol) => {
                let names = &mut self.scopes.get_mut(scope).names;
                match names.get_mut(&symbol) {
                    Some(Entity::Functions(list)) => list.push(function),
                    _ => {
                        names.insert(symbol, Entity::Functions(vec![function]));
                    }
                }
            }
            FunctionName::Operator(operator) => {
                self.scopes.get_mut(scope).operators.entry(operator).or_default().push(function);
            }
            _ => {}
        }
    }

    /// Declares a function at file or namespace scope, or defines a method.
    fn collect_function(&mut self, decl: &Rc<FunctionDecl>) -> Res<()> {
        let qualified = match &decl.declarator.name {
            DeclaratorName::Qualified(name)
            | DeclaratorName::Operator(Some(name), _)
            | DeclaratorName::Constructor(Some(name))
            | DeclaratorName::Destructor(Some(name)) => Some(name),
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
        let function = self.new_function(decl, scope)?;
        let info = &self.functions[function.0 as usize];
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
        for other in known {
            if self.redeclares(function, other) {
                return self.merge(function, other);
            }
        }
        self.publish(function, scope);
        Ok(())
    }

    /// Declares a function again in the current scope.
    pub(super) fn redeclare(&mut self, decl: &Rc<FunctionDecl>) -> Res<()> {
        self.collect_function(decl)
    }

    /// Makes the table entry of a function; its names are found in `scope`.
    pub(super) fn new_function(&mut self, decl: &Rc<FunctionDecl>, scope: ScopeId) -> Res<FunctionIndex> {
        let name = match &decl.declarator.name {
            DeclaratorName::Plain(name) => FunctionName::Plain(name.symbol),
            DeclaratorName::Qualified(name) => FunctionName::Plain(name.last().name.symbol),
            DeclaratorName::Operator(_, operator) => FunctionName::Operator(*operator),
            DeclaratorName::Constructor(_) => FunctionName::Constructor,
            DeclaratorName::Conversion(_) => FunctionName::Conversion,
            DeclaratorName::None | DeclaratorName::Destructor(_) => return Err(super::Failed),
        };
        let flags = decl.specifiers.flags;
        let builtin = self.is_builtin(decl.declarator.span);
        let is_template = decl.template.as_ref().is_some_and(|template| !template.list.is_empty());
        let signature =
            if is_template { None } else { Some(self.in_scope(scope, |sema| sema.function_type(decl))?) };
        if let (true, Some(signature)) = (flags.global, &signature) {
            self.check_kernel_result(decl, signature)?;
        }
        let parameters = decl.declarator.function().map_or(&[][..], |function| &function.parameters);
        let info = FunctionInfo {
            name,
            decl: decl.clone(),
            scope,
            class: None,
            template: decl.template.clone().filter(|template| !template.list.is_empty()),
            signature,
            defaults: parameters.iter().map(|parameter| parameter.default.clone().map(Rc::new)).collect(),
            specializations: Vec::new(),
            instances: rustc_hash::FxHashMap::default(),
            device: flags.device || flags.global || flags.is_constexpr || builtin,
            global: flags.global,
            is_static: flags.is_static,
            is_const: decl.declarator.function().is_some_and(|function| function.is_const),
            order: self.order,
            body_order: self.order,
            span: decl.declarator.span,
        };
        self.functions.push(info);
        Ok(FunctionIndex(self.functions.len() as u32 - 1))
    }

    /// The types of a function in the current scope.
    pub(super) fn function_type(&mut self, decl: &FunctionDecl) -> Res<Signature> {
        let base = match &decl.declarator.name {
            DeclaratorName::Conversion(ty) => self.type_name(ty)?,
            _ => self.specifiers(&decl.specifiers)?,
        };
        let ty = self.declarator(base, &decl.declarator.chunks, decl.declarator.span)?;
        match self.types.kind(ty.ty) {
            Kind::Function(signature) => Ok(signature.clone()),
            _ => self.error("wrong-type", decl.declarator.span, "expected a function"),
        }
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

    /// Whether two functions of one scope are the same.
    fn redeclares(&self, new: FunctionIndex, old: FunctionIndex) -> bool {
        let (new, old) = (&self.functions[new.0 as usize], &self.functions[old.0 as usize]);
        match (&new.signature, &old.signature) {
            (Some(new), Some(old)) => same_parameters(new, old),
            (None, None) => {
                let count =
                    |info: &FunctionInfo| (info.defaults.len(), info.template.as_ref().map(|t| t.list.len()));
                let defines = !matches!(old.decl.body, FunctionBody::None);
                !defines && count(new) == count(old)
            }
            _ => false,
        }
    }

    /// Joins a declaration with an earlier one of the same function.
    fn merge(&mut self, new: FunctionIndex, old: FunctionIndex) -> Res<()> {
        let new = self.functions.pop().unwrap_or_else(|| unreachable!("function {new:?} was pushed last"));
        let has_body = |decl: &FunctionDecl| !matches!(decl.body, FunctionBody::None);
        let first = &mut self.functions[old.0 as usize];
        let different = match (&new.signature, &first.signature) {
            (Some(new), Some(old)) => new.result != old.result,
            _ => false,
        };
        let host_and_device = new.device != first.device;
        if has_body(&new.decl) && has_body(&first.decl) && !host_and_device {
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
            let message = "the function was declared with another result type";
            return self
                .fail(Diagnostic::error("redefinition", new.span, message).at(span, "first declaration"));
        }
        let defines_device = new.device || !first.device;
        if has_body(&new.decl) && defines_device {
            first.decl = new.decl;
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

    /// Defines a static member of a class outside the class.
    fn define_static_member(
        &mut self,
        name: &QualifiedName,
        one: &crate::syntax::ast::InitDeclarator,
    ) -> Res<()> {
        if let (Entity::Variable(variable), _) = self.find_qualified(name)?
            && one.init.is_some()
        {
            self.variables[variable.0 as usize].init = one.init.clone().map(Rc::new);
        }
        Ok(())
    }
}

/// Whether two functions have the same parameter types.
pub(super) fn same_parameters(one: &Signature, other: &Signature) -> bool {
    one.variadic == other.variadic
        && one.parameters.len() == other.parameters.len()
        && one.parameters.iter().zip(&other.parameters).all(|(one, other)| one.ty == other.ty)
}
