//! Output of commands.

use super::super::text::fit;
use super::super::theme::Theme;
use super::{Content, View};
use ratatui::text::Line;

/// The content of the pane; scroll position 0 is the end.
pub fn content(theme: Theme, log: &[String], title: &str, view: View) -> Content {
    let line = |text: &String| {
        let style = if text.starts_with("error: ") {
            theme.error()
        } else if text.starts_with("(warpsim) ") {
            theme.key()
        } else {
            ratatui::style::Style::new()
        };
        Line::styled(fit(text, view.width - 1), style)
    };
    let (first, scroll) = at_end(log.len(), view);
    let lines = log.iter().skip(first).take(view.rows).map(line).collect();
    Content { title: title.to_owned(), lines, scroll }
}

/// Returns the first visible line of `all`, of which scroll position 0 shows the last ones, and the
/// position within its limits.
pub fn at_end(all: usize, view: View) -> (usize, i64) {
    let most = all.saturating_sub(view.rows) as i64;
    let scroll = view.scroll.clamp(-most, 0);
    ((most + scroll) as usize, scroll)
}
