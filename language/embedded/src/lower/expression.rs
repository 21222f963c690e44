//! Expressions.

use super::Lowerer;
use super::place::Object;
use crate::code::{Access, Binary, Divide, Instr, KERNELS, Launch, Parameter, Reg, Unary};
use crate::exceptions::Keep;
use crate::library;
use cuda::hir::visit::Effects;
use cuda::hir::{BinaryOp, Expr, ExprKind, IntType, Intrinsic, Type, TypeId, Types, UnaryOp, Yields};
use std::slice::from_ref;

impl Lowerer<'_, '_> {
    /// Evaluates an expression for its effect.
    pub(super) fn effect(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Cast(inner) if expr.ty == Types::VOID => self.effect(inner),
            ExprKind::Comma(left, right) => {
                self.effect(left);
                self.effect(right);
            }
            ExprKind::Conditional(condition, left, right) if expr.ty == Types::VOID => {
                let (other, end) = (self.label(), self.label());
                self.branch(condition, false, other);
                self.effect(left);
                self.jump(end, Instr::Jump { target: 0 });
                self.place_label(other);
                self.effect(right);
                self.place_label(end);
            }
            ExprKind::Assign(place, value) => {
                self.assign(place, value);
            }
            ExprKind::Launch(launch) => self.launch(launch),
            ExprKind::Scoped(inner) => self.full(|lower| lower.effect(inner)),
            _ if self.is_aggregate(expr.ty) => {
                self.temporary(expr);
            }
            _ => {
                self.value(expr);
            }
        }
    }

    /// Evaluates a scalar into a register.
    pub(super) fn into(&mut self, expr: &Expr, to: Reg) {
        let free = self.next;
        let before = self.span;
        self.span = expr.span;
        self.compute(expr, to);
        self.span = before;
        self.next = free;
    }

    /// Evaluates a scalar. Returns its register, which may be that of a variable.
    pub(super) fn value(&mut self, expr: &Expr) -> Reg {
        match &expr.kind {
            ExprKind::Load(place) => {
                if let Object::Register(register) = self.peek(place) {
                    return register;
                }
            }
            ExprKind::Assign(place, value) => return self.assign(place, value).unwrap_or(0),
            _ => {}
        }
        let to = self.register();
        self.into(expr, to);
        to
    }

    /// Keeps a value while `then` is evaluated, which may change the variable whose register it is
    /// in. Returns the register with the value.
    pub(super) fn kept(&mut self, from: Reg, then: &[Expr]) -> Reg {
        if !then.iter().any(|one| Effects::of_kind(&one.kind).changes) {
            return from;
        }
        let to = self.register();
        self.emit(Instr::Move { to, from });
        to
    }

    /// The register of a variable.
    fn peek(&self, place: &cuda::hir::Place) -> Object {
        match &place.kind {
            cuda::hir::PlaceKind::Local(local) => match self.homes[local.0 as usize] {
                super::Home::Register(register) => Object::Register(register),
                super::Home::Memory(address) => Object::Memory(address, 0),
                super::Home::Late(_) => Object::Memory(0, 0),
            },
            _ => Object::Memory(0, 0),
        }
    }

    fn compute(&mut self, expr: &Expr, to: Reg) {
        match &expr.kind {
            ExprKind::Int(value) => self.emit(Instr::Const { to, value: *value as u64 }),
            ExprKind::Float(value) => {
                let bits = if expr.ty == Types::F32 {
                    u64::from((*value as f32).to_bits())
                } else {
                    value.to_bits()
                };
                self.emit(Instr::Const { to, value: bits });
            }
            ExprKind::Zero => self.emit(Instr::Const { to, value: 0 }),
            ExprKind::Aggregate(list) => match list.first() {
                Some(first) => self.into(first, to),
                None => self.emit(Instr::Const { to, value: 0 }),
            },
            ExprKind::Load(place) => {
                let object = self.object(place);
                self.load(object, expr.ty, to);
            }
            ExprKind::AddressOf(place) => {
                let object = self.object(place);
                let address = self.address_of(object);
                self.emit(Instr::Move { to, from: address });
            }
            ExprKind::FunctionAddress(function) => {
                self.emit(Instr::Const { to, value: super::function_address(*function) });
            }
            ExprKind::KernelAddress(name) => {
                let kernel = self.shared.kernel(name);
                self.emit(Instr::Const { to, value: KERNELS + 16 * u64::from(kernel) });
            }
            ExprKind::Extract(inner, at) => {
                let offset =
                    self.types().as_struct(inner.ty).map_or(0, |one| one.fields[*at as usize].offset);
                let base = self.temporary(inner);
                self.load(Object::Memory(base, offset as i32), expr.ty, to);
            }
            ExprKind::Unary(op, inner) => self.unary(*op, inner, to),
            ExprKind::Binary(op, left, right) => self.binary(*op, left, right, to),
            ExprKind::LogicalAnd(..) | ExprKind::LogicalOr(..) => self.logical(expr, to),
            ExprKind::PointerAdd(pointer, count) => self.pointer_add(expr, pointer, count, to),
            ExprKind::PointerDiff(left, right) => self.pointer_difference(left, right, to),
            ExprKind::Conditional(condition, left, right) => self.conditional(condition, left, right, to),
            ExprKind::Cast(inner) => self.cast(inner, expr.ty, to),
            ExprKind::Assign(place, value) => {
                if let Some(from) = self.assign(place, value) {
                    self.emit(Instr::Move { to, from });
                }
            }
            ExprKind::Update { place, old, value, yields } => {
                let object = self.object(place);
                let super::Home::Register(before) = self.homes[old.0 as usize] else {
                    return self.fail("a structure cannot be updated");
                };
                self.load(object, place.ty, before);
                let after = self.register();
                self.into(value, after);
                self.store(object, place.ty, after);
                match (*yields, object) {
                    (Yields::Old, _) => self.emit(Instr::Move { to, from: before }),
                    // The value is what the bits hold.
                    (_, Object::Bits(..)) => self.load(object, place.ty, to),
                    _ => self.emit(Instr::Move { to, from: after }),
                }
            }
            ExprKind::Scoped(inner) => self.full(|lower| lower.into(inner, to)),
            ExprKind::Comma(left, right) => {
                self.effect(left);
                self.into(right, to);
            }
            ExprKind::Call(function, arguments) if self.inline(*function, arguments, to) => {}
            ExprKind::Call(..) | ExprKind::CallIndirect(..) => {
                let base = self.call(expr, None);
                if expr.ty != Types::VOID {
                    self.emit(Instr::Move { to, from: base });
                }
            }
            ExprKind::Intrinsic(Intrinsic::Library(name), arguments) => {
                let base = self.library_call(name, arguments);
                if expr.ty != Types::VOID {
                    self.emit(Instr::Move { to, from: base });
                }
            }
            ExprKind::Launch(launch) => self.launch(launch),
            ExprKind::Intrinsic(intrinsic, arguments) if self.lifetime(intrinsic, arguments, to) => {}
            ExprKind::Intrinsic(..) | ExprKind::Asm(_) => {
                self.fail("this operation exists on the device only");
            }
        }
    }

    /// `&&` or `||` as a value.
    fn logical(&mut self, expr: &Expr, to: Reg) {
        let end = self.label();
        let made = self.register();
        self.emit(Instr::Const { to: made, value: 0 });
        self.branch(expr, false, end);
        self.emit(Instr::Const { to: made, value: 1 });
        self.place_label(end);
        self.emit(Instr::Move { to, from: made });
    }

    /// `pointer + count`, whose type is that of `expr`.
    fn pointer_add(&mut self, expr: &Expr, pointer: &Expr, count: &Expr, to: Reg) {
        let size = match self.types().get(expr.ty) {
            Type::Pointer(to, _) => self.size(to),
            _ => 1,
        };
        let base = self.value(pointer);
        let base = self.kept(base, from_ref(count));
        if let ExprKind::Int(count) = count.kind
            && let Ok(value) = i32::try_from(count * i128::from(size))
        {
            self.emit(Instr::AddImm64 { to, a: base, value });
            return;
        }
        let index = self.value(count);
        self.emit(Instr::Scaled { to, base, index, scale: size as u32 });
    }

    /// The number of elements between two pointers.
    fn pointer_difference(&mut self, left: &Expr, right: &Expr, to: Reg) {
        let size = match self.types().get(left.ty) {
            Type::Pointer(to, _) => self.size(to).max(1),
            _ => 1,
        };
        let (a, b) = (self.value(left), self.value(right));
        self.emit(Instr::Sub64 { to, a, b });
        if size > 1 {
            let divisor = self.register();
            self.emit(Instr::Const { to: divisor, value: size });
            self.emit(Instr::Divide { op: Divide::DivI64, to, a: to, b: divisor });
        }
    }

    /// `condition ? left : right`.
    fn conditional(&mut self, condition: &Expr, left: &Expr, right: &Expr, to: Reg) {
        let (other, end) = (self.label(), self.label());
        let made = self.register();
        self.branch(condition, false, other);
        self.into(left, made);
        self.jump(end, Instr::Jump { target: 0 });
        self.place_label(other);
        self.into(right, made);
        self.place_label(end);
        self.emit(Instr::Move { to, from: made });
    }

    fn unary(&mut self, op: UnaryOp, inner: &Expr, to: Reg) {
        let a = self.value(inner);
        let ty = self.types().get(inner.ty);
        let op = match (op, ty) {
            (UnaryOp::Not, _) => Unary::Not,
            (UnaryOp::Negate, Type::F32) => Unary::NegF32,
            (UnaryOp::Negate, Type::F64) => Unary::NegF64,
            (UnaryOp::Negate, Type::Int(IntType { bits: 64, .. })) => Unary::Neg64,
            (UnaryOp::Negate, Type::Int(IntType { signed: false, .. })) => Unary::NegU32,
            (UnaryOp::Negate, _) => Unary::NegI32,
            (UnaryOp::Complement, Type::Int(IntType { bits: 64, .. })) => Unary::Complement64,
            (UnaryOp::Complement, Type::Int(IntType { signed: false, .. })) => Unary::ComplementU32,
            (UnaryOp::Complement, _) => Unary::ComplementI32,
        };
        self.emit(Instr::Unary { op, to, a });
    }

    fn binary(&mut self, op: BinaryOp, left: &Expr, right: &Expr, to: Reg) {
        let ty = self.types().get(left.ty);
        let (wide, signed) = match ty {
            Type::Int(int) => (int.bits == 64, int.signed),
            Type::Pointer(..) | Type::FunctionPointer(_) => (true, false),
            _ => (false, true),
        };
        if let (BinaryOp::Add | BinaryOp::Sub, Type::Int(_), ExprKind::Int(value)) = (op, ty, &right.kind)
            && let Ok(value) = i32::try_from(if op == BinaryOp::Sub { -value } else { *value })
            && (wide || signed)
        {
            let a = self.value(left);
            self.emit(if wide { Instr::AddImm64 { to, a, value } } else { Instr::AddImm32 { to, a, value } });
            return;
        }
        let mut a = self.value(left);
        // The operands of a shift have an order, those of other operators have none.
        if matches!(op, BinaryOp::Shl | BinaryOp::Shr) {
            a = self.kept(a, from_ref(right));
        }
        let b = self.value(right);
        let divide = match (op, wide, signed) {
            (BinaryOp::Div, false, true) => Divide::DivI32,
            (BinaryOp::Div, false, false) => Divide::DivU32,
            (BinaryOp::Div, true, true) => Divide::DivI64,
            (BinaryOp::Div, true, false) => Divide::DivU64,
            (BinaryOp::Rem, false, true) => Divide::RemI32,
            (BinaryOp::Rem, false, false) => Divide::RemU32,
            (BinaryOp::Rem, true, true) => Divide::RemI64,
            _ => Divide::RemU64,
        };
        if matches!(op, BinaryOp::Div | BinaryOp::Rem) && !matches!(ty, Type::F32 | Type::F64) {
            self.emit(Instr::Divide { op: divide, to, a, b });
            return;
        }
        let (instr, swapped) = select(op, ty, wide, signed);
        let (a, b) = if swapped { (b, a) } else { (a, b) };
        self.emit(instr.with(to, a, b));
    }

    fn cast(&mut self, inner: &Expr, ty: TypeId, to: Reg) {
        if ty == Types::VOID {
            return self.effect(inner);
        }
        if self.is_aggregate(inner.ty) || inner.ty == Types::VOID {
            self.effect(inner);
            self.emit(Instr::Const { to, value: 0 });
            return;
        }
        let mut a = self.value(inner);
        let (from, target) = (self.types().get(inner.ty), self.types().get(ty));
        for op in conversion(from, target) {
            match op {
                Some(op) => self.emit(Instr::Unary { op, to, a }),
                None => self.emit(Instr::Move { to, from: a }),
            }
            a = to;
        }
    }

    /// Assigns. Returns the register with the value, if it is a scalar.
    fn assign(&mut self, place: &cuda::hir::Place, value: &Expr) -> Option<Reg> {
        let before = self.span;
        self.span = place.span;
        let made = if self.is_aggregate(value.ty) {
            if !matches!(value.kind, ExprKind::Cast(_) | ExprKind::Load(_)) {
                let object = self.object(place);
                let to = self.address_of(object);
                self.aggregate(value, to);
                self.span = before;
                return None;
            }
            let from = self.temporary(value);
            let object = self.object(place);
            let to = self.address_of(object);
            self.copy(to, from, value.ty);
            None
        } else if value.ty == Types::VOID {
            self.effect(value);
            None
        } else if let Object::Register(register) = self.peek(place)
            && matches!(place.kind, cuda::hir::PlaceKind::Local(_))
        {
            self.into(value, register);
            Some(register)
        } else {
            // The value first ([expr.ass]/1), in a separate register if the place may change it.
            let from = if Effects::of_place(&place.kind).any() {
                let from = self.register();
                self.into(value, from);
                from
            } else {
                self.value(value)
            };
            let object = self.object(place);
            self.store(object, place.ty, from);
            if let Object::Bits(..) = object {
                // The value is what the bits hold.
                let to = self.register();
                self.load(object, place.ty, to);
                self.span = before;
                return Some(to);
            }
            Some(from)
        };
        self.span = before;
        made
    }

    /// Evaluates a structure or array. Returns a register with the address of the value, which may
    /// be that of a variable.
    pub(super) fn temporary(&mut self, expr: &Expr) -> Reg {
        if let ExprKind::Load(place) = &expr.kind {
            let object = self.object(place);
            return self.address_of(object);
        }
        let address = self.register();
        self.variable("", expr.ty, expr.span, address);
        self.aggregate(expr, address);
        address
    }

    /// Evaluates a structure or array into memory.
    pub(super) fn aggregate(&mut self, expr: &Expr, to: Reg) {
        match &expr.kind {
            ExprKind::Zero => {
                let size = self.types().data_size(expr.ty) as u32;
                self.emit(Instr::Zero { to, size });
            }
            ExprKind::Aggregate(list) => {
                let offsets: Vec<u64> = match self.types().get(expr.ty) {
                    Type::Struct(id) => {
                        self.types().layout(id).fields.iter().map(|field| field.offset).collect()
                    }
                    Type::Array(element, count) => (0..count).map(|at| at * self.size(element)).collect(),
                    _ => vec![0],
                };
                for (one, offset) in list.iter().zip(offsets) {
                    let free = self.next;
                    let object = Object::Memory(to, offset as i32);
                    if self.is_aggregate(one.ty) {
                        let part = self.address_of(object);
                        self.aggregate(one, part);
                    } else {
                        let value = self.value(one);
                        self.store(object, one.ty, value);
                    }
                    self.next = free;
                }
            }
            ExprKind::Load(place) => {
                let object = self.object(place);
                let from = self.address_of(object);
                self.copy(to, from, expr.ty);
            }
            ExprKind::Extract(inner, at) => {
                let offset =
                    self.types().as_struct(inner.ty).map_or(0, |one| one.fields[*at as usize].offset);
                let base = self.temporary(inner);
                let from = self.address_of(Object::Memory(base, offset as i32));
                self.copy(to, from, expr.ty);
            }
            ExprKind::Conditional(condition, left, right) => {
                let (other, end) = (self.label(), self.label());
                self.branch(condition, false, other);
                self.aggregate(left, to);
                self.jump(end, Instr::Jump { target: 0 });
                self.place_label(other);
                self.aggregate(right, to);
                self.place_label(end);
            }
            ExprKind::Scoped(inner) => self.full(|lower| lower.aggregate(inner, to)),
            ExprKind::Comma(left, right) => {
                let shared = self.share_memory(right, to);
                self.effect(left);
                self.aggregate(right, to);
                if let Some((local, home)) = shared {
                    self.homes[local] = home;
                }
            }
            ExprKind::Assign(place, value) => {
                self.assign(place, value);
                let object = self.object(place);
                let from = self.address_of(object);
                self.copy(to, from, expr.ty);
            }
            ExprKind::Call(function, arguments) if self.inline(*function, arguments, to) => {}
            ExprKind::Call(..) | ExprKind::CallIndirect(..) => {
                self.call(expr, Some(to));
            }
            ExprKind::Cast(inner) => self.aggregate(inner, to),
            _ => self.fail("a structure of this form is not supported in host code"),
        }
    }

    /// Calls a function. Returns the register of the result.
    fn call(&mut self, expr: &Expr, result: Option<Reg>) -> Reg {
        let (arguments, address) = match &expr.kind {
            ExprKind::Call(_, arguments) => (arguments, None),
            ExprKind::CallIndirect(function, arguments) => {
                let address = self.value(function);
                (arguments, Some(self.kept(address, arguments)))
            }
            _ => return 0,
        };
        let result = match result {
            None if self.is_aggregate(expr.ty) => {
                let address = self.register();
                self.variable("", expr.ty, expr.span, address);
                Some(address)
            }
            result => result,
        };
        // Arguments that call functions are evaluated before the registers of this call.
        let values: Vec<Reg> = arguments
            .iter()
            .map(|argument| {
                if self.is_aggregate(argument.ty) {
                    self.temporary(argument)
                } else {
                    let to = self.register();
                    self.into(argument, to);
                    to
                }
            })
            .collect();
        let first = self.next;
        let base = self.register();
        if let Some(address) = result {
            self.emit(Instr::Move { to: base, from: address });
        }
        let count = values.len() as u16 + u16::from(result.is_some());
        for (at, from) in values.into_iter().enumerate() {
            let to = if at == 0 && result.is_none() { base } else { self.register() };
            self.emit(Instr::Move { to, from });
        }
        self.next = first + 1;
        match (&expr.kind, address) {
            (ExprKind::Call(function, _), _) => self.emit(Instr::Call { function: function.0, base, count }),
            (_, Some(address)) => self.emit(Instr::CallIndirect { address, base, count }),
            _ => {}
        }
        base
    }

    /// Calls a function of the library: structures are passed as words.
    fn library_call(&mut self, name: &str, arguments: &[Expr]) -> Reg {
        if let Some(op) = Keep::of(name) {
            return self.keep(op, arguments);
        }
        let mut values: Vec<Reg> = Vec::new();
        for argument in arguments {
            if !self.is_aggregate(argument.ty) {
                let to = self.register();
                self.into(argument, to);
                values.push(to);
                continue;
            }
            let base = self.temporary(argument);
            let size = self.size(argument.ty);
            for offset in (0..size).step_by(8) {
                let to = self.register();
                let access = if size - offset >= 8 { Access::W64 } else { Access::U32 };
                self.emit(Instr::Load { access, to, base, offset: offset as i32 });
                values.push(to);
            }
        }
        let first = self.next;
        let base = self.register();
        let count = values.len() as u16;
        for (at, from) in values.into_iter().enumerate() {
            let to = if at == 0 { base } else { self.register() };
            self.emit(Instr::Move { to, from });
        }
        self.next = first + 1;
        if library::find(name).is_none() {
            self.fail(format!(
                "function `{name}` is not defined: define it, or give the file that defines it, too"
            ));
        }
        let function = self.shared.library(name);
        self.emit(Instr::Library { function, base, count });
        base
    }

    fn launch(&mut self, launch: &cuda::hir::Launch) {
        let free = self.next;
        let kernel = self.register();
        self.into(&launch.kernel, kernel);
        let mut values: Vec<Reg> = vec![kernel];
        for size in [&launch.grid, &launch.block] {
            let base = self.temporary(size);
            for offset in [0, 4, 8] {
                let to = self.register();
                self.emit(Instr::Load { access: Access::U32, to, base, offset });
                values.push(to);
            }
        }
        for one in [&launch.shared, &launch.stream] {
            let to = self.register();
            self.into(one, to);
            values.push(to);
        }
        let mut parameters = Vec::new();
        for argument in &launch.arguments {
            let by_address = self.is_aggregate(argument.ty);
            let value = if by_address {
                self.temporary(argument)
            } else {
                let to = self.register();
                self.into(argument, to);
                to
            };
            values.push(value);
            let (size, align) = (self.size(argument.ty) as u32, self.types().align(argument.ty) as u32);
            parameters.push(Parameter { size, align, by_address });
        }
        let base = self.next as Reg;
        for from in values {
            let to = self.register();
            self.emit(Instr::Move { to, from });
        }
        let number = self.shared.launches.len() as u32;
        self.shared.launches.push(Launch { parameters });
        self.emit(Instr::Launch { launch: number, base });
        self.next = free;
    }
}

