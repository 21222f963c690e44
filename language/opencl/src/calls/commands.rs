//! Functions that add commands to a queue, or wait for them.

#![cfg_attr(not(target_arch = "wasm32"), expect(non_snake_case, reason = "the names of OpenCL"))]

use super::{Until, api};
use crate::objects::command::{Action, types};
use crate::objects::kernel::Range;
use crate::objects::memory::Region;
use crate::objects::{Handle, State};
use crate::status::{Done, Status};

/// The list of events that a command waits for, and where its event goes.
#[derive(Clone, Copy)]
pub(super) struct Waits {
    pub(super) count: u32,
    pub(super) list: u64,
    pub(super) event: u64,
}

/// Adds a command. `blocks`: the call returns when the command is complete.
pub(super) fn enqueue(
    state: &mut State,
    queue: u64,
    command: u32,
    waits: Waits,
    blocks: bool,
    make: impl FnOnce(&mut State, Handle) -> Done<Action>,
) -> Done<Until> {
    let context = state.queue(queue)?.context;
    let list = state.wait_list(waits.count, waits.list, Some(context))?;
    if blocks {
        state.are_complete(&list)?;
    }
    let action = make(state, context)?;
    match (&action, command) {
        // The call has checked what the map is for.
        (Action::Read(_), types::MAP_BUFFER | types::MAP_IMAGE) => {}
        (Action::Read(rows), _) => state.memory(rows.memory)?.check_host(true, false)?,
        (Action::Write(rows), _) => state.memory(rows.memory)?.check_host(false, true)?,
        _ => {}
    }
    if waits.event != 0 {
        state.runtime.put_word(waits.event, 0)?;
    }
    let event = state.submit(queue, command, list, action)?;
    if waits.event != 0 {
        state.runtime.put_word(waits.event, event)?;
        if blocks {
            state.retain(event);
        }
    }
    if blocks {
        return Ok(Until::Complete(event));
    }
    let failed = state.event(event).ok().map_or(0, |event| event.status.min(0));
    if waits.event == 0 {
        state.release(event);
    }
    // A kernel that traps is an error of later calls.
    if failed == Status::OUT_OF_RESOURCES.0 { Err(Status::OUT_OF_RESOURCES) } else { Ok(Until::Now) }
}

/// Checks that a buffer belongs to a context.
fn own_buffer(state: &State, memory: u64, context: Handle) -> Done {
    state.buffer(memory)?;
    own(state, memory, context)
}

/// Checks that a buffer or image belongs to a context.
pub(super) fn own(state: &State, memory: u64, context: Handle) -> Done {
    if state.memory(memory)?.context == context { Ok(()) } else { Err(Status::INVALID_CONTEXT) }
}

/// A region of one row.
fn line(offset: u64, bytes: u64) -> Region {
    Region { origin: [offset, 0, 0], extent: [bytes, 1, 1], row: 0, slice: 0 }
}

/// Reads three `size_t`.
pub(super) fn triple(state: &State, address: u64) -> Done<[u64; 3]> {
    if address == 0 {
        return Err(Status::INVALID_VALUE);
    }
    let words = state.words(address, 3)?;
    Ok([words[0], words[1], words[2]])
}

/// Origins, region and distances of a rectangular copy.
#[derive(Clone, Copy)]
struct Rectangle {
    origins: [u64; 2],
    region: u64,
    rows: [u64; 2],
    slices: [u64; 2],
}

impl Rectangle {
    fn read(self, state: &State) -> Done<[Region; 2]> {
        let extent = triple(state, self.region)?;
        let of = |at: usize| -> Done<Region> {
            let origin = triple(state, self.origins[at])?;
            Ok(Region { origin, extent, row: self.rows[at], slice: self.slices[at] })
        };
        Ok([of(0)?, of(1)?])
    }
}

/// Reads up to three `size_t`; the others are `rest`.
fn sizes(state: &State, address: u64, count: u32, rest: u64) -> Done<[u64; 3]> {
    let words = state.words(address, count.into())?;
    let mut all = [rest; 3];
    all[..words.len()].copy_from_slice(&words);
    Ok(all)
}

/// A command that waits for events, or for all commands before it.
fn point(state: &mut State, queue: u64, command: u32, waits: Waits) -> Done<Until> {
    let action = Action::Point { waits_for_all: waits.count == 0, holds_back: command == types::BARRIER };
    enqueue(state, queue, command, waits, false, |_, _| Ok(action))
}

