//! Liveness, rows, and registers per thread.
//!
//! The lanes of a warp share rows, but every write changes only active lanes. The analysis
//! therefore considers the live values of one *thread*. Point 0 is the start of the kernel, point
//! `pc + 1` the moment after micro-op `pc`. A register occupies a point where it is live or has
//! just been written (even if the value is never read). A guarded write may leave the old value, so
//! it does not end the range before it. Registers that may be read before they are written are live
//! at point 0: their rows are not used by other registers before, so they read the initial zero.
//!
//! The divisor of an integer division also occupies the point after the division, but no hardware
//! register there.
//!
//! A fused operand occupies its row until its instruction executes, because the simulator executes
//! one micro-op after the other. It occupies no hardware register.
//!
//! Each function has its own flow graph. A value that is live across a call occupies all points of
//! the functions that may run during the call, in addition to the points of the calling
//! function. Its row is therefore not used by these functions, and no call needs to save values.

mod calls;

use super::bitset::BitSet;
use super::code::{Code, File, VInst};
use super::flow::Flow;
use super::link::CallSites;
use calls::Across;
use std::collections::VecDeque;

/// Maximum number of values of one file that may be live at the same time; no chip has as many
/// registers per thread.
pub const MAX_LIVE: u32 = 1024;

/// Maximum number of 64-bit words for one set of registers per block. It bounds the memory of the
/// liveness analysis. A kernel of 50,000 instructions needs a quarter of it.
pub const MAX_WORDS: usize = 1 << 25;

/// Reason why no rows can be assigned to a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TooLarge {
    /// This number of values of one file are live at the same time, more than [`MAX_LIVE`].
    Live(u32),
    /// The liveness analysis of this number of blocks and registers would need too much memory.
    Flow {
        /// Number of basic blocks.
        blocks: usize,
        /// Number of virtual registers.
        registers: usize,
    },
}

/// The row of each virtual register, and the number of registers of a thread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slots {
    /// Row of each virtual register, by [`File`]; unused registers have row 0.
    pub rows: [Vec<u16>; 3],
    /// Number of rows of each file.
    pub counts: [u16; 3],
    /// Maximum number of 32-bit registers that are live at one point; a 64-bit value counts as two.
    /// At least 1.
    pub registers: u32,
}

/// A common numbering of the registers of all files.
pub struct Numbering {
    base: [usize; 3],
    /// Number of registers.
    pub len: usize,
}

impl Numbering {
    /// Creates the numbering for the given number of registers of each file.
    pub fn new(registers: [u32; 3]) -> Self {
        let [w, d, p] = registers.map(|n| n as usize);
        Self { base: [0, w, w + d], len: w + d + p }
    }

    /// Returns the number of registers of each file in a set.
    pub fn count(&self, set: &BitSet) -> [u32; 3] {
        let mut counts = [0; 3];
        set.iter().for_each(|r| counts[(r >= self.base[1]) as usize + (r >= self.base[2]) as usize] += 1);
        counts
    }

    /// Returns the register with a number.
    pub fn register(&self, number: usize) -> (File, u32) {
        let file = (number >= self.base[1]) as usize + (number >= self.base[2]) as usize;
        (File::ALL[file], (number - self.base[file]) as u32)
    }

    /// Returns the registers in a set.
    pub fn registers<'s>(&'s self, set: &'s BitSet) -> impl Iterator<Item = (File, u32)> + 's {
        set.iter().map(|number| self.register(number))
    }

    /// Returns the number of a register.
    pub fn of(&self, (file, register): (File, u32)) -> usize {
        self.base[file as usize] + register as usize
    }
}

