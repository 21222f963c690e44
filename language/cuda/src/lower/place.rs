//! Places: addresses, loads and stores of objects.

use super::addr::Addr;
use super::function::Lowerer;
use super::scalar;
use crate::hir::{Expr, IntType, Place, PlaceKind, Type, TypeId};
use crate::space::AddressSpace;
use crate::ssa::{Binary, Convert, Member, Num, Op, Space, SymId, Ty, Value};

impl Lowerer<'_> {
    /// The address of a place.
    pub(super) fn place(&mut self, place: &Place) -> Addr {
        let align = self.types.place_align(&place.kind, place.ty);
        Addr { align, ..self.address(place) }
    }

    fn address(&mut self, place: &Place) -> Addr {
        match &place.kind {
            PlaceKind::Local(local) => {
                if let Some((_, pointer)) = self.lent.iter().find(|(lent, _)| lent == local) {
                    return self.object(Space::Generic, *pointer, place.ty);
                }
                let base = self.slot_address(*local);
                self.object(Space::Local, base, place.ty)
            }
            PlaceKind::Global(global) => {
                let symbol = SymId(global.0);
                let space = self.module.symbols[symbol.at()].space;
                let base = self.emit(self.ptr, Op::Address(symbol));
                self.object(space, base, place.ty)
            }
            PlaceKind::Deref(pointer) => {
                let base = self.expr(pointer);
                self.object(self.space_of(pointer.ty), base, place.ty)
            }
            PlaceKind::Field(inner, index) => {
                let at = self.address(inner);
                let field = self.types.as_struct(inner.ty).and_then(|s| s.fields.get(*index as usize));
                at.at(field.map_or(0, |field| field.offset))
            }
            PlaceKind::Index(inner, index) => {
                let at = self.address(inner);
                let (base, more) = self.indexed(at.base, index, self.types.size(place.ty));
                Addr { base, offset: at.offset.wrapping_add(more), ..at }
            }
            PlaceKind::Bits(inner, ..) => self.address(inner),
        }
    }

    /// The address of a whole object of a type.
    pub(super) fn object(&self, space: Space, base: Value, ty: TypeId) -> Addr {
        Addr { space, base, offset: 0, align: self.types.align(ty) }
    }

    /// A base plus an index times a size: a new base and a constant number of bytes.
    pub(super) fn indexed(&mut self, base: Value, index: &Expr, size: u64) -> (Value, i64) {
        if let crate::hir::ExprKind::Int(value) = index.kind {
            return (base, (value as i64).wrapping_mul(size as i64));
        }
        let value = self.expr(index);
        let int = match self.types.get(index.ty) {
            Type::Int(int) => int,
            _ => IntType::I32,
        };
        let bytes = self.scaled(value, int, size);
        (self.binary(Binary::Add, base, bytes), 0)
    }

    /// An integer times a constant, as an integer of the size of pointers.
    fn scaled(&mut self, value: Value, int: IntType, size: u64) -> Value {
        let wide = self.f.ty(value) == Ty::I64;
        match (self.ptr, wide) {
            (Ty::I64, false) => {
                let op = if int.signed { Binary::MulWideS } else { Binary::MulWideU };
                if size > i32::MAX as u64 {
                    let from = if int.signed { Num::S32 } else { Num::U32 };
                    let value = self.emit(Ty::I64, Op::Convert(Convert::c(from, Num::S64), value));
                    let size = self.constant(Ty::I64, size);
                    return self.binary(Binary::Mul, value, size);
                }
                let size = self.int(size as i64);
                self.emit(Ty::I64, Op::Binary(op, value, size))
            }
            (ptr, _) => {
                let value = if wide && ptr == Ty::I32 {
                    self.emit(Ty::I32, Op::Convert(Convert::c(Num::S64, Num::S32), value))
                } else {
                    value
                };
                let size = self.constant(ptr, size);
                let product = self.binary(Binary::Mul, value, size);
                self.f.values[product.at()].nsw = int.signed;
                product
            }
        }
    }

    /// The state space of the objects of a pointer type.
    pub(super) fn space_of(&self, pointer: TypeId) -> Space {
        let Type::Pointer(_, space) = self.types.get(pointer) else { return Space::Generic };
        match space {
            AddressSpace::Unnamed => Space::Generic,
            AddressSpace::Global => Space::Global,
            AddressSpace::Constant => Space::Const,
            AddressSpace::Local => Space::Shared,
            AddressSpace::Private => Space::Local,
        }
    }

    /// An address as a pointer of a type, which is generic unless the type names the space.
    pub(super) fn pointer_to(&mut self, at: Addr, ty: TypeId) -> Value {
        let address = self.plus(at.base, at.offset);
        if at.space == self.space_of(ty) {
            return address;
        }
        self.emit(self.ptr, Op::ToGeneric(at.space, address))
    }

    /// A pointer plus a constant.
    pub(super) fn plus(&mut self, base: Value, offset: i64) -> Value {
        if offset == 0 {
            return base;
        }
        let offset = self.constant(self.ptr, offset as u64);
        self.binary(Binary::Add, base, offset)
    }

    /// Whether values of the type are generic or global addresses.
    pub(super) fn is_generic(&self, ty: TypeId) -> bool {
        matches!(self.types.get(ty), Type::Pointer(..))
            && matches!(self.space_of(ty), Space::Generic | Space::Global)
    }

    /// The value of a scalar at an address.
    pub(super) fn load_scalar(&mut self, at: Addr, ty: TypeId, volatile: bool) -> Value {
        let value = self.load_at(at, self.mem(ty), volatile, self.is_generic(ty));
        if scalar(self.types, ty) == Some(Ty::I1) { self.is_true(value) } else { value }
    }

    /// Notes the vector of which a load, or a truth value made of one, reads a member.
    pub(super) fn note_member(&mut self, place: &Place, value: Value) {
        let PlaceKind::Field(inner, index) = &place.kind else { return };
        let Some((mem, lanes)) = self.lanes(inner.ty) else { return };
        let field = self.types.as_struct(inner.ty).and_then(|s| s.fields.get(*index as usize));
        let Some(offset) = field.filter(|field| field.bits.is_none()).map(|field| field.offset) else {
            return;
        };
        let lane = (offset / mem.bytes()) as u8;
        if matches!(self.f.op(value), Op::Load { mem: loaded, .. } if *loaded == mem) {
            self.f.values[value.at()].member = Some(Member { lane, lanes });
        }
    }

    /// Stores a scalar.
    pub(super) fn store_scalar(&mut self, at: Addr, ty: TypeId, value: Value, volatile: bool) {
        let value = if scalar(self.types, ty) == Some(Ty::I1) { self.bool_to_int(value) } else { value };
        self.store_at(at, self.mem(ty), value, volatile);
    }

    /// Whether accesses of a place must be kept.
    pub(super) fn is_volatile(&self, place: &Place) -> bool {
        let inner = match &place.kind {
            PlaceKind::Global(global) => self.program.globals[*global].volatile,
            PlaceKind::Field(inner, _) | PlaceKind::Index(inner, _) | PlaceKind::Bits(inner, ..) => {
                self.is_volatile(inner)
            }
            PlaceKind::Local(_) | PlaceKind::Deref(_) => false,
        };
        place.volatile || inner
    }
}
