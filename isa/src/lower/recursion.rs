//! Recursion: what a function needs again after a call that may come back to it is saved in local
//! memory.
//!
//! Functions that can run while they wait for themselves share their rows with their own later
//! rounds. So around such a call everything that is live across it goes to the thread's stack and
//! comes back from there. A register of the whole program says where the stack stands: it is moved
//! up by the function's frame, its `.local` variables and what it saves, around each call that may
//! reach a function with a frame.

use super::code::{Code, File, Passed, Row, Shared, VInst};
use super::flow::Flow;
use super::link::CallSites;
use super::slots::{Numbering, live_out};
use crate::span::Span;
use crate::uop::{ConstValue, Op};
use std::sync::Arc;

/// Bytes of a thread's stack: CUDA's default on compute capability 2.x (`cudaLimitStackSize`).
pub const STACK_BYTES: u32 = 1024;

/// Frames that fit in a stack, however large they are.
const FEWEST_FRAMES: u32 = 16;

/// Frames and the stack begin at multiples of so many bytes: the largest alignment of a saved value
/// or a variable.
pub const FRAME_ALIGN: u32 = 16;

/// What recursion needs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stack {
    /// Bytes of local memory of a thread, from the first on: variables, then the stack.
    pub local_bytes: u32,
    /// Most calls that a thread can be inside of.
    pub call_depth: u32,
}

/// A register with its file.
type Register = (File, u32);

/// Saves what has to be saved. `local_bytes` of local memory are taken already; `frames` are the
/// bytes of the `.local` variables of each function that may come back to itself; at most `others`
/// calls of functions that cannot are nested.
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
            Row::Reg(register) => register,
            Row::None | Row::Const(_) => unreachable!("a new register is one"),
        },
    };
    let saved = live_across(code, sites, stack);
    // Where each function's saved values begin, and how large its frame is.
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
    let call_depth = (STACK_BYTES / largest).max(FEWEST_FRAMES) + others;
    let base = local_bytes.next_multiple_of(FRAME_ALIGN);
    rewrite(code, sites, stack, base, &saved, frames, &sizes);
    Stack { local_bytes: base.saturating_add(call_depth.saturating_mul(largest)), call_depth }
}

/// A call in a function that may come back to itself.
struct Call {
    pc: usize,
    /// The function that makes it.
    owner: usize,
    /// What is live across it, and so saved, if the call may come back to its own function.
    live: Vec<Register>,
}

/// The calls that move the stack, ascending, with what they save.
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
                if sites.graph.comes_back(owner as u32, callee) {
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

/// Bytes that registers take on the stack: those of 64 bits first, then words.
fn bytes_of(live: &[Register]) -> u32 {
    live.iter().map(|(file, _)| if *file == File::D { 8 } else { 4 }).sum()
}

/// Puts saving and restoring around the calls, and the stack's start at the kernel's.
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
    let span = old.first().map_or(Span::default(), |inst| inst.span);
    let mut start = VInst { dst: Row::Reg(stack), ..VInst::new(Op::MovB32, span) };
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

/// `stack = stack op frame`.
fn moved(op: Op, stack: u32, frame: Row, span: Span) -> VInst {
    let mut inst = VInst { dst: Row::Reg(stack), ..VInst::new(op, span) };
    (inst.src[0], inst.src[1]) = (Row::Reg(stack), frame);
    inst
}

/// Stores registers to the frame, or loads them from there; predicates as numbers.
fn transfer(code: &mut Code, stack: u32, begin: u32, live: &[Register], span: Span, store: bool) {
    let mut offset = begin;
    let (zero, one) =
        (code.constant(File::W, ConstValue::Bits(0)), code.constant(File::W, ConstValue::Bits(1)));
    for (file, register) in live {
        let mut row = Row::Reg(*register);
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
        access.src[0] = Row::Reg(stack);
        if store {
            access.src[1] = row;
        } else {
            access.dst = row;
        }
        if *file == File::P && store {
            let mut select = VInst { dst: row, ..VInst::new(Op::SelpB32, span) };
            select.src = [one, zero, Row::Reg(*register), Row::None];
            code.insts.push(select);
        }
        code.insts.push(access);
        if *file == File::P && !store {
            let mut test = VInst { dst: Row::Reg(*register), ..VInst::new(Op::SetpNeB32, span) };
            test.src = [row, zero, Row::None, Row::None];
            code.insts.push(test);
        }
        offset += if *file == File::D { 8 } else { 4 };
    }
}

/// Calls that may reach a function with a frame, and the returns of all that such calls run, read
/// the stack's register.
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
