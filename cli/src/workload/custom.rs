//! Runs a user's PTX files with their launch file: compile, allocate, copy in, launch, copy out,
//! compare, dump.

use super::RunResult;
use crate::access;
use crate::cuda_c::Compilation;
use crate::exit::Failure;
use crate::launch_file::{self, Device, Dump, Plan, Ready, complaints, folder_of, inputs};
use crate::output::{Files, OutputFile, complain, shown};
use crate::ptx::Ptx;
use isa::diag::{Diagnostic, render_source};
use isa::source::Source;
use isa::types::Capability;
use isa::uop::Module;
use kernels::Settings;
use sim_core::host::Gpu;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use studies::host::Warn;

/// Maximum size of a launch file in bytes.
const MAX_LAUNCH_BYTES: u64 = 16 << 20;

/// PTX files that are compiled for a chip, and the text of their launch file.
#[derive(Debug)]
pub struct Prepared<'a> {
    module: Module,
    source: Arc<Source>,
    ptx: Vec<PathBuf>,
    /// The files that CUDA C includes.
    included: Vec<PathBuf>,
    launch: &'a Path,
    text: String,
}

impl<'a> Prepared<'a> {
    /// Reads `launch`, and compiles `ptx` and the PTX files that `launch` names. Warnings go to
    /// `warn`.
    pub fn new(
        ptx: &[PathBuf],
        launch: &'a Path,
        how: &Compilation,
        warn: Warn<'_>,
    ) -> Result<Self, Failure> {
        let text = launch_text(launch)?;
        let ptx = linked(ptx, launch, &text)?;
        if ptx.is_empty() {
            let more = complaints(launch, &text);
            let message = format!("error: {} names no PTX file", shown(launch));
            let help = "\nhelp: add `ptx: [\"FILE.ptx\"]` to it, or give the PTX file before --launch";
            return Err(Failure::input(if more.is_empty() { message + help } else { more }));
        }
        let paths: Vec<&Path> = ptx.iter().map(PathBuf::as_path).collect();
        let compiled = Ptx::read(&paths, how).and_then(|ptx| Ok((ptx.compile_for(how, &mut *warn)?, ptx)));
        let (module, Ptx { source, included, .. }) = compiled.map_err(|failure| {
            let more = complaints(launch, &text);
            let gap = if more.is_empty() { "" } else { "\n\n" };
            Failure { message: format!("{}{gap}{more}", failure.message), ..failure }
        })?;
        let module = match how.capability {
            Some(capability) => lowered(module, capability, &source, warn)?,
            None => module,
        };
        Ok(Self { module, source, ptx, included, launch, text })
    }

    /// Returns the same launch with another module, compiled from a change of the PTX.
    pub fn with_module(&self, module: Module) -> Self {
        let (source, ptx, text) = (self.source.clone(), self.ptx.clone(), self.text.clone());
        Self { module, source, ptx, included: self.included.clone(), launch: self.launch, text }
    }

    /// Returns the compiled module.
    pub fn module(&self) -> &Module {
        &self.module
    }

    /// Returns the PTX files.
    pub fn ptx(&self) -> &[PathBuf] {
        &self.ptx
    }

    /// Returns the texts of the PTX files, followed by that of the launch file.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        self.source.texts().map(|(_, text)| text).chain([self.launch_text()])
    }

    /// Returns the text of the launch file.
    pub fn launch_text(&self) -> &str {
        &self.text
    }

    /// Returns the PTX files, the files that CUDA C includes, the launch file and its input files.
    pub fn files(&self) -> Vec<PathBuf> {
        let inputs = inputs(self.launch, &self.text);
        self.ptx.iter().chain(&self.included).cloned().chain([self.launch.to_owned()]).chain(inputs).collect()
    }

    /// Returns the input files that `text`, a changed launch file, names.
    pub fn inputs(&self, text: &str) -> Vec<PathBuf> {
        inputs(self.launch, text)
    }

    /// Returns the plan of the text `launch` of a launch file, or of the launch file without it,
    /// and the module for the chip of `gpu`.
    fn plan(&self, launch: Option<&str>, gpu: &Gpu) -> Result<(Plan, Module), Failure> {
        let module = lowered(self.module.clone(), gpu.chip().capability, &self.source, &mut complain)?;
        let text = launch.unwrap_or(&self.text);
        let plan =
            Plan::read(self.launch, text, &module, gpu.chip().usable_bytes()).map_err(Failure::input)?;
        Ok((plan, module))
    }

    /// Returns the launch on `gpu`, ready for a command that runs it itself.
    pub fn ready<'g>(&self, gpu: &'g mut Gpu, settings: Settings) -> Result<Ready<'g>, Failure> {
        let (plan, module) = self.plan(None, gpu)?;
        Ready::open(plan, module, gpu, settings)
    }

    /// Runs the kernel on `gpu` as the text `launch` describes, or the launch file without it. With
    /// `files` the dumps are written, without `files` they are not.
    pub fn run(
        &self,
        launch: Option<&str>,
        gpu: &mut Gpu,
        settings: Settings,
        files: Option<&mut Files>,
    ) -> Result<RunResult, Failure> {
        let (plan, module) = self.plan(launch, gpu)?;
        let folder = folder_of(self.launch);
        let mut dumps: Vec<OutputFile> = match files {
            Some(files) => {
                let open = |dump: &Dump| files.open_named(&folder.join(&dump.to.value));
                plan.file.dumps.iter().map(open).collect::<Result<_, _>>()?
            }
            None => Vec::new(),
        };
        launch_file::run(plan, module, gpu, settings, &mut |device, plan, finished| {
            write(device, plan, folder, std::mem::take(&mut dumps), finished)
        })
    }
}

