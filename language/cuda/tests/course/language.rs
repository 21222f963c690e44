//! Constructs of C++, and what compute capability 2.0 added.

use super::{Case, integers, numbers};
use crate::common::{Argument, as_ints, floats, ints};

const FILE: &str = "language.cu";
const FERMI: &str = "fermi.cu";

fn collatz(x: i32) -> i32 {
    if x > 3 { x + collatz(x / 2) + collatz(x / 3) } else { x }
}

fn classes() -> Vec<Case> {
    let input = integers(100, 37, 101);
    let reduce = |entry: &'static str, result: i32| {
        Case::new(FILE, entry, ((1, 1), (64, 1)))
            .arguments(vec![ints(&input), ints(&[0]), Argument::Int(100)])
            .ints(1, vec![result])
    };
    let small = integers(64, 5, 23);
    // Kind, size, extra.
    let figures = [(0, 2f32.to_bits(), 0f32), (4, 3, 0.0), (5, 4, 5.0), (5, 4, -1.0), (9, 1, 0.0)];
    let words = figures.iter().flat_map(|f| [f.0, f.1, f.2.to_bits()]).map(|word| word as i32);
    let objects = (0..32)
        .flat_map(|t| {
            let (a, b) = (t, 9);
            [2 * a + b, -2 * a - b, (a + b) % 5, 14]
        })
        .collect();
    vec![
        reduce("reduceWith<Add, 64>", input.iter().sum()),
        reduce("reduceWith<Max, 64>", 100),
        Case::new(FILE, "collatzStack", ((1, 1), (64, 1)))
            .arguments(vec![ints(&small), ints(&[0; 64])])
            .ints(1, small.iter().map(|x| collatz(*x)).collect()),
        Case::new(FILE, "areas", ((1, 1), (32, 1)))
            .arguments(vec![ints(&words.collect::<Vec<i32>>()), floats(&[0.0; 5]), Argument::Int(5)])
            .floats(1, vec![12.0, 9.0, 10.0, -1.0, -1.0]),
        Case::new(FILE, "classes", ((1, 1), (32, 1))).arguments(vec![ints(&[0; 128])]).ints(0, objects),
    ]
}

/// What `mixed` computes for an element.
fn mixed(i: i32, x: f32) -> i32 {
    let table = [3, 1, 4, 1, 5];
    let mut result = i.clamp(2, 9) + x.clamp(-1.0, 1.5) as i32 + i + 1 + (x * 2.0) as i32 + 111 + 103;
    result += (i + 1) * (i + 1) + table[(i % 5) as usize];
    result += i32::from((i * 37) as u8) + i32::from((i * 2000 - 30000) as i16) + (i << 2);
    result ^= if i & 1 == 1 { 0x55 } else { !0xaa };
    loop {
        result -= 3;
        if result % 7 == 0 || result <= 1000 {
            break;
        }
    }
    let mut k = 2;
    while k < i % 6 {
        k += 2;
    }
    result + k + 14 + 3 * k + 16 + k
}

fn statements() -> Vec<Case> {
    let x: Vec<f32> = numbers(60, 7, 16).iter().map(|x| x / 4.0 - 1.5).collect();
    let expected = x.iter().enumerate().map(|(i, x)| mixed(i as i32, *x)).collect();
    let input = integers(64, 7, 50);
    let captured: Vec<i32> = (0..64usize)
        .map(|t| {
            let sum: i32 = (0..3).map(|i| input[(i + t) % 64] + 100).sum();
            sum + 2 + 1000 * (4 * t as i32 + 3 + 200)
        })
        .collect();
    vec![
        Case::new(FILE, "mixed", ((1, 1), (64, 1)))
            .arguments(vec![floats(&x), ints(&[0; 60]), Argument::Int(60)])
            .ints(1, expected),
        Case::new(FILE, "captures", ((1, 1), (64, 1)))
            .arguments(vec![ints(&input), ints(&[0; 64]), Argument::Int(64)])
            .ints(1, captured),
        bit_fields(),
    ]
}

