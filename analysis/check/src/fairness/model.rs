//! Policies as models: states that can be compared, and all possible answers to a view.

use sim_core::scheduler::{Builtin, PolicyKind, SchedulingPolicy, View};
use std::hash::Hash;

/// The parts of a [`View`] that a policy uses, besides `eligible`, `resident`, `age` and `block`.
/// Unused parts are not varied, so that the graph is smaller.
#[expect(clippy::struct_excessive_bools, reason = "each is a part of a view")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Uses {
    /// [`View::long_wait`].
    pub long_wait: bool,
    /// [`View::rank`].
    pub rank: bool,
    /// [`View::global`].
    pub global: bool,
    /// [`View::last_issue`].
    pub last_issue: bool,
}

impl Uses {
    /// No part.
    pub const NOTHING: Self = Self { long_wait: false, rank: false, global: false, last_issue: false };
    /// Every part.
    pub const EVERYTHING: Self = Self { long_wait: true, rank: true, global: true, last_issue: true };
}

/// A scheduling policy whose states can be compared, for [`fairness`](super::fairness()).
///
/// [`Builtin`] is one. [`Exact`] makes one of a user's policy. Implement the trait for a policy
/// whose state would grow forever, such as a policy that stores cycles, and keep its state in a
/// canonical form: equal states must decide equally from then on. A cycle since which a warp waits
/// becomes the number of decisions in which it was passed over, up to the largest number that still
/// changes a decision.
pub trait Model: Clone + Eq + Hash {
    /// The name of the policy.
    fn name(&self) -> String;

    /// The parts of a view on which decisions depend. A policy that uses a part which it does not
    /// declare has a wrong result.
    fn uses(&self) -> Uses {
        Uses::EVERYTHING
    }

    /// Returns every selection that is possible for `view`, with the state after it. `None` leaves
    /// the slot empty.
    fn answers(&self, view: &View) -> Vec<(Self, Option<u32>)>;
}

/// Selections of a random policy are any selections: [`fairness`](super::fairness()) does not know
/// the probability of a run.
impl Model for Builtin {
    fn name(&self) -> String {
        match self {
            Self::LooseRoundRobin { .. } => PolicyKind::LooseRoundRobin.to_string(),
            Self::OldestFirst => PolicyKind::OldestFirst.to_string(),
            Self::GreedyThenOldest { .. } => PolicyKind::GreedyThenOldest.to_string(),
            Self::TwoLevel { size, .. } => PolicyKind::TwoLevel { active: *size }.to_string(),
            Self::Priority => PolicyKind::Priority.to_string(),
            Self::Random { .. } => "random".to_owned(),
        }
    }

    fn uses(&self) -> Uses {
        match self {
            Self::Priority => Uses { rank: true, last_issue: true, ..Uses::NOTHING },
            other => Uses { long_wait: other.asks_long_wait(), ..Uses::NOTHING },
        }
    }

    fn answers(&self, view: &View) -> Vec<(Self, Option<u32>)> {
        if let Self::Random { .. } = self {
            return view.eligible_warps().map(|slot| (self.clone(), Some(slot))).collect();
        }
        let mut next = self.clone();
        let picked = next.pick(view);
        vec![(next, Some(picked))]
    }
}

/// A user's policy, whose state is used as it is.
///
/// The result is exact if decisions depend only on the order of the numbers of a view, and the
/// state stores none of them except ages and blocks. If the state grows forever, the graph is too
/// large.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Exact<P>(pub P);

impl<P: SchedulingPolicy + Clone + Eq + Hash> Model for Exact<P> {
    fn name(&self) -> String {
        let name = std::any::type_name::<P>();
        name.rsplit("::").next().unwrap_or(name).to_owned()
    }

    fn answers(&self, view: &View) -> Vec<(Self, Option<u32>)> {
        let mut next = self.clone();
        let picked = next.0.pick(view);
        vec![(next, picked)]
    }
}
