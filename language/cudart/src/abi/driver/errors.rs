//! Initialization, versions, errors, and the profiler.

use super::driver;
use crate::abi::Address;
use crate::runtime::Runtime;
use crate::runtime::attributes::VERSION;
use crate::runtime::driver::Done;
use crate::runtime::driver::status::Status;
use std::ffi::c_int;

/// Writes the address of a text, or null and an error for an unknown number.
fn text(runtime: &Runtime, out: Address, text: Option<&'static str>) -> Done {
    runtime.put_word(out as u64, text.map_or(0, |text| text.as_ptr() as u64))?;
    if text.is_some() { Ok(()) } else { Err(Status::INVALID_VALUE) }
}

driver! {
    Any cuInit(flags: u32) |runtime, thread| runtime.cu_init(flags);
    Any cuDriverGetVersion(out: Address) |runtime, thread| runtime.put_int(out as u64, VERSION);
    Any cuGetErrorName(status: c_int, out: Address) |runtime, thread|
        text(runtime, out, Status(status).texts().map(|(name, _)| name));
    Any cuGetErrorString(status: c_int, out: Address) |runtime, thread|
        text(runtime, out, Status(status).texts().map(|(_, text)| text));
    Context cuProfilerInitialize(config: Address, output: Address, mode: c_int) |runtime, thread| Done::Ok(());
    Context cuProfilerStart() |runtime, thread| Done::Ok(());
    Context cuProfilerStop() |runtime, thread| Done::Ok(());
}
