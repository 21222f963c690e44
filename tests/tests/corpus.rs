//! Does it compute what silicon computes? Every case of `corpus/` on the functional and on the timed machine of every
//! chip that can run it: modules for `sm_10` on all, for `sm_13` from GT200 on, for `sm_20` on Fermi.
//!
//! `corpus/README.md` says what a case is. Each chip and machine is a trial, so that `cargo test --test corpus vecadd`
//! or `--test corpus "fermi timed"` chooses among them. A file that is missing or that nobody can read fails its trial, and a
//! case that is missing from the manifest fails the trial that counts them.

use isa::types::Dim3;
use libtest_mimic::{Arguments, Failed, Trial};
use serde::Deserialize;
use sim_core::config::Chip;
use sim_core::host::{Arg, DevicePtr, HostError, Launch, LaunchError, Mode};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use warpsim_tests::books;
use warpsim_tests::device::{CHIPS, Device, chip_with};

/// Kernels and compilers that the manifest must list.
const KERNELS: usize = 18;
const COMPILERS: usize = 4;

/// Cases: one of the kernels is for two of the compilers only.
const CASES: usize = KERNELS * COMPILERS - 2;

/// `manifest.json`, as far as the test needs it.
#[derive(Deserialize)]
struct Manifest {
    format: u32,
    cases: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    id: String,
    kernel: String,
    compiler: String,
    /// `version/target`, such as `1.4/sm_13`.
    header: String,
    ptx: String,
    entry: String,
    grid: [u32; 3],
    block: [u32; 3],
    dyn_shared: u32,
    params: Vec<Param>,
    buffers: BTreeMap<String, Buffer>,
    outputs: Vec<Output>,
}

#[derive(Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
enum Param {
    /// A pointer to a buffer.
    Buf { name: String },
    /// A scalar; `bits` is `0x` and two digits per byte.
    Val { bits: String },
}

#[derive(Deserialize)]
struct Buffer {
    bytes: usize,
    /// A file, or nothing for zeros.
    init: Option<String>,
}

#[derive(Deserialize)]
struct Output {
    buf: String,
    #[serde(rename = "type")]
    ty: ElementType,
    bytes: usize,
    expected: String,
    abs: f64,
    rel: f64,
}

#[derive(Clone, Copy, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
enum ElementType {
    F32,
    F64,
    S32,
    U32,
}

fn main() -> ExitCode {
    let args = Arguments::from_args();
    let trials = match read_manifest() {
        Ok(manifest) => trials(manifest),
        Err(e) => vec![Trial::test("manifest", move || Err(e.into()))],
    };
    libtest_mimic::run(&args, trials).exit_code()
}

fn trials(manifest: Manifest) -> Vec<Trial> {
    let names: BTreeSet<String> = manifest.cases.iter().map(|c| c.id.clone()).collect();
    let kernels = manifest.cases.iter().map(|c| &c.kernel).collect::<BTreeSet<_>>().len();
    let compilers = manifest.cases.iter().map(|c| &c.compiler).collect::<BTreeSet<_>>().len();
    let counts = (names.len(), kernels, compilers);
    let mut trials = vec![Trial::test("the manifest is complete", move || {
        let wanted = (CASES, KERNELS, COMPILERS);
        if counts == wanted {
            Ok(())
        } else {
            Err(format!("(cases, kernels, compilers) are {counts:?} instead of {wanted:?}").into())
        }
    })];
    for case in manifest.cases {
        let case = Arc::new(case);
        for chip in chips_for(&case) {
            for (mode, what) in [(Mode::Functional, "functional"), (Mode::Timed, "timed")] {
                let own = Arc::clone(&case);
                trials.push(Trial::test(format!("{} {chip} {what}", case.id), move || {
                    run(&own, chip, mode).map_err(Failed::from)
                }));
            }
        }
    }
    trials
}

/// The chips whose compute capability is that of the module or above.
fn chips_for(case: &Case) -> &'static [&'static str] {
    match case.header.rsplit_once("/sm_").map_or("", |(_, target)| target) {
        "10" => &CHIPS,
        "13" => &CHIPS[1..],
        _ => &CHIPS[2..],
    }
}

fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus")
}

fn read(name: &str) -> Result<Vec<u8>, String> {
    fs::read(corpus().join(name)).map_err(|e| format!("corpus/{name}: {e}"))
}

fn read_text(name: &str) -> Result<String, String> {
    String::from_utf8(read(name)?).map_err(|e| format!("corpus/{name}: {e}"))
}

fn read_manifest() -> Result<Manifest, String> {
    let text = read_text("manifest.json")?;
    let manifest: Manifest = serde_json::from_str(&text).map_err(|e| format!("corpus/manifest.json: {e}"))?;
    if manifest.format != 1 {
        return Err(format!("corpus/manifest.json has format {}, this test reads 1", manifest.format));
    }
    Ok(manifest)
}

