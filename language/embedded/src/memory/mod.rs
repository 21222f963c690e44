//! Memory of the host half of a program: blocks whose accesses are checked.
//!
//! An address is the number of a block and an offset in it, so an access outside a block, to a
//! freed one or to a variable of a function that has returned is found, and never hits another
//! block. Numbers below [`FIRST`] are addresses of the device, which mapped memory has, too.

#![expect(clippy::inline_always, reason = "most of the interpreter's time is spent in accesses")]

mod fault;
mod guards;
#[cfg(feature = "jit")]
mod rows;
mod windows;

use cuda::source::Span;
pub use fault::{Fault, Refused};
pub use guards::Accessor;
use guards::Guards;
#[cfg(feature = "jit")]
pub use rows::{ROW, Row};
use smallvec::SmallVec;
use std::cell::Cell;
use std::fmt;
use std::sync::Arc;
use windows::Windows;

/// Bits of the offset in an address.
pub(crate) const OFFSET_BITS: u32 = 36;
/// Bits of the slot in an address; the bits above it count the uses of the slot.
pub(crate) const SLOT_BITS: u32 = 22;
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
            Self::Pinned => out.write_str("the pinned or managed memory"),
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
    /// The upper bits of the addresses in the block; [`CLOSED`] if it is freed or watched.
    key: u64,
}

/// No address has these upper bits.
const CLOSED: u64 = u64::MAX;

/// All memory of the host.
#[derive(Debug)]
pub struct Memory {
    blocks: Vec<Block>,
    /// Slots of freed blocks, the oldest first.
    free: std::collections::VecDeque<u32>,
    used: u64,
    limit: u64,
    unwritten: Unwritten,
    /// The last allocation that returned null.
    refused: Option<Refused>,
    /// Bytes that functions of the library have touched.
    touched: Cell<u64>,
    /// Blocks whose accesses are watched.
    guards: Guards,
    /// Addresses of mapped memory.
    windows: Windows,
    /// What translated code knows of the blocks.
    #[cfg(feature = "jit")]
    rows: Vec<Row>,
}

/// Bytes that a function of the library touches in the time of one instruction.
const BYTES_OF_STEP: u64 = 64;

/// Slots that stay unused after they were freed, so that uses of freed memory are found.
const QUARANTINE: usize = 4096;
/// Bytes of a block that is tried before it is allocated.
const LARGE: u64 = 1 << 20;
/// Bytes of a block that keeps its memory for the next use of its slot.
const SMALL: u64 = 256;

impl Memory {
    /// Memory of at most `limit` bytes.
    pub fn new(limit: u64, unwritten: Unwritten) -> Self {
        Self {
            blocks: Vec::new(),
            free: std::collections::VecDeque::new(),
            used: 0,
            limit,
            unwritten,
            refused: None,
            touched: Cell::new(0),
            guards: Guards::default(),
            windows: Windows::default(),
            #[cfg(feature = "jit")]
            rows: vec![Row::default()],
        }
    }

    /// Notes that a function of the library touches bytes.
    pub fn touch(&self, bytes: u64) {
        self.touched.set(self.touched.get().saturating_add(bytes));
    }

    /// Returns the instructions that the touched bytes count as, and begins a new count.
    #[inline]
    pub fn take_steps(&self) -> u64 {
        self.touched.take() / BYTES_OF_STEP
    }

    /// Notes that the program gets a null pointer instead of memory.
    pub fn note_refused(&mut self, refused: Refused) {
        self.refused = Some(refused);
    }

