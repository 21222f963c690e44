//! Compares the wide and the scalar version of every micro-op that works on lanes, with random
//! operands.

use super::*;
use crate::exec::build::{Builder, guarded};
use crate::exec::step;
use isa::generic::{CONST_WINDOW, LOCAL_WINDOW, SHARED_WINDOW};
use isa::sem::atomic::Operation;
use isa::uop::{MemoryKind, MemorySpace, NO_ROW, Op, OperandKind};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::array::from_fn;

/// Number of instructions of each micro-op.
const ROUNDS: u32 = 200;
/// Number of registers of each file. As many constants follow them; after the predicates follow
/// two.
const ROWS: u16 = 6;
/// Bytes of shared, constant, local and global memory, and of the parameters.
const BYTES: u32 = 1024;
/// Start address of the allocation.
const GLOBAL: u32 = 0x1000;

/// A random 32-bit value: small numbers, special floats and floats of similar magnitude are as
/// frequent as arbitrary bits.
fn value(rng: &mut ChaCha8Rng) -> u32 {
    const SPECIAL: [u32; 12] = [
        0,
        0x8000_0000,
        1,
        0x007f_ffff,
        0x0080_0000,
        0x3f80_0000,
        0x7f7f_ffff,
        0x7f80_0000,
        0xff80_0000,
        0x7fc0_0000,
        0x7f80_0001,
        u32::MAX,
    ];
    let bits: u32 = rng.random();
    match rng.random_range(0..5) {
        0 => SPECIAL[bits as usize % SPECIAL.len()],
        1 => bits % 70,
        2 => bits & 0x81ff_ffff | 0x3e00_0000,
        3 => bits & 0x81ff_ffff,
        _ => bits,
    }
}

/// A random 64-bit value: a double as often as two 32-bit values.
fn wide_value(rng: &mut ChaCha8Rng) -> u64 {
    match rng.random_range(0..4) {
        0 => f64::from(f32::from_bits(value(rng))).to_bits() ^ (rng.random::<u64>() & 3),
        1 => u64::from(value(rng)),
        _ => u64::from(value(rng)) << 32 | u64::from(value(rng)),
    }
}

/// Random addresses for accesses of `bytes` bytes: regular addresses, addresses with gaps, and a
/// few that are out of bounds or misaligned.
fn addresses(rng: &mut ChaCha8Rng, space: MemorySpace, bytes: u32) -> [u32; 32] {
    let windows = [GLOBAL, SHARED_WINDOW, LOCAL_WINDOW, CONST_WINDOW];
    let base = match space {
        MemorySpace::Global => GLOBAL,
        MemorySpace::Generic => windows[rng.random_range(0..4)],
        _ => 0,
    };
    let first = bytes * rng.random_range(0..4);
    let mut at: [u32; 32] = match rng.random_range(0..6) {
        0 => [first; 32],
        1 => from_fn(|l| first + bytes * l as u32),
        2 => from_fn(|l| first + 64 * (l as u32 / 16)),
        3 => from_fn(|l| first + bytes * (l as u32 % 16) + 256 * (l as u32 / 16)),
        4 => from_fn(|l| (first + bytes * (31 - l as u32)) % BYTES),
        _ => from_fn(|_| bytes * rng.random_range(0..BYTES / bytes)),
    };
    if rng.random_range(0..8) == 0 {
        at[rng.random_range(0..32)] ^= if rng.random() { 1 } else { rng.random() };
    }
    at.map(|at| base.wrapping_add(at))
}

/// A random lane mask: a half-warp, few lanes, all lanes, or arbitrary lanes.
fn lanes(rng: &mut ChaCha8Rng) -> u32 {
    match rng.random_range(0..4) {
        0 => 0xffff << (16 * rng.random_range(0..2)),
        1 => rng.random::<u32>() & rng.random::<u32>() & rng.random::<u32>(),
        2 => u32::MAX,
        _ => rng.random(),
    }
}

