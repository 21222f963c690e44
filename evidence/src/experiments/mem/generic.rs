//! MEM-16: generic pointers to global, shared and local memory, on Fermi.

use crate::machines::{CHIPS, MODES, Machine};
use crate::tools::{follows, pointers};
use crate::{Claim, Experiment, Finding, Runner, Shown};
use kernels::RunError;
use sim_core::host::Launch;

pub static EXPERIMENTS: &[Experiment] = &[Experiment { id: "MEM-16", show: generic_pointer }];

const GENERIC: &str = include_str!("../../../../kernels/ptx/book/generic.template");

fn generic_pointer(runner: &Runner, claim: &Claim) -> Result<Shown, RunError> {
    // Chips of that generation must refuse the kernel; the others must run it.
    let [refusing] = claim.numbers(["refusing"]);
    let text = |target: &str| GENERIC.replace("TARGET", target);
    let mut shown = Shown::new(
        "one thread that reads 1 from global, 20 from shared and 300 from local memory by generic loads",
    );
    let mut refusals = Vec::new();
    for chip in CHIPS {
        if u32::from(runner.chip(chip, &[])?.capability.major) != refusing as u32 {
            for mode in MODES {
                let mut lab = runner.lab(runner.chip(chip, &[])?, "generic.template", &text("sm_20"))?;
                let out = lab.allocate(1)?;
                lab.balanced(&Launch::new(lab.module, "generic", 1, 1).args(pointers(&[out])).mode(mode))?;
                let what = format!("{}: the sum of the three", Machine { chip, mode });
                shown.find(follows(what, 1 + 20 + 300, lab.download(out, 1)?[0]));
            }
            continue;
        }
        let what = format!("{chip}: generic loads under sm_13");
        let expected = "`ld.u32` requires sm_20, but this module targets sm_13";
        match runner.lab(runner.chip(chip, &[])?, "generic.template", &text("sm_13")) {
            Err(RunError::Kernel { rendered, .. }) => {
                let said = rendered.contains(expected);
                shown.find(Finding::shape(what, expected, if said { expected } else { &rendered }, said));
            }
            Err(other) => return Err(other),
            Ok(_) => shown.find(Finding::shape(what, expected, "it compiles", false)),
        }
        let what = format!("{chip}: a module for sm_20");
        let mut lab = runner.lab(runner.chip(chip, &[])?, "generic.template", &text("sm_20"))?;
        let out = lab.allocate(1)?;
        match lab.gpu.launch(&Launch::new(lab.module, "generic", 1, 1).args(pointers(&[out]))) {
            Err(refusal) => {
                let words = refusal.to_string();
                shown.find(Finding::shape(
                    what,
                    "refused, with 2.0 in the message",
                    &words,
                    words.contains("2.0"),
                ));
                refusals.push(words);
            }
            Ok(_) => shown.find(Finding::shape(what, "refused", "it runs", false)),
        }
    }
    shown.because(format!(
        "Fermi has one address space with windows for shared and local memory, \
         which compute capability 1.x does not have: {}.",
        refusals.join("; ")
    ));
    Ok(shown)
}
