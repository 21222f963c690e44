//! Fairness of the built-in policies and of users' policies: the table of
//! `docs/extending/rules.md`, runs that are replayed, and a random search that finds no worse run.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use sim_core::scheduler::{Builtin, PolicyKind, SchedulingPolicy, View};
use std::fmt::Write;
use test_support::workspace::root;
use warpsim_check::fairness::{Bounds, Environment, Error, Exact, Fairness, Model, Uses, fairness};

const ENVIRONMENTS: [Environment; 3] =
    [Environment::AllEligible, Environment::Adversary, Environment::InfinitelyOften];

/// Numbers of warps of the table.
const WARPS: std::ops::RangeInclusive<u32> = 2..=6;

/// A row of the table: its title, the policy for a number of warps, and fixed parts of the views.
struct PolicyRow {
    title: &'static str,
    policy: fn(u32) -> PolicyKind,
    fixed: Uses,
}

const fn row(title: &'static str, policy: fn(u32) -> PolicyKind) -> PolicyRow {
    PolicyRow { title, policy, fixed: Uses::NOTHING }
}

const ROWS: [PolicyRow; 8] = [
    row("`lrr`", |_| PolicyKind::LooseRoundRobin),
    row("`oldest`", |_| PolicyKind::OldestFirst),
    row("`gto`", |_| PolicyKind::GreedyThenOldest),
    row("`two_level`, `active` at least n", |n| PolicyKind::TwoLevel { active: n }),
    row("`two_level`, `active` from 1 to n − 1", |n| PolicyKind::TwoLevel { active: n - 1 }),
    row("`priority`", |_| PolicyKind::Priority),
    PolicyRow {
        title: "`priority`, all instructions of one type",
        policy: |_| PolicyKind::Priority,
        fixed: Uses { rank: true, ..Uses::NOTHING },
    },
    row("`random`", |_| PolicyKind::Random { seed: 1 }),
];

fn builtin(kind: PolicyKind) -> Builtin {
    Builtin::new(kind, 0).expect("a built-in policy")
}

impl PolicyRow {
    fn fairness(&self, warps: u32, environment: Environment) -> Fairness {
        let bounds = Bounds { fixed: self.fixed, ..Bounds::new(warps).with(environment) };
        fairness(&builtin((self.policy)(warps)), &bounds).expect("the machine is small")
    }
}

/// Returns the bounds for each number of warps as text: a formula, if there is one.
fn formula(bounds: &[Option<u32>]) -> String {
    let with_warps: Vec<(u32, Option<u32>)> = WARPS.zip(bounds.iter().copied()).collect();
    let word = |bound: Option<u32>| bound.map_or_else(|| "starves".to_owned(), |bound| bound.to_string());
    if with_warps.iter().all(|(n, bound)| *bound == Some(n - 1)) {
        return "n − 1".to_owned();
    }
    let groups: Vec<&[(u32, Option<u32>)]> = with_warps.chunk_by(|a, b| a.1 == b.1).collect();
    if let [all] = groups[..] {
        return word(all[0].1);
    }
    let group = |group: &&[(u32, Option<u32>)]| match group {
        [(n, bound)] => format!("{} (n = {n})", word(*bound)),
        [(n, bound), .., (last, _)] => format!("{} (n = {n} to {last})", word(*bound)),
        [] => unreachable!("a group has an element"),
    };
    groups.iter().map(group).collect::<Vec<_>>().join(", ")
}

