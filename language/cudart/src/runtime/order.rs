//! Order of host code and the work of the devices: accesses of host code to host memory that an
//! asynchronous copy or a kernel may still use, because the host has not waited for it.
//!
//! The simulator executes a call at once, so that no value shows a missing wait. With the checker
//! of races, each copy and kernel in a stream has a number. A **clock** has for each stream the
//! number up to which all work has ended. The clock of a stream grows with its work, with the
//! events that it waits for and with the default stream; the clock of the host grows with each call
//! that waits. Work uses host memory until the clock of the host has its number. [`Process::watch`]
//! reports an access of host code to this memory.
//!
//! Which calls wait is taken from the documentation of CUDA, which differs from what the simulator
//! does in one direction only: a stream that does not wait for the default stream does not do so
//! here either.
//!
//! [`Process::watch`]: super::host::Process::watch

use super::Runtime;
use super::copies::Moved;
use super::host::Conflict;
use super::thread::Thread;
use isa::mangled::plain;
use isa::uop::{Class, Program};
use report::number::count;
use sim_core::check::{Check, Kind};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Largest access that is an element.
const LARGEST: u64 = 8;

/// A stream of a device: number of the device, and handle; 0 is the default stream.
type Queue = (usize, u64);

/// For each stream, the number of the last work that has ended.
#[derive(Clone, Debug, Default)]
struct Clock(BTreeMap<Queue, u64>);

impl Clock {
    fn join(&mut self, other: &Self) {
        for (queue, number) in &other.0 {
            let own = self.0.entry(*queue).or_default();
            *own = (*own).max(*number);
        }
    }
}

/// Work of a device that uses host memory.
#[derive(Clone, Debug)]
struct Work {
    queue: Queue,
    number: u64,
    /// What it is: `cudaMemcpyAsync`, or a launch.
    what: String,
    line: Option<String>,
    /// Whether it is a kernel.
    is_kernel: bool,
    /// Whether its memory is managed.
    is_managed: bool,
    /// Whether it writes the memory.
    writes: bool,
    /// The memory: address and bytes.
    parts: Vec<(u64, u64)>,
}

/// Order of the calls so far.
#[derive(Debug, Default)]
pub(super) struct Order {
    /// Whether the checker of races is on.
    is_on: bool,
    /// Whether the current call is asynchronous by its name.
    is_async: bool,
    last: u64,
    host: Clock,
    streams: BTreeMap<Queue, Clock>,
    events: BTreeMap<u64, Clock>,
    /// Streams that do not wait for the default stream.
    independent: Vec<Queue>,
    works: BTreeMap<u64, Work>,
}

impl Order {
    /// The order of a program with checkers.
    pub fn new(checks: sim_core::check::Checks) -> Self {
        Self { is_on: checks.has(Check::Race), ..Self::default() }
    }

    /// Adds work to a stream; returns its number.
    fn add(&mut self, queue: Queue) -> u64 {
        self.last += 1;
        let (device, handle) = queue;
        let others: Vec<Queue> = if handle == 0 {
            let all = self.streams.keys().copied();
            all.filter(|other| other.0 == device && !self.independent.contains(other)).collect()
        } else if self.independent.contains(&queue) {
            Vec::new()
        } else {
            vec![(device, 0)]
        };
        let mut clock = self.streams.remove(&queue).unwrap_or_default();
        for other in others {
            if let Some(other) = self.streams.get(&other) {
                clock.join(other);
            }
        }
        clock.0.insert(queue, self.last);
        self.streams.insert(queue, clock);
        self.last
    }

    /// Removes the work that the host has waited for; returns its numbers.
    fn ended(&mut self) -> Vec<u64> {
        let Self { host, works, .. } = self;
        let is_over = |work: &Work| host.0.get(&work.queue).is_some_and(|number| *number >= work.number);
        works.extract_if(.., |_, work| is_over(work)).map(|(number, _)| number).collect()
    }
}

/// An access of host code to memory that is watched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HostAccess {
    /// Number of the work that uses the memory.
    pub work: u64,
    /// First byte that both use.
    pub address: u64,
    /// Bytes of the access.
    pub bytes: u64,
    /// Whether the host writes.
    pub writes: bool,
}

impl Runtime {
    /// Notes the name of the function that the program calls.
    pub fn calls(&mut self, function: &str) {
        self.order.is_async = function.ends_with("Async");
    }

