//! Times of the calls after a launch while its kernel runs: when their copies and kernels begin, as
//! far as this does not depend on the end of a running kernel.
//!
//! The answer is the timeline of all later calls after kernels that never end. A call that begins
//! before the end of time there depends on no running kernel, so that it begins at this time
//! whenever the kernels end. When a kernel has ended, its time is known, and more calls begin.

use super::engines::MOST_KERNELS;
use super::gpu::{Gpu, HostError, copy_ns};
use super::memory::DevicePtr;
use super::schedule::{StreamCall, order};
use super::timeline::{Call, Copying, Direction, Event, Stream, Timeline, TimelineEvent};
use crate::exec::Mode;
use crate::mem::partition::CopyTraffic;
use crate::time::NEVER;

/// Nanoseconds of a kernel that never ends; calls from this time on wait for such a kernel.
pub(super) const FOREVER: u64 = 1 << 59;

/// Calls after a launch, as far as they are known, and the recorded events by number.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Later<'a> {
    pub calls: &'a [StreamCall<'a>],
    pub recorded: &'a [Option<TimelineEvent>],
}

/// Kernels, each with the nanoseconds that it takes: [`FOREVER`] while it runs.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Kernels<'k> {
    /// The kernels that began first, together.
    pub first: &'k [(Stream, u64)],
    /// Later launches that began beside them, in the order of the calls.
    pub beside: &'k [u64],
    /// Whether further launches may begin beside them.
    pub open: bool,
}

/// Times of later calls, as far as they are known.
#[derive(Clone, Debug, Default)]
pub(super) struct Ahead {
    /// Start of the first kernels.
    pub start_ns: u64,
    /// For each later copy or launch, its number in the list and its event. The last calls of the
    /// list are missing if one is wrong.
    pub events: Vec<(usize, Event)>,
    /// Number and start of the next launch that begins beside the running kernels.
    pub next: Option<(usize, u64)>,
}

impl Ahead {
    /// Returns the copies that begin while the kernels run, each with its number in the list.
    pub fn copies(&self) -> impl Iterator<Item = (usize, &Event)> {
        let known = |event: &Event| matches!(event.what, Call::Copy(_)) && event.start_ns < FOREVER;
        self.events.iter().filter(move |(_, event)| known(event)).map(|(call, event)| (*call, event))
    }
}

impl Gpu {
    /// Returns what is known about later calls while kernels run.
    pub(super) fn ahead(&self, kernels: Kernels<'_>, later: &Later<'_>) -> Ahead {
        let mut future = self.timeline.ahead();
        let first: Vec<(Stream, &str, u64)> = kernels.first.iter().map(|(s, ns)| (*s, "", *ns)).collect();
        future.kernels(&first, self.chip.pcie.launch_ns);
        let start_ns = future.events.last().map_or(0, |kernel| kernel.start_ns);
        let mut ahead = Ahead { start_ns, events: Vec::new(), next: None };
        let mut recorded = later.recorded.to_vec();
        let (mut beside, mut open) = (kernels.beside.iter(), kernels.open);
        for (number, call) in later.calls.iter().enumerate() {
            let count = future.events.len();
            if let StreamCall::Launch { stream, launch } = *call {
                let known = beside.next();
                let begins = self.predict_launch(&mut future, (stream, launch.mode), known, open);
                open &= begins.is_some();
                if known.is_none() && ahead.next.is_none() {
                    ahead.next = begins.map(|start| (number, start));
                }
            } else if self.predict(&mut future, call, &mut recorded).is_err() {
                // A wrong call is reported when its turn comes.
                break;
            }
            ahead.events.extend(future.events.get(count).map(|event| (number, event.clone())));
        }
        ahead
    }

    /// Adds a later launch. `known`: it began beside the running kernels and takes this time.
    /// Otherwise it begins beside them if this is `open` and if it waits for none of them: then its
    /// start is returned. A launch that begins later takes no time, because it does not begin.
    fn predict_launch(
        &self,
        future: &mut Timeline,
        (stream, mode): (Option<Stream>, Mode),
        known: Option<&u64>,
        open: bool,
    ) -> Option<u64> {
        let launch_ns = self.chip.pcie.launch_ns;
        match (mode, stream) {
            (Mode::Functional, _) => {}
            (Mode::Timed, Some(stream)) if known.is_some() || open => {
                let ns = known.copied().unwrap_or(FOREVER);
                let start = future.kernel_beside(stream, "", launch_ns, ns, self.most_kernels());
                return (start < FOREVER).then_some(start);
            }
            (Mode::Timed, Some(stream)) => future.kernel(stream, "", launch_ns, 0),
            (Mode::Timed, None) => future.push_kernel("", launch_ns, 0),
        }
        None
    }

