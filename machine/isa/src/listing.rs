//! Listings: the source files that PTX was compiled from, as one text, and the line of that text
//! from which each line of the PTX comes.
//!
//! A program whose PTX has a listing has the listing's lines, so that every view of the program
//! names lines of CUDA C. The first instructions of a function, before its first `.loc`, belong to
//! the line of this `.loc`: compilers begin there with the parameters. Instructions that a compiler
//! assigns to line 0 belong to the line of the instruction before.

use crate::origin::{Mark, Origins, last_part};
use crate::source::Source;
use std::sync::Arc;

/// The source files of a PTX text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listing {
    /// The files as one text. PTX files follow that have functions without a `.loc`.
    pub source: Arc<Source>,
    /// Line of `source` for each line of the PTX, from line 1.
    lines: Vec<u32>,
}

/// A file that the PTX names.
struct Named {
    path: String,
    text: Option<String>,
    /// Largest line that the PTX names.
    last: u32,
}

impl Listing {
    /// Makes the listing of a PTX text; `None` if no file can be read.
    pub(crate) fn of(
        ptx: &Source,
        origins: &Origins,
        mut read: impl FnMut(&str) -> Option<(String, String)>,
    ) -> Option<Self> {
        let marks = filled(origins.marks());
        // Files of several PTX texts can be the same one.
        let mut named: Vec<Named> = Vec::new();
        let mut numbers: Vec<Option<usize>> = vec![None; origins.files().len()];
        for (file, line) in marks.iter().filter_map(|mark| mark.place) {
            let name = origins.files().get(file as usize)?;
            let number = *numbers[file as usize].get_or_insert_with(|| {
                let (path, text) = read(name).map_or_else(|| (name.clone(), None), |(p, t)| (p, Some(t)));
                named.iter().position(|known| known.path == path).unwrap_or_else(|| {
                    named.push(Named { path, text, last: 1 });
                    named.len() - 1
                })
            });
            named[number].last = named[number].last.max(line);
        }
        if named.iter().all(|file| file.text.is_none()) {
            return None;
        }
        let parts: Vec<(&str, &str)> = ptx.texts().collect();
        let is_kept: Vec<bool> = (0..parts.len()).map(|part| has_own_lines(ptx, &marks, part)).collect();
        let source = Arc::new(joined(ptx, named, &is_kept));
        let firsts: Vec<u32> = source.files().iter().map(|file| file.first_line).collect();
        // Listing line of the first line of each PTX file that is kept.
        let mut kept = firsts[firsts.len() - is_kept.iter().filter(|kept| **kept).count()..].iter();
        let own: Vec<Option<u32>> =
            is_kept.iter().map(|is_kept| is_kept.then(|| kept.next().copied()).flatten()).collect();
        let mut lines = Vec::new();
        for ((number, file), (_, text)) in ptx.files().iter().enumerate().zip(&parts) {
            for line in (file.first_line..).take(text.lines().count().max(1)) {
                let after = marks.partition_point(|mark| mark.at <= line);
                let mark = after.checked_sub(1).map(|at| marks[at]).filter(|mark| mark.at >= file.first_line);
                let place = mark
                    .and_then(|mark| mark.place)
                    .and_then(|(file, line)| Some(firsts[numbers[file as usize]?] + line - 1));
                let fallback = own[number].map_or(1, |first| first + line - file.first_line);
                lines.push(place.unwrap_or(fallback));
            }
        }
        Some(Self { source, lines })
    }

    /// Returns the line of the listing for a line of the PTX; 0 for a line that the PTX does not
    /// have.
    pub fn line(&self, ptx_line: u32) -> u32 {
        let index = ptx_line.checked_sub(1);
        index.and_then(|index| self.lines.get(index as usize)).copied().unwrap_or(0)
    }
}

/// Returns marks whose places are known wherever a mark of their function has one.
fn filled(marks: &[Mark]) -> Vec<Mark> {
    let mut marks = marks.to_vec();
    let mut start = 0;
    while start < marks.len() {
        let next = marks[start + 1..].iter().position(|mark| mark.begins);
        let end = next.map_or(marks.len(), |next| start + 1 + next);
        let function = &mut marks[start..end];
        let mut last = function.iter().find_map(|mark| mark.place);
        for mark in &mut *function {
            mark.place = mark.place.or(last);
            last = mark.place;
        }
        start += function.len();
    }
    marks
}

