//! Natural loops.

use super::cfg::Cfg;
use super::func::{Block, Function};

/// A natural loop: the blocks from which its header can be reached again.
#[derive(Clone, Debug)]
pub struct Loop {
    /// The block that dominates the loop.
    pub header: Block,
    /// All blocks, in reverse postorder; the header is the first.
    pub blocks: Vec<Block>,
    /// Blocks of the loop that jump to the header.
    pub latches: Vec<Block>,
    /// Index of the innermost loop around this one.
    pub parent: Option<usize>,
    /// Loops around this one.
    pub depth: u32,
}

/// The loops of a function, inner ones first.
#[derive(Clone, Debug, Default)]
pub struct Loops {
    /// The loops.
    pub loops: Vec<Loop>,
    /// Index of the innermost loop of each block.
    pub of: Vec<Option<usize>>,
}

impl Loops {
    /// Finds the natural loops. Cycles with several entries are no loops.
    pub fn new(function: &Function, cfg: &Cfg) -> Loops {
        let mut found: Vec<Loop> = Vec::new();
        for &header in &cfg.order {
            let latches: Vec<Block> = {
                let mut all = cfg.preds[header.at()].clone();
                all.retain(|&pred| cfg.dominates(header, pred));
                all.dedup();
                all
            };
            if latches.is_empty() {
                continue;
            }
            let mut inside = vec![false; function.blocks.len()];
            inside[header.at()] = true;
            let mut work = latches.clone();
            while let Some(block) = work.pop() {
                if !inside[block.at()] {
                    inside[block.at()] = true;
                    work.extend(&cfg.preds[block.at()]);
                }
            }
            let blocks = cfg.order.iter().copied().filter(|block| inside[block.at()]).collect();
            found.push(Loop { header, blocks, latches, parent: None, depth: 1 });
        }
        found.sort_by_key(|found| (found.blocks.len(), cfg.position[found.header.at()]));
        let mut of = vec![None; function.blocks.len()];
        for (index, each) in found.iter().enumerate().rev() {
            for block in &each.blocks {
                of[block.at()] = Some(index);
            }
        }
        for index in 0..found.len() {
            let header = found[index].header;
            let around = |other: &Loop| other.header != header && other.blocks.contains(&header);
            found[index].parent = (index + 1..found.len()).find(|&other| around(&found[other]));
            found[index].depth = 1 + (index + 1..found.len()).filter(|&o| around(&found[o])).count() as u32;
        }
        Loops { loops: found, of }
    }
}

impl Loop {
    /// Whether the loop contains the block.
    pub fn contains(&self, block: Block) -> bool {
        self.blocks.contains(&block)
    }

    /// The single block before the loop that jumps to the header and nowhere else.
    pub fn preheader(&self, function: &Function, cfg: &Cfg) -> Option<Block> {
        let mut outside = cfg.preds[self.header.at()].iter().filter(|pred| !self.contains(**pred));
        let first = *outside.next()?;
        let single = outside.next().is_none() && function.blocks[first.at()].term.jumps().count() == 1;
        single.then_some(first)
    }
}
