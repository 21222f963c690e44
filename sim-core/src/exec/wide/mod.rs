//! Wide vectors: the loops over the 32 lanes are compiled for AVX2 on x86-64. For a CPU without it,
//! and for rare arithmetic, a scalar version calls the function of one lane through a pointer.
//!
//! Both versions have the same functions of one lane, and the compiler neither contracts nor
//! reorders floating-point operations in either, so they give the same bits. This is the only
//! module with `unsafe` code.

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
use isa::uop::{Class, Inst, MemoryKind, MemorySpace};

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

/// Whether a micro-op, of a class and with a text, has a vector loop. Only arithmetic in which
/// programs spend their time has: a loop takes the compiler as long as ten scalar functions.
pub const fn pays(class: Class, text: &str) -> bool {
    class_pays(class) && !is_rare(text)
}

/// Whether the text of a micro-op has modifiers that few programs combine: a directed rounding in
/// conversions, of doubles, or with `.ftz` or `.sat`; a conversion of a 64-bit integer that
/// saturates, or that neither truncates nor rounds to nearest; the exact `rsqrt.approx.f64`.
const fn is_rare(text: &str) -> bool {
    let directed = has(text, "rz") || has(text, "rm") || has(text, "rp");
    let modified = has(text, "cvt") || has(text, "f64") || has(text, "ftz") || has(text, "sat");
    let long = has(text, "cvt") && (has(text, "s64") || has(text, "u64"));
    let float = has(text, "f32") || has(text, "f64");
    directed && modified
        || long && has(text, "sat")
        || long && float && !has(text, "rzi") && !has(text, "rn")
        || has(text, "rsqrt") && has(text, "f64")
}

/// Whether `word` is one of the words of `text`, which points separate.
const fn has(text: &str, word: &str) -> bool {
    let (text, word) = (text.as_bytes(), word.as_bytes());
    let (mut at, mut same) = (0, 0);
    loop {
        if at == text.len() || text[at] == b'.' {
            if same == word.len() {
                return true;
            }
            if at == text.len() {
                return false;
            }
            same = 0;
        } else if same < word.len() && text[at] == word[same] {
            same += 1;
        } else {
            // This word is another one.
            same = usize::MAX;
        }
        at += 1;
    }
}

/// Whether the micro-ops of a class may have vector loops.
const fn class_pays(class: Class) -> bool {
    !matches!(
        class,
        Class::IntMulHi64
            | Class::IntDiv64
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
            | Class::Exit
    )
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
