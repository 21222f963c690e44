//! Prefix sums, reductions and histograms.

use super::{Case, integers, numbers};
use crate::common::{Argument, as_ints, floats, ints};

const FILE: &str = "scan.cu";

/// Inclusive prefix sums of sections.
fn sums(input: &[i32], section: usize) -> Vec<i32> {
    let scan = |sum: &mut i32, x: &i32| {
        *sum += x;
        Some(*sum)
    };
    input.chunks(section).flat_map(|part| part.iter().scan(0, scan)).collect()
}

pub fn cases() -> Vec<Case> {
    let input = integers(200, 7, 10);
    let start = || vec![ints(&input), ints(&[0; 200])];
    let mut cases = vec![
        Case::new(FILE, "Kogge_Stone_scan", ((4, 1), (64, 1)))
            .arguments(start())
            .arguments(vec![Argument::Int(200)])
            .ints(1, sums(&input, 64)),
        Case::new(FILE, "Brent_Kung_scan", ((2, 1), (64, 1)))
            .arguments(start())
            .arguments(vec![Argument::Int(200)])
            .ints(1, sums(&input, 128)),
    ];
    let short = integers(128, 5, 17);
    let exclusive = (0..128).map(|i| short[..i].iter().sum()).collect();
    cases.push(
        Case::new(FILE, "blellochScan", ((1, 1), (64, 1)))
            .dynamic(4 * (128 + 8))
            .arguments(vec![ints(&[0; 128]), ints(&short), Argument::Int(128)])
            .ints(0, exclusive),
    );
    let last = input.chunks(64).map(|part| part.iter().sum()).collect();
    cases.push(
        Case::new(FILE, "scanSections", ((4, 1), (64, 1)))
            .arguments(start())
            .arguments(vec![ints(&[0; 4]), Argument::Int(200)])
            .ints(1, sums(&input, 64))
            .ints(2, last),
    );
    let blocks = [3, 5, 7, 11];
    let moved = (0..200).map(|i| input[i] + blocks[..i / 64].iter().sum::<i32>()).collect();
    cases.push(
        Case::new(FILE, "addSums", ((4, 1), (64, 1)))
            .arguments(vec![ints(&input), ints(&blocks), Argument::Int(200)])
            .ints(0, moved),
    );
    let long = integers(1000, 11, 40);
    let mut halves = vec![0; 2];
    long.iter().enumerate().for_each(|(i, x)| halves[i / 256 % 2] += x);
    cases.push(
        Case::new(FILE, "reduceUnrolled<128>", ((2, 1), (128, 1)))
            .dynamic(512)
            .arguments(vec![ints(&long), ints(&[0; 2]), Argument::Int(1000)])
            .ints(1, halves),
    );
    let values = numbers(700, 7, 19);
    cases.push(
        Case::new(FILE, "reduceSinglePass", ((3, 1), (128, 1)))
            .arguments(vec![floats(&values), floats(&[0.0; 3]), floats(&[0.0]), Argument::Int(700)])
            .floats(2, vec![values.iter().sum()]),
    );
    let values = numbers(500, 37, 491);
    let best = values.iter().copied().fold(0.0, f32::max);
    let at = values.iter().position(|x| x.to_bits() == best.to_bits()).expect("it is there");
    cases.push(
        Case::new(FILE, "argmax", ((1, 1), (64, 1)))
            .arguments(vec![floats(&values), Argument::Int(500), floats(&[0.0]), ints(&[0])])
            .floats(1, vec![best])
            .ints(2, vec![at as i32]),
    );
    let text: Vec<u8> = (0..900).map(|i| b'`' + (i * i / 7 % 28) as u8).collect();
    let mut bins = vec![0; 32];
    text.iter().filter(|c| c.is_ascii_lowercase()).for_each(|c| bins[usize::from(c - b'a') / 4] += 1);
    cases.push(
        Case::new(FILE, "histo_private_kernel", ((2, 1), (64, 1)))
            .arguments(vec![Argument::Buffer(text), Argument::Int(900), ints(&[0; 32])])
            .ints(1, bins),
    );
    let mixed: Vec<i32> = integers(300, 13, 29).into_iter().map(|x| x - 14).collect();
    let mut kept: Vec<i32> = mixed.iter().copied().filter(|x| *x > 0).collect();
    kept.sort_unstable();
    let check = move |buffers: &[Vec<u8>]| {
        let mut out = as_ints(&buffers[1])[..kept.len()].to_vec();
        out.sort_unstable();
        assert_eq!((out, as_ints(&buffers[2])), (kept.clone(), vec![kept.len() as i32]));
    };
    cases.push(
        Case::new(FILE, "compact", ((3, 1), (128, 1)))
            .arguments(vec![ints(&mixed), ints(&[0; 300]), ints(&[0]), Argument::Int(300)])
            .check(check),
    );
    cases.into_iter().map(|case| case.from("sm_12")).collect()
}
