//! Reads RON text into an [`Experiment`]: checks names, types and ranges, but nothing that needs a
//! kernel, a chip or another file.

use super::names::{Known, parse_formula, placeholder, report_twice};
use super::schema::{Experiment, ExperimentFile, Factor, Kernel, KernelEntry, Linked, NamedFormula, Source};
use super::{analyses, factors};
use crate::codes;
use isa::diag::{Diagnostic, nearest};
use isa::span::{Span, Spanned};
use sim_core::config::codes::MISSING_FIELD;
use sim_core::config::read::Reader;
use sim_core::config::schema::Record;
use sim_core::config::tree::parse;
use std::path::PathBuf;

/// Reads the text; `metrics` are the names of all metrics. The second value has the errors.
pub fn read(text: &str, metrics: &[&'static str]) -> (Option<Experiment>, Vec<Diagnostic>) {
    let node = match parse(text, 0) {
        Ok(node) => node,
        Err(diagnostics) => return (None, diagnostics),
    };
    let reader = Reader::default();
    let given = ExperimentFile::read(reader.fields(&node, ""));
    let file = given.map(|given| resolve(&reader, given, text, metrics));
    let mut diagnostics = reader.finish().0;
    diagnostics.sort_by_key(Diagnostic::start);
    (file, diagnostics)
}

/// Makes the kernels, factors and formulas of the file, and reports errors in their names.
fn resolve(reader: &Reader, given: ExperimentFile, text: &str, metrics: &[&'static str]) -> Experiment {
    let kernels = kernels(reader, given.kernels.as_ref());
    let factors = factors::resolve(reader, &given.factors, text);
    let over_factors = Known { factors: &factors, formulas: None, metrics };
    let linked: Vec<Linked> = given
        .linked
        .iter()
        .filter_map(|entry| {
            let formula = parse_formula(reader, &entry.formula, &over_factors)?;
            Some(Linked { targets: entry.vary.clone(), formula, only: entry.only.clone() })
        })
        .collect();
    let only =
        given.factors.iter().map(|entry| &entry.only).chain(given.linked.iter().map(|entry| &entry.only));
    let entries = given.kernels.as_ref().map_or(&[][..], |all| all.value.as_slice());
    check_only(reader, (&kernels, entries), only.flatten());
    let conditions = given.conditions.iter();
    let conditions = conditions.filter_map(|text| parse_formula(reader, text, &over_factors)).collect();
    let base = factors::base(reader, &given.design, &factors);
    let formulas = formulas(reader, &given.formulas, &factors, metrics);
    let known = Known { factors: &factors, formulas: Some(&formulas), metrics };
    let analyses = given.analyses.iter();
    let analyses = analyses.filter_map(|question| analyses::resolve(reader, question, &known)).collect();
    for column in given.metrics.iter().filter(|column| !metrics.contains(&column.value.as_str())) {
        let message = format!("unknown metric `{}`", column.value);
        let diagnostic = Diagnostic::error(codes::UNKNOWN_NAME, column.span, message).label("not a metric");
        let near = nearest(&column.value, metrics.iter().copied());
        reader.push(diagnostic.help("docs/METRICS.md lists all metrics").meant(near));
    }
    Experiment { given, kernels, factors, linked, conditions, base, formulas, analyses }
}

/// Reports names of kernels that the file does not have.
/// An entry with an error has its name, too.
fn check_only<'f>(
    reader: &Reader,
    (kernels, entries): (&[Kernel], &[KernelEntry]),
    only: impl Iterator<Item = &'f Spanned<String>>,
) {
    let is_kernel = |name: &str| kernels.iter().any(|kernel| kernel.name == name);
    let is_entry = |name: &str| entries.iter().any(|entry| entry_name(entry).is_some_and(|own| own == name));
    for name in only.filter(|name| !is_kernel(&name.value) && !is_entry(&name.value)) {
        let names = || kernels.iter().map(|kernel| kernel.name.as_str());
        let message = format!("unknown kernel `{}`", name.value);
        let label = format!("expected one of: {}", names().collect::<Vec<_>>().join(", "));
        let diagnostic = Diagnostic::error(codes::UNKNOWN_NAME, name.span, message).label(label);
        reader.push(diagnostic.meant(nearest(&name.value, names())));
    }
}

fn kernels(reader: &Reader, entries: Option<&Spanned<Vec<KernelEntry>>>) -> Vec<Kernel> {
    let Some(Spanned { value: entries, span }) = entries else { return Vec::new() };
    if entries.is_empty() {
        let message = "the list of kernels is empty";
        reader.push(Diagnostic::error(codes::VALUES, *span, message).label("expected a kernel"));
    }
    let mut kernels: Vec<Kernel> = Vec::new();
    for kernel in entries.iter().flat_map(|entry| kernels_of(reader, entry)) {
        match kernels.iter().find(|other| other.name == kernel.name) {
            Some(first) => report_twice(reader, "kernels", &kernel.name, kernel.span, first.span),
            None => kernels.push(kernel),
        }
    }
    kernels
}

/// Returns the name of an entry without sizes.
fn entry_name(entry: &KernelEntry) -> Option<String> {
    let file =
        |ptx: &Spanned<PathBuf>| ptx.value.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let builtin = || entry.kernel.as_ref().map(|kernel| kernel.value.clone());
    entry.name.clone().or_else(builtin).or_else(|| entry.ptx.as_ref().or(entry.program.as_ref()).map(file))
}

/// Returns the kernel of an entry; with several sizes, one for each size.
fn kernels_of(reader: &Reader, entry: &KernelEntry) -> Vec<Kernel> {
    let one_of = |message: &str, label: &str| {
        reader.push(Diagnostic::error(codes::ONE_OF, entry.span, message).label(label));
    };
    let sized = entry.size.is_some() || !entry.sizes.is_empty();
    let one = |name: String, source: Source| Kernel { name, span: entry.span, source };
    let of_program = [
        ("arguments", !entry.arguments.is_empty()),
        ("input", entry.input.is_some()),
        ("files", !entry.files.is_empty()),
    ];
    if let Some((field, _)) = of_program.iter().find(|(_, given)| *given && entry.program.is_none()) {
        one_of(&format!("only a program has `{field}`"), "expected `program`");
    }
    match (&entry.kernel, &entry.ptx, &entry.program) {
        (Some(kernel), None, None) => {
            if entry.size.is_some() && !entry.sizes.is_empty() {
                one_of("a kernel has either `size` or `sizes`", "remove one of the two fields");
            }
            if entry.launch.is_some() {
                one_of("a built-in kernel has no `launch`", "expected `kernel` or `launch`");
            }
            let name = entry.name.clone().unwrap_or_else(|| kernel.value.clone());
            let builtin = |size| Source::Builtin { kernel: kernel.clone(), size };
            match entry.sizes.as_slice() {
                [] => vec![one(name, builtin(entry.size))],
                [size] => vec![one(name, builtin(Some(*size)))],
                several => several.iter().map(|s| one(format!("{name} {s}"), builtin(Some(*s)))).collect(),
            }
        }
        (None, None, Some(file)) => {
            if sized || entry.launch.is_some() {
                one_of("a program has neither a size nor a `launch`", "its host code launches its kernels");
            }
            let (file, arguments) = (file.clone(), entry.arguments.clone());
            let (input, files) = (entry.input.clone(), entry.files.clone());
            vec![one(
                entry_name(entry).unwrap_or_default(),
                Source::Program { file, arguments, input, files },
            )]
        }
        (None, Some(ptx), None) => {
            if sized {
                one_of("a PTX file has no size", "expected `kernel` or no size");
            }
            let Some(launch) = entry.launch.clone() else {
                let head = Span { end: entry.span.start + 1, ..entry.span };
                let (message, label) = ("a PTX file needs a `launch`", "expected `launch` here");
                reader.push(Diagnostic::error(MISSING_FIELD, head, message).label(label));
                return Vec::new();
            };
            let name = entry_name(entry).unwrap_or_default();
            vec![one(name, Source::File { ptx: ptx.clone(), launch })]
        }
        _ => {
            let message = "a kernel has one of `kernel: \"name\"`, `ptx: \"file\"` and `program: \"file\"`";
            one_of(message, "expected exactly one of the three fields");
            Vec::new()
        }
    }
}

fn formulas(
    reader: &Reader,
    given: &[(Spanned<String>, Spanned<String>)],
    factors: &[Factor],
    metrics: &[&'static str],
) -> Vec<NamedFormula> {
    let mut formulas: Vec<NamedFormula> = Vec::new();
    for (name, text) in given {
        let mut taken = formulas.iter().map(|f| &f.name).chain(factors.iter().map(|f| &f.name));
        if let Some(first) = taken.find(|other| other.value == name.value) {
            report_twice(reader, "formulas or factors", &name.value, name.span, first.span);
            continue;
        }
        let known = Known { factors, formulas: Some(&formulas), metrics };
        if let Some(formula) = parse_formula(reader, text, &known).or_else(|| placeholder(text, &known)) {
            formulas.push(NamedFormula { name: name.clone(), formula });
        }
    }
    formulas
}
