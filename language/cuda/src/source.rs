//! Source files, positions in them, and the macro expansions that tokens came through.
//!
//! All files share one address space of 32-bit offsets, so a [`Span`] names its file.

use std::sync::Arc;

/// Index of a file in [`Sources`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct FileId(pub u32);

/// Index of a macro expansion in [`Sources`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct ExpansionId(pub u32);

/// A range of source text; `expansion` is the macro expansion that put the text here.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Span {
    /// First byte, in the address space of all files.
    pub start: u32,
    /// Byte after the last.
    pub end: u32,
    /// The innermost macro expansion, or [`Span::NO_EXPANSION`].
    pub expansion: ExpansionId,
}

impl Span {
    /// Marks text that no macro produced.
    pub const NO_EXPANSION: ExpansionId = ExpansionId(u32::MAX);

    /// Text from `start` to `end` that no macro produced.
    pub fn new(start: u32, end: u32) -> Self {
        Self { start, end, expansion: Self::NO_EXPANSION }
    }

    /// A span for syntax that the source does not contain.
    pub const NONE: Self = Self { start: 0, end: 0, expansion: Self::NO_EXPANSION };

    /// Whether a macro produced the text.
    pub fn is_expanded(self) -> bool {
        self.expansion != Self::NO_EXPANSION
    }
}

/// Where a macro was expanded.
#[derive(Clone, Debug)]
pub struct Expansion {
    /// Name of the macro.
    pub name: Arc<str>,
    /// The use of the macro, which may be inside another expansion.
    pub call: Span,
    /// The name in the definition.
    pub definition: Span,
}

/// One source file.
#[derive(Clone, Debug)]
pub struct SourceFile {
    /// Name as given or included.
    pub name: String,
    /// The text.
    pub text: Arc<str>,
    /// Whether it is a header of the compiler.
    pub builtin: bool,
    /// Whether messages name its lines without their text.
    pub hidden: bool,
    start: u32,
    lines: Vec<u32>,
}

/// Line and column of a position.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Location {
    /// The file.
    pub file: FileId,
    /// Line from 1.
    pub line: u32,
    /// Column in bytes from 1.
    pub column: u32,
}

/// A position that both halves of a program know: file, line and column of the text of a token, and
/// of the uses of the macros that it comes from.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Place(Vec<(String, u32, u32)>);

/// All files and expansions of a compilation.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    files: Vec<SourceFile>,
    expansions: Vec<Expansion>,
    next: u32,
}

impl Sources {
    /// Adds a file, unless it is there. Returns `None` when all files together would exceed 2 GiB.
    pub fn add(&mut self, name: &str, text: impl Into<Arc<str>>, builtin: bool) -> Option<FileId> {
        // One byte between files keeps the end of a file apart from the start of the next, and
        // offset 0 is `Span::NONE`.
        let text = text.into();
        let is_same = |file: &SourceFile| file.name == name && file.builtin == builtin && file.text == text;
        if let Some(known) = self.files.iter().position(is_same) {
            return Some(FileId(known as u32));
        }
        let start = self.next + 1;
        let end = u64::from(start) + text.len() as u64;
        if end > 1 << 31 {
            return None;
        }
        self.next = end as u32;
        let breaks = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        let lines = std::iter::once(0).chain(breaks.map(|(at, _)| at as u32 + 1)).collect();
        self.files.push(SourceFile { name: name.to_owned(), text, builtin, hidden: false, start, lines });
        Some(FileId(self.files.len() as u32 - 1))
    }

    /// Hides the text of a file from messages.
    pub fn hide(&mut self, id: FileId) {
        self.files[id.0 as usize].hidden = true;
    }

    /// Whether the text of a span is in a hidden file.
    pub fn is_hidden(&self, span: Span) -> bool {
        span != Span::NONE && self.file_of(span).is_some_and(|file| self.file(file).hidden)
    }

    /// Replaces the texts of hidden files by blanks, when they are compiled: from now on no part of
    /// the program can show them.
    pub(crate) fn forget_hidden(&mut self) {
        for file in self.files.iter_mut().filter(|file| file.hidden) {
            let blank = |byte: u8| if byte == b'\n' { '\n' } else { ' ' };
            file.text = file.text.bytes().map(blank).collect::<String>().into();
        }
    }

    /// Returns the file.
    pub fn file(&self, id: FileId) -> &SourceFile {
        &self.files[id.0 as usize]
    }

    /// All files in the order in which they were added.
    pub fn files(&self) -> &[SourceFile] {
        &self.files
    }

