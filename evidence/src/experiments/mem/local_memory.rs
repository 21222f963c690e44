//! MEM-13: an automatic array is in local memory, off the chip.

use crate::machines::CHIPS;
use crate::tools::{ensure, follows, pointers, timing};
use crate::{Claim, Experiment, Finding, Runner, Shown};
use kernels::RunError;
use sim_core::host::Launch;
use sim_core::stats::report::TimingReport;

pub static EXPERIMENTS: &[Experiment] = &[Experiment { id: "MEM-13", show: automatic_array }];

const ARRAY: &str = include_str!("../../../../kernels/ptx/book/automatic_array.template");

/// Runs an entry with arrays of `words` words. With `different_elements` each thread begins at a
/// different element, otherwise all begin at the first.
fn run(
    runner: &Runner,
    chip: &str,
    entry: &str,
    (words, different_elements): (u32, bool),
    threads: u32,
) -> Result<TimingReport, RunError> {
    let text = ARRAY
        .replace("BYTES", &(4 * words).to_string())
        .replace("LAST", &(words - 1).to_string())
        .replace("WORDS", &words.to_string())
        .replace("FIRST", if different_elements { "mov.u32 %first, %t;" } else { "mov.u32 %first, 0;" });
    let mut lab = runner.lab(runner.chip(chip, &[])?, "automatic_array.template", &text)?;
    let out = lab.allocate(threads.into())?;
    let report = lab.balanced(&Launch::new(lab.module, entry, 1, threads).args(pointers(&[out])))?;
    let sums = vec![(0..words).sum::<u32>(); threads as usize];
    ensure(lab.download(out, threads as usize)? == sums, format!("wrong sums of {entry} on {chip}"))?;
    Ok(timing(&report).clone())
}

fn automatic_array(runner: &Runner, _: &Claim) -> Result<Shown, RunError> {
    const WORDS: u32 = 8;
    const THREADS: u32 = 64;
    let bytes = u64::from(4 * WORDS * THREADS);
    let accesses = u64::from(WORDS * THREADS / 32);
    let mut shown = Shown::new(format!(
        "{THREADS} threads that write and read an array of {WORDS} words each, and the same sum in a register"
    ));
    for chip in CHIPS {
        let with = run(runner, chip, "automatic", (WORDS, true), THREADS)?;
        let without = run(runner, chip, "in_a_register", (WORDS, true), THREADS)?;
        let local = |t: &TimingReport| format!("{} and {}", t.local.store.requests, t.local.load.requests);
        let what = format!("{chip}: stores and loads of local memory by warps");
        shown.find(follows(
            format!("{what}, with an array"),
            format!("{accesses} and {accesses}"),
            local(&with),
        ));
        shown.find(follows(format!("{what}, in a register"), "0 and 0".to_owned(), local(&without)));
        // On Fermi the parameters are constants, which must be fetched.
        let parameters = if chip == "fermi" { 64 } else { 0 };
        shown.find(follows(
            format!("{chip}: bytes the DRAM reads, in a register"),
            parameters,
            without.dram.read_bytes,
        ));
        let dram = |t: &TimingReport| (t.dram.read_bytes, t.dram.write_bytes);
        if chip == "fermi" {
            on_fermi(&mut shown, &with, &without, accesses, (WORDS * THREADS).into());
        } else {
            for (what, more) in [("reads", dram(&with).0), ("writes", dram(&with).1 - dram(&without).1)] {
                let what = format!("{chip}: bytes the DRAM {what} for the array");
                shown.find(Finding::shape(what, format!("{bytes} or more"), more.to_string(), more >= bytes));
            }
            shown.because(format!(
                "{chip}: the array of {bytes} bytes causes {} bytes of reads and {} bytes of writes on the DRAM bus; the kernel \
                 takes {} cycles instead of {}.",
                dram(&with).0,
                dram(&with).1 - dram(&without).1,
                with.cycles,
                without.cycles
            ));
        }
        // Accesses of all threads to the same element coalesce; accesses to different elements do
        // not.
        let (loads, stores) =
            (with.local.load_transactions_per_request, with.local.store_transactions_per_request);
        let what = format!("{chip}: transactions of a load, all threads at one element");
        shown.find(Finding::shape(what, "at most 2", loads.to_string(), loads <= 2.0));
        let what = format!("{chip}: transactions of a store, each thread at a different element");
        shown.find(Finding::shape(what, "at least 8", stores.to_string(), stores >= 8.0));
    }
    beyond_the_l1(runner, &mut shown)?;
    Ok(shown)
}

/// Fermi: eight lines of each warp stay in the L1 and are not written back, because the threads
/// have ended.
fn on_fermi(shown: &mut Shown, with: &TimingReport, without: &TimingReport, accesses: u64, words: u64) {
    let c = with.l1.counters;
    let moved = |t: &TimingReport| format!("{} and {}", t.dram.read_bytes, t.dram.write_bytes);
    shown.find(follows(
        "fermi: DRAM bytes read and written, as without the array",
        moved(without),
        moved(with),
    ));
    shown.find(follows("fermi: words left in the L1 at the end", words, with.l1.local_words_left));
    let loads = format!("{} and {}", c.local_load_hit, c.local_load_miss);
    shown.find(follows("fermi: loads that hit the L1 and that miss it", format!("{accesses} and 0"), loads));
    let stores = format!("{} and {}", c.local_store_hit, c.local_store_miss);
    let expected = format!("{} and {accesses}", with.local.store.transactions - accesses);
    shown.find(follows("fermi: stores that hit the L1 and that miss it", expected, stores));
}

/// An array larger than Fermi's L1 is evicted from it.
fn beyond_the_l1(runner: &Runner, shown: &mut Shown) -> Result<(), RunError> {
    // An element of the array is a line of the warp: 64 elements are 8 KB, 1,024 are 128 KB.
    let (few, many) = (64, 1024);
    let small = run(runner, "fermi", "automatic", (few, false), 32)?;
    let large = run(runner, "fermi", "automatic", (many, false), 32)?;
    let of = |t: &TimingReport| {
        let c = t.l1.counters;
        [
            c.local_load_hit,
            c.local_load_miss,
            c.local_store_miss,
            c.local_words_dirtied,
            c.local_words_written_back,
        ]
        .map(|n| n.to_string())
        .join(", ")
    };
    let what = "load hits, load misses, store misses, words dirtied and written back";
    let (lines, words) = (u64::from(few), u64::from(32 * few));
    shown.find(follows(
        format!("fermi, 8 KB of a warp: {what}"),
        format!("{lines}, 0, {lines}, {words}, 0"),
        of(&small),
    ));
    shown.find(follows("fermi, 8 KB: bytes the DRAM reads, the parameters' line", 64, small.dram.read_bytes));
    let (lines, words) = (u64::from(many), u64::from(32 * many));
    let expected = format!("0, {lines}, {lines}, {words}, {words}");
    shown.find(follows(format!("fermi, 128 KB of a warp: {what}"), expected, of(&large)));
    shown.find(follows("fermi, 128 KB: words left in the L1 at the end", 0, large.l1.local_words_left));
    // Four sectors of each line, and the results.
    let written = large.l2.counters.write_sector_queries;
    shown.find(follows("fermi, 128 KB: sectors written to the L2", 4 * lines + 4, written));
    shown.because(format!(
        "fermi: an array that fits into the 16 KB of L1 causes no traffic; an array of 128 KB per warp is written back to the \
         L2 and read again: {} cycles for {many} words, {} for {few}.",
        large.cycles, small.cycles
    ));
    Ok(())
}