    /// The queue of a handle.
    fn queue(thread: &Thread, handle: u64) -> Queue {
        (thread.device, if handle <= 2 { 0 } else { handle })
    }

    /// Notes a stream, and whether it waits for the default stream.
    pub(super) fn order_stream(&mut self, thread: &Thread, handle: u64, waits: bool) {
        if self.order.is_on && !waits {
            self.order.independent.push((thread.device, handle));
        }
    }

    /// Notes work in a stream that uses no host memory.
    pub(super) fn order_work(&mut self, thread: &Thread, stream: u64) {
        if self.order.is_on {
            self.order.add(Self::queue(thread, stream));
        }
    }

    /// Notes a copy in a stream. Host memory has the ranges `parts`.
    pub(super) fn order_copy(
        &mut self,
        thread: &Thread,
        stream: u64,
        moved: Moved,
        is_pinned: bool,
        parts: Vec<(u64, u64)>,
    ) {
        if !self.order.is_on {
            return;
        }
        let queue = Self::queue(thread, stream);
        let is_pending = self.order.is_async && is_pinned;
        let number = self.order.add(queue);
        match moved {
            Moved::In | Moved::Out if is_pending => {
                let what = "cudaMemcpyAsync".to_owned();
                let (line, writes) = (self.line(), moved == Moved::Out);
                let (is_kernel, is_managed) = (false, false);
                self.uses_memory(Work { queue, number, what, line, is_kernel, is_managed, writes, parts });
            }
            // The source is in another buffer before an asynchronous call returns, and the copy can
            // be pending.
            Moved::In if self.order.is_async => {}
            // The host does not wait for a copy within the device.
            Moved::Within => {}
            Moved::In | Moved::Out => self.order_waits_for_stream(thread, stream),
        }
    }

    /// Notes a launch and the host memory that it has changed.
    pub(super) fn order_launch(
        &mut self,
        thread: &Thread,
        stream: u64,
        program: &Program,
        line: Option<&String>,
        changed: Vec<(u64, u64)>,
    ) {
        if !self.order.is_on {
            return;
        }
        let queue = Self::queue(thread, stream);
        let number = self.order.add(queue);
        // A kernel with a fence for the host exchanges data with it while it runs.
        let is_fenced = (0..program.code.len())
            .filter(|pc| program.code[*pc].op.class() == Class::Membar)
            .any(|pc| program.ptx_text(pc as u32).contains("membar.sys"));
        let managed: Vec<(u64, u64)> =
            self.managed_blocks().filter(|_| !is_fenced).map(|(start, block)| (start, block.bytes)).collect();
        let work = Work {
            queue,
            number,
            what: format!("the kernel `{}`", plain(&program.name)),
            line: line.cloned(),
            is_kernel: true,
            is_managed: false,
            writes: true,
            parts: if is_fenced { Vec::new() } else { changed },
        };
        if !work.parts.is_empty() {
            self.uses_memory(work.clone());
        }
        if !managed.is_empty() {
            self.order.last += 1;
            // It ends with the same launch.
            let number = self.order.last;
            self.order.streams.entry(queue).or_default().0.insert(queue, number);
            self.uses_memory(Work { number, is_managed: true, parts: managed, ..work });
        }
    }

    fn uses_memory(&mut self, work: Work) {
        let conflict = if work.writes { Conflict::Any } else { Conflict::Writes };
        self.process.watch(work.number, &work.parts, conflict);
        self.order.works.insert(work.number, work);
    }

    /// Notes that the host has waited for a stream.
    pub(super) fn order_waits_for_stream(&mut self, thread: &Thread, stream: u64) {
        if !self.order.is_on {
            return;
        }
        // The default stream waits for the others.
        let queue = Self::queue(thread, stream);
        self.order.add(queue);
        let clock = self.order.streams.get(&queue).cloned().unwrap_or_default();
        self.host_reaches(&clock);
    }

    /// Notes that the host has waited for a device.
    pub(super) fn order_waits_for_device(&mut self, device: usize) {
        if !self.order.is_on {
            return;
        }
        let mut all = Clock::default();
        for (_, clock) in self.order.streams.iter().filter(|((own, _), _)| *own == device) {
            all.join(clock);
        }
        self.host_reaches(&all);
    }

