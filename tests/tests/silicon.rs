//! Compares each instruction with silicon. Each recorded instruction form is launched as a kernel:
//! through parser and lowering, with 32-bit and 64-bit addresses, in both modes on every chip that
//! has the instruction, with whole and with partial warps.
//!
//! All forms of an instruction are one trial on each chip, so `cargo test --test silicon "cvt
//! fermi"` selects trials. `tests/support/unsupported_forms.txt` lists what the simulator does not
//! support. The list is checked.
//!
//! Tests: `arithmetic-of-silicon`.

use libtest_mimic::{Arguments, Failed, Trial};
use sim_core::config::Chip;
use std::collections::{BTreeMap, BTreeSet};
use std::process::ExitCode;
use std::sync::Arc;
use test_support::record;
use warpsim_tests::device::chip_with;
use warpsim_tests::recorded::forms::{ENGINES, SHAPES, Shape, run};
use warpsim_tests::recorded::kernel;
use warpsim_tests::recorded::run::{BUILDS, Build, Failure, chips_for, compile};
use warpsim_tests::recorded::unsupported::Unsupported;
use warpsim_tests::recorded::vector::{self, Form};

/// Forms of the record.
const FORMS: usize = 1_348;

/// Number of failures that a trial shows.
const MOST_SHOWN: usize = 12;

fn main() -> ExitCode {
    let args = Arguments::from_args();
    let trials = trials().unwrap_or_else(|e| vec![Trial::test("vectors", move || Err(e.into()))]);
    libtest_mimic::run(&args, trials).exit_code()
}

fn trials() -> Result<Vec<Trial>, String> {
    let unsupported = Arc::new(Unsupported::read(include_str!("../support/unsupported_forms.txt"))?);
    let forms = Arc::new(vector::all()?);
    let mut trials = Vec::new();
    let (all, listed) = (Arc::clone(&forms), Arc::clone(&unsupported));
    trials.push(Trial::test("every form exists", move || every_form_exists(&all, &listed)));
    let all = Arc::clone(&forms);
    trials.push(Trial::test("the kernels are those recorded", move || the_kernels_are_those_recorded(&all)));
    let mut groups: BTreeMap<(String, u32), Vec<usize>> = BTreeMap::new();
    for (place, form) in forms.iter().enumerate() {
        groups.entry((form.group().to_owned(), form.capability())).or_default().push(place);
    }
    for ((group, capability), places) in groups {
        for name in chips_for(capability) {
            for build in BUILDS {
                let (forms, places, unsupported) =
                    (Arc::clone(&forms), places.clone(), Arc::clone(&unsupported));
                let version = if capability == 20 { "sm_20" } else { "sm_13" };
                let title = format!("{group} of {version} {name} {}", build.name);
                trials.push(Trial::test(title.trim_end(), move || {
                    let chip = chip_with(name, &[]);
                    let run = |place: &usize| of_both_widths(&forms[*place], build, &chip, &unsupported);
                    let wrong: Vec<String> = places.iter().flat_map(run).collect();
                    result_of(&wrong)
                }));
            }
        }
    }
    Ok(trials)
}

fn result_of(wrong: &[String]) -> Result<(), Failed> {
    if wrong.is_empty() {
        return Ok(());
    }
    Err(format!("{} failed:\n{}", wrong.len(), wrong[..wrong.len().min(MOST_SHOWN)].join("\n")).into())
}

/// Returns the failures of a form.
fn of_both_widths(form: &Form, build: Build, chip: &Chip, unsupported: &Unsupported) -> Vec<String> {
    let wrong = |bits| {
        let outcome = of_one_width(form, bits, build, chip);
        unsupported.judge(&form.name, outcome).err().map(|e| format!("{} ({bits} bits): {e}", form.name))
    };
    [32, 64].into_iter().filter_map(wrong).collect()
}

fn of_one_width(form: &Form, bits: u32, build: Build, chip: &Chip) -> Result<(), Failure> {
    let plain = kernel::text(form, bits)?;
    for shape in SHAPES {
        let text = match shape.exiting {
            None => plain.clone(),
            Some(others) => kernel::with_exiting_lanes(&plain, others)?,
        };
        let module = compile(build, &format!("{}.ptx", form.name), &text)?;
        for engine in ENGINES {
            let Shape { name, .. } = shape;
            run(form, &module, chip, engine, shape).map_err(|failure| match failure {
                Failure::Wrong(what) => Failure::Wrong(format!("{name}, {engine:?}: {what}")),
                refused @ Failure::Refused { .. } => refused,
            })?;
        }
    }
    Ok(())
}

fn every_form_exists(forms: &[Form], unsupported: &Unsupported) -> Result<(), Failed> {
    let names: BTreeSet<&str> = forms.iter().map(|form| form.name.as_str()).collect();
    if names.len() != FORMS || forms.len() != FORMS {
        return Err(format!("{} forms, {} names, instead of {FORMS}", forms.len(), names.len()).into());
    }
    match unsupported.names().find(|name| !names.contains(name)) {
        Some(name) => Err(format!("there is no form `{name}`").into()),
        None => Ok(()),
    }
}

/// The generated kernels are byte for byte those that ran on silicon.
fn the_kernels_are_those_recorded(forms: &[Form]) -> Result<(), Failed> {
    let mut wrong = Vec::new();
    for form in forms {
        for bits in [32, 64] {
            let name = format!("vec/ptx{bits}/{}.ptx", form.name);
            let (recorded, made) = (record::text(&name)?, kernel::text(form, bits)?);
            if recorded != made {
                wrong.push(format!("{name}:\n{made}"));
            }
        }
    }
    result_of(&wrong)
}
