//! One warp instruction: the `match` with an arm for each micro-op of the list.

use super::barrier::{self, Arrival};
use super::{Access, Kernel, Outcome, Warp, alu, atomic, generic, ldst, local, mask, rows, wide};
use crate::exec::trap::{Fault, FaultKind};
use isa::for_each_uop;
use isa::sreg::SReg;
use isa::uop::{FunctionCode, Inst, Memory, MemoryKind, MemorySpace, Op, Width};

/// What an instruction was, to those who give it time. It has been executed, and the warp stands at its next
/// instruction; [`Access::mask`] tells the lanes that took part, which may be none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Rows only: nothing but the instruction's class matters.
    Next,
    /// A branch.
    Branch {
        /// Some lanes jumped, some did not.
        divergent: bool,
        /// Some lanes jumped.
        taken: bool,
    },
    /// A call or a return: control went elsewhere, if any lane took part.
    Jump,
    /// A shared-memory load, store or atomic, done; [`Access::addr`] are byte offsets in the block's shared memory.
    Shared,
    /// A load from constant memory, done; [`Access::addr`] are byte offsets in it.
    Const,
    /// A load of a parameter, done; [`Access::addr`] are byte offsets in the parameter block.
    Param,
    /// A load or store of local memory, done; [`Access::addr`] are byte offsets in each thread's own.
    Local,
    /// A global load, store or atomic, checked and *not* performed: [`Access`] describes it.
    Global,
    /// An access through generic addresses: done in the lanes of [`Access::parts`] that reach shared, local or constant
    /// memory; those that reach global memory are checked and *not* performed.
    Generic,
    /// Lanes have reached a barrier, all live ones unless the rule is [`BarrierRule::Hardware`](super::BarrierRule::Hardware); if the warp waits there,
    /// it must not step before the barrier is complete and [`deliver`](super::barrier::deliver) has been called for it.
    Barrier(Arrival),
    /// A memory fence.
    Fence {
        /// `membar.gl`, else `membar.cta`.
        global: bool,
    },
    /// Lanes have exited.
    Exit {
        /// They were the warp's last.
        finished: bool,
    },
}

/// Executes the next instruction of `warp`, which must have live lanes.
///
/// `shared` is the shared memory of its block, [`Kernel::shared_bytes`] long; `clock` is what `%clock64` reads
/// as, and its low half `%clock`.
/// A lane's address is the address row plus the immediate offset: in a 32-bit row modulo 2^32; in a 64-bit row
/// modulo 2^64, the offset sign-extended, and out of bounds from 2^32 on; without a row the offset alone.
///
/// With an `Err` nothing has been written and the warp has not moved. A barrier or fence without active lanes is a
/// [`Step::Next`].
pub fn step(kernel: &Kernel, warp: &mut Warp, shared: &mut [u8], clock: u64, access: &mut Access) -> Outcome {
    let inst = &kernel.program.code[warp.simt.pc() as usize];
    let active = mask::active(kernel, warp, inst);
    access.mask = active;
    let step = execute(kernel, warp, inst, shared, clock, access)?;
    if !matches!(inst.op, Op::Bra | Op::Exit | Op::Call | Op::CallInd | Op::Ret) {
        warp.simt.advance();
    }
    Ok(step)
}

macro_rules! define_execute {
    (alu { $($a:ident $at:literal $ac:ident $shape:ident $($ftz:ident)? $af:literal $module:ident :: $meaning:ident $(=> $bound:ident)?;)* }
     memory { $($kind:ident $space:ident $rc:ident { $($r:ident $rt:literal $width:ident;)* })* }
     machine { $($m:ident $mt:literal $mc:ident $ms:ident;)* }) => {
        /// Does what `inst` says in the lanes of `access.mask`. The caller moves on to the next instruction, except
        /// after a branch, call, return or exit.
        // Called once, for every instruction.
        #[inline(always)]
        fn execute(
            kernel: &Kernel,
            warp: &mut Warp,
            inst: &Inst,
            shared: &mut [u8],
            clock: u64,
            access: &mut Access,
        ) -> Outcome {
            let active = access.mask;
            match inst.op {
                $(Op::$a => {
                    wide::run(alu::$shape(isa::sem::$module::$meaning), kernel, warp, inst, shared, access);
                    Ok(Step::Next)
                })*
                Op::MovSreg => {
                    if let Some(register) = SReg::from_code(inst.imm) {
                        let row = rows::special(kernel, warp, register, clock as u32);
                        mask::store(&mut warp.w[inst.dst as usize], &row, active);
                    }
                    Ok(Step::Next)
                }
                Op::MovSreg64 => {
                    mask::store(&mut warp.d[inst.dst as usize], &[clock; 32], active);
                    Ok(Step::Next)
                }
                $($(Op::$r => {
                    let memory = Memory::new(MemoryKind::$kind, MemorySpace::$space, Width::$width);
                    access_memory(kernel, warp, inst, memory, shared, access)
                })*)*
                Op::Prefetch => Ok(Step::Next),
                Op::VoteAll | Op::VoteAny | Op::VoteUni => {
                    let said = rows::p(warp, inst.src[0]);
                    let answer = match inst.op {
                        Op::VoteAll => atomic::vote_all(said, active),
                        Op::VoteAny => atomic::vote_any(said, active),
                        _ => atomic::vote_uni(said, active),
                    };
                    mask::store_bits(&mut warp.p[inst.dst as usize], answer, active);
                    Ok(Step::Next)
                }
                Op::VoteBallot => {
                    let ballot = [rows::p(warp, inst.src[0]) & active; 32];
                    mask::store(&mut warp.w[inst.dst as usize], &ballot, active);
                    Ok(Step::Next)
                }
                Op::Bra => {
                    let divergent = warp.simt.branch(active, inst.imm, inst.aux, kernel.first_path);
                    Ok(Step::Branch { divergent, taken: active != 0 })
                }
                Op::Call => jump(warp, active, 0, inst.imm),
                Op::CallInd => call_indirect(kernel, warp, inst, active),
                Op::Ret => {
                    warp.simt.ret(active);
                    Ok(Step::Jump)
                }
                Op::BarSync | Op::BarSyncN | Op::BarArrive | Op::BarRedPopc | Op::BarRedAnd | Op::BarRedOr => {
                    if active == 0 {
                        return Ok(Step::Next);
                    }
                    Ok(Step::Barrier(barrier::arrival(kernel, warp, inst, active)?))
                }
                Op::MembarCta | Op::MembarGl if active == 0 => Ok(Step::Next),
                Op::MembarCta => Ok(Step::Fence { global: false }),
                Op::MembarGl => Ok(Step::Fence { global: true }),
                Op::Exit => {
                    warp.live &= !active;
                    warp.simt.exit(active);
                    Ok(Step::Exit { finished: warp.done() })
                }
                Op::Trap if active == 0 => Ok(Step::Next),
                Op::Trap => fault(FaultKind::TrapInstruction, active),
                Op::Brkpt if active == 0 => Ok(Step::Next),
                Op::Brkpt => fault(FaultKind::Breakpoint, active),
            }
        }
    };
}
for_each_uop!(define_execute);

