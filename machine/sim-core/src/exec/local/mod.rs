//! Local memory: the private bytes of each thread. The values are stored with the warp; the memory
//! system models only the timing.
//!
//! Word k of all lanes is one row, like a register. This is also the layout in hardware, where
//! lanes that access the same word of their local memory coalesce. Pages of rows are allocated at
//! the first write.
//!
//! Invariant `local-memory-is-private`: Every thread has its own local memory, which is zero when
//! the thread starts, for every use of a warp slot.

#![expect(clippy::inline_always, reason = "only inlined code is compiled for wide vectors")]

use super::ldst::{check_bank, describe};
use super::mask::{lanes, store as store_lanes};
use super::{Access, Kernel, Row32, Row64, Warp, rows};
use crate::exec::trap::Checked;
use crate::state::Value;
use isa::types::StateSpace;
use isa::uop::{Inst, Memory, Width};
use std::array::from_fn;
use std::sync::Arc;

/// Rows of one page: 4 KiB of a warp, 128 bytes of each lane.
const PAGE_ROWS: usize = 32;

type Page = [Row32; PAGE_ROWS];

/// A row that was never written.
const ZERO: Row32 = [0; 32];

/// The local memory of a warp's lanes, initially zero. A copy costs one pointer per page.
#[derive(Clone, Debug, Default, Value)]
pub struct LocalMemory {
    pages: Vec<Option<Arc<Page>>>,
}

impl LocalMemory {
    /// Sets all of it to zero. Keeps the pages allocated.
    pub fn clear(&mut self) {
        for page in self.pages.iter_mut().flatten() {
            *Arc::make_mut(page) = [ZERO; PAGE_ROWS];
        }
    }

    /// Word `word` of each lane.
    #[inline]
    fn row(&self, word: u32) -> &Row32 {
        let (page, row) = (word as usize / PAGE_ROWS, word as usize % PAGE_ROWS);
        self.pages.get(page).and_then(Option::as_deref).map_or(&ZERO, |page| &page[row])
    }

    /// The byte at an address of a lane.
    pub fn byte(&self, lane: usize, address: u32) -> u8 {
        (self.row(address / 4)[lane] >> shift(address)) as u8
    }

    /// Word `word` of each lane, for writing. Allocates or unshares its page if necessary.
    #[inline]
    fn row_mut(&mut self, word: u32) -> &mut Row32 {
        let (page, row) = (word as usize / PAGE_ROWS, word as usize % PAGE_ROWS);
        if page >= self.pages.len() {
            self.pages.resize(page + 1, None);
        }
        let page = self.pages[page].get_or_insert_with(|| Arc::new([ZERO; PAGE_ROWS]));
        &mut Arc::make_mut(page)[row]
    }
}

/// Compares contents: a page that was never written equals a page of zeros.
impl PartialEq for LocalMemory {
    fn eq(&self, other: &Self) -> bool {
        let page = |memory: &Self, number: usize| memory.pages.get(number).cloned().flatten();
        let zero = |page: Arc<Page>| page.iter().all(|row| *row == ZERO);
        (0..self.pages.len().max(other.pages.len())).all(|number| {
            match (page(self, number), page(other, number)) {
                (Some(a), Some(b)) => Arc::ptr_eq(&a, &b) || a == b,
                (Some(page), None) | (None, Some(page)) => zero(page),
                (None, None) => true,
            }
        })
    }
}

/// Loads from local memory into the destination rows.
#[inline(always)]
pub fn load(kernel: &Kernel, warp: &mut Warp, inst: &Inst, access: &mut Access, _: &mut [u8]) -> Checked {
    let Some(Memory { width, .. }) = inst.op.memory() else { return Ok(()) };
    checked(kernel, warp, inst, width, false, access)?;
    if access.mask != 0 {
        read(warp, inst, width, access);
    }
    Ok(())
}

