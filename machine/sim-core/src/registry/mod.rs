//! Components that a program adds to the simulator under a word of chip files.
//!
//! A program fills a [`Registry`] and installs it before it reads the first chip. From then on chip
//! files, `--set` arguments and lists of words have the registered words like the built-in ones,
//! and every machine with such a chip seats the registered component. A program without own
//! components installs nothing.
//!
//! Invariant `registered-components`: A registered word never hides a built-in word, and an
//! invalid registration is an error before the first chip is read.

use crate::cache::Replacement;
use crate::components::coalescing::{CoalescingRules, Lanes};
use crate::components::dram::{DramPolicies, DramPolicy};
use crate::components::l1::{Prefetcher, Prefetchers};
use crate::components::map::{Chunk, Maps};
use crate::components::replacement::{ReplacementPolicy, Replacements, Seat};
use crate::components::scheduler::{Schedulers, SchedulingPolicy};
use crate::components::throttle::{ThrottlePolicy, Throttles};
use crate::components::{Components, Entry, Kind, MAX_PARAMETERS};
use crate::config::{CoalesceRule, DramScheduler, MapKind, PolicyKind, Prefetch, Throttle};
pub use crate::words::Argument;
use crate::words::{Word, Worded};

/// The components that a program adds to the simulator.
///
/// ```
/// use sim_core::registry::{Argument, Registry};
/// use sim_core::scheduler::{SchedulingPolicy, View};
///
/// /// The oldest eligible warp, in all issue cycles but one in `period`.
/// #[derive(Clone)]
/// struct Pausing {
///     period: u64,
/// }
///
/// impl SchedulingPolicy for Pausing {
///     fn pick(&mut self, view: &View) -> Option<u32> {
///         let oldest = view.eligible_warps().min_by_key(|warp| view.age[*warp as usize]);
///         oldest.filter(|_| view.cycle % self.period != 0)
///     }
/// }
///
/// let mut registry = Registry::default();
/// let period = Argument::new("period", 2..=1000, 10, "Issue cycles from one pause to the next.");
/// registry.scheduler_with("pausing", [period], |[period], _sm, _scheduler| Pausing { period });
/// registry.install().unwrap();
/// ```
#[derive(Default)]
pub struct Registry {
    components: Components,
    refused: Vec<RegistryError>,
}

/// A registration that is not possible.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RegistryError {
    /// The name cannot be written as a word in a chip file.
    #[error("the {kind} `{name}`: a name is a word of letters, digits and `_`, as in `memory_first`")]
    Name {
        /// Kind of component.
        kind: &'static str,
        /// The name.
        name: String,
    },
    /// A built-in component has the name.
    #[error("the {kind} `{name}`: a built-in {kind} has this name")]
    Builtin {
        /// Kind of component.
        kind: &'static str,
        /// The name.
        name: &'static str,
    },
    /// The name is registered twice.
    #[error("the {kind} `{name}` is registered twice")]
    Twice {
        /// Kind of component.
        kind: &'static str,
        /// The name.
        name: &'static str,
    },
    /// The component has too many parameters.
    #[error("the {kind} `{name}` has more than {MAX_PARAMETERS} parameters")]
    Parameters {
        /// Kind of component.
        kind: &'static str,
        /// Name of the component.
        name: &'static str,
    },
    /// A parameter is not valid.
    #[error("parameter `{parameter}` of the {kind} `{name}`: {why}")]
    Parameter {
        /// Kind of component.
        kind: &'static str,
        /// Name of the component.
        name: &'static str,
        /// Name of the parameter.
        parameter: &'static str,
        /// The reason.
        why: &'static str,
    },
    /// A chip was read, or a registry was installed.
    #[error("components are registered before the first chip is read, and only once")]
    TooLate,
}

impl Registry {
    /// Registers a scheduling policy without parameters. For each launch, `make(sm, scheduler)`
    /// returns the policy of scheduler number `scheduler` of SM number `sm` of the chip. A chip
    /// selects the policy with `sm.scheduler`.
    pub fn scheduler<P: SchedulingPolicy>(
        &mut self,
        name: &'static str,
        make: impl Fn(u32, u32) -> P + Send + Sync + 'static,
    ) {
        self.scheduler_with(name, [], move |[], sm, scheduler| make(sm, scheduler));
    }

