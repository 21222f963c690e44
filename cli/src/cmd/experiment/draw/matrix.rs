//! A matrix of numbers over pairs of names, of which the lower half is drawn.

use super::svg::{Anchor, Class, LINE, Svg, widest, width};

/// Width and height of a cell in pixels.
const CELL: (f64, f64) = (64.0, 30.0);
/// Margin in pixels.
const MARGIN: f64 = 14.0;
/// Colors from no effect to the largest, for positive and negative numbers. The text on all of
/// them is black.
const POSITIVE: [&str; 5] = ["#f2f6fa", "#dae8f4", "#bcd7ee", "#97c2e6", "#6fabdc"];
const NEGATIVE: [&str; 5] = ["#f2f6fa", "#fbe6d0", "#f6d2ad", "#f1bd87", "#eaa35b"];

/// A picture with a matrix.
#[derive(Clone, Debug)]
pub struct Matrix {
    /// Title.
    pub title: String,
    /// What the numbers are, as lines of text.
    pub notes: Vec<String>,
    /// Names of rows and columns.
    pub names: Vec<String>,
    /// Row, column and value in percent; row >= column.
    pub cells: Vec<(usize, usize, f64)>,
    /// The numbers on the diagonal as text.
    pub diagonal: Vec<String>,
}

impl Matrix {
    /// Returns the picture. Columns have numbers, which the rows explain.
    pub fn svg(&self) -> String {
        let mut svg = Svg::new();
        let rows: Vec<String> =
            self.names.iter().enumerate().map(|(i, name)| format!("{} {name}", i + 1)).collect();
        let left = MARGIN + widest(&rows) + 10.0;
        let top = MARGIN + LINE * (self.notes.len() as f64 + 1.0) + 16.0;
        let size = self.names.len() as f64;
        svg.text(Class::Title, (MARGIN, MARGIN + LINE - 5.0), Anchor::Start, &self.title);
        for (i, note) in self.notes.iter().enumerate() {
            svg.text(Class::Note, (MARGIN, MARGIN + LINE * (i as f64 + 2.0) - 5.0), Anchor::Start, note);
        }
        let most = self.cells.iter().map(|cell| cell.2.abs()).fold(0.0, f64::max);
        let corner =
            |row: usize, column: usize| (left + column as f64 * CELL.0, top + LINE + row as f64 * CELL.1);
        let inner = (CELL.0 - 2.0, CELL.1 - 2.0);
        for (i, name) in rows.iter().enumerate() {
            let (x, y) = corner(i, i);
            svg.label(Class::Label, (left - 8.0, y + CELL.1 / 2.0), Anchor::End, name);
            svg.text(
                Class::Note,
                (x + inner.0 / 2.0, top + LINE - 6.0),
                Anchor::Middle,
                &(i + 1).to_string(),
            );
            svg.rectangle(Class::Frame, (x, y), inner);
            let text = self.diagonal.get(i).map_or("", String::as_str);
            svg.label(Class::Label, (x + inner.0 / 2.0, y + inner.1 / 2.0), Anchor::Middle, text);
        }
        for (row, column, value) in &self.cells {
            let at = corner(*row, *column);
            let level = if most > 0.0 { (value.abs() / most * 4.0).ceil() as usize } else { 0 };
            let colors = if *value < 0.0 { &NEGATIVE } else { &POSITIVE };
            svg.colored(colors[level.min(4)], at, inner);
            let shown = if value.abs() < 0.05 { "0".to_owned() } else { format!("{value:+.1}") };
            svg.label(Class::OnColor, (at.0 + inner.0 / 2.0, at.1 + inner.1 / 2.0), Anchor::Middle, &shown);
        }
        let notes = widest(&self.notes).max(width(&self.title) * 1.1) + 2.0 * MARGIN;
        let whole = (left + size * CELL.0 + MARGIN).max(notes);
        svg.finish(whole, top + LINE + size * CELL.1 + MARGIN)
    }
}
