//! The launch of a launch file on a GPU: allocate, copy in, launch, copy out, compare.

use super::argument::Arguments;
use super::kernel::{in_order, kernel, number};
use super::schema::{Expectation, LaunchFile, StreamEntry};
use super::{Argument, Comparison, DataName, Expected, Plan, Spanned, structure};
use crate::condition::{Quantity, value_of};
use crate::exit::Failure;
use crate::metrics::Reports;
use crate::outcome::{Check, Fact, RunResult, Subject};
use crate::render::number::plural;
use isa::types::Dim3;
use isa::uop::Module;
use sim_core::check::Severity;
use sim_core::config::Chip;
use sim_core::host::{Arg, DevicePtr, Gpu, HostError, HostMemory, Launch, LaunchSettings, Limit, ModuleId};
use sim_core::stats::report::Verdict;
use sim_core::stats::{Report, error_text};
use std::collections::BTreeMap;

/// Simulated seconds after which a launch is stopped if `--max-cycles` is not given. An endless
/// loop with memory traffic on all SMs reaches it in minutes; the watchdog of a display driver,
/// with its limit of about five seconds, would take more than half an hour.
const WATCHDOG_SECONDS: u64 = 1;

/// Returns the default limit of a launch on `chip` in shader cycles.
pub fn watchdog_cycles(chip: &Chip) -> u64 {
    chip.clocks.shader_khz.saturating_mul(1000 * WATCHDOG_SECONDS)
}

/// Writes dumps after a launch; the flag is whether it finished. Returns the failures.
pub type Dump<'a> = &'a mut dyn FnMut(&mut Device<'_>, &Plan, bool) -> Vec<Failure>;

/// Runs the launch of `plan` with its kernel in `module`, and compares its results. `dump` is
/// called before the buffers are freed.
pub fn run(
    mut plan: Plan,
    module: Module,
    gpu: &mut Gpu,
    settings: LaunchSettings,
    dump: Dump<'_>,
) -> Result<RunResult, Failure> {
    let mut device = Device::open(&mut plan, module, gpu)?;
    let file = &plan.file;
    let set = |launch: Launch| configured(launch, file, settings);
    let reports = if file.streams.is_empty() {
        let launch = device.only_launch(file)?;
        vec![device.gpu.launch(&set(launch))?]
    } else {
        device.run_streams(file, set)?.reports
    };
    let unfinished = reports.iter().map(|report| &report.verdict).find(|verdict| !verdict.is_finished());
    let check = match unfinished {
        None => device.check(&plan, &reports)?,
        Some(verdict) => not_run(&plan, verdict),
    };
    let finished = unfinished.is_none();
    let failures = dump(&mut device, &plan, finished);
    device.free()?;
    Ok(RunResult { reports, check, failures, program: None })
}

/// Returns a launch with its settings: those of the run, or otherwise those of the file.
fn configured(launch: Launch, file: &LaunchFile, settings: LaunchSettings) -> Launch {
    let LaunchFile { registers, barriers, memory, cache, .. } = file;
    Launch {
        registers: *registers,
        barriers: barriers.unwrap_or_default(),
        memory: memory.unwrap_or_default(),
        cache: cache.unwrap_or_default(),
        ..launch
    }
    .with(settings)
}

fn not_run(plan: &Plan, verdict: &Verdict) -> Check {
    match plan.file.expect.len() {
        0 => Check::default(),
        _ if matches!(verdict, Verdict::Estimated) => {
            let text = "no expectation was checked: a sampled run has results of the first blocks only";
            Check::of(None, text.to_owned())
        }
        _ => Check::of(None, "the kernel did not finish: no expectation was checked".to_owned()),
    }
}

/// Copies of a buffer in `streams`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Copied {
    /// A call copies it to the device.
    pub to_device: bool,
    /// A call copies it to the host.
    pub to_host: bool,
}

