//! State of a debugged launch at one cycle, on either machine. A copy continues like the original.

use super::status::Statuses;
use crate::events::{Event, Sink, Told};
use crate::exec::Warp;
use crate::gpu::functional::stepped::Stepped;
use crate::gpu::interleaved::played::Played;
use crate::gpu::run::Stop;
use crate::gpu::running::{Ended, Running};
use crate::gpu::stuck;
use crate::gpu::untimed::Untimed;
use crate::sm::Sm;
use isa::uop::OperandKind;
use std::ops::ControlFlow;

/// The machine of a launch.
#[derive(Clone)]
#[expect(clippy::large_enum_variant, reason = "a copy contains far larger parts on the heap")]
pub enum Machine<'a> {
    /// The timed machine, and the end of the launch if it has ended.
    Timed(Running, Option<Ended>),
    /// The functional machine.
    Functional(Stepped<'a>),
    /// The interleaved machine with a schedule.
    Interleaved(Played),
}

impl Machine<'_> {
    /// Returns the machine, if it has no time.
    pub fn untimed(&self) -> Option<&dyn Untimed> {
        match self {
            Machine::Timed(..) => None,
            Machine::Functional(stepped) => Some(stepped),
            Machine::Interleaved(played) => Some(played),
        }
    }
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
            Machine::Interleaved(played) => played.executed(),
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
            Machine::Functional(stepped) => stepped.has_ended(),
            Machine::Interleaved(played) => played.has_ended(),
            Machine::Timed(_, ended) => ended.is_some(),
        }
    }

    /// Returns the SMs of the timed machine; none on a machine without time.
    pub(super) fn units(&self) -> impl Iterator<Item = &Sm> {
        let clusters = match &self.machine {
            Machine::Timed(running, _) => &running.machine.clusters[..],
            Machine::Functional(_) | Machine::Interleaved(_) => &[],
        };
        clusters.iter().flat_map(|cluster| &cluster.sms)
    }

    /// Returns SM `sm` of the timed machine, if a warp is resident in its slot `slot`.
    pub(super) fn resident(&self, sm: u32, slot: u32) -> Option<&Sm> {
        let unit = self.units().find(|one| one.id() == sm)?;
        unit.resident().any(|block| slot < 64 && block.warps >> slot & 1 == 1).then_some(unit)
    }

    /// Returns the registers and the reconvergence stack of the warp in a slot of an SM.
    pub(super) fn architecture(&self, sm: u32, slot: u32) -> Option<&Warp> {
        match self.machine.untimed() {
            None => self.resident(sm, slot).map(|unit| unit.status(slot).0),
            Some(machine) => machine.warp(sm, slot),
        }
    }

    /// Returns the values of a register row of a warp, as [`Session::row`] does.
    ///
    /// [`Session::row`]: super::Session::row
    pub(super) fn row(&self, sm: u32, slot: u32, kind: OperandKind, row: u16) -> Option<[u64; 32]> {
        let warp = self.architecture(sm, slot)?;
        let row = usize::from(row);
        Some(match kind {
            OperandKind::W => warp.w.get(row)?.map(u64::from),
            OperandKind::D => *warp.d.get(row)?,
            OperandKind::P => {
                let mask = *warp.p.get(row)?;
                std::array::from_fn(|lane| u64::from(mask >> lane & 1))
            }
            OperandKind::Addr => return None,
        })
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
        let machine: &mut dyn Untimed = match machine {
            Machine::Timed(running, ended) => {
                let mut sink = |told: Told<'_>| {
                    if let Told::Warps(_, new) = told {
                        receive(new);
                    }
                    ControlFlow::Continue(())
                };
                let (end, stats) = running.advance(until, Some(&mut sink as &mut Sink<'_>));
                *ended = end;
                return stats.ticks;
            }
            Machine::Functional(stepped) => stepped,
            Machine::Interleaved(played) => played,
        };
        let (before, mut events) = (machine.executed(), Vec::new());
        machine.advance(until, &mut events);
        receive(&events);
        machine.executed() - before
    }
}
