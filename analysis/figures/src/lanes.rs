//! Active lanes by source line: how often the warp instructions of a line had 1 to 32 active lanes.

use crate::font::{Weight, fit};
use crate::palette::{color, hatch};
use crate::scene::{Anchor, MARGIN, NOTE, PALE, Scene, WIDTH};
use report::recorded::lanes::{Lanes, LineLanes};
use report::render::number::{count, fixed, plural};

/// Lanes of a warp.
const LANES: u32 = 32;
/// Largest number of lines.
const MOST: usize = 40;
/// Left end of the texts and of the columns, and width of a column, in pixels.
const SOURCE: f64 = 86.0;
const LEFT: f64 = 600.0;
const CELL: f64 = 17.0;
/// Height of a row in pixels.
const STEP: f64 = 36.0;

/// Lanes that were not active in the instructions of a line.
fn idle(line: &LineLanes) -> u64 {
    line.counts.iter().map(|(active, times)| times * u64::from(LANES - active)).sum()
}

/// Returns the picture. The bars of a line are relative to its most frequent number. Lines whose
/// instructions have only active lanes are counted; if there are too many others, those with the
/// most inactive lanes are drawn.
pub fn scene(lanes: &Lanes) -> Scene {
    let partial = lanes.lines.iter().filter(|line| idle(line) > 0).count();
    let mut rows: Vec<&LineLanes> = lanes.lines.iter().filter(|line| idle(line) > 0).collect();
    rows.sort_by_key(|line| std::cmp::Reverse(idle(line)));
    rows.truncate(MOST);
    rows.sort_by_key(|line| line.line);
    let full = lanes.lines.len() - partial;
    let mut notes = vec![format!(
        "Counted on {} {} for {} shader cycles.",
        lanes.terms.sm,
        lanes.sm,
        count(lanes.cycles)
    )];
    if full > 0 {
        let other = if rows.is_empty() { "line" } else { "other line" };
        notes.push(format!("{}: {LANES} active lanes in all instructions.", plural(full as u64, other)));
    }
    if partial > rows.len() {
        let left_out = plural((partial - rows.len()) as u64, "line");
        notes.push(format!("Left out: {left_out} with fewer inactive lanes."));
    }
    let (mut scene, mut top) = Scene::titled("Active lanes by source line", &notes);
    if rows.is_empty() {
        return scene.end(top - NOTE);
    }
    let x = |active: u32| LEFT + f64::from(active.saturating_sub(1)) * CELL;
    let right = LEFT + f64::from(LANES) * CELL;
    top += 12.0;
    scene.strong((SOURCE - 12.0, top), Anchor::End, "line");
    scene.strong((SOURCE, top), Anchor::Start, "source");
    scene.strong((LEFT, top), Anchor::Start, "active lanes of its warp instructions");
    scene.strong((right + 16.0, top), Anchor::Start, "mean");
    top += 1.4 * NOTE;
    for mark in [1, 8, 16, 24, 32] {
        scene.note((x(mark) + CELL / 2.0, top), Anchor::Middle, &mark.to_string());
    }
    top += 6.0;
    for (number, LineLanes { line, source, counts }) in rows.iter().enumerate() {
        let bottom = top + STEP * (number + 1) as f64;
        let code = fit(&crate::stalls::code(source), NOTE, Weight::Regular, LEFT - SOURCE - 20.0);
        scene.note((SOURCE - 12.0, bottom - 6.0), Anchor::End, &line.to_string());
        scene.note((SOURCE, bottom - 6.0), Anchor::Start, &code);
        scene.line(&[(LEFT, bottom), (right, bottom)], PALE, 1.0);
        let all: u64 = counts.iter().map(|(_, times)| times).sum();
        let most = counts.iter().map(|(_, times)| *times).max().unwrap_or(1).max(1);
        for (active, times) in counts.iter().filter(|(active, _)| *active > 0) {
            // A rare number of lanes is visible, too.
            let high = (*times as f64 / most as f64 * (STEP - 9.0)).max(2.0);
            let is_full = *active == LANES;
            let paint = if is_full { (color(2), None) } else { (color(1), hatch(1)) };
            scene.hatched((x(*active) + 1.0, bottom - high), (CELL - 2.0, high), paint);
            scene.tip(format!(
                "line {line}: {active} active lanes in {} of {} warp instructions",
                count(*times),
                count(all)
            ));
        }
        let sum: u64 = counts.iter().map(|(active, times)| u64::from(*active) * times).sum();
        let mean = fixed(sum as f64 / all.max(1) as f64, 1);
        scene.note((right + 16.0, bottom - 6.0), Anchor::Start, &mean);
    }
    let bottom = top + STEP * rows.len() as f64;
    debug_assert!(right + 60.0 < WIDTH - MARGIN, "the means have space");
    scene.end(bottom)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tests: `pictures-are-legible`.
    #[test]
    fn lines_with_inactive_lanes_are_drawn_and_the_others_counted() {
        let line = |line, counts: &[(u32, u64)]| LineLanes {
            line,
            source: "add.u32 %r1, %r2, %r3; // a sum".to_owned(),
            counts: counts.to_vec(),
        };
        let partial = (1..=50).map(|i| line(i, &[(0, 2), (1, 3), (32, u64::from(i))]));
        let lines: Vec<LineLanes> = partial.chain([line(90, &[(32, 7)])]).collect();
        let all = Lanes { kernel: "k".to_owned(), sm: 3, cycles: 1000, lines, ..Lanes::default() };
        let scene = scene(&all);
        assert!(scene.flaws().is_empty(), "{:?}", scene.flaws());
        for part in [
            "Left out: 10 lines with fewer inactive lanes.",
            "1 other line: 32 active lanes in all instructions.",
        ] {
            assert!(scene.texts().any(|text| text.text == part), "{part} is missing");
        }
        let none = Lanes { lines: vec![line(90, &[(32, 7)])], ..all };
        assert!(super::scene(&none).texts().all(|text| text.text != "mean"));
    }
}
