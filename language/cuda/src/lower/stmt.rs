//! Statements.

use super::function::{Exits, Lowerer};
use super::scalar;
use crate::hir::{Expr, ExprKind, LabelId, Stmt, StmtKind, Unroll};
use crate::ssa::{self, Block, Cmp, Function, Jump, Loc, Space, Terminator, Ty, Value};

/// Conditions of more than this many expressions are not copied to the end of their loop.
const MAX_COPIED: usize = 40;

impl Lowerer<'_> {
    pub(super) fn stmts(&mut self, stmts: &[Stmt]) {
        let open = self.declared.len();
        for stmt in stmts {
            self.stmt(stmt);
        }
        self.close(open);
    }

    fn stmt(&mut self, stmt: &Stmt) {
        self.set_loc(stmt.span);
        // With a pragma, a loop starts at its line.
        let start = self.loc;
        match &stmt.kind {
            StmtKind::Expr(expr) => self.discard(expr),
            StmtKind::Declare { local, init } => {
                self.declared.push(*local);
                if let Some(init) = init {
                    let slot = self.slot_address(*local);
                    let to = self.object(Space::Local, slot, self.hir.locals[*local].ty);
                    self.store_expr(to, init);
                }
            }
            StmtKind::Block(body) => self.stmts(body),
            StmtKind::Scope(body) => self.scope(|lower| lower.stmts(body)),
            StmtKind::Try { .. } => unreachable!("host code is not lowered to PTX"),
            StmtKind::If { condition, then, otherwise } => {
                let (yes, end) = (self.f.add_block(), self.f.add_block());
                let no = if otherwise.is_empty() { end } else { self.f.add_block() };
                self.condition(condition, yes, no, yes);
                self.stmts(then);
                self.jump(end, no);
                if no != end {
                    self.stmts(otherwise);
                    self.jump(end, end);
                }
            }
            StmtKind::While { condition, body, unroll } => {
                self.looped(Some(condition), None, body, (*unroll, start));
                self.note_loop(stmt);
            }
            StmtKind::DoWhile { body, condition, unroll } => {
                let (head, next, end) = (self.f.add_block(), self.f.add_block(), self.f.add_block());
                self.request(head, (*unroll, start));
                self.jump(head, head);
                self.body(body, end, next);
                self.jump(next, next);
                self.condition(condition, head, end, end);
                self.note_loop(stmt);
            }
            StmtKind::For { init, condition, step, body, unroll } => {
                let open = self.declared.len();
                for stmt in init {
                    self.stmt(stmt);
                }
                self.looped(condition.as_ref(), step.as_ref(), body, (*unroll, start));
                self.close(open);
                self.note_loop(stmt);
            }
            StmtKind::Switch { value, cases, default, body } => self.switch(value, cases, *default, body),
            StmtKind::Break => {
                if let Some(Exits { on_break, scopes, .. }) = self.exits.last().copied() {
                    self.leave(scopes);
                    self.end(Terminator::Jump(Jump::to(on_break)));
                }
            }
            StmtKind::Continue => {
                if let Some((to, scopes)) = self.exits.last().and_then(|exits| exits.on_continue) {
                    self.leave(scopes);
                    self.end(Terminator::Jump(Jump::to(to)));
                }
            }
            StmtKind::Goto(label) => {
                self.f.loops.push((0, u32::MAX));
                self.end(Terminator::Jump(Jump::to(self.labels[label.0 as usize])));
            }
            StmtKind::Label(label) => {
                let block = self.labels[label.0 as usize];
                self.jump(block, block);
            }
            StmtKind::Return(value) => self.ret(value.as_ref()),
        }
    }

    /// Notes the lines of a loop.
    fn note_loop(&mut self, stmt: &Stmt) {
        let first = self.lines.of(stmt.span).line;
        self.f.loops.push((first, self.last));
    }

    fn ret(&mut self, value: Option<&Expr>) {
        let result = match (value, self.result) {
            (None, _) => None,
            (Some(value), Some(address)) => {
                let to = self.object(Space::Generic, address, value.ty);
                self.store_expr(to, value);
                None
            }
            (Some(value), None) => match scalar(self.types, value.ty) {
                Some(Ty::Void) | None => {
                    self.discard(value);
                    None
                }
                Some(Ty::I1) => {
                    let value = self.expr(value);
                    Some(self.bool_to_int(value))
                }
                Some(_) => Some(self.expr(value)),
            },
        };
        let result = if self.f.result == Ty::Void { None } else { result };
        self.leave(0);
        self.end(Terminator::Return(result));
    }

    /// A loop whose condition is tested first. The test is copied to the end of the body, so that
    /// each iteration has one branch.
    fn looped(
        &mut self,
        condition: Option<&Expr>,
        step: Option<&Expr>,
        body: &[Stmt],
        unroll: (Unroll, Loc),
    ) {
        let (head, next, end) = (self.f.add_block(), self.f.add_block(), self.f.add_block());
        self.request(head, unroll);
        let copied = condition.is_none_or(|condition| size(condition) <= MAX_COPIED);
        match condition {
            Some(condition) if copied => self.condition(condition, head, end, head),
            Some(condition) => {
                let inside = self.f.add_block();
                self.jump(head, head);
                self.condition(condition, inside, end, inside);
            }
            None => self.jump(head, head),
        }
        self.body(body, end, next);
        self.jump(next, next);
        if let Some(step) = step {
            self.set_loc(step.span);
            self.discard(step);
        }
        match condition {
            Some(condition) if copied => self.condition(condition, head, end, end),
            _ => self.jump(head, end),
        }
    }

    fn body(&mut self, body: &[Stmt], on_break: Block, on_continue: Block) {
        let scopes = self.scopes.len();
        self.exits.push(Exits { on_break, scopes, on_continue: Some((on_continue, scopes)) });
        self.stmts(body);
        self.exits.pop();
    }

    fn request(&mut self, head: Block, (unroll, loc): (Unroll, Loc)) {
        let factor = match unroll {
            Unroll::Auto => return,
            Unroll::Full => 0,
            Unroll::Times(factor) => factor.max(1),
        };
        self.f.unroll.push((head, ssa::Unroll { factor, loc }));
    }

    /// Evaluates a condition and branches; continues with `next`.
    pub(super) fn condition(&mut self, condition: &Expr, yes: Block, no: Block, next: Block) {
        self.set_loc(condition.span);
        match &condition.kind {
            ExprKind::LogicalAnd(a, b) => {
                let both = self.f.add_block();
                self.condition(a, both, no, both);
                self.condition(b, yes, no, next);
            }
            ExprKind::LogicalOr(a, b) => {
                let second = self.f.add_block();
                self.condition(a, yes, second, second);
                self.condition(b, yes, no, next);
            }
            ExprKind::Unary(crate::hir::UnaryOp::Not, inner) => self.condition(inner, no, yes, next),
            _ => {
                let value = self.expr(condition);
                self.branch(value, yes, no, next);
            }
        }
    }

    fn switch(&mut self, value: &Expr, cases: &[(i128, LabelId)], default: Option<LabelId>, body: &[Stmt]) {
        let end = self.f.add_block();
        let value = self.expr(value);
        let other = default.map_or(end, |label| self.labels[label.0 as usize]);
        // Ordered by the bits of the value, which the comparisons treat as unsigned.
        let mask = self.f.ty(value).mask();
        let mut sorted: Vec<(u64, Block)> =
            cases.iter().map(|(case, label)| (*case as u64 & mask, self.labels[label.0 as usize])).collect();
        sorted.sort_by_key(|(case, _)| *case);
        sorted.dedup_by_key(|(case, _)| *case);
        self.cases(value, &sorted, other);
        self.at = self.f.add_block();
        let on_continue = self.exits.last().and_then(|exits| exits.on_continue);
        self.exits.push(Exits { on_break: end, scopes: self.scopes.len(), on_continue });
        self.stmts(body);
        self.exits.pop();
        self.jump(end, end);
    }

    /// Branches to the block of the case: by comparisons one after the other for a few, else by
    /// halves.
    fn cases(&mut self, value: Value, cases: &[(u64, Block)], other: Block) {
        let ty = self.f.ty(value);
        if cases.len() > 4 {
            let (low, high) = cases.split_at(cases.len() / 2);
            let middle = self.constant(ty, high[0].0);
            let less = self.cmp(Cmp::LtU, value, middle);
            let (below, above) = (self.f.add_block(), self.f.add_block());
            self.branch(less, below, above, below);
            self.cases(value, low, other);
            self.at = above;
            self.cases(value, high, other);
            return;
        }
        for (case, block) in cases {
            let case = self.constant(ty, *case);
            let equal = self.cmp(Cmp::Eq, value, case);
            let next = self.f.add_block();
            self.branch(equal, *block, next, next);
        }
        self.end_with(Terminator::Jump(Jump::to(other)), Function::ENTRY);
    }
}

