//! Factors and linked fields: the fields that an experiment sets, and their values.

use super::names::Known;
use super::read::{items, read_formula, report_twice, string};
use super::schema::{Factor, Level, Linked, Target};
use crate::{Spanned, codes};
use isa::diag::Diagnostic;
use isa::span::Span;
use sim_core::config::read::{Fields, Reader};
use sim_core::config::tree::{Kind, Node};

/// Maximum number of values of a factor.
const MOST_LEVELS: usize = 100_000;

/// Reads a list of strings.
pub(super) fn texts(fields: &Fields<'_>, name: &'static str) -> Vec<Spanned<String>> {
    items(fields, name).iter().filter_map(|item| string(fields.reader(), item, name)).collect()
}

/// Reads the factors of the file; `text` is the text of the file.
pub(super) fn read_factors(fields: &Fields<'_>, text: &str) -> Vec<Factor> {
    let reader = fields.reader();
    let mut factors: Vec<Factor> = Vec::new();
    for item in items(fields, "factors") {
        let inner = reader.fields(item, "an entry of factors");
        let targets = read_targets(&inner);
        let levels = read_levels(&inner, item, text);
        let name = inner.optional("name").and_then(|n| string(reader, n, "name"));
        let name = name.or_else(|| targets.first().map(default_name));
        let only = texts(&inner, "only");
        inner.finish();
        let Some(name) = name else { continue };
        check_name(reader, &name);
        match factors.iter().find(|other| other.name.value == name.value) {
            Some(first) => report_twice(reader, "factors", &name.value, name.span, first.name.span),
            None => factors.push(Factor { name, targets, levels, only }),
        }
    }
    factors
}

/// Reads the fields that follow from the factors.
pub(super) fn read_linked(fields: &Fields<'_>, names: &Known<'_>) -> Vec<Linked> {
    let reader = fields.reader();
    let one = |item: &Node| {
        let inner = reader.fields(item, "an entry of linked");
        let targets = read_targets(&inner);
        let formula = inner.required("formula").and_then(|n| read_formula(reader, n, "formula", names));
        let only = texts(&inner, "only");
        inner.finish();
        Some(Linked { targets, formula: formula?, only })
    };
    items(fields, "linked").iter().filter_map(one).collect()
}

/// Returns the name of a factor without a name: the last word of the path.
fn default_name(target: &Spanned<Target>) -> Spanned<String> {
    let value = match &target.value {
        Target::Chip(path) | Target::Launch(path) => {
            path.rsplit('.').find(|step| step.parse::<u64>().is_err()).unwrap_or(path).to_owned()
        }
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
        reader.push(Diagnostic::error(codes::DUPLICATE, message, name.span, "choose another name"));
    } else if !starts || !name.value.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
        let message = format!("`{}` is not the name of a factor", name.value);
        let label = "expected letters, digits and `_`";
        let diagnostic = Diagnostic::error(codes::FORMULA, message, name.span, label);
        reader.push(diagnostic.help("add a `name`"));
    }
}

/// Reads `vary`: one target or a list of targets.
fn read_targets(fields: &Fields<'_>) -> Vec<Spanned<Target>> {
    let reader = fields.reader();
    let Some(node) = fields.required("vary") else { return Vec::new() };
    let nodes = match &node.kind {
        Kind::List(nodes) => nodes.as_slice(),
        _ => std::slice::from_ref(node),
    };
    nodes.iter().filter_map(|node| read_target(reader, node)).collect()
}

fn read_target(reader: &Reader, node: &Node) -> Option<Spanned<Target>> {
    let tagged = reader.tagged(node, "vary", &["chip", "launch", "size", "registers"])?;
    let path = || match tagged.args.map(|args| &args.kind) {
        Some(Kind::Tuple(items)) if items.len() == 1 => reader.string(&items[0], "a path").map(str::to_owned),
        _ => {
            reader.wrong_type(node, "vary", "a path in parentheses, such as `chip(\"sm.max_warps\")`");
            None
        }
    };
    let value = match tagged.word {
        "chip" => Target::Chip(path()?),
        "launch" => Target::Launch(path()?),
        "size" => Target::Size,
        _ => Target::Registers,
    };
    Some(Spanned { value, span: node.span })
}

