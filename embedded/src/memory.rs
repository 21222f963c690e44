//! Memory of the host half of a program: blocks whose accesses are checked.
//!
//! An address is the number of a block and an offset in it, so an access outside a block, to a
//! freed one or to a variable of a function that has returned is found, and never hits another
//! block. Numbers below [`FIRST`] are addresses of the device.

use cuda::source::Span;
use std::fmt;
use std::sync::Arc;

/// Bits of the offset in an address.
const OFFSET_BITS: u32 = 36;
/// Bits of the slot in an address; the bits above it count the uses of the slot.
const SLOT_BITS: u32 = 22;
/// Uses of a slot that addresses tell apart.
const GENERATIONS: u64 = 1 << (62 - OFFSET_BITS - SLOT_BITS);
/// The lowest address of the host.
pub const FIRST: u64 = 1 << OFFSET_BITS;

/// What a block is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A variable of the program, or a string literal.
    Global(Arc<str>),
    /// A variable of a function.
    Local(Arc<str>),
    /// Memory of `malloc`, `new` and their like.
    Heap,
    /// Host memory of `cudaMallocHost`, `cudaHostAlloc` or `cudaMallocManaged`.
    Pinned,
}

impl fmt::Display for Kind {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Global(name) | Self::Local(name) if name.is_empty() => out.write_str("a temporary value"),
            Self::Global(name) | Self::Local(name) => write!(out, "`{name}`"),
            Self::Heap => out.write_str("the allocated memory"),
            Self::Pinned => out.write_str("the page-locked memory"),
        }
    }
}

/// Rule for reads of bytes that nothing has written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Unwritten {
    /// A read stops the program.
    #[default]
    Stops,
    /// Reads return zero, as fresh pages of an operating system do.
    Zero,
}

/// A block of memory.
#[derive(Clone, Debug)]
struct Block {
    bytes: Vec<u8>,
    /// One bit for each byte that has a value; empty if all bytes have one.
    written: Vec<u64>,
    kind: Kind,
    /// Where it was allocated or declared.
    made: Span,
    /// Where it was freed.
    freed: Option<Span>,
    generation: u64,
}

/// Why an access failed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fault {
    /// The address is null or close to it.
    Null,
    /// The address belongs to the device.
    Device(u64),
    /// No memory was ever at the address.
    Wild(u64),
    /// The block was freed, or its function has returned.
    Freed {
        /// What the block was.
        kind: Kind,
        /// Where it was allocated.
        made: Span,
        /// Where it was freed.
        freed: Span,
    },
    /// The access is outside its block.
    Outside {
        /// What the block is.
        kind: Kind,
        /// Where it was allocated.
        made: Span,
        /// Bytes of the block.
        size: u64,
        /// First byte of the access.
        offset: i64,
        /// Bytes of the access.
        bytes: u64,
    },
    /// A byte without a value is used.
    Uninitialized {
        /// What the block is.
        kind: Kind,
        /// Where it was allocated.
        made: Span,
        /// First byte of the access.
        offset: u64,
    },
    /// `free` of something that is not the start of allocated memory.
    NotAllocated(Option<Kind>),
    /// No memory is left: bytes that were asked for.
    Exhausted(u64),
}

/// All memory of the host.
#[derive(Debug)]
pub struct Memory {
    blocks: Vec<Block>,
    /// Slots of freed blocks, the oldest first.
    free: std::collections::VecDeque<u32>,
    used: u64,
    limit: u64,
    unwritten: Unwritten,
}

/// Slots that stay unused after they were freed, so that uses of freed memory are found.
const QUARANTINE: usize = 4096;

impl Memory {
    /// Memory of at most `limit` bytes.
    pub fn new(limit: u64, unwritten: Unwritten) -> Self {
        Self { blocks: Vec::new(), free: std::collections::VecDeque::new(), used: 0, limit, unwritten }
    }

