//! Compares each instruction with silicon. Each recorded instruction form is launched as a kernel:
//! through parser and lowering, with 32-bit and 64-bit addresses, in both modes on every chip that
//! has the instruction, with whole and with partial warps.
//!
//! If the whole record is next to the repository, every tuple is run; otherwise the few of each
//! form in `tests/vectors/forms.tsv`. All forms of an instruction are one trial on each chip, so
//! `cargo test --test silicon "cvt fermi"` selects trials. `tests/vectors/unsupported.txt` lists
//! what the simulator does not support yet. The list is checked. `BLESS=1 cargo test --test silicon
//! copied` writes the list of copied vectors from the whole record.
//!
//! Tests: `arithmetic-of-silicon`.

use libtest_mimic::{Arguments, Failed, Trial};
use sim_core::config::Chip;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use warpsim_tests::device::chip_with;
use warpsim_tests::recorded::forms::{ENGINES, SHAPES, Shape, run};
use warpsim_tests::recorded::run::{BUILDS, Build, Failure, chips_for, compile};
use warpsim_tests::recorded::unsupported::Unsupported;
use warpsim_tests::recorded::vector::{self, Form};
use warpsim_tests::recorded::{Records, kernel};

/// Forms of the whole record, and those of them that were recorded for information only.
const FORMS: usize = 1_348;
const INFORMATION: usize = 18;

/// Number of failures that a trial shows.
const MOST_SHOWN: usize = 12;

/// Threads of a launch of copied tuples: whole warps, because votes were recorded for whole warps.
const THREADS: usize = 160;

fn main() -> ExitCode {
    let args = Arguments::from_args();
    let trials = trials().unwrap_or_else(|e| vec![Trial::test("vectors", move || Err(e.into()))]);
    libtest_mimic::run(&args, trials).exit_code()
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("vectors")
}

fn text(name: &str) -> Result<String, String> {
    fs::read_to_string(folder().join(name)).map_err(|e| format!("tests/vectors/{name}: {e}"))
}

fn trials() -> Result<Vec<Trial>, String> {
    let unsupported = Arc::new(Unsupported::read(&text("unsupported.txt")?)?);
    let mut trials = Vec::new();
    let records = Records::whole("of the recorded vectors, only those in tests/vectors are run");
    let forms = Arc::new(match &records {
        Some(records) => vector::whole(records)?,
        None => vector::copied(&text("forms.tsv")?)?,
    });
    let (all, listed) = (Arc::clone(&forms), Arc::clone(&unsupported));
    let is_whole = records.is_some();
    trials.push(Trial::test("every form exists", move || every_form_exists(&all, &listed, is_whole)));
    if let Some(records) = records {
        let all = Arc::clone(&forms);
        trials.push(Trial::test("the kernels are those recorded", move || {
            the_kernels_are_those_recorded(&records, &all)
        }));
        let all = Arc::clone(&forms);
        trials.push(Trial::test("the copied vectors are identical", move || {
            the_copied_vectors_are_identical(&all)
        }));
    }
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
                    let run =
                        |place: &usize| of_both_widths(&forms[*place], build, &chip, is_whole, &unsupported);
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
fn of_both_widths(
    form: &Form,
    build: Build,
    chip: &Chip,
    is_whole: bool,
    unsupported: &Unsupported,
) -> Vec<String> {
    let wrong = |bits| {
        let outcome = of_one_width(form, bits, build, chip, is_whole);
        unsupported.judge(&form.name, outcome).err().map(|e| format!("{} ({bits} bits): {e}", form.name))
    };
    [32, 64].into_iter().filter_map(wrong).collect()
}

fn of_one_width(form: &Form, bits: u32, build: Build, chip: &Chip, is_whole: bool) -> Result<(), Failure> {
    let plain = kernel::text(form, bits)?;
    for shape in SHAPES {
        let text = match shape.exiting {
            None => plain.clone(),
            Some(others) => kernel::with_exiting_lanes(&plain, others)?,
        };
        let module = compile(build, &format!("{}.ptx", form.name), &text)?;
        let threads = if is_whole { form.tuples.len() } else { THREADS };
        for engine in ENGINES {
            let Shape { name, .. } = shape;
            run(form, &module, chip, engine, shape, threads).map_err(|failure| match failure {
                Failure::Wrong(what) => Failure::Wrong(format!("{name}, {engine:?}: {what}")),
                refused @ Failure::Refused { .. } => refused,
            })?;
        }
    }
    Ok(())
}

fn every_form_exists(forms: &[Form], unsupported: &Unsupported, is_whole: bool) -> Result<(), Failed> {
    let names: BTreeSet<&str> = forms.iter().map(|form| form.name.as_str()).collect();
    let wanted = if is_whole { FORMS } else { FORMS - INFORMATION };
    if names.len() != wanted || forms.len() != wanted {
        return Err(format!("{} forms, {} names, instead of {wanted}", forms.len(), names.len()).into());
    }
    match unsupported.names().find(|name| !names.contains(name)) {
        Some(name) if is_whole => Err(format!("there is no form `{name}`").into()),
        _ => Ok(()),
    }
}

/// The generated kernels are byte for byte those that ran on silicon.
fn the_kernels_are_those_recorded(records: &Records, forms: &[Form]) -> Result<(), Failed> {
    let mut wrong = Vec::new();
    for form in forms {
        for bits in [32, 64] {
            let name = format!("vec/ptx{bits}/{}.ptx", form.name);
            let (recorded, made) = (records.text(&name)?, kernel::text(form, bits)?);
            if recorded != made {
                wrong.push(format!("{name}:\n{made}"));
            }
        }
    }
    result_of(&wrong)
}

/// The list in the repository is the one that the record gives.
fn the_copied_vectors_are_identical(forms: &[Form]) -> Result<(), Failed> {
    let list = vector::list(forms);
    if std::env::var_os("BLESS").is_some() {
        fs::write(folder().join("forms.tsv"), &list)?;
    }
    if text("forms.tsv")? == list { Ok(()) } else { Err("tests/vectors/forms.tsv differs".into()) }
}