    /// Bytes that can still be allocated.
    pub fn room(&self) -> u64 {
        self.limit.saturating_sub(self.used)
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
        // The machine may have less memory than the limit. Small blocks are not tried: the program
        // would not get far without them.
        if size > LARGE && Vec::<u8>::new().try_reserve_exact(size as usize + size as usize / 8).is_err() {
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
                // Large blocks start as pages that the system clears at their first use.
                if size > SMALL {
                    (block.bytes, block.written) = (vec![0; size as usize], vec![0; words]);
                } else {
                    block.bytes.clear();
                    block.bytes.resize(size as usize, 0);
                    block.written.clear();
                    block.written.resize(words, 0);
                }
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
                    key: CLOSED,
                });
                self.blocks.len() as u32 - 1
            }
        };
        let generation = self.blocks[slot as usize].generation;
        self.changed(slot as usize);
        Ok(((generation << SLOT_BITS) | (u64::from(slot) + 1)) << OFFSET_BITS)
    }

    /// Adds a block of mapped memory: zeros, which have this address on the device, too; none if it
    /// is 0.
    ///
    /// # Errors
    ///
    /// The limit is reached.
    pub fn allocate_mapped(&mut self, address: u64, size: u64) -> Result<u64, Fault> {
        let own = self.allocate(size, Kind::Pinned, true, Span::NONE)?;
        if address == 0 {
            return Ok(own);
        }
        self.windows.add(address, size, own);
        Ok(address)
    }

    /// The slot of an address.
    fn slot(address: u64) -> Option<usize> {
        ((address >> OFFSET_BITS) & ((1 << SLOT_BITS) - 1)).checked_sub(1).map(|slot| slot as usize)
    }

    /// The slot of an address, or one that no block has.
    #[inline]
    fn index(address: u64) -> usize {
        (((address >> OFFSET_BITS) & ((1 << SLOT_BITS) - 1)) as usize).wrapping_sub(1)
    }

    #[inline]
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

    /// The live block of an address, also if its accesses are watched.
    fn live_or_guarded(&self, address: u64) -> Option<usize> {
        self.live(address).or_else(|| self.guarded(address))
    }

    /// The block with all bytes of an access, and the first of them; `None` if the access is wrong
    /// or watched.
    #[inline]
    fn unwatched(&self, address: u64, bytes: u64) -> Option<(usize, usize)> {
        let slot = Self::slot(address)?;
        let block = self.blocks.get(slot)?;
        let (offset, size) = (Self::offset(address), block.bytes.len() as u64);
        let is_inside = block.key == address >> OFFSET_BITS && bytes <= size && offset <= size - bytes;
        is_inside.then_some((slot, offset as usize))
    }

    /// The block with all bytes of an access, and the first of them.
    #[inline]
    fn at(&self, address: u64, bytes: u64, writes: bool) -> Result<(usize, usize), Fault> {
        match self.unwatched(address, bytes) {
            Some(found) => Ok(found),
            None => self.watched(address, bytes, writes),
        }
    }

    /// The block of an access that is watched or wrong.
    #[cold]
    fn watched(&self, address: u64, bytes: u64, writes: bool) -> Result<(usize, usize), Fault> {
        if address < FIRST
            && let Some(found) = self.unwatched(self.windows.own(address), bytes)
        {
            return Ok(found);
        }
        self.at_guarded(address, bytes, writes).unwrap_or_else(|| Err(self.explain(address, bytes)))
    }

    /// Why an access is wrong.
    #[cold]
    fn explain(&self, address: u64, bytes: u64) -> Fault {
        if address < 4096 {
            return Fault::Null(self.refused);
        }
        if address < FIRST {
            let near = self.windows.near(address);
            return near.map_or(Fault::Device(address, self.refused), |near| self.explain(near, bytes));
        }
        // An index below a block borrows from its number.
        let below = address.wrapping_add(FIRST / 2);
        if Self::offset(address) >= FIRST / 2 && self.live_or_guarded(below).is_some() {
            return self.outside(below, Self::offset(address) as i64 - FIRST as i64, bytes);
        }
        if self.guarded(address).is_some() {
            return self.outside(address, Self::offset(address) as i64, bytes);
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
        let Some(block) = self.live_or_guarded(address).map(|slot| &self.blocks[slot]) else {
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
        let address = self.windows.own(address);
        let Some(slot) = self.live_or_guarded(address) else {
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
        let address = self.windows.own(address);
        self.end_guard(address);
        let Some(slot) = self.live(address) else { return };
        let block = &mut self.blocks[slot];
        self.used -= block.bytes.len() as u64;
        block.freed = Some(at);
        if block.bytes.len() as u64 > SMALL {
            block.bytes = Vec::new();
            block.written = Vec::new();
        }
        self.free.push_back(slot as u32);
        self.changed(slot);
    }

    /// Notes that the memory of a block has changed, or who may access it.
    fn changed(&mut self, slot: usize) {
        let block = &mut self.blocks[slot];
        // Guarded blocks have a generation that no address has.
        let is_open = block.freed.is_none() && block.generation < GENERATIONS;
        block.key = if is_open { (block.generation << SLOT_BITS) | (slot as u64 + 1) } else { CLOSED };
        #[cfg(feature = "jit")]
        self.renew_row(slot);
    }

    /// Loads `N` bytes, all of which must have a value.
    ///
    /// # Errors
    ///
    /// The access is wrong.
    #[inline(always)]
    pub fn load<const N: usize>(&self, address: u64) -> Result<[u8; N], Fault> {
        // A separate path keeps the usual one short.
        match self.load_open(address) {
            Some(bytes) => Ok(bytes),
            None => self.load_slowly(address),
        }
    }

    /// Loads `N` bytes of a block that nothing watches, if all have a value.
    #[inline(always)]
    fn load_open<const N: usize>(&self, address: u64) -> Option<[u8; N]> {
        let block = self.blocks.get(Self::index(address))?;
        let offset = Self::offset(address) as usize;
        let bytes = block.bytes.get(offset..)?.first_chunk()?;
        let is_open = block.key == address >> OFFSET_BITS;
        let has_value = block.written.is_empty() || is_written(&block.written, offset, N);
        (is_open && has_value).then_some(*bytes)
    }

    #[cold]
    #[inline(never)]
    fn load_slowly<const N: usize>(&self, address: u64) -> Result<[u8; N], Fault> {
        if address < FIRST
            && let Some(bytes) = self.load_open(self.windows.own(address))
        {
            return Ok(bytes);
        }
        let (slot, offset) = self.at(address, N as u64, false)?;
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
    #[inline(always)]
    pub fn store<const N: usize>(&mut self, address: u64, bytes: [u8; N]) -> Result<(), Fault> {
        match self.store_open(address, bytes) {
            Some(()) => Ok(()),
            None => self.store_slowly(address, bytes),
        }
    }

    /// Stores `N` bytes in a block that nothing watches.
    #[inline(always)]
    fn store_open<const N: usize>(&mut self, address: u64, bytes: [u8; N]) -> Option<()> {
        let block = self.blocks.get_mut(Self::index(address))?;
        let offset = Self::offset(address) as usize;
        let place = block.bytes.get_mut(offset..)?.first_chunk_mut()?;
        if block.key != address >> OFFSET_BITS {
            return None;
        }
        if !block.written.is_empty() {
            set_written(&mut block.written, offset, N);
        }
        *place = bytes;
        Some(())
    }

    #[cold]
    #[inline(never)]
    fn store_slowly<const N: usize>(&mut self, address: u64, bytes: [u8; N]) -> Result<(), Fault> {
        if address < FIRST
            && let Some(()) = self.store_open(self.windows.own(address), bytes)
        {
            return Ok(());
        }
        let (slot, offset) = self.at(address, N as u64, true)?;
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
        let (slot, offset) = self.at(address, size, false)?;
        self.touch(size);
        Ok(&self.blocks[slot].bytes[offset..offset + size as usize])
    }

    /// The bytes of a block from an address on.
    ///
    /// # Errors
    ///
    /// There is no memory at the address.
    pub fn rest(&self, address: u64) -> Result<&[u8], Fault> {
        let (slot, offset) = self.at(address, 0, false)?;
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
        let (slot, offset) = self.at(address, size, true)?;
        self.touch(size);
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
        let (from, to) = (self.at(from, size, false)?, self.at(to, size, true)?);
        self.touch(size);
        self.copy_between(from, to, size as usize);
        Ok(())
    }

    /// Copies bytes from a block and offset to a block and offset.
    fn copy_between(
        &mut self,
        (source, first): (usize, usize),
        (target, start): (usize, usize),
        size: usize,
    ) {
        if size <= 64 && self.copy_word((source, first), (target, start), size) {
            return;
        }
        let block = &self.blocks[source];
        let written = (!block.written.is_empty()).then(|| written_bits(&block.written, first, size));
        if let Ok([source, target]) = self.blocks.get_disjoint_mut([source, target]) {
            target.bytes[start..start + size].copy_from_slice(&source.bytes[first..first + size]);
        } else {
            self.blocks[source].bytes.copy_within(first..first + size, start);
        }
        let block = &mut self.blocks[target];
        match written {
            None if block.written.is_empty() => {}
            None => set_written(&mut block.written, start, size),
            Some(bits) => {
                let is_new = block.written.is_empty();
                if is_new {
                    block.written = vec![!0; block.bytes.len().div_ceil(64)];
                }
                set_written_bits(&mut block.written, start, size, &bits);
                if is_new {
                    self.changed(target);
                }
            }
        }
    }

    /// Copies at most 64 bytes, unless that makes room for the bits of a block. Returns whether it
    /// did.
    fn copy_word(
        &mut self,
        (source, first): (usize, usize),
        (target, start): (usize, usize),
        size: usize,
    ) -> bool {
        let block = &self.blocks[source];
        let all = low_bits(size);
        let has_value = if block.written.is_empty() { all } else { word_of(&block.written, first) & all };
        let mut bytes = [0; 64];
        bytes[..size].copy_from_slice(&block.bytes[first..first + size]);
        let block = &mut self.blocks[target];
        if !block.written.is_empty() {
            let (word, shift) = (start / 64, start % 64);
            block.written[word] = block.written[word] & !(all << shift) | has_value << shift;
            if shift + size > 64 {
                let (bits, new) = (all >> (64 - shift), has_value >> (64 - shift));
                block.written[word + 1] = block.written[word + 1] & !bits | new;
            }
        } else if has_value != all {
            return false;
        }
        block.bytes[start..start + size].copy_from_slice(&bytes[..size]);
        true
    }

    /// A text that ends with NUL, without the NUL.
    ///
    /// # Errors
    ///
    /// The text leaves its block, or has bytes without a value.
    pub fn text(&self, address: u64) -> Result<&[u8], Fault> {
        self.text_within(address, usize::MAX)
    }

    /// A text that ends with NUL or after `most` bytes, without the NUL.
    ///
    /// # Errors
    ///
    /// The text leaves its block, or has bytes without a value.
    pub fn text_within(&self, address: u64, most: usize) -> Result<&[u8], Fault> {
        if most == 0 {
            return Ok(&[]);
        }
        let (slot, offset) = self.at(address, 1, false)?;
        let block = &self.blocks[slot];
        let bytes = &block.bytes[offset..];
        let part = &bytes[..bytes.len().min(most)];
        let length = part.iter().position(|byte| *byte == 0);
        if length.is_none() && part.len() < most {
            let size = bytes.len() as u64 + 1;
            return Err(self.outside(address, offset as i64, size));
        }
        let read = length.map_or(most, |length| length + 1);
        self.touch(read as u64);
        if !block.written.is_empty() && !is_written(&block.written, offset, read) {
            let at = (offset..offset + read).find(|at| !is_written(&block.written, *at, 1));
            let (kind, made) = (block.kind.clone(), block.made);
            return Err(Fault::Uninitialized { kind, made, offset: at.unwrap_or(offset) as u64 });
        }
        Ok(&part[..length.unwrap_or(most)])
    }

    /// Bytes of the block that starts at an address.
    pub fn size(&self, address: u64) -> Option<u64> {
        let address = self.windows.own(address);
        let slot = self.live_or_guarded(address).filter(|_| Self::offset(address) == 0)?;
        Some(self.blocks[slot].bytes.len() as u64)
    }

    /// Name of the variable that contains an address.
    pub fn variable(&self, address: u64) -> Option<&str> {
        match &self.blocks[self.live_or_guarded(address)?].kind {
            Kind::Global(name) | Kind::Local(name) if !name.is_empty() => Some(name),
            Kind::Global(_) | Kind::Local(_) | Kind::Heap | Kind::Pinned => None,
        }
    }

    /// Blocks of the heap that were not freed: where they were allocated, and their bytes.
    pub fn leaks(&self) -> impl Iterator<Item = (Span, u64)> {
        let heap = self.blocks.iter().filter(|block| block.kind == Kind::Heap && block.freed.is_none());
        heap.map(|block| (block.made, block.bytes.len() as u64))
    }
}

/// Iterates over the parts of a range in words of 64 bits: index, and bits.
fn words(offset: usize, size: usize) -> impl Iterator<Item = (usize, u64)> {
    let (mut at, end) = (offset, offset + size);
    std::iter::from_fn(move || {
        let count = (64 - at % 64).min(end - at);
        let part = (at / 64, low_bits(count) << (at % 64));
        at += count;
        (count > 0).then_some(part)
    })
}

/// The lowest bits, at most 64.
fn low_bits(count: usize) -> u64 {
    if count >= 64 { !0 } else { (1 << count) - 1 }
}

/// Whether all bytes of an access have values.
#[inline]
fn is_written(written: &[u64], offset: usize, size: usize) -> bool {
    if offset % 64 + size <= 64 {
        let mask = low_bits(size);
        return (written[offset / 64] >> (offset % 64)) & mask == mask;
    }
    words(offset, size).all(|(word, bits)| written[word] & bits == bits)
}

/// Notes that bytes have values.
#[inline]
fn set_written(written: &mut [u64], offset: usize, size: usize) {
    if offset % 64 + size <= 64 {
        written[offset / 64] |= low_bits(size) << (offset % 64);
        return;
    }
    words(offset, size).for_each(|(word, bits)| written[word] |= bits);
}

/// Which of 64 bytes have values; bytes behind the block have none.
fn word_of(written: &[u64], at: usize) -> u64 {
    let shift = at % 64;
    let low = written[at / 64] >> shift;
    let high = written.get(at / 64 + 1).filter(|_| shift > 0).map_or(0, |next| next << (64 - shift));
    low | high
}

/// Which bytes of a range have values, from bit 0 on.
fn written_bits(written: &[u64], offset: usize, size: usize) -> SmallVec<[u64; 2]> {
    (offset..offset + size).step_by(64).map(|at| word_of(written, at)).collect()
}

/// Sets which bytes of a range have values.
fn set_written_bits(written: &mut [u64], offset: usize, size: usize, bits: &[u64]) {
    let shift = offset % 64;
    for (at, bits) in (offset..offset + size).step_by(64).zip(bits) {
        let mask = low_bits(offset + size - at);
        let (word, bits) = (at / 64, bits & mask);
        written[word] = written[word] & !(mask << shift) | bits << shift;
        if shift > 0 && mask >> (64 - shift) != 0 {
            written[word + 1] = written[word + 1] & !(mask >> (64 - shift)) | bits >> (64 - shift);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Allocates a block; every third byte from `first` on has a value.
    fn block(memory: &mut Memory, size: u64, first: u64) -> u64 {
        let at = memory.allocate(size, Kind::Heap, false, Span::NONE).expect("there is room");
        for byte in (first..size).step_by(3) {
            memory.store(at + byte, [byte as u8]).expect("inside");
        }
        at
    }

    #[test]
    fn copies_keep_which_bytes_have_values() {
        let long = [(0, 5, 200), (7, 64, 129), (100, 100, 300), (9, 8, 0)];
        let short = [1, 2, 12, 33, 63, 64].map(|size| (0..66).map(move |to| (61, to, size)));
        for (from, to, size) in long.into_iter().chain(short.into_iter().flatten()) {
            let mut memory = Memory::new(1 << 20, Unwritten::Stops);
            let [a, b] = [1, 2].map(|first| block(&mut memory, 512, first));
            memory.copy(b + to, a + from, size).expect("inside");
            for byte in 0..512 {
                let is_copied = (to..to + size).contains(&byte);
                let has_value = if is_copied { (byte - to + from) % 3 == 1 } else { byte % 3 == 2 };
                assert_eq!(memory.load::<1>(b + byte).is_ok(), has_value, "{from} {to} {size}: {byte}");
            }
        }
        let mut memory = Memory::new(1 << 20, Unwritten::Stops);
        let a = block(&mut memory, 512, 1);
        for size in [8, 80] {
            let all = memory.allocate(128, Kind::Heap, true, Span::NONE).expect("there is room");
            memory.copy(all, a, size).expect("inside");
            let has_value = |byte| memory.load::<1>(all + byte).is_ok();
            assert!((0..128).all(|byte| has_value(byte) == (byte >= size || byte % 3 == 1)), "{size}");
        }
        memory.copy(a + 100, a + 50, 200).expect("inside");
        for byte in 100..300 {
            assert_eq!(memory.load::<1>(a + byte).ok(), ((byte - 50) % 3 == 1).then(|| [(byte - 50) as u8]));
        }
    }

    #[test]
    fn touched_bytes_count_as_instructions() {
        let mut memory = Memory::new(1 << 20, Unwritten::Stops);
        let at = memory.allocate(1 << 16, Kind::Heap, true, Span::NONE).expect("there is room");
        assert_eq!(memory.take_steps(), 0);
        memory.range(at, 1 << 16).expect("inside").fill(b'x');
        memory.copy(at, at + 1, 1 << 15).expect("inside");
        assert_eq!(memory.take_steps(), (3 << 15) / 64);
        memory.write(at + 6400, &[0]).expect("inside");
        assert_eq!(memory.text(at).map(<[u8]>::len), Ok(6400));
        assert_eq!(memory.text_within(at, 640).map(<[u8]>::len), Ok(640));
        assert_eq!((memory.take_steps(), memory.take_steps()), (110, 0));
    }
}
