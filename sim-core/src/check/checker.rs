//! The checker of one launch: passes what happens to the selected checkers.

use super::finding::{Check, Checks, Finding};
use super::init::Initcheck;
use super::memory::Memcheck;
use super::race;
use super::sync::Synccheck;
use super::written::Written;
use crate::exec::Kernel;
use crate::exec::allocations::Allocation;
use crate::gpu::functional::{Ending, Executed};
use crate::racecheck::{Follower, Found, Racecheck, Screen};

/// What a launch has from the host.
#[derive(Debug, Default)]
pub struct Launched {
    /// Arguments that are device pointers: offset in the parameter block, and address.
    pub pointers: Vec<(u32, u32)>,
    /// Ranges that the host has freed and that no later allocation uses; used by [`Check::Memory`].
    pub freed: Vec<Allocation>,
    /// Bytes of global memory that were written before; used by [`Check::Init`].
    pub written: Written,
}

/// Results of the checkers of one launch.
#[derive(Debug)]
pub struct Checkup {
    /// Findings, errors first, then by checker, kind and line.
    pub findings: Vec<Finding>,
    /// Result of the race checker; `None` without [`Check::Race`].
    pub races: Option<Found>,
    /// Bytes of global memory that were written so far.
    pub written: Written,
}

/// The checkers of one launch.
#[derive(Debug)]
pub struct Checker<'k> {
    kernel: &'k Kernel,
    checks: Checks,
    /// Number of the running block.
    block: Option<u64>,
    races: Option<Box<(Follower, Screen)>>,
    memory: Option<Box<Memcheck>>,
    sync: Option<Box<Synccheck>>,
    init: Option<Box<Initcheck>>,
    /// Kept for the next launch if [`Check::Init`] is off.
    written: Written,
}

impl<'k> Checker<'k> {
    /// The checkers `checks` of a launch of `kernel`.
    pub fn new(checks: Checks, kernel: &'k Kernel, launched: Launched) -> Self {
        let with_races = checks.has(Check::Race) || checks.has(Check::Sync);
        let races = with_races.then(Box::default);
        let Launched { pointers, freed, mut written } = launched;
        let memory = checks.has(Check::Memory).then(|| Box::new(Memcheck::new(kernel, &pointers, freed)));
        let sync = checks.has(Check::Sync).then(|| Box::new(Synccheck::new(kernel)));
        let init =
            checks.has(Check::Init).then(|| Box::new(Initcheck::new(kernel, std::mem::take(&mut written))));
        Self { kernel, checks, block: None, races, memory, sync, init, written }
    }

    /// Follows an executed instruction.
    pub fn executed(&mut self, executed: &Executed) {
        if self.block != Some(executed.warp.block) {
            self.block = Some(executed.warp.block);
            self.begin_block(executed.warp.block);
        }
        if let Some(memory) = &mut self.memory {
            memory.executed(executed);
        }
        if let Some(init) = &mut self.init {
            init.executed(executed);
        }
        let sync = &mut self.sync;
        if let Some(races) = &mut self.races {
            let (follower, screen) = &mut **races;
            if let Some(access) = follower.warp_access(executed) {
                let watched = sync.as_ref().map(|sync| sync.watches());
                if watched.is_some() || !screen.unordered() {
                    let ordered = screen.access(&access, watched.unwrap_or_default());
                    if let Some(sync) = sync {
                        sync.accessed(ordered);
                    }
                }
            }
        }
        if let Some(sync) = &mut self.sync {
            sync.executed(executed);
        }
    }

    fn begin_block(&mut self, block: u64) {
        if let Some(memory) = &mut self.memory {
            memory.begin_block();
        }
        if let Some(init) = &mut self.init {
            init.begin_block(block);
        }
        if let Some(sync) = &mut self.sync {
            sync.begin_block(block);
        }
    }

    /// Whether the launch has accesses without an order, so that [`Self::end`] needs the hazards.
    pub fn needs_hazards(&self) -> bool {
        self.races.as_ref().is_some_and(|races| races.1.unordered())
    }

    /// Ends the launch and returns the results. `hazards` are those of [`RaceRecorder`] in a
    /// repetition of the launch; without one there are none.
    pub fn end(mut self, ending: &Ending, hazards: Found) -> Checkup {
        if let Ending::Trapped(trap) = ending {
            let (at, grid) = (trap.block, self.kernel.grid);
            let number = |at: u32, of: u32, rest: u64| u64::from(at) + u64::from(of) * rest;
            let block = number(at.x, grid.x, number(at.y, grid.y, at.z.into()));
            // The first instruction of a block can trap.
            if self.block != Some(block) {
                self.begin_block(block);
            }
        }
        let Self { kernel, checks, races, memory, sync, init, mut written, .. } = self;
        let mut findings = Vec::new();
        if let Some(memory) = memory {
            let trap = match ending {
                Ending::Trapped(trap) => Some(&**trap),
                Ending::Finished | Ending::Hung(_) | Ending::Limit(_) | Ending::Stopped(..) => None,
            };
            findings.extend(memory.findings(trap, kernel));
        }
        if let Some(mut sync) = sync {
            if races.as_ref().is_some_and(|races| races.1.between_blocks()) {
                sync.blocks_communicate();
            }
            findings.extend(sync.findings(ending, kernel));
        }
        if let Some(init) = init {
            let (found, after) = init.end(kernel, ending);
            findings.extend(found);
            written = after;
        }
        if races.is_some() {
            findings.extend(race::findings(&hazards, kernel, checks));
        }
        findings.sort_by_key(|finding| (finding.severity, finding.check, finding.kind, finding.line));
        Checkup { findings, races: checks.has(Check::Race).then_some(hazards), written }
    }
}

/// Records the accesses of a repetition of a launch, to find its hazards.
#[derive(Debug)]
pub struct RaceRecorder {
    follower: Follower,
    racecheck: Racecheck,
}

impl RaceRecorder {
    /// A recorder of a launch of `kernel`.
    pub fn new(kernel: &Kernel) -> Self {
        let mut racecheck = Racecheck::new();
        racecheck.follow(&kernel.program);
        Self { follower: Follower::default(), racecheck }
    }

    /// Follows an executed instruction.
    pub fn executed(&mut self, executed: &Executed) {
        let racecheck = &mut self.racecheck;
        self.follower.follow(executed, |access, order| racecheck.ordered_access(access, order));
    }

    /// Returns the hazards.
    pub fn found(&self) -> Found {
        self.racecheck.found()
    }
}
