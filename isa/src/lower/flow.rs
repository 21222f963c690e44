//! Control flow: basic blocks, immediate post-dominators, and from them the reconvergence point of
//! every guarded branch.

use super::code::VInst;
use super::dominators;
use crate::uop::{Guard, Inst, Op, Program, TO_EXIT};
use petgraph::Direction::Incoming;
use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};

/// The properties of an instruction that matter for control flow.
pub trait Step {
    /// Operation.
    fn op(&self) -> Op;
    /// Target PC of a branch.
    fn target(&self) -> u32;
    /// Whether control never continues at the next instruction.
    fn ends(&self) -> bool;
}

impl Step for VInst {
    fn op(&self) -> Op {
        self.op
    }

    fn target(&self) -> u32 {
        self.imm
    }

    fn ends(&self) -> bool {
        Self::ends(self)
    }
}

impl Step for Inst {
    fn op(&self) -> Op {
        self.op
    }

    fn target(&self) -> u32 {
        self.imm
    }

    fn ends(&self) -> bool {
        self.guard == Guard::NONE && matches!(self.op, Op::Bra | Op::Exit | Op::Ret | Op::Trap)
    }
}

/// Basic blocks of one entry with its functions. A call continues at the next instruction. No edge
/// connects two functions, so each function is a separate graph whose paths all lead to one end.
#[derive(Clone, Debug)]
pub struct Flow {
    /// First PC of each block, ascending; the first is 0.
    pub starts: Vec<u32>,
    /// Successors of each block. The number of blocks represents the end of the kernel or function.
    pub successors: Vec<Vec<u32>>,
    len: u32,
}

impl Flow {
    /// Divides code into basic blocks. Control must not pass the last micro-op, and branch targets
    /// must be PCs inside the code.
    pub fn new(code: &[impl Step]) -> Self {
        let mut leads = vec![false; code.len() + 1];
        leads[0] = true;
        for (pc, inst) in code.iter().enumerate() {
            if let Op::Bra | Op::Exit | Op::Ret | Op::Trap = inst.op() {
                leads[pc + 1] = true;
            }
            if inst.op() == Op::Bra {
                leads[inst.target() as usize] = true;
            }
        }
        leads.truncate(code.len());
        let starts: Vec<u32> = (0..code.len() as u32).filter(|pc| leads[*pc as usize]).collect();
        let mut flow = Self { starts, successors: Vec::new(), len: code.len() as u32 };
        flow.successors = (0..flow.starts.len())
            .map(|block| {
                let last = &code[flow.range(block).end - 1];
                let mut next = Vec::new();
                match last.op() {
                    Op::Bra => next.push(flow.block_of(last.target())),
                    Op::Exit | Op::Ret | Op::Trap => next.push(flow.starts.len() as u32),
                    _ => {}
                }
                if !last.ends() && !next.contains(&(block as u32 + 1)) {
                    next.push(block as u32 + 1);
                }
                next
            })
            .collect();
        flow
    }

    /// Returns the basic blocks of a finished program.
    pub fn of(program: &Program) -> Self {
        Self::new(&program.code)
    }

    /// Returns the PCs of a block.
    pub fn range(&self, block: usize) -> std::ops::Range<usize> {
        self.starts[block] as usize..self.starts.get(block + 1).copied().unwrap_or(self.len) as usize
    }

    /// Returns the block that contains a PC.
    pub fn block_of(&self, pc: u32) -> u32 {
        self.starts.partition_point(|start| *start <= pc) as u32 - 1
    }

    /// Returns the immediate post-dominator of each block. The number of blocks represents the end
    /// of the kernel.
    ///
    /// A loop without an exit gets an artificial one in front of its first block. Branches inside
    /// the loop therefore reconverge inside it: at that block at the latest.
    pub fn post_dominators(&self) -> Vec<u32> {
        let exit = self.starts.len();
        let mut graph = DiGraph::<(), (), u32>::with_capacity(exit + 1, 2 * exit);
        for _ in 0..=exit {
            graph.add_node(());
        }
        let node = NodeIndex::<u32>::new;
        for (block, next) in self.successors.iter().enumerate() {
            for to in next {
                graph.add_edge(node(block), node(*to as usize), ());
            }
        }
        let mut gates = Vec::new(); // the block behind each added node
        // `tarjan_scc` is not used because it recurses, and a kernel may have very many blocks.
        let components = kosaraju_scc(&graph);
        let mut component_of = vec![0; exit + 1];
        for (i, component) in components.iter().enumerate() {
            for n in component {
                component_of[n.index()] = i;
            }
        }
        for (i, component) in components.iter().enumerate() {
            let leaves = |n: &NodeIndex<u32>| graph.neighbors(*n).any(|to| component_of[to.index()] != i);
            if component_of[exit] != i && !component.iter().any(leaves) {
                gates.push(*component.iter().min().expect("a component has a node"));
            }
        }
        for first in &gates {
            let gate = graph.add_node(());
            let entering: Vec<_> = graph.neighbors_directed(*first, Incoming).collect();
            for from in entering {
                graph.update_edge(from, gate, ());
                let old = graph.find_edge(from, *first).expect("the edge to a predecessor exists");
                graph.remove_edge(old);
            }
            graph.add_edge(gate, *first, ());
            graph.add_edge(gate, node(exit), ());
        }
        let backwards =
            graph.raw_edges().iter().map(|edge| (edge.target().index() as u32, edge.source().index() as u32));
        let above = dominators::immediate(graph.node_count(), exit as u32, backwards);
        let parent = |block: usize| match above[block].map_or(exit, |above| above as usize) {
            gate if gate > exit => gates[gate - exit - 1].index(),
            parent => parent,
        };
        (0..exit).map(|block| parent(block) as u32).collect()
    }