/// The table of the page is computed again.
///
/// Tests: `fairness-is-exact`.
#[test]
fn the_page_has_the_fairness_of_the_built_in_policies() {
    let mut table = String::from(
        "\n| policy | all warps always eligible | the warp is always eligible | the warp is eligible \
         infinitely often |\n|---|---|---|---|\n",
    );
    for row in ROWS {
        let cells = ENVIRONMENTS.map(|environment| {
            formula(&WARPS.map(|n| row.fairness(n, environment).bound()).collect::<Vec<_>>())
        });
        writeln!(table, "| {} | {} |", row.title, cells.join(" | ")).expect("a string grows");
    }
    table.push('\n');
    let path = root().join("docs/extending/rules.md");
    let page = std::fs::read_to_string(&path).expect("the page is readable");
    let (before, rest) =
        page.split_once("test `the_page_has_the_fairness_of_the_built_in_policies` -->\n").expect("a place");
    let end = rest.find("<!-- end of table fairness -->").expect("the table has an end");
    if std::env::var_os("BLESS").is_some() && rest[..end] != table {
        let marker = "test `the_page_has_the_fairness_of_the_built_in_policies` -->\n";
        std::fs::write(&path, format!("{before}{marker}{table}{}", &rest[end..])).expect("it is writable");
        return;
    }
    assert_eq!(&rest[..end], table, "BLESS=1 writes the table");
}

/// Every size of the active set that is too small starves a warp; every other size has the bound of
/// the table.
#[test]
fn two_level_is_fair_exactly_if_its_active_set_holds_all_warps() {
    for warps in WARPS {
        for active in 1..=warps + 1 {
            let found =
                fairness(&builtin(PolicyKind::TwoLevel { active }), &Bounds::new(warps)).expect("small");
            let expected = if active < warps { None } else { Some(warps - 1) };
            assert_eq!(found.bound(), expected, "{active} of {warps}: {found}");
        }
    }
}

