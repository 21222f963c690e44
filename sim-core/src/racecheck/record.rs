//! What is remembered of a word: a record for each line, warp and choice of its bytes that accessed
//! it.

use super::hazard::{MissingOrder, Party};
use super::{Access, Kind};

/// No record.
pub const NONE: u32 = u32::MAX;

/// Accesses of the threads of one warp, by one instruction of the program, to the same bytes of one
/// word. Of those since the last barrier of the running block all is known that matters; of earlier
/// ones the first.
#[derive(Clone, Copy, Debug)]
pub struct AccessRecord {
    /// The next one of the word.
    pub next: u32,
    /// Which instruction of the program.
    pub site: u32,
    /// Which bytes of the word; bit = byte.
    pub bytes: u8,
    /// Which warp of the block; a word of global memory has one record for the warps of this number
    /// of all blocks.
    pub warp: u32,
    /// The first access of all: block and lane, and the barriers and trips that its warp had made.
    block: u32,
    lane: u8,
    barriers: u32,
    all_trips: u32,
    /// Stretch between barriers of which the rest tells.
    stretch: u32,
    /// Lanes of the latest instruction, and those of earlier ones.
    latest: u32,
    earlier: u32,
    /// The latest instruction, of those that the warp executed.
    pub instruction: u64,
    /// Trips since the barrier: at the first access and at the last.
    trips: [u32; 2],
    /// What all accesses have written, if it was always the same.
    value: Option<u32>,
    /// Some of them were updates.
    updates: bool,
}

/// An access to a word: what does not follow from the whole access.
#[derive(Clone, Copy, Debug)]
pub struct Touch<'a> {
    /// All of it.
    pub access: &'a Access,
    /// Number of its [`Site`].
    pub site: u32,
    /// Which bytes of the word; bit = byte.
    pub bytes: u8,
    /// What it writes into the word.
    pub value: Option<u32>,
    /// The stretch between barriers.
    pub stretch: u32,
    /// The stretch with which the block began.
    pub block_stretch: u32,
    /// Of an update: an instruction of the warp no earlier than the load of the word that the value
    /// is computed from.
    pub update: Option<u64>,
}

/// An instruction of the program that accesses memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Site {
    /// Its index.
    pub pc: u32,
    /// Its line.
    pub line: u32,
    /// What it does.
    pub kind: Kind,
}

/// A pair that nothing orders, or only a warp's lockstep.
#[derive(Clone, Copy, Debug)]
pub struct Met {
    /// What is missing.
    pub between: MissingOrder,
    /// The thread of the record.
    pub other: Party,
    /// Barriers that the thread's warp had passed.
    pub barriers: u32,
    /// The record's access is the first of the two.
    pub before: bool,
    /// Both write the same value.
    pub same: bool,
    /// One of the two is an update, and the other one's write is or can be lost.
    pub lost: bool,
}

impl AccessRecord {
    /// The record of a first access.
    pub fn new(touch: &Touch) -> Self {
        let Touch { access, site, bytes, value, stretch, update, .. } = *touch;
        Self {
            next: NONE,
            site,
            bytes,
            warp: access.warp,
            block: access.block,
            lane: access.lane as u8,
            barriers: access.barriers,
            all_trips: access.trips[1],
            stretch,
            latest: 1 << access.lane,
            earlier: 0,
            instruction: access.instruction,
            trips: [access.trips[0]; 2],
            value,
            updates: update.is_some(),
        }
    }

    /// Whether an access belongs to this record.
    pub fn is_of(&self, touch: &Touch) -> bool {
        (self.site, self.bytes, self.warp) == (touch.site, touch.bytes, touch.access.warp)
    }

    /// Adds an access.
    pub fn add(&mut self, touch: &Touch) {
        let bit = 1 << touch.access.lane;
        if self.stretch != touch.stretch {
            self.stretch = touch.stretch;
            (self.earlier, self.latest) = (0, bit);
            self.trips = [touch.access.trips[0]; 2];
        } else if self.instruction == touch.access.instruction {
            self.latest |= bit;
        } else {
            self.earlier |= self.latest;
            self.latest = bit;
            self.trips[1] = touch.access.trips[0];
        }
        self.instruction = touch.access.instruction;
        self.updates |= touch.update.is_some();
        if self.value != touch.value {
            self.value = None;
        }
    }