/// Stores to local memory.
#[inline(always)]
pub fn store(kernel: &Kernel, warp: &mut Warp, inst: &Inst, access: &mut Access, _: &mut [u8]) -> Checked {
    let Some(Memory { width, .. }) = inst.op.memory() else { return Ok(()) };
    checked(kernel, warp, inst, width, true, access)?;
    if access.mask != 0 {
        write(kernel, warp, inst, width, access);
    }
    Ok(())
}

/// Describes and checks an access.
#[inline(always)]
fn checked(
    kernel: &Kernel,
    warp: &Warp,
    inst: &Inst,
    width: Width,
    is_store: bool,
    access: &mut Access,
) -> Checked {
    let beyond = describe(kernel, warp, inst, width, is_store, access);
    let size = kernel.program.local_bytes as usize;
    check_bank(kernel, warp, inst, beyond, size, StateSpace::Local, access)
}

/// Executes a checked load of at least one lane.
#[inline(always)]
pub(super) fn read(warp: &mut Warp, inst: &Inst, width: Width, access: &Access) {
    let addr = &access.addr;
    for (place, row) in (0..).zip(&inst.dst_rows()[..width.rows()]) {
        if width.is_wide() {
            let (low, high) =
                (gather(&warp.local, addr, 8 * place), gather(&warp.local, addr, 8 * place + 4));
            let values: Row64 = from_fn(|l| u64::from(low[l]) | u64::from(high[l]) << 32);
            store_lanes(&mut warp.d[*row as usize], &values, access.mask);
            continue;
        }
        let mut words = gather(&warp.local, addr, 4 * place);
        if width.bytes() < 4 {
            let extend = width.extension();
            words = from_fn(|l| extend(words[l] >> shift(addr[l])));
        }
        store_lanes(&mut warp.w[*row as usize], &words, access.mask);
    }
}

/// Executes a checked store of at least one lane.
#[inline(always)]
pub(super) fn write(kernel: &Kernel, warp: &mut Warp, inst: &Inst, width: Width, access: &Access) {
    for (place, row) in (0..).zip(&inst.src_rows()[1..=width.rows()]) {
        if width.is_wide() {
            let values = *rows::d(kernel, warp, *row);
            scatter(&mut warp.local, access, 8 * place, &values.map(|value| value as u32));
            scatter(&mut warp.local, access, 8 * place + 4, &values.map(|value| (value >> 32) as u32));
            continue;
        }
        let mut values = *rows::w(kernel, warp, *row);
        if width.bytes() < 4 {
            // The rest of the word does not change.
            let old = gather(&warp.local, &access.addr, 0);
            let bits = (1u32 << (8 * width.bytes())) - 1;
            values = from_fn(|l| {
                let shift = shift(access.addr[l]);
                old[l] & !(bits << shift) | (values[l] & bits) << shift
            });
        }
        scatter(&mut warp.local, access, 4 * place, &values);
    }
}

/// Bit position of a byte address in its word.
fn shift(at: u32) -> u32 {
    at % 4 * 8
}

/// The words at the lanes' addresses plus `plus` bytes. Inactive lanes get the word of an active
/// lane's address.
#[inline(always)]
fn gather(local: &LocalMemory, addr: &Row32, plus: u32) -> Row32 {
    if same_word(addr) {
        *local.row((addr[0] + plus) / 4)
    } else {
        from_fn(|l| local.row((addr[l] + plus) / 4)[l])
    }
}

/// Writes the active lanes' words.
#[inline(always)]
fn scatter(local: &mut LocalMemory, access: &Access, plus: u32, values: &Row32) {
    if same_word(&access.addr) {
        store_lanes(local.row_mut((access.addr[0] + plus) / 4), values, access.mask);
    } else {
        for lane in lanes(access.mask) {
            local.row_mut((access.addr[lane] + plus) / 4)[lane] = values[lane];
        }
    }
}

/// Whether all addresses have the same word number, as in most accesses. The words are still in
/// separate memories of the lanes.
#[inline(always)]
fn same_word(addr: &Row32) -> bool {
    addr.iter().fold(0, |differ, at| differ | (at ^ addr[0])) < 4
}

#[cfg(test)]
mod tests;
