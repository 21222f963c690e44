//! The modes of a terminal with input key by key: for a command line, and with the alternate
//! screen.
//!
//! The terminal must get its previous mode back on every way out of the program: the normal end, an
//! error, a panic and a signal, which another thread handles. So the mode is a static, and text is
//! written to the screen under its lock only.

use ratatui::crossterm::cursor::Show;
use ratatui::crossterm::execute;
use ratatui::crossterm::terminal::{
    EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use std::io;
use std::sync::{Mutex, Once, PoisonError};

/// Mode of the terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    /// The mode before the debugger.
    Previous,
    /// Input key by key.
    Keys,
    /// Input key by key, and the alternate screen.
    Screen,
}

static ACTIVE: Mutex<Mode> = Mutex::new(Mode::Previous);

/// Switches the terminal of standard output to screen mode.
///
/// # Errors
/// There is no terminal, or it does not accept the mode.
pub fn enter() -> io::Result<()> {
    enter_keys(Mode::Screen)?;
    execute!(io::stdout(), EnterAlternateScreen)
}

/// Switches the terminal to input key by key.
///
/// # Errors
/// There is no terminal, or it does not accept the mode.
pub fn enter_raw() -> io::Result<()> {
    enter_keys(Mode::Keys)
}

fn enter_keys(mode: Mode) -> io::Result<()> {
    static HOOKED: Once = Once::new();
    HOOKED.call_once(|| {
        let previous = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            // The lock is held if drawing panics.
            let mode = ACTIVE.try_lock().map_or(Mode::Screen, |active| *active);
            restore(mode);
            previous(panic);
        }));
    });
    let mut active = ACTIVE.lock().unwrap_or_else(PoisonError::into_inner);
    enable_raw_mode()?;
    *active = mode;
    Ok(())
}

/// Gives the terminal its previous mode back, if the debugger has changed it.
pub fn leave() {
    let mut active = ACTIVE.lock().unwrap_or_else(PoisonError::into_inner);
    restore(std::mem::replace(&mut *active, Mode::Previous));
}

/// Calls `draw` if the terminal is in screen mode; otherwise returns `None`. The terminal keeps its
/// mode until `draw` returns.
pub fn drawing<T>(draw: impl FnOnce() -> T) -> Option<T> {
    let active = ACTIVE.lock().unwrap_or_else(PoisonError::into_inner);
    (*active == Mode::Screen).then(draw)
}

/// Leaves a mode. Errors are ignored: the terminal may be closed.
fn restore(mode: Mode) {
    if mode == Mode::Previous || !ratatui::crossterm::terminal::is_raw_mode_enabled().unwrap_or(false) {
        return;
    }
    if mode == Mode::Screen {
        let _ = execute!(io::stdout(), LeaveAlternateScreen, Show);
    }
    let _ = disable_raw_mode();
}
