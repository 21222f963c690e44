//! Host memory that devices access: pinned, registered and managed memory.
//!
//! A block has its bytes in host memory. A device that maps host memory gives the block separate
//! addresses, if possible the same numbers as the host's, so that one pointer is valid on both
//! sides. Before a launch the pages that differ are copied to the simulated memory, and after it
//! back. So a kernel and host code do not see each other's writes while the kernel runs.

use super::Runtime;
use super::attributes::is_unified;
use super::error::{Error, Outcome};
use super::thread::Thread;
use sim_core::check::Check;
use sim_core::host::memory::MAPPED_ALIGNMENT;
use sim_core::host::{DevicePtr, Gpu};
use std::collections::BTreeMap;

/// Bytes of a page.
const PAGE: u64 = MAPPED_ALIGNMENT as u64;

/// Pages of host memory that are probed at once.
const PROBES: u64 = 1024;

/// Flags of `cudaHostAlloc` and of `cudaHostRegister`.
const ALLOC_FLAGS: u32 = 7;

/// Flag `cudaHostAllocMapped`, and `cudaHostRegisterMapped`.
const MAPPED: u32 = 2;

/// `cudaMemAttachGlobal`.
const ATTACH_GLOBAL: u32 = 1;

/// Kind of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `cudaMallocHost`, `cudaHostAlloc`.
    Pinned,
    /// `cudaHostRegister`.
    Registered,
    /// `cudaMallocManaged`.
    Managed,
    /// A `__managed__` variable.
    Variable,
}

/// A block.
#[derive(Clone, Debug)]
pub struct Block {
    /// Kind.
    pub kind: Kind,
    /// Bytes.
    pub bytes: u64,
    /// Flags of the call.
    pub flags: u32,
    /// Number of the device that was current.
    pub device: usize,
    /// Addresses on the devices.
    pub mapped: BTreeMap<usize, DevicePtr>,
    /// Whether each launch of each device can access the block. Other blocks are copied only for
    /// launches with a pointer to them among the parameters.
    pub shared: bool,
}

impl Runtime {
    /// Returns the block that contains a host address, with its start.
    pub(super) fn block_at(&self, address: u64) -> Option<(u64, &Block)> {
        let (start, block) = self.blocks.range(..=address).next_back()?;
        (address - start < block.bytes).then_some((*start, block))
    }

    /// Returns the block and the host address for an address of the device at which a block is
    /// mapped.
    pub(super) fn block_on(&self, device: usize, address: u64) -> Option<(u64, u64)> {
        self.blocks.iter().find_map(|(start, block)| {
            let offset = address.checked_sub(block.mapped.get(&device)?.address().into())?;
            (offset < block.bytes).then(|| (*start, start + offset))
        })
    }

    /// Iterates over the blocks of managed memory that all streams can use.
    pub(super) fn managed_blocks(&self) -> impl Iterator<Item = (u64, &Block)> {
        let is_global = |block: &Block| match block.kind {
            Kind::Managed => block.flags == ATTACH_GLOBAL,
            Kind::Variable => true,
            Kind::Pinned | Kind::Registered => false,
        };
        self.blocks.iter().filter(move |(_, block)| is_global(block)).map(|(start, block)| (*start, block))
    }

    /// `cudaHostAlloc` and `cudaMallocHost`.
    pub fn host_alloc(&mut self, thread: &Thread, out: u64, bytes: u64, flags: u32) -> Outcome {
        if flags & !ALLOC_FLAGS != 0 {
            return Err(Error::INVALID_VALUE);
        }
        self.allocate_block(thread, out, bytes, flags, Kind::Pinned)
    }

    /// `cudaMallocManaged`.
    pub fn malloc_managed(&mut self, thread: &Thread, out: u64, bytes: u64, flags: u32) -> Outcome {
        if !matches!(flags, 1 | 2) {
            return Err(Error::INVALID_VALUE);
        }
        self.allocate_block(thread, out, bytes, flags, Kind::Managed)
    }

