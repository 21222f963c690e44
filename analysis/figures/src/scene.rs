//! A picture as a list of shapes and texts with their places, independent of the file format.

use super::font::{self, Weight};
pub use crate::Point;
use crate::hatch::Hatch;
use plotters::style::RGBColor;

/// Width of most pictures in pixels. A slide is about as wide, so that the smallest text is legible
/// on a projector.
pub const WIDTH: f64 = 1280.0;
/// Margin of a picture in pixels.
pub const MARGIN: f64 = 28.0;
/// Font sizes in pixels: of the title, of labels, and of tick marks and notes.
pub const TITLE: f64 = 27.0;
/// Size of labels.
pub const LABEL: f64 = 19.0;
/// Size of tick marks and notes.
pub const NOTE: f64 = 16.5;

/// Color of texts and axes.
pub const INK: RGBColor = RGBColor(26, 26, 26);
/// Color of notes.
pub const MUTED: RGBColor = RGBColor(85, 85, 85);
/// Color of grids and of outlines without content.
pub const PALE: RGBColor = RGBColor(190, 190, 190);
/// Ground.
pub const PAPER: RGBColor = RGBColor(255, 255, 255);

/// A part of a picture.
#[derive(Clone, Debug)]
pub enum Item {
    /// A filled rectangle with an optional hatch and outline.
    Area {
        /// Corner at the top left.
        at: Point,
        /// Width and height.
        size: Point,
        /// Fill color; `None` for an outline only.
        fill: Option<RGBColor>,
        /// Lines over the fill color.
        hatch: Option<Hatch>,
        /// Color of the outline; `None` for no outline.
        outline: Option<RGBColor>,
    },
    /// A line through points.
    Line {
        /// Corners in their order.
        points: Vec<Point>,
        /// Color of the line.
        color: RGBColor,
        /// Width in pixels.
        width: f64,
        /// Lengths of a dash and of a gap; `None` for a solid line.
        dash: Option<Point>,
    },
    /// A filled polygon.
    Polygon {
        /// The corners.
        points: Vec<Point>,
        /// Color of the area.
        color: RGBColor,
    },
    /// A filled circle.
    Circle {
        /// Center.
        at: Point,
        /// Radius in pixels.
        radius: f64,
        /// Color of the disk.
        color: RGBColor,
    },
    /// A text at a place.
    Text(Text),
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

/// A text with its place and style.
#[derive(Clone, Debug)]
pub struct Text {
    /// Text of one line.
    pub text: String,
    /// Place of the anchor on the baseline.
    pub at: Point,
    /// Side of the text that is at its place.
    pub anchor: Anchor,
    /// Font size.
    pub size: f64,
    /// Weight of the font.
    pub weight: Weight,
    /// Color of the letters.
    pub color: RGBColor,
    /// Whether it is read upward.
    pub upward: bool,
}

impl Text {
    /// Space of the text: the corners at the top left and the bottom right.
    pub fn space(&self) -> (Point, Point) {
        let width = font::width(&self.text, self.size, self.weight);
        let before = match self.anchor {
            Anchor::Start => 0.0,
            Anchor::Middle => width / 2.0,
            Anchor::End => width,
        };
        let (above, below) = (0.74 * self.size, 0.22 * self.size);
        let (x, y) = self.at;
        if self.upward {
            ((x - above, y + before - width), (x + below, y + before))
        } else {
            ((x - before, y - above), (x - before + width, y + below))
        }
    }
}

/// A picture.
#[derive(Clone, Debug)]
pub struct Scene {
    /// Title, which also describes the picture to a screen reader.
    pub title: String,
    /// Width and height in pixels.
    pub size: Point,
    /// The parts; later ones cover earlier ones, and texts cover all shapes.
    pub items: Vec<Item>,
    /// Texts that a page shows under the pointer: number of the part, text; ascending.
    tips: Vec<(usize, String)>,
}

impl Scene {
    /// A picture of the usual width with its title, and notes below it, a line each. Returns it
    /// with the height that they take.
    pub fn titled(title: &str, notes: &[String]) -> (Self, f64) {
        Self::titled_of(WIDTH, title, notes)
    }

    /// The same with another width.
    pub fn titled_of(width: f64, title: &str, notes: &[String]) -> (Self, f64) {
        let (title, size) = (title.to_owned(), (width, 0.0));
        let mut scene = Self { title, size, items: Vec::new(), tips: Vec::new() };
        let title = &scene.title;
        let space = width - 2.0 * MARGIN;
        // A long title is smaller, and a very long one is cut.
        let size = (TITLE * space / font::width(title, TITLE, Weight::Bold)).clamp(LABEL, TITLE);
        let shown = font::fit(title, size, Weight::Bold, space);
        let mut y = MARGIN + 0.74 * TITLE;
        scene.text_with((MARGIN, y), Anchor::Start, &shown, (size, Weight::Bold, INK));
        for note in notes {
            y += 1.45 * LABEL;
            let shown = font::fit(note, LABEL, Weight::Regular, space);
            scene.text_with((MARGIN, y), Anchor::Start, &shown, (LABEL, Weight::Regular, MUTED));
        }
        (scene, y + LABEL)
    }

