//! Factors: the fields that an experiment sets, and their values.

use super::names::report_twice;
use super::schema::{Design, Factor, FactorEntry, Level, Steps, Target};
use crate::codes;
use isa::diag::{Diagnostic, nearest};
use isa::span::{Span, Spanned};
use sim_core::config::read::Reader;
use sim_core::config::tree::{Node, NodeKind};

/// Maximum number of values of a factor.
const MOST_LEVELS: usize = 100_000;

/// Returns the factors; `text` is the text of the file.
pub(super) fn resolve(reader: &Reader, entries: &[FactorEntry], text: &str) -> Vec<Factor> {
    let mut factors: Vec<Factor> = Vec::new();
    for entry in entries {
        let levels = levels(reader, entry, text);
        let name = entry.name.clone().or_else(|| entry.vary.first().map(default_name));
        let Some(name) = name else { continue };
        check_name(reader, &name);
        if let Some(first) = factors.iter().find(|other| other.name.value == name.value) {
            report_twice(reader, "factors", &name.value, name.span, first.name.span);
            continue;
        }
        let (targets, only) = (entry.vary.clone(), entry.only.clone());
        factors.push(Factor { name, targets, levels, only });
    }
    factors
}

/// Returns the name of a factor without a name: the last word of the path.
fn default_name(target: &Spanned<Target>) -> Spanned<String> {
    let value = match &target.value {
        Target::Chip(path) | Target::Launch(path) => {
            path.rsplit('.').find(|step| step.parse::<u64>().is_err()).unwrap_or(path).to_owned()
        }
        Target::Argument(number) => format!("argument{number}"),
        Target::Size => "size".to_owned(),
        Target::Registers => "registers".to_owned(),
    };
    Spanned { value, span: target.span }
}

/// Reports a name that formulas and columns cannot use.
fn check_name(reader: &Reader, name: &Spanned<String>) {
    let starts = name.value.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    let reserved = ["kernel", "chip", "seed", "point", "verdict", "message", "digest", "ideal", "field"];
    if reserved.contains(&name.value.as_str()) {
        let message = format!("`{}` is the name of a column", name.value);
        reader.push(Diagnostic::error(codes::DUPLICATE, name.span, message).label("choose another name"));
    } else if !starts || !name.value.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
        let message = format!("`{}` is not the name of a factor", name.value);
        let label = "expected letters, digits and `_`";
        let diagnostic = Diagnostic::error(codes::FORMULA, name.span, message).label(label);
        reader.push(diagnostic.help("add a `name`"));
    }
}

/// Returns the values of `values`, `range` or `log_range`.
fn levels(reader: &Reader, entry: &FactorEntry, text: &str) -> Vec<Level> {
    match (&entry.values, &entry.range, &entry.log_range) {
        (Some(values), None, None) => listed(reader, values, text),
        (None, Some(range), None) => steps(reader, range, "range", false),
        (None, None, Some(range)) => steps(reader, range, "log_range", true),
        _ => {
            let message = "a factor has one of `values: […]`, `range: (…)` and `log_range: (…)`";
            let label = "expected exactly one of the three fields";
            reader.push(Diagnostic::error(codes::ONE_OF, entry.span, message).label(label));
            Vec::new()
        }
    }
}

/// Returns a number of RON.
fn number(node: &Node) -> Option<f64> {
    match node.kind {
        NodeKind::Int(value) => Some(value as f64),
        NodeKind::Float(value) => Some(value),
        _ => None,
    }
}

fn listed(reader: &Reader, values: &Spanned<Vec<Node>>, text: &str) -> Vec<Level> {
    let items = &values.value;
    if items.is_empty() {
        let message = "the list of values is empty";
        reader.push(Diagnostic::error(codes::VALUES, values.span, message).label("expected a value"));
    }
    let level = |item: &Node| Level { text: text[item.span.range()].to_owned(), number: number(item) };
    let levels: Vec<Level> = items.iter().map(level).collect();
    for (index, level) in levels.iter().enumerate() {
        if let Some(first) = levels[..index].iter().position(|other| other.text == level.text) {
            let message = format!("the value {} is given twice", level.text);
            let diagnostic =
                Diagnostic::error(codes::DUPLICATE, items[index].span, message).label("second time");
            reader.push(diagnostic.at(items[first].span, "first time"));
        }
    }
    levels
}

