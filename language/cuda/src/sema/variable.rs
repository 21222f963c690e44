//! Variables outside functions: storage, alignment, textures and surfaces.

use std::rc::Rc;

use super::Sema;
use super::cells::{Run, Stop};
use super::scope::{Constant, Entity, Owner, ScopeId, TemplateIndex, VariableIndex};
use super::types::{CTypes, Qual, RecordId, TypeKind};
use super::value::{Res, TemplateValue, Texture, VariableInfo};
use crate::diagnostics::Diagnostic;
use crate::hir::{self, Linkage, LocalId, Storage};
use crate::lex::Symbol;
use crate::space::AddressSpace;
use crate::syntax::ast::{Alignment, BaseType, Expr, InitDeclarator, Initializer, Name, Specifiers};

impl Sema<'_> {
    /// Declares a variable at file, namespace or class scope.
    pub(super) fn collect_variable(
        &mut self,
        specifiers: &Specifiers,
        one: &InitDeclarator,
        ty: Qual,
        name: Name,
    ) -> Res<()> {
        let scope = self.scope;
        let flags = specifiers.flags;
        let span = one.declarator.span;
        let ty = self.complete_array(ty, one.init.as_ref());
        let mut ty = if self.types.contains_auto(ty) {
            let found = self.deduced_type(specifiers, one, ty)?;
            if found != ty {
                self.check_placeholder(specifiers, ty, found)?;
            }
            found
        } else {
            ty
        };
        ty.quals.is_const |= flags.is_constexpr;
        if self.rules.is_open_cl && !self.is_builtin(span) {
            return self.open_cl_variable(specifiers, one, ty, name);
        }
        // What is a texture in device code is a variable of the host that stands for it.
        let (texture, reference) = match self.texture_of(ty) {
            Some(texture) if !self.rules.has_device_code => (None, Some(texture.reference())),
            texture => (texture, None),
        };
        let storage = match texture {
            Some(texture) if texture.is_surface => Some(Storage::Surface),
            Some(_) => Some(Storage::Texture),
            None if flags.constant => Some(Storage::Constant),
            None if flags.shared && flags.is_extern => Some(Storage::SharedDynamic),
            None if flags.shared => Some(Storage::Shared),
            None if flags.device || flags.managed => Some(Storage::Device),
            None => self.rules.plain_variables,
        };
        if flags.managed {
            return self.unsupported(span, "`__managed__` memory, which exists from sm_30 on,");
        }
        if let (Some(_), false) = (storage, texture.is_some()) {
            // A static member may have the type of its class.
            let of_class = matches!(self.scopes.get(scope).owner, Owner::Record(_));
            // What a declaration names is complete at the definition.
            let is_declared = flags.is_extern && one.init.is_none() && !flags.shared;
            if !(of_class && self.rules.completes_later || is_declared) {
                self.require_complete(ty.ty, span)?;
            }
            self.check_storage(specifiers, one, ty, name.symbol)?;
        }
        let known = self.known_value(ty, one.init.as_ref(), flags.is_constexpr, storage);
        // A class may initialize its objects without an initializer.
        let has_value = one.init.is_some() || !flags.is_extern && self.types.record(ty.ty).is_some();
        let is_object = flags.is_constexpr && !self.has_number(ty.ty) && texture.is_none();
        let value = if is_object && has_value {
            self.constant_object(ty, one.init.as_ref(), true, span)
        } else {
            None
        };
        let align = self.asked_alignment(specifiers, one)?;
        // The class declares a static member, a file defines it.
        let is_member = storage == Some(Storage::Host)
            && !flags.is_inline
            && matches!(self.scopes.get(scope).owner, Owner::Record(id) if !self.inside_template(id));
        let is_extern = flags.is_extern && storage != Some(Storage::SharedDynamic) || is_member;
        let info = VariableInfo {
            name: name.symbol,
            ty,
            storage,
            init: one.init.clone().map(Rc::new),
            scope,
            known,
            value,
            global: None,
            texture,
            reference,
            align,
            is_extern: is_extern && one.init.is_none(),
            is_static: flags.is_static,
            is_inline: flags.is_inline,
            is_external: flags.is_extern,
            is_specialized: false,
            order: self.order,
            defined: self.order,
            span,
        };
        if let Some(Entity::Variable(first)) = self.scopes.get(scope).names.get(&name.symbol) {
            let first = *first;
            let old = &self.variables[first];
            let (was_extern, old_span, had_storage) = (old.is_extern, old.span, old.storage.is_some());
            // Code behind the first declaration can use the variable.
            let order = old.order;
            let is_external = old.is_external || info.is_external;
            // In C a declaration without initial value is one of several ([6.9.2]).
            let is_tentative = self.rules.is_c && (info.init.is_none() || old.init.is_none());
            if was_extern || info.is_extern || !had_storage || storage.is_none() || is_tentative {
                if !info.is_extern && (was_extern || old.init.is_none()) {
                    self.variables[first] = VariableInfo { is_external, order, ..info };
                }
                return Ok(());
            }
            let text = self.text(name.symbol).to_owned();
            let error = Diagnostic::error("redefinition", span, format!("`{text}` is defined twice"))
                .at(old_span, "first definition");
            return self.fail(error);
        }
        let index = self.variables.push(info);
        self.scopes.get_mut(scope).names.insert(name.symbol, Entity::Variable(index));
        Ok(())
    }

    /// The type of a variable with `auto`, which its initial value gives. Device code may not know
    /// the value of a variable of the host: it has no type there.
    pub(super) fn deduced_type(
        &mut self,
        specifiers: &Specifiers,
        one: &InitDeclarator,
        ty: Qual,
    ) -> Res<Qual> {
        let span = one.declarator.span;
        let flags = specifiers.flags;
        let is_optional = self.rules.has_device_code && !(flags.device || flags.constant || flags.shared);
        let Some(expr) = one.init.as_ref().and_then(super::local::single) else {
            return self.error("wrong-type", span, "`auto` needs an initializer");
        };
        let mark = self.out.mark();
        let found = self.without_evaluation(|sema| {
            let value = sema.expression(expr)?;
            if let TypeKind::Reference(to) = *sema.types.kind(ty.ty) {
                let to = value.ty.with(to.quals);
                return Ok(Qual::plain(sema.types.intern(TypeKind::Reference(to))));
            }
            if matches!(specifiers.base, BaseType::DecltypeAuto) {
                return Ok(sema.decltype_reference(expr, &value).unwrap_or(value.ty));
            }
            Ok(sema.rvalue(value)?.ty.with(ty.quals))
        });
        if found.is_ok() || is_optional {
            self.out.truncate(mark);
        }
        match found {
            Ok(found) if found.ty == CTypes::VOID => {
                self.error("wrong-type", span, "a variable cannot have type `void`")
            }
            Err(_) if is_optional => Ok(ty),
            found => found,
        }
    }

    /// The value of a constant variable.
    pub(super) fn known_value(
        &mut self,
        ty: Qual,
        init: Option<&Initializer>,
        is_constexpr: bool,
        storage: Option<Storage>,
    ) -> Option<Constant> {
        let storage = storage.filter(|storage| *storage != Storage::Host);
        let is_const = ty.quals.is_const || is_constexpr;
        if !is_const || storage.is_some() || !self.has_number(ty.ty) {
            return None;
        }
        let expr = match init? {
            Initializer::Value(expr) | Initializer::List(expr) => expr,
            Initializer::Arguments(list, _) => list.first()?,
        };
        let mark = self.out.mark();
        let value = self.as_constant(|sema| {
            let value = sema.value_of_list(expr, ty.unqualified())?;
            let value = sema.convert(value, ty.unqualified(), "")?;
            Ok(sema.known_number(&value, ty, is_constexpr))
        });
        self.out.truncate(mark);
        self.checked(value.ok()?, is_constexpr, expr.span)
    }

    /// The value of a constant variable that is a number.
    pub(super) fn known_number(&mut self, value: &hir::Expr, ty: Qual, is_constexpr: bool) -> Run<Constant> {
        // Another floating-point variable is no constant.
        match Constant::of(&value.kind) {
            None if is_constexpr || !self.types.is_floating(ty.ty) => self.constant_value(value),
            known => known.ok_or(Stop::Unknown),
        }
    }

    pub(super) fn check_storage(
        &mut self,
        specifiers: &Specifiers,
        one: &InitDeclarator,
        ty: Qual,
        name: Symbol,
    ) -> Res<()> {
        let flags = specifiers.flags;
        let span = one.declarator.span;
        let text = self.text(name).to_owned();
        if ty.quals.space == AddressSpace::Local && one.init.is_some() {
            let message = format!("`__local {text}` cannot have an initializer");
            let error = Diagnostic::error("shared-initializer", span, message)
                .note("local memory is undefined when a work-group starts")
                .help("let one work-item store the value, then call `barrier(CLK_LOCAL_MEM_FENCE)`");
            return self.fail(error);
        }
        if flags.shared && one.init.is_some() {
            let message = format!("`__shared__ {text}` cannot have an initializer");
            let error = Diagnostic::error("shared-initializer", span, message)
                .note("shared memory is undefined when a block starts")
                .help("let one thread store the value, then call `__syncthreads()`");
            return self.fail(error);
        }
        if self.types.referent(ty.ty).is_some() {
            if self.rules.memory != Storage::Host || flags.constant || flags.device {
                return self.unsupported(span, &format!("a reference {}", self.rules.place_of_reference));
            }
            let of_class = matches!(self.scopes.get(self.scope).owner, Owner::Record(_));
            if one.init.is_none() && !flags.is_extern && !(of_class && flags.is_static) {
                let message = format!("reference `{text}` needs an initializer");
                return self.error("wrong-type", span, message);
            }
        }
        if flags.shared && self.classes().needs_construction(ty.ty) {
            let shown = self.show(ty);
            let message = format!("`{shown}` has a constructor, which `__shared__` cannot call");
            let error = Diagnostic::error("shared-initializer", span, message);
            return self.fail(error);
        }
        // The definition of a static member gives the length.
        let is_member =
            matches!(self.scopes.get(self.scope).owner, Owner::Record(id) if !self.inside_template(id));
        if let Some((_, None)) = self.types.array(ty.ty)
            && !flags.is_extern
            && !(is_member && self.function.is_none() && flags.is_static)
        {
            let mut error = Diagnostic::error("array-length", span, format!("array `{text}` needs a length"));
            if flags.shared {
                error = error.help("write `extern __shared__` if the launch gives the size");
            }
            return self.fail(error);
        }
        Ok(())
    }

    /// The alignment that a declaration asks for; 1 without it.
    pub(super) fn alignment(&mut self, align: Option<&Expr>) -> Res<u64> {
        let Some(align) = align else { return Ok(1) };
        let (value, _) = self.constant_int(align, "an alignment")?;
        if !(1..=1 << 16).contains(&value) || !(value as u64).is_power_of_two() {
            let message = format!("an alignment must be a power of two, not {value}");
            return self.error("alignment", align.span, message);
        }
        Ok(value as u64)
    }

    /// Alignment that a declaration asks for in front of or behind its declarator; 1 if it asks for
    /// none.
    pub(super) fn asked_alignment(&mut self, specifiers: &Specifiers, one: &InitDeclarator) -> Res<u64> {
        if let Some(span) = one.align.packed.or(specifiers.align.packed) {
            return self.unsupported(span, Alignment::PACKED);
        }
        self.member_alignment(specifiers, one)
    }

    /// The same for a member, which may be `packed`, too.
    pub(super) fn member_alignment(&mut self, specifiers: &Specifiers, one: &InitDeclarator) -> Res<u64> {
        let before = self.alignment(specifiers.align.bytes.as_deref())?;
        Ok(before.max(self.alignment(one.align.bytes.as_deref())?))
    }

    /// Refuses a type name with another alignment than its type: types have no alignment of their
    /// own.
    pub(super) fn check_alias(&mut self, specifiers: &Specifiers, one: &InitDeclarator, ty: Qual) -> Res<()> {
        let Some(expr) = one.align.bytes.as_ref().or(specifiers.align.bytes.as_ref()) else { return Ok(()) };
        let asked = self.asked_alignment(specifiers, one)?;
        let hir = self.hir_type(ty.ty, one.declarator.span)?;
        if asked != self.hir.align(hir) {
            let message = "`aligned` in a `typedef` is supported for a structure with members only";
            return self.error("unsupported", expr.span, message);
        }
        Ok(())
    }

    pub(super) fn raise_alignment(
        &mut self,
        specifiers: &Specifiers,
        one: &InitDeclarator,
        local: LocalId,
    ) -> Res<()> {
        let align = self.asked_alignment(specifiers, one)?;
        if let Some(function) = &mut self.function {
            let local = &mut function.locals[local];
            local.align = local.align.max(align);
        }
        Ok(())
    }

    /// The variable in the typed program.
    pub(super) fn global_of(&mut self, variable: VariableIndex) -> Res<hir::GlobalId> {
        let (known, owner) = (self.variables[variable].global, self.variables[variable].scope);
        if known.is_none() {
            self.find_outer_initializer(variable);
        }
        self.check_defined(variable, self.variables[variable].span)?;
        if let Some(known) = known {
            return Ok(known);
        }
        let info = &self.variables[variable];
        let Some(storage) = info.storage else { return Err(super::Failed) };
        let (ty, span, scope, align) = (info.ty, info.span, info.scope, info.align);
        let (name, init, is_static) = (info.name, info.init.clone(), info.is_static);
        let (is_texture, reference) = (info.texture.is_some(), info.reference);
        let hir_ty = if is_texture { hir::Types::VOID } else { self.hir_type(ty.ty, span)? };
        let text = self.text(name).to_owned();
        let symbol = self.mangled_variable(name, owner);
        let linkage = self.variable_linkage(variable, owner);
        let natural = if is_texture { 1 } else { self.hir.align(hir_ty) };
        let c_type = self.show(ty);
        let id = self.globals.push(hir::Global {
            name: text,
            symbol,
            ty: hir_ty,
            c_type,
            storage,
            linkage,
            is_dynamic: false,
            align: natural.max(align),
            init: None,
            // Programs name static variables in calls of the runtime, too, and other files static
            // members of classes.
            visible: (!is_static
                || storage == Storage::Host
                    && matches!(linkage, hir::Linkage::External | hir::Linkage::Weak)
                || !self.rules.has_device_code && storage != Storage::Host)
                && !matches!(storage, Storage::Shared | Storage::SharedDynamic),
            volatile: ty.quals.is_volatile,
            reference,
            span,
        });
        self.variables[variable].global = Some(id);
        if let Some(value) = self.variables[variable].value.clone()
            && let Some(init) = self.constant_initializer(id, &value)
        {
            self.globals[id].init = Some(init);
            return Ok(id);
        }
        self.refuse_destructor(storage, ty, span)?;
        if linkage == Linkage::Undefined {
            return Ok(id);
        }
        if !is_texture && !matches!(storage, Storage::Shared | Storage::SharedDynamic) {
            if storage == Storage::Host {
                if self.in_scope(scope, |sema| sema.is_dynamic(id, ty, init.as_deref(), span)) {
                    self.globals[id].is_dynamic = true;
                    self.dynamic.push((id, variable));
                }
                return Ok(id);
            }
            // The host's copy of a device variable has no addresses of functions.
            let outer = std::mem::replace(&mut self.in_device_variable, true);
            let init = self.in_scope(scope, |sema| sema.static_initializer(id, ty, init.as_deref(), span));
            self.in_device_variable = outer;
            self.globals[id].init = init?;
        }
        Ok(id)
    }

    /// The number that device code reads for a constant of the host, which a class may define
    /// outside of it. `None` if the variable has memory.
    pub(super) fn number_of_host(&mut self, variable: VariableIndex) -> Option<Constant> {
        let info = &self.variables[variable];
        if info.known.is_some() || info.storage.is_some() {
            return info.known.filter(|_| info.storage.is_none());
        }
        let ty = info.ty;
        let (init, scope) = if let Some(init) = info.init.clone() {
            (init, info.scope)
        } else {
            let template = self.outer_template(variable)?;
            let (init, scope) = self.outer_initializer(variable, template)?;
            (init?, scope)
        };
        let known = self.in_scope(scope, |sema| sema.known_value(ty, Some(&init), false, None));
        self.variables[variable].known = known;
        known
    }

    /// The class template that defines a static member of one of its instances outside of it, and
    /// the class of the member.
    fn outer_template(&self, variable: VariableIndex) -> Option<(TemplateIndex, RecordId)> {
        let info = &self.variables[variable];
        let record = self.scopes.class(info.scope)?;
        let (home, _) = self.home_of(record)?;
        let (template, _) = self.records[home].template.as_ref()?;
        (info.init.is_none() && !info.is_inline && !info.is_specialized).then_some((*template, record))
    }

    /// The initializer of such a member and its scope, if a definition is known.
    fn outer_initializer(
        &mut self,
        variable: VariableIndex,
        (template, record): (TemplateIndex, RecordId),
    ) -> Option<(Option<Rc<Initializer>>, ScopeId)> {
        let (name, scope) = (self.variables[variable].name, self.variables[variable].scope);
        let statics = self.templates[template].statics.clone();
        statics.into_iter().filter(|one| one.name == name).find_map(|one| {
            let scope = self.bind_outer(scope, record, (&one.class, &one.parameters))?;
            Some((one.init, scope))
        })
    }

    /// Finds the initializer of a static member of an instance of a class template.
    fn find_outer_initializer(&mut self, variable: VariableIndex) {
        let Some(template) = self.outer_template(variable) else { return };
        let found = self.outer_initializer(variable, template);
        let info = &mut self.variables[variable];
        match found {
            Some((init, scope)) => (info.init, info.scope) = (init, scope),
            // Another file defines it.
            None => info.is_extern |= info.storage == Some(Storage::Host),
        }
    }

    /// What a texture or surface reference reads, if the type is one.
    fn texture_of(&self, ty: Qual) -> Option<Texture> {
        let record = self.types.record(ty.ty)?;
        let info = &self.records[record];
        let (template, arguments) = info.template.clone()?;
        let decl = &self.templates[template].decl;
        let name = decl.name.filter(|_| self.is_builtin(decl.span)).map(|name| self.text(name.symbol));
        let is_surface = match name {
            Some("texture") => false,
            Some("surface") => true,
            _ => return None,
        };
        let element = match arguments.first() {
            Some(TemplateValue::Type(ty)) => ty.ty,
            _ => return None,
        };
        let value = |at: usize| match arguments.get(at) {
            Some(TemplateValue::Value(value, _)) => *value,
            _ => 1,
        };
        Some(Texture { element, dimensions: value(1), normalized: value(2) == 1 && !is_surface, is_surface })
    }
}
