//! Tests of user-defined scheduling policies: a policy sees what the built-in ones see, the
//! breakdowns stay exact whether it picks a warp or waits, the host has no effect, and an invalid
//! answer ends the launch with a message.

use kernels::Settings;
use proptest::prelude::*;
use sim_core::config::Chip;
use sim_core::host::{Gpu, Mode, RunOptions};
use sim_core::scheduler::{Builtin, OwnScheduler, PATIENCE, PolicyKind, SchedulingPolicy, View};
use sim_core::stats::WarpState;
use sim_core::stats::report::{PolicyReport, Report, SchedulerReport, Verdict};
use warpsim_check::draw::Checked;
use warpsim_check::draw::{Draw, for_all};
use warpsim_check::generate::Case;
use warpsim_check::generate::case::case;
use warpsim_check::properties::{host_changes_nothing, timed_is_functional};
use warpsim_check::run::Prepared;
use warpsim_check::watch::{Recording, Sums};
use warpsim_tests::check::prepared_breakdowns_are_exact;

/// A built-in policy that is passed as a user-defined one.
#[derive(Clone)]
struct Disguised(Builtin);

impl SchedulingPolicy for Disguised {
    fn pick(&mut self, view: &View) -> Option<u32> {
        Some(self.0.pick(view))
    }
}

/// Picks the oldest warp, but only in two of three issue cycles. It has a state and is not work
/// conserving.
#[derive(Clone)]
struct Moody {
    asked: u64,
    bias: u64,
}

impl SchedulingPolicy for Moody {
    fn pick(&mut self, view: &View) -> Option<u32> {
        assert_ne!(view.eligible, 0, "called without an eligible warp");
        assert_eq!(view.eligible & !view.resident, 0, "a warp that is not resident is eligible");
        assert_eq!(view.global & !view.eligible, 0, "`global` is a subset of the eligible warps");
        self.asked += 1;
        let oldest = view.eligible_warps().min_by_key(|warp| view.age[*warp as usize]);
        oldest.filter(|_| !(view.cycle + self.asked / 7 + self.bias).is_multiple_of(3))
    }
}

fn moody() -> OwnScheduler {
    OwnScheduler::new("moody", |sm, scheduler| Moody { asked: 0, bias: u64::from(sm + scheduler) })
}

/// Chips with a long crossbar latency, so that there are idle cycles to skip.
fn far() -> impl Strategy<Value = Case> {
    (case(), 40u32..200).prop_map(|(case, latency)| {
        let launch = (2 * latency + 50).to_string();
        let sets = [("crossbar.latency", &*latency.to_string()), ("dispatch.launch_cycles", &*launch)];
        Case { chip: case.chip.with(&sets), ..case }
    })
}

/// Report without the policy's name, and memory, are those of the built-in policy.
fn a_disguise_changes_only_the_name(case: &Case) -> Checked {
    let plain = Prepared::new(case);
    let (kind, schedulers) = (plain.chip.sm.policy, plain.chip.sm.schedulers);
    let own = OwnScheduler::new("disguised", move |sm, scheduler| {
        Disguised(Builtin::new(kind, u64::from(sm * schedulers + scheduler)).expect("it is built in"))
    });
    let options = RunOptions { max_cycles: 50_000_000, ..RunOptions::default() };
    let expected = plain.run(Mode::Timed, options);
    let found = Prepared::under(case, own).run(Mode::Timed, options);
    if found.report.chip.policy != (PolicyReport::Own { name: "disguised".to_owned() }) {
        return Err(format!("the report names `{}`", found.report.chip.policy));
    }
    let name = format!("{:?}", kind.to_string());
    let text = String::from_utf8(found.bytes).expect("a report is text");
    let same = text.replacen("\"own: disguised\"", &name, 1).into_bytes() == expected.bytes;
    if same && found.memory == expected.memory { Ok(()) } else { Err(format!("{kind}: the runs differ")) }
}

/// Tests: `own-policies`.
#[test]
fn a_user_policy_sees_what_the_built_in_ones_see() {
    for_all(&case(), Draw::Same, 96, a_disguise_changes_only_the_name);
}

#[test]
fn a_policy_that_leaves_slots_empty_changes_no_result() {
    for_all(&case(), Draw::Same, 64, |case| {
        timed_is_functional(&Prepared::under(case, moody()), RunOptions::default())
    });
}

/// Tests: `own-policies`.
#[test]
fn the_breakdowns_are_exact_with_empty_slots() {
    for_all(&case(), Draw::Same, 64, |case| prepared_breakdowns_are_exact(&Prepared::under(case, moody())));
}

