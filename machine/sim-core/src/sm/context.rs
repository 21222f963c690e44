//! Data shared by all SMs of a launch. It does not change during the launch.

use super::decode::{Decoded, decode_program};
use super::memory::coalesce::Coalescer;
use super::scheduler::OwnScheduler;
use crate::config::SmConfig;
use crate::exec::Kernel;
use crate::hooks::Hooks;
use crate::mem::local::LocalArea;
use crate::mem::map::AddressMap;
use std::sync::Arc;

/// A launch, prepared for its SMs.
#[derive(Clone, Debug)]
pub struct SmContext {
    /// Program, grid and parameters of the launch.
    pub kernel: Arc<Kernel>,
    /// The kernel's instructions with their costs.
    pub code: Vec<Decoded>,
    /// Configuration of the SMs.
    pub config: SmConfig,
    /// Turns accesses into messages.
    pub coalescer: Coalescer,
    /// Location of local memory in global memory.
    pub local: LocalArea,
    /// Whether parameters are in constant memory instead of shared memory.
    pub params_in_bank: bool,
    /// A user's scheduling policy, which replaces the configured one.
    pub scheduler: Option<OwnScheduler>,
    /// Number of the kernel's blocks that fit on an SM together.
    pub most_blocks: u32,
    /// Test switches.
    pub hooks: Hooks,
}

impl SmContext {
    /// Decodes the kernel's program for SMs of `config`. `map` distributes the memory addresses;
    /// the memory transfers bursts of `burst_bytes`.
    pub fn new(
        kernel: Arc<Kernel>,
        config: SmConfig,
        map: AddressMap,
        burst_bytes: u32,
        hooks: Hooks,
    ) -> Self {
        let code = decode_program(&kernel.program, &config);
        let coalescer = Coalescer { config: config.lsu, map, burst_bytes };
        let (local, params_in_bank) = (LocalArea::NONE, false);
        let most_blocks = config.max_blocks;
        Self { kernel, code, config, coalescer, local, params_in_bank, scheduler: None, most_blocks, hooks }
    }

    /// Sets the area of global memory that holds local memory.
    #[must_use]
    pub fn local(mut self, area: LocalArea) -> Self {
        self.local = area;
        self
    }

    /// Sets the number of blocks that fit on an SM together.
    #[must_use]
    pub fn most_blocks(mut self, blocks: u32) -> Self {
        self.most_blocks = blocks;
        self
    }

    /// Sets whether parameters are in constant memory or in shared memory.
    #[must_use]
    pub fn params_in_bank(mut self, in_bank: bool) -> Self {
        self.params_in_bank = in_bank;
        self
    }

    /// Sets a user's scheduling policy, if there is one.
    #[must_use]
    pub fn scheduler(mut self, scheduler: Option<OwnScheduler>) -> Self {
        self.scheduler = scheduler;
        self
    }
}
