//! Instructions that name a `.shared`, `.local` or `.const` variable. The optimizer can replace the
//! address of a variable by a number, so checkers need this table to know the variable of an
//! address.

use super::layout::{FunctionLayout, ModuleLayout};
use super::resolve::{Arg, ArgKind, Base, Inst, Item, Resolved};
use super::scope::VarRef;
use crate::types::StateSpace;
use crate::uop::VariableUse;

/// Returns the instructions of all bodies that name a variable of shared, local or constant memory,
/// ordered by position. `layouts` has the layout of each body; the first one has the symbols.
/// Variables in stack frames have no fixed address and are left out, and so are calls and
/// instructions that name several variables.
pub fn uses(bodies: &[&Resolved], layouts: &[FunctionLayout], module: &ModuleLayout) -> Vec<VariableUse> {
    let Some(first) = layouts.first() else { return Vec::new() };
    let mut uses = Vec::new();
    for (resolved, layout) in bodies.iter().zip(layouts) {
        for item in &resolved.items {
            let Item::Inst(inst) = item else { continue };
            uses.extend(of(inst, |variable| {
                let place = layout.location(variable, module)?;
                let symbols = match place.space {
                    StateSpace::Shared => &first.shared,
                    StateSpace::Local if layout.frame_bytes.is_none() => &first.local,
                    StateSpace::Const => &module.consts,
                    _ => return None,
                };
                let like = |symbol: &crate::uop::Symbol| {
                    (symbol.offset, symbol.bytes) == (place.offset, place.bytes)
                };
                Some((place.space, symbols.iter().position(like)? as u32))
            }));
        }
    }
    uses.sort_by_key(|used| used.start);
    uses
}

/// Returns the use of the one variable that an instruction names.
fn of(inst: &Inst, place: impl Fn(VarRef) -> Option<(StateSpace, u32)>) -> Option<VariableUse> {
    let named = |arg: &Arg| match arg.kind {
        ArgKind::Address(variable, _) => Some((variable, false)),
        ArgKind::Memory(Base::Variable(variable), _) => Some((variable, true)),
        _ => None,
    };
    let mut all = inst.operands.iter().filter_map(named);
    let (variable, accesses) = all.next()?;
    if all.next().is_some() {
        return None;
    }
    let (space, symbol) = place(variable)?;
    Some(VariableUse { start: inst.span.start, space, symbol, accesses })
}
