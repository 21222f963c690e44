//! Kernels: launches, attributes and occupancy.

use super::{call, driver};
use crate::abi::Address;
use crate::runtime::driver::contexts::Need;
use crate::runtime::driver::status::Status;
use crate::runtime::thread::Configuration;
use isa::types::Dim3;
use std::ffi::c_int;

/// Names of the other functions of this file.
pub const OTHERS: &[&str] =
    &["cuOccupancyMaxPotentialBlockSize", "cuOccupancyMaxPotentialBlockSizeWithFlags"];

driver! {
    Context cuFuncGetAttribute(out: Address, attribute: c_int, function: Address) |runtime, thread|
        runtime.kernel_attribute(thread, out as u64, attribute, function as u64);
    Context cuFuncSetCacheConfig(function: Address, config: c_int) |runtime, thread|
        runtime.kernel_cache(thread, function as u64, config);
    Context cuFuncSetSharedMemConfig(function: Address, config: c_int) |runtime, thread|
        runtime.kernel_banks(thread, function as u64, config);
    Context cuFuncSetBlockShape(function: Address, x: c_int, y: c_int, z: c_int) |runtime, thread|
        runtime.set_block(thread, function as u64, [x, y, z]);
    Context cuFuncSetSharedSize(function: Address, bytes: u32) |runtime, thread|
        runtime.set_shared(thread, function as u64, bytes);
    Context cuParamSetSize(function: Address, bytes: u32) |runtime, thread|
        runtime.param_size(thread, function as u64, bytes);
    Context cuParamSeti(function: Address, offset: c_int, value: u32) |runtime, thread|
        runtime.param_set(thread, function as u64, offset, &value.to_le_bytes());
    Context cuParamSetf(function: Address, offset: c_int, value: f32) |runtime, thread|
        runtime.param_set(thread, function as u64, offset, &value.to_le_bytes());
    Context cuParamSetv(function: Address, offset: c_int, from: Address, bytes: u32) |runtime, thread|
        runtime.param_copy(thread, function as u64, offset, from as u64, bytes);
    Context cuParamSetTexRef(function: Address, unit: c_int, texture: Address) |runtime, thread|
        runtime.param_texture(thread, function as u64, unit, texture as u64);
    Context cuLaunch(function: Address) |runtime, thread|
        runtime.launch_grid(thread, function as u64, 1, 1, 0);
    Context cuLaunchGrid(function: Address, width: c_int, height: c_int) |runtime, thread|
        runtime.launch_grid(thread, function as u64, width, height, 0);
    Context cuLaunchGridAsync(function: Address, width: c_int, height: c_int, stream: Address)
        |runtime, thread| runtime.launch_grid(thread, function as u64, width, height, stream as u64);
    Context cuLaunchKernel(function: Address, grid_x: u32, grid_y: u32, grid_z: u32, block_x: u32,
        block_y: u32, block_z: u32, shared: u32, stream: Address, parameters: Address, extra: Address)
        |runtime, thread| {
        let call = Configuration {
            grid: Dim3::new(grid_x, grid_y, grid_z),
            block: Dim3::new(block_x, block_y, block_z),
            shared: shared.into(),
            stream: stream as u64,
            parameters: Vec::new(),
        };
        runtime.cu_launch_kernel(thread, function as u64, &call, parameters as u64, extra as u64)
    };
    Context cuOccupancyMaxActiveBlocksPerMultiprocessor(out: Address, function: Address, threads: c_int,
        shared: usize) |runtime, thread| runtime.kernel_occupancy(
            thread, out as u64, function as u64, threads, shared as u64);
    Context cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(out: Address, function: Address,
        threads: c_int, shared: usize, flags: u32) |runtime, thread| {
        if flags > 1 {
            return Err(Status::INVALID_VALUE);
        }
        runtime.kernel_occupancy(thread, out as u64, function as u64, threads, shared as u64)
    };
}

/// `CUoccupancyB2DSize`: bytes of dynamic shared memory for a block size.
pub type BlockToShared = Option<extern "C" fn(threads: c_int) -> usize>;

/// `cuOccupancyMaxPotentialBlockSize`: the largest of the block sizes that keep the most threads
/// resident on an SM.
#[cfg_attr(not(target_arch = "wasm32"), unsafe(no_mangle))]
pub extern "C" fn cuOccupancyMaxPotentialBlockSize(
    grid: Address,
    block: Address,
    function: Address,
    to_shared: BlockToShared,
    shared: usize,
    limit: c_int,
) -> c_int {
    cuOccupancyMaxPotentialBlockSizeWithFlags(grid, block, function, to_shared, shared, limit, 0)
}

/// `cuOccupancyMaxPotentialBlockSizeWithFlags`. The function of the host program may call the API.
#[cfg_attr(not(target_arch = "wasm32"), unsafe(no_mangle))]
pub extern "C" fn cuOccupancyMaxPotentialBlockSizeWithFlags(
    grid: Address,
    block: Address,
    function: Address,
    to_shared: BlockToShared,
    shared: usize,
    limit: c_int,
    flags: u32,
) -> c_int {
    const NAME: &str = "cuOccupancyMaxPotentialBlockSize";
    let (mut most, mut sms, mut step) = (0, 0, 1);
    let result = call(NAME, Need::Context, &mut |runtime, thread| {
        if flags > 1 || limit < 0 {
            return Err(Status::INVALID_VALUE);
        }
        (most, sms, step) = runtime.block_sizes(thread, function as u64)?;
        Ok(())
    });
    if result != Status::SUCCESS.0 {
        return result;
    }
    if limit > 0 {
        most = most.min(limit);
    }
    // Threads on an SM, block size, and blocks on an SM of the best size so far.
    let mut best = (0, 0, 0);
    let mut size = most;
    while size > 0 {
        let bytes = to_shared.map_or(shared, |to_shared| to_shared(size));
        let mut blocks = 0;
        let result = call(NAME, Need::Context, &mut |runtime, thread| {
            blocks = runtime.kernel_blocks(thread, function as u64, size, bytes as u64)? as i32;
            Ok(())
        });
        if result != Status::SUCCESS.0 {
            return result;
        }
        if blocks * size > best.0 {
            best = (blocks * size, size, blocks);
        }
        size = if size % step == 0 { size - step } else { size - size % step };
    }
    call(NAME, Need::Context, &mut |runtime, _| {
        runtime.put_int(grid as u64, best.2 * sms)?;
        Ok(runtime.put_int(block as u64, best.1)?)
    })
}
