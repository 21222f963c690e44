//! Switches for the test suite: named mutants of the engine and delays of single messages.
//!
//! Without the `test-hooks` feature [`Hooks`] is empty and every question it is asked answers no at
//! compile time.
//!
//! Invariant `mutants-are-noticed`: The tests notice a broken rule: a younger access that
//! overtakes, a kernel that ends without draining, a scoreboard that ignores loads.

/// A rule broken on purpose: the suite must notice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mutant {
    /// The load/store unit lets a younger instruction's transactions overtake.
    LsuOvertakes,
    /// A kernel ends when its last block has retired, without draining memory.
    NoDrain,
    /// The scoreboard does not wait for loads.
    ScoreboardIgnoresLoads,
    /// A store does not poison the fill of its line in the L1.
    FillNotPoisoned,
    /// `membar` orders nothing and waits for nothing.
    FencesDoNothing,
    /// The values of loads reach their SM and are thrown away.
    LoseReplies,
    /// Schedulers pass over the eligible warp in the lowest slot as long as there is another.
    NeglectsAWarp,
    /// Schedulers leave every sixteenth issue slot empty.
    SchedulerIdles,
    /// A barrier does not wait for the block's warp in the lowest slot.
    BarrierReleasesEarly,
    /// Warps leave a barrier an issue cycle late.
    BarrierReleasesLate,
    /// Lanes that part at a branch never meet again.
    LanesNeverMeet,
    /// The dispatcher sends blocks in pairs, the second one first.
    BlocksOutOfOrder,
    /// The dispatcher takes an SM to hold a block more than it does.
    DispatcherOvercommits,
    /// The dispatcher is told twice of each block that moves out.
    SlotsFreedTwice,
}

/// Delay of one store message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Delay {
    /// Cluster that sends it.
    pub cluster: u32,
    /// Which of the cluster's store messages, from 0.
    pub store: u64,
    /// Hot cycles more on the wire.
    pub cycles: u64,
}

/// What a test switched on.
#[cfg(feature = "test-hooks")]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Hooks {
    /// At most one mutant.
    pub mutant: Option<Mutant>,
    /// At most one delay.
    pub delay: Option<Delay>,
    /// Lanes are executed in the portable form, not with the widest vectors of the CPU.
    pub portable: bool,
}

/// Nothing can be switched on in this build.
#[cfg(not(feature = "test-hooks"))]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Hooks {}

impl Hooks {
    /// Whether `mutant` is switched on.
    #[cfg(feature = "test-hooks")]
    pub fn is(self, mutant: Mutant) -> bool {
        self.mutant == Some(mutant)
    }

    /// No: this build has no mutants.
    #[cfg(not(feature = "test-hooks"))]
    pub fn is(self, _mutant: Mutant) -> bool {
        false
    }

    /// Whether lanes are executed in the portable form.
    #[cfg(feature = "test-hooks")]
    pub fn is_portable(self) -> bool {
        self.portable
    }

    /// No: this build uses the widest vectors of the CPU.
    #[cfg(not(feature = "test-hooks"))]
    pub fn is_portable(self) -> bool {
        false
    }

    /// Hot cycles by which store message number `store` of `cluster` is late.
    #[cfg(feature = "test-hooks")]
    pub fn delay_of(self, cluster: u32, store: u64) -> u64 {
        self.delay.filter(|d| d.cluster == cluster && d.store == store).map_or(0, |d| d.cycles)
    }

    /// None: this build delays nothing.
    #[cfg(not(feature = "test-hooks"))]
    pub fn delay_of(self, _cluster: u32, _store: u64) -> u64 {
        0
    }
}
