//! Bit fields: parts of integers in memory.

use super::addr::Addr;
use super::function::Lowerer;
use super::scalar;
use crate::hir::{Place, PlaceKind, TypeId};
use crate::ssa::{Binary, Ty, Value};

impl Lowerer<'_> {
    /// The value of a scalar place at its address.
    pub(super) fn read(&mut self, place: &Place, at: Addr, volatile: bool) -> Value {
        let PlaceKind::Bits(unit, low, width) = &place.kind else {
            let value = self.load_scalar(at, place.ty, volatile);
            self.note_member(place, value);
            return value;
        };
        let whole = self.load_at(at, self.mem(unit.ty), volatile, false);
        self.extracted(whole, place.ty, *low, *width)
    }

    /// Stores a value in a scalar place; returns the value that the place has then.
    pub(super) fn write(&mut self, place: &Place, at: Addr, value: Value, volatile: bool) -> Value {
        let PlaceKind::Bits(unit, low, width) = &place.kind else {
            self.store_scalar(at, place.ty, value, volatile);
            return value;
        };
        let whole = self.load_at(at, self.mem(unit.ty), volatile, false);
        let ty = self.f.ty(whole);
        let value = if self.f.ty(value) == Ty::I1 { self.bool_to_int(value) } else { value };
        let mask = u64::MAX >> (64 - u32::from(*width));
        let kept = self.constant(ty, !(mask << low));
        let kept = self.binary(Binary::And, whole, kept);
        let mask = self.constant(ty, mask);
        let new = self.binary(Binary::And, value, mask);
        let count = self.int(i64::from(*low));
        let placed = self.binary(Binary::Shl, new, count);
        let whole = self.binary(Binary::Or, kept, placed);
        self.store_at(at, self.mem(unit.ty), whole, volatile);
        self.extracted(new, place.ty, 0, *width)
    }

    /// Bits of an integer as a value of a type.
    fn extracted(&mut self, whole: Value, ty: TypeId, low: u8, width: u8) -> Value {
        let register = self.f.ty(whole);
        let bits = if register == Ty::I64 { 64 } else { 32 };
        if self.is_signed(ty) {
            let up = self.int(i64::from(bits - low - width));
            let high = self.binary(Binary::Shl, whole, up);
            let down = self.int(i64::from(bits - width));
            return self.binary(Binary::ShrS, high, down);
        }
        let count = self.int(i64::from(low));
        let shifted = self.binary(Binary::ShrU, whole, count);
        let mask = self.constant(register, u64::MAX >> (64 - u32::from(width)));
        let value = self.binary(Binary::And, shifted, mask);
        if scalar(self.types, ty) == Some(Ty::I1) { self.is_true(value) } else { value }
    }
}
