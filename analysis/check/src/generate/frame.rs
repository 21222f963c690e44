//! The code around a kernel's statements: the extents of the launch, the buffers that follow from
//! them, and the prologue that computes addresses and initializes all registers.

use super::ops::TALLIES;
use super::tree::{DOUBLES, FLOATS, WIDES, WORDS};

/// Bytes of the read-only input.
pub const INPUT_BYTES: u32 = 2048;
/// Bytes of shared memory: 128 cells of at most 32 bytes.
pub(super) const BOARD_BYTES: u32 = 4096;
/// Bytes from one scattered private cell to the next.
pub(super) const SCATTERED: u32 = 40;
/// Bytes of a thread's results, if they are contiguous.
const RESULT: u32 = 4 * (WORDS + FLOATS) as u32 + 4 + 8 * (WIDES + DOUBLES) as u32;
/// The first target with double precision.
pub(super) const FIRST_DOUBLE: u32 = 13;
/// Bytes of local memory per thread.
pub(super) const SLOT_BYTES: u32 = 64;
/// Bytes of a thread's aligned cell.
pub(super) const ALIGNED: u32 = 32;
/// Cells of one tally, and bytes of each.
pub(super) const TALLY: (u32, u32) = (4, 8);
/// Bytes of all tallies in one memory space.
pub(super) const TALLY_BYTES: u32 = TALLY.0 * TALLY.1 * TALLIES.len() as u32;

/// Extents of the launch that a kernel is printed for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extents {
    /// Number of blocks.
    pub blocks: u32,
    /// Threads per block, at most 128.
    pub threads: u32,
    /// Whether the results of each thread are contiguous, instead of those of each register.
    pub results_by_thread: bool,
}

impl Extents {
    /// Threads of the grid.
    pub(super) fn all(self) -> u32 {
        self.blocks * self.threads
    }

    /// Bytes of the private cells.
    pub fn own_bytes(self) -> u32 {
        self.aligned() + ALIGNED * self.all()
    }

    /// Offset of the aligned cells.
    fn aligned(self) -> u32 {
        ((4 + 8 + SCATTERED) * self.all() + 8).next_multiple_of(ALIGNED)
    }

    /// Bytes of the tallies: those in global memory, then the final values of each block's shared
    /// memory.
    pub fn tally_bytes(self) -> u32 {
        TALLY_BYTES * (1 + self.blocks)
    }

    /// Bytes of the cells that warps share.
    pub fn warp_cell_bytes(self) -> u32 {
        32 * self.threads.div_ceil(32) * self.blocks
    }

    /// Bytes of the results.
    pub fn out_bytes(self) -> u32 {
        RESULT * self.all() + 8
    }

    /// Bytes at the end of the results that no thread may ever store: not every target has doubles.
    pub fn out_padding(self) -> u32 {
        (4 + 8 * u32::from(DOUBLES)) * self.all() + 8
    }

    /// Number of cells of an exchange.
    pub(super) fn cells(self) -> u32 {
        self.threads.next_power_of_two()
    }
}

/// Computes addresses, initializes all registers, and counts the execution of the block; `sm` is
/// the target.
pub(super) fn prologue(e: Extents, sm: u32) -> String {
    let all = e.all();
    let warps = e.threads.div_ceil(32);
    let double = (4 * all).next_multiple_of(8);
    let (word, wide, wides) = if e.results_by_thread {
        (RESULT, RESULT, 4 * u32::from(WORDS + FLOATS) + 4)
    } else {
        (4, 8, (4 * u32::from(WORDS + FLOATS) * all).next_multiple_of(8))
    };
    let doubles = if sm >= FIRST_DOUBLE {
        "cvt.rn.f64.s32 %e0, %r5;\ncvt.rn.f64.u32 %e1, %all;\nmov.f64 %e2, 0dBFF8000000000001;\n"
    } else {
        ""
    };
    format!(
        "mov.u32 %tid, %tid.x;
mov.u32 %cta, %ctaid.x;
and.b32 %lane, %tid, 31;
mad24.lo.u32 %all, %cta, {threads}, %tid;
ld.param.u32 %t0, [own];
mad24.lo.u32 %dense, %all, 4, %t0;
mad24.lo.u32 %double, %all, 8, %t0;
add.u32 %double, %double, {double};
mad24.lo.u32 %scattered, %all, {SCATTERED}, %t0;
add.u32 %scattered, %scattered, {scattered};
mad24.lo.u32 %aligned, %all, {ALIGNED}, %t0;
add.u32 %aligned, %aligned, {aligned};
ld.param.u32 %tally, [tally];
mov.u32 %heap, heap;
mov.u32 %mine, mine;
mad24.lo.u32 %mine, %tid, 4, %mine;
ld.param.u32 %warp_cells, [warp_cells];
shr.u32 %t1, %tid, 5;
mad24.lo.u32 %t1, %cta, {warps}, %t1;
mad24.lo.u32 %warp_cells, %t1, 32, %warp_cells;
ld.param.u32 %cells, [cells];
mov.u32 %board, board;
ld.param.u32 %t0, [out];
mad24.lo.u32 %out, %all, {word}, %t0;
mad24.lo.u32 %out8, %all, {wide}, %t0;
add.u32 %out8, %out8, {wides};
setp.eq.u32 %q, %tid, 0;
ld.param.u32 %t0, [counts];
mad24.lo.u32 %t0, %cta, 4, %t0;
@%q ld.global.u32 %t1, [%t0];
@%q add.u32 %t1, %t1, 1;
@%q st.global.u32 [%t0], %t1;
ld.param.u32 %t0, [input];
mov.u32 %r0, %all;
mul.lo.u32 %r1, %all, 0x9E3779B1;
and.b32 %t1, %all, 255;
mad24.lo.u32 %t1, %t1, 4, %t0;
ld.global.u32 %r2, [%t1];
mov.u32 %r3, %lane;
add.u32 %r4, %cta, 3;
xor.b32 %r5, %r1, 0x5bd1e995;
cvt.rn.f32.u32 %f0, %all;
cvt.rn.f32.u32 %f1, %r1;
mov.f32 %f2, 0fBFC00000;
cvt.u64.u32 %d0, %r1;
mul.wide.u32 %d1, %r1, %r5;
{doubles}",
        threads = e.threads,
        scattered = double + 8 * all,
        aligned = e.aligned(),
    )
}
