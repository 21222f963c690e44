//! The answer of a search as a JSON document.

use super::answer::{Answer, Tested};
use super::facts;
use serde::Serialize;
use sim_core::host::End;
use std::collections::BTreeMap;
use warpsim_check::explore::{Race, Side};

/// Version of the document.
const SCHEMA: u32 = 1;

/// JSON document of a search.
#[derive(Serialize)]
pub struct Document {
    schema: u32,
    kernel: String,
    blocks: u32,
    warps_per_block: u32,
    exhaustive: bool,
    coverage: String,
    schedules: u64,
    redundant: u64,
    too_long: u64,
    cut_by_preemptions: u64,
    outcomes: Vec<OutcomePart>,
    conditions: Vec<ConditionPart>,
    races: Vec<RacePart>,
}

#[derive(Serialize)]
struct OutcomePart {
    end: &'static str,
    passed: Option<bool>,
    facts: Vec<String>,
    values: BTreeMap<String, String>,
    schedules: u64,
    preemptions: u32,
    late_requests: u32,
    schedule: String,
}

#[derive(Serialize)]
struct ConditionPart {
    condition: String,
    holds: bool,
    outcomes: Vec<usize>,
}

#[derive(Serialize)]
struct RacePart {
    place: String,
    first: SidePart,
    second: SidePart,
    times: u64,
}

#[derive(Serialize)]
struct SidePart {
    line: String,
    block: u32,
    warp: u32,
    writes: bool,
    synchronizes: bool,
}

/// Returns the document.
pub fn of(answer: &Answer<'_>) -> Document {
    let found = &answer.found;
    let per_block = answer.start.warps_per_block();
    Document {
        schema: SCHEMA,
        kernel: isa::mangled::plain(&answer.start.program().name).to_owned(),
        blocks: answer.start.warps() / per_block.max(1),
        warps_per_block: per_block,
        exhaustive: found.is_exhaustive(),
        coverage: answer.coverage(),
        schedules: found.schedules,
        redundant: found.redundant,
        too_long: found.too_long,
        cut_by_preemptions: found.cut_by_preemptions,
        outcomes: (0..found.outcomes.len()).map(|index| outcome(answer, index)).collect(),
        conditions: answer.conditions.iter().map(condition).collect(),
        races: found.races.iter().map(|one| race(answer, one)).collect(),
    }
}

fn outcome(answer: &Answer<'_>, index: usize) -> OutcomePart {
    let (outcome, check) = (&answer.found.outcomes[index], &answer.checks[index]);
    let end = match outcome.end {
        End::Finished | End::Redundant => "finished",
        End::Trapped(_) => "trapped",
        End::Hung(_) => "hung",
    };
    let values = answer.elements.iter().filter(|element| !element.values[index].is_empty());
    OutcomePart {
        end,
        passed: check.passed,
        facts: check.texts().map(str::to_owned).chain(facts::end(answer, &outcome.end)).collect(),
        values: values.map(|element| (element.name.clone(), element.values[index].clone())).collect(),
        schedules: outcome.schedules,
        preemptions: outcome.schedule.preemptions,
        late_requests: outcome.schedule.late,
        schedule: outcome.schedule.to_string(),
    }
}

/// A condition; outcomes have the numbers of the text.
fn condition(tested: &Tested) -> ConditionPart {
    let outcomes = tested.outcomes.iter().map(|number| number + 1).collect();
    ConditionPart { condition: tested.text.clone(), holds: tested.holds, outcomes }
}

fn race(answer: &Answer<'_>, race: &Race) -> RacePart {
    let side = |side: &Side| {
        let (block, warp) = facts::warp(answer.start, side.warp);
        let (writes, synchronizes) = (side.touch.writes, side.touch.synchronizes);
        SidePart { line: facts::line(answer.start, side.pc), block, warp, writes, synchronizes }
    };
    let place = facts::place(answer.start, &answer.areas, &race.first.touch);
    RacePart { place, first: side(&race.first), second: side(&race.second), times: race.times }
}
