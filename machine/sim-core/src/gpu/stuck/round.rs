//! The proof that a warp repeats a loop. Executed alone, the warp returns to the same instruction,
//! stack and local memory, and to the same values in all *relevant* registers (see `relevant`). In
//! this iteration it has changed no word of global or shared memory, executed no barrier and read
//! no clock. A store of the value that is in memory changes nothing, and neither does an atomic
//! that leaves its words unchanged.
//!
//! **Why this is sufficient.** A register is relevant if a guard, a branch, an address or an
//! operand of a memory access reads it in this iteration, or if a relevant register is computed
//! from it. So the relevant registers determine the executed instructions, their addresses, and the
//! next values of the relevant registers. The other registers, such as a counter that no condition
//! reads, determine none of these. While no other thread changes the memory that the iteration
//! reads, the next iteration begins with the same relevant values. It therefore executes the same
//! instructions and ends with the same relevant values, and so does every later iteration.
//!
//! The warp is executed on a copy. The values of its pending loads are read first, but only if
//! their addresses are certain. The load must precede the warp's next instruction in straight-line
//! code, no instruction between them may write its address or its guard, and no jump may lead in
//! between. Such a load gets the current value in memory: no request under way changes memory, and
//! memory has not changed since the load was issued (the caller checks both). The same is true of
//! an atomic, which reads the current value and leaves it unchanged. The sources of a store are
//! relevant, so every iteration stores the same values at the same addresses.
//!
//! Invariant `proofs-of-hangs`: A launch is reported as never ending only if that is proved.

use crate::exec::ldst::{global, write_back};
use crate::exec::mask::{active, lanes};
use crate::exec::ways;
use crate::exec::{Access, Kernel, Parts, Step, Warp, generic, step};
use crate::gpu::stuck::report::{MOST_READS, RoundReport};
use isa::sem::atomic::{apply32, apply64};
use isa::sreg::SReg;
use isa::types::StateSpace;
use isa::uop::{Class, Inst, MemorySpace, Op, OperandKind, Program};
use std::collections::BTreeSet;

/// Most warp instructions of an iteration that is searched for.
pub const LONGEST_ROUND: u64 = 16_384;

/// Current contents of global memory: the bytes at an address, which is a multiple of their number
/// (1, 2, 4 or 8).
pub trait Bytes {
    /// Returns the `bytes` bytes at `address` as a little-endian number.
    fn load(&self, address: u32, bytes: u32) -> u64;
}

/// Returns the iteration that `warp` repeats forever, if that can be proved. `shared` is its
/// block's shared memory; `coming` are the instructions of its pending loads. Without `memory` the
/// contents of global memory are unknown, and no loop that reads it can be proved to repeat.
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
        let loads = program.code[pc as usize].op.memory()?;
        // A load from local memory has its value immediately.
        if loads.space == MemorySpace::Local {
            continue;
        }
        let inst = certain(program, pc, warp.simt.pc())?;
        access.mask = active(kernel, &warp, inst);
        if loads.space == MemorySpace::Generic {
            generic::described(kernel, &warp, inst, loads, shared.len(), &mut access).ok()?;
            access.mask = access.parts.global;
        } else {
            global(kernel, &warp, inst, loads.width, false, &mut access).ok()?;
        }
        fetch(&access, &mut warp, memory?);
    }
    let start = warp.clone();
    let mut pcs = BTreeSet::new();
    let mut reads = BTreeSet::new();
    // Number of instructions in `pcs` when the relevant rows were last computed, and these rows.
    let mut known = (0, Rows::default());
    for instructions in 1..=LONGEST_ROUND {
        let pc = warp.simt.pc();
        let inst = &program.code[pc as usize];
        let special = matches!(inst.op, Op::MovSreg | Op::MovSreg64);
        if special && SReg::from_code(inst.imm).is_some_and(SReg::is_clock) {
            return None;
        }
        pcs.insert(pc);
        let done = step(kernel, &mut warp, &mut access, &mut shared, 0).ok()?;
        if access.mask != 0 {
            let parts = match done {
                Step::Barrier | Step::Exit | Step::LastExit => return None,
                Step::Global => Parts { global: access.mask, ..Parts::default() },
                Step::Shared => Parts { shared: access.mask, ..Parts::default() },
                Step::Generic => access.parts,
                // No other thread reads or writes local memory; it is part of the state.
                _ => Parts::default(),
            };
            // A store or an atomic on shared memory has changed the copy.
            if access.store && parts.shared != 0 && shared != unchanged {
                return None;
            }
            let only_stores = access.store && access.atomic.is_none();
            for (space, part) in [(StateSpace::Shared, parts.shared), (StateSpace::Global, parts.global)] {
                let part = if only_stores { 0 } else { part };
                reads.extend(lanes(part).map(|lane| (space, access.addr[lane])));
            }
            if parts.global != 0 {
                access.mask = parts.global;
                if access.store && changes(&access, memory?) {
                    return None;
                }
                if access.answered() {
                    fetch(&access, &mut warp, memory?);
                }
            }
        }
        if warp.simt.pc() != start.simt.pc() {
            continue;
        }
        if known.0 != pcs.len() {
            known = (pcs.len(), relevant(program, &pcs));
        }
        if alike(&warp, &start, &known.1) {
            let (first_line, last_line) = ways::lines(program, pcs.into_iter())?;
            let reads = reads.into_iter().take(MOST_READS).collect();
            return Some(RoundReport { first_line, last_line, instructions, reads });
        }
    }
    None
}