/// Orders of age other than the order of slots give the same bounds, and so do views in which all
/// parts vary, also the ones that a policy declares as unused.
#[test]
fn neither_ages_nor_unused_parts_of_views_change_a_bound() {
    #[derive(Clone, PartialEq, Eq, Hash)]
    struct Everything(Builtin);
    impl Model for Everything {
        fn name(&self) -> String {
            self.0.name()
        }
        fn answers(&self, view: &View) -> Vec<(Self, Option<u32>)> {
            self.0.answers(view).into_iter().map(|(next, picked)| (Self(next), picked)).collect()
        }
    }
    for row in ROWS {
        let policy = builtin((row.policy)(3));
        for environment in ENVIRONMENTS {
            let bound = row.fairness(3, environment).bound();
            for ages in [[0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
                let bounds =
                    Bounds { ages: ages.to_vec(), fixed: row.fixed, ..Bounds::new(3).with(environment) };
                assert_eq!(fairness(&policy, &bounds).expect("small").bound(), bound, "{}", row.title);
            }
            let bounds = Bounds { fixed: row.fixed, ..Bounds::new(3).with(environment) };
            let all = fairness(&Everything(policy.clone()), &bounds).expect("small");
            assert_eq!(all.bound(), bound, "{}", row.title);
        }
    }
}

/// Tests: `fairness-is-exact`.
#[test]
fn every_run_can_be_replayed_with_the_numbers_of_a_machine() {
    let (mut lassos, mut bounded) = (0, 0);
    for row in ROWS {
        for (warps, environment) in (2..=5).flat_map(|n| ENVIRONMENTS.map(|environment| (n, environment))) {
            let policy = builtin((row.policy)(warps));
            match row.fairness(warps, environment) {
                Fairness::Starves(lasso) => {
                    lassos += 1;
                    lasso.replay(&policy, 100).expect("the cycle repeats");
                    let cycle = &lasso.run.steps[lasso.prefix..];
                    let eligible = |at: usize| cycle[at].warps[lasso.warp as usize].is_eligible();
                    assert!(cycle.iter().all(|step| step.picked != Some(lasso.warp)), "{lasso}");
                    let some = (0..cycle.len()).any(eligible);
                    let all = (0..cycle.len()).all(eligible);
                    assert!(if environment == Environment::InfinitelyOften { some } else { all }, "{lasso}");
                }
                Fairness::Bounded(bound) => {
                    bounded += 1;
                    bound.replay(&policy).expect("the run is one of the policy");
                    let steps = bound.run.steps.iter().rev();
                    let passed = steps.take_while(|step| step.picked != Some(bound.warp));
                    let counted = passed.filter(|step| step.warps[bound.warp as usize].is_eligible());
                    assert_eq!(counted.count(), bound.decisions as usize, "{bound}");
                }
            }
        }
    }
    assert!(lassos > 20 && bounded > 20, "{lassos} cycles and {bounded} bounds");
}

/// A replay of a policy that would decide otherwise fails.
#[test]
fn a_run_of_another_policy_is_not_replayed() {
    let found = fairness(&builtin(PolicyKind::OldestFirst), &Bounds::new(2)).expect("small");
    let Fairness::Starves(lasso) = found else { panic!("{found}") };
    let error = lasso.replay(&builtin(PolicyKind::LooseRoundRobin), 2).expect_err("it is fair");
    assert_eq!(error, "decision 1 is not an answer of oldest: warp 0 eligible, warp 1 eligible, selected 0");
}

/// Largest number of times in a row that a warp is passed over in a random run.
fn random_worst(row: &PolicyRow, warps: u32, environment: Environment, decisions: u64) -> u32 {
    let mut rng = ChaCha8Rng::seed_from_u64(u64::from(warps));
    let mut policy = builtin((row.policy)(warps));
    let n = warps as usize;
    let (age, block): (Vec<u64>, Vec<u64>) = ((0..u64::from(warps)).collect(), vec![0; n]);
    let (mut last_issue, mut passed, mut worst) = (vec![0; n], vec![0u32; n], 0);
    for cycle in 0..decisions {
        let (mut eligible, mut long_wait) = (0u64, !0 << warps);
        for slot in 0..warps {
            match rng.next_u32() % 8 {
                0 if environment != Environment::AllEligible => long_wait |= 1 << slot,
                1 if environment != Environment::AllEligible => {}
                _ => eligible |= 1 << slot,
            }
        }
        if eligible == 0 {
            continue;
        }
        let rank: Vec<u8> =
            (0..warps).map(|_| if row.fixed.rank { 0 } else { (rng.next_u32() % 3) as u8 }).collect();
        let view = View {
            cycle,
            eligible,
            resident: (1 << warps) - 1,
            long_wait,
            global: 0,
            age: &age,
            last_issue: &last_issue,
            rank: &rank,
            block: &block,
        };
        let picked = policy.pick(&view) as usize;
        last_issue[picked] = cycle + 1;
        for (slot, passed) in passed.iter_mut().enumerate() {
            if slot == picked {
                *passed = 0;
            } else if eligible >> slot & 1 == 1 {
                *passed += 1;
                worst = worst.max(*passed);
            } else if environment != Environment::InfinitelyOften {
                *passed = 0;
            }
        }
    }
    worst
}

/// Tests: `fairness-is-exact`.
#[test]
fn a_random_search_reaches_each_bound_and_never_exceeds_it() {
    let mut reached = 0;
    for row in ROWS {
        for (warps, environment) in WARPS.flat_map(|n| ENVIRONMENTS.map(|environment| (n, environment))) {
            if let Some(bound) = row.fairness(warps, environment).bound() {
                reached += 1;
                let worst = random_worst(&row, warps, environment, 30_000);
                assert_eq!(worst, bound, "{} with {warps} warps, {environment:?}", row.title);
            }
        }
    }
    assert!(reached >= 30, "{reached} bounds");
}

/// A policy that picks the lowest slot, but not more than `patience` times in a row.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Patient {
    patience: u32,
    last: Option<u32>,
    times: u32,
}

