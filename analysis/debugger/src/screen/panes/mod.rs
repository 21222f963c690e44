//! The panes: each one writes the lines that a launch at a cycle and a focus have.

mod access;
mod cells;
mod memory;
pub mod output;
mod registers;
pub mod source;
mod stack;
mod timeline;
mod variables;
mod warps;

use super::changes::Stop;
use super::layout::Pane;
use super::text::fit;
use super::theme::Theme;
use crate::front::InFocus;
use ratatui::text::Line;
use report::inspect::text::LineKind;
use report::inspect::values::Format;
use report::inspect::{self, Fact, Subject, Value};
use report::words::Words;
use sim_core::debug::{Session, WarpView};
use std::collections::BTreeSet;
use std::fmt::Display;

/// State that the panes show.
pub struct Scene<'a, 's> {
    /// The launch.
    pub session: &'a Session<'s>,
    /// Names of instructions and reasons.
    pub words: &'a Words,
    /// Warp and lane in focus.
    pub focus: InFocus,
    /// The warp in focus, if one is resident.
    pub warp: Option<&'a WarpView>,
    /// Resident warps of the SM in focus.
    pub warps: &'a [WarpView],
    /// Lines with a breakpoint.
    pub breaks: &'a BTreeSet<u32>,
    /// Values at the previous stop.
    pub before: &'a Stop,
    /// Styles.
    pub theme: Theme,
    /// Format of values.
    pub format: Format,
    /// Index of the shown allocation of global memory.
    pub allocation: usize,
    /// Output of commands.
    pub log: &'a [String],
    /// Whether host code has made the launch, and is debugged, too.
    pub is_of_program: bool,
}

impl Scene<'_, '_> {
    /// The facts about a subject as lines of at most `width` characters. The color of a row is that
    /// of a state in it.
    fn facts(&self, subject: Subject, width: usize) -> Vec<Line<'static>> {
        let Self { session, words, focus, .. } = *self;
        let facts = subject.facts(&inspect::Scene { session, words, focus });
        let state = |fact: &Fact| match fact.value {
            Value::State(state, _) => Some(self.theme.state(state)),
            _ => None,
        };
        let style = |line: &inspect::text::Line<'_>| match line.kind {
            LineKind::Heading | LineKind::Titles => self.theme.dim(),
            LineKind::Row if line.fact.marked => self.theme.focus(),
            LineKind::Row | LineKind::Note => line.fact.children.iter().find_map(state).unwrap_or_default(),
        };
        let line = |line: inspect::text::Line<'_>| {
            Line::styled(fit(&format!(" {}", line.text), width - 1), style(&line))
        };
        inspect::text::lines(&facts).into_iter().map(line).collect()
    }
}

/// Size of a pane without its title, and its scroll position in lines.
#[derive(Clone, Copy, Debug)]
pub struct View {
    /// Columns.
    pub width: usize,
    /// Lines.
    pub rows: usize,
    /// Position: the first line, or the distance from the line in focus.
    pub scroll: i64,
}

/// Lines of a pane.
pub struct Content {
    /// Text after the name of the pane.
    pub title: String,
    /// At most as many lines as the pane has.
    pub lines: Vec<Line<'static>>,
    /// The scroll position within its limits.
    pub scroll: i64,
}

impl Content {
    /// The part of all lines that is visible at an absolute scroll position.
    pub fn scrolled(title: String, lines: Vec<Line<'static>>, view: View) -> Self {
        let most = lines.len().saturating_sub(view.rows);
        let first = view.scroll.clamp(0, most as i64);
        let lines = lines.into_iter().skip(first as usize).take(view.rows).collect();
        Self { title, lines, scroll: first }
    }

    /// One line in place of values.
    pub fn nothing(text: impl Display) -> Self {
        Self { title: String::new(), lines: vec![Line::from(format!(" {text}"))], scroll: 0 }
    }
}

/// Returns the first of `rows` visible lines of `all`, so that line `focus` is visible at position
/// 0, and the position within its limits.
pub fn window(all: usize, rows: usize, focus: usize, scroll: i64) -> (usize, i64) {
    let most = all.saturating_sub(rows) as i64;
    let unmoved = (focus as i64 - rows as i64 / 3).clamp(0, most);
    let first = (unmoved + scroll).clamp(0, most);
    (first as usize, first - unmoved)
}

/// Returns the content of a pane.
pub fn content(scene: &Scene<'_, '_>, pane: Pane, view: View) -> Content {
    match pane {
        Pane::Source => source::content(scene, view),
        Pane::Warps => warps::content(scene, view),
        Pane::Registers => registers::content(scene, view),
        Pane::Stack => stack::content(scene, view),
        Pane::Shared => memory::shared(scene, view),
        Pane::Global => memory::global(scene, view),
        Pane::Access => access::content(scene, view),
        Pane::Timeline => timeline::content(scene, view),
        Pane::Output => output::content(scene.theme, scene.log, "of commands", view),
    }
}

#[cfg(test)]
mod tests {
    use super::window;

    #[test]
    fn the_line_in_focus_is_visible_and_scrolling_has_limits() {
        assert_eq!(window(100, 9, 50, 0), (47, 0));
        assert_eq!(window(100, 9, 1, 0), (0, 0));
        assert_eq!(window(100, 9, 99, 0), (91, 0));
        assert_eq!(window(100, 9, 50, -1000), (0, -47));
        assert_eq!(window(5, 9, 3, 7), (0, 0));
    }
}
