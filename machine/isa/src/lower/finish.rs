//! Converts virtual code to the flat [`Program`]: rows for registers and constants, source lines,
//! labels.

use super::code::{Code, File, OperandRow, VInst};
use super::flow::Flow;
use super::layout::FunctionLayout;
use super::link::CallSites;
use super::recursion;
use super::selections;
use super::slots::{self, Slots, TooLarge};
use crate::diag::Diagnostic;
use crate::options::Options;
use crate::ptx::ast::Function;
use crate::span::{LineIndex, Span};
use crate::types::Capability;
use crate::uop::program::Source;
use crate::uop::verify::MAX_INSTRUCTIONS;
use crate::uop::{Guard, Inst, NO_ROW, Op, Program, RowCounts, Spills, Symbol};
use std::sync::Arc;

/// Properties of the module that a program needs.
pub struct Context<'a> {
    /// File name and text of the source.
    pub source: &'a Arc<Source>,
    /// Line index of the text.
    pub lines: &'a LineIndex,
    /// Declarations of the library functions, which follow the source.
    pub library: &'a [(&'static str, Span)],
    /// Compute capability that the text was compiled for.
    pub target: Capability,
    /// Address size in bits.
    pub address_bits: u32,
    /// Compiler options.
    pub options: Options,
    /// Names of the textures of the module.
    pub textures: &'a Arc<[String]>,
    /// Variables of constant memory.
    pub consts: &'a Arc<[Symbol]>,
    /// Names of the surfaces of the module.
    pub surfaces: &'a Arc<[String]>,
}

/// Linked code with its call sites.
pub struct Linked<'a> {
    /// Code of the kernel and its functions.
    pub code: Code,
    /// Names of the labels, by number.
    pub labels: Vec<&'a str>,
    /// Functions and call sites of the code.
    pub sites: CallSites,
    /// Maximum depth of nested calls of a thread.
    pub call_depth: u32,
    /// Values that are kept in local memory because of a limit of the registers.
    pub spills: Spills,
}

/// Assigns rows and builds the program. Returns the error `E0403` if the program is too large for
/// any chip.
pub fn finish(
    context: &Context,
    function: &Function,
    layout: FunctionLayout,
    linked: Linked,
) -> Result<Program, Diagnostic> {
    let Linked { mut code, labels: names, mut sites, call_depth, spills } = linked;
    let too_large = |what: String, label: &str| {
        let message = format!("entry `{}` is too large: {what}", function.name.name);
        Diagnostic::error("E0403", function.name.span, message).label(label)
    };
    if code.insts.len() > MAX_INSTRUCTIONS {
        let what = format!("{} instructions after lowering", code.insts.len());
        return Err(too_large(what, "the limit is two million"));
    }
    let flow = Flow::new(&code.insts);
    flow.set_reconvergence(&mut code.insts);
    let slots = slots::assign(&code, &sites, &flow).map_err(|why| match why {
        TooLarge::Live(most) => {
            let what = format!("{most} values are live at the same time");
            too_large(what, "more than any GPU has registers")
        }
        TooLarge::Flow { blocks, registers } => {
            let what = format!("{blocks} basic blocks with {registers} registers");
            too_large(what, "too many for the liveness analysis of the registers")
        }
    })?;
    let rows_and_constants =
        |file: File| slots.counts[file as usize] as usize + code.pools[file as usize].len();
    if rows_and_constants(File::W).max(rows_and_constants(File::D)) > NO_ROW as usize {
        return Err(too_large(
            "it has more than 65,000 different constants".to_owned(),
            "too many constants",
        ));
    }
    if slots.counts[File::P as usize] >= NO_ROW / 2 {
        return Err(too_large("it has more than 32,000 predicates".to_owned(), "too many predicates"));
    }
    let mut labels: Vec<(u32, String)> =
        code.labels.iter().zip(names).map(|(pc, name)| (*pc, name.to_owned())).collect();
    labels.sort();
    for (function, recursive) in sites.functions.iter_mut().zip(&sites.recursive) {
        let own = &code.insts[function.start as usize..function.end as usize];
        let pointer = own.iter().filter(|_| *recursive).find_map(recursion::pointer);
        function.frame = pointer.map(|register| slots.rows[File::W as usize][register as usize]);
    }
    let spans = spans(context, &code, &sites);
    let listing = context.source.listing();
    let line = |line| listing.map_or(line, |listing| listing.line(line));
    let [const32, const64] = code.pools;
    let selections = Arc::unwrap_or_clone(layout.selections);
    let (textures, surfaces) = selections::names(&selections, &layout.params, context);
    Ok(Program {
        name: function.name.name.to_owned(),
        code: code.insts.iter().map(|inst| flat(inst, &slots, &sites)).collect(),
        lines: spans.iter().map(|span| line(context.lines.line(span.start))).collect(),
        spans,
        labels,
        rows: RowCounts { w: slots.counts[0], d: slots.counts[1], p: slots.counts[2] },
        const32,
        const64,
        functions: sites.functions,
        call_depth,
        registers: slots.registers,
        spills,
        params: layout.params,
        param_bytes: layout.param_bytes,
        addresses: std::mem::take(&mut code.addresses),
        shared: layout.shared,
        local: layout.local,
        consts: Arc::clone(context.consts),
        uses: layout.uses,
        textures,
        surfaces,
        selections,
        shared_bytes: layout.shared_bytes,
        local_bytes: layout.local_bytes,
        required_block: extent(function, "reqntid"),
        max_block: extent(function, "maxntid"),
        target: context.target,
        address_bits: context.address_bits,
        options: context.options,
        source: Arc::clone(listing.map_or(context.source, |listing| &listing.source)),
        ptx: Arc::clone(context.source),
    })
}

