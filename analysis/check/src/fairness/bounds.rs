//! The bounded machine: its warps, and what its environment may choose.

use super::Step;
use super::model::Uses;
use super::run::Condition;
use std::fmt;

/// Choices of the environment of the scheduler. In each decision at least one warp is eligible, as
/// in the simulator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Environment {
    /// All warps are eligible in every decision; the environment chooses only their next
    /// instructions.
    AllEligible,
    /// Any warps are eligible, but the watched warp is eligible in every decision that counts.
    Adversary,
    /// Any warps are eligible. The watched warp is eligible infinitely often, not always.
    InfinitelyOften,
}

/// A bounded machine: one scheduler with some warps.
#[derive(Clone, Debug)]
pub struct Bounds {
    /// Launch number of the warp in each slot: smaller is older. Its length is the number of warps,
    /// at most 63.
    pub ages: Vec<u64>,
    /// Block of the warp in each slot.
    pub blocks: Vec<u64>,
    /// Choices of the environment.
    pub environment: Environment,
    /// Slot of the only warp that is watched; `None`: each warp in turn.
    pub watched: Option<u32>,
    /// Parts of the views that do not vary, although the policy uses them: no next instruction
    /// accesses memory, or no warp waits long. By default no part is fixed.
    pub fixed: Uses,
    /// Largest number of decisions to examine: states times choices of the environment.
    pub most_decisions: u64,
}

impl Bounds {
    /// Returns a machine of `warps` warps of one block, in order of age, in any environment that
    /// keeps the watched warp eligible.
    pub fn new(warps: u32) -> Self {
        Self {
            ages: (0..u64::from(warps)).collect(),
            blocks: vec![0; warps as usize],
            environment: Environment::Adversary,
            watched: None,
            fixed: Uses::NOTHING,
            most_decisions: 20_000_000,
        }
    }

    /// Returns the same machine in another environment.
    #[must_use]
    pub fn with(self, environment: Environment) -> Self {
        Self { environment, ..self }
    }

    /// Returns the watched slots.
    pub(super) fn watched(&self) -> std::ops::Range<u32> {
        match self.watched {
            Some(slot) => slot..slot + 1,
            None => 0..self.ages.len() as u32,
        }
    }

    /// Returns the conditions that a warp can have in a decision of a policy with these `uses`.
    pub(super) fn conditions(&self, uses: Uses) -> Vec<Condition> {
        let varies = |used: bool, fixed: bool| used && !fixed;
        let kinds: &[(u8, bool)] =
            match (varies(uses.rank, self.fixed.rank), varies(uses.global, self.fixed.global)) {
                (false, false) => &[(0, false)],
                (false, true) if self.fixed.rank => &[(0, false), (0, true)],
                (false, true) => &[(0, false), (2, true)],
                (true, false) => &[(0, false), (1, false), (2, true)],
                // A fence uses the load/store queue, but is not an access.
                (true, true) => &[(0, false), (0, true), (1, false), (2, true)],
            };
        let mut all: Vec<Condition> =
            kinds.iter().map(|(rank, global)| Condition::Eligible { rank: *rank, global: *global }).collect();
        if self.environment != Environment::AllEligible {
            all.push(Condition::ShortWait);
            if varies(uses.long_wait, self.fixed.long_wait) {
                all.push(Condition::LongWait);
            }
        }
        all
    }

    /// Checks the numbers.
    pub(super) fn check(&self) -> Result<(), Error> {
        let warps = self.ages.len();
        let mut sorted = self.ages.clone();
        sorted.sort_unstable();
        sorted.dedup();
        let message = if !(1..64).contains(&warps) {
            format!("a scheduler has 1 to 63 warps here, not {warps}")
        } else if sorted.len() < warps {
            "two warps have the same age".to_owned()
        } else if self.blocks.len() != warps {
            format!("{warps} warps, but {} blocks", self.blocks.len())
        } else if self.watched.is_some_and(|slot| slot as usize >= warps) {
            format!("the watched warp is not one of the {warps} warps")
        } else {
            return Ok(());
        };
        Err(Error::Bounds(message))
    }
}

/// Reason why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Error {
    /// The numbers of the machine are wrong.
    Bounds(String),
    /// The machine has too many states or choices: more than [`Bounds::most_decisions`].
    TooLarge {
        /// The largest number of decisions.
        most: u64,
        /// States found so far.
        states: usize,
    },
    /// The policy selected a slot that is not eligible.
    NotEligible {
        /// Name of the policy.
        policy: String,
        /// The decision.
        step: Step,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bounds(message) => f.write_str(message),
            Self::TooLarge { most, states } => write!(
                f,
                "more than {most} decisions, with {states} states so far. Use fewer warps, declare in \
                 `Model::uses` which parts of a view the policy uses, or keep its counters bounded"
            ),
            Self::NotEligible { policy, step } => {
                write!(f, "`{policy}` picked a warp that is not eligible: {step}")
            }
        }
    }
}

impl std::error::Error for Error {}
