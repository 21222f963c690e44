//! Statements.

use super::{Home, Lowerer};
use crate::code::{Compare, Instr};
use cuda::hir::{BinaryOp, Expr, ExprKind, Stmt, StmtKind, Type, UnaryOp};

impl Lowerer<'_, '_> {
    pub(super) fn statements(&mut self, list: &[Stmt]) {
        for statement in list {
            self.statement(statement);
        }
    }

    pub(super) fn statement(&mut self, statement: &Stmt) {
        let free = self.next;
        self.span = statement.span;
        self.statement_kind(&statement.kind);
        self.next = free;
    }

    fn statement_kind(&mut self, kind: &StmtKind) {
        match kind {
            StmtKind::Expr(expr) => self.effect(expr),
            StmtKind::Declare { local, init } => {
                let Some(init) = init else { return };
                match self.home(*local) {
                    Home::Late(_) => unreachable!("`home` gives it memory"),
                    Home::Register(register) => self.into(init, register),
                    Home::Memory(address) if self.is_aggregate(init.ty) => self.aggregate(init, address),
                    Home::Memory(address) => {
                        let value = self.value(init);
                        self.store(super::place::Object::Memory(address, 0), init.ty, value);
                    }
                }
            }
            StmtKind::Block(list) => self.statements(list),
            StmtKind::Scope(list) => self.scope(list),
            StmtKind::Try { body, handlers } => self.try_statement(body, handlers),
            StmtKind::If { condition, then, otherwise } => {
                let (other, end) = (self.label(), self.label());
                self.branch(condition, false, other);
                self.statements(then);
                if !otherwise.is_empty() {
                    self.jump(end, Instr::Jump { target: 0 });
                }
                self.place_label(other);
                self.statements(otherwise);
                self.place_label(end);
            }
            StmtKind::While { condition, body, .. } => self.repeat(Some(condition), None, body, true),
            StmtKind::DoWhile { body, condition, .. } => self.repeat(Some(condition), None, body, false),
            StmtKind::For { init, condition, step, body, .. } => {
                self.statements(init);
                self.repeat(condition.as_ref(), step.as_ref(), body, true);
            }
            StmtKind::Switch { value, cases, default, body } => {
                let value = self.value(value);
                for (case, label) in cases {
                    let label = self.named_label(label.0);
                    let constant = self.register();
                    self.emit(Instr::Const { to: constant, value: *case as u64 });
                    let compare = Compare::Eq;
                    self.jump(
                        label,
                        Instr::JumpCompare { compare, a: value, b: constant, value: true, target: 0 },
                    );
                }
                let end = self.label();
                let other = default.map_or(end, |label| self.named_label(label.0));
                self.jump(other, Instr::Jump { target: 0 });
                let next = self.targets.last().and_then(|(_, next)| *next);
                self.targets.push((end, next));
                // `continue` leaves the scopes of the loop around.
                self.target_marks.push(self.marks.len());
                self.statements(body);
                self.target_marks.pop();
                self.targets.pop();
                self.place_label(end);
            }
            StmtKind::Break => {
                if let Some((end, _)) = self.targets.last().copied() {
                    self.unwind_to(self.target_marks.last().copied().unwrap_or(0));
                    self.jump(end, Instr::Jump { target: 0 });
                }
            }
            StmtKind::Continue => {
                if let Some((_, Some(next))) = self.targets.last().copied() {
                    self.unwind_to(self.continue_marks.last().copied().unwrap_or(0));
                    self.jump(next, Instr::Jump { target: 0 });
                }
            }
            StmtKind::Goto(label) => {
                self.unwind_for(label.0);
                let label = self.named_label(label.0);
                self.jump(label, Instr::Jump { target: 0 });
            }
            StmtKind::Label(label) => {
                let label = self.named_label(label.0);
                self.place_label(label);
            }
            StmtKind::Return(None) => {
                self.unwind_to(0);
                self.emit(Instr::Return);
            }
            StmtKind::Return(Some(expr)) => {
                match self.result {
                    Some(address) if self.is_aggregate(expr.ty) => self.aggregate(expr, address),
                    _ if matches!(self.types().get(expr.ty), Type::Void) => self.effect(expr),
                    _ => {
                        // The value may read parameters until it is complete.
                        let value = self.value(expr);
                        self.emit(Instr::Move { to: 0, from: value });
                    }
                }
                self.unwind_to(0);
                self.emit(Instr::Return);
            }
        }
    }

