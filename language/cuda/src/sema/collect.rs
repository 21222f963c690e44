//! Collecting the declarations of a program: types, templates and namespaces.

use std::rc::Rc;

use super::Sema;
use super::resolve::{ARRAY_CONSTANT, ARRAY_LENGTH};
use super::scope::{AliasTemplate, Entity, Owner};
use super::types::{Qual, TypeKind};
use super::value::{OuterStatic, RecordTemplate, Res};
use crate::diagnostics::Diagnostic;
use crate::hir::Storage;
use crate::syntax::ast::{
    BaseType, Decl, DeclKind, DeclaratorName, Expr, InitDeclarator, Name, Operator, QualifiedName,
    RecordDecl, TemplateParameters, TypeName,
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
            if self.collect_one(decl).is_err() {
                self.note_failed(decl, mark);
                if !loud {
                    self.quieten(decl, mark);
                }
            }
        }
    }

    /// Notes the messages behind a mark for uses of the names of a declaration that failed.
    fn note_failed(&mut self, decl: &Decl, mark: usize) {
        let DeclKind::Simple(_, list) = &decl.kind else { return };
        let messages = self.out.list().get(mark..).unwrap_or_default();
        for one in list {
            if let DeclaratorName::Plain(name) = &one.declarator.name {
                self.failed.entry(name.symbol).or_insert_with(|| messages.to_vec());
            }
        }
    }

    /// Keeps the messages about a declaration for the code that uses it: what only host code uses
    /// may be beyond this compiler. A wrong length of an array is an error in any case.
    fn quieten(&mut self, decl: &Decl, mark: usize) {
        let mut quiet = self.out.truncate(mark);
        if !self.is_builtin(decl.span) {
            let (wrong, others) = quiet.into_iter().partition(|one| self.is_wrong_array(one));
            quiet = others;
            let wrong: Vec<Diagnostic> = wrong;
            for one in wrong {
                self.out.push(one);
            }
        }
        if self.rules.explains_failures {
            self.quiet.extend(quiet);
        }
    }

    /// Whether an error about the length of an array is certain. What device code does not know may
    /// be a constant of the host.
    pub(super) fn is_wrong_array(&self, message: &Diagnostic) -> bool {
        message.code == ARRAY_LENGTH || message.code == ARRAY_CONSTANT && self.rules.plain_variables.is_some()
    }

    /// Checks the members of the classes that nothing uses: arrays with a wrong length are errors.
    pub(super) fn unused_classes(&mut self) {
        for id in self.records.ids() {
            let record = &self.records[id];
            if record.builtin || record.decl.is_none() || self.inside_template(id) || self.out.is_full() {
                continue;
            }
            let mark = self.out.mark();
            let _ = self.complete(id);
            for message in self.out.truncate(mark) {
                if self.is_wrong_array(&message) {
                    self.out.push(message);
                }
            }
        }
    }

    /// Whether errors in a declaration are errors of device code.
    fn has_device_code(&self, decl: &Decl) -> bool {
        let flags = match &decl.kind {
            // No later use of the variable would find what is wrong with its value.
            DeclKind::Simple(specifiers, _)
                if !self.rules.has_device_code
                    && matches!(specifiers.base, BaseType::Auto | BaseType::DecltypeAuto) =>
            {
                return true;
            }
            DeclKind::Simple(specifiers, _) => specifiers.flags,
            // `new` calls it without its name.
            DeclKind::Function(function) if matches!(&function.declarator.name, DeclaratorName::Operator(_, one) if one.is_of_memory()) =>
            {
                return true;
            }
            DeclKind::Function(function) => function.specifiers.flags,
            DeclKind::Namespace(..)
            | DeclKind::Linkage(_)
            | DeclKind::Instantiate(..)
            | DeclKind::StaticAssert(..) => {
                return true;
            }
            _ => return self.is_builtin(decl.span),
        };
        let is_marked = flags.device || flags.global || flags.constant || flags.shared;
        is_marked || self.rules.is_open_cl || self.is_builtin(decl.span)
    }

    fn collect_one(&mut self, decl: &Decl) -> Res<()> {
        let scope = self.scope;
        match &decl.kind {
            DeclKind::Simple(specifiers, list) if self.is_deduced(specifiers, list) => {
                let Some(template) = self.placeholder(specifiers) else { return Err(super::Failed) };
                for one in list {
                    let DeclaratorName::Plain(name) = one.declarator.name else { continue };
                    let ty = self.deduced_from(template, one.init.as_ref(), one.declarator.span)?;
                    self.collect_variable(specifiers, one, ty.with(specifiers.qualifiers), name)?;
                }
                Ok(())
            }
            DeclKind::Guide(name, guide) => self.collect_guide(*name, guide),
            DeclKind::Simple(specifiers, list) => {
                let base = self.specifiers(specifiers)?;
                for one in list {
                    let ty = self.declarator(base, &one.declarator.chunks, one.declarator.span)?;
                    let name = match &one.declarator.name {
                        DeclaratorName::Plain(name) => *name,
                        DeclaratorName::Qualified(name) => {
                            self.define_static_member(name, one, ty)?;
                            continue;
                        }
                        _ => continue,
                    };
                    if specifiers.flags.is_typedef {
                        self.check_alias(specifiers, one, ty)?;
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
            DeclKind::Namespace(name, is_inline, list) => {
                let known = name.and_then(|name| match self.scopes.get(scope).names.get(&name.symbol) {
                    Some(Entity::Namespace(known)) => Some(*known),
                    _ => None,
                });
                let inner = known.unwrap_or_else(|| {
                    let inner = self.scopes.add(scope, Owner::Namespace(name.map(|name| name.symbol)));
                    let outer = self.scopes.get_mut(scope);
                    if let Some(name) = name {
                        outer.names.insert(name.symbol, Entity::Namespace(inner));
                    }
                    if *is_inline || name.is_none() {
                        outer.also.push(inner);
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
            DeclKind::Using(name, _) => {
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
            DeclKind::UsingOperator(name, operator, _) => self.collect_operator(name, *operator),
            DeclKind::UsingNamespace(name) => {
                if let (Entity::Namespace(other), _) = self.find_qualified(name)? {
                    self.scopes.get_mut(scope).also.push(other);
                }
                Ok(())
            }
            DeclKind::UsingEnum(name) => self.use_enum(name),
            DeclKind::NamespaceAlias(name, target) => {
                let (entity, _) = self.find_qualified(target)?;
                self.scopes.get_mut(scope).names.insert(name.symbol, entity);
                Ok(())
            }
            DeclKind::Alias(name, target, template) => self.collect_alias(*name, target, template.as_ref()),
            DeclKind::StaticMember(template, one) => self.define_static_of_template(template, one),
            DeclKind::Instantiate(name, specifiers, declarator) => {
                let base = self.specifiers(specifiers)?;
                let ty = self.declarator(base, &declarator.chunks, declarator.span)?;
                self.instantiate_explicitly(name, ty)
            }
            DeclKind::InstantiateClass(name) => {
                let ty = self.named_type(name)?;
                self.explicit_classes.extend(self.types.record(ty.ty));
                Ok(())
            }
            DeclKind::StaticAssert(condition, text) => self.static_assertion(condition, text),
            DeclKind::Empty => Ok(()),
        }
    }

    /// `using enum E;`
    pub(super) fn use_enum(&mut self, name: &QualifiedName) -> Res<()> {
        let ty = self.named_type(name)?;
        let TypeKind::Enum(id) = *self.types.kind(ty.ty) else {
            return self.error("wrong-type", name.span, "`using enum` takes an enumeration");
        };
        let info = &self.types.enums[id];
        let own = info.name.filter(|_| info.scoped);
        let from = own.and_then(|own| self.scopes.enum_scope(info.parent, own)).unwrap_or(info.parent);
        let names = self.scopes.get(from).names.iter();
        let values = names.filter(|(_, one)| matches!(one, Entity::Constant(_, of) if *of == ty.ty));
        let values: Vec<_> = values.map(|(name, one)| (*name, one.clone())).collect();
        for (name, value) in values {
            self.declare(name, value);
        }
        Ok(())
    }

    /// `using space::operator+;`
    fn collect_operator(&mut self, name: &QualifiedName, operator: Operator) -> Res<()> {
        let (Entity::Namespace(other), _) = self.find_qualified(name)? else {
            return self.error("wrong-type", name.span, "expected a namespace in front of the operator");
        };
        let more = self.scopes.get(other).operators.get(&operator).cloned().unwrap_or_default();
        let scope = self.scope;
        let own = self.scopes.get_mut(scope).operators.entry(operator).or_default();
        own.extend(more.into_iter().filter(|one| !own.contains(one)).collect::<Vec<_>>());
        Ok(())
    }

    /// Gives `typedef struct { ... } name` its name.
    fn name_anonymous(&mut self, ty: Qual, name: Name) {
        match *self.types.kind(ty.ty) {
            TypeKind::Record(id) if self.records[id].symbol.is_none() => {
                let text = self.text(name.symbol).to_owned();
                let record = &mut self.records[id];
                record.symbol = Some(name.symbol);
                record.name = text;
            }
            TypeKind::Enum(id) if self.types.enums[id].name.is_none() => {
                self.types.enums[id].name = Some(name.symbol);
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
            Some(parameters) => {
                let (parameters, target) = (parameters.clone(), target.clone());
                let alias = AliasTemplate { name, parameters, target, scope };
                Entity::AliasTemplate(self.aliases.push(Rc::new(alias)))
            }
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
        if let Some(outside) = &decl.outside {
            return self.collect_nested(decl, outside);
        }
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
                self.templates[known].specializations.push((arguments.clone(), decl.clone()));
            }
            return Ok(());
        }
        if let Some(known) = known {
            let template = &mut self.templates[known];
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
        let index = self.templates.push(RecordTemplate {
            decl: decl.clone(),
            specializations: Vec::new(),
            scope,
            instances: rustc_hash::FxHashMap::default(),
            satisfied: rustc_hash::FxHashMap::default(),
            guides: Vec::new(),
            constructors: None,
            outer: Vec::new(),
            statics: Vec::new(),
            nested: Vec::new(),
        });
        self.scopes.get_mut(scope).names.insert(name.symbol, Entity::RecordTemplate(index));
        Ok(())
    }

    /// Defines a static member of a class template outside the class.
    fn define_static_of_template(
        &mut self,
        parameters: &Rc<TemplateParameters>,
        one: &InitDeclarator,
    ) -> Res<()> {
        let DeclaratorName::Qualified(name) = &one.declarator.name else { return Ok(()) };
        let Some((template, class)) = self.outer_class(name, parameters)? else {
            return self.unsupported(name.span, "this definition of a static member");
        };
        self.templates[template].statics.push(OuterStatic {
            class,
            name: name.last().name.symbol,
            parameters: parameters.clone(),
            init: one.init.clone().map(Rc::new),
        });
        Ok(())
    }

    /// Defines a static member of a class outside the class.
    fn define_static_member(&mut self, name: &QualifiedName, one: &InitDeclarator, ty: Qual) -> Res<()> {
        if let (Entity::Variable(variable), scope) = self.find_qualified(name)? {
            if let Some((_, None)) = self.types.array(self.variables[variable].ty.ty) {
                let ty = self.in_scope(scope, |sema| sema.complete_array(ty, one.init.as_ref()));
                if let Some((_, None)) = self.types.array(ty.ty) {
                    let text = self.text(name.last().name.symbol).to_owned();
                    return self.error("array-length", name.span, format!("array `{text}` needs a length"));
                }
                self.variables[variable].ty = ty;
            }
            let in_template = self.scopes.class(scope).is_some_and(|class| self.inside_template(class));
            let info = &mut self.variables[variable];
            info.is_specialized = in_template;
            info.defined = self.order;
            // A specialization without an initializer is a declaration ([temp.expl.spec]/13).
            info.is_extern = in_template && one.init.is_none() && info.storage == Some(Storage::Host);
            info.init = one.init.clone().map(Rc::new).or(info.init.take());
        }
        Ok(())
    }
}
