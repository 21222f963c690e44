//! Accesses of a warp: its lanes and the segments of global memory that they use, or the banks of
//! shared memory.

use crate::font::{Weight, fit, width};
use crate::palette::{ALERT, color};
use crate::scene::{Anchor, INK, LABEL, MARGIN, MUTED, NOTE, PALE, Point, Scene, WIDTH};
use plotters::style::RGBColor;
use report::recorded::access::{Access, Found};
use report::render::number::{count, plural};
use report::words::memory_space;
use sim_core::debug::{AccessView, BankView};
use std::collections::BTreeMap;

/// Distance between columns in pixels.
const BETWEEN: f64 = 34.0;
/// Height of a box of a lane, a segment or a bank, and distance of the lanes from the segments and
/// from the banks, in pixels.
const BOX: f64 = 22.0;
const GAP: f64 = 92.0;
const BANK_GAP: f64 = 60.0;
/// Lanes of a warp.
const LANES: u32 = 32;

/// The accesses of a chip.
#[derive(Debug)]
pub struct Column {
    /// Name of the chip.
    pub chip: String,
    /// Its accesses.
    pub found: Vec<Found>,
}

/// Returns the picture of one access: its segments, its banks, or both; `None` if it has neither.
pub fn one(access: &Access, view: &AccessView) -> Option<Scene> {
    if view.transactions.is_empty() && view.banks.is_none() {
        return None;
    }
    let Access { line, text, cycle, kind, bytes, .. } = access;
    let space = memory_space(view.space, access.terms);
    let title = format!("Line {line}, {space} {kind}: {text}");
    let by = plural((*bytes).into(), "byte");
    let note = format!("{by} by each lane, issued in shader cycle {}", count(*cycle));
    let (mut scene, mut top) = Scene::titled(&title, &[note]);
    let wide = WIDTH - 2.0 * MARGIN;
    if !view.transactions.is_empty() {
        top = cell(&mut scene, view, (MARGIN, top), wide);
    }
    if let Some(banks) = &view.banks {
        top = of_banks(&mut scene, view, banks, (MARGIN, top), wide);
    }
    Some(scene.end(top))
}

/// Returns the picture of a kernel: an access in each row, a chip in each column.
pub fn segments(kernel: &str, lines: &[u32], columns: &[Column]) -> Scene {
    let title = format!("{kernel}: lanes of a warp and the segments of memory that they use");
    let note = "Top: the 32 lanes of a warp. Bottom: the segments of its transactions, by ascending address.";
    let (mut scene, mut top) = Scene::titled(&title, &[note.to_owned()]);
    let number = columns.len() as f64;
    let wide = (WIDTH - 2.0 * MARGIN - (number - 1.0) * BETWEEN) / number;
    let left = |i: usize| MARGIN + i as f64 * (wide + BETWEEN);
    for (i, column) in columns.iter().enumerate() {
        let name = fit(&column.chip, LABEL, Weight::Bold, wide);
        scene.text_with((left(i), top + LABEL), Anchor::Start, &name, (LABEL, Weight::Bold, INK));
    }
    top += 2.0 * LABEL;
    for line in lines {
        let of = |column: &Column| column.found.iter().position(|found| found.access.line == *line);
        let Some(first) = columns.iter().find_map(|column| of(column).map(|i| &column.found[i])) else {
            continue;
        };
        scene.line(&[(MARGIN, top), (WIDTH - MARGIN, top)], PALE, 1.0);
        let Access { kind, text, .. } = &first.access;
        let space = memory_space(first.view.space, first.access.terms);
        let text = format!("line {line}, {space} {kind}: {text}");
        scene.note(
            (MARGIN, top + 1.5 * NOTE),
            Anchor::Start,
            &fit(&text, NOTE, Weight::Regular, WIDTH - 2.0 * MARGIN),
        );
        let below = columns.iter().enumerate().map(|(i, column)| match of(column) {
            Some(at) => cell(&mut scene, &column.found[at].view, (left(i), top + 2.4 * NOTE), wide),
            None => top,
        });
        top = below.fold(top, f64::max) + 22.0;
    }
    scene.end(top - 22.0)
}

/// A segment: the lanes and the transactions that use it.
#[derive(Default)]
struct Segment {
    lanes: u32,
    span: u32,
    times: u32,
}

