//! Streams, events and callbacks.

use super::{call, driver};
use crate::abi::Address;
use crate::abi::streams::Callback;
use crate::runtime::driver::contexts::Need;
use crate::runtime::driver::status::Status;
use std::ffi::c_int;

/// Names of the other functions of this file.
pub const OTHERS: &[&str] = &["cuStreamAddCallback"];

driver! {
    Context cuStreamCreate(out: Address, flags: u32) |runtime, thread|
        runtime.stream_create(thread, out as u64, flags, 0);
    Context cuStreamCreateWithPriority(out: Address, flags: u32, priority: c_int) |runtime, thread|
        runtime.stream_create(thread, out as u64, flags, priority);
    Context cuStreamGetPriority(stream: Address, out: Address) |runtime, thread|
        runtime.stream_property(thread, stream as u64, out as u64, true);
    Context cuStreamGetFlags(stream: Address, out: Address) |runtime, thread|
        runtime.stream_property(thread, stream as u64, out as u64, false);
    Context cuStreamDestroy_v2 = cuStreamDestroy(stream: Address) |runtime, thread|
        runtime.stream_destroy(thread, stream as u64);
    Context cuStreamWaitEvent(stream: Address, event: Address, flags: u32) |runtime, thread|
        runtime.stream_wait(thread, stream as u64, event as u64, flags);
    Context cuStreamSynchronize(stream: Address) |runtime, thread|
        runtime.stream_synchronize(thread, stream as u64);
    Context cuStreamQuery(stream: Address) |runtime, thread|
        runtime.stream_synchronize(thread, stream as u64);
    Context cuStreamAttachMemAsync(stream: Address, ptr: u64, count: usize, flags: u32) |runtime, thread|
        runtime.advise(thread, ptr, count as u64);
    Context cuEventCreate(out: Address, flags: u32) |runtime, thread|
        runtime.event_create(thread, out as u64, flags);
    Context cuEventRecord(event: Address, stream: Address) |runtime, thread|
        runtime.event_record(thread, event as u64, stream as u64);
    Context cuEventQuery(event: Address) |runtime, thread| runtime.event_synchronize(thread, event as u64);
    Context cuEventSynchronize(event: Address) |runtime, thread|
        runtime.event_synchronize(thread, event as u64);
    Context cuEventDestroy_v2 = cuEventDestroy(event: Address) |runtime, thread|
        runtime.event_destroy(thread, event as u64);
    Context cuEventElapsedTime(out: Address, from: Address, to: Address) |runtime, thread|
        runtime.elapsed(thread, out as u64, from as u64, to as u64);
}

/// `cuStreamAddCallback`: all earlier calls of the stream have been executed, so that the thread
/// runs the callback now. It may call the API.
#[cfg_attr(not(target_arch = "wasm32"), unsafe(no_mangle))]
pub extern "C" fn cuStreamAddCallback(
    stream: Address,
    callback: Callback,
    data: Address,
    flags: u32,
) -> c_int {
    let valid = callback.filter(|_| flags == 0);
    let result = call("cuStreamAddCallback", Need::Context, &mut |runtime, thread| {
        valid.ok_or(Status::INVALID_VALUE)?;
        Ok(runtime.stream_synchronize(thread, stream as u64)?)
    });
    if let Some(callback) = valid.filter(|_| result == Status::SUCCESS.0) {
        callback(stream, result, data);
    }
    result
}
