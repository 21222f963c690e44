//! What translated code knows of the blocks of memory: one row for each.

use super::{GENERATIONS, Memory, OFFSET_BITS, SLOT_BITS, set_written};

/// A block of memory that translated code may access without further checks.
#[derive(Clone, Copy, Default, Debug)]
#[repr(C)]
pub struct Row {
    /// Address of the block in the program.
    pub base: u64,
    /// Its bytes; 0 if the block is freed or watched.
    pub size: u64,
    /// Address of its bytes in this process.
    pub bytes: u64,
    /// Address of the bits of the bytes that have a value; 0 if all have one.
    pub written: u64,
}

/// Bytes of a row.
pub const ROW: usize = size_of::<Row>();

impl Memory {
    /// The rows, by slot; row 0 has no block.
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// Writes the row of a block that has changed.
    pub(super) fn renew_row(&mut self, slot: usize) {
        let block = &mut self.blocks[slot];
        let row = slot + 1;
        if self.rows.len() <= row {
            self.rows.resize(row + 1, Row::default());
        }
        // Guarded blocks have a generation that no address has.
        let is_open = block.freed.is_none() && block.generation < GENERATIONS;
        self.rows[row] = Row {
            base: ((block.generation << SLOT_BITS) | row as u64) << OFFSET_BITS,
            size: if is_open { block.bytes.len() as u64 } else { 0 },
            bytes: block.bytes.as_mut_ptr().expose_provenance() as u64,
            written: if block.written.is_empty() {
                0
            } else {
                block.written.as_mut_ptr().expose_provenance() as u64
            },
        };
    }

    /// Copies bytes between blocks that nothing watches. Returns whether it did.
    pub fn copy_open(&mut self, to: u64, from: u64, size: u64) -> bool {
        if size == 0 || to == from {
            return true;
        }
        let (Some(from), Some(to)) = (self.unwatched(from, size), self.unwatched(to, size)) else {
            return false;
        };
        self.touch(size);
        self.copy_between(from, to, size as usize);
        true
    }

    /// Gives the bytes of a block that nothing watches a value. Returns whether it did.
    pub fn fill_open(&mut self, to: u64, value: u8, size: u64) -> bool {
        let Some((slot, offset)) = self.unwatched(to, size) else { return size == 0 };
        self.touch(size);
        let block = &mut self.blocks[slot];
        if !block.written.is_empty() && size > 0 {
            set_written(&mut block.written, offset, size as usize);
        }
        block.bytes[offset..offset + size as usize].fill(value);
        true
    }
}
