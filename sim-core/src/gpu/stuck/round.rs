//! The proof that a warp repeats a loop: executed alone, it comes back to exactly the state it was in, registers, stack
//! and local memory, and has written nothing else, left no barrier and read no clock on the way. As long as nobody writes what it reads, that is all
//! that it will ever do. An atomic that leaves its words as they are writes nothing.
//!
//! The warp is executed on a copy. Values of its loads that are still on their way are fetched first, which is done
//! only where their addresses are known for certain: the load stands before the warp's next instruction in a straight
//! piece of code, nothing between them writes its address or its guard, and nothing jumps in between. Such a load gets
//! the value that memory has now, for no store is under way, and none has been ordered since the load was issued (the
//! caller sees to both).

use crate::exec::ldst::{global, write_back};
use crate::exec::mask::{active, lanes};
use crate::exec::ways;
use crate::exec::{Access, Kernel, Parts, Step, Warp, generic, step};
use crate::stats::stuck::{MOST_READS, RoundReport};
use isa::sem::atomic::{apply32, apply64};
use isa::sreg::SReg;
use isa::types::StateSpace;
use isa::uop::{Class, Inst, Op, OperandKind, Program};
use std::collections::BTreeSet;

/// Rounds of more warp instructions than this are not looked for.
pub const LONGEST_ROUND: u64 = 16_384;

/// What global memory holds now: the bytes at an address, which is a multiple of their number (1, 2, 4 or 8).
pub trait Bytes {
    /// They, little-endian.
    fn load(&self, address: u32, bytes: u32) -> u64;
}

/// The round that `warp` repeats for ever, if that can be shown. `shared` is its block's shared memory; `coming` are
/// the instructions of its loads whose values are on their way. Without `memory` nothing is known of global memory, and
/// no loop that reads it can be shown to repeat.
pub fn of(
    kernel: &Kernel,
    warp: &Warp,
    shared: &[u8],
    coming: &[u32],
    memory: Option<&dyn Bytes>,
) -> Option<RoundReport> {
    let program = &kernel.program;
    let mut warp = warp.clone();
    let unchanged = shared;
    let mut shared = unchanged.to_vec();
    let mut access = Access::new();
    let mut coming = coming.to_vec();
    coming.sort_unstable();
    for pc in coming {
        // What local memory holds was there at once.
        if program.code[pc as usize].op.class() == Class::LdLocal {
            continue;
        }
        let inst = certain(program, pc, warp.simt.pc())?;
        // What an atomic found need not be what memory holds now.
        if inst.op.is_atomic() {
            return None;
        }
        access.mask = active(kernel, &warp, inst);
        if inst.op.is_generic() {
            generic::described(kernel, &warp, inst, shared.len(), &mut access).ok()?;
            access.mask = access.parts.global;
        } else {
            global(kernel, &warp, inst, false, &mut access).ok()?;
        }
        fetch(&access, &mut warp, memory?);
    }
    let start = warp.clone();
    let mut pcs = BTreeSet::new();
    let mut reads = BTreeSet::new();
    for instructions in 1..=LONGEST_ROUND {
        let pc = warp.simt.pc();
        let inst = &program.code[pc as usize];
        let special = matches!(inst.op, Op::MovSreg | Op::MovSreg64);
        if special && SReg::from_code(inst.imm).is_some_and(SReg::is_clock) {
            return None;
        }
        pcs.insert(pc);
        let done = step(kernel, &mut warp, &mut shared, 0, &mut access).ok()?;
        if access.mask != 0 {
            let parts = match done {
                Step::Barrier { .. } | Step::Exit { .. } => return None,
                Step::Global => Parts { global: access.mask, ..Parts::default() },
                Step::Shared => Parts { shared: access.mask, ..Parts::default() },
                Step::Generic => access.parts,
                // Nobody else reads or writes local memory: what it holds belongs to the state.
                _ => Parts::default(),
            };
            if access.store && access.atomic.is_none() && parts.global | parts.shared != 0 {
                return None;
            }
            // An atomic on shared memory has been done to the copy.
            if access.atomic.is_some() && parts.shared != 0 && shared != unchanged {
                return None;
            }
            for (space, part) in [(StateSpace::Shared, parts.shared), (StateSpace::Global, parts.global)] {
                reads.extend(lanes(part).map(|lane| (space, access.addr[lane])));
            }
            if parts.global != 0 {
                access.mask = parts.global;
                if access.atomic.is_some() && changes(&access, memory?) {
                    return None;
                }
                if access.answered() {
                    fetch(&access, &mut warp, memory?);
                }
            }
        }
        if warp.simt.pc() == start.simt.pc() && warp == start {
            let (first_line, last_line) = ways::lines(program, pcs.into_iter())?;
            let reads = reads.into_iter().take(MOST_READS).collect();
            return Some(RoundReport { first_line, last_line, instructions, reads });
        }
    }
    None
}

/// The load at `pc` if what it loads is known for certain while its warp stands at `now`.
fn certain(program: &Program, pc: u32, now: u32) -> Option<&Inst> {
    let load = &program.code[pc as usize];
    let wide = |inst: &Inst| inst.aux & Inst::ADDR64 != 0;
    let guard = load.guard.get().map(|(row, _)| row);
    let address = |kind, row| {
        let file = if wide(load) { OperandKind::D } else { OperandKind::W };
        kind == file && row == load.src[0]
    };
    let spoils = |inst: &Inst| {
        inst.dsts().any(|(kind, row)| match kind {
            OperandKind::P => Some(row) == guard,
            kind => address(kind, row),
        })
    };
    let between = |at: u32| pc < at && at <= now;
    // Nobody returns into a piece of code without a call.
    let entered = |inst: &Inst| match inst.op {
        Op::Bra => between(inst.imm) || between(inst.aux),
        Op::Call => between(inst.imm),
        _ => false,
    };
    let straight = program.code.get(pc as usize..now as usize)?;
    let flows = |inst: &Inst| matches!(inst.op.class(), Class::Branch | Class::Exit | Class::Barrier);
    let sound = pc < now
        && !straight.iter().any(|inst| flows(inst) || spoils(inst))
        && !program.code.iter().any(entered);
    sound.then_some(load)
}

/// Whether a checked atomic would change a word. If it does not, the order of its lanes does not matter either.
fn changes(access: &Access, memory: &dyn Bytes) -> bool {
    let Some(operation) = access.atomic else { return true };
    let long = |low: u32, high: u32| u64::from(high) << 32 | u64::from(low);
    lanes(access.mask).any(|lane| {
        let old = memory.load(access.addr[lane], access.bytes);
        let (b, c) = (access.words[0][lane], access.words[2][lane]);
        if access.bytes == 8 {
            old != apply64(operation, old, long(b, access.words[1][lane]), long(c, access.words[3][lane]))
        } else {
            old as u32 != apply32(operation, old as u32, b, c)
        }
    })
}

/// Performs a checked load, or an atomic that changes nothing.
fn fetch(access: &Access, warp: &mut Warp, memory: &dyn Bytes) {
    let mut words = [0; 128];
    let each = access.bytes.div_ceil(4) as usize;
    for (lane, words) in lanes(access.mask).zip(words.chunks_exact_mut(each)) {
        for (place, word) in (0..).zip(words) {
            *word = memory.load(access.addr[lane] + 4 * place, access.bytes.min(4)) as u32;
        }
    }
    write_back(warp, access.op, access.dst, access.mask, &words);
}
