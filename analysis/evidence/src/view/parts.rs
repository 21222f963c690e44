//! Results as parts, which become a text, a page of Markdown, or an HTML page.

use crate::Finding;
use figures::embedded;
use figures::scene::Scene;
use report::page::Page;
use report::render::table::{Column, Columns, heading, wrapped};
use std::fmt::Write as _;

/// A part of the results.
#[derive(Clone, Debug)]
pub enum Part {
    /// The answer: whether it is good, and a sentence.
    Answer(bool, String),
    /// Begins a section: its identifier in a page, and its title.
    Section(String, String),
    /// Begins a part of a section.
    Heading(String),
    /// An explanation.
    Note(String),
    /// Names, each with a text. A name that is the same as the one above is shown once.
    Facts(Vec<(&'static str, String)>),
    /// A text with its line ends, such as a diagnostic.
    Text(String),
    /// A table.
    Table(Table),
    /// A picture, which a text does not have.
    Picture(Scene),
}

/// A table: its name, the titles and formats of its columns, and its rows. A row without cells
/// separates the rows of a text.
#[derive(Clone, Debug)]
pub struct Table {
    /// Name for screen readers.
    pub name: String,
    /// Titles and formats.
    pub columns: Vec<(&'static str, Column)>,
    /// Cells.
    pub rows: Vec<Vec<String>>,
}

/// Columns of findings.
const FINDINGS: [(&str, Column); 5] = [
    ("finding", Column::Words(20)),
    ("expected", Column::Words(10)),
    ("simulated", Column::Words(10)),
    ("error %", Column::Numbers(8)),
    ("verdict", Column::Words(13)),
];

impl Table {
    /// A table of expected and simulated values with their errors and verdicts, for rows of several
    /// claims or measurements with a column of their names.
    pub fn findings(name: &str, of_several: bool, rows: Vec<Vec<String>>) -> Part {
        let names = of_several.then_some(("row", Column::Words(6)));
        Part::Table(Self {
            name: name.to_owned(),
            columns: names.into_iter().chain(FINDINGS).collect(),
            rows,
        })
    }

    fn titles(&self) -> Vec<&'static str> {
        self.columns.iter().map(|(title, _)| *title).collect()
    }

    fn numbers(&self) -> Vec<bool> {
        self.columns.iter().map(|(_, column)| matches!(column, Column::Numbers(_))).collect()
    }
}

/// Cells of a finding.
pub fn cells(finding: &Finding) -> Vec<String> {
    let Finding { what, expected, simulated, error, verdict, .. } = finding;
    vec![what.clone(), expected.clone(), simulated.clone(), percent(*error), verdict.word().to_owned()]
}

/// An error in percent, if there is one.
pub fn percent(error: Option<f64>) -> String {
    error.map_or_else(String::new, |error| format!("{error:+.1}"))
}

/// Returns the parts as text.
pub fn text(parts: &[Part]) -> String {
    let mut out = String::new();
    for (i, part) in parts.iter().enumerate() {
        let begins = i > 0 && matches!(parts[i - 1], Part::Section(..) | Part::Heading(_));
        let drawn = match part {
            Part::Section(_, title) | Part::Heading(title) => {
                out += &heading(title);
                continue;
            }
            Part::Picture(_) => continue,
            Part::Answer(_, text) | Part::Note(text) => wrapped(" ", text, 1, 99).join("\n") + "\n",
            Part::Text(text) => {
                text.trim_end().lines().flat_map(|text| [" ", text, "\n"]).collect::<String>()
            }
            Part::Facts(facts) => {
                let mut table = Columns::new(&[Column::Words(10), Column::Rest]);
                for (i, (name, text)) in facts.iter().enumerate() {
                    let again = i > 0 && facts[i - 1].0 == *name;
                    table.row(&[if again { "" } else { name }, text]);
                }
                table.draw()
            }
            Part::Table(table) => {
                let columns: Vec<Column> = table.columns.iter().map(|(_, column)| *column).collect();
                let mut drawn = Columns::new(&columns).titles(&table.titles());
                for row in &table.rows {
                    match row[..] {
                        [] => drawn.gap(),
                        _ => drawn.row(&row.iter().map(String::as_str).collect::<Vec<_>>()),
                    }
                }
                drawn.draw()
            }
        };
        if !begins {
            out.push('\n');
        }
        out += &drawn;
    }
    out
}

/// Returns the parts as Markdown, after a title.
pub fn markdown(parts: &[Part]) -> String {
    let mut out = String::new();
    let escaped = |cell: &String| cell.trim().replace('|', "\\|").replace('\n', " ");
    for part in parts {
        let _ = match part {
            Part::Answer(_, text) | Part::Note(text) => {
                writeln!(out, "\n{}", wrapped("", text, 0, 100).join("\n"))
            }
            Part::Section(_, title) => writeln!(out, "\n## {title}"),
            Part::Heading(title) => writeln!(out, "\n### {title}"),
            Part::Facts(facts) => {
                let facts = facts.iter().map(|(name, text)| format!("\n- *{name}*: {text}"));
                writeln!(out, "{}", facts.collect::<String>())
            }
            Part::Text(text) => writeln!(out, "\n```text\n{}\n```", text.trim_end()),
            Part::Table(table) => {
                let lines = table
                    .numbers()
                    .iter()
                    .map(|number| if *number { "---:|" } else { "---|" })
                    .collect::<String>();
                let _ = writeln!(out, "\n| {} |\n|{lines}", table.titles().join(" | "));
                table.rows.iter().filter(|row| !row.is_empty()).try_for_each(|row| {
                    writeln!(out, "| {} |", row.iter().map(escaped).collect::<Vec<_>>().join(" | "))
                })
            }
            Part::Picture(_) => Ok(()),
        };
    }
    out
}

/// Returns the parts as an HTML page of `program`.
pub fn html(title: &str, parts: &[Part], program: &str) -> String {
    let mut page = Page::new(title);
    for part in parts {
        match part {
            Part::Answer(is_good, text) => page.answer(*is_good, text),
            Part::Section(id, title) => page.section(id, title),
            Part::Heading(title) => page.heading(title),
            Part::Note(text) => page.note(text),
            Part::Facts(facts) => {
                for (name, text) in facts {
                    page.paragraph(&format!("{name}: {text}"));
                }
            }
            Part::Text(text) => page.text("Error", text),
            Part::Table(table) => {
                let rows: Vec<_> = table.rows.iter().filter(|row| !row.is_empty()).cloned().collect();
                page.table(&table.name, &table.titles(), &table.numbers(), &rows);
            }
            Part::Picture(scene) => page.picture(&scene.title, &embedded(scene)),
        }
    }
    page.finish(program)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_have_the_same_facts_in_every_form() {
        let row = |cells: [&str; 5]| cells.map(str::to_owned).to_vec();
        let parts = [
            Part::Answer(false, "It differs.".to_owned()),
            Part::Section("all".to_owned(), "All".to_owned()),
            Part::Heading("OCC-12".to_owned()),
            Part::Facts(vec![("why", "a".to_owned()), ("why", "b".to_owned())]),
            Table::findings(
                "OCC-12",
                false,
                vec![row(["a|b", "3", "4", "", "FAILED"]), vec![], row(["c", "1", "1", "", "passed"])],
            ),
            Part::Text("error: no\nway".to_owned()),
        ];
        let text = text(&parts);
        assert!(text.starts_with("\n It differs.\n\n== All =") && text.contains("\n== OCC-12 ="), "{text}");
        assert!(text.contains("\n  why       a\n            b\n\n  finding "), "{text}");
        assert!(text.ends_with("\n error: no\n way\n"), "{text}");
        let page = markdown(&parts);
        assert!(page.contains("\n### OCC-12\n\n- *why*: a\n- *why*: b\n\n| finding | expected |"), "{page}");
        assert!(page.contains("|---|---|---|---:|---|\n| a\\|b | 3 | 4 |  | FAILED |\n| c | 1 |"), "{page}");
        assert!(page.contains("\n```text\nerror: no\nway\n```\n"), "{page}");
        let page = html("Results", &parts, "warpsim");
        assert!(page.contains("FAILED") && page.contains("why: b") && page.contains("no\nway"), "{page}");
    }
}
