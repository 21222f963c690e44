//! Tests of the words of rules on a clock: a formula sees the issue cycle alone, so each expected
//! value can be counted by hand.

use super::formula::{Formula, Number, count, gathered, is, spread};
use super::grid::Grid;
use super::moment::Moment;
use super::setup::{Setup, Warp};
use super::sm::Sm;
use super::statement::{Broken, Rule, always, never, when};
use isa::types::Dim3;
use isa::uop::issue::beginnings;
use sim_core::config::Chip;
use sim_core::observe::Launched;

/// The setup of a launch of one thread of a kernel with this body.
fn setup(body: &str) -> Setup {
    let text = format!(".version 1.4\n.target sm_10\n.entry k () {{\n{body}\nexit;\n}}\n");
    let (module, _) = isa::compile("k.ptx", &text);
    let module = module.expect("it compiles");
    let program = module.entry("k").expect("it has an entry");
    let chip = Chip::builtin("g80").expect("it is built in");
    let one = Dim3 { x: 1, y: 1, z: 1 };
    Setup::of(&Launched { number: 1, program, grid: one, block: one, chip: &chip })
}

/// Calls `see` with a moment of each of these issue cycles.
fn moments(cycles: impl IntoIterator<Item = u64>, mut see: impl FnMut(&Moment<'_>)) {
    let setup = setup("");
    let (sm, grid) = (Sm::new(0, &setup), Grid::new(1));
    let (warp, other) = (Warp::default(), Warp::default());
    for cycle in cycles {
        see(&Moment { cycle, sm: &sm, grid: &grid, scheduler: 0, warp, other, event: None });
    }
}

/// True in these issue cycles.
fn at(cycles: &'static [u64]) -> Formula {
    is(move |m| cycles.contains(&m.cycle))
}

/// The issue cycles from 0 to 9 in which a formula is true.
fn cycles(mut formula: Formula) -> Vec<u64> {
    let mut found = Vec::new();
    moments(0..10, |m| found.extend(formula.step(m).then_some(m.cycle)));
    found
}

/// The values of a number in the issue cycles from 0 to 9.
fn values(number: &Number) -> Vec<u64> {
    let mut least = vec![0; 10];
    for bound in 0..10 {
        // A number is at most its value, and not less.
        let mut formula = number.clone().at_most(bound);
        moments(0..10, |m| least[m.cycle as usize] += u64::from(!formula.step(m)));
    }
    least
}

/// Where and how a rule is broken in the issue cycles from 0 to 9, and at its end (10).
fn broken(mut rule: Rule) -> Option<(u64, Broken)> {
    let mut found = None;
    moments(0..10, |m| {
        if let Err(broken) = rule.step(m) {
            found = found.or(Some((m.cycle, broken)));
        }
    });
    found.or(rule.end().err().map(|broken| (10, broken)))
}

#[test]
fn formulas_look_back() {
    assert_eq!(cycles(at(&[2, 5]) & at(&[5, 6])), [5]);
    assert_eq!(cycles(at(&[2]) | at(&[6])), [2, 6]);
    assert_eq!(cycles(!at(&[0, 1, 2, 3, 4, 5, 6, 7])), [8, 9]);
    assert_eq!(cycles(at(&[2, 5]).implies(at(&[5]))), [0, 1, 3, 4, 5, 6, 7, 8, 9]);
    assert_eq!(cycles(at(&[2, 5]).previously()), [3, 6]);
    assert_eq!(cycles(at(&[7]).once()), [7, 8, 9]);
    // From 3 on until it ends at 6; from 8 on although it does not hold there.
    assert_eq!(cycles(at(&[4, 5, 7]).since(at(&[3, 8]))), [3, 4, 5, 8]);
}

/// A part of a formula sees every moment, also where another part decides the value.
#[test]
fn all_parts_of_a_formula_see_all_moments() {
    assert_eq!(cycles(at(&[9]) & at(&[1]).once()), [9]);
    assert_eq!(cycles(at(&[1]) | at(&[1]).previously()), [1, 2]);
}

#[test]
fn numbers_count_from_the_last_start() {
    let even = || is(|m| m.cycle % 2 == 0);
    assert_eq!(values(&count(even())), [1, 1, 2, 2, 3, 3, 4, 4, 5, 5]);
    assert_eq!(values(&count(even()).since(at(&[3, 6]))), [1, 1, 2, 0, 1, 1, 1, 1, 2, 2]);
    let bit = |m: &Moment<'_>| 1 << (m.cycle % 4);
    assert_eq!(values(&gathered(bit)), [1, 2, 3, 4, 4, 4, 4, 4, 4, 4]);
    assert_eq!(values(&gathered(bit).since(at(&[5]))), [1, 2, 3, 4, 4, 1, 2, 3, 4, 4]);
    // Up, up, down, down, down: 1, 2, 1, 0, -1; then nothing, and a new start at 8.
    let (up, down) = (at(&[0, 1]), at(&[2, 3, 4, 8]));
    assert_eq!(values(&spread(up, down).since(at(&[8]))), [1, 2, 2, 2, 3, 3, 3, 3, 1, 1]);
    assert_eq!(cycles(Number::of(|m| m.cycle).below(Number::of(|_| 2))), [0, 1]);
}

#[test]
fn rules_are_broken_when_they_must_be() {
    assert_eq!(broken(always(!at(&[4]))), Some((4, Broken::Now)));
    assert_eq!(broken(never(at(&[4]))), Some((4, Broken::Now)));
    assert_eq!(broken(never(at(&[10]))), None);
    assert_eq!(broken(when(at(&[2, 5])).always(at(&[2]))), Some((5, Broken::Now)));
    assert_eq!(broken(when(at(&[2, 5])).never(at(&[3]))), None);
    assert_eq!(broken(when(at(&[2, 5])).eventually(at(&[5]))), None);
    assert_eq!(broken(when(at(&[2, 6, 7])).eventually(at(&[5]))), Some((10, Broken::NeverSince(6))));
    assert_eq!(broken(when(at(&[2])).until(at(&[2, 3]), at(&[4]))), None);
    assert_eq!(broken(when(at(&[2])).until(at(&[2, 3]), at(&[5]))), Some((4, Broken::Now)));
    // Until a goal that never comes.
    assert_eq!(broken(when(at(&[7])).until(at(&[7, 8, 9]), at(&[]))), None);
    assert_eq!(broken(never(at(&[8])).and(never(at(&[4])))), Some((4, Broken::Now)));
}

#[test]
fn a_goal_has_a_time() {
    assert_eq!(broken(when(at(&[2])).within(3, at(&[5]))), None);
    assert_eq!(broken(when(at(&[2])).within(3, at(&[6]))), Some((6, Broken::Late(2))));
    assert_eq!(broken(when(at(&[2])).within(0, at(&[2]))), None);
    // The goal ends the wait; a new one begins at 5.
    assert_eq!(broken(when(at(&[2, 5])).within(3, at(&[4]))), Some((9, Broken::Late(5))));
    // Without a moment in between, it is late at the next one.
    let mut rule = when(at(&[2])).within(3, at(&[8]));
    let mut late = Vec::new();
    moments([2, 8], |m| late.push(rule.step(m)));
    assert_eq!(late, [Ok(()), Err(Broken::Late(2))]);
}

/// A rule that is never put to the test says so.
#[test]
fn a_rule_counts_its_tests() {
    let tested = |mut rule: Rule| {
        moments(0..10, |m| {
            let _ = rule.step(m);
        });
        rule.tested()
    };
    assert_eq!(tested(always(at(&[1]))), 10);
    assert_eq!(tested(when(at(&[1, 3])).always(at(&[1]))), 2);
    assert_eq!(tested(when(at(&[])).eventually(at(&[1]))), 0);
    assert_eq!(tested(when(at(&[1])).until(at(&[1]), at(&[2])).and(when(at(&[5])).within(1, at(&[5])))), 2);
}

/// An instruction whose operand is a micro-op by itself issues under the number of its last one:
/// here `abs`, to which the lanes jump, is an operand of `lg2`.
#[test]
fn lanes_meet_at_an_instruction() {
    let setup = setup(
        ".reg .u32 %t<4>; .reg .f32 %f<3>; .reg .pred %p;
        mov.u32 %t1, %tid.x;
        setp.lt.u32 %p, %t0, %t1;
        @%p bra END;
        mul24.lo.u32 %t1, %t1, %t1;
        END: abs.f32 %f2, %f1;
        lg2.approx.f32 %f2, %f2;
        cvt.rzi.u32.f32 %t2, %f2;
        st.global.u32 [%t1], %t2;",
    );
    let (branch, meet) = setup.meets.first_key_value().expect("there is a branch");
    let target = setup.inst(*branch).imm;
    let main = beginnings(&setup.program.code)[target as usize];
    assert_eq!((target + 1, main), (*meet, *meet));
}
