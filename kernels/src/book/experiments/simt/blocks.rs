//! SIMT-11, SIMT-14: blocks run in any order and any number at a time; a block that is too large is
//! refused.

use crate::RunError;
use crate::book::machines::{CHIPS, MODES};
use crate::book::probe::{Probe, UNTOUCHED};
use crate::book::{Claim, Experiment, Finding, Runner, Shown};
use sim_core::host::{Arg, HostError, LaunchError, LaunchLimit};

pub static EXPERIMENTS: &[Experiment] = &[
    Experiment { id: "SIMT-11", show: transparent_scalability },
    Experiment { id: "SIMT-14", show: too_many_threads },
];

const CHAIN: &str = include_str!("../../../../ptx/book/chain.ptx");
/// Additions of each thread for SIMT-11: long compared with the launch of a block.
const LENGTH: usize = 1000;

/// Expected result for a block that exceeds the limit of a chip.
const REFUSED: &str = "refused, with the limit in the message";

/// SIMT-11: the chips differ in the number of SMs with one block each, or in the number of blocks
/// on their only SM.
fn transparent_scalability(runner: &Runner, claim: &Claim) -> Result<Shown, RunError> {
    let [blocks, few, more] = claim.read("{} blocks on a chip with {} and with {} resident blocks")?;
    let within = claim.band()?;
    claim.says("same results, half the time")?;
    let text = CHAIN.replace("// CHAIN", &"add.f32 %v, %v, 0f3f800000;\n\t".repeat(LENGTH));
    let mut shown = Shown::new(format!("{blocks} blocks of one warp, {LENGTH} dependent additions each"));
    // A block of one warp. Every thread of the grid writes a word, so a lost block would be
    // detected.
    let threads = blocks as usize * 32;
    let run = |name: &str, clusters: u32, per_sm: u32| {
        let (clusters, per_sm) = (clusters.to_string(), per_sm.to_string());
        let sets = [("clusters", clusters.as_str()), ("cluster.sms", "1"), ("sm.max_blocks", &per_sm)];
        let mut probe = Probe::new(runner, runner.chip(name, &sets)?, "chain.ptx", &text)?;
        let launch = probe.launch("chain", blocks as u32, 32);
        let (report, words) = probe.words(launch, threads)?;
        let cycles = report.timing.as_ref().map_or(0, |timing| timing.cycles);
        Ok::<_, RunError>((cycles as f64, words))
    };
    let expected: Vec<u32> = (0..threads).map(|thread| ((thread + LENGTH) as f32).to_bits()).collect();
    let ratio = more / few;
    for name in CHIPS {
        let (few, more) = (few as u32, more as u32);
        for (what, two, four) in [("SMs", (few, 1), (more, 1)), ("blocks of an SM", (1, few), (1, more))] {
            let (slow, first) = run(name, two.0, two.1)?;
            let (fast, second) = run(name, four.0, four.1)?;
            let right = first == expected && second == expected;
            let count = |words: &[u32]| words.iter().zip(&expected).filter(|(found, is)| found == is).count();
            let words = format!("{} and {} of {threads} correct", count(&first), count(&second));
            let what = format!("{name}, {few} and {more} {what}");
            shown.find(Finding::shape(format!("{what}: results of all threads"), "the same", words, right));
            shown.find(Finding::shape(
                format!("{what}: cycles"),
                format!("1/{ratio} within {within} %"),
                format!("{slow} and {fast}: 1/{:.3}", slow / fast),
                (slow / fast / ratio - 1.0).abs() * 100.0 <= within,
            ));
        }
    }
    shown.because(format!(
        "No block waits for another one, so {few} blocks at a time take {} rounds and {more} at a time take {}.",
        blocks / few,
        blocks / more
    ));
    Ok(shown)
}

/// SIMT-14: the limit belongs to the chip: the GT200 refuses the block too, and Fermi runs it.
fn too_many_threads(runner: &Runner, claim: &Claim) -> Result<Shown, RunError> {
    let [threads] = claim.read("{} threads per block on G80")?;
    claim.says("launch refused with the limit named")?;
    let text = CHAIN.replace("// CHAIN", "");
    let count = threads as usize;
    let mut shown = Shown::new(format!("a block of {threads} threads on every chip, timed and functional"));
    for name in CHIPS {
        let chip = runner.chip(name, &[])?;
        let most = chip.limits.threads_per_block;
        let fits = threads <= f64::from(most);
        for mode in MODES {
            let mut probe = Probe::new(runner, chip.clone(), "chain.ptx", &text)?;
            let what = format!("{name}, {}", if mode == MODES[0] { "timed" } else { "functional" });
            if fits {
                let launch = probe.launch("chain", 1, threads as u32).mode(mode);
                let (_, words) = probe.words(launch, count)?;
                let right = words.iter().enumerate().all(|(t, word)| *word == (t as f32).to_bits());
                let words = if right { "it runs" } else { "wrong" };
                let (expected, holds) = if name == "g80" { (REFUSED, false) } else { ("it runs", right) };
                shown.find(Finding::shape(what, expected, words, holds));
                continue;
            }
            let out = probe.lab.upload(&vec![UNTOUCHED; count])?;
            let launch = probe.launch("chain", 1, threads as u32).args([Arg::Ptr(out)]).mode(mode);
            let refusal = probe.refusal(&launch)?;
            let named = matches!(&refusal, HostError::Launch(LaunchError::Limit { limit, needed, available, .. })
                if *limit == LaunchLimit::Threads && *needed == threads as u64 && *available == u64::from(most));
            let sentence = refusal.to_string();
            let in_message = sentence
                .contains(&format!("threads per block is {threads}; this chip allows at most {most}"));
            let nothing_ran = probe.lab.download(out, count)?.iter().all(|word| *word == UNTOUCHED);
            shown.find(Finding::shape(what, REFUSED, sentence, named && in_message && nothing_ran));
        }
        shown.because(format!("{name}: a block may have {most} threads."));
    }
    Ok(shown)
}
