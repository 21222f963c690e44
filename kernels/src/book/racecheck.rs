//! The race checker on a row's kernels.

use super::claims_table::Claim;
use super::runner::Runner;
use crate::RunError;
use crate::measure::lab::Lab;
use isa::types::Dim3;
use sim_core::host::{Arg, DevicePtr, Launch, Mode};
use sim_core::racecheck::Severity;
use sim_core::stats::report::{Does, HazardReport, RaceReport};

/// A launch on the functional machine under the race checker: `args` makes the arguments on the
/// device. Returns what was found, and the words behind the last pointer that `args` returns, as
/// many as it says.
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
    let races = report.races.ok_or_else(|| RunError::Wrong("the race checker did not look".to_owned()))?;
    Ok((races, lab.download(out, words)?))
}

/// The hazards of a severity.
pub fn of(races: &RaceReport, severity: Severity) -> impl Iterator<Item = &HazardReport> {
    races.hazards.iter().filter(move |hazard| hazard.severity == severity)
}

/// A hazard with both lines: ``RAW: line 43 `ld…` reads what line 40 `st…` wrote``.
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

/// Several of them.
pub fn list<'a>(hazards: impl Iterator<Item = &'a HazardReport>) -> String {
    let all: Vec<String> = hazards.map(in_words).collect();
    if all.is_empty() { "none".to_owned() } else { all.join("; ") }
}

/// The row must say that the race checker is to find something.
///
/// # Errors
/// If it does not.
pub fn asked_for(claim: &Claim) -> Result<(), RunError> {
    if claim.count("race checker") + claim.count("race reported") > 0 {
        Ok(())
    } else {
        claim.says("race checker")
    }
}
