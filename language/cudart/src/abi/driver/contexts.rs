//! Contexts.

use super::driver;
use crate::abi::Address;
use std::ffi::c_int;

driver! {
    Init cuCtxCreate_v2 = cuCtxCreate(out: Address, flags: u32, device: c_int) |runtime, thread|
        runtime.ctx_create(thread, out as u64, flags, device);
    Init cuCtxDestroy_v2 = cuCtxDestroy(context: Address) |runtime, thread|
        runtime.ctx_destroy(thread, context as u64);
    Init cuCtxPushCurrent_v2 = cuCtxPushCurrent(context: Address) |runtime, thread|
        runtime.ctx_push(thread, context as u64);
    Init cuCtxPopCurrent_v2 = cuCtxPopCurrent(out: Address) |runtime, thread|
        runtime.ctx_pop(thread, out as u64);
    Init cuCtxSetCurrent(context: Address) |runtime, thread| runtime.ctx_set_current(thread, context as u64);
    Init cuCtxGetCurrent(out: Address) |runtime, thread| runtime.ctx_get_current(thread, out as u64);
    Context cuCtxAttach(out: Address, flags: u32) |runtime, thread|
        runtime.ctx_attach(thread, out as u64, flags);
    Init cuCtxDetach(context: Address) |runtime, thread| runtime.ctx_detach(thread, context as u64);
    Context cuCtxGetDevice(out: Address) |runtime, thread| runtime.ctx_device(thread, out as u64);
    Context cuCtxGetFlags(out: Address) |runtime, thread| runtime.ctx_flags(thread, out as u64);
    Context cuCtxSynchronize() |runtime, thread| runtime.synchronize(thread);
    Init cuCtxGetApiVersion(context: Address, out: Address) |runtime, thread|
        runtime.ctx_version(thread, context as u64, out as u64);
    Context cuCtxSetLimit(limit: c_int, value: usize) |runtime, thread|
        runtime.set_limit(thread, limit, value as u64);
    Context cuCtxGetLimit(out: Address, limit: c_int) |runtime, thread|
        runtime.get_limit(thread, out as u64, limit);
    Context cuCtxSetCacheConfig(config: c_int) |runtime, thread| runtime.set_cache(thread, config);
    Context cuCtxGetCacheConfig(out: Address) |runtime, thread| runtime.get_cache(thread, out as u64);
    Context cuCtxSetSharedMemConfig(config: c_int) |runtime, thread| runtime.set_banks(thread, config);
    Context cuCtxGetSharedMemConfig(out: Address) |runtime, thread| runtime.get_banks(thread, out as u64);
    Context cuCtxGetStreamPriorityRange(least: Address, greatest: Address) |runtime, thread|
        runtime.priorities(thread, least as u64, greatest as u64);
    Context cuCtxEnablePeerAccess(peer: Address, flags: u32) |runtime, thread|
        runtime.ctx_enable_peer(thread, peer as u64, flags);
    Context cuCtxDisablePeerAccess(peer: Address) |runtime, thread|
        runtime.ctx_disable_peer(thread, peer as u64);
}
