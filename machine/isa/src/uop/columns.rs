//! The place of an instruction in its source line.

use super::program::Program;
use crate::span::Span;
use std::ops::Range;

impl Program {
    /// Returns the part of its source line that an instruction has, in characters of
    /// [`Source::line`](super::program::Source::line) from 1; `None` if the line contains no other
    /// instruction, or if it is not a line of the PTX.
    pub fn columns(&self, pc: u32) -> Option<Range<u32>> {
        let (span, line) = (self.spans.get(pc as usize)?, self.lines.get(pc as usize)?);
        let alone = |(other, at): (&Span, &u32)| at != line || other.start == span.start;
        if self.has_listing() || self.spans.iter().zip(&self.lines).all(alone) {
            return None;
        }
        let first = self.column(pc);
        let text = self.ptx.text.get(span.range())?.lines().next()?.trim_end();
        Some(first..first + text.chars().count() as u32)
    }

    /// Returns the column of an instruction in its line, in characters of
    /// [`Source::line`](super::program::Source::line) from 1; 1 if it is not a line of the PTX.
    pub fn column(&self, pc: u32) -> u32 {
        if self.has_listing() {
            return 1;
        }
        let start = self.spans.get(pc as usize).map_or(0, |span| span.start as usize);
        let before = self.ptx.text.get(..start).unwrap_or_default();
        let on_its_line = before.rsplit('\n').next().unwrap_or_default().trim_start();
        on_its_line.chars().count() as u32 + 1
    }
}

#[cfg(test)]
mod tests {
    use crate::Options;

    #[test]
    fn statements_of_one_line_have_different_columns() {
        let text = ".version 1.4\n.target sm_10\n.entry k ()\n{\n\t.reg .u32 %a, %b;\n\
                    \tmov.u32 %a, 1;\tadd.u32 %b, %a, 2; // both\n\texit;\n}\n";
        let (module, diagnostics) = crate::compile_with("k.ptx", text, Options::PLAIN);
        let module = module.unwrap_or_else(|| panic!("{diagnostics:?}"));
        let program = &module.entries[0];
        let line = program.source.line(6);
        let part = |pc: u32| {
            let columns = program.columns(pc)?;
            let (first, count) = (columns.start as usize - 1, columns.len());
            Some(line.chars().skip(first).take(count).collect::<String>())
        };
        assert_eq!(part(0).as_deref(), Some("mov.u32 %a, 1;"));
        assert_eq!(part(1).as_deref(), Some("add.u32 %b, %a, 2;"));
        assert_eq!((part(2), program.column(2)), (None, 1), "the only statement of its line");
    }
}
