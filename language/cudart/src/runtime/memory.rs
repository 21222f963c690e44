//! Device memory: allocation, and what a pointer points to.

use super::Runtime;
use super::blocks::{Block, Kind};
use super::error::{Error, Outcome};
use super::thread::Thread;
use sim_core::host::DevicePtr;

/// Bytes to which the rows of `cudaMallocPitch` are aligned.
pub const PITCH: u64 = 512;

impl Runtime {
    /// `cudaMalloc`.
    pub fn malloc(&mut self, thread: &Thread, out: u64, bytes: u64) -> Outcome {
        let ptr = match self.allocate(thread, bytes) {
            // A pointer of a failed call is null, as on silicon.
            Err(Error::MEMORY_ALLOCATION) => {
                self.put_word(out, 0)?;
                return Err(Error::MEMORY_ALLOCATION);
            }
            ptr => ptr?,
        };
        let put = self.put_word(out, ptr.map_or(0, |ptr| ptr.address().into()));
        match (put, ptr) {
            (Err(_), Some(ptr)) => {
                let _ = self.device(thread)?.gpu.free(ptr);
            }
            (Ok(()), Some(ptr)) => self.note_made(Some(thread.device), ptr.address().into(), out),
            (_, None) => {}
        }
        put
    }

    /// Allocates device memory; `None` for 0 bytes.
    pub(super) fn allocate(&mut self, thread: &Thread, bytes: u64) -> Outcome<Option<DevicePtr>> {
        let device = self.device(thread)?;
        if bytes == 0 {
            return Ok(None);
        }
        let ptr = device.gpu.malloc(bytes);
        if let Ok(ptr) = ptr {
            device.gpu.forget(ptr, bytes);
            self.forget_allocation(thread.device, ptr.address());
        }
        self.told(ptr).map(Some)
    }

    /// `cudaMallocPitch`, and `cudaMalloc3D` with `height` × depth rows. Returns the pitch.
    pub fn malloc_pitch(&mut self, thread: &Thread, out: u64, width: u64, rows: u64) -> Outcome<u64> {
        let pitch = width.checked_next_multiple_of(PITCH).ok_or(Error::MEMORY_ALLOCATION)?;
        let bytes = pitch.checked_mul(rows).ok_or(Error::MEMORY_ALLOCATION)?;
        self.malloc(thread, out, bytes)?;
        Ok(pitch)
    }

    /// `cudaFree`.
    pub fn free(&mut self, thread: &Thread, address: u64) -> Outcome {
        self.device(thread)?;
        if address == 0 {
            return Ok(());
        }
        let ptr = u32::try_from(address).ok().map(DevicePtr::new);
        if let Some(block) = self.blocks.get(&address) {
            if block.kind == Kind::Managed {
                self.free_block(address);
                return Ok(());
            }
            return self.refuse(
                Error::INVALID_DEVICE_POINTER,
                format!("cudaFree of {address:#x}, which is pinned host memory: free it with cudaFreeHost"),
            );
        }
        let Some(ptr) = ptr else {
            return self.refuse(
                Error::INVALID_DEVICE_POINTER,
                format!("cudaFree of {address:#x}, which is not a device pointer: it is too large"),
            );
        };
        let variable = self.device(thread)?.variables().any(|start| start == ptr);
        if variable || self.arrays.values().any(|array| array.ptr == ptr && array.device == thread.device) {
            return self.refuse(
                Error::INVALID_DEVICE_POINTER,
                format!("cudaFree of {ptr}, which cudaMalloc has not returned"),
            );
        }
        if self.block_on(thread.device, address).is_some() {
            return self.refuse(
                Error::INVALID_DEVICE_POINTER,
                format!("cudaFree of {ptr}, the device address of host memory: free it with cudaFreeHost"),
            );
        }
        let freed = self.device(thread)?.gpu.free(ptr);
        self.told(freed)?;
        self.order_waits_for_device(thread.device);
        self.forget_made(Some(thread.device), address);
        Ok(())
    }

