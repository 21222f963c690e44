//! The console while the host code of a program runs.

use super::{Console, Shared};
use crate::completion::Words;
use crate::front::End;
use crate::front::stops::Point;
use crate::host_code::HostCode;
use crate::program::{Control, Move, Stopped};
use crate::site::Site;
use std::collections::BTreeSet;
use std::ops::ControlFlow;

impl Control for Shared {
    fn arrived(&mut self, at: &dyn Stopped) -> Move {
        self.lock().arrived(at)
    }

    fn failed(&mut self, at: &dyn Stopped, why: &str) {
        self.lock().failed(at, why);
    }

    fn ended(&mut self, at: &dyn Stopped) {
        if let Some(screen) = &mut self.lock().screen {
            screen.ended(at);
        }
    }

    fn changed(&mut self) -> Option<Move> {
        let mut console = self.lock();
        if console.ends() {
            return Some(Move::End);
        }
        // The next line stops.
        (console.interrupts() == Some(())).then_some(Move::Line)
    }
}

impl Console {
    /// After Ctrl-C on the screen, the host code stops at its next line.
    fn interrupts(&mut self) -> Option<()> {
        let screen = self.screen.as_mut().filter(|screen| screen.takes_interrupt())?;
        let code = self.host_code.as_mut().filter(|code| code.is_watched())?;
        screen.notice("Interrupted.\n");
        code.notes(false);
        Some(())
    }

    /// A line of host code begins.
    fn arrived(&mut self, at: &dyn Stopped) -> Move {
        self.interrupts();
        if !self.is_over()
            && let Some(code) = &mut self.host_code
        {
            code.watches(self.front.points(), at);
            let breaks = match code.has_breakpoints() {
                true if code.is_watched() => self.front.breaks_in_host(|point| code.breaks_at(point, at)),
                // The way back passes breakpoints without counting them.
                true => Ok(self.front.points().any(|point| code.breaks_at(point, at).unwrap_or(false))),
                false => Ok(false),
            };
            if code.arrives(!matches!(breaks, Ok(false)), at) {
                let mut text = code.changes();
                for ended in code.ended_watches() {
                    self.front.remove(&ended);
                }
                if let Err(why) = breaks {
                    text.push_str("The breakpoint stops for an error: ");
                    text.push_str(&(why + "\n"));
                }
                self.notice(&text);
                self.ask(at);
            }
        }
        let points: Vec<Point> = self.front.all_points();
        if self.ends() {
            return Move::End;
        }
        match &mut self.host_code {
            Some(code) if !self.detached => {
                code.note_watches(points.iter(), at);
                code.next(&points, at)
            }
            _ => Move::Lines(BTreeSet::new()),
        }
    }

    /// The host code stops for a mistake of the program.
    fn failed(&mut self, at: &dyn Stopped, why: &str) {
        if !self.is_over() && self.host_code.as_ref().is_some_and(HostCode::is_watched) {
            self.notice(&format!("The program stops: {why}\n"));
            self.ask(at);
        }
    }

    /// Whether the program is to end here: for good, or to run again from its start.
    fn ends(&self) -> bool {
        self.end.quit
            || self.host.is_asked_to_end()
            || self.host_code.as_ref().is_some_and(HostCode::is_leaving)
    }

    /// Whether no further command is read.
    fn is_over(&self) -> bool {
        self.end.quit || self.detached || self.host.is_asked_to_end()
    }

    /// Shows the position in the host code, and executes commands up to one that moves.
    fn ask(&mut self, at: &dyn Stopped) {
        self.say(&HostCode::position(at));
        self.say(&HostCode::displays(&self.front, at));
        if let (Some(screen), Some(code)) = (&mut self.screen, &mut self.host_code) {
            let script = self.lines.take_script();
            let end = screen.debug(&mut self.front, &mut Site::Host { code, at }, script);
            let end = end.unwrap_or_else(|failure| {
                self.end.failure = Some(failure);
                End::Quit
            });
            return self.leaves(end);
        }
        while !self.is_over() {
            let Some(line) = self.next_line(|| Words::of_host(at)) else {
                if self.end.failure.is_none() {
                    self.say("[End of the commands: the program is stopped]\n");
                }
                self.end.quit = true;
                return;
            };
            let Some(code) = &mut self.host_code else { return };
            let mut site = Site::Host { code, at };
            match site.execute(&mut self.front, &line.text, &mut |_| ControlFlow::Continue(())) {
                Ok((text, end)) => {
                    self.say(&text);
                    if let Some(end) = end {
                        return self.leaves(end);
                    }
                }
                Err(message) => self.end.quit |= self.refuse(&line, &message),
            }
        }
    }

    /// The host code goes on, or ends.
    fn leaves(&mut self, end: End) {
        match end {
            End::Launch => {}
            End::Detach => {
                self.detached = true;
                self.screen = None;
            }
            End::Quit | End::Kill => {
                self.end.quit = true;
                self.end.is_killed = end == End::Kill;
                self.screen = None;
            }
        }
    }
}