api! {
    fn clEnqueueReadBuffer(
        queue: u64, memory: u64, blocking: u32, offset: u64, bytes: u64, host: u64, count: u32, list: u64,
        event: u64
    ) |state| {
        let waits = Waits { count, list, event };
        enqueue(state, queue, types::READ_BUFFER, waits, blocking != 0, |state, context| {
            own_buffer(state, memory, context)?;
            let (device, other) = (line(offset, bytes), line(0, bytes));
            Ok(Action::Read(state.rows(memory, &device, (host, &other))?))
        })
    };

    fn clEnqueueWriteBuffer(
        queue: u64, memory: u64, blocking: u32, offset: u64, bytes: u64, host: u64, count: u32, list: u64,
        event: u64
    ) |state| {
        let waits = Waits { count, list, event };
        enqueue(state, queue, types::WRITE_BUFFER, waits, blocking != 0, |state, context| {
            own_buffer(state, memory, context)?;
            let (device, other) = (line(offset, bytes), line(0, bytes));
            Ok(Action::Write(state.rows(memory, &device, (host, &other))?))
        })
    };

    fn clEnqueueReadBufferRect(
        queue: u64, memory: u64, blocking: u32, origin: u64, host_origin: u64, region: u64, row: u64,
        slice: u64, host_row: u64, host_slice: u64, host: u64, count: u32, list: u64, event: u64
    ) |state| {
        let shape = Rectangle {
            origins: [origin, host_origin],
            region,
            rows: [row, host_row],
            slices: [slice, host_slice],
        };
        let waits = Waits { count, list, event };
        enqueue(state, queue, types::READ_BUFFER_RECT, waits, blocking != 0, |state, context| {
            own_buffer(state, memory, context)?;
            let [device, other] = shape.read(state)?;
            Ok(Action::Read(state.rows(memory, &device, (host, &other))?))
        })
    };

    fn clEnqueueWriteBufferRect(
        queue: u64, memory: u64, blocking: u32, origin: u64, host_origin: u64, region: u64, row: u64,
        slice: u64, host_row: u64, host_slice: u64, host: u64, count: u32, list: u64, event: u64
    ) |state| {
        let shape = Rectangle {
            origins: [origin, host_origin],
            region,
            rows: [row, host_row],
            slices: [slice, host_slice],
        };
        let waits = Waits { count, list, event };
        enqueue(state, queue, types::WRITE_BUFFER_RECT, waits, blocking != 0, |state, context| {
            own_buffer(state, memory, context)?;
            let [device, other] = shape.read(state)?;
            Ok(Action::Write(state.rows(memory, &device, (host, &other))?))
        })
    };

    fn clEnqueueCopyBuffer(
        queue: u64, from: u64, to: u64, from_offset: u64, to_offset: u64, bytes: u64, count: u32,
        list: u64, event: u64
    ) |state| {
        enqueue(state, queue, types::COPY_BUFFER, Waits { count, list, event }, false, |state, context| {
            own_buffer(state, from, context)?;
            own_buffer(state, to, context)?;
            let (source, target) = (line(from_offset, bytes), line(to_offset, bytes));
            let (rows, other) = state.rows_between((from, &source), (to, &target))?;
            Ok(Action::Copy(rows, to, other))
        })
    };

    fn clEnqueueCopyBufferRect(
        queue: u64, from: u64, to: u64, from_origin: u64, to_origin: u64, region: u64, from_row: u64,
        from_slice: u64, to_row: u64, to_slice: u64, count: u32, list: u64, event: u64
    ) |state| {
        let shape = Rectangle {
            origins: [from_origin, to_origin],
            region,
            rows: [from_row, to_row],
            slices: [from_slice, to_slice],
        };
        let waits = Waits { count, list, event };
        enqueue(state, queue, types::COPY_BUFFER_RECT, waits, false, |state, context| {
            own_buffer(state, from, context)?;
            own_buffer(state, to, context)?;
            let [source, target] = shape.read(state)?;
            let (rows, other) = state.rows_between((from, &source), (to, &target))?;
            Ok(Action::Copy(rows, to, other))
        })
    };

    fn clEnqueueFillBuffer(
        queue: u64, memory: u64, pattern: u64, pattern_bytes: u64, offset: u64, bytes: u64, count: u32,
        list: u64, event: u64
    ) |state| {
        enqueue(state, queue, types::FILL_BUFFER, Waits { count, list, event }, false, |state, context| {
            own_buffer(state, memory, context)?;
            if pattern == 0 || pattern_bytes == 0 || pattern_bytes > 128 {
                return Err(Status::INVALID_VALUE);
            }
            let pattern = state.runtime.get(pattern, pattern_bytes)?;
            Ok(Action::Fill(state.fill(memory, pattern, offset, bytes)?))
        })
    };

    fn clEnqueueMapBuffer(
        queue: u64, memory: u64, blocking: u32, access: u64, offset: u64, bytes: u64, count: u32,
        list: u64, event: u64; error
    ) |state| {
        let mut host = 0;
        let waits = Waits { count, list, event };
        let until = enqueue(state, queue, types::MAP_BUFFER, waits, blocking != 0, |state, context| {
            own_buffer(state, memory, context)?;
            let rows = state.map(memory, access, offset, bytes)?;
            host = rows.host[0];
            Ok(Action::Read(rows))
        });
        Ok((host, until?))
    };

    fn clEnqueueUnmapMemObject(
        queue: u64, memory: u64, host: u64, count: u32, list: u64, event: u64
    ) |state| {
        enqueue(state, queue, types::UNMAP_MEM_OBJECT, Waits { count, list, event }, false, |state, context| {
            own(state, memory, context)?;
            state.check_mapped(memory, host)?;
            Ok(Action::Unmap(memory, host))
        })
    };

    fn clEnqueueNDRangeKernel(
        queue: u64, kernel: u64, dimensions: u32, offset: u64, global: u64, local: u64, count: u32,
        list: u64, event: u64
    ) |state| {
        enqueue(state, queue, types::NDRANGE_KERNEL, Waits { count, list, event }, false, |state, context| {
            let program = state.kernel(kernel)?.program;
            if state.program(program)?.context != context {
                return Err(Status::INVALID_CONTEXT);
            }
            if !(1..=3).contains(&dimensions) {
                return Err(Status::INVALID_WORK_DIMENSION);
            }
            if global == 0 {
                return Err(Status::INVALID_GLOBAL_WORK_SIZE);
            }
            let global = sizes(state, global, dimensions, 1)?;
            if global.contains(&0) {
                return Err(Status::INVALID_GLOBAL_WORK_SIZE);
            }
            let offset = if offset == 0 { [0; 3] } else { sizes(state, offset, dimensions, 0)? };
            let local = if local == 0 { None } else { Some(sizes(state, local, dimensions, 1)?) };
            let range = Range { dimensions, offset, global, local };
            Ok(Action::Launch(Box::new(state.launched(kernel, &range)?)))
        })
    };

    fn clEnqueueTask(queue: u64, kernel: u64, count: u32, list: u64, event: u64) |state| {
        enqueue(state, queue, types::TASK, Waits { count, list, event }, false, |state, _| {
            let range = Range { dimensions: 1, offset: [0; 3], global: [1; 3], local: Some([1; 3]) };
            Ok(Action::Launch(Box::new(state.launched(kernel, &range)?)))
        })
    };

    fn clEnqueueMigrateMemObjects(
        queue: u64, count: u32, objects: u64, flags: u64, waits: u32, list: u64, event: u64
    ) |state| {
        let waits = Waits { count: waits, list, event };
        enqueue(state, queue, types::MIGRATE_MEM_OBJECTS, waits, false, |state, context| {
            if count == 0 || objects == 0 || flags & !3 != 0 {
                return Err(Status::INVALID_VALUE);
            }
            for memory in state.words(objects, count.into())? {
                own(state, memory, context)?;
            }
            Ok(Action::Point { waits_for_all: false, holds_back: false })
        })
    };

    fn clEnqueueMarker(queue: u64, event: u64) |state| {
        if event == 0 {
            return Err(Status::INVALID_VALUE);
        }
        point(state, queue, types::MARKER, Waits { count: 0, list: 0, event })
    };

    fn clEnqueueBarrier(queue: u64) |state| {
        point(state, queue, types::BARRIER, Waits { count: 0, list: 0, event: 0 })
    };

    fn clEnqueueWaitForEvents(queue: u64, count: u32, list: u64) |state| {
        if count == 0 || list == 0 {
            return Err(Status::INVALID_VALUE);
        }
        point(state, queue, types::BARRIER, Waits { count, list, event: 0 }).map_err(|error| {
            if error == Status::INVALID_EVENT_WAIT_LIST { Status::INVALID_EVENT } else { error }
        })
    };

    fn clEnqueueMarkerWithWaitList(queue: u64, count: u32, list: u64, event: u64) |state| {
        point(state, queue, types::MARKER, Waits { count, list, event })
    };

    fn clEnqueueBarrierWithWaitList(queue: u64, count: u32, list: u64, event: u64) |state| {
        point(state, queue, types::BARRIER, Waits { count, list, event })
    };

    fn clFlush(queue: u64) |state| state.queue(queue).map(|_| ());

    fn clFinish(queue: u64) |state| {
        state.queue(queue)?;
        Ok(Until::Finished(queue))
    };

    fn clWaitForEvents(count: u32, list: u64) |state| {
        if count == 0 || list == 0 {
            return Err(Status::INVALID_VALUE);
        }
        let events = state.wait_list(count, list, None).map_err(|_| Status::INVALID_EVENT)?;
        let contexts: Vec<Handle> =
            events.iter().filter_map(|event| Some(state.event(*event).ok()?.context)).collect();
        if contexts.windows(2).any(|two| two[0] != two[1]) {
            return Err(Status::INVALID_CONTEXT);
        }
        Ok(Until::AllComplete(events))
    };
}
