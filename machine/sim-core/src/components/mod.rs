//! Components that a program adds to the machine: their traits, and the components of this process.
//!
//! `crate::registry` is the door for programs. A [`Registered`] component is a value of a chip, and
//! makes the objects that a machine seats.

pub mod coalescing;
pub mod dram;
pub mod l1;
pub mod map;
mod registered;
pub mod replacement;
pub mod scheduler;
pub mod throttle;
pub mod view;

pub use registered::{Entry, Kind, MAX_PARAMETERS, Registered, Seated};
use std::sync::OnceLock;

/// The components of this process.
static INSTALLED: OnceLock<Components> = OnceLock::new();

/// The components that a program adds to the simulator.
#[derive(Default)]
pub struct Components {
    /// Scheduling policies.
    pub schedulers: Vec<Entry<scheduler::Schedulers>>,
    /// Replacement policies of caches.
    pub replacements: Vec<Entry<replacement::Replacements>>,
    /// Prefetchers by their words.
    pub prefetchers: Vec<Entry<l1::Prefetchers>>,
    /// Throttles of blocks.
    pub throttles: Vec<Entry<throttle::Throttles>>,
    /// Address maps.
    pub maps: Vec<Entry<map::Maps>>,
    /// Coalescing rules.
    pub coalescing_rules: Vec<Entry<coalescing::CoalescingRules>>,
    /// Schedulers of DRAM channels.
    pub dram_schedulers: Vec<Entry<dram::DramPolicies>>,
}

impl Components {
    /// Makes the components known to all chips that this process reads. Returns them if a chip was
    /// read or components were installed before.
    ///
    /// # Errors
    ///
    /// The components, if it is too late.
    pub fn install(self) -> Result<(), Box<Self>> {
        INSTALLED.set(self).map_err(Box::new)
    }

    /// Whether there is a component.
    pub fn any(&self) -> bool {
        let Self {
            schedulers,
            replacements,
            prefetchers,
            throttles,
            maps,
            coalescing_rules,
            dram_schedulers,
        } = self;
        let of_machine = !schedulers.is_empty() || !throttles.is_empty() || !maps.is_empty();
        let of_memory = !replacements.is_empty() || !prefetchers.is_empty() || !coalescing_rules.is_empty();
        of_machine || of_memory || !dram_schedulers.is_empty()
    }

    /// The installed components: none if there were none before the first call.
    pub fn installed() -> &'static Self {
        INSTALLED.get_or_init(Self::default)
    }
}
