//! Input of a scheduling policy: plain data without access to the machine state.

/// The set bits of a mask, ascending.
pub fn bits(mut mask: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        (mask != 0).then(|| {
            let bit = mask.trailing_zeros();
            mask &= mask - 1;
            bit
        })
    })
}

/// State of a scheduler's warps in one issue cycle.
///
/// In a mask, bit `s` is warp slot `s` of the SM. A mask contains only slots of this scheduler
/// unless stated otherwise: slot `s` belongs to scheduler `s mod schedulers`. Slices are indexed by
/// warp slot; an entry is valid only if a warp is resident in the slot. A slot is reused after its
/// block has ended, so that (slot, age) identifies a warp.
/// ```
/// use sim_core::scheduler::View;
///
/// // A view for a unit test of a policy: slots 0 and 2 are eligible, and the warp in slot 2 is older.
/// let view = View { eligible: 0b101, age: &[7, 0, 3], ..View::default() };
/// assert_eq!(view.eligible_warps().collect::<Vec<_>>(), [0, 2]);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct View<'a> {
    /// Number of the issue cycle since the launch. It starts at shader cycle `cycle` ×
    /// `issue_period`.
    pub cycle: u64,
    /// Warps that can issue now: their operands are ready, their unit accepts an instruction, and a
    /// global access has a free entry in the load/store queue. Never 0: a policy is called only if
    /// a warp is eligible.
    pub eligible: u64,
    /// Warps of resident blocks, in any state.
    pub resident: u64,
    /// Warps in a long wait (for a value from global memory, a fence or a barrier, or exited) and
    /// slots without a warp, for all slots of the SM. Computed only for policies that use it
    /// (`two_level` and users' policies), else 0.
    pub long_wait: u64,
    /// The warps of [`Self::eligible`] whose next instruction uses the load/store queue: a load or
    /// store of global or local memory, or `membar.gl`.
    pub global: u64,
    /// Launch number of the warp: smaller is older. Unique within a launch.
    pub age: &'a [u64],
    /// Issue cycle + 1 of the warp's last issue; 0 if the warp has not issued.
    pub last_issue: &'a [u64],
    /// Type of the warp's next instruction, if it is eligible: 2 for an access to global or local
    /// memory, 1 for shared or constant memory or a parameter, 0 for other types.
    pub rank: &'a [u8],
    /// Number of the warp's block in the grid.
    pub block: &'a [u64],
}

impl View<'_> {
    /// The warp slots of [`Self::eligible`], ascending.
    pub fn eligible_warps(&self) -> impl Iterator<Item = u32> + use<> {
        bits(self.eligible)
    }

    /// Whether the warp in `slot` can issue now.
    pub fn is_eligible(&self, slot: u32) -> bool {
        slot < 64 && self.eligible >> slot & 1 == 1
    }
}