    fn allocate_block(&mut self, thread: &Thread, out: u64, bytes: u64, flags: u32, kind: Kind) -> Outcome {
        let device = self.device(thread)?;
        if bytes == 0 {
            return self.put_word(out, 0);
        }
        let maps = device.gpu.chip().pcie.mapped;
        let must = kind == Kind::Managed || flags & MAPPED != 0;
        let ptr = match device.gpu.alloc_mapped(bytes) {
            Ok(ptr) => Some(ptr),
            Err(error) if must => return Err(self.explain(&error)),
            Err(_) if !maps => None,
            // Pinned memory may be larger than the addresses of the device; then no kernel can
            // access it.
            Err(_) => None,
        };
        let wanted = ptr.map_or(0, |ptr| ptr.address().into());
        let address = self.process.allocate(wanted, bytes).filter(|address| {
            let taken = self.put_word(out, *address).is_ok();
            if !taken {
                self.process.release(*address, bytes);
            }
            taken
        });
        let Some(address) = address else {
            if let Some(ptr) = ptr {
                let gpu = &mut self.device(thread)?.gpu;
                gpu.free(ptr).expect("the memory was allocated above");
            }
            return Err(if out == 0 { Error::INVALID_VALUE } else { Error::MEMORY_ALLOCATION });
        };
        let mapped = ptr.map(|ptr| (thread.device, ptr)).into_iter().collect();
        let block = Block { kind, bytes, flags, device: thread.device, mapped, shared: must };
        self.blocks.insert(address, block);
        self.note_made(None, address, out);
        Ok(())
    }

    /// Adds a managed variable that a device has at `ptr`.
    pub(super) fn add_variable(&mut self, device: usize, address: u64, bytes: u64, ptr: DevicePtr) {
        let new =
            || Block { kind: Kind::Variable, bytes, flags: 0, device, mapped: BTreeMap::new(), shared: true };
        self.blocks.entry(address).or_insert_with(new).mapped.insert(device, ptr);
    }

    /// `cudaFreeHost`.
    pub fn free_host(&mut self, thread: &Thread, address: u64) -> Outcome {
        self.device(thread)?;
        self.order_waits_for_device(thread.device);
        if address == 0 {
            return Ok(());
        }
        match self.blocks.get(&address).map(|block| block.kind) {
            Some(Kind::Pinned) => {
                self.free_block(address);
                Ok(())
            }
            Some(Kind::Managed) => {
                self.refuse(Error::INVALID_VALUE, "cudaFreeHost of managed memory: free it with cudaFree")
            }
            Some(Kind::Registered | Kind::Variable) | None => self.refuse(
                Error::INVALID_VALUE,
                format!("cudaFreeHost of {address:#x}, which is not the start of pinned memory"),
            ),
        }
    }

    /// Removes a device that is reset from all blocks, and the blocks that belong to it with their
    /// addresses on other devices. Their host memory stays: the host program may read it.
    pub(super) fn forget_blocks(&mut self, device: usize) {
        for block in self.blocks.values_mut() {
            block.mapped.remove(&device);
        }
        for (_, block) in self.blocks.extract_if(.., |_, block| block.device == device) {
            for (other, ptr) in block.mapped {
                let _ = self.devices[other].gpu.free(ptr);
            }
        }
    }

    /// Frees a block with its addresses and, unless the host program has allocated it, its memory.
    pub(super) fn free_block(&mut self, start: u64) {
        let Some(block) = self.blocks.remove(&start) else { return };
        self.forget_made(None, start);
        for (device, ptr) in &block.mapped {
            // A device that was reset has no such memory.
            let _ = self.devices[*device].gpu.free(*ptr);
        }
        if matches!(block.kind, Kind::Pinned | Kind::Managed) {
            self.process.release(start, block.bytes);
        }
    }

