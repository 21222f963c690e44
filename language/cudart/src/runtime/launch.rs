//! Launches of kernels.

use super::Runtime;
use super::error::{Error, Outcome};
use super::estimates::{Estimates, Shape};
use super::functions::Function;
use super::thread::{Configuration, Thread};
use isa::types::{Capability, Dim3, ScalarType};
use isa::uop::{Param, Program};
use report::mangled::plain;
use report::program::{Launched, MOST_REPORTS, Uncovered, lines};
use report::render::{findings, output, relaxed, verdict};
use sim_core::host::{Arg, CachePreference, DevicePtr, Launch, Mode, RunOptions, Stream, counts};
use sim_core::stats::Report;
use std::sync::Arc;

/// Largest size of the parameters of a kernel in bytes, of all devices.
pub(super) const MOST_PARAMETERS: u64 = 65536;

/// `cudaFuncCachePreferShared` and `cudaFuncCachePreferL1`.
const PREFER_SHARED: i32 = 1;
const PREFER_L1: i32 = 2;

/// The parameters of a launch.
#[derive(Clone, Copy, Debug)]
pub enum Arguments<'a> {
    /// Address of a list of pointers to the parameters (`cudaLaunchKernel`).
    Pointers(u64),
    /// The bytes of `cudaSetupArgument`.
    Bytes(&'a [u8]),
}

/// Verdict of a launch that the trap of another kernel has stopped.
const STOPPED: &str = "stopped: a kernel beside it trapped";

/// A launch as its record needs it.
#[derive(Clone, Debug)]
pub(super) struct Begun {
    /// The kernel.
    pub program: Arc<Program>,
    /// An argument that may be a number of elements without enough threads.
    pub uncovered: Option<Uncovered>,
    /// Line of the host program.
    pub line: Option<String>,
}

impl Runtime {
    /// `cudaConfigureCall`.
    pub fn configure(&mut self, thread: &mut Thread, call: Configuration) -> Outcome {
        self.collecting(thread)?;
        self.stream_of(thread, call.stream)?;
        thread.calls.push(call);
        Ok(())
    }

    /// `cudaSetupArgument`.
    pub fn setup_argument(&mut self, thread: &mut Thread, address: u64, bytes: u64, offset: u64) -> Outcome {
        let end = offset.checked_add(bytes).filter(|end| *end <= MOST_PARAMETERS);
        let end = end.ok_or(Error::INVALID_VALUE)? as usize;
        let data = self.get(address, bytes)?;
        let call = thread.calls.last_mut().ok_or(Error::MISSING_CONFIGURATION)?;
        if call.parameters.len() < end {
            call.parameters.resize(end, 0);
        }
        call.parameters[offset as usize..end].copy_from_slice(&data);
        Ok(())
    }

    /// `cudaLaunch`.
    pub fn launch_configured(&mut self, thread: &mut Thread, function: u64) -> Outcome {
        let call = thread.calls.pop().ok_or(Error::MISSING_CONFIGURATION)?;
        self.launch(thread, function, &call, Arguments::Bytes(&call.parameters))
    }

    /// `cudaLaunchKernel`. A kernel that traps returns no error: later calls return it.
    pub fn launch(
        &mut self,
        thread: &Thread,
        function: u64,
        call: &Configuration,
        arguments: Arguments<'_>,
    ) -> Outcome {
        let result = self.execute(thread, function, call, arguments);
        if let Err(error) = result {
            self.note_refused(thread.device, function, error);
        }
        result
    }

