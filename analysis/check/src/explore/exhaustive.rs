//! The search over all inequivalent schedules: source sets and sleep sets.
//!
//! Whenever two actions of a schedule conflict and nothing else orders them, the schedule in which
//! the later one comes first is searched, too. An action *sleeps* where all schedules that begin
//! with it have been searched, until an action that conflicts with it.
//!
//! Invariant `explores-all`: The search over all schedules finds every outcome that a search
//! without reduction finds.

use super::found::Found;
use super::trace::{Trace, conflict};
use sim_core::host::{Action, End, Interleaved, Touch};

/// An action of which all schedules have been searched.
#[derive(Clone)]
struct Slept {
    action: Action,
    touches: Vec<Touch>,
}

/// A place of the search, before an action.
struct Node {
    state: Interleaved,
    /// Actions that must be searched here.
    wanted: Vec<Action>,
    /// Actions that need not be searched here.
    slept: Vec<Slept>,
    /// Actions that a limit has excluded.
    cut: Vec<Action>,
    /// Warp of the last step.
    warp: Option<u32>,
    preemptions: u32,
}

impl Node {
    /// The next action to search.
    fn next(&self) -> Option<Action> {
        let open = |action: &&Action| !self.sleeps(**action) && !self.cut.contains(*action);
        self.wanted.iter().find(open).copied()
    }

    fn sleeps(&self, action: Action) -> bool {
        self.slept.iter().any(|slept| slept.action == action)
    }

    /// Number of preemptions after an action.
    fn preemptions_after(&self, action: Action) -> u32 {
        let preempts = |warp: u32| {
            action.is_step() && action.warp() != warp && self.state.is_possible(Action::Step { warp }, false)
        };
        self.preemptions + u32::from(self.warp.is_some_and(preempts))
    }
}

/// The action of a plain schedule: requests take effect at once, and a warp runs until it waits.
pub(super) fn plain(
    state: &Interleaved,
    warp: Option<u32>,
    mut allowed: impl FnMut(Action) -> bool,
) -> Option<Action> {
    let actions: Vec<Action> = state.actions().filter(|action| allowed(*action)).collect();
    let delivery = actions.iter().find(|action| !action.is_step());
    let same = actions.iter().find(|action| Some(action.warp()) == warp);
    delivery.or(same).or(actions.first()).copied()
}

/// Searches.
pub(super) fn run(start: &Interleaved, found: &mut Found<'_>) {
    let mut trace = Trace::new(start.warps_per_block());
    let Some(first) = plain(start, None, |_| true) else {
        found.ended(start, start.end(), &trace);
        found.is_complete = true;
        return;
    };
    let (state, slept, cut) = (start.clone(), Vec::new(), Vec::new());
    let mut nodes = vec![Node { state, wanted: vec![first], slept, cut, warp: None, preemptions: 0 }];
    while let Some(node) = nodes.last_mut() {
        let Some(action) = node.next() else {
            nodes.pop();
            trace.pop();
            continue;
        };
        let preemptions = node.preemptions_after(action);
        if found.limits.preemptions.is_some_and(|most| preemptions > most) {
            node.cut.push(action);
            found.cut_by_preemptions += 1;
            continue;
        }
        if !found.goes_on() {
            return;
        }
        let mut state = node.state.clone();
        let done = state.perform(action);
        let touches = done.touches.clone();
        let commutes =
            |slept: &&Slept| slept.action != action && conflict(&slept.touches, &touches).is_none();
        let slept: Vec<Slept> = node.slept.iter().filter(commutes).cloned().collect();
        let warp = if action.is_step() { Some(action.warp()) } else { node.warp };
        node.slept.push(Slept { action, touches: touches.clone() });
        let conflicts = trace.push(action, done);
        for one in &conflicts {
            found.conflict(&trace, one);
            let initials = trace.initials(one.first);
            let earlier = &mut nodes[one.first];
            if initials.iter().any(|action| earlier.wanted.contains(action) || earlier.sleeps(*action)) {
                continue;
            }
            let own = initials.iter().find(|initial| **initial == action);
            earlier.wanted.extend(own.or(initials.first()));
        }
        let mut child = Node { state, wanted: Vec::new(), slept, cut: Vec::new(), warp, preemptions };
        let end = child.state.end();
        if end.is_some() {
            found.ended(&child.state, end, &trace);
        } else if trace.events().len() as u32 >= found.limits.actions {
            found.ended(&child.state, None, &trace);
        } else if let Some(next) = plain(&child.state, warp, |action| !child.sleeps(action)) {
            child.wanted.push(next);
            nodes.push(child);
            continue;
        } else {
            found.ended(&child.state, Some(End::Redundant), &trace);
        }
        trace.pop();
    }
    found.is_complete = true;
}
