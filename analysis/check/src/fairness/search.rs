//! Searches a graph: a shortest cycle that passes over a warp, or the longest path that does.

use super::bounds::Bounds;
use super::graph::{Edge, Graph};
use super::{Bound, Fairness, Lasso};
use petgraph::algo::tarjan_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use std::collections::{HashMap, VecDeque};

/// Largest number of edges of a cycle that are tried to find a short one.
const TRIED: usize = 16;

/// Returns the shortest lasso of any watched warp, or the largest bound.
pub(super) fn worst(graph: &Graph, bounds: &Bounds) -> Fairness {
    let mut lasso: Option<Lasso> = None;
    let mut bound: Option<Bound> = None;
    for warp in bounds.watched() {
        match Passed::new(graph, warp).fairness() {
            Fairness::Starves(new) => {
                if lasso.as_ref().is_none_or(|old| new.run.steps.len() < old.run.steps.len()) {
                    lasso = Some(new);
                }
            }
            Fairness::Bounded(new) => {
                if bound.as_ref().is_none_or(|old| new.decisions > old.decisions) {
                    bound = Some(new);
                }
            }
        }
    }
    match (lasso, bound) {
        (Some(lasso), _) => Fairness::Starves(lasso),
        (None, Some(bound)) => Fairness::Bounded(bound),
        (None, None) => unreachable!("at least one warp is watched"),
    }
}

/// The part of a graph that passes over one warp.
struct Passed<'a> {
    graph: &'a Graph,
    warp: u32,
    /// Strongly connected components, each after those that it reaches.
    components: Vec<Vec<u32>>,
    /// Component of each state.
    component: Vec<u32>,
}

impl<'a> Passed<'a> {
    fn new(graph: &'a Graph, warp: u32) -> Self {
        let states = graph.edges.len();
        let mut part: DiGraph<(), ()> = DiGraph::new();
        for _ in 0..states {
            part.add_node(());
        }
        for (from, edges) in graph.edges.iter().enumerate() {
            for edge in edges.iter().filter(|edge| graph.passes(edge, warp)) {
                part.add_edge(NodeIndex::new(from), NodeIndex::new(edge.to as usize), ());
            }
        }
        let components: Vec<Vec<u32>> = tarjan_scc(&part)
            .into_iter()
            .map(|list| list.iter().map(|n| n.index() as u32).collect())
            .collect();
        let mut component = vec![0; states];
        for (number, list) in components.iter().enumerate() {
            for state in list {
                component[*state as usize] = number as u32;
            }
        }
        Self { graph, warp, components, component }
    }

    /// Returns the decisions of `state` that pass over the warp.
    fn edges(&self, state: u32) -> impl Iterator<Item = &'a Edge> {
        self.graph.edges[state as usize].iter().filter(|edge| self.graph.passes(edge, self.warp))
    }

    /// Whether the warp is eligible in a decision.
    fn counts(&self, edge: &Edge) -> bool {
        edge.eligible >> self.warp & 1 == 1
    }

    fn fairness(&self) -> Fairness {
        self.lasso().map_or_else(|| Fairness::Bounded(self.bound()), Fairness::Starves)
    }

    /// Returns a shortest way from one state to another in the same component.
    fn within(&self, from: u32, to: u32) -> Vec<Edge> {
        let mut parents: HashMap<u32, (u32, Edge)> = HashMap::new();
        let mut queue = VecDeque::from([from]);
        while let Some(state) = queue.pop_front().filter(|state| *state != to) {
            let inside = |edge: &&Edge| self.component[edge.to as usize] == self.component[from as usize];
            for edge in self.edges(state).filter(inside) {
                if edge.to != from && !parents.contains_key(&edge.to) {
                    parents.insert(edge.to, (state, *edge));
                    queue.push_back(edge.to);
                }
            }
        }
        let mut way = Vec::new();
        let mut at = to;
        while at != from {
            let (before, edge) = parents[&at];
            way.push(edge);
            at = before;
        }
        way.reverse();
        way
    }

    /// Returns a short lasso: a cycle with a decision in which the warp is eligible.
    fn lasso(&self) -> Option<Lasso> {
        let on_cycle = |from: u32| {
            let inside =
                move |edge: &&Edge| self.component[edge.to as usize] == self.component[from as usize];
            self.edges(from).filter(inside).filter(|edge| self.counts(edge)).map(move |edge| (from, edge))
        };
        // States are numbered by their distance from the first.
        let some = (0..self.component.len() as u32).flat_map(on_cycle).take(TRIED);
        let lassos = some.map(|(from, edge)| {
            let mut all = self.graph.way(from);
            let prefix = all.len();
            all.push(*edge);
            all.extend(self.within(edge.to, from));
            (all, prefix)
        });
        let (all, prefix) = lassos.min_by_key(|(all, _)| all.len())?;
        Some(Lasso { warp: self.warp, run: self.graph.run(&all), prefix })
    }

    /// Returns the longest path, in decisions in which the warp is eligible. No cycle has one.
    fn bound(&self) -> Bound {
        // For each component, the longest path from it, and its first edge to another component.
        let mut best: Vec<(u32, Option<(u32, Edge)>)> = Vec::with_capacity(self.components.len());
        for (number, states) in self.components.iter().enumerate() {
            let mut longest = (0, None);
            for state in states {
                for edge in self.edges(*state) {
                    let to = self.component[edge.to as usize];
                    if to as usize != number {
                        let length = best[to as usize].0 + u32::from(self.counts(edge));
                        if length > longest.0 {
                            longest = (length, Some((*state, *edge)));
                        }
                    }
                }
            }
            best.push(longest);
        }
        let decisions = best.iter().map(|(length, _)| *length).max().unwrap_or(0);
        // The nearest state with a path of this length.
        let first = (0..self.component.len() as u32)
            .find(|state| best[self.component[*state as usize] as usize].0 == decisions)
            .expect("one state has it");
        let mut all = self.graph.way(first);
        let mut at = first;
        while let (_, Some((from, edge))) = best[self.component[at as usize] as usize] {
            all.extend(self.within(at, from));
            all.push(edge);
            at = edge.to;
        }
        Bound { decisions, warp: self.warp, run: self.graph.run(&all) }
    }
}
