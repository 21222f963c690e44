//! Tests of warps whose lanes access one or several spaces, and of their faults.

use super::*;
use crate::exec::build::{Builder, guarded, memory};
use crate::exec::{Faulted, Step, StepResult, step};
use isa::uop::{NO_ROW, Op};
use std::array::from_fn;

/// A kernel with 256 bytes of shared memory, 64 of local, 16 of constant memory and 256 of global
/// memory at 0x1000.
struct Bench {
    kernel: Kernel,
    warp: Warp,
    shared: Vec<u8>,
    access: Access,
}

impl Bench {
    fn new(builder: Builder) -> Self {
        let bytes: Vec<u8> = (100..116).collect();
        let (kernel, warp) = builder.local(64).banks(&[], &bytes).allocate(0x1000, 256).exit().started();
        Self { kernel, warp, shared: vec![0; 256], access: Access::new() }
    }

    fn step(&mut self) -> StepResult {
        step(&self.kernel, &mut self.warp, &mut self.access, &mut self.shared, 0)
            .map_err(|Faulted| Box::new(self.access.take_fault()))
    }

    /// Returns the text and the lanes of the fault; checks that nothing has been written.
    fn fault(&mut self) -> (String, u32) {
        let before = (self.warp.clone(), self.shared.clone());
        let fault = self.step().expect_err("a fault");
        assert!((&self.warp, &self.shared) == (&before.0, &before.1), "nothing has been written");
        (fault.kind.to_string(), fault.lanes)
    }
}

/// Successive lanes access word `lane / 4` of global, shared, local and constant memory.
fn in_turn(lane: usize) -> u32 {
    [0x1000, SHARED_WINDOW, LOCAL_WINDOW, CONST_WINDOW][lane % 4] + lane as u32 / 4 * 4 % 16
}

const EVERY_FOURTH: u32 = 0x1111_1111;

/// Tests: `generic-addresses`.
#[test]
fn each_lane_accesses_the_space_of_its_address() {
    let mut b = Bench::new(Builder::new().inst(memory(Op::LdGenericB32, 0, 1, 0)));
    b.warp.w[0] = [7; 32];
    b.warp.w[1] = from_fn(in_turn);
    b.shared[4..8].copy_from_slice(&5u32.to_le_bytes());
    assert_eq!(b.step(), Ok(Step::Generic));
    let parts = b.access.parts;
    assert_eq!([parts.global, parts.shared], [EVERY_FOURTH, EVERY_FOURTH << 1]);
    assert_eq!([parts.local, parts.constant, parts.spaces()], [EVERY_FOURTH << 2, EVERY_FOURTH << 3, 4]);
    assert_eq!((b.access.mask, b.access.addr[4], b.access.addr[5]), (u32::MAX, 0x1004, 4));
    // The lanes in global memory have not been executed.
    let word = u32::from_le_bytes([104, 105, 106, 107]);
    assert_eq!(b.warp.w[0][4..8], [7, 5, 0, word]);
}

#[test]
fn stores_write_to_their_spaces() {
    let mut wide = memory(Op::StGenericV2B64, 0, 1, 0);
    wide.set_srcs([1, 0, 1]);
    let mut b = Bench::new(Builder::new().inst(wide).inst(memory(Op::StGenericB8, 0, 2, 3)));
    // Lane 0: shared memory; lane 1: local memory; lane 2: global memory; the other lanes are
    // inactive.
    let only = |inst| guarded(inst, 0, false);
    b = Bench {
        kernel: Bench::new(Builder::new().inst(only(wide)).inst(only(memory(Op::StGenericB8, 0, 2, 3))))
            .kernel,
        ..b
    };
    b.warp.p[0] = 0b111;
    b.warp.d[0] = from_fn(|lane| 0x1_0000_0000 + lane as u64);
    b.warp.d[1] = from_fn(|lane| 0x2_0000_0000 + lane as u64);
    b.warp.w[0] = [0x1ff; 32];
    b.warp.w[1] =
        from_fn(|lane| [SHARED_WINDOW + 16, LOCAL_WINDOW + 32, 0x1010].get(lane).copied().unwrap_or(3));
    b.warp.w[2] = b.warp.w[1];
    assert_eq!((b.step(), b.access.mask), (Ok(Step::Generic), 0b111));
    assert_eq!(b.shared[16..32], [0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0]);
    assert_eq!((b.access.addr[2], b.access.words.map(|row| row[2])), (0x1010, [2, 1, 2, 2]));
    assert_eq!(b.step(), Ok(Step::Generic));
    assert_eq!(b.shared[16..20], [0, 0, 0, 0xff]);
    let mut read = Bench::new(Builder::new().inst(only(memory(Op::LdLocalV4B32, 0, NO_ROW, 32))));
    std::sync::Arc::make_mut(&mut read.kernel.program).code[0].set_dsts([0, 1, 2, 3]);
    read.warp.local = b.warp.local;
    read.warp.p[0] = 2;
    read.step().expect("a load");
    assert_eq!([0, 1, 2, 3].map(|row| read.warp.w[row][1]), [0xff00_0001, 1, 1, 2]);
}

