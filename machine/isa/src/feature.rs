//! Instructions after Fermi that a chip file can enable: their groups, and the micro-ops of each
//! group.
//!
//! Only instructions with an exact meaning for a warp in lockstep have a group. A micro-op without
//! one is part of every chip of its compute capability.

use crate::sem::atomic::Operation;
use crate::types::Capability;
use crate::uop::{Inst, Op};
use std::fmt;

macro_rules! features {
    ($($(#[doc = $doc:literal])+ $feature:ident $name:literal ($major:literal, $minor:literal);)*) => {
        /// A group of instructions after Fermi.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Feature {
            $($(#[doc = $doc])+ $feature,)*
        }

        impl Feature {
            /// All groups, in the order of their bits in [`Features`].
            pub const ALL: &'static [Self] = &[$(Self::$feature),*];

            /// Returns the word of a chip file.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$feature => $name,)*
                }
            }

            /// Returns the description in one line.
            pub const fn meaning(self) -> &'static str {
                match self {
                    $(Self::$feature => concat!($($doc),+).trim_ascii(),)*
                }
            }

            /// Returns the first compute capability of NVIDIA's chips with the group.
            pub const fn since(self) -> Capability {
                match self {
                    $(Self::$feature => Capability::new($major, $minor),)*
                }
            }
        }
    };
}

features! {
    /// `shfl` and `shfl.sync` (compute capability 3.0).
    Shuffle "shuffle" (3, 0);
    /// `vote.sync`, `bar.warp.sync` and `activemask` (3.0).
    WarpSync "warp_sync" (3, 0);
    /// Atomics on 64-bit words: `and`, `or`, `xor`, `min` and `max` (3.2).
    Atomics64 "atomics64" (3, 2);
    /// Atomics on 64-bit words: `add.f64` (6.0).
    AtomicF64 "atomic_f64" (6, 0);
    /// `lop3` (5.0).
    Lop3 "lop3" (5, 0);
}

impl Feature {
    /// Returns the group of a micro-op; `None` for a micro-op of Fermi or an older chip.
    pub fn of(inst: &Inst) -> Option<Self> {
        match inst.op {
            Op::ShflUp | Op::ShflDown | Op::ShflBfly | Op::ShflIdx => Some(Self::Shuffle),
            Op::VoteSyncAll
            | Op::VoteSyncAny
            | Op::VoteSyncUni
            | Op::VoteSyncBallot
            | Op::BarWarpSync
            | Op::ActiveMask => Some(Self::WarpSync),
            Op::Lop3 => Some(Self::Lop3),
            op if op.is_atomic() && op.access_bytes() == 8 => match inst.operation()? {
                Operation::AddF64 => Some(Self::AtomicF64),
                operation => operation.is_wide_after_fermi().then_some(Self::Atomics64),
            },
            _ => None,
        }
    }
}

/// A set of groups.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Features(u8);

impl Features {
    /// No group: the instructions of the compute capabilities up to 2.1.
    pub const NONE: Self = Self(0);

    /// All groups.
    pub const ALL: Self = Self((1 << Feature::ALL.len()) - 1);

    /// Returns the groups that NVIDIA's chips of a compute capability have.
    pub const fn of(capability: Capability) -> Self {
        let (mut set, mut place) = (Self::NONE, 0);
        while place < Feature::ALL.len() {
            let (feature, Capability { major, minor }) = (Feature::ALL[place], Feature::ALL[place].since());
            if capability.major > major || capability.major == major && capability.minor >= minor {
                set = set.with(feature);
            }
            place += 1;
        }
        set
    }

    /// Returns the set with another group.
    #[must_use]
    pub const fn with(self, feature: Feature) -> Self {
        Self(self.0 | 1 << feature as u8)
    }

    /// Whether a group is in the set.
    pub const fn has(self, feature: Feature) -> bool {
        self.0 >> feature as u8 & 1 == 1
    }

    /// Returns the first compute capability of NVIDIA's chips with all groups of the set; `None`
    /// if it is empty.
    pub fn since(self) -> Option<Capability> {
        self.iter().map(Feature::since).max()
    }

    /// Returns the groups of the set.
    pub fn iter(self) -> impl Iterator<Item = Feature> {
        Feature::ALL.iter().copied().filter(move |feature| self.has(*feature))
    }
}

/// The set as a list of a chip file.
impl fmt::Display for Features {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = self.iter().map(Feature::name).collect();
        write!(f, "[{}]", names.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_has_its_groups() {
        let set = Features::NONE.with(Feature::Shuffle).with(Feature::Lop3);
        assert_eq!(set.to_string(), "[shuffle, lop3]");
        assert!(set.has(Feature::Lop3) && !set.has(Feature::WarpSync));
        assert_eq!(Features::ALL.iter().count(), Feature::ALL.len());
        assert_eq!(Features::default().to_string(), "[]");
    }

    #[test]
    fn atomics_of_fermi_need_no_group() {
        let atomic = |op, operation: Operation| {
            let aux = (operation as u32) << Inst::OPERATION_SHIFT;
            Feature::of(&Inst { aux, ..Inst::new(op) })
        };
        assert_eq!(atomic(Op::AtomGlobalB64, Operation::Add), None);
        assert_eq!(atomic(Op::CasSharedB64, Operation::Cas), None);
        assert_eq!(atomic(Op::AtomGlobalB32, Operation::MinU), None);
        assert_eq!(atomic(Op::RedGenericB64, Operation::MinU), Some(Feature::Atomics64));
        assert_eq!(atomic(Op::AtomSharedB64, Operation::AddF64), Some(Feature::AtomicF64));
    }

    #[test]
    fn later_capabilities_have_more_groups() {
        let of = |major, minor| Features::of(Capability::new(major, minor)).to_string();
        assert_eq!([of(2, 1), of(3, 0)], ["[]", "[shuffle, warp_sync]"]);
        assert_eq!(of(5, 2), "[shuffle, warp_sync, atomics64, lop3]");
        assert_eq!(Features::of(Capability::new(6, 0)), Features::ALL);
        let since = |set: Features| set.since().map(|first| first.to_string());
        assert_eq!(since(Features::NONE.with(Feature::Shuffle).with(Feature::Atomics64)), Some("3.2".into()));
        assert_eq!([since(Features::NONE), since(Features::ALL)], [None, Some("6.0".into())]);
    }
}
