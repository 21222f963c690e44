//! Calls of small functions of the compiler's headers, such as `operator[]` of a vector, in place.
//!
//! Instructions of the function have the place of the call, so that messages name the user's line.

use super::{Home, Lowerer, mark_addressed};
use crate::code::Reg;
use cuda::hir::{Expr, ExprKind, Function, FunctionId, Stmt, StmtKind, Types};

/// Expressions that a function in place may have.
const MOST_EXPRESSIONS: usize = 40;
/// Nesting of functions in place.
const MOST_NESTED: u32 = 4;

impl<'p> Lowerer<'_, 'p> {
    /// Lowers a call in place, if the function is small. Returns whether it is. The register has
    /// the address of the result, if that is a structure.
    pub(super) fn inline(&mut self, id: FunctionId, arguments: &[Expr], to: Reg) -> bool {
        let program = self.shared.program;
        let callee: &'p Function = &program.functions[id];
        if self.nested >= MOST_NESTED
            || arguments.len() != callee.parameters.len()
            || !self.is_small(id, callee)
        {
            return false;
        }
        let free = self.next;
        let mut homes = vec![Home::Register(to); callee.locals.len()];
        for (local, argument) in callee.parameters.iter().zip(arguments) {
            let register = self.register();
            self.into(argument, register);
            homes[local.0 as usize] = Home::Register(register);
        }
        for (at, home) in homes.iter_mut().enumerate() {
            if !callee.parameters.iter().any(|local| local.0 as usize == at) {
                *home = Home::Register(self.register());
            }
        }
        let place = self.place.or(Some(self.span));
        let (outer_homes, outer_function, outer_place) = (
            std::mem::replace(&mut self.homes, homes),
            std::mem::replace(&mut self.function, callee),
            std::mem::replace(&mut self.place, place),
        );
        self.nested += 1;
        for statement in &callee.body {
            match &statement.kind {
                StmtKind::Return(Some(value)) if self.is_aggregate(callee.result) => {
                    self.aggregate(value, to);
                }
                StmtKind::Return(Some(value)) if callee.result != Types::VOID => self.into(value, to),
                StmtKind::Expr(expr) | StmtKind::Return(Some(expr)) => self.effect(expr),
                _ => {}
            }
        }
        self.nested -= 1;
        self.homes = outer_homes;
        self.function = outer_function;
        self.place = outer_place;
        self.next = free;
        true
    }

    /// Whether a function is expressions and a `return`, on scalars in registers. A structure is
    /// made by the `return` alone.
    fn is_small(&mut self, id: FunctionId, callee: &Function) -> bool {
        let at = id.0 as usize;
        if let Some(known) = self.shared.small.get(&at) {
            return *known;
        }
        let scalars = callee.is_builtin
            && (callee.body.len() == 1 || !self.is_aggregate(callee.result))
            && self.uses_scalars(callee);
        let small = scalars && is_plain(&callee.body, callee.result == Types::VOID) && {
            let mut addressed = vec![false; callee.locals.len()];
            mark_addressed(&callee.body, &mut addressed);
            let mut count = 0;
            cuda::hir::visit::statements(&callee.body, &mut |_| count += 1);
            !addressed.contains(&true) && count <= MOST_EXPRESSIONS
        };
        self.shared.small.insert(at, small);
        small
    }
}

impl Lowerer<'_, '_> {
    /// Whether the variables that a function uses are scalars. The object that it returns may have
    /// one that nothing uses.
    fn uses_scalars(&self, callee: &Function) -> bool {
        let mut structures = vec![false; callee.locals.len()];
        for (at, local) in callee.locals.iter().enumerate() {
            structures[at] = self.is_aggregate(local.ty);
        }
        if callee.parameters.iter().any(|local| structures[local.0 as usize]) {
            return false;
        }
        let mut uses_one = false;
        cuda::hir::visit::statements(&callee.body, &mut |expr| {
            if let ExprKind::Load(place)
            | ExprKind::AddressOf(place)
            | ExprKind::Assign(place, _)
            | ExprKind::Update { place, .. } = &expr.kind
            {
                uses_one |= place.local().is_some_and(|local| structures[local.0 as usize]);
            }
        });
        !uses_one
    }
}

/// Whether statements are expressions, with `return` only at the end.
fn is_plain(list: &[Stmt], is_void: bool) -> bool {
    let Some((last, rest)) = list.split_last() else { return is_void };
    rest.iter().all(|statement| matches!(statement.kind, StmtKind::Expr(_)))
        && match &last.kind {
            StmtKind::Expr(_) => is_void,
            StmtKind::Return(value) => value.is_some() || is_void,
            _ => false,
        }
}
