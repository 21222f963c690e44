//! Colors, markers and hatches of all pictures.

use super::hatch::{Hatch, Lines};
use super::scene::{Item, Point, Scene};
use plotters::prelude::*;
use sim_core::stats::WarpState;

/// Font family of pictures that plotters lays out.
pub const FONT: &str = "sans-serif";

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
    RGBColor(60, 60, 60),
];

/// Color of a limit or a mark that needs attention.
pub const ALERT: RGBColor = RGBColor(178, 34, 34);

/// Returns the color of a line.
pub fn color(number: usize) -> RGBColor {
    COLORS[look(number).0]
}

/// Returns the numbers of a line's color and marker. The marker changes each time the colors
/// repeat.
pub fn look(number: usize) -> (usize, usize) {
    (number % COLORS.len(), (number + number / COLORS.len()) % 4)
}

/// Returns a marker around a pixel: a filled shape.
pub fn marker<'a, DB: DrawingBackend + 'a>(number: usize, at: (i32, i32)) -> DynElement<'a, DB, (i32, i32)> {
    let style = color(number).filled();
    let by = |x: i32, y: i32| (at.0 + x, at.1 + y);
    match look(number).1 {
        0 => Circle::new(at, 4, style).into_dyn(),
        1 => Rectangle::new([by(-4, -4), by(4, 4)], style).into_dyn(),
        2 => TriangleMarker::new(at, 5, style).into_dyn(),
        _ => Polygon::new([by(0, -6), by(6, 0), by(0, 6), by(-6, 0)], style).into_dyn(),
    }
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

/// Returns the color and the hatch of a state of warps: the colors of the browser lab, and hatches
/// that distinguish colors of similar brightness.
pub fn state(state: WarpState) -> (RGBColor, Option<Hatch>) {
    let on = |lines, color| Some(Hatch { lines, color });
    let (white, dark) = (WHITE, RGBColor(50, 40, 30));
    match state {
        WarpState::Issuing => (RGBColor(27, 127, 77), None),
        WarpState::NotSelected => (RGBColor(166, 216, 189), None),
        WarpState::PipeBusy => (RGBColor(227, 181, 5), on(Lines::Upright, dark)),
        WarpState::LsuFull => (RGBColor(181, 101, 29), on(Lines::Grid, white)),
        WarpState::Fetch => (RGBColor(122, 81, 149), on(Lines::Level, white)),
        WarpState::ExecutionDependency => (RGBColor(242, 166, 90), on(Lines::Falling, dark)),
        WarpState::ConstantDependency => (RGBColor(214, 165, 224), on(Lines::Level, dark)),
        WarpState::SharedDependency => (RGBColor(74, 163, 223), on(Lines::Crossed, white)),
        WarpState::MemoryDependency => (RGBColor(47, 104, 200), on(Lines::Rising, white)),
        WarpState::Membar => (RGBColor(123, 36, 28), on(Lines::Upright, white)),
        WarpState::Barrier => (RGBColor(192, 57, 43), on(Lines::Falling, white)),
        WarpState::Exited => (RGBColor(184, 184, 184), on(Lines::Crossed, RGBColor(225, 225, 225))),
    }
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
pub fn legend(
    scene: &mut Scene,
    entries: &[((RGBColor, Option<Hatch>), String)],
    left: f64,
    right: f64,
    top: f64,
) -> f64 {
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
