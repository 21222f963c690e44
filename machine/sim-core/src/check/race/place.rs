//! Places for a barrier: the lines before which it orders two accesses and all threads of the block
//! reach it.
//!
//! In CUDA C a place is a statement that begins a line, between braces. A barrier there is between
//! the two accesses if it is behind the first and ahead of the second in a sequence of statements
//! that contains both; if the second one is of the next iteration, anywhere else in the sequence of
//! the innermost loop around both. All threads reach it if no control statement around it has a
//! condition that differs between threads ([`Uniformity`]), and no jump ahead of it either.
//!
//! Invariant `advice-can-be-followed`: A program that is changed as the advice for its races says
//! has no finding of these races, no new finding, and the right results.
//!
//! In PTX a place is an instruction that begins a line: every path from the first access to the
//! second one leads through it.

use super::hazard::Hazard;
use crate::check::advice::{Advice, AdviceKind};
use crate::check::kind::HazardKind;
use crate::check::uniform::Uniformity;
use crate::exec::ways;
use isa::blocks::{BlockKind, Blocks, Jump, JumpKind};
use isa::source::Files;
use isa::terms::Terms;
use isa::uop::{Op, Program};
use std::collections::BTreeSet;

/// Maximum number of instructions of PTX that are tried on each side of an access.
const MOST_TRIED: u32 = 64;
/// Maximum number of calls around an access that are followed.
const DEEPEST_CALL: u32 = 8;

/// Places for one hazard.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Spots {
    /// The lines, at least one.
    Lines(BTreeSet<u32>),
    /// There is none: another change is needed.
    Change(Advice),
}

/// Finds places in a program.
#[derive(Debug)]
pub struct Places<'a> {
    program: &'a Program,
    uniform: Uniformity,
    /// For each file of CUDA C, its first line and its blocks; empty for PTX.
    files: Vec<(u32, Blocks)>,
}

/// Reason why threads of a block may not reach a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Obstacle {
    /// The control statement of a block around it.
    Block(usize),
    /// A jump ahead of it.
    Jump(Jump),
    /// A call of its function.
    Call,
}

/// Blocks of a file and its first line.
type File<'a> = (u32, &'a Blocks);

impl<'a> Places<'a> {
    /// Analyzes a program.
    pub fn new(program: &'a Program) -> Self {
        let source = &program.source;
        let is_listing = source.files().is_listing();
        let texts = source.files().iter().zip(source.texts()).filter(|_| is_listing);
        let files = texts.map(|(file, (_, text))| (file.first_line, Blocks::of(text))).collect();
        Self { program, uniform: Uniformity::of(program), files }
    }

    /// Returns the best of some lines: with the fewest control statements around it, then the last.
    pub fn best(&self, lines: &BTreeSet<u32>) -> Option<u32> {
        let depth = |line: u32| {
            let (first, blocks) = self.file(line)?;
            let function = blocks.function_at(line + 1 - first)?;
            Some(blocks.way(function, line + 1 - first, false).len())
        };
        lines.iter().copied().min_by_key(|line| (depth(*line), std::cmp::Reverse(*line)))
    }

    /// Returns the places for a hazard.
    pub fn of(&self, hazard: &Hazard) -> Spots {
        let (first, second) = (hazard.first.line, hazard.second.line);
        // A statement reads before it writes: its write precedes a read of its next iteration, also
        // in a loop that the compiler has unrolled.
        let carried = hazard.carried || first == second && hazard.kind() == HazardKind::Raw;
        let spots = if self.files.is_empty() {
            self.in_ptx(hazard.first.pc, hazard.second.pc)
        } else {
            self.in_source(first, second, carried)
        };
        match spots {
            Some(spots) => spots,
            None if first == second && !carried => {
                Spots::Change(Advice::new(AdviceKind::SplitStatement).at(first))
            }
            None => Spots::Change(Advice::new(AdviceKind::BarrierBetween)),
        }
    }

