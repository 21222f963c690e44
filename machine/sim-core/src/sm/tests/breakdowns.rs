//! Larger tables: several stall reasons together, and several schedulers.

use super::*;
use crate::exec::Warp;
use crate::exec::build::{bra, guarded, memory, with_imm};
use isa::uop::NO_ROW;

#[test]
fn every_cycle_of_two_warps_is_accounted_for() {
    let slow = config_with(|c| *cost(c, Class::IntMul) = ClassCost::new(SP, 4, 96));
    let prepare = |_, warp: &mut Warp| warp.w[1] = std::array::from_fn(|lane| 8 * lane as u32);
    let code = [
        inst(Op::MulLoB32, 0, [CONST, CONST]),
        memory(Op::LdSharedB32, 3, 1, 0),
        with_imm(Op::BarSync, 0, 0),
        inst(Op::AddB32, 2, [3, 3]),
    ];
    check(
        || TestSm::new(program(2, code), &slow, Scene { prepare, ..SCENE }),
        &["IIIINNNNIINNIBBBBSIIXX.", "NPPPIIIINPIINIBBBSSSII."],
        &["IHHHIHHHIRIRIIBBBSIIII."],
    );
}

/// [`config`] with two schedulers and with `change` applied. Scheduler 0 issues first in cycles 0,
/// 2, 4, 5, 7 and 10, scheduler 1 in 1, 3, 6, 8, 9 and 11.
fn two_schedulers(change: impl Fn(&mut SmConfig)) -> SmConfig {
    config_with(|c| {
        c.schedulers = 2;
        change(c);
    })
}

#[test]
fn each_scheduler_issues_its_own_warps() {
    // The unit of the first instruction is free again when warp 1 reaches it, and so is the unit of
    // the second.
    let config = two_schedulers(|c| cost(c, Class::FMul).unit = LSU);
    let code = [free_add(0), inst(Op::MulFtzF32, 1, [CONST, CONST])];
    check(|| TestSm::new(program(2, code), &config, SCENE), &["IIIX.", "PIII."], &["IIIX.", "PIII."]);
}

#[test]
fn a_unit_occupied_in_the_same_cycle_is_busy() {
    check(
        || TestSm::new(program(2, [free_add(0), free_add(1)]), &two_schedulers(|_| {}), SCENE),
        &["IPIIX.", "PIPII."],
        &["IPIIX.", "PIPII."],
    );
}

/// Tests: `no-starvation-at-units`.
#[test]
fn schedulers_with_private_units_do_not_affect_each_other() {
    let own = two_schedulers(|c| c.units.iter_mut().for_each(|u| u.per_scheduler = true));
    let code = [inst(Op::MulLoB32, 0, [CONST, CONST]), free_add(1)];
    let slow = |mut c: SmConfig| {
        *cost(&mut c, Class::IntMul) = ClassCost::new(SP, 3, 96);
        c
    };
    let rows = ["IIIII.", "IIIII."];
    check(|| TestSm::new(program(2, code), &slow(own.clone()), SCENE), &rows, &["IHHII."; 2]);
    // Two warps of one scheduler: the second waits for the unit that the first occupies.
    let lanes = |mut c: SmConfig| {
        c.units[SP as usize].lanes = 4;
        c
    };
    check(
        || TestSm::new(program(3, [free_add(0)]), &lanes(own.clone()), SCENE),
        &["IIXX.", "IIXX.", "NPII."],
        &["IIII.", "IIXX."],
    );
}

/// For any occupancy of a shared unit, the warps of all schedulers use it almost equally often, and
/// none waits long.
///
/// Tests: `no-starvation-at-units`.
#[test]
fn no_scheduler_starves_at_a_shared_unit() {
    const LENGTH: usize = 400;
    for (schedulers, lanes) in [2, 3, 4].into_iter().flat_map(|s| [1, 2, 4, 8].map(|lanes| (s, lanes))) {
        let config = config_with(|c| {
            (c.schedulers, c.units[SP as usize].lanes) = (schedulers, lanes);
        });
        let code: [Inst; LENGTH] = std::array::from_fn(|n| free_add(n as u16 % 4));
        // The same row is written again after the latency of an addition. With latency 1 only the
        // unit limits the rate.
        let config = SmConfig { classes: config.classes.map(|c| ClassCost { latency: 1, ..c }), ..config };
        let busy = u64::from(32 / lanes);
        let sm = TestSm::new(program(schedulers, code), &config, SCENE).run(busy * LENGTH as u64);
        let place = format!("{schedulers} schedulers, {lanes} lanes");
        assert_eq!(sm.issued.len(), LENGTH, "{place}: the unit must never be idle");
        for slot in 0..schedulers as usize {
            let turns: Vec<usize> = (0..LENGTH).filter(|n| sm.issued[*n].1 == slot).collect();
            let share = LENGTH / schedulers as usize;
            assert!(turns.len() >= share * 9 / 10, "{place}: {} of {LENGTH} to {slot}", turns.len());
            let longest = turns.windows(2).map(|pair| pair[1] - pair[0]).max().unwrap();
            assert!(longest <= 20, "{place}: {slot} waits for {longest} others");
        }
    }
}

