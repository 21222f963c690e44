//! Tests of the lane loops.

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
    apply(p_ww(|a, b| a % 4 == b % 4 && a < 4), &kernel, &mut warp, &inst(Op::SetpLtU32, 0, [0, 1]), 0xff);
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
    apply(d_ddp(|a, b, p| if p { a } else { b }), &kernel, &mut warp, &inst(Op::SelpB64, 2, [0, 1, 4]), 1);
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