/// The registers that a micro-op reads and writes.
pub trait Touches {
    /// Returns the registers that the micro-op writes.
    fn writes(&self) -> impl Iterator<Item = (File, u32)>;
    /// Returns the registers that the micro-op reads, including its guard.
    fn reads(&self) -> impl Iterator<Item = (File, u32)>;
    /// Whether the old values of the destinations cannot be read after this micro-op.
    fn overwrites(&self) -> bool;
    /// Whether the micro-op is a fused operand of the next instruction, which is in no hardware
    /// register.
    fn is_operand(&self) -> bool;
}

/// Returns the registers of fused operands that are pending after the micro-op at `pc`, because
/// their instruction has not executed.
pub fn operands(code: &[impl Touches], pc: usize) -> impl Iterator<Item = (File, u32)> {
    let before = code[..=pc].iter().rev().take_while(|inst| inst.is_operand());
    before.flat_map(Touches::writes)
}

impl Touches for VInst {
    fn writes(&self) -> impl Iterator<Item = (File, u32)> {
        self.defs()
    }

    fn reads(&self) -> impl Iterator<Item = (File, u32)> {
        self.uses()
    }

    fn overwrites(&self) -> bool {
        Self::overwrites(self)
    }

    fn is_operand(&self) -> bool {
        Self::is_operand(self)
    }
}

/// Updates `live` from the point after a micro-op to the point before it.
pub fn step_back(live: &mut BitSet, inst: &impl Touches, numbers: &Numbering) {
    for def in inst.writes().filter(|_| inst.overwrites()) {
        live.remove(numbers.of(def));
    }
    for used in inst.reads() {
        live.insert(numbers.of(used));
    }
}

/// Returns the registers that are live at the end of each block, and at the start of the first one.
pub fn live_out(code: &[impl Touches], flow: &Flow, numbers: &Numbering) -> (Vec<BitSet>, BitSet) {
    let blocks = flow.starts.len();
    // Unconditional writes, and reads, of each block in reverse order: number of the register,
    // block, whether the access is a read.
    let mut touches: Vec<(u32, u32, bool)> = Vec::new();
    for block in 0..blocks {
        for inst in code[flow.range(block)].iter().rev() {
            let mut touch =
                |register, reads| touches.push((numbers.of(register) as u32, block as u32, reads));
            inst.writes().filter(|_| inst.overwrites()).for_each(|def| touch(def, false));
            inst.reads().for_each(|used| touch(used, true));
        }
    }
    let word_of = |(number, ..): &(u32, u32, bool)| *number as usize / 64;
    touches.sort_by_key(word_of);
    let mut predecessors = vec![Vec::new(); blocks];
    for (block, next) in flow.successors.iter().enumerate() {
        for to in next.iter().filter(|to| (**to as usize) < blocks) {
            predecessors[*to as usize].push(block);
        }
    }
    // The loop handles 64 registers at a time. Liveness propagates from the blocks that read them
    // backwards through the blocks that do not write them, so work is done only where a register is
    // live. The queue visits the blocks from last to first, so that most blocks propagate the
    // result of all of their successors in one step, for any control flow. The words of all blocks
    // are adjacent in memory meanwhile.
    let mut live_out = vec![BitSet::new(numbers.len); blocks];
    let mut entry = BitSet::new(numbers.len);
    let mut changed = VecDeque::new();
    let mut waits = vec![false; blocks];
    let (mut ins, mut outs, mut keeps) = (vec![0; blocks], vec![0; blocks], vec![0; blocks]);
    for touches in touches.chunk_by(|a, b| word_of(a) == word_of(b)) {
        ins.fill(0_u64);
        outs.fill(0);
        keeps.fill(u64::MAX);
        for (number, block, reads) in touches {
            let (bit, block) = (1 << (number % 64), *block as usize);
            ins[block] = if *reads { ins[block] | bit } else { ins[block] & !bit };
            keeps[block] &= if *reads { u64::MAX } else { !bit };
        }
        changed.extend((0..blocks).rev().filter(|block| ins[*block] != 0));
        for block in &changed {
            waits[*block] = true;
        }
        while let Some(block) = changed.pop_front() {
            waits[block] = false;
            let wanted = ins[block];
            for before in predecessors[block].iter().copied() {
                outs[before] |= wanted;
                let passed = ins[before] | wanted & keeps[before];
                if passed != ins[before] {
                    ins[before] = passed;
                    if !std::mem::replace(&mut waits[before], true) {
                        changed.push_back(before);
                    }
                }
            }
        }
        let word = word_of(&touches[0]);
        live_out.iter_mut().zip(&outs).for_each(|(set, out)| set.0[word] = *out);
        entry.0[word] = ins[0];
    }
    (live_out, entry)
}

