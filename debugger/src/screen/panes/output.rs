//! Output of commands.

use super::super::text::fit;
use super::{Content, Scene, View};
use ratatui::text::Line;

/// The content of the pane; scroll position 0 is the end.
pub fn content(scene: &Scene<'_, '_>, view: View) -> Content {
    let all = scene.log.len();
    let most = all.saturating_sub(view.rows) as i64;
    let scroll = view.scroll.clamp(-most, 0);
    let first = (most + scroll) as usize;
    let line = |text: &String| {
        let style = if text.starts_with("error: ") {
            scene.theme.error()
        } else if text.starts_with("(warpsim) ") {
            scene.theme.key()
        } else {
            ratatui::style::Style::new()
        };
        Line::styled(fit(text, view.width - 1), style)
    };
    let lines = scene.log.iter().skip(first).take(view.rows).map(line).collect();
    Content { title: "of commands".to_owned(), lines, scroll }
}
