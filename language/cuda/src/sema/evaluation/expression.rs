//! Expressions of constant expressions.

use super::place::Target;
use super::{Evaluator, Frame};
use crate::hir::Yields;
use crate::hir::{self, BinaryOp, ExprKind as Hir, IntType, LocalId, Place, Type, TypeId, Types, UnaryOp};
use crate::sema::cells::{Cells, Pointer, Run, Scalar, Stop, Value};
use crate::sema::constant::{fold_binary, fold_unary};
use crate::sema::scope::Constant;
use crate::source::Span;

impl From<Constant> for Scalar {
    fn from(constant: Constant) -> Self {
        match constant {
            Constant::Int(int) => Self::Int(int),
            Constant::Float(float) => Self::Float(float),
        }
    }
}

impl Scalar {
    /// The number.
    pub fn constant(self) -> Option<Constant> {
        match self {
            Self::Int(int) => Some(Constant::Int(int)),
            Self::Float(float) => Some(Constant::Float(float)),
            Self::Pointer(_) | Self::Function(_) => None,
        }
    }
}

/// The number of a literal.
fn literal(kind: Option<Hir>) -> Run<Scalar> {
    kind.and_then(|kind| Constant::of(&kind)).map(Scalar::from).ok_or(Stop::Unknown)
}

/// Whether a number is in the range of an integer type.
fn fits(value: i128, int: IntType) -> bool {
    int.wrap(value) == value
}

