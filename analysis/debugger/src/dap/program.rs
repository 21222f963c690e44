//! The launched program as the client sees it: its sources, and the lines that can have a
//! breakpoint.

use super::launch::Sources;
use super::protocol::Source;
use isa::uop::Module;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// Number of the text of a built-in kernel for the request `source`.
const BUILTIN: i64 = 1;

/// A compiled program and its sources.
pub struct DapProgram {
    /// The kernels.
    pub module: Module,
    /// Text of a built-in kernel.
    pub text: Option<String>,
    /// The sources, in the order of the program's lines.
    parts: Vec<Part>,
    /// Lines with an instruction, ascending.
    lines: Vec<u32>,
}

/// A source of a program.
struct Part {
    /// The source as the client shows it.
    source: Source,
    /// Resolved path of a PTX file.
    file: Option<PathBuf>,
    /// First of the program's lines, and the one after its last.
    lines: Range<u32>,
}

impl DapProgram {
    /// Returns the program of a launch.
    pub fn new(module: Module, sources: Sources<'_>) -> Self {
        let mut lines: Vec<u32> = module.entries.iter().flat_map(|entry| entry.lines.clone()).collect();
        lines.sort_unstable();
        lines.dedup();
        let (text, parts) = match sources {
            Sources::Text { name, ptx } => {
                let source = Source {
                    name: Some(name.to_owned()),
                    path: Some(name.to_owned()),
                    source_reference: Some(BUILTIN),
                };
                (Some(ptx.to_owned()), vec![Part { source, file: None, lines: 1..u32::MAX }])
            }
            Sources::Files(files) => {
                let starts: Vec<u32> = module.entries.first().map_or_else(Vec::new, |entry| {
                    entry.source.files().iter().map(|file| file.first_line).collect()
                });
                let part = |(number, ptx): (usize, &PathBuf)| {
                    let absolute = std::path::absolute(ptx).unwrap_or_else(|_| ptx.clone());
                    let name = ptx.file_name().map(|name| name.to_string_lossy().into_owned());
                    let path = Some(absolute.to_string_lossy().into_owned());
                    let start = |number: usize| starts.get(number).copied();
                    Part {
                        source: Source { name, path, source_reference: None },
                        file: ptx.canonicalize().ok(),
                        lines: start(number).unwrap_or(1)..start(number + 1).unwrap_or(u32::MAX),
                    }
                };
                (None, files.iter().enumerate().map(part).collect())
            }
        };
        Self { module, text, parts, lines }
    }

    /// Adds the lines of host code, which is in the source `name`. Returns the number of lines
    /// before that source.
    pub fn add_host_lines(&mut self, name: &str, lines: impl Iterator<Item = u32>) -> u32 {
        let base = Path::new(name).file_name().map(|name| name.to_string_lossy());
        let own = self.parts.iter().find(|part| part.source.name.as_deref() == base.as_deref());
        let shift = own.map_or(0, |part| part.lines.start - 1);
        self.lines.extend(lines.map(|line| line + shift));
        self.lines.sort_unstable();
        self.lines.dedup();
        shift
    }

    /// Returns the number of the source that the client means; `None` if it is not a source of this
    /// program.
    pub fn find(&self, source: &Source) -> Option<usize> {
        if self.text.is_some() {
            let named = [&source.path, &source.name].into_iter().flatten();
            let mut names = named.filter_map(|name| Path::new(name).file_name()?.to_str());
            let own = self.parts[0].source.name.as_deref();
            let own = own.and_then(|name| Path::new(name).file_name()?.to_str());
            let same = source.source_reference == Some(BUILTIN) || names.any(|name| own == Some(name));
            return same.then_some(0);
        }
        let path = source.path.as_deref().and_then(|path| Path::new(path).canonicalize().ok())?;
        self.parts.iter().position(|part| part.file.as_ref() == Some(&path))
    }

    /// Returns a source by its number.
    pub fn source(&self, part: usize) -> &Source {
        &self.parts[part].source
    }

    /// Returns the source that contains a line of the program, and the line in that source.
    pub fn at(&self, line: u32) -> (Source, u32) {
        let part = self.parts.iter().find(|part| part.lines.contains(&line));
        part.map_or((Source::default(), line), |part| (part.source.clone(), line - part.lines.start + 1))
    }

    /// Returns the first line from line `line` of source `part` on that has an instruction, as a
    /// line of the program.
    pub fn line_from(&self, part: usize, line: u32) -> Option<u32> {
        let part = &self.parts[part];
        let line = part.lines.start.checked_add(line.max(1) - 1)?;
        let found = self.lines.get(self.lines.partition_point(|one| *one < line)).copied();
        found.filter(|line| part.lines.contains(line))
    }

    /// Returns the lines from `first` to `last` of source `part` that have an instruction, as lines
    /// of that source.
    pub fn lines(&self, part: usize, first: u32, last: u32) -> impl Iterator<Item = u32> {
        let own = self.parts[part].lines.clone();
        let lines = self.lines.iter().copied().filter(move |line| own.contains(line));
        let start = self.parts[part].lines.start;
        lines.map(move |line| line - start + 1).filter(move |line| (first..=last).contains(line))
    }
}
