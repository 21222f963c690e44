//! A debugged launch ends like a plain one after any steps, and a cycle that is reached twice has
//! the same state.

use isa::uop::{MemorySpace, OperandKind};
use kernels::Settings;
use proptest::strategy::Strategy;
use sim_core::debug::{Debugger, Halt, Session, WarpView};
use sim_core::host::{Gpu, Mode, RunOptions};
use sim_core::observe::{Event, What, Why};
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex};
use test_support::random::Numbers;
use warpsim_check::draw::Checked;
use warpsim_check::draw::{Draw, for_all};
use warpsim_check::generate::Case;
use warpsim_check::generate::case::case;
use warpsim_check::run::Prepared;
use warpsim_tests::device::{CHIPS, chip_with};

pub const LONGEST: u64 = 50_000_000;

/// A front end that makes a random walk.
struct Walker {
    seed: u64,
    moves: u32,
    /// Complaint of the debugger.
    complaint: Arc<Mutex<Option<String>>>,
}

/// The state of a paused launch as text: warps, shared memory, the start of each allocation, and
/// the views of the timing state.
pub fn state(session: &Session<'_>) -> String {
    let rows = |warp: &WarpView| -> Vec<_> {
        (0..4).map(|row| session.row(warp.sm, warp.slot, OperandKind::W, row)).collect()
    };
    let warps: Vec<_> = session.warps().into_iter().map(|warp| (rows(&warp), warp)).collect();
    let blocks = session.blocks();
    let shared: Vec<_> = blocks.iter().map(|block| (block, session.shared(block.number))).collect();
    let global = session.allocations().iter().map(|allocation| {
        let bytes = (allocation.end() - u64::from(allocation.start)).min(512) as u32;
        session.global(allocation.start, bytes)
    });
    let global: Vec<_> = global.collect();
    let views: Vec<_> = warps
        .iter()
        .map(|(_, WarpView { sm, slot, .. })| {
            let (sm, slot) = (*sm, *slot);
            let access = session.last_access(sm, slot);
            (session.scoreboard(sm, slot), session.wait(sm, slot), access, session.registers(sm, slot))
        })
        .collect();
    let sms: Vec<_> = (0..session.sms()).map(|sm| (session.queue(sm), session.timeline(sm, 40))).collect();
    let barriers: Vec<_> = blocks.iter().map(|block| session.barriers(block.number)).collect();
    format!("{warps:?}\n{shared:?}\n{global:?}\n{views:?}\n{sms:?}\n{barriers:?}")
}

/// Whether what the views say fits together.
fn views_agree(session: &Session<'_>) -> Checked {
    for WarpView { sm, slot, .. } in session.warps() {
        if let Some(access) = session.last_access(sm, slot) {
            let served = access.transactions.iter().fold(0, |lanes, one| lanes | one.lanes);
            if served & !access.lanes != 0
                || access.transactions.iter().any(|one| one.address % one.span != 0)
            {
                return Err(format!("transactions that the access does not have: {access:?}"));
            }
            if access.space == MemorySpace::Global && served != access.lanes {
                return Err(format!("lanes without a transaction: {access:?}"));
            }
        }
        let barrier = session.wait(sm, slot).and_then(|wait| wait.barrier);
        if let Some(barrier) = barrier.filter(|one| one.arrived.is_empty() || one.count > one.required) {
            return Err(format!("{barrier:?}"));
        }
    }
    Ok(())
}

impl Walker {
    fn walk(&self, session: &mut Session<'_>) -> Checked {
        let mut go_on = |_| ControlFlow::Continue(());
        let mut random = Numbers::new(self.seed);
        let mut seen: BTreeMap<u64, String> = BTreeMap::new();
        let mut visit = |session: &Session<'_>| -> Checked {
            if session.has_ended() {
                return Ok(());
            }
            views_agree(session)?;
            let now = state(session);
            match seen.insert(session.cycle(), now.clone()) {
                Some(before) if before != now => {
                    Err(format!("cycle {} differs:\n{before}\n{now}", session.cycle()))
                }
                _ => Ok(()),
            }
        };
        for _ in 0..self.moves {
            let before = session.cycle();
            let warps = session.warps();
            let focus = (!warps.is_empty()).then(|| &warps[random.below(warps.len())]);
            if session.has_ended() != session.verdict().is_some() {
                return Err("a launch has a verdict when it has ended".to_owned());
            }
            match (random.below(9), focus) {
                (0, _) => {
                    session.step_cycle();
                    visit(session)?;
                    if !session.has_ended() && before.is_multiple_of(session.issue_period()) {
                        session.step_cycle_back();
                        if session.cycle() != before {
                            return Err(format!(
                                "a step back from after {before} ends at {}",
                                session.cycle()
                            ));
                        }
                    }
                }
                (1, Some(warp)) => {
                    session.step_instruction(warp.sm, warp.slot, &mut go_on);
                }
                (2, Some(warp)) => {
                    let halt = session.step_instruction_back(warp.sm, warp.slot, &mut go_on);
                    let moved = match halt {
                        // A step forward may have begun before the issue cycle.
                        Halt::Event(ref event) => session.cycle() <= event.cycle && event.cycle < before,
                        Halt::Start => session.cycle() == 0,
                        Halt::Done | Halt::Changed | Halt::Ended | Halt::Interrupted => false,
                    };
                    if !moved {
                        return Err(format!("back from {before}: {halt:?}, at {}", session.cycle()));
                    }
                }
                (3, _) => {
                    let cycle = random.bits() % (2 * before + 1001);
                    session.go_to(cycle, &mut go_on);
                }
                (4, _) => {
                    let mut left = random.within(0..20);
                    let mut stops = |event: &sim_core::observe::Event| {
                        left -= i32::from(matches!(event.what, What::State { why: Why::Issued(_), .. }));
                        left < 0
                    };
                    session.find(&mut stops, &mut go_on);
                }
                (5, _) => {
                    session.find_back(&mut |event| matches!(event.what, What::Stack { .. }), &mut go_on);
                }
                (6, Some(warp)) => {
                    // Back to the latest instruction that this walk has passed, and forward again.
                    let (sm, slot) = (warp.sm, warp.slot);
                    if let Halt::Event(event) = session.step_instruction_back(sm, slot, &mut go_on) {
                        visit(session)?;
                        let again = session.step_instruction(sm, slot, &mut go_on);
                        // A warp can issue two instructions in one cycle.
                        let same = |again: &Event| again.cycle == event.cycle;
                        if !matches!(&again, Halt::Event(again) if same(again)) {
                            return Err(format!("{event:?} is followed by {again:?}"));
                        }
                    }
                }
                (7, Some(warp)) => {
                    let block = warp.block;
                    let words = |session: &Session<'_>| session.shared(block).map(<[u8]>::to_vec);
                    if session.find_change(words, before + 400, &mut go_on) == Halt::Changed {
                        let (after, now) = (session.cycle(), words(session));
                        session.find_change_back(words, &mut go_on);
                        if session.cycle() >= after || words(session) == now {
                            return Err(format!("the change before {after} is not found again"));
                        }
                    }
                }
                _ => {
                    session.go_to(before / 2, &mut go_on);
                }
            }
            visit(session)?;
        }
        Ok(())
    }
}