    /// Writes the reconvergence point of every guarded branch into its `aux`: the first PC of the
    /// immediate post-dominator, or [`TO_EXIT`].
    pub fn set_reconvergence(&self, code: &mut [VInst]) {
        let parents = self.post_dominators();
        for (block, parent) in parents.into_iter().enumerate() {
            let last = &mut code[self.range(block).end - 1];
            if last.op == Op::Bra {
                let point = self.starts.get(parent as usize).copied().unwrap_or(TO_EXIT);
                last.aux = if last.guard.is_some() { point } else { TO_EXIT };
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::span::Span;

    /// Builds code from words: `b3` branches to PC 3, `?b3` branches conditionally, `x` exits, `?x`
    /// exits conditionally, `-` is any other micro-op.
    fn code(text: &str) -> Vec<VInst> {
        let make = |word: &str| {
            let (guard, word) = match word.strip_prefix('?') {
                Some(rest) => (Some((0, false)), rest),
                None => (None, word),
            };
            let (op, imm) = match word.split_at(1) {
                ("b", target) => (Op::Bra, target.parse().unwrap()),
                ("x", _) => (Op::Exit, 0),
                _ => (Op::MembarCta, 0),
            };
            VInst { guard, imm, ..VInst::new(op, Span::default()) }
        };
        text.split_whitespace().map(make).collect()
    }

    /// Returns the reconvergence points of the guarded branches, in order.
    fn points(text: &str) -> Vec<u32> {
        let mut code = code(text);
        Flow::new(&code).set_reconvergence(&mut code);
        code.iter().filter(|i| i.op == Op::Bra && i.guard.is_some()).map(|i| i.aux).collect()
    }

    #[test]
    fn if_without_else_reconverges_at_the_target() {
        assert_eq!(points("?b2 - x"), [2]);
    }

    #[test]
    fn if_with_else_reconverges_after_both() {
        assert_eq!(points("?b3 - b4 - x"), [4]);
    }

    #[test]
    fn a_loop_reconverges_after_its_branch() {
        assert_eq!(points("- - ?b1 x"), [3]);
    }

    #[test]
    fn a_loop_with_break_reconverges_at_its_common_exit() {
        // 0: head; 1: break to 4; 2: body; 3: branch back to 0; 4: exit
        assert_eq!(points("- ?b4 - ?b0 x"), [4, 4]);
    }

    #[test]
    fn two_exits_do_not_reconverge() {
        assert_eq!(points("?b2 x x"), [TO_EXIT]);
    }

    #[test]
    fn a_guarded_exit_may_end_the_path() {
        // The two sides of the branch reconverge at 3, but one of them may exit at 2.
        assert_eq!(points("?b3 - ?x x"), [TO_EXIT]);
        assert_eq!(points("- ?x ?b4 - x"), [4]);
    }

    #[test]
    fn an_endless_loop_reconverges_inside() {
        // 0: branch to 2; 1: body; 2: branch back to 0
        assert_eq!(points("?b2 - b0"), [2]);
        assert_eq!(points("?b3 x - ?b4 b2 x"), [TO_EXIT, 4]);
    }

    #[test]
    fn a_branch_to_the_next_instruction_reconverges_there() {
        assert_eq!(points("?b1 x"), [1]);
    }

    #[test]
    fn unreachable_code_is_allowed() {
        assert_eq!(points("b3 ?b2 b1 x"), [2]);
    }

    #[test]
    fn a_very_long_chain_of_blocks_does_not_overflow_the_stack() {
        let blocks = 100_000;
        let words: Vec<String> = (1..=blocks).map(|pc| format!("?b{pc}")).chain(["x".to_owned()]).collect();
        let expected: Vec<u32> = (1..=blocks).collect();
        assert_eq!(points(&words.join(" ")), expected);
    }

    #[test]
    fn blocks_know_their_successors() {
        let flow = Flow::new(&code("- ?b3 ?x - x"));
        assert_eq!(flow.starts, [0, 2, 3]);
        assert_eq!(flow.successors, [vec![2, 1], vec![3, 2], vec![3]]);
        assert_eq!(flow.range(2), 3..5);
    }
}
