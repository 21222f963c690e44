//! A tree of facts as lines of text: headings, tables, and lists. Lines of lists have at most 80
//! characters, if their words permit it.

use super::{Fact, Value};
use crate::render::table::wrapped;

/// Width at which lists are wrapped.
const WIDTH: usize = 80;

/// Addresses of a line.
const ADDRESSES: usize = 4;

/// Kind of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineKind {
    /// Heading of a group.
    Heading,
    /// Titles of the columns of a table.
    Titles,
    /// A row of a table.
    Row,
    /// Another fact.
    Note,
}

/// A line of the tree of facts.
#[derive(Clone, Debug)]
pub struct Line<'f> {
    /// Text, without blanks at its end.
    pub text: String,
    /// Kind of the line.
    pub kind: LineKind,
    /// The fact that it shows.
    pub fact: &'f Fact,
}

/// Returns a tree as text, with line ends.
pub fn print(fact: &Fact) -> String {
    lines(fact).into_iter().map(|line| line.text + "\n").collect()
}

/// Returns a tree as lines.
pub fn lines(fact: &Fact) -> Vec<Line<'_>> {
    let mut out = Vec::new();
    add(&mut out, fact);
    out
}

fn add<'f>(out: &mut Vec<Line<'f>>, fact: &'f Fact) {
    let text = fact.value.text();
    if !text.is_empty() {
        out.push(Line { text, kind: LineKind::Heading, fact });
    }
    for part in fact.children.chunk_by(|a, b| a.is_row() == b.is_row() && is_address(a) == is_address(b)) {
        match part {
            [first, ..] if first.is_row() => table(out, part),
            [first, ..] if is_address(first) => {
                let one = |fact: &Fact| format!("  {}: {}", fact.name, fact.value.text());
                out.extend(part.chunks(ADDRESSES).map(|some| Line {
                    text: some.iter().map(one).collect(),
                    kind: LineKind::Note,
                    fact,
                }));
            }
            _ => part.iter().for_each(|one| note(out, one)),
        }
    }
}

fn is_address(fact: &Fact) -> bool {
    matches!(fact.value, Value::Address(_))
}

/// A group, or a fact on lines of a list.
fn note<'f>(out: &mut Vec<Line<'f>>, fact: &'f Fact) {
    if !fact.children.is_empty() {
        return add(out, fact);
    }
    let (head, text) = (format!("  {}:", fact.name), fact.value.text());
    let texts = match &*fact.name {
        "" => vec![format!("  {text}")],
        _ => wrapped(&head, &format!(" {text}"), 4, WIDTH),
    };
    out.extend(texts.into_iter().map(|text| Line { text, kind: LineKind::Note, fact }));
}

/// Whether the values of a column are aligned to the right.
fn is_number(value: &Value) -> bool {
    match value {
        Value::Number(_) | Value::Count(_) | Value::Line(_) => true,
        Value::None | Value::Words(_) | Value::Address(_) | Value::Lanes { .. } | Value::State(..) => false,
    }
}

/// A table; its first column marks facts, if any is marked.
fn table<'f>(out: &mut Vec<Line<'f>>, rows: &'f [Fact]) {
    let [first, ..] = rows else { return };
    let columns = first.children.len();
    let cell =
        |row: &Fact, column: usize| row.children.get(column).map_or_else(String::new, |c| c.value.text());
    let chars = |text: &str| text.chars().count();
    let width = |column: usize| {
        let title = chars(&first.children[column].name);
        rows.iter().map(|row| chars(&cell(row, column))).max().unwrap_or(0).max(title)
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let numbers: Vec<bool> = (0..columns)
        .map(|column| rows.iter().any(|row| row.children.get(column).is_some_and(|c| is_number(&c.value))))
        .collect();
    let has_marks = rows.iter().any(|row| row.marked);
    let line = |mark: &str, cells: &mut dyn Iterator<Item = String>| {
        let mut text = if has_marks { format!(" {mark:1}") } else { " ".to_owned() };
        for (column, cell) in cells.enumerate() {
            let free = " ".repeat(widths[column] - chars(&cell));
            // Words that follow words are two blanks apart.
            let gap = if column > 0 && !numbers[column] && !numbers[column - 1] { "  " } else { " " };
            text += gap;
            text += &if numbers[column] { free + &cell } else { cell + &free };
        }
        text.trim_end().to_owned()
    };
    if first.children.iter().any(|cell| !cell.name.is_empty()) {
        let mut titles = first.children.iter().map(|cell| cell.name.clone());
        out.push(Line { text: line("", &mut titles), kind: LineKind::Titles, fact: first });
    }
    for row in rows {
        let mut cells = (0..columns).map(|column| cell(row, column));
        let text = line(if row.marked { "*" } else { "" }, &mut cells);
        out.push(Line { text, kind: LineKind::Row, fact: row });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(name: &str, number: u64, marked: bool) -> Fact {
        let cells = vec![Fact::words("name", name), Fact::new("size", Value::Count(number))];
        Fact::row(name, cells).mark(marked)
    }

    #[test]
    fn a_tree_is_headings_tables_and_lists() {
        let rows = vec![row("a", 1234, false), row("long", 5, true), Fact::words("", "end")];
        let all = Fact::group("g", "Heading:", rows);
        let expected = "Heading:\n   name  size\n   a    1,234\n * long     5\n  end\n";
        assert_eq!(print(&all), expected);
        let none = Fact::words("g", "There is nothing.");
        assert_eq!(print(&none), "There is nothing.\n");
    }

    #[test]
    fn addresses_share_lines_and_groups_follow() {
        let address = |lane: u32| Fact::new(format!("lane {lane}"), Value::Address(lane));
        let inner = Fact::group("inner", "Addresses", (0..5).map(address).collect());
        let text = print(&Fact::group("outer", "Outer", vec![inner, Fact::words("why", "because")]));
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 5, "{text}");
        assert_eq!(lines[3], "  lane 4: 0x00000004");
        assert_eq!(lines[4], "  why: because");
    }
}
