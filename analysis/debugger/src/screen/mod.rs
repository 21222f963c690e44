//! The terminal screen of the debugger.
//!
//! `state` is the state of the screen, `keys` reads keys, `layout` places
//! the panes, `panes` writes what they show of a launch and `host` what they show of host code,
//! `draw` draws all, and `events` reads the terminal. A command is executed by the same code as
//! without a screen: the screen only shows its output.

mod changes;
mod draw;
mod events;
mod host;
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
use crate::program::{Ended, Stopped};
use crate::site::Site;
use draw::Progress;
use events::{Events, Input};
use ratatui::backend::CrosstermBackend;
use ratatui::buffer::Buffer;
use ratatui::crossterm::event::{Event, KeyEventKind};
use report::exit::Failure;
use state::{Next, Screen};
use std::io::{self, IsTerminal, Stdout};
use std::ops::ControlFlow;
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

    /// Shows output of a command.
    pub fn say(&mut self, text: &str) {
        self.screen.say(text);
    }

    /// Shows why the program has stopped.
    pub fn notice(&mut self, text: &str) {
        self.screen.notice(text);
    }

    /// Shows an error.
    pub fn complain(&mut self, message: &str) {
        self.screen.complain(message);
    }

    /// Shows output of the program.
    pub fn output(&mut self, text: &str) {
        self.screen.output(text);
    }

    /// The program has ended: notes its last calls of the runtime.
    pub fn ended(&mut self, at: &dyn Stopped) {
        self.screen.host.calls_of(at);
    }

    /// The program has ended: the screen keeps what it has shown last.
    pub fn ends(&mut self, ended: &Ended) {
        self.screen.ends(ended);
    }

    /// Returns the function that a long movement calls: Ctrl-C stops it.
    pub fn poll(&self) -> impl FnMut(u64) -> ControlFlow<()> + use<> {
        self.events.command(self.host)
    }

    /// Whether Ctrl-C was pressed since the last command.
    pub fn takes_interrupt(&self) -> bool {
        self.events.takes_stop()
    }

    /// Debugs a program at the place where it has stopped. `script` has command lines to execute
    /// first, until one of them fails. Returns how the program leaves the place.
    ///
    /// # Errors
    /// The terminal cannot be written.
    pub fn debug(
        &mut self,
        front: &mut Front,
        site: &mut Site<'_, '_>,
        script: impl IntoIterator<Item = String>,
    ) -> Result<End, Failure> {
        self.screen.begin(front, site);
        for line in script {
            if let Some(end) = self.execute(front, site, &line)? {
                return Ok(end);
            }
            if self.screen.message.as_ref().is_some_and(|(_, is_error)| *is_error) {
                break;
            }
        }
        let mut changed = true;
        loop {
            if changed {
                self.draw(front, site)?;
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
            match self.screen.press(front, site, key) {
                Next::Draw => {}
                Next::Redraw => self.terminal.clear().map_err(|error| failed(&error))?,
                Next::Execute(line) => {
                    if let Some(end) = self.execute(front, site, &line)? {
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
        site: &mut Site<'_, '_>,
        line: &str,
    ) -> Result<Option<End>, Failure> {
        self.screen.running = Some(line.to_owned());
        let drawn = self.draw(front, site)?;
        let Self { host, terminal, events, screen } = self;
        let progress = drawn.and_then(|drawn| Progress::new(screen, site, drawn));
        let mut command = events.command(*host);
        let mut next = Instant::now() + PROGRESS;
        let end = screen.execute(front, site, line, &mut |at| {
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
    fn draw(&mut self, front: &Front, site: &Site<'_, '_>) -> Result<Option<Buffer>, Failure> {
        let Self { terminal, screen, .. } = self;
        let drawn = mode::drawing(|| {
            let drawn = terminal.draw(|frame| draw::draw(frame, screen, front, site))?;
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
