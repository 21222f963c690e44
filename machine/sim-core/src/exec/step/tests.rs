//! Tests of every kind of step and every fault, with programs built in code.

use super::*;
use crate::config::FirstPath;
use crate::exec::build::{Builder, bra, guarded, inst, memory, with_imm};
use crate::exec::ldst::write_back;
use isa::uop::{NO_ROW, TO_EXIT};
use std::array::from_fn;

/// Test setup: a kernel, its warp and the memory that a step needs.
struct Bench {
    kernel: Kernel,
    warp: Warp,
    shared: Vec<u8>,
    access: Access,
}

impl Bench {
    fn new(builder: Builder) -> Self {
        let (kernel, warp) = builder.started();
        let shared = vec![0; kernel.shared_bytes as usize];
        Self { kernel, warp, shared, access: Access::new() }
    }

    fn step(&mut self) -> StepResult {
        step(&self.kernel, &mut self.warp, &mut self.access, &mut self.shared, 123)
            .map_err(|Faulted| Box::new(self.access.take_fault()))
    }

    /// Returns the text of the fault and its lanes; checks that the warp has not changed.
    fn fault(&mut self) -> (String, u32) {
        let (warp, shared) = (self.warp.clone(), self.shared.clone());
        let fault = self.step().expect_err("a fault");
        assert_eq!((&self.warp, &self.shared), (&warp, &shared), "nothing has been written");
        (fault.kind.to_string(), fault.lanes)
    }
}

#[test]
fn arithmetic_executes_under_a_guard_and_without_lanes() {
    let add = inst(Op::AddB32, 0, [1, 4]);
    let code = Builder::new().const32(10).inst(guarded(add, 0, false)).inst(guarded(add, 0, true));
    let mut b = Bench::new(code.inst(guarded(add, 1, false)).exit());
    b.warp.w[1] = from_fn(|l| l as u32);
    b.warp.p[0] = 0xffff_0000;
    assert_eq!((b.step(), b.access.mask), (Ok(Step::Next), 0xffff_0000));
    assert_eq!((b.warp.w[0][15], b.warp.w[0][16]), (0, 26));
    assert_eq!((b.step(), b.access.mask), (Ok(Step::Next), 0x0000_ffff));
    assert_eq!(b.warp.w[0], from_fn(|l| l as u32 + 10));
    assert_eq!((b.step(), b.access.mask, b.warp.simt.pc()), (Ok(Step::Next), 0, 3));
    assert_eq!(b.step(), Ok(Step::LastExit));
    assert!(b.warp.done());
}

#[test]
fn special_registers_are_read() {
    let mut b = Bench::new(Builder::new().inst(with_imm(Op::MovSreg, 0, SReg::Clock as u32)).inst(with_imm(
        Op::MovSreg,
        1,
        SReg::TidX as u32,
    )));
    assert_eq!((b.step(), b.step()), (Ok(Step::Next), Ok(Step::Next)));
    assert_eq!((b.warp.w[0][3], b.warp.w[1][31]), (123, 31));
}

#[test]
fn a_divergent_branch_is_reported_and_both_sides_run() {
    let code = Builder::new().inst(guarded(bra(3, 4), 0, false)).inst(bra(4, TO_EXIT));
    let mut b = Bench::new(code.exit().inst(bra(4, TO_EXIT)).exit());
    b.kernel.first_path = FirstPath::NotTaken;
    b.warp.p[0] = 1;
    assert_eq!(b.step(), Ok(Step::Diverged));
    assert_eq!((b.warp.simt.pc(), b.warp.simt.mask()), (1, !1));
    assert_eq!(b.step(), Ok(Step::Taken));
    assert_eq!((b.warp.simt.pc(), b.warp.simt.mask()), (3, 1));
    b.step().expect("a branch");
    assert_eq!((b.warp.simt.pc(), b.warp.simt.mask()), (4, u32::MAX));
    let mut b = Bench::new(Builder::new().inst(guarded(bra(3, 4), 0, false)));
    assert_eq!(b.step(), Ok(Step::NotTaken));
    assert_eq!(b.warp.simt.pc(), 1);
}

