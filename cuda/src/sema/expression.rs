//! Expressions.

use std::rc::Rc;

use super::Sema;
use super::scope::{Entity, LocalInfo, VariableIndex};
use super::types::{CType, CTypes, Kind, Qual};
use super::value::{FunctionSet, Res, Value, ValueKind};
use crate::diagnostics::Diagnostic;
use crate::hir::{self, Axis, BinaryOp, ExprKind as Hir, Intrinsic, PlaceKind, Special};
use crate::lex::{NumberError, NumberKind, Punct, Symbol, parse_number, unescape};
use crate::source::Span;
use crate::syntax::ast::{CastKind, Expr, ExprKind, QualifiedName, TypeName, UnaryOp};

impl Sema<'_> {
    /// Analyzes an expression whose value is not computed, or must be a constant.
    pub(super) fn unevaluated(&mut self, expr: &Expr) -> Res<Value> {
        self.expression(expr)
    }

    /// Analyzes an expression.
    pub(super) fn expression(&mut self, expr: &Expr) -> Res<Value> {
        let span = expr.span;
        match &expr.kind {
            ExprKind::Number(symbol) => self.number(*symbol, span),
            ExprKind::Char(symbol) => match unescape(self.text(*symbol)) {
                Ok(bytes) if bytes.len() == 1 => {
                    Ok(self.int_value(i128::from(bytes[0] as i8), CTypes::CHAR, span))
                }
                _ => self.error("literal", span, "a character constant must have one character"),
            },
            ExprKind::Text(bytes) => self.string(bytes, span),
            ExprKind::Bool(value) => Ok(self.int_value(i128::from(*value), CTypes::BOOL, span)),
            ExprKind::Nullptr => {
                let ty = self.types.intern(Kind::Nullptr);
                Ok(self.rvalue_of(Hir::Int(0), ty, span))
            }
            ExprKind::This => self.this(span),
            ExprKind::Name(name) => self.name_value(name),
            ExprKind::OperatorName(_) => self.unsupported(span, "the name of an operator as a value"),
            ExprKind::Unary(op, operand) => self.unary(*op, operand, span),
            ExprKind::Postfix(increment, operand) => self.step(operand, *increment, true, span),
            ExprKind::Binary(Punct::Comma, left, right, _) => {
                let left = self.expression(left)?;
                let left = self.discarded(left)?;
                let right = self.expression(right)?;
                let right = if self.types.array(right.ty.ty).is_some() { self.rvalue(right)? } else { right };
                let ty = right.ty.ty;
                let right = self.expr(right)?;
                Ok(self.rvalue_of(Hir::Comma(Box::new(left), Box::new(right)), ty, span))
            }
            ExprKind::Binary(op, left, right, place) => {
                let left = self.expression(left)?;
                let right = self.expression(right)?;
                self.binary(*op, left, right, span, *place)
            }
            ExprKind::Assign(op, left, right, place) => self.assignment(*op, left, right, span, *place),
            ExprKind::Conditional(condition, first, second) => {
                self.conditional(condition, first.as_deref(), second, span)
            }
            ExprKind::Call(callee, arguments) => self.call(callee, arguments, span),
            ExprKind::Index(base, index) => self.index(base, index, span, false),
            ExprKind::Member(base, arrow, name) => self.member(base, *arrow, name, span),
            ExprKind::Cast(kind, ty, operand) => self.written_cast(*kind, ty, operand, span),
            ExprKind::Construct(ty, list, braces) => self.construct(ty, list, *braces, span),
            ExprKind::List(_) => self.error("syntax", span, "an initializer list is not a value here"),
            ExprKind::SizeofType(ty) => {
                let ty = self.type_name(ty)?;
                self.size_of(ty, span)
            }
            ExprKind::SizeofExpr(operand) => {
                let value = self.unevaluated(operand)?;
                self.size_of(value.ty, span)
            }
            ExprKind::Alignof(ty) => {
                let ty = self.type_name(ty)?;
                let hir = self.hir_type(ty.ty, span)?;
                let align = i128::from(self.hir.align(hir));
                Ok(self.int_value(align, self.types.size_type, span))
            }
            ExprKind::Lambda(lambda) => self.lambda(lambda, span),
            ExprKind::Unsupported(construct) => self.unsupported(span, construct),
        }
    }

    /// A value that is not used.
    pub(super) fn discarded(&mut self, value: Value) -> Res<hir::Expr> {
        if let ValueKind::Functions(_) = value.kind {
            return self.make(Hir::Int(0), CTypes::INT, value.span);
        }
        self.expr(value)
    }

    fn number(&mut self, symbol: Symbol, span: Span) -> Res<Value> {
        let number = match parse_number(self.text(symbol)) {
            Ok(number) => number,
            Err(error) => {
                let text = self.text(symbol);
                let message = match error {
                    NumberError::Malformed => format!("`{text}` is not a number"),
                    NumberError::TooLarge => format!("`{text}` does not fit in 64 bits"),
                };
                return self.error("literal", span, message);
            }
        };
        let NumberKind::Int { unsigned, long, decimal } = number.kind else {
            let ty = if number.kind == NumberKind::Float { CTypes::FLOAT } else { CTypes::DOUBLE };
            return Ok(self.rvalue_of(Hir::Float(number.float), ty, span));
        };
        let candidates: [(CType, u32, u8, bool); 6] = [
            (CTypes::INT, 31, 0, false),
            (CTypes::UINT, 32, 0, true),
            (CTypes::LONG, 63, 1, false),
            (CTypes::ULONG, 64, 1, true),
            (CTypes::LLONG, 63, 2, false),
            (CTypes::ULLONG, 64, 2, true),
        ];
        let fits = |&&(_, bits, rank, is_unsigned): &&(CType, u32, u8, bool)| {
            rank >= long
                && (bits == 64 || number.int >> bits == 0)
                && (if unsigned { is_unsigned } else { !is_unsigned || !decimal })
        };
        let ty = candidates.iter().find(fits).map_or(CTypes::ULLONG, |found| found.0);
        Ok(self.int_value(i128::from(number.int), ty, span))
    }

    /// A string literal: a constant array in memory.
    fn string(&mut self, bytes: &Rc<Vec<u8>>, span: Span) -> Res<Value> {
        let mut bytes = bytes.to_vec();
        bytes.push(0);
        let ty = self.types.intern(Kind::Array(Qual::constant(CTypes::CHAR), Some(bytes.len() as u64)));
        let global = self.string_global(bytes, ty, span)?;
        Ok(Value { kind: ValueKind::Place(PlaceKind::Global(global), None), ty: Qual::constant(ty), span })
    }

    pub(super) fn string_global(&mut self, bytes: Vec<u8>, ty: CType, span: Span) -> Res<hir::GlobalId> {
        if let Some(&known) = self.strings.get(&bytes) {
            return Ok(known);
        }
        let id = hir::GlobalId(self.globals.len() as u32);
        let hir_ty = self.hir_type(ty, span)?;
        let symbol = format!("__str{}", self.strings.len());
        self.globals.push(hir::Global {
            name: symbol.clone(),
            symbol,
            ty: hir_ty,
            c_type: self.show_type(ty),
            storage: hir::Storage::Device,
            align: 1,
            init: Some(hir::Initializer { bytes: bytes.clone(), addresses: Vec::new() }),
            visible: false,
            volatile: false,
            span,
        });
        self.strings.insert(bytes, id);
        Ok(id)
    }

    fn size_of(&mut self, ty: Qual, span: Span) -> Res<Value> {
        let ty = self.types.referent(ty.ty).unwrap_or(ty);
        let hir = self.hir_type(ty.ty, span)?;
        let size = i128::from(self.hir.size(hir));
        Ok(self.int_value(size, self.types.size_type, span))
    }

    fn this(&mut self, span: Span) -> Res<Value> {
        let Some((local, ty)) = self.function.as_ref().and_then(|function| function.this) else {
            return self.error("wrong-type", span, "`this` exists in methods only");
        };
        let place = self.make_place(PlaceKind::Local(local), ty, span)?;
        Ok(self.rvalue_of(Hir::Load(Box::new(place)), ty.ty, span))
    }

    /// The object of a method.
    pub(super) fn this_object(&mut self, span: Span) -> Option<Value> {
        self.function.as_ref().and_then(|function| function.this)?;
        let this = self.this(span).ok()?;
        self.deref(this, span).ok()
    }

    /// The object that a pointer points to.
    pub(super) fn deref(&mut self, pointer: Value, span: Span) -> Res<Value> {
        let pointer = self.rvalue(pointer)?;
        let Some(to) = self.types.pointee(pointer.ty.ty) else {
            let shown = self.show(pointer.ty);
            return self.error("wrong-type", span, format!("`{shown}` is not a pointer"));
        };
        if to.ty == CTypes::VOID {
            return self.error("wrong-type", span, "a `void` pointer cannot be dereferenced");
        }
        if let Kind::Function(_) = self.types.kind(to.ty) {
            return Ok(pointer);
        }
        let pointer = self.expr(pointer)?;
        Ok(Value { kind: ValueKind::Place(PlaceKind::Deref(Box::new(pointer)), None), ty: to, span })
    }

    /// The value of a name.
    fn name_value(&mut self, name: &QualifiedName) -> Res<Value> {
        let span = name.span;
        if let Some(plain) = name.plain()
            && self.find(plain.symbol).is_none()
        {
            return match self.builtin_variable(plain.symbol, span)? {
                Some(value) => Ok(value),
                None => self.undeclared(plain),
            };
        }
        let (entity, scope) = self.find_qualified(name)?;
        let symbol = name.last().name.symbol;
        match entity {
            Entity::Local(local) => self.local_value(local, symbol, span),
            Entity::Static(global, ty) => {
                Ok(Value { kind: ValueKind::Place(PlaceKind::Global(global), None), ty, span })
            }
            Entity::Variable(variable) => self.variable_value(variable, span),
            Entity::Constant(constant, ty) => Ok(self.constant_value(constant, ty, span)),
            Entity::Functions(functions) => {
                let template =
                    functions.iter().find_map(|one| self.functions[one.0 as usize].template.clone());
                let arguments = match &name.last().arguments {
                    Some(arguments) => Some(self.template_values(arguments, template.as_deref())?),
                    None => None,
                };
                let is_method = functions.iter().any(|one| {
                    let info = &self.functions[one.0 as usize];
                    info.class.is_some() && !info.is_static
                });
                let object = if is_method { self.this_object(span) } else { None };
                let set = FunctionSet { functions, arguments, object, name: symbol };
                let ty = Qual::plain(CTypes::VOID);
                Ok(Value { kind: ValueKind::Functions(Box::new(set)), ty, span })
            }
            Entity::Field => {
                let Some(object) = self.this_object(span) else {
                    let text = self.text(symbol).to_owned();
                    let class = self.scope_name(scope);
                    let message = format!("`{text}` is a member of `{class}` and needs an object");
                    return self.error("wrong-type", span, message);
                };
                self.field(object, symbol, span)
            }
            Entity::Error => Err(super::Failed),
            Entity::Type(_) | Entity::RecordTemplate(_) | Entity::AliasTemplate(_) => {
                let text = self.text(symbol).to_owned();
                self.error("wrong-type", span, format!("`{text}` is a type, not a value"))
            }
            Entity::Namespace(_) => {
                let text = self.text(symbol).to_owned();
                self.error("wrong-type", span, format!("`{text}` is a namespace, not a value"))
            }
        }
    }

    fn local_value(&mut self, local: LocalInfo, symbol: Symbol, span: Span) -> Res<Value> {
        if self.function.as_ref().is_none_or(|function| function.number != local.function) {
            if let Some(known) = local.known {
                return Ok(self.constant_value(known, local.ty.ty, span));
            }
            let text = self.text(symbol).to_owned();
            let error =
                Diagnostic::error("unsupported", span, format!("`{text}` belongs to another function"))
                    .at(local.span, "declared here")
                    .help("pass it as an argument; `warpcc -ptx` takes captures of lambda expressions");
            return self.fail(error);
        }
        if let Some(to) = self.types.referent(local.ty.ty) {
            let pointer = self.types.pointer(to);
            let place = self.make_place(PlaceKind::Local(local.local), Qual::plain(pointer), span)?;
            let address = self.make(Hir::Load(Box::new(place)), pointer, span)?;
            return Ok(Value {
                kind: ValueKind::Place(PlaceKind::Deref(Box::new(address)), None),
                ty: to,
                span,
            });
        }
        Ok(Value { kind: ValueKind::Place(PlaceKind::Local(local.local), local.known), ty: local.ty, span })
    }

    fn variable_value(&mut self, variable: VariableIndex, span: Span) -> Res<Value> {
        let info = &self.variables[variable.0 as usize];
        let (ty, known, name) = (info.ty, info.known, info.name);
        let (order, declared) = (info.order, info.span);
        if let (Some(known), None) = (known, info.storage) {
            return Ok(self.constant_value(known, ty.ty, span));
        }
        if info.texture.is_some() {
            let text = self.text(name).to_owned();
            let error =
                Diagnostic::error("wrong-type", span, format!("texture reference `{text}` is not a value"))
                    .help("read it with `tex1Dfetch`, `tex1D`, `tex2D` or `tex3D`");
            return self.fail(error);
        }
        if info.storage.is_none() {
            let text = self.text(name).to_owned();
            if let Some(value) = self.constant_array(variable, span)? {
                return Ok(value);
            }
            let error = Diagnostic::error(
                "host-variable",
                span,
                format!("device code cannot use host variable `{text}`"),
            )
            .at(declared, "declared here without `__device__`")
            .help("declare it `__device__` or `__constant__`, or pass it as a parameter of the kernel");
            return self.fail(error);
        }
        self.check_order(name, order, declared, span)?;
        let global = self.global_of(variable)?;
        if let Some(to) = self.types.referent(ty.ty) {
            let shown = self.show(to);
            return self.unsupported(span, &format!("a global reference to `{shown}`"));
        }
        Ok(Value { kind: ValueKind::Place(PlaceKind::Global(global), None), ty, span })
    }

    /// `threadIdx` and its like.
    fn builtin_variable(&mut self, symbol: Symbol, span: Span) -> Res<Option<Value>> {
        let make: fn(Axis) -> Special = match self.text(symbol) {
            "threadIdx" => Special::ThreadIdx,
            "blockIdx" => Special::BlockIdx,
            "blockDim" => Special::BlockDim,
            "gridDim" => Special::GridDim,
            "warpSize" => return Ok(Some(self.int_value(32, CTypes::INT, span))),
            _ => return Ok(None),
        };
        let is_size = matches!(self.text(symbol), "blockDim" | "gridDim");
        let name = if is_size { "dim3" } else { "uint3" };
        let found = self.names.find(name).and_then(|symbol| self.find(symbol));
        let Some((Entity::Type(ty), _)) = found else { return Ok(None) };
        if self.function.is_none() {
            return self.error("not-constant", span, "this variable exists in device code only").map(Some);
        }
        let mut parts = Vec::new();
        for axis in [Axis::X, Axis::Y, Axis::Z] {
            let read = Hir::Intrinsic(Intrinsic::Special(make(axis)), Vec::new());
            parts.push(self.make(read, CTypes::UINT, span)?);
        }
        self.require_complete(ty.ty, span)?;
        Ok(Some(self.rvalue_of(Hir::Aggregate(parts), ty.ty, span)))
    }

    fn conditional(
        &mut self,
        condition: &Expr,
        first: Option<&Expr>,
        second: &Expr,
        span: Span,
    ) -> Res<Value> {
        let test = self.expression(condition)?;
        let Some(first) = first else {
            return self.unsupported(span, "a conditional without its second operand");
        };
        let known = self.constant_of(&test);
        let test = self.condition(test)?;
        let (mut one, mut two) = (self.expression(first)?, self.expression(second)?);
        for value in [&mut one, &mut two] {
            if let ValueKind::Functions(_) = value.kind {
                *value = self.rvalue(value.clone())?;
            }
        }
        let (one_ty, two_ty) = (one.ty.ty, two.ty.ty);
        let ty = if one_ty == two_ty && self.types.array(one_ty).is_none() {
            one_ty
        } else if self.types.is_arithmetic(one_ty) && self.types.is_arithmetic(two_ty) {
            self.types.common(one_ty, two_ty)
        } else if one_ty == CTypes::VOID || two_ty == CTypes::VOID {
            CTypes::VOID
        } else {
            self.common_pointer(&one, &two, span)?
        };
        if ty == CTypes::VOID {
            let (one, two) = (self.discarded(one)?, self.discarded(two)?);
            let (one, two) = (self.cast(one, ty)?, self.cast(two, ty)?);
            let kind = Hir::Conditional(Box::new(test), Box::new(one), Box::new(two));
            return Ok(self.rvalue_of(kind, ty, span));
        }
        self.warn_double_literal(&one, &two, span);
        let to = Qual::plain(ty);
        let one = self.convert(one, to, "in the conditional")?;
        let two = self.convert(two, to, "in the conditional")?;
        // A constant condition selects now, so that it can be part of a constant.
        let chosen = match known {
            Some(super::scope::Constant::Int(value)) => Some(if value != 0 { &one } else { &two }),
            _ => None,
        };
        if let Some(chosen @ hir::Expr { kind: Hir::Int(_) | Hir::Float(_), .. }) = chosen {
            return Ok(self.rvalue_of(chosen.kind.clone(), ty, span));
        }
        let kind = Hir::Conditional(Box::new(test), Box::new(one), Box::new(two));
        Ok(self.rvalue_of(kind, ty, span))
    }

    /// The common type of two pointers, or of a pointer and null.
    pub(super) fn common_pointer(&mut self, one: &Value, two: &Value, span: Span) -> Res<CType> {
        let decayed = |sema: &mut Self, value: &Value| match sema.types.array(value.ty.ty) {
            Some((element, _)) => sema.types.pointer(element.with(value.ty.quals)),
            None => value.ty.ty,
        };
        let (left, right) = (decayed(self, one), decayed(self, two));
        for (from, value, to) in [(right, two, left), (left, one, right)] {
            if self.types.is_pointer(to) {
                let fits = from == to || self.rank(value, Qual::plain(to)).is_some();
                if fits {
                    return Ok(to);
                }
            }
        }
        for (value, to) in [(two, one.ty.ty), (one, two.ty.ty)] {
            if self.types.record(to).is_some() && self.rank(value, Qual::plain(to)).is_some() {
                return Ok(to);
            }
        }
        let (left, right) = (self.show(one.ty), self.show(two.ty));
        self.error("wrong-type", span, format!("`{left}` and `{right}` have no common type"))
    }

    fn unary(&mut self, op: UnaryOp, operand: &Expr, span: Span) -> Res<Value> {
        match op {
            UnaryOp::AddressOf => return self.address_of(operand, span),
            UnaryOp::Increment => return self.step(operand, true, false, span),
            UnaryOp::Decrement => return self.step(operand, false, false, span),
            _ => {}
        }
        let value = self.expression(operand)?;
        let punct = match op {
            UnaryOp::Plus => Punct::Plus,
            UnaryOp::Minus => Punct::Minus,
            UnaryOp::Not => Punct::Not,
            UnaryOp::Complement => Punct::Tilde,
            _ => Punct::Star,
        };
        if self.types.record(value.ty.ty).is_some()
            && let Some(result) = self.overloaded(punct, std::slice::from_ref(&value), span)?
        {
            return Ok(result);
        }
        match op {
            UnaryOp::Deref => self.deref(value, span),
            UnaryOp::Not => {
                let known = self.constant_of(&value);
                let value = self.condition(value)?;
                if let Some(super::scope::Constant::Int(int)) = known {
                    return Ok(self.int_value(i128::from(int == 0), CTypes::BOOL, span));
                }
                Ok(self.rvalue_of(Hir::Unary(hir::UnaryOp::Not, Box::new(value)), CTypes::BOOL, span))
            }
            _ => self.arithmetic_unary(op, value, span),
        }
    }

    fn arithmetic_unary(&mut self, op: UnaryOp, value: Value, span: Span) -> Res<Value> {
        let value = self.rvalue(value)?;
        let ty = value.ty.ty;
        let fits = self.types.is_integral(ty) || self.types.is_floating(ty) && op != UnaryOp::Complement;
        if !fits {
            if op == UnaryOp::Plus && self.types.is_pointer(ty) {
                return Ok(value);
            }
            let shown = self.show(value.ty);
            let sign = match op {
                UnaryOp::Plus => "+",
                UnaryOp::Minus => "-",
                _ => "~",
            };
            return self.error("wrong-type", span, format!("`{sign}` does not take a `{shown}`"));
        }
        let ty = self.types.promoted(ty);
        let value = self.expr(value)?;
        let value = self.cast(value, ty)?;
        let op = match op {
            UnaryOp::Minus => hir::UnaryOp::Negate,
            UnaryOp::Complement => hir::UnaryOp::Complement,
            _ => return Ok(self.rvalue_of(value.kind, ty, span)),
        };
        let hir_ty = self.hir.get(value.ty);
        let kind = super::constant::fold_unary(op, &value.kind, hir_ty)
            .unwrap_or_else(|| Hir::Unary(op, Box::new(value)));
        Ok(self.rvalue_of(kind, ty, span))
    }

    fn address_of(&mut self, operand: &Expr, span: Span) -> Res<Value> {
        let value = match &operand.kind {
            ExprKind::Index(base, index) => self.index(base, index, operand.span, true)?,
            _ => self.expression(operand)?,
        };
        match value.kind {
            ValueKind::Functions(_) => self.rvalue(Value { span, ..value }),
            ValueKind::Place(kind, _) => {
                let ty = self.types.pointer(value.ty);
                let place = self.make_place(kind, value.ty, span)?;
                Ok(self.rvalue_of(Hir::AddressOf(Box::new(place)), ty, span))
            }
            ValueKind::Rvalue(_) => {
                // A function is a pointer already.
                if let Some(to) = self.types.pointee(value.ty.ty)
                    && matches!(self.types.kind(to.ty), Kind::Function(_))
                {
                    return Ok(value);
                }
                self.error("wrong-type", span, "the operand of `&` has no address")
            }
        }
    }

    fn index(&mut self, base: &Expr, index: &Expr, span: Span, address: bool) -> Res<Value> {
        let (mut base, mut index) = (self.expression(base)?, self.expression(index)?);
        if self.types.record(base.ty.ty).is_some() {
            return self.index_operator(base, index, span);
        }
        if self.types.is_integral(base.ty.ty) {
            std::mem::swap(&mut base, &mut index);
        }
        if !self.types.is_integral(index.ty.ty) {
            let shown = self.show(index.ty);
            return self.error(
                "wrong-type",
                index.span,
                format!("an index must be an integer, not `{shown}`"),
            );
        }
        let known = self.constant_of(&index);
        let index_ty = self.types.promoted(index.ty.ty);
        let index_span = index.span;
        let index = self.expr(index)?;
        let index = self.cast(index, index_ty)?;
        if let (Some((element, length)), ValueKind::Place(place, _)) =
            (self.types.array(base.ty.ty), &base.kind)
        {
            if let (Some(length), Some(super::scope::Constant::Int(at))) = (length, known) {
                let limit = i128::from(length) + i128::from(address);
                if at < 0 || at >= limit {
                    let shown = self.show(base.ty);
                    let error = Diagnostic::error(
                        "out-of-bounds",
                        index_span,
                        format!("index {at} is out of bounds of `{shown}`"),
                    )
                    .label(format!("the array has {length} elements"));
                    return self.fail(error);
                }
            }
            let element = element.with(base.ty.quals);
            let array = self.make_place(place.clone(), base.ty, base.span)?;
            let kind = ValueKind::Place(PlaceKind::Index(Box::new(array), Box::new(index)), None);
            return Ok(Value { kind, ty: element, span });
        }
        let pointer = self.rvalue(base)?;
        let Some(to) = self.types.pointee(pointer.ty.ty) else {
            let shown = self.show(pointer.ty);
            return self.error("wrong-type", span, format!("`{shown}` is neither an array nor a pointer"));
        };
        self.require_complete(to.ty, span)?;
        let ty = pointer.ty.ty;
        let pointer = self.expr(pointer)?;
        let sum = self.make(Hir::PointerAdd(Box::new(pointer), Box::new(index)), ty, span)?;
        let sum = self.rvalue_of(sum.kind, ty, span);
        self.deref(sum, span)
    }

    fn written_cast(&mut self, kind: CastKind, ty: &TypeName, operand: &Expr, span: Span) -> Res<Value> {
        let to = self.type_name(ty)?;
        let value = self.expression(operand)?;
        self.explicit_cast(kind, value, to, span)
    }

    /// A conversion that the source asks for.
    pub(super) fn explicit_cast(&mut self, kind: CastKind, value: Value, to: Qual, span: Span) -> Res<Value> {
        if let Some(referent) = self.types.referent(to.ty) {
            // A cast to a reference is another view of the object.
            let value = self.as_place(value)?;
            let ValueKind::Place(place, _) = value.kind else { return Err(super::Failed) };
            let from = self.types.pointer(value.ty);
            let pointer = self.types.pointer(referent);
            let place = self.make_place(place, value.ty, span)?;
            let address = self.make(Hir::AddressOf(Box::new(place)), from, span)?;
            let address = self.cast(address, pointer)?;
            return Ok(Value {
                kind: ValueKind::Place(PlaceKind::Deref(Box::new(address)), None),
                ty: referent,
                span,
            });
        }
        if to.ty == CTypes::VOID {
            let value = self.discarded(value)?;
            let value = self.cast(value, CTypes::VOID)?;
            return Ok(self.rvalue_of(value.kind, CTypes::VOID, span));
        }
        let is_function = matches!(value.kind, ValueKind::Functions(_));
        if self.types.record(to.ty).is_some() || self.types.record(value.ty.ty).is_some() || is_function {
            let value = self.convert(Value { span, ..value }, to, "in the cast")?;
            return Ok(self.rvalue_of(value.kind, to.ty, span));
        }
        let value = self.rvalue(value)?;
        let (from, target) = (value.ty.ty, to.ty);
        let pointerish = |sema: &Self, ty: CType| {
            sema.types.is_pointer(ty) || matches!(sema.types.kind(ty), Kind::Nullptr)
        };
        let integer = |sema: &Self, ty: CType| sema.types.int_type(ty).is_some() || ty == CTypes::BOOL;
        let numbers = (integer(self, from) || self.types.is_floating(from))
            && (integer(self, target) || self.types.is_floating(target));
        let pointers = pointerish(self, from) && pointerish(self, target);
        let mixed = pointerish(self, from) && integer(self, target)
            || integer(self, from) && pointerish(self, target);
        let allowed = match kind {
            CastKind::C => numbers || pointers || mixed,
            CastKind::Static => numbers || pointers || self.rank(&value, to.unqualified()).is_some(),
            CastKind::Reinterpret => pointers || mixed || from == target,
            CastKind::Const => pointers || from == target,
        };
        if !allowed {
            let (from, target) = (self.show(value.ty), self.show(to));
            return self.error("wrong-type", span, format!("`{from}` cannot be cast to `{target}`"));
        }
        let value = self.expr(value)?;
        // Integers of another size are extended by their sign first.
        let value = self.cast(value, target)?;
        Ok(self.rvalue_of(value.kind, target, span))
    }

    /// `a == b` of two values that are already numbers of one type.
    pub(super) fn compare(
        &mut self,
        op: BinaryOp,
        left: hir::Expr,
        right: hir::Expr,
        span: Span,
    ) -> Res<Value> {
        let ty = self.hir.get(left.ty);
        let folded = super::constant::fold_binary(op, &left.kind, &right.kind, ty);
        let kind = folded.unwrap_or_else(|| Hir::Binary(op, Box::new(left), Box::new(right)));
        Ok(self.rvalue_of(kind, CTypes::BOOL, span))
    }
}
