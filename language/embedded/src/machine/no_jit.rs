//! Builds without the feature `jit` interpret all host code.

use super::Machine;
use super::execute::Step;
use crate::memory::Memory;
use crate::stop::Stop;

/// Translated code, of which there is none.
pub enum Jit {}

impl Jit {
    pub fn new(_: usize, _: u64) -> Option<Self> {
        None
    }
}

impl Machine<'_> {
    pub(super) fn translated(&mut self, _: &mut Memory) -> Option<Result<Option<Step>, Stop>> {
        match *self.jit.as_ref()? {}
    }

    pub(super) fn pause(&self, _: u32) -> u64 {
        self.limit
    }

    #[expect(clippy::unused_self, reason = "the feature `jit` has these functions, too")]
    pub(super) fn spend(&mut self, _: u32, _: u64) {}

    #[expect(clippy::unused_self, reason = "the feature `jit` has these functions, too")]
    pub(super) fn translate_loop(&mut self) {}
}
