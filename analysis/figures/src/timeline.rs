//! The states of the warps of an SM, cycle by cycle.

use crate::axis::Axis;
use crate::palette::{Paint, state, state_legend};
use crate::plot::{BELOW, Plot};
use crate::scene::{Anchor, MARGIN, NOTE, PALE, Scene, WIDTH};
use report::recorded;
use report::terms::Terms;
use sim_core::stats::WarpState;
use std::ops::Range;

/// Left end of the area in pixels.
const LEFT: f64 = MARGIN + 150.0;

/// The states of a warp slot.
#[derive(Clone, Debug, Default)]
pub struct WarpRow {
    /// Linear number of the first block with a warp in this slot.
    pub block: Option<u64>,
    /// Changes: shader cycle, state from then on, `None` without a warp.
    pub changes: Vec<(u64, Option<WarpState>)>,
}

/// The states of the warps of one SM.
#[derive(Clone, Debug, Default)]
pub struct Timeline {
    /// Shader cycles of an issue cycle.
    pub period: u32,
    /// Warp slots.
    pub rows: Vec<WarpRow>,
    /// The words of the kernel.
    pub terms: &'static Terms,
}

impl From<&recorded::timeline::Timeline> for Timeline {
    fn from(timeline: &recorded::timeline::Timeline) -> Self {
        let state = |number: i8| usize::try_from(number).ok().and_then(|at| WarpState::ALL.get(at).copied());
        let row = |(row, block): (&Vec<(u64, i8, u32)>, &Option<u64>)| {
            let mut changes: Vec<(u64, Option<WarpState>)> =
                row.iter().map(|(cycle, number, _)| (*cycle, state(*number))).collect();
            changes.dedup_by_key(|change| change.1);
            WarpRow { block: *block, changes }
        };
        Self {
            period: timeline.period as u32,
            rows: timeline.rows.iter().zip(&timeline.blocks).map(row).collect(),
            terms: timeline.terms,
        }
    }
}

/// Returns the picture of these shader cycles.
pub fn scene(title: &str, notes: &[String], timeline: &Timeline, cycles: &Range<u64>) -> Scene {
    let used = timeline.rows.iter().filter(|row| !row.changes.is_empty()).count();
    let (mut scene, top) = Scene::titled(title, notes);
    let step = if used > 32 {
        13.0
    } else if used > 16 {
        18.0
    } else {
        26.0
    };
    let right = WIDTH - MARGIN - 16.0;
    let all = Axis::around(cycles.start as f64, cycles.end as f64);
    let (from, to) = (cycles.start as f64, cycles.end as f64);
    let marks = all.marks.into_iter().filter(|mark| (from..=to).contains(mark)).collect();
    let plot = Plot {
        at: (LEFT, top),
        size: (right - LEFT, step * used as f64 + 4.0),
        x: Axis::exactly(from, to, marks),
        y: Axis::exactly(0.0, 1.0, Vec::new()),
    };
    let pixels = plot.size.0 as usize;
    let mut seen = Vec::new();
    // Rows between labels, so that the labels do not touch.
    let labeled = ((1.25 * NOTE) / step).ceil() as usize;
    let (mut y, mut shown) = (top + 2.0, 0);
    let mut block = None;
    for (slot, row) in timeline.rows.iter().enumerate().filter(|(_, row)| !row.changes.is_empty()) {
        let begins = row.block != block;
        if begins {
            block = row.block;
            scene.line(&[(MARGIN, y), (right, y)], PALE, 1.0);
            if let Some(block) = block {
                scene.note((MARGIN, y + NOTE), Anchor::Start, &format!("{} {block}", timeline.terms.block));
            }
            shown = 0;
        }
        if shown % labeled == 0 && (labeled == 1 || shown + labeled <= rows_of(timeline, slot)) {
            let baseline = if labeled == 1 { y + step / 2.0 + 0.35 * NOTE } else { y + NOTE };
            scene.note((LEFT - 8.0, baseline), Anchor::End, &format!("warp {slot}"));
        }
        for (from, to, one) in runs_of(row, cycles, pixels) {
            let x = LEFT + from as f64;
            scene.hatched((x, y + 1.0), ((to - from) as f64, step - 2.0), paint(one, to - from));
            if !seen.contains(&one) {
                seen.push(one);
            }
        }
        y += step;
        shown += 1;
    }
    plot.across(&mut scene, "shader cycle");
    let mut bottom = plot.bottom() + BELOW + 16.0;
    seen.sort_unstable();
    bottom = state_legend(&mut scene, &seen, MARGIN, right, bottom);
    let each = (cycles.end - cycles.start) as f64 / pixels as f64;
    if each > f64::from(timeline.period) {
        let text = format!("Each pixel is {each:.0} cycles, and shows the state of most of them.");
        scene.note((MARGIN, bottom + 12.0), Anchor::Start, &text);
        bottom += 20.0;
    }
    scene.end(bottom)
}

