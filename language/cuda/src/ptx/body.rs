//! The body of one function: blocks, copies between them, declarations.

use super::legalize;
use super::lines::Lines;
use super::registers::{Copies, FILES, Registers, is_immediate};
use super::symbols;
use super::variables::{self, Written};
use crate::options::Options;
use crate::ssa::{Block, Function, Loc, Module, Op, Terminator, Ty, Value, null};
use crate::target::Target;
use isa::variables::Variables;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::Cell;
use std::fmt::Write as _;

/// Writes the instructions of one function.
pub(super) struct Body<'a> {
    pub(super) f: &'a Function,
    pub(super) module: &'a Module,
    pub(super) target: Target,
    pub(super) options: &'a Options,
    pub(super) registers: Registers,
    pub(super) uses: Vec<u32>,
    /// Addresses that appear in accesses only and need no register.
    pub(super) direct: Vec<bool>,
    /// The parts of each instruction with several results.
    pub(super) parts: FxHashMap<Value, Vec<Option<Value>>>,
    pub(super) params: Vec<String>,
    pub(super) out: String,
    pub(super) calls: u32,
    /// Instructions that write values of variables: lines of `out` up to the instruction, values.
    writes: Vec<(u32, Value)>,
    /// Bytes of `out` whose lines are counted, and these lines.
    counted: (usize, u32),
}

/// What is known about the names of a module.
pub(super) struct Names<'m> {
    module: &'m Module,
    /// Names of functions and variables.
    taken: FxHashSet<&'m str>,
    /// Shared variables that one function uses alone, by its name.
    owned: FxHashMap<&'m str, Vec<usize>>,
    /// Bytes of the text whose lines are counted, and these lines.
    counted: Cell<(usize, u32)>,
}

impl<'m> Names<'m> {
    pub(super) fn new(module: &'m Module, owners: &[Option<usize>]) -> Self {
        let functions = module.functions.iter().map(|function| &*function.name);
        let taken = functions.chain(module.symbols.iter().map(|symbol| &*symbol.name)).collect();
        let mut owned: FxHashMap<&str, Vec<usize>> = FxHashMap::default();
        for (index, owner) in owners.iter().enumerate() {
            if let Some(owner) = owner {
                owned.entry(&*module.functions[*owner].name).or_default().push(index);
            }
        }
        Self { module, taken, owned, counted: Cell::default() }
    }

    /// Number of lines of a text that grows.
    fn lines_of(&self, out: &str) -> u32 {
        let (bytes, lines) = self.counted.get();
        let lines = lines + out[bytes..].bytes().filter(|byte| *byte == b'\n').count() as u32;
        self.counted.set((out.len(), lines));
        lines
    }
}

/// Writes a function.
pub(super) fn emit(
    function: &Function,
    names: &Names<'_>,
    target: Target,
    options: &Options,
    lines: &mut Lines<'_>,
    variables: &mut Variables,
    out: &mut String,
) {
    let module = names.module;
    let mut f = function.clone();
    legalize::run(&mut f);
    f.compact();
    let (registers, copies) = Registers::assign(&mut f);
    let uses = legalize::uses(&f);
    let mut body = Body {
        f: &f,
        module,
        target,
        options,
        registers,
        direct: direct(&f, &uses),
        uses,
        parts: parts(&f),
        params: param_names(&f, names),
        out: String::new(),
        calls: 0,
        writes: Vec::new(),
        counted: (0, 0),
    };
    lines.reset();
    let order = legalize::layout(&f);
    body.blocks(&order, &copies, lines);
    body.head(out);
    let used: Vec<bool> = used_slots(&f);
    for index in names.owned.get(&*function.name).into_iter().flatten() {
        symbols::declare(&module.symbols[*index], module, target, out);
    }
    // No local variable has the address 0.
    if (!target.is_fermi() || module.typed_pointers)
        && null::comparison(&f, |op| matches!(op, Op::Slot(_))).is_some()
    {
        out.push_str("\t.local .align 16 .b8 __local_null[16];\n");
    }
    for (index, slot) in f.slots.iter().enumerate().filter(|(index, _)| used[*index]) {
        let (align, size) = (slot.align, slot.size.max(1));
        let _ = writeln!(out, "\t.local .align {align} .b8 __local_{index}[{size}];");
    }
    for (count, (kind, name)) in body.registers.counts.iter().zip(FILES) {
        if *count > 0 {
            let _ = writeln!(out, "\t.reg .{kind} {name}<{}>;", count + 1);
        }
    }
    let before = names.lines_of(out);
    let Body { params, registers, writes, .. } = &body;
    let written = Written { f: &f, params, registers, writes, used: &used };
    variables::locals(&written, module, variables, before);
    out.push_str(&body.out);
    out.push_str("}\n");
}

fn used_slots(f: &Function) -> Vec<bool> {
    let mut used = vec![false; f.slots.len()];
    for value in f.blocks.iter().flat_map(|block| &block.insts) {
        if let Op::Slot(slot) = f.op(*value) {
            used[*slot as usize] = true;
        }
    }
    used
}