    /// Registers a scheduling policy with parameters: `make(values, sm, scheduler)` also gets their
    /// values.
    pub fn scheduler_with<const N: usize, P: SchedulingPolicy>(
        &mut self,
        name: &'static str,
        parameters: [Argument; N],
        make: impl Fn([u64; N], u32, u32) -> P + Send + Sync + 'static,
    ) {
        self.add::<Schedulers, PolicyKind>(
            name,
            &parameters,
            Box::new(move |values, sm, scheduler| Box::new(make(array(values), sm, scheduler))),
        );
    }

    /// Registers a cache replacement policy without parameters. `make(seat)` returns the policy of
    /// one cache. A chip selects the policy with the field `replacement` of a cache.
    pub fn replacement<P: ReplacementPolicy>(
        &mut self,
        name: &'static str,
        make: impl Fn(Seat) -> P + Send + Sync + 'static,
    ) {
        self.replacement_with(name, [], move |[], seat| make(seat));
    }

    /// Registers a cache replacement policy with parameters: `make(values, seat)` also gets their
    /// values.
    pub fn replacement_with<const N: usize, P: ReplacementPolicy>(
        &mut self,
        name: &'static str,
        parameters: [Argument; N],
        make: impl Fn([u64; N], Seat) -> P + Send + Sync + 'static,
    ) {
        self.add::<Replacements, Replacement>(
            name,
            &parameters,
            Box::new(move |values, seat| Box::new(make(array(values), seat))),
        );
    }

    /// Registers an address map without parameters: `value(chunk)` orders the chunks of a round
    /// ([`Chunk`]). The first partition owns the chunk with the smallest value. A chip selects the
    /// map with `partition.map`.
    pub fn address_map(&mut self, name: &'static str, value: impl Fn(Chunk) -> u64 + Send + Sync + 'static) {
        self.address_map_with(name, [], move |[], chunk| value(chunk));
    }

    /// Registers an address map with parameters: `value(values, chunk)` also gets their values.
    pub fn address_map_with<const N: usize>(
        &mut self,
        name: &'static str,
        parameters: [Argument; N],
        value: impl Fn([u64; N], Chunk) -> u64 + Send + Sync + 'static,
    ) {
        let make = Box::new(move |values: &[u64], chunk| value(array(values), chunk));
        self.add::<Maps, MapKind>(name, &parameters, make);
    }

