//! Commands and events: a graph whose commands run as soon as the events that they wait for are
//! complete.

use super::kernel::Launched;
use super::memory::{Fill, Rows};
use super::queue::{OUT_OF_ORDER, PROFILING};
use super::{Callback, Handle, Object, State};
use crate::status::{Done, Status};

/// Status of an event whose command waits.
pub const QUEUED: i32 = 3;

/// Status of a user event that is not set.
pub const SUBMITTED: i32 = 2;

/// Status of a complete event.
pub const COMPLETE: i32 = 0;

/// Types of commands.
#[expect(missing_docs, reason = "the commands by their names in OpenCL")]
pub mod types {
    pub const NDRANGE_KERNEL: u32 = 0x11F0;
    pub const TASK: u32 = 0x11F1;
    pub const READ_BUFFER: u32 = 0x11F3;
    pub const WRITE_BUFFER: u32 = 0x11F4;
    pub const COPY_BUFFER: u32 = 0x11F5;
    pub const READ_IMAGE: u32 = 0x11F6;
    pub const WRITE_IMAGE: u32 = 0x11F7;
    pub const COPY_IMAGE: u32 = 0x11F8;
    pub const COPY_IMAGE_TO_BUFFER: u32 = 0x11F9;
    pub const COPY_BUFFER_TO_IMAGE: u32 = 0x11FA;
    pub const MAP_BUFFER: u32 = 0x11FB;
    pub const MAP_IMAGE: u32 = 0x11FC;
    pub const UNMAP_MEM_OBJECT: u32 = 0x11FD;
    pub const MARKER: u32 = 0x11FE;
    pub const READ_BUFFER_RECT: u32 = 0x1201;
    pub const WRITE_BUFFER_RECT: u32 = 0x1202;
    pub const COPY_BUFFER_RECT: u32 = 0x1203;
    pub const USER: u32 = 0x1204;
    pub const BARRIER: u32 = 0x1205;
    pub const MIGRATE_MEM_OBJECTS: u32 = 0x1206;
    pub const FILL_BUFFER: u32 = 0x1207;
    pub const FILL_IMAGE: u32 = 0x1208;
}

/// What a command does.
#[derive(Debug)]
pub enum Action {
    /// Nothing: a marker, a barrier or a migration, in a queue that may be out of order.
    Point {
        /// Whether it waits for all commands before it.
        waits_for_all: bool,
        /// Whether commands behind it wait for it.
        holds_back: bool,
    },
    /// Copies rows from a buffer or image to the host program, also of a mapped region.
    Read(Rows),
    /// Copies rows from the host program to a buffer or image.
    Write(Rows),
    /// Copies rows between buffers and images.
    Copy(Rows, Handle, Vec<u64>),
    /// Repeats a pattern.
    Fill(Fill),
    /// Writes a mapped region back: memory and host address.
    Unmap(Handle, u64),
    /// Launches a kernel.
    Launch(Box<Launched>),
}

/// A command that is not complete.
#[derive(Debug)]
pub struct Command {
    queue: Handle,
    event: Handle,
    waits: Vec<Handle>,
    action: Action,
}

/// An event.
#[derive(Clone, Debug)]
pub struct Event {
    /// Its context.
    pub context: Handle,
    /// Its queue; none of a user event.
    pub queue: Option<Handle>,
    /// Type of its command.
    pub command: u32,
    /// Its status; an error is negative.
    pub status: i32,
    /// Nanoseconds at which it was queued, submitted, started and ended.
    pub times: [u64; 4],
    callbacks: Vec<(i32, u64, u64)>,
}

impl State {
    /// Checks a list of events, which wait for each other in one context.
    ///
    /// # Errors
    ///
    /// The number does not fit the list, or a handle is no event of the context.
    pub fn wait_list(&self, count: u32, list: u64, context: Option<Handle>) -> Done<Vec<Handle>> {
        if (count == 0) != (list == 0) {
            return Err(Status::INVALID_EVENT_WAIT_LIST);
        }
        let events = self.words(list, count.into()).map_err(|_| Status::INVALID_EVENT_WAIT_LIST);
        let events = if count == 0 { Vec::new() } else { events? };
        for event in &events {
            let event = self.event(*event).map_err(|_| Status::INVALID_EVENT_WAIT_LIST)?;
            if context.is_some_and(|context| context != event.context) {
                return Err(Status::INVALID_CONTEXT);
            }
        }
        Ok(events)
    }

    /// Adds a command to a queue, and executes what can be executed. Returns its event, with a
    /// reference of the caller.
    ///
    /// # Errors
    ///
    /// There is no such queue.
    pub fn submit(
        &mut self,
        queue: Handle,
        command: u32,
        waits: Vec<Handle>,
        action: Action,
    ) -> Done<Handle> {
        let context = self.queue(queue)?.context;
        let now = self.now();
        let event = Event {
            context,
            queue: Some(queue),
            command,
            status: QUEUED,
            times: [now; 4],
            callbacks: Vec::new(),
        };
        self.retain(queue);
        self.retain(context);
        let event = self.add(Object::Event(event));
        // The command has a reference of its event and of those that it waits for.
        self.retain(event);
        for wait in &waits {
            self.retain(*wait);
        }
        self.pending.push(Command { queue, event, waits, action });
        self.run_ready();
        Ok(event)
    }

