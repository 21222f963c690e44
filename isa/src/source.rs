//! Source texts of a program: one PTX file, or several files that are linked.
//!
//! The texts of linked files follow each other in one text, so that a span or a line of any file is
//! one number. [`Files`] converts such a line to a file and its line.
//!
//! Invariant `linked-lines`: Each line of several files has a place in exactly one of them, and
//! that place has the same text.

use crate::origin::{Origin, Origins};
use serde::Serialize;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

/// A file of a source text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct File {
    /// Name as the user gave it.
    pub name: String,
    /// Line of the whole text at which the file begins, from 1.
    pub first_line: u32,
    /// First byte in the whole text.
    #[serde(skip)]
    start: usize,
}

/// The files of a source text, in their order.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Files {
    all: Vec<File>,
    /// Places in the compiler's source files.
    #[serde(skip)]
    origins: Arc<Origins>,
}

/// A line of a source text: its number, after the name of the file if there are several. Its place
/// in the compiler's source file may follow in parentheses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place<'a> {
    file: Option<&'a str>,
    line: u32,
    origin: Option<Origin<'a>>,
}

impl fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.file, self.origin) {
            (Some(file), None) => f.pad(&format!("{file}:{}", self.line)),
            (None, None) => self.line.fmt(f),
            (_, Some(origin)) => f.pad(&format!("{} ({origin})", Self { origin: None, ..*self })),
        }
    }
}

impl Files {
    /// Whether there is at most one file.
    pub fn is_single(&self) -> bool {
        self.all.len() < 2
    }

    /// Iterates over the files.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &File> {
        self.all.iter()
    }

    /// Returns the file of a line of the whole text, and the line in that file.
    pub fn at(&self, line: u32) -> Option<(&File, u32)> {
        let after = self.all.partition_point(|file| file.first_line <= line);
        let file = self.all.get(after.checked_sub(1)?)?;
        Some((file, line - file.first_line + 1))
    }

    /// Text of one or two lines: `line 3` or `lines 3 and 5`.
    pub fn pair(&self, (first, second): (u32, u32)) -> String {
        if first == second {
            format!("line {}", self.described(first))
        } else {
            format!("lines {} and {}", self.described(first), self.described(second))
        }
    }

    /// Returns the place of a line of the whole text with its place in the compiler's source file,
    /// for messages: `93 (scale.cu:18)`.
    pub fn described(&self, line: u32) -> Place<'_> {
        Place { origin: self.origin(line), ..self.place(line) }
    }

    /// Returns the place of a line of the whole text in the compiler's source file, if a `.loc`
    /// names one.
    pub fn origin(&self, line: u32) -> Option<Origin<'_>> {
        self.origins.at(line)
    }

    /// Returns the place of a line in the compiler's source file and, if it has been read, its text
    /// there: `scale.cu:18: y[i] = 2 * x[i];`.
    pub fn origin_line(&self, line: u32) -> Option<String> {
        let origin = self.origin(line)?;
        let text = self.origin_text(line);
        Some(text.map_or_else(|| origin.to_string(), |text| format!("{origin}: {text}")))
    }

    /// Returns the text of a line in the compiler's source file, if it has been read and the line
    /// is not empty.
    pub fn origin_text(&self, line: u32) -> Option<&str> {
        self.origins.text(self.origin(line)?).filter(|text| !text.is_empty())
    }

    /// Returns the place of a line of the whole text, for messages.
    pub fn place(&self, line: u32) -> Place<'_> {
        match self.at(line) {
            Some((file, line)) if !self.is_single() => Place { file: Some(&file.name), line, origin: None },
            _ => Place { file: None, line, origin: None },
        }
    }

    /// Returns a text in which each word `FILE:LINE` is the number of that line in the whole text.
    /// Words with other names or lines stay the same.
    pub fn numbered(&self, text: &str) -> String {
        let line = |word: &str| {
            let (name, line) = word.rsplit_once(':')?;
            let file = self.named(name)?;
            let line = line.parse::<u32>().ok()?.checked_add(file.first_line)?.checked_sub(1)?;
            self.at(line).filter(|(of, _)| *of == file).map(|_| line.to_string())
        };
        let words = text.split(' ').map(|word| line(word).unwrap_or_else(|| word.to_owned()));
        words.collect::<Vec<_>>().join(" ")
    }

    /// Returns the file with this name or, if there is only one such file, with this last part of
    /// its path.
    pub fn named(&self, name: &str) -> Option<&File> {
        let last = |file: &&File| file.name.rsplit(['/', '\\']).next() == Some(name);
        self.all.iter().find(|file| file.name == name).or_else(|| {
            let mut found = self.all.iter().filter(last);
            found.next().filter(|_| found.next().is_none())
        })
    }
}

/// Source text of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// Name of the file as the user gave it; the names of several files, separated by commas.
    pub name: String,
    /// The whole text.
    pub text: String,
    files: Files,
}