#[test]
fn a_queue_filled_in_the_same_cycle_is_full() {
    let prepare = |_, warp: &mut Warp| warp.w[1] = std::array::from_fn(|l| 4096 + 4 * l as u32);
    let scene = Scene { prepare, ..SCENE };
    let (load, store) = (memory(Op::LdGlobalB32, 0, 1, 0), memory(Op::StGlobalB32, 2, 1, 0));
    // Loads have a separate unit. In cycle 1 only the queue, filled by the load of warp 1, stops
    // warp 0. In cycle 8 the store of warp 1 fills the queue again and occupies the unit of warp 0.
    let config = two_schedulers(|c| {
        c.lsu.queue = 2;
        cost(c, Class::LdGlobal).unit = SP;
    });
    let rows = ["ILLLLLLLPII.", "PILLLLLLIIX."];
    check(|| TestSm::new(program(2, [load, store]), &config, scene), &rows, &rows);
    // The queue is always full; in cycle 2 the shared load of warp 0 also occupies the unit.
    let config = two_schedulers(|c| c.lsu.queue = 1);
    let code = [store, free_add(3), memory(Op::LdSharedB32, 2, NO_ROW, 0)];
    let rows = ["IIIIXXXXXXXX.", "PLPLLLLLIIII."];
    check(|| TestSm::new(program(2, code), &config, scene), &rows, &rows);
}

#[test]
fn another_scheduler_changes_the_reason_of_an_empty_slot() {
    // Warp 0 waits for the queue from cycle 3 on. The conflicting shared store of warp 1 occupies
    // the unit until cycle 6. Scheduler 1 issues first in cycle 3 and second in cycle 4.
    let config = two_schedulers(|c| (c.lsu.queue, c.units[CONTROL as usize].lanes) = (1, 8));
    let prepare = |slot, warp: &mut Warp| {
        warp.p[0] = if slot == 1 { u32::MAX } else { 0 };
        warp.w[1] = std::array::from_fn(|l| 4096 + 4 * l as u32);
        warp.w[2] = std::array::from_fn(|l| 16 * l as u32);
    };
    let store = memory(Op::StGlobalB32, 0, 1, 0);
    let (branch, conflict) = (guarded(bra(3, 3), 0, false), memory(Op::StSharedB32, 0, 2, 0));
    let scene = Scene { prepare, ..SCENE };
    check(
        || TestSm::new(program(2, [branch, store, store, conflict]), &config, scene),
        &["IFIPPPPLLLIIIIII.", "PIFIIIIIXXXXXXXX."],
        &["IFIPPPPLLLIIRRRI.", "PIFIRRRIXXXXXXXX."],
    );
    check(
        || TestSm::new(program(2, [branch, store, store, free_add(3), conflict]), &config, scene),
        &["IFILLPPPLLIIIIIII.", "PIFIIIIIIXXXXXXXX."],
        &["IFILLPPPLLIIIRRRI.", "PIFIIRRRIXXXXXXXX."],
    );
}

#[test]
fn a_block_on_two_schedulers_retires_from_both() {
    let exit = two_schedulers(|c| {
        cost(c, Class::Exit).slots = 2;
        c.units[CONTROL as usize].lanes = 16;
    });
    // The control unit accepts an exit slot in two shader cycles; the exit of the second scheduler
    // must wait for the next issue cycle.
    check(|| TestSm::new(program(2, []), &exit, SCENE), &["IIX.", "PII."], &["IHX.", "PIH."]);
}

#[test]
fn a_fast_unit_accepts_instructions_of_several_schedulers_in_one_issue_cycle() {
    let lanes = |lanes| two_schedulers(move |c| c.units[CONTROL as usize].lanes = lanes);
    check(|| TestSm::new(program(2, []), &lanes(16), SCENE), &["I.", "I."], &["I.", "I."]);
    check(|| TestSm::new(program(2, []), &lanes(8), SCENE), &["IX.", "PI."], &["IX.", "PI."]);
    // Three instructions of 3 shader cycles each: the third would enter after the end of the issue
    // cycle.
    let three = config_with(|c| {
        (c.schedulers, c.units[CONTROL as usize].lanes) = (3, 11);
    });
    check(|| TestSm::new(program(3, []), &three, SCENE), &["IX.", "IX.", "PI."], &["IX.", "IX.", "PI."]);
}

/// A unit that is busy for 6 shader cycles with each instruction accepts two instructions in three
/// issue cycles. An instruction that enters late has its result late.
///
/// Tests: `unit-free-cycle`.
#[test]
fn an_instruction_enters_a_unit_that_is_free_within_its_issue_cycle() {
    let config = config_with(|c| c.units[SP as usize].lanes = 6);
    assert_eq!(32u32.div_ceil(6), 6);
    check(
        || TestSm::new(program(3, [free_add(0)]), &config, SCENE),
        &["INIXXX.", "NINIXX.", "NNPNII."],
        &["IIIIII."],
    );
    // The second addition enters at 6 and its result is ready at 30, which is visible at 32. The
    // first addition of the warp was ready at 24.
    let config = config_with(|c| {
        c.units[SP as usize].lanes = 6;
        cost(c, Class::Exit).latency = 1;
    });
    let code = [free_add(0), free_add(1), inst(Op::AddB32, 2, [1, CONST])];
    check_alone(code, &config, SCENE, "IIEEEEEEII.", "IIEEEEEEII.");
}