/// Returns the values of a range; the step of a logarithmic range is a factor.
fn steps(reader: &Reader, range: &Spanned<Steps>, what: &str, logarithmic: bool) -> Vec<Level> {
    let Steps { ends: (from, to), step, whole } = range.value;
    let step = step.unwrap_or(if logarithmic { 2.0 } else { 1.0 });
    let grows = if logarithmic { step > 1.0 && from > 0.0 } else { step > 0.0 };
    if !(grows && from <= to && [from, to, step].iter().all(|x| x.is_finite() && x.abs() < 1e15)) {
        bad_range(reader, range.span, format!("the {what} from {from} to {to} has no values"));
        return Vec::new();
    }
    let at = |i: usize| if logarithmic { from * step.powi(i as i32) } else { from + step * i as f64 };
    // Half of a rounding error, so that the end of a range of fractions is included.
    let end = to * (1.0 + to.signum() * 1e-12);
    let mut levels: Vec<Level> = Vec::new();
    for value in (0..=MOST_LEVELS).map(at).take_while(|value| *value <= end) {
        let value = if whole || logarithmic && from.fract() == 0.0 { value.round() } else { value };
        let text = if value.fract() == 0.0 { format!("{value:.0}") } else { format!("{value}") };
        if levels.last().is_none_or(|last| last.text != text) {
            levels.push(Level { text, number: Some(value) });
        }
    }
    if levels.len() > MOST_LEVELS {
        bad_range(reader, range.span, format!("the {what} has more than {MOST_LEVELS} values"));
        return Vec::new();
    }
    levels
}

fn bad_range(reader: &Reader, span: Span, message: String) {
    reader.push(Diagnostic::error(codes::VALUES, span, message).label("expected increasing numbers"));
}

/// Returns the position of the base value of each factor: the first value, unless the design has
/// another one. Reports factors that the design cannot have.
pub(super) fn base(reader: &Reader, design: &Design, factors: &[Factor]) -> Vec<usize> {
    let mut base = vec![0; factors.len()];
    let given = match design {
        Design::OneAtATime(given) => given.base.as_slice(),
        Design::Sensitivity(_) => {
            if let Some(factor) = factors.first() {
                let message =
                    "the design `sensitivity` has no factors: it varies the timing fields of the chip";
                let label = "remove the factors, or choose another design";
                reader.push(Diagnostic::error(codes::NOT_APPLICABLE, factor.name.span, message).label(label));
            }
            &[]
        }
        Design::Full | Design::LatinHypercube(_) | Design::Random(_) => &[],
    };
    for (name, value) in given {
        let Some(index) = factors.iter().position(|factor| factor.name.value == name.value) else {
            let near = nearest(&name.value, factors.iter().map(|f| f.name.value.as_str()));
            let message = format!("unknown factor `{}`", name.value);
            let diagnostic = Diagnostic::error(codes::UNKNOWN_NAME, name.span, message).label("not a factor");
            reader.push(diagnostic.meant(near));
            continue;
        };
        let word = match &value.kind {
            NodeKind::Variant { name, args: None, .. } | NodeKind::Str(name) => Some(name.as_str()),
            _ => None,
        };
        let is_base = |level: &Level| {
            number(value).is_some() && level.number == number(value)
                || word.is_some_and(|word| level.text.trim_matches('"') == word)
        };
        if let Some(level) = factors[index].levels.iter().position(is_base) {
            base[index] = level;
        } else if !factors[index].levels.is_empty() {
            let message = format!("the base of `{}` is not one of its values", name.value);
            let label = "expected a value of the factor";
            reader.push(Diagnostic::error(codes::VALUES, value.span, message).label(label));
        }
    }
    base
}
