//! Virtual functions of host code ([class.virtual]).
//!
//! The first member of the first class with a virtual function is a pointer to the table of the
//! object's class: what `dynamic_cast` knows of it, then the functions. A class keeps the order of
//! its base class.

use super::Sema;
use super::declare::same_parameters;
use super::scope::FunctionIndex;
use super::types::{CType, CTypes, Qual, RecordId, Signature, TypeKind};
use super::value::{FieldInfo, FunctionName, Res, Value, ValueKind};
use crate::diagnostics::Diagnostic;
use crate::hir::{self, ExprKind as Hir, Linkage, LocalKind, PlaceKind, Stmt};
use crate::source::Span;
use crate::syntax::ast::{DeclKind, RecordDecl};

impl Sema<'_> {
    /// Adds the pointer to the table to a class that declares the first virtual functions.
    pub(super) fn pointer_to_table(&mut self, id: RecordId, decl: &RecordDecl) -> Res<()> {
        let base = self.records[id].base;
        if base.is_some_and(|base| !self.records[base].slots.is_empty()) {
            return Ok(());
        }
        let first = decl.members.iter().flatten().find(|member| match &member.decl.kind {
            DeclKind::Function(function) => function.specifiers.flags.is_virtual,
            _ => false,
        });
        let Some(first) = first else { return Ok(()) };
        let span = first.decl.span;
        if base.is_some() {
            let construct = "a virtual function in a class whose base class has none";
            return self.unsupported(span, construct);
        }
        let ty = Qual::plain(self.types.pointer(Qual::plain(CTypes::VOID)));
        self.records[id].fields.push(FieldInfo {
            name: None,
            ty,
            init: None,
            bits: None,
            is_mutable: false,
            packed: false,
            align: 1,
            span,
        });
        Ok(())
    }

    /// Finds the virtual functions of a class.
    pub(super) fn virtual_functions(&mut self, id: RecordId, decl: &RecordDecl) -> Res<()> {
        let base = self.records[id].base;
        let mut slots = base.map_or_else(Vec::new, |base| self.records[base].slots.clone());
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
            let known = slots.iter().position(is_same);
            let overrides = info.decl.declarator.function().is_some_and(|chunk| chunk.overrides);
            match known {
                Some(known) => {
                    self.check_final(slots[known], function)?;
                    slots[known] = Some(function);
                }
                None if overrides => {
                    let (span, name) = (info.span, self.function_name(function));
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

    /// Refuses a function that overrides one with `final`.
    fn check_final(&mut self, overridden: Option<FunctionIndex>, function: FunctionIndex) -> Res<()> {
        let Some(overridden) = overridden else { return Ok(()) };
        let info = &self.functions[overridden];
        if !info.decl.declarator.function().is_some_and(|chunk| chunk.is_final) {
            return Ok(());
        }
        let (declared, span, name) =
            (info.span, self.functions[function].span, self.function_name(overridden));
        let error = Diagnostic::error("final", span, format!("`{name}` is `final`: no class overrides it"));
        self.fail(error.at(declared, "declared here"))
    }

    /// Whether a member is the pointer to the table.
    pub(super) fn is_pointer_to_table(&self, record: RecordId, at: u32) -> bool {
        let info = &self.records[record];
        at == 0 && info.base.is_none() && !info.slots.is_empty()
    }

    /// Whether a member is a base class that has the pointer to the table.
    pub(super) fn is_base_with_table(&self, record: RecordId, at: u32) -> bool {
        let base = self.records[record].base;
        at == 0 && base.is_some_and(|base| !self.records[base].slots.is_empty())
    }

    /// Gives an object the table of a class.
    pub(super) fn store_table(
        &mut self,
        object: &Value,
        record: RecordId,
        span: Span,
        out: &mut Vec<hir::Expr>,
    ) -> Res<()> {
        if self.rules.has_device_code {
            return self.unsupported(span, "an object with virtual functions");
        }
        let table = self.table(record, span)?;
        let void = Qual::plain(CTypes::VOID);
        let place = self.make_place(PlaceKind::Global(table), void, span)?;
        let pointer = self.types.pointer(void);
        let address = self.make(Hir::AddressOf(Box::new(place)), pointer, span)?;
        let mut member = object.clone();
        let mut at = Some(record);
        while let Some(class) = at {
            member = self.field_at(member, 0, span)?;
            at = self.records[class].base;
        }
        member.ty.quals.is_const = false;
        self.store(member, address, out)
    }

    /// The statement of [`Self::store_table`].
    pub(super) fn set_table(
        &mut self,
        object: &Value,
        record: RecordId,
        span: Span,
        out: &mut Vec<Stmt>,
    ) -> Res<()> {
        let mut parts = Vec::new();
        self.store_table(object, record, span, &mut parts)?;
        super::special::push_expressions(parts, out);
        Ok(())
    }

    /// The table of a class.
    fn table(&mut self, record: RecordId, span: Span) -> Res<hir::GlobalId> {
        if let Some(known) = self.records[record].table {
            return Ok(known);
        }
        let slots = self.records[record].slots.clone();
        let id = self.class_global(record, "the table of the virtual functions of", "TV", slots.len() + 1);
        // A constructor that the table names may need the table.
        self.records[record].table = Some(id);
        let ty = self.types.intern(TypeKind::Record(record));
        let mut code = Vec::new();
        for (at, slot) in slots.iter().enumerate() {
            let function = match slot {
                None => self.classes().destructor(ty),
                Some(function) => Some(*function),
            };
            let function = match function {
                Some(function) => self.instance(function, Vec::new(), span)?,
                None => self.prelude_function("__ws_nothing", Vec::new(), span)?,
            };
            code.push((8 * (at as u64 + 1), function));
        }
        let info = self.type_info(record);
        let bytes = vec![0; 8 * (slots.len() + 1)];
        self.globals[id].init = Some(hir::Initializer { bytes, addresses: vec![(0, info, 0)], code });
        Ok(id)
    }

    /// What `dynamic_cast` knows of a class: the same of its base class.
    fn type_info(&mut self, record: RecordId) -> hir::GlobalId {
        if let Some(known) = self.records[record].type_info {
            return known;
        }
        let id = self.class_global(record, "the type of", "TI", 1);
        let base = self.records[record].base.filter(|base| !self.records[*base].slots.is_empty());
        let addresses = base.map(|base| (0, self.type_info(base), 0)).into_iter().collect();
        self.globals[id].init = Some(hir::Initializer { bytes: vec![0; 8], addresses, code: Vec::new() });
        self.records[record].type_info = Some(id);
        id
    }

    fn class_global(&mut self, record: RecordId, what: &str, code: &str, words: usize) -> hir::GlobalId {
        let ty = self.types.intern(TypeKind::Record(record));
        let name = self.show_type(ty);
        let symbol = self.mangled_class(ty, code);
        let is_own = self.is_nameless(self.records[record].parent);
        let array = self.hir.intern(hir::Type::Array(hir::Types::U64, words as u64));
        self.globals.push(hir::Global {
            name: format!("{what} {name}"),
            symbol,
            ty: array,
            c_type: format!("unsigned long [{words}]"),
            storage: hir::Storage::Host,
            linkage: if is_own { Linkage::Internal } else { Linkage::Weak },
            is_dynamic: false,
            align: 8,
            init: None,
            visible: false,
            volatile: false,
            reference: None,
            span: self.records[record].span,
        })
    }

    /// The number of a virtual function in the table of an object whose class only the run of the
    /// program knows.
    pub(super) fn slot_of(&self, record: RecordId, function: FunctionIndex, object: &Value) -> Option<usize> {
        let ValueKind::Place(PlaceKind::Deref(_), _) = object.kind else { return None };
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
        let object = std::mem::replace(&mut values[0], again);
        let object = self.cast(object, this.ty)?;
        let object = self.make(Hir::Assign(Box::new(target), Box::new(object)), this.ty, span)?;
        let object = self.cast(object, pointer)?;
        let first = self.rvalue(Value::deref(object, Qual::plain(table), span))?;
        let first = self.expr(first)?;
        let at = self.make(Hir::Int(slot as i128 + 1), CTypes::INT, span)?;
        let entry = self.make(Hir::PointerAdd(Box::new(first), Box::new(at)), table, span)?;
        let function = self.rvalue(Value::deref(entry, Qual::plain(function), span))?;
        let function = self.expr(function)?;
        self.result(Hir::CallIndirect(Box::new(function), values), signature.result, span)
    }

    /// `dynamic_cast` of a pointer or a reference ([expr.dynamic.cast]).
    pub(super) fn dynamic_cast(&mut self, value: Value, to: Qual, span: Span) -> Res<Value> {
        let referent = self.types.referent(to.ty);
        let value = match referent {
            Some(_) => {
                let pointer = Qual::plain(self.types.pointer(value.ty));
                let address = self.address(value)?;
                Value::rvalue(address.kind, pointer.ty, span)
            }
            None => self.rvalue(value)?,
        };
        let from = self.types.pointee(value.ty.ty).and_then(|from| self.types.record(from.ty));
        let wanted = referent.or_else(|| self.types.pointee(to.ty));
        let wanted = wanted.and_then(|wanted| self.types.record(wanted.ty));
        let (Some(from), Some(wanted)) = (from, wanted) else {
            let message = "`dynamic_cast` needs a pointer or a reference to a class";
            return self.error("wrong-type", span, message);
        };
        for record in [from, wanted] {
            let ty = self.types.intern(TypeKind::Record(record));
            self.require_complete(ty, span)?;
        }
        let target = match referent {
            Some(referent) => Qual::plain(self.types.pointer(referent)),
            None => to.unqualified(),
        };
        if self.classes().derives(from, wanted) {
            let value = self.convert(value, target, "in the cast")?;
            return match referent {
                Some(referent) => Ok(Value::deref(value, referent, span)),
                None => Ok(Value::rvalue(value.kind, target.ty, span)),
            };
        }
        if self.records[from].slots.is_empty() {
            let name = self.records[from].name.clone();
            let message = format!("`dynamic_cast` needs a virtual function in `{name}`");
            return self.error("wrong-type", span, message);
        }
        let info = self.type_info(wanted);
        let void = Qual::plain(CTypes::VOID);
        let pointer = self.types.pointer(void);
        let place = self.make_place(PlaceKind::Global(info), void, span)?;
        let info = self.make(Hir::AddressOf(Box::new(place)), pointer, span)?;
        let object = self.expr(value)?;
        let object = self.cast(object, pointer)?;
        let name = if referent.is_some() { "__ws_dynamic_reference" } else { "__ws_dynamic_cast" };
        let function = self.prelude_function(name, Vec::new(), span)?;
        let call = self.make(Hir::Call(function, vec![object, info]), pointer, span)?;
        let call = self.cast(call, target.ty)?;
        Ok(match referent {
            Some(referent) => Value::deref(call, referent, span),
            None => Value::rvalue(call.kind, target.ty, span),
        })
    }

    /// Refuses an object of a class with a pure virtual function, and in device code with any.
    pub(super) fn refuse_abstract(&mut self, ty: CType, span: Span) -> Res<()> {
        let (element, _) = self.types.all_elements(ty);
        let Some(record) = self.types.record(element) else { return Ok(()) };
        if self.rules.has_device_code && !self.records[record].slots.is_empty() {
            return self.unsupported(span, "an object with virtual functions");
        }
        let pure = self.records[record].slots.iter().flatten().copied();
        let Some(function) = pure.into_iter().find(|one| self.functions[*one].decl.is_pure) else {
            return Ok(());
        };
        let (class, name) = (self.records[record].name.clone(), self.function_name(function));
        let declared = self.functions[function].span;
        let error = Diagnostic::error("abstract", span, format!("`{class}` is abstract: it has no objects"))
            .at(declared, format!("`{name}` is a pure virtual function"));
        self.fail(error)
    }

    /// Whether an exception has its text where `std::exception` has it.
    pub(super) fn has_text(&self, ty: CType) -> bool {
        let Some(record) = self.types.record(ty).filter(|_| self.classes().is_exception(ty)) else {
            return false;
        };
        let mut slots = self.records[record].slots.iter().flatten();
        slots.all(|function| self.functions[*function].class.is_some_and(|class| self.records[class].builtin))
    }
}
