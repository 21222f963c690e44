//! The terminal screen of the debugger.
//!
//! `state` is the state of the screen, `keys` and `input` read keys and commands, `layout` places
//! the panes, `panes` writes what they show, `draw` draws all, and `events` reads the terminal. A
//! command is executed by the same code as without a screen: the screen only shows its output.

mod changes;
mod draw;
mod events;
mod input;
mod keys;
mod layout;
mod panes;
mod state;
#[cfg(test)]
mod tests;
mod text;
mod theme;

use crate::front::{End, Front};
use crate::host::AnyHost;
use crate::mode;
use draw::Progress;
use events::{Events, Input};
use ratatui::backend::CrosstermBackend;
use ratatui::buffer::Buffer;
use ratatui::crossterm::event::{Event, KeyEventKind};
use report::exit::Failure;
use sim_core::debug::Session;
use state::{Next, Screen};
use std::io::{self, IsTerminal, Stdout};
use std::time::{Duration, Instant};
use theme::Theme;

/// Time between two drawings of the progress of a command.
const PROGRESS: Duration = Duration::from_millis(200);

/// The screen on the terminal of standard output.
pub struct Terminal {
    host: AnyHost,
    terminal: ratatui::Terminal<CrosstermBackend<Stdout>>,
    events: Events,
    screen: Screen,
}

/// Whether standard input and output are terminals that can show a screen.
pub fn is_possible() -> bool {
    let is_dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
    io::stdin().is_terminal() && io::stdout().is_terminal() && !is_dumb
}

impl Terminal {
    /// Opens the screen.
    ///
    /// # Errors
    /// The terminal does not accept it.
    pub fn open(host: AnyHost) -> Result<Self, Failure> {
        mode::enter().map_err(|error| failed(&error))?;
        let backend = CrosstermBackend::new(io::stdout());
        let terminal = ratatui::Terminal::new(backend).map_err(|error| {
            mode::leave();
            failed(&error)
        })?;
        let screen = Screen::new(Theme::new(host.has_colors()));
        Ok(Self { host, terminal, events: Events::read(), screen })
    }

    /// Debugs a launch. `script` has command lines to execute first, until one of them fails.
    /// Returns how it ended.
    ///
    /// # Errors
    /// The terminal cannot be written.
    pub fn debug(
        &mut self,
        front: &mut Front,
        session: &mut Session<'_>,
        script: impl IntoIterator<Item = String>,
    ) -> Result<End, Failure> {
        self.screen.begin(front, session, &mut self.events.command(self.host));
        for line in script {
            if let Some(end) = self.execute(front, session, &line)? {
                return Ok(end);
            }
            if self.screen.message.as_ref().is_some_and(|(_, is_error)| *is_error) {
                break;
            }
        }
        let mut changed = true;
        loop {
            if changed {
                self.draw(front, session)?;
            }
            let event = self.events.next();
            if self.host.is_asked_to_end() {
                return Ok(End::Quit);
            }
            let key = match event {
                Input::Nothing => None,
                Input::Closed => return Ok(End::Quit),
                Input::Event(Event::Key(key)) if key.kind != KeyEventKind::Release => Some(key),
                Input::Event(_) => {
                    changed = true;
                    continue;
                }
            };
            changed = key.is_some();
            let Some(key) = key else { continue };
            match self.screen.press(front, session, key) {
                Next::Draw => {}
                Next::Redraw => self.terminal.clear().map_err(|error| failed(&error))?,
                Next::Execute(line) => {
                    if let Some(end) = self.execute(front, session, &line)? {
                        return Ok(end);
                    }
                }
            }
        }
    }

    /// Executes a command. Ctrl-C stops it.
    fn execute(
        &mut self,
        front: &mut Front,
        session: &mut Session<'_>,
        line: &str,
    ) -> Result<Option<End>, Failure> {
        self.screen.running = Some(line.to_owned());
        let drawn = self.draw(front, session)?;
        let Self { host, terminal, events, screen } = self;
        let progress = drawn.and_then(|drawn| Progress::new(screen, session, drawn));
        let mut command = events.command(*host);
        let mut next = Instant::now() + PROGRESS;
        let end = screen.execute(front, session, line, &mut |at| {
            if let Some(progress) = &progress
                && Instant::now() >= next
            {
                // An error of the terminal is reported when the command has ended.
                let _ = mode::drawing(|| terminal.draw(|frame| progress.draw(frame, at)).map(|_| ()));
                next = Instant::now() + PROGRESS;
            }
            command(at)
        });
        screen.running = None;
        Ok(end)
    }

    /// Draws the screen. Returns what was drawn; `None` after a signal, when the terminal has its
    /// previous mode back.
    fn draw(&mut self, front: &Front, session: &Session<'_>) -> Result<Option<Buffer>, Failure> {
        let Self { terminal, screen, .. } = self;
        let drawn = mode::drawing(|| {
            let drawn = terminal.draw(|frame| draw::draw(frame, screen, front, session))?;
            Ok(drawn.buffer.clone())
        });
        drawn.transpose().map_err(|error| failed(&error))
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        mode::leave();
    }
}

fn failed(error: &io::Error) -> Failure {
    Failure::input(format!("error: the terminal cannot show a screen: {error}\nhelp: use --no-tui"))
}
