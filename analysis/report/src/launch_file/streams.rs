//! The calls of `streams`: checks them before the run, and makes them calls of the host model.

use super::bind::{by_name, report_unknown};
use super::device::{Buffer, Device};
use super::schema::{
    BufferMemory, CopyEntry, LaunchEntry, LaunchFile, StreamEntry, SynchronizeEntry, WaitEntry,
};
use super::{Data, Spanned, codes};
use crate::exit::Failure;
use isa::diag::{Diagnostic, is_flood};
use isa::types::ScalarType;
use sim_core::host::{Launch, Ran, Stream, StreamCall, Waited};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// Reports copies of unknown buffers or outside of buffers, and waits for events that no earlier
/// call records.
pub fn check(file: &LaunchFile, buffers: &[Option<Data>], diagnostics: &mut Vec<Diagnostic>) {
    let names = by_name(&file.buffers);
    let mut recorded: BTreeSet<&str> = BTreeSet::new();
    for entry in &file.streams {
        match entry {
            StreamEntry::CopyIn(copy) | StreamEntry::CopyOut(copy) => {
                match names.get(copy.buffer.value.as_str()) {
                    None => {
                        let known = file.buffers.iter().map(|b| b.name.value.as_str());
                        report_unknown("buffer", &copy.buffer, known, diagnostics);
                    }
                    Some(index) if file.buffers[*index].memory == BufferMemory::Mapped => {
                        diagnostics.push(mapped(copy));
                    }
                    Some(index) => {
                        diagnostics.extend(buffers[*index].as_ref().and_then(|b| outside(copy, b)));
                    }
                }
            }
            StreamEntry::Record(record) => {
                recorded.insert(&record.event.value);
            }
            StreamEntry::Wait(WaitEntry { event, .. })
            | StreamEntry::Synchronize(SynchronizeEntry { event: Some(event), .. }) => {
                if !recorded.contains(event.value.as_str()) && !is_flood(diagnostics) {
                    let message = format!("no earlier call records event `{}`", event.value);
                    let help = format!("write `record(stream: …, event: \"{}\")` before it", event.value);
                    diagnostics.push(
                        Diagnostic::error(codes::STREAMS, event.span, message).label("this event").help(help),
                    );
                }
            }
            StreamEntry::Launch(_) | StreamEntry::Synchronize(_) => {}
        }
    }
}

/// Returns the bytes of a buffer that a copy moves; `None` if the elements are not in the buffer.
fn bytes_of(copy: &CopyEntry, ty: ScalarType, total: usize) -> Option<Range<usize>> {
    let size = u64::from(ty.bytes());
    let elements = total as u64 / size;
    let end = match copy.len {
        Some(len) => copy.first + len,
        None => elements,
    };
    (copy.first < end && end <= elements).then(|| (copy.first * size) as usize..(end * size) as usize)
}

/// Returns the error of a copy beyond the end of a buffer.
fn outside(copy: &CopyEntry, buffer: &Data) -> Option<Diagnostic> {
    if bytes_of(copy, buffer.ty, buffer.bytes.len()).is_some() {
        return None;
    }
    let elements = buffer.bytes.len() / buffer.ty.bytes() as usize;
    let message = format!("the copy is outside of `{}`, which has {elements} elements", copy.buffer.value);
    let label = match copy.len {
        Some(len) => format!("elements {} to {}", copy.first, (copy.first + len).saturating_sub(1)),
        None => format!("elements from {} on", copy.first),
    };
    Some(Diagnostic::error(codes::LENGTH, copy.span, message).label(label))
}

/// Returns the error of a copy of a mapped buffer.
fn mapped(copy: &CopyEntry) -> Diagnostic {
    let message = format!("buffer `{}` is mapped host memory, which needs no copy", copy.buffer.value);
    let help = "remove the copy, or write another `memory` for the buffer";
    Diagnostic::error(codes::STREAMS, copy.span, message).label("this copy").help(help)
}

fn incomplete() -> Failure {
    Failure::input("error: the launch file is incomplete")
}

