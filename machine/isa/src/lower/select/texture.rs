//! Selection of texture fetches and queries.

use super::super::code::{File, OperandRow};
use super::super::resolve::{Arg, ArgKind, Base, Inst};
use super::super::selections::{self, MAX_SELECTIONS};
use super::operand::fits;
use super::{Selected, Selector};
use crate::diag::Diagnostic;
use crate::types::{ScalarType, StateSpace, TypeKind};
use crate::uop::{self, Geometry, ObjectSource, Op, SampledTexture, TextureFetch, TextureQuery};

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
        let (named, sampler, coordinates) = match parts.as_slice() {
            [named, coordinates] => (named, None, coordinates),
            [named, sampler, coordinates] => (named, Some(sampler), coordinates),
            _ => return Err(self.wrong_operand(inst, arg.span, "a texture and coordinates")),
        };
        let texture = self.texture(inst, named, sampler)?;
        let all = match &coordinates.kind {
            ArgKind::Vector(all) => all.as_slice(),
            _ => std::slice::from_ref(coordinates),
        };
        let geometry = geometry.unwrap_or(Geometry::D1);
        let mut rows = Vec::new();
        for (i, one) in all.iter().enumerate() {
            // Further coordinates are ignored, but they must exist.
            let is_layer = i == 0 && geometry.has_layers();
            let row = self.coordinate(inst, one, if is_layer { ScalarType::B32 } else { coordinate })?;
            if i < geometry.coordinates() {
                rows.push(row);
            }
        }
        let fetch = TextureFetch { geometry, integers: coordinate != ScalarType::F32 };
        let (op, sources) = self.fetch_sources(fetch, texture, rows);
        let results = self.operand(inst, 0)?;
        let ArgKind::Vector(results) = &results.kind else {
            return Err(self.wrong_operand(inst, results.span, "four registers in braces"));
        };
        let mut written: Vec<OperandRow> = Vec::new();
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
        added.imm = texture.number();
        added.aux = if matches!(op, Op::TexWide1 | Op::TexWide2 | Op::TexWide3) { fetch.encode() } else { 0 };
        for (to, row) in added.rest.iter_mut().zip(written.iter().skip(1)) {
            *to = *row;
        }
        Ok(())
    }

    /// Returns the micro-op of a fetch, and its sources for the coordinates `rows`.
    fn fetch_sources(
        &mut self,
        fetch: TextureFetch,
        texture: Object,
        rows: Vec<OperandRow>,
    ) -> (Op, Vec<OperandRow>) {
        let plain = match (fetch.geometry, fetch.integers) {
            (Geometry::D3, true) => Some(Op::Tex3dS32),
            (Geometry::D3, false) => Some(Op::Tex3dF32),
            (Geometry::D2, true) => Some(Op::Tex2dS32),
            (Geometry::D2, false) => Some(Op::Tex2dF32),
            (Geometry::D1, true) => Some(Op::Tex1dS32),
            (Geometry::D1, false) => Some(Op::Tex1dF32),
            (Geometry::A1 | Geometry::A2 | Geometry::Cube | Geometry::CubeArray, _) => None,
        };
        if let (Some(op), Object::Named(_)) = (plain, texture) {
            let sources = match rows.as_slice() {
                [x, y, z] => vec![self.temp(Op::PackB64, &[*x, *y]), *z],
                _ => rows,
            };
            return (op, sources);
        }
        // The number of a layer follows the coordinates; that of a cube is in the face.
        let rows = match (fetch.geometry, rows.as_slice()) {
            (Geometry::A2, [layer, x, y]) => vec![*x, *y, *layer],
            (Geometry::Cube, [x, y, z]) => {
                let first = self.bits(File::W, 0);
                self.on_face([*x, *y, *z, first])
            }
            (Geometry::CubeArray, [cube, x, y, z]) => self.on_face([*x, *y, *z, *cube]),
            _ => rows,
        };
        match *rows.as_slice() {
            [x] => (Op::TexWide1, vec![x, self.wide_handle(texture)]),
            [x, y] => (Op::TexWide2, vec![self.temp(Op::PackB64, &[x, y]), self.wide_handle(texture)]),
            [x, y, z, ..] => {
                let handle = self.short_handle(texture);
                let (first, second) = (self.temp(Op::PackB64, &[x, y]), self.temp(Op::PackB64, &[z, handle]));
                (Op::TexWide3, vec![first, second])
            }
            [] => unreachable!("a fetch has a coordinate"),
        }
    }

    /// Emits the position on a face of a cube: x, y and the face, from a direction and the number
    /// of the cube.
    fn on_face(&mut self, [x, y, z, cube]: [OperandRow; 4]) -> Vec<OperandRow> {
        let (s, t) = (self.temp(Op::CubeS, &[x, y, z]), self.temp(Op::CubeT, &[x, y, z]));
        vec![s, t, self.temp(Op::CubeFace, &[x, y, z, cube])]
    }

    /// Returns the handle of a texture in a 64-bit row; 0 for a name.
    fn wide_handle(&mut self, object: Object) -> OperandRow {
        match object {
            Object::Named(_) => self.bits(File::D, 0),
            Object::Handle(row) => row,
        }
    }

    /// Returns the handle in a 32-bit row; 0 for a name. A handle with more bits becomes the
    /// largest number, which is no handle.
    pub(super) fn short_handle(&mut self, object: Object) -> OperandRow {
        match object {
            Object::Named(_) => self.bits(File::W, 0),
            Object::Handle(row) => self.temp(Op::CvtSatU32U64, &[row]),
        }
    }

    /// Selects a query of a property.
    pub(super) fn texture_query(&mut self, inst: &Inst) -> Selected {
        let arg = self.operand(inst, 1)?;
        let texture = self.queried(inst, arg)?;
        let query = inst.form.query.ok_or_else(|| self.missing(inst))?;
        let number = TextureQuery::NAMES.iter().position(|(_, known)| *known == query);
        let dst = self.destination(inst, self.operand(inst, 0)?, ScalarType::B32)?;
        let added = match texture {
            Object::Named(_) => self.emit(Op::Txq, dst, &[]),
            Object::Handle(row) => self.emit(Op::TxqHandle, dst, &[row]),
        };
        (added.imm, added.aux) = (texture.number(), number.unwrap_or_default() as u32);
        Ok(())
    }

    /// Whether a register can hold the bits of a result or coordinate of type `ty`: an integer of
    /// 32 bits can hold a floating-point number, as NVIDIA's assembler allows.
    fn holds(&self, register: u32, ty: ScalarType) -> bool {
        let found = self.type_of(register);
        fits(found, ty) || ty == ScalarType::F32 && fits(found, ScalarType::B32)
    }

    pub(super) fn coordinate(&mut self, inst: &Inst, arg: &Arg, ty: ScalarType) -> Selected<OperandRow> {
        match arg.kind {
            ArgKind::Register(register) if self.holds(register, ty) => Ok(self.row_of(register)),
            _ => self.read(inst, arg, ty),
        }
    }

    /// Returns the texture of an operand such as `[t]` or `[%rd1]`, with its sampler.
    fn texture(&self, inst: &Inst, arg: &Arg, sampler: Option<&Arg>) -> Selected<Object> {
        let Some(sampler) = sampler else {
            return match self.object(inst, arg, StateSpace::Tex)? {
                Found::Source(texture) => self.numbered(arg, texture, None),
                Found::Handle(row) => Ok(Object::Handle(row)),
            };
        };
        if !self.context.independent {
            let message =
                format!("`{}` has a sampler, but the module has unified texture mode", self.name(inst));
            let error = Diagnostic::error("E0307", sampler.span, message).label("a separate sampler");
            return Err(error.help("add the option to the target: `.target sm_20, texmode_independent`"));
        }
        match (self.object(inst, arg, StateSpace::Tex)?, self.object(inst, sampler, StateSpace::Sampler)?) {
            (Found::Source(texture), Found::Source(sampler)) => self.numbered(arg, texture, Some(sampler)),
            (found, _) => {
                let span = if matches!(found, Found::Handle(_)) { arg.span } else { sampler.span };
                let message =
                    "a sampler and a handle in a register together are not supported by this simulator";
                Err(Diagnostic::error("E0402", span, message)
                    .label("expected the name of a variable or parameter"))
            }
        }
    }

    /// Returns the texture or sampler of a query.
    fn queried(&self, inst: &Inst, arg: &Arg) -> Selected<Object> {
        if let Some((StateSpace::Sampler, sampler)) = self.source(arg) {
            let one = SampledTexture { texture: None, sampler: Some(sampler) };
            return self.selected(arg, &one);
        }
        self.texture(inst, arg, None)
    }

    /// Returns the object with the number of a texture and its sampler.
    fn numbered(&self, arg: &Arg, texture: ObjectSource, sampler: Option<ObjectSource>) -> Selected<Object> {
        match (texture, selections::texture_of(texture, sampler)) {
            (_, Some(one)) => self.selected(arg, &one),
            (ObjectSource::Module(number) | ObjectSource::Param(number), None) => Ok(Object::Named(number)),
        }
    }

    fn selected(&self, arg: &Arg, one: &SampledTexture) -> Selected<Object> {
        let all = &self.context.layout.selections.textures;
        let number = all.iter().position(|known| known == one).ok_or_else(|| too_many(arg))?;
        Ok(Object::Named((self.context.module.textures.len() + number) as u32))
    }

    /// Returns the surface of an operand such as `[s]` or `[%rd1]`.
    pub(super) fn surface(&self, inst: &Inst, arg: &Arg) -> Selected<Object> {
        match self.object(inst, arg, StateSpace::Surf)? {
            Found::Source(ObjectSource::Module(number)) => Ok(Object::Named(number)),
            Found::Source(ObjectSource::Param(offset)) => {
                let all = &self.context.layout.selections.surfaces;
                let number = all.iter().position(|known| *known == offset).ok_or_else(|| too_many(arg))?;
                Ok(Object::Named((self.context.module.surfaces.len() + number) as u32))
            }
            Found::Handle(row) => Ok(Object::Handle(row)),
        }
    }

    /// Returns the kind and source of a variable in brackets; `None` for another operand.
    fn source(&self, arg: &Arg) -> Option<(StateSpace, ObjectSource)> {
        let ArgKind::Memory(Base::Variable(variable), 0) = arg.kind else { return None };
        let params = if self.context.own.is_none() { &*self.context.layout.params } else { &[] };
        selections::source(variable, params, self.context.module)
    }

    /// Returns the texture, surface or sampler of an operand such as `[t]` or `[%rd1]`.
    fn object(&self, inst: &Inst, arg: &Arg, space: StateSpace) -> Selected<Found> {
        let what = match space {
            StateSpace::Surf => "surface",
            StateSpace::Sampler => "sampler",
            _ => "texture",
        };
        let variable = match arg.kind {
            ArgKind::Memory(Base::Variable(variable), 0) => variable,
            ArgKind::Memory(Base::Register(register), 0) if self.is_handle(register) => {
                return Ok(Found::Handle(self.row_of(register)));
            }
            _ => {
                let label = format!("the name of a {what}, or a 64-bit register with a handle, in brackets");
                return Err(self.wrong_operand(inst, arg.span, &label));
            }
        };
        let found = match self.source(arg) {
            Some((found, source)) if found == space => return Ok(Found::Source(source)),
            Some((found, _)) => found,
            None => match self.context.layout.location(variable, self.context.module) {
                Some(place) => place.space,
                None => return Err(self.unplaced(inst, arg.span)),
            },
        };
        let message = format!("`{}` cannot read a {found} variable", self.name(inst));
        Err(Diagnostic::error("E0307", arg.span, message).label(format!("expected a {what}")))
    }

    /// Whether a register can hold a handle.
    fn is_handle(&self, register: u32) -> bool {
        let ty = self.type_of(register);
        ty.bytes() == 8 && matches!(ty.kind(), TypeKind::Bits | TypeKind::Unsigned | TypeKind::Signed)
    }
}

/// Returns the error for a kernel with more pairs of textures and samplers than are numbered.
fn too_many(arg: &Arg) -> Diagnostic {
    let message = format!("the kernel uses more than {MAX_SELECTIONS} pairs of textures and samplers");
    Diagnostic::error("E0403", arg.span, message).label("too many pairs")
}

/// A texture, surface or sampler as an operand names it.
enum Found {
    Source(ObjectSource),
    /// The 64-bit row that holds the handle.
    Handle(OperandRow),
}

/// A texture or surface.
#[derive(Clone, Copy)]
pub(super) enum Object {
    /// Number in the module.
    Named(u32),
    /// The 64-bit row that holds the handle.
    Handle(OperandRow),
}

impl Object {
    /// Returns the number in [`uop::Inst::imm`].
    pub(super) fn number(self) -> u32 {
        match self {
            Self::Named(number) => number,
            Self::Handle(_) => uop::Inst::BY_HANDLE,
        }
    }
}
