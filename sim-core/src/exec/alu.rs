//! The lane loops of the arithmetic instructions. Each [`Shape`](isa::uop::Shape) has one type of
//! the same name, which holds a function of one lane and applies it to the active lanes.
//!
//! Each loop computes all 32 lanes from rows read in place and then writes the active lanes. It has
//! no branch per lane, so that it is vectorized. A function of one lane must therefore accept any
//! input bits. [`wide`](super::wide) decides for which micro-ops a loop is compiled. The others,
//! and CPUs without wide vectors, share one scalar loop per shape.

#![expect(non_camel_case_types, reason = "the types have the names of the shapes")]

use super::mask::{BITS, combined, store, store_bits};
use super::wide::Work;
use super::{Access, Kernel, Warp, rows};
use isa::sem::float::{Magnitudes, mad_trunc_ordinary};
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
mod tests {
    use super::*;
    use crate::exec::build::{Builder, inst};
    use crate::exec::wide;
    use isa::uop::Op;
    use std::array::from_fn;

    /// A warp with rows of different values in every lane, followed by constants.
    fn ready() -> (Kernel, Warp) {
        let (kernel, mut warp) = Builder::new().rows(3, 3, 3).const32(1000).const64(1 << 33).started();
        for r in 0..3u32 {
            warp.w[r as usize] = from_fn(|l| 100 * r + l as u32);
            warp.d[r as usize] = from_fn(|l| (u64::from(r) << 40) + l as u64);
        }
        warp.p = vec![0xaaaa_aaaa, 0xcccc_cccc, 0xf0f0_f0f0];
        (kernel, warp)
    }

    /// Applies `work` to the lanes of `mask`.
    fn apply(work: impl Work<Out = ()>, kernel: &Kernel, warp: &mut Warp, inst: &Inst, mask: u32) {
        wide::run(work, work, kernel, warp, inst, &mut Access { mask, ..Access::new() }, &mut []);
    }

    #[test]
    fn active_lanes_are_written_from_rows_and_constants() {
        let (kernel, mut warp) = ready();
        apply(w_www(|a, b, c| a + 2 * b + c), &kernel, &mut warp, &inst(Op::SadU32, 0, [0, 1, 3]), 0xf);
        assert_eq!(warp.w[0][..5], [1200, 1203, 1206, 1209, 4]);
        apply(
            d_wwd(|a, b, c| u64::from(a + b) + c),
            &kernel,
            &mut warp,
            &inst(Op::MadWideU32, 2, [1, 2, 3]),
            u32::MAX,
        );
        assert_eq!(warp.d[2][31], 131 + 231 + (1 << 33));
        apply(w_d(|a| (a >> 38) as u32), &kernel, &mut warp, &inst(Op::CvtB32B64, 1, [1]), 1 << 7);
        assert_eq!((warp.w[1][6], warp.w[1][7], warp.w[1][8]), (106, 4, 108));
    }

    #[test]
    fn comparisons_and_selections_are_per_lane() {
        let (kernel, mut warp) = ready();
        apply(
            p_ww(|a, b| a % 4 == b % 4 && a < 4),
            &kernel,
            &mut warp,
            &inst(Op::SetpLtU32, 0, [0, 1]),
            0xff,
        );
        assert_eq!(warp.p[0], 0xaaaa_aa0f);
        apply(
            p_dd(|a, b| a + (1 << 33) - 30 >= b),
            &kernel,
            &mut warp,
            &inst(Op::SetpLtU64, 0, [0, 3]),
            u32::MAX,
        );
        assert_eq!(warp.p[0], 0xc000_0000);
        apply(
            w_wwp(|a, b, p| if p { a } else { b }),
            &kernel,
            &mut warp,
            &inst(Op::SelpB32, 2, [0, 1, 1]),
            u32::MAX,
        );
        assert_eq!(warp.w[2][..4], [100, 101, 2, 3]);
        apply(
            d_ddp(|a, b, p| if p { a } else { b }),
            &kernel,
            &mut warp,
            &inst(Op::SelpB64, 2, [0, 1, 4]),
            1,
        );
        assert_eq!(warp.d[2][..2], [0, (2 << 40) + 1]);
    }

    #[test]
    fn second_results_are_written_in_active_lanes_only() {
        let (kernel, mut warp) = ready();
        let two = |op, src: [u16; 3]| Inst { dst2: 2, ..inst(op, 0, src) };
        warp.w[0] = [u32::MAX; 32];
        warp.p[2] = 0;
        // Lane 0 adds 100, and the sums of all lanes carry.
        apply(wp_ww(u32::overflowing_add), &kernel, &mut warp, &two(Op::AddCcB32, [0, 1, 0]), 0xff);
        assert_eq!((warp.w[0][0], warp.w[0][7], warp.w[0][8], warp.p[2]), (99, 106, u32::MAX, 0xff));
        let carry = |a: u32, b: u32, p: bool| (a + b + u32::from(p), !p);
        warp.w[0] = [0; 32];
        apply(wp_wwp(carry), &kernel, &mut warp, &two(Op::AddcCcB32, [1, 2, 2]), 0xff0);
        assert_eq!((warp.w[0][3], warp.w[0][4], warp.w[0][8]), (0, 104 + 204 + 1, 108 + 208));
        assert_eq!(warp.p[2], 0xf0f, "active lanes without a carry are cleared, inactive lanes keep theirs");
        apply(w_wwww(|a, b, c, e| a + b + c + e), &kernel, &mut warp, &inst(Op::BfiB32, 0, [1, 1, 2, 3]), 1);
        assert_eq!(warp.w[0][..2], [100 + 100 + 200 + 1000, 0]);
    }

    #[test]
    fn predicate_logic_uses_the_truth_table() {
        type Two = fn(bool, bool) -> bool;
        let table: [(Two, u32); 5] = [
            (|a, b| a & b, 0x8888_8888),
            (|a, b| a | b, 0xeeee_eeee),
            (|a, b| a ^ b, 0x6666_6666),
            (|a, b| !a && b, 0x4444_4444),
            (|a, b| a && !b, 0x2222_2222),
        ];
        for (lane, want) in table {
            let (kernel, mut warp) = ready();
            apply(p_pp(lane), &kernel, &mut warp, &inst(Op::AndPred, 2, [0, 1]), u32::MAX);
            assert_eq!(warp.p[2], want);
        }
        let (kernel, mut warp) = ready();
        apply(p_p(|a| !a), &kernel, &mut warp, &inst(Op::NotPred, 2, [0]), 0xff);
        assert_eq!(warp.p[2], 0xf0f0_f055);
    }
}