/// The points that each register occupies, as half-open ranges, and the maximum number of live
/// registers.
pub struct Ranges {
    /// Ranges of each register by its number, unordered.
    pub of: Vec<Vec<(u32, u32)>>,
    /// Maximum number of live registers in the kernel and in each function, without those of
    /// callers and callees.
    registers: Vec<u32>,
    most: [u32; 3],
    /// Number of registers that a thread needs at its deepest call.
    pub needed: u32,
}

impl Ranges {
    /// Computes the ranges block by block, backwards. Stops if more than [`MAX_LIVE`] values are
    /// live, because the ranges would otherwise need too much memory.
    pub fn new(code: &Code, sites: &CallSites, flow: &Flow, numbers: &Numbering) -> Result<Self, TooLarge> {
        let blocks = flow.starts.len();
        if (blocks + sites.graph.len()).saturating_mul(numbers.len.div_ceil(64)) > MAX_WORDS {
            return Err(TooLarge::Flow { blocks, registers: numbers.len });
        }
        let (outs, entry) = live_out(&code.insts, flow, numbers);
        let mut ranges = Self {
            of: vec![Vec::new(); numbers.len],
            registers: vec![1; 1 + sites.functions.len()],
            most: [0; 3],
            needed: 0,
        };
        let mut across = Across::new(sites, numbers);
        ranges.count(0, numbers.count(&entry), None);
        entry.iter().for_each(|r| ranges.of[r].push((0, 1)));
        let mut open = vec![0; numbers.len]; // for each live register: one past the last point of its range
        for (block, mut live) in outs.into_iter().enumerate() {
            let pcs = flow.range(block);
            live.iter().for_each(|r| open[r] = pcs.end as u32 + 1);
            let mut counts = numbers.count(&live);
            let owner = sites.functions.partition_point(|function| function.start as usize <= pcs.start);
            for pc in pcs.clone().rev() {
                let (inst, here) = (&code.insts[pc], pc as u32 + 1);
                let unread = inst.defs().filter(|def| !live.contains(numbers.of(*def)));
                if inst.is_operand() {
                    let mut counts = counts;
                    for (file, _) in
                        operands(&code.insts, pc).filter(|operand| live.contains(numbers.of(*operand)))
                    {
                        counts[file as usize] -= 1;
                    }
                    ranges.count(owner, counts, unread);
                } else {
                    ranges.count(owner, counts, unread);
                }
                for def in inst.defs() {
                    let r = numbers.of(def);
                    if !live.contains(r) {
                        ranges.of[r].push((here, here + 1));
                    } else if inst.overwrites() {
                        ranges.of[r].push((here, open[r]));
                        live.remove(r);
                        counts[def.0 as usize] -= 1;
                    }
                }
                if let Some(callee) = sites.callee(inst) {
                    across.call(owner, callee, &live, counts);
                }
                for used in inst.uses() {
                    let r = numbers.of(used);
                    if !live.contains(r) {
                        live.insert(r);
                        open[r] = here + u32::from(inst.divisor() == Some(used));
                        counts[used.0 as usize] += 1;
                    }
                }
            }
            // A value that is live into a block occupies the last point of the preceding blocks, so
            // its range in this block begins after the first micro-op.
            let first = pcs.start as u32 + 1;
            if let Some(most) = ranges.most.into_iter().find(|most| *most > MAX_LIVE) {
                return Err(TooLarge::Live(most));
            }
            for r in live.iter().filter(|r| first < open[*r]) {
                match ranges.of[r].last_mut() {
                    // Live from the block above: extend that range.
                    Some((_, end)) if *end == first => *end = open[r],
                    _ => ranges.of[r].push((first, open[r])),
                }
            }
        }
        ranges.needed = across.registers(&ranges.registers, &sites.graph);
        for (function, across) in sites.functions.iter().zip(across.spread(&sites.graph)) {
            if let Some(most) = numbers.count(across).into_iter().find(|most| *most > MAX_LIVE) {
                return Err(TooLarge::Live(most));
            }
            // From the point before the function's first micro-op to the point after its last one.
            for r in across.iter() {
                let of = &mut ranges.of[r];
                match of.last_mut() {
                    Some((_, end)) if *end == function.start + 1 => *end = function.end + 1,
                    _ => of.push((function.start, function.end + 1)),
                }
            }
        }
        if !sites.functions.is_empty() {
            ranges.of.iter_mut().for_each(merge);
        }
        Ok(ranges)
    }

