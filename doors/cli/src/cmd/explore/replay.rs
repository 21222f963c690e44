//! A schedule that is run again and printed action by action.

use super::facts;
use crate::exit::{Code, Failure};
use crate::launch_file::{Area, Ready};
use crate::output::print;
use crate::render::number::plural;
use crate::render::table::line;
use sim_core::host::{Action, End, Interleaved, LaneValue, Place, Touch};
use warpsim_check::explore::{BadSchedule, Schedule, Shown};

/// Most lanes whose values are shown for an action.
const MOST_LANES: usize = 4;

/// Runs a schedule and prints it with its end.
pub fn run(ready: &mut Ready<'_>, start: &Interleaved, schedule: &Schedule) -> Result<Code, Failure> {
    let (mut text, state) = replayed(ready, start, schedule)?;
    let unfinished = || (vec![UNFINISHED.to_owned()], Code::HangOrLimit);
    let (facts, code) = end(ready, &state)?.unwrap_or_else(unfinished);
    for fact in facts {
        line(&mut text, fact);
    }
    print(&text)?;
    Ok(code)
}

/// Message about a schedule after which the launch goes on.
pub const UNFINISHED: &str = "the schedule ends before the launch";

/// Returns how a launch has ended, one line for each fact; `None` if it goes on.
pub fn end(ready: &mut Ready<'_>, state: &Interleaved) -> Result<Option<(Vec<String>, Code)>, Failure> {
    Ok(Some(match state.end() {
        None | Some(End::Redundant) => return Ok(None),
        Some(End::Finished) => {
            let check = ready.check(state)?;
            let facts = std::iter::once("the launch has finished").chain(check.texts());
            let code = if check.passed == Some(false) { Code::WrongResult } else { Code::Fine };
            (facts.map(str::to_owned).collect(), code)
        }
        Some(End::Trapped(trap)) => {
            let fact = format!("trap at line {}: {}", facts::line(state, trap.pc), trap.fault.kind);
            (vec![fact], Code::WrongResult)
        }
        Some(End::Hung(waiting)) => {
            let fact = format!("hang: {} can never continue", plural(waiting.len() as u64, "warp"));
            (vec![fact], Code::WrongResult)
        }
    }))
}

/// Returns a schedule as text, action by action.
pub fn text(ready: &Ready<'_>, start: &Interleaved, schedule: &Schedule) -> Result<String, Failure> {
    Ok(format!("\n{}", replayed(ready, start, schedule)?.0))
}

fn replayed(
    ready: &Ready<'_>,
    start: &Interleaved,
    schedule: &Schedule,
) -> Result<(String, Interleaved), Failure> {
    let mut text = String::new();
    line(&mut text, "action  warp   line            effect");
    let state = schedule.replay(start, &mut |shown| line(&mut text, action(ready.areas(), shown)));
    Ok((text, state.map_err(|error| refused(&error))?))
}

fn refused(error: &BadSchedule) -> Failure {
    let help = "help: the schedule belongs to another kernel, launch file or --order";
    Failure::input(format!("error: {error}\n{help}"))
}

/// Returns the actions of a schedule with which the launch ends.
pub fn actions(start: &Interleaved, schedule: &Schedule) -> Result<Vec<Action>, Failure> {
    let mut actions = Vec::new();
    let state = schedule.replay(start, &mut |shown| actions.push(shown.action));
    let state = state.map_err(|error| refused(&error))?;
    if matches!(state.end(), None | Some(End::Redundant)) {
        let help = "help: `warpsim explore --replay` shows it";
        return Err(Failure::input(format!("error: {UNFINISHED}\n{help}")));
    }
    Ok(actions)
}

/// An action on one line.
fn action(areas: &[Area], shown: &Shown<'_>) -> String {
    let (state, done) = (shown.state, shown.done);
    let (block, warp) = facts::warp(state, shown.action.warp());
    let by = format!("{block}:{warp}");
    let line = facts::line(state, done.pc);
    let source = state.program().source.line(state.line(done.pc));
    let effect = match shown.action {
        Action::Step { .. } if done.requests > 0 => {
            let last = done.first_request + done.requests - 1;
            if done.requests == 1 {
                format!("sends request {last}")
            } else {
                format!("sends requests {} to {last}", done.first_request)
            }
        }
        Action::Step { .. } if shown.values.is_empty() => "arrives".to_owned(),
        Action::Step { .. } => values(areas, shown),
        Action::Deliver { request, .. } => format!("request {request}: {}", values(areas, shown)),
    };
    format!("{:>6}  {by:<5}  {line:<14}  {effect:<28}  {source}", shown.number).trim_end().to_owned()
}

/// The values that an action loads and stores.
fn values(areas: &[Area], shown: &Shown<'_>) -> String {
    let memory = shown.done.touches.iter().find(|touch| touch.place.is_memory());
    let Some(memory) = memory else { return String::new() };
    let mut shown_values: Vec<String> = Vec::new();
    for lane in shown.values {
        let text = value(areas, shown, memory.place, lane);
        if !shown_values.contains(&text) {
            shown_values.push(text);
        }
    }
    let more = shown_values.len().saturating_sub(MOST_LANES);
    shown_values.truncate(MOST_LANES);
    let more = if more > 0 { format!(", … {more} more") } else { String::new() };
    shown_values.join(", ") + &more
}

fn value(areas: &[Area], shown: &Shown<'_>, place: Place, lane: &LaneValue) -> String {
    let last = lane.address + (lane.bytes - 1);
    let touch = Touch { place, first: lane.address, last, writes: false, synchronizes: false };
    let name = facts::place(shown.state, areas, &touch);
    let area = areas.iter().find(|area| {
        place == Place::Global && lane.address >= area.address && lane.address - area.address < area.bytes
    });
    let number = |value: u64| match area.filter(|area| area.ty.bytes() == lane.bytes) {
        Some(area) => area.element(&value.to_le_bytes()[..lane.bytes.min(8) as usize]).to_string(),
        None => value.to_string(),
    };
    let writes = shown.done.touches.iter().any(|touch| touch.place == place && touch.writes);
    if writes {
        format!("{name}: {} → {}", number(lane.before), number(lane.after))
    } else {
        format!("{name} = {}", number(lane.before))
    }
}