    /// Registers a coalescing rule without parameters: `size(lanes)` returns the size of the next
    /// transaction of a half-warp ([`Lanes`]): the aligned segment with the word of the lowest
    /// remaining lane, of 32, 64 or 128 bytes. A chip without an L1 and L2 selects the rule with
    /// `sm.lsu.rule`.
    pub fn coalescing_rule(
        &mut self,
        name: &'static str,
        size: impl Fn(&Lanes<'_>) -> u32 + Send + Sync + 'static,
    ) {
        self.coalescing_rule_with(name, [], move |[], lanes| size(lanes));
    }

    /// Registers a coalescing rule with parameters: `size(values, lanes)` also gets their values.
    pub fn coalescing_rule_with<const N: usize>(
        &mut self,
        name: &'static str,
        parameters: [Argument; N],
        size: impl Fn([u64; N], &Lanes<'_>) -> u32 + Send + Sync + 'static,
    ) {
        let make = Box::new(move |values: &[u64], lanes: &Lanes<'_>| size(array(values), lanes));
        self.add::<CoalescingRules, CoalesceRule>(name, &parameters, make);
    }

    /// Registers a scheduler of DRAM channels without parameters. `make(partition)` returns the
    /// scheduler of the channel of partition number `partition`. A chip selects it with
    /// `partition.dram.scheduler`.
    pub fn dram_scheduler<P: DramPolicy>(
        &mut self,
        name: &'static str,
        make: impl Fn(u32) -> P + Send + Sync + 'static,
    ) {
        self.dram_scheduler_with(name, [], move |[], partition| make(partition));
    }

    /// Registers a scheduler of DRAM channels with parameters: `make(values, partition)` also gets
    /// their values.
    pub fn dram_scheduler_with<const N: usize, P: DramPolicy>(
        &mut self,
        name: &'static str,
        parameters: [Argument; N],
        make: impl Fn([u64; N], u32) -> P + Send + Sync + 'static,
    ) {
        self.add::<DramPolicies, DramScheduler>(
            name,
            &parameters,
            Box::new(move |values, partition| Box::new(make(array(values), partition))),
        );
    }

    /// Registers a prefetcher without parameters. `make(sm)` returns the prefetcher of the L1 of SM
    /// number `sm`. A chip selects it with `sm.l1.prefetch`.
    pub fn prefetcher<P: Prefetcher>(
        &mut self,
        name: &'static str,
        make: impl Fn(u32) -> P + Send + Sync + 'static,
    ) {
        self.prefetcher_with(name, [], move |[], sm| make(sm));
    }

    /// Registers a prefetcher with parameters: `make(values, sm)` also gets their values.
    pub fn prefetcher_with<const N: usize, P: Prefetcher>(
        &mut self,
        name: &'static str,
        parameters: [Argument; N],
        make: impl Fn([u64; N], u32) -> P + Send + Sync + 'static,
    ) {
        let make =
            Box::new(move |values: &[u64], sm| Box::new(make(array(values), sm)) as Box<dyn Prefetcher>);
        self.add::<Prefetchers, Prefetch>(name, &parameters, make);
    }

    /// Registers a throttle without parameters. `make(sm)` returns the throttle of SM number `sm`.
    /// A chip selects it with `sm.throttle`.
    pub fn throttle<P: ThrottlePolicy>(
        &mut self,
        name: &'static str,
        make: impl Fn(u32) -> P + Send + Sync + 'static,
    ) {
        self.throttle_with(name, [], move |[], sm| make(sm));
    }

    /// Registers a throttle with parameters: `make(values, sm)` also gets their values.
    pub fn throttle_with<const N: usize, P: ThrottlePolicy>(
        &mut self,
        name: &'static str,
        parameters: [Argument; N],
        make: impl Fn([u64; N], u32) -> P + Send + Sync + 'static,
    ) {
        let make =
            Box::new(move |values: &[u64], sm| Box::new(make(array(values), sm)) as Box<dyn ThrottlePolicy>);
        self.add::<Throttles, Throttle>(name, &parameters, make);
    }

    /// Adds a component, or the reason why it is refused.
    fn add<K: Kind, W: Worded>(&mut self, name: &'static str, parameters: &[Argument], make: Box<K::Make>) {
        match checked::<K>(&self.components, W::WORDS, name, parameters) {
            Ok(()) => {
                let meaning = "A component that this program registers.";
                let word = Word { word: name, meaning, arguments: parameters.to_vec().leak() };
                K::entries_mut(&mut self.components).push(Entry::new(word, make));
            }
            Err(error) => self.refused.push(error),
        }
    }

    /// Makes the components known to all chips that this process reads.
    ///
    /// # Errors
    ///
    /// All registrations that are not possible, or [`RegistryError::TooLate`].
    pub fn install(self) -> Result<(), Vec<RegistryError>> {
        if !self.refused.is_empty() {
            return Err(self.refused);
        }
        self.components.install().map_err(|_| vec![RegistryError::TooLate])
    }
}

/// Returns the values of all parameters.
fn array<const N: usize>(values: &[u64]) -> [u64; N] {
    values.try_into().expect("a component has a value for each parameter")
}

/// Checks a registration.
fn checked<K: Kind>(
    components: &Components,
    builtin: &[&str],
    name: &'static str,
    parameters: &[Argument],
) -> Result<(), RegistryError> {
    let kind = K::KIND;
    if !is_word(name) {
        return Err(RegistryError::Name { kind, name: name.escape_debug().to_string() });
    }
    if builtin.contains(&name) {
        return Err(RegistryError::Builtin { kind, name });
    }
    if K::entries(components).iter().any(|entry| entry.word.word == name) {
        return Err(RegistryError::Twice { kind, name });
    }
    if parameters.len() > MAX_PARAMETERS {
        return Err(RegistryError::Parameters { kind, name });
    }
    for (i, Argument { name: parameter, least, most, default, .. }) in parameters.iter().enumerate() {
        let why = if !is_word(parameter) {
            "a name is a word of letters, digits and `_`"
        } else if parameters[..i].iter().any(|other| other.name == *parameter) {
            "another parameter has this name"
        } else if least > most {
            "its range is empty"
        } else if default.is_none_or(|default| !(*least..=*most).contains(&default)) {
            "its default is not in its range"
        } else {
            continue;
        };
        return Err(RegistryError::Parameter { kind, name, parameter, why });
    }
    Ok(())
}

/// Words of RON and of chip files that have another meaning.
const RESERVED: [&str; 7] = ["true", "false", "none", "None", "Some", "inf", "NaN"];

/// Whether a chip file can have `name` as a word.
fn is_word(name: &str) -> bool {
    let is_letter = |c: char| c.is_ascii_alphabetic() || c == '_';
    name.starts_with(is_letter)
        && name.chars().all(|c| is_letter(c) || c.is_ascii_digit())
        && !RESERVED.contains(&name)
}

#[cfg(test)]
mod tests;
