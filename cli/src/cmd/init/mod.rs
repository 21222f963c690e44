//! `warpsim init`: a launch file for a PTX file, with placeholders that the user replaces.
//!
//! `pointers` finds the parameters that are addresses of buffers, and `text` writes the file. The
//! file is complete: `warpsim run` accepts it as it is.

pub mod pointers;
#[cfg(test)]
mod tests;
mod text;

use crate::args::InitArgs;
use crate::cmd::occupancy::subject::no_entry;
use crate::exit::{Code, Failure};
use crate::output::{Files, complain, print, shown};
use crate::ptx::Ptx;
use isa::Options;
use isa::uop::{Module, Program};
use std::path::Path;
use std::sync::Arc;

/// Prints the launch file, or writes it to a new file.
pub fn run(args: &InitArgs) -> Result<Code, Failure> {
    let ptx = Ptx::of(&args.file)?;
    let module = ptx.compile(Options::default())?;
    let entries: Vec<&Program> = match &args.entry {
        None => module.entries.iter().map(Arc::as_ref).collect(),
        Some(entry) => match module.entry(entry) {
            Some(program) => vec![program.as_ref()],
            None => return Err(no_entry(&ptx.name, entry, &module.entries)),
        },
    };
    let text = skeleton(&ptx, &module, &entries, args.out.as_deref())?;
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
    }
    files.open(path)?.write(text.as_bytes())?;
    complain(&format!("wrote {} ({} bytes)", shown(path), text.len()));
    Ok(Code::Fine)
}

/// The launch file of the first of `entries`, with launches of the others as comments.
fn skeleton(ptx: &Ptx, module: &Module, entries: &[&Program], out: Option<&Path>) -> Result<String, Failure> {
    let Some((first, others)) = entries.split_first() else {
        return Err(Failure::input(format!("error: {} has no kernel (.entry)", ptx.name)));
    };
    entries.iter().try_for_each(|program| text::check_parameters(program))?;
    let file = text::argument(&ptx.name);
    let builtin = ptx.workload.map(|workload| workload.name);
    let launch = out.map_or_else(|| "LAUNCH.ron".to_owned(), |path| text::argument(&shown(path)));
    let mut lines = text::head(&file, builtin, &launch, first);
    lines.extend(text::launch(&ptx.text, module, first));
    for other in others {
        lines.push(String::new());
        lines.push(format!("// A launch of kernel `{}`, in place of the one above:", other.name));
        lines.extend(text::launch(&ptx.text, module, other).into_iter().map(|line| format!("// {line}")));
    }
    Ok(lines.join("\n") + "\n")
}
