//! The proof that a loop repeats: loops that it must accept and loops that it must reject.

use super::round::{self, Bytes};
use crate::exec::build::{Builder, bra, guarded, inst, memory, with_imm};
use crate::exec::{Access, Kernel, Step, Warp, WarpId, step};
use isa::sreg::SReg;
use isa::types::{Dim3, StateSpace};
use isa::uop::{Inst, NO_ROW, Op};

/// Memory in which every word has this value.
struct Constant(u64);

impl Bytes for Constant {
    fn load(&self, _: u32, _: u32) -> u64 {
        self.0
    }
}

/// Constants: row 4 is 0, row 5 is 1, row 6 is the address of an allocation.
fn builder() -> Builder {
    Builder::new().allocate(0x1000, 0x100).const32(0).const32(1).const32(0x1000)
}

/// Returns a full warp of `kernel` after `steps` instructions, none of them a global access.
fn warp(kernel: &Kernel, steps: u32) -> Warp {
    let mut warp = Warp::empty(kernel.program.rows, kernel.program.call_depth);
    let id = WarpId { block: 0, ctaid: Dim3::new(0, 0, 0), index: 0, sm: 0, slot: 0 };
    warp.start(id, 32);
    let mut access = Access::new();
    for _ in 0..steps {
        let done = step(kernel, &mut warp, &mut access, &mut [0; 256], 0).expect("no fault");
        assert_ne!(done, Step::Global);
    }
    warp
}

/// Returns the number of instructions of the repeated iteration, and the words that it reads.
fn found(builder: Builder, coming: &[u32], start: u32) -> Option<(u64, Vec<(StateSpace, u32)>)> {
    let kernel = builder.exit().kernel();
    let mut warp = warp(&kernel, 0);
    (0..start).for_each(|_| warp.simt.advance());
    round::of(&kernel, &warp, &[0; 256], coming, Some(&Constant(0))).map(|r| (r.instructions, r.reads))
}

#[test]
fn a_loop_that_only_reads_repeats() {
    // 0: load, 1: compare with 0, 2: branch back
    let spin = |op, address| {
        builder().inst(memory(op, 0, address, 8)).inst(inst(Op::SetpEqB32, 0, [0, 4])).inst(guarded(
            bra(0, 3),
            0,
            false,
        ))
    };
    let global = Some((3, vec![(StateSpace::Global, 0x1008)]));
    // In the middle of a loop, after the first iteration: the predicate is already set.
    let kernel = spin(Op::LdGlobalB32, 6).exit().kernel();
    let mut state = warp(&kernel, 0);
    state.p[0] = u32::MAX;
    let at_start = round::of(&kernel, &state, &[], &[], Some(&Constant(0))).expect("the loop repeats");
    assert_eq!((at_start.first_line, at_start.last_line), (1, 3));
    assert_eq!(Some((at_start.instructions, at_start.reads)), global);
    assert_eq!(
        round::of(&kernel, &state, &[], &[], Some(&Constant(1))),
        None,
        "the flag is set, so the warp leaves the loop"
    );
    // The load is pending, so the register does not contain the loaded value.
    state.simt.advance();
    state.w[0] = [77; 32];
    assert_eq!(round::of(&kernel, &state, &[], &[], Some(&Constant(0))), None, "this state does not repeat");
    assert!(
        round::of(&kernel, &state, &[], &[0], Some(&Constant(0))).is_some(),
        "the state after the load repeats"
    );
    assert_eq!(round::of(&kernel, &state, &[], &[0], Some(&Constant(1))), None);
    assert_eq!(round::of(&kernel, &state, &[], &[0], None), None, "the contents of memory are unknown");
    let shared = spin(Op::LdSharedB32, NO_ROW).exit().kernel();
    let mut state = warp(&shared, 0);
    state.p[0] = u32::MAX;
    let round = round::of(&shared, &state, &[0; 256], &[], None).expect("the loop repeats");
    assert_eq!(round.reads, [(StateSpace::Shared, 8)]);
}

/// Tests: `proofs-of-hangs`.
#[test]
fn loops_that_store_wait_or_read_the_clock_do_not_repeat() {
    let again = |b: Builder, at: u32| b.inst(bra(0, at));
    assert_eq!(found(again(builder(), 1), &[], 0), Some((1, vec![])));
    for (what, one) in [
        ("a store", memory(Op::StGlobalB32, 5, 6, 0)),
        ("a store to shared memory", memory(Op::StSharedB32, 5, NO_ROW, 0)),
        ("a clock", with_imm(Op::MovSreg, 0, SReg::Clock as u32)),
        ("a barrier", with_imm(Op::BarSync, NO_ROW, 0)),
        ("an exit", Inst::new(Op::Exit)),
        ("a fault", memory(Op::LdGlobalB32, 0, 4, 0)),
    ] {
        assert_eq!(found(again(builder().inst(one), 2), &[], 0), None, "{what}");
        // An instruction with a false guard has no effect.
        let held = guarded(one, 3, false);
        assert_eq!(found(again(builder().inst(held), 2), &[], 0).is_some(), what != "a clock", "{what}");
    }
}

