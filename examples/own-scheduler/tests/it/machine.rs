//! Tests of a policy in the simulator with random kernels, launches and chips.

use own_scheduler::MemoryFirst;
use sim_core::host::RunOptions;
use sim_core::scheduler::OwnScheduler;
use warpsim_check::draw::{Draw, for_all};
use warpsim_check::generate::Case;
use warpsim_check::generate::case::{case, crowded};
use warpsim_check::hold;
use warpsim_check::properties::host_changes_nothing;
use warpsim_check::relation::timing_changes_no_result;
use warpsim_check::rule::property;
use warpsim_check::run::Prepared;

/// Cases of each property.
const CASES: u32 = 48;

/// Folder of a counterexample, if there is one.
const FOLDER: &str = concat!(env!("CARGO_TARGET_TMPDIR"), "/memory_first");

fn memory_first() -> OwnScheduler {
    OwnScheduler::new("memory_first", |_, _| MemoryFirst::new(4))
}

#[test]
fn memory_first_is_work_conserving() {
    let rule = property::work_conserving();
    hold(&crowded(), CASES, FOLDER, |example| example.under(memory_first()).keeps(&rule));
}

/// A warp that was passed over four times takes precedence over all that were passed over less
/// often, and a chip of the generator has at most 24 warp slots.
#[test]
fn memory_first_starves_no_warp() {
    let rule = property::starvation_bound(4 + 24);
    hold(&crowded(), CASES, FOLDER, |example| example.under(memory_first()).keeps(&rule));
}

/// A policy affects timing only; it changes no result.
#[test]
fn memory_first_changes_no_result() {
    hold(&case(), CASES, FOLDER, |example| {
        timing_changes_no_result(&example.under(memory_first()), RunOptions::default())
    });
}

/// A policy that depends only on its views gives the same report for any number of threads.
#[test]
fn memory_first_does_not_depend_on_the_host() {
    for_all(&case(), Draw::Same, 8, |case| {
        let sets = [("crossbar.latency", "80"), ("dispatch.launch_cycles", "250")];
        let case = Case { chip: case.chip.clone().with(&sets), ..case.clone() };
        host_changes_nothing(&Prepared::under(&case, memory_first()))
    });
}
