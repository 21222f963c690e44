//! Recursion: saves the values that a recursive function needs after a call in local memory.
//!
//! All activations of a recursive function use the same rows. Every value that is live across a
//! possibly recursive call is therefore saved on the thread's stack before the call and restored
//! after it. One register of the whole program is the stack pointer. Around each call that may
//! reach a function with a frame it is increased by the size of the caller's frame: its `.local`
//! variables and its saved values.

use super::code::{Code, File, OperandRow, Passed, Shared, VInst};
use super::flow::Flow;
use super::link::CallSites;
use super::slots::{Numbering, live_out};
use crate::span::Span;
use crate::uop::{ConstValue, Op};
use std::sync::Arc;

/// Size of a thread's stack in bytes: CUDA's default on compute capability 2.x
/// (`cudaLimitStackSize`).
pub const STACK_BYTES: u32 = 1024;

/// Minimum number of frames that fit in a stack, for any frame size.
const MIN_FRAMES: u32 = 16;

/// Alignment of frames and of the stack in bytes: the largest alignment of a saved value or a
/// variable.
pub const FRAME_ALIGN: u32 = 16;

/// Resources that recursion needs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stack {
    /// Local memory of a thread in bytes: variables, then the stack.
    pub local_bytes: u32,
    /// Maximum depth of nested calls of a thread.
    pub call_depth: u32,
}

/// A register with its file.
type Register = (File, u32);

/// Inserts code that saves and restores values around calls. `local_bytes` of local memory are
/// already in use. `frames` contains the size of the `.local` variables of each recursive function
/// in bytes. At most `others` calls of functions that are not recursive are nested.
pub fn save(
    code: &mut Code,
    sites: &mut CallSites,
    local_bytes: u32,
    frames: &[Option<u32>],
    others: u32,
) -> Stack {
    if frames.iter().all(Option::is_none) {
        return Stack { local_bytes, call_depth: others };
    }
    let stack = match code.shared.iter().find(|shared| shared.interface == super::code::Interface::Stack) {
        Some(Shared { params, .. }) => params[0].1,
        None => match code.register(File::W) {
            OperandRow::Reg(register) => register,
            OperandRow::None | OperandRow::Const(_) => unreachable!("a new register is a register"),
        },
    };
    let saved = live_across(code, sites, stack);
    // Offset of each function's saved values, and the size of its frame.
    let mut sizes: Vec<u32> = frames.iter().map(|frame| frame.unwrap_or(0)).collect();
    for call in &saved {
        let bytes = frames[call.owner].unwrap_or(0).next_multiple_of(8) + bytes_of(&call.live);
        sizes[call.owner] = sizes[call.owner].max(bytes);
    }
    for size in &mut sizes {
        *size = (*size).max(1).next_multiple_of(FRAME_ALIGN);
    }
    let largest = frames.iter().zip(&sizes).filter(|(frame, _)| frame.is_some()).map(|(_, size)| *size).max();
    let largest = largest.unwrap_or(FRAME_ALIGN);
    let call_depth = (STACK_BYTES / largest).max(MIN_FRAMES) + others;
    let base = local_bytes.next_multiple_of(FRAME_ALIGN);
    rewrite(code, sites, stack, base, &saved, frames, &sizes);
    Stack { local_bytes: base.saturating_add(call_depth.saturating_mul(largest)), call_depth }
}

/// A call that moves the stack pointer, in a recursive function.
struct Call {
    pc: usize,
    /// Function that contains the call.
    owner: usize,
    /// Values that are live across the call and must be saved, if the call may reach its own
    /// function.
    live: Vec<Register>,
}

/// Returns the calls that move the stack pointer, ascending, with the values that they save.
fn live_across(code: &Code, sites: &CallSites, stack: u32) -> Vec<Call> {
    let flow = Flow::new(&code.insts);
    let numbers = Numbering::new(code.registers);
    let (outs, _) = live_out(&code.insts, &flow, &numbers);
    let moves_stack = sites.graph.reaches(&sites.recursive);
    let mut calls = Vec::new();
    for (block, mut live) in outs.into_iter().enumerate() {
        let owner = sites.owner(flow.range(block).start);
        for pc in flow.range(block).rev() {
            let inst = &code.insts[pc];
            let caller = owner.filter(|owner| sites.recursive[*owner]);
            if let Some((owner, callee)) = caller.zip(sites.callee(inst))
                && moves_stack[callee as usize]
            {
                let mut across = Vec::new();
                if sites.graph.may_recurse(owner as u32, callee) {
                    let defs: Vec<Register> = inst.defs().collect();
                    across.extend(numbers.registers(&live).filter(|r| !defs.contains(r)));
                    across.retain(|register| *register != (File::W, stack));
                }
                calls.push(Call { pc, owner, live: across });
            }
            super::slots::step_back(&mut live, inst, &numbers);
        }
    }
    calls.sort_unstable_by_key(|call| call.pc);
    calls
}

/// Returns the size in bytes of registers on the stack: 64-bit registers first, then words.
fn bytes_of(live: &[Register]) -> u32 {
    live.iter().map(|(file, _)| if *file == File::D { 8 } else { 4 }).sum()
}

