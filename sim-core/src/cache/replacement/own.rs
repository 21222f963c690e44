//! Replacement policies written by the user: the trait, and how a policy is seated in a cache.

use super::Place;
use super::Replacement;
use crate::registry::{Entry, Factory, Registered, Registry};
use crate::state::{Corrupt, Reader, Value, Writer};
use crate::words::{Word, Worded};
use std::ops::Range;

/// A user's replacement policy: how valuable each line of a cache is.
///
/// A program registers it under a word of chip files
/// ([`Registry::replacement`](crate::registry::Registry::replacement)). Each cache of the chip has
/// a separate policy object, which is created with the empty cache. The slots of a cache are
/// numbered through all sets: slot `set` × `ways` + `way`.
///
/// A set evicts its least valuable line, so that no value is an invalid answer. The values should
/// depend only on the calls so far. Then the same launch gives the same report, byte for byte, on
/// any number of host threads.
pub trait ReplacementPolicy: Send + 'static {
    /// The line in `slot` was used: an access hit it. The installation is not a use.
    fn touch(&mut self, slot: usize);

    /// A new line was installed in `slot`, which was empty or had an evicted line.
    fn install(&mut self, slot: usize);

    /// Returns the value of the line in `slot`. Called when a full set needs a slot, once for each
    /// slot of the set whose line may be evicted, in ascending order; a line with an outstanding
    /// miss may not. The line with the smallest value is evicted; among equals the first one.
    fn value(&mut self, slot: usize) -> u64;
}

/// The cache of a policy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seat {
    /// Kind and number of the cache.
    pub place: Place,
    /// Number of sets.
    pub sets: usize,
    /// Number of lines in a set.
    pub ways: usize,
}

impl Seat {
    /// Returns the slots of the set that contains `slot`.
    pub fn set_of(self, slot: usize) -> Range<usize> {
        let first = slot - slot % self.ways;
        first..first + self.ways
    }
}

/// A user's policy as stored in a cache. It can be copied with the rest of the machine's state.
trait Seated: Send {
    fn touch(&mut self, slot: usize);
    fn install(&mut self, slot: usize);
    fn value(&mut self, slot: usize) -> u64;
    fn copy(&self) -> Box<dyn Seated>;
}

impl<P: ReplacementPolicy + Clone> Seated for P {
    fn touch(&mut self, slot: usize) {
        ReplacementPolicy::touch(self, slot);
    }

    fn install(&mut self, slot: usize) {
        ReplacementPolicy::install(self, slot);
    }

    fn value(&mut self, slot: usize) -> u64 {
        ReplacementPolicy::value(self, slot)
    }

    fn copy(&self) -> Box<dyn Seated> {
        Box::new(self.clone())
    }
}

type FromValues = dyn Fn(&[u64], Seat) -> Box<dyn Seated> + Send + Sync;

/// Makes the policies of a registered replacement from the values of its parameters.
pub struct ReplacementFactory(Box<FromValues>);

impl ReplacementFactory {
    /// Creates a factory: `make(values, seat)` returns the policy of a cache.
    pub(crate) fn new<P: ReplacementPolicy + Clone>(
        make: impl Fn(&[u64], Seat) -> P + Send + Sync + 'static,
    ) -> Self {
        Self(Box::new(move |values, seat| Box::new(make(values, seat))))
    }
}

impl Factory for ReplacementFactory {
    const KIND: &'static str = "replacement policy";
    const BUILTIN: &'static [Word] = Replacement::LIST;

    fn entries(registry: &Registry) -> &[Entry<Self>] {
        &registry.replacements
    }
}

/// A user's policy for one cache.
pub(in crate::cache) struct Own(Box<dyn Seated>);

impl Own {
    /// Creates the policy of the cache at `seat`.
    pub(super) fn new(registered: Registered<ReplacementFactory>, seat: Seat) -> Self {
        Self((registered.factory().0)(registered.values(), seat))
    }

    /// Records a use of the line in `slot`.
    pub(super) fn touch(&mut self, slot: usize) {
        self.0.touch(slot);
    }

    /// Records the installation of a line in `slot`.
    pub(super) fn install(&mut self, slot: usize) {
        self.0.install(slot);
    }

    /// Returns the least valuable slot of `set` that `free` allows; `None` if it allows none.
    pub(super) fn victim(&mut self, set: Range<usize>, free: impl Fn(usize) -> bool) -> Option<usize> {
        set.filter(|slot| free(*slot)).min_by_key(|slot| self.0.value(*slot))
    }
}

impl Clone for Own {
    fn clone(&self) -> Self {
        Self(self.0.copy())
    }
}

impl std::fmt::Debug for Own {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Own")
    }
}

/// A policy of the user has no bytes: a launch with one is neither saved nor restored.
impl Value for Own {
    fn put(&self, _: &mut Writer) {}

    fn take(from: &mut Reader<'_>) -> Result<Self, Corrupt> {
        Err(from.corrupt())
    }
}