    /// Whether it is of the warp of `touch`, since the last barrier.
    pub fn is_of_warp(&self, touch: &Touch) -> bool {
        self.stretch == touch.stretch && self.warp == touch.access.warp
    }

    /// Whether the thread of `touch` is among the threads of its latest stretch, if the running
    /// block made that.
    pub fn is_of_thread(&self, touch: &Touch) -> bool {
        let own = self.stretch >= touch.block_stretch && self.warp == touch.access.warp;
        own && (self.earlier | self.latest) >> touch.access.lane & 1 == 1
    }

    /// Tells `found` of each pair of a kind that this record, of an instruction `site`, and a later
    /// access make. `last_writes`: for each byte of the word the latest instruction by which the
    /// access's own warp has written it since the last barrier, itself excepted; 0: none.
    pub fn meet(&self, site: &Site, touch: &Touch, last_writes: &[u64; 4], mut found: impl FnMut(Met)) {
        let access = touch.access;
        let same = site.kind == Kind::Write
            && access.kind == Kind::Write
            && self.bytes == touch.bytes
            && self.value.is_some()
            && self.value == touch.value;
        // Where nothing orders the two, a write can come between an update's load and its store.
        let can_be_lost =
            touch.update.is_some() && site.kind != Kind::Read || self.updates && access.kind.is_atomic();
        let place = (access.trips[0], access.pc);
        let party = |block, lane| Party {
            block,
            warp: self.warp,
            lane,
            pc: site.pc,
            line: site.line,
            kind: site.kind,
        };
        if self.block != access.block {
            let before = (self.all_trips, site.pc) <= (access.trips[1], access.pc);
            let other = party(self.block, self.lane.into());
            let barriers = self.barriers;
            found(Met { between: MissingOrder::Blocks, other, barriers, before, same, lost: can_be_lost });
        }
        if self.stretch != touch.stretch {
            return;
        }
        // All warps that go on have passed as many.
        let barriers = access.barriers;
        if self.warp != access.warp {
            let other = party(access.block, (self.earlier | self.latest).trailing_zeros());
            let [first, last] = self.trips.map(|trips| (trips, site.pc));
            if first <= place {
                found(Met {
                    between: MissingOrder::Warps,
                    other,
                    barriers,
                    before: true,
                    same,
                    lost: can_be_lost,
                });
            }
            if last > place {
                found(Met {
                    between: MissingOrder::Warps,
                    other,
                    barriers,
                    before: false,
                    same,
                    lost: can_be_lost,
                });
            }
            return;
        }
        let others = |lanes: u32| lanes & !(1 << access.lane);
        let lost = site.kind != Kind::Read && touch.update.is_some_and(|load| load <= self.instruction);
        let mut within = |between, lanes: u32| {
            if lanes != 0 {
                let other = party(access.block, lanes.trailing_zeros());
                found(Met { between, other, barriers, before: true, same, lost });
            }
        };
        // Of the common bytes' last writes the earliest: if any byte still tells of this access,
        // that one does.
        let last_write = places(self.bytes & touch.bytes).map(|at| last_writes[at]).min().unwrap_or(0);
        if self.instruction == access.instruction {
            within(MissingOrder::Instruction, others(self.latest));
        } else if site.kind == Kind::Read {
            // What was read before the last write of all these bytes, those writes have met.
            let unmet = if self.instruction > last_write { self.earlier | self.latest } else { 0 };
            within(MissingOrder::Lanes, others(unmet));
        } else if self.instruction == last_write {
            within(MissingOrder::Lanes, others(self.latest));
        }
    }
}

/// The places in a word of `bytes`; bit = byte.
pub fn places(bytes: u8) -> impl Iterator<Item = usize> {
    (0..4).filter(move |at| bytes >> at & 1 == 1)
}
