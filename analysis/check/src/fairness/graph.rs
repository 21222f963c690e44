//! The graph of a policy on a bounded machine: its reachable states, and one edge for each decision
//! that differs in its result.

use super::bounds::{Bounds, Environment, Error};
use super::model::Model;
use super::run::{Condition, Numbers, Run, Scene, Step};
use std::collections::{HashMap, HashSet};

/// A decision in a state.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    /// State after the decision.
    pub(super) to: u32,
    /// Number of a scene that leads to it.
    scene: u32,
    /// Selected slot.
    pub(super) picked: Option<u32>,
    /// Mask of the eligible warps.
    pub(super) eligible: u64,
}

/// The reachable states, numbered by their distance from the first, and their decisions.
pub(super) struct Graph {
    policy: String,
    bounds: Bounds,
    scenes: Vec<Scene>,
    /// Decisions of each state.
    pub(super) edges: Vec<Vec<Edge>>,
    /// For each state except the first, the state and the decision from which it was first reached.
    parents: Vec<Option<(u32, Edge)>>,
}

/// A state: the policy, and for each warp the rank of its last issue.
type State<M> = (M, Vec<u64>);

/// Returns every choice of a condition for each warp in which a warp is eligible.
fn scenes(conditions: &[Condition], warps: usize) -> Vec<Scene> {
    let mut all: Vec<Vec<Condition>> = vec![Vec::new()];
    for _ in 0..warps {
        let longer = |list: Vec<Condition>| {
            conditions.iter().map(move |c| list.iter().copied().chain([*c]).collect::<Vec<_>>())
        };
        all = all.into_iter().flat_map(longer).collect();
    }
    all.into_iter().map(Scene::new).filter(|scene| scene.eligible != 0).collect()
}

/// Returns the ranks after an issue of `slot`.
fn issued(ranks: &[u64], slot: u32) -> Vec<u64> {
    let old = ranks[slot as usize];
    let mut next: Vec<u64> =
        ranks.iter().map(|rank| if old > 0 && *rank > old { rank - 1 } else { *rank }).collect();
    let largest = ranks.iter().copied().max().unwrap_or(0);
    next[slot as usize] = if old > 0 { largest } else { largest + 1 };
    next
}

impl Graph {
    /// Explores all states of `policy`.
    pub(super) fn explore<M: Model>(policy: &M, bounds: &Bounds) -> Result<Self, Error> {
        bounds.check()?;
        let warps = bounds.ages.len();
        let uses = policy.uses();
        let conditions = bounds.conditions(uses);
        let most = bounds.most_decisions;
        let choices = (conditions.len() as u64).checked_pow(warps as u32).filter(|choices| *choices <= most);
        let choices = choices.ok_or(Error::TooLarge { most, states: 1 })?;
        let scenes = scenes(&conditions, warps);
        let first: State<M> = (policy.clone(), vec![0; warps]);
        let mut numbers: HashMap<State<M>, u32> = HashMap::from([(first.clone(), 0)]);
        let mut states = vec![first];
        let (mut edges, mut parents) = (Vec::new(), vec![None]);
        let mut at = 0;
        while at < states.len() {
            if choices.saturating_mul(states.len() as u64) > most {
                return Err(Error::TooLarge { most, states: states.len() });
            }
            let (state, ranks) = states[at].clone();
            let cycle = ranks.iter().copied().max().unwrap_or(0);
            let shown = Numbers { cycle, age: &bounds.ages, block: &bounds.blocks, last_issue: &ranks };
            let (mut known, mut out) = (HashSet::new(), Vec::new());
            for (number, scene) in scenes.iter().enumerate() {
                for (next, picked) in state.answers(&scene.view(shown)) {
                    if picked.is_some_and(|slot| slot >= 64 || scene.eligible >> slot & 1 == 0) {
                        let step = Step { warps: scene.warps.clone(), picked };
                        return Err(Error::NotEligible { policy: policy.name(), step });
                    }
                    let ranks = match picked {
                        Some(slot) if uses.last_issue => issued(&ranks, slot),
                        _ => ranks.clone(),
                    };
                    let new = states.len() as u32;
                    let key = (next, ranks);
                    let to = *numbers.entry(key).or_insert_with_key(|key| {
                        states.push(key.clone());
                        new
                    });
                    let edge = Edge { to, scene: number as u32, picked, eligible: scene.eligible };
                    if to == new {
                        parents.push(Some((at as u32, edge)));
                    }
                    if known.insert((to, picked, scene.eligible)) {
                        out.push(edge);
                    }
                }
            }
            edges.push(out);
            at += 1;
        }
        Ok(Self { policy: policy.name(), bounds: bounds.clone(), scenes, edges, parents })
    }

    /// Whether a decision counts when `warp` is watched: it passes over the warp, as the
    /// environment allows.
    pub(super) fn passes(&self, edge: &Edge, warp: u32) -> bool {
        let free = self.bounds.environment == Environment::InfinitelyOften;
        edge.picked != Some(warp) && (free || edge.eligible >> warp & 1 == 1)
    }

    /// Returns the decisions on a shortest way to `state`.
    pub(super) fn way(&self, state: u32) -> Vec<Edge> {
        let mut way: Vec<Edge> =
            std::iter::successors(self.parents[state as usize], |(from, _)| self.parents[*from as usize])
                .map(|(_, edge)| edge)
                .collect();
        way.reverse();
        way
    }

    /// Returns decisions as a run.
    pub(super) fn run(&self, edges: &[Edge]) -> Run {
        let step =
            |edge: &Edge| Step { warps: self.scenes[edge.scene as usize].warps.clone(), picked: edge.picked };
        Run {
            policy: self.policy.clone(),
            ages: self.bounds.ages.clone(),
            blocks: self.bounds.blocks.clone(),
            steps: edges.iter().map(step).collect(),
        }
    }
}
