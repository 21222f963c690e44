//! Reads RON text into an [`Experiment`]: checks names, types and ranges, but nothing that needs a
//! kernel, a chip or another file.

use super::analyses::read_analyses;
use super::factors::{read_factors, read_linked, texts};
use super::names::Known;
use super::schema::{
    Design, Experiment, Factor, Formula, Idealize, Kernel, Linked, NamedFormula, Source, Stop,
};
use crate::formula;
use crate::{Spanned, codes};
use isa::diag::{Diagnostic, nearest};
use isa::span::Span;
use sim_core::config::read::{Fields, Reader, Tagged};
use sim_core::config::tree::{Kind, Node, parse};
use std::path::PathBuf;

/// Maximum number of points of a sampled design.
const MOST_SAMPLES: u64 = 1_000_000;

/// Reads the text; `metrics` are the names of all metrics. The second value has the errors.
pub fn read(text: &str, metrics: &[&'static str]) -> (Option<Experiment>, Vec<Diagnostic>) {
    let node = match parse(text, 0) {
        Ok(node) => node,
        Err(diagnostics) => return (None, diagnostics),
    };
    let reader = Reader::default();
    let fields = reader.fields(&node, "");
    let kernels = read_kernels(&fields);
    let factors = read_factors(&fields, text);
    check_only(&reader, &kernels, factors.iter().flat_map(|factor| &factor.only));
    let over_factors = Known { factors: &factors, formulas: None, metrics };
    let linked = read_linked(&fields, &over_factors);
    check_only(&reader, &kernels, linked.iter().flat_map(|linked: &Linked| &linked.only));
    let conditions = items(&fields, "conditions");
    let conditions =
        conditions.iter().filter_map(|n| read_formula(&reader, n, "a condition", &over_factors)).collect();
    let design = read_design(&fields, &factors);
    let formulas = read_formulas(&fields, &factors, metrics);
    let known = Known { factors: &factors, formulas: Some(&formulas), metrics };
    let analyses = read_analyses(&fields, &known);
    let columns = texts(&fields, "metrics");
    for column in columns.iter().filter(|column| !metrics.contains(&column.value.as_str())) {
        let message = format!("unknown metric `{}`", column.value);
        let diagnostic = Diagnostic::error(codes::UNKNOWN_NAME, message, column.span, "not a metric");
        let near = nearest(&column.value, metrics.iter().copied());
        reader.push(diagnostic.help("docs/METRICS.md lists all metrics").meant(near));
    }
    let flag = |name: &'static str| fields.optional(name).and_then(|n| reader.bool(n, name));
    let idealize =
        [("none", Idealize::None), ("gains", Idealize::Gains), ("interactions", Idealize::Interactions)];
    let file = Experiment {
        name: fields.optional("name").and_then(|n| string(&reader, n, "name")),
        kernels,
        chips: texts(&fields, "chips"),
        optimize: flag("optimize").unwrap_or(true),
        fmad: flag("fmad").unwrap_or(false),
        factors: Vec::new(),
        linked,
        conditions,
        design,
        seeds: read_seeds(&fields),
        sample: flag("sample").unwrap_or(false),
        warmup: whole(&fields, "warmup", 0).unwrap_or(0),
        max_cycles: whole(&fields, "max_cycles", 1),
        idealize: fields
            .optional("idealize")
            .and_then(|n| reader.choice(n, "idealize", &idealize))
            .unwrap_or_default(),
        stop: read_stop(&fields),
        metrics: columns,
        formulas: Vec::new(),
        analyses,
    };
    fields.finish();
    let file = Experiment { factors, formulas, ..file };
    let mut diagnostics = reader.finish().0;
    diagnostics.sort_by_key(|d| d.labels.first().map_or(0, |(span, _)| span.start));
    (Some(file), diagnostics)
}

/// Returns the items of an optional list.
pub(super) fn items<'n>(fields: &Fields<'n>, name: &'static str) -> &'n [Node] {
    fields.optional(name).and_then(|node| fields.reader().items(node, name)).unwrap_or_default()
}

/// Reads a string with its position.
pub(super) fn string(reader: &Reader, node: &Node, what: &str) -> Option<Spanned<String>> {
    reader.string(node, what).map(|text| Spanned { value: text.to_owned(), span: node.span })
}

/// Reads an optional whole number of at least `least`.
fn whole(fields: &Fields<'_>, name: &'static str, least: i128) -> Option<u64> {
    let node = fields.optional(name)?;
    fields.reader().int(node, name, &(least..=i128::from(u64::MAX))).map(|value| value as u64)
}

/// Reads a formula.
pub(super) fn read_formula(reader: &Reader, node: &Node, what: &str, names: &Known<'_>) -> Option<Formula> {
    let text = Spanned { value: reader.text(node, what)?.to_owned(), span: node.span };
    match formula::parse(&text.value, names) {
        Ok(expression) => Some(Formula { text, expression }),
        Err(error) => {
            // A plain string is its content between two quotes.
            let plain = text.span.range().len() == text.value.len() + 2;
            let at = |offset: usize| text.span.start as usize + 1 + offset;
            let span = if plain { Span::new(at(error.range.start), at(error.range.end)) } else { text.span };
            reader.push(Diagnostic::error(codes::FORMULA, error.message, span, "in this formula"));
            None
        }
    }
}

/// Reports names of kernels that the file does not have.
fn check_only<'f>(reader: &Reader, kernels: &[Kernel], only: impl Iterator<Item = &'f Spanned<String>>) {
    for name in only.filter(|name| kernels.iter().all(|kernel| kernel.name != name.value)) {
        let names = || kernels.iter().map(|kernel| kernel.name.as_str());
        let message = format!("unknown kernel `{}`", name.value);
        let label = format!("expected one of: {}", names().collect::<Vec<_>>().join(", "));
        let diagnostic = Diagnostic::error(codes::UNKNOWN_NAME, message, name.span, label);
        reader.push(diagnostic.meant(nearest(&name.value, names())));
    }
}

