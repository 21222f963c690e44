//! The launched program as the client sees it: its source and the lines that can have a breakpoint.

use super::protocol::Source;
use crate::args::LaunchArgs;
use crate::workload::{Prepared, Source as Workload};
use isa::uop::Module;
use std::path::{Path, PathBuf};

/// Number of the text of a built-in kernel for the request `source`.
const BUILTIN: i64 = 1;

/// A compiled program and its source.
pub struct Program {
    /// The kernels.
    pub module: Module,
    /// The source as the client shows it.
    pub source: Source,
    /// Text of a built-in kernel.
    pub text: Option<&'static str>,
    /// Resolved path of a PTX file.
    file: Option<PathBuf>,
    /// Lines with an instruction, ascending.
    lines: Vec<u32>,
}

impl Program {
    /// Returns the program of a launch.
    pub fn new(args: &LaunchArgs, workload: &Workload<'_>, prepared: &Prepared<'_>) -> Self {
        let module = prepared.module().clone();
        let mut lines: Vec<u32> = module.entries.iter().flat_map(|entry| entry.lines.clone()).collect();
        lines.sort_unstable();
        lines.dedup();
        let (source, text, file) = match workload {
            Workload::Builtin(builtin) => {
                let source = Source {
                    name: Some(builtin.file.to_owned()),
                    path: Some(builtin.file.to_owned()),
                    source_reference: Some(BUILTIN),
                };
                (source, Some(builtin.ptx), None)
            }
            Workload::Custom { ptx, .. } => {
                let absolute =
                    std::path::absolute(ptx).unwrap_or_else(|_| PathBuf::from(&args.workload.kernel));
                let name = ptx.file_name().map(|name| name.to_string_lossy().into_owned());
                let path = Some(absolute.to_string_lossy().into_owned());
                let file = ptx.canonicalize().ok();
                (Source { name, path, source_reference: None }, None, file)
            }
        };
        Self { module, source, text, file, lines }
    }

    /// Whether the client means the source of this program.
    pub fn is(&self, source: &Source) -> bool {
        if self.text.is_some() {
            let named = [&source.path, &source.name].into_iter().flatten();
            let mut names = named.filter_map(|name| Path::new(name).file_name()?.to_str());
            let own = self.source.name.as_deref();
            let own = own.and_then(|name| Path::new(name).file_name()?.to_str());
            return source.source_reference == Some(BUILTIN) || names.any(|name| own == Some(name));
        }
        let path = source.path.as_deref().and_then(|path| Path::new(path).canonicalize().ok());
        path.is_some() && path == self.file
    }

    /// Returns the first line from `line` on that has an instruction.
    pub fn line_from(&self, line: u32) -> Option<u32> {
        self.lines.get(self.lines.partition_point(|one| *one < line)).copied()
    }

    /// Returns the lines from `first` to `last` that have an instruction.
    pub fn lines(&self, first: u32, last: u32) -> impl Iterator<Item = u32> {
        self.lines.iter().copied().filter(move |line| (first..=last).contains(line))
    }
}
