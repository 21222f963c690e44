//! Host threads of launches on the functional machine.

use super::start::Ready;
use crate::gpu::functional::Speculation;
use isa::uop::{MemoryKind, MemorySpace, Program};
use std::collections::BTreeMap;

/// What earlier launches have shown about blocks on several host threads, by the kernel's name.
#[derive(Debug, Default)]
pub(super) struct Speculations {
    kernels: BTreeMap<String, Speculation>,
}

impl Speculations {
    /// Returns the state for a launch; `None` if the launch runs on one thread.
    pub fn of(&mut self, ready: &Ready<'_>) -> Option<&mut Speculation> {
        let (program, threads) = (&ready.kernel.program, ready.launch.options.threads);
        if threads == 1 || has_atomics(program) {
            return None;
        }
        Some(self.kernels.entry(program.name.clone()).or_insert_with(Speculation::new).on(threads))
    }
}

/// Whether a program has atomics outside of shared memory. Its blocks usually share the words, and
/// so have to run in order.
fn has_atomics(program: &Program) -> bool {
    program.code.iter().any(|inst| match inst.op.memory() {
        Some(memory) => {
            let is_atomic =
                matches!(memory.kind, MemoryKind::Atomic | MemoryKind::Cas | MemoryKind::Reduction);
            is_atomic && memory.space != MemorySpace::Shared
        }
        None => false,
    })
}
