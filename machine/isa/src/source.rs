//! Source texts of a program: one PTX file, or several files that are linked.
//!
//! The texts of linked files follow each other in one text, so that a span or a line of any file is
//! one number. [`Files`] converts such a line to a file and its line.
//!
//! A compiler's source files can be such a text, too: see [`Listing`].
//!
//! Invariant `linked-lines`: Each line of several files has a place in exactly one of them, and
//! that place has the same text.

use crate::listing::Listing;
use crate::origin::{Origin, Origins};
use crate::variables::Variables;
use serde::Serialize;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

/// A file of a source text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct File {
    /// Name as the user gave it; of a compiler's source file, the last part of its path if no other
    /// file has the same one.
    pub name: String,
    /// Path of the file.
    #[serde(skip)]
    pub path: String,
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
    /// Whether they are a compiler's source files.
    #[serde(skip)]
    is_listing: bool,
    /// Places in the compiler's source files, if these have not been read.
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
    /// Whether the files are a compiler's source files, not PTX files. PTX files may follow them,
    /// see [`Listing`].
    pub fn is_listing(&self) -> bool {
        self.is_listing
    }

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

    /// Returns the place of a line of the whole text with the name of its file, in any case:
    /// `scale.cu:18`.
    pub fn full_place(&self, line: u32) -> String {
        self.at(line).map_or_else(|| line.to_string(), |(file, line)| format!("{}:{line}", file.name))
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
    /// First byte of each line: a report looks up the lines of all instructions.
    starts: Vec<usize>,
    files: Files,
    listing: Option<Arc<Listing>>,
    variables: Arc<Variables>,
}

impl Source {
    /// Returns the text of one PTX file.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Self {
        let (name, text) = (name.into(), text.into());
        Self::joined([(name.clone(), name, text)]).with_origins()
    }

    /// Returns the texts of several PTX files: names and texts. A newline ends each file but the
    /// last.
    pub fn linked<'a>(files: impl IntoIterator<Item = (&'a str, &'a str)>) -> Self {
        let owned = |(name, text): (&str, &str)| (name.to_owned(), name.to_owned(), text.to_owned());
        Self::joined(files.into_iter().map(owned)).with_origins()
    }

    /// Returns the texts of files of any language: names, paths and texts.
    pub(crate) fn joined(files: impl IntoIterator<Item = (String, String, String)>) -> Self {
        let mut all: Vec<File> = Vec::new();
        let mut text = String::new();
        for (name, path, own) in files {
            if let Some(last) = all.last()
                && !text[last.start..].ends_with('\n')
            {
                text.push('\n');
            }
            let first_line = text.bytes().filter(|byte| *byte == b'\n').count() as u32 + 1;
            all.push(File { name, path, first_line, start: text.len() });
            text += &own;
        }
        let names: Vec<&str> = all.iter().map(|file| &*file.name).collect();
        let name = names.join(", ");
        let files = Files { all, is_listing: false, origins: Arc::default() };
        let starts = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
        Self { name, text, starts, files, listing: None, variables: Arc::default() }
    }

    /// Returns the text as that of a compiler's source files, under the name of its PTX.
    pub(crate) fn into_listing(mut self, name: &str) -> Self {
        name.clone_into(&mut self.name);
        self.files.is_listing = true;
        self
    }

    /// Reads the places in the compiler's source files.
    fn with_origins(mut self) -> Self {
        let origins = Origins::read(&self.text, self.ranges());
        self.files.origins = Arc::new(origins);
        self
    }

    /// Reads the compiler's source files, so that the lines of programs are theirs: `read` returns
    /// path and text of a file by the name in `.file`, if there is such a file. Without any such
    /// file, the lines of programs stay lines of the PTX.
    pub fn read_origins(&mut self, read: impl FnMut(&str) -> Option<(String, String)>) {
        self.listing = Listing::of(self, &self.files.origins, read).map(Arc::new);
    }

    /// Sets the variables of CUDA C of each file, in order.
    pub fn set_variables(&mut self, of_files: impl IntoIterator<Item = Arc<Variables>>) {
        let lines = self.files.all.iter().map(|file| file.first_line - 1);
        self.variables = Arc::new(Variables::joined(of_files.into_iter().zip(lines)));
    }

    /// Returns the variables of CUDA C.
    pub fn variables(&self) -> &Arc<Variables> {
        &self.variables
    }

    /// Returns the compiler's source files, if they have been read.
    pub fn listing(&self) -> Option<&Arc<Listing>> {
        self.listing.as_ref()
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

    /// Returns the name of the file that contains a byte, and the byte range of the file.
    pub fn file_at(&self, byte: usize) -> (&str, Range<usize>) {
        let after = self.files.all.partition_point(|file| file.start <= byte);
        let file = &self.files.all[after.max(1) - 1];
        let end = self.files.all.get(after.max(1)).map_or(self.text.len(), |next| next.start - 1);
        (&file.name, file.start..end)
    }

    /// Returns the text of one-based line `line`, trimmed.
    pub fn line(&self, line: u32) -> &str {
        let start = self.starts.get((line as usize).saturating_sub(1));
        start.and_then(|start| self.text[*start..].lines().next()).unwrap_or("").trim()
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
        assert_eq!([source.line(0), source.line(1), source.line(3)], ["a", "a", ""]);
        assert_eq!(Source::new("k.ptx", " a \r\n\tb\r\n").line(2), "b");
        assert_eq!(format!("{:>4}|{}", source.files().place(2), source.files().place(0)), "   2|0");
        assert!(source.files().is_single());
    }
}
