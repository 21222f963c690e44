//! The pages of an image. Copies of an image share pages until one of them writes; the image that
//! has a page alone writes to it without an atomic instruction, which would wait for the stores
//! before it: random stores then take three times as long.

#![expect(unsafe_code, reason = "`Arc` has no safe access to a value that is known to be unshared")]

use super::{PAGE_BYTES, Page};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// A page, which may be shared.
#[derive(Clone, Debug, Default)]
struct Slot {
    /// `None` if it has never been written.
    page: Option<Arc<Page>>,
    /// The number of copies of the image when it was seen that no other image has the page.
    unshared: u64,
}

/// Pages by number.
#[derive(Debug)]
pub struct Pages {
    slots: Vec<Slot>,
    /// How many times these pages have been copied, and they from others, plus 1: a page can only
    /// have become shared since then.
    copies: AtomicU64,
}

impl Pages {
    /// Returns one more than the highest number of a page.
    pub fn len(&self) -> usize {
        self.slots.len()
    }

    /// Returns page `number`; `None` if it has never been written.
    #[inline]
    pub fn get(&self, number: usize) -> Option<&Page> {
        self.slots.get(number)?.page.as_deref()
    }

    /// Returns page `number` for writing; allocates or unshares it if necessary.
    #[inline]
    pub fn get_mut(&mut self, number: usize) -> &mut Page {
        let copies = *self.copies.get_mut();
        if self.slots.get(number).is_none_or(|slot| slot.unshared != copies) {
            self.unshare(number);
        }
        let page = self.slots[number].page.as_ref().expect("an unshared page exists");
        // SAFETY: `unshare` saw that this is the only pointer to the page, and since then no other
        // was made: only `clone` makes them, which changes `copies`.
        unsafe { &mut *Arc::as_ptr(page).cast_mut() }
    }

    /// Makes page `number` one that no other image has.
    #[cold]
    fn unshare(&mut self, number: usize) {
        if number >= self.slots.len() {
            self.slots.resize(number + 1, Slot::default());
        }
        let slot = &mut self.slots[number];
        Arc::make_mut(slot.page.get_or_insert_with(|| Arc::new([0; PAGE_BYTES])));
        slot.unshared = *self.copies.get_mut();
    }

    /// Returns the pages that were written, each with its number.
    pub fn written(&self) -> impl Iterator<Item = (u32, &Page)> {
        (0..).zip(&self.slots).filter_map(|(number, slot)| Some((number, slot.page.as_deref()?)))
    }
}

/// No page.
impl Default for Pages {
    fn default() -> Self {
        Self { slots: Vec::new(), copies: AtomicU64::new(1) }
    }
}

/// Costs one pointer per page.
impl Clone for Pages {
    fn clone(&self) -> Self {
        let copies = self.copies.fetch_add(1, Ordering::Relaxed) + 1;
        Self { slots: self.slots.clone(), copies: AtomicU64::new(copies) }
    }
}
