//! Stall bars: the time of all warps by source line, each bar divided by what the warps did.

use super::runs::{self, Ended, chosen, launch_line};
use crate::args::StallsArgs;
use crate::draw::axis::Axis;
use crate::draw::font::{Weight, fit, width};
use crate::draw::palette::{state, state_legend};
use crate::draw::plot::Plot;
use crate::draw::scene::{Anchor, MARGIN, NOTE, PALE, Scene, WIDTH};
use crate::exit::{Code, Failure};
use crate::render::number::{percent, plural};
use sim_core::stats::WarpState;
use sim_core::stats::report::{LineReport, TimingReport};

/// Distance between rows and height of a bar in pixels.
const STEP: f64 = 40.0;
const BAR: f64 = 28.0;
/// Right ends of the line numbers and of the percentages, and left ends of the texts and of the
/// bars, in pixels.
const NUMBERS: f64 = 74.0;
const SOURCE: f64 = 86.0;
const SHARES: f64 = 612.0;
const BARS: f64 = 628.0;

/// Least share of the time of a shown line.
const LEAST: f64 = 0.0005;

/// Draws the picture of the arguments.
pub fn run(args: &StallsArgs) -> Result<Code, Failure> {
    let ended = runs::run(&args.run, |_, _| Ok(()))?;
    let scene = draw(&ended, args);
    Ok(ended.finish(scene, None))
}

fn draw(ended: &Ended<'_>, args: &StallsArgs) -> Result<Scene, Failure> {
    let number = chosen(&ended.outcome.reports, args.launch_index)?;
    let Some(timing) = &ended.outcome.reports[number].timing else {
        return Err(Failure::input("error: the launch has no timing, so its stalls are unknown"));
    };
    if timing.lines.iter().all(|line| line.warp_cycles == 0) {
        return Err(Failure::input("error: no warp of the launch became resident: there are no stalls"));
    }
    let title = format!("{} on {}: time of warps by source line", ended.kernel, ended.chip_name);
    let note = launch_line(&ended.outcome.reports, number);
    Ok(scene(&title, &note, timing, args.lines as usize))
}

/// Returns the picture of at most `most` lines.
fn scene(title: &str, note: &str, timing: &TimingReport, most: usize) -> Scene {
    // Lines without a visible bar are only counted.
    let visible = timing.lines.iter().take_while(|row| row.share >= LEAST).count().max(1);
    let rows = &timing.lines[..most.min(visible)];
    let longest = rows.iter().map(|row| row.share).fold(1e-9, f64::max);
    let (mut scene, mut top) = Scene::titled(title, &[note.to_owned()]);
    top += 12.0;
    scene.strong((NUMBERS, top + 6.0), Anchor::End, "line");
    scene.strong((SOURCE, top + 6.0), Anchor::Start, "source");
    scene.strong((BARS, top + 6.0), Anchor::Start, "time of all warps at the line, by state");
    top += 20.0;
    let height = STEP * rows.len() as f64 + 6.0;
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
        let y = top + 6.0 + STEP * i as f64;
        let baseline = y + BAR / 2.0 + 0.35 * NOTE;
        scene.note((NUMBERS, baseline), Anchor::End, &row.line.to_string());
        let space = SHARES - 76.0 - SOURCE;
        scene.note((SOURCE, baseline), Anchor::Start, &fit(&code(&row.source), NOTE, Weight::Regular, space));
        scene.note((SHARES, baseline), Anchor::End, &format!("{} %", percent(row.share)));
        bar(&mut scene, &plot, row, y);
    }
    plot.across(&mut scene, "share of the time of all resident warps (%)");
    let rest = &timing.lines[rows.len()..];
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
fn bar(scene: &mut Scene, plot: &Plot, row: &LineReport, y: f64) {
    let whole = row.warp_cycles.max(1) as f64;
    let mut before = 0.0;
    for one in WarpState::ALL {
        let part = 100.0 * row.share * row.states[one] as f64 / whole;
        if part <= 0.0 {
            continue;
        }
        let (from, to) = (plot.x(before), plot.x(before + part));
        scene.hatched((from, y), (to - from, BAR), state(one));
        if width(one.label(), NOTE, Weight::Regular) + 22.0 < to - from {
            let middle = (f64::midpoint(from, to), y + BAR / 2.0 + 0.35 * NOTE);
            scene.plate(middle, Anchor::Middle, one.label());
        }
        before += part;
    }
}

/// Largest number of characters of the code of a row, more than a row shows.
const LONGEST: usize = 200;

/// Returns the beginning of the code of a source line: without comments, with single spaces.
fn code(source: &str) -> String {
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
