//! Host threads of launches on the functional machine.

use super::start::Ready;
use crate::gpu::functional::Speculation;
use isa::sreg::SReg;
use isa::uop::{Class, Inst, MemoryKind, MemorySpace};
use std::collections::BTreeMap;

/// Experience with blocks on several host threads, by the kernel's name.
#[derive(Debug, Default)]
pub(super) struct Speculations {
    kernels: BTreeMap<String, Speculation>,
}

impl Speculations {
    /// Returns the state for a launch; `None` if the launch runs on one thread.
    pub fn of(&mut self, ready: &Ready<'_>) -> Option<&mut Speculation> {
        let (program, threads) = (&ready.kernel.program, ready.launch.options.threads);
        if threads == 1 || program.code.iter().any(needs_order) {
            return None;
        }
        Some(self.kernels.entry(program.name.clone()).or_default().on(threads))
    }
}

/// Whether an instruction makes a result depend on the blocks before: it reads the clock, which
/// counts their instructions, or is an atomic outside of shared memory, on words that blocks
/// usually share.
fn needs_order(inst: &Inst) -> bool {
    let is_clock = inst.op.class() == Class::Sreg && SReg::from_code(inst.imm).is_some_and(SReg::is_clock);
    is_clock
        || inst.op.memory().is_some_and(|memory| {
            memory.space != MemorySpace::Shared
                && matches!(memory.kind, MemoryKind::Atomic | MemoryKind::Cas | MemoryKind::Reduction)
        })
}
