//! Kernels by their handles: launches in both forms, and attributes.

use super::Done;
use super::status::Status;
use crate::runtime::launch::{Arguments, MOST_PARAMETERS};
use crate::runtime::thread::{Configuration, Thread};
use crate::runtime::{FIRST_HANDLE, Runtime};
use isa::types::Dim3;

/// What `cuFuncSetBlockShape`, `cuFuncSetSharedSize` and `cuParamSet…` have set for a kernel.
#[derive(Clone, Debug)]
pub struct Setup {
    /// Number of the context.
    pub(super) slot: usize,
    block: Dim3,
    shared: u32,
    parameters: Vec<u8>,
}

/// Entries of a list `extra` that are read before its end.
const MOST_EXTRA: u64 = 16;

impl Runtime {
    /// Checks that a handle is a kernel of the current context.
    pub(super) fn kernel(&mut self, thread: &Thread, handle: u64) -> Done<u64> {
        let known = self.collecting(thread)?.functions.contains_key(&handle);
        if known && handle >= FIRST_HANDLE { Ok(handle) } else { Err(Status::INVALID_HANDLE) }
    }

    fn setup(&mut self, thread: &Thread, handle: u64) -> Done<&mut Setup> {
        self.kernel(thread, handle)?;
        let new = Setup { slot: thread.device, block: Dim3::new(0, 0, 0), shared: 0, parameters: Vec::new() };
        Ok(self.driver.setups.entry(handle).or_insert(new))
    }

    /// `cuFuncSetBlockShape`.
    pub fn set_block(&mut self, thread: &Thread, handle: u64, block: [i32; 3]) -> Done {
        let setup = self.setup(thread, handle)?;
        let [x, y, z] = block.map(|size| u32::try_from(size).unwrap_or(0));
        if x == 0 || y == 0 || z == 0 {
            return Err(Status::INVALID_VALUE);
        }
        setup.block = Dim3::new(x, y, z);
        Ok(())
    }

    /// `cuFuncSetSharedSize`.
    pub fn set_shared(&mut self, thread: &Thread, handle: u64, bytes: u32) -> Done {
        self.setup(thread, handle)?.shared = bytes;
        Ok(())
    }

    /// `cuParamSetSize`.
    pub fn param_size(&mut self, thread: &Thread, handle: u64, bytes: u32) -> Done {
        if u64::from(bytes) > MOST_PARAMETERS {
            return Err(Status::INVALID_VALUE);
        }
        self.setup(thread, handle)?.parameters.resize(bytes as usize, 0);
        Ok(())
    }

    /// `cuParamSetv`: copies `bytes` bytes to the parameters.
    pub fn param_copy(&mut self, thread: &Thread, handle: u64, offset: i32, from: u64, bytes: u32) -> Done {
        let offset = u64::try_from(offset).map_err(|_| Status::INVALID_VALUE)?;
        if offset + u64::from(bytes) > MOST_PARAMETERS {
            return Err(Status::INVALID_VALUE);
        }
        let data = self.get(from, bytes.into())?;
        self.param_set(thread, handle, offset as i32, &data)
    }

    /// `cuParamSeti` and `cuParamSetf`.
    pub fn param_set(&mut self, thread: &Thread, handle: u64, offset: i32, data: &[u8]) -> Done {
        let offset = u64::try_from(offset).map_err(|_| Status::INVALID_VALUE)?;
        let end = offset + data.len() as u64;
        if end > MOST_PARAMETERS {
            return Err(Status::INVALID_VALUE);
        }
        let parameters = &mut self.setup(thread, handle)?.parameters;
        if parameters.len() < end as usize {
            parameters.resize(end as usize, 0);
        }
        parameters[offset as usize..end as usize].copy_from_slice(data);
        Ok(())
    }

    /// `cuParamSetTexRef`: a module's textures belong to all of its kernels, so that only the
    /// arguments are checked.
    pub fn param_texture(&mut self, thread: &Thread, handle: u64, unit: i32, texture: u64) -> Done {
        self.kernel(thread, handle)?;
        let known = self.driver.textures.contains_key(&texture);
        // CU_PARAM_TR_DEFAULT.
        if unit == -1 && known { Ok(()) } else { Err(Status::INVALID_VALUE) }
    }

    /// `cuLaunch`, `cuLaunchGrid` and `cuLaunchGridAsync`.
    pub fn launch_grid(
        &mut self,
        thread: &Thread,
        handle: u64,
        width: i32,
        height: i32,
        stream: u64,
    ) -> Done {
        let Setup { block, shared, parameters, .. } = self.setup(thread, handle)?.clone();
        let extent = |size: i32| u32::try_from(size).map_err(|_| Status::INVALID_VALUE);
        let grid = Dim3::new(extent(width)?, extent(height)?, 1);
        let call = Configuration { grid, block, shared: shared.into(), stream, parameters: Vec::new() };
        Ok(self.execute(thread, handle, &call, Arguments::Bytes(&parameters))?)
    }