    /// `cudaHostRegister`.
    pub fn host_register(&mut self, thread: &Thread, address: u64, bytes: u64, flags: u32) -> Outcome {
        self.device(thread)?;
        let end = address.checked_add(bytes).ok_or(Error::INVALID_VALUE)?;
        if address == 0 || bytes == 0 || flags & !ALLOC_FLAGS != 0 {
            return Err(Error::INVALID_VALUE);
        }
        if !self.has_memory(address, bytes) {
            let text = format!("cudaHostRegister of {bytes} bytes at {address:#x}, which has no memory");
            return self.refuse(Error::INVALID_VALUE, text);
        }
        let ptr = self.device(thread)?.gpu.alloc_mapped(bytes);
        let before = self.blocks.range(..end).next_back();
        if before.is_some_and(|(start, block)| start + block.bytes > address) {
            if let Ok(ptr) = ptr {
                let _ = self.device(thread)?.gpu.free(ptr);
            }
            return Err(Error::ALREADY_REGISTERED);
        }
        let mapped = match ptr {
            Ok(ptr) => [(thread.device, ptr)].into(),
            Err(error) if flags & MAPPED != 0 => return Err(self.explain(&error)),
            Err(_) => BTreeMap::new(),
        };
        let shared = flags & MAPPED != 0;
        let block = Block { kind: Kind::Registered, bytes, flags, device: thread.device, mapped, shared };
        self.blocks.insert(address, block);
        Ok(())
    }

    /// Whether the host program has memory at all of some bytes.
    fn has_memory(&self, address: u64, bytes: u64) -> bool {
        let last = address + (bytes - 1);
        let mut next = address;
        while next <= last {
            let pages = (0..PROBES).map(|page| (next - next % PAGE).saturating_add(page * PAGE));
            let parts: Vec<(u64, u64)> =
                pages.map(|page| (page.max(next), 1)).take_while(|(at, _)| *at <= last).collect();
            if self.get_parts(&parts).is_err() {
                return false;
            }
            next = (next - next % PAGE).saturating_add(PROBES * PAGE);
        }
        true
    }

    /// `cudaHostUnregister`.
    pub fn host_unregister(&mut self, thread: &Thread, address: u64) -> Outcome {
        self.device(thread)?;
        self.order_waits_for_device(thread.device);
        match self.blocks.get(&address).map(|block| block.kind) {
            Some(Kind::Registered) => {
                self.free_block(address);
                Ok(())
            }
            Some(Kind::Pinned | Kind::Managed | Kind::Variable) => Err(Error::INVALID_VALUE),
            None => Err(Error::NOT_REGISTERED),
        }
    }

    /// `cudaHostGetDevicePointer`.
    pub fn host_pointer_of(&mut self, thread: &Thread, out: u64, address: u64, flags: u32) -> Outcome {
        self.device(thread)?;
        let found = self.block_at(address).map(|(start, block)| (start, block.kind));
        let Some((start, _)) =
            found.filter(|(_, kind)| flags == 0 && !matches!(kind, Kind::Managed | Kind::Variable))
        else {
            return Err(Error::INVALID_VALUE);
        };
        let Some(ptr) = self.map_block(thread.device, start) else {
            return self.refuse(Error::NOT_SUPPORTED, "this chip cannot map host memory (pcie.mapped)");
        };
        if let Some(block) = self.blocks.get_mut(&start) {
            block.shared = true;
        }
        self.put_word(out, u64::from(ptr.address()) + (address - start))
    }

    /// Whether the device of a thread has unified addresses.
    fn is_unified(&self, thread: &Thread) -> bool {
        is_unified(self.devices[thread.device].gpu.chip(), self.devices.len())
    }

    /// `cudaHostGetFlags`.
    pub fn host_flags(&mut self, thread: &Thread, out: u64, address: u64) -> Outcome {
        self.device(thread)?;
        // Devices with unified addresses map all pinned memory.
        let mapped = if self.is_unified(thread) { MAPPED } else { 0 };
        match self.block_at(address) {
            Some((_, block)) if matches!(block.kind, Kind::Pinned | Kind::Registered) => {
                self.put_int(out, (block.flags | mapped) as i32)
            }
            _ => Err(Error::INVALID_VALUE),
        }
    }

    /// Returns the address of a block on a device, which gets one if it has none.
    pub(super) fn map_block(&mut self, device: usize, start: u64) -> Option<DevicePtr> {
        let block = self.blocks.get_mut(&start)?;
        if let Some(ptr) = block.mapped.get(&device) {
            return Some(*ptr);
        }
        let ptr = self.devices[device].gpu.alloc_mapped(block.bytes).ok()?;
        block.mapped.insert(device, ptr);
        Some(ptr)
    }