/// Reports a second use of a name.
pub(super) fn report_twice(reader: &Reader, what: &str, name: &str, span: Span, first: Span) {
    let message = format!("two {what} have the name `{name}`");
    let diagnostic = Diagnostic::error(codes::DUPLICATE, message, span, "second use");
    reader.push(diagnostic.label(first, "first use").help("add a `name`"));
}

fn read_kernels(fields: &Fields<'_>) -> Vec<Kernel> {
    let reader = fields.reader();
    let Some(node) = fields.required("kernels") else { return Vec::new() };
    let list = reader.items(node, "kernels").unwrap_or_default();
    if list.is_empty() && matches!(node.kind, Kind::List(_)) {
        let message = "the list of kernels is empty";
        reader.push(Diagnostic::error(codes::VALUES, message, node.span, "expected a kernel"));
    }
    let mut kernels: Vec<Kernel> = Vec::new();
    for item in list {
        for kernel in read_kernel(reader, item) {
            match kernels.iter().find(|other| other.name == kernel.name) {
                Some(first) => report_twice(reader, "kernels", &kernel.name, kernel.span, first.span),
                None => kernels.push(kernel),
            }
        }
    }
    kernels
}

/// Reads a kernel; with several sizes, one for each size.
fn read_kernel(reader: &Reader, node: &Node) -> Vec<Kernel> {
    let fields = reader.fields(node, "an entry of kernels");
    let name = fields.optional("name").and_then(|n| string(reader, n, "name")).map(|name| name.value);
    let builtin = fields.optional("kernel").and_then(|n| string(reader, n, "kernel"));
    let path = |text: Spanned<String>| Spanned { value: PathBuf::from(text.value), span: text.span };
    let ptx = fields.optional("ptx").and_then(|n| string(reader, n, "ptx")).map(path);
    let kernels = match (builtin, ptx) {
        (Some(kernel), None) => {
            let sizes: Vec<u64> = match (fields.optional("sizes"), whole(&fields, "size", 0)) {
                (Some(list), _) => {
                    let items = reader.items(list, "sizes").unwrap_or_default();
                    let size = |n| reader.int(n, "a size", &(0..=i128::from(u64::MAX)));
                    items.iter().filter_map(size).map(|size| size as u64).collect()
                }
                (None, size) => size.into_iter().collect(),
            };
            let name = name.unwrap_or_else(|| kernel.value.clone());
            let one = |size: Option<u64>, name: String| Kernel {
                name,
                span: node.span,
                source: Source::Builtin { kernel: kernel.clone(), size },
            };
            match sizes.as_slice() {
                [] => vec![one(None, name)],
                [size] => vec![one(Some(*size), name)],
                several => several.iter().map(|s| one(Some(*s), format!("{name} {s}"))).collect(),
            }
        }
        (None, Some(ptx)) => {
            let launch = fields.required("launch").and_then(|n| string(reader, n, "launch")).map(path);
            let stem = || ptx.value.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            let name = name.unwrap_or_else(stem);
            let launch = launch.into_iter();
            let source = launch.map(|launch| Source::File { ptx: ptx.clone(), launch });
            source.map(|source| Kernel { name: name.clone(), span: node.span, source }).collect()
        }
        _ => {
            if matches!(node.kind, Kind::Struct(_)) {
                let message = "a kernel has either `kernel: \"name\"` or `ptx: \"file\"`";
                let label = "expected exactly one of the two fields";
                reader.push(Diagnostic::error(codes::ONE_OF, message, node.span, label));
            }
            for name in ["launch", "size", "sizes"] {
                fields.optional(name);
            }
            Vec::new()
        }
    };
    fields.finish();
    kernels
}

fn read_seeds(fields: &Fields<'_>) -> Vec<u64> {
    let seed = |n: &Node| fields.reader().int(n, "a seed", &(0..=i128::from(u64::MAX)));
    items(fields, "seeds").iter().filter_map(seed).map(|seed| seed as u64).collect()
}

