//! Predecessors, reverse postorder and dominators of a function's blocks.

use super::func::{Block, Function};

/// The control-flow graph of a function at one moment; a change of the blocks makes it outdated.
#[derive(Clone, Debug)]
pub struct Cfg {
    /// Reachable blocks in reverse postorder.
    pub order: Vec<Block>,
    /// Predecessors of each block, once per jump; unreachable predecessors are left out.
    pub preds: Vec<Vec<Block>>,
    /// Position of each block in the order; `u32::MAX` if it is unreachable.
    pub position: Vec<u32>,
    /// Immediate dominator of each block; the entry's is itself.
    pub idom: Vec<Block>,
    /// First and last number of each block in a walk of the dominator tree.
    span: Vec<(u32, u32)>,
}

impl Cfg {
    /// Computes the graph of a function.
    pub fn new(function: &Function) -> Cfg {
        let count = function.blocks.len();
        let order = postorder(function);
        let mut position = vec![u32::MAX; count];
        for (index, block) in order.iter().enumerate() {
            position[block.at()] = index as u32;
        }
        let mut preds = vec![Vec::new(); count];
        for &block in &order {
            for jump in function.blocks[block.at()].term.jumps() {
                preds[jump.to.at()].push(block);
            }
        }
        let idom = dominators(&order, &preds, &position);
        let span = spans(&order, &idom);
        Cfg { order, preds, position, idom, span }
    }

    /// Whether the entry reaches the block.
    pub fn is_reachable(&self, block: Block) -> bool {
        self.position[block.at()] != u32::MAX
    }

    /// Whether every path from the entry to `b` passes `a`.
    pub fn dominates(&self, a: Block, b: Block) -> bool {
        let (outer, inner) = (self.span[a.at()], self.span[b.at()]);
        outer.0 <= inner.0 && inner.1 <= outer.1
    }

    /// Number of a block in a walk of the dominator tree.
    pub fn walk(&self, block: Block) -> u32 {
        self.span[block.at()].0
    }

    /// Blocks in an order in which each block follows its immediate dominator: the order itself.
    pub fn tree_order(&self) -> &[Block] {
        &self.order
    }
}

fn postorder(function: &Function) -> Vec<Block> {
    let mut seen = vec![false; function.blocks.len()];
    let mut order = Vec::new();
    if function.blocks.is_empty() {
        return order;
    }
    seen[0] = true;
    let mut stack = vec![(Function::ENTRY, 0)];
    while let Some((block, next)) = stack.pop() {
        // The last successor first: in the reversed order the first successor follows its block.
        let jumps: Vec<Block> = function.blocks[block.at()].term.jumps().map(|jump| jump.to).collect();
        if next < jumps.len() {
            stack.push((block, next + 1));
            let to = jumps[jumps.len() - 1 - next];
            if !seen[to.at()] {
                seen[to.at()] = true;
                stack.push((to, 0));
            }
        } else {
            order.push(block);
        }
    }
    order.reverse();
    order
}

/// Immediate dominators by iteration over the reverse postorder (Cooper, Harvey, Kennedy).
fn dominators(order: &[Block], preds: &[Vec<Block>], position: &[u32]) -> Vec<Block> {
    const NONE: Block = Block(u32::MAX);
    let mut idom = vec![NONE; preds.len()];
    let Some(&entry) = order.first() else { return idom };
    idom[entry.at()] = entry;
    let mut changed = true;
    while changed {
        changed = false;
        for &block in &order[1..] {
            let mut new = NONE;
            // The last predecessor first: a block with many predecessors, such as the exit of an
            // unrolled loop, then walks up the tree once instead of once for each of them.
            for &pred in preds[block.at()].iter().rev() {
                if idom[pred.at()] == NONE {
                    continue;
                }
                new = if new == NONE { pred } else { common(&idom, position, new, pred) };
            }
            if idom[block.at()] != new {
                idom[block.at()] = new;
                changed = true;
            }
        }
    }
    idom
}

fn common(idom: &[Block], position: &[u32], mut a: Block, mut b: Block) -> Block {
    while a != b {
        while position[a.at()] > position[b.at()] {
            a = idom[a.at()];
        }
        while position[b.at()] > position[a.at()] {
            b = idom[b.at()];
        }
    }
    a
}

/// Numbers the dominator tree so that the numbers of a subtree are consecutive. Unreachable blocks
/// have an empty span that no span contains.
fn spans(order: &[Block], idom: &[Block]) -> Vec<(u32, u32)> {
    let mut span = vec![(u32::MAX, 0); idom.len()];
    let mut children = vec![Vec::new(); idom.len()];
    for &block in order.iter().skip(1) {
        children[idom[block.at()].at()].push(block);
    }
    let Some(&entry) = order.first() else { return span };
    let mut number = 0;
    let mut stack = vec![(entry, 0)];
    while let Some((block, next)) = stack.pop() {
        if next == 0 {
            span[block.at()].0 = number;
            number += 1;
        }
        if let Some(&child) = children[block.at()].get(next) {
            stack.push((block, next + 1));
            stack.push((child, 0));
        } else {
            span[block.at()].1 = number;
        }
    }
    span
}
