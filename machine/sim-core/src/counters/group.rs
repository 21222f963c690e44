//! Groups of counters. A group is one list of rows
//! ([`counters!`](crate::counters::group::counters)). The list defines how two groups are added,
//! which numbers the extrapolation of a sampled launch changes, and which metrics a program can
//! offer.

/// One row of a group, as shown in a table of metrics.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counter {
    /// Name of the field, in Rust and in the report.
    pub name: &'static str,
    /// Unit of the count, one word; empty if the counter is not a metric.
    pub unit: &'static str,
    /// Meaning of the counter: the doc comment of its row.
    pub meaning: &'static str,
}

/// A counter, or a group of counters.
pub trait Counters {
    /// The rows of the group; empty for a single counter.
    const LIST: &'static [Counter] = &[];

    /// Adds the counters of another group.
    fn merge(&mut self, other: &Self);

    /// Calls `each` with every number, always in the same order.
    fn leaves(&mut self, each: &mut dyn FnMut(&mut u64));

    /// Lowers every part that is larger than its whole to the whole. Extrapolation multiplies the
    /// noise of both.
    fn limit_parts(&mut self) {}
}

impl Counters for u64 {
    #[inline]
    fn merge(&mut self, other: &Self) {
        *self += other;
    }

    fn leaves(&mut self, each: &mut dyn FnMut(&mut u64)) {
        each(self);
    }
}

/// The number of a unit. It is not a counter.
impl Counters for u32 {
    fn merge(&mut self, _: &Self) {}

    fn leaves(&mut self, _: &mut dyn FnMut(&mut u64)) {}
}

impl<T: Counters, const N: usize> Counters for [T; N] {
    fn merge(&mut self, other: &Self) {
        self.iter_mut().zip(other).for_each(|(a, b)| a.merge(b));
    }

    fn leaves(&mut self, each: &mut dyn FnMut(&mut u64)) {
        for part in self {
            part.leaves(each);
        }
    }

    fn limit_parts(&mut self) {
        self.iter_mut().for_each(T::limit_parts);
    }
}

/// Vectors that are added have the same length.
impl<T: Counters> Counters for Vec<T> {
    fn merge(&mut self, other: &Self) {
        debug_assert_eq!(self.len(), other.len(), "both vectors have one counter per unit");
        self.iter_mut().zip(other).for_each(|(a, b)| a.merge(b));
    }

    fn leaves(&mut self, each: &mut dyn FnMut(&mut u64)) {
        for part in self {
            part.leaves(each);
        }
    }

    fn limit_parts(&mut self) {
        self.iter_mut().for_each(T::limit_parts);
    }
}

/// Defines groups of counters: one struct per group, one row per counter. A row may name the
/// counter that it is a part of, and its unit: `pub misses: u64 [part of queries] [in "lines"],`. A
/// row with a unit is a metric in every place where a report has the group.
macro_rules! counters {
    ($(
        $(#[$attribute:meta])*
        pub struct $group:ident {
            $(
                $(#[doc = $doc:literal])*
                pub $field:ident: $type:ty $([part of $whole:ident])? $([in $unit:literal])?,
            )*
        }
    )*) => {$(
        $(#[$attribute])*
        pub struct $group {
            $($(#[doc = $doc])* pub $field: $type,)*
        }

        impl $crate::counters::Counters for $group {
            const LIST: &'static [$crate::counters::Counter] = &[$($crate::counters::Counter {
                name: stringify!($field),
                unit: concat!($($unit)?),
                meaning: concat!($($doc),*).trim_ascii(),
            },)*];

            #[inline]
            fn merge(&mut self, other: &Self) {
                $($crate::counters::Counters::merge(&mut self.$field, &other.$field);)*
            }

            fn leaves(&mut self, each: &mut dyn FnMut(&mut u64)) {
                $($crate::counters::Counters::leaves(&mut self.$field, each);)*
            }

            fn limit_parts(&mut self) {
                $(
                    $crate::counters::Counters::limit_parts(&mut self.$field);
                    $(self.$field = self.$field.min(self.$whole);)?
                )*
            }
        }
    )*};
}
pub(crate) use counters;

#[cfg(test)]
mod tests {
    use super::*;

    counters! {
        /// Look-ups.
        #[derive(Clone, Copy, Debug, Default, PartialEq)]
        pub struct Lookups {
            /// All look-ups.
            pub queries: u64 [in "lines"],
            /// Look-ups that missed.
            pub misses: u64 [part of queries],
        }

        /// A counting unit.
        #[derive(Clone, Debug, Default, PartialEq)]
        pub struct Unit {
            /// Number of the unit.
            pub number: u32,
            /// Counters of two levels.
            pub levels: [Lookups; 2],
            /// Counts by port.
            pub ports: Vec<u64>,
        }
    }

    fn unit(number: u32, first: u64) -> Unit {
        let lookups = |queries, misses| Lookups { queries, misses };
        let levels = [lookups(first, first + 1), lookups(first + 2, first + 3)];
        Unit { number, levels, ports: vec![first + 4, first + 5] }
    }

    #[test]
    fn groups_are_added_row_by_row() {
        let mut sum = unit(3, 10);
        sum.merge(&unit(4, 100));
        let mut leaves = Vec::new();
        sum.leaves(&mut |n| leaves.push(*n));
        assert_eq!(leaves, [110, 112, 114, 116, 118, 120]);
        assert_eq!(sum.number, 3, "the number of a unit is not a counter");
    }

    #[test]
    fn the_list_has_each_row_with_its_unit_and_meaning() {
        let rows: Vec<_> = Lookups::LIST.iter().map(|row| (row.name, row.unit, row.meaning)).collect();
        assert_eq!(rows, [("queries", "lines", "All look-ups."), ("misses", "", "Look-ups that missed.")]);
    }

    #[test]
    fn a_part_is_at_most_its_whole() {
        let mut limited = unit(0, 7);
        limited.levels[1].misses = 2;
        limited.limit_parts();
        let misses = limited.levels.map(|level| (level.queries, level.misses));
        assert_eq!((misses, limited.ports), ([(7, 7), (9, 2)], vec![11, 12]));
    }
}
