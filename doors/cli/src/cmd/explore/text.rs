//! The answer of a search as text.

use super::answer::Answer;
use super::facts;
use crate::render::number::{count, plural};
use crate::render::table::line;
use sim_core::host::End;
use std::fmt::Write;
use warpsim_check::explore::Race;

/// Most data races that are listed.
const MOST_RACES: usize = 20;

/// Returns the text.
pub fn render(answer: &Answer<'_>) -> String {
    let mut out = String::new();
    let (start, found) = (answer.start, &answer.found);
    let program = start.program();
    let blocks = u64::from(start.warps() / start.warps_per_block().max(1));
    let warps = plural(start.warps_per_block().into(), "warp");
    let name = isa::mangled::plain(&program.name);
    line(&mut out, format!("kernel {name}: {} of {warps} each", plural(blocks, "block")));
    line(&mut out, answer.coverage());
    if found.redundant > 0 {
        let left = plural(found.redundant, "schedule");
        line(&mut out, format!("{left} left before the end, because another one has the same outcome"));
    }
    line(&mut out, format!("longest schedule: {}", plural(found.longest.into(), "action")));
    out.push('\n');
    outcomes(&mut out, answer);
    conditions(&mut out, answer);
    races(&mut out, answer);
    out
}

fn outcomes(out: &mut String, answer: &Answer<'_>) {
    let number = answer.found.outcomes.len() as u64;
    line(out, plural(number, "outcome"));
    line(out, "  #   schedules  preemptions  late requests  outcome");
    for (index, outcome) in answer.found.outcomes.iter().enumerate() {
        let what = match (&outcome.end, answer.checks[index].passed) {
            (End::Trapped(_), _) => "trap",
            (End::Hung(_), _) => "hang",
            (End::Finished | End::Redundant, Some(true)) => "as expected",
            (End::Finished | End::Redundant, Some(false)) => "wrong",
            (End::Finished | End::Redundant, None) => "finished",
        };
        let (schedules, schedule) = (count(outcome.schedules), &outcome.schedule);
        let (preemptions, late) = (schedule.preemptions, schedule.late);
        line(out, format!("  {:<3} {schedules:>9}  {preemptions:>11}  {late:>13}  {what}", index + 1));
    }
    out.push('\n');
    for (index, outcome) in answer.found.outcomes.iter().enumerate() {
        let failed = answer.checks[index].lines.iter().filter(|fact| fact.passed == Some(false));
        let facts = failed.map(|fact| fact.text.clone()).chain(facts::end(answer, &outcome.end));
        for fact in facts {
            line(out, format!("outcome {}: {fact}", index + 1));
        }
        let values: Vec<String> = answer
            .elements
            .iter()
            .filter(|element| !element.values[index].is_empty())
            .map(|element| format!("{} = {}", element.name, element.values[index]))
            .collect();
        if !values.is_empty() {
            line(out, format!("outcome {}: {}", index + 1, values.join(", ")));
        }
        let schedule = outcome.schedule.to_string();
        line(out, format!("outcome {}: schedule {}", index + 1, shortened(&schedule)));
    }
    if answer.differing > answer.elements.len() {
        line(out, format!("{} differ; the first are shown", plural(answer.differing as u64, "element")));
    }
}

/// The conditions, each with the outcomes for which it holds.
fn conditions(out: &mut String, answer: &Answer<'_>) {
    let all = answer.found.outcomes.len() as u64;
    if !answer.conditions.is_empty() {
        out.push('\n');
    }
    for condition in &answer.conditions {
        let verb = if condition.holds { "holds" } else { "does not hold" };
        let numbers: Vec<String> = condition.outcomes.iter().map(|number| (number + 1).to_string()).collect();
        let numbers = if numbers.is_empty() { String::new() } else { format!(": {}", numbers.join(", ")) };
        let of = condition.outcomes.len();
        let text = format!(
            "condition `{}` {verb}: true in {of} of {}{numbers}",
            condition.text,
            plural(all, "outcome")
        );
        line(out, text);
    }
}

/// A schedule for one line.
fn shortened(schedule: &str) -> String {
    const MOST: usize = 60;
    if schedule.len() <= MOST {
        return schedule.to_owned();
    }
    let cut = schedule[..MOST].rfind(' ').unwrap_or(MOST);
    format!("{} … ({} words)", &schedule[..cut], schedule.split(' ').count())
}

fn races(out: &mut String, answer: &Answer<'_>) {
    let races = &answer.found.races;
    out.push('\n');
    line(out, plural(races.len() as u64, "data race"));
    for race in races.iter().take(MOST_RACES) {
        line(out, format!("  {}", described(answer, race)));
    }
    if races.len() > MOST_RACES {
        line(out, format!("  … and {} more", races.len() - MOST_RACES));
    }
}

/// A data race on one line.
fn described(answer: &Answer<'_>, race: &Race) -> String {
    let mut text = facts::place(answer.start, &answer.areas, &race.first.touch);
    for (side, separator) in [(race.first, ": "), (race.second, ", ")] {
        let (block, warp) = facts::warp(answer.start, side.warp);
        let line = facts::line(answer.start, side.pc);
        let verb = facts::verb(&side);
        let _ = write!(text, "{separator}line {line} {verb} ({block}:{warp})");
    }
    text
}
