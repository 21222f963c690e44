//! A launch that is restored from a saved state ends like one that was not interrupted, and a state
//! of another launch is an error.

use kernels::{RunError, Settings};
use proptest::strategy::Strategy;
use sim_core::host::{
    Gpu, HostError, LaunchSettings, Mode, RunOptions, SaveAt, SavedState, StateError, WarmupCache,
};
use sim_core::scheduler::{OwnScheduler, SchedulingPolicy, View};
use sim_core::stats::report::Verdict;
use std::sync::{Arc, Mutex};
use warpsim_check::draw::Checked;
use warpsim_check::draw::{Draw, for_all};
use warpsim_check::generate::Case;
use warpsim_check::generate::case::case;
use warpsim_check::run::{CaseRun, Prepared};
use warpsim_tests::device::{CHIPS, chip_with};

const LONGEST: u64 = 50_000_000;

/// Place for a saved state.
#[derive(Clone, Default)]
struct Saved(Arc<Mutex<Option<SavedState>>>);

impl Saved {
    /// Makes `gpu` save launch number `launch`.
    fn on(&self, gpu: &mut Gpu, launch: u32, at: SaveAt) {
        let place = Arc::clone(&self.0);
        gpu.save_state(launch, at, Box::new(move |state| *place.lock().expect("no panic") = Some(state)));
    }

    fn take(&self) -> Option<SavedState> {
        self.0.lock().expect("no panic").take()
    }
}

/// Returns a number below `end` that `seed` and `number` determine.
fn below(seed: u32, number: u64, end: u64) -> u64 {
    let mixed = (u64::from(seed) + number).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed ^ mixed >> 31) % end.max(1)
}

fn same(run: &CaseRun, plain: &CaseRun, how: &str) -> Checked {
    if run.bytes != plain.bytes {
        let [a, b] = [plain, run].map(|run| String::from_utf8_lossy(&run.bytes).into_owned());
        return Err(format!("{how}: another report\n{a}\n{b}"));
    }
    if run.memory == plain.memory { Ok(()) } else { Err(format!("{how}: other memory")) }
}

/// Saves a case at random cycles, and continues it from each state on other host threads.
fn a_state_continues(prepared: &Prepared, missing: u32, max_cycles: u64) -> Checked {
    let seed = prepared.case().seed;
    let options = RunOptions { max_cycles, ..RunOptions::default() };
    let plain = prepared.run_short(Mode::Timed, options, missing);
    // After a trap or the end, the machine runs until all components know of it.
    let end = plain.report.timing.as_ref().map_or(0, |timing| timing.cycles) + 40;
    for number in 0..3 {
        let at = if number == 0 { below(seed, 7, 300) } else { below(seed, number, end) };
        let threads = 1 + below(seed, number + 10, 4) as usize;
        let shuffle = Some(u64::from(seed) + number);
        let other = RunOptions { threads, shuffle, ..options };
        let how = format!("cycle {at} of {end}");
        let saved = Saved::default();
        let straight =
            prepared.run_observed(Mode::Timed, other, missing, |gpu| saved.on(gpu, 1, SaveAt::Cycle(at)));
        same(&straight, &plain, &format!("saved at {how}"))?;
        let Some(state) = saved.take() else { continue };
        if state.cycle != at {
            return Err(format!("saved at cycle {} instead of {at}", state.cycle));
        }
        let again = Saved::default();
        let loaded = prepared.run_observed(Mode::Timed, options, missing, |gpu| {
            gpu.load_state(state.clone());
            again.on(gpu, 1, SaveAt::Cycle(at));
        });
        same(&loaded, &plain, &format!("loaded at {how}"))?;
        if again.take().as_ref() != Some(&state) {
            return Err(format!("{how}: a restored machine has another state"));
        }
        let later = at + below(seed, number + 20, end.saturating_sub(at));
        prepared.run_observed(Mode::Timed, other, missing, |gpu| {
            gpu.load_state(state.clone());
            again.on(gpu, 1, SaveAt::Cycle(later));
        });
        if let Some(second) = again.take() {
            let loaded = prepared.run_observed(Mode::Timed, other, missing, |gpu| gpu.load_state(second));
            same(&loaded, &plain, &format!("{how}, then {later}"))?;
        }
    }
    Ok(())
}

fn a_case_continues(case: &Case) -> Checked {
    a_state_continues(&Prepared::new(case), 0, LONGEST)
}

/// Kernels that trap, reach a limit or hang.
fn a_bad_end_is_reached(case: &Case) -> Checked {
    let prepared = Prepared::new(case);
    let missing = case.extents.out_padding() + 8 + case.seed % (case.extents.out_bytes() / 2);
    a_state_continues(&prepared, missing, LONGEST)?;
    a_state_continues(&prepared, 0, 1 + u64::from(case.seed) % 10_000)?;
    a_state_continues(&prepared.with_text(case.printed().deadlocked(case.seed)), 0, LONGEST)
}