/// Number of expressions of a tree, up to a little more than the limit.
fn size(expr: &Expr) -> usize {
    let all = |list: &[Expr]| list.iter().map(size).sum::<usize>();
    1 + match &expr.kind {
        ExprKind::Int(_)
        | ExprKind::Float(_)
        | ExprKind::Zero
        | ExprKind::FunctionAddress(_)
        | ExprKind::KernelAddress(_) => 0,
        ExprKind::Launch(launch) => all(&launch.arguments),
        ExprKind::Load(place) | ExprKind::AddressOf(place) => place_size(place),
        ExprKind::Extract(a, _) | ExprKind::Unary(_, a) | ExprKind::Cast(a) | ExprKind::Scoped(a) => size(a),
        ExprKind::Binary(_, a, b)
        | ExprKind::LogicalAnd(a, b)
        | ExprKind::LogicalOr(a, b)
        | ExprKind::PointerAdd(a, b)
        | ExprKind::PointerDiff(a, b)
        | ExprKind::Comma(a, b) => size(a) + size(b),
        ExprKind::Conditional(a, b, c) => size(a) + size(b) + size(c),
        ExprKind::Assign(place, value) | ExprKind::Update { place, value, .. } => {
            place_size(place) + size(value)
        }
        // A call may be inlined, so it counts much.
        ExprKind::Call(_, args) | ExprKind::CallIndirect(_, args) => MAX_COPIED / 2 + all(args),
        ExprKind::Aggregate(args) | ExprKind::Intrinsic(_, args) => all(args),
        ExprKind::Asm(_) => MAX_COPIED,
    }
}

fn place_size(place: &crate::hir::Place) -> usize {
    use crate::hir::PlaceKind;
    match &place.kind {
        PlaceKind::Local(_) | PlaceKind::Global(_) => 0,
        PlaceKind::Deref(pointer) => size(pointer),
        PlaceKind::Field(inner, _) | PlaceKind::Bits(inner, ..) => place_size(inner),
        PlaceKind::Index(inner, index) => place_size(inner) + size(index),
    }
}
