//! Allocation of device memory and of host memory.

use super::structs::Extent;
use super::{Address, api};
use crate::runtime::Runtime;
use crate::runtime::error::Error;
use std::ffi::c_int;

/// Reads `value` of a range of managed memory: no advice has an effect, so that the number of the
/// preferred and the last device is `cudaInvalidDeviceId`.
fn range_attribute(runtime: &Runtime, data: u64, bytes: u64, attribute: c_int) -> Result<(), Error> {
    match (attribute, bytes) {
        (1, 4) => runtime.put_int(data, 0),
        (2 | 4, 4) => runtime.put_int(data, -2),
        (3, bytes) if bytes % 4 == 0 && (4..=1024).contains(&bytes) => {
            runtime.put(data, &(-2_i32).to_le_bytes().repeat(bytes as usize / 4))
        }
        _ => Err(Error::INVALID_VALUE),
    }
}

api! {
    fn cudaMalloc(out: Address, bytes: usize) |runtime, thread| runtime.malloc(thread, out as u64, bytes as u64);
    fn cudaMallocPitch(out: Address, pitch: Address, width: usize, height: usize) |runtime, thread| {
        runtime.put_word(pitch as u64, 0)?;
        let bytes = runtime.malloc_pitch(thread, out as u64, width as u64, height as u64)?;
        runtime.put_word(pitch as u64, bytes)
    };
    fn cudaMalloc3D(out: Address, extent: Extent) |runtime, thread| {
        let [width, height, depth] = extent.sizes();
        let rows = height.checked_mul(depth).ok_or(Error::MEMORY_ALLOCATION)?;
        runtime.put(out as u64, &[0; 32])?;
        let pitch = runtime.malloc_pitch(thread, out as u64, width, rows)?;
        for (at, value) in [(8, pitch), (16, width), (24, height)] {
            runtime.put_word(out as u64 + at, value)?;
        }
        Ok(())
    };
    fn cudaMallocManaged(out: Address, bytes: usize, flags: u32) |runtime, thread|
        runtime.malloc_managed(thread, out as u64, bytes as u64, flags);
    fn cudaFree(ptr: Address) |runtime, thread| runtime.free(thread, ptr as u64);
    fn cudaMallocHost(out: Address, bytes: usize) |runtime, thread|
        runtime.host_alloc(thread, out as u64, bytes as u64, 0);
    fn cudaHostAlloc(out: Address, bytes: usize, flags: u32) |runtime, thread|
        runtime.host_alloc(thread, out as u64, bytes as u64, flags);
    fn cudaFreeHost(ptr: Address) |runtime, thread| runtime.free_host(thread, ptr as u64);
    fn cudaHostRegister(ptr: Address, bytes: usize, flags: u32) |runtime, thread|
        runtime.host_register(thread, ptr as u64, bytes as u64, flags);
    fn cudaHostUnregister(ptr: Address) |runtime, thread| runtime.host_unregister(thread, ptr as u64);
    fn cudaHostGetDevicePointer(out: Address, ptr: Address, flags: u32) |runtime, thread|
        runtime.host_pointer_of(thread, out as u64, ptr as u64, flags);
    fn cudaHostGetFlags(out: Address, ptr: Address) |runtime, thread|
        runtime.host_flags(thread, out as u64, ptr as u64);
    fn cudaMemGetInfo(free: Address, total: Address) |runtime, thread|
        runtime.mem_info(thread, free as u64, total as u64);
    fn cudaPointerGetAttributes(out: Address, ptr: Address) |runtime, thread|
        runtime.pointer_attributes(thread, out as u64, ptr as u64);
    fn cudaMemPrefetchAsync(ptr: Address, bytes: usize, device: c_int, stream: Address) |runtime, thread|
        runtime.advise(thread, ptr as u64, bytes as u64);
    fn cudaMemAdvise(ptr: Address, bytes: usize, advice: c_int, device: c_int) |runtime, thread| {
        if (1..=6).contains(&advice) { Ok(()) } else { Err(Error::INVALID_VALUE) }?;
        runtime.advise(thread, ptr as u64, bytes as u64)
    };
    fn cudaMemRangeGetAttribute(data: Address, size: usize, attribute: c_int, ptr: Address, bytes: usize)
        |runtime, thread| {
        runtime.advise(thread, ptr as u64, bytes as u64)?;
        range_attribute(runtime, data as u64, size as u64, attribute)
    };
    fn cudaStreamAttachMemAsync(stream: Address, ptr: Address, bytes: usize, flags: u32) |runtime, thread|
        runtime.advise(thread, ptr as u64, bytes as u64);
}