/// Row 4 is 0, as memory is, and row 5 is 1.
///
/// Tests: `proofs-of-hangs`.
#[test]
fn a_store_of_the_value_in_memory_changes_nothing() {
    let again = |b: Builder, at: u32| b.inst(bra(0, at));
    for (what, store) in [
        ("global", memory(Op::StGlobalB32, 4, 6, 0)),
        ("a byte", memory(Op::StGlobalB8, 4, 6, 0)),
        ("shared", memory(Op::StSharedB32, 4, NO_ROW, 0)),
    ] {
        assert_eq!(found(again(builder().inst(store), 2), &[], 0), Some((2, vec![])), "{what}");
    }
    let kernel = again(builder().inst(memory(Op::StGlobalB32, 4, 6, 0)), 2).exit().kernel();
    let repeats =
        |memory: Option<&dyn Bytes>| round::of(&kernel, &warp(&kernel, 0), &[], &[], memory).is_some();
    assert!(!repeats(Some(&Constant(7))) && !repeats(None), "memory has another value, or is unknown");
    // The value comes from a counter, which is relevant because it is stored.
    let counted = builder().inst(inst(Op::AddB32, 0, [0, 5])).inst(memory(Op::StGlobalB32, 0, 6, 0));
    assert_eq!(found(again(counted, 3), &[], 0), None);
}

/// Rows 0 and 1 are counters or values computed from a counter; row 4 is 0, row 5 is 1, row 6 is an
/// address.
///
/// Tests: `spin-locks`.
#[test]
fn a_counter_that_no_condition_reads_does_not_hide_the_loop() {
    let again = |b: Builder, at| b.inst(bra(0, at));
    let count = || builder().inst(inst(Op::AddB32, 0, [0, 5]));
    assert_eq!(found(again(count(), 2), &[], 0), Some((2, vec![])), "no instruction reads the counter");
    let computed = count().inst(inst(Op::MadLoB32, 1, [0, 0, 1])).inst(inst(Op::SetpEqB32, 1, [1, 4]));
    assert_eq!(
        found(again(computed, 4), &[], 0),
        Some((4, vec![])),
        "no condition reads the values computed from the counter"
    );
    let flag = count().inst(memory(Op::LdGlobalB32, 1, 6, 8)).inst(inst(Op::SetpEqB32, 0, [1, 4]));
    let kernel = flag.inst(guarded(bra(0, 4), 0, false)).exit().kernel();
    // In the middle of a loop, after the first iteration: the predicate is already set.
    let mut state = warp(&kernel, 0);
    state.p[0] = u32::MAX;
    let repeats = |word| round::of(&kernel, &state, &[], &[], Some(&Constant(word))).is_some();
    assert_eq!([repeats(0), repeats(1)], [true, false], "the flag ends the loop");
    for (what, one) in [
        ("a guard", guarded(inst(Op::MovB32, 1, [4]), 0, false)),
        ("an address", memory(Op::LdSharedB32, 1, 0, 0)),
    ] {
        let test = count().inst(inst(Op::SetpEqB32, 0, [0, 4]));
        assert_eq!(found(again(test.inst(one), 4), &[], 0), None, "{what} depends on the counter");
    }
    // Through a row that the previous iteration computed.
    let late = builder().inst(inst(Op::SetpNeB32, 0, [1, 4])).inst(inst(Op::MovB32, 1, [0]));
    let late = late.inst(inst(Op::AddB32, 0, [0, 5])).inst(guarded(bra(0, 5), 0, true)).inst(bra(0, 5));
    assert_eq!(found(late, &[], 0), None, "the condition reads the previous value of the counter");
}

/// Tests: `proofs-of-hangs`.
#[test]
fn a_pending_load_must_have_a_certain_value() {
    // 0: load, 1: another instruction, 2: branch back; the next instruction of the warp is 2.
    let case = |load: Inst, between: Inst, target: u32| {
        found(builder().inst(load).inst(between).inst(bra(target, 3)), &[0], 2).is_some()
    };
    let load = memory(Op::LdGlobalB32, 0, 6, 0);
    let nothing = Inst::new(Op::MembarCta);
    assert!(case(load, nothing, 0));
    assert!(!case(load, nothing, 1), "a branch leads in between");
    assert!(!case(load, nothing, 2), "a branch leads to the next instruction");
    for op in [Op::Call, Op::CallInd, Op::Ret, Op::Trap] {
        assert!(!case(load, Inst::new(op), 0), "{}: not straight-line code", op.text());
    }
    // Row 2 is 0 and can be written.
    let loaded = |dst| memory(Op::LdGlobalB32, dst, 2, 0x1000);
    assert!(case(loaded(0), nothing, 0));
    assert!(!case(loaded(2), nothing, 0), "the load overwrites its own address");
    assert!(!case(loaded(0), inst(Op::MovB32, 2, [4]), 0), "its address has been overwritten");
    let under = guarded(loaded(0), 1, true);
    assert!(case(under, nothing, 0));
    assert!(!case(under, inst(Op::SetpNeB32, 1, [4, 4]), 0), "its guard has been overwritten");
}
