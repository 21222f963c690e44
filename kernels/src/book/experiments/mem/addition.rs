//! MEM-17: matrix addition gains nothing from shared memory.

use crate::RunError;
use crate::book::tools::timing;
use crate::book::{Claim, Experiment, Finding, Runner, Shown};

pub static EXPERIMENTS: &[Experiment] = &[Experiment { id: "MEM-17", show: addition }];

fn addition(runner: &Runner, claim: &Claim) -> Result<Shown, RunError> {
    claim.says("no reuse between threads: shared memory cannot cut traffic (traffic report equal)")?;
    let width = runner.by_size(64, 1024);
    let mut shown =
        Shown::new(format!("matadd and matadd-shared, {width} x {width}, on G80, GT200 and Fermi"));
    for chip in ["g80", "gt200", "fermi"] {
        let traffic = |name| -> Result<[u64; 4], RunError> {
            let outcome = runner.workload(runner.chip(chip, &[])?, name, width)?;
            let global = &timing(&outcome.reports[0]).global;
            Ok([
                global.load.bytes_asked,
                global.load.bytes_moved,
                global.store.bytes_asked,
                global.store.bytes_moved,
            ])
        };
        let [straight, shared] = [traffic("matadd")?, traffic("matadd-shared")?].map(|bytes| {
            let [la, lm, sa, sm] = bytes;
            format!("{la} B loaded ({lm} B moved), {sa} B stored ({sm} B moved)")
        });
        shown.find(Finding::exact(
            format!("{chip}: traffic through shared memory equals that without it"),
            straight,
            shared,
        ));
        let words = traffic("matadd")?[0] / 4;
        shown.find(Finding::exact(
            format!("{chip}: words loaded for each element"),
            2,
            words / (width * width),
        ));
    }
    shown.because(
        "Each word is used once, by one thread, so no second thread can reuse it from shared memory.",
    );
    Ok(shown)
}
