//! Surface loads and stores (`sm_20`).

use super::function::Lowerer;
use super::intrinsic::geometry;
use super::scalar;
use crate::hir::{Expr, GlobalId, TextureShape, TypeId};
use crate::ssa::{Op, Space, Surface, SymId, Ty, Value};
use smallvec::SmallVec;

impl Lowerer<'_> {
    /// Geometry, and coordinates behind the handle of an object.
    fn coordinates(&mut self, shape: TextureShape, args: &[Expr]) -> (&'static str, SmallVec<[Value; 4]>) {
        (geometry(shape), args.iter().map(|arg| self.expr(arg)).collect())
    }

    /// A load with a scalar result.
    pub(super) fn surface_load(
        &mut self,
        surface: Option<GlobalId>,
        shape: TextureShape,
        args: &[Expr],
        ty: TypeId,
    ) -> Option<Value> {
        scalar(self.types, ty)?;
        let mem = self.mem(ty);
        let (geometry, coords) = self.coordinates(shape, args);
        let values = SmallVec::new();
        let access = Surface { surface: surface.map(|GlobalId(id)| SymId(id)), geometry, mem, coords, values, lanes: 1 };
        let all = self.emit(Ty::Multi, Op::Surface(Box::new(access)));
        let value = self.emit(mem.ty(), Op::Extract(all, 0));
        Some(if scalar(self.types, ty) == Some(Ty::I1) { self.is_true(value) } else { value })
    }

    /// A load of a vector, stored at a temporary.
    pub(super) fn surface_load_wide(
        &mut self,
        surface: Option<GlobalId>,
        shape: TextureShape,
        args: &[Expr],
        ty: TypeId,
        to: Value,
    ) {
        let Some((mem, lanes)) = self.lanes(ty) else { return };
        let (geometry, coords) = self.coordinates(shape, args);
        let values = SmallVec::new();
        let access = Surface { surface: surface.map(|GlobalId(id)| SymId(id)), geometry, mem, coords, values, lanes };
        let all = self.emit(Ty::Multi, Op::Surface(Box::new(access)));
        for index in 0..u32::from(lanes) {
            let value = self.emit(mem.ty(), Op::Extract(all, index));
            self.store(Space::Local, mem, to, i64::from(index) * mem.bytes() as i64, value);
        }
    }

    pub(super) fn surface_store(&mut self, surface: Option<GlobalId>, shape: TextureShape, args: &[Expr]) {
        let [value, rest @ ..] = args else { return };
        let (mem, values) = if let Some(ty) = scalar(self.types, value.ty) {
            let stored = self.expr(value);
            let stored = if ty == Ty::I1 { self.bool_to_int(stored) } else { stored };
            (self.mem(value.ty), smallvec::smallvec![stored])
        } else {
            let Some((mem, lanes)) = self.lanes(value.ty) else { return };
            let (space, base, offset) = self.aggregate(value);
            let load = |lower: &mut Self, index: i64| {
                lower.load(space, mem, base, offset + index * mem.bytes() as i64, false)
            };
            (mem, (0..i64::from(lanes)).map(|index| load(self, index)).collect::<SmallVec<[Value; 4]>>())
        };
        let (geometry, coords) = self.coordinates(shape, rest);
        let lanes = values.len() as u8;
        let access = Surface { surface: surface.map(|GlobalId(id)| SymId(id)), geometry, mem, coords, values, lanes };
        self.effect(Op::Surface(Box::new(access)));
    }
}
