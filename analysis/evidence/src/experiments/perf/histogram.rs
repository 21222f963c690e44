//! PERF-10 and PERF-11: histograms of bytes on a chip with 7 SMs, in global and in shared memory,
//! and with an increasing number of words per thread.

use crate::finding::significant;
use crate::measure::programs::histogram::{WORDS, at_once, short};
use crate::{Claim, Experiment, Finding, Runner, Shown, Verdict, tools, why};
use kernels::RunError;
use kernels::histogram::run::{Size, laboratory, measure};
use kernels::histogram::text::Kind;
use sim_core::config::Chip;
use sim_core::stats::Report;

pub static EXPERIMENTS: &[Experiment] =
    &[Experiment { id: "PERF-10", show: three }, Experiment { id: "PERF-11", show: words_per_thread }];

/// The chip with 7 SMs of capability 2.1.
const CHIP: &str = "gtx460";

/// Smallest speedup, in percent, that proves a limiter.
const MOVES: f64 = 10.0;

/// Returns MB/s of a histogram of random bytes, and its report.
fn rate(runner: &Runner, chip: &Chip, kind: Kind, size: Size) -> Result<(f64, Report), RunError> {
    measure(&mut laboratory(runner.gpu(chip.clone()), kind)?, kind, size)
}

/// Compares three histograms: one byte per thread, one word per thread, and one word per thread
/// with shared memory.
fn three(runner: &Runner, claim: &Claim) -> Result<Shown, RunError> {
    let [sms] = claim.numbers(["sms"]);
    let [faster] = claim.numbers(["faster"]);
    let band = claim.band();
    let chip = runner.chip(CHIP, &[])?;
    let words = runner.by_size(1 << 16, 1 << 21);
    let mut shown =
        Shown::new(format!("{} random bytes; the slides give neither the size nor the data", 4 * words));
    shown.find(Finding::exact("SMs", sms, f64::from(tools::sms(&chip))));
    let mut rates = [0.0; 3];
    let versions = [
        ("bytes, global atomics", Kind::Bytes, 4 * words),
        ("words, global atomics", Kind::Words, words),
        ("words, shared atomics", Kind::SharedFermi, words),
    ];
    for ((what, kind, threads), found) in versions.into_iter().zip(&mut rates) {
        let size = Size { blocks: threads / 256, words: 1 };
        let of = |chip: &Chip| rate(runner, chip, kind, size);
        (*found, _) = why::explain(&mut shown, what, "MB/s", &chip, of)?;
    }
    let [bytes, word, shared] = rates;
    let alike = (word / bytes - 1.0).abs() * 100.0;
    shown.find(Finding::shape(
        "1st and 2nd alike",
        format!("within {band} %"),
        format!("{} and {} MB/s", significant(bytes), significant(word)),
        alike <= band,
    ));
    let mut quicker = chip.clone();
    quicker.partition.atomic_cycles = quicker.partition.atomic_cycles.div_ceil(2);
    let (moved, _) = rate(runner, &quicker, Kind::Words, Size { blocks: words / 256, words: 1 })?;
    let gain = 100.0 * (moved / word - 1.0);
    shown.find(Finding::shape(
        format!("words, global atomics: faster with {} cycles per atomic", quicker.partition.atomic_cycles),
        format!("more than +{MOVES} %"),
        format!("{gain:+.1} %"),
        gain > MOVES,
    ));
    shown.because(format!(
        "words, global atomics: limited by the atomics of the partitions, which take {} shader cycles each on one word; with {} \
         cycles {} become {} MB/s.",
        chip.partition.atomic_cycles,
        quicker.partition.atomic_cycles,
        significant(word),
        significant(moved)
    ));
    let times = shared / word;
    shown.find(Finding::measured("ratio of 3rd to 2nd", faster, band, times));
    if (times / faster - 1.0).abs() * 100.0 > band {
        let mut tried = Vec::new();
        for by in [2, 4] {
            let mut slower = chip.clone();
            slower.partition.atomic_cycles *= by;
            let of = |kind| {
                rate(runner, &slower, kind, Size { blocks: words / 256, words: 1 }).map(|(rate, _)| rate)
            };
            let (word, shared) = (of(Kind::Words)?, of(Kind::SharedFermi)?);
            let cycles = slower.partition.atomic_cycles;
            tried.push(format!(
                "{} with {cycles} cycles ({} MB/s)",
                significant(shared / word),
                significant(word)
            ));
        }
        shown.cause = Some(format!(
            "Atomics on global memory are too fast. The L2 executes one atomic per word every {} shader cycles, and atomics on \
             different words in parallel. The source gives 9 clocks for one address, which the model takes as clocks of the \
             L2; it gives no rate for different words of a line. Tried: {}. The slides do not give the data either; more \
             equal bytes make atomics on global memory slower.",
            chip.partition.atomic_cycles,
            tried.join(", ")
        ));
    }
    Ok(shown)
}

