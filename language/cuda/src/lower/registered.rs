//! The objects that a scope has registered to destroy.

use crate::hir::{Expr, ExprKind, FunctionId, PlaceKind};

/// An object that its scope destroys.
#[derive(Clone)]
pub struct Registered {
    /// The slot of the flag.
    pub flag: u32,
    /// The address of the object.
    pub object: Expr,
    pub destructor: FunctionId,
}

impl Registered {
    /// Whether the object is the variable of an address.
    pub fn is(&self, address: &Expr) -> bool {
        let local = |address: &Expr| match &address.kind {
            ExprKind::AddressOf(place) => match place.kind {
                PlaceKind::Local(local) => Some(local),
                _ => None,
            },
            _ => None,
        };
        local(address).is_some_and(|wanted| local(&self.object) == Some(wanted))
    }
}
