//! Registers of a warp: the lanes of each row that are undefined, and their origins.

use super::origin::{Origin, OriginPlace, Origins, Undefined};
use super::rule::Slots;
use super::shadow::LocalShadow;
use crate::exec::{Row32, Row64};

/// Place of a use of a value.
#[derive(Clone, Copy, Debug)]
pub struct At {
    /// Index of the instruction.
    pub pc: u32,
    /// Number of the warp in the block.
    pub warp: u32,
}

/// The undefined values of the lanes of a row.
#[derive(Clone, Copy, Debug)]
pub struct Values {
    origins: Row32,
    bits: Row64,
    kept: u32,
}

impl Values {
    /// The value of a lane.
    pub fn get(&self, lane: usize) -> Undefined {
        let kept = self.kept >> lane & 1 != 0;
        Undefined { origin: self.origins[lane], bits: self.bits[lane], kept }
    }

    /// No undefined value.
    pub const NONE: Self = Self { origins: [0; 32], bits: [0; 32], kept: 0 };

    /// Sets the value of a lane.
    pub fn set(&mut self, lane: usize, value: Undefined) {
        self.origins[lane] = value.origin;
        self.bits[lane] = value.bits;
        self.kept = self.kept & !(1 << lane) | u32::from(value.kept) << lane;
    }
}

/// State of the values of a warp of the running block. The numbers of rows are those of [`Slots`].
#[derive(Debug)]
pub struct State {
    /// For each row, the lanes whose value is undefined.
    pub undefined: Vec<u32>,
    /// For each row, the lanes that no instruction wrote; valid for undefined lanes.
    unwritten: Vec<u32>,
    /// For each row, the values of the lanes; valid for undefined lanes that were written.
    values: Vec<Values>,
    /// Values of the predicates before the next instruction.
    pub predicates: Vec<u32>,
    /// Lanes that execute the next instruction, apart from its guard.
    pub side: u32,
    /// Number of barriers of the whole block that the warp has passed.
    pub interval: u32,
    /// Local memory.
    pub local: LocalShadow,
}

impl State {
    /// A warp with rows `slots`.
    pub fn new(slots: Slots) -> Self {
        let count = slots.count() as usize;
        Self {
            undefined: vec![0; count + 2],
            unwritten: vec![0; count + 2],
            values: vec![Values::NONE; count + 2],
            predicates: vec![0; slots.predicates() as usize],
            side: 0,
            interval: 0,
            local: LocalShadow::default(),
        }
    }

    /// Begins a block in which the warp has the threads `live`.
    pub fn start(&mut self, slots: Slots, live: u32) {
        let registers = slots.count() as usize;
        self.undefined[..registers].fill(u32::MAX);
        self.unwritten[..registers].fill(u32::MAX);
        self.predicates.fill(0);
        (self.side, self.interval) = (live, 0);
        self.local.clear();
    }

    /// Writes row `slot` in the lanes `lanes`; those in `undefined` get undefined values.
    pub fn write(&mut self, slot: u32, lanes: u32, undefined: u32, values: &Values) {
        let slot = slot as usize;
        self.undefined[slot] = self.undefined[slot] & !lanes | undefined & lanes;
        self.unwritten[slot] &= !lanes;
        for lane in crate::exec::mask::lanes(undefined & lanes) {
            self.values[slot].set(lane, values.get(lane));
        }
    }

    /// Returns the undefined bits of a lane of row `slot`.
    pub fn bits(&self, slot: u32, lane: usize) -> u64 {
        let slot = slot as usize;
        if self.undefined[slot] >> lane & 1 == 0 {
            0
        } else if self.unwritten[slot] >> lane & 1 != 0 {
            u64::MAX
        } else {
            self.values[slot].bits[lane]
        }
    }

    /// Returns the undefined value of a lane of row `slot`, which `at` uses.
    pub fn value(&self, slot: u32, lane: usize, at: At, origins: &mut Origins) -> Undefined {
        if self.unwritten[slot as usize] >> lane & 1 == 0 {
            return self.values[slot as usize].get(lane);
        }
        let origin = origins.number(Origin {
            place: OriginPlace::Register,
            pc: at.pc,
            address: Some(slot),
            bytes: 0,
            warp: at.warp,
            lane: lane as u32,
            interval: self.interval,
            raced: false,
        });
        Undefined { origin, bits: u64::MAX, kept: false }
    }
}
