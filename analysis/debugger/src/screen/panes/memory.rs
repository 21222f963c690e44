//! Words of shared memory with their banks, and of global memory with its allocations.

use super::cells::{cell, name, per_line, table};
use super::{Content, Scene, View};
use isa::uop::OperandKind;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use report::inspect::values::Format;
use report::render::number::count;

/// Most bytes on a line: sixteen words.
const LINE: usize = 64;

/// The words of `bytes` as values, with a style for each address.
fn words(scene: &Scene<'_, '_>, bytes: &[u8], style: impl Fn(usize) -> Style) -> Vec<(String, Style)> {
    let word = |(i, bytes): (usize, &[u8])| {
        let mut all = [0; 4];
        all[..bytes.len()].copy_from_slice(bytes);
        (cell(OperandKind::W, scene.format, u32::from_le_bytes(all).into()), style(4 * i))
    };
    bytes.chunks(4).enumerate().map(word).collect()
}

/// Shared memory of the block of the warp in focus.
pub fn shared(scene: &Scene<'_, '_>, view: View) -> Content {
    let Some(warp) = scene.warp else { return Content::nothing("No warp is resident in this slot.") };
    let bytes = scene.session.shared(warp.block).unwrap_or(&[]);
    if bytes.is_empty() {
        return Content::nothing(scene.words.terms().fill("The {block} has no {shared}."));
    }
    let theme = scene.theme;
    let changed = |at: usize| {
        let now = &bytes[at..bytes.len().min(at + 4)];
        if scene.before.shared_changed(warp.block, at, now) { theme.changed() } else { Style::new() }
    };
    let cells = words(scene, bytes, changed);
    let banks = scene.session.chip().sm.shared.banks as usize;
    let each = per_line(&cells, view.width);
    let label = |word: usize| Span::styled(format!("{:04x} b{:<2}", 4 * word, word % banks), theme.dim());
    let lines = table(&cells, each, label);
    let title = format!(
        "of {} {}: {} bytes, {} (f), {banks} banks; b: bank of the first word",
        scene.words.terms().block,
        warp.block_index,
        count(bytes.len() as u64),
        name(scene.format)
    );
    Content::scrolled(title, lines, view)
}

/// The allocations, and the words of one of them.
pub fn global(scene: &Scene<'_, '_>, view: View) -> Content {
    let all = scene.session.allocations();
    if all.is_empty() {
        return Content::nothing("No global memory is allocated.");
    }
    let theme = scene.theme;
    let shown = scene.allocation % all.len();
    let one = &all[shown];
    let name_of = one.name.as_deref().map_or(String::new(), |name| format!(" {name}"));
    let head = format!(
        " allocation {} of {}{name_of}: {:08x} to {:08x}, {} bytes",
        shown + 1,
        all.len(),
        one.start,
        one.end() - 1,
        count(one.bytes.into())
    );
    let rows = view.rows.saturating_sub(1);
    // The number of values on a line must not depend on the position, so it is that of the longest.
    let each = match scene.format {
        Format::Hex => 8,
        Format::Signed | Format::Unsigned | Format::Float | Format::Binary | Format::Octal | Format::Char => {
            4
        }
    };
    let line = (4 * each).min(LINE);
    let most = (one.bytes as usize).div_ceil(line).saturating_sub(rows);
    let first = view.scroll.clamp(0, most as i64) as usize;
    let start = one.start + (first * line) as u32;
    let length = (one.end() - u64::from(start)).min((rows * line) as u64) as u32;
    let bytes = scene.session.global(start, length).unwrap_or_default();
    let cells = words(scene, &bytes, |_| Style::new());
    let label = |word: usize| Span::styled(format!("{:08x}", start + 4 * word as u32), theme.dim());
    let mut lines = vec![Line::styled(super::super::text::fit(&head, view.width), theme.focus())];
    lines.extend(table(&cells, each, label));
    let title = format!("memory, {} (f: format, m: next allocation)", name(scene.format));
    Content { title, lines, scroll: first as i64 }
}
