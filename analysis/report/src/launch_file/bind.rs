//! Checks a launch file against the compiled module: entry, arguments, symbols and buffers by name.

use super::argument::{Argument, Arguments};
use super::kernel::{c_name, in_order, kernel, number};
use super::schema::{Array, DataName, LaunchFile};
use super::value::mixes_kinds;
use super::{Spanned, codes, structure};
use crate::text::shown;
use isa::diag::{Diagnostic, MAX_DRAWN, is_flood, listed, nearest};
use isa::span::Span;
use isa::types::ScalarType;
use isa::uop::{Module, Param, Program, Symbol};
use std::collections::BTreeMap;
use std::path::Path;

/// The objects that the names of a launch file refer to; `None` for an unknown name, which has been
/// reported.
#[derive(Debug)]
pub struct Bound {
    /// Declared type and size in bytes of each symbol that the file initializes.
    pub symbols: Vec<Option<(ScalarType, u64)>>,
    /// Data of each expectation.
    pub expect: Vec<Option<Target>>,
}

/// Data of an expectation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// The buffer with this index.
    Buffer(usize),
    /// A symbol with this type and size in bytes.
    Symbol(ScalarType, u64),
}

/// Returns the arrays of a list by name; if several have the same name, the first.
pub fn by_name(arrays: &[Array]) -> BTreeMap<&str, usize> {
    arrays.iter().enumerate().rev().map(|(index, array)| (array.name.value.as_str(), index)).collect()
}

/// Resolves all names.
pub fn bind(file: &LaunchFile, module: &Module, diagnostics: &mut Vec<Diagnostic>) -> Bound {
    for (entry, arguments) in launches(file) {
        if let Some(program) = kernel(module, &entry.value) {
            check_arguments(arguments, c_name(module, program), program, diagnostics);
        } else {
            let entries = module.entries.iter().map(|program| c_name(module, program));
            report_unknown("kernel", entry, entries, diagnostics);
        }
    }
    let declared = module.consts.iter().chain(&module.globals).rev();
    let declared: BTreeMap<&str, &Symbol> = declared.map(|symbol| (symbol.name.as_str(), symbol)).collect();
    let mut symbol = |name: &Spanned<String>| {
        let found = declared.get(name.value.as_str()).map(|s| (s.ty, u64::from(s.bytes)));
        if found.is_none() {
            let known = module.globals.iter().chain(&module.consts).map(|s| s.name.as_str());
            report_unknown("`.global` or `.const` variable", name, known, diagnostics);
        }
        found
    };
    let buffers = by_name(&file.buffers);
    let symbols = file.symbols.iter().map(|array| symbol(&array.name)).collect();
    let mut target = |place: &DataName| match place {
        DataName::Symbol(name) => symbol(name).map(|(ty, bytes)| Target::Symbol(ty, bytes)),
        DataName::Buffer(name) => buffers.get(name.value.as_str()).copied().map(Target::Buffer),
    };
    let expect: Vec<_> = file.expected_data().map(|e| target(&e.what)).collect();
    for dump in &file.dumps {
        target(&dump.what);
    }
    // Unknown symbols were reported above; unknown buffers are reported here.
    let places = file.expected_data().map(|e| &e.what).chain(file.dumps.iter().map(|d| &d.what));
    let lists = std::iter::once(&file.params).chain(own_arguments(file));
    let arguments = lists.flat_map(|list| &list.value).filter_map(|given| given.value.as_ref());
    let mut of_arguments = Vec::new();
    for argument in arguments {
        argument.value.each_buffer(argument.span, &mut |name, span| {
            of_arguments.push(Spanned { value: name.to_owned(), span });
        });
    }
    let named = places.filter_map(|p| match p {
        DataName::Buffer(name) => Some(name.clone()),
        DataName::Symbol(_) => None,
    });
    for name in of_arguments.into_iter().chain(named) {
        if !buffers.contains_key(name.value.as_str()) {
            let known = file.buffers.iter().map(|b| b.name.value.as_str());
            report_unknown("buffer", &name, known, diagnostics);
        }
    }
    let textures = file.textures.iter().map(|t| ("texture", &t.name, &t.buffer, &module.textures));
    let surfaces = file.surfaces.iter().map(|s| ("surface", &s.name, &s.buffer, &module.surfaces));
    for (what, name, buffer, known) in textures.chain(surfaces) {
        if !known.contains(&name.value) {
            report_unknown(what, name, known.iter().map(String::as_str), diagnostics);
        }
        if let Some(buffer) = buffer.as_ref().filter(|name| !buffers.contains_key(name.value.as_str())) {
            let known = file.buffers.iter().map(|b| b.name.value.as_str());
            report_unknown("buffer", buffer, known, diagnostics);
        }
    }
    let mut written: BTreeMap<&Path, Span> = BTreeMap::new();
    for dump in &file.dumps {
        let first = *written.entry(&dump.to.value).or_insert(dump.to.span);
        if first != dump.to.span && !is_flood(diagnostics) {
            let message = format!("two dumps write {}", shown(&dump.to.value));
            let diagnostic = Diagnostic::error(codes::DUPLICATE, dump.to.span, message).label("second dump");
            diagnostics.push(diagnostic.at(first, "first dump").help("write each dump to a separate file"));
        }
    }
    Bound { symbols, expect }
}

