//! The compiled kernels of a study: each one for the compute capabilities of its chips.

use crate::chip::ChipEntry;
use crate::digest::of_module;
use crate::file::{Experiment, Source, Target};
use crate::host::Host;
use crate::outcome::{Failed, one_line};
use isa::types::Capability;
use report::exit::Failure;
use report::provenance::input_sha256;
use request::{Prepared, Warn};
use sim_core::config::set;
use sim_core::config::tree::NodeKind;
use std::collections::BTreeSet;

/// Path of the field of a chip for which CUDA C is compiled.
pub const CAPABILITY: &str = "capability";

/// A kernel for chips of a compute capability.
struct Made {
    /// The capability; `None` for a built-in kernel, whose text is the same for all.
    capability: Option<Capability>,
    /// The kernel, or the errors of its compilation.
    program: Result<Prepared, String>,
    /// Digest of the compiled module.
    digest: String,
    /// SHA-256 of its texts.
    input: String,
}

/// The compiled kernels of a study, in the order of the file.
#[derive(Default)]
pub struct Programs {
    kernels: Vec<Vec<Made>>,
}

impl Programs {
    /// Compiles the kernels of `file` for all capabilities of `chips`; `compile` gets the number of
    /// a kernel. Each warning is told once.
    ///
    /// # Errors
    ///
    /// The errors of all kernels that can be compiled for none of the chips.
    pub fn compile(
        file: &Experiment,
        chips: &[ChipEntry],
        host: &dyn Host,
        mut compile: impl FnMut(usize, Capability, Warn<'_>) -> Result<Prepared, Failure>,
    ) -> Result<Self, Failure> {
        let all = capabilities(file, chips);
        let mut said = BTreeSet::new();
        let mut warn = |text: &str| {
            if said.insert(text.to_owned()) {
                host.say(text);
            }
        };
        let (mut kernels, mut failures) = (Vec::new(), Vec::new());
        for (number, kernel) in file.kernels.iter().enumerate() {
            let is_builtin = matches!(kernel.source, Source::Builtin { .. });
            let mut made: Vec<Made> = Vec::new();
            for capability in all.iter().take(if is_builtin { 1 } else { all.len() }) {
                let program = compile(number, *capability, &mut warn).map_err(|failure| failure.message);
                let (digest, input) = program.as_ref().map_or_else(
                    |_| (String::new(), String::new()),
                    |one| (of_module(host.sources(), one.module()), input_sha256(one.texts()).join(" ")),
                );
                let capability = (!is_builtin).then_some(*capability);
                made.push(Made { capability, program, digest, input });
            }
            if made.iter().all(|one| one.program.is_err()) {
                failures.extend(made.iter().filter_map(|one| one.program.as_ref().err().cloned()));
                failures.dedup();
            }
            kernels.push(made);
        }
        if failures.is_empty() { Ok(Self { kernels }) } else { Err(Failure::input(failures.join("\n\n"))) }
    }

    /// Returns a kernel for chips of this capability, with the digest of its module.
    ///
    /// # Errors
    ///
    /// The kernel cannot be compiled for these chips.
    pub fn of(&self, kernel: usize, capability: Capability) -> Result<(&Prepared, &str), Failed> {
        let made = self.made(kernel, capability);
        let made =
            made.ok_or_else(|| Failed::bad_input(format!("not compiled for capability {capability}")))?;
        match &made.program {
            Ok(program) => Ok((program, &made.digest)),
            Err(message) => {
                let message = message.strip_prefix("error: ").unwrap_or(message);
                Err(Failed::bad_input(one_line(message)))
            }
        }
    }

    fn made(&self, kernel: usize, capability: Capability) -> Option<&Made> {
        self.kernels[kernel].iter().find(|one| one.capability.is_none_or(|own| own == capability))
    }

    /// Returns the SHA-256 of the texts of a kernel for chips of this capability; empty if it has
    /// none.
    pub fn input(&self, kernel: usize, capability: Option<Capability>) -> &str {
        capability.and_then(|capability| self.made(kernel, capability)).map_or("", |made| &made.input)
    }

    /// Returns each kernel for the first capability for which it can be compiled.
    pub fn first(&self) -> impl Iterator<Item = &Prepared> {
        self.kernels.iter().filter_map(|made| made.iter().find_map(|one| one.program.as_ref().ok()))
    }
}

/// Returns the compute capabilities of the chips, with those that a factor sets.
fn capabilities(file: &Experiment, chips: &[ChipEntry]) -> BTreeSet<Capability> {
    let mut all = BTreeSet::new();
    for chip in chips {
        all.extend(own(chip));
        for factor in &file.factors {
            if factor.targets.iter().any(|target| sets_capability(chip, &target.value)) {
                all.extend(factor.levels.iter().filter_map(|level| capability(&level.text)));
            }
        }
    }
    all
}

/// Whether a target is the compute capability of the chip.
pub fn sets_capability(chip: &ChipEntry, target: &Target) -> bool {
    let Target::Chip(path) = target else { return false };
    set::resolve(&chip.root, path).is_ok_and(|path| path == CAPABILITY)
}

/// Returns the capability of a chip without overrides, which need not be valid without them.
pub fn own(chip: &ChipEntry) -> Option<Capability> {
    match &set::find(&chip.root, CAPABILITY)?.kind {
        NodeKind::Str(text) => capability(text),
        NodeKind::Float(number) => capability(&number.to_string()),
        _ => None,
    }
}

/// Returns the capability `major.minor`, with or without quotation marks.
pub fn capability(text: &str) -> Option<Capability> {
    let (major, minor) = text.trim().trim_matches('"').split_once('.')?;
    Some(Capability::new(major.parse().ok()?, minor.parse().ok()?))
}