/// The sums of the events that an observer receives are those of the report, including empty slots.
#[test]
fn the_events_agree_with_the_breakdowns_under_a_user_policy() {
    for_all(&case(), Draw::Same, 32, |case| {
        let prepared = Prepared::under(case, moody());
        let mut recording = None;
        let watch = |gpu: &mut Gpu| recording = Some(Recording::of(gpu, 0..u64::MAX));
        let report = prepared.run_observed(Mode::Timed, RunOptions::default(), 0, watch).report;
        let recording = recording.expect("the run was prepared");
        let seen = recording.seen();
        let sums = Sums::of(&seen.events, prepared.chip.sm.issue_period.into(), seen.cycles);
        let counted = report.timing.expect("a timed run").warps.states;
        let observed = sums.warps;
        if observed == counted { Ok(()) } else { Err(format!("observed {observed:?}, counted {counted:?}")) }
    });
}

/// Tests: `the-host-changes-nothing`.
#[test]
fn the_host_changes_nothing_under_a_user_policy() {
    for_all(&far(), Draw::Same, 12, |case| host_changes_nothing(&Prepared::under(case, moody())));
}

/// Runs a built-in kernel with the policy `own` on the G80.
fn vecadd(own: Option<OwnScheduler>, size: u64) -> Report {
    let mut gpu = Gpu::new(Chip::builtin("g80").expect("the G80 is built in"));
    gpu.set_scheduler(own);
    let settings = Settings { size: Some(size), ..Settings::default() };
    kernels::run("vecadd", &mut gpu, settings).expect("it runs").reports.remove(0)
}

#[test]
fn an_empty_slot_is_counted_as_not_selected() {
    let empty = |report: &Report| {
        let slots = &report.timing.as_ref().expect("a timed run").slots;
        slots.outcomes.empty[WarpState::NotSelected]
    };
    assert_eq!(empty(&vecadd(None, 4_096)), 0, "the chip's policy is work conserving");
    assert!(empty(&vecadd(Some(moody()), 4_096)) > 100, "a third of the calls returns `None`");
}

/// Picks the oldest warp, but from issue cycle 150 on SM 5 it gives another answer.
#[derive(Clone)]
struct Invalid {
    sm: u32,
    answer: Option<u32>,
}

impl SchedulingPolicy for Invalid {
    fn pick(&mut self, view: &View) -> Option<u32> {
        if self.sm == 5 && view.cycle >= 150 {
            return self.answer;
        }
        view.eligible_warps().min_by_key(|warp| view.age[*warp as usize])
    }
}

fn invalid(answer: Option<u32>) -> SchedulerReport {
    let own = OwnScheduler::new("invalid", move |sm, _| Invalid { sm, answer });
    let report = vecadd(Some(own), 16_384);
    assert_eq!(report.chip.policy, PolicyReport::Own { name: "invalid".to_owned() });
    match report.verdict {
        Verdict::Scheduler { fault } => fault,
        verdict => panic!("{verdict:?}"),
    }
}

/// Tests: `own-policies`.
#[test]
fn an_invalid_pick_ends_the_launch_with_a_message() {
    for answer in [23, 24, 63, 64, u32::MAX] {
        let fault = invalid(Some(answer));
        let place = (fault.policy.as_str(), fault.sm, fault.scheduler, fault.picked);
        assert_eq!(place, ("invalid", 5, 0, Some(answer)));
        assert!(fault.issue_cycle >= 150 && fault.cycle == 4 * fault.issue_cycle, "{fault:?}");
        assert!(!fault.eligible.is_empty() && !fault.eligible.contains(&answer), "{fault:?}");
        assert!(fault.message.contains(&format!("`invalid` picked warp slot {answer} on SM 5")), "{fault:?}");
    }
}

/// Tests: `own-policies`.
#[test]
fn a_policy_that_never_picks_does_not_hang_the_simulator() {
    let fault = invalid(None);
    assert_eq!((fault.sm, fault.picked), (5, None));
    assert!(fault.issue_cycle >= 149 + u64::from(PATIENCE), "{fault:?}");
    assert!(fault.message.contains("pick an eligible warp eventually"), "{}", fault.message);
}

#[test]
fn the_chips_policy_can_be_restored() {
    let mut gpu = Gpu::new(Chip::builtin("g80").expect("the G80 is built in"));
    gpu.set_scheduler(Some(moody()));
    gpu.set_scheduler(None);
    let settings = Settings { size: Some(256), ..Settings::default() };
    let report = kernels::run("vecadd", &mut gpu, settings).expect("it runs").reports.remove(0);
    assert_eq!(report.chip.policy, PolicyReport::Chip(PolicyKind::LooseRoundRobin));
}
