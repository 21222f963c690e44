//! A launch without a launch file: a kernel, its grid or its NDRange, and its arguments become the
//! text of a launch file.

use isa::diag::nearest;
use isa::sreg::opencl;
use isa::types::{Dim3, StateSpace};
use isa::uop::{Module, Param, Program};
use report::exit::Failure;
use report::launch_file::{TYPES, c_name, is_structure, kernel};
use report::skeleton::pointers::{self, CONSTANT, Pointee};
use std::fmt::Write as _;
use std::sync::Arc;

/// Elements of a buffer in constant memory whose size is not given: they fit in its 64 KiB.
const MOST_CONSTANTS: u64 = 4096;

/// The threads of a launch.
#[derive(Clone, Copy, Debug)]
pub enum Threads {
    /// Blocks, and threads of a block.
    Grid(Dim3, Dim3),
    /// Work-items, and work-items of a work-group. Without them, a work-group has the largest
    /// number up to 256 that divides the work-items.
    Range(Dim3, Option<Dim3>),
}

/// A launch without a launch file.
#[derive(Clone, Debug)]
pub struct Direct<'a> {
    /// Its threads.
    pub threads: Threads,
    /// The kernel; not necessary if there is only one.
    pub entry: Option<&'a str>,
    /// Arguments as the command line has them: `NAME=VALUE`.
    pub arguments: &'a [String],
    /// Buffers and formulas: `NAME=FORMULA`.
    pub expect: &'a [String],
    /// Bytes of dynamic shared memory per block.
    pub dynamic_shared: u32,
}

impl Direct<'_> {
    /// Returns the text of the launch file for a kernel of the file `name`. Guesses about missing
    /// arguments go to `note`.
    ///
    /// # Errors
    ///
    /// There is no such kernel, or an argument is wrong.
    pub fn launch_file(
        &self,
        name: &str,
        module: &Module,
        note: &mut dyn FnMut(&str),
    ) -> Result<String, Failure> {
        let program = selected(self.entry, name, module)?;
        let shape = Shape::of(self.threads, program)?;
        launch(self, &shape, (c_name(module, program), program), note)
    }
}

/// Reads extents: `256`, `16x16`, `16,16` or `(16,16,1)`.
///
/// # Errors
///
/// The text is something else.
pub fn extents(text: &str) -> Result<Dim3, String> {
    let wrong = || "expected one to three extents, such as 256, 16x16 or (16,16,2)".to_owned();
    let bare = text.trim();
    let bare = match bare.strip_prefix('(') {
        Some(rest) => rest.strip_suffix(')').ok_or_else(wrong)?,
        None => bare,
    };
    let extents: Result<Vec<u32>, _> = bare.split(['x', ',']).map(|part| part.trim().parse()).collect();
    match extents.map_err(|_| wrong())?[..] {
        [x] => Ok(Dim3::new(x, 1, 1)),
        [x, y] => Ok(Dim3::new(x, y, 1)),
        [x, y, z] => Ok(Dim3::new(x, y, z)),
        _ => Err(wrong()),
    }
}

/// Blocks and threads of a launch, and the environment registers of OpenCL.
struct Shape {
    grid: Dim3,
    block: Dim3,
    environment: Vec<u32>,
}

impl Shape {
    fn of(threads: Threads, program: &Program) -> Result<Self, Failure> {
        let (items, local) = match threads {
            Threads::Grid(grid, block) => return Ok(Self { grid, block, environment: Vec::new() }),
            Threads::Range(items, local) => (items, local),
        };
        let required = program.required_block.map(|[x, y, z]| Dim3::new(x.max(1), y.max(1), z.max(1)));
        let block = local.or(required).unwrap_or_else(|| work_group(items));
        let [x, y, z] = [(items.x, block.x), (items.y, block.y), (items.z, block.z)].map(|(items, block)| {
            if items % block == 0 {
                return Ok(items / block);
            }
            Err(Failure::input(format!(
                "error: {items} work-items are no multiple of a work-group of {block}\nhelp: OpenCL 1.x has no \
                 partial work-groups: round up, and compare the global ID in the kernel"
            )))
        });
        let grid = Dim3::new(x?, y?, z?);
        let dimensions = if items.z > 1 { 3 } else { 1 + u32::from(items.y > 1) };
        let mut environment = vec![0; opencl::DIMENSIONS + 1];
        environment[opencl::GROUPS..][..3].copy_from_slice(&[grid.x, grid.y, grid.z]);
        environment[opencl::DIMENSIONS] = dimensions;
        Ok(Self { grid, block, environment })
    }
}

