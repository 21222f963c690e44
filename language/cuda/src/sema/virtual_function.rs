//! Virtual functions ([class.virtual]): which ones a class has, and calls of them.

use super::Sema;
use super::declare::same_parameters;
use super::scope::FunctionIndex;
use super::types::{CType, CTypes, Qual, RecordId, Signature, TypeKind};
use super::value::{FieldInfo, FunctionName, Res, Value, ValueKind};
use crate::diagnostics::Diagnostic;
use crate::hir::{self, ExprKind as Hir, LocalKind, PlaceKind};
use crate::source::Span;
use crate::syntax::ast::{DeclKind, FunctionBody, RecordDecl};

impl Sema<'_> {
    /// Adds the pointer to the table to a class that declares the first virtual functions.
    pub(super) fn pointer_to_table(&mut self, id: RecordId, decl: &RecordDecl) {
        if self.records[id].bases.iter().any(|base| !self.records[*base].slots.is_empty()) {
            return;
        }
        let first = decl.members.iter().flatten().find(|member| match &member.decl.kind {
            DeclKind::Function(function) => function.specifiers.flags.is_virtual,
            _ => false,
        });
        let Some(first) = first else { return };
        let span = first.decl.span;
        let ty = Qual::plain(self.types.pointer(Qual::plain(CTypes::VOID)));
        let field = FieldInfo {
            name: None,
            ty,
            init: None,
            bits: None,
            is_mutable: false,
            packed: false,
            align: 1,
            span,
        };
        self.records[id].fields.insert(0, field);
        self.records[id].first_base = 1;
    }

    /// Finds the virtual functions of a class.
    pub(super) fn virtual_functions(&mut self, id: RecordId, decl: &RecordDecl) -> Res<()> {
        let bases = &self.records[id].bases;
        let mut slots = bases.first().map_or_else(Vec::new, |base| self.records[*base].slots.clone());
        // What a function may override, too: the functions of the other base classes.
        let others = bases.iter().skip(1).flat_map(|base| self.records[*base].slots.clone());
        let others: Vec<Option<FunctionIndex>> = others.collect();
        if others.contains(&None) && !slots.contains(&None) {
            slots.push(None);
        }
        if slots.contains(&None) {
            self.check_memory_functions(id)?;
        }
        let is_marked = decl.members.iter().flatten().any(|member| match &member.decl.kind {
            DeclKind::Function(function) => {
                let chunk = function.declarator.function();
                function.specifiers.flags.is_virtual || chunk.is_some_and(|chunk| chunk.overrides)
            }
            _ => false,
        });
        if slots.is_empty() && !is_marked {
            return Ok(());
        }
        let own = |function: &FunctionIndex| {
            let info = &self.functions[*function];
            info.class == Some(id) && !info.is_static && info.template.is_none()
        };
        let own: Vec<FunctionIndex> = self.functions.ids().filter(own).collect();
        for function in own {
            let info = &self.functions[function];
            let is_virtual = info.decl.specifiers.flags.is_virtual;
            if info.name == FunctionName::Destructor {
                if is_virtual && !slots.contains(&None) {
                    slots.push(None);
                }
                let overridden = self.records[id].bases.iter().filter_map(|base| {
                    let base = &self.records[*base];
                    base.destructor.filter(|_| base.slots.contains(&None))
                });
                for overridden in overridden.collect::<Vec<_>>() {
                    self.check_half(overridden, function)?;
                }
                continue;
            }
            let is_same = |other: &Option<FunctionIndex>| {
                let Some(other) = other.map(|other| &self.functions[other]) else { return false };
                let same = info.signature.as_ref().zip(other.signature.as_ref());
                info.name == other.name
                    && info.is_const == other.is_const
                    && same.is_some_and(|(one, other)| same_parameters(one, other))
            };
            if info.name == FunctionName::Constructor {
                continue;
            }
            let known = slots.iter().rposition(is_same);
            let overrides = info.decl.declarator.function().is_some_and(|chunk| chunk.overrides);
            let other = others.iter().copied().find(|other| is_same(other));
            if let Some(other) = other.flatten() {
                self.check_overriding(other, function)?;
            }
            match known {
                Some(known) => {
                    if let Some(overridden) = slots[known] {
                        self.check_overriding(overridden, function)?;
                    }
                    // With the result at another place, it needs another entry.
                    let distance = match slots[known] {
                        Some(other) => self.result_distance(function, other, Some(id))?,
                        None => 0,
                    };
                    if distance == 0 {
                        slots[known] = Some(function);
                    } else {
                        slots.push(Some(function));
                    }
                }
                None if other.is_some() => slots.push(Some(function)),
                None if overrides => {
                    let (span, name) = (self.functions[function].span, self.function_name(function));
                    let message = format!("`{name}` overrides no virtual function of a base class");
                    return self.fail(
                        Diagnostic::error("override", span, message)
                            .help("parameters and `const` must be those of the base class"),
                    );
                }
                None if is_virtual => slots.push(Some(function)),
                None => {}
            }
        }
        self.records[id].slots = slots;
        Ok(())
    }

    /// Refuses a function that overrides one with `final`, or one that more code can call.
    fn check_overriding(&mut self, overridden: FunctionIndex, function: FunctionIndex) -> Res<()> {
        let info = &self.functions[overridden];
        if !info.decl.declarator.function().is_some_and(|chunk| chunk.is_final) {
            return self.check_half(overridden, function);
        }
        let (declared, span, name) =
            (info.span, self.functions[function].span, self.function_name(overridden));
        let error = Diagnostic::error("final", span, format!("`{name}` is `final`: no class overrides it"));
        self.fail(error.at(declared, "declared here"))
    }

    /// Refuses a function that this half of the program cannot call, unlike the one it overrides.
    fn check_half(&mut self, overridden: FunctionIndex, function: FunctionIndex) -> Res<()> {
        let (base, own) = (&self.functions[overridden], &self.functions[function]);
        let is_defaulted = |body: &FunctionBody| matches!(body, FunctionBody::Defaulted);
        if own.device || !base.device || is_defaulted(&base.decl.body) || is_defaulted(&own.decl.body) {
            return Ok(());
        }
        let (declared, span) = (base.span, own.span);
        let names = (self.function_name(function), self.function_name(overridden));
        let half = if self.rules.has_device_code { "__device__" } else { "__host__" };
        let message = format!("`{}` lacks the `{half}` of `{}`, which it overrides", names.0, names.1);
        let error = Diagnostic::error("override", span, message).at(declared, "declared here");
        self.fail(error.help("declare both with the same `__host__` and `__device__`"))
    }

    /// Whether a member is the pointer to the table.
    pub(super) fn is_pointer_to_table(&self, record: RecordId, at: u32) -> bool {
        at == 0 && self.records[record].has_own_pointer()
    }

    /// Whether one virtual function overrides another one of a base class.
    pub(super) fn is_same_function(&self, one: FunctionIndex, other: FunctionIndex) -> bool {
        let (one, other) = (&self.functions[one], &self.functions[other]);
        let same = one.signature.as_ref().zip(other.signature.as_ref());
        one.name == other.name
            && one.is_const == other.is_const
            && same.is_some_and(|(one, other)| same_parameters(one, other))
    }

    /// The number of a virtual function in the table of an object whose class only the run of the
    /// program knows.
    pub(super) fn slot_of(&self, record: RecordId, function: FunctionIndex, object: &Value) -> Option<usize> {
        let ValueKind::Place(PlaceKind::Deref(_), _) = object.kind else { return None };
        // No class overrides a function that is `final`, or one of a class that is.
        let own = self.types.record(object.ty.ty).and_then(|own| self.records[own].decl.as_ref());
        let chunk = self.functions[function].decl.declarator.function();
        if own.is_some_and(|own| own.is_final) || chunk.is_some_and(|chunk| chunk.is_final) {
            return None;
        }
        let is_destructor = self.functions[function].name == FunctionName::Destructor;
        let wanted = (!is_destructor).then_some(function);
        self.records[record].slots.iter().position(|slot| *slot == wanted)
    }

    /// Calls a virtual function; the first value is the address of the object.
    pub(super) fn virtual_call(
        &mut self,
        record: RecordId,
        slot: usize,
        mut values: Vec<hir::Expr>,
        signature: &Signature,
        span: Span,
    ) -> Res<Value> {
        let class = self.types.intern(TypeKind::Record(record));
        let this = Qual::plain(self.types.pointer(Qual::plain(class)));
        let mut own = signature.clone();
        own.parameters.insert(0, this);
        let function = self.types.intern(TypeKind::Function(own));
        let function = self.types.pointer(Qual::plain(function));
        let table = self.types.pointer(Qual::plain(function));
        let pointer = self.types.pointer(Qual::plain(table));
        let local = self.new_local(String::new(), this, LocalKind::Temporary, span)?;
        let address = self.read_local(local, this, span);
        let ValueKind::Place(kind, _) = address.kind.clone() else { return Err(super::Failed) };
        let target = self.make_place(kind, this, span)?;
        let again = self.rvalue(address)?;
        let again = self.expr(again)?;
        let object = std::mem::replace(&mut values[0], again.clone());
        let object = self.cast(object, this.ty)?;
        let object = self.make(Hir::Assign(Box::new(target), Box::new(object)), this.ty, span)?;
        let object = self.cast(object, pointer)?;
        let first = self.rvalue(Value::deref(object, Qual::plain(table), span))?;
        let first = self.expr(first)?;
        let (word, distance) = self.words_of_slot(slot);
        let at = self.make(Hir::Int(word as i128), CTypes::INT, span)?;
        let entry = self.make(Hir::PointerAdd(Box::new(first), Box::new(at)), table, span)?;
        let function = self.rvalue(Value::deref(entry, Qual::plain(function), span))?;
        let function = self.expr(function)?;
        values[0] = match distance {
            Some(word) => self.moved_by_table(again, word, this.ty)?,
            None => again,
        };
        self.result(Hir::CallIndirect(Box::new(function), values), signature.result, span)
    }

    /// The address of the object that a virtual function takes; `word` of the table is its distance
    /// from the part that is called.
    fn moved_by_table(&mut self, object: hir::Expr, word: usize, this: CType) -> Res<hir::Expr> {
        let span = object.span;
        let distance = Qual::plain(self.types.difference_type);
        let table = self.types.pointer(distance);
        let pointer = self.types.pointer(Qual::plain(table));
        let first = self.cast(object.clone(), pointer)?;
        let first = self.rvalue(Value::deref(first, Qual::plain(table), span))?;
        let first = self.expr(first)?;
        let at = self.make(Hir::Int(word as i128), CTypes::INT, span)?;
        let entry = self.make(Hir::PointerAdd(Box::new(first), Box::new(at)), table, span)?;
        let distance = self.rvalue(Value::deref(entry, distance, span))?;
        let distance = self.expr(distance)?;
        let bytes = self.types.pointer(Qual::plain(CTypes::CHAR));
        let object = self.cast(object, bytes)?;
        let moved = self.make(Hir::PointerAdd(Box::new(object), Box::new(distance)), bytes, span)?;
        self.cast(moved, this)
    }

    /// A pure virtual function of a class.
    pub(super) fn pure_function(&self, record: RecordId) -> Option<FunctionIndex> {
        // The tables of a class that is incomplete have no places, but their functions are known.
        let parts = self.table_parts(record);
        let mut called = parts.iter().flat_map(|part| {
            let slots = part.classes.last().map(|(class, _)| &self.records[*class].slots);
            slots.into_iter().flatten().filter_map(|slot| self.overrider(part, *slot).0)
        });
        called.find(|one| self.functions[*one].decl.is_pure)
    }

    /// Refuses an object of a class with a pure virtual function.
    pub(super) fn refuse_abstract(&mut self, ty: CType, span: Span) -> Res<()> {
        let (element, _) = self.types.all_elements(ty);
        let Some(record) = self.types.record(element) else { return Ok(()) };
        let Some(function) = self.pure_function(record) else { return Ok(()) };
        let (class, name) = (self.records[record].name.clone(), self.function_name(function));
        let declared = self.functions[function].span;
        let error = Diagnostic::error("abstract", span, format!("`{class}` is abstract: it has no objects"))
            .at(declared, format!("`{name}` is a pure virtual function"));
        self.fail(error)
    }
}
