//! PERF-04: the tunings of chapter 6 combined: all variants of the tiled product (figure 6.16).

use super::products::{Widths, by_tiles, in_words, product};
use crate::finding::significant;
use crate::measure::programs::matmul::Variant;
use crate::tools::ensure;
use crate::why::{Shares, explain};
use crate::{Claim, Experiment, Finding, Runner, Shown, Verdict};
use kernels::RunError;
use kernels::matmul::Tiled;
use sim_core::config::Chip;
use sim_core::stats::Report;

pub static EXPERIMENTS: &[Experiment] = &[Experiment { id: "PERF-04", show: granularity }];

/// Percentage below which a change counts as "nothing" or "hardly".
const NOTHING: f64 = 10.0;
/// Smallest gain that counts as "helps", in percent.
const HELPS: f64 = 10.0;
/// Registers per thread that no block of 256 threads can have.
const TOO_MANY: u32 = 33;

/// Returns the matrix widths. Rows of `reduced` words are distributed over the partitions of G80
/// like those of the claim's matrices.
///
/// # Errors
/// The distribution differs, or the claim's matrices do not consist of whole blocks.
fn widths(claim: &Claim, chip: &Chip) -> Result<Widths, RunError> {
    let [rows, columns] = claim.numbers(["rows", "columns"]);
    let widths = Widths { reduced: 512, full: columns as u32 };
    let round = chip.partitions * chip.partition.chunk_bytes;
    let alike = 4 * widths.reduced % round == 4 * widths.full % round;
    let whole = (rows - columns).abs() < f64::EPSILON && widths.full.is_multiple_of(64);
    ensure(
        alike && whole,
        format!("a product of {rows} x {columns} has no whole blocks or no similar smaller product"),
    )?;
    Ok(widths)
}

/// A variant's rate in GFLOP/s and its utilization of the limits.
#[derive(Clone, Copy)]
struct Rate {
    tiled: Tiled,
    gflops: f64,
    shares: Shares,
}

/// Rates of the variants.
struct Rates(Vec<Rate>);

impl Rates {
    fn of(&self, tiled: Tiled) -> f64 {
        self.0.iter().find(|rate| rate.tiled == tiled).map_or(f64::NAN, |rate| rate.gflops)
    }

    /// Gain of `b` over `a` in percent.
    fn gain(&self, a: Tiled, b: Tiled) -> f64 {
        100.0 * (self.of(b) / self.of(a) - 1.0)
    }
}

fn granularity(runner: &Runner, claim: &Claim) -> Result<Shown, RunError> {
    let [low, high] = claim.numbers(["low", "high"]);
    let [unrolling] = claim.numbers(["unrolling"]);
    let [plain, ahead] = claim.numbers(["plain", "prefetching"]);
    let band = claim.band();
    let chip = runner.chip("g80", &[])?;
    let widths = widths(claim, &chip)?;
    let mut shown =
        Shown::new(format!("the 24 variants of the tiled product on G80: {}", in_words(runner, widths)));
    let run = |chip: &Chip, tiled| product(runner, chip, by_tiles(tiled), widths);

    let mut rates = Rates(Vec::new());
    for tiled in [8, 16].into_iter().flat_map(Tiled::chapter_6) {
        let (gflops, report) = run(&chip, tiled)?;
        rates.0.push(Rate { tiled, gflops, shares: Shares::of(&report) });
    }
    let launched = || rates.0.iter().filter(|rate| launches(rate.tiled)).copied();
    let by_rate = |a: &Rate, b: &Rate| a.gflops.total_cmp(&b.gflops);
    let least =
        launched().min_by(by_rate).ok_or_else(|| RunError::Wrong("no variant launches".to_owned()))?;
    let most = launched().max_by(by_rate).unwrap_or(least);
    let ends = [("lowest", low, least), ("highest", high, most)].map(
        |(what, expected, Rate { tiled, gflops, .. })| {
            Finding::measured(format!("{what}, {}: GFLOP/s", tiled.name()), expected, band, gflops)
        },
    );
    let [least_is_outside, most_is_outside] = ends.each_ref().map(|end| end.verdict == Verdict::Outside);
    shown.findings.extend(ends);

    eight(&mut shown, &rates);
    sixteen(&mut shown, &rates, unrolling);
    let (one, prefetched) = (Tiled::new(16).unrolled(), Tiled::new(16).unrolled().prefetching());
    shown.find(Finding::reported(
        "16x16-1x1-unrolled, and with prefetching: GFLOP/s",
        format!("{plain}, {ahead}"),
        format!("{}, {}", significant(rates.of(one)), significant(rates.of(prefetched))),
    ));
    refused(&mut shown, |registers| {
        let tiled = Some(Tiled::new(16).merged(4).unrolled().prefetching());
        product(runner, &chip, Variant { tiled, registers }, widths).map(|(_, report)| report)
    })?;

    for tiled in [Tiled::new(8), one, Tiled::new(16).merged(4).unrolled()] {
        explain(&mut shown, &tiled.name(), "GFLOP/s", &chip, |chip| run(chip, tiled))?;
    }
    shown.because(
        "An operand in shared memory is at most 127 words away from its address register, so the unrolled loops add to the \
         address of Ns once for every 512 bytes.",
    );
    for Rate { tiled, gflops, .. } in &rates.0 {
        let note = if launches(*tiled) { "" } else { "does not launch with the compiler's registers" };
        shown.find(Finding::reported(format!("{}: GFLOP/s", tiled.name()), note, significant(*gflops)));
    }
    let mut causes = Vec::new();
    if least_is_outside {
        let mut slower = chip.clone();
        slower.partition.reply_header_cycles += 1;
        let (tried, _) = run(&slower, least.tiled)?;
        let header = [&chip, &slower].map(|chip| chip.partition.reply_header_cycles);
        causes.push(
            least_cause(least, low)
                + &format!(
                    " Tried: {} instead of {} cycles for the header of each reply: {} GFLOP/s.",
                    header[1],
                    header[0],
                    significant(tried)
                ),
        );
    }
    if most_is_outside {
        let (anywhere, _) = run(&chip, most.tiled.reaching_everywhere())?;
        causes.push(format!(
            "{}: the published registers, schedule and address arithmetic of the merged kernels are not known; \
             ours uses the fewest instructions that the instruction set allows. Tried: without the additions for distant \
             operands the rate is {} GFLOP/s.",
            most.tiled.name(),
            significant(anywhere)
        ));
    }
    if !causes.is_empty() {
        causes.push("The figure's bars are read off a drawing.".to_owned());
        shown.cause = Some(causes.join(" "));
    }
    Ok(shown)
}

