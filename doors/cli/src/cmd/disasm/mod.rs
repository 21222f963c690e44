//! `warpsim disasm`: the lowered micro-ops of a PTX file, with their PTX.

mod text;

use crate::args::{DisasmArgs, Format};
use crate::exit::{Code, Failure};
use crate::json;
use crate::launch_file::kernel;
use crate::output::{complain, print};
use isa::source::Files;
use report::micro_ops::{Listing, Variable};
use request::Compilation;
use request::direct::no_entry;
use request::ptx::Ptx;
use serde::Serialize;

/// Version of the JSON document.
const SCHEMA: u32 = 1;

/// The lowered kernels of a file.
#[derive(Debug, Serialize)]
pub struct Disassembled {
    schema: u32,
    /// Name of the file; the names of linked files, separated by commas.
    pub file: String,
    /// The linked files, each with its first line: a line number counts the lines of all files.
    /// Absent for one file.
    #[serde(skip_serializing_if = "Files::is_single")]
    pub files: Files,
    /// `.global` variables, in the order of their numbers: constants such as `#global0` refer to
    /// them.
    pub globals: Vec<Variable>,
    /// `.const` variables.
    pub constants: Vec<Variable>,
    /// Code of each kernel of the file.
    pub kernels: Vec<Listing>,
}

/// Lowers the file and prints it.
pub fn run(args: &DisasmArgs) -> Result<Code, Failure> {
    let how = Compilation::new(args.compile, &args.preprocess);
    let ptx = Ptx::linked(&args.file, &args.linked, &how)?;
    let module = ptx.compile(&how, &mut complain)?;
    let kernels: Vec<Listing> = match &args.entry {
        None => module.entries.iter().map(|program| Listing::of(program)).collect(),
        Some(entry) => match kernel(&module, entry) {
            Some(program) => vec![Listing::of(program)],
            None => return Err(no_entry(ptx.name(), entry, &module)),
        },
    };
    let document = Disassembled {
        schema: SCHEMA,
        file: ptx.name().to_owned(),
        files: ptx.source.files().clone(),
        globals: module.globals.iter().map(Variable::of).collect(),
        constants: module.consts.iter().map(Variable::of).collect(),
        kernels,
    };
    print(&match args.format.format {
        Format::Text => text::render(&document),
        Format::Json => json::pretty(&document),
    })?;
    Ok(Code::Fine)
}
