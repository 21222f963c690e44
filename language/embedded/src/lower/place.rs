//! Objects: registers and addresses.

use super::{Home, Lowerer};
use crate::code::global_address;
use crate::code::{Access, Instr, Reg};
use cuda::hir::{Place, PlaceKind, Type, TypeId};

/// An object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Object {
    /// A register.
    Register(Reg),
    /// Memory at an address and an offset.
    Memory(Reg, i32),
    /// Bits of an integer at an address and an offset: how the integer is accessed, the lowest bit,
    /// the number of bits.
    Bits(Reg, i32, Access, u8, u8),
}

impl Lowerer<'_, '_> {
    /// How a scalar is accessed in memory.
    pub(super) fn access(&self, ty: TypeId) -> Access {
        match self.types().get(ty) {
            Type::Bool => Access::U8,
            Type::Int(int) => match (int.bits, int.signed) {
                (8, true) => Access::I8,
                (8, false) => Access::U8,
                (16, true) => Access::I16,
                (16, false) => Access::U16,
                (32, true) => Access::I32,
                (32, false) => Access::U32,
                _ => Access::W64,
            },
            Type::F32 => Access::U32,
            _ => Access::W64,
        }
    }

    /// The object of a place.
    pub(super) fn object(&mut self, place: &Place) -> Object {
        match &place.kind {
            PlaceKind::Local(local) => match self.home(*local) {
                Home::Register(register) => Object::Register(register),
                Home::Memory(address) => Object::Memory(address, 0),
                Home::Late(_) => unreachable!("`home` gives it memory"),
            },
            PlaceKind::Global(global) => {
                let to = self.register();
                self.emit(Instr::Const { to, value: global_address(global.0) });
                Object::Memory(to, 0)
            }
            PlaceKind::Deref(pointer) => Object::Memory(self.value(pointer), 0),
            PlaceKind::Field(inner, at) => {
                let offset =
                    self.types().as_struct(inner.ty).map_or(0, |one| one.fields[*at as usize].offset);
                let object = self.object(inner);
                self.moved(object, offset as i64)
            }
            PlaceKind::Bits(unit, low, width) => {
                let access = self.access(unit.ty);
                match self.object(unit) {
                    Object::Memory(base, offset) => Object::Bits(base, offset, access, *low, *width),
                    other => other,
                }
            }
            PlaceKind::Index(inner, index) => {
                let size = self.size(place.ty);
                let object = self.object(inner);
                if let cuda::hir::ExprKind::Int(index) = index.kind {
                    return self.moved(object, index as i64 * size as i64);
                }
                let base = self.address_of(object);
                let base = self.kept(base, std::slice::from_ref(index));
                let index = self.value(index);
                let to = self.register();
                self.emit(Instr::Scaled { to, base, index, scale: size as u32 });
                Object::Memory(to, 0)
            }
        }
    }

    /// An object at a distance from another one.
    fn moved(&mut self, object: Object, bytes: i64) -> Object {
        let Object::Memory(base, offset) = object else { return object };
        if let Ok(offset) = i32::try_from(i64::from(offset) + bytes) {
            return Object::Memory(base, offset);
        }
        let (to, distance) = (self.register(), self.register());
        self.emit(Instr::Const { to: distance, value: bytes as u64 });
        self.emit(Instr::Add64 { to, a: base, b: distance });
        Object::Memory(to, offset)
    }

    /// Register with the address of an object in memory.
    pub(super) fn address_of(&mut self, object: Object) -> Reg {
        match object {
            Object::Memory(base, 0) => base,
            Object::Memory(base, offset) => {
                let to = self.register();
                self.emit(Instr::AddImm64 { to, a: base, value: offset });
                to
            }
            Object::Register(_) | Object::Bits(..) => unreachable!("an object with an address has memory"),
        }
    }

    /// Loads the scalar value of an object into a register.
    pub(super) fn load(&mut self, object: Object, ty: TypeId, to: Reg) {
        match object {
            Object::Register(from) if from == to => {}
            Object::Register(from) => self.emit(Instr::Move { to, from }),
            Object::Memory(base, offset) => {
                let access = self.access(ty);
                self.emit(Instr::Load { access, to, base, offset });
            }
            Object::Bits(base, offset, _, low, width) => {
                let low = self.load_bytes(to, base, offset, low, width);
                let signed = matches!(self.types().get(ty), Type::Int(int) if int.signed);
                let count = self.register();
                self.emit(Instr::Const { to: count, value: u64::from(64 - low - width) });
                self.emit(Instr::Shl64 { to, a: to, b: count });
                self.emit(Instr::Const { to: count, value: u64::from(64 - width) });
                self.emit(if signed {
                    Instr::ShrI64 { to, a: to, b: count }
                } else {
                    Instr::ShrU64 { to, a: to, b: count }
                });
            }
        }
    }

    /// Loads the bytes with the bits of a bit field, and no others: those behind the last member of
    /// a class have no value after a copy. Returns the lowest bit in the register.
    fn load_bytes(&mut self, to: Reg, base: Reg, offset: i32, low: u8, width: u8) -> u8 {
        let (first, end) = (low / 8, (low + width).div_ceil(8));
        let mut at = first;
        while at < end {
            let (access, bytes) = match end - at {
                1 => (Access::U8, 1),
                2 | 3 => (Access::U16, 2),
                4..=7 => (Access::U32, 4),
                _ => (Access::W64, 8),
            };
            let part = if at == first { to } else { self.register() };
            self.emit(Instr::Load { access, to: part, base, offset: offset + i32::from(at) });
            if part != to {
                let count = self.register();
                self.emit(Instr::Const { to: count, value: u64::from(8 * (at - first)) });
                self.emit(Instr::Shl64 { to: part, a: part, b: count });
                self.emit(Instr::Or { to, a: to, b: part });
            }
            at += bytes;
        }
        low - 8 * first
    }

    /// Stores a scalar.
    pub(super) fn store(&mut self, object: Object, ty: TypeId, from: Reg) {
        match object {
            Object::Register(to) if from == to => {}
            Object::Register(to) => self.emit(Instr::Move { to, from }),
            Object::Memory(base, offset) => {
                let access = self.access(ty);
                self.emit(Instr::Store { access, from, base, offset });
            }
            Object::Bits(base, offset, access, low, width) => {
                let bytes = match access {
                    Access::I8 | Access::U8 => 1,
                    Access::I16 | Access::U16 => 2,
                    Access::I32 | Access::U32 => 4,
                    Access::W64 => 8,
                };
                self.emit(Instr::StoreBits { from, base, offset, bytes, low, width });
            }
        }
    }

    /// Copies a structure or array.
    pub(super) fn copy(&mut self, to: Reg, from: Reg, ty: TypeId) {
        let size = self.types().data_size(ty) as u32;
        self.emit(Instr::Copy { to, from, size });
    }
}
