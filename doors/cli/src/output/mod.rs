//! Text output: standard streams that may be closed, escaped control characters.
//!
//! `files` is the registry of a run's inputs and outputs, `atomic` writes files atomically,
//! `interrupt` handles signals, which delete temporary files, and `host` has functions that only
//! Unix has.

mod atomic;
pub mod exhausted;
mod files;
mod host;
pub mod interrupt;

pub use atomic::{OutputFile, TemporaryFolder, end_now};
pub use files::Files;
pub use report::text::{read_text, shown, visible};

use crate::exit::Failure;
use crate::terminal;
use std::fs;
use std::io::{self, ErrorKind, Write};
use std::ops::ControlFlow;
use std::path::Path;

/// Makes a folder for the files of a run, which is deleted at its end, also by a signal.
pub fn temporary_folder() -> Result<TemporaryFolder, Failure> {
    interrupt::tidy();
    TemporaryFolder::new()
}

/// Creates the folder of `--record`. One with files in it is refused: launches of two programs in
/// one folder cannot be told apart.
///
/// # Errors
///
/// It cannot be created, or has files.
pub fn recording_folder(path: &Path) -> Result<(), Failure> {
    let cannot = |why| Failure::input(format!("error: cannot record launches in {}: {why}", shown(path)));
    fs::create_dir_all(path).map_err(cannot)?;
    if fs::read_dir(path).map_err(cannot)?.next().is_some() {
        let message = format!("error: --record {}: the folder is not empty", shown(path));
        return Err(Failure::input(message + "\nhelp: name a new folder, or delete this one first"));
    }
    Ok(())
}

/// Prints to standard output. A closed reader is not an error.
pub fn print(text: &str) -> Result<(), Failure> {
    print_on(text).map(|_| ())
}

/// Prints a report; the first words of some lines are colored on a terminal that supports colors.
pub fn print_report(text: &str) -> Result<(), Failure> {
    write(&terminal::colored(&visible(text))).map(|_| ())
}

/// Prints to standard output; returns `Break` if the reader has closed it.
pub fn print_on(text: &str) -> Result<ControlFlow<()>, Failure> {
    write(&visible(text))
}

/// Writes a text with its control characters.
fn write(text: &str) -> Result<ControlFlow<()>, Failure> {
    let mut stdout = io::stdout().lock();
    match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        Ok(()) => Ok(ControlFlow::Continue(())),
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(ControlFlow::Break(())),
        Err(error) => Err(unprinted(&error)),
    }
}

/// Returns the failure of a text that could not be printed.
pub fn unprinted(error: &io::Error) -> Failure {
    Failure::input(format!("error: cannot write to standard output: {error}"))
}

/// Prints a line to standard error; errors of standard error are ignored.
pub fn complain(text: &str) {
    let _ = writeln!(io::stderr().lock(), "{}", visible(text));
}
