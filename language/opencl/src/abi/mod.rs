//! The exported functions and the dispatch table of the ICD. Pointers are numbers here, too.
//!
//! One lock guards the state. It is free while a function of the host program runs, and while a
//! call waits for an event.

#![expect(
    unsafe_code,
    reason = "exported names and functions of the host program: docs/decisions/0019-unsafe-code-at-the-c-abi.md"
)]

mod table;

use crate::calls::{Reply, Until};
use crate::objects::{Callback, Handle, State};
use crate::status::{Done, Status};
use std::ffi::c_int;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use warpsim_cuda::abi::host::{self, Memory};
use warpsim_cuda::abi::settings;
use warpsim_cuda::runtime::Runtime;
use warpsim_cuda::runtime::images::Images;

/// The state, which one thread at a time uses.
struct Shared(Option<State>);

// SAFETY: `Gpu` is not `Send` because it can have callbacks and a user's scheduling policy. This
// library sets none of them, so the state has no data that belongs to a thread.
unsafe impl Send for Shared {}

static STATE: Mutex<Shared> = Mutex::new(Shared(None));

/// Notified when a call may have completed an event.
static CHANGED: Condvar = Condvar::new();

/// Makes a handle: memory whose first word is the dispatch table. It is never freed, so that a
/// handle of a removed object is no handle of another one.
fn new_handle() -> Handle {
    let object: &'static [usize; 2] = Box::leak(Box::new([table::address(), 0]));
    object.as_ptr() as u64
}

fn lock() -> MutexGuard<'static, Shared> {
    STATE.lock().unwrap_or_else(PoisonError::into_inner)
}

fn started(shared: &mut Shared) -> &mut State {
    shared.0.get_or_insert_with(|| {
        host::at_exit(finish);
        let runtime = Runtime::new(settings().clone(), Box::new(Memory), Images::default());
        State::new(runtime, Box::new(new_handle))
    })
}

/// Runs a call, then prints its messages and calls the functions of the host program.
fn with<T>(work: impl FnOnce(&mut State) -> Done<T>) -> Done<T> {
    settings();
    let result = catch_unwind(AssertUnwindSafe(|| {
        let mut shared = lock();
        let state = started(&mut shared);
        let result = work(state);
        after(state, result)
    }));
    let Ok((result, told)) = result else { return Err(Status::OUT_OF_RESOURCES) };
    CHANGED.notify_all();
    told.tell();
    result
}

/// What a call leaves for the time when the state is free.
struct Told {
    output: Option<String>,
    notes: Vec<String>,
    callbacks: Vec<Callback>,
}

fn after<T>(state: &mut State, result: Done<T>) -> (Done<T>, Told) {
    let output = state.runtime.notes.take_output();
    let notes = state.runtime.notes.take().into_iter().map(|note| note.text).collect();
    (result, Told { output, notes, callbacks: std::mem::take(&mut state.callbacks) })
}

impl Told {
    fn tell(self) {
        if let Some(output) = self.output {
            host::print(&output);
        }
        if !self.notes.is_empty() {
            host::flush();
        }
        self.notes.iter().for_each(|note| eprintln!("{note}"));
        self.callbacks.into_iter().for_each(call_back);
    }
}

/// Calls a function of the host program.
fn call_back(callback: Callback) {
    // SAFETY: the host program has given the address as that of a function of this type.
    unsafe {
        match callback {
            Callback::Event(function, event, status, data) => {
                let function: extern "C" fn(Handle, c_int, u64) = std::mem::transmute(function as usize);
                function(event, status, data);
            }
            Callback::Memory(function, object, data) | Callback::Program(function, object, data) => {
                let function: extern "C" fn(Handle, u64) = std::mem::transmute(function as usize);
                function(object, data);
            }
        }
    }
}

/// Runs a call, and waits until it can return.
fn complete<T: Into<Reply>>(work: impl FnOnce(&mut State) -> Done<T>) -> Done<u64> {
    let Reply { value, until } = with(|state| work(state).map(Into::into))?;
    if until == Until::Now {
        return Ok(value);
    }
    let reached = wait(|state| state.is_reached(&until));
    reached.and(with(|state| state.end_wait(&until))).map(|()| value)
}

/// A call that returns a status.
pub(crate) fn call<T: Into<Reply>>(work: impl FnOnce(&mut State) -> Done<T>) -> c_int {
    complete(work).err().unwrap_or(Status::SUCCESS).0
}

/// A call that returns a handle or an address, and writes its status to `error`.
pub(crate) fn create<T: Into<Reply>>(error: u64, work: impl FnOnce(&mut State) -> Done<T>) -> u64 {
    let result = complete(work);
    with(|state| state.reported(error, result)).unwrap_or(0)
}

/// Waits until `is_done`.
fn wait(mut is_done: impl FnMut(&mut State) -> Done<bool>) -> Done {
    loop {
        if with(&mut is_done)? {
            return Ok(());
        }
        // Another thread completes the event; a missed notification costs a hundredth of a second.
        let shared = lock();
        let _ = CHANGED.wait_timeout(shared, std::time::Duration::from_millis(10));
    }
}

extern "C" fn finish() {
    let Ok(mut shared) = STATE.try_lock() else { return };
    let Some(state) = &mut shared.0 else { return };
    state.runtime.finish();
    if let Some(output) = state.runtime.notes.take_output() {
        host::print(&output);
    }
    host::flush();
    for note in state.runtime.notes.take() {
        eprintln!("{}", note.text);
    }
    for line in state.runtime.close() {
        eprintln!("{line}");
    }
}