    /// `cudaMemGetInfo`.
    pub fn mem_info(&mut self, thread: &Thread, free: u64, total: u64) -> Outcome {
        let gpu = &self.device(thread)?.gpu;
        let (left, all) = (gpu.free_bytes(), gpu.chip().usable_bytes());
        self.put_word(free, left)?;
        self.put_word(total, all)
    }

    /// `cudaPointerGetAttributes`: writes memory type, device, device pointer, host pointer and
    /// whether the memory is managed.
    pub fn pointer_attributes(&mut self, thread: &Thread, out: u64, address: u64) -> Outcome {
        let gpu = &self.device(thread)?.gpu;
        let small = u32::try_from(address).ok();
        let known = small.is_some_and(|at| gpu.allocations().find(at).is_some());
        let found = self.block_at(address).map(|(start, _)| (start, address));
        let found = found.or_else(|| self.block_on(thread.device, address));
        let (kind, host, on_device, device, managed) = match found {
            Some((start, host)) => {
                let ptr = self.map_block(thread.device, start);
                let block = &self.blocks[&start];
                let managed = matches!(block.kind, Kind::Managed | Kind::Variable);
                let on_device = ptr.map_or(0, |ptr| u64::from(ptr.address()) + (host - start));
                (if managed { 2 } else { 1 }, host, on_device, block.device, managed)
            }
            None if known => (2, 0, address, thread.device, false),
            None => return Err(Error::INVALID_VALUE),
        };
        let mut bytes = Vec::with_capacity(32);
        bytes.extend_from_slice(&i32::to_le_bytes(kind));
        bytes.extend_from_slice(&(self.devices[device].number as i32).to_le_bytes());
        bytes.extend_from_slice(&on_device.to_le_bytes());
        bytes.extend_from_slice(&host.to_le_bytes());
        bytes.extend_from_slice(&u64::from(managed).to_le_bytes());
        self.put(out, &bytes)
    }

    /// `cudaMemPrefetchAsync`, `cudaMemAdvise` and `cudaStreamAttachMemAsync`: the memory must be
    /// managed, and nothing else happens.
    pub fn advise(&mut self, thread: &Thread, address: u64, bytes: u64) -> Outcome {
        self.device(thread)?;
        match self.block_at(address) {
            Some((start, block))
                if block.kind == Kind::Managed && bytes <= block.bytes - (address - start) =>
            {
                Ok(())
            }
            _ => Err(Error::INVALID_VALUE),
        }
    }

    /// Notes the allocations of a device that the program has not freed.
    pub(super) fn note_leaks(&mut self, number: usize) {
        let device = &self.devices[number];
        let arrays = self.arrays.values().filter(|array| array.device == number).map(|array| array.ptr);
        let known: Vec<u32> = device.variables().chain(arrays).map(DevicePtr::address).collect();
        let blocks = self.blocks.values().filter_map(|block| block.mapped.get(&number));
        let mapped: Vec<u32> = blocks.map(|ptr| ptr.address()).collect();
        let leaks = device.gpu.leaks().into_iter();
        let leaks = leaks.filter_map(|leak| leak.memory).filter(|memory| {
            let at = memory.address as u32;
            !known.contains(&at) && !mapped.contains(&at)
        });
        let leaks: Vec<(u64, u64)> = leaks.map(|memory| (memory.address, memory.bytes.into())).collect();
        let is_own =
            |block: &Block| block.device == number && matches!(block.kind, Kind::Pinned | Kind::Managed);
        let own = self.blocks.iter().filter(|(_, block)| is_own(block));
        let own: Vec<(u64, u64, bool)> =
            own.map(|(start, block)| (*start, block.bytes, block.kind == Kind::Pinned)).collect();
        for (address, bytes) in leaks {
            self.leak((Some(number), address), bytes, false);
        }
        for (address, bytes, is_pinned) in own {
            self.leak((None, address), bytes, is_pinned);
        }
    }
}
