//! Keeps what kernels reach, and numbers it anew.

use crate::arena::{Arena, Id as _};
use crate::hir::{
    AsmInput, AsmOutput, Expr, ExprKind, Function, FunctionId, Global, GlobalId, InlineAsm, Intrinsic,
    Launch, Place, PlaceKind, Stmt, StmtKind, SurfaceAccess,
};

/// A reference from a function to the program.
pub(super) enum Reference<'r> {
    Function(&'r mut FunctionId),
    Global(&'r mut GlobalId),
}

/// Calls `each` on every reference in statements.
pub(super) fn statements(list: &mut [Stmt], each: &mut dyn FnMut(Reference)) {
    for statement in list {
        match &mut statement.kind {
            StmtKind::Expr(expr) | StmtKind::Return(Some(expr)) => expression(expr, each),
            StmtKind::Declare { init, .. } => {
                if let Some(init) = init {
                    expression(init, each);
                }
            }
            StmtKind::Block(list) | StmtKind::Scope(list) => statements(list, each),
            StmtKind::Try { body, handlers } => {
                statements(body, each);
                for (_, list) in handlers {
                    statements(list, each);
                }
            }
            StmtKind::If { condition, then, otherwise } => {
                expression(condition, each);
                statements(then, each);
                statements(otherwise, each);
            }
            StmtKind::While { condition, body, .. } | StmtKind::DoWhile { body, condition, .. } => {
                expression(condition, each);
                statements(body, each);
            }
            StmtKind::For { init, condition, step, body, .. } => {
                statements(init, each);
                for expr in condition.iter_mut().chain(step) {
                    expression(expr, each);
                }
                statements(body, each);
            }
            StmtKind::Switch { value, body, .. } => {
                expression(value, each);
                statements(body, each);
            }
            StmtKind::Return(None)
            | StmtKind::Break
            | StmtKind::Continue
            | StmtKind::Goto(_)
            | StmtKind::Label(_) => {}
        }
    }
}

fn place(place: &mut Place, each: &mut dyn FnMut(Reference)) {
    match &mut place.kind {
        PlaceKind::Local(_) => {}
        PlaceKind::Global(global) => each(Reference::Global(global)),
        PlaceKind::Deref(pointer) => expression(pointer, each),
        PlaceKind::Field(inner, _) | PlaceKind::Bits(inner, ..) => self::place(inner, each),
        PlaceKind::Index(inner, index) => {
            self::place(inner, each);
            expression(index, each);
        }
    }
}

fn expression(expr: &mut Expr, each: &mut dyn FnMut(Reference)) {
    match &mut expr.kind {
        ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Zero | ExprKind::KernelAddress(_) => {}
        ExprKind::Aggregate(list) => list.iter_mut().for_each(|one| expression(one, each)),
        ExprKind::Load(inner) | ExprKind::AddressOf(inner) => place(inner, each),
        ExprKind::FunctionAddress(function) => each(Reference::Function(function)),
        ExprKind::Extract(inner, _)
        | ExprKind::Unary(_, inner)
        | ExprKind::Cast(inner)
        | ExprKind::Scoped(inner) => {
            expression(inner, each);
        }
        ExprKind::Binary(_, left, right)
        | ExprKind::LogicalAnd(left, right)
        | ExprKind::LogicalOr(left, right)
        | ExprKind::PointerAdd(left, right)
        | ExprKind::PointerDiff(left, right)
        | ExprKind::Comma(left, right) => {
            expression(left, each);
            expression(right, each);
        }
        ExprKind::Conditional(condition, left, right) => {
            expression(condition, each);
            expression(left, each);
            expression(right, each);
        }
        ExprKind::Assign(target, value) | ExprKind::Update { place: target, value, .. } => {
            place(target, each);
            expression(value, each);
        }
        ExprKind::Call(function, list) => {
            each(Reference::Function(function));
            for one in list {
                expression(one, each);
            }
        }
        ExprKind::CallIndirect(function, list) => {
            expression(function, each);
            for one in list {
                expression(one, each);
            }
        }
        ExprKind::Launch(launch) => {
            let Launch { kernel, grid, block, shared, stream, arguments } = &mut **launch;
            for one in [kernel, grid, block, shared, stream].into_iter().chain(arguments) {
                expression(one, each);
            }
        }
        ExprKind::Intrinsic(intrinsic, list) => {
            if let Intrinsic::Texture(Some(global), _)
            | Intrinsic::SurfaceLoad(SurfaceAccess { surface: Some(global), .. })
            | Intrinsic::SurfaceStore(SurfaceAccess { surface: Some(global), .. }) = intrinsic
            {
                each(Reference::Global(global));
            }
            for one in list {
                expression(one, each);
            }
        }
        ExprKind::Asm(asm) => {
            let InlineAsm { outputs, inputs, .. } = &mut **asm;
            for AsmOutput { place: output, .. } in outputs {
                place(output, each);
            }
            for AsmInput { value, .. } in inputs {
                expression(value, each);
            }
        }
    }
}

/// Marks the functions that `roots` and the initial values of variables reach.
fn reached(
    functions: &mut Arena<FunctionId, Option<Function>>,
    globals: &Arena<GlobalId, Global>,
    roots: &[FunctionId],
) -> Arena<FunctionId, bool> {
    let mut marks = Arena::parallel(functions, |_| false);
    let mut work: Vec<FunctionId> = roots.to_vec();
    work.extend(
        globals.iter().flat_map(|global| &global.init).flat_map(|init| &init.code).map(|(_, id)| *id),
    );
    while let Some(id) = work.pop() {
        if std::mem::replace(&mut marks[id], true) {
            continue;
        }
        if let Some(function) = &mut functions[id] {
            statements(&mut function.body, &mut |reference| {
                if let Reference::Function(id) = reference {
                    work.push(*id);
                }
            });
        }
    }
    marks
}

/// Keeps the functions that `roots` reach, and the variables that they or the host use.
pub(super) fn prune(
    mut functions: Arena<FunctionId, Option<Function>>,
    mut globals: Arena<GlobalId, Global>,
    roots: &[FunctionId],
) -> (Arena<FunctionId, Function>, Arena<GlobalId, Global>) {
    let keep = reached(&mut functions, &globals, roots);
    let mut order: Vec<FunctionId> = functions.ids().filter(|id| keep[*id]).collect();
    order.sort_by_key(|id| functions[*id].as_ref().map_or(0, |function| function.span.start));
    let mut numbers = Arena::parallel(&functions, |_| FunctionId(0));
    let mut used = Arena::parallel(&globals, |global| global.visible);
    let mut kept = Arena::default();
    for (new, old) in order.iter().enumerate() {
        numbers[*old] = FunctionId::of(new);
    }
    for old in order {
        let Some(mut function) = functions[old].take() else { continue };
        statements(&mut function.body, &mut |reference| match reference {
            Reference::Function(id) => *id = numbers[*id],
            Reference::Global(id) => used[*id] = true,
        });
        kept.push(function);
    }
    // Initializers keep what they point to.
    let mut work: Vec<GlobalId> = globals.ids().filter(|id| used[*id]).collect();
    while let Some(id) = work.pop() {
        for (_, target, _) in globals[id].init.iter().flat_map(|init| &init.addresses) {
            if !std::mem::replace(&mut used[*target], true) {
                work.push(*target);
            }
        }
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
