//! The results of `--why` as text.

use super::number::fixed;
use super::short::WIDTH;
use super::table::{line, wrapped};
use crate::why::{Gain, Why};
use sim_core::stats::limits::Limiter;
use std::fmt::Write as _;

/// Returns the table of gains, and whether they confirm the limit.
pub fn render(why: &Why) -> String {
    let mut out = String::new();
    let time =
        |gain: Option<f64>| gain.map_or_else(|| "-".to_owned(), |gain| format!("{} x", fixed(gain, 2)));
    let heading =
        format!("\nwhy: the run again with each resource changed, {} us before", fixed(why.microseconds, 2));
    let _ = writeln!(out, "{heading}\n  {:<38} {:>14} {:>14}", "resource", "twice as fast", "idealized");
    let (changes, alike): (Vec<&Gain>, Vec<&Gain>) = why.gains.iter().partition(|gain| gain.changes());
    for gain in changes {
        let _ = writeln!(out, "  {:<38} {:>14} {:>14}", name(gain), time(gain.twice), time(gain.ideal));
    }
    if !alike.is_empty() {
        let names: Vec<String> = alike.into_iter().map(name).collect();
        let names = format!("less than 1 % by: {}", names.join(", "));
        for part in wrapped("  ", &names, 2, WIDTH) {
            line(&mut out, part);
        }
    }
    for set in &why.overrides {
        let text = match set.gain {
            Some(gain) if (gain - 1.0).abs() < 5e-7 => "no effect on the time of this run".to_owned(),
            Some(gain) if gain > 1.0 => format!("{} times as fast as without it", fixed(gain, 3)),
            Some(gain) => format!("{} times as slow as without it", fixed(1.0 / gain, 3)),
            None => "the run does not finish without it".to_owned(),
        };
        let _ = writeln!(out, "  {}: {text}", set.text);
    }
    for part in wrapped("", &verdict(why), 0, WIDTH) {
        line(&mut out, part);
    }
    out
}

fn name(gain: &Gain) -> String {
    match &gain.unit {
        Some(unit) => format!("{} `{unit}`", gain.resource.label()),
        None if gain.resource == Limiter::Pcie => {
            format!("{} (whole program)", gain.resource.label())
        }
        None => gain.resource.label().to_owned(),
    }
}

/// Returns whether the experiments confirm the stated limit.
fn verdict(why: &Why) -> String {
    let gain = |gain: &Gain| {
        gain.twice.map_or_else(|| "unknown".to_owned(), |gain| format!("{} times", fixed(gain, 2)))
    };
    match (why.own(), why.best_other.as_ref()) {
        (Some(own), Some(best)) if why.confirmed && best.twice > own.twice => format!(
            "Confirmed: twice as fast, {} gains {}; {} gains more ({}).",
            name(own),
            gain(own),
            name(best),
            gain(best)
        ),
        (Some(own), _) if why.confirmed => {
            format!("Confirmed: {} gains most when it is twice as fast ({}).", name(own), gain(own))
        }
        (Some(own), Some(best)) => format!(
            "Not confirmed: the report states {} ({} when it is twice as fast), but {} gains more ({}).",
            name(own),
            gain(own),
            name(best),
            gain(best)
        ),
        (None, Some(best)) => format!(
            "Not confirmed: nothing on this chip makes {} faster; {} gains most ({}).",
            why.limited_by.label(),
            name(best),
            gain(best)
        ),
        (_, None) => "Nothing on this chip can be made faster.".to_owned(),
    }
}
