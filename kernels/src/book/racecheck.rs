//! The race checker on the kernels of an experiment.

use super::claims_table::Claim;
use super::runner::Runner;
use crate::RunError;
use crate::measure::lab::Lab;
use isa::types::Dim3;
use sim_core::host::{Arg, DevicePtr, Launch, Mode};
use sim_core::racecheck::Severity;
use sim_core::stats::report::{Does, HazardReport, RaceReport};

/// Runs a launch in functional mode with the race checker. `args` creates the arguments on
/// the device, and returns them with an output pointer and a number of words. Returns the race
/// report and those words.
pub fn checked(
    runner: &Runner,
    chip: &str,
    (file, text): (&'static str, &str),
    entry: &str,
    (grid, block): (Dim3, Dim3),
    args: impl FnOnce(&mut Lab) -> Result<(Vec<Arg>, DevicePtr, usize), RunError>,
) -> Result<(RaceReport, Vec<u32>), RunError> {
    let mut lab = runner.lab(runner.chip(chip, &[])?, file, text)?;
    lab.gpu.check_races(true);
    let (args, out, words) = args(&mut lab)?;
    let launch = Launch::new(lab.module, entry, grid, block).args(args).mode(Mode::Functional);
    let report = lab.run(&launch.options(runner.options()))?;
    let races = report.races.ok_or_else(|| RunError::Wrong("the race checker did not run".to_owned()))?;
    Ok((races, lab.download(out, words)?))
}

/// Returns the hazards of one severity.
pub fn of(races: &RaceReport, severity: Severity) -> impl Iterator<Item = &HazardReport> {
    races.hazards.iter().filter(move |hazard| hazard.severity == severity)
}

/// Text of a hazard with both lines: ``RAW: line 43 `ld…` reads what line 40 `st…` wrote``.
pub fn in_words(hazard: &HazardReport) -> String {
    let HazardReport { kind, first, second, .. } = hazard;
    let past = match first.does {
        Does::Reads => "read",
        Does::Writes => "wrote",
        Does::Changes => "changed",
    };
    let text = |source: &str| {
        source.split("//").next().unwrap_or("").split_whitespace().collect::<Vec<_>>().join(" ")
    };
    format!(
        "{kind}: line {} `{}` {} what line {} `{}` {past}",
        second.line,
        text(&second.source),
        second.does,
        first.line,
        text(&first.source)
    )
}

/// Text of several hazards.
pub fn list<'a>(hazards: impl Iterator<Item = &'a HazardReport>) -> String {
    let all: Vec<String> = hazards.map(in_words).collect();
    if all.is_empty() { "none".to_owned() } else { all.join("; ") }
}

/// Checks that the claim expects a finding of the race checker.
///
/// # Errors
/// The claim does not mention it.
pub fn asked_for(claim: &Claim) -> Result<(), RunError> {
    if claim.count("race checker") + claim.count("race reported") > 0 {
        Ok(())
    } else {
        claim.says("race checker")
    }
}
