//! One register for each value that lives in one block: a register that is used for one value after another is
//! several, so that what is true of one value need not be true of the others.
//!
//! A definition without guard begins a value, which ends at the next such definition, or at the end of the block if
//! the register is not live there. It gets a register of its own; what may be read elsewhere keeps the name.

use crate::lower::code::{Code, File, Row, VInst};
use crate::lower::flow::Flow;
use crate::lower::slots::{MOST_WORDS, Numbering, live_out};

/// Gives values of their own names.
pub fn split(code: &mut Code) {
    let flow = Flow::new(&code.insts);
    let numbers = Numbering::new(code.registers);
    let blocks = flow.starts.len();
    // A kernel that could become too large for liveness by more names keeps its own.
    if blocks.saturating_mul((numbers.len + code.insts.len()).div_ceil(64)) > MOST_WORDS / 2 {
        return;
    }
    let (live, _) = live_out(&code.insts, &flow, &numbers);
    // Of each register how many definitions there are, how many without guard are still to come in the block, and its
    // present name.
    // Callers and callees know the registers through which they pass values by their names.
    let mut passes = vec![false; numbers.len];
    for shared in &code.shared {
        let all = shared.params.iter().chain(&shared.returns);
        all.for_each(|register| passes[numbers.of(*register)] = true);
    }
    let mut defined = vec![0_u32; numbers.len];
    code.insts.iter().flat_map(VInst::defs).for_each(|def| defined[numbers.of(def)] += 1);
    let mut to_come = vec![0_u32; numbers.len];
    let mut names: Vec<Option<u32>> = vec![None; numbers.len];
    let mut insts = std::mem::take(&mut code.insts);
    for (block, live) in live.iter().enumerate() {
        let block = &mut insts[flow.range(block)];
        for inst in block.iter().filter(|inst| inst.guard.is_none()) {
            inst.defs().for_each(|def| to_come[numbers.of(def)] += 1);
        }
        let mut touched = Vec::new();
        for inst in &mut *block {
            let renamed = |names: &[Option<u32>], file: File, row: Row| match row {
                Row::Reg(register) => Row::Reg(names[numbers.of((file, register))].unwrap_or(register)),
                other => other,
            };
            inst.map_srcs(|file, row| renamed(&names, file, row));
            if let Some((register, _)) = &mut inst.guard {
                *register = names[numbers.of((File::P, *register))].unwrap_or(*register);
                // The value before is still there in some lanes.
                inst.map_dsts(|file, row| renamed(&names, file, row));
                continue;
            }
            inst.map_dsts(|file, row| {
                let Row::Reg(register) = row else { return row };
                let number = numbers.of((file, register));
                if passes[number] {
                    return row;
                }
                to_come[number] -= 1;
                let last = to_come[number] == 0;
                names[number] = None;
                if defined[number] == 1 || last && live.contains(number) {
                    return row;
                }
                let fresh = code.register(file);
                if let Row::Reg(fresh) = fresh {
                    names[number] = Some(fresh);
                    touched.push(number);
                }
                fresh
            });
        }
        for number in touched {
            names[number] = None;
        }
    }
    code.insts = insts;
}
