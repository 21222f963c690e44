//! `new`, `delete` and explicit calls of destructors ([expr.new]).

use super::Sema;
use super::scope::FunctionIndex;
use super::types::{CTypes, Qual, TypeKind};
use super::value::{FunctionSet, Res, TemplateValue, Value, ValueKind};
use crate::hir::{self, ExprKind as Hir, Intrinsic, LocalKind, PlaceKind};
use crate::source::Span;
use crate::syntax::ast::{Delete, Expr, ExprKind, Initializer, New, Operator};

impl Sema<'_> {
    /// `new T(a)`, `new T[n]` and `new (p) T(a)`.
    pub(super) fn new_object(&mut self, new: &New, span: Span) -> Res<Value> {
        if let (None, true) = (&new.count, new.ty.declarator.chunks.is_empty())
            && let Some(template) = self.placeholder(&new.ty.specifiers)
        {
            return self.with_deduced(
                |sema| sema.deduced_from(template, new.init.as_ref(), span),
                |sema, ty| sema.new_of_type(new, ty, span),
            );
        }
        let ty = self.type_name(&new.ty)?;
        self.new_of_type(new, ty, span)
    }

    fn new_of_type(&mut self, new: &New, ty: Qual, span: Span) -> Res<Value> {
        let (ty, count) = match (&new.count, self.types.array(ty.ty)) {
            // `new T` of a type that names an array.
            (None, Some((element, Some(length)))) => {
                let count = Value::int(i128::from(length), self.types.size_type, span);
                (element, Some(count))
            }
            (Some(count), _) => (ty, Some(self.expression(count)?)),
            (None, _) => (ty, None),
        };
        self.require_complete(ty.ty, new.ty.span)?;
        if ty.ty == CTypes::VOID || self.types.referent(ty.ty).is_some() {
            let shown = self.show(ty);
            return self.error("wrong-type", new.ty.span, format!("`new` does not make a `{shown}`"));
        }
        self.refuse_abstract(ty.ty, new.ty.span)?;
        let pointer = Qual::plain(self.types.pointer(ty));
        if let Some(count) = count {
            return self.new_array(new, ty, count, span);
        }
        let functions =
            self.memory_functions(ty.ty, Operator::New(false), self.is_global_new(new, span), span)?;
        let hir_ty = self.hir_type(ty.ty, span)?;
        let size = Value::int(i128::from(self.hir.size(hir_ty)), self.types.size_type, span);
        let memory = match self.own_memory(&functions, size, &new.placement, span)? {
            Some(memory) => memory,
            None => match self.placement(&new.placement)? {
                Some(at) => self.expr(at)?,
                None => self.allocated(ty, span)?,
            },
        };
        let memory = self.cast(memory, pointer.ty)?;
        let slot = self.new_local(String::new(), pointer, LocalKind::Temporary, span)?;
        let target = self.read_local(slot, pointer, span);
        let mut parts = Vec::new();
        self.store(target.clone(), memory, &mut parts)?;
        let mut object = self.deref(target.clone(), span)?;
        object.ty.quals.is_const = false;
        match &new.init {
            Some(init) => self.initialize(&object, init, &mut parts)?,
            None => self.construct_default(&object, &mut parts)?,
        }
        self.sequence(parts, target)
    }

    /// The address of `new (address) T`; `std::nothrow` gives none.
    fn placement(&mut self, list: &[Expr]) -> Res<Option<Value>> {
        let Some(first) = list.first() else { return Ok(None) };
        let value = self.expression(first)?;
        let value = self.rvalue_or_object(value)?;
        if self.types.is_pointer(value.ty.ty) {
            return Ok(Some(value));
        }
        if self.types.record(value.ty.ty).is_some() {
            return Ok(None);
        }
        self.unsupported(first.span, "this form of `new`")
    }

    fn rvalue_or_object(&mut self, value: Value) -> Res<Value> {
        if self.types.record(value.ty.ty).is_some() { Ok(value) } else { self.rvalue(value) }
    }

    /// Memory for an object.
    fn allocated(&mut self, ty: Qual, span: Span) -> Res<hir::Expr> {
        let hir_ty = self.hir_type(ty.ty, span)?;
        let size = i128::from(self.hir.size(hir_ty));
        let size = self.make(Hir::Int(size), self.types.size_type, span)?;
        let pointer = self.types.pointer(ty);
        let allocate = self.allocator(span)?;
        self.make(Hir::Intrinsic(allocate, vec![size]), pointer, span)
    }

    /// `new T[n]`.
    fn new_array(&mut self, new: &New, ty: Qual, count: Value, span: Span) -> Res<Value> {
        let pointer = Qual::plain(self.types.pointer(ty));
        let count = self.convert(count, Qual::plain(self.types.size_type), "as the number of elements")?;
        let count = Value::rvalue(count.kind, self.types.size_type, span);
        let memory = self.array_memory(new, ty, count, span)?;
        let items = match &new.init {
            Some(Initializer::List(Expr { kind: ExprKind::List(items), .. })) => items.as_slice(),
            _ => &[],
        };
        if items.is_empty() {
            return Ok(Value::rvalue(memory.kind, pointer.ty, span));
        }
        if self.classes().copies(ty.ty) {
            return self.unsupported(span, "`new` of an array of objects with a list");
        }
        let slot = self.new_local(String::new(), pointer, LocalKind::Temporary, span)?;
        let target = self.read_local(slot, pointer, span);
        let mut parts = Vec::new();
        self.store(target.clone(), memory, &mut parts)?;
        for (at, item) in items.iter().enumerate() {
            let at = self.make(Hir::Int(at as i128), CTypes::INT, span)?;
            let base = self.expr(target.clone())?;
            let sum = self.make(Hir::PointerAdd(Box::new(base), Box::new(at)), pointer.ty, span)?;
            let sum = Value::rvalue(sum.kind, pointer.ty, span);
            let mut object = self.deref(sum, span)?;
            object.ty.quals.is_const = false;
            self.initialize_from(&object, &item.value, &mut parts)?;
        }
        self.sequence(parts, target)
    }

    /// Whether `new` does not look for functions of the class: `::new`, and objects that the
    /// library makes in its own memory.
    fn is_global_new(&self, new: &New, span: Span) -> bool {
        new.is_global || !new.placement.is_empty() && self.is_builtin(span)
    }

    /// Memory with the elements of `new T[n]`.
    fn array_memory(&mut self, new: &New, ty: Qual, count: Value, span: Span) -> Res<hir::Expr> {
        let pointer = self.types.pointer(ty);
        let zeroed = new.init.is_some();
        let is_made = self.classes().needs_construction(ty.ty);
        let is_destroyed = self.classes().is_destroyed(ty.ty);
        let functions =
            self.memory_functions(ty.ty, Operator::New(true), self.is_global_new(new, span), span)?;
        let mut parts = Vec::new();
        let (own, count) = if functions.may_serve(&new.placement) {
            let size_type = Qual::plain(self.types.size_type);
            let slot = self.new_local(String::new(), size_type, LocalKind::Temporary, span)?;
            let number = self.read_local(slot, size_type, span);
            let count = self.expr(count)?;
            self.store(number.clone(), count, &mut parts)?;
            let name = if is_destroyed { "__ws_size_counted" } else { "__ws_size" };
            let id = self.prelude_function(name, vec![TemplateValue::Type(ty.unqualified())], span)?;
            let size = Hir::Call(id, vec![self.expr(number.clone())?]);
            let size = Value::rvalue(size, size_type.ty, span);
            (self.own_memory(&functions, size, &new.placement, span)?, number)
        } else {
            (None, count)
        };
        // The language's own placement has no number of elements in front of them.
        let is_counted = is_destroyed && own.is_some();
        let memory = match own {
            Some(memory) => Some(memory),
            None => match self.placement(&new.placement)? {
                Some(at) => Some(self.expr(at)?),
                None => None,
            },
        };
        if memory.is_none() && !self.rules.has_library {
            self.require_capability(20, "new", span)?;
        }
        let is_nested = self.types.array(ty.ty).is_some();
        if is_nested && (is_made || is_destroyed || memory.is_some()) {
            return self.unsupported(span, "this form of `new` of an array of arrays");
        }
        let argument = if is_nested {
            let hir_ty = self.hir_type(ty.ty, span)?;
            TemplateValue::Value(i128::from(self.hir.size(hir_ty)), self.types.size_type)
        } else {
            TemplateValue::Type(ty.unqualified())
        };
        let name = if is_nested {
            if zeroed { "__ws_new_zeroed_bytes" } else { "__ws_new_bytes" }
        } else if memory.is_some() {
            match (is_counted, is_made || is_destroyed, zeroed) {
                (true, ..) => "__ws_counted_in",
                (false, true, _) => "__ws_objects_in",
                (false, false, true) => "__ws_zeroed_in",
                (false, false, false) => "__ws_array_in",
            }
        } else {
            match (is_destroyed, is_made, zeroed) {
                (true, ..) => "__ws_new_counted",
                (false, true, _) => "__ws_new_objects",
                (false, false, true) => "__ws_new_zeroed",
                (false, false, false) => "__ws_new_array",
            }
        };
        let id = self.prelude_function(name, vec![argument], span)?;
        let void = self.types.pointer(Qual::plain(CTypes::VOID));
        let mut arguments = Vec::new();
        if let Some(memory) = memory {
            arguments.push(self.cast(memory, void)?);
        }
        arguments.push(self.expr(count)?);
        let made = self.make(Hir::Call(id, arguments), pointer, span)?;
        self.after(parts, made, pointer)
    }

    /// `delete p` and `delete[] p`.
    pub(super) fn delete_object(&mut self, delete: &Delete, span: Span) -> Res<Value> {
        let array = delete.array;
        let value = self.expression(&delete.operand)?;
        let value = self.rvalue(value)?;
        let Some(to) = self.types.pointee(value.ty.ty) else {
            let shown = self.show(value.ty);
            return self.error("wrong-type", span, format!("`delete` takes a pointer, not a `{shown}`"));
        };
        if to.ty != CTypes::VOID {
            self.require_complete(to.ty, span)?;
        }
        let functions = self.memory_functions(to.ty, Operator::Delete(array), delete.is_global, span)?;
        let pointer = self.expr(value)?;
        if functions.are_of_class {
            return self.delete_by_class(&functions, array, to, pointer, span);
        }
        let kind = if self.classes().is_destroyed(to.ty) {
            let has_table = self.types.record(to.ty).is_some_and(|id| !self.records[id].slots.is_empty());
            let name = match (array, has_table) {
                (true, _) => "__ws_delete_array",
                (false, true) => "__ws_delete_whole",
                (false, false) => "__ws_delete",
            };
            let id = self.prelude_function(name, vec![TemplateValue::Type(to.unqualified())], span)?;
            Hir::Call(id, vec![pointer])
        } else {
            let free = self.deallocator(span)?;
            Hir::Intrinsic(free, vec![pointer])
        };
        Ok(Value::rvalue(kind, CTypes::VOID, span))
    }

    /// `x.~T()`.
    pub(super) fn destructor_member(&mut self, object: Value, span: Span) -> Res<Value> {
        let found: Option<FunctionIndex> = self.classes().destructor(object.ty.ty);
        let Some(function) = found else {
            // Nothing is destroyed: the call is a function without effect.
            let id = self.prelude_function("__ws_nothing", Vec::new(), span)?;
            let signature = self.instances[id].signature.clone();
            let ty = self.types.intern(TypeKind::Function(signature));
            let pointer = self.types.pointer(Qual::plain(ty));
            // The object is evaluated all the same.
            let object = self.address(object)?;
            let function = self.make(Hir::FunctionAddress(id), pointer, span)?;
            let kind = Hir::Comma(Box::new(object), Box::new(function));
            return Ok(Value::rvalue(kind, pointer, span));
        };
        let Some(name) = self.names.find("operator") else { return Err(super::Failed) };
        let mut object = self.as_object(object)?;
        object.ty.quals.is_const = false;
        let set = FunctionSet {
            functions: vec![function],
            arguments: None,
            object: Some(object),
            is_named: false,
            name,
        };
        Ok(Value { kind: ValueKind::Functions(Box::new(set)), ty: Qual::plain(CTypes::VOID), span })
    }

    /// Whether a variable of the host gets its value from code that runs before `main`, or at its
    /// declaration. Otherwise its bytes are known now.
    pub(super) fn is_dynamic(
        &mut self,
        id: hir::GlobalId,
        ty: Qual,
        init: Option<&Initializer>,
        span: Span,
    ) -> bool {
        if self.classes().is_destroyed(ty.ty) {
            return true;
        }
        let mark = self.out.mark();
        if let Ok(init) = self.static_initializer(id, ty, init, span) {
            self.globals[id].init = init;
            return false;
        }
        self.out.truncate(mark);
        true
    }

    /// Code that initializes a variable of the program, and registers it for its end.
    pub(super) fn dynamic_parts(
        &mut self,
        id: hir::GlobalId,
        ty: Qual,
        init: Option<&Initializer>,
        span: Span,
    ) -> Res<Vec<hir::Expr>> {
        let mut plain = ty;
        plain.quals.is_const = false;
        let place = Value::place(PlaceKind::Global(id), plain, span);
        let is_reference = self.types.referent(ty.ty).is_some();
        let mut parts = self.full_parts(|sema, parts| {
            match init {
                Some(init) => sema.initialize(&place, init, parts)?,
                None => sema.construct_default(&place, parts)?,
            }
            let is_temporary =
                |part: &hir::Expr| matches!(&part.kind, Hir::Assign(_, of) if sema.is_temporary(of));
            if is_reference && parts.iter().any(is_temporary) {
                return sema.unsupported(span, "a static reference to a temporary object");
            }
            Ok(())
        })?;
        if is_reference {
            return Ok(parts);
        }
        parts.extend(self.registered(&place, Intrinsic::AtExit)?);
        Ok(parts)
    }

    /// Whether an address is of a temporary object of the function.
    fn is_temporary(&self, address: &hir::Expr) -> bool {
        match &address.kind {
            Hir::Comma(_, last) => self.is_temporary(last),
            Hir::Cast(inner) => self.is_temporary(inner),
            Hir::AddressOf(place) => self.is_in_temporary(place),
            _ => false,
        }
    }

    fn is_in_temporary(&self, place: &hir::Place) -> bool {
        match &place.kind {
            PlaceKind::Local(local) => self
                .function
                .as_ref()
                .is_some_and(|function| function.locals[*local].kind == LocalKind::Temporary),
            PlaceKind::Field(of, _) | PlaceKind::Index(of, _) | PlaceKind::Bits(of, ..) => {
                self.is_in_temporary(of)
            }
            PlaceKind::Deref(address) => self.is_temporary(address),
            PlaceKind::Global(_) => false,
        }
    }

    /// A static variable of a function: its initializer runs once.
    pub(super) fn initialize_once(
        &mut self,
        id: hir::GlobalId,
        ty: Qual,
        init: Option<&Initializer>,
        span: Span,
        out: &mut Vec<hir::Stmt>,
    ) -> Res<()> {
        let mut made = self.globals[id].clone();
        (made.name, made.ty, made.align, made.init) = ("guard".to_owned(), hir::Types::BOOL, 1, None);
        made.symbol.push_str("_guard");
        let guard = self.globals.push(made);
        let flag = Qual::plain(CTypes::BOOL);
        let guard = Value::place(PlaceKind::Global(guard), flag, span);
        let known = self.expr(guard.clone())?;
        let one = self.make(Hir::Int(1), CTypes::BOOL, span)?;
        let mut parts = self.dynamic_parts(id, ty, init, span)?;
        self.store(guard, one, &mut parts)?;
        let mut list = Vec::new();
        super::special::push_expressions(parts, &mut list);
        let kind = hir::StmtKind::If { condition: known, then: Vec::new(), otherwise: list };
        out.push(hir::Stmt { kind, span });
        Ok(())
    }
}
