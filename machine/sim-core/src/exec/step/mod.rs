//! Execution of one warp instruction: a `match` with an arm for each micro-op.
//!
//! Invariant `votes`: A vote reads the predicates of the active lanes only.
//!
//! Invariant `special-registers`: Special registers have the values that PTX defines; `trap` and
//! `brkpt` end a launch at their place.

mod call;

use super::barrier;
use super::{
    Access, Faulted, Kernel, Step, StepResult, Warp, across, alu, ldst, mask, rows, surface, texture, wide,
};
use crate::exec::trap::{Fault, FaultKind};
use isa::for_each_uop;
use isa::sreg::SReg;
use isa::uop::{Inst, MemoryKind, MemorySpace, Op};

/// Executes the next instruction of `warp`, which must have live lanes.
///
/// `shared` is the shared memory of its block, of [`Kernel::shared_bytes`] bytes. `clock` is the
/// value of `%clock64`; its low half is `%clock`. The address of a lane is its value in the address
/// row plus the immediate offset. With a 32-bit row the sum is modulo 2^32. With a 64-bit row the
/// offset is sign-extended, the sum is modulo 2^64, and addresses from 2^32 on are out of bounds.
/// Without a row the address is the offset.
///
/// If the result is `Err`, nothing has been written and the warp has not advanced. A barrier or
/// fence without active lanes is a [`Step::Next`].
pub fn step(
    kernel: &Kernel,
    warp: &mut Warp,
    access: &mut Access,
    shared: &mut [u8],
    clock: u64,
) -> Result<Step, Faulted> {
    let inst = &kernel.program.code[warp.simt.pc() as usize];
    access.mask = mask::active(kernel, warp, inst);
    execute::<true>(kernel, warp, inst, access, shared, clock).map_err(|fault| {
        access.fault = Some(fault);
        Faulted
    })
}

/// Executes at most `most` micro-ops of `warp`, for all of which [`only_computes`] must be true.
/// Stops before a micro-op that faults, and at the reconvergence point of the running lanes.
/// Returns the number of micro-ops executed.
pub fn compute(kernel: &Kernel, warp: &mut Warp, access: &mut Access, shared: &mut [u8], most: u32) -> u32 {
    let (first, side) = (warp.simt.pc() as usize, warp.simt.mask());
    let most = most.min(warp.simt.until_reconv()) as usize;
    let mut done = 0;
    for inst in &kernel.program.code[first..first + most] {
        debug_assert!(only_computes(inst.op), "the caller has checked");
        access.mask = mask::guarded(side, warp, inst);
        if execute::<false>(kernel, warp, inst, access, shared, 0).is_err() {
            break;
        }
        done += 1;
    }
    warp.simt.advance_by(done);
    done
}

/// The function that executes an access of a kind to a space, the function for a CPU without wide
/// vectors, and the resulting [`Step`]. For wide vectors the frequent 32-bit loads and stores are
/// compiled separately per micro-op; all other accesses are compiled once: see [`once`].
macro_rules! memory {
    (Load Const LdConstB32) => {
        (wide::work!(ldst::load::<{ Op::LdConstB32 as u16 }>), once::load(), Step::Const)
    };
    (Load Shared LdSharedB32) => {
        (wide::work!(ldst::load::<{ Op::LdSharedB32 as u16 }>), once::load(), Step::Shared)
    };
    (Store Shared StSharedB32) => {
        (
            wide::work!(ldst::store_shared::<{ Op::StSharedB32 as u16 }>),
            once::store_shared(),
            Step::Shared,
        )
    };
    (Load Global LdGlobalB32) => {
        memory!(@ ldst::load_or_store_global::<{ Op::LdGlobalB32 as u16 }>)
    };
    (Store Global StGlobalB32) => {
        memory!(@ ldst::load_or_store_global::<{ Op::StGlobalB32 as u16 }>)
    };
    (@ $function:path) => {
        (wide::work!($function), once::load_or_store_global(), Step::Global)
    };
    ($kind:ident Param $op:ident) => {
        (once::load(), once::load(), Step::Param)
    };
    ($kind:ident Const $op:ident) => {
        (once::load(), once::load(), Step::Const)
    };
    (Load Shared $op:ident) => {
        (once::load(), once::load(), Step::Shared)
    };
    (Store Shared $op:ident) => {
        (once::store_shared(), once::store_shared(), Step::Shared)
    };
    (Load Global $op:ident) => {
        (once::load_or_store_global(), once::load_or_store_global(), Step::Global)
    };
    (Store Global $op:ident) => {
        (once::load_or_store_global(), once::load_or_store_global(), Step::Global)
    };
    (Load Local $op:ident) => {
        (once::local_load(), once::local_load(), Step::Local)
    };
    (Store Local $op:ident) => {
        (once::local_store(), once::local_store(), Step::Local)
    };
    ($kind:ident Generic $op:ident) => {
        (once::generic_access(), once::generic_access(), Step::Generic)
    };
    ($kind:ident Shared $op:ident) => {
        (once::shared_atomic(), once::shared_atomic(), Step::Shared)
    };
    ($kind:ident Global $op:ident) => {
        (once::global_atomic(), once::global_atomic(), Step::Global)
    };
}