impl Device<'_> {
    /// Makes the calls of `streams`. `settings` sets everything of a launch that the file does not
    /// describe.
    pub(super) fn run_streams(
        &mut self,
        file: &LaunchFile,
        settings: impl Fn(Launch) -> Launch,
    ) -> Result<Ran, Failure> {
        let streams = self.make_streams(file);
        let launches: Vec<Launch> = file
            .launches()
            .map(|entry| self.launch_of(file, entry).map(&settings))
            .collect::<Result<_, _>>()?;
        let mut places = Vec::new();
        let list = List { file, streams: &streams, buffers: &self.buffers, names: &self.names };
        let calls = list.calls(&launches, &mut places).ok_or_else(incomplete)?;
        let ran = self.gpu.run_schedule(&calls)?;
        for ((index, range), bytes) in places.into_iter().zip(&ran.copied) {
            self.buffers[index].host[range].copy_from_slice(bytes);
        }
        Ok(ran)
    }

    /// Creates as many streams as the largest number.
    fn make_streams(&mut self, file: &LaunchFile) -> Vec<Stream> {
        let number = |entry: &StreamEntry| match entry {
            StreamEntry::CopyIn(copy) | StreamEntry::CopyOut(copy) => copy.stream,
            StreamEntry::Launch(launch) => launch.stream,
            StreamEntry::Record(record) => record.stream,
            StreamEntry::Wait(wait) => Some(wait.stream),
            StreamEntry::Synchronize(wait) => wait.stream,
        };
        let most = file.streams.iter().filter_map(number).max().unwrap_or(0);
        (0..most).map(|_| self.gpu.stream()).collect()
    }

    /// Returns the launch of an entry.
    fn launch_of(&self, file: &LaunchFile, entry: &LaunchEntry) -> Result<Launch, Failure> {
        let kernel = entry.entry.as_ref().or(file.entry.as_ref()).ok_or_else(incomplete)?;
        let grid = entry.grid.or(file.grid).ok_or_else(incomplete)?;
        let block = entry.block.or(file.block).ok_or_else(incomplete)?;
        let mut launch = self.launch(kernel, (grid, block), entry.params.as_ref().unwrap_or(&file.params))?;
        launch.environment = entry.environment.unwrap_or(file.environment);
        launch.dynamic_shared = entry.dynamic_shared.unwrap_or(file.dynamic_shared);
        Ok(launch)
    }
}

/// Objects to which the names and numbers of a list refer.
struct List<'c> {
    file: &'c LaunchFile,
    streams: &'c [Stream],
    buffers: &'c [Buffer],
    names: &'c BTreeMap<String, usize>,
}

impl<'c> List<'c> {
    /// Returns the calls of the host model, and adds the buffer and the bytes of each copy to the
    /// host to `places`. `None`: a name is unknown.
    fn calls(
        &self,
        launches: &'c [Launch],
        places: &mut Vec<(usize, Range<usize>)>,
    ) -> Option<Vec<StreamCall<'c>>> {
        let mut events: BTreeMap<&str, usize> = BTreeMap::new();
        let mut launches = launches.iter();
        let in_stream = |number: Option<u32>| number.map(|number| self.streams[number as usize - 1]);
        let mut calls = Vec::with_capacity(self.file.streams.len());
        for entry in &self.file.streams {
            let find = |events: &BTreeMap<&str, usize>, name: &Spanned<String>| {
                events.get(name.value.as_str()).copied()
            };
            calls.push(match entry {
                StreamEntry::CopyIn(copy) => {
                    let (index, range) = self.place(copy)?;
                    let buffer = &self.buffers[index];
                    StreamCall::CopyIn {
                        stream: in_stream(copy.stream),
                        to: buffer.pointer.offset(range.start as u32),
                        bytes: &buffer.host[range],
                        memory: buffer.memory?,
                    }
                }
                StreamEntry::CopyOut(copy) => {
                    let (index, range) = self.place(copy)?;
                    places.push((index, range.clone()));
                    let buffer = &self.buffers[index];
                    StreamCall::CopyOut {
                        stream: in_stream(copy.stream),
                        from: buffer.pointer.offset(range.start as u32),
                        bytes: range.len(),
                        memory: buffer.memory?,
                    }
                }
                StreamEntry::Launch(entry) => {
                    StreamCall::Launch { stream: in_stream(entry.stream), launch: launches.next()? }
                }
                StreamEntry::Record(record) => {
                    let next = events.len();
                    let event = *events.entry(&record.event.value).or_insert(next);
                    StreamCall::Record { stream: in_stream(record.stream), event }
                }
                StreamEntry::Wait(wait) => {
                    let event = find(&events, &wait.event)?;
                    StreamCall::Wait { stream: in_stream(Some(wait.stream))?, event }
                }
                StreamEntry::Synchronize(wait) => {
                    StreamCall::Synchronize(match (in_stream(wait.stream), &wait.event) {
                        (Some(stream), _) => Waited::Stream(stream),
                        (None, Some(event)) => Waited::Event(find(&events, event)?),
                        (None, None) => Waited::All,
                    })
                }
            });
        }
        Some(calls)
    }

    /// Returns the place of the buffer of a copy, and the copied bytes.
    fn place(&self, copy: &CopyEntry) -> Option<(usize, Range<usize>)> {
        let index = *self.names.get(&copy.buffer.value)?;
        let range = bytes_of(copy, self.file.buffers[index].ty?, self.buffers[index].bytes)?;
        Some((index, range))
    }
}
