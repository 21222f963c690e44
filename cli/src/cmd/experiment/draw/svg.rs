//! Parts of SVG pictures: text, lines and areas, with a style for light and dark pages.
//!
//! Plotters, which draws sweeps, writes fixed colors and margins: its pictures do not follow the
//! colors of a page, and long labels are cut off. These pictures are laid out around their labels.
//!
//! Colors differ in brightness too, and every picture also has its numbers as text, so that it can
//! be read without colors.

use report::text::entities;
use std::fmt::{self, Display, Formatter, Write as _};

/// Height of a line of text in pixels.
pub const LINE: f64 = 18.0;

/// Font size of labels in pixels.
const SIZE: f64 = 13.0;

/// Mean width of a character in pixels: a little more than that of usual fonts, so that no label
/// reaches into its neighbor.
const WIDTH: f64 = 7.4;

/// Style of all pictures. A page in dark colors gets light text on a dark ground.
const STYLE: &str = "\
.g{fill:#fff}.t{fill:#111;font:13px sans-serif}.h{fill:#111;font:bold 14px sans-serif}\
.m{fill:#555;font:12px sans-serif}.l{stroke:#bbb;stroke-width:1;fill:none}\
.a{stroke:#555;stroke-width:1;fill:none}.p{fill:#2166ac}.n{fill:#e9a15a}.b{fill:none;stroke:#777}\
.f{stroke:#2166ac;stroke-width:2;fill:none}.c{fill:#111;font:12px sans-serif}\
@media(prefers-color-scheme:dark){.g{fill:#1b1b1d}.t,.h{fill:#eee}.m{fill:#b5b5b5}.l{stroke:#444}\
.a{stroke:#aaa}.p{fill:#6aaee8}.f{stroke:#6aaee8}.b{stroke:#999}}";

/// What a part of a picture is: its class in the style.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// Ground of the picture.
    Ground,
    /// Text.
    Label,
    /// Title.
    Title,
    /// Number of an axis, or an explanation.
    Note,
    /// Line of the grid.
    Grid,
    /// Axis.
    Axis,
    /// Bar, or point of a front.
    Bar,
    /// Bar of a value below the start of the bars.
    BarBelow,
    /// Outline without a fill.
    Frame,
    /// Line of a front.
    Front,
    /// Text on a color that is the same in light and dark.
    OnColor,
}

/// The name in the style.
impl Display for Class {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::Ground => "g",
            Self::Label => "t",
            Self::Title => "h",
            Self::Note => "m",
            Self::Grid => "l",
            Self::Axis => "a",
            Self::Bar => "p",
            Self::BarBelow => "n",
            Self::Frame => "b",
            Self::Front => "f",
            Self::OnColor => "c",
        })
    }
}

/// A picture in the making.
#[derive(Clone, Debug)]
pub struct Svg {
    body: String,
}

/// Where a text is anchored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// At its start.
    Start,
    /// At its middle.
    Middle,
    /// At its end.
    End,
}

/// Returns the width of a label in pixels.
pub fn width(text: &str) -> f64 {
    text.chars().count() as f64 * WIDTH
}

/// Returns the largest width of some labels in pixels.
pub fn widest<'t>(texts: impl IntoIterator<Item = &'t String>) -> f64 {
    texts.into_iter().map(|text| width(text)).fold(0.0, f64::max)
}

impl Svg {
    /// An empty picture.
    pub const fn new() -> Self {
        Self { body: String::new() }
    }

    /// Adds a text of class `class`, whose baseline is at `y`.
    pub fn text(&mut self, class: Class, (x, y): (f64, f64), anchor: Anchor, text: &str) {
        let anchor = match anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        let text = entities(text);
        let _ = writeln!(
            self.body,
            "<text class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{text}</text>"
        );
    }

    /// Adds a label of a row whose middle is at `y`.
    pub fn label(&mut self, class: Class, (x, y): (f64, f64), anchor: Anchor, text: &str) {
        self.text(class, (x, y + SIZE * 0.35), anchor, text);
    }

    /// Adds a text that is read upward, centered at a point.
    pub fn upward(&mut self, (x, y): (f64, f64), text: &str) {
        let (label, text) = (Class::Label, entities(text));
        let _ = writeln!(
            self.body,
            "<text class=\"{label}\" transform=\"translate({x:.1} {y:.1}) rotate(-90)\" text-anchor=\"middle\">{text}</text>"
        );
    }

    /// Adds a line.
    pub fn line(&mut self, class: Class, from: (f64, f64), to: (f64, f64)) {
        let ((x1, y1), (x2, y2)) = (from, to);
        let _ = writeln!(
            self.body,
            "<line class=\"{class}\" x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\"/>"
        );
    }

    /// Adds a line through several points.
    pub fn path(&mut self, class: Class, points: &[(f64, f64)]) {
        let points: Vec<String> = points.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
        let _ = writeln!(self.body, "<polyline class=\"{class}\" points=\"{}\"/>", points.join(" "));
    }

    /// Adds a rectangle: its corner at the top left, its width and its height.
    pub fn rectangle(&mut self, class: Class, (x, y): (f64, f64), (width, height): (f64, f64)) {
        let _ = writeln!(
            self.body,
            "<rect class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\"/>"
        );
    }

    /// Adds a rectangle with a color.
    pub fn colored(&mut self, color: &str, (x, y): (f64, f64), (width, height): (f64, f64)) {
        let _ = writeln!(
            self.body,
            "<rect fill=\"{color}\" x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\"/>"
        );
    }

    /// Adds a circle around a point.
    pub fn circle(&mut self, class: Class, (x, y): (f64, f64), radius: f64) {
        let _ = writeln!(self.body, "<circle class=\"{class}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius}\"/>");
    }

    /// Returns the picture of this size in pixels.
    pub fn finish(self, width: f64, height: f64) -> String {
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" \
             viewBox=\"0 0 {width:.0} {height:.0}\">\n<style>{STYLE}</style>\n\
             <rect class=\"{}\" width=\"100%\" height=\"100%\"/>\n{}</svg>\n",
            Class::Ground,
            self.body
        )
    }
}