impl Source {
    /// Returns the text of one file.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Self {
        let name = name.into();
        let file = File { name: name.clone(), first_line: 1, start: 0 };
        let files = Files { all: vec![file], origins: Arc::default() };
        Self { name, text: text.into(), files }.with_origins()
    }

    /// Reads the places in the compiler's source files.
    fn with_origins(mut self) -> Self {
        let origins = Origins::read(&self.text, self.ranges());
        self.files.origins = Arc::new(origins);
        self
    }

    /// Reads the texts of the compiler's source files, for messages: `read` returns the text of a
    /// file by the name in `.file`, if there is such a file.
    pub fn read_origins(&mut self, read: impl FnMut(&str) -> Option<String>) {
        if !self.files.origins.is_empty() {
            Arc::make_mut(&mut self.files.origins).read_texts(read);
        }
    }

    /// Returns the texts of several files: names and texts. A newline ends each file but the last.
    pub fn linked<'a>(files: impl IntoIterator<Item = (&'a str, &'a str)>) -> Self {
        let mut files = files.into_iter();
        let Some((name, text)) = files.next() else { return Self::new("", "") };
        let mut source = Self::new(name, text);
        for (name, text) in files {
            if !source.text[source.start()..].ends_with('\n') {
                source.text.push('\n');
            }
            let first_line = source.text.matches('\n').count() as u32 + 1;
            source.files.all.push(File { name: name.to_owned(), first_line, start: source.text.len() });
            source.name += ", ";
            source.name += name;
            source.text += text;
        }
        if source.files.is_single() { source } else { source.with_origins() }
    }

    /// First byte of the last file.
    fn start(&self) -> usize {
        self.files.all.last().map_or(0, |file| file.start)
    }

    /// Returns the files.
    pub fn files(&self) -> &Files {
        &self.files
    }

    /// Iterates over the names and texts of the files.
    pub fn texts(&self) -> impl Iterator<Item = (&str, &str)> {
        self.files.all.iter().zip(self.ranges()).map(|(file, range)| (&*file.name, &self.text[range]))
    }

    /// Returns the byte range of each file in the text. The newline that separates two files
    /// belongs to neither.
    pub fn ranges(&self) -> impl Iterator<Item = Range<usize>> {
        let ends = self.files.all.iter().skip(1).map(|file| file.start - 1).chain([self.text.len()]);
        self.files.all.iter().zip(ends).map(|(file, end)| file.start..end)
    }

    /// Returns the name of the file that contains a byte, and the first byte of the file.
    pub fn file_at(&self, byte: usize) -> (&str, usize) {
        let after = self.files.all.partition_point(|file| file.start <= byte);
        let file = &self.files.all[after.max(1) - 1];
        (&file.name, file.start)
    }

    /// Returns the text of one-based line `line`, trimmed.
    pub fn line(&self, line: u32) -> &str {
        self.text.lines().nth((line as usize).saturating_sub(1)).unwrap_or("").trim()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tests: `linked-lines`.
    #[test]
    fn each_line_of_linked_files_has_its_file_and_its_line() {
        let texts = [("x/a.ptx", "one\ntwo"), ("b.ptx", ""), ("c.ptx", "\nthree\n"), ("y/a.ptx", "four")];
        let source = Source::linked(texts);
        let mut lines = source.text.lines();
        let mut global = 0;
        for (name, text) in texts {
            // An empty file has one empty line.
            let count = text.lines().count().max(1) as u32;
            for line in 1..=count {
                global += 1;
                let (file, found) = source.files().at(global).expect("a file");
                assert_eq!((&*file.name, found), (name, line));
                assert_eq!(lines.next(), Some(text.lines().nth(line as usize - 1).unwrap_or("")));
                assert_eq!(source.files().place(global).to_string(), format!("{name}:{line}"));
            }
        }
        assert_eq!(lines.next(), None);
        let parts: Vec<&str> = source.ranges().map(|range| &source.text[range]).collect();
        assert_eq!(parts, ["one\ntwo", "", "\nthree", "four"]);
        assert_eq!(source.name, "x/a.ptx, b.ptx, c.ptx, y/a.ptx");
        assert_eq!(source.file_at(source.text.len()).0, "y/a.ptx");
        assert_eq!(source.files().numbered("break c.ptx:2 b.ptx:9 d:1 if x:y"), "break 5 b.ptx:9 d:1 if x:y");
        let named = |name| source.files().named(name).map(|file| file.first_line);
        assert_eq!(
            [named("c.ptx"), named("y/a.ptx"), named("a.ptx"), named("d")],
            [Some(4), Some(6), None, None]
        );
    }

    #[test]
    fn one_file_is_its_text_and_its_lines_are_numbers() {
        let source = Source::new("k.ptx", "a\nb");
        assert_eq!(Source::linked([("k.ptx", "a\nb")]), source);
        assert_eq!((&*source.text, source.line(2)), ("a\nb", "b"));
        assert_eq!(format!("{:>4}|{}", source.files().place(2), source.files().place(0)), "   2|0");
        assert!(source.files().is_single());
    }
}
