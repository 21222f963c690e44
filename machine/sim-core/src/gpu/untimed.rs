//! Interface of a machine without time for a debugger.

use crate::events::recorder::WarpStatus;
use crate::events::{Event, Origin};
use crate::exec::{Kernel, Warp};
use crate::mem::image::Memory;
use crate::sm::barrier::Barriers;
use crate::sm::context::SmContext;
use crate::sm::inspect::IssuedAccess;
use isa::types::Dim3;
use isa::uop::OperandKind;

/// A resident block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// SM number in the chip.
    pub sm: u32,
    /// Linear number in the grid.
    pub number: u64,
    /// Index in the grid (`blockIdx`).
    pub index: Dim3,
    /// Mask of its warp slots.
    pub warps: u64,
    /// Mask of the slots of warps that have not exited.
    pub live: u64,
    /// Shader cycle from which it is resident.
    pub since: u64,
}

/// A machine without time, paused between two warp instructions. It numbers SMs and warp slots as
/// it needs them; warps are those of resident blocks.
pub trait Untimed {
    /// Number of executed warp instructions.
    fn executed(&self) -> u64;

    /// Whether the launch has ended.
    fn has_ended(&self) -> bool;

    /// Number of SMs.
    fn sms(&self) -> u32;

    /// Returns the launched kernel.
    fn kernel(&self) -> &Kernel;

    /// The launch for the coalescing rule and the bank rule of the chip.
    fn context(&self) -> &SmContext;

    /// Global memory.
    fn memory(&self) -> &Memory;

    /// The resident blocks.
    fn blocks(&self) -> Vec<Block>;

    /// Number of blocks that have finished.
    fn retired(&self) -> u64;

    /// Shared memory and barriers of a resident block.
    fn block(&self, number: u64) -> Option<(&[u8], &Barriers)>;

    /// Registers and reconvergence stack of a warp.
    fn warp(&self, sm: u32, slot: u32) -> Option<&Warp>;

    /// State of a warp before the next instruction. A warp that can continue is *not selected*.
    fn status(&self, sm: u32, slot: u32) -> Option<WarpStatus>;

    /// The last memory access of a warp.
    fn last_access(&self, sm: u32, slot: u32) -> Option<&IssuedAccess>;

    /// The barrier at which a warp waits, as instruction and lanes.
    fn held_at(&self, sm: u32, slot: u32) -> Option<(u32, u32)>;

    /// Rows of a warp whose loads are under way, with the loads.
    fn coming(&self, _sm: u32, _slot: u32) -> Vec<(OperandKind, u16, Origin)> {
        Vec::new()
    }

    /// Runs until `until` warp instructions have been executed, or to the end of the launch, and
    /// appends the events to `events`.
    fn advance(&mut self, until: u64, events: &mut Vec<Event>);
}
