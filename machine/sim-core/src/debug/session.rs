//! A launch under the debugger: forward and backward steps.

use super::history::{History, bytes_of_sm};
use super::names::Names;
use super::state::{Machine, State};
use super::status::Statuses;
use super::steps::Trail;
use crate::config::Chip;
use crate::events::{Event, Watch};
use crate::exec::{Kernel, Mode};
use crate::gpu::functional::stepped::Stepped;
use crate::gpu::interleaved::End;
use crate::gpu::interleaved::played::Played;
use crate::gpu::running::{Ended, Running};
use crate::gpu::untimed::Untimed;
use crate::stats::ending::{functional_verdict, verdicts};
use crate::stats::verdict::{TrapReport, Verdict};
use std::borrow::Cow;
use std::ops::ControlFlow;

/// Shader cycles between two calls of the poll function.
pub(super) const CHUNK: u64 = 1 << 10;

/// Ticks of the machine between two copies: some hundredths of a second.
const TICKS_BETWEEN_COPIES: u64 = 1 << 14;

/// Why a movement stopped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Halt {
    /// The movement is complete.
    Done,
    /// The machine is at the start of the issue cycle of this event, before any event of that
    /// cycle.
    Event(Event),
    /// The observed value changes: in the previous issue cycle when moving forward, in this issue
    /// cycle when moving back.
    Changed,
    /// The launch has ended; it cannot move forward.
    Ended,
    /// The launch is at its first cycle; it cannot move back.
    Start,
    /// The caller asked to stop.
    Interrupted,
}

/// Called regularly during a long movement with the time of the launch; `Break` stops the movement.
pub type Poll<'a> = &'a mut dyn FnMut(u64) -> ControlFlow<()>;

/// Shader cycle, SM and warp slot of an event.
pub(super) type Key = (u64, u32, u32);

/// A launch under the debugger.
///
/// On the timed machine, time is in shader cycles. On a machine without time it is the number of
/// executed warp instructions, and an issue cycle is one warp instruction.
pub struct Session<'a> {
    pub(super) chip: Cow<'a, Chip>,
    pub(super) state: State<'a>,
    pub(super) history: History<'a>,
    /// Ticks since the latest copy.
    ticks: u64,
    /// Cycle, SM and warp slot of the event at which the last search stopped. The next search
    /// begins after it.
    pub(super) found: Option<Key>,
    /// Positions of single steps.
    pub(super) trail: Trail,
    killed: bool,
}

impl<'a> Session<'a> {
    /// Creates a session before the first cycle of a timed launch.
    pub(crate) fn timed(mut running: Running, chip: &'a Chip) -> Self {
        running.machine.watch(0, &Watch::ALL);
        let sms = chip.clusters * chip.cluster.sms;
        let names = Names::of(&running.machine.kernel(0).program);
        let period = chip.sm.issue_period.into();
        let bytes = sms as usize * bytes_of_sm(chip, running.machine.kernel(0).program.rows);
        let statuses = Statuses::new(sms as usize, chip.sm.max_warps as usize, period, names);
        Self::new(State { machine: Machine::Timed(running, None), statuses }, Cow::Borrowed(chip), bytes)
    }

    /// Creates a session before the first instruction of a launch on the functional machine.
    pub(crate) fn functional(stepped: Stepped<'a>, chip: &'a Chip) -> Self {
        let names = Names::of(&stepped.block.kernel.program);
        let statuses = Statuses::new(1, stepped.block.warps.len(), 1, names);
        let bytes = bytes_of_sm(chip, stepped.block.kernel.program.rows);
        Self::new(State { machine: Machine::Functional(stepped), statuses }, Cow::Borrowed(chip), bytes)
    }

    /// Creates a session before the first instruction of a schedule on the interleaved machine.
    pub(crate) fn interleaved(played: Played, chip: &'a Chip) -> Self {
        let kernel = played.kernel();
        let (sms, slots) = (played.sms() as usize, kernel.warps_per_block() as usize);
        let statuses = Statuses::new(sms, slots, 1, Names::of(&kernel.program));
        let bytes = sms * bytes_of_sm(chip, kernel.program.rows);
        Self::new(State { machine: Machine::Interleaved(played), statuses }, Cow::Borrowed(chip), bytes)
    }

