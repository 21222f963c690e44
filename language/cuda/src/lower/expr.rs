//! Expressions with scalar values.

use super::function::Lowerer;
use super::scalar;
use crate::hir::{BinaryOp, Expr, ExprKind, PlaceKind, Type, TypeId, UnaryOp};
use crate::ssa::{Binary, Block, Cmp, FuncId, Jump, Op, Space, Terminator, Ty, Unary, Value};

impl Lowerer<'_> {
    /// Evaluates an expression for its effects.
    pub(super) fn discard(&mut self, expr: &Expr) {
        match scalar(self.types, expr.ty) {
            None => {
                self.aggregate(expr);
            }
            Some(_) => {
                self.value(expr);
            }
        }
    }

    /// The value of a scalar expression.
    pub(super) fn expr(&mut self, expr: &Expr) -> Value {
        if let Some(value) = self.value(expr) {
            return value;
        }
        let ty = scalar(self.types, expr.ty).filter(|ty| *ty != Ty::Void).unwrap_or(Ty::I32);
        self.emit(ty, Op::Undef)
    }

    /// The value of an expression, if it has a scalar value.
    fn value(&mut self, expr: &Expr) -> Option<Value> {
        let before = self.loc;
        self.set_loc(expr.span);
        let value = self.kind(expr);
        self.loc = before;
        value
    }

    fn kind(&mut self, expr: &Expr) -> Option<Value> {
        let ty = scalar(self.types, expr.ty).unwrap_or(Ty::Void);
        Some(match &expr.kind {
            ExprKind::Int(value) => self.constant(ty, *value as u64),
            ExprKind::Float(value) if ty == Ty::F32 => {
                self.constant(ty, u64::from((*value as f32).to_bits()))
            }
            ExprKind::Float(value) => self.constant(ty, value.to_bits()),
            ExprKind::Zero => self.constant(ty, 0),
            ExprKind::KernelAddress(_) | ExprKind::Launch(_) => {
                unreachable!("host code is not lowered to PTX")
            }
            ExprKind::Scoped(inner) => return self.scope(|lower| lower.value(inner)),
            ExprKind::Aggregate(members) => return members.first().map(|member| self.expr(member)),
            ExprKind::Load(place) => {
                let volatile = self.is_volatile(place);
                let address = self.place(place);
                if ty == Ty::Void {
                    return None;
                }
                self.read(place, address, volatile)
            }
            ExprKind::AddressOf(place) => {
                let address = self.place(place);
                self.pointer_to(address, expr.ty)
            }
            ExprKind::FunctionAddress(function) => self.emit(self.ptr, Op::FuncAddress(FuncId(function.0))),
            ExprKind::Extract(inner, index) => {
                let at = self.aggregate(inner);
                let fields = &self.types.as_struct(inner.ty)?.fields;
                self.load_scalar(at.at(fields.get(*index as usize)?.offset), expr.ty, false)
            }
            ExprKind::Unary(op, a) => self.unary(*op, a),
            ExprKind::Binary(op, a, b) => self.binary_op(*op, a, b),
            ExprKind::LogicalAnd(..) | ExprKind::LogicalOr(..) => self.logical(expr),
            ExprKind::PointerAdd(pointer, index) => {
                let size = self.pointee_size(pointer.ty);
                let base = self.expr(pointer);
                let (base, offset) = self.indexed(base, index, size);
                self.plus(base, offset)
            }
            ExprKind::PointerDiff(a, b) => self.pointer_diff(a, b),
            ExprKind::Conditional(condition, a, b) => return self.conditional(condition, a, b, ty),
            ExprKind::Cast(inner) => return self.cast(inner, expr.ty),
            ExprKind::Assign(place, value) => return self.assign(place, value),
            ExprKind::Update { .. } => return self.update(expr, None),
            ExprKind::Comma(a, b) => {
                self.discard(a);
                return self.value(b);
            }
            ExprKind::Call(..) | ExprKind::CallIndirect(..) => return self.call(expr, None),
            ExprKind::Intrinsic(intrinsic, args) => return self.intrinsic(intrinsic, args, expr.ty),
            ExprKind::Asm(asm) => {
                self.inline_asm(asm);
                return None;
            }
        })
    }

    fn pointee_size(&self, ty: TypeId) -> u64 {
        match self.types.get(ty) {
            Type::Pointer(pointee, _) => self.types.size(pointee).max(1),
            _ => 1,
        }
    }

    fn pointer_diff(&mut self, a: &Expr, b: &Expr) -> Value {
        let size = self.pointee_size(a.ty);
        let (a, b) = (self.expr(a), self.expr(b));
        let bytes = self.binary(Binary::Diff, a, b);
        if size == 1 {
            return bytes;
        }
        if size.is_power_of_two() {
            // The difference is a multiple of the size.
            let shift = self.int(i64::from(size.trailing_zeros()));
            return self.binary(Binary::ShrS, bytes, shift);
        }
        let size = self.constant(self.ptr, size);
        self.binary(Binary::DivS, bytes, size)
    }

    fn unary(&mut self, op: UnaryOp, a: &Expr) -> Value {
        let signed = self.is_signed(a.ty);
        let ty = a.ty;
        let a = self.expr(a);
        let op = match op {
            UnaryOp::Negate => Unary::Neg,
            UnaryOp::Complement | UnaryOp::Not => Unary::Not,
        };
        let value = self.emit(self.f.ty(a), Op::Unary(op, a));
        self.f.values[value.at()].nsw = signed;
        self.narrowed(value, ty)
    }

    /// Whether a type is a signed integer.
    pub(super) fn is_signed(&self, ty: TypeId) -> bool {
        matches!(self.types.get(ty), Type::Int(int) if int.signed)
    }

    fn binary_op(&mut self, op: BinaryOp, left: &Expr, right: &Expr) -> Value {
        let signed = self.is_signed(left.ty);
        let (a, b) = (self.expr(left), self.expr(right));
        let ty = self.f.ty(a);
        if op.is_comparison() {
            return self.comparison(op, signed, a, b);
        }
        let pick = |s, u| if signed { s } else { u };
        let op = match op {
            BinaryOp::Add => Binary::Add,
            BinaryOp::Sub => Binary::Sub,
            BinaryOp::Mul => Binary::Mul,
            BinaryOp::Div if ty.is_float() => Binary::FDiv,
            BinaryOp::Div => pick(Binary::DivS, Binary::DivU),
            BinaryOp::Rem => pick(Binary::RemS, Binary::RemU),
            BinaryOp::And => Binary::And,
            BinaryOp::Or => Binary::Or,
            BinaryOp::Xor => Binary::Xor,
            BinaryOp::Shl => Binary::Shl,
            _ => pick(Binary::ShrS, Binary::ShrU),
        };
        let value = self.binary(op, a, b);
        self.f.values[value.at()].nsw = signed && matches!(op, Binary::Add | Binary::Sub | Binary::Mul);
        self.narrowed(value, left.ty)
    }

    /// Wraps a result to the range of a type of less than 32 bits.
    fn narrowed(&mut self, value: Value, ty: TypeId) -> Value {
        match self.types.get(ty) {
            Type::Int(int) if int.bits < 32 => self.extend(value, int),
            _ => value,
        }
    }

    fn comparison(&mut self, op: BinaryOp, signed: bool, a: Value, b: Value) -> Value {
        use BinaryOp::{Eq, Ge, Gt, Le, Lt};
        if self.f.ty(a) == Ty::I1 {
            // Comparisons of `bool` are rare: as integers.
            let (a, b) = (self.bool_to_int(a), self.bool_to_int(b));
            return self.comparison(op, false, a, b);
        }
        let cmp = match (self.f.ty(a).is_float(), signed) {
            (true, _) => match op {
                Eq => Cmp::FEq,
                Lt => Cmp::FLt,
                Le => Cmp::FLe,
                Gt => Cmp::FGt,
                Ge => Cmp::FGe,
                _ => Cmp::FNeu,
            },
            (false, signed) => match (op, signed) {
                (Eq, _) => Cmp::Eq,
                (Lt, true) => Cmp::LtS,
                (Le, true) => Cmp::LeS,
                (Gt, true) => Cmp::GtS,
                (Ge, true) => Cmp::GeS,
                (Lt, false) => Cmp::LtU,
                (Le, false) => Cmp::LeU,
                (Gt, false) => Cmp::GtU,
                (Ge, false) => Cmp::GeU,
                _ => Cmp::Ne,
            },
        };
        self.cmp(cmp, a, b)
    }

    /// `&&` and `||` as values.
    fn logical(&mut self, expr: &Expr) -> Value {
        let (yes, no, end) = (self.f.add_block(), self.f.add_block(), self.f.add_block());
        self.condition(expr, yes, no, yes);
        let one = self.constant(Ty::I1, 1);
        self.jump_with(end, one, no);
        let zero = self.constant(Ty::I1, 0);
        self.jump_with(end, zero, end);
        self.f.add_param(end, Ty::I1)
    }

    fn jump_with(&mut self, to: Block, value: Value, next: Block) {
        self.end_with(Terminator::Jump(Jump { to, args: vec![value] }), next);
    }

    fn conditional(&mut self, condition: &Expr, a: &Expr, b: &Expr, ty: Ty) -> Option<Value> {
        let (yes, no, end) = (self.f.add_block(), self.f.add_block(), self.f.add_block());
        self.condition(condition, yes, no, yes);
        if ty == Ty::Void {
            self.discard(a);
            self.jump(end, no);
            self.discard(b);
            self.jump(end, end);
            return None;
        }
        let a = self.expr(a);
        self.jump_with(end, a, no);
        let b = self.expr(b);
        self.jump_with(end, b, end);
        Some(self.f.add_param(end, ty))
    }

    /// A call; `result` is the address of the object for a returned structure.
    pub(super) fn call(&mut self, expr: &Expr, result: Option<Value>) -> Option<Value> {
        let ty = scalar(self.types, expr.ty);
        let result = match (ty, result) {
            (None, None) => Some(self.temporary(expr.ty).base),
            (_, result) => result,
        };
        let mut args = Vec::new();
        if let Some(slot) = result {
            args.push(self.emit(self.ptr, Op::ToGeneric(Space::Local, slot)));
        }
        let (ExprKind::Call(_, list) | ExprKind::CallIndirect(_, list)) = &expr.kind else { return None };
        // The function is evaluated before the arguments.
        let target = match &expr.kind {
            ExprKind::CallIndirect(target, _) => Some(self.expr(target)),
            _ => None,
        };
        for arg in list {
            let value = match scalar(self.types, arg.ty) {
                Some(Ty::I1) => {
                    let value = self.expr(arg);
                    self.bool_to_int(value)
                }
                Some(_) => self.expr(arg),
                None => {
                    if let Some(pointer) = self.lent(arg) {
                        self.expr(pointer)
                    } else {
                        let copy = self.temporary(arg.ty);
                        self.store_expr(copy, arg);
                        self.emit(self.ptr, Op::ToGeneric(Space::Local, copy.base))
                    }
                }
            };
            args.push(value);
        }
        let register = match ty {
            Some(Ty::I1) => Ty::I32,
            Some(ty) => ty,
            None => Ty::Void,
        };
        let op = match (&expr.kind, target) {
            (ExprKind::CallIndirect(..), Some(target)) => {
                let types = args.iter().map(|arg| self.f.ty(*arg)).collect();
                let proto = self.proto((types, register));
                Op::CallIndirect { target, args, proto }
            }
            (ExprKind::Call(function, _), _) => Op::Call { func: FuncId(function.0), args },
            _ => return None,
        };
        let value = self.emit(register, op);
        match ty {
            Some(Ty::Void) | None => None,
            Some(Ty::I1) => Some(self.is_true(value)),
            Some(_) => Some(value),
        }
    }

    /// The address of an argument that the caller destroys: the function uses this object itself.
    fn lent<'e>(&self, argument: &'e Expr) -> Option<&'e Expr> {
        let is_destroyed = self.types.as_struct(argument.ty).is_some_and(|layout| layout.is_destroyed);
        match &argument.kind {
            ExprKind::Load(place) if is_destroyed => match &place.kind {
                PlaceKind::Deref(pointer) => Some(pointer),
                _ => None,
            },
            _ => None,
        }
    }

    fn proto(&mut self, proto: (Vec<Ty>, Ty)) -> u32 {
        let protos = &mut self.module.protos;
        if let Some(at) = protos.iter().position(|known| *known == proto) {
            return at as u32;
        }
        protos.push(proto);
        protos.len() as u32 - 1
    }
}
