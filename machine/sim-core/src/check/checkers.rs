//! The checkers of one launch.

use super::checker::{Checker, Met};
use super::finding::Finding;
use super::init::Initcheck;
use super::kind::{Check, Checks};
use super::memory::Memcheck;
use super::race::{Coverage, Follower, Racecheck, Screen};
use super::sync::Synccheck;
use super::written::Written;
use crate::exec::Kernel;
use crate::gpu::functional::{Ending, Executed};

/// Input of a launch from the host.
#[derive(Debug, Default)]
pub struct Launched {
    /// Arguments that are device pointers: offset in the parameter block, and address.
    pub pointers: Vec<(u32, u32)>,
    /// Bytes of global memory that were written before; used by [`Check::Init`].
    pub written: Written,
}

/// Results of the checkers of one launch.
#[derive(Debug)]
pub struct Checkup {
    /// Findings, errors first, then by checker, kind and line.
    pub findings: Vec<Finding>,
    /// Accesses that the race checker did not consider; `None` without [`Check::Race`].
    pub coverage: Option<Coverage>,
    /// Bytes of global memory that were written so far.
    pub written: Written,
}

/// The checkers of one launch.
#[derive(Debug)]
pub struct Checkers<'k> {
    kernel: &'k Kernel,
    /// Number of the running block.
    block: Option<u64>,
    /// Accesses, for the checkers of races and of barriers.
    accesses: Option<Box<(Follower, Screen)>>,
    memory: Option<Box<Memcheck>>,
    race: Option<Box<Racecheck>>,
    init: Option<Box<Initcheck>>,
    sync: Option<Box<Synccheck>>,
    /// Kept for the next launch if [`Check::Init`] is off.
    written: Written,
}

impl<'k> Checkers<'k> {
    /// The checkers `checks` of a launch of `kernel`.
    pub fn new(checks: Checks, kernel: &'k Kernel, launched: Launched) -> Self {
        let Launched { pointers, mut written } = launched;
        let with_accesses = checks.has(Check::Race) || checks.has(Check::Sync);
        let memory = checks.has(Check::Memory).then(|| Box::new(Memcheck::new(kernel, &pointers)));
        let race = checks.has(Check::Race).then(Box::default);
        let init =
            checks.has(Check::Init).then(|| Box::new(Initcheck::new(kernel, std::mem::take(&mut written))));
        let sync = checks.has(Check::Sync).then(|| Box::new(Synccheck::new(kernel)));
        let accesses = with_accesses.then(Box::default);
        Self { kernel, block: None, accesses, memory, race, init, sync, written }
    }

    /// Iterates over the checkers, in the order of [`Check`].
    fn all(&mut self) -> impl Iterator<Item = &mut dyn Checker> {
        let Self { memory, race, init, sync, .. } = self;
        let memory = memory.as_deref_mut().map(|memory| memory as &mut dyn Checker);
        let race = race.as_deref_mut().map(|race| race as &mut dyn Checker);
        let init = init.as_deref_mut().map(|init| init as &mut dyn Checker);
        let sync = sync.as_deref_mut().map(|sync| sync as &mut dyn Checker);
        [memory, race, init, sync].into_iter().flatten()
    }

    /// Follows an executed instruction.
    pub fn executed(&mut self, executed: &Executed) {
        if self.block != Some(executed.warp.block) {
            self.begin_block(executed.warp.block);
        }
        let met = self.met(executed);
        // Not by `all`: calls that the compiler knows are faster.
        if let Some(memory) = &mut self.memory {
            memory.executed(executed, met);
        }
        if let Some(race) = &mut self.race {
            race.executed(executed, met);
        }
        if let Some(init) = &mut self.init {
            init.executed(executed, met);
        }
        if let Some(sync) = &mut self.sync {
            sync.executed(executed, met);
        }
    }

    fn begin_block(&mut self, block: u64) {
        self.block = Some(block);
        self.all().for_each(|checker| checker.begin_block(block));
    }

    /// Screens the access of an instruction to shared and global memory, if it has one and a
    /// checker needs that.
    fn met(&mut self, executed: &Executed) -> Option<Met> {
        let (follower, screen) = &mut **self.accesses.as_mut()?;
        let access = follower.warp_access(executed)?;
        let watched = self.sync.as_ref().map(|sync| sync.watches());
        if watched.is_none() && screen.unordered() {
            return None;
        }
        let ordered = screen.access(&access, watched.unwrap_or_default());
        Some(Met { ordered, unordered: screen.unordered(), between_blocks: screen.between_blocks() })
    }

    /// Whether the launch must be repeated from the same memory, for [`Self::repeated`].
    pub fn needs_repetition(&mut self) -> bool {
        self.all().any(|checker| checker.needs_repetition())
    }

    /// Follows an executed instruction of the repetition.
    pub fn repeated(&mut self, executed: &Executed) {
        self.all().for_each(|checker| checker.repeated(executed));
    }

    /// Ends the launch and returns the results.
    pub fn end(mut self, ending: &Ending) -> Checkup {
        if let Ending::Trapped(trap) = ending {
            let (at, grid) = (trap.block, self.kernel.grid);
            let number = |at: u32, of: u32, rest: u64| u64::from(at) + u64::from(of) * rest;
            let block = number(at.x, grid.x, number(at.y, grid.y, at.z.into()));
            // The first instruction of a block can trap.
            if self.block != Some(block) {
                self.begin_block(block);
            }
        }
        let kernel = self.kernel;
        let mut findings: Vec<Finding> =
            self.all().flat_map(|checker| checker.findings(kernel, ending)).collect();
        findings.sort_by_key(|finding| (finding.severity, finding.check, finding.kind, finding.line));
        let coverage = self.race.map(|race| race.coverage());
        let written = self.init.map_or(self.written, |init| init.into_written());
        Checkup { findings, coverage, written }
    }
}
