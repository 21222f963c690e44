//! Programs that need more registers than a chip has for a thread.

use crate::options::{Compilation, Options};
use crate::types::Capability;
use crate::uop::{Module, Program};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Maximum number of compilations. Code of 1.x that is separated for Fermi may need a register more
/// than its own compilation counts.
const TRIES: u32 = 4;

impl Program {
    /// Returns the program with wide addresses if `params` has more than 32 bits in a parameter of
    /// which only the lower half is read as an address: otherwise `None`.
    pub fn with_wide_addresses(&self, params: &[u8]) -> Option<Arc<Self>> {
        let upper = |offset: &u32| params.get(*offset as usize + 4..*offset as usize + 8).unwrap_or_default();
        let fits = self.addresses.iter().all(|offset| upper(offset).iter().all(|byte| *byte == 0));
        if fits { None } else { self.widened() }
    }

    /// Returns the program with wide addresses, if it has addresses that were narrowed.
    pub fn widened(&self) -> Option<Arc<Self>> {
        if self.addresses.is_empty() {
            return None;
        }
        let options = Options { wide_addresses: true, ..self.options };
        let asked = Compilation { options, header_note: false, chip: Some(self.target) };
        let (module, _) = crate::compile_for(&self.ptx, asked);
        module.as_ref().and_then(|module| module.entry(&self.name)).cloned()
    }
}

impl Module {
    /// Returns those entries again that need more than `registers` registers of a thread, compiled
    /// for a chip of `capability` with values in local memory. An entry that does not fit even so
    /// is left out. The module is compiled from its text, as a driver does.
    #[must_use]
    pub fn fitted(&self, registers: u32, capability: Capability) -> Vec<Arc<Program>> {
        let large = self.entries.iter().filter(|program| program.registers > registers);
        let mut open: Vec<(&Arc<Program>, u32)> = large.map(|program| (program, registers)).collect();
        let mut fitted = Vec::new();
        for _ in 0..TRIES {
            // Most kernels of a large file fit at the same limit: it is compiled once for them all.
            let mut modules = BTreeMap::new();
            open.retain_mut(|(program, limit)| {
                let module = modules.entry(*limit).or_insert_with(|| compiled(program, *limit, capability));
                let again = module.as_ref().and_then(|module| module.entry(&program.name));
                match again {
                    Some(again) if again.registers > registers => {
                        *limit = limit.saturating_sub(again.registers - registers);
                        true
                    }
                    again => {
                        fitted.extend(again.cloned());
                        false
                    }
                }
            });
        }
        fitted
    }
}

/// Compiles the text of a program again, with a limit of the registers.
fn compiled(program: &Program, limit: u32, capability: Capability) -> Option<Module> {
    let options = Options { max_registers: Some(limit), ..program.options };
    // A program that is lowered to its chip has the chip's target.
    let asked = Compilation { options, chip: Some(program.target), ..Compilation::default() };
    let (module, _) = crate::compile_for(&program.ptx, asked);
    module.map(|module| module.compiled_for(capability))
}
