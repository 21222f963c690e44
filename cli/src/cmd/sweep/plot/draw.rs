//! Draws a plot: lines with markers, axes with units, and a legend. Equal pictures give equal
//! texts.

use crate::draw::palette::{FONT, color, marker};
use plotters::coord::Shift;
use plotters::coord::ranged1d::{DefaultFormatting, KeyPointHint, Ranged};
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

/// Size of the picture in pixels.
const SIZE: (u32, u32) = (960, 560);
/// Width of the legend in pixels, if there is one.
const LEGEND: u32 = 260;
/// Maximum number of characters of a name in the legend.
const NAME: usize = 34;
/// A line of a plot.
#[derive(Clone, Debug)]
pub struct Line {
    /// Number of the line, which selects color and marker.
    pub number: usize,
    /// Name in the legend; empty for a single line.
    pub name: String,
    /// Points, by ascending x.
    pub points: Vec<(f64, f64)>,
    /// Whether a line joins the points.
    pub joined: bool,
}

/// A plot.
#[derive(Clone, Debug)]
pub struct Picture<'a> {
    /// Label of the x axis.
    pub x_label: String,
    /// Label of the y axis.
    pub y_label: String,
    /// Names of x = 0, 1, 2 …, if x is not numeric.
    pub categories: Option<&'a [String]>,
    /// The lines.
    pub lines: Vec<Line>,
    /// Note above the plot; may be empty.
    pub note: String,
}

/// An axis: its range and its tick marks.
#[derive(Clone, Debug)]
struct Scale {
    from: f64,
    to: f64,
    marks: Vec<f64>,
}

impl Ranged for Scale {
    type FormatOption = DefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, limit: (i32, i32)) -> i32 {
        let part = (value - self.from) / (self.to - self.from);
        let pixels = f64::from(limit.1) - f64::from(limit.0);
        limit.0 + (part * pixels).round() as i32
    }

    fn key_points<Hint: KeyPointHint>(&self, _: Hint) -> Vec<f64> {
        self.marks.clone()
    }

    fn range(&self) -> std::ops::Range<f64> {
        self.from..self.to
    }
}

impl Picture<'_> {
    /// Returns the picture as SVG.
    pub fn svg(&self) -> Result<String, String> {
        let mut svg = String::new();
        {
            let root = SVGBackend::with_string(&mut svg, SIZE).into_drawing_area();
            self.draw(&root).map_err(|error| error.to_string())?;
            root.present().map_err(|error| error.to_string())?;
        }
        Ok(svg)
    }

    fn draw<DB: DrawingBackend>(
        &self,
        root: &DrawingArea<DB, Shift>,
    ) -> Result<(), DrawingAreaErrorKind<DB::ErrorType>> {
        root.fill(&WHITE)?;
        let has_legend = self.lines.iter().any(|line| !line.name.is_empty());
        let (left, right) = root.split_horizontally(SIZE.0 - if has_legend { LEGEND } else { 16 });
        let (x, y) = (self.x_scale(), self.y_scale());
        let (x_marks, y_marks) = (x.marks.len(), y.marks.len());
        let (x_decimals, y_decimals) = (decimals(&x.marks), decimals(&y.marks));
        let mut chart = ChartBuilder::on(&left)
            .caption(if self.note.is_empty() { " " } else { &self.note }, (FONT, 17))
            .margin(12)
            .x_label_area_size(52)
            .y_label_area_size(84)
            .build_cartesian_2d(x, y)?;
        let x_name = |v: &f64| match self.categories {
            Some(names) => names.get(v.round() as usize).map_or_else(String::new, |name| cut(name, 16)),
            None => format!("{v:.x_decimals$}"),
        };
        chart
            .configure_mesh()
            .disable_x_mesh()
            .light_line_style(TRANSPARENT)
            .x_labels(x_marks)
            .y_labels(y_marks)
            .x_label_formatter(&x_name)
            .y_label_formatter(&|v| format!("{v:.y_decimals$}"))
            .x_desc(&self.x_label)
            .y_desc(&self.y_label)
            .label_style((FONT, 16))
            .axis_desc_style((FONT, 19))
            .draw()?;
        for line in &self.lines {
            let line_color = color(line.number);
            if line.joined {
                chart
                    .draw_series(LineSeries::new(line.points.iter().copied(), line_color.stroke_width(2)))?;
            }
            // Markers are drawn on the whole picture, in pixels, so that one at the edge of the
            // plot is not cut.
            for point in &line.points {
                root.draw(&marker(line.number, chart.backend_coord(point)))?;
            }
        }
        if has_legend {
            let style = (FONT, 15).into_font().color(&BLACK).pos(Pos::new(HPos::Left, VPos::Center));
            for (row, line) in self.lines.iter().enumerate() {
                let y = 48 + 20 * row as i32;
                let line_color = color(line.number);
                right.draw(&PathElement::new([(0, y), (28, y)], line_color.stroke_width(2)))?;
                right.draw(&marker(line.number, (14, y)))?;
                right.draw(&Text::new(cut(&line.name, NAME), (36, y), style.clone()))?;
            }
        }
        Ok(())
    }

    fn x_scale(&self) -> Scale {
        if let Some(names) = self.categories {
            // Of very many names only some are written.
            let step = names.len().div_ceil(12).max(1);
            let marks = (0..names.len()).step_by(step).map(|i| i as f64).collect();
            return Scale { from: -0.5, to: names.len() as f64 - 0.5, marks };
        }
        let mut all: Vec<f64> = self.points().map(|p| p.0).collect();
        all.sort_by(f64::total_cmp);
        all.dedup();
        let (low, high) = (all.first().copied().unwrap_or(0.0), all.last().copied().unwrap_or(1.0));
        let margin = if high > low { (high - low) * 0.04 } else { high.abs().max(1.0) * 0.5 };
        let (from, to) = (low - margin, high + margin);
        // A few values are tick marks themselves, unless they are too close together.
        let close = all.windows(2).any(|pair| pair[1] - pair[0] < (to - from) / 25.0);
        let marks = if all.is_empty() || all.len() > 12 || close { round_marks(from, to) } else { all };
        Scale { from, to, marks }
    }

    /// The axis starts at zero if no value is negative, so that heights can be compared.
    fn y_scale(&self) -> Scale {
        let low = self.points().map(|p| p.1).fold(0.0, f64::min);
        let high = self.points().map(|p| p.1).fold(0.0, f64::max);
        let (low, high) = if high > low { (low, high) } else { (0.0, 1.0) };
        let to = high + (high - low) * 0.06;
        Scale { from: low, to, marks: round_marks(low, to) }
    }

    fn points(&self) -> impl Iterator<Item = (f64, f64)> {
        self.lines.iter().flat_map(|line| line.points.iter().copied())
    }
}