    /// Records the number of live registers at one point of `owner`: `counts` of each file, plus
    /// newly written values that are never read.
    fn count(&mut self, owner: usize, mut counts: [u32; 3], unread: impl IntoIterator<Item = (File, u32)>) {
        for (file, _) in unread {
            counts[file as usize] += 1;
        }
        for (most, count) in self.most.iter_mut().zip(counts) {
            *most = (*most).max(count);
        }
        let registers = &mut self.registers[owner];
        *registers = (*registers).max(counts[0] + 2 * counts[1]);
    }
}

/// Merges ranges that overlap or touch.
fn merge(ranges: &mut Vec<(u32, u32)>) {
    ranges.sort_unstable();
    ranges.dedup_by(|next, range| {
        let meets = next.0 <= range.1;
        if meets {
            range.1 = range.1.max(next.1);
        }
        meets
    });
}

/// Assigns rows. Registers are processed in the order of their first occupied point. Each one gets
/// the lowest row of its file that is free at all points of the register.
pub fn assign(code: &Code, sites: &CallSites, flow: &Flow) -> Result<Slots, TooLarge> {
    let numbers = Numbering::new(code.registers);
    let ranges = Ranges::new(code, sites, flow, &numbers)?;
    let points = code.insts.len() + 1;
    let mut slots =
        Slots { rows: code.registers.map(|n| vec![0; n as usize]), counts: [0; 3], registers: ranges.needed };
    for file in File::ALL {
        let i = file as usize;
        let of = |r: u32| &ranges.of[numbers.of((file, r))];
        let start = |r: &u32| of(*r).iter().map(|(start, _)| *start).min();
        let mut order: Vec<u32> = (0..code.registers[i]).filter(|r| !of(*r).is_empty()).collect();
        order.sort_by_key(|r| (start(r), *r));
        let mut taken: Vec<BitSet> = Vec::new();
        for r in order {
            let touches = |row: &BitSet| {
                of(r).iter().any(|(from, to)| BitSet::words(*from, *to).any(|(w, mask)| row.0[w] & mask != 0))
            };
            let row = taken.iter().position(|row| !touches(row)).unwrap_or(taken.len());
            if row == taken.len() {
                taken.push(BitSet::new(points + 1));
            }
            for (from, to) in of(r) {
                BitSet::words(*from, *to).for_each(|(w, mask)| taken[row].0[w] |= mask);
            }
            slots.rows[i][r as usize] = row as u16;
        }
        // A register that only unreachable code reads occupies no point, but needs a row number.
        slots.counts[i] = taken.len().max((code.registers[i] > 0) as usize) as u16;
    }
    Ok(slots)
}

#[cfg(test)]
mod tests;
