//! Answers about a stopped launch: stacks, variables, commands of the debug console, and writes.

use super::adapter::{Adapter, After, Answer, Movement};
use super::breakpoints::data_id;
use super::evaluate::evaluate;
use super::frames::{self, Frame};
use super::groups::{Group, Lanes};
use super::inbox::Request;
use super::memory;
use super::protocol::{
    Command, Context, DataInfo, Evaluate, Granularity, OfFrame, OfThread, ReadMemory, Variable, Variables,
    arguments,
};
use super::stop::Stop;
use super::wire::Refusal;
use crate::front::End;
use crate::front::command;
use crate::front::parse;
use crate::front::stops::Point;
use report::inspect::terms;
use report::inspect::values::Format;
use report::inspect::variables::Sight;
use report::step::{By, Step};
use serde_json::{Value, json};
use sim_core::debug::Session;

impl Adapter {
    /// Answers a request that needs a stopped launch.
    pub fn stopped(&mut self, request: &Request, session: &mut Session<'_>) -> Answer {
        let given = &request.arguments;
        let stay = |body: Value| Ok((body, After::Stay));
        let all = || json!({ "allThreadsContinued": true });
        let warp = || -> Result<(u32, u32), Refusal> {
            let OfThread { thread_id, .. } = arguments(given)?;
            let warp = frames::warp_of(session, thread_id)?;
            Ok((warp.sm, warp.slot))
        };
        let by = || -> Result<By, Refusal> {
            let OfThread { granularity, .. } = arguments(given)?;
            Ok(if granularity == Granularity::Instruction { By::Instruction } else { By::Line })
        };
        match request.command {
            Command::Continue => Ok((all(), After::Go(Movement::Continue))),
            Command::ReverseContinue => Ok((all(), After::Go(Movement::Back))),
            Command::Next => Ok((all(), After::Go(Movement::Step(warp()?, Step { by: by()?, over: true })))),
            Command::StepIn => {
                Ok((all(), After::Go(Movement::Step(warp()?, Step { by: by()?, over: false }))))
            }
            Command::StepOut => Ok((all(), After::Go(Movement::Out(warp()?)))),
            Command::StepBack => Ok((all(), After::Go(Movement::StepBack(warp()?, by()?)))),
            Command::StackTrace => stay(self.stack_trace(given, session)?),
            Command::Scopes => {
                let OfFrame { frame_id } = arguments(given)?;
                let frame = self.groups.frame(frame_id)?;
                let has_variables = !session.program().ptx.variables().types.is_empty();
                stay(json!({ "scopes": self.groups.scopes(frame, has_variables, terms(session)) }))
            }
            Command::Variables => {
                let wanted: Variables = arguments(given)?;
                let format = wanted.format.hex.then_some(Format::Hex);
                let found = self.place(session, format).variables(&wanted)?;
                stay(json!({ "variables": found }))
            }
            Command::Evaluate => self.evaluate(&arguments(given)?, session),
            Command::ReadMemory => {
                let wanted: ReadMemory = arguments(given)?;
                stay(memory::read(session, &wanted)?)
            }
            Command::DataBreakpointInfo => stay(self.data_info(&arguments(given)?, session)?),
            Command::ExceptionInfo => stay(json!({
                "exceptionId": self.stop.description,
                "description": if self.stop.text.is_empty() { &self.stop.description } else { &self.stop.text },
                "breakMode": "always",
            })),
            Command::Initialize
            | Command::Launch
            | Command::Attach
            | Command::ConfigurationDone
            | Command::SetBreakpoints
            | Command::SetFunctionBreakpoints
            | Command::SetExceptionBreakpoints
            | Command::SetDataBreakpoints
            | Command::BreakpointLocations
            | Command::Source
            | Command::Threads
            | Command::Pause
            | Command::Cancel
            | Command::Terminate
            | Command::Disconnect => Err("unexpected request".into()),
        }
    }

    fn stack_trace(&mut self, given: &Value, session: &Session<'_>) -> Result<Value, Refusal> {
        let OfThread { thread_id, start_frame, levels, .. } = arguments(given)?;
        // Before the first block and after the last one, a thread without a warp stands for all.
        if session.warps().is_empty() {
            return Ok(json!({ "stackFrames": [], "totalFrames": 0 }));
        }
        let warp = frames::warp_of(session, thread_id)?;
        let program = self.program.as_ref();
        let mut all = frames::stack(session, self.front.words(), program, &warp, &mut self.groups.frames);
        self.client_lines(&mut all);
        let total = all.len();
        let levels = if levels == 0 { usize::MAX } else { levels };
        let some: Vec<Value> = all.into_iter().skip(start_frame).take(levels).collect();
        Ok(json!({ "stackFrames": some, "totalFrames": total }))
    }

    /// The frame of an expression: the given one, or the running lanes of the warp in focus.
    fn frame(&self, given: Option<usize>, session: &Session<'_>) -> Result<Option<Frame>, String> {
        if let Some(number) = given {
            return self.groups.frame(number).map(Some);
        }
        let focus = self.front.focus();
        let warp = session.warp(focus.sm, focus.slot);
        Ok(warp.map(|warp| Frame { sm: warp.sm, slot: warp.slot, lanes: warp.active }))
    }