/// Executes an access if it is one of the regular loads that have a path for themselves; otherwise
/// returns `false`.
macro_rules! regular {
    (Load Const LdConstB32, $($argument:ident),*) => {
        regular!(@ LdConstB32, $($argument),*)
    };
    (Load Shared LdSharedB32, $($argument:ident),*) => {
        regular!(@ LdSharedB32, $($argument),*)
    };
    (@ $op:ident, $($argument:ident),*) => {{
        let work = wide::work!(ldst::load_regular::<{ Op::$op as u16 }> => bool);
        wide::run(work, work, $($argument),*)
    }};
    ($kind:ident $space:ident $op:ident, $($argument:ident),*) => {
        false
    };
}

/// Whether an access is to private memory of the thread or the block, or to read-only memory.
macro_rules! is_own {
    (Load Param) => {
        true
    };
    (Load Const) => {
        true
    };
    ($kind:ident Shared) => {
        matches!(MemoryKind::$kind, MemoryKind::Load | MemoryKind::Store)
    };
    ($kind:ident Local) => {
        true
    };
    ($kind:ident Global) => {
        false
    };
    ($kind:ident Generic) => {
        false
    };
}

/// Access functions that are compiled once for all micro-ops. Each use of [`wide::work`] defines a
/// new type and compiles its code again. Separate uses for each micro-op would make these few
/// functions more than half of the code of the crate.
mod once {
    use super::super::trap::Checked;
    use super::super::wide::{self, Work};
    use super::super::{Access, Kernel, Warp, atomic, generic, ldst, local};
    use isa::uop::Inst;

    /// A load from parameters, constants or shared memory.
    pub fn load() -> impl Work<Out = Checked> {
        wide::work!(ldst::load::<{ ldst::ANY }>)
    }

    /// A store to shared memory.
    pub fn store_shared() -> impl Work<Out = Checked> {
        wide::work!(ldst::store_shared::<{ ldst::ANY }>)
    }

    /// A load from global memory or a store to it.
    pub fn load_or_store_global() -> impl Work<Out = Checked> {
        wide::work!(ldst::load_or_store_global::<{ ldst::ANY }>)
    }

    /// A load from local memory.
    pub fn local_load() -> impl Work<Out = Checked> {
        wide::work!(local::load)
    }

    /// A store to local memory.
    pub fn local_store() -> impl Work<Out = Checked> {
        wide::work!(local::store)
    }

    /// An access through generic addresses.
    pub fn generic_access() -> impl Work<Out = Checked> {
        wide::work!(generic::access)
    }

    /// An atomic on shared memory.
    pub fn shared_atomic() -> impl Work<Out = Checked> {
        wide::work!(atomic::of_shared)
    }

    /// An atomic on global memory.
    pub fn global_atomic() -> impl Work<Out = Checked> {
        wide::work!(atomic::of_global)
    }
}