    /// Returns the number of kernels that may run at the same time.
    pub(super) fn most_kernels(&self) -> usize {
        (self.chip.dispatch.concurrent_kernels as usize).min(MOST_KERNELS)
    }

    /// Returns the traffic of the copies beside kernels that are launched together in `streams`,
    /// from their start on, as if they never ended.
    pub(super) fn traffic(&self, streams: &[Stream], later: &Later<'_>) -> Vec<CopyTraffic> {
        if streams.is_empty() || self.chip.pcie.copy_engines == 0 {
            return Vec::new();
        }
        let first: Vec<(Stream, u64)> = streams.iter().map(|stream| (*stream, FOREVER)).collect();
        self.traffic_ahead(&self.ahead(Kernels { first: &first, ..Kernels::default() }, later))
    }

    /// Returns the traffic of the copies beside kernels that begin, from their start on.
    pub(super) fn traffic_ahead(&self, ahead: &Ahead) -> Vec<CopyTraffic> {
        let earlier = self.timeline.events.iter().filter(|event| event.end_ns() > ahead.start_ns);
        let beside = ahead.copies().map(|(_, event)| event);
        let mut list: Vec<CopyTraffic> =
            earlier.chain(beside).filter_map(|event| self.traffic_of(event, ahead.start_ns)).collect();
        list.sort_by_key(|copy| copy.from);
        list
    }

    /// Adds a later call other than a launch to the timeline of kernels that never end.
    fn predict(
        &self,
        future: &mut Timeline,
        call: &StreamCall<'_>,
        recorded: &mut Vec<Option<TimelineEvent>>,
    ) -> Result<(), HostError> {
        let copy = |direction, ptr: DevicePtr, bytes: usize, memory| Copying {
            direction,
            address: Some(ptr.address()),
            bytes: bytes as u64,
            memory,
            duration_ns: copy_ns(&self.chip.pcie, memory, bytes as u64),
        };
        let (stream, copy) = match *call {
            StreamCall::CopyIn { stream, to, bytes, memory } => {
                (stream, copy(Direction::In, to, bytes.len(), memory))
            }
            StreamCall::CopyOut { stream, from, bytes, memory } => {
                (stream, copy(Direction::Out, from, bytes, memory))
            }
            StreamCall::Launch { .. }
            | StreamCall::Record { .. }
            | StreamCall::Wait { .. }
            | StreamCall::Synchronize(_)
            | StreamCall::HostWorks(_) => return order(future, call, recorded),
        };
        match stream {
            Some(stream) => future.copy(stream, &copy),
            None => future.push_copy(&copy),
        }
        Ok(())
    }

    /// Returns the traffic of a copy beside a kernel that begins at `kernel_ns`; `None` for other
    /// events, and for copies that end before it.
    pub(super) fn traffic_of(&self, event: &Event, kernel_ns: u64) -> Option<CopyTraffic> {
        let write = match &event.what {
            Call::Copy(Direction::In) => true,
            Call::Copy(Direction::Out) => false,
            Call::Copy(Direction::Peer) | Call::Kernel(_) => return None,
        };
        let address = event.address?;
        let first_ns = event.start_ns + self.chip.pcie.latency_ns;
        let wire_ns = event.end_ns().checked_sub(first_ns).filter(|ns| *ns > 0)?;
        // Bytes that have crossed the link before the kernel begins.
        let early_ns = kernel_ns.saturating_sub(first_ns).min(wire_ns);
        let early = (u128::from(event.bytes) * u128::from(early_ns)).div_ceil(wire_ns.into()) as u64;
        let bytes = event.bytes.checked_sub(early).filter(|bytes| *bytes > 0)?;
        Some(CopyTraffic {
            write,
            address: address + early as u32,
            bytes,
            from: self.cycles(first_ns.saturating_sub(kernel_ns)),
            cycles: self.cycles(wire_ns - early_ns),
        })
    }

    /// Converts nanoseconds to whole shader cycles; [`NEVER`] for times after the end of time.
    pub(super) fn cycles(&self, ns: u64) -> u64 {
        let cycles = u128::from(ns) * u128::from(self.chip.clocks.shader_khz) / 1_000_000;
        u64::try_from(cycles).unwrap_or(NEVER)
    }
}