/// Returns how the calls copy the buffer `name`.
pub fn copied(file: &LaunchFile, name: &str) -> Copied {
    let mut found = Copied::default();
    for entry in &file.streams {
        match entry {
            StreamEntry::CopyIn(copy) => found.to_device |= copy.buffer.value == name,
            StreamEntry::CopyOut(copy) => found.to_host |= copy.buffer.value == name,
            StreamEntry::Launch(_)
            | StreamEntry::Record(_)
            | StreamEntry::Wait(_)
            | StreamEntry::Synchronize(_) => {}
        }
    }
    found
}

fn incomplete() -> Failure {
    Failure::input("error: the launch file is incomplete")
}

/// A buffer of a launch file.
pub(super) struct Buffer {
    /// Device address.
    pub pointer: DevicePtr,
    /// Size in bytes.
    pub bytes: usize,
    /// Kind of the host memory of copies; `None` for mapped memory.
    pub memory: Option<HostMemory>,
    /// Contents in host memory, if calls of `streams` copy the buffer; otherwise empty.
    pub host: Vec<u8>,
    /// Whether calls copy it to the host.
    to_host: bool,
}

/// The GPU with the module and the buffers of a launch file.
pub struct Device<'g> {
    pub(super) gpu: &'g mut Gpu,
    module: ModuleId,
    /// The buffers, in the file's order.
    pub(super) buffers: Vec<Buffer>,
    /// Indices of the buffers by name.
    pub(super) names: BTreeMap<String, usize>,
}

impl<'g> Device<'g> {
    /// Loads the module, and makes the buffers and their contents.
    pub(super) fn open(plan: &mut Plan, module: Module, gpu: &'g mut Gpu) -> Result<Self, Failure> {
        let limits =
            [(Limit::PrintfFifoSize, plan.file.printf_bytes), (Limit::MallocHeapSize, plan.file.heap_bytes)];
        for (limit, bytes) in limits {
            if let Some(bytes) = bytes {
                gpu.set_limit(limit, bytes.into())?;
            }
        }
        let mut device = Self { module: gpu.load(module)?, gpu, buffers: Vec::new(), names: BTreeMap::new() };
        device.fill(plan)?;
        device.bind(plan)?;
        Ok(device)
    }
}

