//! The JSON document of a run that ended before its report: the message, and the diagnostics of the
//! PTX files, the launch file and the chip.
//!
//! The diagnostics are made again from the files, with the functions of `check`, so that both
//! commands print the same ones.

use super::how;
use crate::args::RunArgs;
use crate::chip;
use crate::cmd::check::complaint::{self, Complaint};
use crate::exit::{Code, Failure};
use crate::json::pretty;
use crate::launch_file::{self, Plan};
use crate::output::shown;
use crate::provenance::PROGRAM;
use isa::uop::Module;
use request::Compilation;
use request::Source;
use request::kernel::linked;
use request::ptx::Ptx;
use serde::Serialize;
use sim_core::config::Chip;
use sim_core::stats::report::SCHEMA;
use std::path::Path;

#[derive(Serialize)]
struct Document<'a> {
    schema: u32,
    program: &'static str,
    kernel: Option<&'a str>,
    exit_code: u8,
    verdict: Verdict,
    message: &'a str,
    files: Vec<Checked>,
    runs: [(); 0],
}

#[derive(Serialize)]
struct Verdict {
    kind: &'static str,
}

/// Diagnostics of one text, as `check --format json` has them.
#[derive(Serialize)]
struct Checked {
    file: String,
    diagnostics: Vec<Complaint>,
}

/// Returns the document of a run that ended with a failure; without `args`, because the command
/// line is invalid.
pub fn document(args: Option<&RunArgs>, failure: &Failure) -> String {
    let kind = match failure.code {
        Code::Trap => "refused",
        Code::HungUp | Code::Interrupted | Code::Terminated => "interrupted",
        Code::Fine | Code::WrongResult | Code::BadInput | Code::HangOrLimit => "bad_input",
    };
    let mut files = args.map_or_else(Vec::new, checked);
    files.retain(|file| !file.diagnostics.is_empty());
    pretty(&Document {
        schema: SCHEMA,
        program: PROGRAM,
        kernel: args.map(|args| &*args.workload.kernel),
        exit_code: failure.code as u8,
        verdict: Verdict { kind },
        message: &failure.message,
        files,
        runs: [],
    })
}

/// Returns the diagnostics of all texts of a run. A file that cannot be read has none: the message
/// names it.
fn checked(args: &RunArgs) -> Vec<Checked> {
    let mut files = Vec::new();
    let chip = of_chip(args, &mut files);
    let memory = chip.as_ref().map_or(u64::MAX, Chip::usable_bytes);
    let how = how(args, chip.as_ref());
    let source = Source::of(&args.workload, &how);
    let launch = match &source {
        Ok(Source::Kernel { launch, .. }) => Some(launch.as_path()),
        Ok(Source::Builtin(_) | Source::Program(_)) | Err(_) => None,
    };
    let text = launch.and_then(|launch| how.sources.launch(launch).ok());
    let ptx = match (&source, &text) {
        (Ok(Source::Kernel { ptx, launch }), Some(text)) => linked(ptx, launch, text).and_then(|paths| {
            Ptx::read(&paths.iter().map(std::path::PathBuf::as_path).collect::<Vec<_>>(), &how)
        }),
        _ => Ptx::linked(&args.workload.kernel, &args.workload.linked, &how),
    };
    let module = ptx.ok().and_then(|ptx| of_ptx(&ptx, &how, &mut files));
    if let (Some(launch), Some(text)) = (launch, &text) {
        of_launch(launch, text, module.as_ref(), memory, &mut files);
    }
    files
}

fn of_chip(args: &RunArgs, files: &mut Vec<Checked>) -> Option<Chip> {
    let (texts, sets) = (chip::texts(&args.chip.chip).ok()?, args.chip.sets().ok()?);
    match Chip::from_texts(&texts, &sets) {
        Ok((chip, _)) => Some(chip),
        Err(complaints) => {
            let diagnostics = complaint::of_chip(&complaints);
            files.push(Checked { file: args.chip.chip.clone(), diagnostics });
            None
        }
    }
}

fn of_ptx(ptx: &Ptx, how: &Compilation, files: &mut Vec<Checked>) -> Option<Module> {
    let (module, diagnostics) = isa::compile_source(&ptx.source, how.options);
    let diagnostics = complaint::all(&diagnostics, &ptx.source);
    files.push(Checked { file: ptx.name().to_owned(), diagnostics });
    module
}

fn of_launch(launch: &Path, text: &str, module: Option<&Module>, memory: u64, files: &mut Vec<Checked>) {
    let diagnostics = match module {
        Some(module) => Plan::check(launch, text, module, memory).err().unwrap_or_default(),
        None => launch_file::diagnostics(text),
    };
    let source = isa::source::Source::new(shown(launch), text);
    let diagnostics = complaint::all(&diagnostics, &source);
    files.push(Checked { file: shown(launch), diagnostics });
}
