//! Shadow memory: for each word of a memory that was touched, the records of those who wrote it and
//! of those who read it.

use super::record::{AccessRecord, NONE};

/// Words of a page.
const PAGE_WORDS: usize = 1024;

/// Most records that are kept of one memory at a time: half a gigabyte.
pub const MOST_MARKS: usize = 1 << 23;

/// The records of a word, as the first ones of two lists; they hold if `age` is that of the memory.
#[derive(Clone, Copy, Debug)]
pub struct Cell {
    age: u32,
    /// Those who wrote it, by atomics too.
    pub writers: u32,
    /// Those who only read it.
    pub readers: u32,
}

/// What shadows a memory.
#[derive(Debug)]
pub struct Shadow {
    age: u32,
    pages: Vec<Option<Box<[Cell; PAGE_WORDS]>>>,
    records: Vec<AccessRecord>,
    most: usize,
    refused: u64,
}

impl Shadow {
    /// Of a memory that nobody has touched; at most `most` records are kept at a time.
    pub fn new(most: usize) -> Self {
        Self { age: 0, pages: Vec::new(), records: Vec::new(), most, refused: 0 }
    }

    /// Forgets all accesses.
    pub fn renew(&mut self) {
        self.records.clear();
        self.age = self.age.wrapping_add(1);
        if self.age == 0 {
            self.pages.clear();
        }
    }

    /// The records of the word of number `word`.
    pub fn cell(&mut self, word: u32) -> Cell {
        *self.slot(word)
    }

    fn slot(&mut self, word: u32) -> &mut Cell {
        let page = word as usize / PAGE_WORDS;
        if self.pages.len() <= page {
            self.pages.resize_with(page + 1, || None);
        }
        let empty = Cell { age: self.age, writers: NONE, readers: NONE };
        let cells = self.pages[page].get_or_insert_with(|| Box::new([empty; PAGE_WORDS]));
        let cell = &mut cells[word as usize % PAGE_WORDS];
        if cell.age != self.age {
            *cell = empty;
        }
        cell
    }

    /// The records of the list that begins with `first`.
    pub fn list(&self, first: u32) -> impl Iterator<Item = &AccessRecord> {
        let get = |at: u32| self.records.get(at as usize);
        std::iter::successors(get(first), move |record| get(record.next))
    }

    /// The record of the list from `first` on for which `is` holds.
    pub fn find(&mut self, first: u32, is: impl Fn(&AccessRecord) -> bool) -> Option<&mut AccessRecord> {
        let mut at = first;
        while let Some(record) = self.records.get(at as usize) {
            if is(record) {
                return self.records.get_mut(at as usize);
            }
            at = record.next;
        }
        None
    }

    /// Puts a record in front of the list of the word's writers or readers, if there is room.
    pub fn push(&mut self, word: u32, writer: bool, mut record: AccessRecord) {
        if self.records.len() >= self.most {
            self.refused += 1;
            return;
        }
        let at = self.records.len() as u32;
        let cell = self.slot(word);
        let first = if writer { &mut cell.writers } else { &mut cell.readers };
        record.next = std::mem::replace(first, at);
        self.records.push(record);
    }

    /// Marks that were not kept because there was no room: one for each word of an access.
    pub fn refused(&self) -> u64 {
        self.refused
    }
}
