//! `warpsim check`: diagnostics of PTX files, and resources and control flow of their kernels.
//!
//! Invariant `shown-reconvergence-points`: The reconvergence points that are shown are those that
//! the machine uses.

pub mod complaint;
pub mod fidelity;
pub mod kernel;
mod text;

use crate::args::{CheckArgs, ChipArgs, Format};
use crate::cmd::occupancy::answer::Refusal;
use crate::exit::{Code, Failure};
use crate::json;
use crate::output::{complain, print};
use crate::rules::{self, Named};
use complaint::Complaint;
use fidelity::Uses;
use isa::diag::render_source;
use isa::ptx::parse::parse_part;
use isa::source::Files;
use isa::uop::{Module, Program};
use kernel::Kernel;
use request::Compilation;
use request::ptx::Ptx;
use serde::Serialize;
use std::path::PathBuf;
use std::sync::Arc;

/// Version of the JSON document.
const SCHEMA: u32 = 1;

/// Result for one file.
#[derive(Debug, Serialize)]
pub struct Checked {
    /// Name of the file; the names of linked files, separated by commas.
    pub file: String,
    /// The linked files, each with its first line: a line number of the kernels and of the
    /// instructions counts the lines of all files. Absent for one file.
    #[serde(skip_serializing_if = "Files::is_single")]
    pub files: Files,
    /// Reason for which the file cannot be read, if any.
    pub unreadable: Option<String>,
    /// Errors and warnings, in the order of the text.
    pub diagnostics: Vec<Complaint>,
    /// The diagnostics as text, with source lines.
    #[serde(skip)]
    pub drawn: String,
    /// Bytes of constant memory that the file declares.
    pub const_bytes: Option<u32>,
    /// `.global` variables and their sizes.
    pub globals: Vec<Variable>,
    /// Kernels; empty if the file has errors.
    pub kernels: Vec<Kernel>,
    /// Instructions and the accuracy of their results; also present for a file with errors.
    pub fidelity: Vec<Uses>,
}

/// A variable of a file.
#[derive(Debug, Serialize)]
pub struct Variable {
    /// Name.
    pub name: String,
    /// Size in bytes.
    pub bytes: u32,
}

#[derive(Serialize)]
struct Document<'a> {
    schema: u32,
    chip: Option<&'a str>,
    files: &'a [Checked],
}

/// Checks every file, regardless of errors in the other files.
pub fn run(args: &CheckArgs) -> Result<Code, Failure> {
    if args.source {
        return source(args);
    }
    let named = match &args.chip {
        Some(chip) => {
            Some(rules::load(&ChipArgs { chip: chip.clone(), sets: args.sets.clone() }, None, None)?)
        }
        None => None,
    };
    let mut how = Compilation::new(args.compile, &args.preprocess);
    if let Some(named) = &named {
        how = how.on(named.set.usual.capability, named.set.usual.features);
    }
    let mut code = Code::Fine;
    let mut files = Vec::new();
    let programs: Vec<&[String]> = if args.link { vec![&args.files] } else { args.files.chunks(1).collect() };
    for names in programs {
        let (name, more) = (&names[0], names[1..].iter().map(PathBuf::from).collect::<Vec<_>>());
        let checked = match Ptx::linked(name, &more, &how) {
            Ok(ptx) => {
                warn(&ptx);
                check(&ptx, args, named.as_ref())
            }
            Err(failure) => Checked::unreadable(&names.join(", "), failure.message),
        };
        code = code.max(checked.code());
        files.push(checked);
    }
    let text = match args.format.format {
        Format::Text => {
            // Diagnostics come first, and on standard error, as with every command.
            for file in &files {
                file.unreadable
                    .iter()
                    .chain([&file.drawn])
                    .filter(|t| !t.is_empty())
                    .for_each(|t| complain(t));
            }
            text::render(named.as_ref(), &files)
        }
        Format::Json => {
            let chip = named.as_ref().map(|named| named.name.as_str());
            json::pretty(&Document { schema: SCHEMA, chip, files: &files })
        }
    };
    print(&text)?;
    for refusal in files.iter().flat_map(Checked::refusals) {
        complain(&format!("error: {}{}", refusal.message, refusal.help));
    }
    Ok(code)
}