/// The largest work-group of up to 256 work-items that divides an NDRange, long in x.
fn work_group(items: Dim3) -> Dim3 {
    let mut left = 256;
    let [x, y, z] = [items.x, items.y, items.z].map(|items| {
        let size = (1..=left.min(items)).rev().find(|size| items % size == 0).unwrap_or(1);
        left /= size;
        size
    });
    Dim3::new(x, y, z)
}

/// Returns the kernel `entry`, or the only one of the file.
fn selected<'m>(entry: Option<&str>, file: &str, module: &'m Module) -> Result<&'m Arc<Program>, Failure> {
    if let Some(name) = entry {
        return kernel(module, name).ok_or_else(|| no_entry(file, name, module));
    }
    match module.entries.as_slice() {
        [only] => Ok(only),
        [] => Err(Failure::input(format!("error: {file} has no kernel (`__global__` function)"))),
        several => {
            let names: Vec<&str> = several.iter().map(|program| c_name(module, program)).collect();
            Err(Failure::input(format!(
                "error: {file} has {} kernels\nhelp: choose one with --entry NAME: {}",
                several.len(),
                names.join(", ")
            )))
        }
    }
}

/// Returns the text of the launch file.
fn launch(
    direct: &Direct<'_>,
    Shape { grid, block, environment }: &Shape,
    (name, program): (&str, &Program),
    note: &mut dyn FnMut(&str),
) -> Result<String, Failure> {
    let given = pairs("--arg", direct.arguments)?;
    let expected = pairs("--expect", direct.expect)?;
    for (wanted, _) in given.iter().chain(&expected) {
        if !program.params.iter().any(|param| param.name == *wanted) {
            let names: Vec<&str> = program.params.iter().map(|param| param.name.as_str()).collect();
            return Err(Failure::input(format!(
                "error: kernel `{name}` has no parameter `{wanted}`\nhelp: its parameters: {}",
                names.join(", ")
            )));
        }
    }
    let threads = grid.count().saturating_mul(block.count());
    let largest = given.iter().filter_map(|(_, value)| value.parse::<u64>().ok()).max().unwrap_or(0);
    let (mut params, mut buffers) = (String::new(), String::new());
    for (param, pointee) in program.params.iter().zip(pointers::of(program)) {
        if param.opaque.is_some() {
            return Err(Failure::input(format!(
                "error: parameter `{}` of kernel `{name}` is an image or sampler, which `--arg` cannot pass\n\
                 help: run it from a host program (docs/OPENCL.md)",
                param.name
            )));
        }
        let value = given.iter().rfind(|(name, _)| *name == param.name).map(|(_, value)| *value);
        let space = param.pointee.and_then(|pointee| pointee.space);
        let passed = match (value, pointee) {
            (Some(bytes), _) if space == Some(StateSpace::Shared) => format!("local({bytes})"),
            (None, _) if space == Some(StateSpace::Shared) => {
                return Err(Failure::input(format!(
                    "error: parameter `{0}` of kernel `{name}` has no size\nhelp: give the bytes of local memory: \
                     --arg {0}=1024",
                    param.name
                )));
            }
            (value, pointee) if space == Some(StateSpace::Const) => {
                let count = threads.max(largest).min(MOST_CONSTANTS);
                match value.filter(|value| value.starts_with('(')) {
                    Some(whole) => _ = writeln!(buffers, "        \"{}\": {whole},", param.name),
                    None => buffers += &buffer(param, &pointee.unwrap_or(CONSTANT), count, value, note),
                }
                format!("constant(\"{}\")", param.name)
            }
            (Some(value), _) if is_argument(value) || is_structure(program, param) => value.to_owned(),
            (Some(value), _) if value.starts_with('(') => {
                let _ = writeln!(buffers, "        \"{}\": {value},", param.name);
                format!("buf(\"{}\")", param.name)
            }
            (value, Some(pointee)) => {
                let count = threads.saturating_mul(u64::from(pointee.elements)).max(largest);
                buffers += &buffer(param, &pointee, count, value, note);
                format!("buf(\"{}\")", param.name)
            }
            (Some(value), None) => value.to_owned(),
            (None, None) => {
                return Err(Failure::input(format!(
                    "error: parameter `{0}` of kernel `{name}` has no value\nhelp: add --arg {0}=VALUE",
                    param.name
                )));
            }
        };
        let _ = writeln!(params, "        \"{}\": {passed},", param.name);
    }
    let mut checks = String::new();
    for (name, formula) in expected {
        let _ = writeln!(checks, "        (buf: \"{name}\", formula: {formula:?}, rel: 1e-6),");
    }
    Ok(format!(
        "(\n    entry: \"{}\",\n    grid: ({}, {}, {}),\n    block: ({}, {}, {}),\n    dynamic_shared: {},\n    \
         environment: {environment:?},\n    params: {{\n{params}    }},\n    buffers: {{\n{buffers}    }},\n    expect: [\n{checks}    ],\n)\n",
        program.name, grid.x, grid.y, grid.z, block.x, block.y, block.z, direct.dynamic_shared,
    ))
}

