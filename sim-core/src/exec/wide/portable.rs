//! The portable version. It is in a separate module because the compiler compiles modules in
//! parallel, and the loops in both versions are most of the code.

use super::Work;
use crate::exec::{Access, Kernel, Warp};
use isa::uop::Inst;

/// Executes `work` with the vectors that every CPU of the target supports.
#[inline(never)]
pub fn portable<W: Work>(
    work: W,
    kernel: &Kernel,
    warp: &mut Warp,
    inst: &Inst,
    access: &mut Access,
    shared: &mut [u8],
) -> W::Out {
    work.run::<false>(kernel, warp, inst, access, shared)
}