    /// Returns the lines of PTX at which every path from `first` to `second` can have a barrier.
    fn in_ptx(&self, first: u32, second: u32) -> Option<Spots> {
        let program = self.program;
        let end = program.kernel_len() as u32;
        let begins = |pc: &u32| {
            let line = |pc: u32| program.lines.get(pc as usize);
            *pc > 0 && line(*pc) != line(pc - 1)
        };
        let tried: BTreeSet<u32> = if first < second {
            (first + 1..=second)
                .rev()
                .take(MOST_TRIED as usize)
                .chain(first + 1..first + 1 + MOST_TRIED)
                .collect()
        } else {
            (first + 1..first + 1 + MOST_TRIED).chain(second.saturating_sub(MOST_TRIED)..=second).collect()
        };
        let between = |pc: &u32| first >= second || *pc <= second;
        let mut tried: Vec<u32> = tried.into_iter().filter(|pc| *pc < end && between(pc)).collect();
        tried.retain(|pc| begins(pc) && self.uniform.is_uniform(*pc));
        let is_barrier = |pc: u32| {
            let inst = &program.code[pc as usize];
            inst.op == Op::BarSync && inst.guard.get().is_none()
        };
        // A path that reaches the place has its barrier.
        let cuts = |place: u32| {
            if place == second {
                return true;
            }
            let reached = ways::reached(program, first, place, is_barrier);
            reached.binary_search(&second).is_err()
        };
        let lines: BTreeSet<u32> =
            tried.into_iter().filter(|pc| cuts(*pc)).map(|pc| program.lines[pc as usize]).collect();
        (!lines.is_empty()).then_some(Spots::Lines(lines))
    }