/// A number, or an argument in the notation of launch files, such as `s32(5)`.
fn is_argument(value: &str) -> bool {
    let typed = value.split_once('(').is_some_and(|(word, _)| {
        matches!(word, "buf" | "bytes") || TYPES.iter().any(|(known, _)| *known == word)
    });
    typed || value.parse::<f64>().is_ok()
}

/// The buffer of a pointer, with the given values or with ones. A guess is reported.
fn buffer(
    param: &Param,
    pointee: &Pointee,
    count: u64,
    value: Option<&str>,
    note: &mut dyn FnMut(&str),
) -> String {
    let (name, ty) = (&param.name, pointee.ty.name());
    let init = match value {
        Some(value) => format!(", init: {value}"),
        None if pointee.read => {
            let advice = format!("`--arg '{name}=iota(0,1)'` sets other values");
            note(&format!("note: `{name}` is a buffer of {count} {ty} with the value 1; {advice}"));
            ", init: fill(1)".to_owned()
        }
        None => String::new(),
    };
    format!("        \"{name}\": (type: {ty}, len: {count}{init}),\n")
}

/// Splits `NAME=VALUE`.
fn pairs<'a>(option: &str, texts: &'a [String]) -> Result<Vec<(&'a str, &'a str)>, Failure> {
    let pair = |text: &'a String| {
        let (name, value) = text.split_once('=').ok_or_else(|| {
            Failure::input(format!("error: `{option} {text}` has no `=`\nhelp: write {option} NAME=VALUE"))
        })?;
        Ok((name.trim(), value.trim()))
    };
    texts.iter().map(pair).collect()
}

/// Failure for a kernel that the file does not have.
pub fn no_entry(file: &str, wanted: &str, module: &Module) -> Failure {
    let names: Vec<&str> = module.entries.iter().map(|program| c_name(module, program)).collect();
    let near = nearest(wanted, names.iter().copied());
    let near = near.map_or_else(String::new, |near| format!("\nhelp: did you mean `{near}`?"));
    Failure::input(format!(
        "error: unknown kernel `{wanted}` in {file}{near}\nhelp: kernels of this file: {}",
        names.join(", ")
    ))
}
