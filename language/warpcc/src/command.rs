//! Runs the commands of a compilation, or prints them.

use crate::error::Failure;
use std::ffi::{OsStr, OsString};
use std::process::{Command, Stdio};

/// A command with its arguments.
#[derive(Clone, Debug)]
pub struct Line(Vec<OsString>);

impl Line {
    /// Creates the command of a program.
    pub fn new(program: impl AsRef<OsStr>) -> Self {
        Self(vec![program.as_ref().to_owned()])
    }

    /// Adds an argument.
    #[must_use]
    pub fn arg(mut self, argument: impl AsRef<OsStr>) -> Self {
        self.0.push(argument.as_ref().to_owned());
        self
    }

    /// Adds arguments.
    #[must_use]
    pub fn args<S: AsRef<OsStr>>(mut self, arguments: impl IntoIterator<Item = S>) -> Self {
        self.0.extend(arguments.into_iter().map(|argument| argument.as_ref().to_owned()));
        self
    }

    /// Returns the text of the command for a shell.
    pub fn text(&self) -> String {
        let words = self.0.iter().map(|word| word.to_string_lossy().into_owned());
        let quoted =
            words.map(|word| shlex::try_quote(&word).map(std::borrow::Cow::into_owned).unwrap_or(word));
        quoted.collect::<Vec<_>>().join(" ")
    }

    /// Runs the command. Its output and its errors go to those of this program.
    pub fn run(&self, mode: Mode) -> Result<(), Failure> {
        if matches!(mode, Mode::Verbose | Mode::Dry) {
            eprintln!("#$ {}", self.text());
        }
        if mode == Mode::Dry {
            return Ok(());
        }
        let mut command = Command::new(&self.0[0]);
        command.args(&self.0[1..]);
        if mode == Mode::Quiet {
            command.stdout(Stdio::null()).stderr(Stdio::null());
        }
        let status = command.status();
        match status {
            Ok(status) if status.success() => Ok(()),
            Ok(_) => Err(Failure::Reported),
            Err(error) => {
                Err(Failure::Missing(format!("cannot run {}: {error}", self.0[0].to_string_lossy())))
            }
        }
    }
}

/// What happens to commands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// They are run.
    Run,
    /// They are run, and print nothing.
    Quiet,
    /// They are printed and run (`-v`).
    Verbose,
    /// They are printed (`--dryrun`).
    Dry,
}
