//! Devices, pointers, and several devices.

use super::driver;
use crate::abi::Address;
use crate::abi::structs::Handle;
use crate::runtime::driver::Done;
use crate::runtime::driver::status::Status;
use std::ffi::c_int;

driver! {
    Init cuDeviceGet(out: Address, number: c_int) |runtime, thread| runtime.cu_device(out as u64, number);
    Init cuDeviceGetCount(out: Address) |runtime, thread| runtime.device_count(out as u64);
    Init cuDeviceGetName(out: Address, length: c_int, device: c_int) |runtime, thread|
        runtime.device_name(out as u64, length, device);
    Init cuDeviceGetAttribute(out: Address, attribute: c_int, device: c_int) |runtime, thread|
        runtime.device_attribute(out as u64, attribute, device);
    Init cuDeviceComputeCapability(major: Address, minor: Address, device: c_int) |runtime, thread|
        runtime.device_capability(major as u64, minor as u64, device);
    Init cuDeviceTotalMem_v2 = cuDeviceTotalMem(out: Address, device: c_int) |runtime, thread|
        runtime.device_memory(out as u64, device);
    Init cuDeviceGetProperties(out: Address, device: c_int) |runtime, thread|
        runtime.cu_properties(out as u64, device);
    Init cuDeviceGetByPCIBusId(out: Address, text: Address) |runtime, thread|
        runtime.by_bus_id(out as u64, text as u64);
    Init cuDeviceGetPCIBusId(out: Address, length: c_int, device: c_int) |runtime, thread|
        runtime.bus_id(out as u64, length, device);
    Init cuDeviceCanAccessPeer(out: Address, device: c_int, peer: c_int) |runtime, thread|
        runtime.can_access_peer(out as u64, device, peer);
    Init cuDeviceGetP2PAttribute(out: Address, attribute: c_int, from: c_int, to: c_int) |runtime, thread|
        runtime.peer_attribute(out as u64, attribute, from, to);
    Init cuDevicePrimaryCtxRetain(out: Address, device: c_int) |runtime, thread|
        runtime.primary_retain(out as u64, device);
    Init cuDevicePrimaryCtxRelease(device: c_int) |runtime, thread| runtime.primary_release(device);
    Init cuDevicePrimaryCtxSetFlags(device: c_int, flags: u32) |runtime, thread|
        runtime.primary_set_flags(device, flags);
    Init cuDevicePrimaryCtxGetState(device: c_int, flags: Address, active: Address) |runtime, thread|
        runtime.primary_state(device, flags as u64, active as u64);
    Init cuDevicePrimaryCtxReset(device: c_int) |runtime, thread| runtime.primary_reset(device);
    Context cuPointerGetAttribute(out: Address, attribute: c_int, ptr: u64) |runtime, thread|
        runtime.pointer_attribute(thread, out as u64, attribute, ptr);
    Context cuPointerGetAttributes(count: u32, attributes: Address, outs: Address, ptr: u64) |runtime, thread|
        runtime.pointer_attributes_of(thread, count, attributes as u64, outs as u64, ptr);
    Context cuPointerSetAttribute(value: Address, attribute: c_int, ptr: u64) |runtime, thread| {
        runtime.get(value as u64, 4)?;
        // Only CU_POINTER_ATTRIBUTE_SYNC_MEMOPS can be set: all copies are synchronous.
        if attribute != 6 {
            return Err(Status::INVALID_VALUE);
        }
        runtime.address_range(thread, 0, 0, ptr)
    };
    Context cuIpcGetEventHandle(handle: Address, event: Address) |runtime, thread|
        Done::Err(Status::NOT_SUPPORTED);
    Context cuIpcOpenEventHandle(event: Address, handle: Handle) |runtime, thread|
        Done::Err(Status::NOT_SUPPORTED);
    Context cuIpcGetMemHandle(handle: Address, ptr: u64) |runtime, thread| Done::Err(Status::NOT_SUPPORTED);
    Context cuIpcOpenMemHandle(ptr: Address, handle: Handle, flags: u32) |runtime, thread|
        Done::Err(Status::NOT_SUPPORTED);
    Context cuIpcCloseMemHandle(ptr: u64) |runtime, thread| Done::Err(Status::NOT_SUPPORTED);
}
