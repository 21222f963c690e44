//! Checks of the typed program.

use rustc_hash::FxHashSet;

use super::ends::missing_return;
use crate::arena::Arena;
use crate::diagnostics::{Diagnostic, Diagnostics};
use crate::hir::visit::{bodies, own_expressions, statements as visit, visit_expr};
use crate::hir::{
    Expr, ExprKind as Hir, Function, FunctionId, FunctionKind, Intrinsic, LocalId, Place, PlaceKind, Program,
    Special, Stmt, StmtKind, Storage,
};
use crate::source::{Sources, Span};
use crate::target::Side;

/// Checks a program without errors.
pub(super) fn check(program: &Program, sources: &Sources, out: &mut Diagnostics) {
    for function in &program.functions {
        divergent_barriers(function, program, out);
        jumps(function, out);
        missing_return(function, out);
    }
    recursion(program, out);
    shared_memory(program, out);
    local_memory(program, out);
    doubles(program, sources, out);
}

/// Calls in the order of the source.
fn calls(list: &[Stmt], each: &mut dyn FnMut(FunctionId, Span)) {
    visit(list, &mut |expr| {
        match &expr.kind {
            Hir::Call(id, _) => each(*id, expr.span),
            // The end of the scope calls the destructor.
            Hir::Intrinsic(Intrinsic::Defer, list) => {
                for one in list {
                    if let Hir::FunctionAddress(id) = one.kind {
                        each(id, expr.span);
                    }
                }
            }
            _ => {}
        }
    });
}

/// Refuses `goto` in a function with objects that are destroyed: no scope knows its target.
fn jumps(function: &Function, out: &mut Diagnostics) {
    let mut found = (None, false);
    let mut work: Vec<&[Stmt]> = vec![&function.body];
    while let Some(list) = work.pop() {
        for statement in list {
            match statement.kind {
                StmtKind::Goto(_) => found.0 = Some(statement.span),
                StmtKind::Scope(_) => found.1 = true,
                _ => {}
            }
            work.extend(bodies(statement).into_iter().map(|(inner, _)| inner));
        }
    }
    if let (Some(span), true) = found {
        let message = "`goto` in a function with destructors is not supported";
        out.push(Diagnostic::error("unsupported", span, message).help("write a loop or a condition"));
    }
}

/// Recursion does not exist on `sm_1x` and in OpenCL C.
fn recursion(program: &Program, out: &mut Diagnostics) {
    let is_open_cl = program.target.side == Side::OpenCl;
    if program.target.is_fermi() && !is_open_cl {
        return;
    }
    let edges = Arena::parallel(&program.functions, |function| {
        let mut list = Vec::new();
        calls(&function.body, &mut |id, span| list.push((id, span)));
        list
    });
    // 0: new, 1: on the path, 2: done. The path is kept by hand: call chains may be long.
    let mut states = Arena::parallel(&edges, |_| 0u8);
    for start in edges.ids() {
        let mut path = vec![(start, 0)];
        if states[start] != 0 {
            continue;
        }
        states[start] = 1;
        while let Some((at, next)) = path.last_mut() {
            let Some(&(target, span)) = edges[*at].get(*next) else {
                states[*at] = 2;
                path.pop();
                continue;
            };
            *next += 1;
            match states[target] {
                0 => {
                    states[target] = 1;
                    path.push((target, 0));
                }
                1 => {
                    let name = &program.functions[target].name;
                    if is_open_cl {
                        let message = format!("`{name}` calls itself: OpenCL C does not have recursion");
                        let error = Diagnostic::error("not-opencl", span, message);
                        out.push(error.label("recursive call").help("write a loop"));
                        continue;
                    }
                    let capability = program.target.name();
                    let message = format!("`{name}` calls itself, which {capability} cannot do");
                    let error = Diagnostic::error("recursion", span, message)
                        .label("recursive call")
                        .note("functions are inlined below sm_20: there is no call stack")
                        .help("write a loop, or compile for sm_20");
                    out.push(error);
                }
                _ => {}
            }
        }
    }
}

