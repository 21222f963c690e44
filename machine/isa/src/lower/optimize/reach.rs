//! Definitions of registers, and which positions certainly execute before others.

use crate::lower::code::{Code, VInst};
use crate::lower::dominators;
use crate::lower::flow::Flow;
use crate::lower::slots::Numbering;
use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::visit::DfsPostOrder;

/// The definitions of a register.
#[derive(Clone, Copy, Debug, Default)]
struct Definitions {
    count: u32,
    pc: u32,
    block: u32,
}

/// Definitions and dominance in the code of one entry.
pub struct Reach {
    /// Basic blocks.
    pub flow: Flow,
    /// Numbering of the registers of all files.
    pub numbers: Numbering,
    /// Reachable blocks; each block comes after the blocks that dominate it.
    pub order: Vec<u32>,
    /// Entry and exit time of each block in a walk of the dominator tree; empty for unreachable
    /// blocks.
    spans: Vec<(u32, u32)>,
    definitions: Vec<Definitions>,
}

impl Reach {
    /// Analyzes `code`.
    pub fn new(code: &Code) -> Self {
        let flow = Flow::new(&code.insts);
        let numbers = Numbering::new(code.registers);
        let mut definitions = vec![Definitions::default(); numbers.len];
        for block in 0..flow.starts.len() {
            for pc in flow.range(block) {
                for def in code.insts[pc].defs() {
                    let known = &mut definitions[numbers.of(def)];
                    *known = Definitions { count: known.count + 1, pc: pc as u32, block: block as u32 };
                }
            }
        }
        let (order, spans) = tree(&flow);
        Self { flow, numbers, order, spans, definitions }
    }

    /// Whether every path from the start of the kernel to block `b` passes block `a`.
    pub fn dominates(&self, a: u32, b: u32) -> bool {
        let ((enter, leave), (at, end)) = (self.spans[a as usize], self.spans[b as usize]);
        enter <= at && end <= leave && at < end
    }

    /// Whether exactly one micro-op, possibly guarded, defines the register.
    pub fn is_unique(&self, register: usize) -> bool {
        self.definitions[register].count == 1
    }

    /// Whether exactly one micro-op defines the register, and every path to `pc` in `block` passes
    /// it.
    pub fn is_settled(&self, register: usize, block: u32, pc: u32) -> bool {
        let Definitions { count, pc: at, block: within } = self.definitions[register];
        count == 1 && if within == block { at < pc } else { self.dominates(within, block) }
    }
}

impl Reach {
    /// Returns for each register whether it has one definition, which is before all of its readers,
    /// and is not shared with other functions.
    pub fn settled(&self, code: &Code) -> Vec<bool> {
        let mut settled: Vec<bool> = (0..self.numbers.len).map(|register| self.is_unique(register)).collect();
        for block in 0..self.flow.starts.len() {
            for pc in self.flow.range(block) {
                for used in code.insts[pc].uses() {
                    let number = self.numbers.of(used);
                    settled[number] &= self.is_settled(number, block as u32, pc as u32);
                }
            }
        }
        for shared in &code.shared {
            let all = shared.params.iter().chain(&shared.returns);
            all.for_each(|register| settled[self.numbers.of(*register)] = false);
        }
        settled
    }
}

/// Returns the number of reads of each register, including guards.
pub fn uses(code: &Code, numbers: &Numbering) -> Vec<u32> {
    let mut uses = vec![0; numbers.len];
    for used in code.insts.iter().flat_map(VInst::uses) {
        uses[numbers.of(used)] += 1;
    }
    uses
}

/// Returns the reachable blocks in reverse post-order, and the span of each block in a walk of the
/// dominator tree.
fn tree(flow: &Flow) -> (Vec<u32>, Vec<(u32, u32)>) {
    let blocks = flow.starts.len();
    let mut graph = DiGraph::<(), (), u32>::with_capacity(blocks + 1, 2 * blocks);
    for _ in 0..=blocks {
        graph.add_node(());
    }
    let node = NodeIndex::<u32>::new;
    for (block, next) in flow.successors.iter().enumerate() {
        for to in next {
            graph.add_edge(node(block), node(*to as usize), ());
        }
    }
    let mut order = Vec::new();
    let mut walk = DfsPostOrder::new(&graph, node(0));
    while let Some(block) = walk.next(&graph) {
        order.extend((block.index() < blocks).then_some(block.index() as u32));
    }
    order.reverse();
    let edges = graph.raw_edges().iter();
    let edges = edges.map(|edge| (edge.source().index() as u32, edge.target().index() as u32));
    let above = dominators::immediate(blocks + 1, 0, edges);
    let mut children = vec![Vec::new(); blocks];
    for block in &order {
        if let Some(parent) = above[*block as usize] {
            children[parent as usize].push(*block);
        }
    }
    let mut spans = vec![(0, 0); blocks];
    let mut clock = 0;
    let mut open = vec![(0_u32, 0_usize)];
    while let Some((block, next)) = open.last_mut() {
        let of = &children[*block as usize];
        if *next == 0 {
            spans[*block as usize].0 = clock;
            clock += 1;
        }
        if let Some(child) = of.get(*next) {
            *next += 1;
            open.push((*child, 0));
        } else {
            spans[*block as usize].1 = clock;
            clock += 1;
            open.pop();
        }
    }
    (order, spans)
}
