//! A simulated device: its memory, and launches.

use crate::chip::Chip;
use crate::errors::{CompileError, Error, InternalError, LaunchError, error};
use crate::interrupt;
use crate::module::{Module, extents};
use crate::run::Run;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::PyBytes;
use report::exit::Failure;
use report::launch_file::watchdog_cycles;
use report::outcome::{Check, RunResult};
use report::provenance::{Provenance, without_effect};
use sim_core::check::Checks;
use sim_core::config;
use sim_core::config::base::Texts;
use sim_core::host::timeline::Timeline;
use sim_core::host::{Arg, DevicePtr, Gpu, HostError, Launch, Mode, ModuleId, RunOptions};
use std::collections::BTreeMap;
use std::sync::Mutex;

/// An argument of a kernel.
#[derive(FromPyObject)]
enum Argument {
    /// An address of device memory.
    Address(u32),
    /// The bytes of a value.
    Value(PyBackedBytes),
    Buffer((usize,)),
}

/// Host memory that is copied to the device for a launch: name, bytes, and whether it is copied
/// back.
type Buffer = (String, PyBackedBytes, bool);

/// A launch, as the dictionary of Python has it.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
struct Settings {
    kernel: String,
    grid: [u32; 3],
    block: [u32; 3],
    shared: u32,
    args: Vec<Argument>,
    buffers: Vec<Buffer>,
    symbols: Vec<(String, PyBackedBytes)>,
    timed: bool,
    checks: String,
    registers: Option<u32>,
    max_cycles: Option<u64>,
    threads: usize,
}

struct State {
    gpu: Gpu,
    /// Loaded modules: number, and whether the code is plain.
    modules: BTreeMap<(u64, bool), ModuleId>,
}

/// A device with its memory.
#[pyclass(frozen, module = "warpsim._native")]
pub struct Device {
    state: Mutex<State>,
    chip: config::Chip,
    texts: Texts,
    name: String,
    sets: Vec<(String, String)>,
}

/// Reads the names of checkers.
///
/// # Errors
///
/// `ValueError` about an unknown one.
pub fn checks(names: &str) -> PyResult<Checks> {
    if names.trim().is_empty() {
        return Ok(Checks::NONE);
    }
    warpsim_cuda::settings::checks(names).map_err(pyo3::exceptions::PyValueError::new_err)
}

/// Failures of a launch.
enum Failed {
    Compile(String),
    Host(HostError),
    Broken,
}

impl From<HostError> for Failed {
    fn from(error: HostError) -> Self {
        Self::Host(error)
    }
}

impl From<Failed> for PyErr {
    fn from(failed: Failed) -> Self {
        match failed {
            Failed::Compile(messages) => error::<CompileError>(&messages),
            Failed::Host(why @ HostError::Launch(_)) => error::<LaunchError>(&Failure::from(why).message),
            Failed::Host(why) => error::<Error>(&Failure::from(why).message),
            Failed::Broken => error::<InternalError>("an earlier defect has made the device unusable"),
        }
    }
}

#[pymethods]
impl Device {
    /// A device with empty memory.
    #[new]
    fn new(chip: &Chip) -> PyResult<Self> {
        let gpu = Gpu::new(chip.to_run()?.clone());
        let (texts, name, sets) = (chip.texts.clone(), chip.name.clone(), chip.sets.clone());
        let state = Mutex::new(State { gpu, modules: BTreeMap::new() });
        Ok(Self { state, chip: chip.chip.clone(), texts, name, sets })
    }

    /// Allocates memory. Returns its address.
    fn malloc(&self, py: Python<'_>, bytes: u64) -> PyResult<u32> {
        Ok(self.with(py, |state| Ok(state.gpu.malloc(bytes)?))?.address())
    }

    /// Frees memory.
    fn free(&self, py: Python<'_>, address: u32) -> PyResult<()> {
        self.with(py, |state| Ok(state.gpu.free(DevicePtr::new(address))?))
    }

    /// Copies bytes to the device.
    fn write(&self, py: Python<'_>, address: u32, bytes: PyBackedBytes) -> PyResult<()> {
        self.with(py, |state| Ok(state.gpu.copy_in(DevicePtr::new(address), &bytes)?))
    }

    /// Copies bytes from the device.
    fn read<'py>(&self, py: Python<'py>, address: u32, bytes: usize) -> PyResult<Bound<'py, PyBytes>> {
        let all = self.with(py, |state| {
            let mut all = vec![0; bytes];
            state.gpu.copy_out(DevicePtr::new(address), &mut all)?;
            Ok(all)
        })?;
        Ok(PyBytes::new(py, &all))
    }

    /// Writes a variable of a module.
    fn write_symbol(
        &self,
        py: Python<'_>,
        module: &Module,
        name: &str,
        bytes: PyBackedBytes,
    ) -> PyResult<()> {
        self.with(py, |state| state.write_symbols(module, &[(name.to_owned(), bytes)], false))
    }

    /// Reads a variable of a module.
    fn read_symbol<'py>(
        &self,
        py: Python<'py>,
        module: &Module,
        name: &str,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let all = self.with(py, |state| state.read_symbol(module, name))?;
        Ok(PyBytes::new(py, &all))
    }

    /// Launches a kernel. Returns its report, and the bytes of the buffers that are copied back;
    /// none if it has not finished.
    fn launch(
        &self,
        py: Python<'_>,
        module: &Module,
        settings: Settings,
    ) -> PyResult<(Run, Vec<Py<PyBytes>>)> {
        let checks = checks(&settings.checks)?;
        let (result, timeline, back) = interrupt::run(py, |stop| {
            let mut state = self.state.lock().map_err(|_| Failed::Broken)?;
            state.gpu.monitor(Some(interrupt::monitor(stop)));
            state.gpu.check(checks);
            state.launch(module, &settings, checks)
        })??;
        let kernel = (module.name.as_str(), None);
        let (name, sets) = (self.name.as_str(), self.sets.as_slice());
        let inputs = [module.text.as_str()].into_iter();
        let mut provenance = Provenance::of(kernel, inputs, (name, sets), &self.texts, &self.chip);
        provenance.without_effect = without_effect(sets, &self.texts, &self.chip, &result.reports);
        let back = back.iter().map(|bytes| PyBytes::new(py, bytes).unbind()).collect();
        Ok((Run { result, timeline, provenance, checks }, back))
    }
}

