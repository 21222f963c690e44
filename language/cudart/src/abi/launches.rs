//! Launches in both forms, and properties of kernels.

use super::structs::CDim3;
use super::{Address, api, call, on_thread};
use crate::runtime::error::Error;
use crate::runtime::launch::Arguments;
use crate::runtime::thread::Configuration;
use std::ffi::{c_int, c_uint};

/// Names of the other functions of this file.
pub const OTHERS: &[&str] = &["__cudaPushCallConfiguration", "cudaLaunchHostFunc", "cudaStreamAddCallback"];

fn configuration(grid: CDim3, block: CDim3, shared: usize, stream: Address) -> Configuration {
    Configuration {
        grid: grid.into(),
        block: block.into(),
        shared: shared as u64,
        stream: stream as u64,
        parameters: Vec::new(),
    }
}

/// Returns the bytes of a `dim3`.
fn bytes(dim: isa::types::Dim3) -> Vec<u8> {
    [dim.x, dim.y, dim.z].into_iter().flat_map(u32::to_le_bytes).collect()
}

api! {
    fn cudaConfigureCall(grid: CDim3, block: CDim3, shared: usize, stream: Address) |runtime, thread|
        runtime.configure(thread, configuration(grid, block, shared, stream));
    fn cudaSetupArgument(argument: Address, size: usize, offset: usize) |runtime, thread|
        runtime.setup_argument(thread, argument as u64, size as u64, offset as u64);
    fn cudaLaunch(function: Address) |runtime, thread| runtime.launch_configured(thread, function as u64);
    fn __cudaPopCallConfiguration(grid: Address, block: Address, shared: Address, stream: Address)
        |runtime, thread| {
        let call = thread.calls.pop().ok_or(Error::MISSING_CONFIGURATION)?;
        runtime.put(grid as u64, &bytes(call.grid))?;
        runtime.put(block as u64, &bytes(call.block))?;
        runtime.put_word(shared as u64, call.shared)?;
        runtime.put_word(stream as u64, call.stream)
    };
    fn cudaLaunchKernel(function: Address, grid: CDim3, block: CDim3, arguments: Address, shared: usize,
        stream: Address) |runtime, thread| {
        let call = configuration(grid, block, shared, stream);
        runtime.launch(thread, function as u64, &call, Arguments::Pointers(arguments as u64))
    };
    fn cudaFuncGetAttributes(out: Address, function: Address) |runtime, thread|
        runtime.function_attributes(thread, out as u64, function as u64);
    fn cudaFuncSetCacheConfig(function: Address, config: c_int) |runtime, thread|
        runtime.function_cache(thread, function as u64, config);
    fn cudaFuncSetSharedMemConfig(function: Address, config: c_int) |runtime, thread|
        runtime.function_banks(thread, function as u64, config);
    fn cudaSetDoubleForDevice(value: Address) |runtime, thread| runtime.get(value as u64, 8).map(|_| ());
    fn cudaSetDoubleForHost(value: Address) |runtime, thread| runtime.get(value as u64, 8).map(|_| ());
    fn cudaOccupancyMaxActiveBlocksPerMultiprocessor(out: Address, function: Address, threads: c_int,
        shared: usize) |runtime, thread| runtime.occupancy(
            thread, out as u64, function as u64, threads, shared as u64);
    fn cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(out: Address, function: Address,
        threads: c_int, shared: usize, flags: u32) |runtime, thread| {
        if flags > 1 {
            return Err(Error::INVALID_VALUE);
        }
        runtime.occupancy(thread, out as u64, function as u64, threads, shared as u64)
    };
}

/// `__cudaPushCallConfiguration`: compiled code calls it before the function of a kernel, which
/// checks the stream.
#[cfg_attr(not(target_arch = "wasm32"), unsafe(no_mangle))]
pub extern "C" fn __cudaPushCallConfiguration(
    grid: CDim3,
    block: CDim3,
    shared: usize,
    stream: Address,
) -> c_uint {
    on_thread(|thread| thread.calls.push(configuration(grid, block, shared, stream)));
    call("__cudaPushCallConfiguration", &mut |_, _| Ok(())) as c_uint
}
