//! Surface loads and stores.

use super::addr::Addr;
use super::function::Lowerer;
use super::intrinsic::geometry;
use super::scalar;
use crate::hir::{Boundary, Expr, GlobalId, SurfaceAccess, TypeId};
use crate::ssa::{Mem, Object, Op, Surface, SymId, Ty, Value};
use smallvec::SmallVec;

/// What happens outside, in PTX.
fn boundary(boundary: Boundary) -> &'static str {
    match boundary {
        Boundary::Zero => "zero",
        Boundary::Clamp => "clamp",
        Boundary::Trap => "trap",
    }
}

impl Lowerer<'_> {
    /// An access to elements of a type with the arguments from the handle of an object on.
    fn surface_access(
        &mut self,
        access: SurfaceAccess,
        args: &[Expr],
        mem: Mem,
        lanes: u8,
        values: SmallVec<[Value; 4]>,
    ) -> Op {
        let coords = args.iter().map(|arg| self.expr(arg)).collect();
        let surface = access.surface.map_or(Object::Handle, |GlobalId(id)| Object::Symbol(SymId(id)));
        let (geometry, boundary) = (geometry(access.shape), boundary(access.boundary));
        Op::Surface(Box::new(Surface { surface, geometry, boundary, mem, coords, values, lanes }))
    }

    /// A load with a scalar result.
    pub(super) fn surface_load(&mut self, access: SurfaceAccess, args: &[Expr], ty: TypeId) -> Option<Value> {
        scalar(self.types, ty)?;
        let mem = self.mem(ty);
        let op = self.surface_access(access, args, mem, 1, SmallVec::new());
        let all = self.emit(Ty::Multi, op);
        let value = self.emit(mem.ty(), Op::Extract(all, 0));
        Some(if scalar(self.types, ty) == Some(Ty::I1) { self.is_true(value) } else { value })
    }

    /// A load of a vector, stored at a temporary.
    pub(super) fn surface_load_wide(&mut self, access: SurfaceAccess, args: &[Expr], ty: TypeId, to: Addr) {
        let Some((mem, lanes)) = self.lanes(ty) else { return };
        let op = self.surface_access(access, args, mem, lanes, SmallVec::new());
        let all = self.emit(Ty::Multi, op);
        for index in 0..u32::from(lanes) {
            let value = self.emit(mem.ty(), Op::Extract(all, index));
            self.store_at(to.at(u64::from(index) * mem.bytes()), mem, value, false);
        }
    }

    pub(super) fn surface_store(&mut self, access: SurfaceAccess, args: &[Expr]) {
        let [value, rest @ ..] = args else { return };
        let (mem, values) = if let Some(ty) = scalar(self.types, value.ty) {
            let stored = self.expr(value);
            let stored = if ty == Ty::I1 { self.bool_to_int(stored) } else { stored };
            (self.mem(value.ty), smallvec::smallvec![stored])
        } else {
            let Some((mem, lanes)) = self.lanes(value.ty) else { return };
            let from = self.aggregate(value);
            let parts = (0..u64::from(lanes)).map(|index| from.at(index * mem.bytes()));
            let values = parts.map(|part| self.load_at(part, mem, false, false));
            (mem, values.collect::<SmallVec<[Value; 4]>>())
        };
        let lanes = values.len() as u8;
        let op = self.surface_access(access, rest, mem, lanes, values);
        self.effect(op);
    }
}
