//! Variables outside functions, static and shared variables, references and `auto`.

use std::rc::Rc;

use super::Sema;
use super::scope::{Constant, Entity, VariableIndex};
use super::types::{CTypes, Kind, Qual};
use super::value::{Res, Texture, Value, ValueKind, VariableInfo};
use crate::diagnostics::Diagnostic;
use crate::hir::{self, ExprKind as Hir, LocalId, LocalKind, PlaceKind, Stmt, StmtKind, Storage};
use crate::lex::Symbol;
use crate::source::Span;
use crate::syntax::ast::{Declarator, DeclaratorName, InitDeclarator, Initializer, Name, Specifiers};

/// Bytes that one initialized variable may have.
const MAX_INITIALIZED: u64 = 64 << 20;

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
        let texture = self.texture_of(ty);
        let storage = match texture {
            Some(texture) if texture.is_surface => Some(Storage::Surface),
            Some(_) => Some(Storage::Texture),
            None if flags.constant => Some(Storage::Constant),
            None if flags.shared && flags.is_extern => Some(Storage::SharedDynamic),
            None if flags.shared => Some(Storage::Shared),
            None if flags.device || flags.managed => Some(Storage::Device),
            None => None,
        };
        if flags.managed {
            return self.unsupported(span, "`__managed__` memory, which exists from sm_30 on,");
        }
        if let (Some(_), false) = (storage, texture.is_some()) {
            self.require_complete(ty.ty, span)?;
            self.check_storage(specifiers, one, ty, name.symbol)?;
        }
        let known = self.known_value(ty, one.init.as_ref(), flags.is_constexpr, storage);
        let align = self.alignment_of(specifiers)?;
        let index = VariableIndex(self.variables.len() as u32);
        let info = VariableInfo {
            name: name.symbol,
            ty,
            storage,
            init: one.init.clone().map(Rc::new),
            scope,
            known,
            global: None,
            texture,
            align,
            is_extern: flags.is_extern && storage != Some(Storage::SharedDynamic),
            is_static: flags.is_static,
            order: self.order,
            span,
        };
        if let Some(Entity::Variable(first)) = self.scopes.get(scope).names.get(&name.symbol) {
            let first = *first;
            let old = &self.variables[first.0 as usize];
            let (was_extern, old_span, had_storage) = (old.is_extern, old.span, old.storage.is_some());
            if was_extern || info.is_extern || !had_storage || storage.is_none() {
                if !info.is_extern || was_extern {
                    self.variables[first.0 as usize] = info;
                }
                return Ok(());
            }
            let text = self.text(name.symbol).to_owned();
            let error = Diagnostic::error("redefinition", span, format!("`{text}` is defined twice"))
                .at(old_span, "first definition");
            return self.fail(error);
        }
        self.variables.push(info);
        self.scopes.get_mut(scope).names.insert(name.symbol, Entity::Variable(index));
        Ok(())
    }

    /// The value of a constant variable.
    fn known_value(
        &mut self,
        ty: Qual,
        init: Option<&Initializer>,
        is_constexpr: bool,
        storage: Option<Storage>,
    ) -> Option<Constant> {
        let is_const = ty.quals.is_const || is_constexpr;
        if !is_const || storage.is_some() || !(self.types.is_arithmetic(ty.ty) || self.types.is_enum(ty.ty)) {
            return None;
        }
        let expr = match init? {
            Initializer::Value(expr) | Initializer::List(expr) => expr,
            Initializer::Arguments(list, _) => list.first()?,
        };
        let mark = self.out.mark();
        let value = self
            .value_of_list(expr, ty.unqualified())
            .and_then(|value| self.convert(value, ty.unqualified(), ""));
        self.out.truncate(mark);
        match value.ok()?.kind {
            Hir::Int(int) => Some(Constant::Int(int)),
            Hir::Float(float) => Some(Constant::Float(float)),
            _ => None,
        }
    }

    fn check_storage(
        &mut self,
        specifiers: &Specifiers,
        one: &InitDeclarator,
        ty: Qual,
        name: Symbol,
    ) -> Res<()> {
        let flags = specifiers.flags;
        let span = one.declarator.span;
        let text = self.text(name).to_owned();
        if flags.shared && one.init.is_some() {
            let error = Diagnostic::error(
                "shared-initializer",
                span,
                format!("`__shared__ {text}` cannot have an initializer"),
            )
            .note("shared memory is undefined when a block starts")
            .help("let one thread store the value, then call `__syncthreads()`");
            return self.fail(error);
        }
        if self.types.referent(ty.ty).is_some() {
            return self.unsupported(span, "a reference in device memory");
        }
        if flags.shared && self.needs_construction(ty.ty) {
            let shown = self.show(ty);
            let error = Diagnostic::error(
                "shared-initializer",
                span,
                format!("`{shown}` has a constructor, which `__shared__` cannot call"),
            );
            return self.fail(error);
        }
        if let Some((_, None)) = self.types.array(ty.ty)
            && !flags.is_extern
        {
            let mut error = Diagnostic::error("array-length", span, format!("array `{text}` needs a length"));
            if flags.shared {
                error = error.help("write `extern __shared__` if the launch gives the size");
            }
            return self.fail(error);
        }
        Ok(())
    }

    fn alignment_of(&mut self, specifiers: &Specifiers) -> Res<u64> {
        let Some(align) = &specifiers.align else { return Ok(1) };
        let (value, _) = self.constant_int(align, "an alignment")?;
        if !(1..=1 << 16).contains(&value) || !(value as u64).is_power_of_two() {
            return self.error(
                "alignment",
                align.span,
                format!("an alignment must be a power of two, not {value}"),
            );
        }
        Ok(value as u64)
    }

    pub(super) fn raise_alignment(&mut self, specifiers: &Specifiers, local: LocalId) -> Res<()> {
        let align = self.alignment_of(specifiers)?;
        if let Some(function) = &mut self.function {
            let local = &mut function.locals[local.0 as usize];
            local.align = local.align.max(align);
        }
        Ok(())
    }

    /// The variable in the typed program.
    pub(super) fn global_of(&mut self, variable: VariableIndex) -> Res<hir::GlobalId> {
        let info = &self.variables[variable.0 as usize];
        if let Some(known) = info.global {
            return Ok(known);
        }
        let Some(storage) = info.storage else { return Err(super::Failed) };
        let (ty, span, scope, align) = (info.ty, info.span, info.scope, info.align);
        let (name, init, is_static) = (info.name, info.init.clone(), info.is_static);
        let is_texture = info.texture.is_some();
        let hir_ty = if is_texture { hir::Types::VOID } else { self.hir_type(ty.ty, span)? };
        let id = hir::GlobalId(self.globals.len() as u32);
        let text = self.text(name).to_owned();
        let symbol = self.mangled_variable(name, scope);
        let natural = if is_texture { 1 } else { self.hir.align(hir_ty) };
        let c_type = self.show(ty);
        self.globals.push(hir::Global {
            name: text,
            symbol,
            ty: hir_ty,
            c_type,
            storage,
            align: natural.max(align),
            init: None,
            visible: !is_static && !matches!(storage, Storage::Shared | Storage::SharedDynamic),
            volatile: ty.quals.is_volatile,
            span,
        });
        self.variables[variable.0 as usize].global = Some(id);
        if !is_texture && !matches!(storage, Storage::Shared | Storage::SharedDynamic) {
            let init = self.in_scope(scope, |sema| sema.static_initializer(id, ty, init.as_deref(), span))?;
            self.globals[id.0 as usize].init = init;
        }
        Ok(id)
    }

    /// The bytes of an initialized variable in memory.
    fn static_initializer(
        &mut self,
        id: hir::GlobalId,
        ty: Qual,
        init: Option<&Initializer>,
        span: Span,
    ) -> Res<Option<hir::Initializer>> {
        let mut parts = Vec::new();
        let function = self.function.take();
        let place = Value { kind: ValueKind::Place(PlaceKind::Global(id), None), ty: ty.unqualified(), span };
        let result = match init {
            Some(init) => self.initialize(&place, init, &mut parts),
            None => self.construct_default(&place, &mut parts),
        };
        self.function = function;
        result?;
        if parts.is_empty() {
            return Ok(None);
        }
        let hir_ty = self.hir_type(ty.ty, span)?;
        let size = self.hir.size(hir_ty);
        if size > MAX_INITIALIZED {
            return self.error("limit", span, "the initialized variable is too large");
        }
        let mut made = hir::Initializer { bytes: vec![0; size as usize], addresses: Vec::new() };
        for part in parts {
            let at = part.span;
            let Hir::Assign(place, value) = part.kind else { return self.not_constant(at) };
            let Some(offset) = self.offset_of(&place) else { return self.not_constant(at) };
            if !self.write(&mut made, offset, &value) {
                return self.not_constant(value.span);
            }
        }
        Ok(Some(made))
    }

    fn not_constant<T>(&mut self, span: Span) -> Res<T> {
        let error = Diagnostic::error(
            "not-constant",
            span,
            "the initializer of a variable in device memory must be constant",
        )
        .help("store the value in a kernel, or from the host with `cudaMemcpyToSymbol`");
        self.fail(error)
    }

    /// Offset of a place inside its variable.
    fn offset_of(&self, place: &hir::Place) -> Option<u64> {
        match &place.kind {
            PlaceKind::Global(_) => Some(0),
            PlaceKind::Field(inner, at) => {
                let layout = self.hir.as_struct(inner.ty)?;
                Some(self.offset_of(inner)? + layout.fields.get(*at as usize)?.offset)
            }
            PlaceKind::Index(inner, index) => {
                let Hir::Int(index) = index.kind else { return None };
                Some(self.offset_of(inner)? + self.hir.size(place.ty) * index as u64)
            }
            _ => None,
        }
    }

    /// Writes a constant into the bytes of a variable.
    fn write(&self, made: &mut hir::Initializer, offset: u64, value: &hir::Expr) -> bool {
        let at = offset as usize;
        let size = self.hir.size(value.ty) as usize;
        let Some(bytes) = made.bytes.get_mut(at..at + size) else { return false };
        match &value.kind {
            Hir::Int(int) => bytes.copy_from_slice(&int.to_le_bytes()[..size]),
            Hir::Float(float) if size == 4 => bytes.copy_from_slice(&(*float as f32).to_le_bytes()),
            Hir::Float(float) => bytes.copy_from_slice(&float.to_le_bytes()),
            Hir::Zero => bytes.fill(0),
            Hir::Aggregate(parts) => {
                for (part, field) in parts.iter().enumerate() {
                    let Some(layout) = self.hir.as_struct(value.ty) else { return false };
                    let Some(inner) = layout.fields.get(part) else { return false };
                    if !self.write(made, offset + inner.offset, field) {
                        return false;
                    }
                }
            }
            Hir::AddressOf(place) => {
                let Some(global) = super::operators::root_global(&place.kind) else { return false };
                let Some(inside) = self.offset_of(place) else { return false };
                made.addresses.push((offset, global, inside as i64));
            }
            Hir::Cast(inner) if self.hir.size(inner.ty) as usize == size => {
                return self.write(made, offset, inner);
            }
            _ => return false,
        }
        true
    }

    /// A static member of a class, or another variable that is found by a qualified name.
    pub(super) fn static_value(&mut self, variable: VariableIndex, span: Span) -> Res<Value> {
        let info = &self.variables[variable.0 as usize];
        let ty = info.ty;
        if info.storage.is_none() {
            if let Some(value) = self.constant_array(variable, span)? {
                return Ok(value);
            }
            let name = self.variables[variable.0 as usize].name;
            let text = self.text(name).to_owned();
            return self.error(
                "host-variable",
                span,
                format!("device code cannot use host variable `{text}`"),
            );
        }
        let global = self.global_of(variable)?;
        Ok(Value { kind: ValueKind::Place(PlaceKind::Global(global), None), ty, span })
    }

    /// A `constexpr` array of the host: device code reads a copy of it.
    pub(super) fn constant_array(&mut self, variable: VariableIndex, span: Span) -> Res<Option<Value>> {
        let info = &self.variables[variable.0 as usize];
        let (ty, init) = (info.ty, info.init.clone());
        let is_array = self.types.array(ty.ty).is_some();
        if !is_array || !ty.quals.is_const || init.is_none() || self.function.is_none() {
            return Ok(None);
        }
        self.variables[variable.0 as usize].storage = Some(Storage::Device);
        self.variables[variable.0 as usize].is_static = true;
        let global = self.global_of(variable)?;
        Ok(Some(Value { kind: ValueKind::Place(PlaceKind::Global(global), None), ty, span }))
    }

    /// A static or shared variable of a function.
    pub(super) fn static_local(
        &mut self,
        specifiers: &Specifiers,
        one: &InitDeclarator,
        ty: Qual,
        name: Symbol,
    ) -> Res<()> {
        let flags = specifiers.flags;
        let span = one.declarator.span;
        let scope = self.scope;
        let storage = if flags.shared && flags.is_extern {
            Storage::SharedDynamic
        } else if flags.shared {
            Storage::Shared
        } else if flags.constant {
            Storage::Constant
        } else {
            Storage::Device
        };
        if flags.is_extern && !flags.shared {
            return self.unsupported(span, "an `extern` variable in a function");
        }
        self.require_complete(ty.ty, span)?;
        self.check_storage(specifiers, one, ty, name)?;
        if storage == Storage::Device && ty.quals.is_const && self.types.is_arithmetic(ty.ty) {
            let known = self.known_value(ty, one.init.as_ref(), flags.is_constexpr, None);
            if let Some(known) = known {
                self.scopes.get_mut(scope).names.insert(name, Entity::Constant(known, ty.ty));
                return Ok(());
            }
        }
        let align = self.alignment_of(specifiers)?;
        let hir_ty = self.hir_type(ty.ty, span)?;
        let text = self.text(name).to_owned();
        let symbol = self.mangled_local(name, storage);
        let id = hir::GlobalId(self.globals.len() as u32);
        let c_type = self.show(ty);
        self.globals.push(hir::Global {
            name: text,
            symbol,
            ty: hir_ty,
            c_type,
            storage,
            align: self.hir.align(hir_ty).max(align),
            init: None,
            visible: false,
            volatile: ty.quals.is_volatile,
            span,
        });
        self.scopes.get_mut(scope).names.insert(name, Entity::Static(id, ty));
        if matches!(storage, Storage::Device | Storage::Constant) {
            let init = self.static_initializer(id, ty, one.init.as_ref(), span)?;
            self.globals[id.0 as usize].init = init;
        }
        Ok(())
    }

    /// Whether a type is `auto` behind pointers or a reference.
    pub(super) fn contains_auto(&self, ty: Qual) -> bool {
        match self.types.kind(ty.ty) {
            Kind::Auto => true,
            Kind::Pointer(to) | Kind::Reference(to) | Kind::RvalueReference(to) => self.contains_auto(*to),
            _ => false,
        }
    }

    /// `auto x = value`, `auto &x = value`.
    pub(super) fn auto_variable(
        &mut self,
        name: Symbol,
        ty: Qual,
        value: Value,
        span: Span,
        out: &mut Vec<Stmt>,
    ) -> Res<()> {
        match *self.types.kind(ty.ty) {
            Kind::Reference(to) => {
                let to = value.ty.with(to.quals);
                let reference = Qual::plain(self.types.intern(Kind::Reference(to)));
                self.reference_variable(name, reference, value, span, out)
            }
            Kind::RvalueReference(_) => {
                let to = value.ty;
                let reference = Qual::plain(self.types.intern(Kind::Reference(to)));
                let value = self.as_place(value)?;
                self.reference_variable(name, reference, value, span, out)
            }
            _ => {
                let value = self.rvalue(value)?;
                if value.ty.ty == CTypes::VOID {
                    return self.error("wrong-type", span, "a variable cannot have type `void`");
                }
                let quals = ty.quals;
                let own = value.ty.with(quals);
                let text = self.text(name).to_owned();
                let init = self.expr(value)?;
                let local = self.new_local(text, own, LocalKind::Variable, span)?;
                self.declare_local(name, local, own, span)?;
                let known = match init.kind {
                    Hir::Int(int) => Some(Constant::Int(int)),
                    Hir::Float(float) => Some(Constant::Float(float)),
                    _ => None,
                };
                let scope = self.scope;
                if quals.is_const
                    && let Some(Entity::Local(info)) = self.scopes.get_mut(scope).names.get_mut(&name)
                {
                    info.known = known;
                }
                out.push(Stmt { kind: StmtKind::Declare { local, init: Some(init) }, span });
                Ok(())
            }
        }
    }

    /// `T &x = value`: a pointer to the object.
    pub(super) fn reference_variable(
        &mut self,
        name: Symbol,
        ty: Qual,
        value: Value,
        span: Span,
        out: &mut Vec<Stmt>,
    ) -> Res<()> {
        let init = self.convert(value, ty, "in the initialization")?;
        let text = self.text(name).to_owned();
        let local = self.new_local(text, ty, LocalKind::Variable, span)?;
        self.declare_local(name, local, ty, span)?;
        out.push(Stmt { kind: StmtKind::Declare { local, init: Some(init) }, span });
        Ok(())
    }

    /// The variable of a range-based `for`.
    pub(super) fn declare_variable_from(
        &mut self,
        specifiers: &Specifiers,
        declarator: &Declarator,
        value: Value,
        out: &mut Vec<Stmt>,
    ) -> Res<()> {
        let DeclaratorName::Plain(name) = declarator.name else {
            return self.error("syntax", declarator.span, "expected a variable");
        };
        let base = self.specifiers(specifiers)?;
        let ty = self.declarator(base, &declarator.chunks, declarator.span)?;
        if self.contains_auto(ty) {
            return self.auto_variable(name.symbol, ty, value, declarator.span, out);
        }
        if self.types.referent(ty.ty).is_some() {
            return self.reference_variable(name.symbol, ty, value, declarator.span, out);
        }
        let init = self.convert(value, ty.unqualified(), "in the loop")?;
        let text = self.text(name.symbol).to_owned();
        let local = self.new_local(text, ty, LocalKind::Variable, declarator.span)?;
        self.declare_local(name.symbol, local, ty, declarator.span)?;
        out.push(Stmt { kind: StmtKind::Declare { local, init: Some(init) }, span: declarator.span });
        Ok(())
    }

    /// Refuses variables whose destructor does something.
    pub(super) fn check_destructor(&mut self, ty: Qual, span: Span) -> Res<()> {
        let ty = self.types.array(ty.ty).map_or(ty.ty, |(element, _)| element.ty);
        match self.types.record(ty) {
            Some(id) if self.records[id.0 as usize].has_destructor => {
                self.unsupported(span, "a variable with a destructor")
            }
            _ => Ok(()),
        }
    }

    /// What a texture or surface reference reads, if the type is one.
    fn texture_of(&self, ty: Qual) -> Option<Texture> {
        let record = self.types.record(ty.ty)?;
        let info = &self.records[record.0 as usize];
        let (template, arguments) = info.template.clone()?;
        let decl = &self.templates[template.0 as usize].decl;
        let name = decl.name.filter(|_| self.is_builtin(decl.span)).map(|name| self.text(name.symbol));
        let is_surface = match name {
            Some("texture") => false,
            Some("surface") => true,
            _ => return None,
        };
        let element = match arguments.first() {
            Some(super::value::TemplateValue::Type(ty)) => ty.ty,
            _ => return None,
        };
        let value = |at: usize| match arguments.get(at) {
            Some(super::value::TemplateValue::Value(value, _)) => *value,
            _ => 1,
        };
        Some(Texture { element, dimensions: value(1), normalized: value(2) == 1 && !is_surface, is_surface })
    }
}
