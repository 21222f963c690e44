//! MEM-11, MEM-12 and MEM-19: the caches of constant memory, with reads of known addresses. Module
//! `kspace` measures the kernels of the book.

use super::kspace;
use crate::finding::significant;
use crate::machines::CHIPS;
use crate::tools::{ensure, follows, pointers, timing};
use crate::{Claim, Experiment, Finding, Runner, Shown};
use isa::Options;
use kernels::RunError;
use kernels::lab::Lab;
use sim_core::config::CacheShape;
use sim_core::host::Launch;
use sim_core::stats::Report;
use sim_core::stats::report::ConstantReport;

pub static EXPERIMENTS: &[Experiment] = &[
    Experiment { id: "MEM-11", show: structures },
    Experiment { id: "MEM-12", show: addresses },
    Experiment { id: "MEM-19", show: one_address },
];

const CONSTANTS: &str = include_str!("../../../../kernels/ptx/book/constants.template");
/// Words of constant memory; word i contains i + `FIRST`.
const WORDS: u32 = 1280;
const FIRST: u32 = 1000;
/// One load.
const LOAD: &str = "ld.const.u32 %v, [%a];\nadd.u32 %sum, %sum, %v;\n";
/// All threads read one word.
const ONE: &str = "mov.u32 %i, 5;";

/// Returns the kernel with its index computation and its loads.
fn text(index: &str, loads: &str) -> String {
    let words = (FIRST..FIRST + WORDS).map(|word| word.to_string()).collect::<Vec<_>>().join(", ");
    CONSTANTS
        .replace("{ WORDS }", &format!("{{ {words} }}"))
        .replace("// INDEX", index)
        .replace("// LOADS", loads)
}

/// Runs a block of `threads` threads and checks their sums.
fn run(
    runner: &Runner,
    chip: &str,
    text: &str,
    threads: u32,
    sum: impl Fn(u32) -> u32,
) -> Result<Report, RunError> {
    // No optimization: repeated loads of one word must not be merged.
    let mut lab = Lab::on(runner.gpu(runner.chip(chip, &[])?), "constants.template", text, Options::PLAIN)?;
    let out = lab.allocate(threads.into())?;
    let report = lab.balanced(&Launch::new(lab.module, "read", 1, threads).args(pointers(&[out])))?;
    let sums: Vec<u32> = (0..threads).map(sum).collect();
    ensure(lab.download(out, threads as usize)? == sums, format!("wrong sums on {chip}"))?;
    Ok(report)
}

/// Runs a warp with `loads` reads; thread t reads word `word(t)`.
fn read(
    runner: &Runner,
    chip: &str,
    index: &str,
    loads: u32,
    word: impl Fn(u32) -> u32,
) -> Result<Report, RunError> {
    let text = text(index, &LOAD.repeat(loads as usize));
    run(runner, chip, &text, 32, |t| loads * (FIRST + word(t)))
}

/// Returns the cache counters of `loads` reads, without the reads of the parameter.
fn constants(
    runner: &Runner,
    chip: &str,
    index: &str,
    loads: u32,
    word: impl Fn(u32) -> u32 + Copy,
) -> Result<ConstantReport, RunError> {
    let of = |loads| read(runner, chip, index, loads, word).map(|report| timing(&report).constant.clone());
    let (mut more, less) = (of(loads)?, of(0)?);
    more.l1.accesses -= less.l1.accesses;
    more.l1.hits -= less.l1.hits;
    more.l1.misses -= less.l1.misses;
    more.line_requests -= less.line_requests;
    Ok(more)
}

