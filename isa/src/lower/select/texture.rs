//! Selection of texture fetches and queries.

use super::super::code::{File, Row};
use super::super::resolve::{Arg, ArgKind, Base, Inst};
use super::operand::fits;
use super::{Selected, Selector};
use crate::diag::Diagnostic;
use crate::types::{ScalarType, StateSpace};
use crate::uop::{Geometry, Op, TextureQuery};

impl Selector<'_, '_> {
    /// Selects a fetch. The result of a fetch and its coordinates may be in integer registers for
    /// every type: only the bits are moved.
    pub(super) fn fetch(&mut self, inst: &Inst) -> Selected {
        let (ty, geometry) = (self.ty(inst)?, inst.form.geometry);
        let coordinate = inst.form.source.ok_or_else(|| self.missing(inst))?;
        let arg = self.operand(inst, 1)?;
        let ArgKind::List(parts) = &arg.kind else {
            return Err(self.wrong_operand(inst, arg.span, "a texture and coordinates"));
        };
        let [named, coordinates] = parts.as_slice() else {
            return Err(self.wrong_operand(inst, arg.span, "a texture and coordinates"));
        };
        let texture = self.texture(inst, named)?;
        let all = match &coordinates.kind {
            ArgKind::Vector(all) => all.as_slice(),
            _ => std::slice::from_ref(coordinates),
        };
        let integer = coordinate != ScalarType::F32;
        let (op, used) = match geometry {
            Some(Geometry::D3) if integer => (Op::Tex3dS32, 3),
            Some(Geometry::D3) => (Op::Tex3dF32, 3),
            Some(Geometry::D2) if integer => (Op::Tex2dS32, 2),
            Some(Geometry::D2) => (Op::Tex2dF32, 2),
            Some(Geometry::D1) | None if integer => (Op::Tex1dS32, 1),
            Some(Geometry::D1) | None => (Op::Tex1dF32, 1),
        };
        let mut rows = Vec::new();
        for (i, one) in all.iter().enumerate() {
            // Further coordinates are ignored, but they must exist.
            let row = self.coordinate(inst, one, coordinate)?;
            if i < used {
                rows.push(row);
            }
        }
        let sources = match rows.as_slice() {
            [x, y, z] => vec![self.temp(Op::PackB64, &[*x, *y]), *z],
            _ => rows,
        };
        let results = self.operand(inst, 0)?;
        let ArgKind::Vector(results) = &results.kind else {
            return Err(self.wrong_operand(inst, results.span, "four registers in braces"));
        };
        let mut written: Vec<Row> = Vec::new();
        for (i, result) in results.iter().enumerate() {
            let row = match result.kind {
                ArgKind::Register(register) if self.holds(register, ty) => self.row_of(register),
                _ => self.destination(inst, result, ty)?,
            };
            // If several results name the same register, the last one determines its value.
            let again = results[i + 1..].iter().any(|later| later.kind == result.kind);
            written.push(if again { self.code.register(File::W) } else { row });
        }
        let added = self.emit(op, written.first().copied().unwrap_or_default(), &sources);
        added.imm = texture;
        for (to, row) in added.rest.iter_mut().zip(written.iter().skip(1)) {
            *to = *row;
        }
        Ok(())
    }

    /// Selects a query of a property.
    pub(super) fn texture_query(&mut self, inst: &Inst) -> Selected {
        let arg = self.operand(inst, 1)?;
        let texture = self.texture(inst, arg)?;
        let query = inst.form.query.ok_or_else(|| self.missing(inst))?;
        let number = TextureQuery::NAMES.iter().position(|(_, known)| *known == query);
        let dst = self.destination(inst, self.operand(inst, 0)?, ScalarType::B32)?;
        let added = self.emit(Op::Txq, dst, &[]);
        (added.imm, added.aux) = (texture, number.unwrap_or_default() as u32);
        Ok(())
    }

    /// Whether a register can hold the bits of a result or coordinate of type `ty`: an integer of
    /// 32 bits can hold a floating-point number, as NVIDIA's assembler allows.
    fn holds(&self, register: u32, ty: ScalarType) -> bool {
        let found = self.type_of(register);
        fits(found, ty) || ty == ScalarType::F32 && fits(found, ScalarType::B32)
    }

    pub(super) fn coordinate(&mut self, inst: &Inst, arg: &Arg, ty: ScalarType) -> Selected<Row> {
        match arg.kind {
            ArgKind::Register(register) if self.holds(register, ty) => Ok(self.row_of(register)),
            _ => self.read(inst, arg, ty),
        }
    }

    /// Returns the number of the texture that an operand such as `[t]` names.
    fn texture(&self, inst: &Inst, arg: &Arg) -> Selected<u32> {
        self.reference(inst, arg, StateSpace::Tex)
    }

    /// Returns the number of the texture or surface that an operand such as `[t]` names.
    pub(super) fn reference(&self, inst: &Inst, arg: &Arg, space: StateSpace) -> Selected<u32> {
        let what = if space == StateSpace::Surf { "surface" } else { "texture" };
        let ArgKind::Memory(Base::Variable(variable), 0) = arg.kind else {
            return Err(self.wrong_operand(inst, arg.span, &format!("the name of a {what} in brackets")));
        };
        let Some(place) = self.context.layout.location(variable, self.context.module) else {
            return Err(self.unplaced(inst, arg.span));
        };
        if place.space != space {
            let message = format!("`{}` cannot read a {} variable", self.name(inst), place.space);
            return Err(Diagnostic::error("E0307", message, arg.span, format!("expected a {what}")));
        }
        Ok(place.offset)
    }
}
