//! Compares which instructions are valid under which header with the verdicts of NVIDIA's
//! assembler. Valid instructions that this simulator does not execute count as valid.

#[path = "legality/probe.rs"]
mod probe;

use std::fmt::Write as _;
use std::process::Command;
use test_support::record;
use test_support::tools::{Tool, say};

/// The headers of the record, in the order of its columns.
const HEADERS: [&str; 13] = [
    "1.0/sm_10",
    "1.1/sm_11",
    "1.2/sm_12",
    "1.3/sm_13",
    "1.4/sm_10",
    "1.4/sm_11",
    "1.4/sm_12",
    "1.4/sm_13",
    "2.0/sm_13",
    "2.0/sm_20",
    "2.1/sm_20",
    "2.3/sm_13",
    "2.3/sm_20",
];

/// Whether an intended difference applies to a probe under a header.
type Holds = fn(&str, &str) -> bool;

/// Intended differences from the assembler: the reason, and the probes and headers to which it
/// applies.
const DIFFERENCES: [(&str, Holds); 0] = [];

/// Number of compared verdicts, and of those that agree.
#[derive(Default)]
struct Agreement {
    cells: usize,
    agreed: usize,
    /// Number of differing verdicts for each of [`DIFFERENCES`].
    intended: [usize; DIFFERENCES.len()],
    /// List of the other differing verdicts.
    differing: String,
}

impl Agreement {
    /// Compares a probe under all headers with `verdicts`, which contains an `A` (accepted) or `R`
    /// (rejected) for each.
    fn compare(&mut self, text: &str, verdicts: &str) {
        assert_eq!(verdicts.len(), HEADERS.len(), "{text}");
        for (header, verdict) in HEADERS.iter().zip(verdicts.chars()) {
            let (ours, theirs) = (probe::is_legal(&probe::module(header, text)), verdict == 'A');
            self.cells += 1;
            self.agreed += usize::from(ours == theirs);
            if ours == theirs {
                continue;
            }
            match DIFFERENCES.iter().position(|(_, holds)| holds(text, header)) {
                Some(i) => self.intended[i] += 1,
                None => {
                    writeln!(self.differing, "{text} is {verdict} under {header}")
                        .expect("writing to a string cannot fail");
                }
            }
        }
    }

    /// Fails if there is a difference that is not intended.
    fn check(&self) {
        assert!(self.differing.is_empty(), "{} of {}:\n{}", self.agreed, self.cells, self.differing);
    }

    /// Returns a summary with the intended differences.
    fn summary(&self) -> String {
        let percent = self.agreed as f64 / self.cells as f64 * 100.0;
        let mut summary =
            format!("LEGALITY: {} of {} verdicts agree, {percent:.2} %\n", self.agreed, self.cells);
        for ((reason, _), cells) in DIFFERENCES.iter().zip(self.intended) {
            writeln!(summary, "  {cells} differ: {reason}").expect("writing to a string cannot fail");
        }
        summary
    }
}

/// Tests: `ptx-verdicts`.
#[test]
fn verdicts_agree_with_the_assembler() {
    let table = record::text("legality.tsv").expect("the recorded verdicts");
    let mut lines = table.lines();
    let headers: Vec<&str> =
        lines.next().expect("headings").split('\t').skip(1).take(HEADERS.len()).collect();
    assert_eq!(headers, HEADERS);
    let mut agreement = Agreement::default();
    for line in lines {
        let cells: Vec<&str> = line.split('\t').collect();
        agreement.compare(&probe::text(cells[0], cells[15]), &cells[1..=HEADERS.len()].concat());
    }
    assert!(agreement.cells > 21_000, "{} cells", agreement.cells);
    agreement.check();
    say(&agreement.summary());
    // The numbers in `docs/MODEL.md`.
    assert_eq!((agreement.agreed, agreement.cells, agreement.intended), (21_866, 21_866, []));
}

/// Splits a line of `later.tsv` into header, verdict, directives and instruction.
fn columns(line: &str) -> [&str; 4] {
    line.split('\t').collect::<Vec<_>>().try_into().expect("four columns")
}

/// Tests: `ptx-verdicts`.
#[test]
fn verdicts_about_later_ptx_agree_with_the_assembler() {
    let table = include_str!("legality/later.tsv");
    let mut differing = String::new();
    for line in table.lines().skip(1) {
        let [header, verdict, directives, instruction] = columns(line);
        if probe::is_legal(&probe::later_module(header, directives, instruction)) != (verdict == "A") {
            writeln!(differing, "{line}").expect("writing to a string cannot fail");
        }
    }
    assert!(differing.is_empty(), "{differing}");
    say(&format!("LEGALITY: {} verdicts about later PTX agree\n", table.lines().count() - 1));
}

/// Asks the assembler itself about every `STEP`th recorded verdict.
///
/// Tests: `ptx-verdicts`.
#[test]
fn the_assembler_gives_the_recorded_verdicts() {
    const STEP: usize = 9;
    if Tool::Assembler.is_missing("the_assembler_gives_the_recorded_verdicts") {
        return;
    }
    let ptxas = Tool::Assembler.folder().expect("a folder").join("ptxas");
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("k.ptx");
    let mut differing = String::new();
    for line in include_str!("legality/later.tsv").lines().skip(1).step_by(STEP) {
        let [header, verdict, directives, instruction] = columns(line);
        let module = probe::later_module(header, directives, instruction);
        std::fs::write(&file, module).expect("the file can be written");
        // The oldest chip of this version; it assembles PTX for older ones.
        let (_, target) = header.split_once('/').expect("version and target");
        let arch = if target < "sm_50" { "sm_50" } else { target };
        let mut command = Command::new(&ptxas);
        command.arg("--gpu-name").arg(arch).arg(&file).arg("-o").arg(folder.path().join("k.cubin"));
        let accepted = command.output().expect("ptxas runs").status.success();
        if accepted != (verdict == "A") {
            writeln!(differing, "{line}").expect("writing to a string cannot fail");
        }
    }
    assert!(differing.is_empty(), "{differing}");
}
