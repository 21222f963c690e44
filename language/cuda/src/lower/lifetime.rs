//! The ends of objects: a scope calls the destructors of the objects that it has registered.
//!
//! A registration can be under a condition, and a jump can leave the scope before it. So each one
//! has a flag, which is set while its object exists. Where all paths agree, the flag is a constant
//! and no code is left of it.

use super::addr::Addr;
use super::function::Lowerer;
use super::registered::Registered;
use crate::hir::{Expr, ExprKind};
use crate::ssa::{Block, FuncId, Function, Mem, Op, Space, Ty, Value};

impl Lowerer<'_> {
    /// Lowers code with objects, and destroys them where it ends.
    pub(super) fn scope<R>(&mut self, step: impl FnOnce(&mut Self) -> R) -> R {
        let depth = self.scopes.len();
        self.scopes.push(Vec::new());
        let result = step(self);
        self.leave(depth);
        self.scopes.truncate(depth);
        result
    }

    /// Destroys the objects of the scopes from `depth` on, the last one first.
    pub(super) fn leave(&mut self, depth: usize) {
        let objects: Vec<Registered> = self.scopes[depth..].iter().flatten().cloned().collect();
        for Registered { flag, object, destructor } in objects.into_iter().rev() {
            let (exists, end) = (self.f.add_block(), self.f.add_block());
            let at = self.flag(flag);
            let value = self.load_at(at, Mem::B32, false, false);
            let value = self.is_true(value);
            self.branch(value, exists, end, exists);
            self.set_flag(flag, 0);
            let args = vec![self.expr(&object)];
            self.emit(Ty::Void, Op::Call { func: FuncId(destructor.0), args });
            self.jump(end, end);
        }
    }

    /// Registers an object; arguments as of [`crate::hir::Intrinsic::Defer`].
    pub(super) fn register(&mut self, args: &[Expr]) {
        let [object, Expr { kind: ExprKind::FunctionAddress(destructor), .. }] = args else {
            unreachable!("the destructor of an object is known")
        };
        let flag = self.slot("", 4, 4);
        let here: Block = std::mem::replace(&mut self.at, Function::ENTRY);
        self.set_flag(flag, 0);
        self.at = here;
        self.set_flag(flag, 1);
        let made = Registered { flag, object: object.clone(), destructor: *destructor };
        self.scopes.last_mut().expect("a function is a scope").push(made);
    }

    /// The variable of an address is not destroyed.
    pub(super) fn forget(&mut self, object: &Expr) {
        if let Some(flag) = self.scopes.iter().rev().flatten().find(|one| one.is(object)).map(|one| one.flag)
        {
            self.set_flag(flag, 0);
        }
    }

    fn flag(&mut self, slot: u32) -> Addr {
        let base: Value = self.emit(self.ptr, Op::Slot(slot));
        Addr { space: Space::Local, base, offset: 0, align: 4 }
    }

    fn set_flag(&mut self, slot: u32, value: u64) {
        let at = self.flag(slot);
        let value = self.constant(Ty::I32, value);
        self.store_at(at, Mem::B32, value, false);
    }
}
