//! Operations on the two halves or the four bytes of a word, compared with arithmetic on each lane.

#[path = "common/mod.rs"]
#[expect(dead_code, reason = "each test uses a part")]
mod common;

use common::{as_ints, compile, ints, run};
use std::fmt::Write as _;
use test_support::random::Numbers;

/// Pairs of words.
const PAIRS: usize = 512;

/// Smallest and largest value of a signed lane.
type Range = (i64, i64);

/// The name without the number of lanes, whether lanes are signed, and the value of a lane.
type Row = (&'static str, bool, fn(i64, i64, Range) -> i64);

fn within(v: i64, (least, most): Range) -> i64 {
    v.clamp(least, most)
}

fn unsigned(v: i64, (least, most): Range) -> i64 {
    v.clamp(0, most - least)
}

fn mean(x: i64, y: i64) -> i64 {
    let sum = x + y;
    if sum < 0 { sum.div_euclid(2) } else { (sum + 1) / 2 }
}

const ONE: &[Row] = &[
    ("abs", true, |x, _, _| x.abs()),
    ("absss", true, |x, _, range| within(x.abs(), range)),
    ("neg", true, |x, _, _| -x),
    ("negss", true, |x, _, range| within(-x, range)),
];

const TWO: &[Row] = &[
    ("add", false, |x, y, _| x + y),
    ("addss", true, |x, y, range| within(x + y, range)),
    ("addus", false, |x, y, range| unsigned(x + y, range)),
    ("sub", false, |x, y, _| x - y),
    ("subss", true, |x, y, range| within(x - y, range)),
    ("subus", false, |x, y, range| unsigned(x - y, range)),
    ("absdiffs", true, |x, y, _| (x - y).abs()),
    ("absdiffu", false, |x, y, _| (x - y).abs()),
    ("avgs", true, |x, y, _| mean(x, y)),
    ("avgu", false, |x, y, _| mean(x, y)),
    ("haddu", false, |x, y, _| (x + y) >> 1),
    ("maxs", true, |x, y, _| x.max(y)),
    ("maxu", false, |x, y, _| x.max(y)),
    ("mins", true, |x, y, _| x.min(y)),
    ("minu", false, |x, y, _| x.min(y)),
    ("cmpeq", false, |x, y, _| -i64::from(x == y)),
    ("cmpne", false, |x, y, _| -i64::from(x != y)),
    ("cmpges", true, |x, y, _| -i64::from(x >= y)),
    ("cmpgeu", false, |x, y, _| -i64::from(x >= y)),
    ("cmpgts", true, |x, y, _| -i64::from(x > y)),
    ("cmpgtu", false, |x, y, _| -i64::from(x > y)),
    ("cmples", true, |x, y, _| -i64::from(x <= y)),
    ("cmpleu", false, |x, y, _| -i64::from(x <= y)),
    ("cmplts", true, |x, y, _| -i64::from(x < y)),
    ("cmpltu", false, |x, y, _| -i64::from(x < y)),
    ("seteq", false, |x, y, _| i64::from(x == y)),
    ("setne", false, |x, y, _| i64::from(x != y)),
    ("setges", true, |x, y, _| i64::from(x >= y)),
    ("setgeu", false, |x, y, _| i64::from(x >= y)),
    ("setgts", true, |x, y, _| i64::from(x > y)),
    ("setgtu", false, |x, y, _| i64::from(x > y)),
    ("setles", true, |x, y, _| i64::from(x <= y)),
    ("setleu", false, |x, y, _| i64::from(x <= y)),
    ("setlts", true, |x, y, _| i64::from(x < y)),
    ("setltu", false, |x, y, _| i64::from(x < y)),
];

/// Sums of all lanes.
const SUMS: &[Row] = &[("sads", true, |x, y, _| (x - y).abs()), ("sadu", false, |x, y, _| (x - y).abs())];

/// The value of a function for two words.
fn expected((_, signed, of_lane): &Row, bits: u32, is_sum: bool, a: u32, b: u32) -> u32 {
    let lane = |word: u32, at: u32| {
        let raw = i64::from(word >> (at * bits) & ((1 << bits) - 1));
        if *signed && raw >> (bits - 1) == 1 { raw - (1 << bits) } else { raw }
    };
    let half = 1_i64 << (bits - 1);
    (0..32 / bits).fold(0_u32, |all, at| {
        let value = of_lane(lane(a, at), lane(b, at), (-half, half - 1)) as u32;
        if is_sum { all.wrapping_add(value) } else { all | (value & ((1 << bits) - 1)) << (at * bits) }
    })
}

#[test]
fn lanes_compute_as_documented() {
    let mut random = Numbers::new(61);
    // Every byte at its limits, and random ones.
    let limits = [0_u32, 1, 0x7f, 0x80, 0xff];
    let mut word = |at: usize| {
        if at.is_multiple_of(2) {
            return random.bits() as u32;
        }
        (0..4).fold(0, |all, _| all << 8 | random.one_of(&limits))
    };
    let words: Vec<u32> = (0..2 * PAIRS).map(|at| word(at / 2)).collect();
    let rows: Vec<(&Row, bool)> = ONE.iter().chain(TWO).map(|row| (row, false)).collect();
    let rows: Vec<(&Row, bool)> = rows.into_iter().chain(SUMS.iter().map(|row| (row, true))).collect();
    let mut text = "__global__ void k(int *in, int *out)\n{\nint t = threadIdx.x + 64 * blockIdx.x;\n\
                    unsigned int a = in[2 * t], b = in[2 * t + 1];\n"
        .to_owned();
    let mut checks = Vec::new();
    for (row, is_sum) in &rows {
        for lanes in [2, 4] {
            let list = if ONE.iter().any(|one| one.0 == row.0) { "a" } else { "a, b" };
            let _ = writeln!(text, "out[{PAIRS} * {} + t] = __v{}{lanes}({list});", checks.len(), row.0);
            checks.push((*row, 32 / lanes, *is_sum));
        }
    }
    text.push_str("}\n");
    let input = ints(&words.iter().map(|word| *word as i32).collect::<Vec<_>>());
    for target in ["sm_10", "sm_20"] {
        for level in [0, 3] {
            let ptx = compile(&text, target, level).unwrap_or_else(|why| panic!("{target}: {why}"));
            let shape = ((PAIRS as u32 / 64, 1), (64, 1));
            let zeros = ints(&vec![0; PAIRS * checks.len()]);
            let buffers = run(&ptx, target, "_Z1kPiS_", shape, 0, &[input.clone(), zeros]);
            let found = as_ints(&buffers.unwrap_or_else(|why| panic!("{target}: {why}"))[1]);
            for (number, (row, bits, is_sum)) in checks.iter().enumerate() {
                for pair in 0..PAIRS {
                    let (a, b) = (words[2 * pair], words[2 * pair + 1]);
                    let value = found[number * PAIRS + pair] as u32;
                    let right = expected(row, *bits, *is_sum, a, b);
                    let name = row.0;
                    let lanes = 32 / bits;
                    assert_eq!(value, right, "{target} -O{level}: __v{name}{lanes}({a:#x}, {b:#x})");
                }
            }
        }
    }
}

#[test]
fn a_name_that_cuda_does_not_have_is_refused() {
    let text = "__global__ void k(int *out) { out[0] = __vavgs3(1, 2); }";
    let message = compile(text, "sm_20", 3).expect_err("there is no such function");
    assert!(message.contains("`__vavgs3` is not declared"), "{message}");
}
