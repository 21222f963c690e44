//! Exits: a branch to code that only ends the thread is an exit itself.
//!
//! A lane that goes to such code has left the kernel, as with `@p ret`: it never meets other lanes
//! again, and no barrier counts it. NVIDIA's assembler writes `EXIT` with the guard of the branch.
//! A `ret` of a function that is called is a return, and ends nothing.
//!
//! Invariant `exits-are-exits`: A lane that takes a branch to an exit has left. Barriers and the
//! other lanes of its warp do not wait for it, on all machines.

use super::code::Code;
use super::pure::only_writes_results;
use super::step::Step;
use crate::uop::Op;

/// Returns for each micro-op whether every path from it ends in an exit, without any effect before:
/// on the way are only branches and results that nothing can read. The last element, behind the
/// code, is false.
pub fn leaving(code: &[impl Step]) -> Vec<bool> {
    let branches = (0..).zip(code).filter(|(_, inst)| inst.op() == Op::Bra);
    let mut branches: Vec<(u32, u32)> = branches.map(|(pc, inst)| (inst.imm(), pc)).collect();
    branches.sort_unstable();
    let mut leaves = vec![false; code.len() + 1];
    let exits = (0..code.len()).filter(|pc| code[*pc].op() == Op::Exit && code[*pc].ends());
    let mut open: Vec<usize> = exits.collect();
    for pc in &open {
        leaves[*pc] = true;
    }
    while let Some(pc) = open.pop() {
        let first = branches.partition_point(|(target, _)| (*target as usize) < pc);
        let here = branches[first..].iter().take_while(|(target, _)| *target as usize == pc);
        for before in pc.checked_sub(1).into_iter().chain(here.map(|(_, from)| *from as usize)) {
            let inst = &code[before];
            let leaving = match inst.op() {
                Op::Bra => leaves[inst.imm() as usize] && (inst.ends() || leaves[before + 1]),
                Op::Exit => inst.ends() || leaves[before + 1],
                op => only_writes_results(op, inst.imm(), inst.aux()) && leaves[before + 1],
            };
            if leaving && !std::mem::replace(&mut leaves[before], true) {
                open.push(before);
            }
        }
    }
    leaves
}

/// Replaces branches to code that only exits by exits. `@p bra A; exit; A:` becomes `@!p exit`.
pub fn leave(code: &mut Code) {
    let leaves = leaving(&code.insts);
    for (pc, inst) in code.insts.iter_mut().enumerate() {
        let (target, next) = (inst.imm as usize, pc + 1);
        // If the lanes leave on both sides, the branch decides nothing and is removed later.
        let decides = target != next && (inst.guard.is_none() || !leaves[next]);
        if inst.op == Op::Bra && leaves[target] && decides {
            (inst.op, inst.imm) = (Op::Exit, 0);
        }
    }
    let mut entered = vec![false; code.insts.len()];
    for inst in code.insts.iter().filter(|inst| inst.op == Op::Bra) {
        entered[inst.imm as usize] = true;
    }
    let mut keep = vec![true; code.insts.len()];
    for pc in 0..code.insts.len().saturating_sub(2) {
        let (inst, next) = (&code.insts[pc], &code.insts[pc + 1]);
        let skips = inst.op == Op::Bra && inst.imm as usize == pc + 2;
        if let (true, Some((predicate, negated))) = (skips, inst.guard)
            && next.op == Op::Exit
            && next.ends()
            && !entered[pc + 1]
            && !leaves[pc + 2]
        {
            keep[pc + 1] = false;
            let inst = &mut code.insts[pc];
            (inst.op, inst.imm, inst.guard) = (Op::Exit, 0, Some((predicate, !negated)));
        }
    }
    if keep.contains(&false) {
        code.retain(&keep);
    }
}

#[cfg(test)]
mod tests {
    use super::super::code::{OperandRow, VInst};
    use super::*;
    use crate::span::Span;

    /// Builds code from words: `b3` branches to PC 3, `x` exits, `r` returns, `m` writes a
    /// register, `-` has an effect; `?` and `!` before a word are guards.
    pub fn code(text: &str) -> Code {
        let make = |word: &str| {
            let (guard, word) = match word.split_at(1) {
                ("?", rest) => (Some((0, false)), rest),
                ("!", rest) => (Some((0, true)), rest),
                _ => (None, word),
            };
            let (op, imm) = match word.split_at(1) {
                ("b", target) => (Op::Bra, target.parse().unwrap()),
                ("x", _) => (Op::Exit, 0),
                ("r", _) => (Op::Ret, 0),
                ("m", _) => (Op::MovB32, 0),
                _ => (Op::MembarCta, 0),
            };
            let dst = if op == Op::MovB32 { OperandRow::Reg(0) } else { OperandRow::None };
            VInst { guard, dst, imm, ..VInst::new(op, Span::default()) }
        };
        let mut code = Code::default();
        code.registers = [1, 0, 1];
        code.insts = text.split_whitespace().map(make).collect();
        code
    }

    /// Writes code as [`code`] reads it.
    fn text(code: &Code) -> String {
        let word = |inst: &VInst| {
            let guard = inst.guard.map_or("", |(_, negated)| if negated { "!" } else { "?" });
            let op = match inst.op {
                Op::Bra => format!("b{}", inst.imm),
                Op::Exit => "x".to_owned(),
                Op::Ret => "r".to_owned(),
                Op::MovB32 => "m".to_owned(),
                _ => "-".to_owned(),
            };
            format!("{guard}{op}")
        };
        code.insts.iter().map(word).collect::<Vec<_>>().join(" ")
    }

    /// Tests: `exits-are-exits`.
    #[test]
    fn branches_to_an_exit_are_exits() {
        for (before, after) in [
            ("?b2 - x", "?x - x"),
            ("?b3 - b3 x", "?x - b3 x"), // nothing to skip: removed with other branches of that kind
            ("?b3 - - x - b3", "?x - - x - x"),
            // chains, forward and back, and results that nothing reads
            ("?b3 - x b4 m b6 x", "?x - x b4 m b6 x"),
            ("- b4 x - ?b2 - x", "- b4 x - ?x - x"),
            ("?b2 - m m ?m x", "?x - m m ?m x"),
            // a condition that decides nothing any more
            ("?b2 - ?b5 ?x m x", "?x - ?b5 ?x m x"),
            ("?b2 x x", "?b2 x x"),
            // the other side only exits
            ("?b2 x - x", "!x - x"),
            ("!b3 b4 - - x", "!b3 x - - x"),
            ("?b3 m x - x", "?b3 m x - x"),
            ("?b2 x - ?b1 x", "?b2 x - ?b1 x"),
            // effects and returns are no exits, and neither are loops
            ("?b2 - - x", "?b2 - - x"),
            ("?b2 - r", "?b2 - r"),
            ("?b2 - m b2", "?b2 - m b2"),
        ] {
            let mut code = code(before);
            leave(&mut code);
            assert_eq!(text(&code), after, "{before}");
        }
    }

    #[test]
    fn a_long_chain_of_branches_takes_linear_time() {
        let count = 200_000;
        let words: Vec<String> = (0..count).map(|pc| format!("?b{}", count - pc)).collect();
        let mut code = code(&format!("x {} x", words.join(" ")));
        leave(&mut code);
        assert_eq!(code.insts.len(), count + 2);
    }
}