    /// The blocks of the file of a line.
    fn file(&self, line: u32) -> Option<File<'_>> {
        let after = self.files.partition_point(|(first, _)| *first <= line);
        self.files.get(after.checked_sub(1)?).map(|(first, blocks)| (*first, blocks))
    }

    fn in_source(&self, first: u32, second: u32, carried: bool) -> Option<Spots> {
        let file @ (start, blocks) = self.file(first)?;
        if self.file(second)?.0 != start {
            return None;
        }
        let (mut a, mut b) = (first + 1 - start, second + 1 - start);
        // Accesses of two functions are ordered where one is called.
        let mut depth = 0;
        let function = loop {
            let (in_a, in_b) = (blocks.function_at(a)?, blocks.function_at(b)?);
            if in_a == in_b {
                break in_a;
            }
            depth += 1;
            if depth > DEEPEST_CALL {
                return None;
            }
            let lifts_a = !blocks.all[in_a].is_kernel;
            let called = if lifts_a { in_a } else { in_b };
            let mut calls = blocks.calls_of(&blocks.all[called].name);
            let (line, _) = calls.next().filter(|_| calls.next().is_none())?;
            if lifts_a {
                a = line;
            } else {
                b = line;
            }
        };
        let way_a = blocks.way(function, a, true);
        let way_b = if a == b { way_a.clone() } else { blocks.way(function, b, false) };
        let common = way_a.iter().zip(&way_b).take_while(|(a, b)| a == b).count();
        let forward = match (way_a.get(common), way_b.get(common)) {
            (Some((block, from)), Some((other, to))) if block == other && from < to => {
                Some((*block, *from, *to))
            }
            // A condition, and a statement that it controls.
            (None, Some((block, to))) => Some((*block, 0, *to)),
            _ => None,
        };
        let lines = |block: usize, numbers: &dyn Fn(usize) -> bool, with_end: bool| {
            let block = &blocks.all[block];
            let starts =
                (1..).zip(&block.statements).filter(|(number, one)| numbers(*number) && one.can_precede);
            let starts = starts.map(|(_, one)| *one.lines.start());
            starts.chain(block.end.filter(|_| with_end)).collect::<Vec<u32>>()
        };
        if let Some((block, from, to)) = forward {
            let lines = lines(block, &|number| number > from && number <= to, false);
            return self.judge(file, block, &lines, true);
        }
        let around = common + usize::from(way_a.get(common).map(|a| a.0) == way_b.get(common).map(|b| b.0));
        let inner = way_a[..around.min(way_a.len())].iter().enumerate().rev();
        let is_loop = |(_, (block, _)): &(usize, &(usize, usize))| blocks.all[*block].kind == BlockKind::Loop;
        let found = { inner }.find(is_loop).filter(|_| carried || first != second);
        let Some((at, (block, from))) = found else {
            // Not in a loop: the order of the two is that of the text.
            if first > second && way_b.len() > common && way_a.len() > common {
                return self.in_source(second, first, carried);
            }
            return None;
        };
        let (block, from, to) = (*block, *from, way_b.get(at)?.1);
        let in_loop = |jump: &Jump| blocks.around(jump.block).any(|around| around == block);
        let continues = |jump: &Jump| jump.kind == JumpKind::Continue && in_loop(jump);
        let skips = blocks.jumps.iter().any(continues);
        let lines = lines(block, &|number| number <= to || number > from && !skips, !skips);
        if lines.is_empty() && self.obstacles(file, block, *blocks.all[block].body.start()).is_empty() {
            let header = blocks.all[block].header.start() + start - 1;
            return Some(Spots::Change(Advice::new(AdviceKind::LoopBarrier).at(header)));
        }
        self.judge(file, block, &lines, false)
    }

    /// Returns those of the lines of a block that all threads reach, or the change without which
    /// none is. `is_forward`: the accesses are of one iteration.
    fn judge(&self, file: File<'_>, block: usize, lines: &[u32], is_forward: bool) -> Option<Spots> {
        let (start, blocks) = file;
        let whole = |line: u32| line + start - 1;
        let reached = |line: &u32| self.obstacles(file, block, *line).is_empty();
        let good: BTreeSet<u32> = lines.iter().copied().filter(reached).map(whole).collect();
        if !good.is_empty() {
            return Some(Spots::Lines(good));
        }
        let last = *lines.last()?;
        let advice = match self.obstacles(file, block, last)[..] {
            [Obstacle::Block(around)] => {
                let line = whole(*blocks.all[around].header.start());
                match blocks.all[around].kind {
                    BlockKind::If { .. } if around == block && is_forward => {
                        Advice::new(AdviceKind::SplitIf).at(line).before(whole(last))
                    }
                    BlockKind::Loop => Advice::new(AdviceKind::EqualTrips).at(line).before(whole(last)),
                    _ => Advice::new(AdviceKind::BarrierBetween),
                }
            }
            [Obstacle::Jump(Jump { kind: JumpKind::Return, line, .. })]
                if blocks.all[block].kind == BlockKind::Function =>
            {
                Advice::new(AdviceKind::SplitReturn).at(whole(line)).before(whole(last))
            }
            _ => Advice::new(AdviceKind::BarrierBetween),
        };
        Some(Spots::Change(advice))
    }

    /// Returns what keeps threads from a line of a block.
    fn obstacles(&self, file: File<'_>, block: usize, line: u32) -> Vec<Obstacle> {
        self.obstacles_at(file, block, line, 0)
    }

    fn obstacles_at(
        &self,
        file @ (start, blocks): File<'_>,
        block: usize,
        line: u32,
        depth: u32,
    ) -> Vec<Obstacle> {
        let differs = |block: &usize| {
            let one = &blocks.all[*block];
            let is_controlled = !matches!(one.kind, BlockKind::Function | BlockKind::Plain);
            let (first, last) = (one.header.start() + start - 1, one.header.end() + start - 1);
            is_controlled && self.uniform.differs(first..=last)
        };
        let around: Vec<usize> = blocks.around(block).collect();
        let mut found: Vec<Obstacle> = around.iter().copied().filter(differs).map(Obstacle::Block).collect();
        let Some(function) = around.last().copied() else { return found };
        for jump in &blocks.jumps {
            let ways: Vec<usize> = blocks.around(jump.block).collect();
            let parts = || ways.iter().filter(|way| !around.contains(way)).any(differs);
            if ways.last() != Some(&function) || !parts() {
                continue;
            }
            let repeats = |kinds: &[BlockKind]| {
                let target = ways.iter().find(|way| kinds.contains(&blocks.all[**way].kind));
                target.is_some_and(|target| around.contains(target))
            };
            let in_common_loop =
                ways.iter().any(|way| around.contains(way) && blocks.all[*way].kind == BlockKind::Loop);
            let is_ahead = match jump.kind {
                JumpKind::Return | JumpKind::Goto => jump.line < line || in_common_loop,
                JumpKind::Break => repeats(&[BlockKind::Loop, BlockKind::Switch]),
                JumpKind::Continue => repeats(&[BlockKind::Loop]) && jump.line < line,
            };
            if is_ahead {
                found.push(Obstacle::Jump(*jump));
            }
        }
        if !blocks.all[function].is_kernel {
            let name = &blocks.all[function].name;
            let mut calls = blocks.calls_of(name).peekable();
            let is_unknown = calls.peek().is_none() || depth > DEEPEST_CALL;
            let kept =
                |(line, block): (u32, usize)| !self.obstacles_at(file, block, line, depth + 1).is_empty();
            if is_unknown || calls.any(kept) {
                found.push(Obstacle::Call);
            }
        }
        found
    }
}