impl Device {
    /// Accesses the device without the lock of the interpreter: a launch in another thread may have
    /// the device.
    fn with<T: Send>(
        &self,
        py: Python<'_>,
        access: impl FnOnce(&mut State) -> Result<T, Failed> + Send,
    ) -> PyResult<T> {
        Ok(py.detach(|| access(&mut *self.state.lock().map_err(|_| Failed::Broken)?))?)
    }
}

impl State {
    /// Returns the module, which is loaded by its first use.
    fn loaded(&mut self, module: &Module, is_plain: bool) -> Result<ModuleId, Failed> {
        let key = (module.number, is_plain);
        if let Some(id) = self.modules.get(&key) {
            return Ok(*id);
        }
        let built = module.built(self.gpu.chip(), is_plain).map_err(Failed::Compile)?;
        let id = self.gpu.load(built.module.clone())?;
        self.modules.insert(key, id);
        Ok(id)
    }

    /// Returns the module that has a variable, and the name of the variable in PTX. The optimizer
    /// changes no variable, so that modules for checkers have the same ones.
    fn variable(
        &mut self,
        module: &Module,
        name: &str,
        is_plain: bool,
    ) -> Result<(ModuleId, String), Failed> {
        let id = self.loaded(module, is_plain)?;
        let built = module.built(self.gpu.chip(), is_plain).map_err(Failed::Compile)?;
        Ok((id, built.symbol(name).to_owned()))
    }

    fn write_symbols(
        &mut self,
        module: &Module,
        symbols: &[(String, PyBackedBytes)],
        is_plain: bool,
    ) -> Result<(), Failed> {
        for (name, bytes) in symbols {
            let (id, name) = self.variable(module, name, is_plain)?;
            self.gpu.copy_to_symbol(id, &name, 0, bytes)?;
        }
        Ok(())
    }

    fn read_symbol(&mut self, module: &Module, name: &str) -> Result<Vec<u8>, Failed> {
        let (id, name) = self.variable(module, name, false)?;
        let mut all = vec![0; self.gpu.symbol_bytes(id, &name)? as usize];
        self.gpu.copy_from_symbol(id, &name, 0, &mut all)?;
        Ok(all)
    }

    fn launch(
        &mut self,
        module: &Module,
        settings: &Settings,
        checks: Checks,
    ) -> Result<(RunResult, Timeline, Vec<Vec<u8>>), Failed> {
        let is_plain = checks.need_plain_code();
        let first = (self.gpu.timeline().events.len(), self.gpu.timeline().host.len());
        let id = self.loaded(module, is_plain)?;
        self.write_symbols(module, &settings.symbols, is_plain)?;
        let mut pointers = Vec::new();
        let result = self.run(id, settings, checks, &mut pointers);
        // The buffers are freed after failures, too.
        for pointer in pointers {
            self.gpu.free(pointer)?;
        }
        let (result, back) = result?;
        // Earlier calls have their own reports.
        let mut timeline = self.gpu.timeline().clone();
        timeline.events.drain(..first.0);
        timeline.host.drain(..first.1);
        Ok((result, timeline, back))
    }

    fn run(
        &mut self,
        id: ModuleId,
        settings: &Settings,
        checks: Checks,
        pointers: &mut Vec<DevicePtr>,
    ) -> Result<(RunResult, Vec<Vec<u8>>), Failed> {
        for (name, bytes, _) in &settings.buffers {
            pointers.push(self.gpu.malloc_named(bytes.len().max(1) as u64, Some(name))?);
            self.gpu.copy_in(pointers[pointers.len() - 1], bytes)?;
        }
        let argument = |argument: &Argument| match argument {
            Argument::Address(address) => Arg::Ptr(DevicePtr::new(*address)),
            Argument::Value(bytes) => Arg::Bytes(bytes.to_vec()),
            Argument::Buffer((number,)) => Arg::Ptr(pointers[*number]),
        };
        let is_timed = settings.timed && checks.is_empty();
        let max_cycles = settings.max_cycles.unwrap_or_else(|| watchdog_cycles(self.gpu.chip()));
        let mut launch = Launch::new(id, &settings.kernel, extents(settings.grid), extents(settings.block))
            .args(settings.args.iter().map(argument))
            .mode(if is_timed { Mode::Timed } else { Mode::Functional })
            .options(RunOptions { threads: settings.threads, max_cycles, ..RunOptions::default() });
        launch.dynamic_shared = settings.shared;
        launch.registers = settings.registers;
        let report = self.gpu.launch(&launch)?;
        let mut back = Vec::new();
        if report.verdict.is_whole() {
            for ((_, bytes, is_copied), pointer) in settings.buffers.iter().zip(&*pointers) {
                let mut all = vec![0; if *is_copied { bytes.len() } else { 0 }];
                if *is_copied {
                    self.gpu.copy_out(*pointer, &mut all)?;
                }
                back.push(all);
            }
        }
        let check = Check { passed: None, lines: Vec::new() };
        Ok((RunResult { reports: vec![report], check, failures: Vec::new(), program: None }, back))
    }
}
