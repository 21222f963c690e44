//! Host time of a warp instruction, measured manually: `cargo test --release -p sim-core speed --
//! --ignored --nocapture`. Only this test of the crate reads a clock.

use super::*;
use crate::exec::build::{Builder, bra, guarded, inst, memory, with_imm};
use isa::uop::{NO_ROW, TO_EXIT};
use std::array::from_fn;
use std::hint::black_box;
use std::time::Instant;

/// Prints the nanoseconds per `inst`, dispatch included: the minimum of several runs over a long
/// program without branches.
fn measure(name: &str, inst: Inst, active: u32) {
    const LENGTH: u32 = 1000;
    let mut builder =
        Builder::new().rows(8, 4, 4).const32(3).allocate(0x1000, 0x1000).banks(&[7; 64], &[1; 64]);
    for _ in 0..LENGTH {
        builder = builder.inst(guarded(inst, 3, false));
    }
    let (kernel, mut warp) = builder.inst(bra(0, TO_EXIT)).started();
    for r in 0..4 {
        warp.w[r] = from_fn(|l| (1.5 + l as f32 * 0.7 + r as f32).to_bits());
        warp.d[r] = from_fn(|l| 77 * l as u64 + r as u64);
    }
    warp.w[4] = from_fn(|l| 4 * l as u32);
    warp.w[5] = from_fn(|l| 0x1000 + 4 * l as u32);
    warp.w[6] = from_fn(|l| 4 * (l as u32 / 16));
    warp.p[3] = active;
    let (mut shared, mut access) = (vec![0; 256], Access::new());
    let mut best = f64::INFINITY;
    for _ in 0..20 {
        let begin = Instant::now();
        for _ in 0..10 * (LENGTH + 1) {
            let _ = black_box(step(&kernel, &mut warp, &mut access, &mut shared, 0));
        }
        best = best.min(begin.elapsed().as_nanos() as f64 / f64::from(10 * (LENGTH + 1)));
    }
    println!("{name:34} {best:7.1} ns");
}

#[test]
#[ignore = "a measurement, not a check"]
fn speed() {
    let cases = [
        ("AddB32", inst(Op::AddB32, 0, [1, 2])),
        ("AddB32 constant", inst(Op::AddB32, 0, [1, 8])),
        ("MovB32", inst(Op::MovB32, 0, [1])),
        ("ShlB32", inst(Op::ShlB32, 0, [1, 8])),
        ("MulLoB32", inst(Op::MulLoB32, 0, [1, 2])),
        ("Mad24LoU32", inst(Op::Mad24LoU32, 0, [1, 2, 3])),
        ("DivU32", inst(Op::DivU32, 0, [1, 2])),
        ("AddFtzF32", inst(Op::AddFtzF32, 0, [1, 2])),
        ("MulFtzF32", inst(Op::MulFtzF32, 0, [1, 2])),
        ("MadTruncF32", inst(Op::MadTruncF32, 0, [1, 2, 3])),
        ("AddB64", inst(Op::AddB64, 0, [1, 2])),
        ("MulWideU32", inst(Op::MulWideU32, 0, [1, 2])),
        ("SetpLtS32", inst(Op::SetpLtS32, 0, [1, 2])),
        ("SetpLtFtzF32", inst(Op::SetpLtFtzF32, 0, [1, 2])),
        ("SetpLtU64", inst(Op::SetpLtU64, 0, [1, 2])),
        ("SelpB32", inst(Op::SelpB32, 0, [1, 2, 0])),
        ("AndPred", inst(Op::AndPred, 0, [1, 2])),
        ("MovSreg %tid.x", with_imm(Op::MovSreg, 0, 0)),
        ("LdParamB32", memory(Op::LdParamB32, 0, NO_ROW, 4)),
        ("LdSharedB32", memory(Op::LdSharedB32, 0, 4, 0)),
        ("LdSharedB32 broadcast", memory(Op::LdSharedB32, 0, 6, 0)),
        ("StSharedB32", memory(Op::StSharedB32, 0, 4, 0)),
        ("LdGlobalB32", memory(Op::LdGlobalB32, 0, 5, 0)),
        ("StGlobalB32", memory(Op::StGlobalB32, 0, 5, 0)),
        ("Bra", bra(0, TO_EXIT)),
        ("AddF32", inst(Op::AddF32, 0, [1, 2])),
        ("MulF32", inst(Op::MulF32, 0, [1, 2])),
        ("FmaF32", inst(Op::FmaF32, 0, [1, 2, 3])),
        ("FmaFtzF32", inst(Op::FmaFtzF32, 0, [1, 2, 3])),
        ("SetpLtF32", inst(Op::SetpLtF32, 0, [1, 2])),
    ];
    for (name, inst) in cases {
        measure(name, inst, u32::MAX);
    }
    measure("AddB32 half the lanes", cases[0].1, 0x5555_5555);
    measure("LdSharedB32 half the lanes", cases[19].1, 0x5555_5555);
    measure("StSharedB32 half the lanes", cases[21].1, 0x5555_5555);
}
