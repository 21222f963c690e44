//! The lines of mutants that a user reads: of CUDA C, if its file is known, otherwise of PTX.

use isa::source::Source;
use isa::span::{LineIndex, Span};
use std::sync::Arc;

/// Finds lines.
pub struct Places {
    ptx: Arc<Source>,
    lines: LineIndex,
}

/// A line of a file.
#[derive(Debug)]
pub struct MutantPlace {
    /// Name of the file.
    pub file: String,
    /// Line in the file, from 1.
    pub line: u32,
    /// Text of the line, without blanks around it.
    pub text: String,
    /// The part of the text that is changed, in bytes; the whole text in CUDA C.
    pub marked: std::ops::Range<usize>,
}

impl Places {
    /// Lines of a program.
    pub fn new(ptx: &Arc<Source>) -> Self {
        Self { ptx: ptx.clone(), lines: LineIndex::new(&ptx.text) }
    }

    /// The text of a span on one line, with single blanks.
    pub fn text(&self, span: Span) -> String {
        self.ptx.text[span.range()].split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// Line of a span in the PTX text of all files.
    pub fn ptx_line(&self, span: Span) -> u32 {
        self.lines.line(span.start)
    }

    /// Whether lines are lines of CUDA C.
    pub fn is_cuda(&self) -> bool {
        self.ptx.listing().is_some()
    }

    /// Returns the line of a span.
    pub fn of(&self, span: Span) -> MutantPlace {
        let ptx_line = self.ptx_line(span);
        let (source, line) = match self.ptx.listing() {
            Some(listing) => (&listing.source, listing.line(ptx_line)),
            None => (&self.ptx, ptx_line),
        };
        let (file, number) = source
            .files()
            .at(line)
            .map_or_else(|| (source.name.clone(), line), |(file, line)| (file.name.clone(), line));
        let text = source.line(line).replace('\t', " ");
        let mut marked = 0..text.len();
        if !self.is_cuda() {
            // The span begins on this line; it may end on a later one.
            let begin = self.ptx.text[..span.start as usize].rfind('\n').map_or(0, |at| at + 1);
            let line = &self.ptx.text[begin..];
            let blanks = line.len() - line.trim_start_matches([' ', '\t']).len();
            let start = (span.start as usize - begin).saturating_sub(blanks).min(text.len());
            let end = (start + span.range().len()).min(text.len());
            if start < end {
                marked = start..end;
            }
        }
        MutantPlace { file, line: number, text, marked }
    }
}
