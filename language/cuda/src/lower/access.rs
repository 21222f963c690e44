//! Accesses of scalars: whole, or in parts where a packed class does not align them.

use super::addr::Addr;
use super::function::Lowerer;
use crate::ssa::{Binary, Convert, Mem, Num, Op, Ty, Value};

impl Lowerer<'_> {
    /// The value of an element at an address.
    pub(super) fn load_at(&mut self, at: Addr, mem: Mem, volatile: bool, pointer: bool) -> Value {
        self.assembled(mem, at.align, |lower, part, mem| {
            let Addr { space, base: addr, offset, .. } = at.at(part);
            lower.emit(mem.ty(), Op::Load { space, mem, lanes: 1, addr, offset, volatile, pointer })
        })
    }

    /// A value that is read as a whole, or in parts of `align` bytes: `read` has the offset and the
    /// type of a part.
    pub(super) fn assembled(
        &mut self,
        mem: Mem,
        align: u64,
        mut read: impl FnMut(&mut Self, u64, Mem) -> Value,
    ) -> Value {
        let Some(unit) = part(mem, align) else { return read(self, 0, mem) };
        let ty = register(mem);
        let mut whole = self.constant(ty, 0);
        for at in (0..mem.bytes()).step_by(unit.bytes() as usize) {
            let is_last = at + unit.bytes() == mem.bytes();
            let value = read(self, at, if is_last && mem == Mem::S16 { Mem::S8 } else { unit });
            let value = self.integer(value, ty);
            let count = self.int(at as i64 * 8);
            let placed = self.binary(Binary::Shl, value, count);
            whole = self.binary(Binary::Or, whole, placed);
        }
        self.bits(whole, mem.ty())
    }

    /// Stores an element.
    pub(super) fn store_at(&mut self, at: Addr, mem: Mem, value: Value, volatile: bool) {
        let Some(unit) = part(mem, at.align) else {
            let Addr { space, base: addr, offset, .. } = at;
            let values = smallvec::smallvec![value];
            return self.effect(Op::Store { space, mem, addr, offset, volatile, values });
        };
        let whole = self.bits(value, register(mem));
        for part in (0..mem.bytes()).step_by(unit.bytes() as usize) {
            let count = self.int(part as i64 * 8);
            let value = self.binary(Binary::ShrU, whole, count);
            let value = self.integer(value, Ty::I32);
            self.store_at(at.at(part), unit, value, volatile);
        }
    }

    /// An integer in a register of another size.
    fn integer(&mut self, value: Value, ty: Ty) -> Value {
        match (self.f.ty(value), ty) {
            (Ty::I32, Ty::I64) => self.emit(ty, Op::Convert(Convert::c(Num::U32, Num::U64), value)),
            (Ty::I64, Ty::I32) => self.emit(ty, Op::Convert(Convert::c(Num::U64, Num::U32), value)),
            _ => value,
        }
    }

    /// The bits of a value as a value of another type of the same size.
    pub(super) fn bits(&mut self, value: Value, ty: Ty) -> Value {
        if self.f.ty(value) == ty { value } else { self.emit(ty, Op::Bits(value)) }
    }
}

/// The type of the parts of an element that is aligned to fewer bytes than it has.
fn part(mem: Mem, align: u64) -> Option<Mem> {
    let unit = match align {
        1 => Mem::U8,
        2 => Mem::U16,
        _ => Mem::B32,
    };
    (align < mem.bytes()).then_some(unit)
}

/// The register in which the parts come together.
fn register(mem: Mem) -> Ty {
    if mem.bytes() == 8 { Ty::I64 } else { Ty::I32 }
}