impl SchedulingPolicy for Patient {
    fn pick(&mut self, view: &View) -> Option<u32> {
        let tired = self.last.filter(|_| self.times >= self.patience);
        let picked = view
            .eligible_warps()
            .find(|slot| Some(*slot) != tired)
            .or_else(|| view.eligible_warps().next())?;
        self.times = if self.last == Some(picked) { self.times.min(self.patience) + 1 } else { 1 };
        self.last = Some(picked);
        Some(picked)
    }
}

/// With two warps the lower one has its patience; with three warps the two lower ones alternate.
#[test]
fn a_users_policy_has_a_bound_that_depends_on_its_parameter() {
    for patience in 1..=5 {
        let policy = Exact(Patient { patience, last: None, times: 0 });
        let two = fairness(&policy, &Bounds::new(2)).expect("small");
        // A warp that has just become eligible may wait for a whole turn of the other warp.
        assert_eq!(two.bound(), Some(patience), "{two}");
        assert_eq!(fairness(&policy, &Bounds::new(3)).expect("small").bound(), None);
    }
}

/// A policy that leaves its slot empty passes over its warps.
#[test]
fn a_policy_that_picks_nothing_starves_its_only_warp() {
    #[derive(Clone, PartialEq, Eq, Hash)]
    struct Never;
    impl SchedulingPolicy for Never {
        fn pick(&mut self, _: &View) -> Option<u32> {
            None
        }
    }
    let found = fairness(&Exact(Never), &Bounds::new(1)).expect("small");
    let Fairness::Starves(lasso) = &found else { panic!("{found}") };
    assert_eq!((lasso.warp, lasso.prefix, lasso.run.steps.len()), (0, 0, 1));
    assert!(found.to_string().ends_with("repeat  eligible  none\n"), "{found}");
}

/// Errors: a state that grows forever, a pick that is not eligible, and wrong numbers.
#[test]
fn a_model_that_has_no_answer_is_an_error() {
    #[derive(Clone, PartialEq, Eq, Hash)]
    struct Counts(u64, u32);
    impl SchedulingPolicy for Counts {
        fn pick(&mut self, view: &View) -> Option<u32> {
            self.0 += 1;
            view.eligible_warps().next().map(|slot| slot + self.1)
        }
    }
    let small = Bounds { most_decisions: 10_000, ..Bounds::new(2) };
    let grows = fairness(&Exact(Counts(0, 0)), &small).expect_err("it counts forever");
    assert!(matches!(grows, Error::TooLarge { most: 10_000, states: 100.. }), "{grows}");
    assert!(grows.to_string().contains("keep its counters bounded"), "{grows}");
    let many = fairness(&builtin(PolicyKind::TwoLevel { active: 2 }), &Bounds::new(40)).expect_err("3^40");
    assert!(matches!(many, Error::TooLarge { .. }), "{many}");
    let wrong = fairness(&Exact(Counts(0, 1)), &small).expect_err("the other slot");
    assert!(wrong.to_string().starts_with("`Counts` picked a warp that is not eligible: warp 0"), "{wrong}");
    let policy = builtin(PolicyKind::OldestFirst);
    for bounds in [
        Bounds::new(0),
        Bounds::new(64),
        Bounds { ages: vec![1, 1], ..Bounds::new(2) },
        Bounds { blocks: vec![0], ..Bounds::new(2) },
        Bounds { watched: Some(2), ..Bounds::new(2) },
    ] {
        assert!(matches!(fairness(&policy, &bounds), Err(Error::Bounds(_))), "{bounds:?}");
    }
}

/// The oldest warp is the only one that `oldest` never passes over.
#[test]
fn oldest_is_fair_to_the_oldest_warp_alone() {
    for warps in WARPS {
        for slot in 0..warps {
            let bounds = Bounds { watched: Some(slot), ..Bounds::new(warps) };
            let found = fairness(&builtin(PolicyKind::OldestFirst), &bounds).expect("small");
            assert_eq!(found.bound(), (slot == 0).then_some(0), "{found}");
        }
    }
}
