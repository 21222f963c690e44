//! `config diff`: the fields and the derived numbers in which two chips differ.

use super::Loaded;
use super::derived;
use crate::args::ChipArgs;
use crate::exit::{Code, Failure};
use crate::output::print;
use crate::render::number::rate;
use crate::render::table::{Column, Columns, heading};
use report::ron_text::ron;
use sim_core::config::set;
use sim_core::config::tree::{Node, NodeKind};

/// Compares two chips. The overrides apply to the second one.
pub fn run(a: &str, b: &str, sets: &[String]) -> Result<Code, Failure> {
    let a = Loaded::plain(a)?;
    let b = Loaded::new(&ChipArgs { chip: b.to_owned(), sets: sets.to_vec() })?;
    let titles = [if a.chip.name == b.chip.name { "A" } else { &a.chip.name }, &b.chip.name];
    let titles = if titles[0] == "A" { ["A", "B"] } else { titles };
    let mut out = format!("A: {}\nB: {}{}\n", a.texts.own().name, b.texts.own().name, with(sets));
    let rows = fields(&a.effective, &b.effective);
    if rows.is_empty() {
        out += "\nNo field differs.\n";
    } else {
        out += &heading("Fields that differ");
        out += &draw(&titles, rows);
    }
    // A chip that is not simulated has no such numbers.
    let both = a.chip.simulated && b.chip.simulated;
    let numbers: Vec<[String; 4]> = derived::all(&a.chip)
        .into_iter()
        .filter(|_| both)
        .zip(derived::all(&b.chip))
        .filter(|(a, b)| a.value.to_bits() != b.value.to_bits())
        .map(|(a, b)| {
            let unit = if a.unit.is_empty() { String::new() } else { format!(" [{}]", a.unit) };
            let what = format!("{}{unit}", a.what);
            [what, a.amount(), b.amount(), ratio(a.value, b.value)]
        })
        .collect();
    if !numbers.is_empty() {
        out += &heading("Numbers that follow from them (config show --derived)");
        out += &draw(&titles, numbers);
    }
    print(&out)?;
    Ok(Code::Fine)
}

fn with(sets: &[String]) -> String {
    if sets.is_empty() { String::new() } else { format!(" with {}", sets.join(", ")) }
}

fn draw(titles: &[&str; 2], rows: Vec<[String; 4]>) -> String {
    let columns = [Column::Words(34), Column::Numbers(18), Column::Numbers(18), Column::Numbers(10)];
    let mut table = Columns::new(&columns).titles(&["", titles[0], titles[1], "B / A"]);
    for row in rows {
        table.row(&row.each_ref().map(String::as_str));
    }
    table.draw()
}

/// Path, both values and their ratio for each value that differs, in the order of the first file;
/// then the values that only the second file has.
fn fields(a: &Node, b: &Node) -> Vec<[String; 4]> {
    let mut rows = Vec::new();
    compare("", Some(a), Some(b), &mut rows);
    rows
}

fn compare(path: &str, a: Option<&Node>, b: Option<&Node>, rows: &mut Vec<[String; 4]>) {
    let below = |step: &str| if path.is_empty() { step.to_owned() } else { format!("{path}.{step}") };
    let (a_parts, b_parts) = (a.map_or_else(Vec::new, parts), b.map_or_else(Vec::new, parts));
    if a_parts.is_empty() && b_parts.is_empty() || is_word(a) != is_word(b) && a.is_some() && b.is_some() {
        let text = |node: Option<&Node>| node.map_or_else(|| "-".to_owned(), ron);
        if text(a) != text(b) {
            let ratio = match (a.and_then(number), b.and_then(number)) {
                (Some(a), Some(b)) => ratio(a, b),
                _ => String::new(),
            };
            rows.push([path.to_owned(), text(a), text(b), ratio]);
        }
        return;
    }
    for (step, part) in &a_parts {
        let other = b_parts.iter().find(|(s, _)| s == step).map(|(_, node)| *node);
        compare(&below(step), Some(part), other, rows);
    }
    for (step, part) in &b_parts {
        if !a_parts.iter().any(|(s, _)| s == step) {
            compare(&below(step), None, Some(part), rows);
        }
    }
}

/// The parts that are compared one by one; a word with arguments is compared as a whole.
fn parts(node: &Node) -> Vec<(String, &Node)> {
    if is_word(Some(node)) { Vec::new() } else { set::children(node) }
}

fn is_word(node: Option<&Node>) -> bool {
    node.is_some_and(|node| matches!(node.kind, NodeKind::Variant { .. }))
}

fn number(node: &Node) -> Option<f64> {
    match node.kind {
        NodeKind::Int(value) => Some(value as f64),
        NodeKind::Float(value) => Some(value),
        _ => None,
    }
}

/// `b / a`, if it is finite.
fn ratio(a: f64, b: f64) -> String {
    let ratio = b / a;
    if ratio.is_finite() { format!("x {}", rate(ratio)) } else { String::new() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sim_core::config::tree;

    #[test]
    fn every_difference_has_its_path_and_ratio() {
        let a = tree::parse("(n: \"a\", s: (w: 24, u: {\"sp\": (lanes: 8)}, p: lrr, g: (1, 2)), gone: 3)", 0)
            .unwrap();
        let b = tree::parse(
            "(s: (w: 36.0, u: {\"sp\": (lanes: 8), \"dp\": (lanes: 1)}, p: two(n: 4), g: (1, 4)), n: \"a\", z: 0)",
            0,
        )
        .unwrap();
        let rows: Vec<String> = fields(&a, &b).iter().map(|row| row.join("|")).collect();
        assert_eq!(
            rows,
            [
                "s.w|24|36.0|x 1.50",
                "s.u.dp.lanes|-|1|",
                "s.p|lrr|two(n: 4)|",
                "s.g.1|2|4|x 2.00",
                "gone|3|-|",
                "z|-|0|",
            ]
        );
        assert!(fields(&a, &a).is_empty());
        assert_eq!(ratio(0.0, 3.0), "");
    }
}
