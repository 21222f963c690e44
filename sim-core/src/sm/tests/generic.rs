//! Accesses through generic addresses: a slot for each space that a warp reaches, and the last part decides.

use super::*;
use crate::exec::Warp;
use crate::exec::build::memory;
use isa::generic::{LOCAL_WINDOW, SHARED_WINDOW};
use std::array::from_fn;

const LOAD: fn() -> Inst = || memory(Op::LdGenericB32, 0, 1, 0);
const USE: fn() -> Inst = || inst(Op::AddB32, 2, [0, CONST]);

fn shared(_: u32, warp: &mut Warp) {
    warp.w[1] = from_fn(|lane| SHARED_WINDOW + 4 * lane as u32);
}

/// The first half-warp reaches global memory, in order; the second shared memory.
fn halves(_: u32, warp: &mut Warp) {
    warp.w[1] = from_fn(|lane| if lane < 16 { 4096 } else { SHARED_WINDOW } + 4 * lane as u32);
}

/// Likewise global and local memory.
fn with_local(_: u32, warp: &mut Warp) {
    warp.w[1] = from_fn(|lane| if lane < 16 { 4096 + 4 * lane as u32 } else { LOCAL_WINDOW + 8 });
}

fn bench<const N: usize>(code: [Inst; N], config: &SmConfig, prepare: fn(u32, &mut Warp)) -> Bench {
    Bench::new(program(1, code).local(64), config, Scene { prepare, ..SCENE })
}

#[test]
fn a_warp_on_shared_memory_alone_takes_what_a_shared_load_takes() {
    let row = "ISSSSSSSSII.";
    check(|| bench([LOAD(), USE()], &config(), shared), &[row], &[row]);
    let by_name = |_: u32, warp: &mut Warp| warp.w[1] = from_fn(|lane| 4 * lane as u32);
    check(|| bench([memory(Op::LdSharedB32, 0, 1, 0), USE()], &config(), by_name), &[row], &[row]);
    let bench = bench([LOAD(), USE()], &config(), shared).run(200);
    assert_eq!((bench.left.len(), bench.sm.account.accesses.shared_load.requests), (0, 1));
}

#[test]
fn two_spaces_take_two_slots_and_the_register_waits_for_the_slower() {
    // The message leaves at 26 and is answered at 38: 24 more to the register, 62.
    let (warp, slots) = (format!("II{}II.", "M".repeat(14)), format!("IH{}II.", "M".repeat(14)));
    check(|| bench([LOAD(), USE()], &config(), halves), &[&warp], &[&slots]);
    // Shared memory that takes 100 cycles is the slower one.
    let slow = config_with(|c| cost(c, Class::LdShared).latency = 100);
    let (warp, slots) = (format!("II{}II.", "M".repeat(23)), format!("IH{}II.", "M".repeat(23)));
    check(|| bench([LOAD(), USE()], &slow, halves), &[&warp], &[&slots]);
}

#[test]
fn global_and_local_parts_share_an_entry_of_the_queue() {
    for (code, kinds) in [
        (LOAD(), [RequestKind::Load, RequestKind::LocalLoad]),
        (memory(Op::StGenericB32, CONST, 1, 0), [RequestKind::Store, RequestKind::LocalStore]),
    ] {
        let narrow = config_with(|c| c.lsu.queue = 1);
        let bench = bench([code], &narrow, with_local).run(200);
        let left: Vec<_> = bench.left.iter().map(|(at, m)| (*at, m.kind, m.lanes)).collect();
        assert_eq!(left, [(26, kinds[0], 0xffff), (28, kinds[1], 0xffff_0000)]);
        let books = &bench.sm.account;
        let (global, local) = if kinds[0] == RequestKind::Load {
            (books.accesses.load, books.accesses.local_load)
        } else {
            (books.accesses.store, books.accesses.local_store)
        };
        assert_eq!((global.requests, global.bytes_asked), (1, 64));
        assert_eq!((local.requests, local.bytes_asked), (1, 64));
    }
}

#[test]
fn an_atomic_on_shared_memory_takes_its_slots_and_passes() {
    let dear = config_with(|c| cost(c, Class::AtomShared).slots = 2);
    let mut add = memory(Op::RedGenericB32, CONST, 1, 0);
    add.set_srcs([1, CONST]);
    let one = bench([add], &dear, shared).run(200);
    let all = bench([add], &dear, |_, warp: &mut Warp| warp.w[1] = [SHARED_WINDOW; 32]).run(2000);
    let (one, all) = (&one.sm.account, &all.sm.account);
    assert_eq!((one.slots.breakdown.held, one.slots.breakdown.replay_bank_conflict), (1, 0));
    assert!(all.accesses.shared_atomic.conflict_passes > 0 && all.slots.breakdown.replay_bank_conflict > 0);
    assert_eq!((one.accesses.atomic.requests, one.accesses.shared_atomic.requests), (0, 1));
}
