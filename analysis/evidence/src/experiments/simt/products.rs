//! SIMT-08, SIMT-09: dot products with the error of the exercise, with the error corrected, and
//! with the last warp unrolled.

use crate::finding::list;
use crate::machines::{CHIPS, Everywhere};
use crate::probe::Probe;
use crate::tools::{bits, follows, pointers, timing};
use crate::{Claim, Experiment, Finding, Runner, Shown, racecheck};
use kernels::RunError;
use kernels::numbers::whole;
use kernels::reduce::{CORRECTED, End, PRINTED, UNROLLED, Variant};
use sim_core::check::{Finding as Found, HazardKind, Pair, Severity};
use sim_core::host::Mode;
use sim_core::stats::Report;

pub static EXPERIMENTS: &[Experiment] = &[
    Experiment { id: "SIMT-08", show: printed_and_corrected },
    Experiment { id: "SIMT-09", show: last_warp_unrolled },
];

const FILE: &str = "dot_product.ptx";
/// Number of products of SIMT-09, and their lengths.
const PRODUCTS: u32 = 24;
const LENGTHS: [u32; 4] = [64, 128, 256, 512];
/// Strides within a warp of 32 lanes; the last warp makes one more step, of stride 32, that reads
/// the words of another warp.
const STRIDES: [f64; 5] = [16.0, 8.0, 4.0, 2.0, 1.0];

/// Returns whole numbers from -3 to 3.
fn factors(stream: u64, count: u32) -> Vec<i32> {
    (0..u64::from(count)).map(|i| whole(stream, i, -3, 3)).collect()
}

/// Returns the results of `products` products of `length` elements: the sums, and the first word
/// before the last addition, which is the sum of the terms with even indices.
fn expected(products: u32, length: u32) -> [Vec<u32>; 2] {
    let (a, b) = (factors(1, products * length), factors(2, products * length));
    let terms: Vec<i32> = a.iter().zip(&b).map(|(a, b)| a * b).collect();
    let blocks = || terms.chunks(length as usize);
    let sums: Vec<i32> = blocks().map(|block| block.iter().sum()).collect();
    let before: Vec<i32> = blocks().map(|block| block.iter().step_by(2).sum()).collect();
    [bits(&sums), bits(&before)]
}

/// Launches a variant. Returns its report and results.
fn run(
    runner: &Runner,
    (chip, mode): (&str, Mode),
    variant: &Variant,
    (products, length): (u32, u32),
) -> Result<(Report, Vec<u32>), RunError> {
    let mut probe = Probe::new(runner, runner.chip(chip, &[])?, FILE, &variant.text())?;
    let count = products * length;
    let a = probe.lab.upload(&bits(&factors(1, count)))?;
    let b = probe.lab.upload(&bits(&factors(2, count)))?;
    let out = probe.lab.upload(&vec![u32::MAX; products as usize])?;
    let launch = probe.launch(variant.entry, products, length).args(pointers(&[a, b, out])).mode(mode);
    let report = probe.run(&launch)?;
    Ok((report, probe.lab.download(out, products as usize)?))
}

/// Returns what the race checker finds in a variant.
fn races(
    runner: &Runner,
    chip: &str,
    variant: &Variant,
    (products, length): (u32, u32),
) -> Result<Vec<Found>, RunError> {
    let text = variant.text();
    let shape = (products.into(), length.into());
    let (races, _) = racecheck::checked(runner, chip, (FILE, &text), variant.entry, shape, |lab| {
        let a = lab.upload(&bits(&factors(1, products * length)))?;
        let b = lab.upload(&bits(&factors(2, products * length)))?;
        let out = lab.allocate(products.into())?;
        Ok((pointers(&[a, b, out]), out, products as usize))
    })?;
    Ok(races)
}

/// SIMT-08: as printed, and corrected in two ways.
fn printed_and_corrected(runner: &Runner, claim: &Claim) -> Result<Shown, RunError> {
    let [products, length] = claim.numbers(["products", "length"]).map(|n| n as u32);
    let [threads, warps] = claim.numbers(["threads", "warps"]);
    let [loads, stores] = claim.numbers(["loads", "stores"]);
    let [conflicts, divergent] = claim.numbers(["conflicts", "divergent"]);
    let [first, last] = claim.numbers(["first", "last"]);
    let mut shown =
        Shown::new(format!("{products} dot products of {length} elements on G80, three versions"));
    let thread_0 = Variant { end: End::First, ..PRINTED };
    let [sums, before] = expected(products, length);
    for (what, variant) in
        [("as printed", PRINTED), ("with a barrier", CORRECTED), ("thread 0 alone", thread_0)]
    {
        let printed = variant.end == End::Printed;
        for mode in [Mode::Timed, Mode::Functional] {
            let (report, found) = run(runner, ("g80", mode), &variant, (products, length))?;
            let right = found.iter().zip(&sums).filter(|(found, sum)| found == sum).count();
            let old =
                found.iter().zip(&sums).zip(&before).filter(|((f, sum), old)| f != sum && f == old).count();
            let machine = if mode == Mode::Timed { "timed" } else { "functional" };
            if printed {
                shown.find(follows(
                    format!("{what}, {machine}: the sum, or the value before the last addition"),
                    found.len(),
                    right + old,
                ));
                shown.find(Finding::reported(
                    format!("{what}, {machine}: correct results"),
                    "a race",
                    right.to_string(),
                ));
            } else {
                shown.find(follows(format!("{what}, {machine}: correct results"), found.len(), right));
            }
            let branches = report.control.divergent_branches as f64 / f64::from(products);
            shown.find(Finding::exact(
                format!("{what}, {machine}: divergent iterations"),
                divergent,
                branches,
            ));
            if mode == Mode::Functional {
                continue;
            }
            let all = (report.launch.grid.count() * report.launch.block.count()) as f64;
            let (global, shared) = (&timing(&report).global, &timing(&report).shared);
            let each = |bytes: u64| bytes as f64 / 4.0 / all;
            if printed {
                shown.find(Finding::exact("threads", threads, all));
                shown.find(Finding::exact("warps of a block", warps, report.launch.warps_per_block.into()));
                shown.find(Finding::exact(
                    "stores of a thread, as printed",
                    stores,
                    each(global.store.bytes_asked),
                ));
            }
            shown.find(Finding::exact(
                format!("{what}: loads of a thread"),
                loads,
                each(global.load.bytes_asked),
            ));
            shown.find(follows(format!("{what}: uncoalesced half-warps"), 0, global.load.uncoalesced_groups));
            let passes = shared.load.conflict_passes + shared.store.conflict_passes;
            shown.find(Finding::exact(format!("{what}: bank conflicts"), conflicts, passes as f64));
        }
        let races = races(runner, "g80", &variant, (products, length))?;
        shown.find(Finding::exact(
            format!("{what}: races"),
            usize::from(printed),
            racecheck::of(&races, Severity::Error).len(),
        ));
        if printed {
            find_the_race(&mut shown, &races, [first, last]);
        }
    }
    Ok(shown)
}

