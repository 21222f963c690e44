//! Lines of the source for each instruction.

use crate::code::Program;
use cuda::source::{FileId, Sources, Span};

/// A place in the source: file and line from 1, and position in the address space of all files. No
/// file for code of headers.
#[derive(Clone, Copy, Debug, Default)]
struct Place {
    line: (u32, u32),
    offset: u32,
}

/// The lines of a program.
#[derive(Debug)]
pub struct Lines {
    functions: Vec<Vec<Place>>,
}

impl Lines {
    /// Finds the lines of a program.
    pub fn new(program: &Program, sources: &Sources) -> Self {
        let place = |span: &Span| {
            let offset = sources.outermost(*span).start;
            let found = sources.location(*span).filter(|at| !sources.file(at.file).builtin);
            found.map_or(Place::default(), |at| Place { line: (at.file.0 + 1, at.line), offset })
        };
        let functions = program.functions.iter().map(|function| {
            if function.is_builtin {
                return vec![Place::default(); function.spans.len()];
            }
            // Parameters are received in no line.
            let own = |span: &Span| if *span == function.span { Place::default() } else { place(span) };
            let mut all: Vec<Place> = function.spans.iter().map(own).collect();
            // A line begins where its first instruction was.
            let moved = function.spans.iter().zip(&function.firsts).enumerate();
            for (at, (_, first)) in moved.filter(|(_, (span, first))| span != first) {
                let first = own(first);
                if first.line == all[at].line {
                    all[at].offset = first.offset;
                }
            }
            all
        });
        Self { functions: functions.collect() }
    }

    /// File and line of an instruction, from 1; zeros for code of headers.
    pub fn line(&self, function: u32, pc: usize) -> (u32, u32) {
        self.functions[function as usize].get(pc).map_or((0, 0), |place| place.line)
    }

    /// Position of an instruction in the address space of all files.
    pub fn offset(&self, function: u32, pc: usize) -> u32 {
        self.functions[function as usize].get(pc).map_or(0, |place| place.offset)
    }

    /// Lines of a file that have code, in no order, also several times.
    pub fn of_file(&self, file: FileId) -> impl Iterator<Item = u32> {
        let all = self.functions.iter().flatten().map(|place| place.line);
        all.filter(move |(at, _)| *at == file.0 + 1).map(|(_, line)| line)
    }

    /// The first line from `line` of a file on that has code; `None` if there is none.
    pub fn with_code(&self, file: FileId, line: u32) -> Option<u32> {
        self.of_file(file).filter(|found| *found >= line).min()
    }
}