/// The instruction of an operator, and whether its operands are swapped.
fn select(op: BinaryOp, ty: Type, wide: bool, signed: bool) -> (Binary, bool) {
    let pick = |int: Binary, unsigned: Binary, long: Binary, single: Binary, double: Binary| match ty {
        Type::F32 => single,
        Type::F64 => double,
        _ if wide => long,
        _ if signed => int,
        _ => unsigned,
    };
    let less = if signed { Binary::LtSigned } else { Binary::LtUnsigned };
    let most = if signed { Binary::LeSigned } else { Binary::LeUnsigned };
    let instr = match op {
        BinaryOp::Add => pick(Binary::AddI32, Binary::AddU32, Binary::Add64, Binary::AddF32, Binary::AddF64),
        BinaryOp::Sub => pick(Binary::SubI32, Binary::SubU32, Binary::Sub64, Binary::SubF32, Binary::SubF64),
        BinaryOp::Mul => pick(Binary::MulI32, Binary::MulU32, Binary::Mul64, Binary::MulF32, Binary::MulF64),
        BinaryOp::Div | BinaryOp::Rem if ty == Type::F32 => Binary::DivF32,
        BinaryOp::Div | BinaryOp::Rem => Binary::DivF64,
        BinaryOp::And => Binary::And,
        BinaryOp::Or => Binary::Or,
        BinaryOp::Xor => Binary::Xor,
        BinaryOp::Shl => pick(Binary::ShlI32, Binary::ShlU32, Binary::Shl64, Binary::Shl64, Binary::Shl64),
        BinaryOp::Shr if wide && signed => Binary::ShrI64,
        BinaryOp::Shr => pick(Binary::ShrI32, Binary::ShrU32, Binary::ShrU64, Binary::ShrU64, Binary::ShrU64),
        BinaryOp::Eq => pick(Binary::EqInt, Binary::EqInt, Binary::EqInt, Binary::EqF32, Binary::EqF64),
        BinaryOp::Ne => pick(Binary::NeInt, Binary::NeInt, Binary::NeInt, Binary::NeF32, Binary::NeF64),
        BinaryOp::Lt | BinaryOp::Gt => pick(less, less, less, Binary::LtF32, Binary::LtF64),
        BinaryOp::Le | BinaryOp::Ge => pick(most, most, most, Binary::LeF32, Binary::LeF64),
    };
    (instr, matches!(op, BinaryOp::Gt | BinaryOp::Ge))
}

