//! Reads a command line from a terminal, with the same editor as the screen.

use crate::completion::Words;
use crate::host::AnyHost;
use crate::input::{Input, Typed};
use crate::mode;
use ratatui::crossterm::event::{Event, KeyCode, KeyEventKind, KeyModifiers, poll, read};
use ratatui::crossterm::terminal::size;
use report::render::table::wrapped;
use report::text::visible;
use std::io::{self, Write};
use std::time::Duration;

/// The prompt.
pub const PROMPT: &str = "(warpsim) ";

/// Longest time for which the editor waits without looking at signals.
const WAIT: Duration = Duration::from_millis(50);

/// Most characters of words that Tab lists.
const LISTED: usize = 2000;

/// Reads a line; `None` at the end of the input, or after a signal.
///
/// # Errors
/// The terminal cannot be read or written.
pub fn read_line(host: AnyHost, input: &mut Input, words: &Words) -> io::Result<Option<String>> {
    mode::enter_raw()?;
    input.open();
    let line = edit(host, input, words);
    mode::leave();
    println!();
    line
}

fn edit(host: AnyHost, input: &mut Input, words: &Words) -> io::Result<Option<String>> {
    loop {
        show(input)?;
        while !poll(WAIT)? {
            if host.is_asked_to_end() {
                return Ok(None);
            }
        }
        let Event::Key(key) = read()? else { continue };
        if key.kind == KeyEventKind::Release {
            continue;
        }
        let is_empty = input.shown().is_none_or(|(text, _)| text.is_empty());
        match key.code {
            KeyCode::Char('c') if key.modifiers.contains(KeyModifiers::CONTROL) && is_empty => {
                host.interrupt();
                return Ok(None);
            }
            KeyCode::Char('d') if key.modifiers.contains(KeyModifiers::CONTROL) && is_empty => {
                return Ok(None);
            }
            // An empty line stays a line.
            KeyCode::Backspace if is_empty => continue,
            KeyCode::Enter if is_empty => return Ok(Some("\n".to_owned())),
            _ => {}
        }
        match input.press(key) {
            Typed::Edited => {}
            Typed::Closed => input.open(),
            Typed::Command(line) => return Ok(Some(line + "\n")),
            Typed::Complete => {
                let possible = input.complete(words);
                if !possible.is_empty() {
                    let text: String = visible(&possible.join(" ")).chars().take(LISTED).collect();
                    print!("\r\n{}\r\n", wrapped("", &text, 0, columns()).join("\r\n"));
                }
            }
        }
    }
}

/// Width of the terminal.
fn columns() -> usize {
    size().map_or(80, |(columns, _)| usize::from(columns))
}

/// Shows the line: the part around the cursor, if it is longer than the terminal is wide.
fn show(input: &Input) -> io::Result<()> {
    let Some((text, cursor)) = input.shown() else { return Ok(()) };
    let room = columns().saturating_sub(PROMPT.len() + 1).max(1);
    let skip = cursor.saturating_sub(room);
    let part: String = text.chars().skip(skip).take(room).collect();
    // To the start of the line, the text, the rest is erased, and to the cursor.
    print!("\r{PROMPT}{part}\x1b[K\r\x1b[{}C", PROMPT.len() + cursor - skip);
    io::stdout().flush()
}
