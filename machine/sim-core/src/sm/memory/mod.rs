//! The memory side of an SM: load/store unit, L1, constant cache, and pending loads.
//!
//! A method changes only the memory side and the parts among its parameters. It returns the effect
//! of an access on the warp, the scoreboard and the accounting.

pub(in crate::sm) mod access;
pub mod banks;
pub mod coalesce;
mod constants;
pub(in crate::sm) mod generic;
pub mod l1;
pub(in crate::sm) mod lookup;
pub mod lsu;
pub(in crate::sm) mod replies;
pub(crate) mod textures;

use crate::components::l1::L1Access;
use crate::counters::AccessCounters;
use crate::exec::Access;
use crate::sm::context::SmContext;
use crate::state::{CloneFrom, Part};
use crate::time::period::Period;
use constants::Constants;
use l1::L1;
use lsu::Lsu;
use replies::Loads;
use textures::Fetches;

/// The memory side.
#[derive(CloneFrom, Part)]
pub struct Memory {
    /// SM number in the chip.
    #[state(fixed)]
    sm: u32,
    /// Index of the SM within the cluster.
    #[state(fixed)]
    index: u8,
    #[state(fixed)]
    period: Period,
    #[state(part)]
    lsu: Lsu,
    #[state(part)]
    l1: Option<Box<L1>>,
    #[state(part)]
    constants: Option<Constants>,
    loads: Loads,
    /// The memory access of the instruction that is being executed.
    pub(in crate::sm) access: Access,
    /// Part of the access, as input of the coalescer: words of local memory.
    part: Access,
    /// Texture fetches for the texture units.
    fetches: Fetches,
    /// Accesses to the L1, with their shader cycles, that the policies of the schedulers and the
    /// observer have not been told; only if one of them, or the prefetcher, wants to know.
    #[state(fixed)]
    pub(in crate::sm) accesses: Vec<(u64, L1Access)>,
    /// Counters of memory accesses.
    pub counters: AccessCounters,
}

impl Memory {
    /// Creates the empty queues and caches of SM number `sm` of the chip, number `index` of its
    /// cluster.
    pub(in crate::sm) fn new(sm: u32, index: u8, context: &SmContext) -> Self {
        let config = &context.config;
        Self {
            sm,
            index,
            period: Period::new(config.issue_period),
            lsu: Lsu::new(config.lsu, context.hooks),
            l1: config.l1.map(|l1| {
                let watched = context.scheduler.is_some() || config.policy.own().is_some();
                let l1 = L1::new(l1, &context.coalescer, context.hooks, sm, watched);
                Box::new(l1.mapped_from(context.kernel.mapped_from))
            }),
            constants: config.const_cache.map(|cache| Constants::new(cache, config.max_warps as usize, sm)),
            loads: Loads::default(),
            access: Access::new(),
            part: Access::new(),
            fetches: Fetches::default(),
            accesses: Vec::new(),
            counters: AccessCounters::default(),
        }
    }

    /// Whether the load/store queue has no free entry.
    #[inline]
    pub(in crate::sm) fn queue_is_full(&self) -> bool {
        self.lsu.is_full()
    }
}
