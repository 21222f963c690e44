//! Diagnostics of a PTX text while it is typed, the properties of its kernels, and a launch file
//! for it.

use crate::request::Request;
use ::request::direct::{Direct, Threads, extents};
use isa::Options;
use isa::diag::{Diagnostic, Places, Severity, render_all};
use isa::types::Dim3;
use isa::uop::Program;
use report::exit::Failure;
use report::launch_file::Plan;
use report::mangled::plain;
use report::skeleton::skeleton;
use report::text::visible;
use serde::{Deserialize, Serialize};
use sim_core::config::Chip;
use std::path::Path;
use std::sync::Arc;

/// Result of a check.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Checked {
    /// Diagnostics, in the order of the text.
    pub diagnostics: Vec<Marked>,
    /// All diagnostics, drawn as the command line draws them.
    pub drawn: String,
    /// Kernels of the text; empty if it has errors.
    pub kernels: Vec<Kernel>,
    /// Errors of the launch file, drawn; empty if there is no launch file or the PTX has errors.
    pub launch: String,
}

/// A diagnostic at its position.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Marked {
    /// `error`, `warning` or `note`.
    pub severity: Severity,
    /// Code, such as `E0102`.
    pub code: &'static str,
    /// One sentence.
    pub message: String,
    /// First UTF-16 unit of the primary label.
    pub from: usize,
    /// End of the primary label, in UTF-16 units.
    pub to: usize,
    /// Line of the primary label, from 1.
    pub line: usize,
    /// Text of the primary label.
    pub label: String,
    /// Notes and helps.
    pub more: Vec<String>,
}

/// Resources of a kernel.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "KernelInfo"))]
pub struct Kernel {
    /// Name.
    pub name: String,
    /// Parameters, type and name.
    pub params: Vec<String>,
    /// Registers per thread.
    pub registers: u32,
    /// Bytes of static shared memory of a block.
    pub shared_bytes: u32,
    /// Bytes of local memory of a thread.
    pub local_bytes: u32,
    /// Number of micro-ops.
    pub instructions: usize,
}

impl Marked {
    /// Describes a diagnostic at its place in `text`, which is one of `texts`. A diagnostic of
    /// another text is at the start.
    pub fn of<P: Copy>(diagnostic: &Diagnostic<P>, texts: &impl Places<P>, text: &str) -> Self {
        let (place, label) = texts.labels(diagnostic).into_iter().next().unzip();
        let found = place.and_then(|place| texts.find(place)).filter(|found| found.text == text);
        let range = found.map_or(0..0, |found| found.range);
        let ((from, line), (to, _)) = (units(text, range.start), units(text, range.end));
        let notes = diagnostic.notes.iter().map(|note| format!("note: {note}"));
        let helps = diagnostic.helps.iter().map(|help| format!("help: {help}"));
        Self {
            severity: diagnostic.severity,
            code: diagnostic.code,
            message: visible(&diagnostic.message).into_owned(),
            from,
            to,
            line,
            label: visible(&label.unwrap_or_default()).into_owned(),
            more: notes.chain(helps).collect(),
        }
    }
}

/// The UTF-16 units and the lines before a byte of a text.
fn units(text: &str, end: usize) -> (usize, usize) {
    let before = &text[..text.floor_char_boundary(end)];
    (before.chars().map(char::len_utf16).sum(), before.matches('\n').count() + 1)
}

impl Kernel {
    /// Describes a compiled kernel.
    pub fn of(program: &Program) -> Self {
        Self {
            name: plain(&program.name).to_owned(),
            params: program.params.iter().map(|param| format!("{} {}", param.ty, param.name)).collect(),
            registers: program.registers,
            shared_bytes: program.shared_bytes,
            local_bytes: program.local_bytes,
            instructions: program.code.len(),
        }
    }
}

/// Checks a PTX text, and its launch file on `chip` if both are given.
pub fn check(name: &str, text: &str, launch: Option<(&str, &str)>, chip: Option<&Chip>) -> Checked {
    let (module, mut diagnostics) = isa::compile_with(name, text, Options::default());
    let drawn = visible(&render_all(&diagnostics, name, text)).into_owned();
    diagnostics.sort_by_key(Diagnostic::start);
    let launch = match (&module, launch, chip) {
        (Some(module), Some((file, text)), Some(chip)) => {
            Plan::read(Path::new(file), text, module, chip.usable_bytes()).err().unwrap_or_default()
        }
        _ => String::new(),
    };
    Checked {
        diagnostics: diagnostics
            .iter()
            .map(|diagnostic| Marked::of(diagnostic, &(name, text), text))
            .collect(),
        drawn,
        kernels: module.iter().flat_map(|module| &module.entries).map(|entry| Kernel::of(entry)).collect(),
        launch: visible(&launch).into_owned(),
    }
}

/// The options of `warpsim run` that replace a launch file.
#[derive(Debug, Default, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(optional_fields))]
#[serde(default, deny_unknown_fields)]
pub struct DirectLaunch {
    /// Blocks.
    pub grid: Option<String>,
    /// Threads of a block.
    pub block: Option<String>,
    /// Work-items.
    pub global: Option<String>,
    /// Work-items of a work-group.
    pub local: Option<String>,
    /// The kernel.
    pub entry: Option<String>,
    /// Arguments, `NAME=VALUE`.
    #[cfg_attr(test, ts(as = "Option<_>", optional))]
    pub arguments: Vec<String>,
    /// Expected values of buffers, `NAME=FORMULA`.
    #[cfg_attr(test, ts(as = "Option<_>", optional))]
    pub expect: Vec<String>,
    /// Bytes of dynamic shared memory.
    pub dynamic_shared: Option<u32>,
}

/// Returns a launch file for the kernels of a request: of a launch as options of `warpsim run`
/// describe it, with its guesses as comments, or as `warpsim init` writes it.
///
/// # Errors
///
/// The messages about a text with errors, or about an option.
pub fn launch_for(request: &Request, direct: Option<&DirectLaunch>) -> Result<String, Failure> {
    let name = request.ptx.as_ref().map_or("", |ptx| &ptx.name);
    let module = request.module()?;
    let Some(given) = direct else {
        let text = request.ptx.as_ref().map_or("", |ptx| &ptx.text);
        let entries: Vec<&Program> = module.entries.iter().map(Arc::as_ref).collect();
        return skeleton((&[name], text), None, &module, &entries, None);
    };
    let read = |text: &Option<String>| text.as_deref().map(extents).transpose();
    let wrong = |why| Failure::input(format!("error: {why}"));
    let one = Dim3::new(1, 1, 1);
    let threads = if let Some(items) = read(&given.global).map_err(wrong)? {
        Threads::Range(items, read(&given.local).map_err(wrong)?)
    } else {
        let grid = read(&given.grid).map_err(wrong)?.unwrap_or(one);
        Threads::Grid(grid, read(&given.block).map_err(wrong)?.unwrap_or(one))
    };
    let direct = Direct {
        threads,
        entry: given.entry.as_deref(),
        arguments: &given.arguments,
        expect: &given.expect,
        dynamic_shared: given.dynamic_shared.unwrap_or(0),
    };
    let mut notes = String::new();
    let text = direct.launch_file(name, &module, &mut |note| notes.extend(["// ", note, "\n"]))?;
    Ok(notes + &text)
}