/// Addresses of variables that are used in accesses only.
fn direct(f: &Function, uses: &[u32]) -> Vec<bool> {
    let mut accesses = vec![0; f.values.len()];
    for value in f.blocks.iter().flat_map(|block| &block.insts) {
        if let Op::Load { addr, .. } | Op::Store { addr, .. } | Op::Atomic { addr, .. } = f.op(*value)
            && matches!(f.op(*addr), Op::Address(_) | Op::Slot(_))
        {
            accesses[addr.at()] += 1;
        }
    }
    // A store of an address to itself counts as two uses but one access.
    accesses.iter().zip(uses).map(|(accesses, uses)| *accesses > 0 && accesses == uses).collect()
}

fn parts(f: &Function) -> FxHashMap<Value, Vec<Option<Value>>> {
    let mut parts: FxHashMap<Value, Vec<Option<Value>>> = FxHashMap::default();
    for value in f.blocks.iter().flat_map(|block| &block.insts) {
        if let Op::Extract(all, index) = f.op(*value) {
            let list = parts.entry(*all).or_default();
            let index = *index as usize;
            if list.len() <= index {
                list.resize(index + 1, None);
            }
            list[index].get_or_insert(*value);
        }
    }
    parts
}

/// Names of the parameters of a kernel: those of CUDA C where they are free.
fn param_names(f: &Function, all: &Names<'_>) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for (index, param) in f.kernel_params.iter().enumerate() {
        let taken = |name: &String| names.contains(name) || all.taken.contains(&**name);
        let mut name = param.name.clone();
        let plain = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        if name.is_empty() || !plain || name == "_" || taken(&name) || name == "WARP_SZ" {
            name = format!("{}_param_{index}", f.name);
        }
        names.push(name);
    }
    names
}