#[test]
fn shared_memory_supports_every_width() {
    let widths = [
        (Op::StSharedB8, Op::LdSharedB8, 0x80),
        (Op::StSharedB8, Op::LdSharedS8, 0xffff_ff80),
        (Op::StSharedB16, Op::LdSharedB16, 0xf680),
        (Op::StSharedB16, Op::LdSharedS16, 0xffff_f680),
        (Op::StSharedB32, Op::LdSharedB32, 0x1234_f680),
    ];
    for (st, ld, want) in widths {
        let code = Builder::new().inst(memory(st, 0, 1, 16)).inst(memory(ld, 2, 1, 16));
        let mut b = Bench::new(code);
        let bytes = st.access_bytes();
        b.warp.w[0] = [0x1234_f680; 32];
        b.warp.w[1] = from_fn(|l| l as u32 * bytes);
        assert_eq!((b.step(), b.access.store, b.access.bytes), (Ok(Step::Shared), true, bytes));
        assert_eq!(b.access.addr, from_fn(|l| 16 + l as u32 * bytes));
        assert_eq!((b.step(), b.access.store), (Ok(Step::Shared), false));
        assert_eq!(b.warp.w[2], [want; 32], "{}", ld.text());
        assert!(b.shared[..16].iter().chain(&b.shared[16 + 32 * bytes as usize..]).all(|byte| *byte == 0));
    }
    let code = Builder::new().inst(memory(Op::StSharedB64, 0, 1, 0)).inst(memory(Op::LdSharedB64, 2, 1, 0));
    let mut b = Bench::new(code);
    b.warp.d[0] = from_fn(|l| l as u64 * 0x1_0000_0001);
    b.warp.w[1] = from_fn(|l| 248 - 8 * l as u32);
    b.step().expect("a store");
    b.step().expect("a load");
    assert_eq!(b.warp.d[2], b.warp.d[0]);
    assert_eq!(b.shared[240..248], [1, 0, 0, 0, 1, 0, 0, 0]);
}

/// Tests: `highest-lane-wins`.
#[test]
fn the_highest_active_lane_determines_a_shared_word() {
    let store = guarded(memory(Op::StSharedB32, 0, NO_ROW, 8), 0, false);
    let mut b = Bench::new(Builder::new().inst(store).inst(store));
    b.warp.w[0] = from_fn(|l| 100 + l as u32);
    b.warp.p[0] = u32::MAX;
    b.step().expect("a store");
    assert_eq!(b.shared[8], 131);
    b.warp.p[0] = 0x00f0_0001;
    b.step().expect("a store");
    assert_eq!(b.shared[8], 123);
}

#[test]
fn inactive_lanes_may_hold_any_address_and_keep_their_values() {
    let mut b = Bench::new(Builder::new().inst(guarded(memory(Op::LdSharedB32, 0, 1, 0), 0, false)));
    b.shared[4..8].copy_from_slice(&7u32.to_le_bytes());
    b.warp.w[0] = [99; 32];
    b.warp.w[1] = [0xffff_fffd; 32];
    b.warp.w[1][5] = 4;
    b.warp.p[0] = 1 << 5;
    assert_eq!(b.step(), Ok(Step::Shared));
    assert_eq!(b.warp.w[0], from_fn(|l| if l == 5 { 7 } else { 99 }));
}

