//! Switches for the test suite: named mutants of the engine, and delays of single messages.
//!
//! Without the `test-hooks` feature [`Hooks`] is empty and all its queries return `false` or 0 at
//! compile time.
//!
//! Invariant `mutants-are-noticed`: The tests notice a broken rule: a younger access that
//! overtakes, a kernel that ends without draining, a scoreboard that ignores loads.

/// A rule that is broken on purpose; the test suite must detect it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mutant {
    /// The load/store unit lets a younger instruction's transactions overtake older ones.
    LsuOvertakes,
    /// A kernel ends when its last block has retired, without draining memory.
    NoDrain,
    /// The scoreboard does not wait for loads.
    ScoreboardIgnoresLoads,
    /// A store does not mark the pending fill of its line in the L1 as stale.
    FillNotPoisoned,
    /// `membar` neither orders accesses nor waits.
    FencesDoNothing,
    /// The values of loads reach their SM and are dropped.
    LoseReplies,
    /// Schedulers skip the eligible warp in the lowest slot while another warp is eligible.
    NeglectsAWarp,
    /// Schedulers leave every sixteenth issue slot empty.
    SchedulerIdles,
    /// A barrier does not wait for the block's warp in the lowest slot.
    BarrierReleasesEarly,
    /// Warps leave a barrier an issue cycle late.
    BarrierReleasesLate,
    /// A warp that waits until a known time is looked at an issue cycle late.
    WakesLate,
    /// Lanes that diverge at a branch never reconverge.
    LanesNeverMeet,
    /// The dispatcher sends blocks in pairs, the second block of a pair first.
    BlocksOutOfOrder,
    /// The dispatcher assumes that an SM holds one block more than it does.
    DispatcherOvercommits,
    /// The dispatcher receives each retired block twice.
    SlotsFreedTwice,
}

/// Delay of one store message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Delay {
    /// Cluster that sends it.
    pub cluster: u32,
    /// Index of the message among the cluster's store messages, from 0.
    pub store: u64,
    /// Additional shader cycles of the message.
    pub cycles: u64,
}

/// Test switches that are on.
#[cfg(feature = "test-hooks")]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Hooks {
    /// At most one mutant.
    pub mutant: Option<Mutant>,
    /// At most one delay.
    pub delay: Option<Delay>,
    /// Whether lanes are executed by the scalar code instead of the widest vectors of the CPU.
    pub scalar: bool,
}

/// Test switches. This build has none.
#[cfg(not(feature = "test-hooks"))]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Hooks {}

impl Hooks {
    /// Whether `mutant` is switched on.
    #[cfg(feature = "test-hooks")]
    pub fn is(self, mutant: Mutant) -> bool {
        self.mutant == Some(mutant)
    }

    /// Returns `false`: this build has no mutants.
    #[cfg(not(feature = "test-hooks"))]
    pub fn is(self, _mutant: Mutant) -> bool {
        false
    }

    /// Whether lanes are executed by the scalar code.
    #[cfg(feature = "test-hooks")]
    pub fn is_scalar(self) -> bool {
        self.scalar
    }

    /// Returns `false`: this build uses the widest vectors of the CPU.
    #[cfg(not(feature = "test-hooks"))]
    pub fn is_scalar(self) -> bool {
        false
    }

    /// Returns the shader cycles by which store message number `store` of `cluster` is delayed.
    #[cfg(feature = "test-hooks")]
    pub fn delay_of(self, cluster: u32, store: u64) -> u64 {
        self.delay.filter(|d| d.cluster == cluster && d.store == store).map_or(0, |d| d.cycles)
    }

    /// Returns 0: this build delays nothing.
    #[cfg(not(feature = "test-hooks"))]
    pub fn delay_of(self, _cluster: u32, _store: u64) -> u64 {
        0
    }
}
