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
    /// All blocks, by number.
    sorted: Vec<Block>,
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
        // The last header whose loop has the block.
        let mut inside = vec![Block(u32::MAX); function.blocks.len()];
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
            inside[header.at()] = header;
            let mut blocks = vec![header];
            let mut work = latches.clone();
            while let Some(block) = work.pop() {
                if inside[block.at()] != header {
                    inside[block.at()] = header;
                    blocks.push(block);
                    work.extend(&cfg.preds[block.at()]);
                }
            }
            blocks.sort_unstable_by_key(|block| cfg.position[block.at()]);
            let mut sorted = blocks.clone();
            sorted.sort_unstable();
            found.push(Loop { header, blocks, latches, parent: None, depth: 1, sorted });
        }
        found.sort_by_key(|found| (found.blocks.len(), cfg.position[found.header.at()]));
        // Outer loops first: a block belongs to the last loop that has it.
        let mut of: Vec<Option<usize>> = vec![None; function.blocks.len()];
        for index in (0..found.len()).rev() {
            let parent = of[found[index].header.at()];
            let depth = parent.map_or(1, |parent| found[parent].depth + 1);
            (found[index].parent, found[index].depth) = (parent, depth);
            for block in &found[index].blocks {
                of[block.at()] = Some(index);
            }
        }
        Loops { loops: found, of }
    }
}

impl Loop {
    /// Whether the loop contains the block.
    pub fn contains(&self, block: Block) -> bool {
        self.sorted.binary_search(&block).is_ok()
    }

    /// The single block before the loop that jumps to the header and nowhere else.
    pub fn preheader(&self, function: &Function, cfg: &Cfg) -> Option<Block> {
        let mut outside = cfg.preds[self.header.at()].iter().filter(|pred| !self.contains(**pred));
        let first = *outside.next()?;
        let single = outside.next().is_none() && function.blocks[first.at()].term.jumps().count() == 1;
        single.then_some(first)
    }
}
