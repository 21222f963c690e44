//! Structures and arrays: their leaves, copies, and expressions that have them as values.

use super::addr::Addr;
use super::function::Lowerer;
use super::scalar;
use crate::hir::{Expr, ExprKind, Type, TypeId};
use crate::ssa::{Binary, Cmp, Jump, Mem, Op, Terminator, Ty, Value};

/// Objects with more leaves are copied by a loop.
const MAX_LEAVES: usize = 64;

impl Lowerer<'_> {
    /// The scalars of a type: offset, memory type, whether it is a pointer. Unions are words. At
    /// most `MAX_LEAVES` and one more are returned.
    pub(super) fn leaves(&self, ty: TypeId) -> Vec<(u64, Mem, bool)> {
        let mut leaves = Vec::new();
        self.add_leaves(ty, 0, &mut leaves);
        leaves
    }

    fn add_leaves(&self, ty: TypeId, at: u64, leaves: &mut Vec<(u64, Mem, bool)>) {
        if leaves.len() > 1 << 12 {
            return;
        }
        match self.types.get(ty) {
            Type::Void => {}
            Type::Array(element, count) => {
                let size = self.types.size(element);
                for index in 0..count.min(1 << 12) {
                    self.add_leaves(element, at + index * size, leaves);
                }
            }
            Type::Struct(id) => {
                let layout = self.types.layout(id);
                if layout.is_union {
                    let unit = match layout.align {
                        1 => Mem::U8,
                        2 => Mem::U16,
                        _ => Mem::B32,
                    };
                    let size = layout.data_size.min(1 << 14);
                    let words = size / unit.bytes() * unit.bytes();
                    let offsets = (0..words).step_by(unit.bytes() as usize);
                    leaves.extend(offsets.map(|offset| (at + offset, unit, false)));
                    leaves.extend((words..size).map(|offset| (at + offset, Mem::U8, false)));
                } else {
                    for field in &layout.fields {
                        self.add_leaves(field.ty, at + field.offset, leaves);
                    }
                }
            }
            Type::Pointer(..) => leaves.push((at, self.mem(ty), self.is_generic(ty))),
            _ => leaves.push((at, self.mem(ty), false)),
        }
    }

    /// Number of elements of a type that one access can transfer: 2 or 4 equal scalars whose
    /// alignment is their size.
    pub(super) fn lanes(&self, ty: TypeId) -> Option<(Mem, u8)> {
        let layout = self.types.as_struct(ty)?;
        if layout.align < layout.size || layout.size > 16 || layout.is_union || layout.fields.len() > 4 {
            return None;
        }
        let leaves = self.leaves(ty);
        let (_, mem, _) = *leaves.first()?;
        let dense =
            leaves.iter().enumerate().all(|(i, leaf)| leaf.0 == i as u64 * mem.bytes() && leaf.1 == mem);
        let fits = matches!(leaves.len(), 2 | 4) && leaves.len() as u64 * mem.bytes() == layout.size;
        (dense && fits).then_some((mem, leaves.len() as u8))
    }

    /// Copies an object.
    pub(super) fn copy(&mut self, to: Addr, from: Addr, ty: TypeId) {
        let is_whole = |size| to.align.min(from.align) >= size;
        if let Some((mem, lanes)) = self.lanes(ty).filter(|_| is_whole(self.types.size(ty))) {
            let Addr { space, base: addr, offset, .. } = from;
            let load = Op::Load { space, mem, lanes, addr, offset, volatile: false, pointer: false };
            let all = self.emit(Ty::Multi, load);
            let values = (0..u32::from(lanes)).map(|i| self.emit(mem.ty(), Op::Extract(all, i))).collect();
            let Addr { space, base: addr, offset, .. } = to;
            self.effect(Op::Store { space, mem, addr, offset, volatile: false, values });
            return;
        }
        let leaves = self.leaves(ty);
        if leaves.len() > MAX_LEAVES {
            self.copy_loop(to, from, ty);
            return;
        }
        let used = self.used_bits(ty);
        let values: Vec<Value> = leaves
            .iter()
            .map(|(at, mem, pointer)| {
                let value = self.load_at(from.at(*at), *mem, false, *pointer);
                self.without_padding(value, *mem, used.get(*at as usize..).unwrap_or_default())
            })
            .collect();
        for ((at, mem, _), value) in leaves.iter().zip(values) {
            self.store_at(to.at(*at), *mem, value, false);
        }
    }

    /// For each byte of a type with bit-fields, the bits that are in a member; empty for a type
    /// without bit-fields.
    fn used_bits(&self, ty: TypeId) -> Vec<u8> {
        let mut used = Vec::new();
        if self.has_bit_fields(ty) {
            used.resize(self.types.size(ty) as usize, 0);
            self.add_used_bits(ty, 0, &mut used);
        }
        used
    }

    fn has_bit_fields(&self, ty: TypeId) -> bool {
        match self.types.get(ty) {
            Type::Array(element, _) => self.has_bit_fields(element),
            Type::Struct(id) => {
                let fields = &self.types.layout(id).fields;
                fields.iter().any(|field| field.bits.is_some() || self.has_bit_fields(field.ty))
            }
            _ => false,
        }
    }

    fn add_used_bits(&self, ty: TypeId, at: u64, used: &mut [u8]) {
        match self.types.get(ty) {
            Type::Array(element, count) => {
                let size = self.types.size(element);
                (0..count).for_each(|index| self.add_used_bits(element, at + index * size, used));
            }
            Type::Struct(id) => {
                for field in &self.types.layout(id).fields {
                    let Some((low, width)) = field.bits else {
                        self.add_used_bits(field.ty, at + field.offset, used);
                        continue;
                    };
                    let bits = (u64::MAX >> (64 - u32::from(width))) << low;
                    let bytes = used.iter_mut().skip((at + field.offset) as usize);
                    bytes.zip(bits.to_le_bytes()).for_each(|(used, bits)| *used |= bits);
                }
            }
            _ => {
                let bytes = used.iter_mut().skip(at as usize).take(self.types.size(ty) as usize);
                bytes.for_each(|used| *used = 0xff);
            }
        }
    }

    /// A word of an object with bit-fields without the bits between them, which nothing writes:
    /// `used` has the bits of its bytes that are in a member.
    fn without_padding(&mut self, value: Value, mem: Mem, used: &[u8]) -> Value {
        let bytes = used.iter().take(mem.bytes() as usize);
        let mask = bytes.rev().fold(0, |mask, byte| mask << 8 | u64::from(*byte));
        let all = u64::MAX >> (64 - 8 * mem.bytes());
        if used.is_empty() || mask == all || !matches!(self.f.ty(value), Ty::I32 | Ty::I64) {
            return value;
        }
        let mask = self.constant(self.f.ty(value), mask);
        self.binary(Binary::And, value, mask)
    }

    /// Copies a large object word by word, or byte by byte.
    fn copy_loop(&mut self, to: Addr, from: Addr, ty: TypeId) {
        let unit = self.unit(ty, to.align.min(from.align));
        self.count_loop(self.types.data_size(ty), unit, |lower, index| {
            let source = lower.binary(Binary::Add, from.base, index);
            let value = lower.load_at(Addr { base: source, ..from }, unit, false, false);
            let target = lower.binary(Binary::Add, to.base, index);
            lower.store_at(Addr { base: target, ..to }, unit, value, false);
        });
    }

    fn unit(&self, ty: TypeId, align: u64) -> Mem {
        let aligned = [align, self.types.data_size(ty)].iter().all(|one| one.is_multiple_of(4));
        if aligned { Mem::B32 } else { Mem::U8 }
    }

    /// A loop over the offsets of the words of `size` bytes.
    fn count_loop(&mut self, size: u64, unit: Mem, body: impl FnOnce(&mut Self, Value)) {
        let (head, end) = (self.f.add_block(), self.f.add_block());
        let zero = self.constant(self.ptr, 0);
        self.end_with(Terminator::Jump(Jump { to: head, args: vec![zero] }), head);
        let index = self.f.add_param(head, self.ptr);
        body(self, index);
        let step = self.constant(self.ptr, unit.bytes());
        let next = self.binary(Binary::Add, index, step);
        let limit = self.constant(self.ptr, size);
        let more = self.cmp(Cmp::LtU, next, limit);
        let again = Jump { to: head, args: vec![next] };
        self.end_with(Terminator::Branch(more, again, Jump::to(end)), end);
    }

    /// Sets all bytes of an object to 0.
    fn clear(&mut self, to: Addr, ty: TypeId) {
        let leaves = self.leaves(ty);
        if leaves.len() > MAX_LEAVES {
            let unit = self.unit(ty, to.align);
            self.count_loop(self.types.data_size(ty), unit, |lower, index| {
                let zero = lower.int(0);
                let target = lower.binary(Binary::Add, to.base, index);
                lower.store_at(Addr { base: target, ..to }, unit, zero, false);
            });
            return;
        }
        for (at, mem, _) in leaves {
            let zero = self.constant(mem.ty(), 0);
            self.store_at(to.at(at), mem, zero, false);
        }
    }

    /// Evaluates an expression and stores its value at an address.
    pub(super) fn store_expr(&mut self, to: Addr, expr: &Expr) {
        match scalar(self.types, expr.ty) {
            Some(Ty::Void) => {
                self.discard(expr);
                return;
            }
            Some(_) => {
                let value = self.expr(expr);
                self.store_scalar(to, expr.ty, value, false);
                return;
            }
            None => {}
        }
        match &expr.kind {
            ExprKind::Zero => self.clear(to, expr.ty),
            ExprKind::Aggregate(members) => {
                // The members may read the object itself, so they are complete before the first
                // store: they go to a temporary that `promote` removes.
                let temporary = self.temporary(expr.ty);
                for (index, member) in members.iter().enumerate() {
                    let offset = self.member_offset(expr.ty, index);
                    self.store_expr(temporary.at(offset), member);
                }
                self.copy(to, temporary, expr.ty);
            }
            ExprKind::Conditional(condition, a, b) => {
                let (yes, no, end) = (self.f.add_block(), self.f.add_block(), self.f.add_block());
                self.condition(condition, yes, no, yes);
                self.store_expr(to, a);
                self.jump(end, no);
                self.store_expr(to, b);
                self.jump(end, end);
            }
            ExprKind::Comma(a, b) => {
                self.discard(a);
                self.store_expr(to, b);
            }
            ExprKind::Scoped(inner) => self.scope(|lower| lower.store_expr(to, inner)),
            ExprKind::Cast(inner) => self.store_expr(to, inner),
            ExprKind::Load(place) if self.is_volatile(place) => {
                let from = self.place(place);
                for (at, mem, pointer) in self.leaves(expr.ty) {
                    let value = self.load_at(from.at(at), mem, true, pointer);
                    self.store_at(to.at(at), mem, value, false);
                }
            }
            _ => {
                let from = self.aggregate(expr);
                self.copy(to, from, expr.ty);
            }
        }
    }

    /// Offset of a member of a structure or of an element of an array.
    fn member_offset(&self, ty: TypeId, index: usize) -> u64 {
        match self.types.get(ty) {
            Type::Array(element, _) => self.types.size(element) * index as u64,
            Type::Struct(id) => self.types.layout(id).fields.get(index).map_or(0, |field| field.offset),
            _ => 0,
        }
    }

    /// The address of an object with the value of an expression.
    pub(super) fn aggregate(&mut self, expr: &Expr) -> Addr {
        match &expr.kind {
            ExprKind::Load(place) if !self.is_volatile(place) => self.place(place),
            // No value is made in the object that it is assigned to.
            ExprKind::Cast(inner) => self.aggregate(inner),
            ExprKind::Extract(inner, index) => {
                let at = self.aggregate(inner);
                at.at(self.member_offset(inner.ty, *index as usize))
            }
            ExprKind::Assign(place, value) => {
                let to = self.place(place);
                self.store_expr(to, value);
                to
            }
            ExprKind::Update { .. } => {
                let temporary = self.temporary(expr.ty);
                self.update(expr, Some(temporary));
                temporary
            }
            ExprKind::Call(..) | ExprKind::CallIndirect(..) => {
                let temporary = self.temporary(expr.ty);
                self.call(expr, Some(temporary.base));
                temporary
            }
            ExprKind::Intrinsic(intrinsic, args) => {
                let temporary = self.temporary(expr.ty);
                self.wide_intrinsic(intrinsic, args, expr.ty, temporary);
                temporary
            }
            _ => {
                let temporary = self.temporary(expr.ty);
                // Other kinds are handled by `store_expr` and do not come back here.
                if matches!(
                    expr.kind,
                    ExprKind::Zero
                        | ExprKind::Aggregate(_)
                        | ExprKind::Conditional(..)
                        | ExprKind::Comma(..)
                        | ExprKind::Scoped(_)
                        | ExprKind::Load(_)
                ) {
                    self.store_expr(temporary, expr);
                }
                temporary
            }
        }
    }
}
