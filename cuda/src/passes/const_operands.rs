//! Loads a word of constant memory again for each of its uses. Below `sm_20` such a word is an
//! operand of an instruction, so that a load with one use needs neither an instruction nor a
//! register.

use crate::ssa::{Binary, Block, Function, Op, Space, Ternary, Ty, Value};
use rustc_hash::FxHashMap;

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
        let all = f.blocks[block.at()].insts.iter().copied();
        let words: Vec<Value> = all.filter(|value| is_word(f, *value)).collect();
        for word in words {
            let users = users(f, block, word);
            if users.len() > 1 && uses.get(&word) == Some(&users.len()) {
                repeat(f, block, word, &users[1..]);
            }
        }
    }
}

/// Whether a value is a word of constant memory.
fn is_word(f: &Function, value: Value) -> bool {
    matches!(f.op(value), Op::Load { space: Space::Const, lanes: 1, volatile: false, .. })
        && f.ty(value) == Ty::F32
}

/// The instructions of a block that can read `word` as an operand.
fn users(f: &Function, block: Block, word: Value) -> Vec<Value> {
    let reads = |value: &Value| {
        let arithmetic = matches!(
            f.op(*value),
            Op::Binary(Binary::Add | Binary::Sub | Binary::Mul, ..) | Op::Ternary(Ternary::Mad, ..)
        );
        let (mut words, mut others) = (0, 0);
        f.op(*value).each(|operand| {
            words += usize::from(operand == word);
            // An instruction has one operand from memory. Parameters are in shared memory.
            let from_memory = matches!(
                f.op(operand),
                Op::Load { space: Space::Const | Space::Shared, .. } | Op::KernelParam { .. }
            );
            others += usize::from(operand != word && from_memory);
        });
        arithmetic && words == 1 && others == 0
    };
    f.blocks[block.at()].insts.iter().copied().filter(reads).collect()
}

/// Loads `word` again in front of each of `users`.
fn repeat(f: &mut Function, block: Block, word: Value, users: &[Value]) {
    for &user in users {
        let (op, loc) = (f.op(word).clone(), f.values[word.at()].loc);
        let again = f.add_value(Ty::F32, op, loc);
        f.values[user.at()].op.each_mut(|operand| {
            if *operand == word {
                *operand = again;
            }
        });
        let insts = &mut f.blocks[block.at()].insts;
        let at = insts.iter().position(|value| *value == user).unwrap_or(insts.len());
        insts.insert(at, again);
    }
}