impl Device<'_> {
    /// Returns the launch of a file without a list of calls.
    fn only_launch(&self, file: &LaunchFile) -> Result<Launch, Failure> {
        let (Some(entry), Some(grid), Some(block)) = (&file.entry, file.grid, file.block) else {
            return Err(incomplete());
        };
        let mut launch = self.launch(entry, (grid, block), &file.params)?;
        launch.environment = file.environment;
        launch.dynamic_shared = file.dynamic_shared;
        Ok(launch)
    }

    /// Returns the launch of a file without a list of calls, with its settings.
    pub(super) fn configured(&self, file: &LaunchFile, settings: LaunchSettings) -> Result<Launch, Failure> {
        Ok(configured(self.only_launch(file)?, file, settings))
    }

    /// Returns the address of a `.global` variable of the module.
    pub(super) fn symbol(&self, name: &str) -> Option<DevicePtr> {
        self.gpu.symbol_address(self.module, name).ok().flatten()
    }

    /// Allocates and initializes all buffers, and initializes the symbols. The host keeps a second
    /// copy only of buffers that calls of `streams` copy.
    fn fill(&mut self, plan: &mut Plan) -> Result<(), HostError> {
        let has_calls = !plan.file.streams.is_empty();
        for (array, data) in plan.file.buffers.iter().zip(std::mem::take(&mut plan.buffers)) {
            let bytes = data.bytes.len();
            let name = Some(array.name.value.as_str());
            let memory = array.memory.copied();
            let pointer = match memory {
                Some(_) => self.gpu.malloc_named(bytes as u64, name)?,
                None => self.gpu.alloc_mapped_named(bytes as u64, name)?,
            };
            let calls = copied(&plan.file, &array.name.value);
            if !calls.to_device && (array.has_init() || !has_calls) {
                match memory {
                    Some(memory) => {
                        self.gpu.set_host_memory(memory);
                        self.gpu.copy_in(pointer, &data.bytes)?;
                    }
                    None => self.gpu.write_mapped(pointer, &data.bytes)?,
                }
            }
            if !calls.to_device && !array.has_init() {
                // The zeros are for a repeatable run; the file does not say that the host wrote
                // them.
                self.gpu.forget(pointer, bytes as u64);
            }
            let host = if calls.to_device || calls.to_host { data.bytes } else { Vec::new() };
            self.names.insert(array.name.value.clone(), self.buffers.len());
            self.buffers.push(Buffer { pointer, bytes, memory, host, to_host: calls.to_host });
        }
        self.gpu.set_host_memory(HostMemory::default());
        for (symbol, data) in plan.file.symbols.iter().zip(&plan.symbols) {
            self.gpu.copy_to_symbol(self.module, &symbol.name.value, 0, &data.bytes)?;
        }
        Ok(())
    }

    /// Binds the textures and the surfaces.
    fn bind(&mut self, plan: &Plan) -> Result<(), Failure> {
        for texture in &plan.file.textures {
            let pointer = self.bound(texture.buffer.as_ref())?;
            let options = texture.options.ok_or_else(incomplete)?;
            self.gpu.bind_texture(self.module, &texture.name.value, pointer, options)?;
        }
        for surface in &plan.file.surfaces {
            let pointer = self.bound(surface.buffer.as_ref())?;
            let options = surface.options.ok_or_else(incomplete)?;
            self.gpu.bind_surface(self.module, &surface.name.value, pointer, options)?;
        }
        Ok(())
    }

    /// Returns the address of the buffer of a texture or surface.
    fn bound(&self, name: Option<&Spanned<String>>) -> Result<DevicePtr, Failure> {
        let buffer = name.and_then(|name| self.buffer(&name.value)).ok_or_else(incomplete)?;
        Ok(buffer.pointer)
    }

    fn buffer(&self, name: &str) -> Option<&Buffer> {
        self.names.get(name).map(|index| &self.buffers[*index])
    }

    /// Returns a launch of a kernel with its grid, its block and its arguments.
    pub(super) fn launch(
        &self,
        entry: &Spanned<String>,
        (grid, block): (Dim3, Dim3),
        params: &Arguments,
    ) -> Result<Launch, Failure> {
        let module = self.gpu.module(self.module);
        let program = kernel(module, &entry.value).ok_or_else(incomplete)?;
        let mut args = Vec::new();
        for (argument, param) in in_order(params, &program.params).into_iter().zip(&program.params) {
            args.push(match &argument.value {
                Argument::Number(value) => Arg::Bytes(number(*value, param).map_err(|_| incomplete())?),
                Argument::Buffer(name, offset) => {
                    let buffer = self.buffer(name).ok_or_else(incomplete)?;
                    Arg::Ptr(buffer.pointer.offset(*offset as u32))
                }
                Argument::Constant(name) => {
                    let buffer = self.buffer(name).ok_or_else(incomplete)?;
                    Arg::Constant(buffer.pointer, buffer.bytes as u32)
                }
                Argument::Local(bytes) => Arg::Local(*bytes),
                Argument::Scalar(_, bytes) | Argument::Bytes(bytes) => Arg::Bytes(bytes.clone()),
                Argument::Fields(_) | Argument::Elements(_) => {
                    let mut address = |name: &str, offset: u64| {
                        self.buffer(name)
                            .map_or(0, |buffer| u64::from(buffer.pointer.offset(offset as u32).address()))
                    };
                    let bytes = structure::bytes(program, param, argument, &mut address);
                    Arg::Bytes(bytes.map_err(|_| incomplete())?)
                }
            });
        }
        Ok(Launch::new(self.module, &program.name, grid, block).args(args))
    }

    /// Returns the contents of a buffer or symbol: in host memory if calls of `streams` copy the
    /// buffer there, otherwise the current contents on the device.
    pub fn contents(&mut self, place: &DataName) -> Result<Vec<u8>, HostError> {
        let name = match place {
            DataName::Buffer(name) | DataName::Symbol(name) => &name.value,
        };
        if let (DataName::Buffer(_), Some(buffer)) = (place, self.buffer(name)) {
            if buffer.to_host {
                return Ok(buffer.host.clone());
            }
            let (pointer, memory, mut bytes) = (buffer.pointer, buffer.memory, vec![0; buffer.bytes]);
            let Some(memory) = memory else {
                self.gpu.read_mapped(pointer, &mut bytes)?;
                return Ok(bytes);
            };
            self.gpu.set_host_memory(memory);
            let copied = self.gpu.copy_out(pointer, &mut bytes);
            self.gpu.set_host_memory(HostMemory::default());
            return copied.map(|()| bytes);
        }
        let mut bytes = vec![0; self.gpu.symbol_bytes(self.module, name)? as usize];
        self.gpu.copy_from_symbol(self.module, name, 0, &mut bytes)?;
        Ok(bytes)
    }

    /// Compares the data with the expected data.
    pub(super) fn check_data(&mut self, plan: &Plan) -> Result<Check, HostError> {
        let mut check = Check::default();
        for expected in &plan.expected {
            let result = expected.compare(&self.contents(&expected.what)?);
            let (passed, text) = (Some(result.wrong == 0), describe(expected, &result));
            check.add(Fact { subject: Subject::Data, passed, text });
        }
        Ok(check)
    }

    fn check(&mut self, plan: &Plan, reports: &[Report]) -> Result<Check, HostError> {
        let mut check = self.check_data(plan)?;
        for fact in conditions(&plan.file, reports) {
            check.add(fact);
        }
        Ok(check)
    }

    fn free(&mut self) -> Result<(), HostError> {
        for buffer in self.buffers.drain(..).rev() {
            self.gpu.free(buffer.pointer)?;
        }
        Ok(())
    }
}