/// Reads `values`, `range` or `log_range`.
fn read_levels(fields: &Fields<'_>, item: &Node, text: &str) -> Vec<Level> {
    let reader = fields.reader();
    let forms = [fields.optional("values"), fields.optional("range"), fields.optional("log_range")];
    let (levels, span) = match forms {
        [Some(node), None, None] => (read_values(reader, node, text), node.span),
        [None, Some(node), None] => (read_range(reader, node, "range", false), node.span),
        [None, None, Some(node)] => (read_range(reader, node, "log_range", true), node.span),
        _ => {
            if matches!(item.kind, Kind::Struct(_)) {
                let message = "a factor has one of `values: […]`, `range: (…)` and `log_range: (…)`";
                let label = "expected exactly one of the three fields";
                reader.push(Diagnostic::error(codes::ONE_OF, message, item.span, label));
            }
            return Vec::new();
        }
    };
    if levels.as_ref().is_some_and(Vec::is_empty) {
        let message = "the list of values is empty";
        reader.push(Diagnostic::error(codes::VALUES, message, span, "expected a value"));
    }
    levels.unwrap_or_default()
}

fn read_values(reader: &Reader, node: &Node, text: &str) -> Option<Vec<Level>> {
    let items = reader.items(node, "values")?;
    let level = |item: &Node| {
        let number = match item.kind {
            Kind::Int(value) => Some(value as f64),
            Kind::Float(value) => Some(value),
            _ => None,
        };
        Level { text: text[item.span.range()].to_owned(), number }
    };
    let levels: Vec<Level> = items.iter().map(level).collect();
    for (index, level) in levels.iter().enumerate() {
        if let Some(first) = levels[..index].iter().position(|other| other.text == level.text) {
            let message = format!("the value {} is given twice", level.text);
            let diagnostic = Diagnostic::error(codes::DUPLICATE, message, items[index].span, "second time");
            reader.push(diagnostic.label(items[first].span, "first time"));
        }
    }
    Some(levels)
}

/// Reads `(from, to)` or `(from, to, step)`; the step of a logarithmic range is a factor.
fn read_range(reader: &Reader, node: &Node, what: &str, logarithmic: bool) -> Option<Vec<Level>> {
    let (Kind::Tuple(parts) | Kind::List(parts)) = &node.kind else {
        reader.wrong_type(node, what, "`(from, to)` or `(from, to, step)`");
        return None;
    };
    if !(2..=3).contains(&parts.len()) {
        reader.wrong_type(node, what, "`(from, to)` or `(from, to, step)`");
        return None;
    }
    let whole = parts.iter().all(|part| matches!(part.kind, Kind::Int(_)));
    let numbers: Vec<f64> = parts.iter().map(|p| reader.number(p, what)).collect::<Option<_>>()?;
    let (from, to) = (numbers[0], numbers[1]);
    let step = numbers.get(2).copied().unwrap_or(if logarithmic { 2.0 } else { 1.0 });
    let grows = if logarithmic { step > 1.0 && from > 0.0 } else { step > 0.0 };
    if !(grows && from <= to && [from, to, step].iter().all(|x| x.is_finite() && x.abs() < 1e15)) {
        return bad_range(reader, node.span, format!("the {what} from {from} to {to} has no values"));
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
        return bad_range(reader, node.span, format!("the {what} has more than {MOST_LEVELS} values"));
    }
    Some(levels)
}

fn bad_range(reader: &Reader, span: Span, message: String) -> Option<Vec<Level>> {
    reader.push(Diagnostic::error(codes::VALUES, message, span, "expected increasing numbers"));
    None
}
