//! Components that a program adds to the machine: their traits, and the components of this process.
//!
//! `crate::registry` is the door for programs. A [`Registered`] component is a value of a chip, and
//! its factory makes the objects that a machine seats.

mod registered;
pub mod replacement;
pub mod scheduler;
pub mod view;

pub use registered::{Entry, Factory, MAX_PARAMETERS, Registered};
use std::sync::OnceLock;

/// The components of this process.
static INSTALLED: OnceLock<Components> = OnceLock::new();

/// The components that a program adds to the simulator.
#[derive(Default)]
pub struct Components {
    /// Scheduling policies.
    pub schedulers: Vec<Entry<scheduler::SchedulerFactory>>,
    /// Replacement policies of caches.
    pub replacements: Vec<Entry<replacement::ReplacementFactory>>,
}

impl Components {
    /// Makes the components known to all chips that this process reads. Returns them if a chip was
    /// read or components were installed before.
    ///
    /// # Errors
    ///
    /// The components, if it is too late.
    pub fn install(self) -> Result<(), Self> {
        INSTALLED.set(self)
    }

    /// The installed components: none if there were none before the first call.
    pub fn installed() -> &'static Self {
        INSTALLED.get_or_init(Self::default)
    }
}
