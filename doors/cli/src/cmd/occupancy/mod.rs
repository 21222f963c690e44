//! `warpsim occupancy`: the number of blocks of a kernel that an SM holds, the limiting resources,
//! and the changes that would change it.
//!
//! Invariant `occupancy-command`: `warpsim occupancy` prints what a run reports, and the arithmetic
//! in its text is right.

pub mod answer;
pub mod curves;
mod html;
pub mod subject;
pub mod sweep;
mod text;
pub mod working;

use crate::args::{Format, OccupancyArgs};
use crate::chip;
use crate::exit::{Code, Failure};
use crate::output::{Files, complain, print};
use crate::{json, rules};
use answer::Answer;
use serde::Serialize;
use std::path::Path;

/// Version of the JSON document.
const SCHEMA: u32 = 1;

#[derive(Serialize)]
struct Document<'a> {
    schema: u32,
    chip: &'a str,
    capability: String,
    kernels: &'a [Answer],
}

/// Prints the answer for every kernel of the command line.
pub fn run(args: &OccupancyArgs) -> Result<Code, Failure> {
    let named = rules::load(&args.chip, args.shared_config, args.cache.map(Into::into))?;
    let named = named.opted_in(args.opt_in)?;
    let set = &named.set;
    let subjects = subject::subjects(args, &set.usual)?;
    let mut files = Files::new();
    chip::reads(&mut files, &args.chip.chip)?;
    for kernel in args.kernel.iter().filter(|name| kernels::find(name).is_none()) {
        files.reads(Path::new(kernel))?;
    }
    args.linked.iter().try_for_each(|path| files.reads(path))?;
    let page = args.html.as_ref().map(|path| files.open(path)).transpose()?;
    let answers: Vec<Answer> =
        subjects.iter().map(|subject| Answer::new(subject, set, args.sweep.as_ref())).collect();
    print(&match args.format.format {
        Format::Text => text::render(&named, &answers),
        Format::Json => json::pretty(&Document {
            schema: SCHEMA,
            chip: &named.name,
            capability: set.usual.capability.to_string(),
            kernels: &answers,
        }),
    })?;
    if let Some(file) = page {
        let curves: Vec<_> = subjects.iter().map(|subject| curves::of(subject, set)).collect();
        file.write(html::page(&named, &answers, &curves).as_bytes())?;
    }
    let mut code = Code::Fine;
    for refusal in answers.iter().flat_map(|answer| &answer.refusals) {
        complain(&format!("error: {}{}", refusal.message, refusal.help));
        code = code.max(refusal.code);
    }
    Ok(code)
}
