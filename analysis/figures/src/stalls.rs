//! Stall bars: the time of all warps by source line, each bar divided by what the warps did.

use crate::axis::Axis;
use crate::font::{Weight, fit, width};
use crate::palette::{state, state_legend};
use crate::plot::Plot;
use crate::scene::{Anchor, MARGIN, NOTE, PALE, Scene, WIDTH};
use report::render::number::{count, percent, plural};
use sim_core::stats::report::LineReport;
use sim_core::stats::{ByState, WarpState};

/// Right ends of the line numbers and of the percentages, and left ends of the texts and of the
/// bars, in pixels.
const NUMBERS: f64 = 74.0;
const SOURCE: f64 = 86.0;
const SHARES: f64 = 612.0;
const BARS: f64 = 628.0;
/// Rows of a picture whose rows are high.
const FEW: usize = 16;

/// Least share of the time of a shown line.
const LEAST: f64 = 0.0005;

/// The time of warps at a source line.
#[derive(Clone, Debug)]
pub struct Line {
    /// Line number.
    pub line: u32,
    /// Text.
    pub source: String,
    /// Share of the time of all resident warps, 0 to 1.
    pub share: f64,
    /// Issue cycles of warps by state.
    pub states: ByState,
}

impl From<&LineReport> for Line {
    fn from(line: &LineReport) -> Self {
        let LineReport { line, source, share, states, .. } = line;
        Self { line: *line, source: source.clone(), share: *share, states: *states }
    }
}

/// Order of the rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// The line with the most time is first.
    Time,
    /// As in the source.
    Source,
}

/// Returns the picture of at most `most` lines; `lines` begin with the one that has the most time.
pub fn scene(title: &str, notes: &[String], lines: &[Line], most: usize, order: Order) -> Scene {
    // Lines without a visible bar are only counted.
    let visible = lines.iter().take_while(|row| row.share >= LEAST).count().max(1);
    let (shown, rest) = lines.split_at(most.min(visible).min(lines.len()));
    let mut rows: Vec<&Line> = shown.iter().collect();
    if order == Order::Source {
        rows.sort_by_key(|row| row.line);
    }
    let (step, high) = if rows.len() > FEW { (30.0, 20.0) } else { (40.0, 28.0) };
    let longest = rows.iter().map(|row| row.share).fold(1e-9, f64::max);
    let (mut scene, mut top) = Scene::titled(title, notes);
    top += 12.0;
    scene.strong((NUMBERS, top + 6.0), Anchor::End, "line");
    scene.strong((SOURCE, top + 6.0), Anchor::Start, "source");
    scene.strong((BARS, top + 6.0), Anchor::Start, "time of all warps at the line, by state");
    top += 20.0;
    let height = step * rows.len() as f64 + 6.0;
    let plot = Plot {
        at: (BARS, top),
        size: (WIDTH - MARGIN - 14.0 - BARS, height),
        x: marked(100.0 * longest),
        y: Axis::exactly(0.0, 1.0, Vec::new()),
    };
    for mark in &plot.x.marks {
        scene.line(&[(plot.x(*mark), top), (plot.x(*mark), top + height)], PALE, 1.0);
    }
    for (i, row) in rows.iter().enumerate() {
        let y = top + 6.0 + step * i as f64;
        let baseline = y + high / 2.0 + 0.35 * NOTE;
        scene.note((NUMBERS, baseline), Anchor::End, &row.line.to_string());
        let space = SHARES - 76.0 - SOURCE;
        scene.note((SOURCE, baseline), Anchor::Start, &fit(&code(&row.source), NOTE, Weight::Regular, space));
        scene.note((SHARES, baseline), Anchor::End, &format!("{} %", percent(row.share)));
        bar(&mut scene, &plot, row, (y, high));
    }
    plot.across(&mut scene, "share of the time of all resident warps (%)");
    let mut bottom = plot.bottom() + 76.0;
    if !rest.is_empty() {
        let share: f64 = rest.iter().map(|row| row.share).sum();
        let text =
            format!("{} not shown: {} % of the time", plural(rest.len() as u64, "line"), percent(share));
        scene.note((SOURCE, plot.bottom() + 30.0), Anchor::Start, &text);
    }
    let seen: Vec<WarpState> =
        WarpState::ALL.into_iter().filter(|state| rows.iter().any(|row| row.states[*state] > 0)).collect();
    bottom = state_legend(&mut scene, &seen, MARGIN, WIDTH - MARGIN, bottom);
    scene.end(bottom)
}

/// An axis from zero to a percentage, with about five round tick marks.
fn marked(most: f64) -> Axis {
    let mut axis = Axis::around(0.0, most);
    axis.marks.retain(|mark| *mark <= most * 1.0001);
    axis.end_at(most)
}

/// Adds the bar of a line. A state whose name fits into its part is named there.
fn bar(scene: &mut Scene, plot: &Plot, row: &Line, (y, high): (f64, f64)) {
    let whole = row.states.total().max(1) as f64;
    let mut before = 0.0;
    for one in WarpState::ALL {
        let part = 100.0 * row.share * row.states[one] as f64 / whole;
        if part <= 0.0 {
            continue;
        }
        let (from, to) = (plot.x(before), plot.x(before + part));
        scene.hatched((from, y), (to - from, high), state(one));
        let cycles = count(row.states[one]);
        scene.tip(format!("line {}: {}, {cycles} issue cycles of warps", row.line, one.label()));
        if width(one.label(), NOTE, Weight::Regular) + 22.0 < to - from {
            let middle = (f64::midpoint(from, to), y + high / 2.0 + 0.35 * NOTE);
            scene.plate(middle, Anchor::Middle, one.label());
        }
        before += part;
    }
}

/// Largest number of characters of the code of a row, more than a row shows.
const LONGEST: usize = 200;

/// Returns the beginning of the code of a source line: without comments, with single spaces.
pub fn code(source: &str) -> String {
    let line = source.split("//").next().unwrap_or("");
    let parts = line.split("/*").enumerate().map(|(number, part)| match (number, part.split_once("*/")) {
        (0, _) => part,
        (_, Some((_, after))) => after,
        (_, None) => "",
    });
    let words = parts.flat_map(str::split_whitespace);
    let mut code = String::new();
    for word in words {
        if !code.is_empty() {
            code.push(' ');
        }
        code.extend(word.chars().take(LONGEST));
        if code.len() >= LONGEST {
            break;
        }
    }
    code
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_code_of_a_row_has_no_comment_and_a_limited_length() {
        assert_eq!(code("  add.u32\t%a, /* sum */ %b, 1; // next"), "add.u32 %a, %b, 1;");
        assert_eq!(code("mov.u32 %a, 1; /* begins here"), "mov.u32 %a, 1;");
        let comment = format!("add.u32 %a, /* {} */ %b, 1;", "a b ".repeat(1 << 18));
        assert_eq!(code(&comment), "add.u32 %a, %b, 1;");
        assert!(code(&"x ".repeat(1 << 19)).len() <= LONGEST + 1);
    }
}
