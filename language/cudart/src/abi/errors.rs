//! Errors, and the versions of the API.

use super::{Address, api, on_thread, run};
use crate::runtime::Runtime;
use crate::runtime::attributes::VERSION;
use crate::runtime::error::{Error, Outcome};
use crate::runtime::thread::Thread;
use std::ffi::{c_char, c_int};

/// Names of the other functions of this file.
pub const OTHERS: &[&str] =
    &["cudaGetErrorName", "cudaGetErrorString", "cudaGetLastError", "cudaPeekAtLastError"];

api! {
    fn cudaDriverGetVersion(version: Address) |runtime, thread| runtime.put_int(version as u64, VERSION);
    fn cudaRuntimeGetVersion(version: Address) |runtime, thread| runtime.put_int(version as u64, VERSION);
}

/// Returns the last error of a thread, or that of a launch on its device.
fn last(thread: &mut Thread, read: fn(&mut Runtime, &mut Thread) -> Error) -> Error {
    let mut last = thread.last;
    // A fork has no device.
    let result: Outcome = run(thread, |runtime, thread| {
        last = read(runtime, thread);
        Ok(())
    });
    if last == Error::SUCCESS { result.err().unwrap_or(last) } else { last }
}

/// `cudaGetLastError`
#[cfg_attr(not(target_arch = "wasm32"), unsafe(no_mangle))]
pub extern "C" fn cudaGetLastError() -> c_int {
    on_thread(|thread| {
        let error = last(thread, Runtime::take_last_error);
        thread.last = Error::SUCCESS;
        error.0
    })
}

/// `cudaPeekAtLastError`
#[cfg_attr(not(target_arch = "wasm32"), unsafe(no_mangle))]
pub extern "C" fn cudaPeekAtLastError() -> c_int {
    on_thread(|thread| last(thread, |runtime, thread| runtime.last_error(thread)).0)
}

/// `cudaGetErrorName`
#[cfg_attr(not(target_arch = "wasm32"), unsafe(no_mangle))]
pub extern "C" fn cudaGetErrorName(error: c_int) -> *const c_char {
    Error(error).texts().map_or("unrecognized error code\0", |(name, _)| name).as_ptr().cast()
}

/// `cudaGetErrorString`
#[cfg_attr(not(target_arch = "wasm32"), unsafe(no_mangle))]
pub extern "C" fn cudaGetErrorString(error: c_int) -> *const c_char {
    Error(error).texts().map_or("unrecognized error code\0", |(_, text)| text).as_ptr().cast()
}
