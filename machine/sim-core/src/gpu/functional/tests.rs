//! Whole launches of hand-made kernels on the functional machine.

use super::*;
use crate::exec::build::{Builder, bra, guarded, inst, memory, with_imm};
use crate::exec::trap::FaultKind;
use crate::gpu::stuck::report::{Doing, StuckClass};
use crate::mem::map::AddressMap;
use isa::sreg::SReg;
use isa::types::Dim3;
use isa::uop::{Inst, NO_ROW, Op};

/// Returns memory with only zeros, on six partitions.
fn zeros() -> Memory {
    Memory::new(AddressMap::new(256, 6))
}

/// Returns word `index` of the allocation at 0x1000.
fn word(memory: &Memory, index: u32) -> u32 {
    u32::from_le_bytes(memory.load(0x1000 + 4 * index))
}

fn sreg(dst: u16, register: SReg) -> Inst {
    with_imm(Op::MovSreg, dst, register as u32)
}

/// Runs `kernel` for at most `limit` warp instructions. An observed run, which executes and counts
/// each micro-op separately, must have the same result.
fn ended(kernel: &Kernel, memory: &mut Memory, limit: u64) -> FunctionalEnd {
    let mut observed = memory.clone();
    let end = run(kernel, memory, limit, Hooks { tell: None, watch: UNOBSERVED, speculation: None });
    let watched = Hooks { tell: None, watch: Some(|_: Executed<'_>| {}), speculation: None };
    let one_by_one = run(kernel, &mut observed, limit, watched);
    assert_eq!(end, one_by_one);
    assert!(*memory == observed, "memories differ");
    end
}

fn finish(kernel: &Kernel) -> (Memory, InstCounters) {
    let mut memory = zeros();
    let end = ended(kernel, &mut memory, 1_000_000);
    assert_eq!(end.ending, Ending::Finished);
    (memory, end.counts)
}

/// Row 0: index of the thread in the grid; row 1: address of its word.
fn numbered() -> Builder {
    // The constants are in rows 4 (block size), 5 (4) and 6 (base).
    Builder::new()
        .allocate(0x1000, 0x1000)
        .const32(48)
        .const32(4)
        .const32(0x1000)
        .launch((3, 2), 48)
        .inst(sreg(0, SReg::TidX))
        .inst(sreg(1, SReg::CtaidX))
        .inst(sreg(2, SReg::CtaidY))
        .inst(sreg(3, SReg::NctaidX))
        .inst(inst(Op::MadLoB32, 1, [2, 3, 1]))
        .inst(inst(Op::MadLoB32, 0, [1, 4, 0]))
        .inst(inst(Op::MadLoB32, 1, [0, 5, 6]))
}

#[test]
fn every_thread_of_every_block_runs_once() {
    let kernel = numbered()
        .inst(memory(Op::LdGlobalB32, 2, 1, 0))
        .inst(inst(Op::AddB32, 2, [2, 0]))
        .inst(inst(Op::AddFtzF32, 3, [0, 0]))
        .inst(memory(Op::StGlobalB32, 2, 1, 0))
        .exit()
        .kernel();
    let (memory, counts) = finish(&kernel);
    assert!((0..288).all(|i| word(&memory, i) == i));
    assert_eq!(word(&memory, 288), 0);
    let want = (6 * 2 * 12, 288 * 12, 288);
    assert_eq!((counts.warp, counts.thread, counts.flops()), want);
}

#[test]
fn eight_byte_words_are_stored_and_loaded() {
    let kernel = Builder::new()
        .allocate(0x1000, 0x200)
        .const64(0x1_0000_0007)
        .const32(8)
        .const32(0x1000)
        .inst(sreg(0, SReg::LaneId))
        .inst(inst(Op::MadLoB32, 1, [0, 4, 5]))
        .inst(inst(Op::MadWideU32, 0, [0, 4, 4]))
        .inst(memory(Op::StGlobalB64, 0, 1, 0))
        .inst(memory(Op::LdGlobalB64, 1, 1, 0))
        .inst(inst(Op::AddB64, 1, [1, 4]))
        .inst(memory(Op::StGlobalB64, 1, 1, 0x100))
        .exit()
        .kernel();
    let (memory, _) = finish(&kernel);
    assert_eq!((word(&memory, 0), word(&memory, 1), word(&memory, 62), word(&memory, 63)), (7, 1, 255, 1));
    assert_eq!((word(&memory, 126), word(&memory, 127)), (262, 2));
}

#[test]
fn a_barrier_orders_shared_memory_between_warps() {
    // Each thread stores its index and reads the index of the opposite thread.
    let kernel = Builder::new()
        .allocate(0x1000, 0x400)
        .const32(63)
        .const32(4)
        .const32(0x1000)
        .launch(2, 64)
        .inst(sreg(0, SReg::TidX))
        .inst(inst(Op::MulLoB32, 1, [0, 5]))
        .inst(memory(Op::StSharedB32, 0, 1, 0))
        .inst(with_imm(Op::BarSync, NO_ROW, 0))
        .inst(inst(Op::SubB32, 2, [4, 0]))
        .inst(inst(Op::MulLoB32, 2, [2, 5]))
        .inst(memory(Op::LdSharedB32, 3, 2, 0))
        .inst(inst(Op::AddB32, 1, [1, 6]))
        .inst(memory(Op::StGlobalB32, 3, 1, 0))
        .exit()
        .kernel();
    let (memory, _) = finish(&kernel);
    assert!((0..64).all(|i| word(&memory, i) == 63 - i));
}

/// Warp 0 (predicate row 0 set) takes one path, warp 1 the other.
fn two_warps() -> Builder {
    Builder::new()
        .allocate(0x1000, 0x400)
        .const32(32)
        .const32(1)
        .const32(0x1000)
        .launch(1, 64)
        .inst(sreg(0, SReg::TidX))
        .inst(inst(Op::SetpLtU32, 0, [0, 4]))
}

#[test]
fn a_spinning_warp_lets_another_warp_write() {
    let kernel = two_warps()
        .inst(guarded(bra(5, 9), 0, true))
        // Warp 0 waits until word 0 is 1.
        .inst(memory(Op::LdGlobalB32, 1, 6, 0))
        .inst(bra(7, 9))
        .inst(memory(Op::StGlobalB32, 5, 6, 0))
        .inst(bra(9, 9))
        .inst(inst(Op::SetpEqB32, 1, [1, 5]))
        .inst(guarded(bra(3, 9), 1, true))
        .exit()
        .kernel();
    let (memory, counts) = finish(&kernel);
    assert_eq!(word(&memory, 0), 1);
    assert!(counts.warp > u64::from(QUANTUM));
}

#[test]
fn barriers_do_not_wait_for_exited_warps() {
    let kernel = two_warps()
        .inst(guarded(Inst::new(Op::Exit), 0, true))
        .inst(with_imm(Op::BarSync, NO_ROW, 15))
        .inst(memory(Op::StGlobalB32, 5, 6, 0))
        .exit()
        .kernel();
    assert_eq!(word(&finish(&kernel).0, 0), 1);
    // The reverse order: warp 0 waits before warp 1 exits, and warp 1 exits last.
    let kernel = two_warps()
        .inst(guarded(bra(5, 6), 0, false))
        .inst(Inst::new(Op::MembarGl))
        .exit()
        .inst(with_imm(Op::BarSync, NO_ROW, 1))
        .exit()
        .kernel();
    finish(&kernel);
}

#[test]
fn warps_at_different_barriers_hang_and_are_reported() {
    let kernel = two_warps()
        .inst(guarded(bra(5, 6), 0, false))
        .inst(with_imm(Op::BarSync, NO_ROW, 1))
        .exit()
        .inst(with_imm(Op::BarSync, NO_ROW, 2))
        .exit()
        .kernel();
    let end = ended(&kernel, &mut zeros(), 1000);
    let Ending::Hung(stuck) = end.ending else { panic!("{:?}", end.ending) };
    assert_eq!(stuck.class, StuckClass::Barrier);
    let waiting: Vec<_> = stuck.warps.iter().map(|w| (w.warp, w.doing.clone(), w.line)).collect();
    assert_eq!(
        waiting,
        [(0, 2, 6), (1, 1, 4)].map(|(w, barrier, line)| (w, Doing::Barrier { barrier }, line))
    );
    assert_eq!(end.counts.warp, 8);
}

#[test]
fn a_trap_reports_its_location_and_keeps_earlier_writes() {
    // Thread 288 of the grid would write past the 288 words.
    let kernel = numbered().inst(memory(Op::StGlobalB32, 0, 1, 0x1000 - 4 * 70)).exit().kernel();
    let mut memory = zeros();
    let end = ended(&kernel, &mut memory, 1000);
    let Ending::Trapped(trap) = end.ending else { panic!("{:?}", end.ending) };
    assert_eq!((trap.block, trap.thread), (Dim3::new(1, 0, 0), Dim3::new(22, 0, 0)));
    assert_eq!((trap.warp, trap.pc, trap.line, trap.sm), (0, 7, 8, None));
    assert_eq!((trap.kernel.as_str(), trap.fault.lanes), ("test", u32::MAX << 22));
    assert!(matches!(trap.fault.kind, FaultKind::OutOfBounds { address: 0x2000, store: true, .. }));
    assert_eq!(end.counts.warp, trap.cycle + 1);
    assert_eq!(word(&memory, 1024 - 70 + 47), 47);
    assert_eq!(word(&memory, 1024 - 70 + 48), 0, "a faulting store writes nothing");
}

#[test]
fn an_endless_loop_stops_at_the_limit() {
    let kernel = Builder::new().inst(bra(0, 1)).exit().kernel();
    let end = ended(&kernel, &mut zeros(), 12_345);
    let Ending::Limit(stuck) = end.ending else { panic!("{:?}", end.ending) };
    assert_eq!((stuck.class, end.counts.warp), (StuckClass::EndlessLoop, 12_345));
    // Without a limit the endless loop is detected as well.
    let end = ended(&kernel, &mut zeros(), u64::MAX);
    let Ending::Hung(stuck) = end.ending else { panic!("{:?}", end.ending) };
    assert_eq!((stuck.class, end.counts.warp), (StuckClass::EndlessLoop, FIRST_LOOK));
}

#[test]
fn a_limit_within_straight_line_code_is_exact() {
    // Lanes 0 to 15 repeat a loop with a guarded instruction and an instruction with additional
    // floating-point operations.
    let kernel = numbered()
        .inst(with_imm(Op::MovSreg, 2, SReg::LaneId as u32))
        .inst(inst(Op::SetpLtU32, 0, [2, 4]))
        .inst(guarded(inst(Op::AddFtzF32, 3, [0, 1]), 0, true))
        .inst(inst(Op::MulFtzF32, 3, [3, 3]))
        .inst(inst(Op::AddB32, 2, [2, 5]))
        .inst(guarded(bra(8, 13), 0, false))
        .exit()
        .kernel();
    for limit in 0..60 {
        let end = ended(&kernel, &mut zeros(), limit);
        let Ending::Limit(_) = end.ending else { panic!("{:?}", end.ending) };
        assert_eq!(end.counts.warp, limit);
    }
}

#[test]
fn an_empty_grid_finishes() {
    let kernel = Builder::new().launch((5, 0), 32).exit().kernel();
    assert_eq!(finish(&kernel).1, InstCounters::default());
}
