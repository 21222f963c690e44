//! What the code of a function names in the program, to be numbered anew.

use super::{
    AsmInput, AsmOutput, Expr, ExprKind, FunctionId, GlobalId, InlineAsm, Intrinsic, Launch, Place,
    PlaceKind, Stmt, StmtKind, SurfaceAccess,
};

/// A reference from a function to the program.
pub enum Reference<'r> {
    /// A function.
    Function(&'r mut FunctionId),
    /// A variable.
    Global(&'r mut GlobalId),
    /// A kernel, by its name in PTX (host).
    Kernel(&'r mut String),
    /// A type of exceptions (host).
    Thrown(&'r mut u32),
}

/// Calls `each` on every reference in statements.
pub fn statements(list: &mut [Stmt], each: &mut dyn FnMut(Reference)) {
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
                for (ty, list) in handlers {
                    if let Some(ty) = ty {
                        each(Reference::Thrown(ty));
                    }
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
        ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Zero => {}
        ExprKind::KernelAddress(name) => each(Reference::Kernel(name)),
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
            if let Intrinsic::Throw(ty) | Intrinsic::Caught(ty) = intrinsic {
                each(Reference::Thrown(ty));
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