#[test]
fn parameters_and_constants_are_read_in_place() {
    let params = [1, 0xff, 3, 4, 5, 6, 7, 8];
    let code = Builder::new()
        .banks(&params, &[9, 8, 7, 6])
        .inst(memory(Op::LdParamB64, 0, NO_ROW, 0))
        .inst(memory(Op::LdParamS8, 0, NO_ROW, 1))
        .inst(memory(Op::LdConstB16, 1, 2, 2))
        .inst(memory(Op::LdParamB32, 0, NO_ROW, 8));
    let mut b = Bench::new(code);
    assert_eq!(b.step(), Ok(Step::Param));
    assert_eq!(b.warp.d[0][31], u64::from_le_bytes(params));
    assert_eq!((b.step(), b.warp.w[0][0]), (Ok(Step::Param), u32::MAX));
    assert_eq!((b.step(), b.warp.w[1][0], b.access.addr[9]), (Ok(Step::Const), 0x0607, 2));
    let (text, _) = b.fault();
    assert_eq!(
        text,
        "read of 4 bytes at .param address 0x8 is out of bounds: the kernel's parameters are 8 bytes"
    );
}

#[test]
fn a_global_access_is_described_and_not_executed() {
    let code = Builder::new().allocate(0x1000, 0x100).inst(memory(Op::LdGlobalB32, 0, 1, 4));
    let mut b = Bench::new(code.inst(memory(Op::StGlobalB64, 3, 1, 0)));
    b.warp.w[1] = from_fn(|l| 0x1000 + 4 * l as u32);
    b.warp.d[3] = from_fn(|l| (l as u64) << 32 | 5);
    let before = b.warp.w.clone();
    assert_eq!(b.step(), Ok(Step::Global));
    assert_eq!(b.warp.w, before);
    assert_eq!((b.access.op, b.access.dst[0], b.access.store), (Op::LdGlobalB32, 0, false));
    assert_eq!(b.access.addr, from_fn(|l| 0x1004 + 4 * l as u32));
    b.warp.w[1] = from_fn(|l| 0x1000 + 8 * (l as u32 % 32));
    assert_eq!((b.step(), b.access.store, b.access.bytes), (Ok(Step::Global), true, 8));
    assert_eq!((b.access.words[0][9], b.access.words[1][9]), (5, 9));
}

#[test]
fn lanes_may_access_different_allocations_but_not_the_gap() {
    let load = memory(Op::LdGlobalB32, 0, 1, 0);
    let mut b = Bench::new(Builder::new().allocate(0x1000, 64).allocate(0x2000, 4000).inst(load).inst(load));
    b.warp.w[1] = from_fn(|l| if l < 16 { 0x1000 } else { 0x2000 } + 4 * (l as u32 % 16));
    assert_eq!(b.step(), Ok(Step::Global));
    b.warp.w[1][7] = 0x2fa4;
    b.warp.w[1][9] = 0x1040;
    b.warp.w[1][8] = 0x1002;
    let (text, lanes) = b.fault();
    assert_eq!(lanes, 1 << 7 | 1 << 9);
    assert_eq!(
        text,
        "read of 4 bytes at .global address 0x2fa4 is out of bounds: \
         the nearest allocation is 0x2000 .. 0x2fa0 (4000 bytes); 4 bytes past its end"
    );
    b.warp.w[1][7] = 0x1001;
    let (text, lanes) = b.fault();
    assert_eq!((text.as_str(), lanes), ("read of 4 bytes at .global address 0x1001 is misaligned", 3 << 7));
}

#[test]
fn addresses_of_64_bits_do_not_wrap_into_bounds() {
    let mut load = memory(Op::LdGlobalB32, 0, 1, 0u32.wrapping_sub(8));
    load.aux = Inst::ADDR64;
    let mut shared = memory(Op::StSharedB32, 0, 1, 0);
    shared.aux = Inst::ADDR64;
    let mut b = Bench::new(Builder::new().allocate(0x1000, 64).inst(load).inst(shared));
    b.warp.d[1] = [0x1008; 32];
    assert_eq!((b.step(), b.access.addr), (Ok(Step::Global), [0x1000; 32]));
    b.warp.d[1] = [8; 32];
    b.warp.d[1][3] = 0x1_0000_0008;
    let (text, lanes) = b.fault();
    assert_eq!(lanes, 8);
    assert!(text.starts_with("write of 4 bytes at .shared address 0x100000008 is out of bounds"), "{text}");
    assert!(text.ends_with("the block has 256 bytes of shared memory"), "{text}");
    let mut b = Bench::new(Builder::new().allocate(0x1000, 64).inst(load));
    let (text, lanes) = b.fault();
    assert_eq!(lanes, u32::MAX);
    assert!(text.contains("0xfffffffffffffff8"), "{text}");
}

