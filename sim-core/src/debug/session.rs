//! A launch under the debugger: forward and backward steps.

use super::history::History;
use super::names::Names;
use super::status::Statuses;
use crate::config::Chip;
use crate::events::{Event, Sink, Watch, What, Why};
use crate::gpu::run::Stop;
use crate::gpu::running::{Ended, Running};
use std::ops::ControlFlow;

/// Shader cycles between two calls of the poll function.
const CHUNK: u64 = 1 << 10;

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

/// State of a launch at one cycle, including the state derived from its events.
#[derive(Clone)]
pub struct State {
    pub(super) running: Running,
    pub(super) statuses: Statuses,
    /// The end of the launch, if it has ended.
    pub(super) ended: Option<Ended>,
}

impl State {
    /// Returns the shader cycle.
    pub fn cycle(&self) -> u64 {
        match &self.ended {
            Some(Ended { stop: Stop::Finished(at) | Stop::Trapped(at) | Stop::Limit(at), .. }) => *at,
            Some(Ended { stop: Stop::Hung | Stop::Paused(_), .. }) | None => self.running.cycle(),
        }
    }
}

/// Called regularly during a long movement; `Break` stops the movement.
pub type Poll<'a> = &'a mut dyn FnMut() -> ControlFlow<()>;

/// A timed launch under the debugger.
pub struct Session<'a> {
    pub(super) chip: &'a Chip,
    pub(super) state: State,
    history: History,
    /// Ticks since the latest copy.
    ticks: u64,
    /// Cycle, SM and warp slot of the event at which the last search stopped. The next search
    /// begins after it.
    found: Option<(u64, u32, u32)>,
    killed: bool,
}

impl<'a> Session<'a> {
    /// Creates a session before the first cycle of a launch.
    pub(crate) fn new(mut running: Running, chip: &'a Chip) -> Self {
        let watch = Watch { sms: 0..u32::MAX, warps: 0..u32::MAX, cycles: 0..u64::MAX, then_stop: false };
        running.machine.clusters.iter_mut().for_each(|cluster| cluster.watch(&watch));
        let sms = (chip.clusters * chip.cluster.sms) as usize;
        let names = Names::of(&running.machine.kernel(0).program);
        let statuses = Statuses::new(sms, chip.sm.max_warps as usize, chip.sm.issue_period.into(), names);
        let state = State { running, statuses, ended: None };
        let mut history = History::default();
        history.keep(&state);
        Self { chip, state, history, ticks: 0, found: None, killed: false }
    }

    /// Returns the current launch, its end if it has ended, and whether it was killed.
    pub(crate) fn into_parts(self) -> (Running, Option<Ended>, bool) {
        let State { mut running, ended, .. } = self.state;
        running.machine.clusters.iter_mut().for_each(crate::cluster::Cluster::stop_observing);
        (running, ended, self.killed)
    }

    /// Ends the launch when the front end returns: its report says that it was interrupted.
    ///
    /// Does nothing if the launch has ended.
    pub fn kill(&mut self) {
        self.killed = self.state.ended.is_none();
    }

    /// Returns the shader cycle: all earlier cycles are complete.
    pub fn cycle(&self) -> u64 {
        self.state.cycle()
    }

    /// Whether the launch has ended.
    pub fn has_ended(&self) -> bool {
        self.state.ended.is_some()
    }

    /// Returns the number of shader cycles per issue cycle.
    pub fn issue_period(&self) -> u64 {
        self.chip.sm.issue_period.into()
    }