/// Returns the module for chips of a compute capability. Warnings go to `warn`.
fn lowered(
    module: Module,
    capability: Capability,
    source: &Source,
    warn: Warn<'_>,
) -> Result<Module, Failure> {
    let drawn = |diagnostics: &[Diagnostic]| render_source(diagnostics, source);
    let lowered = isa::lowered_for(module, capability);
    let (module, warnings) = lowered.map_err(|errors| Failure::input(drawn(&errors)))?;
    if !warnings.is_empty() {
        warn(&drawn(&warnings));
    }
    Ok(module)
}

/// Returns the PTX files of the command line and of the launch file, whose text is `text`.
pub fn linked(ptx: &[PathBuf], launch: &Path, text: &str) -> Result<Vec<PathBuf>, Failure> {
    let mut ptx = ptx.to_vec();
    let real = |path: &Path| path.canonicalize().ok();
    for file in launch_file::linked(launch, text).map_err(Failure::input)? {
        // The command line may name a file of the launch file, too.
        if !ptx.iter().any(|known| real(known).is_some() && real(known) == real(&file)) {
            ptx.push(file);
        }
    }
    Ok(ptx)
}

/// Returns the text of a launch file.
pub fn launch_text(launch: &Path) -> Result<String, Failure> {
    access::read_ron(launch, MAX_LAUNCH_BYTES)
}

/// Writes the dumps to their files; returns the failures.
fn write(
    device: &mut Device<'_>,
    plan: &Plan,
    folder: &Path,
    files: Vec<OutputFile>,
    finished: bool,
) -> Vec<Failure> {
    let mut failures = Vec::new();
    for (dump, file) in plan.file.dumps.iter().zip(files) {
        let path = folder.join(&dump.to.value);
        let written = device.contents(&dump.what).map_err(Failure::from).and_then(|bytes| {
            file.write(&bytes)?;
            Ok(bytes.len())
        });
        match written {
            Ok(bytes) if finished => complain(&format!("wrote {} ({bytes} bytes)", shown(&path))),
            Ok(bytes) => {
                complain(&format!("wrote {} ({bytes} bytes, from an unfinished kernel)", shown(&path)));
            }
            Err(failure) => failures.push(failure),
        }
    }
    failures
}

/// Returns the failure of a PTX file without a launch file, with the kernels and parameters that a
/// launch file needs.
pub fn explain_launch(ptx: &[PathBuf], how: &Compilation) -> Failure {
    let paths: Vec<&Path> = ptx.iter().map(PathBuf::as_path).collect();
    let names: Vec<String> = ptx.iter().map(|path| shown(path)).collect();
    let module = match Ptx::read(&paths, how).and_then(|ptx| ptx.compile(how)) {
        Ok(module) => module,
        Err(failure) => return failure,
    };
    let mut lines = vec![format!(
        "error: a PTX file requires a launch file\nhelp: write one with `warpsim init {} --out LAUNCH.ron`, set \
         grid, block, parameters and buffers (docs/LAUNCH.md), and give --launch LAUNCH.ron\n\
         note: kernels of the PTX file:",
        names.join(" ")
    )];
    for entry in &module.entries {
        let params: Vec<String> = entry.params.iter().map(|p| format!("{} {}", p.ty, p.name)).collect();
        lines.push(format!("  kernel `{}` ({})", launch_file::c_name(&module, entry), params.join(", ")));
    }
    Failure::input(lines.join("\n"))
}