impl Body<'_> {
    fn head(&self, out: &mut String) {
        let f = self.f;
        if !f.kernel {
            let _ = writeln!(out, "{}\n{{", super::signature(f));
            return;
        }
        let _ = write!(out, ".entry {} (", f.name);
        for (index, (param, name)) in f.kernel_params.iter().zip(&self.params).enumerate() {
            let separator = if index == 0 { "" } else { "," };
            let _ = match param.ptx {
                Some(ty) => {
                    let points_to = param.points_to.map_or(String::new(), |(space, align)| {
                        format!(" .ptr .{} .align {align}", space.suffix().trim_start_matches('.'))
                    });
                    write!(out, "{separator}\n\t.param .{ty}{points_to} {name}")
                }
                None => write!(
                    out,
                    "{separator}\n\t.param .align {} .b8 {name}[{}]",
                    param.align,
                    param.size.max(1)
                ),
            };
        }
        out.push_str(")\n");
        if let Some([x, y, z]) = f.work_group {
            let _ = writeln!(out, "\t.reqntid {x}, {y}, {z}");
        }
        if let Some((threads, blocks)) = f.bounds {
            let _ = writeln!(out, "\t.maxntid {threads}, 1, 1");
            if blocks > 0 && self.target.is_fermi() {
                let _ = writeln!(out, "\t.minnctapersm {blocks}");
            }
        }
        if let Some(limit) = self.options.max_registers {
            let _ = writeln!(out, "\t.maxnreg {limit}");
        }
        out.push_str("{\n");
    }

    fn blocks(&mut self, order: &[Block], copies: &Copies, lines: &mut Lines<'_>) {
        let mut targets = vec![false; self.f.blocks.len()];
        for block in order {
            self.f.blocks[block.at()].term.jumps().for_each(|jump| targets[jump.to.at()] = true);
        }
        let mut place = vec![usize::MAX; self.f.blocks.len()];
        order.iter().enumerate().for_each(|(index, block)| place[block.at()] = index);
        // Blocks to which a block goes that is not the one before.
        let mut jumped = vec![false; self.f.blocks.len()];
        for (at, block) in order.iter().enumerate() {
            for jump in self.f.blocks[block.at()].term.jumps() {
                jumped[jump.to.at()] |= at + 1 != place[jump.to.at()];
            }
        }
        // A kernel with one return ends with it; a label is written only where a jump goes.
        for (index, &block) in order.iter().enumerate() {
            let next = order.get(index + 1).copied();
            let before = index.checked_sub(1).map(|before| &self.f.blocks[order[before].at()].term);
            let falls = matches!(before, Some(Terminator::Jump(jump)) if jump.to == block);
            if targets[block.at()] && (!falls || jumped[block.at()] || order.len() > 512) {
                let _ = writeln!(self.out, "$L{}:", block.0);
            }
            self.block(block, next, copies.get(block.at()).map_or(&[][..], |list| list), lines);
        }
    }

    fn block(&mut self, block: Block, next: Option<Block>, copies: &[(Value, Value)], lines: &mut Lines<'_>) {
        let data = &self.f.blocks[block.at()];
        for &value in &data.insts {
            if is_immediate(self.f, value)
                || self.direct[value.at()]
                || matches!(self.f.op(value), Op::Extract(..))
            {
                continue;
            }
            self.line(self.f.values[value.at()].loc, lines);
            self.instruction(value);
            self.written(value);
        }
        // The copies of one edge of a branch are executed on the other one, too.
        let is_assigned = matches!(data.term, Terminator::Jump(_));
        self.copies(copies, is_assigned, data.loc, lines);
        let exit = if self.f.kernel { "exit" } else { "ret" };
        match &data.term {
            Terminator::Unreachable => self.text(exit),
            Terminator::Return(value) => {
                self.line(data.loc, lines);
                if let Some(value) = value {
                    let (ty, operand) = (super::bits(self.f.ty(*value)), self.operand(*value));
                    self.text(&format!("st.param.{ty} [result], {operand}"));
                }
                self.text(exit);
            }
            Terminator::Jump(jump) => {
                if next != Some(jump.to) {
                    self.line(data.loc, lines);
                    self.text(&format!("bra.uni $L{}", jump.to.0));
                }
            }
            Terminator::Branch(cond, yes, no) => {
                self.line(data.loc, lines);
                let cond = self.predicate(*cond);
                if next == Some(yes.to) {
                    self.text(&format!("@!{cond} bra $L{}", no.to.0));
                } else {
                    self.text(&format!("@{cond} bra $L{}", yes.to.0));
                    if next != Some(no.to) {
                        self.text(&format!("bra.uni $L{}", no.to.0));
                    }
                }
            }
        }
    }

    /// Notes the variables whose values an instruction has written.
    fn written(&mut self, value: Value) {
        let parts = self.parts.get(&value).into_iter().flatten().flatten();
        let all = parts.chain([&value]).copied().filter(|value| self.f.values[value.at()].variable.is_some());
        let all: Vec<Value> = all.collect();
        if all.is_empty() {
            return;
        }
        let (bytes, lines) = self.counted;
        let lines = lines + self.out[bytes..].bytes().filter(|byte| *byte == b'\n').count() as u32;
        self.counted = (self.out.len(), lines);
        // The last line of a call sequence closes its block.
        let is_call = matches!(self.f.op(value), Op::Call { .. } | Op::CallIndirect { .. } | Op::Library(..));
        let lines = lines - u32::from(is_call);
        self.writes.extend(all.into_iter().map(|value| (lines, value)));
    }

    fn line(&mut self, loc: Loc, lines: &mut Lines<'_>) {
        lines.at(loc, &mut self.out);
    }

    /// Copies that happen at the same time, in an order in which no source is overwritten before it
    /// is read.
    fn copies(&mut self, copies: &[(Value, Value)], is_assigned: bool, loc: Loc, lines: &mut Lines<'_>) {
        let mut left: Vec<(Value, Source)> =
            copies.iter().map(|(to, from)| (*to, Source::Value(*from))).collect();
        if !left.is_empty() {
            self.line(loc, lines);
        }
        while !left.is_empty() {
            let free = left.iter().position(|(to, _)| {
                !left.iter().any(|(other, from)| {
                    other != to && matches!(from, Source::Value(from) if self.shares(*to, *from))
                })
            });
            if let Some(index) = free {
                let (to, from) = left.remove(index);
                let source = match from {
                    Source::Value(from) => self.operand(from),
                    Source::Saved(name) => name,
                };
                self.mov(to, &source);
                if is_assigned {
                    self.written(to);
                }
                continue;
            }
            // A cycle: one source is saved.
            let Source::Value(from) = left[0].1 else { break };
            let ty = self.f.ty(from);
            let name = self.registers.fresh(ty);
            let source = self.operand(from);
            self.text(&format!("mov.{} {name}, {source}", move_type(ty)));
            for (_, other) in &mut left {
                if matches!(other, Source::Value(other) if self.shares(from, *other)) {
                    *other = Source::Saved(name.clone());
                }
            }
        }
    }

    /// Whether a value is in the register of another.
    fn shares(&self, of: Value, value: Value) -> bool {
        !is_immediate(self.f, value) && self.registers.same(of, value)
    }

    fn mov(&mut self, to: Value, source: &str) {
        let text = format!("mov.{} {}, {source}", move_type(self.f.ty(to)), self.registers.name(self.f, to));
        self.text(&text);
    }

    /// Appends an instruction.
    pub(super) fn text(&mut self, text: &str) {
        let (name, operands) = text.split_once(' ').unwrap_or((text, ""));
        if operands.is_empty() {
            let _ = writeln!(self.out, "\t{name};");
        } else {
            let _ = writeln!(self.out, "\t{name} \t{operands};");
        }
    }
}

enum Source {
    Value(Value),
    Saved(String),
}

/// Type of a `mov` of whole values.
pub(super) fn move_type(ty: Ty) -> &'static str {
    match ty {
        Ty::I1 => "pred",
        Ty::I64 => "u64",
        Ty::F32 => "f32",
        Ty::F64 => "f64",
        Ty::I32 | Ty::Void | Ty::Multi => "u32",
    }
}
