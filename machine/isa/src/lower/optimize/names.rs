//! Renaming: one register for each value that is used only in one block. A register that holds
//! several values in sequence becomes several registers, so that facts about one value do not need
//! to hold for the others.
//!
//! An unguarded definition begins a value. The value ends at the next such definition, or at the
//! end of the block if the register is not live there. Such a value gets a new register. A value
//! that may be read in other blocks keeps the old register.

use crate::lower::code::{Code, File, OperandRow, VInst};
use crate::lower::flow::Flow;
use crate::lower::slots::{MAX_WORDS, Numbering, Touches, live_out};

/// View of a micro-op that shows only registers with several definitions, by their index among
/// these registers.
struct Several<'a> {
    inst: &'a VInst,
    index: &'a [Option<u32>],
    numbers: &'a Numbering,
}

impl Several<'_> {
    fn index(&self, register: (File, u32)) -> Option<(File, u32)> {
        self.index[self.numbers.of(register)].map(|index| (File::W, index))
    }
}

impl Touches for Several<'_> {
    fn writes(&self) -> impl Iterator<Item = (File, u32)> {
        self.inst.defs().filter_map(|def| self.index(def))
    }

    fn reads(&self) -> impl Iterator<Item = (File, u32)> {
        self.inst.uses().filter_map(|used| self.index(used))
    }

    fn overwrites(&self) -> bool {
        self.inst.overwrites()
    }

    fn is_operand(&self) -> bool {
        self.inst.is_operand()
    }
}

/// Gives each value that is used only in one block a new register.
pub fn split(code: &mut Code) {
    let flow = Flow::new(&code.insts);
    let numbers = Numbering::new(code.registers);
    let blocks = flow.starts.len();
    // A kernel keeps its registers if more of them could make the liveness analysis too large.
    if blocks.saturating_mul((numbers.len + code.insts.len()).div_ceil(64)) > MAX_WORDS / 2 {
        return;
    }
    // For each register: the number of its definitions, the number of unguarded definitions that
    // follow in the block, and its current name. Registers that pass values between callers and
    // callees keep their names.
    let mut passes = vec![false; numbers.len];
    for shared in &code.shared {
        let all = shared.params.iter().chain(&shared.returns);
        all.for_each(|register| passes[numbers.of(*register)] = true);
    }
    let mut defined = vec![0_u32; numbers.len];
    code.insts.iter().flat_map(VInst::defs).for_each(|def| defined[numbers.of(def)] += 1);
    // Only registers with several definitions are renamed, so liveness is needed only for these.
    let mut several = 0;
    let index: Vec<Option<u32>> = defined
        .iter()
        .map(|count| {
            several += (*count > 1) as u32;
            (*count > 1).then(|| several - 1)
        })
        .collect();
    let touching: Vec<Several> =
        code.insts.iter().map(|inst| Several { inst, index: &index, numbers: &numbers }).collect();
    let (live, _) = live_out(&touching, &flow, &Numbering::new([several, 0, 0]));
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
            let renamed = |names: &[Option<u32>], file: File, row: OperandRow| match row {
                OperandRow::Reg(register) => {
                    OperandRow::Reg(names[numbers.of((file, register))].unwrap_or(register))
                }
                other => other,
            };
            inst.map_srcs(|file, row| renamed(&names, file, row));
            if let Some((register, _)) = &mut inst.guard {
                *register = names[numbers.of((File::P, *register))].unwrap_or(*register);
                // The previous value remains in some lanes.
                inst.map_dsts(|file, row| renamed(&names, file, row));
                continue;
            }
            inst.map_dsts(|file, row| {
                let OperandRow::Reg(register) = row else { return row };
                let number = numbers.of((file, register));
                if passes[number] {
                    return row;
                }
                to_come[number] -= 1;
                let last = to_come[number] == 0;
                names[number] = None;
                // The only definition, or a value that is read in another block.
                if index[number].is_none_or(|index| last && live.contains(index as usize)) {
                    return row;
                }
                let fresh = code.register(file);
                if let OperandRow::Reg(fresh) = fresh {
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
