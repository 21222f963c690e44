//! The digest of a run: SHA-256 of everything that decides its result.
//!
//! These are the simulator (version, and a digest of its sources), the lowered kernel, the
//! effective chip with all overrides and ideal resources, the launch with its changed values, and
//! the contents of the input files. If the chip has a component that the program has registered,
//! the program file decides too. Host threads do not decide a result.

use super::Ready;
use crate::digest::Texts;
use crate::host::Host;
use request::Prepared;

impl Ready<'_> {
    /// Returns the digest of the run.
    pub fn digest(&self, host: &dyn Host) -> String {
        let mut texts = Texts::new("run", host.sources());
        texts.add(self.module.as_bytes());
        texts.add_fields(&self.chip);
        if self.chip.registered().next().is_some() {
            texts.add(host.executable().as_bytes());
        }
        let settings = &self.settings;
        let barriers = settings.launches.barriers.unwrap_or_default();
        texts.add_fields(&(settings.size, settings.launches.registers, barriers, settings.launches.cache));
        if let Some(memory) = settings.launches.memory {
            texts.add_fields(&memory);
        }
        let common = &self.setup.common;
        texts.add_fields(&(settings.launches.options.max_cycles, common.sample, common.warmup));
        match &self.launch {
            // The host program of a built-in kernel is a source of the simulator.
            None => {
                self.program.texts().for_each(|text| texts.add(text.as_bytes()));
                if let Prepared::Program(program) = &*self.program() {
                    program.words.iter().skip(1).for_each(|word| texts.add(word.as_bytes()));
                    program.with.contents(&mut |bytes| texts.add(bytes));
                }
            }
            Some(launch) => {
                texts.add(launch.as_bytes());
                self.program.inputs(launch).iter().for_each(|path| texts.add_file(path));
            }
        }
        texts.finish()
    }
}
