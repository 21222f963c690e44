//! PERF-10 and PERF-11: histograms of bytes on a chip with 7 SMs, in global and in shared memory,
//! and with more and more words for each thread.

use crate::RunError;
use crate::book::finding::significant;
use crate::book::{Claim, Experiment, Finding, Runner, Shown, Verdict, tools, why};
use crate::histogram::run::{Size, laboratory, measure};
use crate::histogram::text::Kind;
use crate::measure::programs::histogram::{WORDS, at_once, short};
use sim_core::config::Chip;
use sim_core::stats::Report;

pub static EXPERIMENTS: &[Experiment] =
    &[Experiment { id: "PERF-10", show: three }, Experiment { id: "PERF-11", show: words_per_thread }];

/// The chip with 7 SMs of capability 2.1.
const CHIP: &str = "gtx460";

/// What bounds a kernel moves it by this much in percent at least.
const MOVES: f64 = 10.0;

/// MB/s of a histogram of random bytes, and its report.
fn rate(runner: &Runner, chip: &Chip, kind: Kind, size: Size) -> Result<(f64, Report), RunError> {
    measure(&mut laboratory(runner.gpu(chip.clone()), kind)?, kind, size)
}

/// Bytes, words, and words in shared memory, each thread with one of them.
fn three(runner: &Runner, claim: &Claim) -> Result<Shown, RunError> {
    let [sms] = claim.read("{}-SM cc")?;
    let [faster] = claim.read("3rd about {} times faster")?;
    let band = claim.band()?;
    let chip = runner.chip(CHIP, &[])?;
    let words = runner.by_size(1 << 16, 1 << 21);
    let mut shown = Shown::new(format!("{} random bytes; the slides tell neither size nor bytes", 4 * words));
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
        format!("words, global atomics: moves with {} cycles for an atomic", quicker.partition.atomic_cycles),
        format!("more than +{MOVES} %"),
        format!("{gain:+.1} %"),
        gain > MOVES,
    ));
    shown.because(format!(
        "words, global atomics: the partitions' atomics are the limit, each {} shader cycles after the one before on its word; \
         with {} cycles {} become {} MB/s.",
        chip.partition.atomic_cycles,
        quicker.partition.atomic_cycles,
        significant(word),
        significant(moved)
    ));
    let times = shared / word;
    shown.find(Finding::measured("3rd by 2nd", faster, band, times));
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
            "Atomics on global memory are too fast. The L2 takes one on a word every {} shader cycles, and those on different \
             words side by side; the source says 9 clocks for one address, taken as the L2's own, and not what holds for \
             different words of a line. Tried: {}. The slides do not tell the bytes either; more bytes alike make atomics \
             on global memory slower.",
            chip.partition.atomic_cycles,
            tried.join(", ")
        ));
    }
    Ok(shown)
}

/// From one word for each of very many threads to very many words for each of few.
fn words_per_thread(runner: &Runner, claim: &Claim) -> Result<Shown, RunError> {
    let published = claim.list(" for 1, 2, 4")?;
    let [flat_from, flat_to] = claim.read("flat from {} to {}, falling")?;
    let [band] = claim.read("end-to-end ratio within {} %")?;
    let [most, fewest] = claim.read("Blocks halve from {} to {}")?;
    let [last_words] = claim.read("third at {} as blocks")?;
    let chip = runner.chip(CHIP, &[])?;
    let resident = at_once(&chip)?;
    let part = runner.by_size(128, 8);
    let mut shown = Shown::new(format!(
        "random bytes; of the input (2 MB a word of 524,288 blocks) 1 part of {part}: fewer blocks, in whole waves of \
         {resident}, down to 1,024, then fewer words"
    ));

    let steps = published.len() as u32;
    let sizes: Vec<Size> = (0..steps).map(|step| Size { blocks: WORDS >> step, words: 1 << step }).collect();
    let ends = sizes.first().zip(sizes.last()).map(|(first, last)| (first.blocks, last.blocks, last.words));
    let found = ends.map_or(String::new(), |(first, last, words)| format!("{first} to {last}, {words}"));
    shown.find(Finding::exact(
        "blocks, and words at last",
        format!("{most} to {fewest}, {last_words}"),
        found,
    ));

    // Every other step is enough for the shape; steps whose part of the input is the same run once.
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
        format!("falls to about a third at {last_words} words: the last by the highest"),
        third / top,
        band,
        last / high,
    ));
    shown.find(Finding::measured("from the first to the last rate", third / one, band, last / first));
    for (what, step) in [("16 words", 4), ("65,536 words", steps as usize - 1)] {
        let size = short(sizes[step], part, resident);
        why::explain(&mut shown, what, "MB/s", &chip, |chip| rate(runner, chip, Kind::SharedFermi, size))?;
    }
    if shown.verdict() == Verdict::Outside {
        shown.cause = Some(format!(
            "Where all SMs are full the rate is too low, {} MB/s at most, published {top}; where 8 blocks are left it is too \
             high, {} MB/s, published {third}. The first is set by the passes that an atomic on shared memory takes, the \
             second by its latency, and both were chosen as a compromise of these very rates (docs/MODEL.md). The book's \
             input is not known: bytes that are alike more often make both lower.",
            significant(high),
            significant(*last)
        ));
    }
    Ok(shown)
}
