//! `warpsim init`: a launch file for a PTX file, with placeholders that the user replaces.
//!
//! `report::skeleton` writes the file. The file is complete: `warpsim run` accepts it as it is.

mod program;
#[cfg(test)]
mod tests;

use crate::args::InitArgs;
use crate::exit::{Code, Failure};
use crate::launch_file::kernel;
use crate::output::{Files, complain, print, shown};
use isa::uop::Program;
use report::skeleton::skeleton;
use request::Compilation;
use request::compilation::CompileArgs;
use request::direct::no_entry;
use request::ptx::Ptx;
use std::path::Path;
use std::sync::Arc;

/// Prints the launch file, or writes it to a new file.
pub fn run(args: &InitArgs) -> Result<Code, Failure> {
    if let Some(code) = program::run(args)? {
        return Ok(code);
    }
    let of_programs = [
        ("--launch-index", args.which.launch_index.is_some()),
        ("--kernel", args.which.of_kernel.is_some()),
        ("--chip", args.chip.is_some()),
        ("-- ARGUMENT", !args.program_arguments.is_empty()),
    ];
    if let Some((option, _)) = of_programs.iter().find(|(_, is_given)| *is_given) {
        return Err(Failure::input(format!(
            "error: {option} is for a program with host code, and {} is not one",
            args.file
        )));
    }
    let how = Compilation::usual(CompileArgs::default());
    let ptx = Ptx::linked(&args.file, &args.linked, &how)?;
    let module = ptx.compile(&how, &mut complain)?;
    let entries: Vec<&Program> = match &args.entry {
        None => module.entries.iter().map(Arc::as_ref).collect(),
        Some(entry) => match kernel(&module, entry) {
            Some(program) => vec![program.as_ref()],
            None => return Err(no_entry(ptx.name(), entry, &module)),
        },
    };
    let names: Vec<&str> = ptx.source.files().iter().map(|file| &*file.name).collect();
    let builtin = ptx.workload.map(|workload| workload.name);
    let text = skeleton((&names, &ptx.source.text), builtin, &module, &entries, args.out.as_deref())?;
    let Some(path) = &args.out else {
        print(&text)?;
        return Ok(Code::Fine);
    };
    if path.is_file() {
        let message = format!("error: cannot write {}: the file exists", shown(path));
        return Err(Failure::input(message + "\nhelp: choose a new name, or remove the file first"));
    }
    let mut files = Files::new();
    if ptx.workload.is_none() {
        files.reads(Path::new(&args.file))?;
        args.linked.iter().try_for_each(|path| files.reads(path))?;
    }
    files.open(path)?.write(text.as_bytes())?;
    complain(&format!("wrote {} ({} bytes)", shown(path), text.len()));
    Ok(Code::Fine)
}
