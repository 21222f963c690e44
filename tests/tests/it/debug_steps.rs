//! Steps of the debugger in both directions, last values of registers, and searches with a
//! condition.

use crate::debug::{LONGEST, state};
use kernels::Settings;
use sim_core::debug::{Debugger, Halt, Register, Session, WarpView};
use sim_core::host::{Gpu, Mode, RunOptions};
use sim_core::observe::{Event, What, Why};
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex};
use test_support::random::Numbers;
use warpsim_check::draw::Checked;
use warpsim_check::draw::{Draw, for_all};
use warpsim_check::generate::case::case;
use warpsim_check::run::Prepared;
use warpsim_tests::device::chip_with;

/// A front end that compares positions before and after steps in both directions, the values of
/// registers after steps, and searches with and without a condition.
struct Stepper {
    seed: u64,
    complaint: Arc<Mutex<Option<String>>>,
}

impl Stepper {
    fn steps(&self, session: &mut Session<'_>) -> Checked {
        let mut go_on = |_| ControlFlow::Continue(());
        let mut random = Numbers::new(self.seed);
        for _ in 0..8 {
            let warps = session.warps();
            if warps.is_empty() || session.has_ended() {
                session.go_to(random.bits() % (session.cycle() + 1), &mut go_on);
                continue;
            }
            let WarpView { sm, slot, .. } = warps[random.below(warps.len())];
            if random.below(2) == 0 {
                // A position in the middle of a wait.
                session.go_to(session.cycle() + 1 + random.bits() % 199, &mut go_on);
            }
            let (cycle, before, count) = (session.cycle(), state(session), 1 + random.bits() % 11);
            let forward = random.below(2) == 0;
            let mut done = 0;
            while done < count && !session.has_ended() {
                let halt = if forward {
                    session.step_instruction(sm, slot, &mut go_on)
                } else {
                    session.step_instruction_back(sm, slot, &mut go_on)
                };
                if !matches!(halt, Halt::Event(_)) {
                    break;
                }
                done += 1;
            }
            if done < count || session.has_ended() {
                continue;
            }
            if forward {
                session.step_instructions_back(sm, slot, count, &mut go_on);
            } else {
                (0..count).for_each(|_| _ = session.step_instruction(sm, slot, &mut go_on));
            }
            if session.cycle() != cycle || state(session) != before {
                let (to, way) = (session.cycle(), if forward { "forward" } else { "back" });
                return Err(format!(
                    "{count} steps {way} and back: from cycle {cycle} to {to}, SM {sm}, slot {slot}"
                ));
            }
        }
        Ok(())
    }
}

impl Debugger for Stepper {
    fn debug(&mut self, session: &mut Session<'_>) {
        let complaint = self.steps(session).err();
        *self.complaint.lock().expect("no panic") = complaint;
    }
}

/// Steps forward and as many steps back, or the other way round, return to the same cycle in the
/// same state, from any position.
#[test]
fn steps_in_both_directions_return_to_the_same_point() {
    for mode in [Mode::Timed, Mode::Functional] {
        for_all(&case(), Draw::Same, 32, |case| {
            let complaint = Arc::new(Mutex::new(None));
            let stepper = Stepper { seed: case.seed.into(), complaint: Arc::clone(&complaint) };
            let options = RunOptions { max_cycles: LONGEST, ..RunOptions::default() };
            Prepared::new(case).run_observed(mode, options, 0, |gpu| {
                gpu.debug(Some(Box::new(stepper)));
            });
            complaint.lock().expect("no panic").take().map_or(Ok(()), Err)
        });
    }
}

/// A front end that knows the values of the registers of a warp from single steps.
struct Rememberer(Arc<Mutex<Option<String>>>);

