//! PTX with the warps at each line and their states. A kernel without source text is shown as
//! micro-ops.

use super::super::text::{fit, ranges, short};
use super::super::theme::Theme;
use super::{Content, Scene, View, window};
use isa::uop::disasm;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use report::text::visible;
use sim_core::debug::WarpView;
use sim_core::host::Mode;
use sim_core::stats::WarpState;
use std::collections::BTreeMap;

/// Characters before the text of a line: breakpoint, arrow and number.
const GUTTER: usize = 9;

/// Fewest characters for the warps at a line.
const NOTE: usize = 26;

/// The lines of the program.
enum Listing<'a> {
    /// PTX.
    Text(Vec<&'a str>),
    /// Micro-ops; the line number is the index.
    Code(usize),
}

/// The content of the pane.
pub fn content(scene: &Scene<'_, '_>, view: View) -> Content {
    let program = scene.session.program();
    let listing = if program.source.text.is_empty() {
        Listing::Code(program.code.len())
    } else {
        Listing::Text(program.source.text.lines().collect())
    };
    // Index of the line of a warp.
    let place = |warp: &WarpView| match &listing {
        Listing::Code(_) => warp.pc as usize,
        Listing::Text(_) => scene.words.line(warp.pc).saturating_sub(1) as usize,
    };
    let mut at: BTreeMap<usize, Vec<&WarpView>> = BTreeMap::new();
    for warp in scene.warps.iter().filter(|warp| warp.live != 0) {
        at.entry(place(warp)).or_default().push(warp);
    }
    let here = scene.warp.filter(|warp| warp.live != 0).map(place);
    let (all, first_number) = match &listing {
        Listing::Text(lines) => (lines.len(), 1),
        Listing::Code(all) => (*all, 0),
    };
    let (first, scroll) = window(all, view.rows, here.unwrap_or(0), view.scroll);
    let lines = (first..all).take(view.rows).map(|i| {
        let text = match &listing {
            Listing::Text(lines) if scene.words.files().is_listing() => expanded(lines[i]),
            Listing::Text(lines) => halved(&expanded(lines[i])),
            Listing::Code(_) => disasm::instruction(program, &program.code[i]),
        };
        let warps = at.get(&i).map_or(&[][..], |warps| warps);
        line(scene, (i + first_number) as u32, &text, warps, here == Some(i), view.width - 1)
    });
    let title = match &listing {
        Listing::Text(_) => {
            // The text of a program is that of its source, under the name of its PTX.
            let file = scene.words.files().at(here.unwrap_or(0) as u32 + 1);
            let name = file.map_or(&program.source.name, |(file, _)| &file.name);
            format!("{}; => line of warp {}, > other warps", visible(name), scene.focus.slot)
        }
        Listing::Code(_) => "micro-ops: this kernel has no source text".to_owned(),
    };
    Content { title, lines: lines.collect(), scroll }
}

/// A line with blanks for tabs.
pub fn expanded(line: &str) -> String {
    let mut out = String::new();
    for part in line.split_inclusive('\t') {
        out += part.trim_end_matches('\t');
        if part.ends_with('\t') {
            out += &" ".repeat(8 - out.chars().count() % 8);
        }
    }
    out
}

/// A line of PTX with half of its indentation.
fn halved(line: &str) -> String {
    line.strip_prefix("        ").map_or(line.to_owned(), |rest| format!("    {rest}"))
}

/// A line with the warps at it.
fn line(
    scene: &Scene<'_, '_>,
    number: u32,
    text: &str,
    warps: &[&WarpView],
    here: bool,
    width: usize,
) -> Line<'static> {
    let theme = scene.theme;
    let arrow = match (here, warps.is_empty()) {
        (true, _) => "=>",
        (false, false) => " >",
        (false, true) => "  ",
    };
    let notes = notes(warps, scene.session.mode());
    let note: String = notes.iter().map(|(_, text)| text.as_str()).collect::<Vec<_>>().join("; ");
    let state = notes.first().map_or(theme.dim(), |(state, _)| state.map_or(theme.dim(), |s| theme.state(s)));
    let place = scene.words.files().place(number).to_string();
    SourceLine { has_break: scene.breaks.contains(&number), arrow, place: &place, text, here }.line(
        theme,
        (&note, state),
        width,
    )
}

/// A line of source text.
pub struct SourceLine<'a> {
    /// Whether it has a breakpoint.
    pub has_break: bool,
    /// Two characters before its number.
    pub arrow: &'static str,
    /// Its number.
    pub place: &'a str,
    /// Text of the line.
    pub text: &'a str,
    /// Whether it is the line in focus.
    pub here: bool,
}

impl SourceLine<'_> {
    /// Returns the line with a note at its end.
    pub fn line(self, theme: Theme, (note, state): (&str, Style), width: usize) -> Line<'static> {
        let Self { has_break, arrow, place, text, here } = self;
        let mark = if has_break { 'b' } else { ' ' };
        let free = width.saturating_sub(GUTTER.max(GUTTER - 4 + place.chars().count()));
        let longest = text.chars().count().min(free);
        let room = (free - longest).max(NOTE.min(free)).saturating_sub(1);
        let note = if note.is_empty() { String::new() } else { fit(note, room) };
        let text = fit(text.trim_end(), free - note.chars().count() - usize::from(!note.is_empty()));
        let gap = free - text.chars().count() - note.chars().count();
        let style = if here { theme.focus() } else { Style::new() };
        Line::from(vec![
            Span::styled(mark.to_string(), theme.error()),
            Span::styled(arrow.to_owned(), theme.key()),
            Span::styled(format!("{place:>4}  "), theme.dim()),
            Span::styled(text, style),
            Span::raw(" ".repeat(gap)),
            Span::styled(note, state),
        ])
    }
}

/// The warps at a line, by state: `0-3 memory`.
fn notes(warps: &[&WarpView], mode: Mode) -> Vec<(Option<WarpState>, String)> {
    let mut by_state: Vec<(Option<WarpState>, Vec<u32>)> = Vec::new();
    for warp in warps {
        let state = warp.status.map(|status| status.state);
        match by_state.iter_mut().find(|(other, _)| *other == state) {
            Some((_, slots)) => slots.push(warp.slot),
            None => by_state.push((state, vec![warp.slot])),
        }
    }
    let text = |(state, slots): (Option<WarpState>, Vec<u32>)| {
        let word = if slots.len() == 1 { "warp" } else { "warps" };
        let name = state.map_or("", |state| short(state, mode));
        (state, format!("{word} {} {name}", ranges(slots)).trim_end().to_owned())
    };
    by_state.into_iter().map(text).collect()
}