/// The steps of a conversion; `None` copies.
fn conversion(from: Type, to: Type) -> Vec<Option<Unary>> {
    let wrap = |int: IntType| match (int.bits, int.signed) {
        (8, true) => Some(Unary::ToI8),
        (8, false) => Some(Unary::ToU8),
        (16, true) => Some(Unary::ToI16),
        (16, false) => Some(Unary::ToU16),
        (32, true) => Some(Unary::ToI32),
        (32, false) => Some(Unary::ToU32),
        _ => None,
    };
    let signed = |ty: Type| matches!(ty, Type::Int(IntType { signed: true, .. }));
    let single = from == Type::F32;
    match (from, to) {
        (Type::F32, Type::F64) => vec![Some(Unary::F32ToF64)],
        (Type::F64, Type::F32) => vec![Some(Unary::F64ToF32)],
        (Type::F32, Type::F32) | (Type::F64, Type::F64) => vec![None],
        (Type::F32, Type::Bool) => vec![Some(Unary::F32ToBool)],
        (Type::F64, Type::Bool) => vec![Some(Unary::F64ToBool)],
        (_, Type::Bool) => vec![Some(Unary::IntToBool)],
        (Type::F32 | Type::F64, Type::Int(int)) => match (int.bits, int.signed) {
            (64, false) => vec![Some(if single { Unary::F32ToU64 } else { Unary::F64ToU64 })],
            (64, true) => vec![Some(if single { Unary::F32ToI64 } else { Unary::F64ToI64 })],
            (32, false) => {
                vec![Some(if single { Unary::F32ToI64 } else { Unary::F64ToI64 }), Some(Unary::ToU32)]
            }
            (32, true) => vec![Some(if single { Unary::F32ToI32 } else { Unary::F64ToI32 })],
            _ => vec![Some(if single { Unary::F32ToI32 } else { Unary::F64ToI32 }), wrap(int)],
        },
        (_, Type::F32) => vec![Some(if signed(from) { Unary::SignedToF32 } else { Unary::UnsignedToF32 })],
        (_, Type::F64) => vec![Some(if signed(from) { Unary::SignedToF64 } else { Unary::UnsignedToF64 })],
        (_, Type::Int(int)) => vec![wrap(int)],
        _ => vec![None],
    }
}