    /// Adds a block. `defined`: its bytes are zeros that may be read.
    ///
    /// # Errors
    ///
    /// The limit is reached.
    pub fn allocate(&mut self, size: u64, kind: Kind, defined: bool, made: Span) -> Result<u64, Fault> {
        if size >= 1 << OFFSET_BITS || self.used.saturating_add(size) > self.limit {
            return Err(Fault::Exhausted(size));
        }
        self.used += size;
        let words =
            if defined || self.unwritten == Unwritten::Zero { 0 } else { (size as usize).div_ceil(64) };
        let slot = if self.free.len() > QUARANTINE || self.blocks.len() + 1 >= 1 << SLOT_BITS {
            self.free.pop_front()
        } else {
            None
        };
        let slot = match slot {
            Some(slot) => {
                let block = &mut self.blocks[slot as usize];
                block.bytes.clear();
                block.bytes.resize(size as usize, 0);
                block.written.clear();
                block.written.resize(words, 0);
                (block.kind, block.made, block.freed) = (kind, made, None);
                block.generation = (block.generation + 1) % GENERATIONS;
                slot
            }
            None if self.blocks.len() + 1 >= 1 << SLOT_BITS => return Err(Fault::Exhausted(size)),
            None => {
                self.blocks.push(Block {
                    bytes: vec![0; size as usize],
                    written: vec![0; words],
                    kind,
                    made,
                    freed: None,
                    generation: 0,
                });
                self.blocks.len() as u32 - 1
            }
        };
        let generation = self.blocks[slot as usize].generation;
        Ok(((generation << SLOT_BITS) | (u64::from(slot) + 1)) << OFFSET_BITS)
    }

    /// The slot of an address.
    fn slot(address: u64) -> Option<usize> {
        ((address >> OFFSET_BITS) & ((1 << SLOT_BITS) - 1)).checked_sub(1).map(|slot| slot as usize)
    }

    fn offset(address: u64) -> u64 {
        address & ((1 << OFFSET_BITS) - 1)
    }

    /// The live block of an address.
    #[inline]
    fn live(&self, address: u64) -> Option<usize> {
        let slot = Self::slot(address)?;
        let block = self.blocks.get(slot)?;
        let generation = address >> (OFFSET_BITS + SLOT_BITS);
        (block.freed.is_none() && block.generation == generation).then_some(slot)
    }

    /// The block with all bytes of an access, and the first of them.
    #[inline]
    fn at(&self, address: u64, bytes: u64) -> Result<(usize, usize), Fault> {
        if let Some(slot) = self.live(address) {
            let offset = Self::offset(address);
            let size = self.blocks[slot].bytes.len() as u64;
            if bytes <= size && offset <= size - bytes {
                return Ok((slot, offset as usize));
            }
        }
        Err(self.explain(address, bytes))
    }

    /// Why an access is wrong.
    #[cold]
    fn explain(&self, address: u64, bytes: u64) -> Fault {
        if address < 4096 {
            return Fault::Null;
        }
        if address < FIRST {
            return Fault::Device(address);
        }
        // An index below a block borrows from its number.
        let below = address.wrapping_add(FIRST / 2);
        if Self::offset(address) >= FIRST / 2 && self.live(below).is_some() {
            return self.outside(below, Self::offset(address) as i64 - FIRST as i64, bytes);
        }
        let Some(block) = Self::slot(address).and_then(|slot| self.blocks.get(slot)) else {
            return Fault::Wild(address);
        };
        if block.generation == address >> (OFFSET_BITS + SLOT_BITS) && block.freed.is_none() {
            return self.outside(address, Self::offset(address) as i64, bytes);
        }
        Fault::Freed { kind: block.kind.clone(), made: block.made, freed: block.freed.unwrap_or(Span::NONE) }
    }

    fn outside(&self, address: u64, offset: i64, bytes: u64) -> Fault {
        let Some(block) = self.live(address).map(|slot| &self.blocks[slot]) else {
            return Fault::Wild(address);
        };
        let size = block.bytes.len() as u64;
        Fault::Outside { kind: block.kind.clone(), made: block.made, size, offset, bytes }
    }