/// Whether the published registers of a variant allow a block to launch.
fn launches(tiled: Tiled) -> bool {
    !(tiled.tile == 16 && tiled.merged == 4 && tiled.prefetching)
}

/// Known part of the cause of the lowest variant's error, for `published` GFLOP/s.
fn least_cause(least: Rate, published: f64) -> String {
    let percent = |share: f64| (100.0 * share).round();
    let dram = least.shares.dram;
    let too_fast = if least.gflops > published {
        " Copies reach 84 % on silicon (V144). In the model they lose the rest when the bus switches from reading to \
         writing; this kernel hardly writes, and the other losses of silicon are not published."
    } else {
        ""
    };
    format!(
        "{}: half-warps of two rows do not coalesce, and make 32 transactions of 32 bytes for each load of a warp. By this \
         count the busiest partition moves {} % of its peak here, and would move {} % at the published rate.{too_fast}",
        least.tiled.name(),
        percent(dram),
        percent(dram * published / least.gflops)
    )
}

/// 8 x 8 tiles: unrolling and prefetching change nothing, granularity helps.
fn eight(shown: &mut Shown, rates: &Rates) {
    for merged in [1, 2, 4] {
        let plain = Tiled::new(8).merged(merged);
        for (what, other) in [
            ("unrolling", plain.unrolled()),
            ("prefetching", plain.prefetching()),
            ("both", plain.unrolled().prefetching()),
        ] {
            let gain = rates.gain(plain, other);
            shown.find(Finding::shape(
                format!("8x8-1x{merged}: {what}"),
                format!("less than {NOTHING} %"),
                format!("{gain:+.1} %"),
                gain.abs() < NOTHING,
            ));
        }
    }
    for (from, to) in [(1, 2), (2, 4)] {
        let gain = rates.gain(Tiled::new(8).merged(from), Tiled::new(8).merged(to));
        shown.find(Finding::shape(
            format!("8x8: 1x{to} against 1x{from}"),
            format!("more than +{HELPS} %"),
            format!("{gain:+.1} %"),
            gain > HELPS,
        ));
    }
}

/// 16 x 16 tiles: unrolling gains, prefetching hardly does.
fn sixteen(shown: &mut Shown, rates: &Rates, unrolling: f64) {
    for merged in [1, 2, 4] {
        let plain = Tiled::new(16).merged(merged);
        let gain = rates.gain(plain, plain.unrolled());
        shown.find(Finding::shape(
            format!("16x16-1x{merged}: unrolling"),
            format!("more than +{unrolling} %"),
            format!("{gain:+.1} %"),
            gain > unrolling,
        ));
    }
    let two = Tiled::new(16).merged(2).unrolled();
    let gain = rates.gain(two, two.prefetching());
    shown.find(Finding::shape(
        "16x16-1x2-unrolled: prefetching",
        format!("hardly: less than {NOTHING} %"),
        format!("{gain:+.1} %"),
        gain.abs() < NOTHING,
    ));
}

/// Checks that 1x4 with prefetching cannot launch with the registers of the book's compiler, more
/// than an SM has. `run` launches it with a number of registers.
fn refused(shown: &mut Shown, run: impl Fn(Option<u32>) -> Result<Report, RunError>) -> Result<(), RunError> {
    let refusal = run(Some(TOO_MANY)).err().map_or("it runs".to_owned(), |e| e.to_string());
    let holds = refusal.contains("registers");
    shown.find(Finding::shape(
        format!("1x4 and prefetching with {TOO_MANY} registers"),
        "refused: registers",
        refusal,
        holds,
    ));
    let own = run(None)?.launch.registers_by_liveness;
    shown.find(Finding::reported("its registers by our own count", "more than 32", own.to_string()));
    Ok(())
}
