//! The place where a program has stopped: console and screen execute commands on it.

use crate::front::command::Command;
use crate::front::{End, Front, parse};
use crate::host_code::{HostCode, Movement};
use crate::program::Stopped;
use isa::source::Files;
use sim_core::debug::{Poll, Session};

/// Where a program has stopped.
pub enum Site<'a, 's> {
    /// In a launch.
    Launch {
        /// The launch.
        session: &'a mut Session<'s>,
        /// The host code that has made it, if it is debugged, too.
        code: Option<&'a mut HostCode>,
        /// Cycle at which the first instruction issues.
        first: u64,
    },
    /// In host code.
    Host {
        /// The host code.
        code: &'a mut HostCode,
        /// Where it is.
        at: &'a dyn Stopped,
    },
    /// Behind the end of a program with host code, which can go back.
    End {
        /// The host code.
        code: &'a mut HostCode,
    },
}

impl<'s> Site<'_, 's> {
    /// The launch, if the program has stopped in one.
    pub fn session(&self) -> Option<&Session<'s>> {
        match self {
            Self::Launch { session, .. } => Some(session),
            Self::Host { .. } | Self::End { .. } => None,
        }
    }

    /// The host code, if it is debugged.
    pub fn code(&self) -> Option<&HostCode> {
        match self {
            Self::Launch { code, .. } => code.as_deref(),
            Self::Host { code, .. } | Self::End { code } => Some(code),
        }
    }

    /// Executes a command line. Returns what it prints, and what follows if the program leaves this
    /// place.
    ///
    /// # Errors
    /// Returns a message about the command.
    pub fn execute(
        &mut self,
        front: &mut Front,
        line: &str,
        poll: Poll<'_>,
    ) -> Result<(String, Option<End>), String> {
        match self {
            Self::Host { code, at } => code.execute(front, *at, line),
            Self::End { code } => at_end(code, front, line),
            Self::Launch { session, code, first } => {
                let program = session.program();
                let text = program.source.files().numbered(line.trim());
                let text = parse::with_line(&text, |name| program.ptx.variables().first_line(name));
                let Some(command) = parse::parse(&text)? else { return Ok((String::new(), None)) };
                let goes_back = HostCode::goes_back(&command);
                if let Some(code) = code {
                    code.notes(command == Command::Continue);
                }
                let answer = front.execute(session, command, poll);
                match code {
                    // Before its first instruction, the launch is left for the host code.
                    Some(code) if goes_back && session.cycle() < *first => {
                        code.leave();
                        session.kill();
                        Ok((String::new(), Some(End::Launch)))
                    }
                    _ => answer,
                }
            }
        }
    }
}

/// A command behind the end of a program.
fn at_end(code: &mut HostCode, front: &mut Front, line: &str) -> Result<(String, Option<End>), String> {
    let mut back = |movement| {
        code.go_back(movement);
        Ok((String::new(), Some(End::Launch)))
    };
    match parse::parse(line)? {
        None => Ok((String::new(), None)),
        Some(Command::StepBack(_, count)) => back(Movement::StepBack(count)),
        Some(Command::ContinueBack(None)) => back(Movement::ContinueBack),
        Some(Command::Quit | Command::Kill | Command::Detach) => Ok((String::new(), Some(End::Quit))),
        Some(command) => {
            let ended = "the program has ended; `reverse-step` and `reverse-continue` go back";
            let done = front.shared(&command, None, &Files::default());
            done.unwrap_or_else(|| Err(ended.to_owned())).map(|text| (text, None))
        }
    }
}
