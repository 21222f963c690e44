//! Command lines: those of a script, then those of standard input.

use super::{Script, edit};
use crate::completion::Words;
use crate::host::AnyHost;
use crate::input::Input;
use crate::screen;
use std::collections::VecDeque;
use std::io::{self, BufRead, IsTerminal, Write};

/// The lines of a script with their numbers, then those of standard input.
pub struct Lines {
    script: VecDeque<Line>,
    /// Whether there was a script, or a command of `-ex`.
    has_script: bool,
    /// The next line of standard input, if it was read before its turn.
    ahead: Option<String>,
    /// Ends after the script.
    pub batch: bool,
    /// Lines of standard input so far.
    read: usize,
    /// The editor of a terminal, with its history.
    input: Input,
}

/// A command line, and its place for messages.
pub struct Line {
    /// Where it is.
    pub place: String,
    /// The command.
    pub text: String,
    /// Whether a script, or `-ex`, has it.
    pub from_script: bool,
    /// Whether the commands go on if it fails, as those of `-ex` do.
    pub goes_on: bool,
}

impl Lines {
    /// The lines of a script, commands of `-ex`, and standard input.
    pub fn new(Script { name, text, commands, batch }: Script) -> Self {
        let line = |(number, text): (usize, &str)| Line {
            place: format!("{name}:{number}"),
            text: text.to_owned(),
            from_script: true,
            goes_on: false,
        };
        let mut script: VecDeque<Line> = (1..).zip(text.lines()).map(line).collect();
        script.extend((1..).zip(commands).map(|(number, text): (usize, String)| Line {
            place: format!("-ex {number}"),
            text,
            from_script: true,
            goes_on: true,
        }));
        let has_script = !name.is_empty() || !script.is_empty();
        Self { script, has_script, ahead: None, batch, read: 0, input: Input::default() }
    }

    /// Takes the lines of the script.
    pub fn take_script(&mut self) -> impl Iterator<Item = String> {
        self.script.drain(..).map(|line| line.text)
    }

    /// Whether a wrong command ends the commands.
    pub fn is_script(&self) -> bool {
        self.batch || !self.script.is_empty()
    }

    /// The next line of a script, or of standard input that is no terminal; `None` without one.
    pub fn peek(&mut self) -> Option<&str> {
        if self.script.front().is_none() && self.ahead.is_none() {
            if self.has_script && self.batch || io::stdin().is_terminal() {
                return None;
            }
            let mut text = String::new();
            if io::stdin().lock().read_line(&mut text).ok()? > 0 {
                self.ahead = Some(text);
            }
        }
        self.script.front().map(|line| &*line.text).or(self.ahead.as_deref())
    }

    /// The next line; `None` at the end. On a terminal, `words` completes it.
    pub fn next(&mut self, host: AnyHost, words: impl FnOnce() -> Words) -> io::Result<Option<Line>> {
        if let Some(line) = self.script.pop_front() {
            return Ok(Some(line));
        }
        if self.batch && self.has_script {
            return Ok(None);
        }
        self.read += 1;
        let mut text = self.ahead.take().unwrap_or_default();
        if text.is_empty() && screen::is_possible() {
            text = edit::read_line(host, &mut self.input, &words())?.unwrap_or_default();
        } else if text.is_empty() {
            if io::stdin().is_terminal() {
                print!("{}", edit::PROMPT);
                io::stdout().flush()?;
            }
            io::stdin().lock().read_line(&mut text)?;
        }
        let place = format!("stdin:{}", self.read);
        Ok((!text.is_empty()).then_some(Line { place, text, from_script: false, goes_on: false }))
    }
}