/// Sweeps from one word per thread with many threads to many words per thread with few threads.
fn words_per_thread(runner: &Runner, claim: &Claim) -> Result<Shown, RunError> {
    let published = claim.list("rates");
    let [flat_from, flat_to] = claim.numbers(["flat_from", "flat_to"]);
    let [band] = [claim.band()];
    let [most, fewest] = claim.numbers(["most", "fewest"]);
    let [last_words] = claim.numbers(["last_words"]);
    let chip = runner.chip(CHIP, &[])?;
    let resident = at_once(&chip)?;
    let part = runner.by_size(128, 8);
    let mut shown = Shown::new(format!(
        "random bytes; 1/{part} of the input (2 MB per word of 524,288 blocks): fewer blocks, in whole waves of {resident}, \
         down to 1,024, then fewer words"
    ));

    let steps = published.len() as u32;
    let sizes: Vec<Size> = (0..steps).map(|step| Size { blocks: WORDS >> step, words: 1 << step }).collect();
    let ends = sizes.first().zip(sizes.last()).map(|(first, last)| (first.blocks, last.blocks, last.words));
    let found = ends.map_or(String::new(), |(first, last, words)| format!("{first} to {last}, {words}"));
    shown.find(Finding::exact(
        "blocks, and words at the end",
        format!("{most} to {fewest}, {last_words}"),
        found,
    ));

    // At reduced size every other step is enough for the shape; steps with the same reduced size
    // run once.
    let mut rates: Vec<(usize, Size, f64)> = Vec::new();
    for step in (0..steps as usize).step_by(runner.by_size(2, 1)) {
        let size = short(sizes[step], part, resident);
        let known = rates.iter().find(|(_, other, _)| *other == size).map(|(_, _, rate)| *rate);
        let rate = match known {
            Some(rate) => rate,
            None => rate(runner, &chip, Kind::SharedFermi, size)?.0,
        };
        rates.push((step, size, rate));
    }
    for (step, _, rate) in &rates {
        let words = sizes[*step].words;
        let expected = format!("{} MB/s", published[*step]);
        let s = if words == 1 { "" } else { "s" };
        let what = format!("{words} word{s}, {} blocks", sizes[*step].blocks);
        shown.because(format!("{what}: {} MB/s, published {expected}.", significant(*rate)));
    }
    let flat = |step: usize| (flat_from..=flat_to).contains(&f64::from(sizes[step].words));
    let plateau: Vec<f64> = rates.iter().filter(|(step, ..)| flat(*step)).map(|(_, _, rate)| *rate).collect();
    let high = plateau.iter().copied().fold(f64::MIN, f64::max);
    let low = plateau.iter().copied().fold(f64::MAX, f64::min);
    shown.find(Finding::shape(
        format!("flat from {flat_from} to {flat_to} words"),
        "within 5 %",
        format!("{} to {} MB/s", significant(low), significant(high)),
        low >= 0.95 * high,
    ));
    let (Some((_, _, first)), Some((_, _, last))) = (rates.first(), rates.last()) else { return Ok(shown) };
    let (one, third) = (published[0], published[published.len() - 1]);
    let top = published.iter().copied().fold(f64::MIN, f64::max);
    shown.find(Finding::measured(
        format!("falls to about a third at {last_words} words: ratio of the last to the highest rate"),
        third / top,
        band,
        last / high,
    ));
    shown.find(Finding::measured("ratio of the last to the first rate", third / one, band, last / first));
    for (what, step) in [("16 words", 4), ("65,536 words", steps as usize - 1)] {
        let size = short(sizes[step], part, resident);
        why::explain(&mut shown, what, "MB/s", &chip, |chip| rate(runner, chip, Kind::SharedFermi, size))?;
    }
    if shown.verdict() == Verdict::Outside {
        shown.cause = Some(format!(
            "With full SMs the rate is too low, {} MB/s at most, published {top}; with the last 8 blocks it is too high, {} MB/s, \
             published {third}. The first is limited by the passes of an atomic on shared memory, the second by its latency; \
             both parameters are a compromise between these two rates (docs/MODEL.md). The book's input is not known: more \
             equal bytes make both rates lower.",
            significant(high),
            significant(*last)
        ));
    }
    Ok(shown)
}