/// Number of rows from a slot to the last one of its block, and at least 1.
fn rows_of(timeline: &Timeline, slot: usize) -> usize {
    let block = timeline.rows[slot].block;
    let of_block = timeline.rows[..].iter().filter(|row| row.block == block && !row.changes.is_empty());
    of_block.count()
}

/// The color of a state; narrow parts have no hatch.
fn paint(one: WarpState, pixels: usize) -> Paint {
    let (color, hatch) = state(one);
    (color, hatch.filter(|_| pixels >= 5))
}

/// Returns the parts of a row: first pixel, pixel after the last one, state. Each pixel has the
/// state of most of its cycles; pixels without a warp have none.
fn runs_of(row: &WarpRow, cycles: &Range<u64>, pixels: usize) -> Vec<(usize, usize, WarpState)> {
    let span = cycles.end - cycles.start;
    let cycle_of = |pixel: usize| cycles.start + span * pixel as u64 / pixels as u64;
    let mut runs: Vec<(usize, usize, WarpState)> = Vec::new();
    let mut next = 0;
    for pixel in 0..pixels {
        let (from, to) = (cycle_of(pixel), cycle_of(pixel + 1).max(cycle_of(pixel) + 1));
        // The last change at or before the first cycle of the pixel.
        while next < row.changes.len() && row.changes[next].0 <= from {
            next += 1;
        }
        let mut time = [0u64; WarpState::COUNT];
        let mut at = next.saturating_sub(1);
        let mut cycle = from;
        while cycle < to && at < row.changes.len() {
            let end = row.changes.get(at + 1).map_or(to, |change| change.0).min(to);
            let (since, state) = row.changes[at];
            if let Some(state) = state {
                time[state as usize] += end.saturating_sub(since.max(cycle));
            }
            cycle = end.max(cycle);
            at += 1;
        }
        let most = WarpState::ALL.into_iter().rev().max_by_key(|state| time[*state as usize]);
        let Some(state) = most.filter(|state| time[*state as usize] > 0) else { continue };
        match runs.last_mut() {
            Some(last) if last.1 == pixel && last.2 == state => last.1 = pixel + 1,
            Some(_) | None => runs.push((pixel, pixel + 1, state)),
        }
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pixel_has_the_state_of_most_of_its_cycles() {
        use WarpState::{Barrier, Issuing, MemoryDependency};
        let changes = vec![(2, Some(Issuing)), (4, Some(MemoryDependency)), (20, Some(Barrier)), (22, None)];
        let row = WarpRow { block: Some(0), changes };
        assert_eq!(
            runs_of(&row, &(0..24), 24),
            [(2, 4, Issuing), (4, 20, MemoryDependency), (20, 22, Barrier)]
        );
        // Pixels of 4 cycles: the first has two cycles without a warp and two of issue.
        assert_eq!(runs_of(&row, &(0..24), 6), [(0, 1, Issuing), (1, 5, MemoryDependency), (5, 6, Barrier)]);
        // A picture that begins later begins with the state of that time.
        assert_eq!(runs_of(&row, &(12..16), 4), [(0, 4, MemoryDependency)]);
    }
}
