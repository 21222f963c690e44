//! Schedules that are drawn at random.

use super::exhaustive::plain;
use super::found::Found;
use super::trace::Trace;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use sim_core::host::{Action, Interleaved};
use std::collections::BTreeMap;

/// Runs one schedule; `choose` returns one of the possible actions. Returns its number of actions.
fn one(start: &Interleaved, found: &mut Found<'_>, mut choose: impl FnMut(&[Action]) -> Action) -> u32 {
    let mut state = start.clone();
    state.wake_spinning();
    let mut trace = Trace::new(start.warps_per_block());
    loop {
        let actions: Vec<Action> = state.actions().collect();
        let length = trace.events().len() as u32;
        if actions.is_empty() || length >= found.limits.actions {
            found.ended(&state, state.end(), &trace);
            return length;
        }
        let action = choose(&actions);
        let done = state.perform(action);
        for conflict in trace.push(action, done) {
            found.conflict(&trace, &conflict);
        }
    }
}

/// Draws each action uniformly.
pub(super) fn uniform(start: &Interleaved, seed: u64, found: &mut Found<'_>) {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    while found.goes_on() {
        one(start, found, |actions| actions[random.random_range(0..actions.len())]);
    }
}

/// Draws priorities and change points.
pub(super) fn pct(start: &Interleaved, seed: u64, depth: u32, found: &mut Found<'_>) {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let length = length(start, found.limits.actions).max(1);
    while found.goes_on() {
        // A warp has a priority, and so has each request. The lowest are the numbers of changes.
        let mut priorities: BTreeMap<Action, u64> = BTreeMap::new();
        let changes: Vec<u32> = (1..depth).map(|_| random.random_range(0..length)).collect();
        let mut place = 0;
        one(start, found, |actions| {
            for action in actions {
                priorities.entry(*action).or_insert_with(|| random.random_range(u64::from(depth)..u64::MAX));
            }
            let highest = |priorities: &BTreeMap<Action, u64>| {
                actions.iter().copied().max_by_key(|action| priorities[action]).unwrap_or(actions[0])
            };
            for (lowest, _) in (0..).zip(&changes).filter(|(_, change)| **change == place) {
                priorities.insert(highest(&priorities), lowest);
            }
            place += 1;
            highest(&priorities)
        });
    }
}

/// Number of actions of a plain schedule.
fn length(start: &Interleaved, most: u32) -> u32 {
    let mut state = start.clone();
    state.wake_spinning();
    let mut warp = None;
    while let Some(action) = plain(&state, warp, |_| true)
        && state.events() < most
    {
        state.perform(action);
        warp = if action.is_step() { Some(action.warp()) } else { warp };
    }
    state.events()
}
