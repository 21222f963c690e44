//! The SMs of a cluster. They are built when the cluster receives its first block, or when an
//! observer needs them. Most SMs of a small launch have no block, and building them all takes
//! longer than simulating such a launch. SMs that are not built act as SMs without a block: they do
//! nothing.

use crate::counters::SlotBreakdown;
use crate::sm::context::SmContext;
use crate::sm::{Sm, idle_slots};
use crate::state::{Corrupt, Part, Reader, Value, Writer};
use std::ops::{Deref, DerefMut};

/// The SMs of a cluster; an empty slice until they are built.
pub struct Sms {
    built: Vec<Sm>,
    /// The SMs of an earlier launch, as new: built already, they adopt the kernel when they are
    /// needed.
    spare: Vec<Sm>,
    /// Number of the first SM in the chip.
    first: u32,
    count: u32,
    /// Shader cycle from which both breakdowns count.
    opened: u64,
    /// Shader cycle at which both breakdowns end, once it is known.
    closed: u64,
}

impl Sms {
    /// The `count` SMs of a cluster; number `first` of the chip is the first.
    pub(super) fn new(first: u32, count: u32) -> Self {
        Self { built: Vec::new(), spare: Vec::new(), first, count, opened: 0, closed: 0 }
    }

    /// Returns the number of SMs, built or not.
    pub fn count(&self) -> usize {
        self.count as usize
    }

    /// Builds the SMs, unless they are built.
    pub(super) fn build(&mut self, context: &SmContext) {
        if !self.built.is_empty() {
            return;
        }
        self.built = std::mem::take(&mut self.spare);
        self.built.iter_mut().for_each(|sm| sm.adopt(context));
        if self.built.is_empty() {
            self.built = self.new_ones(context);
        }
        if self.opened > 0 {
            self.built.iter_mut().for_each(|sm| sm.open(self.opened));
        }
    }

    fn new_ones(&self, context: &SmContext) -> Vec<Sm> {
        (0..self.count).map(|index| Sm::new(self.first + index, index as u8, context)).collect()
    }

    /// Makes these SMs equal to `fresh`, for a launch of `context`. SMs that are built are kept as
    /// spare ones: they become copies of the spare SMs of `fresh`, which are built if necessary.
    pub(super) fn renew(&mut self, fresh: &mut Self, context: &SmContext) {
        let mut used = std::mem::take(&mut self.built);
        if !used.is_empty() {
            if fresh.spare.is_empty() {
                fresh.spare = fresh.new_ones(context);
            }
            used.clone_from(&fresh.spare);
            self.spare = used;
        }
        (self.opened, self.closed) = (fresh.opened, fresh.closed);
    }

    /// Begins the breakdowns of all SMs at shader cycle `at`, the start of an issue cycle.
    pub(super) fn open(&mut self, at: u64) {
        self.opened = at;
        self.built.iter_mut().for_each(|sm| sm.open(at));
    }

    /// Completes the breakdowns of all SMs at shader cycle `end`.
    pub(super) fn close(&mut self, end: u64) {
        self.closed = end;
        self.built.iter_mut().for_each(|sm| sm.close(end));
    }

    /// Returns the issue slots of each of these SMs, if they were not built.
    pub(super) fn idle_slots(&self, context: &SmContext) -> SlotBreakdown {
        idle_slots(&context.config, self.opened..self.closed)
    }
}

/// A copy has no spare SMs: it needs them only if a block arrives.
impl Clone for Sms {
    fn clone(&self) -> Self {
        let Self { built, spare: _, first, count, opened, closed } = self;
        let (built, spare) = (built.clone(), Vec::new());
        Self { built, spare, first: *first, count: *count, opened: *opened, closed: *closed }
    }
}

impl Deref for Sms {
    type Target = [Sm];
    #[inline]
    fn deref(&self) -> &[Sm] {
        &self.built
    }
}

impl DerefMut for Sms {
    #[inline]
    fn deref_mut(&mut self) -> &mut [Sm] {
        &mut self.built
    }
}

impl<'a> IntoIterator for &'a Sms {
    type Item = &'a Sm;
    type IntoIter = std::slice::Iter<'a, Sm>;
    fn into_iter(self) -> Self::IntoIter {
        self.built.iter()
    }
}

impl<'a> IntoIterator for &'a mut Sms {
    type Item = &'a mut Sm;
    type IntoIter = std::slice::IterMut<'a, Sm>;
    fn into_iter(self) -> Self::IntoIter {
        self.built.iter_mut()
    }
}

/// A state is loaded into SMs that are built.
impl Part for Sms {
    fn save(&self, out: &mut Writer) {
        (!self.built.is_empty()).put(out);
        self.built.save(out);
    }

    fn load(&mut self, from: &mut Reader<'_>) -> Result<(), Corrupt> {
        if bool::take(from)? {
            return self.built.load(from);
        }
        self.built.clear();
        Ok(())
    }
}
