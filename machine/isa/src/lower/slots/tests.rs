//! Rows and registers of small pieces of code.

use super::*;
use crate::lower::code::OperandRow;
use crate::span::Span;
use crate::uop::Op;

/// Parses lines such as `w0 = w1 w2`, `d0 = w1`, `p0 = w0`, `?p0 w1 = w2`, `use w0`, `bra 3`, `?p0
/// bra 0`, `exit`.
fn code(text: &str) -> Code {
    let mut code = Code::default();
    let lines: Vec<&str> = text.lines().map(str::trim).filter(|l| !l.is_empty()).collect();
    for line in lines {
        let mut words: Vec<&str> = line.split_whitespace().filter(|w| *w != "=").collect();
        let guard = words[0].strip_prefix('?').map(|p| (p[1..].parse().unwrap(), false));
        if guard.is_some() {
            words.remove(0);
        }
        let mut row = |word: &str| {
            let register: u32 = word[1..].parse().unwrap();
            let file = "wdp".find(&word[..1]).unwrap();
            code.registers[file] = code.registers[file].max(register + 1);
            OperandRow::Reg(register)
        };
        let mut inst = VInst::new(Op::Exit, Span::default());
        inst.guard = guard;
        match words[0] {
            "exit" => {}
            "bra" => (inst.op, inst.imm) = (Op::Bra, words[1].parse().unwrap()),
            "use" => {
                inst.op = if words[1].starts_with('w') { Op::StGlobalB32 } else { Op::StGlobalB64 };
                inst.src[1] = row(words[1]);
            }
            dst => {
                inst.op = match (&dst[..1], words.len()) {
                    ("w", 1) => Op::MovSreg,
                    ("w", 2) => Op::MovB32,
                    ("w", _) => Op::AddB32,
                    ("d", _) => Op::CvtB64U32,
                    _ => Op::SetpEqB32,
                };
                inst.dst = row(dst);
                for (slot, word) in inst.src.iter_mut().zip(&words[1..]) {
                    *slot = row(word);
                }
            }
        }
        code.insts.push(inst);
    }
    code
}

fn slots(text: &str) -> Slots {
    let code = code(text);
    assign(&code, &CallSites::default(), &Flow::new(&code.insts)).unwrap()
}

#[test]
fn a_row_is_reused_after_the_last_read() {
    let slots = slots("w0\nw1 = w0\nw2 = w1\nuse w2\nexit");
    assert_eq!(slots.rows[0], [0, 0, 0]);
    assert_eq!((slots.counts, slots.registers), ([1, 0, 0], 1));
}

#[test]
fn values_that_are_live_together_have_different_rows() {
    let slots = slots("w0\nw1\nw2 = w0 w1\nuse w1\nuse w2\nexit");
    assert_eq!(slots.rows[0], [0, 1, 0]);
    assert_eq!(slots.registers, 2);
}

#[test]
fn a_value_that_is_never_read_still_needs_a_row() {
    let slots = slots("w0\nw1\nuse w0\nexit");
    assert_eq!(slots.rows[0], [0, 1]);
    assert_eq!(slots.registers, 2);
}

#[test]
fn wide_values_count_twice_and_predicates_do_not_count() {
    let slots = slots("w0\nd0 = w0\np0 = w0 w0\nuse w0\n?p0 use d0\nexit");
    assert_eq!((slots.counts, slots.registers), ([1, 1, 1], 3));
}

#[test]
fn a_value_that_a_loop_reads_again_keeps_its_row() {
    // `w0` is read in every iteration, so `w1` and `w2` must not use its row.
    let slots = slots("w0\nw1 = w0\nw2 = w1\np0 = w2 w2\n?p0 bra 1\nexit");
    assert_eq!(slots.rows[0], [0, 1, 1]);
}

#[test]
fn a_guarded_write_keeps_the_old_value() {
    // `w0` is written for some lanes only; the others keep the first value, also while `w1` is
    // live.
    let slots = slots("w0\nw1\np0 = w1 w1\n?p0 w0 = w1\nuse w0\nexit");
    assert_eq!(slots.rows[0], [0, 1]);
}

#[test]
fn a_register_read_before_it_is_written_keeps_its_zero() {
    // `w0` and `w1` are dead before `w2` is read, but their writes must not change `w2`'s row.
    let slots = slots("w0\nuse w0\nw1\nuse w1\nuse w2\nexit");
    assert_eq!(slots.rows[0][2], 0, "it is live from the start and gets the first row");
    assert_eq!([slots.rows[0][0], slots.rows[0][1]], [1, 1]);
}

#[test]
fn sides_of_a_branch_share_rows() {
    let slots = slots("w0\np0 = w0 w0\n?p0 bra 6\nw1 = w0\nuse w1\nbra 8\nw2 = w0\nuse w2\nexit");
    assert_eq!(slots.rows[0], [0, 0, 0]);
    assert_eq!(slots.registers, 1);
}

#[test]
fn registers_of_unreachable_code_have_a_row() {
    let slots = slots("bra 2\nuse d0\nexit");
    assert_eq!((slots.rows[1].as_slice(), slots.counts[1]), ([0].as_slice(), 1));
}

#[test]
fn too_many_live_values_are_rejected() {
    use std::fmt::Write;
    let mut text = String::new();
    (0..=MAX_LIVE).for_each(|r| writeln!(text, "w{r}").unwrap());
    (0..=MAX_LIVE).for_each(|r| writeln!(text, "use w{r}").unwrap());
    let code = code(&(text + "exit"));
    assert_eq!(
        assign(&code, &CallSites::default(), &Flow::new(&code.insts)),
        Err(TooLarge::Live(MAX_LIVE + 1))
    );
}

#[test]
fn values_that_are_live_together_share_no_row() {
    // A brute-force check on a long pseudo-random program with loops, which recomputes the liveness
    // at each micro-op.
    use std::fmt::Write;
    let mut state = 12345_u32;
    let mut random = move |n: u32| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) % n
    };
    let mut text = String::from("p0 = w0 w1\n");
    for _ in 0..2000 {
        match random(8) {
            0 => writeln!(text, "?p0 bra {}", random(2000)).unwrap(),
            1 => writeln!(text, "?p0 w{} = w{}", random(100), random(100)).unwrap(),
            _ => writeln!(text, "w{} = w{} w{}", random(100), random(100), random(100)).unwrap(),
        }
    }
    let code = code(&(text + "exit"));
    let flow = Flow::new(&code.insts);
    let slots = assign(&code, &CallSites::default(), &flow).unwrap();
    let numbers = Numbering::new(code.registers);
    let (outs, _) = live_out(&code.insts, &flow, &numbers);
    for (block, mut live) in outs.into_iter().enumerate() {
        for pc in flow.range(block).rev() {
            let mut seen = vec![false; slots.counts[0] as usize];
            for r in live.iter().filter(|r| *r < numbers.base[1]) {
                let row = slots.rows[0][r] as usize;
                assert!(!std::mem::replace(&mut seen[row], true), "row {row} used twice after {pc}");
            }
            step_back(&mut live, &code.insts[pc], &numbers);
        }
    }
}