    /// A session at the start of a launch; a copy of its state has about `bytes` bytes.
    pub(super) fn new(state: State<'a>, chip: Cow<'a, Chip>, bytes: usize) -> Self {
        let history = History::new(&state, bytes);
        Self { chip, state, history, ticks: 0, found: None, trail: Trail::default(), killed: false }
    }

    /// Returns the current timed launch, its end if it has ended, and whether it was killed.
    pub(crate) fn into_timed(self) -> (Running, Option<Ended>, bool) {
        let Machine::Timed(mut running, ended) = self.state.machine else {
            unreachable!("the session was created for a timed launch")
        };
        running.machine.clusters.iter_mut().for_each(crate::cluster::Cluster::stop_observing);
        (running, ended, self.killed)
    }

    /// Returns the current launch on the functional machine, and whether it was killed.
    pub(crate) fn into_functional(self) -> (Stepped<'a>, bool) {
        let Machine::Functional(stepped) = self.state.machine else {
            unreachable!("the session was created for a launch on the functional machine")
        };
        (stepped, self.killed)
    }

    /// Returns the current launch on the interleaved machine, and whether it was killed.
    pub(crate) fn into_interleaved(self) -> (Played, bool) {
        let Machine::Interleaved(played) = self.state.machine else {
            unreachable!("the session was created for a schedule")
        };
        (played, self.killed)
    }

    /// Returns the machine that runs the launch; the interleaved machine is functional.
    pub fn mode(&self) -> Mode {
        match &self.state.machine {
            Machine::Timed(..) => Mode::Timed,
            Machine::Functional(_) | Machine::Interleaved(_) => Mode::Functional,
        }
    }

    /// Whether the launch follows a schedule on the interleaved machine.
    pub fn is_scheduled(&self) -> bool {
        matches!(self.state.machine, Machine::Interleaved(_))
    }

    pub(super) fn kernel(&self) -> &Kernel {
        match &self.state.machine {
            Machine::Timed(running, _) => running.machine.kernel(0),
            Machine::Functional(stepped) => stepped.block.kernel,
            Machine::Interleaved(played) => played.kernel(),
        }
    }

    /// Returns how the launch has ended; `None` while it runs. After a trap or a hang the state can
    /// still be inspected, and the launch can go back.
    pub fn verdict(&self) -> Option<Verdict> {
        match &self.state.machine {
            Machine::Timed(running, ended) => {
                let Ended { stop, endless } = ended.as_ref()?;
                let stop = (*stop, self.cycle());
                verdicts(&running.machine, stop, None, endless.clone()).into_iter().next()
            }
            Machine::Functional(stepped) => {
                let ending = stepped.ending.as_ref()?;
                Some(functional_verdict(ending, stepped.executed(), stepped.block.kernel))
            }
            Machine::Interleaved(played) => Some(match played.end()? {
                End::Finished | End::Redundant => Verdict::Finished,
                End::Trapped(trap) => {
                    let program = &played.kernel().program;
                    Verdict::Trapped { trap: TrapReport::new(trap, program, vec![trap.warp]) }
                }
                End::Hung(_) => Verdict::Hung { cycle: self.cycle(), stuck: played.stuck() },
            }),
        }
    }

    /// Ends the launch when the front end returns: its report says that it was interrupted.
    ///
    /// Does nothing if the launch has ended.
    pub fn kill(&mut self) {
        self.killed = !self.has_ended();
    }

    /// Returns the time: the shader cycle before which everything is complete, or the number of
    /// executed warp instructions on the functional machine.
    pub fn cycle(&self) -> u64 {
        self.state.cycle()
    }

    /// Returns the SM and the warp slot of the event at whose cycle the last search has stopped, if
    /// the launch is there: the next search begins after it.
    pub fn at_event(&self) -> Option<(u32, u32)> {
        let (cycle, sm, warp) = self.found?;
        (cycle == self.cycle()).then_some((sm, warp))
    }

    /// Whether the launch has ended.
    pub fn has_ended(&self) -> bool {
        self.state.has_ended()
    }

