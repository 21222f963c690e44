//! The compiled kernels of a study: each one for the architectures of its chips.

use crate::chip::ChipEntry;
use crate::digest::of_module;
use crate::file::{Experiment, Source, Target};
use crate::host::Host;
use crate::outcome::{Failed, one_line};
use isa::feature::{Feature, Features};
use isa::types::Capability;
use report::exit::Failure;
use report::provenance::input_sha256;
use request::{Prepared, Warn};
use sim_core::config::set;
use sim_core::config::tree::NodeKind;
use std::collections::BTreeSet;

/// Path of the compute capability in a chip file.
const CAPABILITY: &str = "capability";

/// Path of the features in a chip file.
const FEATURES: &str = "features";

/// What CUDA C is compiled for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Architecture {
    /// The compute capability.
    pub capability: Capability,
    /// The instructions after Fermi.
    pub features: Features,
}

/// A kernel for chips of an architecture.
struct Made {
    /// The architecture; `None` for a built-in kernel, whose text is the same for all.
    architecture: Option<Architecture>,
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
    /// Compiles the kernels of `file` for all architectures of `chips`; `compile` gets the number
    /// of a kernel. Each warning is told once.
    ///
    /// # Errors
    ///
    /// The errors of all kernels that can be compiled for none of the chips.
    pub fn compile(
        file: &Experiment,
        chips: &[ChipEntry],
        host: &dyn Host,
        mut compile: impl FnMut(usize, Architecture, Warn<'_>) -> Result<Prepared, Failure>,
    ) -> Result<Self, Failure> {
        let all = architectures(file, chips);
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
            for architecture in all.iter().take(if is_builtin { 1 } else { all.len() }) {
                let program = compile(number, *architecture, &mut warn).map_err(|failure| failure.message);
                let (digest, input) = program.as_ref().map_or_else(
                    |_| (String::new(), String::new()),
                    |one| (of_module(host.sources(), one.module()), input_sha256(one.texts()).join(" ")),
                );
                let architecture = (!is_builtin).then_some(*architecture);
                made.push(Made { architecture, program, digest, input });
            }
            if made.iter().all(|one| one.program.is_err()) {
                failures.extend(made.iter().filter_map(|one| one.program.as_ref().err().cloned()));
                failures.dedup();
            }
            kernels.push(made);
        }
        if failures.is_empty() { Ok(Self { kernels }) } else { Err(Failure::input(failures.join("\n\n"))) }
    }

    /// Returns a kernel for chips of this architecture, with the digest of its module.
    ///
    /// # Errors
    ///
    /// The kernel cannot be compiled for these chips.
    pub fn of(&self, kernel: usize, architecture: Architecture) -> Result<(&Prepared, &str), Failed> {
        let made = self.made(kernel, architecture).ok_or_else(|| {
            let Architecture { capability, features } = architecture;
            let names: Vec<&str> = features.iter().map(Feature::name).collect();
            let names = names.join(", ");
            Failed::bad_input(format!("not compiled for capability {capability} with features [{names}]"))
        })?;
        match &made.program {
            Ok(program) => Ok((program, &made.digest)),
            Err(message) => {
                let message = message.strip_prefix("error: ").unwrap_or(message);
                Err(Failed::bad_input(one_line(message)))
            }
        }
    }

    fn made(&self, kernel: usize, architecture: Architecture) -> Option<&Made> {
        self.kernels[kernel].iter().find(|one| one.architecture.is_none_or(|own| own == architecture))
    }

    /// Returns the SHA-256 of the texts of a kernel for chips of this architecture; empty if it has
    /// none.
    pub fn input(&self, kernel: usize, architecture: Option<Architecture>) -> &str {
        architecture.and_then(|architecture| self.made(kernel, architecture)).map_or("", |made| &made.input)
    }

    /// Returns each kernel for the first architecture for which it can be compiled.
    pub fn first(&self) -> impl Iterator<Item = &Prepared> {
        self.kernels.iter().filter_map(|made| made.iter().find_map(|one| one.program.as_ref().ok()))
    }
}

/// Returns the architectures of the chips, with what factors set.
fn architectures(file: &Experiment, chips: &[ChipEntry]) -> Vec<Architecture> {
    let mut all = Vec::new();
    for chip in chips {
        let (mut capabilities, mut features) =
            (BTreeSet::from_iter(capability_of(chip)), vec![features_of(chip)]);
        for factor in &file.factors {
            let texts = || factor.levels.iter().map(|level| level.text.as_str());
            if factor.targets.iter().any(|target| sets_capability(chip, &target.value)) {
                capabilities.extend(texts().filter_map(capability));
            }
            if factor.targets.iter().any(|target| sets_features(chip, &target.value)) {
                features.extend(texts().map(features_named));
            }
        }
        for capability in capabilities {
            for features in features.iter().copied() {
                let architecture = Architecture { capability, features };
                if !all.contains(&architecture) {
                    all.push(architecture);
                }
            }
        }
    }
    all
}

/// Returns the architecture of a chip with the levels of a point; `None` if it has no compute
/// capability. `level` is the text of the last level that sets a field of this kind.
pub fn architecture<'t>(
    chip: &ChipEntry,
    level: impl Fn(fn(&ChipEntry, &Target) -> bool) -> Option<&'t str>,
) -> Option<Architecture> {
    let capability = level(sets_capability).map_or_else(|| capability_of(chip), capability)?;
    let features = level(sets_features).map_or_else(|| features_of(chip), features_named);
    Some(Architecture { capability, features })
}

/// Whether a target is the field of the chip at a path.
fn sets(chip: &ChipEntry, target: &Target, field: &str) -> bool {
    let Target::Chip(path) = target else { return false };
    set::resolve(&chip.root, path).is_ok_and(|path| path == field)
}

/// Whether a target is the compute capability of the chip.
pub fn sets_capability(chip: &ChipEntry, target: &Target) -> bool {
    sets(chip, target, CAPABILITY)
}

/// Whether a target is the list of features of the chip.
fn sets_features(chip: &ChipEntry, target: &Target) -> bool {
    sets(chip, target, FEATURES)
}

/// Returns the features of a chip without overrides, which need not be valid without them.
fn features_of(chip: &ChipEntry) -> Features {
    let Some(NodeKind::List(list)) = set::find(&chip.root, FEATURES).map(|node| &node.kind) else {
        return Features::NONE;
    };
    features_in(list.iter().filter_map(|node| match &node.kind {
        NodeKind::Variant { name, .. } => Some(name.as_str()),
        _ => None,
    }))
}

/// Returns the features in a text such as `[shuffle, warp_sync]`.
fn features_named(text: &str) -> Features {
    features_in(text.split(|one: char| !(one.is_alphanumeric() || one == '_')))
}

fn features_in<'n>(names: impl Iterator<Item = &'n str>) -> Features {
    let known = names.filter_map(|name| Feature::ALL.iter().find(|feature| feature.name() == name));
    known.fold(Features::NONE, |all, feature| all.with(*feature))
}

/// Returns the capability of a chip without overrides, which need not be valid without them.
fn capability_of(chip: &ChipEntry) -> Option<Capability> {
    match &set::find(&chip.root, CAPABILITY)?.kind {
        NodeKind::Str(text) => capability(text),
        NodeKind::Float(number) => capability(&number.to_string()),
        _ => None,
    }
}

/// Returns the capability `major.minor`, with or without quotation marks.
fn capability(text: &str) -> Option<Capability> {
    let (major, minor) = text.trim().trim_matches('"').split_once('.')?;
    Some(Capability::new(major.parse().ok()?, minor.parse().ok()?))
}
