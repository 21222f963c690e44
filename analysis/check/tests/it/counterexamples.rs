//! Every defect that can be switched on in the simulator, and faulty policies of users, give a
//! counterexample of at most 20 instructions whose folder replays it byte for byte.

use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;
use sim_core::hooks::{Hooks, Mutant};
use sim_core::host::RunOptions;
use std::panic::{AssertUnwindSafe, catch_unwind};
use warpsim_check::draw::Draw;
use warpsim_check::example::folder::{self, Replay};
use warpsim_check::example::reduce::reduce;
use warpsim_check::example::{Example, Failure};
use warpsim_check::generate::case::{case, crowded};
use warpsim_check::generate::chip::one_port;
use warpsim_check::rule::{Property, property};
use warpsim_check::run::Prepared;
use warpsim_check::search;

/// Largest number of cases that are searched for a violation.
const CASES: u32 = 2_000;

/// Most instructions of a counterexample.
const MOST: usize = 20;

/// Tests a property; a panic of the simulator counts as another failure.
fn test(example: &Example, options: RunOptions, property: &Property) -> Result<Vec<u64>, Failure> {
    let tested = catch_unwind(AssertUnwindSafe(|| example.test(options, vec![property.clone()])));
    tested.unwrap_or_else(|_| Err(Failure::Invalid("a panic".to_owned())))
}

/// Finds a violation of `property`, makes it small, writes its folder and replays it. Returns the
/// number of instructions.
fn counterexample(name: &str, mutant: Mutant, policy: Option<&str>, property: &Property) -> usize {
    let options =
        RunOptions { hooks: Hooks { mutant: Some(mutant), ..Hooks::default() }, ..RunOptions::default() };
    let fails = |example: &Example| {
        test(example, options, property).is_err_and(|failure| failure.property() == Some(property.name))
    };
    let mut runner = TestRunner::deterministic();
    let found = (0..CASES).find_map(|_| {
        let mut case = case().new_tree(&mut runner).expect("the generator rejects nothing").current();
        if let Some(policy) = policy {
            case.chip = case.chip.with(&[("sm.scheduler", policy)]);
        }
        case.chip = one_port(case.chip);
        let example = Example::of(&Prepared::new(&case));
        fails(&example).then_some(example)
    });
    let example = reduce(found.unwrap_or_else(|| panic!("{name} is not noticed")), fails);
    let Err(Failure::Broken(violation)) = test(&example, options, property) else {
        panic!("{name}: the small example fails");
    };
    let unbroken = test(&example, RunOptions::default(), property);
    assert!(unbroken.is_ok(), "{name}, the simulator without the mutant: {unbroken:?}\n{example:?}");
    let dir = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("counterexamples").join(name);
    let _ = std::fs::remove_dir_all(&dir);
    folder::write(&dir, &example, &violation).expect("the folder is written");
    let replay = Replay::read(&dir).unwrap_or_else(|e| panic!("{e}"));
    let Err(Failure::Broken(again)) = replay.test(options, vec![property.clone()]) else {
        panic!("{name}: the folder replays the violation");
    };
    let files = folder::files(&Example { chip: example.chip.clone(), ..replay.example }, &again);
    assert!(files == folder::files(&example, &violation), "{name}: the folder replays byte for byte");
    println!("{name}: {} instructions\n{example:?}", example.instructions());
    example.instructions()
}

#[test]
fn every_mutant_has_a_small_counterexample_that_replays() {
    let all = [
        ("neglects", Mutant::NeglectsAWarp, Some("lrr"), property::no_starvation()),
        ("unfair", Mutant::NeglectsAWarp, Some("lrr"), property::fairness()),
        ("young", Mutant::NeglectsAWarp, Some("oldest"), property::age_order()),
        ("greedy", Mutant::NeglectsAWarp, Some("gto"), property::greedy_until_stall()),
        ("idles", Mutant::SchedulerIdles, None, property::work_conserving()),
        ("switch", Mutant::SchedulerIdles, None, property::zero_overhead_switch()),
        ("wakes-late", Mutant::WakesLate, None, property::wakes_in_time()),
        ("barrier-early", Mutant::BarrierReleasesEarly, None, property::barrier_release()),
        ("barrier-late", Mutant::BarrierReleasesLate, None, property::barrier_release()),
        ("lanes", Mutant::LanesNeverMeet, None, property::reconvergence()),
        ("blocks", Mutant::BlocksOutOfOrder, None, property::block_order()),
        ("overcommits", Mutant::DispatcherOvercommits, None, property::never_overcommitted()),
        ("freed-twice", Mutant::SlotsFreedTwice, None, property::slots_freed_once()),
    ];
    let mut sizes: Vec<usize> = all
        .iter()
        .map(|(name, mutant, policy, property)| counterexample(name, *mutant, *policy, property))
        .collect();
    sizes.sort_unstable();
    assert!(sizes.iter().all(|size| *size <= MOST), "{sizes:?}");
    assert!(sizes[sizes.len() / 2] < 10, "{sizes:?}");
}

/// A test may change the chip of the case: the folder has what it was broken with.
#[test]
fn the_folder_has_the_settings_of_the_test() {
    let rule = property::starvation_bound(1);
    let test = |example: &Example| example.with(&[("sm.scheduler", "oldest")]).keeps(&rule);
    let found = search(&crowded(), Draw::Same, 64, test).expect("the oldest warp is served first");
    let files = folder::files(&found.example, &found.violation);
    let (_, chip) = files.iter().find(|(name, _)| name == "chip.ron").expect("a chip file");
    let chip = String::from_utf8_lossy(chip);
    assert!(chip.contains("scheduler: oldest,"), "{chip}");
}
