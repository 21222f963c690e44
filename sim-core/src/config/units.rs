//! Execution units, what an instruction of each class costs in them, and dispatch ports.

use super::WARP_SIZE;

/// The most kinds of unit that a chip may have.
pub const MAX_UNITS: usize = 8;

/// The most schedulers of an SM.
pub const MAX_SCHEDULERS: usize = 8;

/// An execution unit: a pipe that accepts an instruction every `interval` hot cycles.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnitConfig {
    /// Name, such as `sp`.
    pub name: String,
    /// Lanes that start in one hot cycle; an instruction occupies the unit for warp size / lanes.
    pub lanes: u32,
    /// How many of them: an instruction enters the one that is free first.
    pub count: u32,
    /// Each scheduler has `count` of its own; otherwise all schedulers share them.
    pub per_scheduler: bool,
    /// While a scheduler issues to it, no other scheduler of the SM issues.
    pub blocks_others: bool,
}

/// What an instruction of one class costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClassCost {
    /// Index into [`super::SmConfig::units`].
    pub unit: u8,
    /// Issue slots it takes: more than one for what the hardware does as a sequence.
    pub slots: u8,
    /// Hot cycles from issue until a dependent instruction may issue (loads from the partitions:
    /// added on top of the reply's arrival; branches: until the next instruction of the warp).
    pub latency: u16,
    /// Hot cycles for which it keeps its unit, if not as long as its lanes and slots take.
    pub busy: Option<u16>,
    /// How it issues through a second dispatch port for instructions of another warp, if it can.
    pub second: Option<SecondCost>,
}

impl ClassCost {
    /// A class that keeps its unit as long as its lanes and slots take, and issues from the first
    /// port only.
    pub const fn new(unit: u8, slots: u8, latency: u16) -> Self {
        Self { unit, slots, latency, busy: None, second: None }
    }

    /// Hot cycles for which it keeps its unit.
    pub fn busy(&self, units: &[UnitConfig]) -> u32 {
        let lanes = units[self.unit as usize].lanes;
        self.busy.map_or_else(|| WARP_SIZE.div_ceil(lanes) * u32::from(self.slots), u32::from)
    }
}

/// What an instruction costs that issues through a second dispatch port: one slot of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SecondCost {
    /// Index into [`super::SmConfig::units`].
    pub unit: u8,
    /// Hot cycles for which it keeps the unit.
    pub busy: u16,
    /// Hot cycles from issue until a dependent instruction may issue.
    pub latency: u16,
}

/// What a scheduler's second dispatch port issues, in the issue cycles in which the first one
/// issues an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SecondPort {
    /// There is none.
    None,
    /// An instruction of another warp, of a class that has a way through it: [`ClassCost::second`].
    AnyWarp,
    /// The next instruction of the same warp, if it is independent and its unit is free.
    SameWarp,
}

impl SecondPort {
    /// All of them with the words by which a chip file names them.
    pub const NAMES: [(&str, Self); 3] =
        [("none", Self::None), ("any_warp", Self::AnyWarp), ("same_warp", Self::SameWarp)];

    /// Dispatch ports of a scheduler.
    pub const fn ports(self) -> u32 {
        if matches!(self, Self::None) { 1 } else { 2 }
    }
}
