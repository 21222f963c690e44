//! One lowered kernel: its micro-ops with their variables in the PTX, the rows that are live behind
//! each, and where lanes that parted meet.

use isa::lower::flow::Flow;
use isa::lower::live::{Live, LiveRows};
use isa::uop::{Inst, Op, Param, Program, Symbol, TO_EXIT, disasm};
use serde::Serialize;
use std::collections::BTreeMap;

/// A kernel.
#[derive(Debug, Serialize)]
pub struct Listing {
    /// Name.
    pub name: String,
    /// Compute capability that it was compiled for.
    pub target: String,
    /// 32-bit registers per thread.
    pub registers: u32,
    /// RegisterCounts of registers: of 32 bits, of 64 bits, of predicates.
    pub rows: [u16; 3],
    /// What stands before the code in the text form.
    #[serde(skip)]
    pub head: String,
    /// Parameters and their variables in the parameter block.
    pub params: Vec<Variable>,
    /// `.shared` variables and their variables.
    pub shared: Vec<Variable>,
    /// RegisterCounts that are read though nothing has been written to them yet.
    pub entry_live: RegisterCounts,
    /// PCs behind which most registers are live.
    pub most_live: Vec<usize>,
    /// The code.
    pub code: Vec<Line>,
}

/// A variable or parameter in its space.
#[derive(Debug, Serialize)]
pub struct Variable {
    /// Name.
    pub name: String,
    /// Type of an element.
    #[serde(rename = "type")]
    pub ty: String,
    /// Byte offset in its space; 0 of a `.global` variable, which is placed when the module is
    /// loaded.
    pub offset: u32,
    /// Bytes; 0 of a `.shared` array whose size the launch gives.
    pub bytes: u32,
}

impl Variable {
    /// Of a variable.
    pub fn of(symbol: &Symbol) -> Self {
        let Symbol { name, ty, offset, bytes, .. } = symbol;
        Self { name: name.clone(), ty: ty.to_string(), offset: *offset, bytes: *bytes }
    }

    fn param(param: &Param) -> Self {
        let Param { name, ty, offset, bytes } = param;
        Self { name: name.clone(), ty: ty.to_string(), offset: *offset, bytes: *bytes }
    }
}

/// RegisterCounts of registers.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub struct RegisterCounts {
    /// Registers of 32 bits that a thread needs for them.
    pub registers: u32,
    /// Of 32 bits.
    pub w: Vec<u32>,
    /// Of 64 bits.
    pub d: Vec<u32>,
    /// Predicates.
    pub p: Vec<u32>,
}

impl From<&LiveRows> for RegisterCounts {
    fn from(live: &LiveRows) -> Self {
        let [w, d, p] = live.rows();
        Self { registers: live.registers(), w, d, p }
    }
}

/// A micro-op.
#[derive(Debug, Serialize)]
pub struct Line {
    /// Its index.
    pub pc: usize,
    /// Source line.
    pub line: u32,
    /// The PTX instruction that it comes from, its white space made single.
    pub ptx: String,
    /// Whether the micro-op before it comes from the same PTX instruction.
    pub continues: bool,
    /// What begins a function, in the text form, if one begins here.
    pub function: Option<String>,
    /// Labels that stand before it.
    pub labels: Vec<String>,
    /// The basic block that begins here, if one does.
    pub block: Option<usize>,
    /// Branches whose lanes are together again here.
    pub reconverges: Vec<usize>,
    /// Its text.
    pub text: String,
    /// Its class, which a chip's file gives unit, issue slots and latency.
    pub class: &'static str,
    /// What is live behind it, or has been written by it.
    pub live: RegisterCounts,
}

impl Listing {
    /// Looks at a program.
    pub fn of(program: &Program) -> Self {
        let live = Live::of(program);
        let flow = Flow::of(program);
        let mut labels: BTreeMap<usize, Vec<String>> = BTreeMap::new();
        for (pc, name) in &program.labels {
            labels.entry(*pc as usize).or_default().push(name.clone());
        }
        let mut meetings: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (pc, inst) in program.code.iter().enumerate() {
            if inst.op == Op::Bra && inst.guard.get().is_some() && inst.aux != TO_EXIT {
                meetings.entry(inst.aux as usize).or_default().push(pc);
            }
        }
        let mut functions: BTreeMap<usize, String> = program
            .functions
            .iter()
            .map(|function| (function.start as usize, disasm::function_head(function).trim_end().to_owned()))
            .collect();
        let mut line = |(pc, inst): (usize, &Inst)| {
            let span = program.spans[pc];
            let ptx = program.source.text.get(span.range()).unwrap_or("");
            Line {
                pc,
                line: program.lines[pc],
                ptx: ptx.split_whitespace().collect::<Vec<_>>().join(" "),
                continues: pc > 0 && program.spans[pc - 1] == span,
                function: functions.remove(&pc),
                labels: labels.remove(&pc).unwrap_or_default(),
                block: flow.starts.binary_search(&(pc as u32)).ok(),
                reconverges: meetings.remove(&pc).unwrap_or_default(),
                text: disasm::instruction(program, inst),
                class: inst.op.class().name(),
                live: RegisterCounts::from(&live.after[pc]),
            }
        };
        let code: Vec<Line> = program.code.iter().enumerate().map(&mut line).collect();
        let most = code.iter().map(|line| line.live.registers).max().unwrap_or(0);
        Self {
            name: program.name.clone(),
            target: program.target.to_string(),
            registers: program.registers,
            rows: [program.rows.w, program.rows.d, program.rows.p],
            head: disasm::head(program),
            params: program.params.iter().map(Variable::param).collect(),
            shared: program.shared.iter().map(Variable::of).collect(),
            entry_live: RegisterCounts::from(&live.entry),
            most_live: code.iter().filter(|line| line.live.registers == most).map(|line| line.pc).collect(),
            code,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The registers that are shown as live are those that the program is said to need.
    ///
    /// Tests: `shown-liveness`.
    #[test]
    fn the_most_that_is_live_is_what_a_thread_needs() {
        for workload in kernels::all() {
            let (module, _) = isa::compile(workload.file, workload.ptx);
            for program in &module.expect("it compiles").entries {
                let listing = Listing::of(program);
                let most = listing.code[listing.most_live[0]].live.registers;
                assert_eq!(most.max(listing.entry_live.registers), program.registers, "{}", workload.name);
            }
        }
    }
}
