//! Keys of the screen. A key that moves the launch or changes the focus is the short form of a
//! command; the other keys change what the screen shows.

use super::layout::Pane;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// Effect of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Executes a command.
    Command(&'static str),
    /// Moves the focus to the next or previous warp of the SM.
    Warp(bool),
    /// Moves the focus to the next or previous lane.
    Lane(bool),
    /// Moves the focus to the next or previous SM with a resident warp.
    Sm(bool),
    /// Selects the next or previous pane.
    Tab(bool),
    /// Selects a pane.
    Select(Pane),
    /// Scrolls the selected pane by pages.
    Page(i64),
    /// Scrolls the selected pane to its start.
    Top,
    /// Shows values in the next format.
    Format,
    /// Shows the next allocation of global memory.
    Allocation,
    /// Gives the selected pane all space, or ends this.
    Zoom,
    /// Opens the command line.
    Type,
    /// Shows or hides the help.
    Help,
    /// Draws everything again.
    Redraw,
}

/// A key: code, name, effect, and help. Rows with an empty help are second keys of an effect.
pub type Row = (KeyCode, &'static str, Action, &'static str);

/// The keys, in the order of the help.
pub const KEYS: [Row; 28] = [
    (KeyCode::Char('s'), "s", Action::Command("step"), "step: next instruction of the warp"),
    (KeyCode::Char('S'), "S", Action::Command("reverse-step"), "reverse-step: one instruction back"),
    (KeyCode::Char('c'), "c", Action::Command("cycle"), "cycle: next issue cycle of all SMs"),
    (KeyCode::Char('C'), "C", Action::Command("reverse-cycle"), "reverse-cycle: one issue cycle back"),
    (KeyCode::Char('g'), "g", Action::Command("continue"), "continue: to the next breakpoint or the end"),
    (
        KeyCode::Char('G'),
        "G",
        Action::Command("reverse-continue"),
        "reverse-continue: to the latest breakpoint",
    ),
    (KeyCode::Char('q'), "q", Action::Command("quit"), "quit"),
    (KeyCode::Char(':'), ":", Action::Type, "type a command; Tab completes it"),
    (KeyCode::Enter, "Enter", Action::Type, ""),
    (KeyCode::Down, "Up Down", Action::Warp(true), "warp in focus"),
    (KeyCode::Up, "Up", Action::Warp(false), ""),
    (KeyCode::Right, "Left Right", Action::Lane(true), "lane in focus"),
    (KeyCode::Left, "Left", Action::Lane(false), ""),
    (KeyCode::Char(']'), "[ ]", Action::Sm(true), "previous, next SM with warps"),
    (KeyCode::Char('['), "[", Action::Sm(false), ""),
    (KeyCode::Tab, "Tab 1-9", Action::Tab(true), "select a pane"),
    (KeyCode::BackTab, "Shift-Tab", Action::Tab(false), ""),
    (KeyCode::Char('z'), "z", Action::Zoom, "selected pane in all space, and back"),
    (KeyCode::PageDown, "PgUp PgDn", Action::Page(1), "scroll the selected pane"),
    (KeyCode::PageUp, "PgUp", Action::Page(-1), ""),
    (KeyCode::Home, "Home", Action::Top, "scroll to the start or the current line"),
    (KeyCode::Char('f'), "f", Action::Format, "values as hex, int or float"),
    (KeyCode::Char('m'), "m", Action::Allocation, "next allocation of global memory"),
    (KeyCode::Char('?'), "?", Action::Help, "this help; :help lists the commands"),
    (KeyCode::Char('h'), "h", Action::Help, ""),
    (KeyCode::F(1), "F1", Action::Help, ""),
    (KeyCode::F(5), "F5", Action::Redraw, "draw the screen again"),
    (KeyCode::F(10), "F10", Action::Command("step"), ""),
];

/// The keys on the last line of the screen, with one word each.
pub const HINTS: [(&str, &str); 11] = [
    ("s", "step"),
    ("S", "back"),
    ("c", "cycle"),
    ("C", "back"),
    ("g", "continue"),
    ("G", "back"),
    ("↑↓", "warp"),
    ("Tab", "pane"),
    (":", "command"),
    ("?", "help"),
    ("q", "quit"),
];

/// Returns the effect of a key, if it has one.
pub fn action(key: KeyEvent) -> Option<Action> {
    if key.modifiers.contains(KeyModifiers::CONTROL) {
        return (key.code == KeyCode::Char('l')).then_some(Action::Redraw);
    }
    if let KeyCode::Char(digit @ '1'..='9') = key.code {
        return Some(Action::Select(Pane::ALL[digit as usize - '1' as usize]));
    }
    KEYS.iter().find(|(code, ..)| *code == key.code).map(|(_, _, action, _)| *action)
}

#[cfg(test)]
mod tests {
    use super::super::super::parse::parse;
    use super::*;

    #[test]
    fn keys_are_short_forms_of_commands() {
        for (_, name, action, _) in KEYS {
            if let Action::Command(line) = action {
                assert!(matches!(parse(line), Ok(Some(_))), "{name} executes `{line}`");
            }
        }
    }

    #[test]
    fn every_digit_selects_a_pane_and_no_key_has_two_effects() {
        for digit in '1'..='9' {
            let key = KeyEvent::from(KeyCode::Char(digit));
            assert!(matches!(action(key), Some(Action::Select(_))));
        }
        for (i, (code, name, ..)) in KEYS.iter().enumerate() {
            assert!(KEYS[..i].iter().all(|(other, ..)| other != code), "{name}");
        }
    }
}
