//! Compares the result of [`stored`] with the bytes that the store writes.

use super::*;
use crate::exec::build::{Builder, memory};
use crate::exec::{Step, step};
use isa::generic::SHARED_WINDOW;

/// Bytes of shared memory, and of global memory at [`GLOBAL`]: 16 for each lane.
const BYTES: u32 = 16 * 32;

const GLOBAL: u32 = 0x1000;

/// Every store to shared memory, to shared memory by a generic address, and to global memory.
const STORES: [[Op; 3]; 7] = [
    [Op::StSharedB8, Op::StGenericB8, Op::StGlobalB8],
    [Op::StSharedB16, Op::StGenericB16, Op::StGlobalB16],
    [Op::StSharedB32, Op::StGenericB32, Op::StGlobalB32],
    [Op::StSharedB64, Op::StGenericB64, Op::StGlobalB64],
    [Op::StSharedV2B32, Op::StGenericV2B32, Op::StGlobalV2B32],
    [Op::StSharedV4B32, Op::StGenericV4B32, Op::StGlobalV4B32],
    [Op::StSharedV2B64, Op::StGenericV2B64, Op::StGlobalV2B64],
];

/// Value of lane `lane` of row `row`: a different number in each byte.
fn value(row: u64, lane: usize) -> u64 {
    0x0706_0504_0302_0100 + 0x0808_0808_0808_0808 * (4 * (lane as u64 % 4) + row)
}

/// Executes `op` with lanes 16 bytes apart, from `window` on.
fn execute(op: Op, window: u32) -> (Kernel, Warp, Inst, Vec<u8>, Access, Step) {
    let mut inst = memory(op, 1, 0, 0);
    let width = op.memory().expect("a store").width;
    inst.set_srcs(0..=width.rows() as u16);
    let builder = Builder::new().rows(5, 5, 0).allocate(GLOBAL, BYTES).inst(inst).exit();
    let (kernel, mut warp) = builder.started();
    warp.w[0] = from_fn(|lane| window + 16 * lane as u32);
    for row in 1..5 {
        warp.w[row] = from_fn(|lane| if width.is_wide() { 0 } else { value(row as u64, lane) as u32 });
        warp.d[row] = from_fn(|lane| if width.is_wide() { value(row as u64, lane) } else { 0 });
    }
    let (mut shared, mut access) = (vec![0; BYTES as usize], Access::new());
    let step = step(&kernel, &mut warp, &mut access, &mut shared, 0).expect("no fault");
    (kernel, warp, inst, shared, access, step)
}

#[test]
fn stored_returns_the_bytes_that_a_store_writes() {
    for ops in STORES {
        for (op, window) in ops.into_iter().zip([0, SHARED_WINDOW, GLOBAL]) {
            let (kernel, warp, inst, shared, access, step) = execute(op, window);
            for lane in 0..32 {
                let bytes = access.bytes as usize;
                let put = if step == Step::Global {
                    let words = access.words.iter().flat_map(|word| word[lane].to_le_bytes());
                    words.take(bytes).collect()
                } else {
                    shared[16 * lane..][..bytes].to_vec()
                };
                let said = stored(&kernel, &warp, &inst, lane).expect("a store").to_le_bytes();
                assert_eq!(said[..bytes], put, "{op:?}, lane {lane}");
            }
        }
    }
}

#[test]
fn the_first_element_of_a_vector_is_in_the_lowest_bits() {
    let said = |op| {
        let (kernel, warp, inst, ..) = execute(op, SHARED_WINDOW);
        stored(&kernel, &warp, &inst, 0).expect("a store")
    };
    assert_eq!(said(Op::StGenericV2B32), 0x1312_1110_0b0a_0908);
    assert_eq!(said(Op::StGenericV4B32), 0x2322_2120_1b1a_1918_1312_1110_0b0a_0908);
    assert_eq!(said(Op::StGenericV2B64), 0x1716_1514_1312_1110_0f0e_0d0c_0b0a_0908);
}