    /// Adds a text: font size, weight and color.
    pub fn text_with(
        &mut self,
        at: Point,
        anchor: Anchor,
        text: &str,
        (size, weight, color): (f64, Weight, RGBColor),
    ) {
        let text = text.to_owned();
        self.items.push(Item::Text(Text { text, at, anchor, size, weight, color, upward: false }));
    }

    /// Adds a label on a baseline.
    pub fn label(&mut self, at: Point, anchor: Anchor, text: &str) {
        self.text_with(at, anchor, text, (LABEL, Weight::Regular, INK));
    }

    /// Adds a small text on a baseline.
    pub fn note(&mut self, at: Point, anchor: Anchor, text: &str) {
        self.text_with(at, anchor, text, (NOTE, Weight::Regular, INK));
    }

    /// Adds a small bold text on a baseline.
    pub fn strong(&mut self, at: Point, anchor: Anchor, text: &str) {
        self.text_with(at, anchor, text, (NOTE, Weight::Bold, INK));
    }

    /// Adds a label that is read upward; its baseline is at the right of its letters.
    pub fn upward(&mut self, at: Point, text: &str) {
        let (text, anchor) = (text.to_owned(), Anchor::Middle);
        let (size, weight, color) = (LABEL, Weight::Regular, INK);
        self.items.push(Item::Text(Text { text, at, anchor, size, weight, color, upward: true }));
    }

    /// Adds a small text on a plate of the color of the ground, for texts over shapes.
    pub fn plate(&mut self, at: Point, anchor: Anchor, text: &str) {
        let (weight, color) = (Weight::Regular, INK);
        let shown = Text { text: text.to_owned(), at, anchor, size: NOTE, weight, color, upward: false };
        let ((left, top), (right, bottom)) = shown.space();
        self.fill((left - 3.0, top - 2.0), (right - left + 6.0, bottom - top + 4.0), PAPER);
        self.items.push(Item::Text(shown));
    }

    /// Adds a filled rectangle.
    pub fn fill(&mut self, at: Point, size: Point, color: RGBColor) {
        self.items.push(Item::Area { at, size, fill: Some(color), hatch: None, outline: None });
    }

    /// Adds a filled rectangle with a hatch.
    pub fn hatched(&mut self, at: Point, size: Point, (color, hatch): (RGBColor, Option<Hatch>)) {
        self.items.push(Item::Area { at, size, fill: Some(color), hatch, outline: None });
    }

    /// Adds an invisible rectangle, which can have a tip.
    pub fn over(&mut self, at: Point, size: Point) {
        self.items.push(Item::Area { at, size, fill: None, hatch: None, outline: None });
    }

    /// Adds the outline of a rectangle.
    pub fn outline(&mut self, at: Point, size: Point, color: RGBColor) {
        self.items.push(Item::Area { at, size, fill: None, hatch: None, outline: Some(color) });
    }

    /// Adds a line through points.
    pub fn line(&mut self, points: &[Point], color: RGBColor, width: f64) {
        self.items.push(Item::Line { points: points.to_vec(), color, width, dash: None });
    }

    /// Adds a dashed line through points.
    pub fn dashed(&mut self, points: &[Point], color: RGBColor, width: f64) {
        let dash = Some((3.5 * width + 3.0, 2.0 * width + 3.0));
        self.items.push(Item::Line { points: points.to_vec(), color, width, dash });
    }

    /// Adds a text to the last part, which a page shows under the pointer.
    pub fn tip(&mut self, text: impl Into<String>) {
        self.tips.push((self.items.len().saturating_sub(1), text.into()));
    }

    /// Returns the text of a part that a page shows under the pointer; may be empty.
    pub fn tip_of(&self, number: usize) -> &str {
        let found = self.tips.binary_search_by_key(&number, |tip| tip.0);
        found.map_or("", |place| &self.tips[place].1)
    }

    /// Ends the picture `y` pixels below its top, plus the margin.
    #[must_use]
    pub fn end(mut self, y: f64) -> Self {
        self.size.1 = (y + MARGIN).ceil();
        self
    }

    /// Iterates over the texts.
    pub fn texts(&self) -> impl Iterator<Item = &Text> {
        self.items.iter().filter_map(|item| match item {
            Item::Text(text) => Some(text),
            Item::Area { .. } | Item::Line { .. } | Item::Polygon { .. } | Item::Circle { .. } => None,
        })
    }

    /// Returns what is wrong with the places of the texts: those that overlap, and those that reach
    /// over the edge of the picture. For tests.
    pub fn flaws(&self) -> Vec<String> {
        let texts: Vec<&Text> = self.texts().collect();
        let mut flaws = Vec::new();
        for (i, a) in texts.iter().enumerate() {
            let ((left, top), (right, bottom)) = a.space();
            if left < 0.0 || top < 0.0 || right > self.size.0 || bottom > self.size.1 {
                flaws.push(format!("`{}` reaches over the edge", a.text));
            }
            for b in &texts[i + 1..] {
                let ((x0, y0), (x1, y1)) = b.space();
                if left < x1 && x0 < right && top < y1 && y0 < bottom {
                    flaws.push(format!("`{}` overlaps `{}`", a.text, b.text));
                }
            }
        }
        flaws
    }
}
