//! The launch file of a launch of a program with host code.

use crate::args::{ChipArgs, InitArgs, Request, is_source};
use crate::chip;
use crate::exit::{Code, Failure};
use crate::launch_file::{Recorded, recorded};
use crate::output::{Files, complain, print, shown};
use request::Prepared;
use request::prepared::refuse;
use request::program::Program;
use sim_core::config::builtin::DEFAULT_CHIP;
use sim_core::host::{Gpu, Mode};
use std::path::{Path, PathBuf};

/// Runs the program up to the launch, and writes the launch file. `None`: the file is no program
/// that the built-in compiler takes, such as a file of kernels without host code.
pub fn run(args: &InitArgs) -> Result<Option<Code>, Failure> {
    if !is_source(&args.file) {
        return Ok(None);
    }
    if args.linked.iter().any(|path| is_source(&path.to_string_lossy())) {
        return Err(Failure::input(
            "error: a launch file of a program of several sources has its PTX beside it\n\
             help: `warpsim run` with `--record DIR` writes the launch files of such a program",
        ));
    }
    if !args.linked.is_empty() {
        return Ok(None);
    }
    let workload = Request { program_arguments: args.program_arguments.clone(), ..Request::new(&args.file) };
    let chip = args.chip.clone().unwrap_or_else(|| DEFAULT_CHIP.to_owned());
    let chip_args = ChipArgs::new(&chip);
    let (chip, _) = chip::load_to_run(&chip_args)?;
    let how = workload.compilation(&chip);
    let Ok(prepared) = Program::new(&workload, &how, &mut complain)? else { return Ok(None) };
    refuse(&workload, &[("--entry", args.entry.is_some())])?;
    let settings = workload.settings(Mode::Functional, 1, &chip);
    let mut files = Files::new();
    prepared.files().iter().try_for_each(|path| files.reads(path))?;
    let mut gpu = Gpu::new(chip);
    let prepared = Prepared::Program(Box::new(prepared));
    let number = args.which.before(&prepared, gpu.chip(), settings)?;
    let Prepared::Program(prepared) = prepared else { return Ok(None) };
    let launch = prepared.held(&mut gpu, settings.launches, number)?;
    let source = source(Path::new(&args.file), args.out.as_deref());
    let Recorded { text, files: data } = recorded(&mut gpu, &launch, &[source], &prepared.variables())?;
    let Some(path) = &args.out else {
        if let Some((name, bytes)) = data.first() {
            return Err(Failure::input(format!(
                "error: the launch file needs files beside it, such as {name} with {} bytes\nhelp: add --out LAUNCH.ron",
                bytes.len()
            )));
        }
        print(&text)?;
        return Ok(Some(Code::Fine));
    };
    let folder = path.parent().unwrap_or(Path::new(""));
    let all = [(path.clone(), text.into_bytes())].into_iter();
    let all = all.chain(data.into_iter().map(|(name, bytes)| (folder.join(name), bytes)));
    for (path, bytes) in all {
        if path.is_file() {
            let message = format!("error: cannot write {}: the file exists", shown(&path));
            return Err(Failure::input(message + "\nhelp: choose a new name, or remove the file first"));
        }
        files.open(&path)?.write(&bytes)?;
        complain(&format!("wrote {} ({} bytes)", shown(&path), bytes.len()));
    }
    Ok(Some(Code::Fine))
}

/// The source as the launch file names it: relative to its folder if it is below.
fn source(file: &Path, out: Option<&Path>) -> String {
    let real = |path: &Path| path.canonicalize().ok();
    let folder = out.and_then(Path::parent).map_or_else(|| PathBuf::from("."), Path::to_owned);
    let folder = if folder.as_os_str().is_empty() { PathBuf::from(".") } else { folder };
    let below = real(file)
        .zip(real(&folder))
        .and_then(|(file, folder)| file.strip_prefix(folder).map(Path::to_owned).ok());
    below.or_else(|| real(file)).unwrap_or_else(|| file.to_owned()).to_string_lossy().into_owned()
}
