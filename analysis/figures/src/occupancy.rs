//! Occupancy over a number of a kernel: curves side by side, each of which varies one number.

use crate::axis::Axis;
use crate::font::{Weight, width};
use crate::palette::{ALERT, color};
use crate::plot::{BELOW, Plot};
use crate::scene::{Anchor, Item, MARGIN, NOTE, Point, Scene, WIDTH};
use report::render::number::{count, percent, plural};
use report::terms::Terms;
use sim_core::occupancy::Limiter;
use std::borrow::Cow;

/// Height of an area in pixels.
const HEIGHT: f64 = 340.0;
/// Distance between areas in pixels, with the numbers of the axis.
const BETWEEN: f64 = 44.0;

/// Values with the same result.
#[derive(Clone, Debug)]
pub struct Step {
    /// The first value.
    pub from: u32,
    /// The last value.
    pub to: u32,
    /// Blocks of an SM.
    pub blocks: u32,
    /// Warps as a fraction of the warp slots.
    pub occupancy: f64,
    /// Resources that allow the fewest blocks.
    pub limiters: Vec<Limiter>,
    /// Reason for which it cannot be launched.
    pub refusal: Option<String>,
}

impl Step {
    fn tip(&self, label: &str, terms: &Terms) -> String {
        let range = if self.from == self.to {
            count(self.from.into())
        } else {
            format!("{} to {}", count(self.from.into()), count(self.to.into()))
        };
        let limiters: Vec<_> = self.limiters.iter().map(|limiter| limiter.name(terms)).collect();
        let result = match &self.refusal {
            Some(refusal) => refusal.clone(),
            None => format!(
                "{} %, {}, limited by {}",
                percent(self.occupancy),
                plural(self.blocks.into(), terms.block),
                limiters.join(", ")
            ),
        };
        format!("{range} {label}: {result}")
    }
}

/// The occupancy over one number.
#[derive(Clone, Debug)]
pub struct Curve {
    /// The number, with its unit.
    pub label: Cow<'static, str>,
    /// The words of the kernel.
    pub terms: &'static Terms,
    /// The result, by ascending values.
    pub steps: Vec<Step>,
    /// Value of the kernel, if it is known.
    pub here: Option<u32>,
}

/// Returns the picture.
pub fn scene(title: &str, notes: &[String], curves: &[Curve]) -> Scene {
    let (mut scene, top) = Scene::titled(title, notes);
    let left = MARGIN + 92.0;
    let number = curves.len().max(1) as f64;
    let width = (WIDTH - MARGIN - 12.0 - left - (number - 1.0) * BETWEEN) / number;
    for (i, curve) in curves.iter().enumerate() {
        let x = left + i as f64 * (width + BETWEEN);
        area(&mut scene, curve, (x, top + 8.0), width, i == 0);
    }
    scene.end(top + 8.0 + HEIGHT + BELOW)
}

/// Adds the curve of a resource: a step for each range of values, and the value of the kernel.
fn area(scene: &mut Scene, curve: &Curve, at: (f64, f64), width: f64, first: bool) {
    let last = curve.steps.last().map_or(1, |row| row.to);
    let most = f64::from(last.max(curve.here.unwrap_or(0)));
    let round = Axis::around(0.0, most);
    let x_marks = round.marks.iter().copied().filter(|mark| *mark <= most).collect();
    let plot = Plot {
        at,
        size: (width, HEIGHT),
        x: Axis::exactly(0.0, most, x_marks),
        y: Axis::exactly(0.0, 108.0, (0..=5).map(|i| 20.0 * f64::from(i)).collect()),
    };
    plot.frame(scene, &curve.label, if first { "occupancy (% of the warp slots)" } else { "" });
    let points: Vec<(f64, f64)> = curve
        .steps
        .iter()
        .flat_map(|row| [(row.from, row.occupancy), (row.to, row.occupancy)])
        .map(|(x, y)| plot.place((f64::from(x), 100.0 * y)))
        .collect();
    let dots = curve.steps.iter().all(|row| row.from == row.to);
    scene.line(&points, color(0), if dots { 1.6 } else { 3.0 });
    if dots {
        for at in points.iter().copied().step_by(2) {
            scene.items.push(Item::Circle { at, radius: 4.5, color: color(0) });
        }
    }
    // A tip for each step, over the whole height.
    for row in &curve.steps {
        let (from, to) = (plot.x(row.from.into()), plot.x(row.to.into()));
        scene.over((from - 3.0, plot.at.1), (to - from + 6.0, plot.size.1));
        scene.tip(row.tip(&curve.label, curve.terms));
    }
    let Some(here) = curve.here else { return };
    let Some(row) = curve.steps.iter().rfind(|row| row.from <= here) else { return };
    let (x, y) = plot.place((here.into(), 100.0 * row.occupancy));
    scene.dashed(&[(x, plot.bottom()), (x, plot.at.1)], ALERT, 1.8);
    scene.items.push(Item::Circle { at: (x, y), radius: 8.5, color: ALERT });
    let text = format!("{} here", count(here.into()));
    label(scene, &plot, &points, x, &text);
}

/// Adds a label beside the dashed line at `x`, where the curve is not.
fn label(scene: &mut Scene, plot: &Plot, curve: &[Point], x: f64, text: &str) {
    let space = width(text, NOTE, Weight::Regular);
    let sides = [(Anchor::Start, x + 10.0, x + 10.0), (Anchor::End, x - 10.0, x - 10.0 - space)];
    let heights = [plot.bottom() - 10.0, plot.y(30.0), plot.y(50.0), plot.y(70.0), plot.y(90.0)];
    let candidates: Vec<(Anchor, f64, f64, f64)> = heights
        .into_iter()
        .flat_map(|y| sides.into_iter().map(move |(anchor, at, left)| (anchor, at, left, y)))
        .filter(|(_, _, left, _)| *left > plot.at.0 && left + space < plot.at.0 + plot.size.0)
        .collect();
    // Whether a part of the curve is in the space of the label.
    let is_covered = |left: f64, y: f64| {
        curve.windows(2).any(|pair| {
            (0..=40).map(f64::from).any(|i| {
                let at = |a: f64, b: f64| a + (b - a) * i / 40.0;
                let (cx, cy) = (at(pair[0].0, pair[1].0), at(pair[0].1, pair[1].1));
                (left - 6.0..left + space + 6.0).contains(&cx) && (y - NOTE..y + 8.0).contains(&cy)
            })
        })
    };
    let free = candidates.iter().find(|(_, _, left, y)| !is_covered(*left, *y)).or(candidates.first());
    if let Some((anchor, at, _, y)) = free {
        scene.plate((*at, *y), *anchor, text);
    }
}
