//! Wide vectors: the loops over the 32 lanes are compiled for AVX2 on x86-64. For a CPU without it,
//! and for micro-ops that the table does not mark as `wide`, a scalar version calls the function of
//! one lane through a pointer.
//!
//! Both versions have the same functions of one lane, and the compiler neither contracts nor
//! reorders floating-point operations in either, so they give the same bits.

#![cfg_attr(
    target_arch = "x86_64",
    expect(
        unsafe_code,
        reason = "a function with target features may only be called on a CPU that has them"
    )
)]
#![expect(clippy::inline_always, reason = "only inlined code is compiled for wide vectors")]

use super::{Access, Kernel, Warp};
use crate::hooks::Hooks;
use isa::uop::{Inst, MemoryKind, MemorySpace};

/// Vector instructions of the host that a launch may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Vectors {
    /// Set only on a CPU that has all features of the function [`wide`].
    wide: bool,
}

impl Vectors {
    /// No vectors: one lane after the other.
    pub const SCALAR: Self = Self { wide: false };

    /// The vectors of a launch: the widest, unless a test selects the scalar version.
    pub fn of(hooks: Hooks) -> Self {
        if hooks.is_scalar() { Self::SCALAR } else { Self::widest() }
    }

    /// The widest vectors that this CPU supports.
    pub fn widest() -> Self {
        #[cfg(target_arch = "x86_64")]
        let wide = is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("fma")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt");
        #[cfg(not(target_arch = "x86_64"))]
        let wide = true;
        Self { wide }
    }
}

/// Whether accesses of a kind to a space are compiled for wide vectors. Atomics look at each lane.
/// Generic accesses of all kinds are compiled once.
pub const fn pays_for_memory(kind: MemoryKind, space: MemorySpace) -> bool {
    !kind.is_atomic() || matches!(space, MemorySpace::Generic)
}

/// The effect of a micro-op on the lanes of [`Access::mask`], with loops over lanes.
pub trait Work: Copy {
    /// Return type.
    type Out;

    /// Executes the work. This function and its callees must be `#[inline(always)]`: only inlined
    /// code is compiled for wide vectors. Use plain loops, because the compiler may not inline
    /// closures of iterators.
    fn run(
        self,
        kernel: &Kernel,
        warp: &mut Warp,
        inst: &Inst,
        access: &mut Access,
        shared: &mut [u8],
    ) -> Self::Out;
}

/// Defines work that calls a function with the arguments of [`Work::run`]. The function must be
/// `#[inline(always)]`. It returns [`Checked`](super::trap::Checked) unless a type is given.
macro_rules! work {
    ($function:path) => {
        $crate::exec::wide::work!($function => $crate::exec::trap::Checked)
    };
    ($function:path => $out:ty) => {{
        #[derive(Clone, Copy)]
        struct Call;

        impl $crate::exec::wide::Work for Call {
            type Out = $out;

            #[inline(always)]
            fn run(
                self,
                kernel: &Kernel,
                warp: &mut Warp,
                inst: &Inst,
                access: &mut Access,
                shared: &mut [u8],
            ) -> Self::Out {
                $function(kernel, warp, inst, access, shared)
            }
        }
        Call
    }};
}
pub(super) use work;

/// Executes `work` with the vectors of the launch, and `scalar` on a CPU without wide vectors.
/// `shared` is the shared memory of the block. It is the last parameter because the compiler
/// removes it from work that does not use it; the other parameters then keep their registers.
#[inline(always)]
pub fn run<W: Work, S: Work<Out = W::Out>>(
    work: W,
    scalar: S,
    kernel: &Kernel,
    warp: &mut Warp,
    inst: &Inst,
    access: &mut Access,
    shared: &mut [u8],
) -> W::Out {
    if kernel.vectors.wide {
        // SAFETY: Only `Vectors::widest` sets the field, after it has detected these features in
        // this CPU.
        #[cfg(target_arch = "x86_64")]
        return unsafe { wide(work, kernel, warp, inst, access, shared) };
        #[cfg(not(target_arch = "x86_64"))]
        return wide(work, kernel, warp, inst, access, shared);
    }
    self::scalar(scalar, kernel, warp, inst, access, shared)
}

/// Executes `work` with the widest vectors that are used: 256 bits on x86-64, and those that every
/// CPU of the target has elsewhere.
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt"))]
#[inline(never)]
fn wide<W: Work>(
    work: W,
    kernel: &Kernel,
    warp: &mut Warp,
    inst: &Inst,
    access: &mut Access,
    shared: &mut [u8],
) -> W::Out {
    work.run(kernel, warp, inst, access, shared)
}

/// Executes `work` for any CPU of the target.
#[inline(never)]
pub fn scalar<W: Work>(
    work: W,
    kernel: &Kernel,
    warp: &mut Warp,
    inst: &Inst,
    access: &mut Access,
    shared: &mut [u8],
) -> W::Out {
    work.run(kernel, warp, inst, access, shared)
}

#[cfg(test)]
mod tests;
