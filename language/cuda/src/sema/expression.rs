//! Expressions: dispatch, `?:` and comparisons.

use super::Sema;
use super::function::FunctionState;
use super::scope::Constant;
use super::types::{CType, CTypes, Qual, TypeKind};
use super::value::{Res, Value, ValueKind};
use crate::budget::Resource;
use crate::hir::{self, BinaryOp, ExprKind as Hir, PlaceKind};
use crate::lex::{Punct, Symbol, unescape};
use crate::source::Span;
use crate::syntax::PART_OF_CHAIN;
use crate::syntax::ast::{Expr, ExprKind};

/// Expressions that are evaluated in this order, whose values are not used: a balanced tree. `None`
/// without expressions.
pub(super) fn in_order(mut list: Vec<hir::Expr>) -> Option<hir::Expr> {
    while list.len() > 1 {
        let mut rest = list.into_iter();
        list = Vec::new();
        while let Some(first) = rest.next() {
            list.push(match rest.next() {
                Some(second) => {
                    let (ty, span) = (second.ty, second.span);
                    hir::Expr { kind: Hir::Comma(Box::new(first), Box::new(second)), ty, span }
                }
                None => first,
            });
        }
    }
    list.pop()
}

impl Sema<'_> {
    /// A value after expressions whose values are not used.
    pub(super) fn after(&mut self, before: Vec<hir::Expr>, value: hir::Expr, ty: CType) -> Res<hir::Expr> {
        let span = value.span;
        self.spend(Resource::Expressions, before.len(), span)?;
        match in_order(before) {
            Some(before) => self.make(Hir::Comma(Box::new(before), Box::new(value)), ty, span),
            None => Ok(value),
        }
    }

    /// Analyzes an expression whose value is not computed.
    pub(super) fn unevaluated(&mut self, expr: &Expr) -> Res<Value> {
        self.without_evaluation(|sema| sema.expression(expr))
    }

    /// Runs a step whose values are not computed.
    pub(super) fn without_evaluation<T>(&mut self, step: impl FnOnce(&mut Self) -> Res<T>) -> Res<T> {
        let outer = std::mem::replace(&mut self.is_unevaluated, true);
        // The conversion or deduction around has no part in it.
        let around = (std::mem::take(&mut self.converting), std::mem::take(&mut self.deduces_exactly));
        let is_outside = self.function.is_none();
        if is_outside {
            self.function = Some(FunctionState { in_template: true, ..FunctionState::new(0, "") });
        }
        let deferred = self.set_deferred(false);
        let value = step(self);
        self.set_deferred(deferred);
        if is_outside {
            self.function = None;
        }
        self.is_unevaluated = outer;
        (self.converting, self.deduces_exactly) = around;
        value
    }

    /// A character constant.
    fn character(&mut self, symbol: Symbol, span: Span) -> Res<Value> {
        match unescape(self.text(symbol)) {
            Ok(bytes) if bytes.len() == 1 => {
                let ty = if self.rules.is_c { CTypes::INT } else { CTypes::CHAR };
                Ok(Value::int(i128::from(bytes[0] as i8), ty, span))
            }
            // As GNU's compiler: the last character is the lowest byte.
            Ok(bytes) if (2..=4).contains(&bytes.len()) => {
                let value = bytes.iter().fold(0, |value, byte| value << 8 | i32::from(*byte));
                Ok(Value::int(i128::from(value), CTypes::INT, span))
            }
            _ => self.error("literal", span, "a character constant must have one character, or up to four"),
        }
    }

    /// Analyzes an expression.
    pub(super) fn expression(&mut self, expr: &Expr) -> Res<Value> {
        let span = expr.span;
        match &expr.kind {
            ExprKind::Number(symbol) => self.number(*symbol, span),
            ExprKind::Char(symbol) => self.character(*symbol, span),
            ExprKind::Text(bytes) => self.string(bytes, span),
            ExprKind::Suffixed(literal, suffix) => self.suffixed_literal(literal, *suffix, span),
            ExprKind::Bool(value) => Ok(Value::int(i128::from(*value), CTypes::BOOL, span)),
            ExprKind::Nullptr => {
                let ty = self.types.intern(TypeKind::Nullptr);
                Ok(Value::rvalue(Hir::Int(0), ty, span))
            }
            ExprKind::This => self.this(span),
            ExprKind::Name(name) => self.name_value(name),
            ExprKind::OperatorName(_) => self.unsupported(span, "the name of an operator as a value"),
            ExprKind::Unary(op, operand) => {
                let value = self.unary(*op, operand, span)?;
                self.truth(value)
            }
            ExprKind::Postfix(increment, operand) => self.step(operand, *increment, true, span),
            ExprKind::Binary(Punct::Comma, left, right, _) => {
                let (before, right) = self.operands_of_comma(left, right, span)?;
                let Some(left) = before else { return Ok(right) };
                let right = if self.types.array(right.ty.ty).is_some() { self.rvalue(right)? } else { right };
                let ty = right.ty.ty;
                let is_object = match &right.kind {
                    ValueKind::Place(PlaceKind::Bits(..), _) => false,
                    ValueKind::Place(_, known) => {
                        self.types.record(ty).is_some() || known.is_none() && !self.rules.is_c
                    }
                    _ => false,
                };
                if is_object {
                    // The object itself, not a copy.
                    let (to, pointer) = (right.ty, self.types.pointer(right.ty));
                    let address = self.address(right)?;
                    let address = self.make(Hir::Comma(Box::new(left), Box::new(address)), pointer, span)?;
                    return Ok(Value::deref(address, to, span));
                }
                let right = self.expr(right)?;
                Ok(Value::rvalue(Hir::Comma(Box::new(left), Box::new(right)), ty, span))
            }
            ExprKind::Binary(..) => {
                let value = self.operators(expr)?;
                self.truth(value)
            }
            ExprKind::Assign(op, left, right, place) => self.assignment(*op, left, right, span, *place),
            ExprKind::Conditional(condition, first, second) => {
                self.conditional(condition, first.as_deref(), second, false, span)
            }
            ExprKind::Call(callee, arguments) => self.call(callee, arguments, span),
            ExprKind::Launch(kernel, configuration, arguments) => {
                self.launch(kernel, configuration, arguments, span)
            }
            ExprKind::Index(base, index) => self.index(base, index, span, false),
            ExprKind::Member(base, arrow, name) => self.member(base, *arrow, name, span),
            ExprKind::Cast(kind, ty, operand) => self.written_cast(*kind, ty, operand, span),
            ExprKind::Construct(ty, list, braces) => self.construct(ty, list, *braces, span),
            ExprKind::Compound(ty, list) => self.compound_literal(ty, list, span),
            ExprKind::List(_) => self.error("syntax", span, "an initializer list is not a value here"),
            ExprKind::SizeofType(ty) => {
                let ty = self.type_name(ty)?;
                self.size_of(ty, span)
            }
            ExprKind::SizeofExpr(operand) => {
                let value = self.unevaluated(operand)?;
                self.size_of(value.ty, span)
            }
            ExprKind::Generic(control, list) => self.generic_selection(control, list, span),
            ExprKind::Noexcept(operand) => self.noexcept(operand, span),
            ExprKind::TypeidOfType(ty) => {
                let ty = self.type_name(ty)?;
                self.typeid_of_type(ty, span)
            }
            ExprKind::Typeid(operand) => self.typeid(operand, span),
            ExprKind::Alignof(ty) => {
                let ty = self.type_name(ty)?;
                let hir = self.hir_type(ty.ty, span)?;
                let align = i128::from(self.hir.align(hir));
                Ok(Value::int(align, self.types.size_type, span))
            }
            ExprKind::OfDecltype(value, name) => self.in_decltype(value, name, |sema| sema.name_value(name)),
            ExprKind::VecStep(ty) => self.type_name(ty).map(|ty| self.steps_of(ty, span)),
            ExprKind::Lambda(lambda) => self.lambda(lambda, span),
            ExprKind::New(new) => self.new_object(new, span),
            ExprKind::Delete(delete) => self.delete_object(delete, span),
            ExprKind::Throw(value) => self.throw(value.as_deref(), span),
            ExprKind::Expand(..) => self.error("template", span, "a pack cannot be expanded here"),
            ExprKind::Element(pattern, packs, at) => {
                self.in_element(packs, *at as usize, |sema| sema.expression(pattern))
            }
            ExprKind::SizeofPack(name) => self.size_of_pack(*name),
            ExprKind::Fold(fold) => self.fold(fold, span),
            ExprKind::Requires(requires) => self.requires_value(requires, span),
            ExprKind::Unsupported(construct) => self.unsupported(span, construct),
        }
    }

    /// What the commas of a chain evaluate first, and the value behind them. The `operator,` of a
    /// class takes both of its operands.
    fn operands_of_comma(
        &mut self,
        left: &Expr,
        right: &Expr,
        span: Span,
    ) -> Res<(Option<hir::Expr>, Value)> {
        let (mut first, mut rest) = (left, vec![right]);
        while let ExprKind::Binary(Punct::Comma, left, right, _) = &first.kind {
            rest.push(&**right);
            first = left;
        }
        let mut list = Vec::new();
        let mut last = self.expression(first)?;
        for one in rest.into_iter().rev() {
            let value = self.expression(one)?;
            let operands = [last, value];
            let has_object = operands.iter().any(|one| self.types.record(one.ty.ty).is_some());
            let found = if has_object { self.overloaded(Punct::Comma, &operands, span)? } else { None };
            let [before, value] = operands;
            last = if let Some(result) = found {
                result
            } else {
                list.push(self.discarded(before)?);
                value
            };
        }
        Ok((in_order(list), last))
    }

    /// Operators that associate to the left, as in `a + b - c`: a loop, because a chain may be
    /// long. The typed program is limited in height, so the value of a part of the chain is stored.
    fn operators(&mut self, expr: &Expr) -> Res<Value> {
        let (mut first, mut rest) = (expr, Vec::new());
        while let ExprKind::Binary(op, left, right, place) = &first.kind
            && *op != Punct::Comma
        {
            rest.push((*op, &**right, *place, first.span));
            first = left;
        }
        let mut value = self.expression(first)?;
        let mut before = Vec::new();
        for (number, (op, right, place, span)) in (1..).zip(rest.into_iter().rev()) {
            let right = self.expression(right)?;
            value = self.binary(op, value, right, span, place)?;
            if number % PART_OF_CHAIN == 0 {
                value = self.stored(value, &mut before)?;
            }
        }
        let Some(before) = in_order(before) else { return Ok(value) };
        let (ty, span) = (value.ty, value.span);
        if let ValueKind::Place(..) = value.kind {
            let address = self.address(value)?;
            let pointer = self.types.pointer(ty);
            let address = self.make(Hir::Comma(Box::new(before), Box::new(address)), pointer, span)?;
            return Ok(Value::deref(address, ty, span));
        }
        let value = self.expr(value)?;
        Ok(Value::rvalue(Hir::Comma(Box::new(before), Box::new(value)), ty.ty, span))
    }

    /// Stores a value, or the address of an object, in a variable; returns what is stored there.
    fn stored(&mut self, value: Value, before: &mut Vec<hir::Expr>) -> Res<Value> {
        let value = self.promoted_bits(value)?;
        let (ty, span) = (value.ty, value.span);
        let is_object = match &value.kind {
            ValueKind::Rvalue(Hir::Int(_) | Hir::Float(_)) | ValueKind::Functions(_) => return Ok(value),
            ValueKind::Place(hir::PlaceKind::Bits(..), _) | ValueKind::Rvalue(_) | ValueKind::Elements(_) => {
                false
            }
            ValueKind::Place(..) => true,
        };
        if self.function.is_none() || !is_object && self.types.record(ty.ty).is_some() {
            return self.error("limit", span, "the expression is nested too deeply");
        }
        if is_object {
            let pointer = self.types.pointer(ty);
            let (place, _) = self.temporary(Qual::plain(pointer), span)?;
            let address = self.address(value)?;
            self.store(place.clone(), address, before)?;
            let address = self.expr(place)?;
            return Ok(Value::deref(address, ty, span));
        }
        let (place, _) = self.temporary(ty.unqualified(), span)?;
        let value = self.expr(value)?;
        self.store(place.clone(), value, before)?;
        self.rvalue(place)
    }

    /// A value that is not used.
    pub(super) fn discarded(&mut self, value: Value) -> Res<hir::Expr> {
        let span = value.span;
        if let ValueKind::Functions(_) = value.kind {
            return self.make(Hir::Int(0), CTypes::INT, span);
        }
        if let ValueKind::Place(place, _) = &value.kind
            && !value.ty.quals.is_volatile
        {
            let place = place.clone();
            return self.evaluated(place, span);
        }
        let value = self.dropped(value)?;
        self.unread(value)
    }

    /// Evaluates what the address of an object depends on, and does not read the object.
    fn evaluated(&mut self, place: PlaceKind, span: Span) -> Res<hir::Expr> {
        match place {
            PlaceKind::Local(_) | PlaceKind::Global(_) => self.make(Hir::Int(0), CTypes::INT, span),
            PlaceKind::Deref(pointer) => Ok(*pointer),
            PlaceKind::Field(inner, _) | PlaceKind::Bits(inner, ..) => self.evaluated(inner.kind, span),
            PlaceKind::Index(inner, index) => {
                let inner = self.evaluated(inner.kind, span)?;
                let ty = index.ty;
                Ok(hir::Expr { kind: Hir::Comma(Box::new(inner), index), ty, span })
            }
        }
    }

    /// A value that is not used: an object that the expression ends with is not read.
    fn unread(&mut self, mut value: hir::Expr) -> Res<hir::Expr> {
        let mut before = Vec::new();
        while let Hir::Comma(left, right) = value.kind {
            before.push((left, value.span));
            value = *right;
        }
        let mut value = self.unread_end(value)?;
        while let Some((left, span)) = before.pop() {
            let ty = value.ty;
            value = hir::Expr { kind: Hir::Comma(left, Box::new(value)), ty, span };
        }
        Ok(value)
    }

    /// [`Sema::unread`] of an expression that is not a comma.
    fn unread_end(&mut self, value: hir::Expr) -> Res<hir::Expr> {
        let (ty, span) = (value.ty, value.span);
        match value.kind {
            Hir::Load(place) if !place.volatile => self.evaluated(place.kind, span),
            Hir::Conditional(test, one, two) => {
                let (one, two) = (self.unread(*one)?, self.unread(*two)?);
                let (one, two) = (self.cast(one, CTypes::VOID)?, self.cast(two, CTypes::VOID)?);
                self.make(Hir::Conditional(test, Box::new(one), Box::new(two)), CTypes::VOID, span)
            }
            kind => Ok(hir::Expr { kind, ty, span }),
        }
    }

    /// Analyzes an expression to whose object a reference is bound: `c ? a : b` is one of them
    /// ([expr.cond]/5).
    pub(super) fn object_expression(&mut self, expr: &Expr) -> Res<Value> {
        match &expr.kind {
            ExprKind::Conditional(condition, first, second) => {
                self.conditional(condition, first.as_deref(), second, true, expr.span)
            }
            _ => self.expression(expr),
        }
    }

    fn conditional(
        &mut self,
        condition: &Expr,
        first: Option<&Expr>,
        second: &Expr,
        wants_object: bool,
        span: Span,
    ) -> Res<Value> {
        let test = self.expression(condition)?;
        let Some(first) = first else {
            return self.unsupported(span, "a conditional without its second operand");
        };
        if self.types.vector(test.ty.ty).is_some() {
            let (one, two) = (self.expression(first)?, self.expression(second)?);
            return self.vector_conditional(test, one, two, span);
        }
        if self.rules.is_open_cl && self.types.is_floating(test.ty.ty) && !self.is_builtin(test.span) {
            let message = "the condition of `?:` must be an integer in OpenCL C";
            return self.error("wrong-type", test.span, message);
        }
        let known = test.known();
        let test = self.condition(test)?;
        let (mut one, mut two) = if wants_object {
            (self.object_expression(first)?, self.object_expression(second)?)
        } else {
            (self.expression(first)?, self.expression(second)?)
        };
        // `throw` has the type of the other operand ([expr.cond]/2).
        let throws = |expr: &Expr| matches!(expr.kind, ExprKind::Throw(_));
        if throws(first) && self.types.array(two.ty.ty).is_some() {
            two = self.rvalue(two)?;
        } else if throws(second) && self.types.array(one.ty.ty).is_some() {
            one = self.rvalue(one)?;
        }
        let types = [one.ty.ty, two.ty.ty];
        for (value, expr, other) in [(&mut one, first, types[1]), (&mut two, second, types[0])] {
            if throws(expr) && other != CTypes::VOID {
                let thrown = self.expr(value.clone())?;
                let rest = self.make(self.zero_of(other), other, span)?;
                *value = Value::rvalue(Hir::Comma(Box::new(thrown), Box::new(rest)), other, span);
            }
        }
        for value in [&mut one, &mut two] {
            if let ValueKind::Functions(_) = value.kind {
                *value = self.rvalue(value.clone())?;
            }
        }
        // The C++ compiler of the host, g++, does not promote bit fields here; the standard does.
        if one.ty.ty != two.ty.ty && self.rules.promotes_bit_fields {
            (one, two) = (self.promoted_bits(one)?, self.promoted_bits(two)?);
        }
        let (one_ty, two_ty) = (one.ty.ty, two.ty.ty);
        // C promotes small integers also where both operands have one type.
        let promotes = self.rules.is_c && self.types.is_arithmetic(one_ty) && !self.is_builtin(span);
        let ty = if one_ty == two_ty && !promotes && self.types.array(one_ty).is_none() {
            one_ty
        } else if self.types.is_arithmetic(one_ty) && self.types.is_arithmetic(two_ty) {
            self.types.common(one_ty, two_ty)
        } else if one_ty == CTypes::VOID || two_ty == CTypes::VOID {
            CTypes::VOID
        } else if self.types.vector(one_ty).is_some() {
            one_ty
        } else if self.types.vector(two_ty).is_some() {
            two_ty
        } else {
            self.common_pointer(&one, &two, span)?
        };
        if ty == CTypes::VOID {
            let (one, two) = (self.discarded(one)?, self.discarded(two)?);
            let (one, two) = (self.cast(one, ty)?, self.cast(two, ty)?);
            let kind = Hir::Conditional(Box::new(test), Box::new(one), Box::new(two));
            return Ok(Value::rvalue(kind, ty, span));
        }
        self.warn_double_literal(&one, &two, span);
        let is_object = |value: &Value| matches!(&value.kind, ValueKind::Place(place, _) if !matches!(place, PlaceKind::Bits(..)));
        if one_ty == two_ty && wants_object {
            let is_const = one.ty.quals.is_const || two.ty.quals.is_const;
            (one.ty.quals.is_const, two.ty.quals.is_const) = (is_const, is_const);
        }
        if (wants_object || self.types.record(ty).is_some())
            && one.ty == two.ty
            && is_object(&one)
            && is_object(&two)
        {
            // One of the objects, not a copy.
            let (to, pointer) = (one.ty, self.types.pointer(one.ty));
            let (one, two) = (self.address(one)?, self.address(two)?);
            let kind = Hir::Conditional(Box::new(test), Box::new(one), Box::new(two));
            let address = self.make(kind, pointer, span)?;
            return Ok(Value::deref(address, to, span));
        }
        self.refuse_object(ty, "selected by a condition", span)?;
        let to = Qual::plain(ty);
        let one = self.convert(one, to, "in the conditional")?;
        let two = self.convert(two, to, "in the conditional")?;
        // A constant condition selects now, so that it can be part of a constant.
        let chosen = match known {
            Some(Constant::Int(value)) => Some(if value != 0 { &one } else { &two }),
            _ => None,
        };
        if let Some(chosen @ hir::Expr { kind: Hir::Int(_) | Hir::Float(_), .. }) = chosen {
            return Ok(Value::rvalue(chosen.kind.clone(), ty, span));
        }
        let kind = Hir::Conditional(Box::new(test), Box::new(one), Box::new(two));
        Ok(Value::rvalue(kind, ty, span))
    }

    /// The common type of two pointers, or of a pointer and null.
    pub(super) fn common_pointer(&mut self, one: &Value, two: &Value, span: Span) -> Res<CType> {
        let decayed = |sema: &mut Self, value: &Value| match sema.types.array(value.ty.ty) {
            Some((element, _)) => sema.types.pointer(element.with(value.ty.quals)),
            None => value.ty.ty,
        };
        let (left, right) = (decayed(self, one), decayed(self, two));
        for (from, value, to) in [(right, two, left), (left, one, right)] {
            if self.types.is_pointer(to) || self.types.member_pointer(to).is_some() {
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

    /// The result of an operator: in C the truth is an `int`.
    fn truth(&mut self, value: Value) -> Res<Value> {
        if !self.rules.is_c || value.ty.ty != CTypes::BOOL || self.is_builtin(value.span) {
            return Ok(value);
        }
        let span = value.span;
        let number = self.convert(value, Qual::plain(CTypes::INT), "as a number")?;
        Ok(Value::rvalue(number.kind, CTypes::INT, span))
    }

    /// `a == b` of two values that are already numbers of one type.
    pub(super) fn compare(&mut self, op: BinaryOp, left: hir::Expr, right: hir::Expr, span: Span) -> Value {
        let ty = self.hir.get(left.ty);
        let folded = super::constant::fold_binary(op, &left.kind, &right.kind, ty);
        let kind = folded.unwrap_or_else(|| Hir::Binary(op, Box::new(left), Box::new(right)));
        Value::rvalue(kind, CTypes::BOOL, span)
    }
}
