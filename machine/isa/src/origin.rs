//! Places in the compiler's source files: the `.loc` and `.file` directives of PTX text.
//!
//! Instructions after `.loc 1 18 5` come from line 18 of the file that `.file 1 "scale.cu"` names,
//! up to the next `.loc` or the end of the function. The place of an inlined instruction is the
//! line of the inlined function.

use crate::ptx::lex::{Token, TokenKind, lex_from};
use crate::span::LineIndex;
use std::fmt;
use std::ops::Range;

/// Lines of a source file above this number are taken for damage: the listing of the file would
/// need memory for all lines up to them.
const MAX_LINE: u32 = 1 << 20;

/// A line of a compiler's source file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Origin<'a> {
    /// Name of the file as the compiler wrote it.
    pub file: &'a str,
    /// Line from 1.
    pub line: u32,
}

impl fmt::Display for Origin<'_> {
    /// The last part of the file's path, and the line: `scale.cu:18`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{}:{}", last_part(self.file), self.line))
    }
}

/// Returns the last part of a path.
pub(crate) fn last_part(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

/// A line of the text from which another origin applies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Mark {
    /// Line of the text.
    pub at: u32,
    /// Whether a function begins here.
    pub begins: bool,
    /// Index of the file, and the line in it; `None` at the begin of a function, and for code
    /// without a line.
    pub place: Option<(u32, u32)>,
}

/// Origins of the lines of a text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Origins {
    files: Vec<String>,
    /// Ascending by line.
    marks: Vec<Mark>,
}

impl Origins {
    /// Reads the directives of a text, whose linked files have the ranges `parts`.
    pub fn read(text: &str, parts: impl Iterator<Item = Range<usize>>) -> Self {
        let mut origins = Self::default();
        if !text.contains(".loc") {
            return origins;
        }
        let lines = LineIndex::new(text);
        for part in parts {
            origins.read_part(&text[..part.end], part.start, &lines);
        }
        origins
    }

    fn read_part(&mut self, text: &str, start: usize, lines: &LineIndex) {
        let (tokens, _) = lex_from(text, start);
        let slice = |token: &Token| &text[token.span.range()];
        let number = |token: Option<&Token>| {
            let token = token.filter(|token| token.kind == TokenKind::Int)?;
            slice(token).parse::<u32>().ok()
        };
        // Numbers of the files in this part, with their names.
        let mut names: Vec<(u32, &str)> = Vec::new();
        let mut marks: Vec<Mark> = Vec::new();
        for (i, token) in tokens.iter().enumerate().filter(|(_, token)| token.kind == TokenKind::Dot) {
            let here = lines.line(token.span.start);
            match slice(token) {
                ".entry" | ".func" => marks.push(Mark { at: here, begins: true, place: None }),
                ".loc" => {
                    let place = number(tokens.get(i + 1)).zip(number(tokens.get(i + 2)));
                    // Line 0 is code without a line.
                    let place = place.filter(|(_, line)| (1..=MAX_LINE).contains(line));
                    marks.push(Mark { at: here, begins: false, place });
                }
                ".file" => {
                    let name = tokens.get(i + 2).filter(|token| token.kind == TokenKind::Str);
                    if let (Some(number), Some(name)) = (number(tokens.get(i + 1)), name) {
                        names.push((number, slice(name).trim_matches('"')));
                    }
                }
                _ => {}
            }
        }
        let first = self.files.len() as u32;
        names.sort_unstable();
        names.dedup_by_key(|(number, _)| *number);
        self.files.extend(names.iter().map(|(_, name)| (*name).to_owned()));
        self.marks.extend(marks.into_iter().map(|mark| {
            let place = mark.place.and_then(|(file, line)| {
                let index = names.binary_search_by_key(&file, |(number, _)| *number).ok()?;
                Some((first + index as u32, line))
            });
            Mark { place, ..mark }
        }));
    }

    /// Returns the origin of a line of the text.
    pub fn at(&self, line: u32) -> Option<Origin<'_>> {
        let after = self.marks.partition_point(|mark| mark.at <= line);
        let (file, line) = self.marks.get(after.checked_sub(1)?)?.place?;
        Some(Origin { file: self.files.get(file as usize)?, line })
    }

    /// Returns the names of the files.
    pub(crate) fn files(&self) -> &[String] {
        &self.files
    }

    /// Returns the lines from which another origin applies, ascending.
    pub(crate) fn marks(&self) -> &[Mark] {
        &self.marks
    }

    /// Whether no line has an origin.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Origins {
        let whole = 0..text.len();
        Origins::read(text, std::iter::once(whole))
    }

    #[test]
    fn a_line_has_the_origin_of_the_last_loc_of_its_function() {
        let origins = read(
            ".func f() {\n.loc 1 4 0\n/* .loc 1 99 0 */ ret;\n.loc 2 7 3, function_name $L, inlined_at 1 2 3\n\
             exit;\n.loc 1 0 0\nexit;\n}\n.entry k() {\nexit;\n.loc 3 5 1\nexit;\n}\n\
             .file 1 \"/tmp/a.cu\"\n.file 2 \"b.h\", 1, 2\n",
        );
        let at = |line| origins.at(line).map(|origin| origin.to_string());
        let found: Vec<_> = (1..=13).map(at).collect();
        let (a, b) = (Some("a.cu:4".to_owned()), Some("b.h:7".to_owned()));
        let expected = [None, a.clone(), a, b.clone(), b, None, None, None, None, None, None, None, None];
        assert_eq!(found, expected);
        assert_eq!(origins.at(3).map(|origin| origin.file), Some("/tmp/a.cu"));
    }

    #[test]
    fn text_without_directives_has_no_origins() {
        assert!(read(".entry k() { exit; }").is_empty());
        assert_eq!(Origins::default().at(1), None);
    }
}