/// Reports a name that is not among the `known` ones.
pub fn report_unknown<'c>(
    what: &str,
    name: &Spanned<String>,
    known: impl Iterator<Item = &'c str>,
    diagnostics: &mut Vec<Diagnostic>,
) {
    if is_flood(diagnostics) {
        return;
    }
    // Further diagnostics are not printed, so they need no hint.
    let hints = diagnostics.len() < MAX_DRAWN;
    let known: Vec<&str> = known.collect();
    let near = nearest(&name.value, known.iter().copied().filter(|_| hints));
    let message = format!("unknown {what} `{}`", name.value);
    let all = if known.is_empty() {
        format!("there is no {what}")
    } else {
        format!("known names: {}", listed(known))
    };
    let diagnostic = Diagnostic::error(codes::UNKNOWN_NAME, name.span, message).label("unknown name");
    diagnostics.push(diagnostic.note(all).meant(near));
}

/// Formats a count: `1 parameter`, `2 parameters`.
fn counted(count: usize) -> String {
    format!("{count} parameter{}", if count == 1 { "" } else { "s" })
}

/// Formats a count: `1 argument is`, `2 arguments are`.
fn given(count: usize) -> String {
    format!("{count} argument{}", if count == 1 { " is" } else { "s are" })
}

/// Returns the kernel and the arguments of each launch that names a kernel or arguments, and those
/// of the file if a launch uses both of them.
fn launches(file: &LaunchFile) -> Vec<(&Spanned<String>, &Arguments)> {
    let (mut found, mut whole) = (Vec::new(), !file.streams.is_empty());
    for launch in file.launches() {
        if launch.entry.is_none() && launch.params.is_none() {
            whole = false;
        } else if let Some(entry) = launch.entry.as_ref().or(file.entry.as_ref()) {
            found.push((entry, launch.params.as_ref().unwrap_or(&file.params)));
        }
    }
    found.extend(file.entry.iter().filter(|_| !whole).map(|entry| (entry, &file.params)));
    found
}

/// Iterates over the arguments of launches that have their own.
fn own_arguments(file: &LaunchFile) -> impl Iterator<Item = &Arguments> {
    file.launches().filter_map(|launch| launch.params.as_ref())
}

