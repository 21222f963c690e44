//! The rules of `docs/extending/rules.md`, which hold for every kernel, chip and launch.

use super::formula::{Number, count, gathered, is, spread};
use super::moment::{Moment, Subject};
use super::setup::Fact;
use super::statement::{Rule, never, when};
use super::words::{
    at_a_barrier, block_retires, block_starts, eligible, eligible_warps, free, issues, kept_at_a_barrier,
    late, leaves_a_barrier, leaves_in_time, other_eligible, other_selected, overslept, passed_over,
    previous_eligible, selected, selects_oldest, switches,
};
use sim_core::config::Chip;

/// A rule with a name, a sentence and the chips for which it is stated.
#[derive(Clone)]
pub struct Property {
    /// Short name.
    pub name: &'static str,
    /// The rule in one sentence.
    pub sentence: &'static str,
    /// Subject of the property.
    pub subject: Subject,
    /// Rule that every subject must keep.
    pub rule: Rule,
    /// Scheduling policy for which it is stated; `None`: for every built-in one.
    pub policy: Option<&'static str>,
    /// Whether it is stated only for schedulers with one dispatch port that no instruction of
    /// another scheduler blocks.
    pub one_port: bool,
}

impl Property {
    /// A property of every chip.
    pub fn new(name: &'static str, sentence: &'static str, subject: Subject, rule: Rule) -> Self {
        Self { name, sentence, subject, rule, policy: None, one_port: false }
    }

    /// The property, stated for one scheduling policy.
    #[must_use]
    pub fn under(self, policy: &'static str) -> Self {
        Self { policy: Some(policy), ..self }
    }

    /// The property, stated for schedulers with one dispatch port.
    #[must_use]
    pub fn of_one_port(self) -> Self {
        Self { one_port: true, ..self }
    }

    /// Whether it is stated for `chip`.
    pub fn applies(&self, chip: &Chip) -> bool {
        let one_port =
            chip.sm.second_port.ports() == 1 && chip.sm.units.iter().all(|unit| !unit.blocks_others);
        (one_port || !self.one_port) && self.policy.is_none_or(|policy| chip.sm.policy.to_string() == policy)
    }
}

/// A scheduler that is free issues if a warp can.
pub fn work_conserving() -> Property {
    Property::new(
        "work conserving",
        "A scheduler whose issue slot is free issues if one of its warps is eligible.",
        Subject::Scheduler,
        when(free() & eligible_warps(1)).always(issues()),
    )
    .of_one_port()
}

/// Switching warps costs nothing.
pub fn zero_overhead_switch() -> Property {
    Property::new(
        "zero-overhead switch",
        "When the slots of an instruction end, another warp that is then eligible issues in the next issue cycle.",
        Subject::Scheduler,
        when(switches()).never(late()),
    )
    .of_one_port()
}

/// The slots of the scheduler's eligible warps.
fn eligible_slots(m: &Moment<'_>) -> u64 {
    m.eligible()
}

/// Round robin starves no warp.
pub fn no_starvation() -> Property {
    let times = count(passed_over()).since(issues() & !passed_over());
    let warps = gathered(eligible_slots).since(issues() & !passed_over());
    Property::new(
        "no starvation",
        "A warp that is eligible in every decision issues at least once in n decisions, where n is the number of \
         warps that were eligible in any of them.",
        Subject::Warp,
        when(passed_over()).always(times.below(warps)),
    )
    .of_one_port()
}

/// Round robin is fair.
pub fn fairness() -> Property {
    let both = || issues() & eligible() & other_eligible();
    let lead = spread(both() & selected(), both() & other_selected()).since(issues() & !both());
    Property::new(
        "fairness",
        "In any interval, the numbers of issues of two warps that are eligible in every decision of the interval \
         differ by at most 1.",
        Subject::Pair,
        when(both()).always(lead.at_most(1)),
    )
    .of_one_port()
}

/// Oldest first.
pub fn age_order() -> Property {
    Property::new(
        "age order",
        "No eligible warp is older than the warp that issues.",
        Subject::Scheduler,
        when(issues() & eligible_warps(2)).always(selects_oldest()),
    )
    .of_one_port()
}

/// Greedy, then oldest.
pub fn greedy_until_stall() -> Property {
    Property::new(
        "greedy until stall",
        "The warp that issued last issues again if it is eligible; otherwise the oldest eligible warp issues.",
        Subject::Scheduler,
        when(issues() & previous_eligible())
            .never(switches())
            .and(when(issues() & !previous_eligible()).always(selects_oldest())),
    )
    .of_one_port()
}

