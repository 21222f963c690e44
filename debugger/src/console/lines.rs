//! Command lines: those of a script, then those of standard input.

use super::Script;
use std::collections::VecDeque;
use std::io::{self, BufRead, IsTerminal, Write};

/// The lines of a script with their numbers, then those of standard input.
pub struct Lines {
    name: String,
    script: VecDeque<(usize, String)>,
    /// Ends after the script.
    pub batch: bool,
    /// Lines of standard input so far.
    read: usize,
}

/// A command line, and its place for messages.
pub struct Line {
    /// Where it is.
    pub place: String,
    /// The command.
    pub text: String,
    /// Whether a script has it.
    pub from_script: bool,
}

impl Lines {
    /// The lines of a script, and of standard input.
    pub fn new(Script { name, text, batch }: Script) -> Self {
        let script = (1..).zip(text.lines().map(str::to_owned)).collect();
        Self { name, script, batch, read: 0 }
    }

    /// Takes the lines of the script.
    pub fn take_script(&mut self) -> impl Iterator<Item = String> {
        self.script.drain(..).map(|(_, text)| text)
    }

    /// The next line; `None` at the end.
    pub fn next(&mut self) -> io::Result<Option<Line>> {
        if let Some((number, text)) = self.script.pop_front() {
            return Ok(Some(Line { place: format!("{}:{number}", self.name), text, from_script: true }));
        }
        if self.batch && !self.name.is_empty() {
            return Ok(None);
        }
        if io::stdin().is_terminal() {
            print!("(warpsim) ");
            io::stdout().flush()?;
        }
        let mut text = String::new();
        self.read += 1;
        let bytes = io::stdin().lock().read_line(&mut text)?;
        Ok((bytes > 0).then(|| Line { place: format!("stdin:{}", self.read), text, from_script: false }))
    }
}
