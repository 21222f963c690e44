//! Commands in host code.

use super::{HostCode, Movement};
use crate::front::command::{Address, Breakpoint, Command, Examined, Info, Lines, Stop, Target, Units};
use crate::front::memory::{self, Next};
use crate::front::parse;
use crate::front::print::{in_lane, type_text, value};
use crate::front::show;
use crate::front::stops::{HostWatch, Point};
use crate::front::{End, Front, RUNS};
use crate::program::Stopped;
use isa::source::Files;
use report::inspect::variables::{Expression, Expressions as _, Missing, Space, never, table};
use report::inspect::{Subject, text};

impl HostCode {
    /// Executes a command. Returns what is printed.
    ///
    /// # Errors
    /// Returns a message about the command.
    pub fn execute(
        &mut self,
        front: &mut Front,
        at: &dyn Stopped,
        line: &str,
    ) -> Result<(String, Option<End>), String> {
        at.file(at.main_file()).0.clone_into(&mut self.name);
        let text = parse::with_line(line.trim(), |function| at.first_line(function));
        self.check_file(&text)?;
        let Some(command) = parse::parse(&text)? else { return Ok((String::new(), None)) };
        let stays = |text: String| Ok((text, None));
        let shift = self.shift();
        let shifted = at.place().map(|(_, line)| line + shift);
        let shared = match &command {
            Command::Clear(Some(line)) => {
                front.shared(&Command::Clear(Some(line + shift)), None, &Files::default())
            }
            other => front.shared(other, shifted, &Files::default()),
        };
        if let Some(done) = shared {
            return done.and_then(stays);
        }
        if command.moves() && !front.moves() && command == Command::Run {
            return Err(RUNS.to_owned());
        }
        self.carry_out(front, at, command, line)
    }

    /// Executes a command that is about the host code. Returns what is printed.
    fn carry_out(
        &mut self,
        front: &mut Front,
        at: &dyn Stopped,
        command: Command,
        line: &str,
    ) -> Result<(String, Option<End>), String> {
        let stays = |text: String| Ok((text, None));
        let mut moves = |movement| {
            self.go(movement, at);
            Ok((String::new(), Some(End::Launch)))
        };
        match command {
            Command::Step(step, left) if step.over => moves(Movement::Next(left)),
            Command::Step(_, left) => moves(Movement::Step(left)),
            Command::Finish => moves(Movement::Finish),
            Command::Continue | Command::Run => moves(Movement::Continue),
            Command::Until(Some(line)) if is_host(at, line) => moves(Movement::Until(Some(line))),
            Command::Until(Some(line)) => {
                // A line of a kernel.
                self.add(front, at, Breakpoint::new(Stop::Line(line)), true)?;
                self.go(Movement::Continue, at);
                Ok((String::new(), Some(End::Launch)))
            }
            Command::Until(None) => moves(Movement::Until(None)),
            Command::StepBack(_, count) => moves(Movement::StepBack(count)),
            Command::ContinueBack(None) => moves(Movement::ContinueBack),
            Command::Break(mut breakpoint, is_temporary) => {
                if let Stop::Here(lines) = breakpoint.stop {
                    let (_, line) = at.place().ok_or("there is no current line")?;
                    breakpoint.stop = Stop::Line(line.saturating_add_signed(lines));
                }
                stays(self.add(front, at, breakpoint, is_temporary)?)
            }
            Command::Watch(target) => stays(watch(front, at, target)?),
            Command::Condition(number, condition) => {
                front.set_condition(number, condition)?;
                stays(String::new())
            }
            Command::Info(Info::Facts(Subject::Locals)) => stays(locals(at)),
            Command::Info(Info::Facts(Subject::Kernels)) => stays("No kernel runs now.\n".to_owned()),
            Command::Info(Info::Position) => stays(Self::position(at)),
            Command::Info(Info::Source) => {
                let (file, _) = at.file(at.main_file());
                stays(format!("Current source file is {file}\nSource language CUDA C\n"))
            }
            Command::Print(format, expression) => {
                let found = at.value(&expression, format).map_err(|why| at.missing(why))?;
                stays(found.iter().map(value).collect())
            }
            Command::Display(None) => stays(Self::displays(front, at)),
            Command::Display(Some((format, expression))) => {
                let text = match at.value(&expression, format) {
                    Ok(all) => in_lane(&expression.text, &all, 0),
                    // It may have a value later, or in a kernel.
                    Err(why) => format!("{} = - ({})", expression.text, at.missing(why)),
                };
                let number = front.add_display((format, expression));
                stays(format!("{number}: {text}\n"))
            }
            Command::Type(expression, is_full) => {
                let found = at.scoped(|scope| scope.type_of(&expression, &mut never));
                stays(type_text(found.map_err(|why| at.missing(why))?, is_full))
            }
            Command::Examine(units, place) => stays(examine(front, at, units, place)?),
            Command::List(lines) => stays(list(at, lines)),
            Command::Where => stays(calls(at)),
            Command::Detach => Ok((String::new(), Some(End::Detach))),
            Command::Kill => Ok((String::new(), Some(End::Kill))),
            Command::Quit => Ok((String::new(), Some(End::Quit))),
            Command::ContinueBack(Some(_))
            | Command::Cycle(_)
            | Command::CycleBack(_)
            | Command::GoTo(_)
            | Command::Focus(_)
            | Command::Info(_)
            | Command::Disassemble
            | Command::Why
            | Command::Delete(_)
            | Command::Clear(_)
            | Command::Enable(..)
            | Command::Ignore(..)
            | Command::Undisplay(_)
            | Command::BreakOnLaunch(_)
            | Command::Settled
            | Command::Echo(_)
            | Command::Help(_) => {
                let word = line.split_whitespace().next().unwrap_or("");
                Err(format!(
                    "`{word}` is about the warps of a launch, and host code runs now; `step` at a launch enters it"
                ))
            }
        }
    }

