//! Devices, their settings, several devices, and the profiler.

use super::structs::Handle;
use super::{Address, api};
use crate::runtime::error::Error;
use std::ffi::c_int;

api! {
    fn cudaGetDeviceCount(count: Address) |runtime, thread| runtime.device_count(count as u64);
    fn cudaGetDeviceProperties(out: Address, device: c_int) |runtime, thread|
        runtime.device_properties(out as u64, device);
    fn cudaDeviceGetAttribute(out: Address, attribute: c_int, device: c_int) |runtime, thread|
        runtime.device_attribute(out as u64, attribute, device);
    fn cudaDeviceGetP2PAttribute(out: Address, attribute: c_int, from: c_int, to: c_int) |runtime, thread|
        runtime.peer_attribute(out as u64, attribute, from, to);
    fn cudaChooseDevice(out: Address, properties: Address) |runtime, thread|
        runtime.choose_device(out as u64, properties as u64);
    fn cudaSetDevice(device: c_int) |runtime, thread| runtime.set_device(thread, device);
    fn cudaGetDevice(out: Address) |runtime, thread| runtime.get_device(thread, out as u64);
    fn cudaSetValidDevices(devices: Address, count: c_int) |runtime, thread|
        runtime.set_valid_devices(devices as u64, count);
    fn cudaSetDeviceFlags(flags: u32) |runtime, thread| runtime.set_device_flags(thread, flags);
    fn cudaGetDeviceFlags(out: Address) |runtime, thread| runtime.get_device_flags(thread, out as u64);
    fn cudaDeviceReset() |runtime, thread| runtime.reset(thread);
    fn cudaThreadExit() |runtime, thread| runtime.reset(thread);
    fn cudaDeviceSynchronize() |runtime, thread| runtime.synchronize(thread);
    fn cudaThreadSynchronize() |runtime, thread| runtime.synchronize(thread);
    fn cudaDeviceSetLimit(limit: c_int, value: usize) |runtime, thread|
        runtime.set_limit(thread, limit, value as u64);
    fn cudaThreadSetLimit(limit: c_int, value: usize) |runtime, thread|
        runtime.set_limit(thread, limit, value as u64);
    fn cudaDeviceGetLimit(out: Address, limit: c_int) |runtime, thread|
        runtime.get_limit(thread, out as u64, limit);
    fn cudaThreadGetLimit(out: Address, limit: c_int) |runtime, thread|
        runtime.get_limit(thread, out as u64, limit);
    fn cudaDeviceGetCacheConfig(out: Address) |runtime, thread| runtime.get_cache(thread, out as u64);
    fn cudaThreadGetCacheConfig(out: Address) |runtime, thread| runtime.get_cache(thread, out as u64);
    fn cudaDeviceSetCacheConfig(config: c_int) |runtime, thread| runtime.set_cache(thread, config);
    fn cudaThreadSetCacheConfig(config: c_int) |runtime, thread| runtime.set_cache(thread, config);
    fn cudaDeviceGetSharedMemConfig(out: Address) |runtime, thread| runtime.get_banks(thread, out as u64);
    fn cudaDeviceSetSharedMemConfig(config: c_int) |runtime, thread| runtime.set_banks(thread, config);
    fn cudaDeviceGetStreamPriorityRange(least: Address, greatest: Address) |runtime, thread|
        runtime.priorities(thread, least as u64, greatest as u64);
    fn cudaDeviceGetByPCIBusId(out: Address, text: Address) |runtime, thread|
        runtime.by_bus_id(out as u64, text as u64);
    fn cudaDeviceGetPCIBusId(out: Address, length: c_int, device: c_int) |runtime, thread|
        runtime.bus_id(out as u64, length, device);
    fn cudaDeviceCanAccessPeer(out: Address, device: c_int, peer: c_int) |runtime, thread|
        runtime.can_access_peer(out as u64, device, peer);
    fn cudaDeviceEnablePeerAccess(peer: c_int, flags: u32) |runtime, thread|
        runtime.enable_peer(thread, peer, flags);
    fn cudaDeviceDisablePeerAccess(peer: c_int) |runtime, thread| runtime.disable_peer(thread, peer);
    fn cudaIpcGetEventHandle(handle: Address, event: Address) |runtime, thread| Err(Error::NOT_SUPPORTED);
    fn cudaIpcOpenEventHandle(event: Address, handle: Handle) |runtime, thread| Err(Error::NOT_SUPPORTED);
    fn cudaIpcGetMemHandle(handle: Address, ptr: Address) |runtime, thread| Err(Error::NOT_SUPPORTED);
    fn cudaIpcOpenMemHandle(ptr: Address, handle: Handle, flags: u32) |runtime, thread|
        Err(Error::NOT_SUPPORTED);
    fn cudaIpcCloseMemHandle(ptr: Address) |runtime, thread| Err(Error::NOT_SUPPORTED);
    fn cudaProfilerInitialize(config: Address, output: Address, mode: c_int) |runtime, thread| Ok(());
    fn cudaProfilerStart() |runtime, thread| Ok(());
    fn cudaProfilerStop() |runtime, thread| Ok(());
}