/// Functions whose addresses are used.
fn addresses(list: &[Stmt], each: &mut dyn FnMut(FunctionId)) {
    visit(list, &mut |expr| {
        if let Hir::FunctionAddress(id) = expr.kind {
            each(id);
        }
    });
}

/// Sizes, names and places of the static shared variables that a kernel and its functions use, the
/// largest first.
fn shared_variables<'p>(program: &'p Program, kernel: &Function) -> Vec<(u64, &'p str, Span)> {
    let mut seen = FxHashSet::default();
    let mut work = vec![kernel];
    let mut globals = FxHashSet::default();
    while let Some(function) = work.pop() {
        if !seen.insert(function.symbol.as_str()) {
            continue;
        }
        calls(&function.body, &mut |id, _| work.push(&program.functions[id]));
        addresses(&function.body, &mut |id| work.push(&program.functions[id]));
        places(&function.body, &mut |place| {
            if let PlaceKind::Global(id) = place.kind
                && globals.insert(id)
            {
                // A table of virtual functions.
                let init = program.globals[id].init.iter().flat_map(|init| &init.code);
                work.extend(init.map(|(_, id)| &program.functions[*id]));
            }
        });
    }
    let mut arrays: Vec<(u64, &str, Span)> = globals
        .iter()
        .map(|id| &program.globals[*id])
        .filter(|global| global.storage == Storage::Shared)
        .map(|global| (program.types.size(global.ty), global.name.as_str(), global.span))
        .collect();
    arrays.sort_unstable_by(|one, other| (other.0, one.1).cmp(&(one.0, other.1)));
    arrays
}

/// Bytes of the static shared variables of a kernel.
pub(super) fn shared_bytes(program: &Program, kernel: &Function) -> u64 {
    shared_variables(program, kernel).iter().fold(0, |sum, array| sum.saturating_add(array.0))
}

/// Shared arrays must fit.
fn shared_memory(program: &Program, out: &mut Diagnostics) {
    for kernel in program.functions.iter().filter(|function| function.kind == FunctionKind::Kernel) {
        let arrays = shared_variables(program, kernel);
        let parameters: u64 = if program.target.is_fermi() {
            0
        } else {
            // Parameters and the indices of the launch are in shared memory too.
            16 + kernel
                .parameters
                .iter()
                .map(|local| program.types.size(kernel.locals[*local].ty))
                .fold(0u64, u64::saturating_add)
        };
        let total = arrays.iter().fold(parameters, |sum, array| sum.saturating_add(array.0));
        let limit = program.target.shared_bytes();
        if total <= limit {
            continue;
        }
        let capability = program.target.name();
        let message = format!(
            "kernel `{}` needs {total} bytes of shared memory; {capability} has {limit}",
            kernel.name
        );
        let mut error = Diagnostic::error("shared-memory", kernel.span, message);
        for (bytes, name, span) in arrays.iter().take(5) {
            error = error.at(*span, format!("`{name}`: {bytes} bytes"));
        }
        if parameters > 0 && total - parameters <= limit {
            error = error.note(format!("parameters and launch indices take {parameters} bytes of it"));
        }
        out.push(error);
    }
}

/// Each variable of a thread must fit.
fn local_memory(program: &Program, out: &mut Diagnostics) {
    let limit = program.target.local_bytes();
    for local in program.functions.iter().flat_map(|function| &function.locals) {
        let bytes = program.types.size(local.ty);
        if bytes > limit {
            let capability = program.target.name();
            let message = format!(
                "`{}` needs {bytes} bytes of local memory; a thread of {capability} has {limit}",
                local.name
            );
            out.push(Diagnostic::error("local-memory", local.span, message));
        }
    }
}

/// `double` below `sm_13` is computed as `float`: one warning for the program.
fn doubles(program: &Program, sources: &Sources, out: &mut Diagnostics) {
    if program.target.has_double() {
        return;
    }
    for function in &program.functions {
        let mut first = None;
        visit(&function.body, &mut |expr| {
            if first.is_none() && expr.ty == crate::hir::Types::F64 {
                first = Some(expr.span);
            }
        });
        let user =
            first.filter(|span| sources.file_of(*span).is_some_and(|file| !sources.file(file).builtin));
        if let Some(span) = user {
            let capability = program.target.name();
            let message = format!("`double` is computed as `float` on {capability}");
            let warning = Diagnostic::warning("double", span, message)
                .label("the first use")
                .note("double precision exists from sm_13 on");
            out.push(warning);
            return;
        }
    }
}

