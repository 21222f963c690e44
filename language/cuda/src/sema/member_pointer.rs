//! Pointers to members: `int C::*` and `void (C::*)()` ([conv.mem], [expr.mptr.oper]).
//!
//! A pointer to a member variable is its offset in the class and 1; 0 is the null pointer. A
//! pointer to a method has two words, as in the C++ ABI of Itanium (2.3): the address of the
//! function, and the bytes from the object to the part that the function takes. The first word of a
//! virtual function is odd: 1 and the offset of its entry in the table of the object.

use super::Sema;
use super::rank::Rank;
use super::scope::{Entity, FunctionIndex, Owner};
use super::types::{CType, CTypes, Qual, RecordId, Signature, TypeKind};
use super::value::{FunctionSet, Res, TemplateValue, Value, ValueKind};
use crate::diagnostics::Diagnostic;
use crate::hir::{self, BinaryOp, ExprKind as Hir, PlaceKind};
use crate::lex::Punct;
use crate::source::Span;
use crate::syntax::ast::{Expr, QualifiedName};

impl Sema<'_> {
    /// The type `T C::*` of a declarator.
    pub(super) fn pointer_to_member(&mut self, to: Qual, class: &QualifiedName) -> Res<CType> {
        let ty = self.named_type(class)?;
        if self.types.record(ty.ty).is_none() {
            let shown = self.show(ty);
            let message = format!("a pointer to a member needs a class, not `{shown}`");
            return self.error("wrong-type", class.span, message);
        }
        if self.types.referent(to.ty).is_some() || to.ty == CTypes::VOID {
            let shown = self.show(to);
            return self.error("wrong-type", class.span, format!("no member has type `{shown}`"));
        }
        Ok(self.types.intern(TypeKind::MemberPointer(to, ty.ty)))
    }

    /// The type of a pointer to a member in the typed program.
    pub(super) fn hir_member_pointer(&mut self, ty: CType, span: Span) -> Res<hir::TypeId> {
        let word = self.hir_type(self.types.difference_type, span)?;
        if self.types.method_pointer(ty).is_none() {
            return Ok(word);
        }
        if self.rules.has_device_code {
            return self.unsupported(span, "a pointer to a method");
        }
        if let Some(known) = self.method_pointer {
            return Ok(known);
        }
        let size = self.hir.size(word);
        let field = |name: &str, at: u64| hir::Field {
            name: name.to_owned(),
            ty: word,
            offset: at * size,
            bits: None,
            is_packed: false,
        };
        let made = self.hir.add_struct(hir::Struct {
            name: "<pointer to a method>".to_owned(),
            fields: vec![field("function", 0), field("distance", 1)],
            size: 2 * size,
            data_size: 2 * size,
            align: size,
            is_union: false,
            is_destroyed: false,
            is_vector: false,
        });
        self.method_pointer = Some(made);
        Ok(made)
    }

    /// Whether a function is called with an object.
    pub(super) fn is_method(&self, function: FunctionIndex) -> bool {
        let info = &self.functions[function];
        info.class.is_some() && !info.is_static
    }

    /// The type of a pointer to a method.
    pub(super) fn method_type(&mut self, function: FunctionIndex, signature: Signature) -> CType {
        let ty = self.types.intern(TypeKind::Function(signature));
        let info = &self.functions[function];
        let to = if info.is_const { Qual::constant(ty) } else { Qual::plain(ty) };
        let class = info.class.map_or(CTypes::VOID, |class| self.types.intern(TypeKind::Record(class)));
        self.types.intern(TypeKind::MemberPointer(to, class))
    }

    /// `&C::member` of a member that needs an object; `None` for other names.
    pub(super) fn address_of_member(&mut self, name: &QualifiedName, span: Span) -> Res<Option<Value>> {
        let (entity, scope) = self.find_qualified(name)?;
        let symbol = name.last().name.symbol;
        match entity {
            Entity::Field => {
                let Owner::Record(record) = self.scopes.get(scope).owner else { return Ok(None) };
                self.check_access(record, symbol, name.last().name.span)?;
                self.variable_member(record, symbol, span).map(Some)
            }
            Entity::Functions(functions) if functions.iter().any(|one| self.is_method(*one)) => {
                if let Owner::Record(record) = self.scopes.get(scope).owner {
                    self.check_access(record, symbol, name.last().name.span)?;
                }
                let arguments = match &name.last().arguments {
                    Some(arguments) => Some(self.explicit_values(arguments, &functions)?),
                    None => None,
                };
                let set = FunctionSet { functions, arguments, object: None, is_named: true, name: symbol };
                let ty = Qual::plain(CTypes::VOID);
                let value = Value { kind: ValueKind::Functions(Box::new(set.clone())), ty, span };
                // The type to which it is converted selects one of several functions.
                if self.only_function(&set, span).is_none() {
                    return Ok(Some(value));
                }
                self.rvalue(value).map(Some)
            }
            _ => Ok(None),
        }
    }

    /// `&C::variable`.
    fn variable_member(&mut self, record: RecordId, name: crate::lex::Symbol, span: Span) -> Res<Value> {
        let class = self.types.intern(TypeKind::Record(record));
        self.require_complete(class, span)?;
        let Some(path) = self.classes().field_path(record, name) else { return Err(super::Failed) };
        let (mut offset, mut at, mut ty) = (0, record, Qual::plain(class));
        for step in path {
            let info = &self.records[at];
            let field = &info.fields[step as usize];
            offset += self.hir.as_struct(info.hir).map_or(0, |layout| layout.fields[step as usize].offset);
            if field.bits.is_some() {
                return self.error("wrong-type", span, "a pointer to a member cannot point to a bit field");
            }
            ty = field.ty;
            at = self.types.record(ty.ty).unwrap_or(at);
        }
        if self.types.referent(ty.ty).is_some() {
            return self.error("wrong-type", span, "a pointer to a member cannot point to a reference");
        }
        let ty = self.types.intern(TypeKind::MemberPointer(ty, class));
        Ok(Value::int(i128::from(offset) + 1, ty, span))
    }

    /// `&C::method`.
    pub(super) fn method_value(
        &mut self,
        function: FunctionIndex,
        arguments: Vec<TemplateValue>,
        span: Span,
    ) -> Res<Value> {
        let info = &self.functions[function];
        let Some(class) = info.class else { return Err(super::Failed) };
        if !info.device {
            let (name, declared) = (self.function_name(function), info.span);
            let message = format!("host code cannot take the address of device function `{name}`");
            return self.fail(Diagnostic::error("device-call", span, message).at(declared, "declared here"));
        }
        let word = self.types.difference_type;
        let slot = self.records[class].slots.iter().position(|slot| *slot == Some(function));
        let (first, signature) = if let Some(slot) = slot {
            let (_, signature) = self.instance_type(function, &arguments, span)?;
            (self.make(Hir::Int(1 + 8 * (2 * slot as i128 + 2)), word, span)?, signature)
        } else {
            let id = self.instance(function, arguments, span)?;
            self.deduce_result(id, span)?;
            let signature = self.instances[id].signature.clone();
            let ty = self.types.intern(TypeKind::Function(signature.clone()));
            let pointer = self.types.pointer(Qual::plain(ty));
            let address = self.make(Hir::FunctionAddress(id), pointer, span)?;
            (self.cast(address, word)?, signature)
        };
        if signature.variadic {
            return self.unsupported(span, "a pointer to a method with `...`");
        }
        let distance = self.make(Hir::Int(0), word, span)?;
        let ty = self.method_type(function, signature);
        Ok(Value::rvalue(Hir::Aggregate(vec![first, distance]), ty, span))
    }

    /// How well a value converts to a pointer to a member.
    pub(super) fn rank_member_pointer(&mut self, value: &Value, to: CType) -> Option<Rank> {
        let (wanted, class) = self.types.member_pointer(to)?;
        if let ValueKind::Functions(set) = &value.kind {
            return self.method_of_type(set, wanted).map(|_| Rank::EXACT);
        }
        if self.is_null(value) {
            return Some(Rank::CONVERSION);
        }
        let (own, from) = self.types.member_pointer(value.ty.ty)?;
        let is_method = matches!(self.types.kind(own.ty), TypeKind::Function(_));
        let keeps = own == wanted || !is_method && own.ty == wanted.ty && wanted.quals.is_const;
        if !keeps {
            return None;
        }
        let (from, class) = (self.types.record(from)?, self.types.record(class)?);
        self.classes().rank_base(class, from)
    }

    /// The method of a set that has the type of a pointer's target.
    fn method_of_type(
        &mut self,
        set: &FunctionSet,
        wanted: Qual,
    ) -> Option<(FunctionIndex, Vec<TemplateValue>)> {
        let fits = |one: &FunctionIndex| {
            self.is_method(*one) && self.functions[*one].is_const == wanted.quals.is_const
        };
        let candidates: Vec<FunctionIndex> = set.functions.iter().copied().filter(fits).collect();
        let written = set.arguments.clone().unwrap_or_default();
        self.function_of_type(&candidates, &written, wanted.ty)
    }

    /// Converts a value to a pointer to a member.
    pub(super) fn convert_to_member_pointer(&mut self, value: Value, to: Qual, what: &str) -> Res<hir::Expr> {
        let span = value.span;
        if self.rank_member_pointer(&value, to.ty).is_none() {
            return self.mismatch(&value, to, what);
        }
        if self.is_null(&value) {
            return self.make(self.zero_of(to.ty), to.ty, span);
        }
        let value = match (&value.kind, self.types.member_pointer(to.ty)) {
            (ValueKind::Functions(set), Some((wanted, _))) => {
                let Some((function, arguments)) = self.method_of_type(set, wanted) else {
                    return self.mismatch(&value, to, what);
                };
                self.method_value(function, arguments, span)?
            }
            _ => value,
        };
        self.cast_member_pointer(value, to.ty)
    }

    /// Converts a pointer to a member to one of a class that derives from its class, or back.
    pub(super) fn cast_member_pointer(&mut self, value: Value, to: CType) -> Res<hir::Expr> {
        let span = value.span;
        let from = value.ty.ty;
        let classes = self.types.member_pointer(from).zip(self.types.member_pointer(to));
        let classes =
            classes.and_then(|((_, from), (_, to))| Some((self.types.record(from)?, self.types.record(to)?)));
        let Some((one, other)) = classes else { return Err(super::Failed) };
        let distance = if one == other {
            0
        } else if self.classes().derives(other, one) {
            let path = self.base_path(other, one, span)?;
            self.path_offset(other, &path) as i128
        } else {
            let path = self.base_path(one, other, span)?;
            -(self.path_offset(one, &path) as i128)
        };
        let is_method = self.types.method_pointer(to).is_some();
        let word = self.types.difference_type;
        let mut parts = Vec::new();
        let plus = |sema: &mut Self, part: hir::Expr| -> Res<hir::Expr> {
            let more = sema.make(Hir::Int(distance), word, span)?;
            sema.make(Hir::Binary(BinaryOp::Add, Box::new(part), Box::new(more)), word, span)
        };
        if distance == 0 {
            return self.expr(value);
        }
        if let ValueKind::Rvalue(Hir::Int(offset)) = value.kind {
            let moved = if offset == 0 { 0 } else { offset + distance };
            return self.make(Hir::Int(moved), to, span);
        }
        let place = self.kept(value, &mut parts)?;
        let moved = if is_method {
            let [function, own] = self.method_parts(&place)?;
            let own = plus(self, own)?;
            self.make(Hir::Aggregate(vec![function, own]), to, span)?
        } else {
            let read = self.expr(place)?;
            let condition = self.cast(read.clone(), CTypes::BOOL)?;
            let moved = plus(self, read)?;
            let null = self.make(Hir::Int(0), to, span)?;
            self.make(Hir::Conditional(Box::new(condition), Box::new(moved), Box::new(null)), to, span)?
        };
        self.after(parts, moved, to)
    }

    /// Stores a value in a variable.
    fn kept(&mut self, value: Value, parts: &mut Vec<hir::Expr>) -> Res<Value> {
        let (ty, span) = (value.ty.unqualified(), value.span);
        let (place, more) = self.temporary(ty, span)?;
        parts.extend(more);
        let value = self.expr(value)?;
        self.store(place.clone(), value, parts)?;
        Ok(place)
    }

    /// The two words of a pointer to a method that is stored in a variable.
    fn method_parts(&mut self, place: &Value) -> Res<[hir::Expr; 2]> {
        let span = place.span;
        let ValueKind::Place(kind, _) = place.kind.clone() else { return Err(super::Failed) };
        let whole = self.make_place(kind, place.ty, span)?;
        let word = Qual::plain(self.types.difference_type);
        let mut part = |at: u32| {
            let place = self.make_place(PlaceKind::Field(Box::new(whole.clone()), at), word, span)?;
            self.make(Hir::Load(Box::new(place)), word.ty, span)
        };
        Ok([part(0)?, part(1)?])
    }

    /// Whether a pointer to a member is not null.
    pub(super) fn member_is_set(&mut self, value: Value) -> Res<hir::Expr> {
        let (is_method, span) = (self.types.method_pointer(value.ty.ty).is_some(), value.span);
        let value = self.expr(value)?;
        if !is_method {
            return self.cast(value, CTypes::BOOL);
        }
        let first = self.make(Hir::Extract(Box::new(value), 0), self.types.difference_type, span)?;
        self.cast(first, CTypes::BOOL)
    }

    /// `==` and `!=` of pointers to members.
    pub(super) fn compare_members(
        &mut self,
        op: BinaryOp,
        left: Value,
        right: Value,
        span: Span,
        place: Span,
    ) -> Res<Value> {
        let mut common = None;
        for (value, to) in [(&right, left.ty.ty), (&left, right.ty.ty)] {
            let fits =
                self.types.member_pointer(to).is_some() && self.rank_member_pointer(value, to).is_some();
            common = common.or(fits.then_some(to));
        }
        let Some(common) = common else {
            let punct = if op == BinaryOp::Eq { Punct::EqEq } else { Punct::NotEq };
            return self.bad_operands(punct, &left, &right, span, place);
        };
        let to = Qual::plain(common);
        let left = self.convert(left, to, "in the comparison")?;
        let right = self.convert(right, to, "in the comparison")?;
        if self.types.method_pointer(common).is_none() {
            return Ok(self.compare(op, left, right, span));
        }
        let mut parts = Vec::new();
        let left = self.kept(Value::rvalue(left.kind, common, span), &mut parts)?;
        let right = self.kept(Value::rvalue(right.kind, common, span), &mut parts)?;
        let mut words = self.method_parts(&left)?.to_vec();
        words.extend(self.method_parts(&right)?);
        let same = self.prelude_function("__ws_same_method", Vec::new(), span)?;
        let same = self.make(Hir::Call(same, words), CTypes::BOOL, span)?;
        let same = self.after(parts, same, CTypes::BOOL)?;
        let kind = match op {
            BinaryOp::Eq => same.kind,
            _ => Hir::Unary(hir::UnaryOp::Not, Box::new(same)),
        };
        Ok(Value::rvalue(kind, CTypes::BOOL, span))
    }

    /// The object of `object.*member` and `pointer->*member` as an object of the member's class.
    fn object_with_member(&mut self, punct: Punct, object: Value, class: CType, span: Span) -> Res<Value> {
        let object = if punct == Punct::ArrowStar { self.deref(object, span)? } else { object };
        let records = self.types.record(object.ty.ty).zip(self.types.record(class));
        let Some((from, class)) = records.filter(|(from, class)| self.classes().derives(*from, *class))
        else {
            let (shown, class) = (self.show(object.ty), self.show_type(class));
            let message = format!("the pointer is to a member of `{class}`, but the object is a `{shown}`");
            return self.error("wrong-type", span, message);
        };
        let object = self.as_object(object)?;
        if from == class { Ok(object) } else { self.base_of(object, class) }
    }

    /// `object.*variable` and `pointer->*variable`.
    pub(super) fn pointed_member(
        &mut self,
        punct: Punct,
        object: Value,
        member: Value,
        span: Span,
    ) -> Res<Value> {
        let Some((to, class)) = self.types.member_pointer(member.ty.ty) else {
            let shown = self.show(member.ty);
            return self.error("wrong-type", member.span, format!("`{shown}` is not a pointer to a member"));
        };
        if self.types.method_pointer(member.ty.ty).is_some() {
            return self.error("wrong-type", span, "a method must be called");
        }
        let object = self.object_with_member(punct, object, class, span)?;
        let word = self.types.difference_type;
        let quals = object.ty.quals;
        let address = self.address(object)?;
        let bytes = self.types.pointer(Qual::plain(CTypes::CHAR));
        let address = self.cast(address, bytes)?;
        let member = self.expr(member)?;
        let one = self.make(Hir::Int(-1), word, span)?;
        let offset = self.make(Hir::Binary(BinaryOp::Add, Box::new(member), Box::new(one)), word, span)?;
        let moved = self.make(Hir::PointerAdd(Box::new(address), Box::new(offset)), bytes, span)?;
        let to = to.with(quals);
        let pointer = self.types.pointer(to);
        let moved = self.cast(moved, pointer)?;
        Ok(Value::deref(moved, to, span))
    }

    /// `(object.*method)(arguments)` and `(pointer->*method)(arguments)`; `None` if the member is
    /// not a method.
    pub(super) fn call_pointed_method(
        &mut self,
        punct: Punct,
        object: &Expr,
        method: &Expr,
        list: &[Expr],
        span: Span,
    ) -> Res<Option<Value>> {
        let ty = self.unevaluated(method)?.ty.ty;
        let Some((to, class)) = self.types.method_pointer(ty) else { return Ok(None) };
        let TypeKind::Function(signature) = self.types.kind(to.ty).clone() else { return Ok(None) };
        let object = self.expression(object)?;
        let object = self.object_with_member(punct, object, class, span)?;
        if object.ty.quals.is_const && !to.quals.is_const {
            let message = "the object is `const`, but the method is not";
            return self.error("wrong-type", span, message);
        }
        let method = self.expression(method)?;
        let arguments = self.arguments(list)?;
        if arguments.len() != signature.parameters.len() {
            let (count, given) = (signature.parameters.len(), arguments.len());
            let message = format!("the method takes {count} arguments, but {given} are given");
            return self.error("no-match", span, message);
        }
        let mut parts = Vec::new();
        let bytes = self.types.pointer(Qual::plain(CTypes::CHAR));
        let address = self.address(object)?;
        let address = self.cast(address, bytes)?;
        let this = self.kept(Value::rvalue(address.kind, bytes, span), &mut parts)?;
        let method = self.kept(method, &mut parts)?;
        let [function, distance] = self.method_parts(&method)?;
        let own = self.expr(this.clone())?;
        let moved = self.make(Hir::PointerAdd(Box::new(own), Box::new(distance)), bytes, span)?;
        self.store(this.clone(), moved, &mut parts)?;
        let own = self.expr(this)?;
        let words = vec![own.clone(), function];
        let called = self.prelude_function("__ws_pointed_method", Vec::new(), span)?;
        let called = self.make(Hir::Call(called, words.clone()), self.types.difference_type, span)?;
        let mut with_object = signature.clone();
        let pointer = self.types.pointer(Qual::plain(class));
        with_object.parameters.insert(0, Qual::plain(pointer));
        let with_object = self.types.intern(TypeKind::Function(with_object));
        let code = self.types.pointer(Qual::plain(with_object));
        let called = self.cast(called, code)?;
        let called = self.after(parts, called, code)?;
        let more = self.prelude_function("__ws_pointed_distance", Vec::new(), span)?;
        let more = self.make(Hir::Call(more, words), self.types.difference_type, span)?;
        let own = self.make(Hir::PointerAdd(Box::new(own), Box::new(more)), bytes, span)?;
        let mut values = vec![self.cast(own, pointer)?];
        values.extend(self.convert_arguments(&signature, arguments, "the method")?);
        self.result(Hir::CallIndirect(Box::new(called), values), signature.result, span).map(Some)
    }
}
