//! Lines over an axis: a quantity over a number, or over names.

use crate::axis::Axis;
use crate::font::{Weight, fit};
use crate::palette::{color, mark};
use crate::plot::{BELOW, LEFT, Plot};
use crate::scene::{Anchor, MARGIN, NOTE, Scene, WIDTH};
use report::render::number::rate;

/// Height of the area in pixels.
const HEIGHT: f64 = 430.0;
/// Width of the legend in pixels, if there is one.
const LEGEND: f64 = 330.0;
/// Largest number of names at the axis.
const MOST_NAMES: usize = 12;

/// A line of a plot with its points.
#[derive(Clone, Debug)]
pub struct Line {
    /// Number of the line, which selects color and marker.
    pub number: usize,
    /// Name in the legend; empty for a single line.
    pub name: String,
    /// Points, by ascending x.
    pub points: Vec<(f64, f64)>,
}

/// A picture of lines.
#[derive(Clone, Debug)]
pub struct Lines {
    /// Title above the picture.
    pub title: String,
    /// Label of the axis to the right.
    pub x_label: String,
    /// Label of the axis upward.
    pub y_label: String,
    /// Names of x = 0, 1, 2 …, if x is not numeric.
    pub names: Vec<String>,
    /// Lines in the order of the legend.
    pub lines: Vec<Line>,
    /// Lines below the title.
    pub notes: Vec<String>,
}

impl Lines {
    /// Returns the picture.
    pub fn scene(&self) -> Scene {
        let (mut scene, top) = Scene::titled(&self.title, &self.notes);
        let has_legend = self.lines.iter().any(|line| !line.name.is_empty());
        let legend = if has_legend { LEGEND } else { 0.0 };
        let plot = Plot {
            at: (MARGIN + LEFT, top),
            size: (WIDTH - 2.0 * MARGIN - LEFT - legend - 12.0, HEIGHT),
            x: self.x_axis(),
            y: self.y_axis(),
        };
        plot.frame(&mut scene, &self.x_label, &self.y_label);
        for line in &self.lines {
            let points: Vec<_> = line.points.iter().map(|point| plot.place(*point)).collect();
            scene.line(&points, color(line.number), 2.5);
        }
        for line in &self.lines {
            for (x, y) in &line.points {
                mark(&mut scene, line.number, plot.place((*x, *y)), 5.0);
                let at = self.names.get(*x as usize).map_or_else(|| rate(*x), Clone::clone);
                let name = if line.name.is_empty() { String::new() } else { format!("{}, ", line.name) };
                scene.tip(format!("{name}{at}: {}", rate(*y)));
            }
        }
        let left = WIDTH - MARGIN - LEGEND + 14.0;
        let mut y = top + NOTE;
        for (place, line) in self.lines.iter().enumerate().filter(|_| has_legend) {
            mark(&mut scene, line.number, (left, y - 0.35 * NOTE), 6.0);
            // Equal lines hide each other, so the legend names them.
            let same = self.lines[..place].iter().find(|other| other.points == line.points);
            let name = match same {
                Some(other) => format!("{} (as {})", line.name, other.name),
                None => line.name.clone(),
            };
            let name = fit(&name, NOTE, Weight::Regular, LEGEND - 32.0);
            scene.note((left + 18.0, y), Anchor::Start, &name);
            y += 1.6 * NOTE;
        }
        scene.end((plot.bottom() + BELOW).max(y - NOTE))
    }

    fn x_axis(&self) -> Axis {
        if !self.names.is_empty() {
            // Of very many names only some are written.
            let step = self.names.len().div_ceil(MOST_NAMES).max(1);
            return Axis::named(&self.names, step);
        }
        let mut all: Vec<f64> = self.points().map(|point| point.0).collect();
        all.sort_by(f64::total_cmp);
        all.dedup();
        let (low, high) = (all.first().copied().unwrap_or(0.0), all.last().copied().unwrap_or(1.0));
        let margin = if high > low { (high - low) * 0.04 } else { high.abs().max(1.0) * 0.5 };
        let mut round = Axis::around(low, high);
        // A few values are tick marks themselves, unless they are too close together.
        let close = all.windows(2).any(|pair| pair[1] - pair[0] < (high - low) / 25.0);
        let is_whole = all.iter().all(|value| value.fract() == 0.0);
        if all.is_empty() || all.len() > MOST_NAMES || close || !is_whole {
            round.marks.retain(|mark| (low..=high).contains(mark));
            return round.between(low - margin, high + margin);
        }
        Axis::exactly(low - margin, high + margin, all)
    }

    /// The axis starts at zero if no value is negative, so that heights can be compared.
    fn y_axis(&self) -> Axis {
        let low = self.points().map(|point| point.1).fold(0.0, f64::min);
        let high = self.points().map(|point| point.1).fold(0.0, f64::max);
        Axis::around(low, high)
    }

    fn points(&self) -> impl Iterator<Item = (f64, f64)> {
        self.lines.iter().flat_map(|line| line.points.iter().copied())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picture(lines: Vec<Line>) -> Lines {
        Lines {
            title: "ipc over sm.max_warps".into(),
            x_label: "sm.max_warps (warps)".into(),
            y_label: "ipc".into(),
            names: Vec::new(),
            lines,
            notes: Vec::new(),
        }
    }

    fn line(number: usize) -> Line {
        let points = vec![(8.0, 0.1), (16.0, 0.2), (24.0, 0.4 + number as f64)];
        Line { number, name: format!("series {number}"), points }
    }

    /// Tests: `pictures-are-legible`.
    #[test]
    fn every_line_has_points_a_color_and_a_name() {
        let scene = picture((0..24).map(line).collect()).scene();
        assert!(scene.flaws().is_empty(), "{:?}", scene.flaws());
        for part in ["series 0", "series 23", "sm.max_warps (warps)", "8", "16", "24"] {
            assert!(scene.texts().any(|text| text.text == part), "{part} is missing");
        }
        let equal = Line { points: line(0).points, ..line(1) };
        let scene = picture(vec![line(0), equal]).scene();
        assert!(scene.texts().any(|text| text.text == "series 1 (as series 0)"));
        let names = (0..30).map(|i| format!("two_level(active: {i})")).collect();
        let scene = Lines { names, ..picture(vec![line(0)]) }.scene();
        assert!(scene.flaws().is_empty(), "{:?}", scene.flaws());
    }

    #[test]
    fn no_two_lines_look_alike() {
        for a in 0..24 {
            assert!((0..a).all(|b| crate::palette::look(a) != crate::palette::look(b)), "{a}");
        }
    }

    #[test]
    fn odd_numbers_are_drawn_too() {
        for points in [
            vec![],
            vec![(5.0, 0.0)],
            vec![(0.0, 3.0), (1e300, 1e300)],
            vec![(1.0, -4.0), (1.0 + 1e-15, 4.0)],
            vec![(-1e-12, 1e-12), (0.0, 0.0)],
        ] {
            let svg = crate::svg(&picture(vec![Line { points: points.clone(), ..line(0) }]).scene());
            assert!(svg.ends_with("</svg>\n") && !svg.contains("NaN"), "{points:?}");
        }
    }
}
