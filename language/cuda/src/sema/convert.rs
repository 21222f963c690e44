//! Conversions of values ([conv]), references ([dcl.init.ref]) and conditions.

use super::Sema;
use super::overload::Argument;
use super::rank::Conversion;
use super::scope::FunctionIndex;
use super::types::{CType, CTypes, Qual, RecordId, TypeKind};
use super::value::{Res, TemplateValue, Value, ValueKind};
use crate::budget::Resource;
use crate::diagnostics::{CAPABILITY, Diagnostic};
use crate::hir::{self, Expr, ExprKind, LocalKind, Place, PlaceKind};
use crate::source::Span;
use crate::syntax::opencl::types::Opaque;

impl Sema<'_> {
    /// An expression of the typed program.
    pub(super) fn make(&mut self, kind: ExprKind, ty: CType, span: Span) -> Res<Expr> {
        self.spend(Resource::Expressions, 1, span)?;
        Ok(Expr { kind, ty: self.hir_type(ty, span)?, span })
    }

    /// A place of the typed program.
    pub(super) fn make_place(&mut self, kind: PlaceKind, ty: Qual, span: Span) -> Res<Place> {
        Ok(Place { kind, ty: self.hir_type(ty.ty, span)?, volatile: ty.quals.is_volatile, span })
    }

    /// The value of an object; arrays become pointers, functions become addresses.
    pub(super) fn rvalue(&mut self, value: Value) -> Res<Value> {
        let span = value.span;
        match value.kind {
            ValueKind::Rvalue(_) => Ok(Value { ty: value.ty.unqualified(), ..value }),
            ValueKind::Place(_, Some(known)) if !value.ty.quals.is_volatile => {
                Ok(Value::constant(known, value.ty.ty, span))
            }
            ValueKind::Place(place, _) => {
                if let Some((element, _)) = self.types.array(value.ty.ty) {
                    let array = self.make_place(place, value.ty, span)?;
                    return self.decay(array, element.with(value.ty.quals), span);
                }
                let ty = value.ty;
                if self.classes().copies(ty.ty)
                    && let Some(record) = self.types.record(ty.ty)
                {
                    let object = Value::place(place, ty, span);
                    return self.construct_from(record, vec![Argument::Value(object)], span);
                }
                let place = self.make_place(place, ty, span)?;
                Ok(Value::rvalue(ExprKind::Load(Box::new(place)), ty.ty, span))
            }
            ValueKind::Elements(_) => {
                let ty = value.ty.ty;
                let parts = self.vector_parts(value, false)?;
                let mut list = Vec::new();
                for part in parts.list {
                    list.push(self.expr(part)?);
                }
                self.vector_from(parts.before, list, ty, span)
            }
            ValueKind::Functions(set) => {
                if set.object.is_some() {
                    return self.error("wrong-type", span, "a method must be called");
                }
                match self.only_function(&set, span) {
                    Some((function, arguments)) if self.is_method(function) => {
                        self.method_value(function, arguments, span)
                    }
                    Some((function, arguments)) => self.function_address(function, arguments, span),
                    None if set.functions.len() == 1 => {
                        let text = self.text(set.name).to_owned();
                        self.error("template", span, format!("`{text}` needs template arguments"))
                    }
                    None => self.error("ambiguous", span, "the name of several functions is not a value"),
                }
            }
        }
    }

    /// The address of the first element of an array.
    fn decay(&mut self, array: Place, element: Qual, span: Span) -> Res<Value> {
        let zero = self.make(ExprKind::Int(0), CTypes::INT, span)?;
        let first = self.make_place(PlaceKind::Index(Box::new(array), Box::new(zero)), element, span)?;
        let ty = self.types.pointer(element);
        Ok(Value::rvalue(ExprKind::AddressOf(Box::new(first)), ty, span))
    }

    /// The address of a function (`sm_20`).
    pub(super) fn function_address(
        &mut self,
        function: FunctionIndex,
        arguments: Vec<TemplateValue>,
        span: Span,
    ) -> Res<Value> {
        if self.rules.has_device_code && !self.target.is_fermi() {
            let target = self.target.name();
            let error =
                Diagnostic::error(CAPABILITY, span, format!("function pointers need sm_20, not {target}"));
            return self.fail(error);
        }
        let info = &self.functions[function];
        let is_device_only = !self.rules.has_device_code && !info.device && !info.global;
        if !self.rules.has_device_code && self.in_device_variable {
            let (_, signature) = self.instance_type(function, &arguments, span)?;
            let ty = self.types.intern(TypeKind::Function(signature));
            let pointer = self.types.pointer(Qual::plain(ty));
            return Ok(Value::rvalue(ExprKind::Int(0), pointer, span));
        }
        if is_device_only {
            let (name, declared) = (self.function_name(function), info.span);
            let message = format!("host code cannot take the address of device function `{name}`");
            let error = Diagnostic::error("device-call", span, message)
                .at(declared, "declared here without `__host__`")
                .help("store it in a `__device__` variable, and copy that with `cudaMemcpyFromSymbol`");
            return self.fail(error);
        }
        let id = self.instance(function, arguments, span)?;
        self.deduce_result(id, span)?;
        let signature = self.instances[id].signature.clone();
        if signature.variadic {
            return self.unsupported(span, "a pointer to a function with `...`");
        }
        let ty = self.types.intern(TypeKind::Function(signature));
        let pointer = self.types.pointer(Qual::plain(ty));
        if self.functions[function].global && !self.rules.has_device_code {
            self.note_kernel(id, span)?;
            let name = self.mangled(id);
            return Ok(Value::rvalue(ExprKind::KernelAddress(name), pointer, span));
        }
        Ok(Value::rvalue(ExprKind::FunctionAddress(id), pointer, span))
    }

    /// The value as an expression of the typed program.
    pub(super) fn expr(&mut self, value: Value) -> Res<Expr> {
        let value = self.rvalue(value)?;
        let ValueKind::Rvalue(kind) = value.kind else { unreachable!("`rvalue` returns values") };
        self.make(kind, value.ty.ty, value.span)
    }

    /// Converts an expression between scalar types without asking whether C allows it.
    pub(super) fn cast(&mut self, value: Expr, to: CType) -> Res<Expr> {
        let ty = self.hir_type(to, value.span)?;
        if value.ty == ty {
            return Ok(value);
        }
        if let Some(kind) = self.fold_cast(&value.kind, value.ty, ty) {
            return Ok(Expr { kind, ty, span: value.span });
        }
        let span = value.span;
        Ok(Expr { kind: ExprKind::Cast(Box::new(value)), ty, span })
    }

    /// Converts a value as an initialization does. `what` describes the target in messages.
    pub(super) fn convert(&mut self, value: Value, to: Qual, what: &str) -> Res<Expr> {
        if let Some(referent) = self.types.referent(to.ty) {
            return self.bind_reference(value, referent, to.ty, what);
        }
        let span = value.span;
        if let Some(id) = self.types.record(to.ty) {
            return self.convert_to_record(value, id, to, what);
        }
        if self.types.vector(to.ty).is_some() {
            return self.convert_to_vector(value, to, what);
        }
        if let Some(from) = self.types.record(value.ty.ty) {
            if self.classes().becomes_pointer(from, to.ty) {
                let address = self.lambda_address(value, from)?;
                return self.convert(address, to, what);
            }
            let Some((operator, _)) = self.conversion_operator(&value, to.ty, Conversion::Any) else {
                return self.mismatch(&value, to, what);
            };
            let converted = self.call_conversion(&operator, value, span)?;
            return self.convert(converted, to, what);
        }
        if self.types.member_pointer(to.ty).is_some() {
            return self.convert_to_member_pointer(value, to, what);
        }
        if self.types.member_pointer(value.ty.ty).is_some() && to.ty == CTypes::BOOL {
            return self.member_is_set(value);
        }
        if let (ValueKind::Functions(set), Some(pointee)) = (&value.kind, self.types.pointee(to.ty)) {
            let candidates = set.functions.clone();
            let written = set.arguments.clone().unwrap_or_default();
            if let Some((function, values)) = self.function_of_type(&candidates, &written, pointee.ty) {
                let address = self.function_address(function, values, span)?;
                return self.expr(address);
            }
            return self.mismatch(&value, to, what);
        }
        self.check_object(&value, to, what)?;
        if value.ty.ty != to.ty && self.rank_scalar(&value, to.ty).is_none() {
            return self.mismatch(&value, to, what);
        }
        self.warn_pointee(&value, to);
        if self.is_null(&value) && self.types.is_pointer(to.ty) {
            let ty = self.hir_type(to.ty, span)?;
            return Ok(Expr { kind: ExprKind::Int(0), ty, span });
        }
        let value = self.rvalue(value)?;
        let from = value.ty.ty;
        self.check_pointer_access(from, to.ty, span)?;
        let value = self.expr(value)?;
        self.cast_pointer(value, from, to.ty)
    }

    fn convert_to_record(&mut self, value: Value, id: RecordId, to: Qual, what: &str) -> Res<Expr> {
        let span = value.span;
        if let Some(from) = self.types.record(value.ty.ty) {
            if from == id {
                return self.expr(value);
            }
            if self.classes().derives(from, id) {
                let mut constructors = self.records[id].constructors.clone();
                constructors.retain(|one| !self.functions[*one].decl.specifiers.flags.is_explicit);
                let closer = self.closer_than_base(&constructors, &value, id);
                let arguments = [Argument::Value(value.clone())];
                if !closer.is_empty()
                    && let Some(constructor) = self.select(&closer, None, None, &arguments, span)?
                    && !self.is_explicit(constructor.function, &constructor.arguments)?
                {
                    let made = self.construct_with(id, &constructor, vec![value], span)?;
                    return self.expr(made);
                }
                self.check_base_access(from, id, span)?;
                let value =
                    if self.classes().is_destroyed(value.ty.ty) { self.as_place(value)? } else { value };
                let base = self.base_of(value, id)?;
                return self.expr(base);
            }
            if let Some((operator, _)) = self.conversion_operator(&value, to.ty, Conversion::Any) {
                let converted = self.call_conversion(&operator, value, span)?;
                return self.expr(converted);
            }
        }
        let Some(constructor) = self.converting_constructor(&value, id) else {
            return self.mismatch(&value, to, what);
        };
        let made = self.construct_with(id, &constructor, vec![value], span)?;
        self.expr(made)
    }

    /// Reports that a value does not convert.
    pub(super) fn mismatch<T>(&mut self, value: &Value, to: Qual, what: &str) -> Res<T> {
        let target = self.show(to);
        let found = if let ValueKind::Functions(set) = &value.kind {
            format!("function `{}`", self.text(set.name))
        } else {
            format!("`{}`", self.show(value.ty))
        };
        let mut error =
            Diagnostic::error("wrong-type", value.span, format!("expected `{target}` {what}, found {found}"))
                .label(format!("this is {found}"));
        let from = match self.types.array(value.ty.ty) {
            Some((element, _)) => Some(element.with(value.ty.quals)),
            None => self.types.pointee(value.ty.ty),
        };
        let pointers = from.zip(self.types.pointee(to.ty));
        let drops = pointers.is_some_and(|(from, to)| from.quals.is_const && !to.quals.is_const);
        if self.has_ambiguous_conversion(value, to.ty) {
            error = error
                .note("several conversion functions of the class fit equally well")
                .help("cast the object to the result of one of them");
        } else if self.types.opaque(value.ty.ty) == Some(Opaque::Half) {
            error = error.help("read it with `vload_half`");
        } else if drops {
            error = error.help("the value is `const`: make the target a pointer to `const`");
        } else if self.types.pointee(to.ty).is_some_and(|pointee| pointee.ty == value.ty.ty)
            && matches!(value.kind, ValueKind::Place(..))
        {
            error = error.help("write `&` in front to take the address");
        } else if self.types.pointee(value.ty.ty).is_some_and(|pointee| pointee.ty == to.ty) {
            error = error.help("write `*` in front to read what the pointer points to");
        } else if let (Some((from, count)), Some((element, same))) =
            (self.types.vector(value.ty.ty), self.types.vector(to.ty))
        {
            if count == same && from != element {
                error = error.help(format!("convert each element with `convert_{target}(...)`"));
            }
        } else if let Some((from, to)) = pointers.filter(|(from, to)| {
            self.rules.is_open_cl && from.quals.space.or_private() != to.quals.space.or_private()
        }) {
            let (from, to) = (from.quals.space.or_private().name(), to.quals.space.or_private().name());
            error = error.note(format!("a pointer to `{from}` memory is no pointer to `{to}` memory"));
        } else if self.types.is_scalar(value.ty.ty) && self.types.is_scalar(to.ty) {
            error = error.help(format!("if this is intended, write a cast: `({target})...`"));
        }
        self.fail(error)
    }

    /// The address of the object that a reference binds to.
    fn bind_reference(&mut self, value: Value, referent: Qual, reference: CType, what: &str) -> Res<Expr> {
        let span = value.span;
        if matches!(value.kind, ValueKind::Functions(_)) && self.types.is_pointer(referent.ty) {
            // A reference to a temporary pointer to the function.
            let pointer = self.convert(value, referent.unqualified(), what)?;
            let value = Value::rvalue(pointer.kind, referent.ty, span);
            return self.bind_reference(value, referent, reference, what);
        }
        if let ValueKind::Functions(_) = value.kind {
            let pointer = self.types.pointer(referent);
            return self.convert(value, Qual::plain(pointer), what);
        }
        if self.rank_reference(&value, referent, reference).is_none() {
            let target = self.show(Qual::plain(reference));
            if value.ty.ty == referent.ty {
                let message = if matches!(value.kind, ValueKind::Place(..)) {
                    format!("`{target}` {what} cannot refer to a `const` object")
                } else {
                    format!("`{target}` {what} cannot refer to a temporary value")
                };
                return self.error("wrong-type", span, message);
            }
            return self.mismatch(&value, Qual::plain(reference), what);
        }
        let value = if self.types.record(value.ty.ty).is_some()
            && let Some((operator, _)) = self.conversion_operator(&value, reference, Conversion::Any)
        {
            self.call_conversion(&operator, value, span)?
        } else {
            self.assigned_object(value)?
        };
        let pointer = self.types.pointer(referent);
        let value = match (self.types.record(value.ty.ty), self.types.record(referent.ty)) {
            (Some(from), Some(base)) if from != base && self.classes().derives(from, base) => {
                self.check_base_access(from, base, span)?;
                // A part of the whole temporary, which is no copy.
                let value = self.as_place(value)?;
                self.base_of(value, base)?
            }
            _ => value,
        };
        if self.types.is_array_with_const(value.ty.ty, referent.ty) {
            let address = self.address(value)?;
            return self.cast(address, pointer);
        }
        let is_bits = matches!(value.kind, ValueKind::Place(PlaceKind::Bits(..), _));
        let is_part = is_bits || self.is_unaligned(&value)?;
        if is_part && !referent.quals.is_const {
            let what = if is_bits { "a bit field" } else { "a member of a class with `packed`" };
            return self.error("wrong-type", span, format!("a reference cannot refer to {what}"));
        }
        if let ValueKind::Place(kind, _) = &value.kind
            && value.ty.ty == referent.ty
            && !is_part
        {
            let place = self.make_place(kind.clone(), value.ty, span)?;
            return self.make(ExprKind::AddressOf(Box::new(place)), pointer, span);
        }
        let converted = self.convert(value, referent.unqualified(), what)?;
        self.materialize(converted, referent.ty, span)
    }

    /// Whether a value is an object that the attribute `packed` leaves without its alignment.
    /// Compilers of the host bind references to members of classes with `#pragma pack`.
    pub(super) fn is_unaligned(&mut self, value: &Value) -> Res<bool> {
        let ValueKind::Place(kind, _) = &value.kind else { return Ok(false) };
        let ty = self.hir_type(value.ty.ty, value.span)?;
        Ok(self.hir.is_in_packed(kind) && self.hir.place_align(kind, ty) < self.hir.align(ty))
    }

    /// Stores a value in a temporary variable; returns its address.
    pub(super) fn materialize(&mut self, value: Expr, ty: CType, span: Span) -> Res<Expr> {
        let pointer = self.types.pointer(Qual::plain(ty));
        let local = self.new_local(String::new(), Qual::plain(ty), LocalKind::Temporary, span)?;
        let place = self.make_place(PlaceKind::Local(local), Qual::plain(ty), span)?;
        let address = self.make(ExprKind::AddressOf(Box::new(place.clone())), pointer, span)?;
        let mut store = self.make(ExprKind::Assign(Box::new(place), Box::new(value)), CTypes::VOID, span)?;
        let object = self.read_local(local, Qual::plain(ty), span);
        if let Some(defer) = self.defer(&object)? {
            store = self.make(ExprKind::Comma(Box::new(store), Box::new(defer)), CTypes::VOID, span)?;
        }
        self.make(ExprKind::Comma(Box::new(store), Box::new(address)), pointer, span)
    }

    /// The value as an object: a temporary if it has no address.
    pub(super) fn as_place(&mut self, value: Value) -> Res<Value> {
        let value = self.assigned_object(value)?;
        if matches!(value.kind, ValueKind::Place(..)) {
            return Ok(value);
        }
        let (ty, span) = (value.ty, value.span);
        let value = self.expr(value)?;
        let address = self.materialize(value, ty.ty, span)?;
        Ok(Value::deref(address, ty, span))
    }

    /// A value as a condition.
    pub(super) fn condition(&mut self, value: Value) -> Res<Expr> {
        // The truth of C was converted to `int`.
        if let (true, ValueKind::Rvalue(ExprKind::Cast(inner))) = (self.rules.is_c, &value.kind)
            && inner.ty == hir::Types::BOOL
        {
            return Ok(Expr::clone(inner));
        }
        if matches!(self.types.kind(value.ty.ty), TypeKind::Record(_))
            || self.types.is_scalar(value.ty.ty)
            || self.types.array(value.ty.ty).is_some()
        {
            let scoped = self.types.is_enum(value.ty.ty) && !self.types.is_integral(value.ty.ty);
            if !scoped {
                return self.convert(value, Qual::plain(CTypes::BOOL), "as a condition");
            }
        }
        self.error("wrong-type", value.span, format!("`{}` is not a condition", self.show(value.ty)))
    }
}
