//! States of the warps of the SM in the last issue cycles, one letter for each issue cycle.

use super::super::text::fit;
use super::{Content, Scene, View, window};
use crate::front::show::letter;
use ratatui::text::{Line, Span};
use report::render::number::count;
use sim_core::debug::Cell;
use sim_core::host::Mode;
use sim_core::stats::WarpState;
use std::collections::BTreeMap;

/// Characters before the first issue cycle.
const LABEL: usize = 6;

/// The content of the pane.
pub fn content(scene: &Scene<'_, '_>, view: View) -> Content {
    if scene.session.mode() == Mode::Functional {
        return Content::nothing("The functional machine has no time.");
    }
    let cycles = view.width.saturating_sub(LABEL) as u64;
    let timeline =
        scene.session.timeline(scene.focus.sm, cycles).filter(|timeline| !timeline.rows.is_empty());
    let terms = scene.words.terms();
    let Some(timeline) = timeline else {
        return Content::nothing(terms.fill("No warp has been resident in this {sm}."));
    };
    let here = timeline.rows.iter().position(|row| row.slot == scene.focus.slot).unwrap_or(0);
    let rows = view.rows.saturating_sub(1);
    let (first, scroll) = window(timeline.rows.len(), rows, here, view.scroll);
    let mut lines = Vec::new();
    let mut seen = BTreeMap::new();
    for row in timeline.rows.iter().skip(first).take(rows) {
        let focused = row.slot == scene.focus.slot;
        let mark = if focused { '>' } else { ' ' };
        let style = if focused { scene.theme.focus() } else { scene.theme.dim() };
        let mut spans = vec![Span::styled(format!("{mark}{:>4} ", row.slot), style)];
        let character = |cell: &Option<Cell>| match cell {
            None => (' ', ratatui::style::Style::new()),
            Some(cell) => (letter(*cell).0, scene.theme.state(cell.state)),
        };
        spans.extend(row.cells.iter().map(character).map(|(c, style)| Span::styled(c.to_string(), style)));
        for cell in row.cells.iter().flatten() {
            seen.insert((cell.state, !cell.issues), *cell);
        }
        lines.push(Line::from(spans));
    }
    lines.push(Line::styled(fit(&legend(&seen), view.width), scene.theme.dim()));
    let last = timeline.from + timeline.period * timeline.cycles as u64;
    let title = format!(
        "of {} {}, shader cycles {} to {}: a letter is an issue cycle",
        terms.sm,
        scene.focus.sm,
        count(timeline.from),
        count(last.saturating_sub(1)),
    );
    Content { title, lines, scroll }
}

/// Meaning of the letters that occur.
fn legend(seen: &BTreeMap<(WarpState, bool), Cell>) -> String {
    let mut texts: Vec<String> = Vec::new();
    for cell in seen.values() {
        let (letter, name) = letter(*cell);
        let text = format!("{letter} {name}");
        if !texts.contains(&text) {
            texts.push(text);
        }
    }
    format!(" {}", texts.join(", "))
}
