//! One recorded case on one machine of one chip: compiled, launched, and its outputs compared.

use super::case::{Buffer, Case, Param};
use super::compare;
use crate::device::{CHIPS, chip_with};
use crate::identities;
use isa::Options;
use isa::diag::{Diagnostic, render_all};
use isa::types::Dim3;
use isa::uop::Module;
use sim_core::check::{Checks, Finding};
use sim_core::config::Chip;
use sim_core::host::{Arg, DevicePtr, Gpu, HostError, Launch, LaunchError, LaunchLimit, Mode};
use sim_core::stats::report::CheckReport;
use std::collections::{BTreeMap, BTreeSet};
use test_support::record;

/// Module and diagnostics of a text.
pub type Compiled = (Option<Module>, Vec<Diagnostic>);

/// A way to compile.
#[derive(Clone, Copy, Debug)]
pub struct Build {
    /// Its name within the name of a trial.
    pub name: &'static str,
    /// Function from file name and text to module and diagnostics.
    pub compile: fn(&str, &str) -> Compiled,
}

/// All ways to compile the recorded programs. They have the same results.
pub const BUILDS: [Build; 3] = [
    Build { name: "", compile: isa::compile },
    Build { name: "-O0", compile: plain },
    Build { name: "scheduled, few registers", compile: limited },
];

/// Compiles without optimization.
fn plain(file: &str, text: &str) -> Compiled {
    isa::compile_with(file, text, Options::PLAIN)
}

/// Compiles with scheduled blocks, for fewer registers than most programs need.
fn limited(file: &str, text: &str) -> Compiled {
    isa::compile_with(file, text, Options { schedule: true, max_registers: Some(10), ..Options::default() })
}

/// Reason of a failed case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The compiler rejected the module.
    Refused {
        /// Error codes, each once.
        codes: BTreeSet<&'static str>,
        /// Rendered diagnostics.
        text: String,
    },
    /// It compiled, but a later step failed.
    Wrong(String),
}

impl From<String> for Failure {
    fn from(what: String) -> Self {
        Self::Wrong(what)
    }
}

impl From<HostError> for Failure {
    fn from(e: HostError) -> Self {
        Self::Wrong(e.to_string())
    }
}

/// Returns the chips with at least this compute capability, ten for 1.0.
pub fn chips_for(capability: u32) -> &'static [&'static str] {
    match capability {
        10 => &CHIPS,
        11..=13 => &CHIPS[1..],
        _ => &CHIPS[2..],
    }
}

/// Compiles a module.
pub fn compile(build: Build, file: &str, text: &str) -> Result<Module, Failure> {
    let (module, diagnostics) = (build.compile)(file, text);
    module.ok_or_else(|| Failure::Refused {
        codes: diagnostics.iter().filter(|d| d.is_error()).map(|d| d.code).collect(),
        text: render_all(&diagnostics, file, text),
    })
}

/// A case before its launch.
struct Ready<'a> {
    gpu: Gpu,
    launch: Launch,
    buffers: BTreeMap<&'a str, DevicePtr>,
}

/// Prepares a case on a GPU that `before` has prepared. If `zeros`, the host writes the buffers
/// that the record describes as zeros; otherwise they are only allocated, which leaves the same
/// bytes.
fn prepare<'a>(
    case: &'a Case,
    build: Build,
    chip: &str,
    zeros: bool,
    before: impl FnOnce(&mut Gpu),
) -> Result<Ready<'a>, Failure> {
    let module = compile(build, &case.ptx, record::text(&case.ptx)?)?;
    let chip = chip_with(chip, &[]);
    // A three-dimensional grid is refused before compute capability 2.0; there the case runs with
    // that limit removed.
    let flat = case.grid[2] > 1 && chip.capability.major < 2;
    let limits: &[_] = if flat { &[("limits.grid", "(65535, 65535, 65535)")] } else { &[] };
    let mut gpu = Gpu::new(chip_with(&chip.name, limits));
    before(&mut gpu);
    let loaded = gpu.load(module.clone())?;
    for global in &case.globals {
        gpu.copy_to_symbol(loaded, &global.symbol, 0, record::read(&global.init)?)?;
    }
    let mut buffers = BTreeMap::new();
    for (name, buffer) in &case.buffers {
        let ptr = allocate(&mut gpu, name, buffer)?;
        if zeros && buffer.init.is_none() {
            gpu.copy_in(ptr, &vec![0; buffer.bytes])?;
        }
        buffers.insert(name.as_str(), ptr);
    }
    let place = |name: &str| place(&buffers, name);
    let args = case.params.iter().map(|param| argument(param, place)).collect::<Result<Vec<_>, _>>()?;
    let mut launch = Launch::new(loaded, &case.entry, dim(case.grid), dim(case.block)).args(args);
    launch.dynamic_shared = case.dyn_shared;
    if flat {
        refused_by_the_unchanged_chip(case, chip, module, &launch)?;
    }
    Ok(Ready { gpu, launch, buffers })
}

