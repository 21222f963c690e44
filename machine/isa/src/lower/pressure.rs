//! Number of registers that a stretch of code needs: the live registers at its points, counted as
//! in [`super::slots`], where a 64-bit value counts as two and a fused operand as none.

use super::bitset::BitSet;
use super::code::{Code, File, VInst};
use super::flow::Flow;
use super::slots::{MAX_WORDS, Numbering, live_out, operands, step_back};

/// Returns the number of 32-bit registers that a value of a file needs. Predicates need none.
pub fn size(file: File) -> u32 {
    match file {
        File::W => 1,
        File::D => 2,
        File::P => 0,
    }
}

/// Returns the number of 32-bit registers of a set.
pub fn registers(set: &BitSet, numbers: &Numbering) -> u32 {
    let [w, d, _] = numbers.count(set);
    w + 2 * d
}

/// Walks backwards through `insts`, which contains whole instructions. `live` has the registers
/// that are live after them and becomes the set before them. `seen` gets the index of each micro-op
/// and the number of registers at the point after it.
pub fn walk_back(
    insts: &[VInst],
    live: &mut BitSet,
    numbers: &Numbering,
    mut seen: impl FnMut(usize, u32, &BitSet),
) {
    let mut count = registers(live, numbers);
    for (at, inst) in insts.iter().enumerate().rev() {
        let unread = inst.defs().filter(|def| !live.contains(numbers.of(*def)));
        let mut here = count + unread.map(|(file, _)| size(file)).sum::<u32>();
        if inst.is_operand() {
            let pending = operands(insts, at).filter(|operand| live.contains(numbers.of(*operand)));
            here -= pending.map(|(file, _)| size(file)).sum::<u32>();
        }
        seen(at, here, live);
        let mut touched: Vec<(File, u32)> = inst.defs().chain(inst.uses()).collect();
        touched.sort_unstable_by_key(|register| numbers.of(*register));
        touched.dedup();
        let of = |live: &BitSet| -> u32 {
            touched.iter().filter(|r| live.contains(numbers.of(**r))).map(|(file, _)| size(*file)).sum()
        };
        let before = of(live);
        step_back(live, inst, numbers);
        count = count + of(live) - before;
    }
}

/// Returns the largest number of registers at the points after the micro-ops of `insts`. `live`
/// becomes the set before them.
pub fn peak(insts: &[VInst], live: &mut BitSet, numbers: &Numbering) -> u32 {
    let mut most = 0;
    walk_back(insts, live, numbers, |_, count, _| most = most.max(count));
    most
}

/// Returns the number of registers at the point after each micro-op of one body; `None` if it is
/// too large for the analysis.
pub fn points(code: &Code) -> Option<Vec<u32>> {
    let flow = Flow::new(&code.insts);
    let numbers = Numbering::new(code.registers);
    if flow.starts.len().saturating_mul(numbers.len.div_ceil(64)) > MAX_WORDS {
        return None;
    }
    let (outs, _) = live_out(&code.insts, &flow, &numbers);
    let mut points = vec![0; code.insts.len()];
    for (block, mut live) in outs.into_iter().enumerate() {
        let range = flow.range(block);
        let first = range.start;
        walk_back(&code.insts[range], &mut live, &numbers, |at, count, _| points[first + at] = count);
    }
    Some(points)
}

/// Returns the largest number of registers at all points of one body; `None` if it is too large for
/// the analysis.
pub fn of_code(code: &Code) -> Option<u32> {
    points(code)?.into_iter().max()
}
