//! Provenance of a run's numbers: program, kernel, chip, overrides and seeds, so that a report can
//! be reproduced.

use isa::terms::Terms;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use sim_core::config::base::Texts;
use sim_core::config::{Chip, WARP_SIZE};
use sim_core::occupancy::SmResources;
use sim_core::stats::Report;
use std::collections::BTreeMap;

/// All inputs outside the report on which the numbers of a run depend.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Provenance {
    /// Program and version.
    pub program: String,
    /// The kernel as the command line names it.
    pub kernel: String,
    /// Problem size of a built-in kernel, if the command line sets it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub size: Option<u64>,
    /// SHA-256 of the PTX text and, for a PTX file, of the launch file, in hexadecimal digits.
    pub input_sha256: Vec<String>,
    /// The chip as the command line names it.
    pub chip: String,
    /// SHA-256 of the chip file, followed by the files that it is based on.
    pub chip_sha256: String,
    /// `path` and `value` of each `--set`, in their order.
    pub overrides: Vec<Override>,
    /// Overrides of an SM's resources that do not change the number of resident blocks, each with
    /// the reason; absent if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub without_effect: Vec<String>,
    /// Seeds of random policies, by the path of the scheduler or cache in a chip file.
    pub seeds: BTreeMap<String, u64>,
}

/// A value of the chip that the command line replaced.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Override {
    /// Path in the chip file.
    pub path: String,
    /// Value as written.
    pub value: String,
}

/// Program and version.
pub const PROGRAM: &str = concat!("warpsim ", env!("CARGO_PKG_VERSION"));

/// Returns the SHA-256 of each of the source texts: PTX, and the launch file if there is one.
pub fn input_sha256<'t>(texts: impl Iterator<Item = &'t str>) -> Vec<String> {
    texts.map(sha256).collect()
}

/// Returns the SHA-256 of a chip file followed by its base files.
pub fn chip_sha256(texts: &Texts) -> String {
    sha256(&texts.all().iter().map(|text| &*text.text).collect::<String>())
}

impl Provenance {
    /// Returns the provenance of the runs of `kernel` with its source texts `inputs` on `chip`,
    /// which is named `name` and which `texts` describe. `sets` are the overrides, path and value.
    pub fn of<'t>(
        kernel: (&str, Option<u64>),
        inputs: impl Iterator<Item = &'t str>,
        (name, sets): (&str, &[(String, String)]),
        texts: &Texts,
        chip: &Chip,
    ) -> Self {
        let set = |(path, value): &(String, String)| Override { path: path.clone(), value: value.clone() };
        Self {
            program: PROGRAM.to_owned(),
            kernel: kernel.0.to_owned(),
            size: kernel.1,
            input_sha256: input_sha256(inputs),
            chip: name.to_owned(),
            chip_sha256: chip_sha256(texts),
            overrides: sets.iter().map(set).collect(),
            without_effect: Vec::new(),
            seeds: chip.seeds().map(|(path, seed)| (path.to_owned(), seed)).collect(),
        }
    }

    /// Returns the overrides in the form in which a chip is read.
    pub fn sets(&self) -> Vec<(String, String)> {
        self.overrides.iter().map(|set| (set.path.clone(), set.value.clone())).collect()
    }
}

/// Fields of `sm` that affect only the number of resident blocks.
const RESOURCES: [&str; 5] = ["max_warps", "max_threads", "max_blocks", "registers", "shared_bytes"];

/// Returns the overrides among `sets` that have no effect on the launches of `reports`, each with
/// the reason. Applied on top of the chip of `texts`, the overrides make `chip`.
pub fn without_effect(
    sets: &[(String, String)],
    texts: &Texts,
    chip: &Chip,
    reports: &[Report],
) -> Vec<String> {
    let blocks =
        |chip: &Chip, report: &Report| SmResources::of(chip).occupancy(report.launch.occupancy.needs).blocks;
    let mut found = Vec::new();
    for (number, set) in sets.iter().enumerate() {
        // A path may be given by its end; other fields of these names need longer ends.
        let name = set.0.strip_prefix("sm.").unwrap_or(&set.0);
        let Some(report) = reports.first().filter(|_| RESOURCES.contains(&name)) else { continue };
        let mut others = sets.to_vec();
        others.remove(number);
        let Ok((without, _)) = Chip::from_texts(texts, &others) else { continue };
        // The chip has this value without the override.
        if Chip::from_texts(texts, sets).is_ok_and(|(with, _)| with == without) {
            continue;
        }
        if reports.iter().all(|report| blocks(&without, report) == blocks(chip, report)) {
            found.push(reason(set, name, chip, report));
        }
    }
    found
}

/// Returns the reason for which the override `set` of the resource `name` has no effect.
fn reason((path, value): &(String, String), name: &str, chip: &Chip, report: &Report) -> String {
    let (sm, occupancy) = (&chip.sm, &report.launch.occupancy);
    let allowed = if name == "max_warps" && sm.max_threads / WARP_SIZE < sm.max_warps {
        format!("sm.max_threads={} allows {} warps", sm.max_threads, sm.max_threads / WARP_SIZE)
    } else if name == "max_threads" && sm.max_warps < sm.max_threads / WARP_SIZE {
        format!("sm.max_warps={} allows {} threads", sm.max_warps, sm.max_warps * WARP_SIZE)
    } else {
        let terms = Terms::of(&report.launch.files);
        let limiters: Vec<_> = occupancy.limiters.iter().map(|limiter| limiter.name(terms)).collect();
        let Terms { block, sm, .. } = terms;
        format!("{} allow {} {block}s per {sm}", limiters.join(" and "), occupancy.blocks)
    };
    format!("{path}={} has no effect: {allowed}", value.trim())
}

fn sha256(text: &str) -> String {
    hex(&Sha256::digest(text.as_bytes()))
}

/// Returns bytes as hexadecimal digits.
pub fn hex(bytes: &[u8]) -> String {
    let digits = bytes.iter().flat_map(|byte| [byte >> 4, byte & 15]);
    digits.map(|digit| char::from_digit(digit.into(), 16).expect("four bits")).collect()
}