macro_rules! define_execute {
    (alu { $($ac:ident $shape:ident $af:literal {
        $($a:ident $at:literal $module:ident :: $meaning:ident $($word:ident)* $(=> $bound:ident)?;)*
     })* }
     memory { $($kind:ident $space:ident $rc:ident { $($r:ident $rt:literal $width:ident;)* })* }
     machine { $($m:ident $mt:literal $mc:ident $ms:ident;)* }) => {
        /// Whether a micro-op only reads and writes registers and memory that no other block can
        /// write, and its warp continues at the next micro-op.
        pub const fn only_computes(op: Op) -> bool {
            match op {
                $($(Op::$a => true,)*)*
                $($(Op::$r => is_own!($kind $space),)*)*
                $(Op::$m => false,)*
            }
        }

        /// Executes `inst` in the lanes of `access.mask`. With `ADVANCE` the warp advances; without
        /// it, [`only_computes`] must be true for the micro-op.
        // Inlined because it is on the path of every instruction.
        #[inline(always)]
        fn execute<const ADVANCE: bool>(
            kernel: &Kernel,
            warp: &mut Warp,
            inst: &Inst,
            access: &mut Access,
            shared: &mut [u8],
            clock: u64,
        ) -> StepResult {
            let active = access.mask;
            let step = match inst.op {
                $($(Op::$a => {
                    let scalar = alu::$shape::scalar(isa::sem::$module::$meaning);
                    if const { Op::$a.is_wide() } {
                        let work = alu::$shape(isa::sem::$module::$meaning);
                        wide::run(work, scalar, kernel, warp, inst, access, shared);
                    } else {
                        wide::scalar(scalar, kernel, warp, inst, access, shared);
                    }
                    Step::Next
                })*)*
                Op::MovSreg | Op::MovSreg64 => {
                    read_special(kernel, warp, inst, clock, active);
                    Step::Next
                }
                $($(Op::$r => {
                    let (work, scalar, step) = memory!($kind $space $r);
                    if !regular!($kind $space $r, kernel, warp, inst, access, shared) {
                        if const { wide::pays_for_memory(MemoryKind::$kind, MemorySpace::$space) } {
                            wide::run(work, scalar, kernel, warp, inst, access, shared)?;
                        } else {
                            wide::scalar(scalar, kernel, warp, inst, access, shared)?;
                        }
                    }
                    step
                })*)*
                Op::Prefetch | Op::Pmevent | Op::BarWarpSync => Step::Next,
                Op::Tex1dS32 | Op::Tex1dF32 | Op::Tex2dS32 | Op::Tex2dF32 | Op::Tex3dS32 | Op::Tex3dF32
                | Op::TexWide1 | Op::TexWide2 | Op::TexWide3 => {
                    texture::fetch(kernel, warp, inst, access)?;
                    Step::Texture
                }
                Op::Txq | Op::TxqHandle => {
                    texture::query(kernel, warp, inst, active)?;
                    Step::Next
                }
                Op::Sulea | Op::SuleaWide => {
                    surface::address(kernel, warp, inst, active)?;
                    Step::Next
                }
                Op::Suq | Op::SuqHandle => {
                    surface::query(kernel, warp, inst, active)?;
                    Step::Next
                }
                Op::VoteAll | Op::VoteAny | Op::VoteUni | Op::VoteBallot | Op::ActiveMask => {
                    across::vote(warp, inst, active);
                    Step::Next
                }
                Op::VoteSyncAll | Op::VoteSyncAny | Op::VoteSyncUni | Op::VoteSyncBallot => {
                    across::vote_of_masks(kernel, warp, inst, active);
                    Step::Next
                }
                Op::ShflUp | Op::ShflDown | Op::ShflBfly | Op::ShflIdx => {
                    across::shuffle(kernel, warp, inst, active);
                    Step::Next
                }
                // Control-flow instructions set the next instruction themselves.
                Op::Bra => {
                    let diverged = warp.simt.branch(active, inst.imm, inst.aux, kernel.first_path);
                    return Ok(match active {
                        0 => Step::NotTaken,
                        _ if diverged => Step::Diverged,
                        _ => Step::Taken,
                    });
                }
                Op::Call => return call::jump(warp, active, 0, inst.imm),
                Op::CallInd => return call::indirect(kernel, warp, inst, active),
                Op::Ret => {
                    warp.simt.ret(active);
                    return Ok(Step::Jump);
                }
                Op::Exit => {
                    warp.live &= !active;
                    warp.simt.exit(active);
                    return Ok(if warp.done() { Step::LastExit } else { Step::Exit });
                }
                Op::BarSync | Op::BarSyncN | Op::BarArrive | Op::BarRedPopc | Op::BarRedAnd | Op::BarRedOr
                    if active != 0 =>
                {
                    access.arrival = barrier::arrival(kernel, warp, inst, active)?;
                    warp.simt.advance();
                    return Ok(Step::Barrier);
                }
                Op::MembarCta if active != 0 => Step::FenceBlock,
                Op::MembarGl if active != 0 => Step::FenceGlobal,
                Op::Trap if active != 0 => return fault(FaultKind::TrapInstruction, active),
                Op::Brkpt if active != 0 => return fault(FaultKind::Breakpoint, active),
                Op::BarSync | Op::BarSyncN | Op::BarArrive | Op::BarRedPopc | Op::BarRedAnd | Op::BarRedOr
                | Op::MembarCta | Op::MembarGl | Op::Trap | Op::Brkpt => Step::Next,
            };
            if ADVANCE {
                warp.simt.advance();
            }
            Ok(step)
        }
    };
}
for_each_uop!(define_execute);

/// Reads a special register.
#[inline(never)]
fn read_special(kernel: &Kernel, warp: &mut Warp, inst: &Inst, clock: u64, active: u32) {
    if inst.op == Op::MovSreg64 {
        mask::store(&mut warp.d[inst.dst as usize], &[clock; 32], active);
    } else if let Some(register) = SReg::from_code(inst.imm) {
        let row = rows::special(kernel, warp, register, clock as u32);
        mask::store(&mut warp.w[inst.dst as usize], &row, active);
    }
}

/// Returns the fault of an instruction that cannot be executed.
#[cold]
fn fault(kind: FaultKind, lanes: u32) -> StepResult {
    Err(Box::new(Fault { kind, lanes }))
}

#[cfg(test)]
mod tests;

#[cfg(test)]
mod speed;
