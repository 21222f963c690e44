//! Assignments.

use super::addr::Addr;
use super::function::Lowerer;
use super::scalar;
use crate::hir::{Expr, ExprKind, Place, Yields};
use crate::ssa::{Space, Ty, Value};

impl Lowerer<'_> {
    pub(super) fn assign(&mut self, place: &Place, value: &Expr) -> Option<Value> {
        let volatile = self.is_volatile(place);
        if scalar(self.types, place.ty).is_none() {
            let to = self.place(place);
            self.store_expr(to, value);
            return None;
        }
        // The value first: it is often a load, and the address of the place is needed only then.
        let value = self.expr(value);
        let to = self.place(place);
        Some(self.write(place, to, value, volatile))
    }

    /// `place op= value`, `place++` and the like; `result` takes a structure.
    pub(super) fn update(&mut self, expr: &Expr, result: Option<Addr>) -> Option<Value> {
        let ExprKind::Update { place, old, value, yields } = &expr.kind else { return None };
        let volatile = self.is_volatile(place);
        let at = self.place(place);
        let slot = self.slot_address(*old);
        let slot = self.object(Space::Local, slot, place.ty);
        match scalar(self.types, place.ty) {
            None => {
                self.copy(slot, at, place.ty);
                self.store_expr(at, value);
                if let Some(result) = result {
                    let from = if *yields == Yields::Old { slot } else { at };
                    self.copy(result, from, place.ty);
                }
                None
            }
            Some(Ty::Void) => None,
            Some(_) => {
                let before = self.read(place, at, volatile);
                self.store_scalar(slot, place.ty, before, false);
                let after = self.expr(value);
                let after = self.write(place, at, after, volatile);
                Some(if *yields == Yields::Old { before } else { after })
            }
        }
    }
}