impl Debugger for Walker {
    fn debug(&mut self, session: &mut Session<'_>) {
        let complaint = self.walk(session).err();
        *self.complaint.lock().expect("no panic") = complaint;
    }
}

fn a_walk_changes_nothing(case: &Case) -> Checked {
    a_walk_on(Mode::Timed, case, 0)
}

/// A walk on a machine; the buffer of results is `missing` bytes too short, so that a kernel may
/// trap.
fn a_walk_on(mode: Mode, case: &Case, missing: u32) -> Checked {
    let prepared = Prepared::new(case);
    let options = RunOptions { max_cycles: LONGEST, ..RunOptions::default() };
    let plain = prepared.run_short(mode, options, missing);
    let complaint = Arc::new(Mutex::new(None));
    let walker = Walker { seed: case.seed.into(), moves: 24, complaint: Arc::clone(&complaint) };
    let debugged = prepared.run_observed(mode, options, missing, |gpu| {
        gpu.debug(Some(Box::new(walker)));
    });
    if let Some(complaint) = complaint.lock().expect("no panic").take() {
        return Err(complaint);
    }
    if debugged.bytes != plain.bytes {
        return Err("the report differs from that of a plain run".to_owned());
    }
    if debugged.memory != plain.memory {
        return Err("memory differs from that of a plain run".to_owned());
    }
    Ok(())
}

/// Random programs, launches and chips.
#[test]
fn any_walk_ends_like_a_plain_run() {
    for_all(&case(), Draw::Same, 48, a_walk_changes_nothing);
}

/// The same on the built-in chips: Fermi has L1, L2 and two schedulers.
#[test]
fn any_walk_on_a_built_in_chip_ends_like_a_plain_run() {
    for chip in CHIPS {
        for_all(&case().prop_map(move |case| case.on(chip)), Draw::Same, 12, a_walk_changes_nothing);
    }
}

/// The same on the functional machine.
#[test]
fn any_walk_on_the_functional_machine_ends_like_a_plain_run() {
    for_all(&case(), Draw::Same, 48, |case| a_walk_on(Mode::Functional, case, 0));
}

/// The same with kernels that may trap, on both machines.
#[test]
fn any_walk_to_a_trap_ends_like_a_plain_run() {
    for mode in [Mode::Timed, Mode::Functional] {
        for_all(&case(), Draw::Same, 12, |case| a_walk_on(mode, case, 64));
    }
}

/// The same with many new cases.
#[test]
#[ignore = "takes minutes"]
fn any_walk_ends_like_a_plain_run_at_length() {
    for_all(&case(), Draw::New, 2_000, a_walk_changes_nothing);
    for_all(&case(), Draw::New, 1_000, |case| a_walk_on(Mode::Functional, case, 0));
    for chip in CHIPS {
        for_all(&case().prop_map(move |case| case.on(chip)), Draw::New, 500, a_walk_changes_nothing);
    }
}

/// Built-in kernels on a chip of each generation.
#[test]
fn walks_through_built_in_kernels() {
    for chip in ["g80", "gt200", "fermi"] {
        for (name, size) in [("matmul-tiled", 64), ("reduce-interleaved", 4_096), ("histogram-shared", 4_096)]
        {
            let settings = Settings { size: Some(size), ..Settings::default() };
            let Ok(plain) = kernels::run(name, &mut Gpu::new(chip_with(chip, &[])), settings) else {
                continue;
            };
            let complaint = Arc::new(Mutex::new(None));
            let mut gpu = Gpu::new(chip_with(chip, &[]));
            gpu.debug(Some(Box::new(Walker { seed: 7, moves: 30, complaint: Arc::clone(&complaint) })));
            let debugged = kernels::run(name, &mut gpu, settings).expect("it runs");
            assert_eq!(*complaint.lock().expect("no panic"), None, "{name} on {chip}");
            let bytes = |report| serde_json::to_vec(report).expect("a report can be serialized");
            for (a, b) in plain.reports.iter().zip(&debugged.reports) {
                assert_eq!(bytes(a), bytes(b), "{name} on {chip}");
            }
        }
    }
}
