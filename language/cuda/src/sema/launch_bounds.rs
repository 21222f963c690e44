//! `__launch_bounds__`.

use super::Sema;
use super::value::Res;
use crate::diagnostics::Diagnostic;
use crate::hir::LaunchBounds;
use crate::syntax::ast::Expr;

impl Sema<'_> {
    /// The values of `__launch_bounds__`.
    pub(super) fn launch_bounds(&mut self, list: &[Expr]) -> Res<Option<LaunchBounds>> {
        let Some(first) = list.first() else { return Ok(None) };
        let (threads, _) = self.constant_int(first, "the number of threads")?;
        let limit = if self.target.is_fermi() { 1024 } else { 512 };
        if !(1..=limit).contains(&threads) {
            let target = self.target.name();
            let message = format!("a block of {threads} threads does not exist");
            let error = Diagnostic::error("launch-bounds", first.span, message)
                .label(format!("expected 1 to {limit} on {target}"));
            return self.fail(error);
        }
        let min_blocks = match list.get(1) {
            None => None,
            Some(second) => {
                let (blocks, _) = self.constant_int(second, "the number of blocks")?;
                u32::try_from(blocks).ok().filter(|blocks| *blocks > 0)
            }
        };
        Ok(Some(LaunchBounds { max_threads: threads as u32, min_blocks }))
    }
}