/// No warp passes over another for longer than `decisions`.
pub fn starvation_bound(decisions: u64) -> Property {
    let times = count(passed_over()).since(issues() & !passed_over());
    Property::new(
        "starvation bound",
        "A warp that is eligible in every decision is passed over at most so many times in a row.",
        Subject::Warp,
        when(passed_over()).always(times.at_most(decisions)),
    )
    .of_one_port()
}

/// Waits end when they must.
pub fn wakes_in_time() -> Property {
    Property::new(
        "wake",
        "A warp that waits until time t has another state in the first issue cycle from t on.",
        Subject::Warp,
        never(overslept()),
    )
}

/// Barriers release all warps together.
pub fn barrier_release() -> Property {
    Property::new(
        "barrier release",
        "No warp leaves a barrier before the last live warp of its block has arrived. All leave in the first issue \
         cycle that begins at least `barrier_cycles` after that arrival, later than the arrival, and not within the \
         slots of their own `bar.sync`.",
        Subject::Warp,
        when(leaves_a_barrier())
            .always(leaves_in_time())
            .and(when(at_a_barrier()).never(kept_at_a_barrier())),
    )
}

/// A warp leaves each of its barriers.
pub fn barrier_liveness() -> Property {
    Property::new(
        "barrier liveness",
        "A warp that has arrived at a barrier leaves it before it ends.",
        Subject::Warp,
        when(at_a_barrier()).eventually(!at_a_barrier()),
    )
}

/// Lanes of a branch run together too early, or alone for too long.
fn broken(m: &Moment<'_>) -> bool {
    m.sm.facts.has(Fact::MetEarly) || m.sm.facts.has(Fact::RanAlone)
}

/// Lanes meet where those that stay join.
pub fn reconvergence() -> Property {
    Property::new(
        "reconvergence",
        "Lanes that diverge at a branch run together again from the first instruction that all that stay reach, and not \
         before.",
        Subject::Sm,
        when(is(|m| m.sm.facts.has(Fact::Met) || broken(m))).never(is(broken)),
    )
}

/// Blocks start in order.
pub fn block_order() -> Property {
    Property::new(
        "block order",
        "Every block starts once, in the order of the block numbers, at the dispatcher's rate; the first blocks go \
         to different clusters.",
        Subject::Grid,
        when(block_starts())
            .never(is(|m| m.grid.out_of_order || m.grid.too_fast || m.grid.misplaced))
            .and(when(block_starts()).eventually(all_retired()))
            .and(never(is(|m| m.event.is_none() && m.grid.started < m.grid.blocks))),
    )
}

/// As many blocks have retired as have started.
fn all_retired() -> super::formula::Formula {
    Number::of(|m| m.grid.started).below(Number::of(|m| m.grid.retired + 1))
}

/// No SM holds more than it has room for.
pub fn never_overcommitted() -> Property {
    Property::new(
        "resources",
        "In no cycle do the blocks of an SM occupy more than it has, and no two warps share a warp slot.",
        Subject::Sm,
        when(block_starts())
            .never(is(|m| m.sm.facts.has(Fact::Overcommitted) || m.sm.facts.has(Fact::SharedSlots))),
    )
}

/// A block frees its slots once, at its end.
pub fn slots_freed_once() -> Property {
    let stray = is(|m| {
        m.sm.facts.has(Fact::IssuesAfterExit)
            || m.sm.facts.has(Fact::NamesNoWarp)
            || m.sm.facts.has(Fact::StrayReply)
    });
    Property::new(
        "slots freed once",
        "A block releases its slots exactly once, when all its warps have exited and all its loads are complete. No \
         event names a slot without a block.",
        Subject::Sm,
        when(block_retires())
            .never(is(|m| m.sm.facts.has(Fact::FreesOthers) || m.sm.facts.has(Fact::FreesEarly)))
            .and(when(block_starts()).eventually(is(|m| m.sm.blocks.is_empty())))
            .and(never(stray)),
    )
}

/// All of them: those of every policy, then those of `lrr`, `oldest` and `gto`.
pub fn all() -> Vec<Property> {
    vec![
        work_conserving(),
        zero_overhead_switch(),
        wakes_in_time(),
        barrier_release(),
        barrier_liveness(),
        reconvergence(),
        block_order(),
        never_overcommitted(),
        slots_freed_once(),
        no_starvation().under("lrr"),
        fairness().under("lrr"),
        age_order().under("oldest"),
        greedy_until_stall().under("gto"),
    ]
}
