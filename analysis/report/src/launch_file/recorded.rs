//! The launch file of a launch that a program makes: its values, and the contents of memory before
//! it.

use super::ready::{Area, areas};
use super::value::{Number, decode};
use super::{c_name, is_structure};
use crate::exit::Failure;
use isa::types::ScalarType;
use sim_core::host::{Arg, Gpu, Launch};
use std::fmt::Write as _;

/// Most elements of a buffer that are written as a list; the bytes of others are files.
const MOST_VALUES: usize = 64;

/// A launch file with its data files.
#[derive(Clone, Debug, Default)]
pub struct Recorded {
    /// The launch file.
    pub text: String,
    /// Names and bytes of the files that it names.
    pub files: Vec<(String, Vec<u8>)>,
}

/// Returns the launch file of a launch before its first instruction. `sources` are the files that
/// have the kernel, `variables` the names of the variables of the program.
///
/// # Errors
/// The launch uses textures or surfaces, or its module has no such kernel.
pub fn recorded(
    gpu: &mut Gpu,
    launch: &Launch,
    sources: &[String],
    variables: &[String],
) -> Result<Recorded, Failure> {
    let areas = areas(gpu, launch)?;
    let module = gpu.module(launch.module).clone();
    let missing = || Failure::input(format!("error: there is no kernel `{}`", launch.entry));
    let program = module.entries.iter().find(|program| program.name == launch.entry).ok_or_else(missing)?;
    if program.uses_textures() || program.uses_surfaces() {
        let name = c_name(&module, program);
        return Err(Failure::input(format!(
            "error: `{name}` uses textures or surfaces, which are not recorded"
        )));
    }
    let mut files = Vec::new();
    let extents = |dim: isa::types::Dim3| format!("({}, {}, {})", dim.x, dim.y, dim.z);
    let mut text = format!(
        "(\n    ptx: {sources:?},\n    entry: {:?},\n    grid: {},\n    block: {},\n    dynamic_shared: {},\n    \
         params: {{\n",
        c_name(&module, program),
        extents(launch.grid),
        extents(launch.block),
        launch.dynamic_shared,
    );
    if launch.environment != [0; 32] {
        text.insert_str(2, &format!("    environment: {:?},\n", launch.environment));
    }
    // Writing to a string cannot fail.
    for (param, argument) in program.params.iter().zip(&launch.args) {
        let bytes = argument.to_bytes(param.bytes).unwrap_or_default();
        let value = match argument {
            Arg::Ptr(pointer) => match of_pointer(pointer.address(), &areas) {
                Some(text) => text,
                None => format!("u64({})", pointer.address()),
            },
            _ if is_structure(program, param) => format!("bytes({bytes:?})"),
            _ => number(param.ty, &bytes),
        };
        let _ = writeln!(text, "        {:?}: {value},", param.name);
    }
    text += "    },\n    buffers: {\n";
    for area in &areas {
        let mut bytes = vec![0; area.bytes as usize];
        gpu.memory().read(area.address, &mut bytes);
        let ty = element(area);
        let count = bytes.len() / ty.bytes() as usize;
        let init = if bytes.iter().all(|byte| *byte == 0) {
            "zero".to_owned()
        } else if count <= MOST_VALUES && is_list(ty, &bytes) {
            list(ty, &bytes)
        } else {
            let name = format!("{}.bin", area.name);
            files.push((name.clone(), bytes));
            format!("file({name:?})")
        };
        let _ = writeln!(text, "        {:?}: (type: {}, len: {count}, init: {init}),", area.name, ty.name());
    }
    text += "    },\n    symbols: {\n";
    for symbol in module.globals.iter().chain(&module.consts) {
        if !variables.contains(&symbol.name) {
            continue;
        }
        let mut bytes = vec![0; symbol.bytes as usize];
        gpu.copy_from_symbol(launch.module, &symbol.name, 0, &mut bytes)?;
        let _ = writeln!(text, "        {:?}: (type: u8, init: values({bytes:?})),", symbol.name);
    }
    text += "    },\n)\n";
    Ok(Recorded { text, files })
}

/// The type of the elements of a buffer: bytes if it has a part of an element.
fn element(area: &Area) -> ScalarType {
    if area.bytes.is_multiple_of(area.ty.bytes()) { area.ty } else { ScalarType::U8 }
}

/// A pointer into one of the buffers.
fn of_pointer(address: u32, areas: &[Area]) -> Option<String> {
    let holds = |area: &&Area| address.checked_sub(area.address).is_some_and(|offset| offset < area.bytes);
    let area = areas.iter().find(holds)?;
    Some(match address - area.address {
        0 => format!("buf({:?})", area.name),
        offset => format!("buf({:?}, {offset})", area.name),
    })
}

/// A scalar argument. Numbers that RON does not have are written as bits.
fn number(ty: ScalarType, bytes: &[u8]) -> String {
    match decode(ty, bytes) {
        Number::Float(value) if value.is_finite() => format!("{}({value:?})", ty.name()),
        Number::Int(value) => format!("{}({value})", ty.name()),
        Number::Float(_) => {
            let bits = bytes.iter().rev().fold(0_u64, |bits, byte| bits << 8 | u64::from(*byte));
            format!("b{}({bits})", 8 * bytes.len())
        }
    }
}

/// Whether all elements are numbers that RON has.
fn is_list(ty: ScalarType, bytes: &[u8]) -> bool {
    bytes.chunks_exact(ty.bytes() as usize).all(|part| decode(ty, part).as_f64().is_finite())
}

fn list(ty: ScalarType, bytes: &[u8]) -> String {
    let value = |part: &[u8]| match decode(ty, part) {
        Number::Float(value) => format!("{value:?}"),
        Number::Int(value) => value.to_string(),
    };
    let values: Vec<String> = bytes.chunks_exact(ty.bytes() as usize).map(value).collect();
    format!("values([{}])", values.join(", "))
}
