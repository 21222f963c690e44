//! The portable form. It is a module of its own because the compiler works on modules in parallel,
//! and the loops in both forms are most of what there is to compile.

use super::Work;
use crate::exec::{Access, Kernel, Warp};
use isa::uop::Inst;

/// `work` with the vectors that every CPU of the target has.
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
