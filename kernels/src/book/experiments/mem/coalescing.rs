//! MEM-01 to MEM-03: loads of a half-warp that coalesce into one transaction.
//!
//! The rules are those of NVIDIA's guide. Compute capability 1.0 and 1.1: a half-warp coalesces in
//! order into one aligned segment, or makes one transaction of 32 bytes per lane. 1.2 and 1.3: a
//! half-warp makes one transaction for each segment that it touches, of the smallest size that
//! covers the requested words. Fermi: a warp loads whole lines of 128 bytes.

use crate::RunError;
use crate::book::machines::STRICT;
use crate::book::tools::{distinct, ensure, follows, pointers, timing};
use crate::book::{Claim, Experiment, Finding, Runner, Shown};
use sim_core::host::Launch;
use sim_core::stats::GlobalCounters;

pub static EXPERIMENTS: &[Experiment] = &[
    Experiment { id: "MEM-01", show: in_order },
    Experiment { id: "MEM-02", show: two_swapped },
    Experiment { id: "MEM-03", show: misaligned },
];

const GATHER: &str = include_str!("../../../../ptx/book/gather.template");

/// Threads of a half-warp.
const HALF: u32 = 16;

/// Runs the single load of a block of `threads` threads. Thread t reads word `index(t)`, or is idle
/// if that is `None`. `ptx` computes the same index in `%i` from the thread `%t`, and sets `%idle`.
fn gather(
    runner: &Runner,
    chip: &str,
    threads: u32,
    ptx: &str,
    index: impl Fn(u32) -> Option<u32>,
) -> Result<GlobalCounters, RunError> {
    let text = GATHER.replace("// INDEX", ptx);
    let mut lab = runner.lab(runner.chip(chip, &[])?, "gather.template", &text)?;
    let words: Vec<u32> = (0..256).map(|i| 1000 + i).collect();
    let (input, out) = (lab.upload(&words)?, lab.allocate(threads.into())?);
    ensure(input.address().is_multiple_of(256), "an allocation is not aligned")?;
    let launch = Launch::new(lab.module, "gather", 1, threads).args(pointers(&[input, out]));
    let report = lab.balanced(&launch)?;
    let expected: Vec<u32> = (0..threads).map(|t| index(t).map_or(0, |i| 1000 + i)).collect();
    ensure(lab.download(out, threads as usize)? == expected, format!("wrong words gathered on {chip}"))?;
    let load = timing(&report).global.load;
    let asked = (0..threads).filter(|t| index(*t).is_some()).count() as u64;
    ensure(
        (load.requests, load.bytes_asked) == (1, 4 * asked),
        format!("wrong number of requested bytes on {chip}"),
    )?;
    Ok(load)
}

/// Number of transactions and their bytes in total.
fn moved(load: &GlobalCounters) -> String {
    in_words(load.transactions as f64, load.bytes_moved as f64)
}

fn in_words(transactions: f64, bytes: f64) -> String {
    format!("{transactions} of {bytes} B in all")
}

fn in_order(runner: &Runner, claim: &Claim) -> Result<Shown, RunError> {
    let [transactions, bytes] = claim.read("{} transaction of {} B")?;
    let mut shown =
        Shown::new("a gather of 16 and of 32 threads, with no lane idle and with each of them idle");
    let identity = "mov.u32 %i, %t;";
    for chip in [STRICT[0], STRICT[1], "gt200", "fermi"] {
        let mut loads = vec![gather(runner, chip, HALF, identity, Some)?];
        for idle in 0..HALF {
            let ptx = format!("{identity} setp.eq.u32 %idle, %t, {idle};");
            loads.push(gather(runner, chip, HALF, &ptx, |t| (t != idle).then_some(t))?);
        }
        let found = distinct(loads.iter().map(moved));
        let what = format!("{chip}: a half-warp, with any one lane idle or none");
        let whole = gather(runner, chip, 32, identity, Some)?;
        // The half-warps of a warp coalesce separately, except on Fermi.
        let (half, warp) = if chip == "fermi" {
            (in_words(1.0, 128.0), in_words(1.0, 128.0))
        } else {
            (in_words(transactions, bytes), in_words(2.0 * transactions, 2.0 * bytes))
        };
        if STRICT.contains(&chip) {
            shown.find(Finding::exact(what, half, found));
            let groups =
                |load: &GlobalCounters| format!("{} and {}", load.coalesced_groups, load.uncoalesced_groups);
            let what = format!("{chip}: half-warps that coalesce and that do not");
            shown.find(follows(what, "1 and 0".to_owned(), distinct(loads.iter().map(groups))));
        } else {
            shown.find(follows(what, half, found));
        }
        shown.find(follows(format!("{chip}: a whole warp"), warp, moved(&whole)));
    }
    let moves = |chip: &str| gather(runner, chip, 32, identity, Some).map(|load| moved(&load));
    shown.because(format!(
        "On compute capability 1.x each half-warp coalesces separately and fills a segment, with or without idle lanes: a \
         warp's transactions are {} on G80 and {} on GT200. Fermi coalesces the whole warp, whose words are one line: {}.",
        moves("g80")?,
        moves("gt200")?,
        moves("fermi")?
    ));
    Ok(shown)
}

