//! The warps of the SM in focus: place, line, lanes, state, and what they wait for.

use super::super::text::{brief, fit, mask, short};
use super::{Content, Scene, View, window};
use ratatui::text::{Line, Span};
use sim_core::debug::WarpView;
use sim_core::host::Mode;

/// The content of the pane.
pub fn content(scene: &Scene<'_, '_>, view: View) -> Content {
    if scene.warps.is_empty() {
        let text = "No warp is resident in this {sm}; [ and ] choose another {sm}.";
        return Content::nothing(scene.words.terms().fill(text));
    }
    let name = |warp: &WarpView| {
        let index = warp.block_index.to_string();
        format!("{}.{}", index.trim_matches(['(', ')']), warp.index)
    };
    let names: Vec<String> = scene.warps.iter().map(name).collect();
    let wide = names.iter().map(|name| name.chars().count()).max().unwrap_or(0).max(8);
    let here = scene.warps.iter().position(|warp| warp.slot == scene.focus.slot).unwrap_or(0);
    let rows = view.rows.saturating_sub(1);
    let (first, scroll) = window(scene.warps.len(), rows, here, view.scroll);
    let heading =
        format!(" slot {:<wide$} line lanes 0 to 31 (# active) {:>7}state: waits for", "block.warp", "");
    let mut lines = vec![Line::styled(fit(&heading, view.width), scene.theme.dim())];
    for (warp, name) in scene.warps.iter().zip(&names).skip(first).take(rows) {
        lines.push(line(scene, warp, &format!("{name:<wide$}"), view.width));
    }
    Content { title: format!("of {} {}", scene.words.terms().sm, scene.focus.sm), lines, scroll }
}

fn line(scene: &Scene<'_, '_>, warp: &WarpView, name: &str, width: usize) -> Line<'static> {
    let theme = scene.theme;
    let focused = warp.slot == scene.focus.slot;
    let mark = if focused { '>' } else { ' ' };
    let line = if warp.live == 0 { String::new() } else { scene.words.place(warp.pc).to_string() };
    let head = format!("{mark}{:>4} {name} {line:>4} ", warp.slot);
    let style = if focused { theme.focus() } else { ratatui::style::Style::new() };
    let (state, style_of_state) = match warp.status {
        None => ("not scheduled".to_owned(), theme.dim()),
        Some(status) => {
            let mode = scene.session.mode();
            let why = match mode {
                Mode::Timed => brief(scene.words, &status.why),
                Mode::Functional => String::new(),
            };
            let colon = if why.is_empty() { "" } else { ": " };
            (format!("{}{colon}{why}", short(status.state, mode)), theme.state(status.state))
        }
    };
    let used = head.chars().count() + 33;
    Line::from(vec![
        Span::styled(head, style),
        Span::styled(mask(warp.active, warp.live), style),
        Span::raw(" "),
        Span::styled(fit(&state, width.saturating_sub(used)), style_of_state),
    ])
}
