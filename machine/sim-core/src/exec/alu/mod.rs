//! The lane loops of the arithmetic instructions. Each [`Shape`](isa::uop::Shape) has one type of
//! the same name, which holds a function of one lane and applies it to the active lanes. The shape
//! `w_row` holds a function of all lanes.
//!
//! Each loop computes all 32 lanes from rows read in place and then writes the active lanes. It has
//! no branch per lane, so that it is vectorized. A function of one lane must therefore accept any
//! input bits. [`wide`](super::wide) decides for which micro-ops a loop is compiled. The others,
//! and CPUs without wide vectors, share one scalar loop per shape.

#![expect(non_camel_case_types, reason = "the types have the names of the shapes")]

mod multiply_add;

pub use multiply_add::{d_fma, w_fma, w_mad};

use super::mask::{BITS, combined, store, store_bits};
use super::wide::Work;
use super::{Access, Kernel, Warp, rows};
use isa::sem::video::Video;
use isa::uop::Inst;

/// Defines a shape: a type that wraps a function of one lane, from `$arg` to `$out`, and its loop
/// over the lanes of `$mask`.
macro_rules! shape {
    ($(#[$doc:meta])* $name:ident(($($arg:ty),+) -> $out:ty)
     |$function:ident, $kernel:ident, $warp:ident, $inst:ident, $mask:ident| $body:block) => {
        $(#[$doc])*
        #[derive(Clone, Copy)]
        pub struct $name<F: Fn($($arg),+) -> $out + Copy>(pub F);

        impl $name<fn($($arg),+) -> $out> {
            /// The loop that calls the function in each lane: the same code for all functions.
            pub fn scalar(function: fn($($arg),+) -> $out) -> Self {
                Self(function)
            }
        }

        impl<F: Fn($($arg),+) -> $out + Copy> Work for $name<F> {
            type Out = ();

            #[inline(always)]
            fn run(self, $kernel: &Kernel, $warp: &mut Warp, $inst: &Inst, access: &mut Access, _: &mut [u8]) {
                let $function = self.0;
                let $mask = access.mask;
                $body
            }
        }
    };
}

/// Defines the loops whose destination and sources are 32-bit and 64-bit rows.
macro_rules! rows_to_row {
    ($($(#[$doc:meta])* $name:ident: $file:ident $out:ty = $($arg:ident $src:ident $at:literal $ty:ty),+;)*) => {$(
        shape! {
            $(#[$doc])*
            $name(($($ty),+) -> $out) |lane, kernel, warp, inst, mask| {
                $(let $arg = rows::$src(kernel, warp, inst.src[$at]);)+
                // A plain loop: the compiler would not inline a closure around a long lane
                // function.
                let mut out = [0; 32];
                for (l, out) in out.iter_mut().enumerate() {
                    *out = lane($($arg[l]),+);
                }
                store(&mut warp.$file[inst.dst as usize], &out, mask);
            }
        }
    )*};
}

rows_to_row! {
    /// 32 ← 32.
    w_w: w u32 = a w 0 u32;
    /// 32 ← 32, 32.
    w_ww: w u32 = a w 0 u32, b w 1 u32;
    /// 32 ← 32, 32, 32.
    w_www: w u32 = a w 0 u32, b w 1 u32, c w 2 u32;
    /// 32 ← 32, 32, 32, 32.
    w_wwww: w u32 = a w 0 u32, b w 1 u32, c w 2 u32, e w 3 u32;
    /// 32 ← 64.
    w_d: w u32 = a d 0 u64;
    /// 64 ← 32.
    d_w: d u64 = a w 0 u32;
    /// 64 ← 32, 32.
    d_ww: d u64 = a w 0 u32, b w 1 u32;
    /// 64 ← 32, 32, 64.
    d_wwd: d u64 = a w 0 u32, b w 1 u32, c d 2 u64;
    /// 64 ← 64.
    d_d: d u64 = a d 0 u64;
    /// 64 ← 64, 64.
    d_dd: d u64 = a d 0 u64, b d 1 u64;
    /// 64 ← 64, 64, 64.
    d_ddd: d u64 = a d 0 u64, b d 1 u64, c d 2 u64;
    /// 64 ← 64, 32.
    d_dw: d u64 = a d 0 u64, b w 1 u32;
    /// 64 ← 64, 32, 32.
    d_dww: d u64 = a d 0 u64, b w 1 u32, c w 2 u32;
    /// 64 ← 64, 64, 32, 32.
    d_ddww: d u64 = a d 0 u64, b d 1 u64, c w 2 u32, e w 3 u32;
}

shape! {
    /// 32 ← 32 of all lanes.
    w_row((&[u32; 32]) -> [u32; 32]) |lanes, kernel, warp, inst, mask| {
        let out = lanes(rows::w(kernel, warp, inst.src[0]));
        store(&mut warp.w[inst.dst as usize], &out, mask);
    }
}

shape! {
    /// 32 ← 32, 32, 32 with the modifiers of a video instruction, which the verifier has checked.
    w_video((u32, u32, u32, &Video) -> u32) |lane, kernel, warp, inst, mask| {
        let [a, b, c] = [0, 1, 2].map(|source| rows::w(kernel, warp, inst.src[source]));
        let video = inst.video().unwrap_or_default();
        let mut out = [0; 32];
        for (l, out) in out.iter_mut().enumerate() {
            *out = lane(a[l], b[l], c[l], &video);
        }
        store(&mut warp.w[inst.dst as usize], &out, mask);
    }
}

shape! {
    /// 32 ← 32, 32, predicate.
    w_wwp((u32, u32, bool) -> u32) |lane, kernel, warp, inst, mask| {
        let (a, b) = (rows::w(kernel, warp, inst.src[0]), rows::w(kernel, warp, inst.src[1]));
        let p = rows::p(warp, inst.src[2]);
        let mut out = [0; 32];
        for (l, out) in out.iter_mut().enumerate() {
            *out = lane(a[l], b[l], p & 1 << l != 0);
        }
        store(&mut warp.w[inst.dst as usize], &out, mask);
    }
}

shape! {
    /// 32 and predicate ← 32, 32.
    wp_ww((u32, u32) -> (u32, bool)) |lane, kernel, warp, inst, mask| {
        let (a, b) = (rows::w(kernel, warp, inst.src[0]), rows::w(kernel, warp, inst.src[1]));
        let mut out = [0; 32];
        let mut set = [0; 32];
        for (l, out) in out.iter_mut().enumerate() {
            let (value, bit) = lane(a[l], b[l]);
            *out = value;
            set[l] = if bit { BITS[l] } else { 0 };
        }
        store(&mut warp.w[inst.dst as usize], &out, mask);
        store_bits(&mut warp.p[inst.dst2 as usize], combined(&set), mask);
    }
}

shape! {
    /// 32 and predicate ← 32, 32, predicate.
    wp_wwp((u32, u32, bool) -> (u32, bool)) |lane, kernel, warp, inst, mask| {
        let (a, b) = (rows::w(kernel, warp, inst.src[0]), rows::w(kernel, warp, inst.src[1]));
        let p = rows::p(warp, inst.src[2]);
        let mut out = [0; 32];
        let mut set = [0; 32];
        for (l, out) in out.iter_mut().enumerate() {
            let (value, bit) = lane(a[l], b[l], p & 1 << l != 0);
            *out = value;
            set[l] = if bit { BITS[l] } else { 0 };
        }
        store(&mut warp.w[inst.dst as usize], &out, mask);
        store_bits(&mut warp.p[inst.dst2 as usize], combined(&set), mask);
    }
}

shape! {
    /// 64 ← 64, 64, predicate.
    d_ddp((u64, u64, bool) -> u64) |lane, kernel, warp, inst, mask| {
        let (a, b) = (rows::d(kernel, warp, inst.src[0]), rows::d(kernel, warp, inst.src[1]));
        let p = rows::p(warp, inst.src[2]);
        let mut out = [0; 32];
        for (l, out) in out.iter_mut().enumerate() {
            *out = lane(a[l], b[l], p & 1 << l != 0);
        }
        store(&mut warp.d[inst.dst as usize], &out, mask);
    }
}

shape! {
    /// Predicate ← 32, 32.
    p_ww((u32, u32) -> bool) |lane, kernel, warp, inst, mask| {
        let (a, b) = (rows::w(kernel, warp, inst.src[0]), rows::w(kernel, warp, inst.src[1]));
        let mut set = [0; 32];
        for (l, set) in set.iter_mut().enumerate() {
            *set = if lane(a[l], b[l]) { BITS[l] } else { 0 };
        }
        store_bits(&mut warp.p[inst.dst as usize], combined(&set), mask);
    }
}

shape! {
    /// Predicate ← 64, 64.
    p_dd((u64, u64) -> bool) |lane, kernel, warp, inst, mask| {
        let (a, b) = (rows::d(kernel, warp, inst.src[0]), rows::d(kernel, warp, inst.src[1]));
        let mut set = [0; 32];
        for (l, set) in set.iter_mut().enumerate() {
            *set = if lane(a[l], b[l]) { BITS[l] } else { 0 };
        }
        store_bits(&mut warp.p[inst.dst as usize], combined(&set), mask);
    }
}

shape! {
    /// Predicate ← predicate. The function of one lane has only two possible inputs, so all lanes
    /// are computed together.
    p_p((bool) -> bool) |lane, _kernel, warp, inst, mask| {
        let a = rows::p(warp, inst.src[0]);
        let bits = all(lane(false)) & !a | all(lane(true)) & a;
        store_bits(&mut warp.p[inst.dst as usize], bits, mask);
    }
}

shape! {
    /// Predicate ← predicate, predicate. Uses the truth table of the function, as [`p_p`] does.
    p_pp((bool, bool) -> bool) |lane, _kernel, warp, inst, mask| {
        let (a, b) = (rows::p(warp, inst.src[0]), rows::p(warp, inst.src[1]));
        let bits = all(lane(false, false)) & !a & !b
            | all(lane(false, true)) & !a & b
            | all(lane(true, false)) & a & !b
            | all(lane(true, true)) & a & b;
        store_bits(&mut warp.p[inst.dst as usize], bits, mask);
    }
}

/// Returns a mask with all lanes true or all lanes false.
fn all(value: bool) -> u32 {
    if value { u32::MAX } else { 0 }
}

#[cfg(test)]
mod tests;