    /// The displayed expressions in host code.
    pub fn displays(front: &Front, at: &dyn Stopped) -> String {
        front.displayed(0, |expression, format| at.value(expression, format))
    }

    /// Refuses a breakpoint in another file than the program's, which has other numbers of lines.
    fn check_file(&self, text: &str) -> Result<(), String> {
        let mut words = text.split_whitespace();
        let is_place = words.next().is_some_and(|word| word.starts_with('b') || word.starts_with("tb"));
        let place = words.next().filter(|_| is_place).and_then(|word| word.rsplit_once(':'));
        match place {
            Some((file, _)) if file != self.name && !self.name.ends_with(&format!("/{file}")) => {
                Err(format!(
                    "`{file}` is not the file of `main`; a launch takes breakpoints in all files of its kernel"
                ))
            }
            _ => Ok(()),
        }
    }

    /// Adds a breakpoint in host code or in a kernel.
    fn add(
        &self,
        front: &mut Front,
        at: &dyn Stopped,
        breakpoint: Breakpoint,
        is_temporary: bool,
    ) -> Result<String, String> {
        let Stop::Line(line) = breakpoint.stop else {
            return Ok(front.add(Point::Break(breakpoint), is_temporary));
        };
        let place = (at.main_file(), line);
        if at.with_code(place) != Some(line) && !at.is_in_kernel(place) {
            let next = at.with_code(place);
            let hint = next.map_or(String::new(), |next| format!("; the next line of host code is {next}"));
            return Err(format!("line {line} has no code{hint}"));
        }
        let shown = front.add(Point::Break(breakpoint), is_temporary);
        front.move_last(self.shift());
        Ok(shown)
    }
}

/// A watchpoint on an expression. Its variables are those of the function that is executed; an
/// expression of variables of the program alone belongs to no function.
///
/// # Errors
/// The line sees no variable of a name.
pub fn watch_of(at: &dyn Stopped, expression: Expression) -> Result<HostWatch, String> {
    if let Err(why @ Missing::Name(_)) = at.value(&expression, None) {
        return Err(at.missing(why));
    }
    let names = at.names();
    let is_local = expression.names().iter().any(|name| names.contains(&name.as_str()));
    let function = at.frames().into_iter().next().map_or_else(String::new, |(function, _)| function);
    let frame = at.frame().filter(|_| is_local).map(|frame| (frame, function));
    Ok(HostWatch { expression, frame })
}

/// `watch`.
fn watch(front: &mut Front, at: &dyn Stopped, target: Target) -> Result<String, String> {
    let expression = match target {
        Target::Register(name) => Expression::parse(&name)?,
        Target::Place(expression) => expression,
        Target::Memory(_) => {
            return Err(
                "memory of the device is watched in a launch, and host code runs now; `watch` with a \
                        variable or an expression watches host code"
                    .to_owned(),
            );
        }
    };
    Ok(front.add(Point::Host(watch_of(at, expression)?), false))
}

/// `info locals`.
fn locals(at: &dyn Stopped) -> String {
    let all = at.names().into_iter().filter_map(|name| Some((name.to_owned(), at.evaluate(name, None)?)));
    text::print(&table("Variables:".to_owned(), all))
}

/// Whether a line of the program's file has host code.
fn is_host(at: &dyn Stopped, line: u32) -> bool {
    at.with_code((at.main_file(), line)) == Some(line)
}

/// `x`.
fn examine(
    front: &mut Front,
    at: &dyn Stopped,
    units: Option<Units>,
    place: Examined,
) -> Result<String, String> {
    let units = memory::units_or_last(units, front.next());
    let (space, address) = match place {
        Examined::Memory(Address::Global(address)) => (Space::Host, address.into()),
        Examined::Memory(Address::Shared(_)) => {
            return Err("shared memory belongs to the blocks of a launch, and host code runs now".to_owned());
        }
        Examined::Next => {
            let next = front.next().ok_or("x requires an address")?;
            (next.space, next.address)
        }
        Examined::Place(expression) => {
            let found = at.scoped(|scope| scope.address(&expression, &mut never));
            let (space, lanes) = found.map_err(|why| at.missing(why))?;
            (space, lanes[0].ok_or_else(|| format!("`{}` has no value", expression.text))?)
        }
    };
    let next = Next { space, address, units };
    let examined = at.scoped(|scope| {
        let read = |at: u64, bytes: u32| scope.read(space, 0, at, bytes);
        Ok(memory::examine(next, read, |at| scope.unreadable(&format!("{address:#x}"), at, 1))?)
    });
    let (text, end) = examined.map_err(|why| at.missing(why))?;
    front.examined(Next { address: end, ..next });
    Ok(text)
}

/// `list`.
fn list(at: &dyn Stopped, wanted: Lines) -> String {
    let frames = at.frames();
    let (file, here) = frames.first().map_or((1, 1), |(_, line)| *line);
    show::listing(at.file(file).1, wanted, Some(here), |line| line.to_string())
}

/// `where`: the functions that are executed.
fn calls(at: &dyn Stopped) -> String {
    let shown = |(number, (function, (file, line))): (usize, (String, (u32, u32)))| {
        let (name, _) = at.file(file);
        format!("#{number} {function} at {name}:{line}\n")
    };
    at.frames().into_iter().enumerate().map(shown).collect()
}
