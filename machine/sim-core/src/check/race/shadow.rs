//! Shadow memory: for each accessed word of a memory, the records of its writers and of its
//! readers.

use super::record::{AccessRecord, NONE};

/// Number of words per page.
const PAGE_WORDS: usize = 1024;

/// Maximum number of records for each memory: half a gigabyte.
pub const MAX_RECORDS: usize = 1 << 23;

/// Records of a word, as the first elements of two lists. They are valid if `age` is that of the
/// memory.
#[derive(Clone, Copy, Debug)]
pub struct Cell {
    age: u32,
    /// Records of threads that wrote the word, by atomics too.
    pub writers: u32,
    /// Records of threads that only read the word.
    pub readers: u32,
}

/// The shadow of a memory.
#[derive(Debug)]
pub struct Shadow {
    age: u32,
    pages: Vec<Option<Box<[Cell; PAGE_WORDS]>>>,
    records: Vec<AccessRecord>,
    most: usize,
    refused: u64,
}

impl Shadow {
    /// The shadow of a memory without accesses; it keeps at most `most` records.
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

    /// Returns the records of word number `word`.
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

    /// Iterates over the records of the list that begins with `first`.
    pub fn list(&self, first: u32) -> impl Iterator<Item = &AccessRecord> {
        let get = |at: u32| self.records.get(at as usize);
        std::iter::successors(get(first), move |record| get(record.next))
    }

    /// Returns the first record of the list that begins with `first` for which `is` returns `true`.
    /// Searches as long as `among` returns `true`.
    pub fn find(
        &mut self,
        first: u32,
        among: impl Fn(&AccessRecord) -> bool,
        is: impl Fn(&AccessRecord) -> bool,
    ) -> Option<&mut AccessRecord> {
        let mut at = first;
        while let Some(record) = self.records.get(at as usize).filter(|record| among(record)) {
            if is(record) {
                return self.records.get_mut(at as usize);
            }
            at = record.next;
        }
        None
    }

    /// Inserts a record at the front of the list of the word's writers or readers, unless the
    /// memory has the maximum number of records.
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

    /// Returns the number of records that were not kept because the maximum was reached: one for
    /// each word of an access.
    pub fn refused(&self) -> u64 {
        self.refused
    }
}
