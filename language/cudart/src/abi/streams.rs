//! Streams, events and callbacks.

use super::{Address, api, call};
use crate::runtime::error::Error;
use std::ffi::c_int;

/// `cudaHostFn_t`.
pub type HostFunction = Option<extern "C" fn(data: Address)>;

/// `cudaStreamCallback_t`.
pub type Callback = Option<extern "C" fn(stream: Address, status: c_int, data: Address)>;

api! {
    fn cudaStreamCreate(out: Address) |runtime, thread| runtime.stream_create(thread, out as u64, 0, 0);
    fn cudaStreamCreateWithFlags(out: Address, flags: u32) |runtime, thread|
        runtime.stream_create(thread, out as u64, flags, 0);
    fn cudaStreamCreateWithPriority(out: Address, flags: u32, priority: c_int) |runtime, thread|
        runtime.stream_create(thread, out as u64, flags, priority);
    fn cudaStreamGetPriority(stream: Address, out: Address) |runtime, thread|
        runtime.stream_property(thread, stream as u64, out as u64, true);
    fn cudaStreamGetFlags(stream: Address, out: Address) |runtime, thread|
        runtime.stream_property(thread, stream as u64, out as u64, false);
    fn cudaStreamDestroy(stream: Address) |runtime, thread| runtime.stream_destroy(thread, stream as u64);
    fn cudaStreamWaitEvent(stream: Address, event: Address, flags: u32) |runtime, thread|
        runtime.stream_wait(thread, stream as u64, event as u64, flags);
    fn cudaStreamSynchronize(stream: Address) |runtime, thread|
        runtime.stream_synchronize(thread, stream as u64);
    fn cudaStreamQuery(stream: Address) |runtime, thread| runtime.stream_synchronize(thread, stream as u64);
    fn cudaEventCreate(out: Address) |runtime, thread| runtime.event_create(thread, out as u64, 0);
    fn cudaEventCreateWithFlags(out: Address, flags: u32) |runtime, thread|
        runtime.event_create(thread, out as u64, flags);
    fn cudaEventRecord(event: Address, stream: Address) |runtime, thread|
        runtime.event_record(thread, event as u64, stream as u64);
    fn cudaEventQuery(event: Address) |runtime, thread| runtime.event_synchronize(thread, event as u64);
    fn cudaEventSynchronize(event: Address) |runtime, thread| runtime.event_synchronize(thread, event as u64);
    fn cudaEventDestroy(event: Address) |runtime, thread| runtime.event_destroy(thread, event as u64);
    fn cudaEventElapsedTime(out: Address, from: Address, to: Address) |runtime, thread|
        runtime.elapsed(thread, out as u64, from as u64, to as u64);
}

/// `cudaStreamAddCallback`: all earlier calls of the stream have been executed, so that the thread
/// runs the callback now. It may call the API.
#[cfg_attr(not(target_arch = "wasm32"), unsafe(no_mangle))]
pub extern "C" fn cudaStreamAddCallback(
    stream: Address,
    callback: Callback,
    data: Address,
    flags: u32,
) -> c_int {
    let valid = callback.filter(|_| flags == 0);
    let result = call("cudaStreamAddCallback", &mut |runtime, thread| {
        valid.ok_or(Error::INVALID_VALUE)?;
        runtime.stream_synchronize(thread, stream as u64)
    });
    if let Some(callback) = valid.filter(|_| result == Error::SUCCESS.0) {
        callback(stream, result, data);
    }
    result
}

/// `cudaLaunchHostFunc`: a callback without a status, likewise.
#[cfg_attr(not(target_arch = "wasm32"), unsafe(no_mangle))]
pub extern "C" fn cudaLaunchHostFunc(stream: Address, function: HostFunction, data: Address) -> c_int {
    let result = call("cudaLaunchHostFunc", &mut |runtime, thread| {
        function.ok_or(Error::INVALID_VALUE)?;
        runtime.stream_synchronize(thread, stream as u64)
    });
    if let Some(function) = function.filter(|_| result == Error::SUCCESS.0) {
        function(data);
    }
    result
}