    /// Returns the number of shader cycles per issue cycle; 1 on the functional machine.
    pub fn issue_period(&self) -> u64 {
        match self.mode() {
            Mode::Timed => self.chip.sm.issue_period.into(),
            Mode::Functional => 1,
        }
    }

    /// Runs to shader cycle `until`, or to the end of the launch, and passes the events to `see`.
    pub(super) fn advance(&mut self, until: u64, see: &mut dyn FnMut(&Event)) {
        while !self.state.has_ended() && self.state.cycle() < until {
            self.ticks += self.state.advance(until, see);
        }
        if self.ticks >= TICKS_BETWEEN_COPIES {
            self.ticks = 0;
            self.history.keep(&self.state);
        }
    }

    /// Moves to shader cycle `cycle`, forward or back. Stops at the end of the launch.
    pub fn go_to(&mut self, cycle: u64, poll: Poll<'_>) -> Halt {
        self.found = None;
        self.restore(cycle);
        while self.cycle() < cycle && !self.has_ended() {
            if poll(self.cycle()).is_break() {
                return Halt::Interrupted;
            }
            self.advance(cycle.min(self.cycle() + CHUNK), &mut |_| {});
        }
        if self.has_ended() { Halt::Ended } else { Halt::Done }
    }

    /// Restores the latest copy at or before `cycle`, if the launch is after `cycle`.
    fn restore(&mut self, cycle: u64) {
        if self.cycle() > cycle || self.has_ended() {
            self.restart(cycle);
        }
    }

    /// Restores the latest copy at or before `cycle`.
    pub(super) fn restart(&mut self, cycle: u64) {
        self.state = self.history.before(cycle).clone();
        self.ticks = 0;
    }

    /// Returns the start of the first issue cycle after the current one.
    fn next_issue_cycle(&self) -> u64 {
        (self.cycle() / self.issue_period() + 1) * self.issue_period()
    }

    /// Executes one issue cycle of all SMs.
    pub fn step_cycle(&mut self) -> Halt {
        if self.has_ended() {
            return Halt::Ended;
        }
        self.go_to(self.next_issue_cycle(), &mut |_| ControlFlow::Continue(()))
    }

    /// Moves back to the start of the previous issue cycle.
    pub fn step_cycle_back(&mut self) -> Halt {
        let period = self.issue_period();
        let Some(before) = self.cycle().checked_sub(1) else { return Halt::Start };
        self.go_to(before / period * period, &mut |_| ControlFlow::Continue(()))
    }

    /// Runs until `value` changes, at most to shader cycle `until`. Returns [`Halt::Changed`] after
    /// the issue cycle that changed it, or [`Halt::Done`].
    pub fn find_change<T: PartialEq>(
        &mut self,
        value: impl Fn(&Self) -> T,
        until: u64,
        poll: Poll<'_>,
    ) -> Halt {
        let before = value(self);
        loop {
            if self.cycle() >= until {
                return Halt::Done;
            }
            if poll(self.cycle()).is_break() {
                return Halt::Interrupted;
            }
            if self.step_cycle() == Halt::Ended {
                return Halt::Ended;
            }
            if value(self) != before {
                return Halt::Changed;
            }
        }
    }

    /// Moves back to the start of the latest issue cycle that changed `value`.
    pub fn find_change_back<T: PartialEq>(&mut self, value: impl Fn(&Self) -> T, poll: Poll<'_>) -> Halt {
        let mut end = self.cycle();
        while end > 0 {
            self.found = None;
            self.restart(end - 1);
            let (from, mut last, mut before) = (self.cycle(), None, value(self));
            while self.cycle() < end && !self.has_ended() {
                if poll(self.cycle()).is_break() {
                    return Halt::Interrupted;
                }
                let cycle = self.cycle();
                self.advance(end.min(self.next_issue_cycle()), &mut |_| {});
                let now = value(self);
                if now != before {
                    (last, before) = (Some(cycle), now);
                }
            }
            if let Some(last) = last {
                self.go_to(last, &mut |_| ControlFlow::Continue(()));
                return Halt::Changed;
            }
            end = from;
        }
        self.go_to(0, &mut |_| ControlFlow::Continue(()));
        Halt::Start
    }
}
