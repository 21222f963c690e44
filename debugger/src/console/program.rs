//! The console while the host code of a program runs.

use super::{Console, Shared};
use crate::host_code::{After, HostCode};
use embedded::stop::{Stop, reason};
use embedded::{Control, Move, Stopped};
use std::collections::BTreeSet;

impl Control for Shared {
    fn arrived(&mut self, at: &mut Stopped<'_, '_>) -> Move {
        self.lock().arrived(at)
    }

    fn failed(&mut self, at: &mut Stopped<'_, '_>, stop: &Stop) {
        self.lock().failed(at, stop);
    }

    fn changed(&mut self) -> Option<Move> {
        self.lock().host.is_asked_to_end().then_some(Move::End)
    }
}

impl Console {
    /// A line of host code begins.
    fn arrived(&mut self, at: &Stopped<'_, '_>) -> Move {
        if !self.is_over()
            && let Some(code) = &mut self.host_code
        {
            let breaks = match code.has_breakpoints() {
                true if code.is_watched() => self.front.breaks_in_host(|point| code.breaks_at(point, at)),
                // The way back passes breakpoints without counting them.
                true => Ok(self.front.points().any(|point| code.breaks_at(point, at).unwrap_or(false))),
                false => Ok(false),
            };
            if code.arrives(!matches!(breaks, Ok(false)), at) {
                if let Err(why) = breaks {
                    self.say(&format!("The breakpoint stops for an error: {why}\n"));
                }
                self.ask(at);
            }
        }
        match &self.host_code {
            _ if self.quit || self.host.is_asked_to_end() => Move::End,
            Some(code) if !self.detached => code.next(&self.front.all_points(), at),
            _ => Move::Lines(BTreeSet::new()),
        }
    }

    /// The host code stops for a mistake of the program.
    fn failed(&mut self, at: &Stopped<'_, '_>, stop: &Stop) {
        if !self.is_over() && self.host_code.as_ref().is_some_and(HostCode::is_watched) {
            self.say(&format!("The program stops: {}\n", reason(stop)));
            self.ask(at);
        }
    }

    /// Whether no further command is read.
    fn is_over(&self) -> bool {
        self.quit || self.detached || self.host.is_asked_to_end()
    }

    /// Shows the position in the host code, and executes commands up to one that moves.
    fn ask(&mut self, at: &Stopped<'_, '_>) {
        self.say(&HostCode::position(at));
        self.say(&HostCode::displays(&self.front, at));
        while !self.is_over() {
            let Some(line) = self.next_line() else {
                if self.failure.is_none() {
                    self.say("[End of the commands: the program is stopped]\n");
                }
                self.quit = true;
                return;
            };
            let Some(code) = &mut self.host_code else { return };
            match code.execute(&mut self.front, at, &line.text) {
                Ok((text, after)) => {
                    self.say(&text);
                    match after {
                        After::Stays => {}
                        After::Moves => return,
                        After::Detaches => self.detached = true,
                        After::Quits => self.quit = true,
                    }
                }
                Err(message) => self.quit |= self.refuse(&line, &message),
            }
        }
    }
}