fn place(buffers: &BTreeMap<&str, DevicePtr>, name: &str) -> Result<DevicePtr, String> {
    buffers.get(name).copied().ok_or_else(|| format!("the case has no buffer `{name}`"))
}

/// Runs a case and compares its outputs.
pub fn run(case: &Case, build: Build, chip: &str, mode: Mode) -> Result<(), Failure> {
    let Ready { mut gpu, launch, buffers } = prepare(case, build, chip, false, |_| {})?;
    let report = gpu.launch(&launch.mode(mode))?;
    if !report.verdict.is_finished() {
        return Err(Failure::Wrong(format!("not finished: {:?}", report.verdict)));
    }
    identities::check(&report)?;
    for output in &case.outputs {
        let mut got = vec![0; output.bytes];
        gpu.copy_out(place(&buffers, &output.buf)?, &mut got)?;
        let expected = record::read(&output.expected)?;
        compare::output(output, &got, expected).map_err(|e| format!("buffer `{}`: {e}", output.buf))?;
    }
    Ok(())
}

/// Returns what all checkers find in a case. If `zeros`, the host writes the buffers that the
/// record describes as zeros.
pub fn findings(case: &Case, chip: &str, zeros: bool) -> Result<Vec<Finding>, Failure> {
    // The checkers of memory and values need the code as it was written.
    let before = |gpu: &mut Gpu| gpu.check(Checks::ALL);
    let Ready { mut gpu, launch, .. } = prepare(case, BUILDS[1], chip, zeros, before)?;
    let report = gpu.launch(&launch.mode(Mode::Functional))?;
    Ok(report.checks.iter().flat_map(CheckReport::mistakes).cloned().collect())
}

fn dim([x, y, z]: [u32; 3]) -> Dim3 {
    Dim3::new(x, y, z)
}

/// Checks that a chip without three-dimensional grids refuses the case's grid.
fn refused_by_the_unchanged_chip(
    case: &Case,
    chip: Chip,
    module: Module,
    launch: &Launch,
) -> Result<(), Failure> {
    let name = chip.name.clone();
    let mut gpu = Gpu::new(chip);
    let launch = Launch { module: gpu.load(module)?, ..launch.clone() };
    match gpu.launch(&launch) {
        Err(HostError::Launch(LaunchError::Limit { limit, needed, available: 1, .. }))
            if needed == u64::from(case.grid[2]) && limit == LaunchLimit::GridZ =>
        {
            Ok(())
        }
        other => {
            let other = other.map(|r| r.verdict);
            Err(Failure::Wrong(format!("{name} must refuse a three-dimensional grid: {other:?}")))
        }
    }
}

fn allocate(gpu: &mut Gpu, name: &str, buffer: &Buffer) -> Result<DevicePtr, Failure> {
    let ptr = gpu.malloc_named(buffer.bytes as u64, Some(name))?;
    if let Some(init) = &buffer.init {
        let bytes = record::read(init)?;
        if bytes.len() != buffer.bytes {
            let (has, wanted) = (bytes.len(), buffer.bytes);
            return Err(Failure::Wrong(format!("{init} has {has} bytes instead of {wanted}")));
        }
        gpu.copy_in(ptr, bytes)?;
    }
    Ok(ptr)
}

fn argument(param: &Param, place: impl Fn(&str) -> Result<DevicePtr, String>) -> Result<Arg, String> {
    match param {
        Param::Buf { name } => Ok(Arg::Ptr(place(name)?)),
        Param::Val { bits } => {
            let digits = bits.strip_prefix("0x").ok_or_else(|| format!("`{bits}` does not begin with 0x"))?;
            let value = u64::from_str_radix(digits, 16).map_err(|e| format!("`{bits}`: {e}"))?;
            Ok(Arg::Bytes(value.to_le_bytes()[..digits.len() / 2].to_vec()))
        }
    }
}
