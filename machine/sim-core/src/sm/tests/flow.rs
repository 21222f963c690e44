//! Tests of branches, barriers, and the start and end of blocks.

use super::*;
use crate::exec::Warp;
use crate::exec::build::{bra, guarded, memory, with_imm};

#[test]
fn a_branch_delays_the_next_instruction_by_its_latency() {
    for (latency, row) in [(1, "II."), (4, "II."), (5, "IFI."), (8, "IFI."), (9, "IFFI.")] {
        let branch = config_with(|c| cost(c, Class::Branch).latency = latency);
        check_alone([bra(1, 1)], &branch, SCENE, row, row);
    }
}

#[test]
fn a_barrier_releases_16_cycles_after_the_last_arrival() {
    let code = [with_imm(Op::BarSync, 0, 0)];
    check_alone(code, &config(), SCENE, "IBBBI.", "IBBBI.");
    for (cycles, wait) in [(15, "BBB"), (16, "BBB"), (17, "BBBB"), (4, ""), (0, "")] {
        let barrier = config_with(|c| c.barrier_cycles = cycles);
        let row = format!("I{wait}I.");
        check_alone(code, &barrier, SCENE, &row, &row);
    }
}

#[test]
fn a_barrier_does_not_wait_for_exited_warps() {
    let early = guarded(Inst::new(Op::Exit), 0, false);
    let prepare = |slot, warp: &mut Warp| warp.p[0] = if slot == 2 { u32::MAX } else { 0 };
    check(
        || {
            let code = [early, with_imm(Op::BarSync, 0, 0)];
            TestSm::new(program(3, code), &config(), Scene { prepare, ..SCENE })
        },
        &["INNIBBBBIX.", "NINNIBBBNI.", "NNIXXXXXXX."],
        &["IIIIIBBBII."],
    );
    // The exit of a warp completes the barrier.
    check(
        || {
            let code = [guarded(with_imm(Op::BarSync, 0, 0), 0, true)];
            TestSm::new(program(3, code), &config(), Scene { prepare, ..SCENE })
        },
        &["IBBBBBBIX.", "NIBBBBBNI.", "NNIIXXXXX."],
        &["IIIIBBBII."],
    );
}

#[test]
fn a_block_starts_after_the_block_start_latency() {
    let slow = config_with(|c| c.block_start_cycles = 32);
    check_alone([], &slow, SCENE, "FFFFFFFFI.", "FFFFFFFFI.");
    let late = Scene { blocks: &[(5, 0)], ..SCENE };
    check_alone([], &slow, late, "..FFFFFFFFI.", "..FFFFFFFFI.");
}

#[test]
fn slots_are_free_in_the_cycle_after_the_last_exit() {
    let code = [free_add(0)];
    let sm = TestSm::new(program(2, code), &config(), SCENE).run(16);
    assert_eq!(sm.issued, [(0, 0), (1, 1), (2, 0), (3, 1)]);
    assert_eq!((sm.sm.resident().count(), sm.sm.retired.len()), (1, 0));
    let sm = sm.run(17);
    assert_eq!((sm.sm.resident().count(), &sm.sm.retired[..]), (0, &[(16, 1)][..]));
    // The next block may start in that cycle, in the same slots.
    let again = Scene { blocks: &[(0, 0), (17, 9)], ..SCENE };
    check(|| TestSm::new(program(2, code), &config(), again), &["INIX.INIX.", "NINI.NINI."], &["IIII.IIII."]);
    let sm = TestSm::new(program(2, code), &config(), again).run(37);
    assert_eq!(sm.sm.retired, [(16, 1), (36, 1)]);
    assert_eq!(
        (sm.sm.warps.age[0], sm.sm.warps.age[1]),
        (18, 19),
        "launch numbers are ordered by block and warp"
    );
    assert_eq!((sm.sm.warps.last_issue[0], sm.sm.warps.last_issue[1]), (8, 9));
}

#[test]
fn slots_are_held_until_the_last_load_has_completed() {
    let code = [memory(Op::LdGlobalB32, 0, 1, 0)];
    let prepare = |_, warp: &mut Warp| warp.w[1] = std::array::from_fn(|l| 4096 + 4 * l as u32);
    // The message of the last half-warp leaves at 28.
    for (answer, retired) in [(12, 10), (13, 11), (16, 11), (17, 12)] {
        let row = format!("II{}.", "X".repeat(retired - 2));
        let scene = Scene { prepare, answer, ..SCENE };
        check_alone(code, &config(), scene, &row, &row);
        let sm = TestSm::new(program(1, code), &config(), scene).run(50);
        assert_eq!(sm.sm.retired, [(retired as u64 * 4, 1)]);
        assert_eq!(
            sm.sm.memory.counters.load_cycles,
            28 + answer + 24,
            "plus 24 cycles to write the register"
        );
    }
}

#[test]
fn two_concurrent_blocks_are_both_counted() {
    let scene = Scene { blocks: &[(0, 0), (6, 1)], ..SCENE };
    check(
        || TestSm::new(program(1, [free_add(0), inst(Op::AddB32, 1, [0, CONST])]), &config(), scene),
        &["IEEEEEII..", "..IEEEEEII"],
        &["IEIEEEIIII"],
    );
}

#[test]
fn a_trapped_warp_does_not_issue() {
    let prepare = |slot, warp: &mut Warp| warp.w[1] = [if slot == 0 { 0 } else { 4096 }; 32];
    let code = [memory(Op::StGlobalB32, 0, 1, 0)];
    let make = || TestSm::new(program(2, code), &config(), Scene { prepare, ..SCENE });
    check(make, &["IXXXXXXX", "NIIXXXXX"], &["IIIXXXXX"]);
    let sm = make().run(32);
    assert_eq!(sm.sm.traps.iter().map(|t| t.cycle).collect::<Vec<_>>(), [0]);
}

/// Cycles of a warp in state `of`, for each instruction.
fn by_instruction(code: [Inst; 3], warps: u32, scene: Scene, of: WarpState) -> Vec<u64> {
    let mut sm = TestSm::new(program(warps, code), &config(), scene).run(400);
    sm.sm.close(400);
    sm.sm.account.pcs.iter().map(|pc| pc.warp[of]).collect()
}

#[test]
fn waits_at_a_barrier_are_charged_to_the_barrier() {
    let code = [free_add(0), with_imm(Op::BarSync, 0, 0), free_add(1)];
    // Warp 0 arrives in cycle 2, warp 1 in cycle 3; both leave in cycle 7.
    assert_eq!(by_instruction(code, 2, SCENE, WarpState::Barrier), [0, 4 + 3, 0, 0]);
}

#[test]
fn waits_at_a_fence_are_charged_to_the_fence() {
    let prepare = |_, warp: &mut Warp| warp.w[1] = std::array::from_fn(|l| 4096 + 4 * l as u32);
    let scene = Scene { prepare, ..SCENE };
    for (fence, waits) in [(Op::MembarCta, 6), (Op::MembarGl, 9)] {
        let code = [memory(Op::StGlobalB32, 0, 1, 0), Inst::new(fence), free_add(2)];
        assert_eq!(by_instruction(code, 1, scene, WarpState::Membar), [0, waits, 0, 0]);
    }
}
