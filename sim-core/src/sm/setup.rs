//! What all SMs of a launch share: immutable while it runs.

use super::decode::{Decoded, decode_program};
use super::memory::coalesce::Coalescer;
use super::scheduler::OwnScheduler;
use crate::config::SmConfig;
use crate::exec::Kernel;
use crate::hooks::Hooks;
use crate::mem::local::LocalArea;
use crate::mem::map::AddressMap;
use std::sync::Arc;

/// A launch, as its SMs see it.
#[derive(Clone, Debug)]
pub struct Setup {
    /// The launch.
    pub kernel: Arc<Kernel>,
    /// Its instructions with their costs.
    pub code: Vec<Decoded>,
    /// Configuration of the SMs.
    pub config: SmConfig,
    /// Turns accesses into messages.
    pub coalescer: Coalescer,
    /// Where local memory lies in global memory.
    pub local: LocalArea,
    /// Parameters lie in constant memory, not in shared memory.
    pub params_in_bank: bool,
    /// A user's scheduling policy, instead of the configured one.
    pub scheduler: Option<OwnScheduler>,
    /// Test switches.
    pub hooks: Hooks,
}

impl Setup {
    /// Decodes the launch's program for SMs of `config`, whose memory is distributed as `map` says
    /// and moves in bursts of `burst_bytes`.
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
        Self { kernel, code, config, coalescer, local, params_in_bank, scheduler: None, hooks }
    }

    /// With the traffic of local memory going to `area`.
    #[must_use]
    pub fn local(mut self, area: LocalArea) -> Self {
        self.local = area;
        self
    }

    /// With parameters in constant memory, or in shared memory.
    #[must_use]
    pub fn params_in_bank(mut self, in_bank: bool) -> Self {
        self.params_in_bank = in_bank;
        self
    }

    /// With a user's scheduling policy, if there is one.
    #[must_use]
    pub fn scheduler(mut self, scheduler: Option<OwnScheduler>) -> Self {
        self.scheduler = scheduler;
        self
    }
}
