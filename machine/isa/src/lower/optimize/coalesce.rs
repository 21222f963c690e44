//! Coalesces registers that a move connects if they never hold different values that are both
//! needed: the two become one register, and the move disappears.
//!
//! Compilers write a loop variable as a new value that is moved to the old register at the end of
//! an iteration. Two registers interfere if one is written, other than by a move between them,
//! while the other is live: of two values that are both needed at some point, one was written last
//! (on the path to this point, in one lane), and this write causes the interference. Registers that
//! are read before they are written are initially zero, so they are equal.

use crate::lower::code::{Code, File, OperandRow, VInst};
use crate::lower::flow::Flow;
use crate::lower::link::CallSites;
use crate::lower::slots::{Numbering, Ranges};
use crate::uop::Op;

/// Equivalence classes of coalesced registers (union-find).
struct Classes {
    /// Parent of each register in its class; `None` for the representative.
    parents: Vec<Option<u32>>,
    /// Live ranges of each class, ascending, in the points of [`Ranges`].
    ranges: Vec<Vec<(u32, u32)>>,
    /// Micro-ops that write each class, ascending.
    definitions: Vec<Vec<u32>>,
}

/// Coalesces the registers of each move where possible.
pub fn coalesce(code: &mut Code, sites: &mut CallSites) {
    let numbers = Numbering::new(code.registers);
    // For each PC the two registers that its move makes equal.
    let moves: Vec<Option<[u32; 2]>> = code.insts.iter().map(|inst| moved(inst, &numbers)).collect();
    if moves.iter().all(Option::is_none) {
        return;
    }
    // A kernel that is too large for this analysis is rejected later.
    let Ok(ranges) = Ranges::new(code, sites, &Flow::new(&code.insts), &numbers) else { return };
    let mut classes = Classes::new(code, ranges, &numbers);
    for [to, from] in moves.iter().flatten() {
        classes.merge(*to as usize, *from as usize, &moves);
    }
    let keep: Vec<bool> = moves
        .iter()
        .map(|moved| {
            moved.is_none_or(|[to, from]| {
                classes.representative(to as usize) != classes.representative(from as usize)
            })
        })
        .collect();
    let base = File::ALL.map(|file| numbers.of((file, 0)) as u32);
    let mut rename = |file: File, register: u32| {
        classes.representative(numbers.of((file, register))) as u32 - base[file as usize]
    };
    for inst in &mut code.insts {
        let mut row = |file: File, row: OperandRow| match row {
            OperandRow::Reg(register) => OperandRow::Reg(rename(file, register)),
            other => other,
        };
        inst.map_srcs(&mut row);
        inst.map_dsts(&mut row);
        if let Some((register, _)) = &mut inst.guard {
            *register = rename(File::P, *register);
        }
        inst.map_passed(&mut rename);
    }
    let at = code.retain(&keep);
    sites.moved(&at);
}

/// Returns the numbers of the registers of a move: destination, source.
fn moved(inst: &VInst, numbers: &Numbering) -> Option<[u32; 2]> {
    let file = match inst.op {
        Op::MovB32 => File::W,
        Op::MovB64 => File::D,
        Op::MovPred => File::P,
        _ => return None,
    };
    let (OperandRow::Reg(to), OperandRow::Reg(from)) = (inst.dst, inst.src[0]) else { return None };
    Some([to, from].map(|register| numbers.of((file, register)) as u32))
}

impl Classes {
    fn new(code: &Code, ranges: Ranges, numbers: &Numbering) -> Self {
        let mut definitions = vec![Vec::new(); numbers.len];
        for (pc, inst) in (0..).zip(&code.insts) {
            inst.defs().for_each(|def| definitions[numbers.of(def)].push(pc));
        }
        let mut ranges = ranges.of;
        for of in &mut ranges {
            of.sort_unstable();
        }
        Self { parents: vec![None; numbers.len], ranges, definitions }
    }

    /// Returns the representative of a register's class.
    fn representative(&mut self, register: usize) -> usize {
        let mut representative = register;
        while let Some(parent) = self.parents[representative] {
            representative = parent as usize;
        }
        let mut next = register;
        while let Some(parent) = self.parents[next] {
            self.parents[next] = Some(representative as u32);
            next = parent as usize;
        }
        representative
    }

    /// Merges the classes of two registers unless they interfere.
    fn merge(&mut self, a: usize, b: usize, moves: &[Option<[u32; 2]>]) {
        let (a, b) = (self.representative(a), self.representative(b));
        let size = |class: usize| self.ranges[class].len() + self.definitions[class].len();
        let (few, many) = if size(a) < size(b) { (a, b) } else { (b, a) };
        if few == many || self.interfere(few, many, moves) {
            return;
        }
        for range in std::mem::take(&mut self.ranges[few]) {
            insert(&mut self.ranges[many], range);
        }
        for pc in std::mem::take(&mut self.definitions[few]) {
            let place = self.definitions[many].partition_point(|other| *other < pc);
            self.definitions[many].insert(place, pc);
        }
        self.parents[few] = Some(many as u32);
    }

    /// Whether one class is written while the other is live. The time depends on the size of `few`,
    /// not of `many`.
    fn interfere(&mut self, few: usize, many: usize, moves: &[Option<[u32; 2]>]) -> bool {
        let mut suspects = Vec::new();
        for pc in &self.definitions[few] {
            let next = self.ranges[many].partition_point(|range| range.1 <= pc + 1);
            let live = self.ranges[many].get(next).is_some_and(|range| range.0 <= pc + 1);
            suspects.extend(live.then_some(*pc));
        }
        for (start, end) in &self.ranges[few] {
            let written = &self.definitions[many];
            let first = written.partition_point(|pc| pc + 1 < *start);
            suspects.extend(written[first..].iter().take_while(|pc| **pc + 1 < *end));
        }
        // A move between the two classes, or within one class, causes no interference.
        suspects.into_iter().any(|pc| match moves[pc as usize] {
            Some(moved) => !moved.into_iter().all(|register| {
                let class = self.representative(register as usize);
                class == few || class == many
            }),
            None => true,
        })
    }
}

/// Adds a range to a sorted list of disjoint ranges.
fn insert(of: &mut Vec<(u32, u32)>, (start, end): (u32, u32)) {
    let first = of.partition_point(|range| range.1 < start);
    let after = of[first..].iter().take_while(|range| range.0 <= end).count() + first;
    let meets = &of[first..after];
    let start = meets.first().map_or(start, |range| range.0.min(start));
    let end = meets.last().map_or(end, |range| range.1.max(end));
    of.splice(first..after, [(start, end)]);
}