/// Prints the texts of the readable files, and those of built-in kernels in CUDA C first.
fn source(args: &CheckArgs) -> Result<Code, Failure> {
    let how = Compilation::new(args.compile, &args.preprocess);
    let mut code = Code::Fine;
    for name in &args.files {
        match Ptx::of(name, &how) {
            Ok(ptx) => {
                warn(&ptx);
                if let Some(workload) = ptx.workload {
                    print(&commented(workload.cuda))?;
                }
                print(&ptx.source.text)?;
            }
            Err(failure) => {
                complain(&failure.message);
                code = code.max(failure.code);
            }
        }
    }
    Ok(code)
}

/// Prints the warnings of CUDA C.
fn warn(ptx: &Ptx) {
    if !ptx.warnings.is_empty() {
        complain(&ptx.warnings);
    }
}

/// Returns a text in CUDA C as a comment, so that the text with the PTX after it is a PTX file.
fn commented(cuda: &str) -> String {
    let lines = cuda.lines().map(|line| format!("// {line}").trim_end().to_owned() + "\n");
    format!("// CUDA C:\n//\n{}\n", lines.collect::<String>())
}

fn check(ptx: &Ptx, args: &CheckArgs, named: Option<&Named>) -> Checked {
    let (module, diagnostics) = isa::compile_source(&ptx.source, args.compile.options());
    let block = args.block.or(ptx.workload.map(|workload| workload.block));
    let given = ptx.workload.and_then(|workload| workload.registers);
    let rules = named.map(|named| &named.set.usual);
    let kernels = module.as_ref().map_or_else(Vec::new, |module: &Module| {
        // The chip's driver compiles a kernel that needs too many registers again.
        let fitted = rules.filter(|_| given.is_none()).map_or_else(Vec::new, |rules| {
            module.fitted(rules.limits.registers_per_thread, rules.capability)
        });
        let loaded = |program: &Arc<Program>| {
            let again = fitted.iter().find(|fitted| fitted.name == program.name);
            Kernel::of(again.unwrap_or(program), given, rules, block)
        };
        module.entries.iter().map(loaded).collect()
    });
    let globals = module.iter().flat_map(|module| &module.globals);
    let globals = globals.map(|v| Variable { name: v.name.clone(), bytes: v.bytes }).collect();
    let const_bytes = module.as_ref().map(|module| module.const_bytes);
    // Keeps only one syntax tree, or the module, in memory at a time.
    drop(module);
    let listing = ptx.source.listing();
    let parsed = ptx.source.ranges();
    let mut trees: Vec<_> =
        parsed.map(|part| parse_part(&ptx.source.text[..part.end], part.start).0).collect();
    isa::retarget::rewrite_later(&mut trees);
    let mut fidelity = fidelity::table(&trees, &diagnostics, &ptx.source.text);
    if let Some(listing) = listing {
        for uses in &mut fidelity {
            uses.lines.iter_mut().for_each(|line| *line = listing.line(*line));
            uses.lines.sort_unstable();
            uses.lines.dedup();
        }
    }
    Checked {
        file: ptx.name().to_owned(),
        files: listing.map_or(&ptx.source, |listing| &listing.source).files().clone(),
        unreadable: None,
        diagnostics: complaint::all(&diagnostics, &ptx.source),
        drawn: render_source(&diagnostics, &ptx.source),
        const_bytes,
        globals,
        kernels,
        fidelity,
    }
}

impl Checked {
    fn unreadable(name: &str, why: String) -> Self {
        Self {
            file: name.to_owned(),
            files: Files::default(),
            unreadable: Some(why),
            diagnostics: Vec::new(),
            drawn: String::new(),
            const_bytes: None,
            globals: Vec::new(),
            kernels: Vec::new(),
            fidelity: Vec::new(),
        }
    }

    /// Number of errors, or of other diagnostics.
    pub fn count(&self, errors: bool) -> usize {
        self.diagnostics.iter().filter(|d| d.is_error() == errors).count()
    }

    fn code(&self) -> Code {
        if self.unreadable.is_some() || self.count(true) > 0 {
            return Code::BadInput;
        }
        self.refusals().map(|refusal| refusal.code).max().unwrap_or(Code::Fine)
    }

    /// Iterates over the reasons for which the chip rejects the kernels.
    fn refusals(&self) -> impl Iterator<Item = &Refusal> {
        self.kernels.iter().filter_map(|kernel| kernel.chip.as_ref()).flat_map(|chip| &chip.refusals)
    }
}
