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

/// The keys and their effects. Keys that differ in the case of a letter only are opposites.
const KEYS: [(KeyCode, Action); 27] = [
    (KeyCode::Char('s'), Action::Command("step")),
    (KeyCode::Char('S'), Action::Command("reverse-step")),
    (KeyCode::Char('n'), Action::Command("next")),
    (KeyCode::Char('c'), Action::Command("cycle")),
    (KeyCode::Char('C'), Action::Command("reverse-cycle")),
    (KeyCode::Char('g'), Action::Command("continue")),
    (KeyCode::Char('G'), Action::Command("reverse-continue")),
    (KeyCode::Char('q'), Action::Command("quit")),
    (KeyCode::Char(':'), Action::Type),
    (KeyCode::Enter, Action::Type),
    (KeyCode::Down, Action::Warp(true)),
    (KeyCode::Up, Action::Warp(false)),
    (KeyCode::Right, Action::Lane(true)),
    (KeyCode::Left, Action::Lane(false)),
    (KeyCode::Char(']'), Action::Sm(true)),
    (KeyCode::Char('['), Action::Sm(false)),
    (KeyCode::Tab, Action::Tab(true)),
    (KeyCode::BackTab, Action::Tab(false)),
    (KeyCode::Char('z'), Action::Zoom),
    (KeyCode::PageDown, Action::Page(1)),
    (KeyCode::PageUp, Action::Page(-1)),
    (KeyCode::Home, Action::Top),
    (KeyCode::Char('f'), Action::Format),
    (KeyCode::Char('m'), Action::Allocation),
    (KeyCode::Char('?'), Action::Help),
    (KeyCode::Char('h'), Action::Help),
    (KeyCode::F(5), Action::Redraw),
];

/// Keys that have another effect in host code: it has no warps and lanes.
const KEYS_OF_HOST: [(KeyCode, Action); 4] = [
    (KeyCode::Down, Action::Command("next")),
    (KeyCode::Right, Action::Command("step")),
    (KeyCode::Up, Action::Command("reverse-step")),
    (KeyCode::Left, Action::Command("finish")),
];

/// The help: keys, and what they do.
const HELP: [(&str, &str); 13] = [
    ("s S", "step, reverse-step: next instruction of the warp in focus; back"),
    ("n", "next: as step; a called function is executed as a whole"),
    ("c C", "cycle, reverse-cycle: next issue cycle of all SMs; back"),
    ("g G", "continue, reverse-continue: to the next breakpoint or the end; back"),
    ("Up Down", "another warp of the SM"),
    ("Left Right", "another lane, for commands about a thread"),
    ("[ ]", "another SM with resident warps"),
    ("1-9 Tab", "select a pane; z gives it all space, and back"),
    ("PgUp PgDn", "scroll the selected pane; Home: to its start or the current line"),
    ("f m", "values as hex, int or float; next allocation of global memory"),
    (":", "type a command: Tab completes, Up recalls; :help lists the commands"),
    ("", ":break divergence  :break stall 400  :print/f %r1  :info blocks"),
    ("? q", "this help, quit; F5 draws the screen again"),
];

/// The help in host code.
const HELP_OF_HOST: [(&str, &str); 12] = [
    ("s S", "step, reverse-step: next line, also in functions and launches; back"),
    ("n", "next: next line; a called function is executed as a whole"),
    ("g G", "continue, reverse-continue: to the next breakpoint or the end; back"),
    ("Down Right", "next; step"),
    ("Up Left", "reverse-step; finish: to the end of the function"),
    ("1-4 9 Tab", "select a pane; z gives it all space, and back"),
    ("PgUp PgDn", "scroll the selected pane; Home: to its start or the current line"),
    (":", "type a command: Tab completes, Up recalls; :help lists the commands"),
    ("", ":break 30  :break KERNEL  :watch sum  :print data[0]@8"),
    ("", "In a launch: [ ] another SM, c C a cycle, f m formats and memory;"),
    ("", "the arrow keys select a warp and a lane."),
    ("? q", "this help, quit; F5 draws the screen again"),
];

/// Returns the help in host code or in a launch.
pub fn help(is_host: bool) -> &'static [(&'static str, &'static str)] {
    if is_host { &HELP_OF_HOST } else { &HELP }
}

/// The keys on the last line of the screen in host code.
const HINTS_OF_HOST: [(&str, &str); 8] = [
    ("s/S", "step/back"),
    ("n", "next"),
    ("g/G", "continue"),
    ("↑↓←→", "move"),
    ("Tab", "pane"),
    (":", "command"),
    ("?", "help"),
    ("q", "quit"),
];

/// Returns the keys on the last line of the screen.
pub fn hints(is_host: bool) -> &'static [(&'static str, &'static str)] {
    if is_host { &HINTS_OF_HOST } else { &HINTS }
}

/// The keys on the last line of the screen in a launch.
const HINTS: [(&str, &str); 8] = [
    ("s/S", "step/back"),
    ("c/C", "cycle"),
    ("g/G", "continue"),
    ("↑↓", "warp"),
    ("Tab", "pane"),
    (":", "command"),
    ("?", "help"),
    ("q", "quit"),
];

/// Returns the effect of a key in host code or in a launch, if it has one.
pub fn action(key: KeyEvent, is_host: bool) -> Option<Action> {
    if key.modifiers.contains(KeyModifiers::CONTROL) {
        return (key.code == KeyCode::Char('l')).then_some(Action::Redraw);
    }
    if let KeyCode::Char(digit @ '1'..='9') = key.code {
        return Some(Action::Select(Pane::ALL[digit as usize - '1' as usize]));
    }
    let own = KEYS_OF_HOST.iter().filter(|_| is_host);
    own.chain(&KEYS).find(|(code, _)| *code == key.code).map(|(_, action)| *action)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::front::parse::parse;

    #[test]
    fn keys_are_short_forms_of_commands() {
        for (_, action) in KEYS.into_iter().chain(KEYS_OF_HOST) {
            if let Action::Command(line) = action {
                assert!(matches!(parse(line), Ok(Some(_))), "`{line}` is a command");
            }
        }
    }

    #[test]
    fn every_digit_selects_a_pane_and_no_key_has_two_effects() {
        for digit in '1'..='9' {
            let key = KeyEvent::from(KeyCode::Char(digit));
            assert!(matches!(action(key, false), Some(Action::Select(_))));
        }
        for (i, (code, _)) in KEYS.iter().enumerate() {
            assert!(KEYS[..i].iter().all(|(other, _)| other != code), "{code:?}");
        }
    }

    #[test]
    fn the_help_names_the_keys_and_the_hints_fit_on_a_line() {
        for (code, _) in KEYS {
            let KeyCode::Char(key) = code else { continue };
            let named = HELP.iter().any(|(keys, text)| {
                keys.contains(key) || text.split([' ', ';']).any(|word| word == key.to_string())
            });
            assert!(named || key == 'h', "{key} is not in the help");
        }
        for is_host in [false, true] {
            let wide = |(key, word): &(&str, &str)| key.chars().count() + word.len() + 2;
            assert!(hints(is_host).iter().map(wide).sum::<usize>() <= 80);
            assert!(help(is_host).iter().all(|(_, text)| text.len() <= 68));
            // Two titles and three lines about signs share the space of the smallest screen.
            assert!(help(is_host).len() <= 14);
        }
    }
}
