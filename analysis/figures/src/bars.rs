//! Horizontal bars, each with its name and its text.

use crate::axis::Axis;
use crate::font::{Weight, fit, width};
use crate::palette::{Paint, color, hatch, legend};
use crate::scene::{Anchor, INK, MARGIN, MUTED, NOTE, PALE, Scene, WIDTH};

/// Largest parts of the picture for names, and for texts.
const NAMES: f64 = 0.36;
const TEXTS: f64 = 0.48;
/// Width of a picture in a column of a page, in pixels.
pub const COLUMN: f64 = 660.0;

/// A bar with its label and value.
#[derive(Clone, Debug)]
pub struct Bar {
    /// Name, at the left.
    pub name: String,
    /// Value in the unit of the axis.
    pub value: f64,
    /// Text at the end of the bar: the value with its unit.
    pub text: String,
    /// Color and hatch.
    pub paint: Paint,
    /// A range in which the value should be, from 0 to both sides.
    pub aim: Option<f64>,
}

impl Bar {
    /// A bar in the usual color.
    pub fn new(name: impl Into<String>, value: f64, text: impl Into<String>) -> Self {
        Self { name: name.into(), value, text: text.into(), paint: (color(0), None), aim: None }
    }
}

/// A picture with bars.
#[derive(Clone, Debug)]
pub struct Bars {
    /// Title above the picture.
    pub title: String,
    /// Lines below the title.
    pub notes: Vec<String>,
    /// Width in pixels.
    pub width: f64,
    /// Quantity of the axis, with the unit; without one there is no axis.
    pub quantity: String,
    /// Value at which the bars begin.
    pub from: f64,
    /// The bars, from top to bottom.
    pub bars: Vec<Bar>,
    /// Meanings of colors.
    pub legend: Vec<(Paint, String)>,
}

impl Bars {
    /// Bars from zero, without an axis.
    pub fn new(title: impl Into<String>, bars: Vec<Bar>) -> Self {
        let (title, quantity) = (title.into(), String::new());
        let (notes, legend) = (Vec::new(), Vec::new());
        Self { title, notes, width: WIDTH, quantity, from: 0.0, bars, legend }
    }

    /// Bars to both sides of zero: negative ones in another color, which `less` and `more` explain.
    pub fn diverging(title: impl Into<String>, bars: Vec<Bar>, [less, more]: [&str; 2]) -> Self {
        let paint = |value: f64| if value < 0.0 { (color(2), None) } else { (color(1), hatch(1)) };
        let bars = bars.into_iter().map(|bar| Bar { paint: paint(bar.value), ..bar }).collect();
        let legend = vec![(paint(-1.0), less.to_owned()), (paint(1.0), more.to_owned())];
        Self { legend, ..Self::new(title, bars) }
    }

    /// Returns the picture.
    pub fn scene(&self) -> Scene {
        let (mut scene, top) = Scene::titled_of(self.width, &self.title, &self.notes);
        let space = self.width - 2.0 * MARGIN;
        let name = |bar: &Bar| fit(&bar.name, NOTE, Weight::Regular, NAMES * space);
        // Texts of bars to both sides share the space.
        let sides =
            if self.bars.iter().any(|bar| bar.value < self.from || bar.aim.is_some()) { 2.0 } else { 1.0 };
        let text = |bar: &Bar| fit(&bar.text, NOTE, Weight::Regular, TEXTS * space / sides);
        let widest = |text: &dyn Fn(&Bar) -> String| {
            let widths = self.bars.iter().map(|bar| width(&text(bar), NOTE, Weight::Regular));
            widths.fold(0.0, f64::max)
        };
        let (names, texts) = (widest(&name), widest(&text) + 12.0);
        let values = |bar: &Bar| {
            let aim = bar.aim.unwrap_or(0.0);
            [bar.value, self.from - aim, self.from + aim]
        };
        let values: Vec<f64> = self.bars.iter().flat_map(values).filter(|value| value.is_finite()).collect();
        let low = values.iter().copied().fold(self.from, f64::min);
        let high = values.iter().copied().fold(self.from, f64::max);
        let axis = if self.quantity.is_empty() {
            Axis::exactly(low, high, Vec::new())
        } else {
            Axis::around(low, high)
        };
        // The texts of the shortest and of the longest bars need space on both sides.
        let left = MARGIN + names + 12.0 + if low < self.from { texts } else { 0.0 };
        let right = (self.width - MARGIN - texts).max(left + 60.0);
        let x = |value: f64| left + axis.part(value.clamp(low, high)) * (right - left);
        let step = if self.bars.len() > 16 { 24.0 } else { 29.0 };
        let bottom = top + step * self.bars.len() as f64;
        for mark in &axis.marks {
            let x = left + axis.part(*mark) * (right - left);
            scene.line(&[(x, top), (x, bottom)], PALE, 1.0);
            scene.note((x, bottom + 1.3 * NOTE), Anchor::Middle, &axis.text(*mark));
        }
        for (row, bar) in self.bars.iter().enumerate() {
            let y = top + step * row as f64;
            let baseline = y + step / 2.0 + 0.35 * NOTE;
            scene.note((MARGIN + names, baseline), Anchor::End, &name(bar));
            if let Some(aim) = bar.aim {
                let (from, to) = (x(self.from - aim), x(self.from + aim));
                scene.outline((from, y + 2.0), (to - from, step - 4.0), MUTED);
            }
            let (from, to) = (x(self.from.min(bar.value)), x(self.from.max(bar.value)));
            scene.hatched((from, y + 5.0), ((to - from).max(1.0), step - 10.0), bar.paint);
            scene.tip(format!("{}: {}", bar.name, bar.text));
            if bar.value >= self.from {
                scene.plate((to + 8.0, baseline), Anchor::Start, &text(bar));
            } else {
                scene.plate((from - 8.0, baseline), Anchor::End, &text(bar));
            }
        }
        scene.line(&[(x(self.from), top), (x(self.from), bottom)], INK, 1.6);
        let mut below = bottom;
        if !self.quantity.is_empty() {
            below += 2.9 * NOTE;
            scene.note((f64::midpoint(left, right), below), Anchor::Middle, &self.quantity);
        }
        if !self.legend.is_empty() {
            below = legend(&mut scene, &self.legend, MARGIN, self.width - MARGIN, below + 16.0) - 12.0;
        }
        scene.end(below + 4.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tests: `pictures-are-legible`.
    #[test]
    fn bars_to_both_sides_have_space_for_their_texts() {
        let bar = |value: f64| Bar::new("a rather long name of a quantity", value, format!("{value:+.3} us"));
        for values in [vec![], vec![0.0], vec![-3.0, 2.0, -0.001], vec![5.0, 1e9], vec![-7.0, -1.0]] {
            let bars: Vec<Bar> = values.iter().map(|value| bar(*value)).collect();
            let plain = Bars { quantity: "time (us)".to_owned(), ..Bars::new("Times", bars.clone()) };
            let both = Bars { width: COLUMN, ..Bars::diverging("Times", bars, ["less", "more"]) };
            for scene in [plain.scene(), both.scene()] {
                assert!(scene.flaws().is_empty(), "{values:?}: {:?}", scene.flaws());
                let texts = scene.texts().filter(|text| text.text.ends_with(" us")).count();
                assert_eq!(texts, values.len());
            }
        }
    }
}