/// Inserts code that saves and restores values around the calls, and the initialization of the
/// stack pointer at the start of the kernel.
fn rewrite(
    code: &mut Code,
    sites: &mut CallSites,
    stack: u32,
    base: u32,
    saved: &[Call],
    frames: &[Option<u32>],
    sizes: &[u32],
) {
    let old = std::mem::take(&mut code.insts);
    let mut at = Vec::with_capacity(old.len() + 1);
    let first = code.constant(File::W, ConstValue::Bits(base as u64));
    // The end of the first instruction: at its start would be the use of a variable that it names.
    let end = |span: Span| Span { start: span.end.saturating_sub(1).max(span.start), ..span };
    let span = old.first().map_or(Span::default(), |inst| end(inst.span));
    let mut start = VInst { dst: OperandRow::Reg(stack), ..VInst::new(Op::MovB32, span) };
    start.src[0] = first;
    code.insts.push(start);
    let mut saved = saved.iter().peekable();
    for (pc, inst) in old.into_iter().enumerate() {
        at.push(code.insts.len() as u32);
        let Some(call) = saved.next_if(|call| call.pc == pc) else {
            code.insts.push(inst);
            continue;
        };
        let span = inst.span;
        let mut live = call.live.clone();
        live.sort_unstable_by_key(|(file, register)| (*file != File::D, *file as u32, *register));
        let begin = frames[call.owner].unwrap_or(0).next_multiple_of(8);
        let frame = code.constant(File::W, ConstValue::Bits(sizes[call.owner] as u64));
        transfer(code, stack, begin, &live, span, true);
        code.insts.push(moved(Op::AddB32, stack, frame, span));
        code.insts.push(inst);
        code.insts.push(moved(Op::SubB32, stack, frame, span));
        transfer(code, stack, begin, &live, span, false);
    }
    at.push(code.insts.len() as u32);
    code.labels.iter_mut().for_each(|pc| *pc = at[*pc as usize]);
    for inst in code.insts.iter_mut().filter(|inst| inst.op == Op::Bra) {
        inst.imm = at[inst.imm as usize];
    }
    sites.moved(&at);
    keep_alive(code, sites, stack);
}

/// Returns the micro-op `stack = stack op frame`.
fn moved(op: Op, stack: u32, frame: OperandRow, span: Span) -> VInst {
    let mut inst = VInst { dst: OperandRow::Reg(stack), ..VInst::new(op, span) };
    (inst.src[0], inst.src[1]) = (OperandRow::Reg(stack), frame);
    inst
}

/// Stores registers to the frame, or loads them from it. Predicates are stored as numbers.
fn transfer(code: &mut Code, stack: u32, begin: u32, live: &[Register], span: Span, store: bool) {
    let mut offset = begin;
    let (zero, one) =
        (code.constant(File::W, ConstValue::Bits(0)), code.constant(File::W, ConstValue::Bits(1)));
    for (file, register) in live {
        let mut row = OperandRow::Reg(*register);
        if *file == File::P {
            row = code.register(File::W);
        }
        let op = match (file, store) {
            (File::D, true) => Op::StLocalB64,
            (File::D, false) => Op::LdLocalB64,
            (_, true) => Op::StLocalB32,
            (_, false) => Op::LdLocalB32,
        };
        let mut access = VInst { imm: offset, ..VInst::new(op, span) };
        access.src[0] = OperandRow::Reg(stack);
        if store {
            access.src[1] = row;
        } else {
            access.dst = row;
        }
        if *file == File::P && store {
            let mut select = VInst { dst: row, ..VInst::new(Op::SelpB32, span) };
            select.src = [one, zero, OperandRow::Reg(*register), OperandRow::None];
            code.insts.push(select);
        }
        code.insts.push(access);
        if *file == File::P && !store {
            let mut test = VInst { dst: OperandRow::Reg(*register), ..VInst::new(Op::SetpNeB32, span) };
            test.src = [row, zero, OperandRow::None, OperandRow::None];
            code.insts.push(test);
        }
        offset += if *file == File::D { 8 } else { 4 };
    }
}

/// Returns the register with the stack pointer that a return of a function with a frame reads: the
/// last one that [`keep_alive`] lets it read.
pub fn pointer(inst: &VInst) -> Option<u32> {
    let passed = inst.passed.as_ref().filter(|_| inst.op == Op::Ret)?;
    passed.uses.last().filter(|(file, _)| *file == File::W).map(|(_, register)| *register)
}

/// Makes calls that may reach a function with a frame, and the returns of all functions that such
/// calls run, read the stack pointer. The register then stays live.
fn keep_alive(code: &mut Code, sites: &CallSites, stack: u32) {
    let needs = sites.graph.reaches(&sites.recursive);
    for pc in 0..code.insts.len() {
        let inst = &code.insts[pc];
        let reads = match inst.op {
            Op::Call | Op::CallInd => sites.callee(inst).is_some_and(|callee| needs[callee as usize]),
            Op::Ret => sites.owner(pc).is_some_and(|owner| needs[owner]),
            _ => false,
        };
        if reads {
            let mut passed = inst.passed.as_deref().cloned().unwrap_or_default();
            passed.uses.push((File::W, stack));
            code.insts[pc].passed = Some(Arc::new(Passed { ..passed }));
        }
    }
}
