//! The portable form. It is a module of its own because the compiler works on modules in parallel, and the
//! loops in both forms are most of what there is to compile.

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
    shared: &mut [u8],
    access: &mut Access,
) -> W::Out {
    work.run::<false>(kernel, warp, inst, shared, access)
}