    /// Frees a block of the heap.
    ///
    /// # Errors
    ///
    /// The address is not the start of such a block, or the block was freed.
    pub fn free(&mut self, address: u64, kind: &Kind, at: Span) -> Result<(), Fault> {
        if address == 0 {
            return Ok(());
        }
        let Some(slot) = self.live(address) else {
            return Err(match self.explain(address, 1) {
                freed @ Fault::Freed { .. } => freed,
                _ => Fault::NotAllocated(None),
            });
        };
        let block = &self.blocks[slot];
        if block.kind != *kind || Self::offset(address) != 0 {
            return Err(Fault::NotAllocated(Some(block.kind.clone())));
        }
        self.release(address, at);
        Ok(())
    }

    /// Ends the life of a block.
    pub fn release(&mut self, address: u64, at: Span) {
        let Some(slot) = self.live(address) else { return };
        let block = &mut self.blocks[slot];
        self.used -= block.bytes.len() as u64;
        block.freed = Some(at);
        if block.bytes.len() > 256 {
            block.bytes = Vec::new();
            block.written = Vec::new();
        }
        self.free.push_back(slot as u32);
    }

    /// Loads `N` bytes, all of which must have a value.
    ///
    /// # Errors
    ///
    /// The access is wrong.
    #[inline]
    pub fn load<const N: usize>(&self, address: u64) -> Result<[u8; N], Fault> {
        let (slot, offset) = self.at(address, N as u64)?;
        let block = &self.blocks[slot];
        if !block.written.is_empty() && !is_written(&block.written, offset, N) {
            let (kind, made) = (block.kind.clone(), block.made);
            return Err(Fault::Uninitialized { kind, made, offset: offset as u64 });
        }
        let mut out = [0; N];
        out.copy_from_slice(&block.bytes[offset..offset + N]);
        Ok(out)
    }

    /// Stores `N` bytes.
    ///
    /// # Errors
    ///
    /// The access is wrong.
    #[inline]
    pub fn store<const N: usize>(&mut self, address: u64, bytes: [u8; N]) -> Result<(), Fault> {
        let (slot, offset) = self.at(address, N as u64)?;
        let block = &mut self.blocks[slot];
        block.bytes[offset..offset + N].copy_from_slice(&bytes);
        if !block.written.is_empty() {
            set_written(&mut block.written, offset, N);
        }
        Ok(())
    }

    /// The bytes of a range, whether or not they have values.
    ///
    /// # Errors
    ///
    /// The range is not in one block.
    pub fn bytes(&self, address: u64, size: u64) -> Result<&[u8], Fault> {
        if size == 0 {
            return Ok(&[]);
        }
        let (slot, offset) = self.at(address, size)?;
        Ok(&self.blocks[slot].bytes[offset..offset + size as usize])
    }

    /// The bytes of a block from an address on.
    ///
    /// # Errors
    ///
    /// There is no memory at the address.
    pub fn rest(&self, address: u64) -> Result<&[u8], Fault> {
        let (slot, offset) = self.at(address, 0)?;
        Ok(&self.blocks[slot].bytes[offset..])
    }

    /// Gives the bytes of a range new values.
    ///
    /// # Errors
    ///
    /// The range is not in one block.
    pub fn write(&mut self, address: u64, bytes: &[u8]) -> Result<(), Fault> {
        self.range(address, bytes.len() as u64)?.copy_from_slice(bytes);
        Ok(())
    }

    /// The bytes of a range, all of which get values.
    ///
    /// # Errors
    ///
    /// The range is not in one block.
    pub fn range(&mut self, address: u64, size: u64) -> Result<&mut [u8], Fault> {
        if size == 0 {
            return Ok(&mut []);
        }
        let (slot, offset) = self.at(address, size)?;
        let block = &mut self.blocks[slot];
        if !block.written.is_empty() {
            set_written(&mut block.written, offset, size as usize);
        }
        Ok(&mut block.bytes[offset..offset + size as usize])
    }