    /// Returns the number that a kernel has to use for a pointer to host memory: the address on the
    /// device if the memory is a block, which is then copied for the launch.
    pub(super) fn pointer_for_kernel(&mut self, device: usize, value: u64, used: &mut Vec<u64>) -> u64 {
        let Some((start, _)) = self.block_at(value) else {
            if let Some((start, _)) = self.block_on(device, value) {
                used.push(start);
            }
            return value;
        };
        // A small number may be a device address and a host address.
        let small = u32::try_from(value).ok();
        let table = self.devices[device].gpu.allocations();
        let is_device = small.is_some_and(|value| table.find(value).is_some());
        if is_device && self.block_on(device, value).is_none() {
            return value;
        }
        match self.map_block(device, start) {
            Some(ptr) => {
                used.push(start);
                u64::from(ptr.address()) + (value - start)
            }
            None => value,
        }
    }

    /// Copies the blocks that a launch may access to its device.
    pub(super) fn pages_in(&mut self, device: usize, used: &[u64]) -> Outcome<Vec<u64>> {
        let needed = self.blocks.iter().filter(|(start, block)| block.shared || used.contains(start));
        let needed: Vec<u64> = needed.map(|(start, _)| *start).collect();
        for start in &needed {
            let Some(ptr) = self.map_block(device, *start) else { continue };
            let block = &self.blocks[start];
            let own = self.get(*start, block.bytes)?;
            let gpu = &mut self.devices[device].gpu;
            // The host program knows which of its bytes it has written.
            gpu.assume_written(ptr, block.bytes);
            let mut moved = 0;
            for (at, page) in pages(&own) {
                if read_page(gpu, ptr, at, page.len()) != page {
                    let written = gpu.write_mapped(ptr.offset(at as u32), page);
                    written.expect("a block is inside its allocation");
                    moved += 1;
                }
            }
            self.program.pages_to_device += moved;
        }
        Ok(needed)
    }

    /// Copies the pages that a launch has changed back to the host. Returns the ranges of host
    /// memory that are not managed and that it has changed, with the checker of races.
    pub(super) fn pages_out(&mut self, device: usize, needed: &[u64]) -> Outcome<Vec<(u64, u64)>> {
        let mut changed = Vec::new();
        let is_checked = self.settings.checks.has(Check::Race);
        for start in needed {
            let Some(block) = self.blocks.get(start) else { continue };
            let Some(ptr) = block.mapped.get(&device).copied() else { continue };
            let lists = is_checked && matches!(block.kind, Kind::Pinned | Kind::Registered);
            let own = self.get(*start, block.bytes)?;
            let mut moved = 0;
            for (at, page) in pages(&own) {
                let now = read_page(&self.devices[device].gpu, ptr, at, page.len());
                if now != page {
                    self.put(start + at, &now)?;
                    moved += 1;
                    if lists {
                        different(start + at, page, &now, &mut changed);
                    }
                }
            }
            self.program.pages_to_host += moved;
        }
        Ok(changed)
    }
}

/// Iterates over the pages of a block, with their offsets.
fn pages(bytes: &[u8]) -> impl Iterator<Item = (u64, &[u8])> {
    (0..).step_by(PAGE as usize).zip(bytes.chunks(PAGE as usize))
}

/// Adds the ranges in which two pages at an address differ.
fn different(address: u64, old: &[u8], new: &[u8], ranges: &mut Vec<(u64, u64)>) {
    let changed = (address..).zip(old.iter().zip(new)).filter(|(_, (old, new))| old != new);
    for (at, _) in changed {
        match ranges.last_mut() {
            // A value that changes has bytes that do not: a range has a changed byte in each word.
            Some((start, bytes)) if at / 4 - (*start + *bytes - 1) / 4 <= 1 => *bytes = at + 1 - *start,
            _ => ranges.push((at, 1)),
        }
    }
}

fn read_page(gpu: &Gpu, ptr: DevicePtr, at: u64, bytes: usize) -> Vec<u8> {
    let mut page = vec![0; bytes];
    gpu.read_mapped(ptr.offset(at as u32), &mut page).expect("a block is inside its allocation");
    page
}