/// Returns the text of an advice on a barrier: `barrier` is the barrier's name, `lines` has the
/// texts of the lines.
pub fn text(advice: &Advice, terms: &Terms, files: &Files, closes: impl Fn(u32) -> bool) -> Option<String> {
    let Terms { thread, block, barrier, .. } = terms;
    let place = |line: u32| files.described(line).to_string();
    let before = advice.before.map(|line| {
        let end = if closes(line) { "the `}` of " } else { "" };
        format!("before {end}line {}", place(line))
    });
    let (line, before) = (advice.line.map(place).unwrap_or_default(), before.unwrap_or_default());
    Some(match advice.kind {
        AdviceKind::Barrier => format!("add a {barrier} {before}"),
        AdviceKind::LoopBarrier => {
            format!("put the body of the loop of line {line} in braces, and add a {barrier} at its end")
        }
        AdviceKind::SplitIf => format!(
            "not all {thread}s of the {block} are inside the `if` of line {line}, so no barrier may be there: end the \
             `if` {before}, add a {barrier} for all {thread}s, and continue with an `if` of the same condition"
        ),
        AdviceKind::SplitReturn => format!(
            "{thread}s that return at line {line} do not reach a barrier behind it: instead of the `return`, put \
             the code behind it in an `if` of the opposite condition, end that `if` {before}, add a {barrier} \
             for all {thread}s, and continue with an `if` of the same condition"
        ),
        AdviceKind::EqualTrips => format!(
            "the {thread}s of the {block} do not repeat the loop of line {line} equally often, so no barrier may be \
             in it: give the loop the same number of iterations in all {thread}s, test the bound in an `if` \
             inside it, and add a {barrier} {before}, outside of that `if`"
        ),
        AdviceKind::SplitStatement => format!(
            "separate the read and the write: read into a variable, add a {barrier} that all {thread}s of the \
             {block} execute, then write"
        ),
        AdviceKind::BarrierBetween => format!(
            "let all {thread}s of the {block} execute a {barrier} between the accesses: not all of them execute the \
             code around the accesses, so move the barrier out of it and divide that code in two parts"
        ),
        AdviceKind::Volatile
        | AdviceKind::Atomic
        | AdviceKind::OneWriter
        | AdviceKind::NextLaunch
        | AdviceKind::OnePath => return None,
    })
}
