//! The memory side of an SM: load/store unit, L1, constant cache, and the loads whose values have not returned.

mod access;
mod banks;
mod cached;
pub mod coalesce;
mod constants;
mod generic;
pub mod l1;
mod lsu;
pub(in crate::sm) mod replies;

use crate::exec::Access;
use crate::sm::setup::Setup;
use crate::time::message::Reply;
use constants::Constants;
use l1::L1;
use lsu::Lsu;
use replies::Load;

/// The memory side.
pub(in crate::sm) struct Memory {
    pub lsu: Lsu,
    pub l1: Option<Box<L1>>,
    pub constants: Option<Constants>,
    /// Pending loads, by tag, and free tags.
    pub loads: Vec<Load>,
    pub free_loads: Vec<u16>,
    /// The memory access of the instruction that is being executed.
    pub access: Access,
    /// A part of it, as the coalescer sees it: words of local memory.
    pub part: Access,
    /// The replies that a line filled into the L1 releases.
    pub filled: Vec<Reply>,
}

impl Memory {
    /// Empty queues and caches.
    pub(in crate::sm) fn new(sm: u32, setup: &Setup) -> Self {
        let config = &setup.config;
        Self {
            lsu: Lsu::new(config.lsu, setup.hooks),
            l1: config.l1.map(|l1| Box::new(L1::new(l1, &setup.coalescer, setup.hooks, sm))),
            constants: config.const_cache.map(|cache| Constants::new(cache, config.max_warps as usize, sm)),
            loads: Vec::new(),
            free_loads: Vec::new(),
            access: Access::new(),
            part: Access::new(),
            filled: Vec::new(),
        }
    }
}