/// Lanes of a half-warp (on Fermi, of a warp) with one address make one access; each additional
/// address is one more access, serialized.
///
/// Tests: `constant-cache-times`.
fn addresses(runner: &Runner, _: &Claim) -> Result<Shown, RunError> {
    const LOADS: u32 = 10;
    let mut shown = Shown::new(format!("{LOADS} loads of a warp at 1, 8 and 32 addresses"));
    for chip in CHIPS {
        let (lanes, group) = if chip == "fermi" { (32, "warp") } else { (16, "half-warp") };
        let groups = 32 / lanes;
        let (mut cycles, mut costs) = (Vec::new(), Vec::new());
        // With 32 addresses each group of lanes reads different ones; with 8 each group reads all
        // of them.
        for (what, index, word, each) in [
            ("one address", ONE, (|_| 5) as fn(u32) -> u32, 1),
            ("8 addresses", "and.b32 %i, %t, 7;", |t| t % 8, 8),
            ("32 addresses", "mov.u32 %i, %t;", |t| t, lanes),
        ] {
            let accesses = constants(runner, chip, index, LOADS, word)?.l1.accesses;
            let found = accesses as f64 / f64::from(LOADS * groups);
            let name = format!("{chip}, {what}: accesses of a load per {group}");
            shown.find(if each == 1 {
                Finding::exact(name, 1.0, found)
            } else {
                follows(name, f64::from(each), found)
            });
            let report = read(runner, chip, index, LOADS, word)?;
            let (slots, took) = (timing(&report).slots.outcomes.replay_constant, timing(&report).cycles);
            if each == 1 {
                shown.find(follows(format!("{chip}, {what}: replay issue slots"), 0, slots));
            } else {
                costs.push(slots as f64 / f64::from(LOADS * groups * (each - 1)));
            }
            cycles.push(took);
            shown.because(format!(
                "{chip}: {LOADS} loads of a warp at {what} are {accesses} accesses and need {slots} replay issue \
                 slots; the kernel takes {took} cycles."
            ));
        }
        let words = costs.iter().map(f64::to_string).collect::<Vec<_>>().join(" and ");
        let alike = costs.iter().all(|cost| *cost > 0.0 && (cost - costs[0]).abs() < 1e-9);
        shown.find(Finding::shape(
            format!("{chip}: issue slots of each additional access, at 8 and at 32 addresses"),
            "equal, and more than 0",
            words,
            alike,
        ));
        shown.find(Finding::shape(
            format!("{chip}: cycles at 1, 8 and 32 addresses"),
            "rising",
            cycles.iter().map(u64::to_string).collect::<Vec<_>>().join(", "),
            cycles.is_sorted_by(|few, many| few < many),
        ));
    }
    Ok(shown)
}

/// MEM-11: compares the misses of arrays and of structures. The claim is a sharp fall without a
/// number, so the finding requires fewer misses and shows the factor.
pub(super) fn fewer(what: impl Into<String>, arrays: u64, structures: u64) -> Finding {
    let factor = significant(arrays as f64 / structures as f64);
    let found = format!("{arrays} as arrays, {structures} as structures: a factor of {factor}");
    Finding::shape(what, "fewer as structures", found, structures < arrays)
}

/// Number of warps, samples that each warp reads, and distance of two warps' samples.
const WARPS: u32 = 16;
const SAMPLES: u32 = 16;
const APART: u32 = 20;

