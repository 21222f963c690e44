//! Runs work without the lock of the interpreter, in a thread that the user can interrupt.

use crate::errors::{InternalError, error};
use pyo3::prelude::*;
use sim_core::host::{Monitor, StopReason};
use std::any::Any;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

/// Time between two questions whether the user has pressed Ctrl-C.
const TICK: Duration = Duration::from_millis(50);
/// Bytes of the stack: the compilers are recursive, and threads of Python may have small stacks.
const STACK: usize = 64 << 20;

/// Runs `work` to its end; other threads of Python run meanwhile. After Ctrl-C the flag is set, and
/// `work` ends soon.
///
/// # Errors
///
/// `KeyboardInterrupt`, or [`InternalError`] after a panic.
pub fn run<T: Send>(py: Python<'_>, work: impl FnOnce(&Arc<AtomicBool>) -> T + Send) -> PyResult<T> {
    let stop = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&stop);
    py.detach(move || {
        thread::scope(|scope| {
            let (running, ended) = channel::<()>();
            let worker = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, move || {
                let _running = running;
                work(&flag)
            })?;
            let mut interrupted = None;
            while ended.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout) {
                if interrupted.is_none() {
                    interrupted = Python::attach(|py| py.check_signals().err());
                    stop.store(interrupted.is_some(), Ordering::Relaxed);
                }
            }
            let result = worker.join().map_err(|panic| error::<InternalError>(&reason(&*panic)));
            interrupted.map_or(result, Err)
        })
    })
}

/// Returns a monitor of a GPU that ends launches after Ctrl-C.
pub fn monitor(stop: &Arc<AtomicBool>) -> Monitor {
    let flag = Arc::clone(stop);
    Box::new(move |_| {
        if flag.load(Ordering::Relaxed) {
            ControlFlow::Break(StopReason::Interrupted)
        } else {
            ControlFlow::Continue(())
        }
    })
}

/// Returns the message of a panic.
fn reason(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("unknown");
    format!("the simulator has stopped because of a defect: {text}")
}
