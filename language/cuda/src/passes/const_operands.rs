//! Loads a word of constant memory again for each of its uses. Below `sm_20` such a word is an
//! operand of an instruction, so that a load with one use needs neither an instruction nor a
//! register.

use crate::ssa::{Binary, Block, Function, Op, Space, Ternary, Ty, Value};
use rustc_hash::{FxHashMap, FxHashSet};

/// Runs the pass.
pub fn run(f: &mut Function) {
    let mut uses: FxHashMap<Value, usize> = FxHashMap::default();
    for block in f.block_ids() {
        let data = &f.blocks[block.at()];
        let mut count = |value| *uses.entry(value).or_default() += 1;
        data.insts.iter().for_each(|value| f.op(*value).each(&mut count));
        data.term.each(&mut count);
    }
    for block in f.block_ids() {
        // The uses of each word as the only operand from memory of an instruction of its block.
        let mut operands: FxHashMap<Value, usize> = FxHashMap::default();
        for value in &f.blocks[block.at()].insts {
            if is_word(f, *value) {
                operands.insert(*value, 0);
            } else if let Some(count) = operand(f, *value).and_then(|word| operands.get_mut(&word)) {
                *count += 1;
            }
        }
        operands.retain(|word, count| *count > 1 && uses.get(word) == Some(count));
        if !operands.is_empty() {
            repeat(f, block, &operands);
        }
    }
}

/// Whether a value is a word of constant memory.
fn is_word(f: &Function, value: Value) -> bool {
    matches!(f.op(value), Op::Load { space: Space::Const, lanes: 1, volatile: false, .. })
        && f.ty(value) == Ty::F32
}

/// The word of constant memory that an instruction can read as its operand.
fn operand(f: &Function, value: Value) -> Option<Value> {
    let is_arithmetic = matches!(
        f.op(value),
        Op::Binary(Binary::Add | Binary::Sub | Binary::Mul, ..) | Op::Ternary(Ternary::Mad, ..)
    );
    let mut from_memory = Vec::new();
    f.op(value).each(|operand| {
        // Parameters are in shared memory.
        let is_memory = matches!(
            f.op(operand),
            Op::Load { space: Space::Const | Space::Shared, .. } | Op::KernelParam { .. }
        );
        if is_memory {
            from_memory.push(operand);
        }
    });
    // An instruction has one operand from memory.
    match from_memory[..] {
        [word] if is_arithmetic && is_word(f, word) => Some(word),
        _ => None,
    }
}

/// Loads each of `words` again in front of each of its uses but the first.
fn repeat(f: &mut Function, block: Block, words: &FxHashMap<Value, usize>) {
    let mut read: FxHashSet<Value> = FxHashSet::default();
    let mut insts = Vec::new();
    for value in std::mem::take(&mut f.blocks[block.at()].insts) {
        let word = operand(f, value).filter(|word| words.contains_key(word));
        if let Some(word) = word.filter(|word| !read.insert(*word)) {
            let (op, loc) = (f.op(word).clone(), f.values[word.at()].loc);
            let again = f.add_value(Ty::F32, op, loc);
            f.values[value.at()].op.each_mut(|operand| {
                if *operand == word {
                    *operand = again;
                }
            });
            insts.push(again);
        }
        insts.push(value);
    }
    f.blocks[block.at()].insts = insts;
}
