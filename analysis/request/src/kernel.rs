//! A user's kernel with its launch file: compile, allocate, copy in, launch, copy out, compare.

use crate::Warn;
use crate::compilation::Compilation;
use crate::ptx::Ptx;
use crate::sources::Sources;
use isa::diag::{Diagnostic, render_source};
use isa::source::Source;
use isa::types::Capability;
use isa::uop::Module;
use report::exit::Failure;
use report::launch_file::{self, Plan, Ready, complaints, inputs};
use report::outcome::RunResult;
use report::text::shown;
use sim_core::host::{Gpu, LaunchSettings};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// PTX files that are compiled for a chip, and the text of their launch file.
#[derive(Clone, Debug)]
pub struct Kernel {
    module: Module,
    source: Arc<Source>,
    ptx: Vec<PathBuf>,
    /// The files that CUDA C includes.
    included: Vec<PathBuf>,
    launch: PathBuf,
    text: String,
    sources: Sources,
}

impl Kernel {
    /// Reads `launch`, and compiles `ptx` and the PTX files that `launch` names. Warnings go to
    /// `warn`.
    ///
    /// # Errors
    ///
    /// A file cannot be read or has errors.
    pub fn new(ptx: &[PathBuf], launch: &Path, how: &Compilation, warn: Warn<'_>) -> Result<Self, Failure> {
        let text = how.sources.launch(launch)?;
        let ptx = linked(ptx, launch, &text)?;
        if ptx.is_empty() {
            let more = complaints(launch, &text);
            let message = format!("error: {} names no PTX file", shown(launch));
            let help = "\nhelp: add `ptx: [\"FILE.ptx\"]` to it, or give the PTX file before --launch";
            return Err(Failure::input(if more.is_empty() { message + help } else { more }));
        }
        let paths: Vec<&Path> = ptx.iter().map(PathBuf::as_path).collect();
        let compiled = Ptx::read(&paths, how).and_then(|ptx| Ok((ptx.compile(how, &mut *warn)?, ptx)));
        let (module, Ptx { source, included, .. }) = compiled.map_err(|failure| {
            let more = complaints(launch, &text);
            let gap = if more.is_empty() { "" } else { "\n\n" };
            Failure { message: format!("{}{gap}{more}", failure.message), ..failure }
        })?;
        let module = match how.capability {
            Some(capability) => lowered(module, capability, &source, warn)?,
            None => module,
        };
        let (launch, sources) = (launch.to_owned(), how.sources.clone());
        Ok(Self { module, source, ptx, included, launch, text, sources })
    }

    /// Returns the same launch with another module, compiled from a change of the PTX.
    #[must_use]
    pub fn with_module(&self, module: Module) -> Self {
        Self { module, ..self.clone() }
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
        let own = self.ptx.iter().chain(&self.included).chain([&self.launch]);
        let own = own.filter(|path| self.sources.given(path).is_none()).cloned();
        own.chain(inputs(&self.launch, &self.text)).collect()
    }

    /// Returns the input files that `text`, a changed launch file, names.
    pub fn inputs(&self, text: &str) -> Vec<PathBuf> {
        inputs(&self.launch, text)
    }

    /// Returns the plan of the text `launch` of a launch file, or of the launch file without it,
    /// and the module for the chip of `gpu`.
    ///
    /// # Errors
    ///
    /// The launch file is invalid, or the kernel is not for the chip.
    pub fn plan(&self, launch: Option<&str>, gpu: &Gpu) -> Result<(Plan, Module), Failure> {
        // Warnings were told when the kernel was compiled.
        let module = lowered(self.module.clone(), gpu.chip().capability, &self.source, &mut |_| {})?;
        let text = launch.unwrap_or(&self.text);
        let plan =
            Plan::read(&self.launch, text, &module, gpu.chip().usable_bytes()).map_err(Failure::input)?;
        Ok((plan, module))
    }

    /// Returns the launch on `gpu`, ready for a command that runs it itself.
    pub fn ready<'g>(&self, gpu: &'g mut Gpu, settings: LaunchSettings) -> Result<Ready<'g>, Failure> {
        let (plan, module) = self.plan(None, gpu)?;
        Ready::open(plan, module, gpu, settings)
    }

    /// Runs the kernel on `gpu` as the text `launch` describes, or the launch file without it.
    ///
    /// # Errors
    ///
    /// The launch file is invalid, or the chip refuses the launch.
    pub fn run(
        &self,
        launch: Option<&str>,
        gpu: &mut Gpu,
        settings: LaunchSettings,
    ) -> Result<RunResult, Failure> {
        let (plan, module) = self.plan(launch, gpu)?;
        launch_file::run(plan, module, gpu, settings, &mut |_, _, _| Vec::new())
    }

    /// Returns the launch file.
    pub fn launch(&self) -> &Path {
        &self.launch
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

/// Returns the failure of a PTX file without a launch file, with the kernels and parameters that a
/// launch file needs.
pub fn explain_launch(ptx: &[PathBuf], how: &Compilation) -> Failure {
    let paths: Vec<&Path> = ptx.iter().map(PathBuf::as_path).collect();
    let names: Vec<String> = ptx.iter().map(|path| shown(path)).collect();
    let module = match Ptx::read(&paths, how).and_then(|ptx| ptx.compile(how, &mut |_| {})) {
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
