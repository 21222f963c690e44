//! Horizontal bars, each with its name and its number.

use super::svg::{Anchor, Class, LINE, Svg, widest, width};
use crate::draw::axis::Axis;

/// Width of the area of the bars in pixels.
const AREA: f64 = 420.0;
/// Height of a row in pixels.
const ROW: f64 = 24.0;
/// Margin in pixels.
const MARGIN: f64 = 14.0;

/// A bar.
#[derive(Clone, Debug)]
pub struct Bar {
    /// Name.
    pub name: String,
    /// Value.
    pub value: f64,
    /// The value as text, with its unit.
    pub text: String,
}

/// A picture with bars.
#[derive(Clone, Debug)]
pub struct Bars {
    /// Title.
    pub title: String,
    /// What the lengths are, with the unit.
    pub quantity: String,
    /// Value at which the bars begin.
    pub from: f64,
    /// The bars, from top to bottom.
    pub bars: Vec<Bar>,
}

impl Bars {
    /// Returns the picture.
    pub fn svg(&self) -> String {
        let mut svg = Svg::new();
        let low = self.bars.iter().map(|bar| bar.value).fold(self.from, f64::min);
        let high = self.bars.iter().map(|bar| bar.value).fold(self.from, f64::max);
        let axis = Axis::around(low, high);
        let texts = widest(self.bars.iter().map(|bar| &bar.text)) + 8.0;
        let names = widest(self.bars.iter().map(|bar| &bar.name)).max(60.0);
        // The texts of the shortest and of the longest bars need space on both sides.
        let before = if low < self.from { texts } else { 0.0 };
        let left = MARGIN + names + 10.0 + before;
        let x = |value: f64| left + axis.part(value) * AREA;
        let top = MARGIN + LINE + 8.0;
        let bottom = top + self.bars.len() as f64 * ROW;
        let whole = (left + AREA + texts + MARGIN)
            .max(width(&self.title) * 1.1 + 2.0 * MARGIN)
            .max(left + AREA / 2.0 + width(&self.quantity) / 2.0 + MARGIN);
        svg.text(Class::Title, (MARGIN, MARGIN + LINE - 5.0), Anchor::Start, &self.title);
        for mark in &axis.marks {
            svg.line(Class::Grid, (x(*mark), top), (x(*mark), bottom));
            svg.text(Class::Note, (x(*mark), bottom + LINE - 2.0), Anchor::Middle, &axis.text(*mark));
        }
        for (row, bar) in self.bars.iter().enumerate() {
            let y = top + row as f64 * ROW;
            let middle = y + ROW / 2.0;
            let (from, to) = (x(self.from.min(bar.value)), x(self.from.max(bar.value)));
            let above = bar.value >= self.from;
            let class = if above { Class::Bar } else { Class::BarBelow };
            svg.rectangle(class, (from, y + 4.0), ((to - from).max(1.0), ROW - 8.0));
            svg.label(Class::Label, (MARGIN + names, middle), Anchor::End, &bar.name);
            // Ground behind the number hides the grid.
            let size = (width(&bar.text) + 2.0, ROW - 4.0);
            if above {
                svg.rectangle(Class::Ground, (to + 3.0, y + 2.0), size);
                svg.label(Class::Label, (to + 5.0, middle), Anchor::Start, &bar.text);
            } else {
                svg.rectangle(Class::Ground, (from - 3.0 - size.0, y + 2.0), size);
                svg.label(Class::Label, (from - 5.0, middle), Anchor::End, &bar.text);
            }
        }
        svg.line(Class::Axis, (x(self.from), top), (x(self.from), bottom));
        svg.text(Class::Label, (left + AREA / 2.0, bottom + 2.0 * LINE), Anchor::Middle, &self.quantity);
        svg.finish(whole, bottom + 2.0 * LINE + MARGIN)
    }
}
