//! MEM-14: the size of constant memory.

use crate::RunError;
use crate::book::machines::CHIPS;
use crate::book::tools::follows;
use crate::book::{Claim, Experiment, Finding, Runner, Shown};
use crate::measure::lab::Lab;
use sim_core::host::HostError;

pub static EXPERIMENTS: &[Experiment] = &[Experiment { id: "MEM-14", show: too_much }];

/// Loads a module with exactly the claimed amount of constant memory, and checks that one more word
/// is refused.
fn too_much(runner: &Runner, claim: &Claim) -> Result<Shown, RunError> {
    let [bytes] = claim.read("constant memory over {} bytes")?;
    let words = bytes as u64 / 4;
    let load = |chip: &str, words: u64| -> Result<Lab, RunError> {
        let text = format!(
            ".version 2.0\n.target sm_10\n.const .u32 many[{words}];\n.entry idle ()\n{{\nexit;\n}}\n"
        );
        runner.lab(runner.chip(chip, &[])?, "many.ptx", &text)
    };
    let mut shown = Shown::new("loading a module with an array in constant memory");
    for chip in CHIPS {
        let refused = match load(chip, words) {
            Ok(_) => None,
            Err(RunError::Host(refusal)) => Some(refusal.to_string()),
            Err(other) => return Err(other),
        };
        let fits = refused.is_none();
        let came = refused.unwrap_or_else(|| "loaded".to_owned());
        shown.find(Finding::shape(format!("{chip}: {bytes} bytes"), "loaded", came, fits));
        match load(chip, words + 1) {
            Err(RunError::Host(HostError::ConstantMemory { needed, available })) => {
                shown.find(Finding::exact(format!("{chip}: limit in the message"), bytes, available as f64));
                shown.find(follows(format!("{chip}: bytes needed"), bytes as u64 + 4, needed));
                let refusal = HostError::ConstantMemory { needed, available }.to_string();
                let said = refusal.contains(&needed.to_string()) && refusal.contains(&available.to_string());
                shown.find(Finding::shape(
                    format!("{chip}: one more word"),
                    "refused with the limit",
                    &refusal,
                    said,
                ));
                shown.why = vec![format!("A module is refused when it is loaded: {refusal}.")];
            }
            Err(other) => return Err(other),
            Ok(_) => shown.find(Finding::shape(format!("{chip}: one more word"), "refused", "loaded", false)),
        }
    }
    Ok(shown)
}
