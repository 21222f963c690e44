//! Keeps what kernels reach, and numbers it anew.

use crate::arena::{Arena, Id as _};
use crate::hir::references::{Reference, statements};
use crate::hir::{Function, FunctionId, Global, GlobalId};

/// Marks the functions and variables that `roots` and visible variables reach, also through
/// initial values.
fn reached(
    functions: &mut Arena<FunctionId, Option<Function>>,
    globals: &Arena<GlobalId, Global>,
    roots: &[FunctionId],
) -> (Arena<FunctionId, bool>, Arena<GlobalId, bool>) {
    let mut marks = Arena::parallel(functions, |_| false);
    let mut used = Arena::parallel(globals, |_| false);
    let mut work: Vec<FunctionId> = roots.to_vec();
    let mut variables: Vec<GlobalId> = globals.ids().filter(|id| globals[*id].visible).collect();
    loop {
        if let Some(id) = variables.pop() {
            if !std::mem::replace(&mut used[id], true)
                && let Some(init) = &globals[id].init
            {
                variables.extend(init.addresses.iter().map(|(_, target, _)| *target));
                work.extend(init.code.iter().map(|(_, id)| *id));
            }
            continue;
        }
        let Some(id) = work.pop() else { break };
        if std::mem::replace(&mut marks[id], true) {
            continue;
        }
        if let Some(function) = &mut functions[id] {
            statements(&mut function.body, &mut |reference| match reference {
                Reference::Function(id) => work.push(*id),
                Reference::Global(id) => variables.push(*id),
                Reference::Kernel(_) | Reference::Thrown(_) => {}
            });
        }
    }
    (marks, used)
}

/// Keeps the functions that `roots` reach, and the variables that they or the host use.
pub(crate) fn prune(
    mut functions: Arena<FunctionId, Option<Function>>,
    mut globals: Arena<GlobalId, Global>,
    roots: &[FunctionId],
) -> (Arena<FunctionId, Function>, Arena<GlobalId, Global>) {
    let (keep, used) = reached(&mut functions, &globals, roots);
    let mut order: Vec<FunctionId> = functions.ids().filter(|id| keep[*id]).collect();
    order.sort_by_key(|id| functions[*id].as_ref().map_or(0, |function| function.span.start));
    let mut numbers = Arena::parallel(&functions, |_| FunctionId(0));
    let mut kept = Arena::default();
    for (new, old) in order.iter().enumerate() {
        numbers[*old] = FunctionId::of(new);
    }
    for old in order {
        let Some(mut function) = functions[old].take() else { continue };
        statements(&mut function.body, &mut |reference| match reference {
            Reference::Function(id) => *id = numbers[*id],
            Reference::Global(_) | Reference::Kernel(_) | Reference::Thrown(_) => {}
        });
        kept.push(function);
    }
    let mut next = 0;
    let renumbered = Arena::parallel(&used, |used| {
        next += u32::from(*used);
        GlobalId(next.saturating_sub(1))
    });
    for function in &mut kept {
        statements(&mut function.body, &mut |reference| {
            if let Reference::Global(id) = reference {
                *id = renumbered[*id];
            }
        });
    }
    globals = globals.into_iter().zip(&used).filter(|(_, used)| **used).map(|(global, _)| global).collect();
    for init in globals.iter_mut().filter_map(|global| global.init.as_mut()) {
        init.addresses.iter_mut().for_each(|(_, id, _)| *id = renumbered[*id]);
        init.code.iter_mut().for_each(|(_, id)| *id = numbers[*id]);
    }
    (kept, globals)
}