impl Rememberer {
    fn compare(session: &mut Session<'_>) -> Checked {
        let mut go_on = |_| ControlFlow::Continue(());
        let mut known: BTreeMap<String, [Option<u64>; 32]> = BTreeMap::new();
        for _ in 0..300 {
            let Halt::Event(event) = session.step_instruction(0, 0, &mut go_on) else { break };
            let What::State { pc, why: Why::Issued(issued), .. } = event.what else { break };
            if session.has_ended() {
                break;
            }
            for name in session.names().all().to_vec() {
                if !session.names().writes(pc, &name) {
                    continue;
                }
                // A value that its instruction overwrites has no row.
                let now = |one: &Register| (one.pc, one.cycle) == (pc, event.cycle);
                let register = session.register(0, 0, &name).filter(now);
                let row = register.and_then(|one| session.row(0, 0, one.kind, one.row));
                let lanes = known.entry(name).or_default();
                for lane in (0..32).filter(|lane| issued.guarded >> lane & 1 == 1) {
                    lanes[lane] = row.map(|row| row[lane]);
                }
            }
            if session.cycle().is_multiple_of(17) {
                for (name, lanes) in &known {
                    let found = session.last_value_now(0, 0, name);
                    // A guard may have been false in all lanes.
                    let value = |lane: usize| {
                        let found = found.as_ref()?;
                        (found.lanes >> lane & 1 == 1).then_some(found.values[lane])
                    };
                    if let Some(lane) = (0..32).find(|lane| lanes[*lane] != value(*lane)) {
                        let expected = lanes[lane];
                        return Err(format!("{name}, lane {lane}: {expected:?} was written: {found:?}"));
                    }
                }
            }
        }
        Ok(())
    }
}

impl Debugger for Rememberer {
    fn debug(&mut self, session: &mut Session<'_>) {
        let complaint = Self::compare(session).err();
        *self.0.lock().expect("no panic") = complaint;
    }
}

/// Every register has its last value in each lane, also when its row holds another register.
#[test]
fn a_register_that_is_not_live_has_its_last_value() {
    for_all(&case(), Draw::Same, 32, |case| {
        let complaint = Arc::new(Mutex::new(None));
        let rememberer = Rememberer(Arc::clone(&complaint));
        let options = RunOptions { max_cycles: LONGEST, ..RunOptions::default() };
        let prepared = Prepared::new(case);
        prepared.run_observed(Mode::Functional, options, 0, |gpu| {
            gpu.debug(Some(Box::new(rememberer)));
        });
        complaint.lock().expect("no panic").take().map_or(Ok(()), Err)
    });
}

/// A front end that searches back for a condition that never holds.
struct Searcher(Arc<Mutex<(u64, u64, u64)>>);

impl Debugger for Searcher {
    fn debug(&mut self, session: &mut Session<'_>) {
        let mut go_on = |_| ControlFlow::Continue(());
        let issues = |event: &Event| matches!(event.what, What::State { why: Why::Issued(_), .. });
        let mut all = 0;
        session.find(
            &mut |event| {
                all += u64::from(issues(event));
                false
            },
            &mut go_on,
        );
        let (mut seen, mut asked) = (0, 0);
        let mut stops = |event: &Event| {
            seen += u64::from(issues(event));
            issues(event)
        };
        let mut never = |session: &Session<'_>, event: &Event| {
            asked += 1;
            session.cycle() != event.cycle
        };
        let halt = session.find_back_where(&mut stops, Some(&mut never), &mut go_on);
        assert_eq!((halt, session.cycle()), (Halt::Start, 0));
        *self.0.lock().expect("no panic") = (all, seen, asked);
    }
}

/// A search back passes each event once, however often its condition does not hold.
#[test]
fn a_condition_that_never_holds_is_decided_in_one_pass() {
    let counts = Arc::new(Mutex::new((0, 0, 0)));
    let mut gpu = Gpu::new(chip_with("g80", &[]));
    gpu.debug(Some(Box::new(Searcher(Arc::clone(&counts)))));
    let settings = Settings { size: Some(2048), ..Settings::default() };
    kernels::run("reduce-interleaved", &mut gpu, settings).expect("it runs");
    let (all, seen, asked) = *counts.lock().expect("no panic");
    assert!(all > 1000, "{all} instructions");
    assert_eq!((seen, asked), (all, all));
}