fn bit_fields() -> Case {
    let (mut before, mut after, mut sums) = (Vec::new(), Vec::new(), Vec::new());
    for t in 0..32u32 {
        let (low, middle, high) = (t * 7 % 32, t * 131 % 2048, (t * 2077) as u16);
        let (flag, next) = ((t & 1) as u8, (t % 8) as u8);
        let pack = |low: u32, middle: u32, high: u16, flag: u8, next: u8, list: &mut Vec<u8>| {
            list.extend((low | middle << 5 | u32::from(high) << 16).to_le_bytes());
            list.extend([flag | 0b1010_1010 & 0xfe, next | 0xa8, 0x11, 0x22]);
        };
        pack(low, middle, high, flag, next, &mut before);
        let (low, middle) = ((low + t) % 32, (middle * 2 + 1) % 2048);
        let high = high.wrapping_sub(5);
        let (flag, next) = (1 - flag, (next + 1) % 8);
        pack(low, middle, high, flag, next, &mut after);
        sums.push((low + middle + u32::from(flag) + u32::from(next)) as i32 + i32::from(high as i16));
    }
    // Padding bits need not be copied.
    let check = move |buffers: &[Vec<u8>]| {
        for (found, expected) in buffers[1].chunks(8).zip(after.chunks(8)) {
            assert_eq!(found[..4], expected[..4]);
            assert_eq!((found[4] & 1, found[5] & 7), (expected[4] & 1, expected[5] & 7));
        }
        assert_eq!(as_ints(&buffers[2]), sums);
    };
    let size = before.len();
    Case::new(FILE, "bitFields", ((1, 1), (32, 1)))
        .arguments(vec![Argument::Buffer(before), Argument::Buffer(vec![0; size]), ints(&[0; 32])])
        .check(check)
}

fn fermi() -> Vec<Case> {
    let input = integers(64, 7, 23);
    let votes = (0..64usize)
        .map(|t| {
            let warp = &input[t / 32 * 32..t / 32 * 32 + 32];
            let yes = |list: &[i32]| list.iter().filter(|x| **x > 10).count() as i32;
            let before = yes(&warp[..t % 32]);
            before + 1000 * i32::from(yes(warp) == 32) + 100 * i32::from(yes(warp) > 0) + 10000 * yes(&input)
        })
        .collect();
    let values = numbers(200, 7, 32);
    let total: f64 = values.iter().map(|x| f64::from(*x)).sum();
    let sum = move |buffers: &[Vec<u8>]| assert_eq!(buffers[1], total.to_le_bytes());
    let halves = values[..64].iter().enumerate();
    let called = halves.map(|(i, x)| if i % 2 == 0 { 0.5 * x } else { x * x }).collect();
    let fibonacci = [0, 1, 1, 2, 3, 5, 8, 13, 21, 34];
    vec![
        Case::new(FERMI, "votes", ((1, 1), (64, 1)))
            .arguments(vec![ints(&input), ints(&[0; 64])])
            .ints(1, votes),
        Case::new(FERMI, "sumDoubles", ((2, 1), (128, 1)))
            .arguments(vec![floats(&values), Argument::Buffer(vec![0; 8]), Argument::Int(200)])
            .check(sum),
        Case::new(FERMI, "callTable", ((1, 1), (64, 1)))
            .arguments(vec![floats(&values[..64]), floats(&[0.0; 64]), Argument::Int(64)])
            .floats(1, called),
        Case::new(FERMI, "recursive", ((1, 1), (32, 1)))
            .arguments(vec![ints(&[0; 32])])
            .ints(0, (0..32).map(|t| fibonacci[t % 10]).collect()),
    ]
}

fn groups() -> Vec<Case> {
    let input = integers(64, 7, 23);
    let mut sums = vec![input.iter().sum()];
    sums.extend(input.chunks(16).map(|part| part.iter().sum::<i32>()));
    let x = numbers(64, 3, 9);
    vec![
        Case::new("groups.cu", "groups", ((1, 1), (64, 1)))
            .arguments(vec![ints(&input), ints(&[0; 5])])
            .ints(1, sums),
        Case::new("groups.cu", "scale<float, float>", ((1, 1), (64, 1)))
            .arguments(vec![floats(&x), Argument::Float(3.0), Argument::Int(64)])
            .floats(0, x.iter().map(|x| 3.0 * x + 6.0).collect()),
    ]
}

pub fn cases() -> Vec<Case> {
    let mut all = classes();
    all.extend(statements());
    all.extend(groups());
    all.extend(fermi().into_iter().map(|case| case.from("sm_20")));
    all
}
