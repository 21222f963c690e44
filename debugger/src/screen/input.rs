//! The command line at the bottom of the screen.

use crate::front::command::COMMANDS;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// Most characters of a line.
const LONGEST: usize = 500;

/// Most lines of the history.
const REMEMBERED: usize = 200;

/// A command that is being typed.
#[derive(Debug, Default)]
pub struct Input {
    /// The text; `None` if no command is being typed.
    text: Option<Vec<char>>,
    /// Characters before the cursor.
    cursor: usize,
    history: Vec<String>,
    /// Line of the history that is shown; its length for a new line.
    at: usize,
}

/// What a key did.
#[derive(Debug, PartialEq, Eq)]
pub enum Typed {
    /// It changed the line.
    Edited,
    /// It closed the line.
    Closed,
    /// It completed the command.
    Command(String),
}

impl Input {
    /// Begins a command.
    pub fn open(&mut self) {
        self.text = Some(Vec::new());
        (self.cursor, self.at) = (0, self.history.len());
    }

    /// Text and cursor position of the command that is being typed.
    pub fn shown(&self) -> Option<(String, usize)> {
        Some((self.text.as_ref()?.iter().collect(), self.cursor))
    }

    /// Whether a command is being typed.
    pub fn is_open(&self) -> bool {
        self.text.is_some()
    }

    fn set(&mut self, text: &str) {
        self.cursor = text.chars().count();
        self.text = Some(text.chars().collect());
    }

    /// Handles a key while a command is being typed.
    pub fn press(&mut self, key: KeyEvent) -> Typed {
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        let Some(text) = &mut self.text else { return Typed::Closed };
        match key.code {
            KeyCode::Esc => return self.close(),
            KeyCode::Char('c' | 'd') if control => return self.close(),
            KeyCode::Enter => {
                let line: String = text.iter().collect();
                self.close();
                let line = line.trim().to_owned();
                if line.is_empty() {
                    return Typed::Closed;
                }
                if self.history.last() != Some(&line) {
                    self.history.push(line.clone());
                    let extra = self.history.len().saturating_sub(REMEMBERED);
                    self.history.drain(..extra);
                }
                return Typed::Command(line);
            }
            KeyCode::Backspace if self.cursor > 0 => {
                self.cursor -= 1;
                text.remove(self.cursor);
            }
            KeyCode::Backspace if text.is_empty() => return self.close(),
            KeyCode::Delete if self.cursor < text.len() => drop(text.remove(self.cursor)),
            KeyCode::Left => self.cursor = self.cursor.saturating_sub(1),
            KeyCode::Right => self.cursor = (self.cursor + 1).min(text.len()),
            KeyCode::Home => self.cursor = 0,
            KeyCode::End => self.cursor = text.len(),
            KeyCode::Char('u') if control => drop(text.drain(..std::mem::take(&mut self.cursor))),
            KeyCode::Up => self.recall(self.at.saturating_sub(1)),
            KeyCode::Down => self.recall(self.at + 1),
            KeyCode::Tab => self.complete(),
            KeyCode::Char(c) if !control && !c.is_control() && text.len() < LONGEST => {
                text.insert(self.cursor, c);
                self.cursor += 1;
            }
            _ => {}
        }
        Typed::Edited
    }

    fn close(&mut self) -> Typed {
        self.text = None;
        Typed::Closed
    }

    /// Shows line `at` of the history.
    fn recall(&mut self, at: usize) {
        self.at = at.min(self.history.len());
        let line = self.history.get(self.at).cloned().unwrap_or_default();
        self.set(&line);
    }

    /// Completes the name of a command to the longest beginning that all possible names share.
    fn complete(&mut self) {
        let typed: String = self.text.iter().flatten().collect();
        let names = COMMANDS.iter().map(|(_, name, ..)| *name);
        let possible: Vec<&str> = names.filter(|name| name.starts_with(&typed)).collect();
        let Some(first) = possible.first() else { return };
        let is_shared = |end: &usize| possible.iter().all(|name| name.starts_with(&first[..*end]));
        let end = (typed.len()..=first.len()).rev().find(is_shared).unwrap_or(typed.len());
        let blank = if possible.len() == 1 { " " } else { "" };
        self.set(&format!("{}{blank}", &first[..end]));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(input: &mut Input, text: &str) {
        for c in text.chars() {
            assert_eq!(input.press(KeyEvent::from(KeyCode::Char(c))), Typed::Edited);
        }
    }

    #[test]
    fn a_line_is_edited_completed_and_recalled() {
        let mut input = Input::default();
        let press = |input: &mut Input, code| input.press(KeyEvent::from(code));
        assert!(!input.is_open());
        input.open();
        typed(&mut input, "bre");
        press(&mut input, KeyCode::Tab);
        assert_eq!(input.shown(), Some(("break ".to_owned(), 6)));
        typed(&mut input, "7x");
        press(&mut input, KeyCode::Backspace);
        typed(&mut input, "0");
        assert_eq!(press(&mut input, KeyCode::Enter), Typed::Command("break 70".to_owned()));
        input.open();
        press(&mut input, KeyCode::Up);
        assert_eq!(input.shown(), Some(("break 70".to_owned(), 8)));
        press(&mut input, KeyCode::Down);
        assert_eq!(input.shown(), Some((String::new(), 0)));
        // Several commands begin with these letters.
        typed(&mut input, "rev");
        press(&mut input, KeyCode::Tab);
        assert_eq!(input.shown(), Some(("reverse-".to_owned(), 8)));
        assert_eq!(press(&mut input, KeyCode::Esc), Typed::Closed);
        assert!(!input.is_open());
    }

    #[test]
    fn an_empty_line_is_no_command() {
        let mut input = Input::default();
        input.open();
        assert_eq!(input.press(KeyEvent::from(KeyCode::Enter)), Typed::Closed);
    }
}
