//! The sum reductions of section 6.1 and of its exercises, and the dot products that end in one.
//!
//! The book sums one block. Here each block sums its part and writes one partial sum. The host adds
//! those, or launches again on them until one is left: blocks of one launch cannot wait for each
//! other.

mod host;
mod text;

pub use text::{End, Terms, Variant};

use crate::Workload;
use isa::types::Dim3;

/// The kernel of figure 6.4 in PTX and in CUDA C.
const HALVING: [&str; 2] =
    [include_str!("../../ptx/reduce_halving.ptx"), include_str!("../../cuda/reduce_halving.cu")];
const BOOK_LOOK: &str =
    "The halving stride of reduce_halving: working lanes are packed, and warps stay whole until 16 are left.";

/// Exercise 6.1.
const PAIRS: Variant = Variant {
    entry: "reduce_pairs",
    title: "Sum reduction in which every thread works from the first step on: each adds two elements as it loads them.",
    book: "Kirk & Hwu, exercise 6.1.",
    terms: Terms::Pairs,
    end: End::First,
    look: &[
        BOOK_LOOK,
        "Half the threads for as many elements: in reduce_halving half the block is idle from the first trip on.",
        "Both loads of a half-warp are coalesced; eight iterations, eight barriers per warp instead of nine.",
    ],
};

/// Exercise 6.9, for a sum.
const LAST_WARP: Variant = Variant {
    entry: "reduce_last_warp",
    title: "Sum reduction whose last warp makes the last six additions without barriers.",
    book: "Kirk & Hwu, exercise 6.9.",
    terms: Terms::Elements,
    end: End::LastWarp,
    look: LAST_WARP_LOOK,
};

const LAST_WARP_LOOK: &[&str] = &[
    "No branch diverges: the last six steps have none, and in the steps before them whole warps work or skip.",
    "Five fewer barriers per warp than with a loop down to 1.",
    "`--racecheck` calls the last steps warp-synchronous: correct on hardware that runs warps in lockstep, no race.",
];

/// The dot products: exercise 6.7 as printed and corrected, and with the last warp unrolled.
pub const PRINTED: Variant = Variant {
    entry: "dot_product_printed",
    title: "Dot products, one for each block, as the exercise prints them: with a race at the end.",
    book: "Kirk & Hwu, exercise 6.7.",
    terms: Terms::Products,
    end: End::Printed,
    look: &[
        "Two loads and one store for each thread, no bank conflicts, five iterations in which a warp diverges.",
        "Every thread stores the first word, and there is no barrier between thread 0's last addition and other warps'",
        "  loads of it: they may store the value before it. `--racecheck` names both lines.",
    ],
};

/// [`PRINTED`] with the missing barrier.
pub const CORRECTED: Variant = Variant {
    entry: "dot_product",
    title: "Dot products, one for each block; every thread stores the result, after a barrier.",
    end: End::Waits,
    look: &[
        "Two loads and one store for each thread, no bank conflicts, five iterations in which a warp diverges.",
        "All threads of a block store one value to one word: `--racecheck` notes that their order does not matter.",
    ],
    ..PRINTED
};

/// [`PRINTED`] with the last warp unrolled.
pub const UNROLLED: Variant = Variant {
    entry: "dot_product_last_warp",
    title: "Dot products, one for each block, whose last warp makes the last six additions without barriers.",
    book: "Kirk & Hwu, exercise 6.9.",
    end: End::LastWarp,
    look: LAST_WARP_LOOK,
    ..PRINTED
};

/// Returns the workloads.
pub fn workloads() -> Vec<Workload> {
    sums().into_iter().chain(products()).collect()
}

