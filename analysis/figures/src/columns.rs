//! Vertical bars in groups, with their numbers.

use crate::axis::Axis;
use crate::font::{Weight, width};
use crate::palette::{color, hatch, legend};
use crate::plot::{LEFT, Plot};
use crate::scene::{Anchor, INK, Item, LABEL, MARGIN, MUTED, NOTE, Scene, Text, WIDTH};
use report::render::number::rate;

/// Height of the area in pixels.
const HEIGHT: f64 = 420.0;
/// Share of a group's width that its bars take.
const FILLED: f64 = 0.8;

/// Columns in groups.
#[derive(Clone, Debug)]
pub struct Columns {
    /// Title, without the chip.
    pub title: String,
    /// Lines below the title.
    pub notes: Vec<String>,
    /// Quantity and unit.
    pub quantity: String,
    /// Meaning of the groups.
    pub across: String,
    /// Names of the bars of each group.
    pub series: Vec<String>,
    /// Name and values of each group; `None` without a value.
    pub groups: Vec<(String, Vec<Option<f64>>)>,
    /// Whether the axis is logarithmic.
    pub log: bool,
}

/// Returns the picture of the bars of a chip.
pub fn scene(chip: &str, bars: &Columns) -> Scene {
    let (mut scene, top) = Scene::titled(&format!("{} on {chip}", bars.title), &bars.notes);
    let names: Vec<_> =
        bars.series.iter().enumerate().map(|(i, name)| ((color(i), hatch(i)), name.clone())).collect();
    let mut top = top;
    if names.len() > 1 {
        top = legend(&mut scene, &names, MARGIN, WIDTH - MARGIN, top + 2.0) + 6.0;
    }
    let values = || bars.groups.iter().flat_map(|(_, values)| values).flatten().copied();
    let most = values().fold(0.0, f64::max).max(1e-9);
    let least = values().fold(most, f64::min);
    let y = if bars.log {
        // From a power of ten below the lowest bar, with space for the numbers above the highest.
        Axis::decades(10f64.powf((least / 1.5).log10().floor()), most * 4.0)
    } else {
        let axis = Axis::around(0.0, most);
        axis.end_at(most * 1.2)
    };
    let plot = Plot {
        at: (MARGIN + LEFT, top),
        size: (WIDTH - 2.0 * MARGIN - LEFT, HEIGHT),
        x: Axis::exactly(0.0, bars.groups.len().max(1) as f64, Vec::new()),
        y: trimmed(y, most),
    };
    plot.upward(&mut scene, &bars.quantity);
    let wide = plot.size.0 / bars.groups.len().max(1) as f64;
    let each = wide * FILLED / bars.series.len().max(1) as f64;
    for (i, (name, values)) in bars.groups.iter().enumerate() {
        let left = plot.at.0 + wide * (i as f64 + (1.0 - FILLED) / 2.0);
        for (j, value) in values.iter().enumerate() {
            let x = left + each * j as f64;
            match value {
                Some(value) => {
                    let y = plot.y(*value);
                    scene.hatched((x + 1.0, y), (each - 2.0, plot.bottom() - y), (color(j), hatch(j)));
                    scene.items.push(Item::Area {
                        at: (x + 1.0, y),
                        size: (each - 2.0, plot.bottom() - y),
                        fill: None,
                        hatch: None,
                        outline: Some(MUTED),
                    });
                    number(&mut scene, &rate(*value), (x + each / 2.0, y), each);
                }
                None => number(&mut scene, "refused", (x + each / 2.0, plot.bottom()), each),
            }
        }
        let middle = plot.at.0 + wide * (i as f64 + 0.5);
        scene.note((middle, plot.bottom() + 10.0 + NOTE), Anchor::Middle, name);
    }
    scene.line(&[(plot.at.0, plot.bottom()), (plot.at.0 + plot.size.0, plot.bottom())], INK, 1.6);
    let below = plot.bottom() + 10.0 + NOTE + 1.6 * LABEL;
    scene.label((plot.at.0 + plot.size.0 / 2.0, below), Anchor::Middle, &bars.across);
    scene.end(below + 4.0)
}

/// The axis without tick marks above the highest bar.
fn trimmed(mut axis: Axis, most: f64) -> Axis {
    axis.marks.retain(|mark| *mark <= most * 1.05);
    axis
}

/// Adds the number of a bar above it, upward if it is wider than the bar.
fn number(scene: &mut Scene, text: &str, (x, y): (f64, f64), space: f64) {
    if width(text, NOTE, Weight::Regular) <= space + 8.0 {
        scene.note((x, y - 7.0), Anchor::Middle, text);
        return;
    }
    scene.items.push(Item::Text(Text {
        text: text.to_owned(),
        at: (x + 0.35 * NOTE, y - 7.0),
        anchor: Anchor::Start,
        size: NOTE,
        weight: Weight::Regular,
        color: INK,
        upward: true,
    }));
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tests: `pictures-are-legible`.
    #[test]
    fn numbers_of_narrow_bars_are_read_upward() {
        let value = |i: usize| Some(0.5 + 17.3 * i as f64);
        let bars = Columns {
            title: "Figure 6.16: products".to_owned(),
            notes: vec!["512 x 512 words".to_owned()],
            quantity: "rate (GFLOP/s)".to_owned(),
            across: "tile size, elements per thread".to_owned(),
            series: ["plain", "prefetch", "unrolled", "both"].map(str::to_owned).to_vec(),
            groups: (0..6)
                .map(|i| (format!("8×8, 1×{i}"), vec![value(i), None, value(2 * i), value(7)]))
                .collect(),
            log: false,
        };
        for log in [false, true] {
            let scene = scene("a chip", &Columns { log, ..bars.clone() });
            assert!(scene.flaws().is_empty(), "{:?}", scene.flaws());
            assert!(scene.texts().any(|text| text.upward && text.text == "121.60"));
            assert!(scene.texts().any(|text| text.text == "refused"));
        }
    }
}