    /// A loop; `first` is whether the condition is tested before the first iteration.
    fn repeat(&mut self, condition: Option<&Expr>, step: Option<&Expr>, body: &[Stmt], first: bool) {
        let (head, next, end) = (self.label(), self.label(), self.label());
        if let (true, Some(condition)) = (first, condition) {
            self.branch(condition, false, end);
        }
        self.place_label(head);
        self.targets.push((end, Some(next)));
        self.target_marks.push(self.marks.len());
        self.continue_marks.push(self.marks.len());
        self.statements(body);
        self.continue_marks.pop();
        self.target_marks.pop();
        self.targets.pop();
        self.place_label(next);
        if let Some(step) = step {
            let free = self.next;
            self.span = step.span;
            self.effect(step);
            self.next = free;
        }
        match condition {
            Some(condition) => self.branch(condition, true, head),
            None => self.jump(head, Instr::Jump { target: 0 }),
        }
        self.place_label(end);
    }

    fn named_label(&mut self, number: u32) -> usize {
        if let Some(label) = self.named.get(&number) {
            return *label;
        }
        let label = self.label();
        self.named.insert(number, label);
        label
    }

    /// Jumps to a label if a condition has a value.
    pub(super) fn branch(&mut self, condition: &Expr, value: bool, label: usize) {
        let free = self.next;
        self.span = condition.span;
        match &condition.kind {
            ExprKind::Int(known) => {
                if (*known != 0) == value {
                    self.jump(label, Instr::Jump { target: 0 });
                }
            }
            ExprKind::Unary(UnaryOp::Not, inner) => self.branch(inner, !value, label),
            ExprKind::LogicalAnd(left, right) if !value => {
                self.branch(left, false, label);
                self.branch(right, false, label);
            }
            ExprKind::LogicalOr(left, right) if value => {
                self.branch(left, true, label);
                self.branch(right, true, label);
            }
            ExprKind::LogicalAnd(left, right) => {
                let skip = self.label();
                self.branch(left, false, skip);
                self.branch(right, true, label);
                self.place_label(skip);
            }
            ExprKind::LogicalOr(left, right) => {
                let skip = self.label();
                self.branch(left, true, skip);
                self.branch(right, false, label);
                self.place_label(skip);
            }
            ExprKind::Binary(op, left, right) if self.compare(*op, left).is_some() => {
                let (compare, swapped, negated) =
                    self.compare(*op, left).unwrap_or((Compare::Eq, false, false));
                let (a, b) = (self.value(left), self.value(right));
                let (a, b) = if swapped { (b, a) } else { (a, b) };
                let value = value != negated;
                self.jump(label, Instr::JumpCompare { compare, a, b, value, target: 0 });
            }
            _ => {
                let a = self.value(condition);
                self.jump(label, Instr::JumpIf { a, value, target: 0 });
            }
        }
        self.next = free;
    }

    /// The comparison of an operator on integers, whether its operands are swapped, and whether its
    /// result is inverted.
    pub(super) fn compare(&self, op: BinaryOp, left: &Expr) -> Option<(Compare, bool, bool)> {
        let signed = match self.types().get(left.ty) {
            Type::Int(int) => int.signed,
            Type::Bool | Type::Pointer(..) | Type::FunctionPointer(_) => false,
            _ => return None,
        };
        let less = if signed { Compare::LtSigned } else { Compare::LtUnsigned };
        let most = if signed { Compare::LeSigned } else { Compare::LeUnsigned };
        Some(match op {
            BinaryOp::Eq => (Compare::Eq, false, false),
            BinaryOp::Ne => (Compare::Eq, false, true),
            BinaryOp::Lt => (less, false, false),
            BinaryOp::Le => (most, false, false),
            BinaryOp::Gt => (less, true, false),
            BinaryOp::Ge => (most, true, false),
            _ => return None,
        })
    }
}
