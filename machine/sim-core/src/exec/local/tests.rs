//! Tests of every width of loads and stores, of unaffected lanes, and of bounds.

use super::*;
use crate::exec::build::{Builder, guarded, memory};
use crate::exec::{Faulted, Step, StepResult, step};
use isa::uop::{NO_ROW, Op};

/// Test setup: a kernel with local memory, its warp and the access buffer.
struct Bench {
    kernel: Kernel,
    warp: Warp,
    access: Access,
}

impl Bench {
    fn new(local_bytes: u32, builder: Builder) -> Self {
        let (kernel, warp) = builder.local(local_bytes).exit().started();
        Self { kernel, warp, access: Access::new() }
    }

    fn step(&mut self) -> StepResult {
        step(&self.kernel, &mut self.warp, &mut self.access, &mut [], 0)
            .map_err(|Faulted| Box::new(self.access.take_fault()))
    }

    /// All bytes of a lane's local memory.
    fn bytes(&self, lane: usize) -> Vec<u8> {
        let words = 0..self.kernel.program.local_bytes.div_ceil(4);
        words.flat_map(|word| self.warp.local.row(word)[lane].to_le_bytes()).collect()
    }
}

/// Tests: `local-memory-is-private`.
#[test]
fn loads_return_stored_values_of_every_width() {
    let widths = [
        (Op::StLocalB8, Op::LdLocalB8, 0x80),
        (Op::StLocalB8, Op::LdLocalS8, 0xffff_ff80),
        (Op::StLocalB16, Op::LdLocalB16, 0xf680),
        (Op::StLocalB16, Op::LdLocalS16, 0xffff_f680),
        (Op::StLocalB32, Op::LdLocalB32, 0x1234_f680),
    ];
    for (st, ld, want) in widths {
        let bytes = st.access_bytes();
        // All lanes at the same address, and each lane at a different one.
        for stride in [0, bytes] {
            let code = Builder::new().inst(memory(st, 0, 1, 16)).inst(memory(ld, 2, 1, 16));
            let mut b = Bench::new(160, code);
            b.warp.w[0] = [0x1234_f680; 32];
            b.warp.w[1] = from_fn(|lane| bytes + lane as u32 * stride);
            assert_eq!((b.step(), b.access.store, b.access.bytes), (Ok(Step::Local), true, bytes));
            assert_eq!(b.access.addr, b.warp.w[1].map(|at| at + 16));
            assert_eq!((b.step(), b.access.store), (Ok(Step::Local), false));
            assert_eq!(b.warp.w[2], [want; 32], "{}", ld.text());
            for lane in 0..32 {
                let (mut expected, at) = ([0; 160], (16 + bytes as usize) + lane * stride as usize);
                expected[at..at + bytes as usize]
                    .copy_from_slice(&0x1234_f680u32.to_le_bytes()[..bytes as usize]);
                assert_eq!(b.bytes(lane), expected, "{} in lane {lane}", st.text());
            }
        }
    }
}

#[test]
fn wide_words_and_vectors_are_stored_word_by_word() {
    let mut wide = memory(Op::StLocalV2B64, 0, 1, 0);
    wide.set_srcs([1, 0, 1]);
    let mut four = memory(Op::LdLocalV4B32, 0, 1, 0);
    four.set_dsts([0, 2, 3, 1]);
    let code = Builder::new().inst(wide).inst(memory(Op::LdLocalB64, 2, 1, 8)).inst(four);
    let mut b = Bench::new(4096, code);
    b.warp.d[0] = from_fn(|lane| lane as u64 | 7 << 32);
    b.warp.d[1] = from_fn(|lane| lane as u64 | 9 << 32);
    b.warp.w[1] = from_fn(|lane| 112 * lane as u32);
    for _ in 0..3 {
        assert_eq!(b.step(), Ok(Step::Local));
    }
    assert_eq!(b.warp.d[2], b.warp.d[1]);
    let lanes: Row32 = from_fn(|lane| lane as u32);
    assert_eq!([b.warp.w[0], b.warp.w[2], b.warp.w[3], b.warp.w[1]], [lanes, [7; 32], lanes, [9; 32]]);
}

#[test]
fn local_memory_is_private_and_inactive_lanes_keep_their_values() {
    let store = guarded(memory(Op::StLocalB32, 0, NO_ROW, 4), 0, false);
    let load = guarded(memory(Op::LdLocalB32, 2, NO_ROW, 4), 0, true);
    let mut b = Bench::new(8, Builder::new().inst(store).inst(load));
    b.warp.w[0] = from_fn(|lane| 100 + lane as u32);
    b.warp.w[2] = [5; 32];
    b.warp.p[0] = 0x0000_ff00;
    b.step().expect("a store");
    b.step().expect("a load");
    assert_eq!(b.warp.local.row(1)[9], 109);
    assert_eq!(b.warp.local.row(1)[1], 0);
    assert_eq!(b.warp.w[2], from_fn(|lane| if (8..16).contains(&lane) { 5 } else { 0 }));
    b.warp.start(b.warp.id, 32);
    assert_eq!(b.warp.local.row(1), &ZERO, "the next warp reads zeros");
}

#[test]
fn an_access_beyond_the_size_of_local_memory_is_a_fault() {
    for (op, address, expected) in [
        (
            Op::LdLocalB32,
            8,
            "read of 4 bytes at .local address 0x8 is out of bounds: a thread of this kernel has 8 bytes of local memory",
        ),
        (Op::StLocalB64, 0xffff_fff8, "write of 8 bytes at .local address 0xfffffff8 is out of bounds"),
        (Op::StLocalB32, 2, "write of 4 bytes at .local address 0x2 is misaligned"),
    ] {
        let mut b = Bench::new(8, Builder::new().inst(memory(op, 0, 1, 0)));
        b.warp.w[1][7] = address;
        let before = b.warp.clone();
        let fault = b.step().expect_err("a fault");
        let text = fault.kind.to_string();
        assert!(text.starts_with(expected), "{text}");
        assert_eq!(fault.lanes, 1 << 7);
        assert_eq!(b.warp, before, "nothing has been written");
    }
}

#[test]
fn pages_are_allocated_by_writes_only_and_zeros_equal_no_page() {
    let mut memory = LocalMemory::default();
    assert_eq!(memory.row(100_000), &ZERO);
    assert!(memory.pages.is_empty());
    let empty = memory.clone();
    memory.row_mut(40)[3] = 9;
    assert_eq!((memory.pages.len(), memory.pages[0].is_none()), (2, true));
    assert_ne!(memory, empty);
    let copy = memory.clone();
    memory.row_mut(40)[3] = 0;
    assert_eq!((&memory, copy.row(40)[3]), (&empty, 9), "a copy is independent");
    memory.row_mut(40)[3] = 1;
    memory.clear();
    assert_eq!(memory, empty);
}
