//! Which rows of a finished program are live at each of its micro-ops: the liveness that `slots.rs`
//! assigned rows by, seen from the rows.
//!
//! Invariant `shown-liveness`: The registers that are shown as live are those from which the
//! register count was computed.

use super::bitset::BitSet;
use super::code::File;
use super::flow::Flow;
use super::slots::{Numbering, Touches, live_out, operands, step_back};
use crate::uop::issue::Fused;
use crate::uop::{FunctionCode, Inst, Op, Program, RowCounts};
use std::collections::BTreeMap;

/// A micro-op on rows; a row beyond the registers of its file is a constant.
struct OnRows<'a> {
    inst: &'a Inst,
    registers: [u32; 3],
    /// What a call writes: all that the functions it may call write.
    written: Option<&'a BitSet>,
    /// What a call reads: what its functions read and have not written. What a return reads: the
    /// results.
    read: Option<BitSet>,
    numbers: &'a Numbering,
}

impl Touches for OnRows<'_> {
    fn writes(&self) -> impl Iterator<Item = (File, u32)> {
        let own = self.inst.dsts().map(|(kind, row)| (File::of(kind, self.inst.aux), u32::from(row)));
        own.chain(self.written.into_iter().flat_map(|set| set.iter().map(|i| self.numbers.register(i))))
    }

    fn reads(&self) -> impl Iterator<Item = (File, u32)> {
        let sources = self.inst.srcs().map(|(kind, row)| (File::of(kind, self.inst.aux), u32::from(row)));
        let guard = self.inst.guard.get().map(|(row, _)| (File::P, u32::from(row)));
        let own = sources.chain(guard).filter(|(file, row)| *row < self.registers[*file as usize]);
        own.chain(self.read.iter().flat_map(|set| set.iter().map(|i| self.numbers.register(i))))
    }

    fn overwrites(&self) -> bool {
        self.inst.guard.get().is_none() || is_call(self.inst) || self.is_operand()
    }

    fn is_operand(&self) -> bool {
        self.inst.fused() == Some(Fused::Operand)
    }
}

fn is_call(inst: &Inst) -> bool {
    matches!(inst.op, Op::Call | Op::CallInd)
}

/// The rows that hold a value at one point of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LiveRows {
    set: BitSet,
    files: [u32; 3],
}

impl LiveRows {
    /// The rows of the three files: 32-bit, 64-bit, predicates; each ascending.
    pub fn rows(&self) -> [Vec<u32>; 3] {
        let mut rows = [const { Vec::new() }; 3];
        let numbers = Numbering::new(self.files);
        for (file, row) in self.set.iter().map(|number| numbers.register(number)) {
            rows[file as usize].push(row);
        }
        rows
    }

    /// Registers of 32 bits that a thread needs for them, two for each 64-bit row.
    pub fn registers(&self) -> u32 {
        let [w, d, _] = Numbering::new(self.files).count(&self.set);
        w + 2 * d
    }
}

/// The live rows of a program.
#[derive(Clone, Debug)]
pub struct Live {
    /// What is read though nothing has been written to it yet.
    pub entry: LiveRows,
    /// For each PC what is live behind it, and what it has written though nobody reads it.
    pub behind: Vec<LiveRows>,
}

impl Live {
    /// Follows every row through the program. What the callers of a function keep across its calls
    /// is not shown in it: no row of its own is among them.
    pub fn of(program: &Program) -> Self {
        let RowCounts { w, d, p } = program.rows;
        let registers = [w, d, p].map(u32::from);
        let numbers = Numbering::new(registers);
        let flow = Flow::of(program);
        let calls = Calls::of(program, &numbers);
        let mut passed = Passed {
            arguments: vec![BitSet::new(numbers.len); program.functions.len()],
            results: vec![BitSet::new(numbers.len); program.functions.len()],
        };
        // Arguments and results go from one function to the next by one call in each round.
        loop {
            let code: Vec<OnRows> = (0..program.code.len())
                .map(|pc| {
                    let inst = &program.code[pc];
                    let (written, read) = calls.effect(program, pc, &passed);
                    OnRows { inst, registers, written, read, numbers: &numbers }
                })
                .collect();
            let (outs, entry) = live_out(&code, &flow, &numbers);
            let mut behind = Vec::with_capacity(code.len());
            let mut next = passed.clone();
            for (block, mut live) in outs.into_iter().enumerate() {
                let (first, pcs) = (behind.len(), flow.range(block));
                for pc in pcs.clone().rev() {
                    let inst = &code[pc];
                    calls.results(pc, &live, &mut next);
                    let mut here = live.clone();
                    if !is_call(inst.inst) {
                        inst.writes().for_each(|row| here.insert(numbers.of(row)));
                    }
                    operands(&code, pc).for_each(|row| here.remove(numbers.of(row)));
                    behind.push(LiveRows { set: here, files: registers });
                    step_back(&mut live, inst, &numbers);
                }
                behind[first..].reverse();
                let starts = |function: &FunctionCode| function.start as usize == pcs.start;
                if let Some(function) = program.functions.iter().position(starts) {
                    next.arguments[function].add(&live);
                }
            }
            if next == passed {
                return Self { entry: LiveRows { set: entry, files: registers }, behind };
            }
            passed = next;
        }
    }
}

