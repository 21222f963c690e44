//! Live rows at each micro-op of a finished program. This is the liveness that `slots.rs` used to
//! assign rows, expressed in rows.
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

/// A micro-op on rows. A row number beyond the registers of its file is a constant.
struct OnRows<'a> {
    inst: &'a Inst,
    registers: [u32; 3],
    /// Rows that a call writes: all rows that its possible callees write.
    written: Option<&'a BitSet>,
    /// Rows that a call or return reads. A call reads the rows that its callees read before they
    /// write them; a return reads the results.
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

/// The rows that hold a live value at one point of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LiveRows {
    set: BitSet,
    files: [u32; 3],
}

impl LiveRows {
    /// Returns the rows of the three files: 32-bit, 64-bit, predicates; each list is ascending.
    pub fn rows(&self) -> [Vec<u32>; 3] {
        let mut rows = [const { Vec::new() }; 3];
        let numbers = Numbering::new(self.files);
        for (file, row) in self.set.iter().map(|number| numbers.register(number)) {
            rows[file as usize].push(row);
        }
        rows
    }

    /// Returns the number of 32-bit registers that a thread needs for the rows; a 64-bit row needs
    /// two.
    pub fn registers(&self) -> u32 {
        let [w, d, _] = Numbering::new(self.files).count(&self.set);
        w + 2 * d
    }
}

/// Live rows of a program.
#[derive(Clone, Debug)]
pub struct Live {
    /// Rows that may be read before any write.
    pub entry: LiveRows,
    /// Rows that are live after each PC, including rows that the micro-op at this PC writes but no
    /// later one reads.
    pub after: Vec<LiveRows>,
    /// Rows that are live before each PC.
    pub before: Vec<LiveRows>,
}

impl Live {
    /// Computes the liveness of every row. Values that a caller of a function keeps across the call
    /// are not included in the function's liveness, because they occupy no row of the function.
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
        // Arguments and results propagate by one call level in each iteration.
        loop {
            let code: Vec<OnRows> = (0..program.code.len())
                .map(|pc| {
                    let inst = &program.code[pc];
                    let (written, read) = calls.effect(program, pc, &passed);
                    OnRows { inst, registers, written, read, numbers: &numbers }
                })
                .collect();
            let (outs, entry) = live_out(&code, &flow, &numbers);
            let (mut after, mut before) = (Vec::with_capacity(code.len()), Vec::with_capacity(code.len()));
            let mut next = passed.clone();
            for (block, mut live) in outs.into_iter().enumerate() {
                let (first, pcs) = (after.len(), flow.range(block));
                for pc in pcs.clone().rev() {
                    let inst = &code[pc];
                    calls.results(pc, &live, &mut next);
                    let mut here = live.clone();
                    if !is_call(inst.inst) {
                        inst.writes().for_each(|row| here.insert(numbers.of(row)));
                    }
                    operands(&code, pc).for_each(|row| here.remove(numbers.of(row)));
                    after.push(LiveRows { set: here, files: registers });
                    step_back(&mut live, inst, &numbers);
                    before.push(LiveRows { set: live.clone(), files: registers });
                }
                after[first..].reverse();
                before[first..].reverse();
                let starts = |function: &FunctionCode| function.start as usize == pcs.start;
                if let Some(function) = program.functions.iter().position(starts) {
                    next.arguments[function].add(&live);
                }
            }
            if next == passed {
                return Self { entry: LiveRows { set: entry, files: registers }, after, before };
            }
            passed = next;
        }
    }
}

/// Argument and result rows of each function. The sets grow until a fixed point is reached.
#[derive(Clone, PartialEq, Eq)]
struct Passed {
    arguments: Vec<BitSet>,
    results: Vec<BitSet>,
}

/// The calls of a program.
struct Calls {
    /// Rows that each function and its callees may write.
    written: Vec<BitSet>,
    /// The same for each call, by PC: the possible callees and the rows that they may write.
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
        let place = |f: &FunctionCode| program.functions.partition_point(|one| one.start < f.start);
        let callees = |inst: &Inst| program.callees(inst).map(place).collect();
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

    /// Returns the rows that a call writes, and the rows that a call or return reads.
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

    /// Records the rows of the callees that are live after a call: their results.
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
        let as_written = crate::Options::PLAIN;
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
        let after: Vec<[Vec<u32>; 3]> = live.after.iter().map(LiveRows::rows).collect();
        let none = Vec::new();
        let expected = [
            [vec![0], none.clone(), none.clone()],
            [vec![0], vec![0], none.clone()],
            [vec![0], vec![0], vec![0]],
            [none.clone(), none.clone(), none.clone()],
            [vec![0], none.clone(), none.clone()], // written but never read
            [none.clone(), none.clone(), none],
        ];
        assert_eq!(after, expected);
        assert_eq!(live.after[2].registers(), registers);
        assert_eq!(live.entry.registers(), 0);
    }

    #[test]
    fn an_indirect_call_reads_no_parameters_of_functions_whose_address_is_not_taken() {
        let text = ".version 2.3\n.target sm_20\n\
             .func (.param .b32 r) taken (.param .b32 a) { st.param.b32 [r], 1; ret; }\n\
             .func (.param .b32 r) direct (.param .b32 a) { .reg .u32 %x; ld.param.u32 %x, [a];\n\
             add.u32 %x, %x, 1; st.param.b32 [r], %x; ret; }\n\
             .entry k() {\n.reg .u32 %r<9>;\nL: .callprototype (.param .b32 _) _ (.param .b32 _);\n\
             mov.u32 %r1, %tid.x; mov.u32 %r2, taken; call (%r3), direct, (%r1);\n\
             call (%r4), %r2, (%r3), L; st.global.u32 [%r4], %r4; }\n";
        let (module, diagnostics) = crate::compile("k.ptx", text);
        let program = module.unwrap_or_else(|| panic!("{diagnostics:?}")).entries.remove(0);
        let text = crate::uop::disasm::program(&program);
        let [taken, direct] = program.functions.as_slice() else { panic!("two functions: {text}") };
        assert!(taken.signature.is_some() && direct.signature.is_none(), "{text}");
        let argument = |function: &FunctionCode| {
            let rows = Live::of(&program).before[function.start as usize].rows();
            rows[File::W as usize].clone()
        };
        let called = program.code.iter().position(|inst| inst.op == Op::CallInd).expect("a call");
        let before = Live::of(&program).before[called].rows()[File::W as usize].clone();
        let argument = argument(direct);
        assert!(!argument.is_empty() && argument.iter().all(|row| !before.contains(row)), "{text}");
    }

    #[test]
    fn a_row_that_is_read_before_any_write_is_live_at_the_entry() {
        let (live, _) = live("add.u64 %d1, %d2, 1;\n st.global.u64 [%d1], %d1;");
        assert_eq!((live.entry.rows()[1].len(), live.entry.registers()), (1, 2));
    }
}