/// Tests: `saved-states`.
#[test]
fn a_restored_launch_ends_like_a_plain_run() {
    for_all(&case(), Draw::Same, 24, a_case_continues);
}

/// The same on the built-in chips: Fermi has L1, L2 and two schedulers.
#[test]
fn a_restored_launch_on_a_built_in_chip_ends_like_a_plain_run() {
    for chip in CHIPS {
        for_all(&case().prop_map(move |case| case.on(chip)), Draw::Same, 6, a_case_continues);
    }
}

#[test]
fn a_restored_launch_traps_hangs_and_stops_like_a_plain_run() {
    for_all(&case(), Draw::Same, 8, a_bad_end_is_reached);
}

/// The same with many new cases.
#[test]
#[ignore = "takes minutes"]
fn a_restored_launch_ends_like_a_plain_run_at_length() {
    for_all(&case(), Draw::New, 2_000, a_case_continues);
    for_all(&case(), Draw::New, 500, a_bad_end_is_reached);
    for chip in CHIPS {
        for_all(&case().prop_map(move |case| case.on(chip)), Draw::New, 500, a_case_continues);
    }
}

/// Host programs of the book with several launches: each launch can be saved and restored.
#[test]
fn any_launch_of_a_host_program_is_restored() {
    for chip in ["g80", "gt200", "fermi"] {
        for (name, size) in [("matmul-tiled", 64), ("reduce-repeated", 65_536), ("histogram-shared", 4_096)] {
            let settings = Settings { size: Some(size), ..Settings::default() };
            let run = |prepare: &dyn Fn(&mut Gpu)| {
                let mut gpu = Gpu::new(chip_with(chip, &[]));
                prepare(&mut gpu);
                let outcome = kernels::run(name, &mut gpu, settings).ok()?;
                let reports: Vec<_> = outcome
                    .reports
                    .iter()
                    .map(|report| serde_json::to_string(report).expect("a report can be serialized"))
                    .collect();
                Some((
                    reports,
                    outcome.check,
                    gpu.timeline().clone(),
                    gpu.memory().clone(),
                    gpu.has_unsaved_state() || gpu.has_unloaded_state(),
                ))
            };
            if (name, chip) == ("histogram-shared", "g80") {
                // Compute capability 1.0 has no atomics.
                assert_eq!(run(&|_| {}), None);
                continue;
            }
            let plain = run(&|_| {}).expect("it runs");
            for launch in 1..=plain.0.len().min(4) as u32 {
                let saved = Saved::default();
                let straight = run(&|gpu| saved.on(gpu, launch, SaveAt::Cycle(700)));
                assert!(straight.as_ref() == Some(&plain), "{name} on {chip}, launch {launch}, saved");
                let state = saved.take().expect("each launch has more cycles");
                assert_eq!((state.launch, state.cycle), (launch, 700));
                let loaded = run(&|gpu| gpu.load_state(state.clone()));
                assert!(loaded.as_ref() == Some(&plain), "{name} on {chip}, launch {launch}, loaded");
            }
        }
    }
}

fn state_of(chip: &str, sets: &[(&str, &str)], size: u64, at: SaveAt) -> SavedState {
    let saved = Saved::default();
    let mut gpu = Gpu::new(chip_with(chip, sets));
    saved.on(&mut gpu, 1, at);
    let settings = Settings { size: Some(size), ..Settings::default() };
    kernels::run("vecadd", &mut gpu, settings).expect("it runs");
    saved.take().expect("the launch is long enough")
}

/// Loads a state into a run of a kernel; returns the error.
fn refused(state: SavedState, prepare: impl FnOnce(&mut Gpu) -> Settings, name: &str) -> StateError {
    let mut gpu = Gpu::new(chip_with("g80", &[]));
    let settings = prepare(&mut gpu);
    gpu.load_state(state);
    match kernels::run(name, &mut gpu, settings) {
        Err(RunError::Host(HostError::State(error))) => error,
        other => panic!("{:?}", other.map(|outcome| outcome.check)),
    }
}

#[derive(Clone)]
struct First;

impl SchedulingPolicy for First {
    fn pick(&mut self, view: &View) -> Option<u32> {
        view.eligible_warps().next()
    }
}

