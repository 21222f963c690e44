//! A matrix of numbers over pairs of names, of which the lower half is drawn.

use crate::font::{Weight, fit, width};
use crate::scene::{Anchor, MARGIN, NOTE, PALE, Scene, WIDTH};
use plotters::style::RGBColor;

/// Width and height of a cell in pixels.
const CELL: (f64, f64) = (76.0, 36.0);
/// Largest width of the names in pixels.
const MOST_NAME: f64 = 300.0;
/// Text on the colors, which are the same on any ground.
const BLACK: RGBColor = RGBColor(0, 0, 0);
/// Colors from no effect to the largest, for positive and negative numbers.
const POSITIVE: [RGBColor; 5] = [
    RGBColor(242, 246, 250),
    RGBColor(218, 232, 244),
    RGBColor(188, 215, 238),
    RGBColor(151, 194, 230),
    RGBColor(111, 171, 220),
];
const NEGATIVE: [RGBColor; 5] = [
    RGBColor(242, 246, 250),
    RGBColor(251, 230, 208),
    RGBColor(246, 210, 173),
    RGBColor(241, 189, 135),
    RGBColor(234, 163, 91),
];

/// A picture with a matrix.
#[derive(Clone, Debug)]
pub struct Matrix {
    /// Title above the picture.
    pub title: String,
    /// Meaning of the numbers, as lines of text.
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
    pub fn scene(&self) -> Scene {
        let (mut scene, top) = Scene::titled(&self.title, &self.notes);
        let rows: Vec<String> = (1..)
            .zip(&self.names)
            .map(|(i, name)| fit(&format!("{i} {name}"), NOTE, Weight::Regular, MOST_NAME))
            .collect();
        let names = rows.iter().map(|name| width(name, NOTE, Weight::Regular)).fold(0.0, f64::max);
        let left = MARGIN + names + 12.0;
        let top = top + NOTE;
        // Twelve columns have space beside the longest names.
        let wide = CELL.0.min((WIDTH - MARGIN - left) / self.names.len().max(1) as f64);
        let corner =
            |row: usize, column: usize| (left + column as f64 * wide, top + 8.0 + row as f64 * CELL.1);
        let inner = (wide - 2.0, CELL.1 - 2.0);
        let middle = |(x, y): (f64, f64)| (x + inner.0 / 2.0, y + inner.1 / 2.0 + 0.35 * NOTE);
        for (i, name) in rows.iter().enumerate() {
            let (x, y) = corner(i, i);
            scene.note((left - 10.0, middle((x, y)).1), Anchor::End, name);
            scene.note((middle((x, y)).0, top), Anchor::Middle, &(i + 1).to_string());
            scene.outline((x, y), inner, PALE);
            let text = self.diagonal.get(i).map_or("", String::as_str);
            scene.note(middle((x, y)), Anchor::Middle, text);
        }
        let most = self.cells.iter().map(|cell| cell.2.abs()).fold(0.0, f64::max);
        for (row, column, value) in &self.cells {
            let at = corner(*row, *column);
            let level = if most > 0.0 { (value.abs() / most * 4.0).ceil() as usize } else { 0 };
            let colors = if *value < 0.0 { &NEGATIVE } else { &POSITIVE };
            scene.fill(at, inner, colors[level.min(4)]);
            let shown = if value.abs() < 0.05 { "0".to_owned() } else { format!("{value:+.1}") };
            scene.text_with(middle(at), Anchor::Middle, &shown, (NOTE, Weight::Regular, BLACK));
        }
        scene.end(top + 8.0 + self.names.len() as f64 * CELL.1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tests: `pictures-are-legible`.
    #[test]
    fn a_large_matrix_has_space_for_its_names() {
        let names: Vec<String> = (0..12).map(|i| format!("crossbar.latency_of_a_part_{i}")).collect();
        let cells =
            (0..12).flat_map(|row| (0..row).map(move |column| (row, column, 10.0 - row as f64))).collect();
        let diagonal = vec!["12.3 %".to_owned(); 12];
        let scene = Matrix { title: "t".to_owned(), notes: Vec::new(), names, cells, diagonal }.scene();
        assert!(scene.flaws().is_empty(), "{:?}", scene.flaws());
    }
}