    /// `clCreateUserEvent`.
    ///
    /// # Errors
    ///
    /// There is no such context.
    pub fn create_user_event(&mut self, context: Handle) -> Done<Handle> {
        self.context(context)?;
        self.retain(context);
        let event = Event {
            context,
            queue: None,
            command: types::USER,
            status: SUBMITTED,
            times: [0; 4],
            callbacks: Vec::new(),
        };
        Ok(self.add(Object::Event(event)))
    }

    /// `clSetUserEventStatus`.
    ///
    /// # Errors
    ///
    /// It is no user event, or its status was set before.
    pub fn set_user_event(&mut self, handle: Handle, status: i32) -> Done {
        let event = self.event(handle)?;
        if event.command != types::USER {
            return Err(Status::INVALID_EVENT);
        }
        if status > COMPLETE {
            return Err(Status::INVALID_VALUE);
        }
        if event.status <= COMPLETE {
            return Err(Status::INVALID_OPERATION);
        }
        self.completed(handle, status, None);
        self.run_ready();
        Ok(())
    }

    /// `clSetEventCallback`.
    ///
    /// # Errors
    ///
    /// There is no such event, or no function.
    pub fn event_callback(&mut self, handle: Handle, status: i32, function: u64, data: u64) -> Done {
        let event = self.event_mut(handle)?;
        if function == 0 || !(COMPLETE..=QUEUED).contains(&status) || status == QUEUED {
            return Err(Status::INVALID_VALUE);
        }
        if event.status <= COMPLETE {
            let reached = if event.status < 0 { event.status } else { status };
            self.callbacks.push(Callback::Event(function, handle, reached, data));
        } else {
            event.callbacks.push((status, function, data));
        }
        Ok(())
    }

    /// Whether the events are complete. The error of one of them is an error.
    ///
    /// # Errors
    ///
    /// An event has an error.
    pub fn are_complete(&self, events: &[Handle]) -> Done<bool> {
        let mut complete = true;
        for event in events {
            let status = self.event(*event)?.status;
            if status < COMPLETE {
                return Err(Status::EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
            }
            complete &= status == COMPLETE;
        }
        Ok(complete)
    }

    /// Whether a queue has no command left.
    pub fn is_finished(&self, queue: Handle) -> bool {
        self.pending.iter().all(|command| command.queue != queue)
    }

    /// The events of the commands of a queue that are not complete.
    pub fn pending_in(&self, queue: Handle) -> Vec<Handle> {
        self.pending.iter().filter(|command| command.queue == queue).map(|command| command.event).collect()
    }

    /// Executes all commands that nothing holds back.
    fn run_ready(&mut self) {
        while let Some(at) = self.next_ready() {
            let Command { event, waits, action, .. } = self.pending.remove(at);
            let failed =
                waits.iter().any(|wait| self.event(*wait).is_ok_and(|event| event.status < COMPLETE));
            let result = if failed {
                Err(Status::EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST)
            } else {
                let before = self.now();
                self.execute(action).map(|span| if span == (0, 0) { (before, 0) } else { span })
            };
            let (status, span) = match result {
                Ok(span) => (COMPLETE, Some(span)),
                Err(error) => (error.0, None),
            };
            self.completed(event, status, span);
            for wait in waits {
                self.release(wait);
            }
            self.release(event);
        }
    }

    fn next_ready(&self) -> Option<usize> {
        let is_complete = |event: &Handle| self.event(*event).is_ok_and(|event| event.status <= COMPLETE);
        (0..self.pending.len()).find(|at| {
            let command = &self.pending[*at];
            let in_order = self.queue(command.queue).is_ok_and(|queue| queue.properties & OUT_OF_ORDER == 0);
            let follows = in_order || matches!(command.action, Action::Point { waits_for_all: true, .. });
            let is_first = !self.pending[..*at].iter().any(|other| {
                let holds_back = matches!(other.action, Action::Point { holds_back: true, .. });
                other.queue == command.queue && (follows || holds_back)
            });
            is_first && command.waits.iter().all(is_complete)
        })
    }

    /// Gives an event its final status.
    fn completed(&mut self, handle: Handle, status: i32, span: Option<(u64, u64)>) {
        let Ok(event) = self.event_mut(handle) else { return };
        event.status = status;
        if let Some((start, ns)) = span {
            event.times[2] = start.max(event.times[1]);
            event.times[3] = event.times[2] + ns;
        }
        let callbacks = std::mem::take(&mut event.callbacks);
        for (wanted, function, data) in callbacks {
            let reached = if status < 0 { status } else { wanted };
            self.callbacks.push(Callback::Event(function, handle, reached, data));
        }
    }

    /// Executes a command. Returns its start and its nanoseconds.
    fn execute(&mut self, action: Action) -> Done<(u64, u64)> {
        match action {
            Action::Point { .. } => return Ok((0, 0)),
            Action::Launch(launched) => return self.execute_launch(&launched),
            Action::Read(rows) => self.execute_read(&rows)?,
            Action::Write(rows) => self.execute_write(&rows)?,
            Action::Copy(rows, to, offsets) => self.execute_copy(&rows, to, &offsets)?,
            Action::Fill(fill) => self.execute_fill(&fill)?,
            Action::Unmap(memory, host) => self.execute_unmap(memory, host)?,
        }
        let device = self.runtime.device(&self.thread)?;
        let events = &device.gpu.timeline().events;
        Ok(events.last().map_or((0, 0), |event| (event.start_ns, event.duration_ns)))
    }

    /// Whether a queue of an event has profiling.
    pub fn has_profiling(&self, event: &Event) -> bool {
        let queue = event.queue.and_then(|queue| self.queue(queue).ok());
        queue.is_some_and(|queue| queue.properties & PROFILING != 0)
    }
}
