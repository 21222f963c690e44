//! The bytes that an action touches, and whether two actions conflict.

use crate::exec::mask::lanes;
use crate::exec::{Access, Row32};

/// Place that an action touches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Place {
    /// Global memory; positions are addresses.
    Global,
    /// The shared memory of a block; positions are addresses in it.
    Shared(u32),
    /// The queue of a block's requests. Two requests at the same position keep their order.
    Queue(u32),
    /// The barriers of a block; positions are their numbers.
    Barrier(u32),
}

impl Place {
    /// Whether it is memory.
    pub fn is_memory(self) -> bool {
        matches!(self, Self::Global | Self::Shared(_))
    }
}

/// Consecutive positions of a place that an action reads or writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Touch {
    /// Touched place.
    pub place: Place,
    /// First position.
    pub first: u32,
    /// Last position.
    pub last: u32,
    /// Whether the action changes it, so that its order with another access is visible.
    pub writes: bool,
    /// Whether the access is atomic or volatile: two such accesses are no data race.
    pub synchronizes: bool,
}

impl Touch {
    /// Whether the order of two touches is visible.
    pub fn conflicts(&self, other: &Self) -> bool {
        (self.writes || other.writes) && self.overlaps(other)
    }

    /// Whether two touches have a common position.
    pub fn overlaps(&self, other: &Self) -> bool {
        self.place == other.place && self.first <= other.last && other.first <= self.last
    }
}

/// First and last position of a range.
pub(super) type Span = (u32, u32);

/// Returns the bytes of the lanes of `mask`, as disjoint ranges in ascending order.
pub(super) fn spans(addr: &Row32, mask: u32, bytes: u32) -> Vec<Span> {
    let mut all: Vec<Span> = lanes(mask).map(|lane| (addr[lane], addr[lane] + (bytes - 1))).collect();
    all.sort_unstable();
    all.dedup_by(|next, span| {
        let joins = u64::from(next.0) <= u64::from(span.1) + 1;
        span.1 = if joins { span.1.max(next.1) } else { span.1 };
        joins
    });
    all
}

/// Returns the touches of an access at `spans`.
pub(super) fn touches(place: Place, spans: &[Span], access: &Access, volatile: bool) -> Vec<Touch> {
    let synchronizes = volatile || access.atomic.is_some();
    let touch = |(first, last): &Span| Touch {
        place,
        first: *first,
        last: *last,
        writes: access.store,
        synchronizes,
    };
    spans.iter().map(touch).collect()
}
