//! Execution units, costs of instruction classes, and dispatch ports.

use super::WARP_SIZE;
use super::schema::forms::{Flag, Key, Optional, Part};
use super::schema::units::UnitName;
use crate::record;
use crate::words::words;

/// Largest number of kinds of unit of a chip.
pub const MAX_UNITS: usize = 8;

/// Largest number of schedulers of an SM.
pub const MAX_SCHEDULERS: usize = 8;

record! {
    /// An execution unit: a pipe that accepts a warp instruction every 32 / `lanes` shader cycles.
    /// Which scheduler has the first choice of the shared units changes from issue cycle to issue
    /// cycle, so that no scheduler starves. An instruction may issue to a unit that becomes free
    /// within the issue cycle, and enters it then: a unit that is busy for 6 shader cycles with
    /// each instruction accepts two in 12, for any `sm.issue_period`, and a unit that is busy for 2
    /// of 4 accepts one from each of two schedulers.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct UnitConfig {
        /// Name, such as `sp`: the key in the map of units.
        pub name: String = Key;
        /// Number of lanes that start in one shader cycle: a power of two. A warp instruction
        /// occupies the unit for 32 / `lanes` shader cycles.
        pub lanes: u32 = 1..=32, "lanes", timing;
        /// Number of such units. An instruction enters the one that is free first.
        pub count: u32 = 1..=8, "units", timing;
        /// Whether each scheduler has `count` private units, as on Fermi, where each scheduler
        /// issues to 16 cores. Otherwise all schedulers of the SM share the units.
        pub per_scheduler: bool = Flag, timing;
        /// Whether no other scheduler of the SM issues while a scheduler issues to this unit, as
        /// with double precision on Fermi. A scheduler issues to it only in an issue cycle in which
        /// no scheduler before it has issued.
        pub blocks_others: bool = Flag, timing;
    }

    /// Cost of the instructions of one class.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct ClassCost {
        /// Execution unit.
        pub unit: u8 = UnitName, timing;
        /// Number of issue slots. More than one for operations that the hardware executes as a
        /// sequence: the scheduler is occupied for `slots` issue cycles, and the unit accepts the
        /// instruction `slots` times.
        pub slots: u8 = 1..=255, "issue slots", timing;
        /// Time from issue until a dependent instruction may issue. For loads and atomics of global
        /// and local memory, the time from the arrival of the reply. For `branch`, the time until
        /// the next instruction of the warp.
        pub latency: u16 = 1..=65535, "shader cycles", timing;
        /// Time that the instruction occupies its unit, if it is not 32 / `lanes` for each slot.
        /// Any number is allowed: rates are exact.
        pub busy: Option<u16> = Optional(1..=65535), "shader cycles", timing;
        /// Cost of an instruction that issues through a second dispatch port with `any_warp`. A
        /// class without this record issues through the first port only.
        pub second: Option<SecondCost> = Optional(Part);
    }

    /// Cost of an instruction that issues through the second dispatch port, in one slot of the
    /// port. Only classes of arithmetic can have it.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct SecondCost {
        /// Execution unit.
        pub unit: u8 = UnitName, timing;
        /// Time that the instruction occupies the unit.
        pub busy: u16 = 1..=65535, "shader cycles", timing;
        /// Time from issue until a dependent instruction may issue.
        pub latency: u16 = 1..=65535, "shader cycles", timing;
    }
}

impl ClassCost {
    /// A class that occupies its unit as long as its lanes and slots take, and issues through the
    /// first port only.
    pub const fn new(unit: u8, slots: u8, latency: u16) -> Self {
        Self { unit, slots, latency, busy: None, second: None }
    }

    /// Shader cycles for which an instruction occupies its unit.
    pub fn busy(&self, units: &[UnitConfig]) -> u32 {
        let lanes = units[self.unit as usize].lanes;
        self.busy.map_or_else(|| WARP_SIZE.div_ceil(lanes) * u32::from(self.slots), u32::from)
    }
}

words! {
    /// Instructions that a scheduler issues through its second dispatch port.
    pub enum SecondPort {
        /// There is no second port.
        None = "none",
        /// GT200: an instruction of another warp, of a class with `second` in `sm.classes.*`. The
        /// scheduling policy selects the warp. Warps that only this unit can serve come first.
        AnyWarp = "any_warp",
        /// Capability 2.1: the next instruction of the same warp, if it needs no pending result,
        /// writes no register with a pending result, and finds its unit free. Both instructions
        /// have one slot, and neither is a branch, barrier, fence or exit. Replays of the second
        /// instruction go through the first port.
        SameWarp = "same_warp",
    }
}

impl SecondPort {
    /// Number of dispatch ports of a scheduler.
    pub const fn ports(self) -> u32 {
        if matches!(self, Self::None) { 1 } else { 2 }
    }
}
