//! A replacement policy of the user in a cache.

use crate::components::Registered;
use crate::components::replacement::{ReplacementFactory, Seat, Seated};
use crate::state::{Corrupt, Reader, Value, Writer};
use std::ops::Range;

/// A user's policy for one cache.
pub(in crate::cache) struct Own(Box<dyn Seated>);

impl Own {
    /// Creates the policy of the cache at `seat`.
    pub(super) fn new(registered: Registered<ReplacementFactory>, seat: Seat) -> Self {
        Self(registered.seat(seat))
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