/// Warns about barriers that not all threads of a block reach.
fn divergent_barriers(function: &Function, program: &Program, out: &mut Diagnostics) {
    let mut divergent = FxHashSet::default();
    // Variables that depend on the thread, found until nothing changes.
    loop {
        let before = divergent.len();
        spread(&function.body, false, &mut divergent);
        if divergent.len() == before {
            break;
        }
    }
    let _ = program;
    barriers(&function.body, None, &divergent, out);
}

/// Whether a value differs between the threads of a block.
fn differs(expr: &Expr, divergent: &FxHashSet<LocalId>) -> bool {
    let mut found = false;
    visit_expr(expr, &mut |inner| match &inner.kind {
        Hir::Intrinsic(Intrinsic::Special(Special::ThreadIdx(_)) | Intrinsic::Atomic(_), _) => found = true,
        Hir::Load(place) => {
            if let PlaceKind::Local(local) = root(place).kind
                && divergent.contains(&local)
            {
                found = true;
            }
        }
        _ => {}
    });
    found
}

fn root(place: &Place) -> &Place {
    match &place.kind {
        PlaceKind::Field(inner, _) | PlaceKind::Index(inner, _) | PlaceKind::Bits(inner, ..) => root(inner),
        _ => place,
    }
}

fn spread(list: &[Stmt], under: bool, divergent: &mut FxHashSet<LocalId>) {
    for statement in list {
        if let StmtKind::Declare { local, init: Some(init) } = &statement.kind
            && (under || differs(init, divergent))
        {
            divergent.insert(*local);
        }
        for expr in own_expressions(statement) {
            let mut new = Vec::new();
            visit_expr(expr, &mut |inner| match &inner.kind {
                Hir::Assign(place, value) | Hir::Update { place, value, .. } => {
                    if let PlaceKind::Local(local) = root(place).kind
                        && (under || differs(value, divergent))
                    {
                        new.push(local);
                    }
                }
                _ => {}
            });
            divergent.extend(new);
        }
        for (inner, condition) in bodies(statement) {
            let under = under || condition.is_some_and(|condition| differs(condition, divergent));
            spread(inner, under, divergent);
        }
    }
}

fn barriers(list: &[Stmt], under: Option<Span>, divergent: &FxHashSet<LocalId>, out: &mut Diagnostics) {
    for statement in list {
        if let Some(condition) = under {
            for expr in own_expressions(statement) {
                visit_expr(expr, &mut |inner| {
                    let is_barrier = matches!(
                        inner.kind,
                        Hir::Intrinsic(Intrinsic::Barrier | Intrinsic::BarrierReduce(_), _)
                    );
                    if is_barrier {
                        let message = "`__syncthreads()` under a condition that depends on the thread";
                        let warning = Diagnostic::warning("divergent-barrier", inner.span, message)
                            .label("threads that do not come here never reach this barrier")
                            .at(condition, "this condition differs between threads")
                            .help("move the barrier out of the condition");
                        out.push(warning);
                    }
                });
            }
        }
        for (inner, condition) in bodies(statement) {
            let own =
                condition.filter(|condition| differs(condition, divergent)).map(|condition| condition.span);
            barriers(inner, under.or(own), divergent, out);
        }
    }
}

fn places(list: &[Stmt], each: &mut dyn FnMut(&Place)) {
    visit(list, &mut |expr| match &expr.kind {
        Hir::Load(place) | Hir::AddressOf(place) | Hir::Assign(place, _) | Hir::Update { place, .. } => {
            each(root(place));
        }
        Hir::Asm(asm) => asm.outputs.iter().for_each(|output| each(root(&output.place))),
        _ => {}
    });
}
