//! Tests of the L1 within the SM: exact cycles of a miss and of a hit, and the messages that leave.

use super::*;
use crate::cache::{Replacement, SetIndex};
use crate::config::{CoalesceRule, FillPolicy, L1Config, Prefetch, StorePolicy};
use crate::exec::Warp;
use crate::exec::build::memory;

fn cached(global: bool) -> SmConfig {
    config_with(|c| {
        (c.lsu.rule, c.lsu.group) = (CoalesceRule::Lines, 32);
        c.l1 = Some(L1Config {
            bytes: 1024,
            ways: 4,
            prefer_l1: None,
            hit_cycles: 10,
            misses: 4,
            merges: 4,
            global,
            fill: FillPolicy::Line,
            stores: StorePolicy::Evict,
            prefetch: Prefetch::Off,
            replacement: Replacement::Lru,
            index: SetIndex::Modulo,
        });
    })
}

/// Lane `lane` accesses word `lane` of the line at 4096.
fn in_line(_: u32, warp: &mut Warp) {
    warp.w[1] = std::array::from_fn(|lane| 4096 + 4 * lane as u32);
}

fn load(dst: u16) -> Inst {
    memory(Op::LdGlobalB32, dst, 1, 0)
}

const SHOWN: Scene = Scene { prepare: in_line, answer: 100, ..SCENE };

/// A load, an addition that depends on it, the same load again, and an addition that depends on
/// that.
fn twice() -> Builder {
    let wait = |row| inst(Op::AddB32, 3, [row, CONST]);
    program(1, [load(0), wait(0), load(2), wait(2)])
}

/// Issue cycles of the first `n` instructions of warp 0.
fn issued(sm: &TestSm, n: usize) -> Vec<u64> {
    sm.issued.iter().take(n).map(|(cycle, _)| *cycle).collect()
}

/// Tests: `cache-times`.
#[test]
fn a_hit_takes_the_hit_latency_and_sends_no_message() {
    let sm = TestSm::new(twice(), &cached(true), SHOWN).run(400);
    // The first load leaves 24 + 2 after issue, and its reply arrives 100 later; its value can be
    // used 24 after that, at 150. The second load issues at 156; the L1 looks it up 26 later,
    // replies 10 later, and the value can be used 24 later: at 216.
    assert_eq!(issued(&sm, 4), [0, 152 / 4, 156 / 4, 216 / 4]);
    assert_eq!(sm.departures(), [26]);
    let counters = sm.sm.memory.l1().expect("the SM has an L1").counters;
    assert_eq!((counters.global_load_hit, counters.global_load_miss), (1, 1));
}

#[test]
fn without_the_l1_or_bypassing_it_every_load_leaves() {
    let none = SmConfig { l1: None, ..cached(true) };
    for config in [none, cached(false)] {
        let sm = TestSm::new(twice(), &config, SHOWN).run(600);
        assert_eq!(sm.departures(), [26, 156 + 26]);
        assert!(sm.left.iter().all(|(_, request)| request.kind == RequestKind::Load));
    }
    // `.cg` and `.volatile` bypass the L1, `.ca` and `.cs` use it.
    for (aux, global, leave) in [
        (isa::uop::CacheOperator::Cg.bits(), true, 2),
        (Inst::VOLATILE, true, 2),
        (isa::uop::CacheOperator::Ca.bits(), false, 1),
        (isa::uop::CacheOperator::Cs.bits(), false, 1),
    ] {
        let [first, second] = [0, 2].map(|dst| Inst { aux, ..load(dst) });
        let wait = |row| inst(Op::AddB32, 3, [row, CONST]);
        let code = [first, wait(0), second, wait(2)];
        let sm = TestSm::new(program(1, code), &cached(global), SHOWN).run(600);
        assert_eq!(sm.left.len(), leave, "aux {aux:#x}");
    }
}

#[test]
fn a_load_that_bypasses_the_l1_transfers_only_the_touched_sectors() {
    let one = |_, warp: &mut Warp| warp.w[1] = [4096 + 64; 32];
    for (global, sectors) in [(true, 0b1111), (false, 0b0100)] {
        let sm = TestSm::new(program(1, [load(0)]), &cached(global), Scene { prepare: one, ..SHOWN });
        assert_eq!(sm.run(100).left[0].1.sectors, sectors);
    }
}

#[test]
fn loads_of_one_line_send_one_request_and_complete_together() {
    let sm =
        TestSm::new(program(3, [load(0), inst(Op::AddB32, 3, [0, CONST])]), &cached(true), SHOWN).run(400);
    assert_eq!(sm.departures(), [26]);
    // The loads issue at 0, 4 and 8; the line arrives at 126, and the values can be used at 150 by
    // all three.
    assert_eq!(sm.issued[3..6].iter().map(|(cycle, _)| *cycle).collect::<Vec<_>>(), [38, 39, 40]);
}

/// Tests: `cache-times`.
#[test]
fn a_full_l1_blocks_the_queue_until_a_fill_arrives() {
    let mut config = cached(true);
    config.l1.as_mut().expect("the SM has an L1").misses = 1;
    let next = memory(Op::LdGlobalB32, 2, 1, 128);
    let store = memory(Op::StGlobalB32, CONST, 1, 256);
    let sm = TestSm::new(program(1, [load(0), next, store]), &config, SHOWN).run(400);
    // The second line can be requested when the first fill arrives, at 126; the store after it
    // waits.
    assert_eq!(sm.departures(), [26, 126, 128]);
}
