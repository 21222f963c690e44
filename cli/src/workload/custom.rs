//! Runs a user's PTX file with its launch file: compile, allocate, copy in, launch, copy out,
//! compare, dump.

use super::RunResult;
use crate::access;
use crate::exit::Failure;
use crate::launch_file::{self, Device, Dump, Plan, complaints, folder_of, inputs};
use crate::output::{Files, OutputFile, complain, shown};
use crate::ptx::Ptx;
use isa::Options;
use isa::uop::Module;
use kernels::Settings;
use sim_core::host::Gpu;
use std::path::{Path, PathBuf};

/// Maximum size of a launch file in bytes.
const MAX_LAUNCH_BYTES: u64 = 16 << 20;

/// A compiled PTX file and the text of its launch file, which do not depend on the chip.
#[derive(Debug)]
pub struct Prepared<'a> {
    module: Module,
    ptx: &'a Path,
    ptx_text: String,
    launch: &'a Path,
    text: String,
}

impl<'a> Prepared<'a> {
    /// Compiles `ptx` and reads `launch`.
    pub fn new(ptx: &'a Path, launch: &'a Path, options: Options) -> Result<Self, Failure> {
        let text = access::read_ron(launch, MAX_LAUNCH_BYTES)?;
        let compiled = Ptx::read(ptx).and_then(|ptx| Ok((ptx.compile(options)?, ptx.text.into_owned())));
        let (module, ptx_text) = compiled.map_err(|failure| {
            let more = complaints(launch, &text);
            let gap = if more.is_empty() { "" } else { "\n\n" };
            Failure { message: format!("{}{gap}{more}", failure.message), ..failure }
        })?;
        Ok(Self { module, ptx, ptx_text, launch, text })
    }

    /// Returns the compiled module.
    pub fn module(&self) -> &Module {
        &self.module
    }

    /// Returns the texts of the PTX file and of the launch file.
    pub fn texts(&self) -> [&str; 2] {
        [&self.ptx_text, &self.text]
    }

    /// Adds the PTX file, the launch file and its input files.
    pub fn reads(&self, files: &mut Files) -> Result<(), Failure> {
        files.reads(self.ptx)?;
        files.reads(self.launch)?;
        inputs(self.launch, &self.text).iter().try_for_each(|path| files.reads(path))
    }

    /// Returns the input files that `text`, a changed launch file, names.
    pub fn inputs(&self, text: &str) -> Vec<PathBuf> {
        inputs(self.launch, text)
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
        let module = self.module.clone();
        let text = launch.unwrap_or(&self.text);
        let plan =
            Plan::read(self.launch, text, &module, gpu.chip().usable_bytes()).map_err(Failure::input)?;
        let folder = folder_of(self.launch);
        let mut dumps: Vec<OutputFile> = match files {
            Some(files) => {
                let open = |dump: &Dump| files.open(&folder.join(&dump.to.value));
                plan.file.dumps.iter().map(open).collect::<Result<_, _>>()?
            }
            None => Vec::new(),
        };
        launch_file::run(plan, module, gpu, settings, &mut |device, plan, finished| {
            write(device, plan, folder, std::mem::take(&mut dumps), finished)
        })
    }
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
pub fn explain_launch(ptx: &Path) -> Failure {
    let module = match Ptx::read(ptx).and_then(|ptx| ptx.compile(Options::default())) {
        Ok(module) => module,
        Err(failure) => return failure,
    };
    let mut lines = vec![format!(
        "error: a PTX file requires a launch file\nhelp: write one with `warpsim init {} --out LAUNCH.ron`, set \
         grid, block, parameters and buffers (docs/LAUNCH.md), and give --launch LAUNCH.ron\n\
         note: kernels of the PTX file:",
        shown(ptx)
    )];
    for entry in &module.entries {
        let params: Vec<String> = entry.params.iter().map(|p| format!("{} {}", p.ty, p.name)).collect();
        lines.push(format!("  kernel `{}` ({})", entry.name, params.join(", ")));
    }
    Failure::input(lines.join("\n"))
}
