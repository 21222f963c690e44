//! Origins of undefined values: the place that nothing wrote, and the instruction that read it
//! first.

use std::collections::BTreeMap;

/// Maximum number of origins of one block with an exact address. Later ones have only the
/// instruction.
const MOST: usize = 1 << 16;

/// An undefined value, or a word of memory with one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Undefined {
    /// Number of the origin.
    pub origin: u32,
    /// The bits that are undefined.
    pub bits: u64,
    /// Whether these bits are copies of bits of global memory, each at its place in the word: a
    /// change of a bit-field stores them back.
    pub kept: bool,
}

/// Kind of a place that nothing wrote, or of another source of undefined values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum OriginPlace {
    /// A register that nothing wrote.
    Register,
    /// Shared memory.
    Shared,
    /// Local memory.
    Local,
    /// Global memory.
    Global,
    /// No place: the result of an integer division by zero.
    Division,
}

/// Place from which an undefined value comes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Origin {
    /// Kind of the place.
    pub place: OriginPlace,
    /// Instruction that read it, or that divided.
    pub pc: u32,
    /// First byte that nothing wrote; number of the row for a register. `None` beyond the maximum
    /// number of origins.
    pub address: Option<u32>,
    /// Number of bytes that nothing wrote.
    pub bytes: u32,
    /// Warp of the thread that read it.
    pub warp: u32,
    /// Lane of that thread.
    pub lane: u32,
    /// Number of barriers that the warp had passed.
    pub interval: u32,
    /// Whether another warp wrote the place before the next barrier: then the order of the two
    /// accesses is the mistake, which is a race.
    pub raced: bool,
}

/// Origins are equal if all of this is.
type Key = (u32, OriginPlace, Option<u32>, u32, u32);

/// The origins of the running block.
#[derive(Debug, Default)]
pub struct Origins {
    all: Vec<Origin>,
    known: BTreeMap<Key, u32>,
    /// For words of shared memory: the origins of the current interval between barriers.
    suspects: BTreeMap<u32, Vec<u32>>,
    interval: u32,
}

impl Origins {
    /// Removes all origins.
    pub fn clear(&mut self) {
        self.all.clear();
        self.known.clear();
        self.suspects.clear();
        self.interval = 0;
    }

    /// Returns origin number `number`.
    pub fn get(&self, number: u32) -> &Origin {
        &self.all[number as usize]
    }

    /// Returns the number of an origin. Only shared memory, which several warps access, has an
    /// origin for each warp and interval.
    pub fn number(&mut self, mut origin: Origin) -> u32 {
        if self.all.len() >= MOST {
            origin.address = None;
        }
        let shared = origin.place == OriginPlace::Shared && origin.address.is_some();
        let (warp, interval) = if shared { (origin.warp, origin.interval) } else { (0, 0) };
        let key = (origin.pc, origin.place, origin.address, warp, interval);
        if let Some(number) = self.known.get(&key) {
            return *number;
        }
        let number = self.all.len() as u32;
        self.all.push(origin);
        self.known.insert(key, number);
        if let Some(address) = origin.address.filter(|_| shared) {
            self.enter(origin.interval);
            self.suspects.entry(address / 4).or_default().push(number);
        }
        number
    }

    /// Begins an interval between barriers.
    fn enter(&mut self, interval: u32) {
        if self.interval != interval {
            self.interval = interval;
            self.suspects.clear();
        }
    }

    /// Whether a store in an interval can conflict with earlier loads of words that nothing wrote.
    pub fn has_suspects(&self, interval: u32) -> bool {
        self.interval == interval && !self.suspects.is_empty()
    }

    /// Processes a store of a defined value by `warp` to `bytes` bytes of shared memory.
    pub fn written(&mut self, warp: u32, address: u32, bytes: u32) {
        for word in address / 4..=(address + (bytes - 1)) / 4 {
            for number in self.suspects.get(&word).into_iter().flatten() {
                let origin = &mut self.all[*number as usize];
                origin.raced |= origin.warp != warp;
            }
        }
    }
}