/// Tests the expectations about metrics and checkers, and returns a fact about each. A run without
/// time has no metrics of time, and a run without checkers no findings: such
/// expectations are not checked, and the line says it.
fn conditions(file: &LaunchFile, reports: &[Report]) -> Vec<Fact> {
    let metrics = Reports::new(reports);
    let test = |expectation: &Expectation| match expectation {
        Expectation::Data(_) => None,
        Expectation::Metric(condition) => {
            let tested = condition.test(&|quantity| match quantity {
                Quantity::Metric(metric) => value_of(metric, &metrics),
                Quantity::Other(none) => match none {},
            });
            let (text, values) = (&condition.text, tested.values());
            let line = match tested.holds {
                Some(true) => format!("metric `{text}` holds: {values}"),
                Some(false) => format!("metric `{text}` does not hold: {values}"),
                None => format!("metric `{text}`: {values}"),
            };
            Some(Fact { subject: Subject::Metric, passed: tested.holds, text: line })
        }
        Expectation::Check(check) => {
            let fact = |passed, text| Some(Fact { subject: Subject::Checker, passed, text });
            let checks = || reports.iter().filter_map(|report| report.checks.as_ref());
            let name = check.name();
            if !checks().any(|checks| checks.on.contains(check)) {
                return fact(None, format!("check `{name}`: `--check {name}` runs it"));
            }
            let errors = checks().flat_map(|checks| &checks.findings);
            let errors = errors.filter(|one| one.check == *check && one.severity == Severity::Error).count();
            fact(Some(errors == 0), format!("check `{name}`: {}", plural(errors as u64, "error")))
        }
    };
    file.expect.iter().filter_map(test).collect()
}

fn describe(expected: &Expected, result: &Comparison) -> String {
    let name = match &expected.what {
        DataName::Buffer(name) => format!("buffer `{}`", name.value),
        DataName::Symbol(name) => format!("symbol `{}`", name.value),
    };
    let Comparison { compared, wrong, first, max_error } = result;
    let max_error = error_text(*max_error);
    match first {
        None => format!("{name}: all {compared} elements are as expected (largest error {max_error})"),
        Some((index, expected, got)) => format!(
            "{name}: {wrong} of {compared} elements are wrong; the first is at index {index}: expected {expected}, \
             found {got} (largest error {max_error})"
        ),
    }
}