/// Tests: `saved-states`.
#[test]
fn a_state_of_another_launch_is_an_error() {
    let size = |size| Settings { size: Some(size), ..Settings::default() };
    let state = || state_of("g80", &[], 4096, SaveAt::Cycle(1000));
    assert_eq!(refused(state(), |_| size(64), "matmul-tiled"), StateError::Kernel);
    assert_eq!(refused(state(), |_| size(8192), "vecadd"), StateError::Launch);
    let other = state_of("g80", &[("sm.max_blocks", "4")], 4096, SaveAt::Cycle(1000));
    assert_eq!(refused(other, |_| size(4096), "vecadd"), StateError::Chip);
    let functional = |_: &mut Gpu| Settings {
        launches: LaunchSettings { mode: Mode::Functional, ..size(4096).launches },
        ..size(4096)
    };
    assert_eq!(refused(state(), functional, "vecadd"), StateError::NotTimed);
    let own = |gpu: &mut Gpu| {
        gpu.set_scheduler(Some(OwnScheduler::new("first", |_, _| First)));
        size(4096)
    };
    assert_eq!(refused(state(), own, "vecadd"), StateError::OwnComponent);
    let short = |_: &mut Gpu| Settings {
        launches: LaunchSettings {
            options: RunOptions { max_cycles: 1000, ..RunOptions::default() },
            ..size(4096).launches
        },
        ..size(4096)
    };
    assert_eq!(refused(state(), short, "vecadd"), StateError::Limit { cycle: 1000, limit: 1000 });
}

#[test]
fn a_state_that_ends_early_or_late_is_an_error() {
    let state = state_of("fermi", &[], 4096, SaveAt::Cycle(1000));
    let length = state.bytes.len();
    for bytes in (0..40).map(|part| part * length / 40) {
        let mut gpu = Gpu::new(chip_with("fermi", &[]));
        gpu.load_state(SavedState { bytes: state.bytes[..bytes].to_vec(), ..state.clone() });
        let settings = Settings { size: Some(4096), ..Settings::default() };
        let result = kernels::run("vecadd", &mut gpu, settings).map(|outcome| outcome.check);
        assert!(
            matches!(result, Err(RunError::Host(HostError::State(StateError::Corrupt(_))))),
            "{bytes} bytes: {result:?}"
        );
    }
    let mut long = state;
    long.bytes.push(0);
    let mut gpu = Gpu::new(chip_with("fermi", &[]));
    gpu.load_state(long);
    let result = kernels::run("vecadd", &mut gpu, Settings { size: Some(4096), ..Settings::default() });
    assert!(matches!(result, Err(RunError::Host(HostError::State(StateError::Corrupt(_))))));
}

#[test]
fn a_state_is_saved_when_blocks_have_retired() {
    let state = state_of("g80", &[], 200_000, SaveAt::Blocks(300));
    assert!(state.cycle.is_multiple_of(1024) && (300..400).contains(&state.retired), "{}", state.retired);
}

#[test]
fn a_launch_that_ends_earlier_leaves_the_state_pending() {
    let mut gpu = Gpu::new(chip_with("g80", &[]));
    let saved = Saved::default();
    saved.on(&mut gpu, 1, SaveAt::Cycle(LONGEST));
    let outcome = kernels::run("vecadd", &mut gpu, Settings { size: Some(4096), ..Settings::default() });
    assert!(matches!(outcome.expect("it runs").reports[0].verdict, Verdict::Finished));
    assert!(gpu.has_unsaved_state() && saved.take().is_none());
}

/// Memory after a launch with a warm-up is that of a plain launch, also if GPUs share the result,
/// and a state saved after it can be loaded.
///
/// Tests: `warm-up`.
#[test]
fn a_warm_up_changes_no_result() {
    let of_case = |case: &Case| {
        let prepared = Prepared::new(case);
        let options = RunOptions { max_cycles: LONGEST, ..RunOptions::default() };
        let plain = prepared.run(Mode::Timed, options);
        let blocks = u64::from(case.extents.blocks);
        let (warm, cache) = (1 + u64::from(case.seed) % blocks, WarmupCache::default());
        let saved = Saved::default();
        let mut first: Option<CaseRun> = None;
        for shared in [None, Some(cache.clone()), Some(cache)] {
            let run = prepared.run_observed(Mode::Timed, options, 0, |gpu| {
                gpu.warm_up(warm, shared);
                saved.on(gpu, 1, SaveAt::Cycle(200));
            });
            if run.memory != plain.memory {
                return Err(format!("{warm} of {blocks} blocks: other memory"));
            }
            let told = run.report.warmup.map(|warmup| warmup.blocks);
            if told != (warm < blocks).then_some(warm) {
                return Err(format!("{warm} of {blocks} blocks: {told:?}"));
            }
            let timed = run.report.instructions.warp;
            let all = timed + run.report.warmup.map_or(0, |warmup| warmup.instructions);
            if all != plain.report.instructions.warp {
                return Err(format!("{all} instructions instead of {}", plain.report.instructions.warp));
            }
            if let Some(first) = &first {
                same(&run, first, "again")?;
            }
            first = Some(run);
        }
        if let (Some(state), Some(first)) = (saved.take(), first) {
            let loaded = prepared.run_observed(Mode::Timed, options, 0, |gpu| {
                gpu.warm_up(warm, None);
                gpu.load_state(state);
            });
            same(&loaded, &first, "loaded")?;
        }
        Ok(())
    };
    for_all(&case(), Draw::Same, 24, of_case);
}