    /// Notes an event in a stream.
    pub(super) fn order_record(&mut self, thread: &Thread, event: u64, stream: u64) {
        if !self.order.is_on {
            return;
        }
        let queue = Self::queue(thread, stream);
        self.order.add(queue);
        if let Some(clock) = self.order.streams.get(&queue).cloned() {
            self.order.events.insert(event, clock);
        }
    }

    /// Notes that a stream waits for an event.
    pub(super) fn order_stream_waits(&mut self, thread: &Thread, stream: u64, event: u64) {
        if !self.order.is_on {
            return;
        }
        if let Some(clock) = self.order.events.get(&event) {
            self.order.streams.entry(Self::queue(thread, stream)).or_default().join(clock);
        }
    }

    /// Notes that the host has waited for an event.
    pub(super) fn order_waits_for_event(&mut self, event: u64) {
        if let Some(clock) = self.order.events.get(&event).cloned() {
            self.host_reaches(&clock);
        }
    }

    fn host_reaches(&mut self, clock: &Clock) {
        self.order.host.join(clock);
        let ended = self.order.ended();
        if !ended.is_empty() {
            self.process.unwatch(&ended);
        }
    }

    /// Notes an access of host code to memory that a device may still use.
    pub fn note_host_access(&mut self, access: HostAccess) {
        let HostAccess { work, address, bytes, writes } = access;
        let Some(work) = self.order.works.remove(&work) else { return };
        // One access is enough to find the missing wait.
        self.process.unwatch(&[work.number]);
        let kind = if writes { Kind::HostWrite } else { Kind::HostRead };
        let block = self.block_at(address).map(|(start, _)| start);
        let part = work.parts.iter().find(|(start, bytes)| (*start..start + bytes).contains(&address));
        let start = block.or(part.map(|(start, _)| *start)).unwrap_or(address);
        let variable = self.variable_of_block(start).or_else(|| self.process.variable(start));
        let size = variable.as_ref().and_then(|name| self.process.element(name));
        let size = size.map(|element| element.bytes()).or(Some(bytes).filter(|bytes| *bytes <= LARGEST));
        let named = |at: u64| match (&variable, size) {
            (Some(name), Some(size)) => format!("`{name}[{}]`", (at - start) / size.max(1)),
            (Some(name), None) => format!("byte {} of `{name}`", count(at - start)),
            (None, _) => format!("byte {} of host memory", count(at - start)),
        };
        let element = named(address);
        let (first, end) = part.map_or((address, address + 1), |(start, bytes)| (*start, start + bytes));
        let range = match (named(first), named(end - 1)) {
            (first, last) if first == last => first,
            (first, last) => format!("{first} to {last}"),
        };
        let verb = if writes { "writes" } else { "reads" };
        let subject = if work.is_kernel { work.what.clone() } else { "a copy".to_owned() };
        let use_of_it = match (work.is_managed, work.writes) {
            (true, _) => format!("managed memory, before {subject} has ended"),
            (false, true) => format!("before {subject} that writes it has ended"),
            (false, false) => format!("before {subject} that reads it has ended"),
        };
        let comma = if work.is_managed { "," } else { "" };
        let message = format!("the host {verb} {element}{comma} {use_of_it}");
        let line = self.line();
        if !self.program.add_host_finding(kind, line, variable.as_deref(), &message) {
            return;
        }
        let mut text = format!("error[{}]: {message}", kind.name());
        let place = work.line.as_ref().map_or_else(String::new, |line| format!(" at {line}"));
        let _ = match (work.is_kernel, work.is_managed, work.writes) {
            (_, true, _) => write!(
                text,
                "\n  {} was launched{place}; before compute capability 6.0 host code must not access managed \
                 memory while a kernel can run",
                work.what
            ),
            (true, ..) => {
                write!(text, "\n  {} was launched{place}, and nothing waits for its end", work.what)
            }
            (_, _, true) => {
                write!(text, "\n  {}{place} copies to {range}, and nothing waits for its end", work.what)
            }
            (_, _, false) => {
                write!(text, "\n  {}{place} copies from {range}, and nothing waits for its end", work.what)
            }
        };
        text += match work.queue.1 {
            0 => "\nhelp: call cudaDeviceSynchronize before this line",
            _ => {
                "\nhelp: call cudaStreamSynchronize for its stream before this line, or cudaDeviceSynchronize"
            }
        };
        self.notes.once_for_call(text);
    }
}
