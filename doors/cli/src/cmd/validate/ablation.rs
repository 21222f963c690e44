//! `validate --ablation`: the error of the rows with each mechanism of the model switched off in
//! turn, as a page, and as a part of `docs/VALIDATION.md`.

use super::MeasurementResult;
use super::boards::Boards;
use super::measure;
use super::part::Page;
use super::result::ResultKind;
use super::summary::{Summaries, Summary};
use crate::args::ValidateArgs;
use crate::exit::{Code, Failure};
use crate::output::Files;
use evidence::measure::Scale;
use evidence::measure::table::Measurement;
use std::path::Path;

/// A mechanism, and the values that switch it off. A chip that lacks the field stays as it is.
struct Mechanism {
    name: &'static str,
    off: &'static [&'static str],
}

const MECHANISMS: [Mechanism; 18] = [
    Mechanism { name: "transactions of uncoalesced accesses", off: &["sm.lsu.ideal_coalescing=true"] },
    Mechanism { name: "lanes of one word share a DRAM burst", off: &["sm.lsu.same_word=apart"] },
    Mechanism { name: "time of a transaction in the load/store unit", off: &["sm.lsu.transaction_cycles=1"] },
    Mechanism { name: "latency of bank conflicts", off: &["sm.shared.conflict_latency=0"] },
    Mechanism {
        name: "operands in shared memory take longer",
        off: &["sm.operands.shared=(cycles: 4, latency: 0)", "sm.operands.param=(cycles: 4, latency: 0)"],
    },
    Mechanism { name: "second dispatch port", off: &["sm.second_port=none"] },
    Mechanism { name: "L1", off: &["sm.l1=none"] },
    Mechanism { name: "replacement in the L1 that is not LRU", off: &["sm.l1.replacement=lru"] },
    Mechanism { name: "hashed sets of the L2", off: &["partition.l2.index=modulo"] },
    Mechanism { name: "hashed partitions", off: &["partition.map=modulo"] },
    Mechanism { name: "links of bounded capacity", off: &["crossbar.depth=4096"] },
    Mechanism { name: "time of store data at the arbiter", off: &["partition.input_bytes_per_cycle=0"] },
    Mechanism { name: "headers of replies", off: &["partition.reply_header_cycles=0"] },
    Mechanism { name: "DRAM scheduling (in order instead)", off: &["partition.dram.queue=1"] },
    Mechanism { name: "DRAM bank groups", off: &["partition.dram.bank_groups=1"] },
    Mechanism { name: "DRAM refresh", off: &["partition.dram.timing.refi=0"] },
    Mechanism { name: "error correction", off: &["partition.dram.ecc_bursts=0"] },
    Mechanism { name: "constant caches miss", off: &["sm.const_cache.bytes=65536"] },
];

/// Title of the page.
const HEAD: &str = "\
# Ablation

The errors of the validation with each mechanism of the model switched off in turn.
docs/VALIDATION.md explains them.
";

/// Text above the table.
const TABLE: &str = "\
- *off*: the overrides. A chip without such a field stays as it is.
- *predicted* and *calibrated*: mean and median of the absolute errors in percent.
- *largest effect*: the row whose simulated value changes most, with its error before and after.

| mechanism | off | predicted: mean, median | calibrated: mean, median | rows changed by over 1 % | largest effect |
|---|---|---|---|---|---|
";

/// Measures the rows with each mechanism switched off, and writes the page.
pub fn run(args: &ValidateArgs, rows: &[&'static Measurement], path: &Path) -> Result<Code, Failure> {
    let mut files = Files::new();
    let mut page = Page { head: HEAD, name: "ablation", part: TABLE.to_owned() };
    let file = files.open(path)?;
    let measure = |sets: &[&str]| -> Result<Vec<MeasurementResult>, Failure> {
        measure(rows, &Boards::overridden(args, sets)?, Scale::Short, args.jobs)
    };
    let before = measure(&[])?;
    page.part += &line("none", "", &before, &before);
    for Mechanism { name, off } in MECHANISMS {
        let sets: Vec<String> = off.iter().map(|set| format!("`{set}`")).collect();
        page.part += &line(name, &sets.join(", "), &before, &measure(off)?);
    }
    file.write(page.text(path).as_bytes())?;
    Ok(Code::Fine)
}

fn line(name: &str, off: &str, before: &[MeasurementResult], after: &[MeasurementResult]) -> String {
    let summaries = Summaries::of(after);
    let errors = |kind| {
        let all = summaries.groups.iter().find(|group| group.kind == kind).map(|group| &group.all);
        let of = |summary: &Summary| Some(format!("{:.1}, {:.1}", summary.mape?, summary.median?));
        all.and_then(of).unwrap_or_default()
    };
    let (changed, largest) = changes(before, after);
    let cells =
        [name, off, &errors(ResultKind::Predicted), &errors(ResultKind::Calibrated), &changed, &largest];
    format!("| {} |\n", cells.join(" | "))
}

/// Returns the number of rows whose value differs by more than 1 %, and the row that differs most.
fn changes(before: &[MeasurementResult], after: &[MeasurementResult]) -> (String, String) {
    let of_row = |(before, after): (&MeasurementResult, &MeasurementResult)| {
        let change = (after.value()? / before.value()? - 1.0).abs();
        Some((change, format!("{}: {:+.1} to {:+.1}", before.row.id, before.error()?, after.error()?)))
    };
    let mut all: Vec<(f64, String)> = before.iter().zip(after).filter_map(of_row).collect();
    all.retain(|(change, _)| *change > 0.01);
    // Of equal changes the first in the order of the table.
    let largest = all.iter().rev().max_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, words)| words.clone());
    (all.len().to_string(), largest.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::super::result::tests::result;
    use super::*;
    use crate::args::ChipArgs;
    use crate::chip;
    use sim_core::config::builtin::simulated_names;

    #[test]
    fn every_mechanism_can_be_switched_off_on_some_chip() {
        for Mechanism { name, off } in MECHANISMS {
            let sets: Vec<String> = off.iter().map(|set| (*set).to_owned()).collect();
            let changes = |chip: &&str| {
                let load = |sets| chip::load(&ChipArgs { chip: (*chip).to_owned(), sets });
                load(sets.clone()).is_ok_and(|without| load(Vec::new()).is_ok_and(|with| with != without))
            };
            assert!(simulated_names().any(|chip| changes(&chip)), "{name}");
        }
    }

    #[test]
    fn the_largest_change_is_named() {
        let before = [result("V318", 0.0), result("V307", 5.0), result("V345", 1.0)];
        let after = [result("V318", 0.0), result("V307", 26.0), result("V345", -20.0)];
        assert_eq!(changes(&before, &after), ("2".to_owned(), "V345: +1.0 to -20.0".to_owned()));
        assert_eq!(changes(&before, &before), ("0".to_owned(), String::new()));
    }
}
