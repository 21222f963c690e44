//! What a scheduling policy sees: plain data, no machine state behind it.

/// What a policy sees of its scheduler's warps in one issue cycle.
///
/// Masks have bit = warp slot of the SM, and hold slots of this scheduler only unless they say
/// otherwise: slot `s` is of scheduler `s mod schedulers`. Slices are indexed by warp slot, and an
/// entry means something only where the slot's warp is resident. A slot is used again when its
/// block has ended: a warp is known by (slot, age).
///
/// ```
/// use sim_core::scheduler::View;
///
/// // A view made by hand, for a policy's own tests: slots 0 and 2 could issue, and the warp in slot 2 is older.
/// let view = View { eligible: 0b101, age: &[7, 0, 3], ..View::default() };
/// assert_eq!(view.eligible_warps().collect::<Vec<_>>(), [0, 2]);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct View<'a> {
    /// Number of the issue cycle since the launch; it began at hot cycle `cycle` × `issue_period`.
    pub cycle: u64,
    /// Warps that can issue now: their operands are there, their unit takes an instruction, and a
    /// global access has room in the load/store queue. Never 0: a policy is asked only if there is
    /// a choice.
    pub eligible: u64,
    /// Warps of resident blocks, whatever they do.
    pub resident: u64,
    /// Warps in a long wait (for a value from global memory, a fence or a barrier, or exited) and
    /// slots without a warp; of all the SM's slots. Worked out only for policies that look at it
    /// (`two_level`, and a user's own), else 0.
    pub long_wait: u64,
    /// Those of [`Self::eligible`] whose next instruction goes through the load/store queue: a load
    /// or store of global or local memory, or `membar.gl`.
    pub global: u64,
    /// Launch number of the warp: smaller is older. Never the same for two warps of a launch.
    pub age: &'a [u64],
    /// Issue cycle + 1 of the warp's last issue; 0 if it has not issued yet.
    pub last_issue: &'a [u64],
    /// Type of the warp's next instruction, where it is eligible: 2 access to global or local
    /// memory, 1 to shared or constant memory or a parameter, 0 all else.
    pub rank: &'a [u8],
    /// Number of the warp's block in the grid.
    pub block: &'a [u64],
}

impl View<'_> {
    /// The slots of [`Self::eligible`], ascending.
    pub fn eligible_warps(&self) -> impl Iterator<Item = u32> + use<> {
        super::bits(self.eligible)
    }

    /// Whether the warp in `slot` can issue now.
    pub fn is_eligible(&self, slot: u32) -> bool {
        slot < 64 && self.eligible >> slot & 1 == 1
    }
}
