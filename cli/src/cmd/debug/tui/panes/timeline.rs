//! States of the warps of the SM in the last issue cycles, one character for each issue cycle.

use super::super::text::{fit, short};
use super::{Content, Scene, View, window};
use crate::render::number::count;
use ratatui::text::{Line, Span};
use sim_core::debug::Cell;
use sim_core::stats::WarpState;
use std::collections::BTreeSet;

/// Characters before the first issue cycle.
const LABEL: usize = 6;

/// The content of the pane.
pub fn content(scene: &Scene<'_, '_>, view: View) -> Content {
    let cycles = view.width.saturating_sub(LABEL) as u64;
    let timeline =
        scene.session.timeline(scene.focus.sm, cycles).filter(|timeline| !timeline.rows.is_empty());
    let Some(timeline) = timeline else { return Content::nothing("No warp has been resident in this SM.") };
    let here = timeline.rows.iter().position(|row| row.slot == scene.focus.slot).unwrap_or(0);
    let rows = view.rows.saturating_sub(1);
    let (first, scroll) = window(timeline.rows.len(), rows, here, view.scroll);
    let mut lines = Vec::new();
    let mut seen = BTreeSet::new();
    for row in timeline.rows.iter().skip(first).take(rows) {
        let focused = row.slot == scene.focus.slot;
        let mark = if focused { '>' } else { ' ' };
        let style = if focused { scene.theme.focus() } else { scene.theme.dim() };
        let mut spans = vec![Span::styled(format!("{mark}{:>4} ", row.slot), style)];
        let character = |cell: &Option<Cell>| match cell {
            None => (' ', ratatui::style::Style::new()),
            Some(cell) if cell.state == WarpState::Issuing && !cell.issues => {
                ('=', scene.theme.state(cell.state))
            }
            Some(cell) => (short(cell.state).1, scene.theme.state(cell.state)),
        };
        spans.extend(row.cells.iter().map(character).map(|(c, style)| Span::styled(c.to_string(), style)));
        seen.extend(row.cells.iter().flatten().map(|cell| (cell.state, cell.issues)));
        lines.push(Line::from(spans));
    }
    lines.push(Line::styled(fit(&legend(&seen), view.width), scene.theme.dim()));
    let last = timeline.from + timeline.period * timeline.cycles as u64;
    let title = format!(
        "of SM {}, shader cycles {} to {}: a character is an issue cycle",
        scene.focus.sm,
        count(timeline.from),
        count(last.saturating_sub(1)),
    );
    Content { title, lines, scroll }
}

/// Meaning of the characters that occur.
fn legend(seen: &BTreeSet<(WarpState, bool)>) -> String {
    let one = |(state, issues): &(WarpState, bool)| match (state, issues) {
        (WarpState::Issuing, false) => "= further slot".to_owned(),
        (WarpState::Issuing, true) => "# issues".to_owned(),
        (other, _) => {
            let (name, character) = short(*other);
            format!("{character} {name}")
        }
    };
    let all: BTreeSet<(WarpState, String)> = seen.iter().map(|cell| (cell.0, one(cell))).collect();
    let texts: Vec<String> = all.into_iter().map(|(_, text)| text).collect();
    format!(" {}", texts.join(", "))
}
