//! Selection of accesses to surfaces: a micro-op computes the device address of each lane and
//! whether it is inside, and a load or store of global memory follows.

use super::super::code::{File, OperandRow};
use super::super::resolve::{ArgKind, Inst};
use super::address::Address;
use super::memory::Access;
use super::texture::Object;
use super::{Selected, Selector};
use crate::ptx::forms::Bounds;
use crate::types::{ScalarType, StateSpace};
use crate::uop::{Geometry, Op, Outside, SurfaceAccess, TextureQuery};

impl Selector<'_, '_> {
    /// Selects a load of bytes from a surface.
    pub(super) fn surface_load(&mut self, inst: &Inst) -> Selected {
        let (access, inside) = self.surface_access(inst, 0)?;
        if inside.is_some() {
            // Lanes outside keep these zeros.
            for arg in access.elements {
                if let ArgKind::Register(register) = arg.kind {
                    let wide = self.type_of(register).bytes() == 8;
                    let (op, file) = if wide { (Op::MovB64, File::D) } else { (Op::MovB32, File::W) };
                    let zero = self.bits(file, 0);
                    self.emit(op, self.row_of(register), &[zero]);
                }
            }
        }
        self.guard = inside.or(self.guard);
        self.load_from(inst, &access)
    }

    /// Selects a store of bytes to a surface.
    pub(super) fn surface_store(&mut self, inst: &Inst) -> Selected {
        let (access, inside) = self.surface_access(inst, 1)?;
        self.guard = inside.or(self.guard);
        self.store_to(inst, &access)
    }

    /// Selects the address of an access; operand `moved` is the data. Returns the access and, for
    /// `.zero`, the guard of the lanes inside.
    fn surface_access<'i>(
        &mut self,
        inst: &'i Inst,
        moved: usize,
    ) -> Selected<(Access<'i>, Option<(u32, bool)>)> {
        let ty = self.ty(inst)?;
        let arg = self.operand(inst, 1 - moved)?;
        let ArgKind::List(parts) = &arg.kind else {
            return Err(self.wrong_operand(inst, arg.span, "a surface and coordinates"));
        };
        let [named, coordinates] = parts.as_slice() else {
            return Err(self.wrong_operand(inst, arg.span, "a surface and coordinates"));
        };
        let surface = self.surface(inst, named)?;
        let all = match &coordinates.kind {
            ArgKind::Vector(all) => all.as_slice(),
            _ => std::slice::from_ref(coordinates),
        };
        let geometry = inst.form.geometry.unwrap_or(Geometry::D1);
        let mut at = [self.bits(File::W, 0); 4];
        for (i, one) in all.iter().enumerate() {
            // Further coordinates are ignored, but they must exist.
            let row = self.coordinate(inst, one, ScalarType::B32)?;
            // The number of a layer is the first coordinate here, and the last one in the micro-op.
            let place = match (i, geometry.has_layers()) {
                (0, true) => 2,
                (_, true) => i - 1,
                (_, false) => i,
            };
            if i < geometry.coordinates() {
                at[place] = row;
            }
        }
        let outside = match inst.form.bounds {
            Some(Bounds::Trap) => Outside::Trap,
            Some(Bounds::Clamp) => Outside::Clamp,
            Some(Bounds::Zero) => Outside::Zero,
            Some(Bounds::Wrap) | None => return Err(self.missing(inst)),
        };
        let bytes = ty.bytes() * inst.form.vector;
        let encoded = SurfaceAccess { bytes, geometry, outside, is_store: moved == 1 };
        let (row, inside) = (self.code.register(File::W), self.code.register(File::P));
        let OperandRow::Reg(predicate) = inside else { unreachable!("a new register is a register") };
        if self.guard.is_some() && outside == Outside::Zero {
            // Lanes without the guard are not inside.
            self.emit(Op::MovPred, inside, &[OperandRow::Const(0)]).guard = None;
        }
        at[3] = self.short_handle(surface);
        let short = matches!((surface, geometry), (Object::Named(_), Geometry::D1 | Geometry::D2));
        let added =
            if short { self.emit(Op::Sulea, row, &at[..2]) } else { self.emit(Op::SuleaWide, row, &at) };
        (added.dst2, added.imm, added.aux) = (inside, surface.number(), encoded.encode());
        let elements = self.elements(inst, moved)?;
        let address = Address { row, imm: 0, aux: 0 };
        let access = Access { ty, space: Some(StateSpace::Global), elements, address };
        Ok((access, (outside == Outside::Zero).then_some((predicate, false))))
    }

    /// Selects a query of a property.
    pub(super) fn surface_query(&mut self, inst: &Inst) -> Selected {
        let surface = self.surface(inst, self.operand(inst, 1)?)?;
        let query = inst.form.query.ok_or_else(|| self.missing(inst))?;
        let number = TextureQuery::NAMES.iter().position(|(_, known)| *known == query);
        let dst = self.destination(inst, self.operand(inst, 0)?, ScalarType::B32)?;
        let added = match surface {
            Object::Named(_) => self.emit(Op::Suq, dst, &[]),
            Object::Handle(row) => self.emit(Op::SuqHandle, dst, &[row]),
        };
        (added.imm, added.aux) = (surface.number(), number.unwrap_or_default() as u32);
        Ok(())
    }
}
