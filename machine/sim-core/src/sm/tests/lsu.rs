//! Tests of the load/store queue within the SM, and of fences.

use super::*;
use crate::exec::Warp;
use crate::exec::build::memory;

/// Lane `lane` accesses word `lane` of the segment at 4096: each half-warp coalesces.
fn coalesced(_: u32, warp: &mut Warp) {
    warp.w[1] = std::array::from_fn(|lane| 4096 + 4 * lane as u32);
}

/// Every second word: each half-warp has 16 transactions in one chunk.
fn scattered(_: u32, warp: &mut Warp) {
    warp.w[1] = std::array::from_fn(|lane| 4096 + 8 * lane as u32);
}

const STORE: fn() -> Inst = || memory(Op::StGlobalB32, 0, 1, 0);
const LOAD: fn() -> Inst = || memory(Op::LdGlobalB32, 0, 1, 0);

#[test]
fn a_message_leaves_after_the_latency_and_the_time_of_its_transactions() {
    let run = |prepare, config: &SmConfig| {
        TestSm::new(program(1, [STORE()]), config, Scene { prepare, ..SCENE }).run(200).departures()
    };
    assert_eq!(run(coalesced, &config()), [26, 28]);
    assert_eq!(run(scattered, &config()), [24 + 32, 24 + 64]);
    let slow = config_with(|c| (c.lsu.latency, c.lsu.transaction_cycles) = (31, 5));
    assert_eq!(run(coalesced, &slow), [36, 41]);
}

#[test]
fn after_a_blocked_port_messages_leave_without_a_gap() {
    let scene = Scene { prepare: coalesced, port_shut: 100, ..SCENE };
    let sm = TestSm::new(program(2, [STORE()]), &config(), scene).run(200);
    assert_eq!(sm.departures(), [100, 102, 104, 106]);
}

#[test]
fn messages_leave_in_the_order_of_issue_over_all_warps() {
    // Each warp accesses a separate kilobyte; its store accesses another chunk than its load.
    let prepare = |slot, warp: &mut Warp| {
        warp.w[1] = std::array::from_fn(|lane| 4096 + 1024 * slot + 4 * lane as u32);
    };
    let code = [LOAD(), memory(Op::StGlobalB32, 2, 1, 512)];
    let sm = TestSm::new(program(2, code), &config(), Scene { prepare, ..SCENE }).run(200);
    assert_eq!(sm.issued[..4], [(0, 0), (1, 1), (2, 0), (3, 1)]);
    let chunks: Vec<u32> = sm.left.iter().map(|m| m.1.chunk).collect();
    assert_eq!(chunks, [4096, 4096, 5120, 5120, 4608, 4608, 5632, 5632]);
    assert_eq!(sm.departures(), [26, 28, 30, 32, 34, 36, 38, 40]);
}

#[test]
fn a_full_queue_blocks_until_the_cycle_after_its_oldest_entry_has_left() {
    // The last message leaves at `latency` + 4; an entry is free from the next issue cycle on.
    for (latency, from) in [(23, 7), (24, 8), (27, 8), (28, 9)] {
        let small = config_with(|c| (c.lsu.queue, c.lsu.latency) = (1, latency));
        let first = format!("II{}.", "X".repeat(from));
        let second = format!("N{}II.", "L".repeat(from - 1));
        let slots = format!("II{}II.", "L".repeat(from - 2));
        check(
            || TestSm::new(program(2, [STORE()]), &small, Scene { prepare: coalesced, ..SCENE }),
            &[&first, &second],
            &[&slots],
        );
    }
}

#[test]
fn a_busy_unit_has_priority_over_a_full_queue_as_stall_reason() {
    // The access waits for the queue in cycles 1 to 7; in cycles 2 to 4 a conflicting shared store
    // occupies the unit.
    let small = config_with(|c| c.lsu.queue = 1);
    let prepare = |_, warp: &mut Warp| {
        coalesced(0, warp);
        warp.w[2] = std::array::from_fn(|lane| 12 * 4 * lane as u32);
    };
    let code = [STORE(), memory(Op::StSharedB32, 0, 2, 0)];
    check(
        || TestSm::new(program(2, code), &small, Scene { prepare, ..SCENE }),
        &["IIIIIIXXXXXXXX.", "NLPPPLLLIIIIII."],
        &["IIRRRILLIIRRRI."],
    );
}

#[test]
fn a_block_fence_waits_until_the_messages_of_its_warp_have_left() {
    let code = [STORE(), Inst::new(Op::MembarCta)];
    let scene = Scene { prepare: coalesced, ..SCENE };
    check_alone(code, &config(), scene, "IIGGGGGGI.", "IIGGGGGGI.");
    check_alone([Inst::new(Op::MembarCta)], &config(), scene, "II.", "II.");
    // Long after the messages have left, the fence does not wait.
    let code = [STORE(), free_add(0), inst(Op::AddB32, 0, [0, 0]), inst(Op::AddB32, 0, [0, 0])];
    let [a, b, c, d] = code;
    let late = [a, b, c, d, Inst::new(Op::MembarCta)];
    check_alone(late, &config(), scene, "IIEEEEEIEEEEEIII.", "IIEEEEEIEEEEEIII.");
}

#[test]
fn a_block_fence_does_not_wait_for_other_warps() {
    // Warp 1 also stores, but only the two messages of warp 0 count: they have left at 28, those of
    // warp 1 at 32.
    let code = [STORE(), Inst::new(Op::MembarCta)];
    check(
        || TestSm::new(program(2, code), &config(), Scene { prepare: coalesced, ..SCENE }),
        &["INIGGGGGIX.", "NINIGGGGGI."],
        &["IIIIGGGGII."],
    );
}

#[test]
fn a_device_fence_waits_for_the_reply_of_every_used_link() {
    let code = [STORE(), Inst::new(Op::MembarGl)];
    // Both half-warps use one link. The fence leaves at 30.
    for (answer, waits) in [(10, 8), (11, 9), (12, 9), (14, 9), (15, 10)] {
        let row = format!("II{}I.", "G".repeat(waits));
        check_alone(code, &config(), Scene { prepare: coalesced, answer, ..SCENE }, &row, &row);
    }
    // Two links: fences leave at 30 and 32.
    let two = |_, warp: &mut Warp| {
        warp.w[1] = std::array::from_fn(|lane| 4096 + 4 * lane as u32 + 192 * (lane as u32 / 16));
    };
    for (answer, waits) in [(10, 9), (12, 9), (13, 10)] {
        let row = format!("II{}I.", "G".repeat(waits));
        check_alone(code, &config(), Scene { prepare: two, answer, ..SCENE }, &row, &row);
    }
}

#[test]
fn a_device_fence_covers_the_messages_since_the_last_one() {
    let fence = Inst::new(Op::MembarGl);
    check_alone([fence], &config(), SCENE, "II.", "II.");
    let scene = Scene { prepare: coalesced, ..SCENE };
    check_alone([STORE(), fence, fence], &config(), scene, "IIGGGGGGGGGII.", "IIGGGGGGGGGII.");
    let sm = TestSm::new(program(1, [LOAD(), fence, fence]), &config(), scene).run(200);
    let kinds: Vec<RequestKind> = sm.left.iter().map(|m| m.1.kind).collect();
    assert_eq!(kinds, [RequestKind::Load, RequestKind::Load, RequestKind::Fence]);
}
