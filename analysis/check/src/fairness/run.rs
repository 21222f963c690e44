//! A sequence of decisions: how it is printed, and how a policy is run on it.

use super::model::Model;
use sim_core::scheduler::View;
use std::fmt;

/// Condition of a warp in a decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Condition {
    /// It can issue.
    Eligible {
        /// As in [`View::rank`].
        rank: u8,
        /// As in [`View::global`].
        global: bool,
    },
    /// It waits for a register or a unit.
    ShortWait,
    /// It waits for memory or at a barrier.
    LongWait,
}

impl Condition {
    /// Whether the warp can issue.
    pub fn is_eligible(self) -> bool {
        matches!(self, Self::Eligible { .. })
    }
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Eligible { rank: 0, global: false } => "eligible",
            Self::Eligible { rank: 0, global: true } => "eligible (fence)",
            Self::Eligible { rank: 1, .. } => "eligible (shared)",
            Self::Eligible { .. } => "eligible (global)",
            Self::ShortWait => "waits",
            Self::LongWait => "waits long",
        })
    }
}

/// One decision: the condition of each warp, and the selected slot; `None`: the slot of the
/// scheduler stayed empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// Condition of the warp in each slot.
    pub warps: Vec<Condition>,
    /// The selection.
    pub picked: Option<u32>,
}

impl Step {
    /// The selection as text.
    fn selected(&self) -> String {
        self.picked.map_or_else(|| "none".to_owned(), |slot| slot.to_string())
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (slot, condition) in self.warps.iter().enumerate() {
            write!(f, "warp {slot} {condition}, ")?;
        }
        write!(f, "selected {}", self.selected())
    }
}

/// The masks and ranks of a view with given conditions.
#[derive(Clone, Debug)]
pub(super) struct Scene {
    /// Condition of the warp in each slot.
    pub(super) warps: Vec<Condition>,
    /// Mask of the eligible warps.
    pub(super) eligible: u64,
    long_wait: u64,
    global: u64,
    rank: Vec<u8>,
}

/// The numbers of a view that do not depend on conditions.
#[derive(Clone, Copy)]
pub(super) struct Numbers<'a> {
    /// As in [`View::cycle`].
    pub(super) cycle: u64,
    /// As in [`View::age`].
    pub(super) age: &'a [u64],
    /// As in [`View::block`].
    pub(super) block: &'a [u64],
    /// As in [`View::last_issue`].
    pub(super) last_issue: &'a [u64],
}

impl Scene {
    /// Returns the scene of some conditions.
    pub(super) fn new(warps: Vec<Condition>) -> Self {
        let mask = |is: &dyn Fn(Condition) -> bool| {
            warps.iter().enumerate().filter(|(_, c)| is(**c)).fold(0, |mask, (slot, _)| mask | 1 << slot)
        };
        // Slots without a warp wait long, too.
        let absent = !0 << warps.len();
        let eligible = mask(&Condition::is_eligible);
        let long_wait = absent | mask(&|c| c == Condition::LongWait);
        let global = mask(&|c| matches!(c, Condition::Eligible { global: true, .. }));
        let rank = warps.iter().map(|c| if let Condition::Eligible { rank, .. } = c { *rank } else { 0 });
        Self { eligible, long_wait, global, rank: rank.collect(), warps }
    }

    /// Returns the view of the scene with these numbers.
    pub(super) fn view<'a>(&'a self, numbers: Numbers<'a>) -> View<'a> {
        let Numbers { cycle, age, block, last_issue } = numbers;
        View {
            cycle,
            eligible: self.eligible,
            resident: !(!0 << self.warps.len()),
            long_wait: self.long_wait,
            global: self.global,
            age,
            last_issue,
            rank: &self.rank,
            block,
        }
    }
}

/// A sequence of decisions of a policy, from its first state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// Name of the policy.
    pub policy: String,
    /// Age of the warp in each slot.
    pub ages: Vec<u64>,
    /// Block of the warp in each slot.
    pub blocks: Vec<u64>,
    /// The decisions.
    pub steps: Vec<Step>,
}

impl Run {
    /// Gives the views of `steps` to `policy`, with the cycles and last issues of a real machine.
    /// The error is the first decision that is not an answer of the policy. Of several states with
    /// the same answer the first is used.
    pub(super) fn replay<'a, M: Model>(
        &self,
        policy: &M,
        steps: impl Iterator<Item = &'a Step>,
    ) -> Result<(), String> {
        let mut state = policy.clone();
        let mut last_issue = vec![0; self.ages.len()];
        for (cycle, step) in (0u64..).zip(steps) {
            let scene = Scene::new(step.warps.clone());
            let numbers = Numbers { cycle, age: &self.ages, block: &self.blocks, last_issue: &last_issue };
            let answers = state.answers(&scene.view(numbers));
            let Some((next, _)) = answers.into_iter().find(|(_, picked)| *picked == step.picked) else {
                return Err(format!("decision {cycle} is not an answer of {}: {step}", self.policy));
            };
            state = next;
            if let Some(slot) = step.picked {
                last_issue[slot as usize] = cycle + 1;
            }
        }
        Ok(())
    }

    /// Writes a table of the decisions, each with the label of its number.
    pub(super) fn table(
        &self,
        f: &mut fmt::Formatter<'_>,
        label: impl Fn(usize) -> &'static str,
    ) -> fmt::Result {
        let mut rows = vec![Vec::new()];
        rows[0].push(String::new());
        rows[0].extend((0..self.ages.len()).map(|slot| format!("warp {slot}")));
        rows[0].push("selected".to_owned());
        for (at, step) in self.steps.iter().enumerate() {
            let mut row = vec![label(at).to_owned()];
            row.extend(step.warps.iter().map(Condition::to_string));
            row.push(step.selected());
            rows.push(row);
        }
        let width = |column: usize| rows.iter().map(|row| row[column].len()).max().unwrap_or(0);
        let widths: Vec<usize> = (0..rows[0].len()).map(width).collect();
        for row in &rows {
            let cells = row.iter().zip(&widths).filter(|(_, width)| **width > 0);
            let cells: Vec<String> = cells.map(|(cell, width)| format!("{cell:width$}")).collect();
            writeln!(f, "{}", cells.join("  ").trim_end())?;
        }
        Ok(())
    }
}
