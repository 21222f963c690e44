//! Host programs of a plan: allocations, copies and launches in streams, and their times.

use super::on::On;
use super::result::Ran;
use super::scope::Scope;
use crate::runner::Runner;
use crate::text::Value;
use kernels::lab::Lab;
use kernels::{RunError, identities};
use serde::Deserialize;
use sim_core::host::timeline::{Call as Kind, Direction, Event};
use sim_core::host::{Arg, DevicePtr, HostError, Launch, Stream};
use std::collections::BTreeMap;

/// A call of the host. Names of buffers are templates.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub enum Call {
    /// Allocates a buffer of some words.
    Alloc(String, String),
    /// Frees a buffer.
    Free(String),
    /// Copies words to a buffer; word `i` has the value of the formula.
    In(Copying),
    /// Copies words from a buffer, which must have the values of the formula.
    Out(Copying),
    /// Launches the kernel, which must finish.
    Launch(Launching),
    /// Launches some kernels together, each in a stream: variable, number, launch.
    Together(String, String, Launching),
    /// Waits for all calls.
    Sync,
    /// Sets the value of this name, followed by `_ns`, to the time.
    Time(String),
    /// A call that may be refused because of its memory, or stopped; whether it was, by name.
    Refused(String, Box<Self>),
    /// Calls for each value 0, 1 and so on of a variable.
    Repeat(String, String, Vec<Self>),
}

/// A copy, in the default stream or in a stream with a number.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Copying {
    buffer: String,
    /// First word.
    #[serde(default)]
    at: Option<String>,
    words: String,
    values: String,
    /// Whether the words are whole numbers instead of single-precision numbers.
    #[serde(default)]
    whole: bool,
    #[serde(default)]
    stream: Option<String>,
}

/// A launch, in the default stream or in a stream with a number.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Launching {
    grid: String,
    block: String,
    args: Vec<Argument>,
    #[serde(default)]
    stream: Option<String>,
}

/// An argument of a kernel.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(untagged)]
enum Argument {
    /// A number.
    Number(String),
    /// A buffer, from a word on.
    At(String, String),
}

/// A board with the state of the host.
struct Host<'r> {
    runner: &'r Runner,
    lab: Lab,
    entry: &'r str,
    buffers: BTreeMap<String, DevicePtr>,
    streams: BTreeMap<u32, Stream>,
    ran: Ran,
}

