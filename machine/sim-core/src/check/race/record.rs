//! Records of accesses to a word: one for each line, warp, phase and set of bytes.

use super::hazard::Party;
use super::order::Order;
use super::{Access, Kind};
use crate::check::kind::MissingOrder;

/// No record.
pub const NONE: u32 = u32::MAX;

/// Accesses by the threads of one warp, by one instruction of the program, to the same bytes of one
/// word. The record is complete for the accesses since the last barrier of the running block; of
/// earlier accesses it has the first.
#[derive(Clone, Copy, Debug)]
pub struct AccessRecord {
    /// Index of the next record of the word.
    pub next: u32,
    /// Number of the [`Site`] of the instruction.
    pub site: u32,
    /// Bytes of the word; bit = byte.
    pub bytes: u8,
    /// Warp number in the block; a word of global memory has one record for the warps of this
    /// number of all blocks, or of each block if blocks can be ordered.
    warp: u8,
    /// Phase of the warp, see [`Clocks::phase`](super::clocks::Clocks::phase).
    phase: u32,
    /// Epoch of the warp at the latest access, see [`Access::epoch`].
    epoch: u32,
    /// First access of all: block and lane, and the barriers and trips of its warp.
    pub block: u32,
    lane: u8,
    barriers: u32,
    all_trips: u32,
    /// Interval between barriers to which the following fields belong.
    interval: u32,
    /// Lanes of the latest instruction, and lanes of earlier ones.
    latest: u32,
    earlier: u32,
    /// Index of the latest instruction among those that the warp executed.
    pub instruction: u64,
    /// Loop trips since the barrier: at the first access and at the last.
    trips: [u32; 2],
    /// Value written by all accesses, if [`SAME`] is set.
    value: u32,
    /// [`SAME`] and [`UPDATES`].
    flags: u8,
}

/// All accesses wrote the same value.
const SAME: u8 = 1;
/// Some of the accesses were updates.
const UPDATES: u8 = 2;

const _: () = assert!(size_of::<AccessRecord>() == 64, "the size that docs/CHECKERS.md states");

/// The part of an access that touches one word.
#[derive(Clone, Copy, Debug)]
pub struct WordAccess<'a> {
    /// The whole access.
    pub access: &'a Access,
    /// Number of the access's [`Site`].
    pub site: u32,
    /// Bytes of the word; bit = byte.
    pub bytes: u8,
    /// Value written to the word.
    pub value: Option<u32>,
    /// Current interval between barriers.
    pub interval: u32,
    /// Interval with which the block began.
    pub block_interval: u32,
    /// For an update: an instruction of the warp that is no earlier than the load of the word from
    /// which the value is computed.
    pub update: Option<u64>,
}

/// An instruction of the program that accesses memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Site {
    /// Index of the instruction.
    pub pc: u32,
    /// Source line.
    pub line: u32,
    /// Kind of the access.
    pub kind: Kind,
}

/// A pair of accesses that is not ordered, or only by a warp's lockstep.
#[expect(clippy::struct_excessive_bools, reason = "independent facts of a pair")]
#[derive(Clone, Copy, Debug)]
pub struct Conflict {
    /// Reason for which the accesses are not ordered.
    pub between: MissingOrder,
    /// Thread of the record.
    pub other: Party,
    /// Barriers that the warp of that thread had passed.
    pub barriers: u32,
    /// Whether the record's access is the first of the two.
    pub before: bool,
    /// Whether both write the same value.
    pub same: bool,
    /// Whether the second access is of a later loop trip than the first one.
    pub carried: bool,
    /// Whether one of the two is an update and the other one's write is or can be lost.
    pub lost: bool,
}

impl AccessRecord {
    /// A record of one access.
    pub fn new(touch: &WordAccess) -> Self {
        let WordAccess { access, site, bytes, value, interval, update, .. } = *touch;
        Self {
            next: NONE,
            site,
            bytes,
            warp: access.warp as u8,
            phase: access.phase,
            epoch: access.epoch,
            block: access.block,
            lane: access.lane as u8,
            barriers: access.barriers,
            all_trips: access.trips[1],
            interval,
            latest: 1 << access.lane,
            earlier: 0,
            instruction: access.instruction,
            trips: [access.trips[0]; 2],
            value: value.unwrap_or(0),
            flags: (SAME * u8::from(value.is_some())) | (UPDATES * u8::from(update.is_some())),
        }
    }

    /// Whether an access belongs to this record, perhaps as the access of another block.
    pub fn is_of(&self, touch: &WordAccess) -> bool {
        let of = (touch.site, touch.bytes, touch.access.warp, touch.access.phase);
        (self.site, self.bytes, self.warp(), self.phase) == of
    }

    /// Warp number in the block.
    fn warp(&self) -> u32 {
        self.warp.into()
    }

