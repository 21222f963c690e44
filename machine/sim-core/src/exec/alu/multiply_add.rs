//! Multiply-adds, which have other functions of one lane if the host has a fused multiply-add: all
//! hosts with wide vectors have.

use super::{d_ddd, w_www};
use crate::exec::mask::store;
use crate::exec::wide::Work;
use crate::exec::{Access, Kernel, Warp, rows};
use isa::sem::double;
use isa::sem::float::{self, Magnitudes, mad_trunc_ordinary};
use isa::uop::Inst;

/// Defines a shape whose loop applies the host's instruction, and whose scalar loop applies the
/// function of the micro-op.
macro_rules! fused {
    ($(#[$doc:meta])* $name:ident: $general:ident $ty:ty, $function:path) => {
        $(#[$doc])*
        #[derive(Clone, Copy)]
        pub struct $name<F: Fn($ty, $ty, $ty) -> $ty + Copy>(pub F);

        impl $name<fn($ty, $ty, $ty) -> $ty> {
            /// The scalar loop of the general shape.
            pub fn scalar(function: fn($ty, $ty, $ty) -> $ty) -> $general<fn($ty, $ty, $ty) -> $ty> {
                $general::scalar(function)
            }
        }

        impl<F: Fn($ty, $ty, $ty) -> $ty + Copy> Work for $name<F> {
            type Out = ();

            #[inline(always)]
            fn run(self, kernel: &Kernel, warp: &mut Warp, inst: &Inst, access: &mut Access, shared: &mut [u8]) {
                $general($function).run(kernel, warp, inst, access, shared);
            }
        }
    };
}

fused! {
    /// 32 ← 32, 32, 32: the fused multiply-add, rounded to nearest.
    w_fma: w_www u32, float::fma_rn_fused_f32
}

fused! {
    /// 64 ← 64, 64, 64: the fused multiply-add, rounded to nearest.
    d_fma: d_ddd u64, double::fma_rn_fused
}

/// 32 ← 32, 32, 32: the multiply-add of `sm_1x`, which has a shorter function for ordinary
/// operands.
#[derive(Clone, Copy)]
pub struct w_mad<F: Fn(u32, u32, u32) -> u32 + Copy>(pub F);

impl w_mad<fn(u32, u32, u32) -> u32> {
    /// The scalar loop of [`w_www`]: without the host's fused multiply-add no function is shorter.
    pub fn scalar(function: fn(u32, u32, u32) -> u32) -> w_www<fn(u32, u32, u32) -> u32> {
        w_www::scalar(function)
    }
}

impl<F: Fn(u32, u32, u32) -> u32 + Copy> Work for w_mad<F> {
    type Out = ();

    #[inline(always)]
    #[expect(clippy::inline_always, reason = "only inlined code is compiled for wide vectors")]
    fn run(self, kernel: &Kernel, warp: &mut Warp, inst: &Inst, access: &mut Access, _: &mut [u8]) {
        let [a, b, c] = [0, 1, 2].map(|source| rows::w(kernel, warp, inst.src[source]));
        let mut out = [0; 32];
        let mut all = Magnitudes::NONE;
        for l in 0..32 {
            all = all.with(a[l], b[l], c[l]);
        }
        if all.are_ordinary() {
            for (l, out) in out.iter_mut().enumerate() {
                *out = mad_trunc_ordinary(a[l], b[l], c[l]);
            }
        } else {
            for (l, out) in out.iter_mut().enumerate() {
                *out = self.0(a[l], b[l], c[l]);
            }
        }
        store(&mut warp.w[inst.dst as usize], &out, access.mask);
    }
}
