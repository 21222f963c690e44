//! The checker of one launch: passes what happens to the selected checkers.

use super::finding::{Check, Checks, Finding};
use super::init::Initcheck;
use super::race;
use super::written::Written;
use crate::exec::Kernel;
use crate::exec::allocations::Allocation;
use crate::gpu::functional::{Ending, Executed};
use crate::racecheck::{Follower, Found, Racecheck};

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
    /// Result of the race checker, and whether there were barriers whose order it does not track.
    /// `None` without [`Check::Race`].
    pub races: Option<(Found, bool)>,
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
    races: Option<Box<(Follower, Racecheck)>>,
    init: Option<Box<Initcheck>>,
    /// Kept for the next launch if [`Check::Init`] is off.
    written: Written,
}

impl<'k> Checker<'k> {
    /// The checkers `checks` of a launch of `kernel`.
    pub fn new(checks: Checks, kernel: &'k Kernel, launched: Launched) -> Self {
        let with_races = checks.has(Check::Race) || checks.has(Check::Sync);
        let races = with_races.then(|| {
            let mut racecheck = Racecheck::new();
            racecheck.follow(&kernel.program);
            Box::new((Follower::default(), racecheck))
        });
        let mut written = launched.written;
        let init =
            checks.has(Check::Init).then(|| Box::new(Initcheck::new(kernel, std::mem::take(&mut written))));
        Self { kernel, checks, block: None, races, init, written }
    }

    /// Follows an executed instruction.
    pub fn executed(&mut self, executed: &Executed) {
        if self.block != Some(executed.warp.block) {
            self.block = Some(executed.warp.block);
            if let Some(init) = &mut self.init {
                init.begin_block();
            }
        }
        if let Some(init) = &mut self.init {
            init.executed(executed);
        }
        if let Some(races) = &mut self.races {
            let (follower, racecheck) = &mut **races;
            follower.follow(executed, |access| racecheck.access(access));
        }
    }

    /// Ends the launch and returns the results.
    pub fn end(self, ending: &Ending) -> Checkup {
        let Self { kernel, checks, races, init, mut written, .. } = self;
        let mut findings = Vec::new();
        if let Some(init) = init {
            let (found, after) = init.end(kernel, ending);
            findings.extend(found);
            written = after;
        }
        let races = races.map(|races| (races.1.found(), races.0.partial_barriers()));
        if let Some((found, _)) = &races {
            findings.extend(race::findings(found, kernel, checks));
        }
        findings.sort_by_key(|finding| (finding.severity, finding.check, finding.kind, finding.line));
        Checkup { findings, races: races.filter(|_| checks.has(Check::Race)), written }
    }
}
