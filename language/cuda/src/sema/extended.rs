//! Temporary objects that live as long as the variable that refers to them ([class.temporary]/6).

use crate::hir::visit::visit_expr;
use crate::hir::{Expr, ExprKind as Hir, Intrinsic, LocalId, Place, PlaceKind, Stmt, StmtKind};

/// Takes the registrations of the temporary objects to which the declared `variable` refers: as a
/// reference, with a member of an aggregate, or as a list. Returns nothing, and takes none, if a
/// condition decides which objects are made.
pub(super) fn take_extended(variable: LocalId, list: &mut [Stmt]) -> Option<Vec<Expr>> {
    let mut bound = vec![variable];
    let mut known = 0;
    let mut is_decided = false;
    while known < bound.len() {
        known = bound.len();
        each_part(list, &mut |part| {
            if let Hir::Assign(place, value) = &part.kind
                && place.local().is_some_and(|object| bound.contains(&object))
            {
                is_decided |= refers(value, &mut bound);
            }
        });
        for statement in &*list {
            if let StmtKind::Declare { local, init: Some(init) } = &statement.kind
                && bound.contains(local)
            {
                is_decided |= refers(init, &mut bound);
            }
        }
    }
    if is_decided {
        return None;
    }
    let mut taken = Vec::new();
    each_part(list, &mut |part| {
        if deferred(part).is_some_and(|object| bound.contains(&object)) {
            let nothing = Hir::Cast(Box::new(Expr::int(0, part.span)));
            taken.push(Expr { kind: std::mem::replace(&mut part.kind, nothing), ..part.clone() });
        }
    });
    Some(taken)
}

/// Calls `each` on the parts of statements that are always evaluated, outside of calls.
fn each_part(list: &mut [Stmt], each: &mut dyn FnMut(&mut Expr)) {
    for statement in list {
        if let StmtKind::Expr(expr) | StmtKind::Declare { init: Some(expr), .. } = &mut statement.kind {
            parts(expr, each);
        }
    }
}

fn parts(expr: &mut Expr, each: &mut dyn FnMut(&mut Expr)) {
    each(expr);
    match &mut expr.kind {
        Hir::Comma(first, last) => {
            parts(first, each);
            parts(last, each);
        }
        Hir::Cast(inner) | Hir::Assign(_, inner) => parts(inner, each),
        Hir::Aggregate(list) => list.iter_mut().for_each(|one| parts(one, each)),
        Hir::AddressOf(place) => parts_of(place, each),
        _ => {}
    }
}

fn parts_of(place: &mut Place, each: &mut dyn FnMut(&mut Expr)) {
    match &mut place.kind {
        PlaceKind::Deref(pointer) => parts(pointer, each),
        PlaceKind::Field(inner, _) | PlaceKind::Index(inner, _) => parts_of(inner, each),
        PlaceKind::Local(_) | PlaceKind::Global(_) | PlaceKind::Bits(..) => {}
    }
}

/// The variable that an expression registers for destruction, or that points to the memory of an
/// array of variable length.
fn deferred(expr: &Expr) -> Option<LocalId> {
    match &expr.kind {
        Hir::Intrinsic(Intrinsic::Defer, arguments) => match &arguments.first()?.kind {
            Hir::AddressOf(place) | Hir::Load(place) => place.local(),
            _ => None,
        },
        _ => None,
    }
}

/// Notes the variables to which a value refers. Returns whether a condition decides it.
fn refers(value: &Expr, bound: &mut Vec<LocalId>) -> bool {
    match &value.kind {
        Hir::Cast(inner) | Hir::Comma(_, inner) => refers(inner, bound),
        Hir::Aggregate(list) => list.iter().fold(false, |any, one| refers(one, bound) | any),
        Hir::AddressOf(place) | Hir::Load(place) => refers_place(place, bound),
        Hir::Conditional(..) => {
            let mut registers = false;
            visit_expr(value, &mut |one| registers |= deferred(one).is_some());
            registers
        }
        _ => false,
    }
}

fn refers_place(place: &Place, bound: &mut Vec<LocalId>) -> bool {
    match &place.kind {
        PlaceKind::Local(local) => {
            if !bound.contains(local) {
                bound.push(*local);
            }
            false
        }
        PlaceKind::Field(inner, _) | PlaceKind::Index(inner, _) => refers_place(inner, bound),
        PlaceKind::Deref(pointer) => refers(pointer, bound),
        PlaceKind::Global(_) | PlaceKind::Bits(..) => false,
    }
}
