//! Runs a user's PTX file with its launch file: compile, allocate, copy in, launch, copy out,
//! compare, dump.

use super::{Check, RunResult};
use crate::access;
use crate::exit::Failure;
use crate::launch_file::{
    Argument, Comparison, DataName, Dump, Expected, LaunchFile, Plan, complaints, folder_of, inputs,
};
use crate::output::{Files, OutputFile, complain, shown};
use crate::ptx::Ptx;
use isa::Options;
use isa::uop::Module;
use kernels::Settings;
use sim_core::host::{Arg, DevicePtr, Gpu, HostError, Launch, ModuleId};
use sim_core::stats::report::Verdict;
use std::collections::BTreeMap;
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
        let mut plan =
            Plan::read(self.launch, text, &module, gpu.chip().memory_bytes).map_err(Failure::input)?;
        let folder = folder_of(self.launch);
        let dumps: Vec<OutputFile> = match files {
            Some(files) => {
                let open = |dump: &Dump| files.open(&folder.join(&dump.to.value));
                plan.file.dumps.iter().map(open).collect::<Result<_, _>>()?
            }
            None => Vec::new(),
        };

        let mut device =
            Device { module: gpu.load(module)?, gpu, buffers: Vec::new(), names: BTreeMap::new() };
        device.fill(&mut plan)?;
        let mut launch = device.launch(&plan.file)?.mode(settings.mode).options(settings.options);
        launch.registers = settings.registers.or(plan.file.registers);
        launch.barriers = settings.barriers;
        launch.cache = settings.cache.or(plan.file.cache).unwrap_or_default();
        let report = device.gpu.launch(&launch)?;
        let finished = report.verdict.is_finished();
        let check = if finished { device.check(&plan)? } else { not_run(&plan, &report.verdict) };
        let failures = device.dump(&plan, folder, dumps, finished);
        device.free()?;
        Ok(RunResult { reports: vec![report], check, failures })
    }
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

fn not_run(plan: &Plan, verdict: &Verdict) -> Check {
    let lines = match plan.expected.len() {
        0 => vec![],
        _ if matches!(verdict, Verdict::Estimated) => {
            vec!["no expectation was checked: a sampled run has results of the first blocks only".to_owned()]
        }
        _ => vec!["the kernel did not finish: no expectation was checked".to_owned()],
    };
    Check { passed: None, lines }
}

/// The GPU with the module and the buffers of a launch file.
struct Device<'g> {
    gpu: &'g mut Gpu,
    module: ModuleId,
    /// Address and size in bytes of each buffer, in the file's order.
    buffers: Vec<(DevicePtr, usize)>,
    /// Indices of the buffers by name.
    names: BTreeMap<String, usize>,
}

impl Device<'_> {
    /// Allocates and initializes all buffers, and initializes the symbols. The host keeps no second
    /// copy of a buffer.
    fn fill(&mut self, plan: &mut Plan) -> Result<(), HostError> {
        for (array, data) in plan.file.buffers.iter().zip(std::mem::take(&mut plan.buffers)) {
            let pointer = self.gpu.malloc_named(data.bytes.len() as u64, Some(&array.name.value))?;
            self.gpu.copy_in(pointer, &data.bytes)?;
            if !array.has_init() {
                // The zeros are for a repeatable run; the file does not say that the host wrote
                // them.
                self.gpu.forget(pointer, data.bytes.len() as u64);
            }
            self.names.insert(array.name.value.clone(), self.buffers.len());
            self.buffers.push((pointer, data.bytes.len()));
        }
        for (symbol, data) in plan.file.symbols.iter().zip(&plan.symbols) {
            self.gpu.copy_to_symbol(self.module, &symbol.name.value, 0, &data.bytes)?;
        }
        Ok(())
    }

    fn buffer(&self, name: &str) -> Option<(DevicePtr, usize)> {
        self.names.get(name).map(|index| self.buffers[*index])
    }

    fn launch(&self, file: &LaunchFile) -> Result<Launch, Failure> {
        let incomplete = || Failure::input("error: the launch file is incomplete");
        let (Some(entry), Some(grid), Some(block)) = (&file.entry, file.grid, file.block) else {
            return Err(incomplete());
        };
        let mut args = Vec::new();
        for param in &file.params.value {
            let param = param.as_ref().ok_or_else(incomplete)?;
            args.push(match &param.value {
                Argument::Buffer(name, offset) => {
                    let (pointer, _) = self.buffer(name).ok_or_else(incomplete)?;
                    Arg::Ptr(pointer.offset(*offset as u32))
                }
                Argument::Scalar(_, bytes) | Argument::Bytes(bytes) => Arg::Bytes(bytes.clone()),
            });
        }
        let mut launch = Launch::new(self.module, &entry.value, grid, block).args(args);
        launch.dynamic_shared = file.dynamic_shared;
        Ok(launch)
    }

    /// Returns the current contents of a buffer or symbol.
    fn contents(&mut self, place: &DataName) -> Result<Vec<u8>, HostError> {
        let name = match place {
            DataName::Buffer(name) | DataName::Symbol(name) => &name.value,
        };
        if let (DataName::Buffer(_), Some((pointer, length))) = (place, self.buffer(name)) {
            let mut bytes = vec![0; length];
            self.gpu.copy_out(pointer, &mut bytes)?;
            return Ok(bytes);
        }
        let mut bytes = vec![0; self.gpu.symbol_bytes(self.module, name)? as usize];
        self.gpu.copy_from_symbol(self.module, name, 0, &mut bytes)?;
        Ok(bytes)
    }

    /// Writes the dumps to their files; returns the failures.
    fn dump(&mut self, plan: &Plan, folder: &Path, files: Vec<OutputFile>, finished: bool) -> Vec<Failure> {
        let mut failures = Vec::new();
        for (dump, file) in plan.file.dumps.iter().zip(files) {
            let path = folder.join(&dump.to.value);
            let written = self.contents(&dump.what).map_err(Failure::from).and_then(|bytes| {
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

    fn check(&mut self, plan: &Plan) -> Result<Check, HostError> {
        let mut check = Check { passed: None, lines: Vec::new() };
        for expected in &plan.expected {
            let result = expected.compare(&self.contents(&expected.what)?);
            check.passed = Some(check.passed.unwrap_or(true) && result.wrong == 0);
            check.lines.push(describe(expected, &result));
        }
        Ok(check)
    }

    fn free(&mut self) -> Result<(), HostError> {
        for (pointer, _) in self.buffers.drain(..).rev() {
            self.gpu.free(pointer)?;
        }
        Ok(())
    }
}

fn describe(expected: &Expected, result: &Comparison) -> String {
    let name = match &expected.what {
        DataName::Buffer(name) => format!("buffer `{}`", name.value),
        DataName::Symbol(name) => format!("symbol `{}`", name.value),
    };
    let Comparison { compared, wrong, first, max_error } = result;
    let max_error = kernels::error_text(*max_error);
    match first {
        None => format!("{name}: all {compared} elements are as expected (largest error {max_error})"),
        Some((index, expected, got)) => format!(
            "{name}: {wrong} of {compared} elements are wrong; the first is at index {index}: expected {expected}, \
             found {got} (largest error {max_error})"
        ),
    }
}
