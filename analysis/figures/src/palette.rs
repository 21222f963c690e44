//! Colors, markers and hatches of all pictures.

use super::hatch::{Hatch, Lines};
use super::scene::{Item, Point, Scene};
use plotters::style::{RGBColor, WHITE};
use sim_core::stats::WarpState;

/// Colors that also differ in brightness (after Okabe and Ito). Further lines are distinguished by
/// markers.
const COLORS: [RGBColor; 8] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(86, 180, 233),
    RGBColor(150, 110, 0),
    RGBColor(230, 159, 0),
    DARK,
];

/// The darkest color of a line.
pub const DARK: RGBColor = RGBColor(60, 60, 60);

/// Color of a limit or a mark that needs attention.
pub const ALERT: RGBColor = RGBColor(178, 34, 34);

/// Fill of an area: its color, and the hatch over it.
pub type Paint = (RGBColor, Option<Hatch>);

/// Returns the color of a line.
pub fn color(number: usize) -> RGBColor {
    COLORS[look(number).0]
}

/// Returns the numbers of a line's color and marker. The marker changes each time the colors
/// repeat.
pub fn look(number: usize) -> (usize, usize) {
    (number % COLORS.len(), (number + number / COLORS.len()) % 4)
}

/// Adds the marker of a line to a picture, about `2 * size` pixels wide.
pub fn mark(scene: &mut Scene, number: usize, (x, y): Point, size: f64) {
    let color = color(number);
    let polygon = |corners: &[Point]| {
        let points = corners.iter().map(|(dx, dy)| (x + dx * size, y + dy * size)).collect();
        Item::Polygon { points, color }
    };
    scene.items.push(match look(number).1 {
        0 => Item::Circle { at: (x, y), radius: size, color },
        1 => polygon(&[(-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)]),
        2 => polygon(&[(0.0, -1.2), (1.1, 0.8), (-1.1, 0.8)]),
        _ => polygon(&[(0.0, -1.3), (1.3, 0.0), (0.0, 1.3), (-1.3, 0.0)]),
    });
}

/// Returns the hatch of a bar of this number, for bars that are not distinguished by their place.
pub fn hatch(number: usize) -> Option<Hatch> {
    let white = |lines| Some(Hatch { lines, color: WHITE });
    match number % 4 {
        0 => None,
        1 => white(Lines::Rising),
        2 => white(Lines::Level),
        _ => white(Lines::Crossed),
    }
}

/// Returns the color and the hatch of a state of warps.
pub fn state(state: WarpState) -> Paint {
    let rgb = |color: u32| RGBColor((color >> 16) as u8, (color >> 8) as u8, color as u8);
    let row = state.row();
    (rgb(row.color), row.hatch.map(|(lines, color)| Hatch { lines, color: rgb(color) }))
}

/// Size of the boxes of a legend in pixels.
const BOX: Point = (34.0, 19.0);

/// Adds a legend of states between two margins, as many in a line as fit. Returns the place below
/// it.
pub fn state_legend(scene: &mut Scene, states: &[WarpState], left: f64, right: f64, top: f64) -> f64 {
    let entries: Vec<_> = states.iter().map(|one| (state(*one), one.label().to_owned())).collect();
    legend(scene, &entries, left, right, top)
}

/// Adds a legend of filled boxes between two margins, as many in a line as fit. Returns the place
/// below it.
pub fn legend(scene: &mut Scene, entries: &[(Paint, String)], left: f64, right: f64, top: f64) -> f64 {
    use super::font::{Weight, width};
    use super::scene::{Anchor, NOTE, PALE};
    const LINE: f64 = 31.0;
    let (mut x, mut y) = (left, top);
    for (paint, name) in entries {
        let space = BOX.0 + 9.0 + width(name, NOTE, Weight::Regular) + 24.0;
        if x > left && x + space > right {
            (x, y) = (left, y + LINE);
        }
        scene.hatched((x, y), BOX, *paint);
        scene.outline((x, y), BOX, PALE);
        scene.note((x + BOX.0 + 9.0, y + 15.5), Anchor::Start, name);
        x += space;
    }
    if entries.is_empty() { top } else { y + LINE }
}
