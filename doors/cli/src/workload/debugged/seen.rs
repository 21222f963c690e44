//! A program of the embedded host code as the debugger sees it.

use cuda::source::{FileId, Sources};
use debugger::program::{self, CallEnd, Called, Frame, Place};
use embedded::stop::{Stop, reason};
use embedded::{Control, Move, Stopped};
use report::inspect::variables::Scope;

/// The file of `main`.
pub fn main_file(sources: &Sources) -> FileId {
    let own = (0..).zip(sources.files()).find(|(_, file)| !file.builtin);
    FileId(own.map_or(0, |(at, _)| at))
}

/// A debugger, as the host code calls it.
pub struct Controlled(pub Box<dyn program::Control>);

impl Control for Controlled {
    fn arrived(&mut self, at: &mut Stopped<'_, '_>) -> Move {
        moved(self.0.arrived(&Seen(at)))
    }

    fn failed(&mut self, at: &mut Stopped<'_, '_>, stop: &Stop) {
        self.0.failed(&Seen(at), &reason(stop));
    }

    fn ended(&mut self, at: &mut Stopped<'_, '_>) {
        self.0.ended(&Seen(at));
    }

    fn changed(&mut self) -> Option<Move> {
        self.0.changed().map(moved)
    }
}

fn moved(next: program::Move) -> Move {
    match next {
        program::Move::Line => Move::Line,
        program::Move::Lines(lines) => Move::Lines(lines),
        program::Move::End => Move::End,
    }
}

/// Host code that has stopped.
struct Seen<'a, 'm, 'p>(&'a Stopped<'m, 'p>);

impl program::Stopped for Seen<'_, '_, '_> {
    fn steps(&self) -> u64 {
        self.0.steps()
    }

    fn depth(&self) -> usize {
        self.0.depth()
    }

    fn lowest(&self) -> usize {
        self.0.lowest()
    }

    fn frames(&self) -> Vec<(String, Place)> {
        self.0.frames()
    }

    fn frame(&self) -> Option<Frame> {
        let embedded::Place { outer, function } = self.0.place()?;
        Some(Frame { outer, function })
    }

    fn place(&self) -> Option<Place> {
        self.0.line()
    }

    fn main_file(&self) -> u32 {
        main_file(self.0.sources()).0 + 1
    }

    fn file(&self, number: u32) -> (&str, &str) {
        let file = self.0.sources().file(FileId(number - 1));
        (&file.name, if file.hidden { "" } else { &file.text })
    }

    fn with_code(&self, (file, line): Place) -> Option<u32> {
        self.0.lines().with_code(FileId(file - 1), line)
    }

    fn is_in_kernel(&self, (file, line): Place) -> bool {
        self.0.is_in_kernel(FileId(file - 1), line)
    }

    fn first_line(&self, function: &str) -> Option<u32> {
        self.0.first_line(function)
    }

    fn functions(&self) -> Vec<String> {
        self.0.functions()
    }

    fn names(&self) -> Vec<&str> {
        self.0.names()
    }

    fn calls(&self) -> Vec<Called> {
        let end = |end| match end {
            embedded::CallEnd::Done => CallEnd::Done,
            embedded::CallEnd::Failed(error) => CallEnd::Failed(error.to_owned()),
            embedded::CallEnd::Ran(cycles) => CallEnd::Ran(cycles),
            embedded::CallEnd::Stopped(verdict) => CallEnd::Stopped(verdict),
            embedded::CallEnd::Queued => CallEnd::Queued,
        };
        let called =
            |call: embedded::Called| Called { name: call.name, place: call.line, end: end(call.end) };
        self.0.calls().into_iter().map(called).collect()
    }

    fn with_scope(&self, call: &mut dyn FnMut(&dyn Scope<'_>)) {
        self.0.with_scope(call);
    }

    fn with_scope_of(&self, frame: Option<Frame>, call: &mut dyn FnMut(&dyn Scope<'_>)) {
        let place = |Frame { outer, function }| embedded::Place { outer, function };
        self.0.with_scope_at(frame.map(place), call);
    }
}
