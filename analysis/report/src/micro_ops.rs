//! One lowered kernel: its micro-ops with their PTX, the live registers after each micro-op, and
//! the reconvergence points.

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
    /// Compute capability for which it was compiled.
    pub target: String,
    /// 32-bit registers per thread.
    pub registers: u32,
    /// Register files: number of 32-bit registers, 64-bit registers and predicates.
    pub rows: [u16; 3],
    /// Text before the code in the text form.
    #[serde(skip)]
    pub head: String,
    /// Parameters and their offsets in the parameter block.
    pub params: Vec<Variable>,
    /// `.shared` variables and their offsets.
    pub shared: Vec<Variable>,
    /// Registers that are read before the first write to them.
    pub entry_live: RegisterCounts,
    /// PCs after which the number of live registers is largest.
    pub most_live: Vec<usize>,
    /// Lines of the code with their micro-ops.
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
    /// Byte offset in its space; 0 for a `.global` variable, which gets an address when the module
    /// is loaded.
    pub offset: u32,
    /// Size in bytes; 0 for a `.shared` array whose size the launch defines.
    pub bytes: u32,
}

impl Variable {
    /// Converts a module variable.
    pub fn of(symbol: &Symbol) -> Self {
        let Symbol { name, ty, offset, bytes, .. } = symbol;
        Self { name: name.clone(), ty: ty.to_string(), offset: *offset, bytes: *bytes }
    }

    fn param(param: &Param) -> Self {
        let Param { name, ty, offset, bytes, .. } = param;
        Self { name: name.clone(), ty: ty.to_string(), offset: *offset, bytes: *bytes }
    }
}

/// Register numbers by register file.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub struct RegisterCounts {
    /// Number of 32-bit registers that a thread needs for them.
    pub registers: u32,
    /// Numbers of 32-bit registers.
    pub w: Vec<u32>,
    /// Numbers of 64-bit registers.
    pub d: Vec<u32>,
    /// Numbers of predicates.
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
    /// Index of the micro-op.
    pub pc: usize,
    /// Source line.
    pub line: u32,
    /// Text of the PTX instruction from which it was lowered, with single spaces.
    pub ptx: String,
    /// Whether the previous micro-op belongs to the same PTX instruction.
    pub continues: bool,
    /// Head of the function that begins here, in the text form.
    pub function: Option<String>,
    /// Labels before the micro-op.
    pub labels: Vec<String>,
    /// Number of the basic block that begins here.
    pub block: Option<usize>,
    /// PCs of the branches whose lanes reconverge here.
    pub reconverges: Vec<usize>,
    /// Text of the micro-op.
    pub text: String,
    /// Timing class. A chip file defines unit, issue slots and latency of each class.
    pub class: &'static str,
    /// Registers that are live after the micro-op, or written by it.
    pub live: RegisterCounts,
}

impl Listing {
    /// Makes the listing of a program.
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
        let numbers = program.ptx_lines();
        let mut line = |(pc, inst): (usize, &Inst)| {
            let span = program.spans[pc];
            Line {
                pc,
                line: numbers[pc],
                ptx: program.ptx_text(pc as u32).split_whitespace().collect::<Vec<_>>().join(" "),
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

    /// The maximum number of live registers is the number that the program reports.
    ///
    /// Tests: `shown-liveness`.
    #[test]
    fn the_largest_live_set_is_the_register_count() {
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