/// Adds the drawing of an access. Returns the place below it.
fn cell(scene: &mut Scene, access: &AccessView, (left, top): Point, wide: f64) -> f64 {
    let mut segments: BTreeMap<u32, Segment> = BTreeMap::new();
    for one in &access.transactions {
        let segment = segments.entry(one.address).or_default();
        segment.lanes |= one.lanes;
        segment.span = segment.span.max(one.span);
        segment.times += 1;
    }
    let step = wide / 32.0;
    let lane_top = top + 1.1 * NOTE;
    for lane in 0..LANES {
        let x = left + f64::from(lane) * step;
        let of = segments.values().position(|segment| segment.lanes >> lane & 1 == 1);
        if let Some(segment) = of.filter(|_| access.lanes >> lane & 1 == 1) {
            scene.fill((x + 0.5, lane_top), (step - 1.0, BOX), color(segment));
        }
        scene.outline((x + 0.5, lane_top), (step - 1.0, BOX), MUTED);
        if lane % 8 == 0 || lane == 31 {
            scene.note((x + step / 2.0, lane_top - 5.0), Anchor::Middle, &lane.to_string());
        }
    }
    let below = lane_top + BOX + GAP;
    let each = wide / segments.len().max(1) as f64;
    for (i, (address, segment)) in segments.iter().enumerate() {
        let width_of = (each - 4.0).clamp(2.0, 260.0);
        let x = left + each * i as f64 + (each - width_of) / 2.0;
        for lane in (0..LANES).filter(|lane| (access.lanes & segment.lanes) >> lane & 1 == 1) {
            let offset = f64::from(access.addresses[lane as usize].wrapping_sub(*address));
            let part = (offset / f64::from(segment.span)).clamp(0.0, 1.0);
            let bytes = (f64::from(access.bytes) / f64::from(segment.span) * width_of).max(1.0);
            let at = (x + part * width_of).min(x + width_of - bytes);
            scene.fill((at, below), (bytes, BOX), color(i));
            let from = (left + (f64::from(lane) + 0.5) * step, lane_top + BOX);
            scene.line(&[from, (at + bytes / 2.0, below)], color(i), 1.2);
        }
        scene.outline((x, below), (width_of, BOX), INK);
        let text = match segment.times {
            1 => format!("{} bytes", segment.span),
            times => format!("{times} × {} bytes", segment.span),
        };
        if width(&text, NOTE, Weight::Regular) < each - 6.0 {
            let middle = left + each * (i as f64 + 0.5);
            scene.note((middle, below + BOX + 1.15 * NOTE), Anchor::Middle, &text);
        }
    }
    verdict(scene, access, (left, below + BOX + 2.5 * NOTE), wide)
}

/// Adds the number of transactions and bytes. Returns the place below it.
fn verdict(scene: &mut Scene, access: &AccessView, (left, y): Point, wide: f64) -> f64 {
    let number = plural(access.transactions.len() as u64, "transaction");
    let (first, second) = if access.is_uncoalesced() {
        ("not coalesced", format!("{number} instead of {}", access.fewest))
    } else {
        ("coalesced", number)
    };
    let third = format!(
        "{} bytes requested, {} transferred",
        count(access.requested().into()),
        count(access.transferred().into())
    );
    scene.strong((left, y), Anchor::Start, first);
    for (line, text) in [(1.0, second), (2.0, third)] {
        let text = fit(&text, NOTE, Weight::Regular, wide);
        scene.note((left, y + 1.4 * line * NOTE), Anchor::Start, &text);
    }
    y + 3.2 * NOTE
}

/// Adds the drawing of the banks that lanes use, a group of lanes below the other. Returns the
/// place below it.
fn of_banks(scene: &mut Scene, access: &AccessView, view: &BankView, (left, top): Point, wide: f64) -> f64 {
    let has = |lane: u32| view.lanes >> lane & 1 == 1;
    let bank = |lane: u32| view.of_lane[lane as usize];
    let group = view.group.max(1);
    let mut y = top;
    for first in (0..LANES).step_by(group as usize) {
        let lanes = first..(first + group).min(LANES);
        if !lanes.clone().any(has) {
            continue;
        }
        // Lanes that read one word share it.
        let words = |of: u32| {
            let used = lanes.clone().filter(|lane| has(*lane) && bank(*lane) == of);
            let mut words: Vec<u32> = used.map(|lane| access.addresses[lane as usize] >> 2).collect();
            words.sort_unstable();
            words.dedup();
            words.len()
        };
        let paint = |of: u32| -> RGBColor { if words(of) > 1 { ALERT } else { color(2) } };
        let lane_top = y + 1.1 * NOTE;
        let step = wide / f64::from(group);
        let center = |lane: u32| left + (f64::from(lane - first) + 0.5) * step;
        let bank_top = lane_top + BOX + BANK_GAP;
        let bank_step = wide / f64::from(view.banks.max(1));
        let bank_center = |of: u32| left + (f64::from(of) + 0.5) * bank_step;
        for lane in lanes.clone() {
            let at = (center(lane) - step / 2.0 + 0.5, lane_top);
            if has(lane) {
                scene.fill(at, (step - 1.0, BOX), paint(bank(lane)));
                scene.tip(format!("lane {lane}: bank {}", bank(lane)));
                let ends = [(center(lane), lane_top + BOX), (bank_center(bank(lane)), bank_top)];
                scene.line(&ends, paint(bank(lane)), 1.2);
            }
            scene.outline(at, (step - 1.0, BOX), MUTED);
            if lane % 4 == 0 {
                scene.note((center(lane), lane_top - 5.0), Anchor::Middle, &lane.to_string());
            }
        }
        for of in 0..view.banks {
            let at = (bank_center(of) - bank_step / 2.0 + 0.5, bank_top);
            if words(of) > 0 {
                scene.fill(at, (bank_step - 1.0, BOX), paint(of));
                scene.tip(format!("bank {of}: {}", plural(words(of) as u64, "word")));
            }
            scene.outline(at, (bank_step - 1.0, BOX), INK);
            if of % 4 == 0 {
                let place = (bank_center(of), bank_top + BOX + 1.15 * NOTE);
                scene.note(place, Anchor::Middle, &of.to_string());
            }
        }
        y = bank_top + BOX + 2.2 * NOTE;
    }
    let passes = |number: u32| format!("{} {}", number, if number == 1 { "pass" } else { "passes" });
    let verdict = if view.passes > view.fewest {
        let words = "a red bank serves several words";
        format!("bank conflict: {} instead of {}; {words}", passes(view.passes), view.fewest)
    } else {
        format!("no bank conflict: {}", passes(view.passes))
    };
    scene.strong((left, y + NOTE), Anchor::Start, &verdict);
    y + 1.2 * NOTE
}