    fn evaluate(&mut self, wanted: &Evaluate, session: &mut Session<'_>) -> Answer {
        let frame = self.frame(wanted.frame_id, session)?;
        let format = wanted.format.hex.then_some(Format::Hex);
        if wanted.context != Context::Repl {
            let found = evaluate(&mut self.place(session, format), frame, &wanted.expression)?;
            return Ok((result(&found), After::Stay));
        }
        let line = session.program().source.files().numbered(wanted.expression.trim());
        let line = parse::with_line(&line, |name| session.program().ptx.variables().first_line(name));
        let command = match parse::parse(&line) {
            // `x` is a command, and often a variable.
            Ok(Some(command @ command::Command::Examine(_, command::Examined::Next))) => {
                let found = evaluate(&mut self.place(session, format), frame, &wanted.expression);
                match found {
                    Ok(found) => return Ok((result(&found), After::Stay)),
                    Err(_) => command,
                }
            }
            Ok(Some(command)) => command,
            Ok(None) => return Ok((json!({ "result": "", "variablesReference": 0 }), After::Stay)),
            // Not a command: perhaps an expression.
            Err(why) => {
                let found = evaluate(&mut self.place(session, format), frame, &wanted.expression);
                return found.map(|found| (result(&found), After::Stay)).map_err(|_| why.into());
            }
        };
        // The command is about the warp whose frame is selected in the editor.
        if let Some(frame) = frame {
            self.front.look_at(frame.sm, frame.slot);
        }
        self.execute(command, session)
    }

    /// Executes a command of the debug console.
    fn execute(&mut self, command: command::Command, session: &mut Session<'_>) -> Answer {
        let text = |text: String| json!({ "result": text, "variablesReference": 0 });
        match command {
            command::Command::Continue => return Ok((text(String::new()), After::Go(Movement::Continue))),
            command::Command::ContinueBack(None) => {
                return Ok((text(String::new()), After::Go(Movement::Back)));
            }
            _ => {}
        }
        let moved = command.moves();
        self.inbox.begin(false);
        let Self { front, inbox, .. } = self;
        let answer = front.execute(session, command, &mut |_| inbox.poll());
        self.inbox.end();
        let (printed, end) = answer?;
        if moved {
            self.groups.clear();
            self.announce(session, Stop::new("goto", "Moved by a command"));
        }
        let after = match end {
            None => After::Stay,
            Some(End::Launch) => After::Go(Movement::Continue),
            Some(End::Detach) => After::Detach,
            Some(End::Kill | End::Quit) => After::Leave(false),
        };
        Ok((text(printed.trim_end().to_owned()), after))
    }

    /// Answers `dataBreakpointInfo`: registers, and words of memory.
    fn data_info(&mut self, wanted: &DataInfo, session: &Session<'_>) -> Result<Value, Refusal> {
        let point = self.data_point(wanted, session)?;
        Ok(match point {
            Some(point) => json!({
                "dataId": data_id(&point), "description": point.to_string(), "accessTypes": ["write"],
                "canPersist": false,
            }),
            None => json!({
                "dataId": null, "description": format!("`{}` has no data breakpoint", wanted.name),
            }),
        })
    }

    fn data_point(&mut self, wanted: &DataInfo, session: &Session<'_>) -> Result<Option<Point>, Refusal> {
        let register = |frame: Frame, name: &str| {
            let known = session.register(frame.sm, frame.slot, name).is_some();
            known.then(|| Point::Register { sm: frame.sm, slot: frame.slot, name: name.to_owned() })
        };
        let words = self.front.words();
        let variable = |Frame { sm, slot, .. }: Frame, name: &str| {
            let warp = session.warp(sm, slot)?;
            let writers = Sight::new(session, words, &warp).writers(name).ok()?;
            Some(Point::Variable { sm, slot, name: name.to_owned(), writers })
        };
        let word = |space: memory::Space, address: u32| match space {
            memory::Space::Global => Point::Global(address & !3),
            memory::Space::Shared(block) => Point::Shared { block, address: address & !3 },
        };
        if wanted.variables_reference == 0 {
            let Some(frame) = self.frame(wanted.frame_id, session)? else { return Ok(None) };
            let name = wanted.name.trim();
            let name = name.split('[').next().unwrap_or(name);
            let named = variable(frame, name).or_else(|| register(frame, name));
            let named = named.or_else(|| register(frame, &format!("%{name}")));
            if named.is_some() {
                return Ok(named);
            }
            let found = evaluate(&mut self.place(session, None), Some(frame), &wanted.name)?;
            let place = found.memory_reference.as_deref().map(memory::place).transpose()?;
            return Ok(place.map(|(space, address)| word(space, address)));
        }
        Ok(match self.groups.get(wanted.variables_reference)? {
            Group::Locals(frame) => variable(*frame, &wanted.name),
            Group::Registers(frame) | Group::Predicates(frame) => register(*frame, &wanted.name),
            Group::Lanes(lanes) => {
                let Lanes { frame, name, .. } = &**lanes;
                variable(*frame, name).or_else(|| register(*frame, name))
            }
            Group::Elements(elements) => {
                let index = wanted.name.trim_matches(['[', ']']).parse::<u32>().ok();
                let size = elements.reading.ty.bytes().max(1);
                let address = index.filter(|index| *index < elements.count);
                address.map(|index| word(elements.space, elements.start + index * size))
            }
            Group::Special(_)
            | Group::Parameters
            | Group::Subject(..)
            | Group::Shared(_)
            | Group::Global
            | Group::Facts(_) => None,
        })
    }
}

/// A variable as the result of an expression.
fn result(variable: &Variable) -> Value {
    let mut body = json!(variable);
    body["result"] = body["value"].take();
    if let Some(body) = body.as_object_mut() {
        body.remove("value");
        body.remove("name");
        body.remove("evaluateName");
    }
    body
}
