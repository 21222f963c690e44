//! What is live across calls, and the registers that a thread needs in the deepest of them.

use super::super::bitset::BitSet;
use super::super::graph::CallGraph;
use super::super::link::CallSites;
use super::Numbering;

/// The calls of a kernel and of its functions.
pub struct Across {
    /// For each node of the call graph what is live across calls of it.
    live: Vec<BitSet>,
    /// Who makes each call (0 the kernel, then the functions), what it calls, and how many
    /// registers of 32 bits are live across it.
    calls: Vec<(usize, u32, u32)>,
}

impl Across {
    /// No calls so far.
    pub fn new(sites: &CallSites, numbers: &Numbering) -> Self {
        Self { live: vec![BitSet::new(numbers.len); sites.graph.len()], calls: Vec::new() }
    }

    /// Takes note of a call by `owner`, across which `live` is live, `counts` of each file.
    pub fn call(&mut self, owner: usize, callee: u32, live: &BitSet, counts: [u32; 3]) {
        self.live[callee as usize].add(live);
        self.calls.push((owner, callee, counts[0] + 2 * counts[1]));
    }

    /// For each node what is live across calls of it, directly or not.
    pub fn spread(&mut self, graph: &CallGraph) -> &[BitSet] {
        for nodes in graph.components.iter().rev() {
            let first = nodes[0] as usize;
            let mut all = std::mem::replace(&mut self.live[first], BitSet::new(0));
            nodes[1..].iter().for_each(|node| all.add(&self.live[*node as usize]));
            for node in nodes {
                let callees = graph.callees(*node).iter();
                let others = callees.filter(|to| graph.component(**to) != graph.component(*node));
                others.for_each(|to| self.live[*to as usize].add(&all));
            }
            nodes[1..].iter().for_each(|node| self.live[*node as usize].clone_from(&all));
            self.live[first] = all;
        }
        &self.live
    }

    /// Registers that a thread needs, in the deepest of its calls; `own` are those of the kernel
    /// and of each function. Of a call that may come back, what is live across it is saved, and the
    /// registers are the same ones again.
    pub fn registers(&self, own: &[u32], graph: &CallGraph) -> u32 {
        let functions = own.len() - 1;
        let mut needed = vec![0; graph.len()];
        needed[..functions].copy_from_slice(&own[1..]);
        let mut calls: Vec<(Option<u32>, u32, u32)> = (self.calls.iter())
            .map(|(owner, callee, across)| (owner.checked_sub(1).map(|owner| owner as u32), *callee, *across))
            .collect();
        // Callees come first, and the kernel last.
        let order = |owner: Option<u32>| owner.map_or(u32::MAX, |owner| graph.component(owner));
        calls.sort_by_key(|(owner, ..)| order(*owner));
        let mut calls = calls.into_iter().peekable();
        for (number, nodes) in (0..).zip(&graph.components) {
            let mut most = nodes.iter().map(|node| needed[*node as usize]).max().unwrap_or(0);
            let outside = |callee: &u32| graph.component(*callee) != number;
            while let Some((_, callee, across)) = calls.next_if(|(owner, ..)| order(*owner) == number) {
                let called = if outside(&callee) {
                    needed[callee as usize]
                } else if (callee as usize) < functions {
                    0
                } else {
                    // Through a signature of the same component it may also go to functions outside
                    // of it.
                    let others = graph.callees(callee).iter().filter(|to| outside(to));
                    others.map(|to| needed[*to as usize]).max().unwrap_or(0)
                };
                most = most.max(across + called);
            }
            // A signature needs what its functions need.
            let others = nodes.iter().filter(|node| **node as usize >= functions);
            let others = others.flat_map(|node| graph.callees(*node)).filter(|to| outside(to));
            most = others.map(|to| needed[*to as usize]).fold(most, u32::max);
            for node in nodes {
                needed[*node as usize] = most;
            }
        }
        calls.map(|(_, callee, across)| across + needed[callee as usize]).fold(own[0], u32::max)
    }
}