    /// First offset of the file in the address space of spans.
    pub fn start(&self, id: FileId) -> u32 {
        self.file(id).start
    }

    /// Records a macro expansion.
    pub fn expand(&mut self, expansion: Expansion) -> ExpansionId {
        self.expansions.push(expansion);
        ExpansionId(self.expansions.len() as u32 - 1)
    }

    /// Returns the expansion of the span, if it has one.
    pub fn expansion(&self, span: Span) -> Option<&Expansion> {
        self.expansions.get(span.expansion.0 as usize)
    }

    /// Returns the outermost use of a macro that led to `span`, or `span`.
    pub fn outermost(&self, mut span: Span) -> Span {
        while let Some(expansion) = self.expansion(span) {
            span = expansion.call;
        }
        span
    }

    /// Returns the file that contains the text of `span`.
    pub fn file_of(&self, span: Span) -> Option<FileId> {
        let at = self.files.partition_point(|file| file.start <= span.start).checked_sub(1)?;
        Some(FileId(at as u32))
    }

    /// Whether a place is in a header of the compiler.
    pub fn is_builtin(&self, span: Span) -> bool {
        self.file_of(span).is_some_and(|file| self.file(file).builtin)
    }

    /// Line and column where the user wrote the text or the use of the outermost macro.
    pub fn location(&self, span: Span) -> Option<Location> {
        self.spelling(self.outermost(span))
    }

    /// Line and column of the text itself, which may be inside a macro definition.
    pub fn spelling(&self, span: Span) -> Option<Location> {
        let id = self.file_of(span)?;
        let file = self.file(id);
        let offset = span.start - file.start;
        let line = file.lines.partition_point(|start| *start <= offset);
        Some(Location { file: id, line: line as u32, column: offset - file.lines[line - 1] + 1 })
    }

    /// The position of a token as both halves of a program know it.
    pub fn place(&self, span: Span) -> Option<Place> {
        let calls = std::iter::successors(Some(span), |span| self.expansion(*span).map(|one| one.call));
        let named = |at: Location| (self.file(at.file).name.clone(), at.line, at.column);
        calls.map(|span| self.spelling(span).map(named)).collect::<Option<_>>().map(Place)
    }

    /// Text of line `line` (from 1) without its line break; empty in a hidden file.
    pub fn line_text(&self, file: FileId, line: u32) -> &str {
        let file = self.file(file);
        if file.hidden {
            return "";
        }
        let Some(&start) = line.checked_sub(1).and_then(|at| file.lines.get(at as usize)) else { return "" };
        let end = file.lines.get(line as usize).map_or(file.text.len(), |next| *next as usize);
        file.text[start as usize..end].trim_end_matches(['\n', '\r'])
    }

    /// Span of the text of line `line` (from 1) of file number `file` (from 1), without blanks at
    /// its start; [`Span::NONE`] for file 0.
    pub fn line_span(&self, file: u32, line: u32) -> Span {
        let Some(index) = file.checked_sub(1).filter(|index| (*index as usize) < self.files.len()) else {
            return Span::NONE;
        };
        let text = self.line_text(FileId(index), line);
        let file = &self.files[index as usize];
        let Some(start) = line.checked_sub(1).and_then(|at| file.lines.get(at as usize)) else {
            return Span::NONE;
        };
        let blanks = text.len() - text.trim_start().len();
        let start = file.start + start + blanks as u32;
        Span::new(start, start + text.trim().len() as u32)
    }

    /// Text that the span covers.
    pub fn text(&self, span: Span) -> &str {
        let Some(id) = self.file_of(span) else { return "" };
        let file = self.file(id);
        file.text.get((span.start - file.start) as usize..(span.end - file.start) as usize).unwrap_or("")
    }

    /// Span from the start of `first` to the end of `last`. Tokens of different macro expansions
    /// are joined where both are visible: at the use of the macro that contains both.
    pub fn join(&self, first: Span, last: Span) -> Span {
        if first.expansion == last.expansion {
            return Span { end: last.end.max(first.end), ..first };
        }
        let chain = |mut span: Span| {
            let mut chain = vec![span];
            while let Some(expansion) = self.expansion(span) {
                span = expansion.call;
                chain.push(span);
            }
            chain
        };
        let (firsts, lasts) = (chain(first), chain(last));
        for outer in &firsts {
            if let Some(other) = lasts.iter().find(|other| other.expansion == outer.expansion) {
                return Span { end: other.end.max(outer.end), ..*outer };
            }
        }
        first
    }
}