/// Returns the span of each micro-op. Code of the library has that of its function's declaration,
/// because the source has no other line for it.
fn spans(context: &Context, code: &Code, sites: &CallSites) -> Vec<Span> {
    let mut spans: Vec<Span> = code.insts.iter().map(|inst| inst.span).collect();
    let own = context.source.text.len() as u32;
    let Some((_, first)) = context.library.first() else { return spans };
    for function in &sites.functions {
        let declared = context.library.iter().find(|(name, _)| *name == function.name);
        let place = declared.map_or(*first, |(_, span)| *span);
        for span in &mut spans[function.start as usize..function.end as usize] {
            if span.start >= own {
                *span = place;
            }
        }
    }
    spans
}

/// Converts a virtual micro-op to one on rows.
fn flat(inst: &VInst, slots: &Slots, sites: &CallSites) -> Inst {
    let row = |file: File, row: OperandRow| match row {
        OperandRow::None => NO_ROW,
        OperandRow::Reg(register) => slots.rows[file as usize][register as usize],
        OperandRow::Const(number) => slots.counts[file as usize] + number as u16,
    };
    let mut out = Inst { imm: inst.imm, aux: inst.aux, ..Inst::new(inst.op) };
    if inst.op == Op::Call {
        out.imm = sites.functions[inst.imm as usize].start;
    }
    if let Some((register, negated)) = inst.guard {
        out.guard = Guard::new(slots.rows[File::P as usize][register as usize], negated);
    }
    out.set_dsts(inst.dsts().map(|(file, register)| row(file, register)));
    out.set_srcs(inst.srcs().map(|(file, register)| row(file, register)));
    out
}

/// Returns the block extent of a directive such as `.reqntid 16, 16`; missing numbers are 1.
fn extent(function: &Function, directive: &str) -> Option<[u32; 3]> {
    let (_, numbers) = function.directives.iter().find(|(name, _)| name.name == directive)?;
    let at = |i: usize| numbers.get(i).copied().unwrap_or(1);
    Some([at(0), at(1), at(2)])
}
