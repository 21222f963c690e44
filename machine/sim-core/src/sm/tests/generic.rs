//! Tests of accesses through generic addresses: one slot for each space that a warp accesses; the
//! last part determines the latency.

use super::*;
use crate::counters::GlobalCounters;
use crate::exec::Warp;
use crate::exec::build::memory;
use isa::generic::{LOCAL_WINDOW, SHARED_WINDOW};
use std::array::from_fn;

const LOAD: fn() -> Inst = || memory(Op::LdGenericB32, 0, 1, 0);
const USE: fn() -> Inst = || inst(Op::AddB32, 2, [0, CONST]);

fn shared(_: u32, warp: &mut Warp) {
    warp.w[1] = from_fn(|lane| SHARED_WINDOW + 4 * lane as u32);
}

/// The first half-warp accesses consecutive words of global memory, the second half-warp shared
/// memory.
fn halves(_: u32, warp: &mut Warp) {
    warp.w[1] = from_fn(|lane| if lane < 16 { 4096 } else { SHARED_WINDOW } + 4 * lane as u32);
}

/// The first half-warp accesses global memory, the second half-warp local memory.
fn with_local(_: u32, warp: &mut Warp) {
    warp.w[1] = from_fn(|lane| if lane < 16 { 4096 + 4 * lane as u32 } else { LOCAL_WINDOW + 8 });
}

fn sm<const N: usize>(code: [Inst; N], config: &SmConfig, prepare: fn(u32, &mut Warp)) -> TestSm {
    TestSm::new(program(1, code).local(64), config, Scene { prepare, ..SCENE })
}

/// Tests: `generic-access-times`.
#[test]
fn a_generic_access_to_shared_memory_takes_the_time_of_a_shared_load() {
    let row = "ISSSSSSSSII.";
    check(|| sm([LOAD(), USE()], &config(), shared), &[row], &[row]);
    let by_name = |_: u32, warp: &mut Warp| warp.w[1] = from_fn(|lane| 4 * lane as u32);
    check(|| sm([memory(Op::LdSharedB32, 0, 1, 0), USE()], &config(), by_name), &[row], &[row]);
    let sm = sm([LOAD(), USE()], &config(), shared).run(200);
    assert_eq!((sm.left.len(), sm.sm.memory.counters.shared_load.requests), (0, 1));
}

/// Tests: `generic-access-times`.
#[test]
fn two_spaces_need_two_slots_and_the_register_waits_for_the_slower_one() {
    // The message leaves at 26 and the reply arrives at 38; 24 more cycles to write the register,
    // 62.
    let (warp, slots) = (format!("II{}II.", "M".repeat(14)), format!("IH{}II.", "M".repeat(14)));
    check(|| sm([LOAD(), USE()], &config(), halves), &[&warp], &[&slots]);
    // With a latency of 100 cycles, shared memory is the slower one.
    let slow = config_with(|c| cost(c, Class::LdShared).latency = 100);
    let (warp, slots) = (format!("II{}II.", "M".repeat(23)), format!("IH{}II.", "M".repeat(23)));
    check(|| sm([LOAD(), USE()], &slow, halves), &[&warp], &[&slots]);
}

/// Tests: `generic-access-times`.
#[test]
fn global_and_local_parts_share_a_queue_entry() {
    for (code, kinds) in [
        (LOAD(), [RequestKind::Load, RequestKind::LocalLoad]),
        (memory(Op::StGenericB32, CONST, 1, 0), [RequestKind::Store, RequestKind::LocalStore]),
    ] {
        let narrow = config_with(|c| c.lsu.queue = 1);
        let sm = sm([code], &narrow, with_local).run(200);
        let left: Vec<_> = sm.left.iter().map(|(at, m)| (*at, m.kind, m.lanes)).collect();
        assert_eq!(left, [(26, kinds[0], 0xffff), (28, kinds[1], 0xffff_0000)]);
        let counters = &sm.sm.memory.counters;
        let (global, local) = if kinds[0] == RequestKind::Load {
            (counters.load, counters.local_load)
        } else {
            (counters.store, counters.local_store)
        };
        let expected = GlobalCounters {
            requests: 1,
            transactions: 1,
            bytes_asked: 64,
            bytes_moved: 64,
            coalesced_groups: 1,
            uncoalesced_groups: 0,
        };
        assert_eq!((global, local), (expected, expected), "{kinds:?}");
    }
}

#[test]
fn an_atomic_on_shared_memory_uses_its_slots_and_passes() {
    let dear = config_with(|c| cost(c, Class::AtomShared).slots = 2);
    let mut add = memory(Op::RedGenericB32, CONST, 1, 0);
    add.set_srcs([1, CONST]);
    let one = sm([add], &dear, shared).run(200);
    let all = sm([add], &dear, |_, warp: &mut Warp| warp.w[1] = [SHARED_WINDOW; 32]).run(2000);
    let slots = |sm: &TestSm| sm.sm.account.slots.breakdown;
    assert_eq!((slots(&one).held, slots(&one).replay_bank_conflict), (1, 0));
    let (one, replays, all) =
        (one.sm.memory.counters, slots(&all).replay_bank_conflict, all.sm.memory.counters);
    assert!(all.shared_atomic.conflict_passes > 0 && replays > 0);
    assert_eq!((one.atomic.requests, one.shared_atomic.requests), (0, 1));
}
