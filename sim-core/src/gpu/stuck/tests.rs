//! The proof that a loop repeats: what it accepts, and what it must not.

use super::round::{self, Bytes};
use crate::exec::build::{Builder, bra, guarded, inst, memory, with_imm};
use crate::exec::{Access, Kernel, Step, Warp, WarpId, step};
use isa::sreg::SReg;
use isa::types::{Dim3, StateSpace};
use isa::uop::{Inst, NO_ROW, Op};

/// Every word of memory has this value.
struct Constant(u64);

impl Bytes for Constant {
    fn load(&self, _: u32, _: u32) -> u64 {
        self.0
    }
}

/// Constants: row 4 holds 0, row 5 holds 1, row 6 the address of an allocation.
fn builder() -> Builder {
    Builder::new().allocate(0x1000, 0x100).const32(0).const32(1).const32(0x1000)
}

/// A full warp of `kernel` after `steps` instructions, none of them a global access.
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

/// Instructions of the round that is found, and what it reads.
fn found(builder: Builder, coming: &[u32], start: u32) -> Option<(u64, Vec<(StateSpace, u32)>)> {
    let kernel = builder.exit().kernel();
    let mut warp = warp(&kernel, 0);
    (0..start).for_each(|_| warp.simt.advance());
    round::of(&kernel, &warp, &[0; 256], coming, Some(&Constant(0))).map(|r| (r.instructions, r.reads))
}

#[test]
fn a_loop_that_only_reads_repeats() {
    // 0: load, 1: is it 0?, 2: again
    let spin = |op, address| {
        builder().inst(memory(op, 0, address, 8)).inst(inst(Op::SetpEqB32, 0, [0, 4])).inst(guarded(
            bra(0, 3),
            0,
            false,
        ))
    };
    let global = Some((3, vec![(StateSpace::Global, 0x1008)]));
    // In the middle of a loop, having been round before: the predicate is set from then on.
    let kernel = spin(Op::LdGlobalB32, 6).exit().kernel();
    let mut state = warp(&kernel, 0);
    state.p[0] = u32::MAX;
    let at_start = round::of(&kernel, &state, &[], &[], Some(&Constant(0))).expect("it repeats");
    assert_eq!((at_start.first_line, at_start.last_line), (1, 3));
    assert_eq!(Some((at_start.instructions, at_start.reads)), global);
    assert_eq!(round::of(&kernel, &state, &[], &[], Some(&Constant(1))), None, "the flag is set: it leaves");
    // The value is on its way, and what the row holds is not what will come.
    state.simt.advance();
    state.w[0] = [77; 32];
    assert_eq!(
        round::of(&kernel, &state, &[], &[], Some(&Constant(0))),
        None,
        "this state does not come back"
    );
    assert!(
        round::of(&kernel, &state, &[], &[0], Some(&Constant(0))).is_some(),
        "but the one that will be does"
    );
    assert_eq!(round::of(&kernel, &state, &[], &[0], Some(&Constant(1))), None);
    assert_eq!(round::of(&kernel, &state, &[], &[0], None), None, "nothing is known of memory");
    let shared = spin(Op::LdSharedB32, NO_ROW).exit().kernel();
    let mut state = warp(&shared, 0);
    state.p[0] = u32::MAX;
    let round = round::of(&shared, &state, &[0; 256], &[], None).expect("it repeats");
    assert_eq!(round.reads, [(StateSpace::Shared, 8)]);
}

/// Tests: `proofs-of-hangs`.
#[test]
fn what_writes_waits_or_asks_the_time_does_not_repeat() {
    let again = |b: Builder, at: u32| b.inst(bra(0, at));
    assert_eq!(found(again(builder(), 1), &[], 0), Some((1, vec![])));
    for (what, one) in [
        ("a store", memory(Op::StGlobalB32, 4, 6, 0)),
        ("a store to shared memory", memory(Op::StSharedB32, 4, NO_ROW, 0)),
        ("a clock", with_imm(Op::MovSreg, 0, SReg::Clock as u32)),
        ("a barrier", with_imm(Op::BarSync, NO_ROW, 0)),
        ("an exit", Inst::new(Op::Exit)),
        ("a fault", memory(Op::LdGlobalB32, 0, 4, 0)),
    ] {
        assert_eq!(found(again(builder().inst(one), 2), &[], 0), None, "{what}");
        // Held back by its guard it does nothing.
        let held = guarded(one, 3, false);
        assert_eq!(found(again(builder().inst(held), 2), &[], 0).is_some(), what != "a clock", "{what}");
    }
}

