//! The memory accesses of the first warp of a launch.

use super::super::runs::no_launch;
use crate::exit::Failure;
use crate::watch::interrupt;
use crate::workload::Prepared;
use kernels::Settings;
use report::words::Words;
use sim_core::config::Chip;
use sim_core::debug::{AccessView, Debugger, Session};
use sim_core::host::Gpu;
use sim_core::observe::{What, Why};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

/// Instructions of the first warp after which the search for accesses ends: enough for two turns of
/// most loops.
const STEPS: usize = 4000;

/// An access.
#[derive(Clone, Debug)]
pub struct Found {
    /// Source line.
    pub line: u32,
    /// PTX text.
    pub text: String,
    /// The access.
    pub access: AccessView,
}

/// What is known of the launch, by source line.
type Kept = Arc<Mutex<Option<Vec<Found>>>>;

/// Steps a launch and ends it.
struct Search {
    launch: u32,
    kept: Kept,
}

impl Debugger for Search {
    fn debug(&mut self, session: &mut Session<'_>) {
        if session.launch() == self.launch {
            let found = search(session);
            *self.kept.lock().unwrap_or_else(PoisonError::into_inner) = Some(found);
            session.kill();
        }
    }
}

/// Returns one access of each memory instruction that the first warp executes: its second access,
/// if it has one, because the first iteration of a loop is often special.
fn search(session: &mut Session<'_>) -> Vec<Found> {
    let words = Words::of(session.program(), session.chip());
    let period = session.issue_period();
    // Cycle of issue by source line: of the first access, then of the second.
    let mut cycles: BTreeMap<u32, (u64, u32)> = BTreeMap::new();
    for (line, cycle) in issues(session, &words) {
        let known = cycles.entry(line).or_insert((cycle, 0));
        if known.1 < 2 {
            *known = (cycle, known.1 + 1);
        }
    }
    let mut in_order: Vec<(u32, u64)> = cycles.into_iter().map(|(line, (cycle, _))| (line, cycle)).collect();
    in_order.sort_by_key(|(_, cycle)| *cycle);
    let mut found: Vec<Found> = Vec::new();
    for (line, cycle) in in_order {
        session.go_to(cycle + period, &mut |_| interrupt::flow());
        let Some(access) = session.last_access(0, 0).filter(|access| access.cycle == cycle) else { continue };
        found.push(Found { line, text: words.text(access.pc).to_owned(), access });
    }
    found.sort_by_key(|found| found.line);
    found
}

/// Returns source lines and cycles at which the first warp issues memory instructions with an
/// active lane.
fn issues(session: &mut Session<'_>, words: &Words) -> Vec<(u32, u64)> {
    let program = session.program().clone();
    let (mut steps, mut all) = (0, Vec::new());
    session.find(
        &mut |event| match &event.what {
            What::State { warp: 0, pc, why: Why::Issued(issued), .. }
                if event.sm == 0 && issued.origin.cycle == event.cycle =>
            {
                if program.code[*pc as usize].op.memory().is_some() && issued.guarded != 0 {
                    all.push((words.line(*pc), event.cycle));
                }
                steps += 1;
                steps > STEPS
            }
            What::BlockRetired { warps, .. } => event.sm == 0 && warps & 1 == 1,
            What::State { .. }
            | What::BlockStarted { .. }
            | What::Stack { .. }
            | What::LoadCompleted { .. }
            | What::Written { .. } => false,
        },
        &mut |_| interrupt::flow(),
    );
    all
}

/// Returns the accesses of the first warp of launch number `launch`, from 1, on a chip.
///
/// # Errors
///
/// The launch is refused, there is no such launch, or Ctrl-C stopped the search.
pub fn accesses(
    prepared: &Prepared<'_>,
    chip: &Chip,
    settings: Settings,
    launch: u32,
) -> Result<Vec<Found>, Failure> {
    let kept: Kept = Arc::default();
    let mut gpu = Gpu::new(chip.clone());
    gpu.debug(Some(Box::new(Search { launch, kept: Arc::clone(&kept) })));
    interrupt::catch();
    let outcome = prepared.run(&mut gpu, settings, None);
    if interrupt::asked() {
        return Err(Failure { code: interrupt::code(), message: "error: interrupted".to_owned() });
    }
    let found = kept.lock().unwrap_or_else(PoisonError::into_inner).take();
    match found {
        Some(found) => Ok(found),
        None => Err(no_launch(launch as usize, outcome?.reports.len())),
    }
}