fn two_swapped(runner: &Runner, claim: &Claim) -> Result<Shown, RunError> {
    let [strict, later] = claim.read("cc 1.0/1.1: {} transactions; cc 1.2+: {}")?;
    let mut shown =
        Shown::new("a gather of 16 and of 32 threads, lanes 0 and 1, 3 and 12, or 14 and 15 swapped");
    let mut found = Vec::new();
    for chip in [STRICT[0], STRICT[1], "gt200", "fermi"] {
        let (mut halves, mut wholes) = (Vec::new(), Vec::new());
        for (a, b) in [(0, 1), (3, 12), (14, 15)] {
            let ptx = format!(
                "mov.u32 %i, %t; setp.eq.u32 %p, %t, {a}; @%p mov.u32 %i, {b}; \
                 setp.eq.u32 %p, %t, {b}; @%p mov.u32 %i, {a};"
            );
            let swapped =
                |t| Some([(a, b), (b, a)].iter().find(|(from, _)| *from == t).map_or(t, |(_, to)| *to));
            halves.push(gather(runner, chip, HALF, &ptx, swapped)?);
            wholes.push(gather(runner, chip, 32, &ptx, swapped)?);
        }
        let expected = if STRICT.contains(&chip) { strict } else { later };
        let transactions = distinct(halves.iter().map(|load| load.transactions));
        shown.find(Finding::exact(
            format!("{chip}: transactions of the half-warp"),
            expected.to_string(),
            transactions,
        ));
        // Bytes moved, with and without the other half-warp, which still coalesces.
        let (half, warp) = match chip {
            "fermi" => (in_words(later, 128.0), in_words(later, 128.0)),
            "gt200" => (in_words(later, 64.0), in_words(2.0 * later, 2.0 * 64.0)),
            _ => (in_words(strict, 32.0 * strict), in_words(strict + 1.0, 32.0 * strict + 64.0)),
        };
        let of_half = distinct(halves.iter().map(moved));
        found.push(format!("{chip} {of_half}"));
        shown.find(follows(format!("{chip}: the half-warp"), half, of_half));
        shown.find(follows(format!("{chip}: with the other half"), warp, distinct(wholes.iter().map(moved))));
        if STRICT.contains(&chip) {
            let groups =
                |load: &GlobalCounters| format!("{} and {}", load.coalesced_groups, load.uncoalesced_groups);
            let what = format!("{chip}: half-warps that coalesce and that do not");
            shown.find(follows(what, "0 and 1".to_owned(), distinct(halves.iter().map(groups))));
        }
    }
    shown.because(format!(
        "Compute capability 1.0 and 1.1 require word k in lane k, and otherwise make a transaction for each lane of the \
         half-warp; from 1.2 on only the touched segments count. With two lanes swapped: {}.",
        found.join(", ")
    ));
    Ok(shown)
}

fn misaligned(runner: &Runner, claim: &Claim) -> Result<Shown, RunError> {
    let [transactions, bytes] = claim.read("cc 1.0/1.1: {} (of {} B")?;
    let [whole, segment] = claim.read("one {} B if inside a {} B segment")?;
    let [smaller] = claim.read("the smaller as {} B")?;
    let mut shown = Shown::new("a gather of 16 threads, 1 to 31 words off a segment of 128 bytes");
    let load = |chip: &str, threads: u32, offset: u32| -> Result<GlobalCounters, RunError> {
        gather(runner, chip, threads, &format!("add.u32 %i, %t, {offset};"), |t| Some(t + offset))
    };
    let all = |chip: &str, offsets: &mut dyn Iterator<Item = u32>| -> Result<String, RunError> {
        let loads = offsets.map(|offset| load(chip, HALF, offset)).collect::<Result<Vec<_>, _>>()?;
        Ok(distinct(loads.iter().map(moved)))
    };
    for chip in STRICT {
        let found = all(chip, &mut (1..32).filter(|offset| *offset != 16))?;
        let expected = in_words(transactions, transactions * bytes);
        shown.find(Finding::exact(format!("{chip}: off a segment of 64 B"), expected, found));
    }
    for chip in ["g80", "8800gt", "gt200"] {
        // 16 words later another segment of 64 bytes begins.
        let found = moved(&load(chip, HALF, 16)?);
        shown.find(follows(format!("{chip}: 16 words on, aligned again"), in_words(1.0, 64.0), found));
    }
    let words = (segment as u32 / 4).max(HALF);
    let inside = all("gt200", &mut (1..words - HALF))?;
    shown.find(Finding::exact("gt200: inside a segment", in_words(1.0, whole), inside));
    // At offset 24 there are 8 words on each side of the border, so both parts are small. At other
    // offsets the larger part needs half a segment.
    let split = all("gt200", &mut (words - HALF + 1..words).filter(|offset| *offset != 24))?;
    shown.find(Finding::exact("gt200: across a border", in_words(2.0, segment / 2.0 + smaller), split));
    let middle = moved(&load("gt200", HALF, 24)?);
    shown.find(Finding::exact(
        "gt200: across a border, half on each side",
        in_words(2.0, 2.0 * smaller),
        middle,
    ));
    for (what, threads, offsets, lines) in [
        ("inside a line", HALF, 1..17, 1.0),
        ("across a border", HALF, 17..32, 2.0),
        ("a whole warp", 32, 1..32, 2.0),
    ] {
        let loads = offsets.map(|offset| load("fermi", threads, offset)).collect::<Result<Vec<_>, _>>()?;
        let found = distinct(loads.iter().map(moved));
        shown.find(follows(format!("fermi, whole lines: {what}"), in_words(lines, 128.0 * lines), found));
    }
    let late = |chip: &str| load(chip, HALF, 1).map(|load| load.bytes_moved);
    shown.because(format!(
        "A half-warp that begins one word late moves {} bytes on compute capability 1.0, {} on 1.3 and {} on Fermi, \
         for {} requested \
         bytes.",
        late("g80")?,
        late("gt200")?,
        late("fermi")?,
        4 * HALF
    ));
    Ok(shown)
}