/// What functions are given and give back, by rows; grows until nothing changes.
#[derive(Clone, PartialEq, Eq)]
struct Passed {
    arguments: Vec<BitSet>,
    results: Vec<BitSet>,
}

/// The calls of a program.
struct Calls {
    /// For each function the rows that it and the functions it calls may write.
    written: Vec<BitSet>,
    /// The same for each call: of all functions that it may call.
    by_call: BTreeMap<usize, (Vec<usize>, BitSet)>,
}

impl Calls {
    fn of(program: &Program, numbers: &Numbering) -> Self {
        let mut written = vec![BitSet::new(numbers.len); program.functions.len()];
        for (function, set) in program.functions.iter().zip(&mut written) {
            for inst in &program.code[function.start as usize..function.end as usize] {
                inst.dsts().for_each(|(kind, row)| {
                    set.insert(numbers.of((File::of(kind, inst.aux), u32::from(row))));
                });
            }
        }
        let callees = |inst: &Inst| -> Vec<usize> {
            let may = |function: &FunctionCode| match inst.op {
                Op::Call => function.start == inst.imm,
                _ => function.signature == inst.imm,
            };
            (0..program.functions.len()).filter(|i| may(&program.functions[*i])).collect()
        };
        let calls: Vec<(usize, Vec<usize>)> = (program.code.iter().enumerate())
            .filter(|(_, inst)| is_call(inst))
            .map(|(pc, inst)| (pc, callees(inst)))
            .collect();
        let owner = |pc: usize| program.functions.partition_point(|f| f.start as usize <= pc).checked_sub(1);
        loop {
            let before = written.clone();
            for (pc, callees) in &calls {
                let Some(caller) = owner(*pc) else { continue };
                for callee in callees {
                    written[caller].add(&before[*callee]);
                }
            }
            if written == before {
                break;
            }
        }
        let by_call = calls.into_iter().map(|(pc, callees)| {
            let mut set = BitSet::new(numbers.len);
            for callee in &callees {
                set.add(&written[*callee]);
            }
            (pc, (callees, set))
        });
        Self { by_call: by_call.collect(), written }
    }

    /// What a call writes and reads, and what a return reads.
    fn effect(&self, program: &Program, pc: usize, passed: &Passed) -> (Option<&BitSet>, Option<BitSet>) {
        if let Some((callees, written)) = self.by_call.get(&pc) {
            let mut read = BitSet::new(0);
            for (i, callee) in callees.iter().enumerate() {
                if i == 0 {
                    read = passed.arguments[*callee].clone();
                } else {
                    read.add(&passed.arguments[*callee]);
                }
            }
            return (Some(written), Some(read));
        }
        let returns = program.code[pc].op == Op::Ret;
        let owner =
            program.functions.partition_point(|function| function.start as usize <= pc).checked_sub(1);
        (None, owner.filter(|_| returns).map(|function| passed.results[function].clone()))
    }

    /// Notes what of the functions' rows is live behind a call of theirs: their results.
    fn results(&self, pc: usize, live: &BitSet, passed: &mut Passed) {
        let Some((callees, _)) = self.by_call.get(&pc) else { return };
        for callee in callees {
            for row in live.iter().filter(|row| self.written[*callee].contains(*row)) {
                passed.results[*callee].insert(row);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn live(body: &str) -> (Live, u32) {
        let text = format!(
            ".version 1.4\n.target sm_10\n.entry k() {{\n.reg .u32 %r<9>; .reg .u64 %d<9>; .reg .pred %p<9>;\n{body}\n}}\n"
        );
        let as_written = crate::Options { optimise: false, fmad: false };
        let (module, diagnostics) = crate::compile_with("k.ptx", &text, as_written);
        let module = module.unwrap_or_else(|| panic!("{diagnostics:?}"));
        (Live::of(&module.entries[0]), module.entries[0].registers)
    }

    #[test]
    fn a_row_is_live_from_its_write_to_its_last_read() {
        let (live, registers) = live(
            "mov.u32 %r1, %tid.x;
             cvt.u64.u32 %d1, %r1;
             setp.eq.u32 %p1, %r1, 0;
             @%p1 st.global.u32 [%d1], %r1;
             mov.u32 %r2, 7;",
        );
        let behind: Vec<[Vec<u32>; 3]> = live.behind.iter().map(LiveRows::rows).collect();
        let none = Vec::new();
        let expected = [
            [vec![0], none.clone(), none.clone()],
            [vec![0], vec![0], none.clone()],
            [vec![0], vec![0], vec![0]],
            [none.clone(), none.clone(), none.clone()],
            [vec![0], none.clone(), none.clone()], // written, though nobody reads it
            [none.clone(), none.clone(), none],
        ];
        assert_eq!(behind, expected);
        assert_eq!(live.behind[2].registers(), registers);
        assert_eq!(live.entry.registers(), 0);
    }

    #[test]
    fn what_is_read_first_is_live_at_the_entry() {
        let (live, _) = live("add.u64 %d1, %d2, 1;\n st.global.u64 [%d1], %d1;");
        assert_eq!((live.entry.rows()[1].len(), live.entry.registers()), (1, 2));
    }
}