/// Returns about six round tick marks, at distances of 1, 2 or 5 times a power of ten.
fn round_marks(from: f64, to: f64) -> Vec<f64> {
    let rough = (to - from) / 6.0;
    if !(rough.is_finite() && rough > 0.0) {
        return vec![from];
    }
    let power = 10f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].map(|m| m * power).into_iter().find(|s| *s >= rough).unwrap_or(rough);
    let first = (from / step).ceil() as i64;
    let last = (to / step).floor() as i64;
    (first..=last.min(first.saturating_add(50))).map(|i| i as f64 * step).collect()
}

/// Returns the number of decimals that distinguishes all tick marks and shows each exactly; at most
/// six.
fn decimals(marks: &[f64]) -> usize {
    let exact = |d: usize| {
        let scale = 10f64.powi(d as i32);
        marks.iter().all(|m| ((m * scale).round() - m * scale).abs() < 1e-6)
    };
    (0..6).find(|d| exact(*d)).unwrap_or(6)
}

/// Returns the first characters of a name.
fn cut(name: &str, most: usize) -> String {
    if name.chars().count() <= most {
        return name.to_owned();
    }
    name.chars().take(most - 1).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draw::palette;

    fn picture(lines: Vec<Line>) -> Picture<'static> {
        Picture {
            x_label: "sm.max_warps (warps)".into(),
            y_label: "ipc".into(),
            categories: None,
            lines,
            note: String::new(),
        }
    }

    fn line(number: usize) -> Line {
        let points = vec![(8.0, 0.1), (16.0, 0.2), (24.0, 0.4)];
        Line { number, name: format!("series {number}"), points, joined: true }
    }

    #[test]
    fn every_line_has_points_a_color_and_a_name() {
        let svg = picture((0..3).map(line).collect()).svg().unwrap();
        let thick = svg.lines().filter(|l| l.starts_with("<polyline") && l.contains("stroke-width=\"2\""));
        assert_eq!(thick.count(), 6, "three in the plot, three in the legend:\n{svg}");
        for part in ["series 0", "series 2", "#0072B2", "#D55E00", "sm.max_warps (warps)", "<circle", "<rect"]
        {
            assert!(svg.contains(part), "{part} is missing in\n{svg}");
        }
        assert_eq!(
            svg,
            picture((0..3).map(line).collect()).svg().unwrap(),
            "equal pictures give equal texts"
        );
    }

    #[test]
    fn no_two_lines_look_alike() {
        for a in 0..super::super::MOST_LINES {
            assert!((0..a).all(|b| palette::look(a) != palette::look(b)), "{a}");
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
            let svg = picture(vec![Line { points: points.clone(), ..line(0) }]).svg().unwrap();
            assert!(svg.ends_with("</svg>\n"), "{points:?}");
        }
    }

    #[test]
    fn marks_are_round_and_shown_in_full() {
        assert_eq!(round_marks(0.0, 0.43), [0.0, 0.1, 0.2, 0.1 + 0.2, 0.4]);
        assert_eq!(decimals(&round_marks(0.0, 0.43)), 1);
        assert_eq!(decimals(&[8.0, 16.0]), 0);
        assert_eq!(round_marks(0.0, 10.0), [0.0, 2.0, 4.0, 6.0, 8.0, 10.0]);
        assert_eq!(cut("two_level(active: 8)", 10), "two_level…");
    }
}