/// Makes the calls. The result has lists over the copies and kernels of the timeline: their
/// `start`, `end`, `stream` and `kind` (0: to the device, 1: from it, 2: kernel), their number
/// (`events`) and names (`calls`), and the time from the first kernel's start to the last one's end
/// (`kernels_ns`).
///
/// # Errors A call is refused, a kernel does not finish, or words are wrong.
pub fn run(
    runner: &Runner,
    on: &On,
    (file, text, entry): (&'static str, &str, &str),
    calls: &[Call],
    scope: &Scope<'_>,
) -> Result<Ran, RunError> {
    let chip = on.chip(runner, scope)?;
    let mut ran = Ran::default();
    ran.board(&chip);
    let lab = runner.lab(chip, file, text)?;
    let (buffers, streams) = (BTreeMap::new(), BTreeMap::new());
    let mut host = Host { runner, lab, entry, buffers, streams, ran };
    host.calls(calls, scope)?;
    let Host { lab, mut ran, .. } = host;
    let events = &lab.gpu.timeline().events;
    let kind = |what: &Kind| match what {
        Kind::Copy(Direction::In) => 0.0,
        Kind::Copy(_) => 1.0,
        Kind::Kernel(_) => 2.0,
    };
    let kernels = || events.iter().filter(|event| matches!(event.what, Kind::Kernel(_)));
    if let (Some(begin), Some(end)) =
        (kernels().map(|event| event.start_ns).min(), kernels().map(Event::end_ns).max())
    {
        ran.number("kernels_ns", (end - begin) as f64);
    }
    let mut list = |name: &str, number: &dyn Fn(usize) -> f64| {
        ran.set(name, Value::List((0..events.len()).map(number).collect()));
    };
    list("start", &|i| events[i].start_ns as f64);
    list("end", &|i| events[i].end_ns() as f64);
    list("stream", &|i| events[i].stream as f64);
    list("kind", &|i| kind(&events[i].what));
    ran.number("events", events.len() as f64);
    ran.text("calls", events.iter().map(|event| event.what.to_string()).collect::<Vec<_>>().join(", "));
    Ok(ran)
}

impl Host<'_> {
    fn calls(&mut self, calls: &[Call], scope: &Scope<'_>) -> Result<(), RunError> {
        calls.iter().try_for_each(|call| self.call(call, scope))
    }

    fn call(&mut self, call: &Call, scope: &Scope<'_>) -> Result<(), RunError> {
        let gpu = &mut self.lab.gpu;
        match call {
            Call::Alloc(name, words) => {
                let buffer = gpu.malloc(4 * scope.number(words)? as u64)?;
                self.buffers.insert(scope.text(name)?, buffer);
            }
            Call::Free(name) => {
                let buffer = self.buffer(name, None, scope)?;
                self.lab.gpu.free(buffer)?;
            }
            Call::In(copy) => {
                let (to, words) = self.words(copy, scope)?;
                match self.stream(copy.stream.as_ref(), scope)? {
                    Some(stream) => self.lab.gpu.copy_in_async(stream, to, &words)?,
                    None => self.lab.gpu.copy_in(to, &words)?,
                }
            }
            Call::Out(copy) => {
                let (from, words) = self.words(copy, scope)?;
                let mut found = vec![0; words.len()];
                match self.stream(copy.stream.as_ref(), scope)? {
                    Some(stream) => self.lab.gpu.copy_out_async(stream, from, &mut found)?,
                    None => self.lab.gpu.copy_out(from, &mut found)?,
                }
                if found != words {
                    return Err(RunError::Wrong(format!("`{}` has other words", copy.buffer)));
                }
            }
            Call::Launch(launching) => {
                let launch = self.launch(launching, scope)?;
                let report = match self.stream(launching.stream.as_ref(), scope)? {
                    Some(stream) => self.lab.gpu.launch_in(stream, &launch)?,
                    None => self.lab.gpu.launch(&launch)?,
                };
                finished(&report)?;
            }
            Call::Together(over, count, launching) => {
                let mut launches = Vec::new();
                for i in 0..scope.number(count)? as u32 {
                    let launch = self.launch(launching, &scope.with(over, i.into()))?;
                    launches.push((self.lab.gpu.stream(), launch));
                }
                let list: Vec<_> = launches.iter().map(|(stream, launch)| (*stream, launch)).collect();
                self.lab.gpu.launch_together(&list)?.iter().try_for_each(finished)?;
            }
            Call::Sync => gpu.synchronize(),
            Call::Time(name) => self.ran.number(&format!("{name}_ns"), gpu.timeline().now_ns() as f64),
            Call::Refused(name, call) => {
                let refused = match self.call(call, scope) {
                    Err(RunError::Host(HostError::Memory(_)) | RunError::Unfinished(_)) => 1.0,
                    done => done.map(|()| 0.0)?,
                };
                self.ran.number(name, refused);
            }
            Call::Repeat(over, count, calls) => {
                for i in 0..scope.number(count)? as u32 {
                    self.calls(calls, &scope.with(over, i.into()))?;
                }
            }
        }
        Ok(())
    }

    fn buffer(&self, name: &str, at: Option<&String>, scope: &Scope<'_>) -> Result<DevicePtr, RunError> {
        let name = scope.text(name)?;
        let at = at.map_or(Ok(0.0), |at| scope.number(at))?;
        let buffer = self.buffers.get(&name).ok_or(RunError::Unknown(name))?;
        Ok(buffer.offset(4 * at as u32))
    }

    /// Returns the address and the bytes of a copy.
    fn words(&self, copy: &Copying, scope: &Scope<'_>) -> Result<(DevicePtr, Vec<u8>), RunError> {
        let words = scope.each("i", &copy.values, scope.number(&copy.words)? as usize)?;
        let word = |word: f64| if copy.whole { word as u32 } else { (word as f32).to_bits() };
        let bytes = words.into_iter().flat_map(|value| word(value).to_le_bytes()).collect();
        Ok((self.buffer(&copy.buffer, copy.at.as_ref(), scope)?, bytes))
    }

    /// Returns the stream of a number, which the first call with this number creates.
    fn stream(&mut self, number: Option<&String>, scope: &Scope<'_>) -> Result<Option<Stream>, RunError> {
        let Some(number) = number else { return Ok(None) };
        let number = scope.number(number)? as u32;
        Ok(Some(*self.streams.entry(number).or_insert_with(|| self.lab.gpu.stream())))
    }

    fn launch(&self, launching: &Launching, scope: &Scope<'_>) -> Result<Launch, RunError> {
        let arg = |argument: &Argument| match argument {
            Argument::Number(formula) => Ok(Arg::U32(scope.number(formula)? as u32)),
            Argument::At(buffer, at) => Ok(Arg::Ptr(self.buffer(buffer, Some(at), scope)?)),
        };
        let args = launching.args.iter().map(arg).collect::<Result<Vec<_>, RunError>>()?;
        let (grid, block) = (scope.number(&launching.grid)? as u32, scope.number(&launching.block)? as u32);
        let launch = Launch::new(self.lab.module, self.entry, grid, block);
        Ok(launch.args(args).options(self.runner.options()))
    }
}

/// Checks that a launch finished and that its report balances.
fn finished(report: &sim_core::stats::Report) -> Result<(), RunError> {
    if !report.verdict.is_finished() {
        return Err(RunError::Unfinished(kernels::lab::in_words(&report.verdict)));
    }
    identities::check(report).map_err(RunError::Wrong)
}
