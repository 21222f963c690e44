//! A timed launch, or several concurrent ones, between its first cycle and its end.
//!
//! A plain run and the debugger advance a launch by the same function, so that a debugged launch
//! ends in the state, the report and the memory of a plain run.

use super::machine::Machine;
use super::run::{HostStats, RunPlan, Stop, Watcher, run};
use super::stuck::{self, report::StuckReport};
use crate::cluster::Cluster;
use crate::state::{Corrupt, Part, Reader, Value, Writer};

/// Shader cycle at which a launch is first examined for an endless loop; then at each power of two.
/// A constant, so that reports do not depend on the host.
pub const FIRST_LOOK: u64 = 1 << 20;

/// The machine of a launch, paused at a shader cycle. Plain data: a copy continues like the
/// original.
#[derive(Clone)]
pub struct Running {
    /// Components of the launch.
    pub machine: Machine,
    /// Run plan, whose `start` is the current cycle.
    plan: RunPlan,
    /// Shader cycle of the next examination.
    look: u64,
}

/// The end of a launch.
#[derive(Clone, Debug, PartialEq)]
pub struct Ended {
    /// Reason for the stop.
    pub stop: Stop,
    /// Reports of the kernels that never end, if that is proved.
    pub endless: Option<Vec<StuckReport>>,
}

impl Running {
    /// Creates a launch before its first cycle.
    pub fn new(machine: Machine, plan: RunPlan) -> Self {
        Self { machine, plan: RunPlan { start: 0, ..plan }, look: FIRST_LOOK }
    }

    /// Returns the shader cycle at which the machine has paused: all earlier cycles are complete.
    pub fn cycle(&self) -> u64 {
        self.plan.start
    }

    /// Sets the shader cycle at which the machine stops.
    pub fn set_limit(&mut self, max_cycles: u64) {
        self.plan.max_cycles = max_cycles;
    }

    /// Returns the shader cycle at which the machine stops.
    pub fn limit(&self) -> u64 {
        self.plan.max_cycles
    }

    /// Continues at shader cycle `at` a machine that has stopped there or before: at its limit, or
    /// without an event. Until `at` it is not examined.
    pub fn resume(&mut self, at: u64) {
        self.plan.start = at;
        self.look = self.look.max(at + 1);
    }

    /// Does not examine the machine before shader cycle `at`, at which a kernel arrives.
    pub fn expect(&mut self, at: u64) {
        self.look = self.look.max(at + 1);
    }

    /// Returns the state as bytes, with the contents of device memory and without what the launch
    /// determines: program, parameters and configuration. The observers of SMs have no bytes.
    pub fn save(&self) -> Vec<u8> {
        let Self { machine, plan, look } = self;
        let mut out = Writer::default();
        (plan.start, *look).put(&mut out);
        machine.save(&mut out);
        out.into_bytes()
    }

    /// Restores a state that [`Self::save`] returned for the same launch on the same chip. After an
    /// error the machine has an undefined state.
    pub fn load(&mut self, bytes: &[u8]) -> Result<(), Corrupt> {
        let mut from = Reader::new(bytes);
        (self.plan.start, self.look) = Value::take(&mut from)?;
        self.machine.clusters.iter_mut().for_each(Cluster::build);
        self.machine.load(&mut from)?;
        from.finish()
    }

    /// Runs to shader cycle `until`, to an earlier pause after which the caller must call again, or
    /// to the end of the launch.
    pub fn advance(&mut self, until: u64, observer: Watcher<'_, '_>) -> (Option<Ended>, HostStats) {
        self.plan.pause = until.min(self.look);
        let (stop, stats) = run(&mut self.machine, &self.plan, observer);
        let Stop::Paused(at) = stop else { return (Some(Ended { stop, endless: None }), stats) };
        self.plan.start = at;
        if at >= self.look {
            if let Some(stuck) = stuck::proved(&self.machine, at) {
                return (Some(Ended { stop, endless: Some(stuck) }), stats);
            }
            self.look = stuck::next_look(&self.machine, at);
        }
        (None, stats)
    }
}