/// Register rows.
type Rows = BTreeSet<(OperandKind, u16)>;

/// Whether an instruction only computes its destinations from its sources.
fn only_computes(class: Class) -> bool {
    use Class as C;
    match class {
        C::Mov
        | C::Mov64
        | C::Select
        | C::Select64
        | C::Pred
        | C::Sreg
        | C::Cvt
        | C::DCvt
        | C::IntAdd
        | C::IntAbs
        | C::IntSad
        | C::IntCmp
        | C::Logic
        | C::Shift
        | C::IntMul24
        | C::IntMul
        | C::IntMad
        | C::IntMulHi
        | C::IntMulHiS
        | C::IntMulWide
        | C::IntMadWide
        | C::IntDiv
        | C::IntDivS
        | C::IntRem
        | C::IntRemS
        | C::Int64
        | C::IntCmp64
        | C::Logic64
        | C::Shift64
        | C::IntMul64
        | C::IntMulHi64
        | C::IntDiv64
        | C::FAdd
        | C::FMul
        | C::FMad
        | C::FCmp
        | C::DAdd
        | C::DMul
        | C::DFma
        | C::DCmp
        | C::DDiv
        | C::DRcp
        | C::DSqrt
        | C::DLookup
        | C::FRcp
        | C::FSin
        | C::FSqrt
        | C::FDivApprox
        | C::FDiv
        | C::FRcpRn
        | C::FSqrtRn
        | C::FDivRn => true,
        C::LdParam
        | C::LdConst
        | C::LdShared
        | C::StShared
        | C::LdGlobal
        | C::StGlobal
        | C::LdLocal
        | C::StLocal
        | C::Tex
        | C::Txq
        | C::AtomGlobal
        | C::AtomShared
        | C::Branch
        | C::Barrier
        | C::Membar
        | C::Exit => false,
    }
}

/// Returns the rows that determine the effect of the instructions at `pcs`: guards, the sources of
/// every instruction that does not only compute, and the sources of instructions that compute one
/// of these rows.
fn relevant(program: &Program, pcs: &BTreeSet<u32>) -> Rows {
    let code = || pcs.iter().map(|pc| &program.code[*pc as usize]);
    let guards = code().filter_map(|inst| inst.guard.get()).map(|(row, _)| (OperandKind::P, row));
    let mut rows: Rows = guards.collect();
    loop {
        let before = rows.len();
        for inst in code() {
            if !only_computes(inst.op.class()) || inst.dsts().any(|dst| rows.contains(&dst)) {
                rows.extend(inst.srcs().map(|(kind, row)| match kind {
                    OperandKind::Addr if inst.aux & Inst::ADDR64 != 0 => (OperandKind::D, row),
                    OperandKind::Addr => (OperandKind::W, row),
                    OperandKind::W | OperandKind::D | OperandKind::P => (kind, row),
                }));
            }
        }
        if rows.len() == before {
            return rows;
        }
    }
}

/// Whether two states of a warp differ only in rows that are not relevant.
fn alike(a: &Warp, b: &Warp, relevant: &Rows) -> bool {
    let same = |(kind, row): &(OperandKind, u16)| {
        let row = *row as usize;
        match kind {
            OperandKind::W => a.w.get(row) == b.w.get(row),
            OperandKind::D => a.d.get(row) == b.d.get(row),
            OperandKind::P => a.p.get(row) == b.p.get(row),
            OperandKind::Addr => true,
        }
    };
    (a.live, &a.simt, &a.local) == (b.live, &b.simt, &b.local) && relevant.iter().all(same)
}

/// Returns the load or atomic at `pc` if its address is certain while the next instruction of its
/// warp is `now`.
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
    // A return does not lead into a piece of code without a call.
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

/// Whether a checked store or atomic would change a word. If not, the order of its lanes is
/// irrelevant, too.
fn changes(access: &Access, memory: &dyn Bytes) -> bool {
    let Some(operation) = access.atomic else {
        let bytes = access.bytes.min(4);
        let mask = u32::MAX >> (32 - 8 * bytes);
        let words = || (0..).zip(&access.words).take(access.bytes.div_ceil(4) as usize);
        let differs = |lane: usize, (k, row): (u32, &[u32; 32])| {
            (memory.load(access.addr[lane] + 4 * k, bytes) as u32 ^ row[lane]) & mask != 0
        };
        return lanes(access.mask).any(|lane| words().any(|word| differs(lane, word)));
    };
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
pub(super) fn fetch(access: &Access, warp: &mut Warp, memory: &dyn Bytes) {
    let mut words = [0; 128];
    let each = access.bytes.div_ceil(4) as usize;
    for (lane, words) in lanes(access.mask).zip(words.chunks_exact_mut(each)) {
        for (place, word) in (0..).zip(words) {
            *word = memory.load(access.addr[lane] + 4 * place, access.bytes.min(4)) as u32;
        }
    }
    write_back(warp, access.op, access.dst, access.mask, &words);
}