/// An instruction of `op` with random operands.
fn instruction(op: Op, rng: &mut ChaCha8Rng) -> Inst {
    let mut inst = Inst::new(op);
    let shape = op.shape();
    inst.set_dsts(shape.dsts().into_iter().flatten().map(|_| rng.random_range(0..ROWS)).collect::<Vec<_>>());
    let row = |kind: &OperandKind, rng: &mut ChaCha8Rng| match kind {
        OperandKind::W | OperandKind::D => rng.random_range(0..2 * ROWS),
        OperandKind::P => rng.random_range(0..ROWS + 2),
        OperandKind::Addr => 0,
    };
    let srcs: Vec<u16> = shape.srcs().iter().map(|kind| row(kind, rng)).collect();
    if op.memory().is_some_and(|memory| memory.kind == MemoryKind::Load) {
        inst.src[0] = 0;
    } else {
        inst.set_srcs(srcs);
    }
    if let Some(memory) = op.memory() {
        inst.imm = [0, 16, 0u32.wrapping_sub(16)][rng.random_range(0..3)];
        inst.aux = rng.random_range(0..2) * Inst::ADDR64;
        if rng.random_range(0..10) == 0 {
            inst.src[0] = NO_ROW;
        }
        let does = |operation: &Operation| {
            (memory.kind == MemoryKind::Cas) == (*operation == Operation::Cas)
                && (memory.width.bytes() < 8 || operation.is_wide())
        };
        let operations: Vec<Operation> = Operation::ALL.into_iter().filter(does).collect();
        if memory.kind.is_atomic() {
            inst.aux |= (operations[rng.random_range(0..operations.len())] as u32) << Inst::OPERATION_SHIFT;
        }
    }
    match rng.random_range(0..3) {
        0 => inst,
        _ => guarded(inst, rng.random_range(0..ROWS + 2), rng.random()),
    }
}

#[test]
fn wide_and_scalar_versions_give_the_same_bits() {
    let mut rng = ChaCha8Rng::seed_from_u64(9);
    let mut done = 0;
    for op in Op::ALL.iter().copied().filter(|op| op.meaning().is_some() || op.memory().is_some()) {
        for round in 0..ROUNDS {
            let inst = instruction(op, &mut rng);
            let mut bytes = || (0..BYTES).map(|_| rng.random()).collect::<Vec<u8>>();
            let (params, constants, shared) = (bytes(), bytes(), bytes());
            let mut builder = Builder::new().rows(ROWS, ROWS, ROWS).banks(&params, &constants).local(BYTES);
            for _ in 0..ROWS {
                builder = builder.const32(value(&mut rng)).const64(wide_value(&mut rng));
            }
            let (mut kernel, mut warp) = builder.allocate(GLOBAL, BYTES).inst(inst).exit().started();
            for row in 0..usize::from(ROWS) {
                warp.w[row] = from_fn(|_| value(&mut rng));
                warp.d[row] = from_fn(|_| wide_value(&mut rng));
                warp.p[row] = lanes(&mut rng);
            }
            if let Some(memory) = op.memory() {
                warp.w[0] = addresses(&mut rng, memory.space, memory.width.bytes());
                warp.d[0] = warp.w[0].map(u64::from);
            }
            warp.simt.start(lanes(&mut rng) | 1 << rng.random_range(0..32));
            let [scalar, wide] = [Vectors::SCALAR, Vectors::widest()].map(|vectors| {
                kernel.vectors = vectors;
                let (mut warp, mut shared, mut access) = (warp.clone(), shared.clone(), Access::new());
                let outcome = step(&kernel, &mut warp, &mut access, &mut shared, 0);
                (outcome, warp, shared, format!("{access:?}"))
            });
            assert!(scalar == wide, "{} in round {round}: {inst:?}\n{scalar:#?}\n{wide:#?}", op.text());
            done += u32::from(wide.0.is_ok());
        }
    }
    assert!(done > 80_000, "{done} instructions were executed without a fault");
}

#[test]
fn frequent_micro_ops_have_vector_loops() {
    let of = |text: &str| Op::named(text).unwrap_or_else(|| panic!("no micro-op is `{text}`")).is_wide();
    for text in ["add.rn.f64", "fma.rn.f32", "setp.lt.s32", "cvt.rzi.s32.f64", "cvt.rmi.f64.f64", "rem.s32"] {
        assert!(of(text), "{text}");
    }
    for text in ["add.rz.f64", "fma.rm.ftz.sat.f32", "mul.rp.f32", "cvt.rp.f64.s64", "vadd", "div.s64"] {
        assert!(!of(text), "{text}");
    }
    let loops = Op::ALL.iter().filter(|op| op.is_wide()).count();
    assert!((200..250).contains(&loops), "{loops} vector loops");
}

#[cfg(feature = "test-hooks")]
#[test]
fn a_test_can_select_the_scalar_version() {
    assert_eq!(Vectors::of(Hooks { scalar: true, ..Hooks::default() }), Vectors::SCALAR);
    assert_eq!(Vectors::of(Hooks::default()), Vectors::widest());
}