/// Rows 0 and 1 are registers that count or are computed from one; row 4 holds 0, row 5 holds 1,
/// row 6 an address.
///
/// Tests: `spin-locks`.
#[test]
fn a_counter_that_decides_nothing_does_not_hide_the_loop() {
    let again = |b: Builder, at| b.inst(bra(0, at));
    let count = || builder().inst(inst(Op::AddB32, 0, [0, 5]));
    assert_eq!(found(again(count(), 2), &[], 0), Some((2, vec![])), "nothing reads it");
    let computed = count().inst(inst(Op::MadLoB32, 1, [0, 0, 1])).inst(inst(Op::SetpEqB32, 1, [1, 4]));
    assert_eq!(found(again(computed, 4), &[], 0), Some((4, vec![])), "nor what is computed from it");
    let flag = count().inst(memory(Op::LdGlobalB32, 1, 6, 8)).inst(inst(Op::SetpEqB32, 0, [1, 4]));
    let kernel = flag.inst(guarded(bra(0, 4), 0, false)).exit().kernel();
    // In the middle of a loop, having been round before: the predicate is set from then on.
    let mut state = warp(&kernel, 0);
    state.p[0] = u32::MAX;
    let repeats = |word| round::of(&kernel, &state, &[], &[], Some(&Constant(word))).is_some();
    assert_eq!([repeats(0), repeats(1)], [true, false], "the flag decides");
    for (what, one) in [
        ("a guard", guarded(inst(Op::MovB32, 1, [4]), 0, false)),
        ("an address", memory(Op::LdSharedB32, 1, 0, 0)),
    ] {
        let test = count().inst(inst(Op::SetpEqB32, 0, [0, 4]));
        assert_eq!(found(again(test.inst(one), 4), &[], 0), None, "{what} depends on it");
    }
    // By way of a row that is computed in the round before.
    let late = builder().inst(inst(Op::SetpNeB32, 0, [1, 4])).inst(inst(Op::MovB32, 1, [0]));
    let late = late.inst(inst(Op::AddB32, 0, [0, 5])).inst(guarded(bra(0, 5), 0, true)).inst(bra(0, 5));
    assert_eq!(found(late, &[], 0), None, "the condition reads what the counter was");
}

/// Tests: `proofs-of-hangs`.
#[test]
fn a_value_on_its_way_must_be_known_for_certain() {
    // 0: load, 1: something, 2: again; the warp stands at 2.
    let case = |load: Inst, between: Inst, target: u32| {
        found(builder().inst(load).inst(between).inst(bra(target, 3)), &[0], 2).is_some()
    };
    let load = memory(Op::LdGlobalB32, 0, 6, 0);
    let nothing = Inst::new(Op::MembarCta);
    assert!(case(load, nothing, 0));
    assert!(!case(load, nothing, 1), "a way into the middle");
    assert!(!case(load, nothing, 2), "a way to where it stands");
    for op in [Op::Call, Op::CallInd, Op::Ret, Op::Trap] {
        assert!(!case(load, Inst::new(op), 0), "{}: no straight way", op.text());
    }
    // Row 2 holds 0, and can be written.
    let loaded = |dst| memory(Op::LdGlobalB32, dst, 2, 0x1000);
    assert!(case(loaded(0), nothing, 0));
    assert!(!case(loaded(2), nothing, 0), "the load overwrites its own address");
    assert!(!case(loaded(0), inst(Op::MovB32, 2, [4]), 0), "its address has been overwritten");
    let under = guarded(loaded(0), 1, true);
    assert!(case(under, nothing, 0));
    assert!(!case(under, inst(Op::SetpNeB32, 1, [4, 4]), 0), "its guard has been overwritten");
}
