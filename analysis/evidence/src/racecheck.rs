//! The race checker on the kernels of an experiment.

use super::runner::Runner;
use isa::types::Dim3;
use kernels::RunError;
use kernels::lab::Lab;
use sim_core::check::{Check, Finding, HazardKind, Pair, Severity};
use sim_core::host::{Arg, DevicePtr, Launch, Mode};

/// Runs a launch in functional mode with the race checker. `args` creates the arguments on
/// the device, and returns them with an output pointer and a number of words. Returns the
/// findings and those words.
pub fn checked(
    runner: &Runner,
    chip: &str,
    (file, text): (&'static str, &str),
    entry: &str,
    (grid, block): (Dim3, Dim3),
    args: impl FnOnce(&mut Lab) -> Result<(Vec<Arg>, DevicePtr, usize), RunError>,
) -> Result<(Vec<Finding>, Vec<u32>), RunError> {
    let mut lab = runner.lab(runner.chip(chip, &[])?, file, text)?;
    lab.gpu.check_races(true);
    let (args, out, words) = args(&mut lab)?;
    let launch = Launch::new(lab.module, entry, grid, block).args(args).mode(Mode::Functional);
    let report = lab.run(&launch.options(runner.options()))?;
    let checks = report.checks.filter(|checks| checks.on.contains(&Check::Race));
    let checks = checks.ok_or_else(|| RunError::Wrong("the race checker did not run".to_owned()))?;
    Ok((checks.findings, lab.download(out, words)?))
}

/// Returns the pairs of lines of one severity, in the order of their lines.
pub fn of(findings: &[Finding], severity: Severity) -> Vec<&Pair> {
    let all = findings.iter().filter_map(|finding| finding.race.as_ref()).flat_map(|race| &race.pairs);
    let mut pairs: Vec<&Pair> = all.filter(|pair| pair.severity == severity).collect();
    pairs.sort_by_key(|pair| (pair.first.line, pair.second.line, pair.between));
    pairs
}

/// Text of a hazard with both lines: ``RAW: line 43 `ld…` reads what line 40 `st…` wrote``.
pub fn in_words(pair: &Pair) -> String {
    let Pair { hazard, first, second, .. } = pair;
    let past = if *hazard == HazardKind::War { "read" } else { "wrote" };
    let text = |source: &str| {
        source.split("//").next().unwrap_or("").split_whitespace().collect::<Vec<_>>().join(" ")
    };
    format!(
        "{hazard}: line {} `{}` {} what line {} `{}` {past}",
        second.line,
        text(&second.source),
        second.does,
        first.line,
        text(&first.source)
    )
}

/// Text of several hazards.
pub fn list(pairs: &[&Pair]) -> String {
    let all: Vec<String> = pairs.iter().map(|pair| in_words(pair)).collect();
    if all.is_empty() { "none".to_owned() } else { all.join("; ") }
}