#[test]
fn a_null_pointer_is_reported_as_null() {
    let mut b = Bench::new(Builder::new().allocate(0x1000, 64).inst(memory(Op::StGlobalB8, 0, 1, 0)));
    let (text, lanes) = b.fault();
    assert_eq!(lanes, u32::MAX);
    assert!(text.contains("write of 1 bytes at .global address 0x0") && text.ends_with("is null"), "{text}");
}

#[test]
fn an_access_beyond_shared_memory_is_a_fault() {
    let mut b = Bench::new(Builder::new().inst(memory(Op::LdSharedB32, 0, 1, 0)).inst(memory(
        Op::StSharedB16,
        0,
        1,
        0,
    )));
    b.warp.w[1][31] = 252;
    assert_eq!(b.step(), Ok(Step::Shared));
    b.warp.w[1][31] = 256;
    assert!(b.fault().0.contains("write of 2 bytes at .shared address 0x100 is out of bounds"));
    b.warp.w[1][31] = 253;
    assert_eq!(b.fault().0, "write of 2 bytes at .shared address 0xfd is misaligned");
    b.warp.w[1][31] = u32::MAX;
    assert!(b.fault().0.contains("0xffffffff is out of bounds"));
}

/// Tests: `partial-warps-at-barriers`.
#[test]
fn a_barrier_requires_all_live_lanes() {
    let code = Builder::new()
        .inst(guarded(with_imm(Op::BarSync, NO_ROW, 3), 0, false))
        .inst(guarded(Inst::new(Op::Exit), 1, false))
        .inst(with_imm(Op::BarSync, NO_ROW, 3));
    let mut b = Bench::new(code.exit());
    b.warp.p[0] = 1;
    let (text, lanes) = b.fault();
    assert!(text.contains("bar.sync 3 reached by lanes 0x00000001") && lanes == 1, "{text}");
    b.warp.p[0] = 0;
    assert_eq!(b.step(), Ok(Step::Next), "no lane reaches the barrier");
    b.warp.p[1] = 0xff;
    assert_eq!(b.step(), Ok(Step::Exit));
    assert_eq!(b.warp.live, 0xffff_ff00);
    assert_eq!(b.step(), Ok(Step::Barrier), "exited lanes are not waited for");
    assert_eq!(b.access.arrival, barrier::Arrival { id: 3, warps: 0, waits: true, asked: (0, 0) });
    assert_eq!(b.step(), Ok(Step::LastExit));
}

#[test]
fn fences_and_traps_are_reported() {
    let code = Builder::new().inst(Inst::new(Op::MembarCta)).inst(Inst::new(Op::MembarGl));
    let mut b = Bench::new(code.inst(guarded(Inst::new(Op::Trap), 0, false)).inst(Inst::new(Op::Trap)));
    assert_eq!(b.step(), Ok(Step::FenceBlock));
    assert_eq!(b.step(), Ok(Step::FenceGlobal));
    assert_eq!(b.step(), Ok(Step::Next));
    assert_eq!(b.fault(), ("the kernel executed a trap instruction".to_owned(), u32::MAX));
}

