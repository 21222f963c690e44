//! List scheduling of a window: of the instructions whose predecessors are placed, the one at the
//! start of the longest chain comes next, as long as the registers suffice.

use super::graph::Graph;
use crate::lower::bitset::BitSet;
use crate::lower::code::VInst;
use crate::lower::pressure::{registers, size};
use crate::lower::slots::Numbering;
use std::collections::BTreeMap;
use std::ops::Range;

/// A value in registers: what one write, or several guarded ones, leave.
struct Value {
    /// Number of 32-bit registers.
    size: u32,
    /// Instructions that read the value and are not placed.
    readers: u32,
    /// Whether the value is read after the window.
    out: bool,
}

/// The values of a window, and the number of registers at the current point.
pub struct Values {
    values: Vec<Value>,
    /// Values that each instruction reads and defines, without duplicates.
    uses: Vec<Vec<u32>>,
    defs: Vec<Vec<u32>>,
    live: u32,
}

impl Values {
    /// Finds the values of `units`, where `before` and `after` are the registers that are live
    /// before and after them.
    pub fn new(
        insts: &[VInst],
        units: &[Range<usize>],
        before: &BitSet,
        after: &BitSet,
        numbers: &Numbering,
    ) -> Self {
        let mut found = Self {
            values: Vec::new(),
            uses: Vec::with_capacity(units.len()),
            defs: Vec::with_capacity(units.len()),
            live: registers(before, numbers),
        };
        let mut current: BTreeMap<usize, u32> = BTreeMap::new();
        for unit in units {
            let (mut uses, mut defs, mut fused) = (Vec::new(), Vec::new(), Vec::new());
            for inst in &insts[unit.clone()] {
                let kept = inst.defs().filter(|_| !inst.overwrites());
                for (file, register) in inst.uses().chain(kept) {
                    let number = numbers.of((file, register));
                    if !fused.contains(&number) {
                        let value = *current.entry(number).or_insert_with(|| found.add(size(file)));
                        uses.push(value);
                    }
                }
                for (file, register) in inst.defs().filter(|_| inst.overwrites()) {
                    let number = numbers.of((file, register));
                    if inst.is_operand() {
                        fused.push(number);
                        continue;
                    }
                    let value = found.add(size(file));
                    current.insert(number, value);
                    defs.push(value);
                }
            }
            uses.sort_unstable();
            uses.dedup();
            for value in &uses {
                found.values[*value as usize].readers += 1;
            }
            found.uses.push(uses);
            found.defs.push(defs);
        }
        for (number, value) in current {
            found.values[value as usize].out = after.contains(number);
        }
        found
    }

    fn add(&mut self, size: u32) -> u32 {
        self.values.push(Value { size, readers: 0, out: false });
        self.values.len() as u32 - 1
    }

    /// Returns the number of registers after an instruction if it comes next, and how many of them
    /// hold results that no instruction reads.
    fn after(&self, unit: u32) -> (u32, u32) {
        let value = |at: &u32| &self.values[*at as usize];
        let ends = self.uses[unit as usize].iter().map(value).filter(|v| v.readers == 1 && !v.out);
        let defs = || self.defs[unit as usize].iter().map(value);
        let unread = defs().filter(|v| v.readers == 0 && !v.out).map(|v| v.size).sum::<u32>();
        let begin = defs().map(|v| v.size).sum::<u32>();
        ((self.live + begin).saturating_sub(ends.map(|v| v.size).sum()), unread)
    }

    /// Places an instruction.
    fn place(&mut self, unit: u32) {
        let (after, unread) = self.after(unit);
        self.live = after - unread;
        for at in 0..self.uses[unit as usize].len() {
            let value = self.uses[unit as usize][at];
            self.values[value as usize].readers -= 1;
        }
    }
}

/// Returns an order of the instructions that needs at most `budget` registers where the list has
/// such a choice.
pub fn order(graph: &Graph, values: &mut Values, budget: u32) -> Vec<u32> {
    let mut before = graph.before.clone();
    let mut earliest = vec![0; before.len()];
    let mut ready: Vec<u32> = (0..before.len() as u32).filter(|unit| before[*unit as usize] == 0).collect();
    let mut order = Vec::with_capacity(before.len());
    let mut now = 0;
    while !ready.is_empty() {
        let mut best = (0, None);
        for (place, unit) in ready.iter().enumerate() {
            let after = values.after(*unit).0;
            let over = after.saturating_sub(budget);
            let wait = u32::saturating_sub(earliest[*unit as usize], now);
            let path = if over > 0 { 0 } else { graph.path[*unit as usize] };
            let key = (over, wait, std::cmp::Reverse(path), *unit);
            if best.1.is_none_or(|known| key < known) {
                best = (place, Some(key));
            }
        }
        let unit = ready.swap_remove(best.0);
        values.place(unit);
        let start = now.max(earliest[unit as usize]);
        for (to, slots) in &graph.later[unit as usize] {
            let to = *to as usize;
            earliest[to] = earliest[to].max(start + slots);
            before[to] -= 1;
            if before[to] == 0 {
                ready.push(to as u32);
            }
        }
        order.push(unit);
        now = start + 1;
    }
    order
}