/// The fields of a sample are in three lines if stored as three arrays, and in one line if stored
/// as a structure. 16 warps, each at different samples, need 48 lines at a time of the arrays, more
/// than the 32 lines of the cache of G80 and GT200, and 16 lines of the structures. (Fermi's cache
/// holds both.)
fn structures(runner: &Runner, _: &Claim) -> Result<Shown, RunError> {
    // Field f of sample n is word 320 f + n of the arrays and word 4 n + f of the structures. Warp
    // w reads samples from 20 w on.
    let misses = |chip: &str, sample: u32, field: u32| -> Result<(u64, u64), RunError> {
        let step = |k: u32| {
            let load = |f: u32| LOAD.replace("[%a]", &format!("[%a+{}]", 4 * (k * sample + f * field)));
            format!("{}bar.sync 0;\n", (0..3).map(load).collect::<String>())
        };
        let index = format!("shr.u32 %i, %t, 5;\nmul.lo.u32 %i, %i, {};", APART * sample);
        let text = text(&index, &(0..SAMPLES).map(step).collect::<String>());
        let word = |w, k, f| FIRST + (APART * w + k) * sample + f * field;
        let sum = |t: u32| (0..SAMPLES).map(|k| (0..3).map(|f| word(t / 32, k, f)).sum::<u32>()).sum::<u32>();
        let report = run(runner, chip, &text, 32 * WARPS, sum)?;
        Ok((timing(&report).constant.l1.misses, timing(&report).cycles))
    };
    let mut shown = Shown::new(format!(
        "F^H d with samples as arrays and as structures, with as many threads as the chip holds; then {WARPS} warps, \
         each at {SAMPLES} different samples with three fields, as three arrays and as an array of structures"
    ));
    kspace::structures(runner, &mut shown)?;
    for chip in ["g80", "gt200"] {
        let (arrays, structures) = (misses(chip, 1, 320)?, misses(chip, 4, 1)?);
        let what = format!("{chip}, each warp at different samples: misses of the SM's constant cache");
        shown.find(fewer(what, arrays.0, structures.0));
        let cache = shape(runner, chip)?;
        // Four samples in a line of 64 bytes.
        let lines = u64::from(WARPS * SAMPLES / 4);
        shown.find(follows(format!("{chip}: as structures, each line misses once"), lines, structures.0));
        let found = format!("{} and {} cycles", arrays.1, structures.1);
        shown.find(Finding::shape(
            format!("{chip}: structures are faster"),
            "yes",
            found,
            structures.1 < arrays.1,
        ));
        shown.because(format!(
            "{chip}: the arrays need {} lines at a time, more than the {} of the cache; the structures need {WARPS}.",
            3 * WARPS,
            cache.bytes / cache.line_bytes
        ));
    }
    Ok(shown)
}

/// Returns the shape of an SM's constant cache.
pub(super) fn shape(runner: &Runner, chip: &str) -> Result<CacheShape, RunError> {
    let built = runner.chip(chip, &[])?;
    let cache = built.sm.const_cache.as_ref();
    cache.map(|cache| cache.shape).ok_or_else(|| RunError::Chip(format!("{chip} has no constant cache")))
}

/// When all threads of a warp read one address, the line is requested once, and every other read of
/// any thread hits.
fn one_address(runner: &Runner, claim: &Claim) -> Result<Shown, RunError> {
    let [beyond, of] = claim.numbers(["beyond", "of"]);
    let [saved] = claim.numbers(["saved"]);
    let mut shown = Shown::new("1 and 10 loads of a warp at one address");
    for chip in CHIPS {
        for loads in [1, 10] {
            let report = constants(runner, chip, ONE, loads, |_| 5)?;
            let (asked, lines) = (f64::from(32 * loads), report.line_requests as f64);
            let what = format!("{chip}, {loads} loads");
            shown.find(Finding::shape(
                format!("{what}: reads of threads that go beyond the cache"),
                format!("at most {beyond} of {of}"),
                format!("{lines} of {asked}"),
                lines * of <= beyond * asked,
            ));
            let found = 100.0 * (1.0 - lines / asked);
            let words = format!("{} %", significant(found));
            shown.find(Finding::shape(
                format!("{what}: saved"),
                format!("at least {saved} %"),
                words,
                found >= saved,
            ));
            if loads > 1 {
                shown.because(format!(
                    "{chip}: the 32 threads of a warp ask for {asked} words in {loads} loads, which are {} accesses; \
                     {lines} line is fetched \
                 into the cache, and all other accesses hit it.",
                    report.l1.accesses
                ));
            }
            let found = format!("{} and {}", report.l1.misses, report.line_requests);
            shown.find(follows(format!("{what}: misses and requested lines"), "1 and 1".to_owned(), found));
        }
    }
    kspace::one_address(runner, &mut shown, saved)?;
    Ok(shown)
}
