//! The screen mode of a terminal: the alternate screen, and input key by key.
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

/// Whether the terminal is in screen mode.
static ACTIVE: Mutex<bool> = Mutex::new(false);

/// Switches the terminal of standard output to screen mode.
///
/// # Errors
/// There is no terminal, or it does not accept the mode.
pub fn enter() -> io::Result<()> {
    static HOOKED: Once = Once::new();
    HOOKED.call_once(|| {
        let previous = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            // The lock is held if drawing panics.
            restore();
            previous(panic);
        }));
    });
    let mut active = ACTIVE.lock().unwrap_or_else(PoisonError::into_inner);
    enable_raw_mode()?;
    *active = true;
    execute!(io::stdout(), EnterAlternateScreen)
}

/// Gives the terminal its previous mode back, if it is in screen mode.
pub fn leave() {
    let mut active = ACTIVE.lock().unwrap_or_else(PoisonError::into_inner);
    if std::mem::take(&mut *active) {
        restore();
    }
}

/// Calls `draw` if the terminal is in screen mode; otherwise returns `None`. The terminal keeps its
/// mode until `draw` returns.
pub fn drawing<T>(draw: impl FnOnce() -> T) -> Option<T> {
    let active = ACTIVE.lock().unwrap_or_else(PoisonError::into_inner);
    active.then(draw)
}

/// Restores the mode. Errors are ignored: the terminal may be closed.
fn restore() {
    if ratatui::crossterm::terminal::is_raw_mode_enabled().unwrap_or(false) {
        let _ = execute!(io::stdout(), LeaveAlternateScreen, Show);
        let _ = disable_raw_mode();
    }
}
