//! The editor of a command line: keys, history and completion. The screen shows it at its bottom,
//! the console behind its prompt.

use crate::completion::Words;
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
    /// The words with which the line can go on, after Tab.
    pub hint: String,
}

/// Effect of a key.
#[derive(Debug, PartialEq, Eq)]
pub enum Typed {
    /// It changed the line.
    Edited,
    /// It closed the line.
    Closed,
    /// It ended the command.
    Command(String),
    /// The command is to be completed.
    Complete,
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
        self.hint.clear();
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
            KeyCode::Char('a') if control => self.cursor = 0,
            KeyCode::Char('e') if control => self.cursor = text.len(),
            KeyCode::Char('k') if control => text.truncate(self.cursor),
            KeyCode::Char('u') if control => drop(text.drain(..std::mem::take(&mut self.cursor))),
            KeyCode::Up => self.recall(self.at.saturating_sub(1)),
            KeyCode::Down => self.recall(self.at + 1),
            KeyCode::Tab => return Typed::Complete,
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

    /// Completes the word before the cursor to the longest beginning that all possible words share.
    /// Returns the possible words, if the line stays as it is.
    pub fn complete<'w>(&mut self, words: &'w Words) -> Vec<&'w str> {
        let Some(text) = &self.text else { return Vec::new() };
        let typed: String = text[..self.cursor].iter().collect();
        let rest: String = text[self.cursor..].iter().collect();
        let (start, possible) = words.after(&typed);
        let Some(first) = possible.first() else { return Vec::new() };
        let known = typed.len() - start;
        let is_shared = |end: &usize| {
            first.is_char_boundary(*end) && possible.iter().all(|word| word.starts_with(&first[..*end]))
        };
        let end = (known..=first.len()).rev().find(is_shared).unwrap_or(known);
        // The line follows the name of a file.
        let is_whole = possible.len() == 1 && !first.ends_with(':') && !rest.starts_with(' ');
        let blank = if is_whole { " " } else { "" };
        let before = format!("{}{}{blank}", &typed[..start], &first[..end]);
        let is_same = before == typed;
        self.text = Some(before.chars().chain(rest.chars()).collect());
        self.cursor = before.chars().count();
        if is_same { possible } else { Vec::new() }
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
        let words = Words::default();
        assert_eq!(press(&mut input, KeyCode::Tab), Typed::Complete);
        assert_eq!(input.complete(&words), [""; 0]);
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
        assert_eq!(input.complete(&words), [""; 0]);
        assert_eq!(input.shown(), Some(("reverse-".to_owned(), 8)));
        assert_eq!(input.complete(&words).len(), 4, "the line stays, and the words are shown");
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