/// Executes an access to memory. `memory` is the micro-op's, a constant: nothing is decided here at run time.
#[inline(always)]
fn access_memory(
    kernel: &Kernel,
    warp: &mut Warp,
    inst: &Inst,
    memory: Memory,
    shared: &mut [u8],
    access: &mut Access,
) -> Outcome {
    use MemoryKind::{Atomic, Cas, Load, Reduction, Store};
    use MemorySpace::{Const, Generic, Global, Local, Param, Shared};
    macro_rules! run {
        ($function:path, $step:ident) => {{
            wide::run(wide::work!($function), kernel, warp, inst, shared, access)?;
            Ok(Step::$step)
        }};
    }
    match (memory.kind, memory.space) {
        (Load, Param) => run!(ldst::load, Param),
        (Load, Const) => run!(ldst::load, Const),
        (Load, Shared) => run!(ldst::load, Shared),
        (Store, Shared) => run!(ldst::store_shared, Shared),
        (Atomic | Cas | Reduction, Shared) => run!(atomic::of_shared, Shared),
        (Load | Store, Global) => run!(ldst::load_or_store_global, Global),
        (Atomic | Cas | Reduction, Global) => run!(atomic::of_global, Global),
        (Load, Local) => run!(local::load, Local),
        (Store, Local) => run!(local::store, Local),
        (Load | Store | Atomic | Cas | Reduction, Generic) => run!(generic::access, Generic),
        (Store | Atomic | Cas | Reduction, Param | Const) | (Atomic | Cas | Reduction, Local) => {
            unreachable!("the list has no such micro-op: {memory:?}")
        }
    }
}

/// The end of an instruction that cannot be executed.
#[cold]
fn fault(kind: FaultKind, lanes: u32) -> Outcome {
    Err(Box::new(Fault { kind, lanes }))
}

/// Calls the code at `target` in lanes `called`; `again` call when those are back.
fn jump(warp: &mut Warp, called: u32, again: u32, target: u32) -> Outcome {
    if warp.simt.call(called, again, target) {
        return Ok(Step::Jump);
    }
    let calls = warp.simt.returns().len() as u32;
    fault(FaultKind::CallStackFull { calls }, called)
}

/// Calls the function whose address the lowest active lane holds, in all lanes that hold it.
fn call_indirect(kernel: &Kernel, warp: &mut Warp, inst: &Inst, active: u32) -> Outcome {
    if active == 0 {
        return jump(warp, 0, 0, 0);
    }
    let address = |lane: usize| match inst.aux & Inst::ADDR64 {
        0 => u64::from(rows::w(kernel, warp, inst.src[0])[lane]),
        _ => rows::d(kernel, warp, inst.src[0])[lane],
    };
    let first = address(active.trailing_zeros() as usize);
    let called =
        mask::lanes(active).filter(|lane| address(*lane) == first).fold(0, |all, lane| all | 1 << lane);
    let function = FunctionCode::number_at(first).and_then(|number| kernel.program.function(number));
    match function {
        Some(function) if function.signature == inst.imm => {
            jump(warp, called, active & !called, function.start)
        }
        found => {
            let name = found.map(|function| function.name.clone());
            fault(FaultKind::BadCall { address: first, function: name }, called)
        }
    }
}

#[cfg(test)]
mod tests;

#[cfg(test)]
mod speed;
