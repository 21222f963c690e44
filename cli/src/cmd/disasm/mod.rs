//! `warpsim disasm`: the lowered micro-ops of a PTX file, with their PTX.

pub mod listing;
mod text;

use crate::args::{DisasmArgs, Format};
use crate::cmd::occupancy::subject::no_entry;
use crate::exit::{Code, Failure};
use crate::json;
use crate::output::print;
use crate::ptx::Ptx;
use listing::{Listing, Variable};
use serde::Serialize;

/// Version of the JSON document.
const SCHEMA: u32 = 1;

/// The lowered kernels of a file.
#[derive(Debug, Serialize)]
pub struct Disassembled {
    schema: u32,
    /// Name of the file.
    pub file: String,
    /// `.global` variables, in the order of their numbers: constants such as `#global0` refer to
    /// them.
    pub globals: Vec<Variable>,
    /// `.const` variables.
    pub constants: Vec<Variable>,
    /// The kernels.
    pub kernels: Vec<Listing>,
}

/// Lowers the file and prints it.
pub fn run(args: &DisasmArgs) -> Result<Code, Failure> {
    let ptx = Ptx::of(&args.file)?;
    let module = ptx.compile(args.compile.options())?;
    let kernels: Vec<Listing> = match &args.entry {
        None => module.entries.iter().map(|program| Listing::of(program)).collect(),
        Some(entry) => match module.entry(entry) {
            Some(program) => vec![Listing::of(program)],
            None => return Err(no_entry(&ptx.name, entry, &module.entries)),
        },
    };
    let document = Disassembled {
        schema: SCHEMA,
        file: ptx.name.clone(),
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