fn read_stop(fields: &Fields<'_>) -> Stop {
    let Some(node) = fields.optional("stop") else { return Stop::default() };
    let inner = fields.reader().fields(node, "stop");
    let minutes = inner.optional("minutes").and_then(|n| positive(fields.reader(), n, "stop.minutes"));
    let stop = Stop { failed: whole(&inner, "failed", 1), points: whole(&inner, "points", 1), minutes };
    inner.finish();
    stop
}

/// Reads a number above 0.
fn positive(reader: &Reader, node: &Node, what: &str) -> Option<f64> {
    let value = reader.number(node, what)?;
    if value > 0.0 && value.is_finite() {
        return Some(value);
    }
    let message = format!("{what} must be above 0, found {value}");
    reader.push(Diagnostic::error(
        sim_core::config::codes::OUT_OF_RANGE,
        message,
        node.span,
        "invalid number",
    ));
    None
}

fn read_formulas(fields: &Fields<'_>, factors: &[Factor], metrics: &[&'static str]) -> Vec<NamedFormula> {
    let reader = fields.reader();
    let Some(node) = fields.optional("formulas") else { return Vec::new() };
    let Kind::Map(entries) = &node.kind else {
        reader.wrong_type(node, "formulas", "a map `{ \"name\": \"formula\", … }`");
        return Vec::new();
    };
    let mut formulas: Vec<NamedFormula> = Vec::new();
    for (key, value) in entries {
        let Some(name) = string(reader, key, "a name") else { continue };
        let taken = formulas.iter().map(|f| &f.name).chain(factors.iter().map(|f| &f.name));
        if let Some(first) = taken.into_iter().find(|other| other.value == name.value) {
            report_twice(reader, "formulas or factors", &name.value, name.span, first.span);
            continue;
        }
        let known = Known { factors, formulas: Some(&formulas), metrics };
        if let Some(formula) = read_formula(reader, value, "a formula", &known) {
            formulas.push(NamedFormula { name, formula });
        }
    }
    formulas
}

fn read_design(fields: &Fields<'_>, factors: &[Factor]) -> Design {
    let reader = fields.reader();
    let Some(node) = fields.optional("design") else { return Design::Full };
    let words = ["full", "one_at_a_time", "latin_hypercube", "random", "sensitivity"];
    let Some(Tagged { word, fields: inner, .. }) = reader.tagged(node, "design", &words) else {
        return Design::Full;
    };
    let points = || inner.u64("points", 1..=MOST_SAMPLES).unwrap_or(1);
    let seed = || whole(&inner, "seed", 0).unwrap_or(1);
    let design = match word {
        "one_at_a_time" => Design::OneAtATime { base: read_base(reader, inner.optional("base"), factors) },
        "latin_hypercube" => Design::LatinHypercube { points: points(), seed: seed() },
        "random" => Design::Random { points: points(), seed: seed() },
        "sensitivity" => {
            if let Some(factor) = factors.first() {
                let message =
                    "the design `sensitivity` has no factors: it varies the timing fields of the chip";
                let label = "remove the factors, or choose another design";
                reader.push(Diagnostic::error(codes::NOT_APPLICABLE, message, factor.name.span, label));
            }
            let percent = inner.optional("percent").and_then(|n| positive(reader, n, "percent"));
            Design::Sensitivity { percent: percent.unwrap_or(25.0), fields: texts(&inner, "fields") }
        }
        _ => Design::Full,
    };
    inner.finish();
    design
}

/// Reads the base values of factors: the first value, unless the map has another one.
fn read_base(reader: &Reader, node: Option<&Node>, factors: &[Factor]) -> Vec<usize> {
    let mut base = vec![0; factors.len()];
    let Some(node) = node else { return base };
    let Kind::Map(entries) = &node.kind else {
        reader.wrong_type(node, "base", "a map `{ \"factor\": value, … }`");
        return base;
    };
    for (key, value) in entries {
        let Some(name) = string(reader, key, "a factor") else { continue };
        let Some(index) = factors.iter().position(|factor| factor.name.value == name.value) else {
            let near = nearest(&name.value, factors.iter().map(|f| f.name.value.as_str()));
            let message = format!("unknown factor `{}`", name.value);
            let diagnostic = Diagnostic::error(codes::UNKNOWN_NAME, message, name.span, "not a factor");
            reader.push(diagnostic.meant(near));
            continue;
        };
        let number = match value.kind {
            Kind::Int(number) => Some(number as f64),
            Kind::Float(number) => Some(number),
            _ => None,
        };
        let word = match &value.kind {
            Kind::Variant { name, args: None, .. } | Kind::Str(name) => Some(name.as_str()),
            _ => None,
        };
        let is_base = |level: &super::Level| {
            number.is_some() && level.number == number
                || word.is_some_and(|word| level.text.trim_matches('"') == word)
        };
        if let Some(level) = factors[index].levels.iter().position(is_base) {
            base[index] = level;
        } else {
            let message = format!("the base of `{}` is not one of its values", name.value);
            let label = "expected a value of the factor";
            reader.push(Diagnostic::error(codes::VALUES, message, value.span, label));
        }
    }
    base
}