/// Tests: `reply-writes-its-lanes`.
#[test]
fn replies_write_exactly_their_lanes() {
    let (_, mut warp) = Builder::new().started();
    warp.w[0] = [9; 32];
    write_back(&mut warp, Op::LdGlobalS8, [0; 4], 0b1010, &[0x80, 0x7f, 1, 1]);
    assert_eq!(warp.w[0][..5], [9, 0xffff_ff80, 9, 0x7f, 9]);
    write_back(&mut warp, Op::LdGlobalS16, [0; 4], 1, &[0x8000]);
    assert_eq!(warp.w[0][0], 0xffff_8000);
    write_back(&mut warp, Op::LdGlobalB64, [1; 4], 1 << 31 | 1, &[1, 2, 3, 4]);
    assert_eq!((warp.d[1][0], warp.d[1][1], warp.d[1][31]), (2 << 32 | 1, 0, 4 << 32 | 3));
    write_back(&mut warp, Op::LdGlobalV4B32, [3, 1, 2, 0], 0b101, &[1, 2, 3, 4, 5, 6, 7, 8]);
    assert_eq!(from_fn(|row| warp.w[[3, 1, 2, 0][row]][0]), [1, 2, 3, 4]);
    assert_eq!(from_fn(|row| warp.w[[3, 1, 2, 0][row]][2]), [5, 6, 7, 8]);
    assert_eq!((warp.w[0][1], warp.w[3][1]), (0xffff_ff80, 0), "another lane");
    write_back(&mut warp, Op::LdGlobalV2B32, [1, 2, NO_ROW, NO_ROW], 0b10, &[9, 10]);
    assert_eq!((warp.w[1][..3].to_vec(), warp.w[2][..3].to_vec()), (vec![2, 9, 6], vec![3, 10, 7]));
    write_back(&mut warp, Op::LdGlobalV2B64, [3, 2, NO_ROW, NO_ROW], 0b10, &[1, 2, 3, 4]);
    assert_eq!((warp.d[3][..3].to_vec(), warp.d[2][1]), (vec![0, 2 << 32 | 1, 0], 4 << 32 | 3));
}

#[test]
fn vector_elements_are_adjacent_in_shared_memory() {
    let mut store = memory(Op::StSharedV4B32, 0, NO_ROW, 16);
    store.set_srcs([4, 0, 1, 2, 3]);
    let mut load = memory(Op::LdSharedV4B32, 3, 4, 16);
    load.set_dsts([3, 2, 1, 0]);
    let mut wide = memory(Op::LdSharedV2B64, 1, 4, 16);
    wide.set_dsts([1, 0]);
    let mut b = Bench::new(Builder::new().rows(5, 2, 0).inst(store).inst(load).inst(wide).inst(store));
    for row in 0..4 {
        b.warp.w[row] = from_fn(|l| 100 * row as u32 + l as u32);
    }
    // Lanes 15 and 16 to 31 write the same sixteen bytes: the highest lane wins.
    b.warp.w[4] = from_fn(|l| 16 * l.min(14) as u32);
    assert_eq!((b.step(), b.access.bytes, b.access.store), (Ok(Step::Shared), 16, true));
    assert_eq!(b.shared[16..32], [0, 0, 0, 0, 100, 0, 0, 0, 200, 0, 0, 0, 44, 1, 0, 0]);
    assert_eq!(b.shared[16 + 14 * 16], 31);
    assert_eq!(b.step(), Ok(Step::Shared));
    assert_eq!([3, 2, 1, 0].map(|row| b.warp.w[row][2]), [2, 102, 202, 302]);
    assert_eq!([3, 2, 1, 0].map(|row| b.warp.w[row][20]), [31, 131, 231, 331]);
    assert_eq!(b.step(), Ok(Step::Shared));
    assert_eq!((b.warp.d[1][2], b.warp.d[0][2]), ((102 << 32) + 2, (302 << 32) + 202));
    // An alignment of 8 bytes is not enough: the address must be a multiple of the vector size.
    b.warp.w[4][7] += 8;
    assert!(b.step().is_err(), "lane 7 is not aligned");
}