    /// Launches a kernel.
    pub(super) fn execute(
        &mut self,
        thread: &Thread,
        function: u64,
        call: &Configuration,
        arguments: Arguments<'_>,
    ) -> Outcome {
        let function = self.function(thread, function)?;
        let Function { module, program, cache } = function.clone();
        let stream = self.stream_of(thread, call.stream)?;
        let dynamic_shared = u32::try_from(call.shared).map_err(|_| Error::INVALID_VALUE)?;
        let mut values = self.values(&program.params, arguments)?;
        if program.target < Capability::new(1, 3) {
            program.params.iter().zip(&mut values).for_each(|(param, bytes)| narrow(param, bytes));
        }
        let uncovered = uncovered(&program, &values, call);
        let mut used = Vec::new();
        let args = values.into_iter().map(|bytes| self.argument(thread.device, bytes, &mut used));
        let args: Vec<Arg> = args.collect();
        let asked = match cache.unwrap_or(self.devices[thread.device].cache) {
            PREFER_SHARED => CachePreference::Shared,
            PREFER_L1 => CachePreference::L1,
            _ => CachePreference::None,
        };
        let preference = self.settings.cache.unwrap_or(asked);
        let shape = self.estimates.as_mut().map(|estimates| {
            estimates.shape(&program, (call.grid, call.block), (dynamic_shared, preference as i32))
        });
        let mode = if self.is_timed(shape) { Mode::Timed } else { Mode::Functional };
        let mut launch = Launch::new(module, &program.name, call.grid, call.block);
        launch.options = self.run_options(mode);
        let (memory, barriers) = (self.settings.memory, self.settings.barriers);
        let registers = self.settings.registers;
        let launch =
            Launch { dynamic_shared, args, memory, barriers, cache: preference, mode, registers, ..launch };
        let begun = Begun { program, uncovered, line: self.line() };
        self.note_passed(thread.device, &begun.program, &launch, begun.line.as_ref());
        let is_collected = used.is_empty() && self.settings.hold.is_none();
        if is_collected && self.collect(thread.device, stream, &launch, &begun)? {
            self.order_launch(thread, call.stream, &begun.program, begun.line.as_ref(), Vec::new());
            return Ok(());
        }
        self.device(thread)?;
        self.constants_in(thread.device, module)?;
        let shared = self.pages_in(thread.device, &used)?;
        if self.settings.hold == Some(self.program.launches.len() as u64 + 1) {
            self.held = Some(launch);
            return Ok(());
        }
        let recording = self.record(thread.device, &function, call, &launch);
        let report = self.run(thread, stream, launch)?;
        let estimated = shape.and_then(|shape| self.sampled(thread.device, stream, shape, &report));
        if let Some(recording) = recording {
            self.recorded(thread.device, recording, report.verdict.is_finished())?;
        }
        let changed = self.pages_out(thread.device, &shared)?;
        self.order_launch(thread, call.stream, &begun.program, begun.line.as_ref(), changed);
        let span = self.last_span(thread.device, &report, estimated);
        self.ended(thread.device, &begun, report, (estimated, span), true);
        Ok(())
    }

    /// Returns start and nanoseconds of the last launch on the timeline, if it has a time.
    pub(super) fn last_span(&self, device: usize, report: &Report, estimated: Option<u64>) -> (u64, u64) {
        let cycles = report.timing.as_ref().map(|timing| timing.cycles).or(estimated);
        let events = &self.devices[device].gpu.timeline().events;
        cycles.and(events.last()).map_or((0, 0), |event| (event.start_ns, event.duration_ns))
    }

    /// Returns how a launch runs.
    pub(super) fn run_options(&self, mode: Mode) -> RunOptions {
        // Two threads make a timed launch little faster.
        let threads = self.settings.threads.unwrap_or_else(|| match mode {
            Mode::Timed => 1,
            Mode::Functional => std::thread::available_parallelism().map_or(1, usize::from),
        });
        RunOptions { threads, max_cycles: self.settings.max_cycles, ..RunOptions::default() }
    }

    /// Runs a launch: with timing if it is asked for, and the work does not exceed its limit.
    pub(super) fn run(
        &mut self,
        thread: &Thread,
        stream: Option<Stream>,
        mut launch: Launch,
    ) -> Outcome<Report> {
        let left = self.estimates.as_ref().and_then(Estimates::left);
        if let (Mode::Timed, Some(left)) = (launch.mode, left) {
            let result = self.device(thread)?.gpu.launch_within(stream, &launch, left);
            let report = self.told(result)?;
            self.worked(report.as_ref());
            if let Some(report) = report {
                return Ok(report);
            }
            launch.mode = Mode::Functional;
            launch.options = self.run_options(Mode::Functional);
        }
        let gpu = &mut self.device(thread)?.gpu;
        let result = match stream {
            Some(stream) => gpu.launch_in(stream, &launch),
            None => gpu.launch(&launch),
        };
        self.told(result)
    }

    /// Counts the work of a timed launch, if it has a limit; `None`: the launch exceeded it.
    pub(super) fn worked(&mut self, report: Option<&Report>) {
        let Some(estimates) = &mut self.estimates else { return };
        estimates.worked(report);
        if estimates.left() == Some(0) {
            self.program.timed_work = self.settings.timed_work;
        }
    }

    /// Number of launches so far.
    pub(super) fn launched(&self) -> usize {
        self.program.launches.len() + self.pending.launches()
    }