impl<'s> Evaluator<'s, '_> {
    /// The value of an expression.
    pub fn value(&mut self, frame: &mut Frame<'s>, expr: &hir::Expr) -> Run<Value> {
        self.deeper(|run| run.any_value(frame, expr))
    }

    fn any_value(&mut self, frame: &mut Frame<'s>, expr: &hir::Expr) -> Run<Value> {
        match &expr.kind {
            Hir::Int(_) | Hir::Float(_) => {
                Constant::of(&expr.kind).map(|one| Value::Scalar(one.into())).ok_or(Stop::Unknown)
            }
            Hir::Zero => self.zero(expr.ty),
            Hir::Aggregate(list) => self.aggregate(frame, expr.ty, list),
            Hir::Load(place) if place.volatile => Err(Stop::Unknown),
            Hir::Load(place) => {
                let target = self.place(frame, place, false)?;
                self.load(target, expr.ty, expr.span)
            }
            Hir::AddressOf(place) => {
                let target = self.place(frame, place, true)?;
                Ok(Value::Scalar(Scalar::Pointer(target.pointer)))
            }
            Hir::FunctionAddress(function) => Ok(Value::Scalar(Scalar::Function(*function))),
            Hir::Extract(inner, at) => match self.value(frame, inner)? {
                Value::Cells(cells) => self.extract(&cells, inner.ty, *at, expr.ty, expr.span),
                _ => Err(Stop::Unknown),
            },
            Hir::Unary(op, operand) => {
                let scalar = self.operand(frame, operand)?;
                self.unary(*op, scalar, operand.ty, expr.span).map(Value::Scalar)
            }
            Hir::Binary(op, left, right) => {
                let (one, two) = (self.operand(frame, left)?, self.operand(frame, right)?);
                self.binary(*op, one, two, left.ty, expr.span).map(Value::Scalar)
            }
            Hir::LogicalAnd(left, right) => {
                let truth = self.truth(frame, left)? && self.truth(frame, right)?;
                Ok(Value::Scalar(Scalar::Int(truth.into())))
            }
            Hir::LogicalOr(left, right) => {
                let truth = self.truth(frame, left)? || self.truth(frame, right)?;
                Ok(Value::Scalar(Scalar::Int(truth.into())))
            }
            Hir::PointerAdd(pointer, count) => {
                let (pointer, count) = (self.operand(frame, pointer)?, self.operand(frame, count)?);
                self.pointer_add(pointer, count, expr.ty, expr.span).map(Value::Scalar)
            }
            Hir::PointerDiff(left, right) => {
                let (one, two) = (self.operand(frame, left)?, self.operand(frame, right)?);
                self.pointer_difference(one, two, left.ty).map(Value::Scalar)
            }
            Hir::Conditional(condition, one, two) => {
                let chosen = if self.truth(frame, condition)? { one } else { two };
                self.value(frame, chosen)
            }
            Hir::Cast(inner) => {
                let value = self.value(frame, inner)?;
                self.cast(value, inner.ty, expr.ty, expr.span)
            }
            Hir::Assign(place, value) => self.assign(frame, place, value),
            Hir::Update { place, old, value, yields } => self.update(frame, place, *old, value, *yields),
            Hir::Comma(first, second) => {
                self.value(frame, first)?;
                self.value(frame, second)
            }
            Hir::Scoped(inner) => self.value(frame, inner),
            Hir::Call(id, arguments) => self.called(frame, *id, arguments, expr.span),
            Hir::CallIndirect(function, arguments) => match self.operand(frame, function)? {
                Scalar::Function(id) => self.called(frame, id, arguments, expr.span),
                _ => Err(Stop::Unknown),
            },
            Hir::KernelAddress(_) | Hir::Launch(_) | Hir::Intrinsic(..) | Hir::Asm(_) => Err(Stop::Unknown),
        }
    }

    /// The value of an expression that has no parts.
    fn operand(&mut self, frame: &mut Frame<'s>, expr: &hir::Expr) -> Run<Scalar> {
        match self.value(frame, expr)? {
            Value::Scalar(scalar) => Ok(scalar),
            _ => Err(Stop::Unknown),
        }
    }

    /// The value of a condition.
    pub(super) fn truth(&mut self, frame: &mut Frame<'s>, condition: &hir::Expr) -> Run<bool> {
        match self.operand(frame, condition)? {
            Scalar::Int(int) => Ok(int != 0),
            _ => Err(Stop::Unknown),
        }
    }

    fn zero(&mut self, ty: TypeId) -> Run<Value> {
        let mut cells = Cells::default();
        let limit = self.max_steps.saturating_sub(self.steps) as usize;
        if !cells.zero(self.types(), 0, ty, limit) {
            return Err(Stop::Unknown);
        }
        self.step(cells.len())?;
        if self.is_aggregate(ty) {
            return Ok(Value::Cells(cells));
        }
        let zero = if matches!(self.types().get(ty), Type::F32 | Type::F64) {
            Scalar::Float(0.0)
        } else {
            Scalar::Int(0)
        };
        Ok(Value::Scalar(zero))
    }

    fn aggregate(&mut self, frame: &mut Frame<'s>, ty: TypeId, list: &[hir::Expr]) -> Run<Value> {
        let mut cells = Cells::default();
        for (at, one) in list.iter().enumerate() {
            let offset = match self.types().get(ty) {
                Type::Struct(id) => self.types().layout(id).fields[at].offset,
                Type::Array(element, _) => at as u64 * self.types().size(element),
                _ => return Err(Stop::Unknown),
            };
            let value = self.value(frame, one)?;
            cells.store(self.types(), offset * 8, one.ty, &value);
        }
        self.step(cells.len())?;
        Ok(Value::Cells(cells))
    }

    fn assign(&mut self, frame: &mut Frame<'s>, place: &Place, value: &hir::Expr) -> Run<Value> {
        // The value first ([expr.ass]/1).
        let value = self.value(frame, value)?;
        let target = self.place(frame, place, false)?;
        self.store(target, place.ty, &value, place.span)?;
        self.stored(target, place, value)
    }

    /// The value of an assignment: what a bit field holds of it.
    fn stored(&mut self, target: Target, place: &Place, value: Value) -> Run<Value> {
        if target.bits.is_some() { self.load(target, place.ty, place.span) } else { Ok(value) }
    }

    fn update(
        &mut self,
        frame: &mut Frame<'s>,
        place: &Place,
        old: LocalId,
        value: &hir::Expr,
        yields: Yields,
    ) -> Run<Value> {
        let target = self.place(frame, place, false)?;
        let before = self.load(target, place.ty, place.span)?;
        self.initialize(frame, old, &before)?;
        let after = self.value(frame, value)?;
        self.store(target, place.ty, &after, place.span)?;
        match yields {
            Yields::Old => Ok(before),
            Yields::New => self.stored(target, place, after),
        }
    }

    fn called(
        &mut self,
        frame: &mut Frame<'s>,
        id: hir::FunctionId,
        arguments: &[hir::Expr],
        span: Span,
    ) -> Run<Value> {
        let mut values = Vec::with_capacity(arguments.len());
        for argument in arguments {
            values.push(self.value(frame, argument)?);
        }
        self.call(id, values, span)
    }

    fn unary(&self, op: UnaryOp, operand: Scalar, ty: TypeId, span: Span) -> Run<Scalar> {
        let ty = self.types().get(ty);
        let number = operand.constant().ok_or(Stop::Unknown)?;
        if let (UnaryOp::Negate, Constant::Int(value), Type::Int(int)) = (op, number, ty)
            && int.signed
            && !fits(-value, int)
        {
            return Err(Stop::Undefined(OVERFLOW, span));
        }
        literal(fold_unary(op, &number.kind(), ty))
    }

    fn binary(&self, op: BinaryOp, left: Scalar, right: Scalar, ty: TypeId, span: Span) -> Run<Scalar> {
        let ty = self.types().get(ty);
        let (Some(one), Some(two)) = (left.constant(), right.constant()) else {
            return compare_addresses(op, left, right);
        };
        if let (Constant::Int(one), Constant::Int(two), Type::Int(int)) = (one, two, ty)
            && let Some(problem) = self.undefined(op, one, two, int)
        {
            return Err(Stop::Undefined(problem, span));
        }
        literal(fold_binary(op, &one.kind(), &two.kind(), ty))
    }

    /// What is undefined about an operator with two integers.
    fn undefined(&self, op: BinaryOp, left: i128, right: i128, int: IntType) -> Option<&'static str> {
        let overflows = |exact: Option<i128>| {
            (int.signed && exact.is_none_or(|exact| !fits(exact, int))).then_some(OVERFLOW)
        };
        match op {
            BinaryOp::Add => overflows(left.checked_add(right)),
            BinaryOp::Sub => overflows(left.checked_sub(right)),
            BinaryOp::Mul => overflows(left.checked_mul(right)),
            BinaryOp::Div | BinaryOp::Rem if right == 0 => Some("an integer is divided by zero"),
            BinaryOp::Div | BinaryOp::Rem => overflows(left.checked_div(right)),
            BinaryOp::Shl | BinaryOp::Shr if !(0..i128::from(int.bits)).contains(&right) => {
                Some("a shift count is out of range")
            }
            // Since C++20 bits that are shifted out of a signed integer are lost.
            BinaryOp::Shl if int.signed && !self.sema.is_cpp20 => {
                let unsigned = IntType { signed: false, ..int };
                (left < 0 || !fits(left << right, unsigned)).then_some(OVERFLOW)
            }
            _ => None,
        }
    }

    fn pointer_add(&self, pointer: Scalar, count: Scalar, ty: TypeId, span: Span) -> Run<Scalar> {
        let (Scalar::Int(count), Type::Pointer(to, _)) = (count, self.types().get(ty)) else {
            return Err(Stop::Unknown);
        };
        let pointer = match pointer {
            Scalar::Pointer(pointer) => pointer,
            Scalar::Int(0) if count == 0 => return Ok(pointer),
            _ => return Err(Stop::Unknown),
        };
        let offset = i128::from(pointer.offset) + count * i128::from(self.types().size(to));
        let (low, high) = pointer.range;
        if offset >= low.into() && offset <= high.into() {
            return Ok(Scalar::Pointer(Pointer { offset: offset as i64, ..pointer }));
        }
        // The part with a base class becomes the object around it by a number of bytes.
        if offset >= 0 && offset <= self.size(pointer.base).into() {
            return Err(Stop::Unknown);
        }
        Err(Stop::Undefined("a pointer leaves its array", span))
    }

    fn pointer_difference(&self, left: Scalar, right: Scalar, ty: TypeId) -> Run<Scalar> {
        let Type::Pointer(to, _) = self.types().get(ty) else { return Err(Stop::Unknown) };
        match (left, right) {
            (Scalar::Pointer(one), Scalar::Pointer(two)) if one.base == two.base => {
                let size = i128::from(self.types().size(to).max(1));
                Ok(Scalar::Int(i128::from(one.offset - two.offset) / size))
            }
            (Scalar::Int(0), Scalar::Int(0)) => Ok(Scalar::Int(0)),
            _ => Err(Stop::Unknown),
        }
    }

    fn cast(&self, value: Value, from: TypeId, to: TypeId, span: Span) -> Run<Value> {
        if to == Types::VOID {
            return Ok(Value::Void);
        }
        let Value::Scalar(scalar) = value else { return Ok(value) };
        let Some(number) = scalar.constant() else {
            return match self.types().get(to) {
                Type::Bool => Ok(Value::Scalar(Scalar::Int(1))),
                Type::Pointer(..) | Type::FunctionPointer(_) => Ok(value),
                _ => Err(Stop::Unknown),
            };
        };
        match (number, self.types().get(to)) {
            (Constant::Float(float), Type::Int(int)) if !fits(float as i128, int) || float.is_nan() => {
                Err(Stop::Undefined("a number is out of the range of the integer", span))
            }
            // An address that is a number is that of no object.
            (Constant::Int(int), Type::Pointer(..) | Type::FunctionPointer(_)) if int != 0 => {
                Err(Stop::Unknown)
            }
            _ => literal(self.sema.fold_cast(&number.kind(), from, to)).map(Value::Scalar),
        }
    }
}

/// The problem of a signed integer whose value does not fit.
const OVERFLOW: &str = "a signed integer overflows";

/// Compares two values of which at least one is an address.
fn compare_addresses(op: BinaryOp, left: Scalar, right: Scalar) -> Run<Scalar> {
    let truth = |value: bool| Ok(Scalar::Int(value.into()));
    let is_equal = match (left, right) {
        (Scalar::Pointer(one), Scalar::Pointer(two)) if one.base == two.base => {
            let (one, two) = (one.offset, two.offset);
            match op {
                BinaryOp::Lt => return truth(one < two),
                BinaryOp::Le => return truth(one <= two),
                BinaryOp::Gt => return truth(one > two),
                BinaryOp::Ge => return truth(one >= two),
                _ => one == two,
            }
        }
        (Scalar::Function(one), Scalar::Function(two)) => one == two,
        (Scalar::Float(_), _) | (_, Scalar::Float(_)) => return Err(Stop::Unknown),
        _ => false,
    };
    match op {
        BinaryOp::Eq => truth(is_equal),
        BinaryOp::Ne => truth(!is_equal),
        _ => Err(Stop::Unknown),
    }
}
