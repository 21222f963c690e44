//! Special member functions of host code: destructors, and copies that the class does not define.

use std::rc::Rc;

use super::Sema;
use super::overload::Argument;
use super::scope::FunctionIndex;
use super::types::{CTypes, Qual, RecordId, Signature, TypeKind};
use super::value::{FunctionInfo, FunctionName, Res, TemplateValue, Value, ValueKind};
use crate::hir::{self, ExprKind as Hir, Intrinsic, LocalId, PlaceKind, Stmt, StmtKind};
use crate::lex::Punct;
use crate::source::Span;
use crate::syntax::ast::{
    BaseType, Declarator, DeclaratorName, Flags, FunctionBody, FunctionDecl, Operator, Specifiers,
};

const ASSIGN: FunctionName = FunctionName::Operator(Operator::Symbol(Punct::Assign));

impl Sema<'_> {
    /// Adds the members that the language defines, and notes what copies and ends of objects need.
    pub(super) fn special_members(&mut self, id: RecordId) {
        let info = &self.records[id];
        if info.is_union {
            self.records[id].destructor = None;
            return;
        }
        let span = info.span;
        let types: Vec<_> = info.fields.iter().map(|field| field.ty.ty).collect();
        let own = info.destructor;
        let parts_end = types.iter().any(|ty| self.classes().is_destroyed(*ty));
        let has_table = !info.slots.is_empty();
        let parts_copy = has_table || types.iter().any(|ty| self.classes().copies(*ty));
        let acts = own.is_some_and(|own| match &self.functions[own].decl.body {
            FunctionBody::Block(body) => !body.statements.is_empty(),
            FunctionBody::Defaulted => false,
            _ => true,
        });
        let acts = acts || info.slots.contains(&None);
        if !acts && !parts_end {
            self.records[id].destructor = None;
        } else if own.is_none() {
            let made = self.implicit(id, FunctionName::Destructor, None, span);
            self.records[id].destructor = Some(made);
        }
        if has_table && self.records[id].constructors.is_empty() {
            let made = self.implicit(id, FunctionName::Constructor, None, span);
            self.records[id].constructors.push(made);
        }
        let constructors = self.records[id].constructors.clone();
        let made = self.classes().declared(id, &constructors);
        let assigned = self.classes().declared(id, &self.classes().assignments(id));
        let by_user = [made.copy, made.movement]
            .into_iter()
            .flatten()
            .any(|function| !matches!(self.functions[function].decl.body, FunctionBody::Defaulted));
        let assigns = |function: &FunctionIndex| {
            !matches!(self.functions[*function].decl.body, FunctionBody::Defaulted)
        };
        let assigned_by_user = [assigned.copy, assigned.movement].iter().flatten().any(assigns);
        let parts_assign = types.iter().any(|ty| self.classes().assigns(*ty));
        // An assignment of the user alone changes no construction.
        self.records[id].copies = by_user || parts_copy;
        self.records[id].assigns = assigned_by_user || by_user || parts_copy || parts_assign;
        if !by_user && !parts_copy {
            let moves = made.movement.is_some() || assigned.movement.is_some();
            if parts_assign && assigned.copy.is_none() && !moves {
                let ty = self.types.intern(TypeKind::Record(id));
                let from = Qual::plain(self.types.intern(TypeKind::Reference(Qual::constant(ty))));
                let function = self.implicit(id, ASSIGN, Some(from), span);
                self.records[id].operators.push((Operator::Symbol(Punct::Assign), function));
            }
            return;
        }
        let moves = made.movement.is_some() || assigned.movement.is_some();
        let copied = made.copy.is_some() || assigned.copy.is_some();
        let ty = self.types.intern(TypeKind::Record(id));
        let copied_from = Qual::plain(self.types.intern(TypeKind::Reference(Qual::constant(ty))));
        let moved_from = Qual::plain(self.types.intern(TypeKind::RvalueReference(Qual::plain(ty))));
        if made.copy.is_none() && !moves {
            let function = self.implicit(id, FunctionName::Constructor, Some(copied_from), span);
            self.records[id].constructors.push(function);
        }
        if assigned.copy.is_none() && !moves {
            let function = self.implicit(id, ASSIGN, Some(copied_from), span);
            self.records[id].operators.push((Operator::Symbol(Punct::Assign), function));
        }
        if moves || copied || own.is_some() {
            return;
        }
        let function = self.implicit(id, FunctionName::Constructor, Some(moved_from), span);
        self.records[id].constructors.push(function);
        let function = self.implicit(id, ASSIGN, Some(moved_from), span);
        self.records[id].operators.push((Operator::Symbol(Punct::Assign), function));
    }

    /// Declares a member that the language defines.
    pub(super) fn implicit(
        &mut self,
        id: RecordId,
        name: FunctionName,
        parameter: Option<Qual>,
        span: Span,
    ) -> FunctionIndex {
        let specifiers = Specifiers::new(BaseType::None, Flags::default(), span);
        let decl = FunctionDecl {
            specifiers: Rc::new(specifiers),
            declarator: Declarator { name: DeclaratorName::None, chunks: Vec::new(), span },
            template: None,
            extern_c: false,
            is_pure: false,
            body: FunctionBody::Defaulted,
        };
        let result = if name == ASSIGN {
            let ty = self.types.intern(TypeKind::Record(id));
            Qual::plain(self.types.intern(TypeKind::Reference(Qual::plain(ty))))
        } else {
            Qual::plain(CTypes::VOID)
        };
        let parameters: Vec<Qual> = parameter.into_iter().collect();
        let info = FunctionInfo {
            name,
            decl: Rc::new(decl),
            scope: self.records[id].scope,
            class: Some(id),
            template: None,
            defaults: vec![None; parameters.len()],
            signature: Some(Signature { parameters, result, variadic: false }),
            specializations: Vec::new(),
            instances: rustc_hash::FxHashMap::default(),
            is_redeclared: false,
            device: true,
            global: false,
            is_static: false,
            is_const: false,
            inherits: None,
            is_guide: false,
            order: self.order,
            body_order: self.order,
            span,
        };
        self.functions.push(info)
    }

    /// The statements of a member that is defined by the language: the object of `this` exists.
    pub(super) fn defaulted_body(
        &mut self,
        name: FunctionName,
        class: RecordId,
        parameter: Option<(LocalId, Qual)>,
        span: Span,
        out: &mut Vec<Stmt>,
    ) -> Res<()> {
        let Some(object) = self.method_object(span) else { return Ok(()) };
        let source = parameter.and_then(|(local, ty)| {
            let to = self.types.referent(ty.ty)?;
            let pointer = self.types.pointer(to);
            let place = self.make_place(hir::PlaceKind::Local(local), Qual::plain(pointer), span).ok()?;
            let address = self.make(Hir::Load(Box::new(place)), pointer, span).ok()?;
            let mut ty_of = to;
            ty_of.quals.is_expiring = matches!(self.types.kind(ty.ty), TypeKind::RvalueReference(_));
            Some(Value::deref(address, ty_of, span))
        });
        let Some(source) = source else {
            if name == FunctionName::Constructor {
                for at in self.records[class].construction() {
                    let parts = self
                        .full_parts(|sema, parts| sema.construct_member(&object, class, at, None, parts))?;
                    push_expressions(parts, out);
                    self.guard_before_others(&object, class, at, out)?;
                }
            }
            return Ok(());
        };
        for at in self.records[class].construction() {
            if self.is_pointer_to_table(class, at) {
                if name != ASSIGN {
                    self.set_tables(&object, class, span, out)?;
                }
                continue;
            }
            let mut target = self.field_at(object.clone(), at, span)?;
            target.ty.quals.is_const = false;
            let from = self.field_at(source.clone(), at, span)?;
            let parts = self.full_parts(|sema, parts| {
                if name == ASSIGN {
                    sema.assign_member(&target, from, parts)
                } else {
                    sema.copy_member(&target, from, parts)
                }
            })?;
            push_expressions(parts, out);
            if name != ASSIGN {
                let mut parts = Vec::new();
                self.store_base_tables(&object, class, at, span, &mut parts)?;
                push_expressions(parts, out);
                self.guard_before_others(&object, class, at, out)?;
            }
        }
        if name == ASSIGN {
            let address = self.address(object)?;
            out.push(Stmt { kind: StmtKind::Return(Some(address)), span });
        }
        Ok(())
    }

    /// Registers a member of an object whose constructor has no body: only the members behind it
    /// may fail.
    fn guard_before_others(
        &mut self,
        object: &Value,
        class: RecordId,
        at: u32,
        out: &mut Vec<Stmt>,
    ) -> Res<()> {
        if self.records[class].construction().last() == Some(&at) {
            return Ok(());
        }
        self.guard_member(object, at, out)
    }

    /// Makes a member as a copy of another one.
    fn copy_member(&mut self, target: &Value, from: Value, out: &mut Vec<hir::Expr>) -> Res<()> {
        if !self.classes().copies(target.ty.ty) {
            return self.copy_bytes(target.clone(), from, out);
        }
        if self.types.array(target.ty.ty).is_some() {
            let name = if from.ty.quals.is_expiring { "__ws_move_array" } else { "__ws_copy_array" };
            return self.array_helper(name, target, from, out);
        }
        let Some(record) = self.types.record(target.ty.ty) else { return Err(super::Failed) };
        self.construct_at(target, record, vec![Argument::Value(from)], target.span, out)
    }

    fn assign_member(&mut self, target: &Value, from: Value, out: &mut Vec<hir::Expr>) -> Res<()> {
        if self.types.array(target.ty.ty).is_some() && self.classes().assigns(target.ty.ty) {
            return self.array_helper("__ws_assign_array", target, from, out);
        }
        let span = target.span;
        if self.types.record(target.ty.ty).is_some()
            && let Some(value) = self.overloaded(Punct::Assign, &[target.clone(), from.clone()], span)?
        {
            let value = self.dropped(value)?;
            out.push(value);
            return Ok(());
        }
        self.copy_bytes(target.clone(), from, out)
    }

    /// Copies a member without a function of its class. A copy of an object is no use of its
    /// members, which may have no values: host code copies a number as an array of one, because
    /// arrays are copied with the bytes that nothing has set.
    fn copy_bytes(&mut self, target: Value, from: Value, out: &mut Vec<hir::Expr>) -> Res<()> {
        let is_bits = |one: &Value| matches!(one.kind, ValueKind::Place(PlaceKind::Bits(..), _));
        let is_number = self.types.is_scalar(target.ty.ty) && from.ty.ty == target.ty.ty;
        if !self.rules.has_library || !is_number || is_bits(&target) || is_bits(&from) {
            let bytes = self.bytes_of(from)?;
            return self.store(target, bytes, out);
        }
        let element = target.ty.unqualified();
        let array = Qual::plain(self.types.intern(TypeKind::Array(element, Some(1))));
        let pointer = self.types.pointer(array);
        let mut view = |one: Value| {
            let (address, span) = (self.address(one)?, target.span);
            Ok(Value::deref(self.cast(address, pointer)?, array, span))
        };
        let (to, from) = (view(target.clone())?, view(from)?);
        let bytes = self.bytes_of(from)?;
        self.store(to, bytes, out)
    }

    /// Calls a function of the prelude for the elements of two arrays.
    fn array_helper(&mut self, name: &str, target: &Value, from: Value, out: &mut Vec<hir::Expr>) -> Res<()> {
        let span = target.span;
        let (element, count) = self.types.all_elements(target.ty.ty);
        let id = self.prelude_function(name, vec![TemplateValue::Type(Qual::plain(element))], span)?;
        let pointer = self.types.pointer(Qual::plain(element));
        let mut arguments = Vec::new();
        for object in [target.clone(), from] {
            let address = self.address(object)?;
            arguments.push(self.cast(address, pointer)?);
        }
        arguments.push(self.make(Hir::Int(i128::from(count)), self.types.size_type, span)?);
        let call = self.make(Hir::Call(id, arguments), CTypes::VOID, span)?;
        out.push(call);
        Ok(())
    }

    /// Registers a member of an object whose constructor may still fail.
    pub(super) fn guard_member(&mut self, object: &Value, at: u32, out: &mut Vec<Stmt>) -> Res<()> {
        if self.rules.has_device_code {
            return Ok(());
        }
        let member = self.field_at(object.clone(), at, object.span)?;
        self.guard(&member, out)
    }

    /// Registers an object, or a part of it, that ends if the constructor fails.
    pub(super) fn guard(&mut self, object: &Value, out: &mut Vec<Stmt>) -> Res<()> {
        // Device code has no exceptions.
        if self.rules.has_device_code {
            return Ok(());
        }
        if let Some(guard) = self.registered(object, Intrinsic::Guard)? {
            self.set_deferred(true);
            out.push(Stmt { kind: StmtKind::Expr(guard), span: object.span });
        }
        Ok(())
    }

    /// Registers the members of `this`, which end after the body of the destructor.
    pub(super) fn defer_members(&mut self, class: RecordId, span: Span, out: &mut Vec<Stmt>) -> Res<()> {
        let Some(object) = self.method_object(span) else { return Ok(()) };
        for at in self.records[class].construction() {
            let ty = self.records[class].fields[at as usize].ty.ty;
            if !self.classes().is_destroyed(ty) {
                continue;
            }
            let member = self.field_at(object.clone(), at, span)?;
            if let Some(defer) = self.defer(&member)? {
                out.push(Stmt { kind: StmtKind::Expr(defer), span });
            }
        }
        Ok(())
    }
}

/// Expressions as statements.
pub(super) fn push_expressions(parts: Vec<hir::Expr>, out: &mut Vec<Stmt>) {
    out.extend(parts.into_iter().map(|part| Stmt { span: part.span, kind: StmtKind::Expr(part) }));
}