    /// Whether the next launch is timed. `shape` is its shape if launches are sampled.
    pub(super) fn is_timed(&self, shape: Option<Shape>) -> bool {
        let number = self.launched() as u64 + 1;
        let chosen = match (&self.settings.launches, &self.estimates, shape) {
            (Some(range), ..) => range.contains(&number),
            (None, Some(estimates), Some(shape)) => estimates.is_timed(shape),
            _ => self.settings.checks.is_empty(),
        };
        chosen && !self.settings.functional
    }

    /// Adds a launch to its series. A launch without timing gets its estimated time on the
    /// timeline; returns its cycles.
    pub(super) fn sampled(
        &mut self,
        device: usize,
        stream: Option<Stream>,
        shape: Shape,
        report: &Report,
    ) -> Option<u64> {
        let estimates = self.estimates.as_mut().filter(|_| report.verdict.is_finished())?;
        let warp_instructions = report.instructions.warp;
        if let Some(timing) = &report.timing {
            estimates.add(shape, warp_instructions, timing.cycles);
            return None;
        }
        let cycles = estimates.estimate(shape, warp_instructions)?;
        let ns = self.devices[device].gpu.add_kernel(stream, &report.launch.kernel, cycles);
        estimates.took(shape, ns);
        Some(cycles)
    }

    /// Returns the bytes of each parameter.
    fn values(&self, params: &[Param], arguments: Arguments<'_>) -> Outcome<Vec<Vec<u8>>> {
        let bytes = match arguments {
            Arguments::Bytes(bytes) => {
                let of = |param: &Param| {
                    let range = param.offset as usize..(param.offset + param.bytes) as usize;
                    bytes.get(range).map(<[u8]>::to_vec).ok_or(Error::INVALID_VALUE)
                };
                return params.iter().map(of).collect();
            }
            Arguments::Pointers(_) if params.is_empty() => return Ok(Vec::new()),
            Arguments::Pointers(list) => self.get(list, 8 * params.len() as u64)?,
        };
        let addresses = bytes.chunks_exact(8).map(|word| {
            u64::from_le_bytes([word[0], word[1], word[2], word[3], word[4], word[5], word[6], word[7]])
        });
        let parts: Vec<(u64, u64)> =
            addresses.zip(params).map(|(address, param)| (address, param.bytes.into())).collect();
        let all = self.get_parts(&parts)?;
        let mut rest = &all[..];
        let of = |param: &Param| {
            let (own, others) = rest.split_at(param.bytes as usize);
            rest = others;
            own.to_vec()
        };
        Ok(params.iter().map(of).collect())
    }

    /// Returns an argument. Pointers to memory that host and device access become those of the
    /// device, also inside of structures.
    fn argument(&mut self, device: usize, mut bytes: Vec<u8>, used: &mut Vec<u64>) -> Arg {
        let word = |bytes: &[u8]| {
            let mut word = [0; 8];
            word.copy_from_slice(bytes);
            u64::from_le_bytes(word)
        };
        if !self.blocks.is_empty() {
            for part in bytes.chunks_exact_mut(8) {
                let value = self.pointer_for_kernel(device, word(part), used);
                part.copy_from_slice(&value.to_le_bytes());
            }
        }
        if bytes.len() == 8
            && let Ok(address) = u32::try_from(word(&bytes))
            && self.devices[device].gpu.allocations().find(address).is_some()
        {
            return Arg::Ptr(DevicePtr::new(address));
        }
        Arg::Bytes(bytes)
    }

