//! Control flow: basic blocks, and the reconvergence point of every guarded branch.

use super::code::VInst;
use super::dominators;
use super::exits::leaving;
use super::step::Step;
use crate::uop::{Class, Op, Program, TO_EXIT};
use petgraph::Direction::Incoming;
use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};

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
                leads[inst.imm() as usize] = true;
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
                    Op::Bra => next.push(flow.block_of(last.imm())),
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

    /// Returns the block at which the lanes that diverge at the end of each block run together
    /// again. The number of blocks means that they never do.
    ///
    /// It is the immediate post-dominator on the paths of the lanes that stay.
    ///
    /// A loop without an exit gets an artificial one in front of its first block. Branches inside
    /// the loop therefore reconverge inside it: at that block at the latest.
    pub fn reconvergence_points(&self, code: &[impl Step]) -> Vec<u32> {
        let exit = self.starts.len();
        let mut graph = DiGraph::<(), (), u32>::with_capacity(exit + 1, 2 * exit);
        for _ in 0..=exit {
            graph.add_node(());
        }
        let node = NodeIndex::<u32>::new;
        for (block, next) in self.staying(code).iter().enumerate() {
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

    /// Returns the successors of each block without those at which lanes leave, while the others
    /// stay. These go on where they are, and the end is no reconvergence point for them.
    ///
    /// Lanes leave at a guarded exit. If the others may come to a barrier, which waits for all
    /// lanes
    /// that have not exited, they also leave on a path away from the *main* paths, on which they
    /// can only end: so they do that first.
    ///
    /// All paths lead to *ends*: blocks that exit, return or trap, and endless loops. From each
    /// block the main paths lead to the first of the ends that can be reached from it, in an order
    /// that is the same for all blocks. So a lane that leaves the main paths never comes back. The
    /// order prefers ends that follow the last barriers, so that no barrier is on a path away from
    /// the main paths if that is possible, then ends later in the program. Traps are last. Where
    /// lanes may wait on both sides, none leaves.
    fn staying(&self, code: &[impl Step]) -> Vec<Vec<u32>> {
        let exit = self.starts.len();
        let mut staying = self.successors.clone();
        for next in staying.iter_mut().filter(|next| next.len() > 1) {
            next.retain(|to| *to as usize != exit);
        }
        let waits = self.waits(code);
        if !waits.contains(&true) {
            return staying;
        }
        let leaves = leaving(code);
        let stays = |to: u32| to as usize != exit && !leaves[self.starts[to as usize] as usize];
        let next = |block: usize| self.successors[block].iter().copied().filter(|to| stays(*to));
        let mut graph = DiGraph::<(), (), u32>::with_capacity(exit, 2 * exit);
        for _ in 0..exit {
            graph.add_node(());
        }
        graph.extend_with_edges(
            (0..exit as u32).flat_map(|from| next(from as usize).map(move |to| (from, to))),
        );
        // Successors come first.
        let components: Vec<Vec<usize>> = kosaraju_scc(&graph)
            .into_iter()
            .map(|nodes| nodes.into_iter().map(NodeIndex::index).collect())
            .collect();
        let mut component_of = vec![0; exit];
        for (number, blocks) in components.iter().enumerate() {
            for block in blocks {
                component_of[*block] = number;
            }
        }
        let after = |number: usize| {
            let to = components[number].iter().flat_map(|block| next(*block));
            to.map(|to| component_of[to as usize]).filter(move |to| *to != number)
        };
        // The last barriers: no other barrier follows them. Each has one of 64 marks, which all
        // components have that it reaches. With more than 64 of them, some have the same.
        let mut marks = vec![0_u64; components.len()];
        let (mut waiting, mut last) = (vec![false; components.len()], 0);
        for (number, blocks) in components.iter().enumerate() {
            let later = after(number).any(|to| waiting[to]);
            waiting[number] = later || blocks.iter().any(|block| waits[*block]);
            if waiting[number] && !later {
                marks[number] = 1 << (last % u64::BITS);
                last += 1;
            }
        }
        for number in (0..components.len()).rev() {
            let own = marks[number];
            for to in after(number) {
                marks[to] |= own;
            }
        }
        let mut ends: Vec<usize> = (0..components.len()).filter(|c| after(*c).next().is_none()).collect();
        ends.sort_by_key(|number| {
            let block = *components[*number].iter().max().expect("a component has a block");
            let last = &code[self.range(block).end - 1];
            (last.op() != Op::Trap || !last.ends(), marks[*number].count_ones(), block)
        });
        let mut end_of = vec![0; components.len()];
        for (order, number) in ends.iter().enumerate() {
            end_of[*number] = order;
        }
        for number in 0..components.len() {
            end_of[number] = after(number).map(|to| end_of[to]).max().unwrap_or(end_of[number]);
        }
        let end = |block: usize| end_of[component_of[block]];
        for (block, next) in staying.iter_mut().enumerate() {
            let main = |to: u32| stays(to) && end(to as usize) == end(block);
            let waits = |to: u32| stays(to) && waiting[component_of[to as usize]];
            // If lanes may wait on both sides, the order of the sides is that of the machine.
            let (on, off): (Vec<u32>, Vec<u32>) = next.iter().partition(|to| main(**to));
            if on.into_iter().any(waits) && !off.into_iter().any(waits) {
                next.retain(|to| main(*to));
            }
        }
        staying
    }

    /// Returns for each block whether its lanes may wait at a barrier, in it or in a function that
    /// it calls.
    fn waits(&self, code: &[impl Step]) -> Vec<bool> {
        let barrier = |inst: &_| Step::op(inst).class() == Class::Barrier;
        let blocks = || (0..self.starts.len()).map(|block| &code[self.range(block)]);
        let mut waits: Vec<bool> = blocks().map(|code| code.iter().any(barrier)).collect();
        let mut kernel = vec![false; self.starts.len()];
        let mut open = vec![0];
        while let Some(block) = open.pop() {
            if block < kernel.len() && !std::mem::replace(&mut kernel[block], true) {
                open.extend(self.successors[block].iter().map(|to| *to as usize));
            }
        }
        // Not every function has the barrier, but then the order of the ends matters little.
        if waits.iter().zip(&kernel).any(|(waits, kernel)| *waits && !kernel) {
            let call = |inst: &_| matches!(Step::op(inst), Op::Call | Op::CallInd);
            for (waits, code) in waits.iter_mut().zip(blocks()) {
                *waits |= code.iter().any(call);
            }
        }
        waits
    }

    /// Writes the reconvergence point of every guarded branch into its `aux`: the first PC of its
    /// block, or [`TO_EXIT`].
    pub fn set_reconvergence(&self, code: &mut [VInst]) {
        let points = self.reconvergence_points(code);
        for (block, point) in points.into_iter().enumerate() {
            let last = &mut code[self.range(block).end - 1];
            if last.op == Op::Bra {
                let point = self.starts.get(point as usize).copied().unwrap_or(TO_EXIT);
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
    /// exits conditionally, `r` returns, `t` traps, `w` waits at a barrier, `c9` calls the function
    /// at PC 9, `-` is any other micro-op.
    fn code(text: &str) -> Vec<VInst> {
        let make = |word: &str| {
            let (guard, word) = match word.strip_prefix('?') {
                Some(rest) => (Some((0, false)), rest),
                None => (None, word),
            };
            let (op, imm) = match word.split_at(1) {
                ("b", target) => (Op::Bra, target.parse().unwrap()),
                ("c", target) => (Op::Call, target.parse().unwrap()),
                ("x", _) => (Op::Exit, 0),
                ("r", _) => (Op::Ret, 0),
                ("t", _) => (Op::Trap, 0),
                ("w", _) => (Op::BarSync, 0),
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
        assert_eq!(points("?b2 - - x"), [2]);
    }

    #[test]
    fn if_with_else_reconverges_after_both() {
        assert_eq!(points("?b3 - b4 - - x"), [4]);
    }

    #[test]
    fn a_loop_reconverges_after_its_branch() {
        assert_eq!(points("- - ?b1 - x"), [3]);
    }

    #[test]
    fn a_loop_with_break_reconverges_at_its_common_exit() {
        // 0: head; 1: break to 4; 2: body; 3: branch back to 0; 4: after it
        assert_eq!(points("- ?b4 - ?b0 - x"), [4, 4]);
    }

    /// Tests: `exits-are-exits`.
    #[test]
    fn the_end_is_no_reconvergence_point() {
        // The lanes that go to the exit at 2 leave, and the others come to a barrier.
        assert_eq!(points("?b2 w x"), [1]);
        assert_eq!(points("?b2 x w x"), [2]);
        // A loop without anything after it: those that are done leave.
        assert_eq!(points("- w ?b0 x"), [0]);
        // Nested conditions, all sides of which end, and a condition around the exit of some.
        assert_eq!(points("?b5 ?b4 - x x w - x"), [5, TO_EXIT]);
        assert_eq!(points("?b4 ?b3 ?x - w - x"), [4, 3]);
        assert_eq!(points("?b4 ?b3 - x w - x"), [4, 3]);
        // If both sides only exit, no lane meets another one.
        assert_eq!(points("?b2 x x"), [TO_EXIT]);
        // Without a barrier they wait for each other at the exit.
        assert_eq!(points("?b2 - x"), [2]);
        assert_eq!(points("- - ?b0 x"), [3]);
    }

    /// Tests: `exits-are-exits`.
    #[test]
    fn lanes_that_leave_after_some_work_do_so_first() {
        // The lanes that can come to a barrier wait for the others, whichever side is first.
        assert_eq!(points("?b3 - x w - x"), [3]);
        assert_eq!(points("?b4 w - x - x"), [1]);
        // The same if the side without the barrier has a function's barrier behind it.
        assert_eq!(points("?b4 c7 - x - x - w r"), [1]);
        // In a loop, and after it, the others stay together.
        assert_eq!(points("?b3 - x w ?b0 - x"), [3, 5]);
        assert_eq!(points("?b6 ?b5 - - x - w - x"), [6, 5]);
        // An end behind more barriers is the main one.
        assert_eq!(points("w ?b4 - x w - x"), [4]);
        assert_eq!(points("w ?b5 w - x - x"), [2]);
        // If both sides have a barrier, none waits for the other.
        assert_eq!(points("?b4 w - x w - x"), [TO_EXIT]);
        assert_eq!(points("?b3 w t w - x"), [TO_EXIT]);
        assert_eq!(points("?b4 w - x w - t"), [TO_EXIT]);
        // Without a barrier the order of the sides is that of the machine.
        assert_eq!(points("?b3 - x - x"), [TO_EXIT]);
        assert_eq!(points("w ?b4 - x - - x"), [TO_EXIT]);
    }

    #[test]
    fn a_guarded_exit_ends_no_path() {
        // The two sides of the branch meet at 3, and some lanes may have left at 2.
        assert_eq!(points("?b3 - ?x - x"), [3]);
        assert_eq!(points("- ?x ?b4 - - x"), [4]);
    }

    #[test]
    fn returns_end_the_paths_of_a_function() {
        assert_eq!(points("c2 x ?b4 - r"), [4]);
        assert_eq!(points("c2 x ?b5 - r - r"), [TO_EXIT]);
    }

    #[test]
    fn an_endless_loop_reconverges_inside() {
        // 0: branch to 2; 1: body; 2: branch back to 0
        assert_eq!(points("?b2 - b0"), [2]);
        assert_eq!(points("?b3 x - ?b4 b2 x"), [TO_EXIT, 4]);
        assert_eq!(points("?x ?b3 - w b0"), [3]);
    }

    #[test]
    fn a_branch_to_the_next_instruction_reconverges_there() {
        assert_eq!(points("?b1 - x"), [1]);
    }

    #[test]
    fn unreachable_code_is_allowed() {
        assert_eq!(points("b3 ?b2 b1 - x"), [2]);
    }

    #[test]
    fn a_very_long_chain_of_blocks_does_not_overflow_the_stack() {
        let blocks = 100_000;
        let words: Vec<String> =
            (1..=blocks).map(|pc| format!("?b{pc}")).chain(["-", "x"].map(str::to_owned)).collect();
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
