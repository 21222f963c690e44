//! `warpsim compile`: CUDA C to PTX.

use crate::args::CudaArgs;
use crate::chip::target_of;
use crate::exit::{Code, Failure};
use crate::output::{Files, complain, print, shown};
use cuda::options::Options;
use cuda::target::Target;
use request::Compilation;
use request::compilation::CompileArgs;

/// Compiles the file and prints or writes the PTX.
pub fn run(args: &CudaArgs) -> Result<Code, Failure> {
    let target = match args.target.as_deref().and_then(Target::from_name) {
        Some(target) => target,
        None => target_of(&args.chip)?,
    };
    let mut options = Options::of(target);
    options.opt_level = args.opt_level;
    if args.use_fast_math {
        options.fast_math();
    }
    options.fmad = args.fmad.unwrap_or(options.fmad);
    if target.is_fermi() {
        options.ftz = args.ftz.unwrap_or(options.ftz);
        options.prec_div = args.prec_div.unwrap_or(options.prec_div);
        options.prec_sqrt = args.prec_sqrt.unwrap_or(options.prec_sqrt);
    }
    options.defines.clone_from(&args.preprocess.define);
    options.standard = args.preprocess.standard;
    options.max_registers = args.maxrregcount;
    options.lines = !args.no_lines;
    options.comments = !args.no_lines;
    let how = Compilation::new(CompileArgs::default(), &args.preprocess);
    let text = how.sources.cuda_c(&args.file)?;
    let compiled = how.to_ptx_with(&args.file, &text, (target, &options))?;
    if !compiled.warnings.is_empty() {
        complain(&compiled.warnings);
    }
    let ptx = compiled.ptx;
    if !ptx.contains(".entry ") {
        complain(&format!("warning: {} has no kernel (`__global__` function)", shown(&args.file)));
    }
    let Some(path) = &args.out else {
        print(&ptx)?;
        return Ok(Code::Fine);
    };
    let mut files = Files::new();
    files.reads(&args.file)?;
    compiled.included.iter().try_for_each(|file| files.reads(file))?;
    files.open(path)?.write(ptx.as_bytes())?;
    complain(&format!("wrote {} ({} bytes)", shown(path), ptx.len()));
    Ok(Code::Fine)
}
