//! State of a debugged launch at one cycle, on either machine. A copy continues like the original.

use super::status::Statuses;
use crate::events::{Event, Sink};
use crate::gpu::functional::stepped::Stepped;
use crate::gpu::run::Stop;
use crate::gpu::running::{Ended, Running};
use crate::gpu::stuck;
use std::ops::ControlFlow;

/// The machine of a launch.
#[derive(Clone)]
#[expect(clippy::large_enum_variant, reason = "a copy contains far larger parts on the heap")]
pub enum Machine<'a> {
    /// The timed machine, and the end of the launch if it has ended.
    Timed(Running, Option<Ended>),
    /// The functional machine.
    Functional(Stepped<'a>),
}

/// State of a launch at one cycle, including the state derived from its events.
#[derive(Clone)]
pub struct State<'a> {
    pub(super) machine: Machine<'a>,
    pub(super) statuses: Statuses,
}

impl State<'_> {
    /// Returns the time, as [`Session::cycle`] does.
    pub fn cycle(&self) -> u64 {
        match &self.machine {
            Machine::Functional(stepped) => stepped.executed(),
            Machine::Timed(running, ended) => match ended {
                Some(Ended { stop: Stop::Finished(at) | Stop::Trapped(at) | Stop::Limit(at), .. }) => *at,
                Some(Ended { stop: Stop::Hung, .. }) => stuck::last_change(&running.machine),
                Some(Ended { stop: Stop::Paused(_), .. }) | None => running.cycle(),
            },
        }
    }

    /// Whether the launch has ended.
    pub(super) fn has_ended(&self) -> bool {
        match &self.machine {
            Machine::Functional(stepped) => stepped.ending.is_some(),
            Machine::Timed(_, ended) => ended.is_some(),
        }
    }

    /// Runs to time `until` or to an earlier pause, and passes the events to `see`, ordered by time
    /// and SM. Returns the number of ticks of the machine.
    pub(super) fn advance(&mut self, until: u64, see: &mut dyn FnMut(&Event)) -> u64 {
        let Self { machine, statuses } = self;
        let mut receive = |events: &[Event]| {
            for event in events {
                statuses.apply(event);
                see(event);
            }
        };
        match machine {
            Machine::Timed(running, ended) => {
                let mut sink = |_, new: &[Event]| {
                    receive(new);
                    ControlFlow::Continue(())
                };
                let (end, stats) = running.advance(until, Some(&mut sink as &mut Sink<'_>));
                *ended = end;
                stats.ticks
            }
            Machine::Functional(stepped) => {
                let (before, mut events) = (stepped.executed(), Vec::new());
                stepped.advance(until, &mut events);
                receive(&events);
                stepped.executed() - before
            }
        }
    }
}
