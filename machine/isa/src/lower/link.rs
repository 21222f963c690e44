//! Links a kernel and the functions that it can reach into one flat code.
//!
//! The virtual registers of all bodies get a common numbering. A caller and a callee exchange
//! values in the registers of an interface, so both sides share one set of these registers. After
//! linking, a call names an index into the functions of [`CallSites`].

use super::code::{Code, File, Interface, OperandRow, Shared, VInst};
use super::graph::CallGraph;
use crate::uop::{FunctionCode, Op, TO_EXIT};
use std::collections::BTreeMap;

/// A function to link.
pub struct Linked {
    /// Number, name and signature. The linker fills in the PCs of the code.
    pub function: FunctionCode,
    /// Whether the function is recursive.
    pub recursive: bool,
    /// Code of the function.
    pub code: Code,
}

/// The calls of linked code, which the assignment of rows needs.
#[derive(Debug, Default)]
pub struct CallSites {
    /// Functions in code order.
    pub functions: Vec<FunctionCode>,
    /// Whether each function is recursive.
    pub recursive: Vec<bool>,
    /// Call graph. Its nodes are the functions, followed by `signatures`.
    pub graph: CallGraph,
    /// Signatures of the indirect calls, ascending.
    signatures: Vec<u32>,
}

impl CallSites {
    /// Returns the index of the function that contains the micro-op at `pc`; `None` for the kernel.
    pub fn owner(&self, pc: usize) -> Option<usize> {
        self.functions.partition_point(|function| function.start as usize <= pc).checked_sub(1)
    }

    /// Returns the graph node that a call targets; `None` for other micro-ops.
    pub fn callee(&self, inst: &VInst) -> Option<u32> {
        match inst.op {
            Op::Call => Some(inst.imm),
            Op::CallInd => {
                let place = self.signatures.binary_search(&inst.imm).ok()?;
                Some((self.functions.len() + place) as u32)
            }
            _ => None,
        }
    }

    /// Builds the call graph. `targets` returns the indices of the functions that an indirect call
    /// may reach.
    fn find_calls(&mut self, insts: &[VInst], targets: impl Fn(u32) -> Vec<u32>) {
        self.signatures = insts.iter().filter(|inst| inst.op == Op::CallInd).map(|inst| inst.imm).collect();
        self.signatures.sort_unstable();
        self.signatures.dedup();
        let mut callees = vec![Vec::new(); self.functions.len()];
        for (function, callees) in self.functions.iter().zip(&mut callees) {
            let code = &insts[function.start as usize..function.end as usize];
            callees.extend(code.iter().filter_map(|inst| self.callee(inst)));
            callees.sort_unstable();
            callees.dedup();
        }
        callees.extend(self.signatures.iter().map(|signature| targets(*signature)));
        self.graph = CallGraph::new(callees);
    }
}

impl CallSites {
    /// Updates the PCs of the functions after micro-ops were removed. `at` is the new PC of each
    /// old micro-op and of the end.
    pub fn moved(&mut self, at: &[u32]) {
        for function in &mut self.functions {
            function.start = at[function.start as usize];
            function.end = at[function.end as usize];
        }
    }
}

/// Concatenates the code of a kernel and of its functions, which are sorted by number. `targets`
/// returns the functions that an indirect call may reach.
pub fn link<'t>(
    kernel: Code,
    functions: Vec<Linked>,
    targets: impl Fn(u32) -> &'t [u32],
) -> (Code, CallSites) {
    let mut linker = Linker { out: kernel, interfaces: BTreeMap::new() };
    for shared in std::mem::take(&mut linker.out.shared) {
        linker.interfaces.insert(shared.interface, shared);
    }
    let mut sites = CallSites::default();
    let numbers: Vec<u32> = functions.iter().map(|linked| linked.function.number).collect();
    let index = |number: &u32| numbers.binary_search(number).ok();
    for Linked { mut function, recursive, code } in functions {
        function.start = linker.out.insts.len() as u32;
        linker.append(code);
        function.end = linker.out.insts.len() as u32;
        sites.recursive.push(recursive);
        sites.functions.push(function);
    }
    linker.out.shared = linker.interfaces.into_values().collect();
    for inst in linker.out.insts.iter_mut().filter(|inst| inst.op == Op::Call) {
        inst.imm = index(&inst.imm).unwrap_or(0) as u32;
    }
    let here = |signature| targets(signature).iter().filter_map(index).map(|index| index as u32).collect();
    sites.find_calls(&linker.out.insts, here);
    (linker.out, sites)
}

struct Linker {
    out: Code,
    /// Registers of each interface, in the numbering of `out`.
    interfaces: BTreeMap<Interface, Shared>,
}

impl Linker {
    fn append(&mut self, code: Code) {
        let base = self.out.registers;
        for (count, more) in self.out.registers.iter_mut().zip(code.registers) {
            *count += more;
        }
        let moved = |(file, register): (File, u32)| (file, base[file as usize] + register);
        // Registers of a known interface are replaced by that interface's registers.
        let mut same: BTreeMap<(usize, u32), u32> = BTreeMap::new();
        for shared in &code.shared {
            let everywhere = Shared {
                interface: shared.interface,
                params: shared.params.iter().copied().map(moved).collect(),
                returns: shared.returns.iter().copied().map(moved).collect(),
                kept: false,
            };
            let known = self.interfaces.entry(shared.interface).or_insert(everywhere);
            let here = shared.params.iter().chain(&shared.returns);
            for ((file, register), (_, to)) in here.zip(known.params.iter().chain(&known.returns)) {
                same.insert((*file as usize, *register), *to);
            }
        }
        let rename = |file: File, register: u32| {
            same.get(&(file as usize, register)).copied().unwrap_or(base[file as usize] + register)
        };
        let constants: Vec<Vec<u32>> = code
            .pools
            .iter()
            .zip([File::W, File::D])
            .map(|(pool, file)| {
                let place = |value| match self.out.constant(file, value) {
                    OperandRow::Const(number) => number,
                    OperandRow::None | OperandRow::Reg(_) => unreachable!("a constant stays a constant"),
                };
                pool.iter().copied().map(place).collect()
            })
            .collect();
        let row = |file: File, row: OperandRow| match row {
            OperandRow::Reg(register) => OperandRow::Reg(rename(file, register)),
            OperandRow::Const(number) if file != File::P => {
                OperandRow::Const(constants[file as usize][number as usize])
            }
            other => other,
        };
        self.out.addresses.extend(code.addresses);
        let start = self.out.insts.len() as u32;
        self.out.labels.extend(code.labels.iter().map(|pc| pc + start));
        for inst in code.insts {
            self.out.insts.push(renamed(inst, start, row, rename));
        }
    }
}

/// Returns a micro-op in the numbering of the linked code. The function's own code begins at
/// `start`.
fn renamed(
    mut inst: VInst,
    start: u32,
    row: impl Fn(File, OperandRow) -> OperandRow,
    rename: impl Fn(File, u32) -> u32,
) -> VInst {
    inst.map_dsts(&row);
    inst.map_srcs(&row);
    inst.guard = inst.guard.map(|(predicate, negated)| (rename(File::P, predicate), negated));
    if inst.op == Op::Bra {
        inst.imm += start;
        if inst.aux != TO_EXIT {
            inst.aux += start;
        }
    }
    inst.map_passed(&rename);
    inst
}