/// Runs a case and compares its outputs.
fn run(case: &Case, chip: &str, mode: Mode) -> Result<(), String> {
    let ptx = read_text(&case.ptx)?;
    let chip = chip_with(chip, &[]);
    // A three-dimensional grid is refused before compute capability 2.0, and runs there with that limit lifted.
    let flat = case.grid[2] > 1 && chip.capability.major < 2;
    let roomy =
        if flat { chip_with(&chip.name, &[("limits.grid", "(65535, 65535, 65535)")]) } else { chip.clone() };
    let mut device = Device::new(roomy, &case.ptx, &ptx)?;
    let mut buffers = BTreeMap::new();
    for (name, buffer) in &case.buffers {
        buffers
            .insert(name.as_str(), allocate(&mut device, name, buffer).map_err(|e| format!("{name}: {e}"))?);
    }
    let place =
        |name: &str| buffers.get(name).copied().ok_or_else(|| format!("the case has no buffer `{name}`"));

    let args: Vec<Arg> = case.params.iter().map(|param| argument(param, place)).collect::<Result<_, _>>()?;
    let mut launch =
        Launch::new(device.module, &case.entry, dim(case.grid), dim(case.block)).args(args).mode(mode);
    launch.dynamic_shared = case.dyn_shared;
    if flat {
        refused_by_the_unchanged_chip(case, chip, &ptx, &launch)?;
    }

    let report = device.gpu.launch(&launch).map_err(|e| e.to_string())?;
    if !report.verdict.is_finished() {
        return Err(format!("not finished: {:?}", report.verdict));
    }
    books::check(&report)?;
    for output in &case.outputs {
        let mut got = vec![0; output.bytes];
        device.gpu.copy_out(place(&output.buf)?, &mut got).map_err(|e| e.to_string())?;
        let expected = read(&output.expected)?;
        compare(output, &got, &expected).map_err(|e| format!("buffer `{}`: {e}", output.buf))?;
    }
    Ok(())
}

fn dim([x, y, z]: [u32; 3]) -> Dim3 {
    Dim3::new(x, y, z)
}

/// A chip without three-dimensional grids must refuse the case's.
fn refused_by_the_unchanged_chip(case: &Case, chip: Chip, ptx: &str, launch: &Launch) -> Result<(), String> {
    let name = chip.name.clone();
    let mut device = Device::new(chip, &case.ptx, ptx)?;
    match device.gpu.launch(launch) {
        Err(HostError::Launch(LaunchError::Limit { limit, needed, available: 1, .. }))
            if needed == u64::from(case.grid[2]) && limit.contains("grid") =>
        {
            Ok(())
        }
        other => Err(format!("{name} must refuse a three-dimensional grid: {:?}", other.map(|r| r.verdict))),
    }
}

fn allocate(device: &mut Device, name: &str, buffer: &Buffer) -> Result<DevicePtr, String> {
    let ptr = device.gpu.malloc_named(buffer.bytes as u64, Some(name)).map_err(|e| e.to_string())?;
    if let Some(init) = &buffer.init {
        let bytes = read(init)?;
        if bytes.len() != buffer.bytes {
            return Err(format!("corpus/{init} has {} bytes instead of {}", bytes.len(), buffer.bytes));
        }
        device.gpu.copy_in(ptr, &bytes).map_err(|e| e.to_string())?;
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

/// The first element that is wrong is the error.
fn compare(output: &Output, got: &[u8], expected: &[u8]) -> Result<(), String> {
    if got.len() != expected.len() {
        return Err(format!(
            "corpus/{} has {} bytes instead of {}",
            output.expected,
            expected.len(),
            got.len()
        ));
    }
    let words = |bytes: &[u8]| match output.ty {
        ElementType::F64 => bytes.as_chunks().0.iter().map(|w| u64::from_le_bytes(*w)).collect::<Vec<_>>(),
        _ => bytes.as_chunks().0.iter().map(|w| u32::from_le_bytes(*w).into()).collect(),
    };
    for (index, (expected, got)) in words(expected).into_iter().zip(words(got)).enumerate() {
        if !agrees(output, got, expected) {
            let show = |bits: u64| match output.ty {
                ElementType::F32 => format!("{:?} ({bits:#010x})", f32::from_bits(bits as u32)),
                ElementType::F64 => format!("{:?} ({bits:#018x})", f64::from_bits(bits)),
                ElementType::S32 => format!("{} ({bits:#010x})", bits as i32),
                ElementType::U32 => format!("{bits} ({bits:#010x})"),
            };
            return Err(format!("element {index}: expected {}, got {}", show(expected), show(got)));
        }
    }
    Ok(())
}

/// Equal bits; of floating-point numbers any NaN for a NaN, or a difference of at most abs + rel * |expected|.
/// Where both tolerances are 0 that is bit for bit: zeros of different sign differ.
fn agrees(output: &Output, got: u64, expected: u64) -> bool {
    let number = |bits: u64| match output.ty {
        ElementType::F32 => Some(f64::from(f32::from_bits(bits as u32))),
        ElementType::F64 => Some(f64::from_bits(bits)),
        ElementType::S32 | ElementType::U32 => None,
    };
    let (false, Some(got), Some(expected)) = (got == expected, number(got), number(expected)) else {
        return got == expected;
    };
    let tolerance = output.abs + output.rel * expected.abs();
    got.is_nan() && expected.is_nan() || tolerance > 0.0 && (got - expected).abs() <= tolerance
}
