//! Tests of local memory timing: the transferred words, their cycles, and the ready cycle of a
//! loaded register.

use super::*;
use crate::counters::GlobalCounters;
use crate::exec::Warp;
use crate::exec::build::memory;
use isa::uop::NO_ROW;

/// All lanes access byte 16 of their local memory: word 4.
const STORE: fn() -> Inst = || memory(Op::StLocalB32, CONST, NO_ROW, 16);
const LOAD: fn() -> Inst = || memory(Op::LdLocalB32, 0, NO_ROW, 16);

fn sm<const N: usize>(code: [Inst; N], config: &SmConfig, scene: Scene) -> TestSm {
    TestSm::new(program(2, code).local(64), config, scene)
}

/// Tests: `local-memory-times`.
#[test]
fn one_word_of_all_lanes_is_one_transaction_per_half_warp() {
    let sm = sm([STORE()], &config(), SCENE).run(200);
    assert_eq!(sm.departures(), [26, 28, 30, 32], "same as a coalesced store to global memory");
    let messages: Vec<_> = sm.left.iter().map(|(_, m)| (m.kind, m.lanes, m.transactions)).collect();
    let halves = [(RequestKind::LocalStore, 0xffff, 1), (RequestKind::LocalStore, 0xffff_0000, 1)];
    assert_eq!(messages, [halves, halves].concat());
    assert!(sm.left.iter().all(|(_, m)| !m.kind.writes()), "messages carry no values");
    // The local memory area is at the end of the G80's 768 MiB. An SM has 16 slots (8 blocks of 2
    // warps), each of 32 times 64 bytes.
    let base = (768 << 20) - 16 * 16 * 2048;
    let at = |m: &Request| m.chunk + u32::from(m.offset[0]);
    let starts: Vec<u32> = sm.left.iter().map(|(_, m)| at(m) - base).collect();
    assert_eq!(starts, [4 * 128, 4 * 128 + 64, 2048 + 4 * 128, 2048 + 4 * 128 + 64]);
}

#[test]
fn wide_words_are_transferred_word_by_word() {
    for (op, words) in [(Op::LdLocalB64, 2), (Op::LdLocalV2B64, 4)] {
        let mut load = memory(op, 0, NO_ROW, 32);
        load.set_dsts([0, 1].into_iter().take(load.dsts().count()));
        let sm = TestSm::new(program(1, [load]).local(64), &config(), SCENE).run(400);
        assert_eq!(sm.left.len(), 2 * words, "{op:?}");
        let counters = sm.sm.memory.counters.local_load;
        let words = words as u64;
        let expected = GlobalCounters {
            requests: 1,
            transactions: 2 * words,
            bytes_asked: 32 * 4 * words,
            bytes_moved: 2 * words * 64,
            coalesced_groups: 2 * words,
            uncoalesced_groups: 0,
        };
        assert_eq!((counters, sm.sm.memory.counters.load), (expected, GlobalCounters::default()), "{op:?}");
    }
}

#[test]
fn bytes_of_one_word_coalesce_and_different_words_do_not() {
    // Byte 16 + lane % 4 of each thread: one word. Word `lane`: one transaction per lane.
    for (op, scale, transactions) in [(Op::StLocalB8, 0, 2), (Op::StLocalB32, 4, 32)] {
        let sm = TestSm::new(program(1, [memory(op, CONST, 1, 0)]).local(160), &config(), SCENE);
        let mut sm = sm;
        sm.scene.prepare = if scale == 0 {
            |_, warp: &mut Warp| warp.w[1] = std::array::from_fn(|lane| 16 + lane as u32 % 4)
        } else {
            |_, warp: &mut Warp| warp.w[1] = std::array::from_fn(|lane| 4 * lane as u32)
        };
        let sm = sm.run(400);
        assert_eq!(sm.sm.memory.counters.local_store.transactions, transactions, "{op:?}");
    }
}

/// Tests: `local-memory-times`.
#[test]
fn a_loaded_register_is_ready_after_its_last_reply() {
    let code = [STORE(), LOAD(), inst(Op::AddB32, 1, [0, CONST])];
    let scene = Scene { answer: 12, ..SCENE };
    // The store's messages leave at 26 and 28, the load's messages at 30 and 32; the replies arrive
    // at 42 and 44; the register is ready at 68.
    let row = "IIMMMMMMMMMMMMMMMII.";
    check(|| TestSm::new(program(1, code).local(64), &config(), scene), &[row], &[row]);
    let sm = TestSm::new(program(1, code).local(64), &config(), scene).run(400);
    assert_eq!((sm.sm.warps.of(0).w[0], sm.sm.warps.of(0).w[1]), ([1; 32], [2; 32]));
}

#[test]
fn local_accesses_occupy_queue_entries() {
    let small = config_with(|c| (c.lsu.queue, c.lsu.latency) = (1, 24));
    check(
        || TestSm::new(program(2, [STORE()]).local(64), &small, SCENE),
        &["IIXXXXXXXX.", "NLLLLLLLII."],
        &["IILLLLLLII."],
    );
}
