//! The loops of a program: where they begin, and which registers a warp still reads there.
//!
//! A compiler tests the condition of a loop once before the loop (`if (c) do … while (c);`). The
//! copy of the test before the loop counts as the beginning of the loop, too: instructions from
//! which a warp continues alike are *alike*.

use crate::exec::Warp;
use isa::lower::live::Live;
use isa::uop::{Inst, Op, Program};
use std::collections::{BTreeMap, BTreeSet};

/// Most pairs of instructions that are compared for two beginnings.
const MOST_PAIRS: usize = 4096;

/// Most pairs of beginnings that are compared.
const MOST_BEGINNINGS: usize = 4096;

/// The loops of a program.
#[derive(Debug, Default)]
pub(super) struct Loops {
    /// Instructions at which loops begin, each with the first instruction that is alike.
    heads: BTreeMap<u32, u32>,
    /// Rows that are read from each instruction on before they are written: 32-bit, 64-bit,
    /// predicates. `None` if all of them count.
    live: Option<Vec<[Vec<u32>; 3]>>,
}

impl Loops {
    /// Finds the loops of a program.
    pub fn of(program: &Program) -> Self {
        let code = &program.code;
        let back = (0..).zip(code.iter()).filter(|(pc, inst)| inst.op == Op::Bra && inst.imm <= *pc);
        let first: BTreeSet<u32> = back.map(|(_, inst)| inst.imm).collect();
        if first.is_empty() {
            return Self::default();
        }
        // The rows of a caller are not part of the live rows of a function.
        let has_calls = code.iter().any(|inst| matches!(inst.op, Op::Call | Op::CallInd));
        if has_calls {
            return Self { heads: first.into_iter().map(|pc| (pc, pc)).collect(), live: None };
        }
        let mut heads = BTreeMap::new();
        let reconv: BTreeSet<u32> =
            code.iter().filter(|inst| inst.op == Op::Bra).map(|inst| inst.aux).collect();
        let mut compared = 0;
        for head in first {
            let begins = |pc: &u32| *pc == head || is_like(&code[*pc as usize], &code[head as usize]);
            for pc in (0..code.len() as u32).filter(begins) {
                compared += 1;
                let known = heads.contains_key(&pc);
                if pc == head || !known && compared < MOST_BEGINNINGS && alike(code, &reconv, pc, head) {
                    let like = heads.get(&head).copied().unwrap_or(head);
                    heads.entry(pc).or_insert(like);
                }
            }
        }
        let live = Live::of(program).before.iter().map(isa::lower::live::LiveRows::rows).collect();
        Self { heads, live: Some(live) }
    }

    /// Whether a loop begins at an instruction.
    pub fn begins_at(&self, pc: u32) -> bool {
        self.heads.contains_key(&pc)
    }

    /// Whether a warp continues from two instructions alike.
    pub fn is_alike(&self, a: u32, b: u32) -> bool {
        let head = |pc: u32| self.heads.get(&pc).copied().unwrap_or(pc);
        head(a) == head(b)
    }

    /// Whether a warp continues alike from two states, as far as its registers and its control
    /// state decide it.
    pub fn is_same(&self, a: &Warp, b: &Warp) -> bool {
        let Some(live) = &self.live else { return a == b };
        let rows = |warp: &Warp| warp.simt.entries().map(|entry| entry.pc).collect::<Vec<_>>();
        a.live == b.live
            && a.simt.is_like(&b.simt, |a, b| self.is_alike(a, b))
            && a.local == b.local
            && rows(b).iter().filter_map(|pc| live.get(*pc as usize)).all(|[w, d, p]| {
                w.iter().all(|row| a.w[*row as usize] == b.w[*row as usize])
                    && d.iter().all(|row| a.d[*row as usize] == b.d[*row as usize])
                    && p.iter().all(|row| a.p[*row as usize] == b.p[*row as usize])
            })
    }
}

/// Whether two instructions do the same, apart from the targets of branches.
fn is_like(a: &Inst, b: &Inst) -> bool {
    let of = |inst: &Inst| if inst.op == Op::Bra { Inst { imm: 0, ..*inst } } else { *inst };
    of(a) == of(b)
}

/// Whether a warp continues from two instructions alike: it executes the same instructions, until
/// both paths are at the same place. No reconvergence point is on the way.
fn alike(code: &[Inst], reconv: &BTreeSet<u32>, a: u32, b: u32) -> bool {
    let (mut seen, mut left) = (BTreeSet::new(), vec![(a, b)]);
    while let Some((a, b)) = left.pop() {
        let (Some(a), Some(b)) = (skipped(code, reconv, a), skipped(code, reconv, b)) else { return false };
        if a == b || !seen.insert((a, b)) {
            continue;
        }
        let (one, other) = (&code[a as usize], &code[b as usize]);
        if seen.len() > MOST_PAIRS || reconv.contains(&a) || reconv.contains(&b) || !is_like(one, other) {
            return false;
        }
        let ends = match one.op {
            Op::Bra => {
                left.push((one.imm, other.imm));
                true
            }
            Op::Exit | Op::Ret | Op::Trap => true,
            _ => false,
        };
        if !ends || one.guard.get().is_some() {
            left.push((a + 1, b + 1));
        }
    }
    true
}

/// Follows branches that all lanes take. `None` at the end of the code, and in a loop of them.
fn skipped(code: &[Inst], reconv: &BTreeSet<u32>, mut pc: u32) -> Option<u32> {
    for _ in 0..code.len() {
        let inst = code.get(pc as usize)?;
        if inst.op != Op::Bra || inst.guard.get().is_some() || reconv.contains(&pc) {
            return Some(pc);
        }
        pc = inst.imm;
    }
    None
}
