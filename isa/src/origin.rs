//! Places in the compiler's source files: the `.loc` and `.file` directives of PTX text.
//!
//! Instructions after `.loc 1 18 5` come from line 18 of the file that `.file 1 "scale.cu"` names,
//! up to the next `.loc` or the end of the function. The place of an inlined instruction is the
//! line of the inlined function.

use crate::ptx::lex::{Token, TokenKind, lex_from};
use crate::span::LineIndex;
use std::fmt;
use std::ops::Range;

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
        let name = self.file.rsplit(['/', '\\']).next().unwrap_or(self.file);
        f.pad(&format!("{name}:{}", self.line))
    }
}

/// Origins of the lines of a text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Origins {
    /// Names of the files, with their texts if the caller has read them.
    files: Vec<(String, Option<String>)>,
    /// Lines of the text from which another origin applies, ascending, with the index of the file
    /// and the line in it; no origin for the begin of a function.
    marks: Vec<(u32, Option<(u32, u32)>)>,
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
        let mut marks: Vec<(u32, Option<(u32, u32)>)> = Vec::new();
        for (i, token) in tokens.iter().enumerate().filter(|(_, token)| token.kind == TokenKind::Dot) {
            let here = lines.line(token.span.start);
            match slice(token) {
                ".entry" | ".func" => marks.push((here, None)),
                ".loc" => {
                    let place = number(tokens.get(i + 1)).zip(number(tokens.get(i + 2)));
                    // Line 0 is code without a line.
                    marks.push((here, place.filter(|(_, line)| *line > 0)));
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
        self.files.extend(names.iter().map(|(_, name)| ((*name).to_owned(), None)));
        self.marks.extend(marks.into_iter().map(|(at, place)| {
            let place = place.and_then(|(file, line)| {
                let index = names.binary_search_by_key(&file, |(number, _)| *number).ok()?;
                Some((first + index as u32, line))
            });
            (at, place)
        }));
    }

    /// Returns the origin of a line of the text.
    pub fn at(&self, line: u32) -> Option<Origin<'_>> {
        let after = self.marks.partition_point(|(at, _)| *at <= line);
        let (_, place) = self.marks.get(after.checked_sub(1)?)?;
        let (file, line) = (*place)?;
        Some(Origin { file: &self.files.get(file as usize)?.0, line })
    }

    /// Returns the text of an origin's line, trimmed, if its file has been read.
    pub fn text(&self, origin: Origin) -> Option<&str> {
        let (_, text) = self.files.iter().find(|(name, _)| name == origin.file)?;
        text.as_ref()?.lines().nth(origin.line as usize - 1).map(str::trim)
    }

    /// Reads the texts of the files: `read` returns the text of a file by its name.
    pub fn read_texts(&mut self, mut read: impl FnMut(&str) -> Option<String>) {
        for (name, text) in &mut self.files {
            *text = read(name);
        }
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
