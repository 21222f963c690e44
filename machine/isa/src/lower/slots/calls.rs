//! Values that are live across calls, and the number of registers of a thread at its deepest call.

use super::super::bitset::BitSet;
use super::super::graph::CallGraph;
use super::super::link::CallSites;
use super::Numbering;

/// The calls of a kernel and its functions, with the values that are live across them.
pub struct Across {
    /// Registers that are live across calls of each node of the call graph.
    live: Vec<BitSet>,
    /// Caller (0 is the kernel, then the functions), callee, and number of 32-bit registers that
    /// are live across each call.
    calls: Vec<(usize, u32, u32)>,
}

impl Across {
    /// Creates an empty record.
    pub fn new(sites: &CallSites, numbers: &Numbering) -> Self {
        Self { live: vec![BitSet::new(numbers.len); sites.graph.len()], calls: Vec::new() }
    }

    /// Records a call by `owner`, across which `live` is live: `counts` registers of each file.
    pub fn call(&mut self, owner: usize, callee: u32, live: &BitSet, counts: [u32; 3]) {
        self.live[callee as usize].add(live);
        self.calls.push((owner, callee, counts[0] + 2 * counts[1]));
    }

    /// Returns for each node the registers that are live across direct or indirect calls of it.
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

    /// Returns the number of 32-bit registers that a thread needs at its deepest call. `own`
    /// contains the numbers for the kernel and each function. A recursive call adds no registers:
    /// values that are live across it are saved, and the callee uses the same registers again.
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
                    // A signature of the same component may also lead to functions outside of the
                    // component.
                    let others = graph.callees(callee).iter().filter(|to| outside(to));
                    others.map(|to| needed[*to as usize]).max().unwrap_or(0)
                };
                most = most.max(across + called);
            }
            // A signature needs as many registers as its functions.
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
