//! Tests of constant memory through an SM's cache: exact cycles of hits, misses and different
//! addresses.

use super::*;
use crate::cache::{CacheShape, Replacement, SetIndex};
use crate::config::ConstCacheConfig;
use crate::exec::build::memory;
use isa::uop::NO_ROW;

/// [`config`] with a constant cache of two lines of 64 bytes. A hit takes 8 of the 32 cycles of a
/// load.
fn cached() -> SmConfig {
    let shape = CacheShape {
        bytes: 128,
        line_bytes: 64,
        ways: 2,
        replacement: Replacement::Lru,
        index: SetIndex::Modulo,
    };
    config_with(|c| {
        c.const_cache =
            Some(ConstCacheConfig { shape, hit_cycles: 8, group: 16, word_bytes: 4, pass_cycles: 2 });
    })
}

/// A load of the word at `address`, or at the addresses in row 1.
fn load(dst: u16, address: Option<u32>) -> Inst {
    memory(Op::LdConstB32, dst, if address.is_some() { NO_ROW } else { 1 }, address.unwrap_or(0))
}

/// A warp that has read the word at 0 in issue cycle 0; its line arrives at shader cycle `came`.
fn run(code: [Inst; 3], came: u64, end: u64) -> TestSm {
    let builder = program(1, code).banks(&[], &[0; 256]);
    let mut sm = TestSm::new(builder, &cached(), SCENE).run(came);
    assert_eq!(sm.sm.missing_line(), Some((false, crate::mem::bank::CONSTANTS)));
    assert_eq!(sm.sm.missing_line(), None, "the line is requested once");
    sm.sm.line_came(came, false, crate::mem::bank::CONSTANTS, &sm.context);
    sm.run(end)
}

/// Tests: `constant-cache-times`.
#[test]
fn a_missing_line_holds_the_warp_and_the_remaining_latency_follows() {
    // The line arrives at 50; the warp continues in the next issue cycle, 13; the sum waits until
    // 50 + 24 = 74: cycle 19.
    let code = [load(0, Some(0)), free_add(2), inst(Op::AddB32, 3, [0, CONST])];
    let issued = |sm: &TestSm| sm.issued.iter().map(|i| i.0).collect::<Vec<_>>();
    assert_eq!(issued(&run(code, 50, 100)), [0, 13, 19, 20]);
    let mut sm = run(code, 50, 80);
    sm.sm.close(80);
    let waits = &sm.sm.account.warps();
    assert_eq!(
        waits[WarpState::ConstantDependency],
        12 + 5,
        "held in 1 to 12, and for the register in 14 to 18"
    );
    // The second read of the line hits: 32 cycles.
    let code = [load(0, Some(0)), load(2, Some(4)), inst(Op::AddB32, 3, [2, CONST])];
    assert_eq!(issued(&run(code, 50, 120)), [0, 13, 21, 22]);
}

#[test]
fn different_addresses_need_slots_and_time() {
    let prepare = |_, warp: &mut crate::exec::Warp| {
        warp.w[1] = std::array::from_fn(|lane| 4 * (lane as u32 % 5));
    };
    // The lines are present: 5 addresses in each half-warp take 20 cycles, 16 more than the slot.
    let make = || {
        let builder = program(1, [load(0, None), inst(Op::AddB32, 3, [0, CONST])]).banks(&[], &[0; 256]);
        let mut sm = TestSm::new(builder, &cached(), Scene { prepare, ..SCENE });
        sm.sm.memory.have_line(crate::mem::bank::CONSTANTS / 64);
        sm
    };
    // Slot 0 and four replays; the result is ready 32 + 16 cycles after issue, in cycle 12.
    check(make, &["IIIIICCCCCCCII."], &["IKKKKCCCCCCCII."]);
}
