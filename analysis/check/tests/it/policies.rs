//! Ten faulty scheduling policies, each with a rule that its author would state: every one has a
//! counterexample of at most 20 instructions. Most faults show only when slots are reused, or when
//! warps become eligible in an order that a first test does not have.

use sim_core::scheduler::{OwnScheduler, SchedulingPolicy, View};
use warpsim_check::draw::Draw;
use warpsim_check::generate::case::crowded;
use warpsim_check::rule::{Property, property};
use warpsim_check::{hold, search};

/// Cases that are searched.
const CASES: u32 = 1_000;

/// State of the faulty policies.
#[derive(Clone, Default)]
struct State {
    last: Option<u32>,
    passed: [u32; 32],
    asked: u64,
}

/// A policy by its choice.
#[derive(Clone)]
struct Faulty {
    state: State,
    choose: Choice,
}

impl SchedulingPolicy for Faulty {
    fn pick(&mut self, view: &View) -> Option<u32> {
        self.state.asked += 1;
        let picked = (self.choose)(&mut self.state, view);
        self.state.last = picked.or(self.state.last);
        picked
    }
}

fn oldest(view: &View) -> Option<u32> {
    view.eligible_warps().min_by_key(|slot| view.age[*slot as usize])
}

fn youngest(view: &View) -> Option<u32> {
    view.eligible_warps().max_by_key(|slot| view.age[*slot as usize])
}

fn next(state: &State, view: &View) -> Option<u32> {
    let after = view.eligible_warps().find(|slot| state.last.is_none_or(|last| *slot > last));
    after.or_else(|| view.eligible_warps().next())
}

/// Function that picks a warp.
type Choice = fn(&mut State, &View) -> Option<u32>;

/// The policies: name, choice, rule.
fn all() -> [(&'static str, Choice, Property); 10] {
    [
        // Slots do not tell the age once they are reused.
        ("oldest-by-slot", |_, view| view.eligible_warps().next(), property::age_order()),
        // The same for a greedy policy.
        (
            "greedy-by-slot",
            |state, view| {
                let greedy = state.last.filter(|slot| view.is_eligible(*slot));
                greedy.or_else(|| view.eligible_warps().next())
            },
            property::greedy_until_stall(),
        ),
        // The youngest one is not the oldest one.
        ("youngest", |_, view| youngest(view), property::age_order()),
        // Lets the scheduler rest after each long run.
        (
            "rests",
            |state, view| if state.asked.is_multiple_of(23) { None } else { oldest(view) },
            property::work_conserving(),
        ),
        // Waits for a partner.
        (
            "waits-for-two",
            |_, view| {
                if view.eligible.is_power_of_two() && view.cycle % 2 == 1 { None } else { oldest(view) }
            },
            property::zero_overhead_switch(),
        ),
        // Round robin that begins again at slot 0 whenever its last warp cannot issue.
        (
            "begins-again",
            |state, view| {
                state.last =
                    state.last.filter(|slot| view.resident >> slot & 1 == 1 && view.is_eligible(*slot));
                next(state, view)
            },
            property::fairness(),
        ),
        // Round robin that never passes slot 3.
        (
            "stops-at-3",
            |state, view| {
                let low = View { eligible: view.eligible & 0b111, ..*view };
                if low.eligible == 0 { next(state, view) } else { next(state, &low) }
            },
            property::no_starvation(),
        ),
        // Counts how often a slot was passed over, and forgets that the warp has changed.
        (
            "counts-slots",
            |state, view| {
                for slot in view.eligible_warps() {
                    state.passed[slot as usize] += 1;
                }
                let picked = view.eligible_warps().min_by_key(|slot| state.passed[*slot as usize])?;
                state.passed[picked as usize] = 0;
                Some(picked)
            },
            property::starvation_bound(3),
        ),
        // Prefers memory for ever.
        (
            "memory-first",
            |_, view| {
                let memory = View { eligible: view.eligible & view.global, ..*view };
                oldest(&memory).or_else(|| youngest(view))
            },
            property::starvation_bound(8),
        ),
        // Two turns each: not fair by the letter of the rule.
        (
            "two-turns",
            |state, view| {
                let again = state.last.filter(|slot| state.asked % 2 == 0 && view.is_eligible(*slot));
                again.or_else(|| next(state, view))
            },
            property::fairness(),
        ),
    ]
}

#[test]
fn ten_faulty_policies_have_small_counterexamples() {
    let mut sizes = Vec::new();
    for (name, choose, rule) in all() {
        let found = search(&crowded(), Draw::Same, CASES, |example| {
            let own = OwnScheduler::new("faulty", move |_, _| Faulty { state: State::default(), choose });
            example.under(own).keeps(&rule)
        });
        let found = found.unwrap_or_else(|| panic!("{name} is not noticed"));
        println!("{name}: case {}, {} instructions", found.case, found.example.instructions());
        sizes.push(found.example.instructions());
    }
    assert!(sizes.iter().all(|size| *size <= 20), "{sizes:?}");
}

/// A policy with the same rules that keeps them passes the same cases.
#[test]
fn a_correct_policy_passes() {
    let own = || {
        OwnScheduler::new("faulty", |_, _| Faulty { state: State::default(), choose: |_, view| oldest(view) })
    };
    for rule in [property::age_order(), property::work_conserving(), property::zero_overhead_switch()] {
        hold(&crowded(), 64, concat!(env!("CARGO_TARGET_TMPDIR"), "/policies"), |example| {
            example.under(own()).keeps(&rule)
        });
    }
}
