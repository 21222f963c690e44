//! Tests of a policy in the simulator with random kernels, launches and chips. Every decision of
//! every scheduler is recorded.

use own_scheduler::rules::{self, RuleResult};
use own_scheduler::{Decision, Log, MemoryFirst};
use sim_core::host::{Mode, RunOptions};
use sim_core::scheduler::SchedulingPolicy;
use warpsim_check::draw::{Draw, for_all};
use warpsim_check::generate::Case;
use warpsim_check::generate::case::case;
use warpsim_check::properties::{host_changes_nothing, timed_is_functional};
use warpsim_check::run::Prepared;

/// Cases of each property.
const CASES: u32 = 48;

/// Runs `case` with the policies of `make`. Returns the decisions of each scheduler.
pub fn record<P: SchedulingPolicy + Clone>(
    case: &Case,
    make: impl Fn(u32, u32) -> P + Send + Sync + 'static,
) -> Result<Vec<Vec<Decision>>, String> {
    let log = Log::default();
    let prepared = Prepared::under(case, log.observe(make));
    let options = RunOptions { max_cycles: 10_000_000, ..RunOptions::default() };
    let verdict = prepared.run(Mode::Timed, options).report.verdict;
    if verdict.is_finished() { Ok(log.take()) } else { Err(format!("{verdict:?}")) }
}

/// Checks `rule` for every scheduler of a run with memory-first.
fn memory_first(rule: impl Fn(&[Decision]) -> RuleResult) {
    for_all(&case(), Draw::Same, CASES, |case| {
        record(case, |_, _| MemoryFirst::new(4))?.iter().try_for_each(|decisions| rule(decisions))
    });
}

#[test]
fn memory_first_is_work_conserving_in_the_machine() {
    memory_first(rules::work_conserving);
}

#[test]
fn memory_first_starves_no_warp_in_the_machine() {
    // A chip of the generator has at most 24 warp slots.
    memory_first(|decisions| rules::no_starvation(decisions, 4 + 24));
}

/// A policy affects timing only; it changes no result.
#[test]
fn memory_first_changes_no_result() {
    for_all(&case(), Draw::Same, CASES, |case| {
        timed_is_functional(&Prepared::under(case, memory_first_scheduler()), RunOptions::default())
    });
}

/// A policy that depends only on its views gives the same report for any number of threads.
#[test]
fn memory_first_does_not_depend_on_the_host() {
    for_all(&case(), Draw::Same, 8, |case| {
        let sets = [("crossbar.latency", "80"), ("dispatch.launch_cycles", "250")];
        let case = Case { chip: case.chip.clone().with(&sets), ..case.clone() };
        host_changes_nothing(&Prepared::under(&case, memory_first_scheduler()))
    });
}

fn memory_first_scheduler() -> sim_core::scheduler::OwnScheduler {
    sim_core::scheduler::OwnScheduler::new("memory_first", |_, _| MemoryFirst::new(4))
}
