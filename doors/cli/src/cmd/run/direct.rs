//! A launch that the command line describes: `--grid`, `--block` and `--arg` become the text of a
//! launch file, which comes with the request.

use crate::args::{ChipArgs, DirectArgs, Request};
use crate::chip;
use crate::cmd::occupancy::subject::no_entry;
use crate::exit::Failure;
use crate::launch_file::{c_name, is_structure, kernel};
use crate::output::complain;
use isa::types::Dim3;
use isa::uop::{Module, Param, Program};
use report::skeleton::pointers::{self, Pointee};
use request::Compilation;
use request::ptx::Ptx;
use std::fmt::Write as _;
use std::sync::Arc;

/// Name of the launch file of `--grid` in messages.
const NAME: &str = "launch.ron";

/// Makes the launch file of `--grid` and adds it to the request.
pub fn prepare(workload: &mut Request, chip: &ChipArgs, args: &DirectArgs) -> Result<(), Failure> {
    let (Some(grid), Some(block)) = (args.grid, args.block) else { return Ok(()) };
    if kernels::find(&workload.kernel).is_some() {
        let message = format!("error: the built-in kernel `{}` does not accept --grid", workload.kernel);
        return Err(Failure::input(message + "\nhelp: set the problem size with --size"));
    }
    let how = Compilation::new(workload.compile, &workload.preprocess).on(chip::capability(chip)?);
    let ptx = Ptx::linked(&workload.kernel, &workload.linked, &how)?;
    // The run compiles the file again, and prints the warnings.
    let module = ptx.compile(&how, &mut |_| {})?;
    let program = selected(args, ptx.name(), &module)?;
    let text = launch(args, (grid, block), c_name(&module, program), program)?;
    workload.sources.insert(NAME, text);
    workload.launch = Some(NAME.into());
    Ok(())
}

/// Returns the kernel of `--entry`, or the only one of the file.
fn selected<'m>(args: &DirectArgs, file: &str, module: &'m Module) -> Result<&'m Arc<Program>, Failure> {
    if let Some(name) = &args.entry {
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
    args: &DirectArgs,
    (grid, block): (Dim3, Dim3),
    name: &str,
    program: &Program,
) -> Result<String, Failure> {
    let given = pairs("--arg", &args.arguments)?;
    let expected = pairs("--expect", &args.expect)?;
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
        let value = given.iter().rfind(|(name, _)| *name == param.name).map(|(_, value)| *value);
        let passed = match (value, pointee) {
            (Some(value), _) if is_argument(value) || is_structure(program, param) => value.to_owned(),
            (Some(value), _) if value.starts_with('(') => {
                let _ = writeln!(buffers, "        \"{}\": {value},", param.name);
                format!("buf(\"{}\")", param.name)
            }
            (value, Some(pointee)) => {
                let count = threads.saturating_mul(u64::from(pointee.elements)).max(largest);
                buffers += &buffer(param, &pointee, count, value);
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
         params: {{\n{params}    }},\n    buffers: {{\n{buffers}    }},\n    expect: [\n{checks}    ],\n)\n",
        program.name,
        grid.x,
        grid.y,
        grid.z,
        block.x,
        block.y,
        block.z,
        args.dynamic_shared.unwrap_or(0),
    ))
}

/// A number, or an argument in the notation of launch files, such as `s32(5)`.
fn is_argument(value: &str) -> bool {
    let typed = value.split_once('(').is_some_and(|(word, _)| {
        matches!(word, "buf" | "bytes") || crate::launch_file::TYPES.iter().any(|(known, _)| *known == word)
    });
    typed || value.parse::<f64>().is_ok()
}

/// The buffer of a pointer, with the values of the command line or with ones. A guess is reported.
fn buffer(param: &Param, pointee: &Pointee, count: u64, value: Option<&str>) -> String {
    let (name, ty) = (&param.name, pointee.ty.name());
    let init = match value {
        Some(value) => format!(", init: {value}"),
        None if pointee.read => {
            let advice = format!("`--arg '{name}=iota(0,1)'` sets other values");
            complain(&format!("note: `{name}` is a buffer of {count} {ty} with the value 1; {advice}"));
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
