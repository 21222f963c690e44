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
#[derive(Clone)]
pub struct Sms {
    built: Vec<Sm>,
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
        Self { built: Vec::new(), first, count, opened: 0, closed: 0 }
    }

    /// Returns the number of SMs, built or not.
    pub fn count(&self) -> usize {
        self.count as usize
    }

    /// Builds the SMs, unless they are built.
    pub(super) fn build(&mut self, context: &SmContext) {
        if self.built.is_empty() {
            self.built = (0..self.count).map(|index| self.one(index, context)).collect();
        }
    }

    fn one(&self, index: u32, context: &SmContext) -> Sm {
        let mut sm = Sm::new(self.first + index, index as u8, context);
        if self.opened > 0 {
            sm.open(self.opened);
        }
        sm
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