fn sums() -> Vec<Workload> {
    let sum = |name, about, book, file, [ptx, cuda]: [&'static str; 2], entry: &'static str, block: Dim3| {
        Workload {
            name,
            family: None,
            about,
            book,
            default_size: 262_144,
            small_sizes: &[1, 512, 1_537],
            size_meaning: "elements, at least 1; the last block is padded with zeros",
            block,
            registers: None,
            file,
            ptx,
            cuda,
            program: Box::new(move |session, size| host::sum(session, entry, block.x, size)),
        }
    };
    let block = Dim3::new(host::PER_BLOCK, 1, 1);
    let mut all = vec![
        sum(
            "reduce-interleaved",
            "sums a vector in blocks of 512 with a doubling stride: diverges in every warp",
            "Kirk & Hwu, section 6.1, figure 6.2",
            "reduce_interleaved.ptx",
            [
                include_str!("../../ptx/reduce_interleaved.ptx"),
                include_str!("../../cuda/reduce_interleaved.cu"),
            ],
            "reduce_interleaved",
            block,
        ),
        sum(
            "reduce-halving",
            "sums a vector in blocks of 512 with a halving stride: keeps warps whole",
            "Kirk & Hwu, section 6.1, figure 6.4",
            "reduce_halving.ptx",
            HALVING,
            "reduce_halving",
            block,
        ),
        sum(
            "reduce-pairs",
            "sums a vector in blocks of 256 threads that add two elements each as they load them",
            "Kirk & Hwu, exercise 6.1",
            "reduce_pairs.ptx",
            [PAIRS.text().leak(), PAIRS.cuda().leak()],
            PAIRS.entry,
            Dim3::new(host::PER_BLOCK / 2, 1, 1),
        ),
        sum(
            "reduce-last-warp",
            "sums a vector in blocks of 512, the last warp without barriers",
            "Kirk & Hwu, exercise 6.9",
            "reduce_last_warp.ptx",
            [LAST_WARP.text().leak(), LAST_WARP.cuda().leak()],
            LAST_WARP.entry,
            block,
        ),
    ];
    all.push(Workload {
        size_meaning: "elements, 1 to 1,118,481; the last block is padded with zeros",
        program: Box::new(host::sum_repeatedly),
        ..sum(
            "reduce-repeated",
            "sums a vector by launching on the partial sums again until one is left",
            "Kirk & Hwu, exercises 6.3 and 6.4",
            "reduce_halving.ptx",
            HALVING,
            "reduce_halving",
            block,
        )
    });
    all
}

fn products() -> [Workload; 3] {
    let product = |name, about, book, file, variant: Variant| Workload {
        name,
        family: Some("dot-product"),
        about,
        book,
        default_size: 1024,
        small_sizes: &[1, 3, 24],
        size_meaning: "dot products of 256 elements each, at least 1",
        block: Dim3::new(host::LENGTH, 1, 1),
        registers: None,
        file,
        ptx: variant.text().leak(),
        cuda: variant.cuda().leak(),
        program: Box::new(move |session, size| host::products(session, variant.entry, size)),
    };
    [
        product(
            "dot-product",
            "computes dot products, one for each block",
            "Kirk & Hwu, exercise 6.7",
            "dot_product.ptx",
            CORRECTED,
        ),
        product(
            "dot-product-printed",
            "computes dot products with a race, as the exercise is printed: results may be wrong",
            "Kirk & Hwu, exercise 6.7",
            "dot_product_printed.ptx",
            PRINTED,
        ),
        product(
            "dot-product-last-warp",
            "computes dot products, the last warp without barriers",
            "Kirk & Hwu, exercise 6.9",
            "dot_product_last_warp.ptx",
            UNROLLED,
        ),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Settings;
    use sim_core::config::Chip;
    use sim_core::host::{Gpu, LaunchSettings, Mode, Sampling};

    /// Tests: `kernels-are-right`.
    #[test]
    fn a_sum_is_launched_until_one_number_is_left() {
        for (size, launches) in [(1, 1), (512, 1), (513, 2), (262_144, 2), (262_145, 3)] {
            let mut gpu = Gpu::new(Chip::builtin("g80").unwrap());
            let settings = Settings {
                size: Some(size),
                launches: LaunchSettings { mode: Mode::Functional, ..LaunchSettings::default() },
            };
            let outcome = crate::run("reduce-repeated", &mut gpu, settings).unwrap();
            assert!(outcome.check.passed(), "{}", outcome.summary);
            assert_eq!(outcome.reports.len(), launches, "{size} elements");
        }
    }

    /// The first launch is sampled, the others have too few blocks for that: all launches happen.
    #[test]
    fn launches_continue_after_a_sampled_one() {
        let mut chip = Chip::builtin("g80").unwrap();
        chip.clusters = 1;
        let mut gpu = Gpu::new(chip);
        gpu.sample(Some(Sampling::default()));
        let settings = Settings { size: Some(1_100_000), ..Settings::default() };
        let outcome = crate::run("reduce-repeated", &mut gpu, settings).unwrap();
        let finished: Vec<bool> = outcome.reports.iter().map(|report| report.verdict.is_finished()).collect();
        assert_eq!(finished, [false, true, true]);
        assert_eq!(outcome.check, crate::Check::Sampled);
        assert!(
            outcome.summary.starts_with("sum of 1100000 elements by 3 launches: not checked: a sampled run")
        );
    }

    #[test]
    fn every_text_has_a_complete_head_comment() {
        for variant in [PAIRS, LAST_WARP, PRINTED, CORRECTED, UNROLLED] {
            let text = variant.text();
            let unfilled =
                text.split('@').skip(1).any(|rest| rest.starts_with(|c: char| c.is_ascii_uppercase()));
            assert!(!unfilled, "{text}");
            for part in [variant.title, variant.book, "Launch: ", "What to look for"] {
                assert!(text.contains(part), "{part} is missing in\n{text}");
            }
        }
    }
}
