//! Fairness of a scheduling policy by model checking: whether a policy can pass over an eligible
//! warp forever, and otherwise how often in a row.
//!
//! [`fairness`] explores all states that a policy and its warps can reach on a bounded machine.
//! `bounds` has the machine and the rules of its environment, `model` the policies, `graph` the
//! states and decisions, `search` the cycles and the longest paths, and `run` a found sequence of
//! decisions, which can be printed and replayed.
//!
//! Invariant `fairness-is-exact`: The bound of a policy is the largest number that any run reaches,
//! and each cycle in which a warp starves is a run of the policy.

mod bounds;
mod graph;
mod model;
mod run;
mod search;

pub use bounds::{Bounds, Environment, Error};
pub use model::{Exact, Model, Uses};
pub use run::{Condition, Run, Step};

use std::fmt;

/// Answer to the question whether a policy is fair on a bounded machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fairness {
    /// A warp can be passed over forever.
    Starves(Lasso),
    /// Every warp is selected after a bounded number of decisions.
    Bounded(Bound),
}

impl Fairness {
    /// Returns the bound; `None` if a warp can starve.
    pub fn bound(&self) -> Option<u32> {
        match self {
            Self::Starves(_) => None,
            Self::Bounded(bound) => Some(bound.decisions),
        }
    }
}

/// Decisions that starve a warp: some first ones, and a cycle that can repeat forever.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lasso {
    /// The warp that is never selected in the cycle.
    pub warp: u32,
    /// All decisions, those of the cycle last.
    pub run: Run,
    /// Number of decisions before the cycle.
    pub prefix: usize,
}

/// The largest number of consecutive decisions in which a warp was passed over, with a run that
/// reaches it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bound {
    /// The number of decisions. If the environment is [`Environment::InfinitelyOften`], it counts
    /// only decisions in which the warp was eligible.
    pub decisions: u32,
    /// A warp that is passed over as often.
    pub warp: u32,
    /// A run that ends with these decisions.
    pub run: Run,
}

/// Determines whether `policy` is fair: whether one of the warps of `bounds` can be passed over
/// forever, although it is eligible as often as [`Bounds::environment`] says.
///
/// The result covers every run of the bounded machine, of any length: the states of policy and
/// warps are the nodes of a graph, decisions are its edges, and a warp starves exactly if the edges
/// that pass over it have a cycle. Without such cycles, the longest path is the bound.
///
/// A [`View`](sim_core::scheduler::View) has numbers that grow forever. Here `last_issue` has the
/// rank of the warp's last issue among all warps' (1 is the earliest; 0: it has not issued), and
/// `cycle` the largest of these ranks. The result is therefore exact for policies whose decisions
/// depend only on the *order* of the numbers of a view, and whose state has no such number except
/// ages and blocks, which do not change. All built-in policies are of this kind. Other policies
/// implement [`Model`] themselves, with states in a form that stays finite.
///
/// The machine is one scheduler. Its warps do not exit, and no warp is added.
///
/// ```
/// use sim_core::scheduler::{Builtin, PolicyKind, SchedulingPolicy, View};
/// use warpsim_check::fairness::{Bounds, Exact, Fairness, fairness};
///
/// let bounds = Bounds::new(4);
/// let round_robin = Builtin::new(PolicyKind::LooseRoundRobin, 0).expect("it is built in");
/// assert_eq!(fairness(&round_robin, &bounds).unwrap().bound(), Some(3));
///
/// /// The eligible warp in the lowest slot.
/// #[derive(Clone, PartialEq, Eq, Hash)]
/// struct LowestSlot;
///
/// impl SchedulingPolicy for LowestSlot {
///     fn pick(&mut self, view: &View) -> Option<u32> {
///         view.eligible_warps().next()
///     }
/// }
///
/// let Fairness::Starves(lasso) = fairness(&Exact(LowestSlot), &Bounds::new(2)).unwrap() else {
///     panic!("the lower slot always wins")
/// };
/// assert_eq!(
///     lasso.to_string(),
///     "LowestSlot can starve warp 1: it is eligible again and again, and never selected\n\
///      \x20       warp 0    warp 1    selected\n\
///      first   eligible  eligible  0\n\
///      repeat  eligible  eligible  0\n"
/// );
/// ```
pub fn fairness<M: Model>(policy: &M, bounds: &Bounds) -> Result<Fairness, Error> {
    let graph = graph::Graph::explore(policy, bounds)?;
    Ok(search::worst(&graph, bounds))
}

impl Lasso {
    /// Runs `policy` with the growing numbers of a real machine: the first decisions, then the
    /// cycle `rounds` times. The error is the first decision that differs.
    pub fn replay<M: Model>(&self, policy: &M, rounds: usize) -> Result<(), String> {
        let cycle = self.run.steps[self.prefix..].iter();
        let steps = self.run.steps[..self.prefix].iter().chain(std::iter::repeat_n(cycle, rounds).flatten());
        self.run.replay(policy, steps)
    }
}

impl Bound {
    /// Runs `policy` with the growing numbers of a real machine. The error is the first decision
    /// that differs.
    pub fn replay<M: Model>(&self, policy: &M) -> Result<(), String> {
        self.run.replay(policy, self.run.steps.iter())
    }
}

impl fmt::Display for Fairness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Starves(lasso) => lasso.fmt(f),
            Self::Bounded(bound) => bound.fmt(f),
        }
    }
}

impl fmt::Display for Lasso {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { warp, run, prefix } = self;
        writeln!(
            f,
            "{} can starve warp {warp}: it is eligible again and again, and never selected",
            run.policy
        )?;
        run.table(f, |at| if at < *prefix { "first" } else { "repeat" })
    }
}

impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { decisions, warp, run } = self;
        let warps = run.ages.len();
        writeln!(
            f,
            "{} with {warps} warps passes over an eligible warp at most {decisions} times in a row, such as warp {warp}:",
            run.policy
        )?;
        run.table(f, |_| "")
    }
}
