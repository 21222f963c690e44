//! Memory, copies, fills and arrays.

use super::driver;
use crate::abi::Address;
use crate::runtime::arrays::End;
use crate::runtime::copies::Rows;
use crate::runtime::driver::status::Status;
use crate::runtime::regions::Shape;
use std::ffi::c_int;

/// `cudaMemcpyHostToDevice` and the other directions.
const TO_DEVICE: i32 = 1;
const TO_HOST: i32 = 2;
const WITHIN: i32 = 3;
const ANY: i32 = 4;

fn line(address: u64) -> Rows {
    Rows::line(address)
}

fn bytes(count: usize) -> Shape {
    Shape::line(count as u64)
}

/// A position in the first row of an array.
fn array(handle: Address, offset: usize) -> End {
    End::Array(handle as u64, [offset as u64, 0, 0])
}

fn memory(address: u64) -> End {
    End::Memory(Rows::line(address))
}

driver! {
    Context cuMemAlloc_v2 = cuMemAlloc(out: Address, count: usize) |runtime, thread| {
        if count == 0 {
            return Err(Status::INVALID_VALUE);
        }
        runtime.malloc(thread, out as u64, count as u64)
    };
    Context cuMemAllocPitch_v2 = cuMemAllocPitch(out: Address, pitch: Address, width: usize, height: usize,
        element: u32) |runtime, thread| runtime.alloc_pitch(
            thread, (out as u64, pitch as u64), (width as u64, height as u64), element);
    Context cuMemAllocManaged(out: Address, count: usize, flags: u32) |runtime, thread| {
        if count == 0 {
            return Err(Status::INVALID_VALUE);
        }
        runtime.malloc_managed(thread, out as u64, count as u64, flags)
    };
    Context cuMemFree_v2 = cuMemFree(ptr: u64) |runtime, thread| runtime.free(thread, ptr);
    Context cuMemGetInfo_v2 = cuMemGetInfo(free: Address, total: Address) |runtime, thread|
        runtime.mem_info(thread, free as u64, total as u64);
    Context cuMemGetAddressRange_v2 = cuMemGetAddressRange(base: Address, count: Address, ptr: u64)
        |runtime, thread| runtime.address_range(thread, base as u64, count as u64, ptr);
    Context cuMemAllocHost_v2 = cuMemAllocHost(out: Address, count: usize) |runtime, thread|
        runtime.host_alloc(thread, out as u64, count as u64, 0);
    Context cuMemHostAlloc(out: Address, count: usize, flags: u32) |runtime, thread|
        runtime.host_alloc(thread, out as u64, count as u64, flags);
    Context cuMemFreeHost(ptr: Address) |runtime, thread| runtime.free_host(thread, ptr as u64);
    Context cuMemHostRegister_v2 = cuMemHostRegister(ptr: Address, count: usize, flags: u32) |runtime, thread|
        runtime.host_register(thread, ptr as u64, count as u64, flags);
    Context cuMemHostUnregister(ptr: Address) |runtime, thread| runtime.host_unregister(thread, ptr as u64);
    Context cuMemHostGetDevicePointer_v2 = cuMemHostGetDevicePointer(out: Address, ptr: Address, flags: u32)
        |runtime, thread| runtime.host_pointer_of(thread, out as u64, ptr as u64, flags);
    Context cuMemHostGetFlags(out: Address, ptr: Address) |runtime, thread|
        runtime.host_flags(thread, out as u64, ptr as u64);
    Context cuMemPrefetchAsync(ptr: u64, count: usize, device: c_int, stream: Address) |runtime, thread|
        runtime.advise(thread, ptr, count as u64);
    Context cuMemAdvise(ptr: u64, count: usize, advice: c_int, device: c_int) |runtime, thread| {
        if !(1..=6).contains(&advice) {
            return Err(Status::INVALID_VALUE);
        }
        runtime.advise(thread, ptr, count as u64)
    };

    Context cuMemcpy(to: u64, from: u64, count: usize) |runtime, thread|
        runtime.copy(thread, line(to), line(from), bytes(count), ANY, 0);
    Context cuMemcpyAsync(to: u64, from: u64, count: usize, stream: Address) |runtime, thread|
        runtime.copy(thread, line(to), line(from), bytes(count), ANY, stream as u64);
    Context cuMemcpyHtoD_v2 = cuMemcpyHtoD(to: u64, from: Address, count: usize) |runtime, thread|
        runtime.copy(thread, line(to), line(from as u64), bytes(count), TO_DEVICE, 0);
    Context cuMemcpyHtoDAsync_v2 = cuMemcpyHtoDAsync(to: u64, from: Address, count: usize, stream: Address)
        |runtime, thread|
            runtime.copy(thread, line(to), line(from as u64), bytes(count), TO_DEVICE, stream as u64);
    Context cuMemcpyDtoH_v2 = cuMemcpyDtoH(to: Address, from: u64, count: usize) |runtime, thread|
        runtime.copy(thread, line(to as u64), line(from), bytes(count), TO_HOST, 0);
    Context cuMemcpyDtoHAsync_v2 = cuMemcpyDtoHAsync(to: Address, from: u64, count: usize, stream: Address)
        |runtime, thread|
            runtime.copy(thread, line(to as u64), line(from), bytes(count), TO_HOST, stream as u64);
    Context cuMemcpyDtoD_v2 = cuMemcpyDtoD(to: u64, from: u64, count: usize) |runtime, thread|
        runtime.copy(thread, line(to), line(from), bytes(count), WITHIN, 0);
    Context cuMemcpyDtoDAsync_v2 = cuMemcpyDtoDAsync(to: u64, from: u64, count: usize, stream: Address)
        |runtime, thread| runtime.copy(thread, line(to), line(from), bytes(count), WITHIN, stream as u64);
    Context cuMemcpyPeer(to: u64, to_context: Address, from: u64, from_context: Address, count: usize)
        |runtime, thread| runtime.cu_copy_peer(
            thread, (to, to_context as u64), (from, from_context as u64), count as u64, 0);
    Context cuMemcpyPeerAsync(to: u64, to_context: Address, from: u64, from_context: Address, count: usize,
        stream: Address) |runtime, thread| runtime.cu_copy_peer(
            thread, (to, to_context as u64), (from, from_context as u64), count as u64, stream as u64);
    Context cuMemcpyDtoA_v2 = cuMemcpyDtoA(to: Address, offset: usize, from: u64, count: usize)
        |runtime, thread| runtime.copy_array_bytes(
            thread, array(to, offset), memory(from), count as u64, WITHIN, 0);
    Context cuMemcpyAtoD_v2 = cuMemcpyAtoD(to: u64, from: Address, offset: usize, count: usize)
        |runtime, thread| runtime.copy_array_bytes(
            thread, memory(to), array(from, offset), count as u64, WITHIN, 0);
    Context cuMemcpyHtoA_v2 = cuMemcpyHtoA(to: Address, offset: usize, from: Address, count: usize)
        |runtime, thread| runtime.copy_array_bytes(
            thread, array(to, offset), memory(from as u64), count as u64, TO_DEVICE, 0);
    Context cuMemcpyAtoH_v2 = cuMemcpyAtoH(to: Address, from: Address, offset: usize, count: usize)
        |runtime, thread| runtime.copy_array_bytes(
            thread, memory(to as u64), array(from, offset), count as u64, TO_HOST, 0);
    Context cuMemcpyHtoAAsync_v2 = cuMemcpyHtoAAsync(to: Address, offset: usize, from: Address, count: usize,
        stream: Address) |runtime, thread| runtime.copy_array_bytes(
            thread, array(to, offset), memory(from as u64), count as u64, TO_DEVICE, stream as u64);
    Context cuMemcpyAtoHAsync_v2 = cuMemcpyAtoHAsync(to: Address, from: Address, offset: usize, count: usize,
        stream: Address) |runtime, thread| runtime.copy_array_bytes(
            thread, memory(to as u64), array(from, offset), count as u64, TO_HOST, stream as u64);
    Context cuMemcpyAtoA_v2 = cuMemcpyAtoA(to: Address, to_offset: usize, from: Address, offset: usize,
        count: usize) |runtime, thread| runtime.copy_array_bytes(
            thread, array(to, to_offset), array(from, offset), count as u64, WITHIN, 0);
    Context cuMemcpy2D_v2 = cuMemcpy2D(parameters: Address) |runtime, thread|
        runtime.cu_copy_2d(thread, parameters as u64, 0);
    Context cuMemcpy2DUnaligned_v2 = cuMemcpy2DUnaligned(parameters: Address) |runtime, thread|
        runtime.cu_copy_2d(thread, parameters as u64, 0);
    Context cuMemcpy2DAsync_v2 = cuMemcpy2DAsync(parameters: Address, stream: Address) |runtime, thread|
        runtime.cu_copy_2d(thread, parameters as u64, stream as u64);
    Context cuMemcpy3D_v2 = cuMemcpy3D(parameters: Address) |runtime, thread|
        runtime.cu_copy_3d(thread, parameters as u64, 0, false);
    Context cuMemcpy3DAsync_v2 = cuMemcpy3DAsync(parameters: Address, stream: Address) |runtime, thread|
        runtime.cu_copy_3d(thread, parameters as u64, stream as u64, false);
    Context cuMemcpy3DPeer(parameters: Address) |runtime, thread|
        runtime.cu_copy_3d(thread, parameters as u64, 0, true);
    Context cuMemcpy3DPeerAsync(parameters: Address, stream: Address) |runtime, thread|
        runtime.cu_copy_3d(thread, parameters as u64, stream as u64, true);

    Context cuMemsetD8_v2 = cuMemsetD8(to: u64, value: u8, count: usize) |runtime, thread|
        runtime.set_memory(thread, line(to), &[value], (count as u64, 1), 0);
    Context cuMemsetD16_v2 = cuMemsetD16(to: u64, value: u16, count: usize) |runtime, thread|
        runtime.set_memory(thread, line(to), &value.to_le_bytes(), (count as u64, 1), 0);
    Context cuMemsetD32_v2 = cuMemsetD32(to: u64, value: u32, count: usize) |runtime, thread|
        runtime.set_memory(thread, line(to), &value.to_le_bytes(), (count as u64, 1), 0);
    Context cuMemsetD2D8_v2 = cuMemsetD2D8(to: u64, pitch: usize, value: u8, width: usize, height: usize)
        |runtime, thread| runtime.set_memory(
            thread, Rows::plane(to, pitch as u64), &[value], (width as u64, height as u64), 0);
    Context cuMemsetD2D16_v2 = cuMemsetD2D16(to: u64, pitch: usize, value: u16, width: usize, height: usize)
        |runtime, thread| runtime.set_memory(thread, Rows::plane(to, pitch as u64),
            &value.to_le_bytes(), (width as u64, height as u64), 0);
    Context cuMemsetD2D32_v2 = cuMemsetD2D32(to: u64, pitch: usize, value: u32, width: usize, height: usize)
        |runtime, thread| runtime.set_memory(thread, Rows::plane(to, pitch as u64),
            &value.to_le_bytes(), (width as u64, height as u64), 0);
    Context cuMemsetD8Async(to: u64, value: u8, count: usize, stream: Address) |runtime, thread|
        runtime.set_memory(thread, line(to), &[value], (count as u64, 1), stream as u64);
    Context cuMemsetD16Async(to: u64, value: u16, count: usize, stream: Address) |runtime, thread|
        runtime.set_memory(thread, line(to), &value.to_le_bytes(), (count as u64, 1), stream as u64);
    Context cuMemsetD32Async(to: u64, value: u32, count: usize, stream: Address) |runtime, thread|
        runtime.set_memory(thread, line(to), &value.to_le_bytes(), (count as u64, 1), stream as u64);
    Context cuMemsetD2D8Async(to: u64, pitch: usize, value: u8, width: usize, height: usize, stream: Address)
        |runtime, thread| runtime.set_memory(
            thread, Rows::plane(to, pitch as u64), &[value], (width as u64, height as u64), stream as u64);
    Context cuMemsetD2D16Async(to: u64, pitch: usize, value: u16, width: usize, height: usize,
        stream: Address) |runtime, thread| runtime.set_memory(thread, Rows::plane(to, pitch as u64),
            &value.to_le_bytes(), (width as u64, height as u64), stream as u64);
    Context cuMemsetD2D32Async(to: u64, pitch: usize, value: u32, width: usize, height: usize,
        stream: Address) |runtime, thread| runtime.set_memory(thread, Rows::plane(to, pitch as u64),
            &value.to_le_bytes(), (width as u64, height as u64), stream as u64);

    Context cuArrayCreate_v2 = cuArrayCreate(out: Address, descriptor: Address) |runtime, thread|
        runtime.cu_array_create(thread, out as u64, descriptor as u64, false);
    Context cuArrayGetDescriptor_v2 = cuArrayGetDescriptor(out: Address, handle: Address) |runtime, thread|
        runtime.cu_array_descriptor(thread, out as u64, handle as u64, false);
    Context cuArray3DCreate_v2 = cuArray3DCreate(out: Address, descriptor: Address) |runtime, thread|
        runtime.cu_array_create(thread, out as u64, descriptor as u64, true);
    Context cuArray3DGetDescriptor_v2 = cuArray3DGetDescriptor(out: Address, handle: Address)
        |runtime, thread| runtime.cu_array_descriptor(thread, out as u64, handle as u64, true);
    Context cuArrayDestroy(handle: Address) |runtime, thread| {
        if handle == 0 {
            return Err(Status::INVALID_HANDLE);
        }
        runtime.free_array(thread, handle as u64)
    };
}