    /// Adds an access.
    pub fn add(&mut self, touch: &WordAccess) {
        let bit = 1 << touch.access.lane;
        if self.interval != touch.interval {
            self.interval = touch.interval;
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
        self.flags |= UPDATES * u8::from(touch.update.is_some());
        self.epoch = touch.access.epoch;
        if touch.value != Some(self.value) {
            self.flags &= !SAME;
        }
    }

    /// Whether the record is of the warp of `touch`, since the last barrier.
    pub fn is_of_warp(&self, touch: &WordAccess) -> bool {
        self.interval == touch.interval && self.warp() == touch.access.warp
    }

    /// Whether the thread of `touch` is among the threads of the record's latest interval, if that
    /// interval is of the running block.
    pub fn is_of_thread(&self, touch: &WordAccess) -> bool {
        let own = self.interval >= touch.block_interval && self.warp() == touch.access.warp;
        own && (self.earlier | self.latest) >> touch.access.lane & 1 == 1
    }

    /// Calls `found` for each conflict between this record, of an instruction at `site`, and a
    /// later access. `last_writes` has, for each byte of the word, the latest earlier instruction
    /// with which the access's warp has written it since the last barrier; 0: none. `word` is the
    /// number of the word. Returns whether synchronization orders the accesses.
    pub fn conflicts(
        &self,
        site: &Site,
        touch: &WordAccess,
        word: u32,
        last_writes: &[u64; 4],
        order: &Order,
        mut found: impl FnMut(Conflict),
    ) -> bool {
        let access = touch.access;
        let same = site.kind == Kind::Write
            && access.kind == Kind::Write
            && self.bytes == touch.bytes
            && self.flags & SAME != 0
            && touch.value == Some(self.value);
        // If nothing orders the two, a write can occur between an update's load and its store.
        let can_be_lost = touch.update.is_some() && site.kind != Kind::Read
            || self.flags & UPDATES != 0 && access.kind.is_atomic();
        let place = (access.trips[0], access.pc);
        let party = |block, lane| Party {
            block,
            warp: self.warp(),
            lane,
            pc: site.pc,
            line: site.line,
            kind: site.kind,
        };
        let other_block = self.block != access.block;
        let synchronized = if other_block {
            let first = (self.block, self.warp());
            order.sync.orders_blocks(first, self.epoch, access.warp)
                || site.kind.is_atomic() && order.sync.observed(first, access.warp, access.space, word)
        } else {
            self.interval == touch.interval && order.sync.orders_warps(self.warp(), self.epoch, access.warp)
        };
        if synchronized {
            return true;
        }
        if other_block {
            let before = (self.all_trips, site.pc) <= (access.trips[1], access.pc);
            let other = party(self.block, self.lane.into());
            let barriers = self.barriers;
            found(Conflict {
                between: MissingOrder::Blocks,
                other,
                barriers,
                before,
                same,
                carried: false,
                lost: can_be_lost,
            });
        }
        if self.interval != touch.interval
            || order.barriers.clocks().orders(self.warp(), self.phase, access.warp)
        {
            return false;
        }
        // All warps that continue have passed the same number.
        let barriers = access.barriers;
        if self.warp() != access.warp {
            let other = party(access.block, (self.earlier | self.latest).trailing_zeros());
            let [first, last] = self.trips.map(|trips| (trips, site.pc));
            if first <= place {
                found(Conflict {
                    between: MissingOrder::Warps,
                    other,
                    barriers,
                    before: true,
                    same,
                    carried: if last <= place { last.0 < place.0 } else { first.0 < place.0 },
                    lost: can_be_lost,
                });
            }
            if last > place {
                found(Conflict {
                    between: MissingOrder::Warps,
                    other,
                    barriers,
                    before: false,
                    same,
                    carried: if first > place { place.0 < first.0 } else { place.0 < last.0 },
                    lost: can_be_lost,
                });
            }
            return false;
        }
        let others = |lanes: u32| lanes & !(1 << access.lane);
        let lost = site.kind != Kind::Read && touch.update.is_some_and(|load| load <= self.instruction);
        let apart = order.apart(access.warp, access.lane, self.instruction) & self.latest;
        let mut within = |between, lanes: u32| {
            for (between, lanes) in [(MissingOrder::Paths, lanes & apart), (between, lanes & !apart)] {
                if lanes != 0 {
                    let other = party(access.block, lanes.trailing_zeros());
                    let carried = self.trips[1] < access.trips[0];
                    found(Conflict { between, other, barriers, before: true, same, carried, lost });
                }
            }
        };
        // The earliest of the last writes of the common bytes: if this access wrote any of the
        // bytes last, it is that one.
        let last_write = places(self.bytes & touch.bytes).map(|at| last_writes[at]).min().unwrap_or(0);
        if self.instruction == access.instruction {
            within(MissingOrder::Instruction, others(self.latest));
        } else if site.kind == Kind::Read {
            // Reads before the last write of all these bytes have already been compared with those
            // writes.
            let uncompared = if self.instruction > last_write { self.earlier | self.latest } else { 0 };
            within(MissingOrder::Lanes, others(uncompared));
        } else if self.instruction == last_write {
            within(MissingOrder::Lanes, others(self.latest));
        }
        false
    }
}

/// Iterates over the byte positions in `bytes`; bit = byte.
pub fn places(bytes: u8) -> impl Iterator<Item = usize> {
    (0..4).filter(move |at| bytes >> at & 1 == 1)
}