    /// Copies bytes with the knowledge of which have values; the ranges may overlap.
    ///
    /// # Errors
    ///
    /// A range is not in one block.
    pub fn copy(&mut self, to: u64, from: u64, size: u64) -> Result<(), Fault> {
        if size == 0 || to == from {
            return Ok(());
        }
        let (source, first) = self.at(from, size)?;
        let (target, start) = self.at(to, size)?;
        let size = size as usize;
        let block = &self.blocks[source];
        let values = block.bytes[first..first + size].to_vec();
        let unwritten: Vec<usize> = if block.written.is_empty() {
            Vec::new()
        } else {
            (0..size).filter(|at| !is_written(&block.written, first + at, 1)).collect()
        };
        let block = &mut self.blocks[target];
        block.bytes[start..start + size].copy_from_slice(&values);
        if block.written.is_empty() && unwritten.is_empty() {
            return Ok(());
        }
        if block.written.is_empty() {
            block.written = vec![!0; block.bytes.len().div_ceil(64)];
        }
        set_written(&mut block.written, start, size);
        for at in unwritten {
            block.written[(start + at) / 64] &= !(1 << ((start + at) % 64));
        }
        Ok(())
    }

    /// A text that ends with NUL, without the NUL.
    ///
    /// # Errors
    ///
    /// The text leaves its block, or has bytes without a value.
    pub fn text(&self, address: u64) -> Result<&[u8], Fault> {
        let (slot, offset) = self.at(address, 1)?;
        let block = &self.blocks[slot];
        let bytes = &block.bytes[offset..];
        let Some(length) = bytes.iter().position(|byte| *byte == 0) else {
            let size = bytes.len() as u64 + 1;
            return Err(self.outside(address, offset as i64, size));
        };
        if !block.written.is_empty()
            && let Some(at) = (offset..=offset + length).find(|at| !is_written(&block.written, *at, 1))
        {
            let (kind, made) = (block.kind.clone(), block.made);
            return Err(Fault::Uninitialized { kind, made, offset: at as u64 });
        }
        Ok(&bytes[..length])
    }

    /// Bytes of the block that starts at an address.
    pub fn size(&self, address: u64) -> Option<u64> {
        let slot = self.live(address).filter(|_| Self::offset(address) == 0)?;
        Some(self.blocks[slot].bytes.len() as u64)
    }

    /// Blocks of the heap that were not freed: where they were allocated, and their bytes.
    pub fn leaks(&self) -> impl Iterator<Item = (Span, u64)> {
        let heap = self.blocks.iter().filter(|block| block.kind == Kind::Heap && block.freed.is_none());
        heap.map(|block| (block.made, block.bytes.len() as u64))
    }
}

/// Whether all bytes of an access have values.
#[inline]
fn is_written(written: &[u64], offset: usize, size: usize) -> bool {
    let mask = if size >= 64 { !0 } else { (1 << size) - 1 };
    if offset % 64 + size <= 64 {
        return (written[offset / 64] >> (offset % 64)) & mask == mask;
    }
    (offset..offset + size).all(|at| written[at / 64] >> (at % 64) & 1 == 1)
}

/// Notes that bytes have values.
#[inline]
fn set_written(written: &mut [u64], offset: usize, size: usize) {
    if offset % 64 + size <= 64 {
        let mask: u64 = if size >= 64 { !0 } else { (1 << size) - 1 };
        written[offset / 64] |= mask << (offset % 64);
        return;
    }
    let mut at = offset;
    let end = offset + size;
    while at < end {
        if at.is_multiple_of(64) && end - at >= 64 {
            written[at / 64] = !0;
            at += 64;
        } else {
            written[at / 64] |= 1 << (at % 64);
            at += 1;
        }
    }
}
