//! Registers of a warp: the lanes of each row that are undefined, and their origins.

use super::origin::{Origin, Origins, Place};
use super::rule::Slots;
use super::shadow::LocalShadow;
use crate::exec::Row32;

/// Place of a use of a value.
#[derive(Clone, Copy, Debug)]
pub struct At {
    /// Index of the instruction.
    pub pc: u32,
    /// Number of the warp in the block.
    pub warp: u32,
}

/// State of the values of a warp of the running block. The numbers of rows are those of [`Slots`].
#[derive(Debug)]
pub struct State {
    /// For each row, the lanes whose value is undefined.
    pub undefined: Vec<u32>,
    /// For each row, the lanes that no instruction wrote; valid for undefined lanes.
    unwritten: Vec<u32>,
    /// For each row, the origins of the lanes; valid for undefined lanes that were written.
    origins: Vec<Row32>,
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
            origins: vec![[0; 32]; count + 2],
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

    /// Writes row `slot` in the lanes `lanes`: the values of `undefined` are undefined and have the
    /// origins `origins`.
    pub fn write(&mut self, slot: u32, lanes: u32, undefined: u32, origins: &Row32) {
        let slot = slot as usize;
        self.undefined[slot] = self.undefined[slot] & !lanes | undefined & lanes;
        self.unwritten[slot] &= !lanes;
        for lane in crate::exec::mask::lanes(undefined & lanes) {
            self.origins[slot][lane] = origins[lane];
        }
    }

    /// Returns the origin of the undefined value of a lane of row `slot`, which `at` uses.
    pub fn origin(&self, slot: u32, lane: usize, at: At, origins: &mut Origins) -> u32 {
        if self.unwritten[slot as usize] >> lane & 1 == 0 {
            return self.origins[slot as usize][lane];
        }
        origins.number(Origin {
            place: Place::Register,
            pc: at.pc,
            address: Some(slot),
            bytes: 0,
            warp: at.warp,
            lane: lane as u32,
            interval: self.interval,
            raced: false,
        })
    }
}