    /// `cuLaunchKernel`: the parameters are a list of pointers, or `extra` names a buffer.
    pub fn cu_launch_kernel(
        &mut self,
        thread: &Thread,
        handle: u64,
        call: &Configuration,
        parameters: u64,
        extra: u64,
    ) -> Done {
        self.kernel(thread, handle)?;
        if extra == 0 {
            return Ok(self.execute(thread, handle, call, Arguments::Pointers(parameters))?);
        }
        if parameters != 0 {
            return Err(Status::INVALID_VALUE);
        }
        let buffer = self.extra_buffer(extra)?;
        Ok(self.execute(thread, handle, call, Arguments::Bytes(&buffer))?)
    }

    /// Reads the buffer of a list of `CU_LAUNCH_PARAM_BUFFER_POINTER` and
    /// `CU_LAUNCH_PARAM_BUFFER_SIZE` with their values.
    fn extra_buffer(&self, list: u64) -> Done<Vec<u8>> {
        let (mut buffer, mut size) = (0, None);
        let word = |address: u64| -> Done<u64> {
            let bytes = self.get(address, 8)?;
            Ok(u64::from_le_bytes(bytes.try_into().expect("8 bytes were read")))
        };
        let at = |entry: u64| list.checked_add(8 * entry).ok_or(Status::INVALID_VALUE);
        let mut entry = 0;
        while entry < MOST_EXTRA {
            match word(at(entry)?)? {
                0 => break,
                1 => buffer = word(at(entry + 1)?)?,
                2 => size = Some(word(word(at(entry + 1)?)?)?),
                _ => return Err(Status::INVALID_VALUE),
            }
            entry += 2;
        }
        let size = size.filter(|size| *size <= MOST_PARAMETERS).ok_or(Status::INVALID_VALUE)?;
        Ok(self.get(buffer, size)?)
    }

    /// `cuFuncGetAttribute`.
    pub fn kernel_attribute(&mut self, thread: &Thread, out: u64, attribute: i32, handle: u64) -> Done {
        self.kernel(thread, handle)?;
        let ([shared, constants, local], [threads, registers, ptx, binary, cached]) =
            self.attributes_of(thread, handle)?;
        let size = |bytes: u64| i32::try_from(bytes).unwrap_or(i32::MAX);
        let value = match attribute {
            0 => threads,
            1 => size(shared),
            2 => size(constants),
            3 => size(local),
            4 => registers,
            5 => ptx,
            6 => binary,
            7 => cached,
            _ => return Err(Status::INVALID_VALUE),
        };
        Ok(self.put_int(out, value)?)
    }

    /// `cuFuncSetCacheConfig`.
    pub fn kernel_cache(&mut self, thread: &Thread, handle: u64, config: i32) -> Done {
        self.kernel(thread, handle)?;
        Ok(self.function_cache(thread, handle, config)?)
    }

    /// `cuFuncSetSharedMemConfig`.
    pub fn kernel_banks(&mut self, thread: &Thread, handle: u64, config: i32) -> Done {
        self.kernel(thread, handle)?;
        Ok(self.function_banks(thread, handle, config)?)
    }

    /// `cuOccupancyMaxActiveBlocksPerMultiprocessor`.
    pub fn kernel_occupancy(
        &mut self,
        thread: &Thread,
        out: u64,
        handle: u64,
        threads: i32,
        shared: u64,
    ) -> Done {
        self.kernel(thread, handle)?;
        Ok(self.occupancy(thread, out, handle, threads, shared)?)
    }

    /// Returns the greatest block size of a kernel, the number of SMs, and a warp's threads, for
    /// `cuOccupancyMaxPotentialBlockSize`.
    pub fn block_sizes(&mut self, thread: &Thread, handle: u64) -> Done<(i32, i32, i32)> {
        self.kernel(thread, handle)?;
        let (_, [threads, ..]) = self.attributes_of(thread, handle)?;
        let chip = self.devices[thread.device].gpu.chip();
        let sms = chip.clusters * chip.cluster.sms;
        Ok((threads, sms as i32, sim_core::config::WARP_SIZE as i32))
    }

    /// Returns the number of blocks of a kernel that an SM can hold.
    pub fn kernel_blocks(&mut self, thread: &Thread, handle: u64, threads: i32, shared: u64) -> Done<u32> {
        self.kernel(thread, handle)?;
        Ok(self.resident_blocks(thread, handle, threads, shared)?)
    }
}