/// Reports names that are not parameters, and parameters without an argument; returns whether all
/// names are right.
fn check_names(
    arguments: &Arguments,
    kernel: &str,
    params: &[Param],
    diagnostics: &mut Vec<Diagnostic>,
) -> bool {
    let names: Vec<&Spanned<String>> =
        arguments.value.iter().filter_map(|given| given.name.as_ref()).collect();
    if names.is_empty() {
        return true;
    }
    let before = diagnostics.len();
    let is_given = |name: &str| names.iter().any(|given| given.value == name);
    let known = || params.iter().map(|param| param.name.as_str());
    for name in names.iter().filter(|name| !known().any(|known| known == name.value)) {
        report_unknown("parameter", name, known(), diagnostics);
    }
    let missing: Vec<&str> = known().filter(|name| !is_given(name)).collect();
    if !missing.is_empty() {
        let message = format!("kernel `{kernel}` has parameters without an argument: {}", listed(missing));
        diagnostics.push(
            Diagnostic::error(codes::ARGUMENTS, arguments.span, message).label("arguments of the kernel"),
        );
    }
    diagnostics.len() == before
}

fn check_arguments(
    arguments: &Arguments,
    kernel: &str,
    program: &Program,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let params = &program.params;
    if !check_names(arguments, kernel, params, diagnostics) {
        return;
    }
    if arguments.value.len() != params.len() {
        let message = format!(
            "kernel `{kernel}` has {}, but {} given",
            counted(params.len()),
            given(arguments.value.len())
        );
        let list: Vec<String> = params.iter().map(|p| format!("{} {}", p.ty, p.name)).collect();
        let note = format!("parameters of the kernel: {}", list.join(", "));
        diagnostics.push(
            Diagnostic::error(codes::ARGUMENTS, arguments.span, message)
                .label("arguments of the kernel")
                .note(note),
        );
        return;
    }
    // A wrong argument has been reported; without it the others have no order.
    if arguments.value.iter().any(|given| given.value.is_none()) {
        return;
    }
    for (argument, param) in in_order(arguments, params).into_iter().zip(params) {
        let message = || {
            format!(
                "the argument does not match parameter `{}` ({}, {} bytes)",
                param.name, param.ty, param.bytes
            )
        };
        let wrong = match &argument.value {
            value if has_parts(program, param, value) => {
                let wrong = structure::bytes(program, param, argument, &mut |_, _| 0).err();
                diagnostics.extend(wrong.into_iter().flatten().map(|wrong| {
                    Diagnostic::error(codes::ARGUMENTS, wrong.span, message()).label(wrong.why)
                }));
                None
            }
            Argument::Buffer(..) | Argument::Constant(_) | Argument::Local(_)
                if !matches!(param.bytes, 4 | 8) =>
            {
                Some("an address has 4 or 8 bytes".to_owned())
            }
            Argument::Number(value) => number(*value, param).err(),
            Argument::Scalar(ty, _) if ty.bytes() != param.bytes => {
                Some(format!("{ty} has {} bytes", ty.bytes()))
            }
            Argument::Scalar(ty, _) if mixes_kinds(*ty, param.ty) => Some(format!(
                "the kernel reads {ty} as {}; use `b{}` to pass the bits",
                param.ty,
                ty.bytes() * 8
            )),
            Argument::Bytes(bytes) if bytes.len() != param.bytes as usize => {
                Some(format!("{} bytes", bytes.len()))
            }
            _ => None,
        };
        if let Some(label) = wrong {
            diagnostics.push(Diagnostic::error(codes::ARGUMENTS, argument.span, message()).label(label));
        }
    }
}

/// Whether an argument is read by the type of its parameter in CUDA C.
pub fn has_parts(program: &Program, param: &Param, argument: &Argument) -> bool {
    match argument {
        Argument::Fields(_) | Argument::Elements(_) => true,
        Argument::Bytes(_) | Argument::Constant(_) | Argument::Local(_) => false,
        Argument::Number(_) | Argument::Scalar(..) | Argument::Buffer(..) => {
            structure::is_structure(program, param)
        }
    }
}
