//! The end of the host program: the last output of kernels, the record, and one line.

use super::{STATE, Shared, State, host, is_forked};
use crate::runtime::Runtime;
use std::sync::{MutexGuard, TryLockError};
use std::time::Duration;

/// How often the end of a call of another thread is waited for, and the time between.
const TRIES: usize = 200;
const PAUSE: Duration = Duration::from_millis(10);

/// Registers the end of the program. Called once, by the first call.
pub(super) fn register() {
    // SAFETY: `finish` is a function without parameters that does not unwind.
    let _ = unsafe { host::atexit(finish) };
}

extern "C" fn finish() {
    if is_forked() {
        return;
    }
    let Some(mut state) = try_lock() else { return };
    let State { runtime, .. } = &mut state.0;
    if let Some(runtime) = runtime {
        end(runtime);
    }
}

/// Locks the state. Another thread may be in a long launch, which no longer matters.
fn try_lock() -> Option<MutexGuard<'static, Shared>> {
    for _ in 0..TRIES {
        match STATE.try_lock() {
            Ok(state) => return Some(state),
            Err(TryLockError::Poisoned(state)) => return Some(state.into_inner()),
            Err(TryLockError::WouldBlock) => std::thread::sleep(PAUSE),
        }
    }
    None
}

fn end(runtime: &mut Runtime) {
    runtime.finish();
    if let Some(output) = runtime.notes.take_output() {
        host::print(&output);
    }
    host::flush();
    for note in runtime.notes.take() {
        eprintln!("{}", note.text);
    }
    for line in runtime.close() {
        eprintln!("{line}");
    }
}
