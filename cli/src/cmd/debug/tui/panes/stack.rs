//! The reconvergence stack of the warp in focus.

use super::super::text::mask;
use super::{Content, Scene, View};
use isa::uop::TO_EXIT;
use ratatui::text::Line;

/// The content of the pane.
pub fn content(scene: &Scene<'_, '_>, view: View) -> Content {
    let Some(warp) = scene.warp else { return Content::nothing("No warp is resident in this slot.") };
    let title = format!("of warp {}: which lanes run, where the others continue", warp.slot);
    if warp.stack.is_empty() {
        return Content { title, ..Content::nothing("The stack is empty: all lanes have exited.") };
    }
    let mut lines = Vec::new();
    for (i, entry) in warp.stack.iter().rev().enumerate() {
        let line = scene.words.place(entry.pc);
        let until = match entry.reconv {
            TO_EXIT => "until its lanes exit".to_owned(),
            pc => format!("until line {}", scene.words.place(pc)),
        };
        let lanes = format!("[{}]", mask(entry.mask, u32::MAX));
        let (text, style) = if i == 0 {
            (format!(" runs  {lanes} line {line} {until}"), scene.theme.focus())
        } else {
            lines.push(Line::styled("   │", scene.theme.dim()));
            (format!(" waits {lanes} line {line} {until}"), ratatui::style::Style::new())
        };
        lines.push(Line::styled(text, style));
    }
    Content::scrolled(title, lines, view)
}
