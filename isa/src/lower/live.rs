//! Which rows of a finished program are live at each of its micro-ops: the liveness that [`super::slots`] assigned
//! rows by, seen from the rows.

use super::code::File;
use super::flow::Flow;
use super::slots::{BitSet, Numbering, Touches, live_out, step_back};
use crate::uop::{Inst, Program, RowCounts};

/// A micro-op on rows; a row beyond the registers of its file is a constant.
#[derive(Clone, Copy)]
struct OnRows<'a> {
    inst: &'a Inst,
    registers: [u32; 3],
}

impl Touches for OnRows<'_> {
    fn writes(&self) -> impl Iterator<Item = (File, u32)> {
        self.inst.dsts().map(|(kind, row)| (File::of(kind, self.inst.aux), u32::from(row)))
    }

    fn reads(&self) -> impl Iterator<Item = (File, u32)> {
        let sources = self.inst.srcs().map(|(kind, row)| (File::of(kind, self.inst.aux), u32::from(row)));
        let guard = self.inst.guard.get().map(|(row, _)| (File::P, u32::from(row)));
        sources.chain(guard).filter(|(file, row)| *row < self.registers[*file as usize])
    }

    fn is_guarded(&self) -> bool {
        self.inst.guard.get().is_some()
    }
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
        for number in self.set.iter() {
            let mut row = number as u32;
            let mut file = 0;
            while row >= self.files[file] {
                row -= self.files[file];
                file += 1;
            }
            rows[file].push(row);
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
    /// Follows every row through the program.
    pub fn of(program: &Program) -> Self {
        let RowCounts { w, d, p } = program.rows;
        let registers = [w, d, p].map(u32::from);
        let numbers = Numbering::new(registers);
        let code: Vec<OnRows> = program.code.iter().map(|inst| OnRows { inst, registers }).collect();
        let flow = Flow::of(program);
        let (outs, entry) = live_out(&code, &flow, &numbers);
        let mut behind = Vec::with_capacity(code.len());
        for (block, mut live) in outs.into_iter().enumerate() {
            let first = behind.len();
            for inst in code[flow.range(block)].iter().rev() {
                let mut here = live.clone();
                inst.writes().for_each(|row| here.insert(numbers.of(row)));
                behind.push(LiveRows { set: here, files: registers });
                step_back(&mut live, inst, &numbers);
            }
            behind[first..].reverse();
        }
        Self { entry: LiveRows { set: entry, files: registers }, behind }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn live(body: &str) -> (Live, u32) {
        let text = format!(
            ".version 1.4\n.target sm_10\n.entry k() {{\n.reg .u32 %r<9>; .reg .u64 %d<9>; .reg .pred %p<9>;\n{body}\n}}\n"
        );
        let (module, diagnostics) = crate::compile("k.ptx", &text);
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