/// Whether lines of a PTX file are in the listing: it has functions without a `.loc`, or it
/// declares functions of the device library, whose code has the lines of the declarations.
fn has_own_lines(ptx: &Source, marks: &[Mark], part: usize) -> bool {
    let Some((first, (_, text))) = ptx.files().iter().nth(part).zip(ptx.texts().nth(part)) else {
        return false;
    };
    let lines = first.first_line..first.first_line + text.lines().count() as u32;
    let has_lines = marks.iter().any(|mark| lines.contains(&mark.at) && mark.place.is_some());
    // A declaration has no body.
    let has_body = |mark: &Mark| {
        let mut rest = text.lines().skip((mark.at - first.first_line) as usize).flat_map(str::chars);
        rest.find(|c| matches!(c, '{' | ';')) == Some('{')
    };
    let is_bare = |mark: &Mark| mark.begins && mark.place.is_none() && has_body(mark);
    !has_lines
        || text.lines().any(|line| line.trim_start().starts_with(".extern .func"))
        || marks.iter().any(|mark| lines.contains(&mark.at) && is_bare(mark))
}

/// Joins the files and the PTX files that are kept to one text.
fn joined(ptx: &Source, named: Vec<Named>, is_kept: &[bool]) -> Source {
    let short: Vec<String> = named.iter().map(|file| last_part(&file.path).to_owned()).collect();
    let is_unique = |name: &str| short.iter().filter(|other| *other == name).count() == 1;
    let mut files: Vec<(String, String, String)> = Vec::new();
    for (file, name) in named.into_iter().zip(&short) {
        let name = if is_unique(name) { name.clone() } else { file.path.clone() };
        let mut text = file.text.unwrap_or_default();
        // A file that has changed, or that cannot be read, has all lines that the PTX names.
        let missing = (file.last as usize).saturating_sub(text.lines().count());
        if missing > 0 && !text.is_empty() && !text.ends_with('\n') {
            text.push('\n');
        }
        text.extend(std::iter::repeat_n('\n', missing));
        files.push((name, file.path, text));
    }
    for ((name, text), _) in ptx.texts().zip(is_kept).filter(|(_, kept)| **kept) {
        let is_taken = files.iter().any(|(known, path, _)| known == name || path == name);
        let name = if is_taken { format!("PTX of {name}") } else { name.to_owned() };
        files.push((name.clone(), name, text.to_owned()));
    }
    Source::joined(files).into_listing(&ptx.name)
}

#[cfg(test)]
mod tests {
    use crate::source::Source;

    const PTX: &str = ".file 1 \"/src/a.cu\"\n.file 2 \"/inc/b.h\"\n.entry k() {\nexit;\n.loc 1 2 0\nexit;\n\
                       .loc 1 0 0\nexit;\n.loc 2 7 3\nexit;\n}\n.func g() {\nret;\n}\n";

    fn listed(ptx: &str, known: &'static str) -> Option<Source> {
        let mut source = Source::new("k.ptx", ptx);
        source
            .read_origins(|name| (name == known).then(|| (name.to_owned(), "one\n\ttwo\nthree".to_owned())));
        source.listing().is_some().then_some(source)
    }

    #[test]
    fn each_instruction_has_the_line_of_its_source_file() {
        let ptx = listed(PTX, "/src/a.cu").expect("a listing");
        let listing = ptx.listing().expect("a listing");
        let at = |line| listing.source.files().full_place(listing.line(line));
        assert_eq!([4, 6, 8].map(at), ["a.cu:2", "a.cu:2", "a.cu:2"], "before the first `.loc`, and line 0");
        assert_eq!((at(10), at(13)), ("b.h:7".to_owned(), "k.ptx:13".to_owned()));
        assert_eq!(listing.source.line(listing.line(6)), "two");
        assert_eq!(listing.source.line(listing.line(10)), "", "a file that cannot be read");
        assert_eq!(listing.source.line(listing.line(13)), "ret;", "a function without `.loc`");
        assert_eq!((listing.line(0), listing.line(99)), (0, 0));
        assert_eq!(listing.source.name, "k.ptx");
    }

    #[test]
    fn one_source_file_has_plain_numbers() {
        let only = ".file 1 \"a.cu\"\n.entry k() {\n.loc 1 3 0\nexit;\n}\n";
        let ptx = listed(only, "a.cu").expect("a listing");
        let listing = ptx.listing().expect("a listing");
        assert_eq!(listing.source.files().place(listing.line(4)).to_string(), "3");
        assert_eq!(listing.source.files().numbered("break a.cu:3"), "break 3");
    }

    #[test]
    fn without_a_file_there_is_no_listing() {
        assert!(listed(PTX, "/other.cu").is_none());
        assert!(listed(".entry k() { exit; }", "/src/a.cu").is_none());
        let huge = ".file 1 \"a.cu\"\n.entry k() {\n.loc 1 4000000000 0\nexit;\n}\n";
        assert!(listed(huge, "a.cu").is_none(), "a line that no file has");
    }
}