    /// Runs to shader cycle `until`, or to the end of the launch, and collects the events.
    fn advance(&mut self, until: u64, events: &mut Vec<Event>) {
        while self.state.ended.is_none() && self.state.cycle() < until {
            let State { running, statuses, ended } = &mut self.state;
            let mut sink = |_, new: &[Event]| {
                for event in new {
                    statuses.apply(event);
                }
                events.extend_from_slice(new);
                ControlFlow::Continue(())
            };
            let (end, stats) = running.advance(until, Some(&mut sink as &mut Sink<'_>));
            *ended = end;
            self.ticks += stats.ticks;
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
        let mut events = Vec::new();
        while self.cycle() < cycle && !self.has_ended() {
            if poll().is_break() {
                return Halt::Interrupted;
            }
            self.advance(cycle.min(self.cycle() + CHUNK), &mut events);
            events.clear();
        }
        if self.has_ended() { Halt::Ended } else { Halt::Done }
    }

    /// Restores the latest copy at or before `cycle`, if the launch is after `cycle`.
    fn restore(&mut self, cycle: u64) {
        if self.cycle() > cycle || self.has_ended() {
            self.state = self.history.before(cycle).clone();
            self.ticks = 0;
        }
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
        self.go_to(self.next_issue_cycle(), &mut || ControlFlow::Continue(()))
    }

    /// Moves back to the start of the previous issue cycle.
    pub fn step_cycle_back(&mut self) -> Halt {
        let period = self.issue_period();
        let Some(before) = self.cycle().checked_sub(1) else { return Halt::Start };
        self.go_to(before / period * period, &mut || ControlFlow::Continue(()))
    }

    /// Runs until the warp in slot `warp` of SM `sm` has issued an instruction, or its block has
    /// retired. Returns the event of the instruction; the machine is then after its issue cycle.
    pub fn step_instruction(&mut self, sm: u32, warp: u32, poll: Poll<'_>) -> Halt {
        self.found = None;
        let mut stops = |event: &Event| {
            event.sm == sm
                && (issues(event, warp)
                    || matches!(event.what, What::BlockRetired { warps, .. } if warps >> warp & 1 == 1))
        };
        let halt = self.find(&mut stops, poll);
        self.found = None;
        if let Halt::Event(_) = halt {
            self.step_cycle();
        }
        halt
    }

    /// Moves back to the start of the issue cycle in which the warp in slot `warp` of SM `sm`
    /// issued its latest instruction.
    pub fn step_instruction_back(&mut self, sm: u32, warp: u32, poll: Poll<'_>) -> Halt {
        self.find_back(&mut |event| event.sm == sm && issues(event, warp), poll)
    }

    /// Runs to the first event for which `stops` is true, after the event at which the last search
    /// stopped.
    pub fn find(&mut self, stops: &mut dyn FnMut(&Event) -> bool, poll: Poll<'_>) -> Halt {
        let after = self.found.take();
        let mut events = Vec::new();
        loop {
            if self.has_ended() {
                return Halt::Ended;
            }
            if poll().is_break() {
                return Halt::Interrupted;
            }
            self.advance(self.cycle() + CHUNK, &mut events);
            let is_new = |event: &&Event| after.is_none_or(|after| key(event) > after);
            let first = events.iter().filter(is_new).filter(|event| stops(event)).min_by_key(|e| key(e));
            if let Some(first) = first.cloned() {
                self.go_to(first.cycle, &mut || ControlFlow::Continue(()));
                self.found = Some(key(&first));
                return Halt::Event(first);
            }
            events.clear();
        }
    }

    /// Moves back to the latest event before this cycle for which `stops` is true.
    pub fn find_back(&mut self, stops: &mut dyn FnMut(&Event) -> bool, poll: Poll<'_>) -> Halt {
        let now = match self.found {
            // The event at the current position is not before it.
            Some((cycle, ..)) => cycle,
            None => self.cycle(),
        };
        let mut end = now;
        let mut events = Vec::new();
        while end > 0 {
            self.state = self.history.before(end - 1).clone();
            let from = self.cycle();
            let mut last = None;
            while self.cycle() < end && !self.has_ended() {
                if poll().is_break() {
                    return Halt::Interrupted;
                }
                self.advance(end.min(self.cycle() + CHUNK), &mut events);
                let before = |event: &&Event| event.cycle < end;
                last = events.drain(..).filter(|e| before(&e)).filter(|e| stops(e)).last().or(last);
            }
            if let Some(last) = last {
                self.go_to(last.cycle, &mut || ControlFlow::Continue(()));
                self.found = Some(key(&last));
                return Halt::Event(last);
            }
            end = from;
        }
        self.go_to(0, &mut || ControlFlow::Continue(()));
        Halt::Start
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
            if poll().is_break() {
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
            self.state = self.history.before(end - 1).clone();
            let (from, mut last, mut before) = (self.cycle(), None, value(self));
            while self.cycle() < end && !self.has_ended() {
                if poll().is_break() {
                    return Halt::Interrupted;
                }
                let cycle = self.cycle();
                self.advance(end.min(self.next_issue_cycle()), &mut Vec::new());
                let now = value(self);
                if now != before {
                    (last, before) = (Some(cycle), now);
                }
            }
            if let Some(last) = last {
                self.go_to(last, &mut || ControlFlow::Continue(()));
                return Halt::Changed;
            }
            end = from;
        }
        self.go_to(0, &mut || ControlFlow::Continue(()));
        Halt::Start
    }
}

/// Returns cycle, SM and warp slot of an event; events of blocks are ordered before those of warps.
fn key(event: &Event) -> (u64, u32, u32) {
    let warp = match &event.what {
        What::BlockStarted { .. } | What::BlockRetired { .. } => 0,
        What::State { warp, .. } | What::Stack { warp, .. } => *warp,
        What::LoadCompleted { load, .. } => load.warp,
    };
    (event.cycle, event.sm, warp)
}

/// Whether this event is the issue of an instruction by the warp in slot `warp`.
fn issues(event: &Event, warp: u32) -> bool {
    match &event.what {
        What::State { warp: of, why: Why::Issued(issued), .. } => {
            *of == warp && issued.origin.cycle == event.cycle
        }
        What::State { .. }
        | What::BlockStarted { .. }
        | What::BlockRetired { .. }
        | What::Stack { .. }
        | What::LoadCompleted { .. } => false,
    }
}
