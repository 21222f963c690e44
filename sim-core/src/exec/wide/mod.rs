//! Wide vectors: the loops over the 32 lanes are compiled a second time for AVX2, and the version
//! is selected at run time.
//!
//! Both versions are the same Rust code, and the compiler neither contracts nor reorders
//! floating-point operations in either, so they give the same bits. This is the only module with
//! `unsafe` code.

#![cfg_attr(
    target_arch = "x86_64",
    expect(
        unsafe_code,
        reason = "a function with target features may only be called on a CPU that has them"
    )
)]
#![expect(clippy::inline_always, reason = "only inlined code is compiled for wide vectors")]

mod portable;

use super::{Access, Kernel, Warp};
use crate::hooks::Hooks;
use isa::uop::{Class, Inst};
pub use portable::portable;

/// Vector instructions of the host that a launch may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Vectors {
    /// Set only on a CPU that has all features of [`avx2`].
    avx2: bool,
}

impl Vectors {
    /// The vectors that every CPU of the target supports.
    pub const PORTABLE: Self = Self { avx2: false };

    /// The vectors of a launch: the widest, unless a test selects the portable version.
    pub fn of(hooks: Hooks) -> Self {
        if hooks.is_portable() { Self::PORTABLE } else { Self::widest() }
    }

    /// The widest vectors that this CPU supports.
    pub fn widest() -> Self {
        #[cfg(target_arch = "x86_64")]
        let avx2 = is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt");
        #[cfg(not(target_arch = "x86_64"))]
        let avx2 = false;
        Self { avx2 }
    }
}

/// Whether the arithmetic of a class is also compiled for wide vectors. Only the classes in which
/// programs spend their time are; the others would increase the build time by a third.
pub const fn pays(class: Class) -> bool {
    match class {
        Class::Mov
        | Class::Mov64
        | Class::Select
        | Class::IntAdd
        | Class::IntAbs
        | Class::IntCmp
        | Class::Logic
        | Class::Shift
        | Class::IntMul24
        | Class::IntMul
        | Class::IntMad
        | Class::IntMulWide
        | Class::IntMadWide
        | Class::Int64
        | Class::Cvt
        | Class::FAdd
        | Class::FMul
        | Class::FMad
        | Class::FCmp
        | Class::DAdd
        | Class::DMul
        | Class::DFma
        | Class::FRcp
        | Class::FSqrt => true,
        Class::Select64
        | Class::IntSad
        | Class::IntMulHi
        | Class::IntMulHiS
        | Class::IntDiv
        | Class::IntDivS
        | Class::IntRem
        | Class::IntRemS
        | Class::IntCmp64
        | Class::Logic64
        | Class::Shift64
        | Class::IntMul64
        | Class::IntMulHi64
        | Class::IntDiv64
        | Class::DCmp
        | Class::DCvt
        | Class::DDiv
        | Class::DRcp
        | Class::DSqrt
        | Class::DLookup
        | Class::FSin
        | Class::FDivApprox
        | Class::FDiv
        | Class::FRcpRn
        | Class::FSqrtRn
        | Class::FDivRn
        | Class::Pred
        | Class::Sreg
        | Class::LdParam
        | Class::LdConst
        | Class::LdShared
        | Class::StShared
        | Class::LdGlobal
        | Class::StGlobal
        | Class::AtomGlobal
        | Class::AtomShared
        | Class::LdLocal
        | Class::StLocal
        | Class::Tex
        | Class::Txq
        | Class::Branch
        | Class::Barrier
        | Class::Membar
        | Class::Exit => false,
    }
}

/// Number of iterations of a lane loop: 32. In the portable version the value is hidden from the
/// compiler, so that it does not unroll the loop. Unrolling would increase the build time for a
/// version that few CPUs need.
#[inline(always)]
pub fn lanes<const WIDE: bool>() -> usize {
    if WIDE { 32 } else { std::hint::black_box(32) }
}

/// The effect of a micro-op on the lanes of [`Access::mask`], with loops over lanes.
pub trait Work {
    /// Return type.
    type Out;

    /// Executes the work with wide vectors or in the portable version. This function and its
    /// callees must be `#[inline(always)]`: only inlined code is compiled for wide vectors. Use
    /// plain loops, because the compiler may not inline closures of iterators.
    fn run<const WIDE: bool>(
        self,
        kernel: &Kernel,
        warp: &mut Warp,
        inst: &Inst,
        access: &mut Access,
        shared: &mut [u8],
    ) -> Self::Out;
}

/// Defines work that calls a function with the arguments of [`Work::run`]. The function must be
/// `#[inline(always)]` and return [`Checked`](super::trap::Checked).
macro_rules! work {
    ($function:path) => {{
        struct Call;

        impl $crate::exec::wide::Work for Call {
            type Out = $crate::exec::trap::Checked;

            #[inline(always)]
            fn run<const WIDE: bool>(
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

/// Executes `work` with the vectors of the launch. `shared` is the shared memory of the block. It
/// is the last parameter because the compiler removes it from work that does not use it; the other
/// parameters then keep their registers.
#[inline(always)]
pub fn run<W: Work>(
    work: W,
    kernel: &Kernel,
    warp: &mut Warp,
    inst: &Inst,
    access: &mut Access,
    shared: &mut [u8],
) -> W::Out {
    #[cfg(target_arch = "x86_64")]
    if kernel.vectors.avx2 {
        // SAFETY: Only `Vectors::widest` sets the field, after it has detected these features in
        // this CPU.
        return unsafe { avx2(work, kernel, warp, inst, access, shared) };
    }
    portable(work, kernel, warp, inst, access, shared)
}

/// Executes `work` with 256-bit vectors.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
#[inline(never)]
fn avx2<W: Work>(
    work: W,
    kernel: &Kernel,
    warp: &mut Warp,
    inst: &Inst,
    access: &mut Access,
    shared: &mut [u8],
) -> W::Out {
    work.run::<true>(kernel, warp, inst, access, shared)
}

#[cfg(test)]
mod tests;