#[test]
fn atomics_are_executed_in_shared_and_described_in_global_memory() {
    let mut add = memory(Op::AtomGenericB32, 0, 1, 0);
    add.set_srcs([1, 2]);
    add.dst = 0;
    add.aux = (Operation::AddF32 as u32) << Inst::OPERATION_SHIFT;
    let mut b = Bench::new(Builder::new().inst(add));
    b.warp.w[1] = from_fn(|lane| if lane < 16 { SHARED_WINDOW } else { 0x1000 });
    b.warp.w[2] = [1f32.to_bits(); 32];
    assert_eq!(b.step(), Ok(Step::Generic));
    assert_eq!(b.shared[..4], 16.0f32.to_le_bytes());
    assert_eq!(b.warp.w[0][..16], from_fn::<u32, 16, _>(|lane| (lane as f32).to_bits()));
    assert_eq!(b.warp.w[0][16..], [0; 16]);
    assert_eq!((b.access.atomic, b.access.answered()), (Some(Operation::AddFtzF32), true));
}

/// Tests: `generic-addresses`.
#[test]
fn faults_name_the_state_space_of_the_address() {
    for (op, address, expected) in [
        (
            Op::LdGenericB32,
            SHARED_WINDOW + 256,
            "read of 4 bytes at .shared address 0x100 is out of bounds: the block has 256 bytes of shared memory; its generic address is 0xfe000100",
        ),
        (
            Op::LdGenericB32,
            LOCAL_WINDOW + 64,
            "read of 4 bytes at .local address 0x40 is out of bounds: a thread of this kernel has 64 bytes of local memory; its generic address is 0xff000040",
        ),
        (
            Op::LdGenericB32,
            CONST_WINDOW + 16,
            "read of 4 bytes at .const address 0x10 is out of bounds: constant memory is 16 bytes; its generic address is 0xfd000010",
        ),
        (
            Op::StGenericB32,
            0x1100,
            "write of 4 bytes at .global address 0x1100 is out of bounds: the nearest allocation is 0x1000 .. 0x1100 (256 bytes); directly behind its end",
        ),
        (Op::StGenericB32, LOCAL_WINDOW + 2, "write of 4 bytes at .local address 0x2 is misaligned"),
        (
            Op::StGenericB32,
            CONST_WINDOW,
            "write through a generic address at .const address 0x0: constant memory is read-only",
        ),
        (
            Op::RedGenericB32,
            LOCAL_WINDOW + 8,
            "atomic through a generic address at .local address 0x8: atomics access only global and shared memory",
        ),
    ] {
        let mut b = Bench::new(Builder::new().inst(memory(op, 2, 1, 0)));
        b.warp.w[1] = from_fn(|lane| if lane % 16 == 9 { address } else { 0x1000 });
        assert_eq!(b.fault(), (expected.to_owned(), 1 << 9 | 1 << 25), "{op:?}");
    }
    // An address that needs more than 32 bits is an unallocated global address.
    let mut far = memory(Op::LdGenericB32, 0, 1, 0);
    far.aux |= Inst::ADDR64;
    let mut b = Bench::new(Builder::new().inst(far));
    b.warp.d[1] = from_fn(|lane| if lane == 3 { 0x1_fe00_0000 } else { u64::from(SHARED_WINDOW) });
    let (text, lanes) = b.fault();
    assert!(text.starts_with("read of 4 bytes at .global address 0x1fe000000 is out of bounds"), "{text}");
    assert_eq!(lanes, 8);
}

#[test]
fn an_access_without_active_lanes_has_no_effect() {
    let mut b = Bench::new(Builder::new().inst(guarded(memory(Op::LdGenericB32, 0, 1, 0), 0, false)));
    b.warp.w[1] = [3; 32];
    assert_eq!((b.step(), b.access.mask, b.access.parts), (Ok(Step::Generic), 0, Parts::default()));
}