/// Checks the only race of the printed kernel: the load of the first word after the last addition.
fn find_the_race(shown: &mut Shown, races: &[Found], warps: [f64; 2]) {
    let pair = racecheck::of(races, Severity::Error).first().copied();
    let text = pair.map_or("none".to_owned(), racecheck::in_words);
    let slip = pair.is_some_and(|h| {
        let lines = h.first.source.starts_with("st.shared") && h.second.source.contains("[sums]");
        let warp = f64::from(h.second.warp);
        let by_warps = h.first.warp == 0 && (warps[0]..=warps[1]).contains(&warp);
        h.hazard == HazardKind::Raw && lines && by_warps && h.memory.offset() == Some(("sums", 0))
    });
    shown.find(Finding::shape(
        "the race is between warp 0's last addition and the other warps' loads of the first word",
        "RAW of `sums`, with both lines",
        text.clone(),
        slip,
    ));
    shown.because(format!(
        "{text}, and there is no barrier between the two: warps {} to {} may load the old word.",
        warps[0], warps[1]
    ));
}

/// SIMT-09: correct on chips that run a warp's lanes in lockstep, as all chips here do; no race.
fn last_warp_unrolled(runner: &Runner, _: &Claim) -> Result<Shown, RunError> {
    let mut shown = Shown::new(format!(
        "{PRODUCTS} dot products of 64 to 512 elements on every chip, timed and functional"
    ));
    for length in LENGTHS {
        let [sums, _] = expected(PRODUCTS, length);
        let found = Everywhere::run(&CHIPS, |machine| {
            let size = (PRODUCTS, length);
            let (report, out) = run(runner, (machine.chip, machine.mode), &UNROLLED, size)?;
            let (looped, _) = run(runner, (machine.chip, machine.mode), &PRINTED, size)?;
            let right = out.iter().zip(&sums).filter(|(found, sum)| found == sum).count();
            let warps = u64::from(length / 32 * PRODUCTS);
            let fewer = (looped.control.barriers - report.control.barriers) / warps;
            Ok((right, report.control.divergent_branches, fewer))
        })?;
        shown.find(found.exact(format!("{length} elements: correct results"), PRODUCTS as usize, |f| f.0));
        shown.find(found.exact(format!("{length} elements: divergent branches"), 0, |f| f.1));
        shown.find(found.exact(format!("{length} elements: barriers saved per warp"), 5, |f| f.2));
    }
    for chip in CHIPS {
        let races = races(runner, chip, &UNROLLED, (PRODUCTS, LENGTHS[2]))?;
        shown.find(Finding::exact(
            format!("{chip}: races between warps"),
            0,
            racecheck::of(&races, Severity::Error).len(),
        ));
        // With volatile accesses they are no mistakes.
        let within = racecheck::of(&races, Severity::Info);
        let texts: Vec<String> = within.iter().map(|pair| racecheck::in_words(pair)).collect();
        let all = within.iter().all(|h| {
            h.first.source.contains(".volatile.shared") && h.second.source.contains(".volatile.shared")
        });
        shown.find(Finding::shape(
            format!("{chip}: pairs of lines reported as warp-synchronous"),
            "some, all among the last warp's",
            format!("{}, the first {}", texts.len(), texts.first().map_or("none", String::as_str)),
            !texts.is_empty() && all,
        ));
        // `[%mine+64]` is the word of the thread with the index + 16.
        let stride = |h: &Pair| {
            let (_, behind) = h.second.source.split_once("[%mine+")?;
            Some(behind.split_once(']')?.0.parse::<f64>().ok()? / 4.0)
        };
        let raw = within.iter().filter(|pair| pair.hazard == HazardKind::Raw);
        let mut strides: Vec<f64> = raw.map(|h| stride(h).unwrap_or(0.0)).collect();
        strides.sort_by(|a, b| b.total_cmp(a));
        shown.find(follows(
            format!("{chip}: strides of the steps that read words of other lanes"),
            list(&STRIDES),
            list(&strides),
        ));
    }
    shown.because(
        "The first of the last six steps reads words that the second warp wrote before the barrier; each of the next five reads \
         words that other lanes of the same warp wrote one instruction before. No other warp accesses those words any more.",
    );
    Ok(shown)
}
