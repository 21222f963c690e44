//! Source lines in PTX: `.file`, `.loc`, and the lines of CUDA C as comments.

use crate::options::Options;
use crate::source::{FileId, Sources};
use crate::ssa::{Loc, Module};
use std::fmt::Write as _;

pub(super) struct Lines<'a> {
    sources: &'a Sources,
    lines: bool,
    comments: bool,
    /// Number of each file in `.file`; 0 for unused files.
    numbers: Vec<u32>,
    last: Loc,
}

impl<'a> Lines<'a> {
    pub(super) fn new(module: &Module, sources: &'a Sources, options: &Options) -> Self {
        let mut used = vec![false; module.files.len()];
        for function in module.functions.iter().filter(|function| !function.blocks.is_empty()) {
            let mut mark = |loc: Loc| {
                if let Some(used) = loc.file.checked_sub(1).and_then(|file| used.get_mut(file as usize)) {
                    *used = true;
                }
            };
            mark(function.loc);
            for block in &function.blocks {
                mark(block.loc);
                block.insts.iter().for_each(|value| mark(function.values[value.at()].loc));
            }
        }
        let mut next = 0;
        let numbers = used
            .into_iter()
            .map(|used| {
                next += u32::from(used);
                if used { next } else { 0 }
            })
            .collect();
        Self { sources, lines: options.lines, comments: options.comments, numbers, last: Loc::default() }
    }

    /// Writes the list of files.
    pub(super) fn files(&self, module: &Module, out: &mut String) {
        if !self.lines {
            return;
        }
        for (number, name) in self.numbers.iter().zip(&module.files).filter(|(number, _)| **number > 0) {
            let name: String = name.chars().filter(|c| !matches!(c, '"' | '\n' | '\r')).collect();
            let _ = writeln!(out, "\t.file {number} \"{}\"", name.replace('\\', "/"));
        }
    }

    /// Starts a function.
    pub(super) fn reset(&mut self) {
        self.last = Loc::default();
    }

    /// Writes the place of the next instruction if it differs from the last one.
    pub(super) fn at(&mut self, loc: Loc, out: &mut String) {
        if loc == self.last || loc.file == 0 {
            return;
        }
        self.last = loc;
        let number = self.numbers.get(loc.file as usize - 1).copied().unwrap_or(0);
        if number == 0 {
            return;
        }
        if self.comments {
            let text = self.sources.line_text(FileId(loc.file - 1), loc.line).trim();
            if !text.is_empty() {
                let text: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
                let _ = writeln!(out, "\t// {}: {text}", loc.line);
            }
        }
        if self.lines {
            let _ = writeln!(out, "\t.loc {number} {} 0", loc.line);
        }
    }
}
