//! Latencies by which the scheduler orders instructions, in issue slots of one warp. A program is
//! compiled for a target, not for a chip, so these are classes: memory off the chip, memory and
//! units that take several passes, and arithmetic.

use crate::lower::code::VInst;
use crate::uop::{Class, MemorySpace};

/// Arithmetic: 24 cycles of 4 for each instruction on compute capability 1.x (Volkov & Demmel, SC
/// 2008).
const ARITHMETIC: u32 = 6;

/// Shared and constant memory, special functions, double precision and sequences.
const UNIT: u32 = 10;

/// Global and local memory: hundreds of cycles.
const MEMORY: u32 = 100;

/// Returns the number of issue slots until the results of a micro-op can be read.
pub fn of(inst: &VInst) -> u32 {
    match inst.op.memory().map(|memory| memory.space) {
        Some(MemorySpace::Global | MemorySpace::Local | MemorySpace::Generic) => MEMORY,
        Some(MemorySpace::Shared | MemorySpace::Const | MemorySpace::Param) => UNIT,
        None if is_slow(inst.op.class()) => UNIT,
        None => ARITHMETIC,
    }
}

/// Whether the class of an arithmetic instruction has a long latency.
fn is_slow(class: Class) -> bool {
    use Class::{
        DAdd, DCmp, DCvt, DDiv, DFma, DLookup, DMul, DRcp, DSqrt, FDiv, FDivApprox, FDivRn, FRcp, FRcpRn,
        FSin, FSqrt, FSqrtRn, IntDiv, IntDiv64, IntDivS, IntMad, IntMul, IntMul64, IntMulHi, IntMulHi64,
        IntMulHiS, IntRem, IntRemS,
    };
    matches!(
        class,
        DAdd | DCmp
            | DCvt
            | DDiv
            | DFma
            | DLookup
            | DMul
            | DRcp
            | DSqrt
            | FDiv
            | FDivApprox
            | FDivRn
            | FRcp
            | FRcpRn
            | FSin
            | FSqrt
            | FSqrtRn
            | IntDiv
            | IntDiv64
            | IntDivS
            | IntMad
            | IntMul
            | IntMul64
            | IntMulHi
            | IntMulHi64
            | IntMulHiS
            | IntRem
            | IntRemS
    )
}