    /// Records a launch with its start, its nanoseconds and its output, and keeps its error for
    /// later calls.
    /// `estimated`: the cycles of an estimated launch. `is_cause`: no other kernel has stopped it.
    pub(super) fn ended(
        &mut self,
        device: usize,
        begun: &Begun,
        mut report: Report,
        (estimated, (start_ns, ns)): (Option<u64>, (u64, u64)),
        is_cause: bool,
    ) {
        let printed = report.output.as_mut().map(|output| std::mem::take(&mut output.printed));
        self.notes.output += printed.as_deref().unwrap_or_default();
        if !matches!(report.verdict, sim_core::stats::report::Verdict::Finished)
            && is_cause
            && let Some(message) = verdict::message(&report)
        {
            let number = self.program.launches.len() + 1;
            let kernel = plain(&report.launch.kernel);
            let line = begun.line.as_ref().map(|line| format!("\n  launch {number} of `{kernel}`, {line}"));
            self.notes.once(message + &line.unwrap_or_default());
        }
        let reports = std::slice::from_ref(&report);
        for message in output::messages(reports) {
            self.notes.once(message);
        }
        for warning in relaxed::warnings(reports) {
            let kernel = plain(&report.launch.kernel);
            self.notes.once(format!("warning: kernel `{kernel}`: {warning}"));
        }
        if let Some(error) = Error::of_verdict(&report.verdict).filter(|_| is_cause) {
            self.devices[device].failed.get_or_insert(error);
            self.note_trapped(device, plain(&report.launch.kernel), error, begun.line.clone());
        }
        let timed = report.timing.as_ref();
        let cycles = timed.map(|timing| timing.cycles).or(estimated);
        let findings = report.checks.as_ref().map_or(0, |checks| checks.mistakes().count());
        let new = self.program.add_findings(&report);
        if !new.is_empty() {
            self.notes.once(findings::of_launch(&report, new));
        }
        if let (Some(output), Some(printed)) = (&mut report.output, printed) {
            output.printed = printed;
        }
        let launch = &report.launch;
        let extents = |of: Dim3| [of.x, of.y, of.z];
        let records = self.settings.report.is_some();
        let keeps = records && self.program.launches.len() < MOST_REPORTS;
        self.program.launches.push(Launched {
            device: self.devices[device].number,
            kernel: plain(&launch.kernel).to_owned(),
            place: begun.line.clone(),
            grid: extents(launch.grid),
            block: extents(launch.block),
            timed: timed.is_some(),
            estimated: estimated.is_some() || report.sampled.is_some(),
            ns,
            start_ns: if ns > 0 { self.devices[device].past_ns + start_ns } else { 0 },
            cycles: cycles.unwrap_or(0),
            warp_instructions: report.instructions.warp,
            limited_by: timed.map(|timing| timing.limits.limited_by.to_string()),
            finished: report.verdict.is_whole(),
            verdict: if is_cause { verdict::short(&report) } else { STOPPED.to_owned() },
            findings,
            uncovered: begun.uncovered.clone(),
            lines: if records || self.reports.is_some() {
                lines(&begun.program, &report)
            } else {
                Vec::new()
            },
            report: keeps.then(|| serde_json::to_value(&report).expect("a report is data")),
        });
        if let Some(reports) = &mut self.reports {
            reports.push(report);
        }
    }
}

/// The argument that is a number of elements without enough threads.
fn uncovered(program: &Program, values: &[Vec<u8>], call: &Configuration) -> Option<Uncovered> {
    let extents = |of: Dim3| [of.x, of.y, of.z];
    let (grid, block) = (extents(call.grid), extents(call.block));
    let number = |(index, bytes): (usize, &Vec<u8>)| {
        let param = &program.params[index];
        let is_integer = matches!(param.ty, ScalarType::S32 | ScalarType::U32 | ScalarType::B32);
        let word = <[u8; 4]>::try_from(&bytes[..]).ok().filter(|_| is_integer)?;
        let value = u32::from_le_bytes(word);
        let is_short = |axis: usize| Uncovered::short((grid[axis], block[axis]), value).is_some();
        (0..3).any(is_short).then_some((index, value))
    };
    let short: Vec<(usize, u32)> =
        values.iter().take(program.params.len()).enumerate().filter_map(number).collect();
    if short.is_empty() {
        return None;
    }
    let counts = counts(program, call.grid, call.block);
    let count = |(index, value): (usize, u32)| {
        let param = &program.params[index];
        let axis = *counts.get(&param.offset)?;
        // The PTX of clang has no names of its parameters.
        let name = if param.name.contains("_param_") { (index + 1).to_string() } else { param.name.clone() };
        Some((name, value, axis))
    };
    let all: Vec<(String, u32, usize)> = short.into_iter().filter_map(count).collect();
    Uncovered::of(grid, block, &all)
}

/// Gives a `double` parameter the value that a kernel below `sm_13` reads: a `float` in the lower
/// half. The host stubs of nvcc did so with `cudaSetDoubleForDevice`.
fn narrow(param: &Param, bytes: &mut [u8]) {
    if param.ty != ScalarType::F64 {
        return;
    }
    for bytes in bytes.as_chunks_mut::<8>().0 {
        let value = f64::from_le_bytes(*bytes) as f32;
        *bytes = u64::from(value.to_bits()).to_le_bytes();
    }
}
