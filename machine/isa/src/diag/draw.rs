//! Draws a diagnostic on its source lines. The cost depends on those lines, not on the length of
//! the text.

use super::{Diagnostic, Severity};
use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};
use std::ops::Range;

/// Maximum number of bytes of source text in one snippet.
const MAX_SOURCE: usize = 1 << 16;

/// Number of bytes that are shown on either side of the start of a label in a line longer than
/// `MAX_SOURCE`.
const AROUND: usize = 200;

/// Labels whose lines are close to each other.
struct Excerpt<'l> {
    /// Byte range of the text that is drawn: whole lines, or a part of one long line.
    source: Range<usize>,
    /// Start of the first line.
    line: usize,
    /// Kind, byte range in the text, and message of each label.
    labels: Vec<(AnnotationKind, Range<usize>, &'l str)>,
}

/// Returns the diagnostic drawn on its source lines, without color.
///
/// `file_at` returns the name of the file that contains a byte, and the first byte of the file.
pub fn draw<'f>(diagnostic: &Diagnostic, text: &str, file_at: impl Fn(usize) -> (&'f str, usize)) -> String {
    // A note has no excerpt: nothing in the text is wrong.
    if diagnostic.severity == Severity::Note {
        return diagnostic.to_string();
    }
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Note => Level::NOTE,
    };
    let mut group = Group::with_title(level.primary_title(diagnostic.message.as_str()).id(diagnostic.code));
    for Excerpt { source, line, labels } in excerpts(diagnostic, text, &file_at) {
        let (file_name, first) = file_at(line);
        let number = text[first..line].matches('\n').count() + 1;
        let mut snippet = Snippet::source(&text[source.clone()]).line_start(number).fold(true);
        if source.start == line {
            snippet = snippet.path(file_name);
        } else {
            let column = text[line..labels[0].1.start].chars().count() + 1;
            group = group.element(Origin::path(file_name).line(number).char_column(column));
        }
        group = group.element(snippet.annotations(labels.into_iter().map(|(kind, span, label)| {
            kind.span(span.start - source.start..span.end - source.start).label(label)
        })));
    }
    for note in &diagnostic.notes {
        group = group.element(Level::NOTE.message(note.as_str()));
    }
    for help in &diagnostic.helps {
        group = group.element(Level::HELP.message(help.as_str()));
    }
    Renderer::plain().render(&[group])
}

/// Groups the labels into excerpts; the excerpt with the primary label comes first.
fn excerpts<'l, 'f>(
    diagnostic: &'l Diagnostic,
    text: &str,
    file_at: impl Fn(usize) -> (&'f str, usize),
) -> Vec<Excerpt<'l>> {
    let mut excerpts: Vec<Excerpt> = Vec::new();
    for (i, (span, label)) in diagnostic.labels.iter().enumerate() {
        let kind = if i == 0 { AnnotationKind::Primary } else { AnnotationKind::Context };
        let end = (span.end as usize).min(text.len());
        let span = (span.start as usize).min(end)..end;
        let line = text[..span.start].rfind('\n').map_or(0, |newline| newline + 1);
        let whole = line..line_end(text, span.end);
        if whole.len() > MAX_SOURCE {
            excerpts.push(part(text, line, kind, span, label));
            continue;
        }
        let near = excerpts.iter_mut().find(|place| {
            place.source.start == place.line
                && file_at(place.line) == file_at(line)
                && union(&place.source, &whole).len() <= MAX_SOURCE
        });
        match near {
            Some(place) => {
                place.source = union(&place.source, &whole);
                place.line = place.source.start;
                place.labels.push((kind, span, label));
            }
            None => excerpts.push(Excerpt { source: whole, line, labels: vec![(kind, span, label)] }),
        }
    }
    excerpts
}

/// Returns the excerpt for a label that covers too much text: its first line, or the part of that
/// line around the start of the label.
fn part<'l>(
    text: &str,
    line: usize,
    kind: AnnotationKind,
    span: Range<usize>,
    label: &'l str,
) -> Excerpt<'l> {
    let whole = line..line_end(text, span.start);
    let end = span.end.min(whole.end);
    let source = if whole.len() <= MAX_SOURCE {
        whole
    } else {
        let start = text.floor_char_boundary(span.start.saturating_sub(AROUND)).max(line);
        start..text.floor_char_boundary(span.start + 2 * AROUND).min(whole.end)
    };
    let span = span.start..end.min(source.end);
    Excerpt { source, line, labels: vec![(kind, span, label)] }
}

fn union(one: &Range<usize>, other: &Range<usize>) -> Range<usize> {
    one.start.min(other.start)..one.end.max(other.end)
}

/// Returns the end of the line that contains the byte at `at`.
fn line_end(text: &str, at: usize) -> usize {
    text[at..].find('\n').map_or(text.len(), |length| at + length)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::span::Span;

    fn drawn(text: &str, labels: &[(usize, usize)]) -> String {
        let mut labels = labels.iter().map(|(start, end)| Span::new(*start, *end));
        let first = Diagnostic::error("E0110", "wrong", labels.next().unwrap(), "here");
        draw(&labels.fold(first, |diagnostic, span| diagnostic.label(span, "and here")), text, |_| {
            ("k.ptx", 0)
        })
    }

    #[test]
    fn a_line_far_down_has_its_line_number() {
        let text = format!("{}one\ntwo three\n", "\n".repeat(100_000));
        let at = text.find("three").unwrap();
        let expected = "error[E0110]: wrong
      --> k.ptx:100002:5
       |
100002 | two three
       |     ^^^^^ here";
        assert_eq!(drawn(&text, &[(at, at + 5)]), expected);
    }

    #[test]
    fn labels_far_apart_are_drawn_separately() {
        let text = format!("first\n{}second\n", "x\n".repeat(100_000));
        let at = text.find("second").unwrap();
        let found = drawn(&text, &[(at, at + 6), (0, 5)]);
        assert!(found.contains("--> k.ptx:100002:1") && found.contains("::: k.ptx:1:1"), "{found}");
        assert!(found.lines().count() < 12, "{found}");
    }

    #[test]
    fn only_a_part_of_a_long_line_is_drawn() {
        let text = format!("short\n{}\u{e9}\u{e9} wrong {}\n", "a ".repeat(100_000), "b ".repeat(100_000));
        let at = text.find("wrong").unwrap();
        for span in [(at, at + 5), (at, text.len()), (at + 5, 0)] {
            let found = drawn(&text, &[span]);
            let column = if span.1 == 0 { "k.ptx:1:1" } else { "k.ptx:2:200004" };
            assert!(found.contains(column) && found.len() < 2_000, "{found}");
        }
        let found = drawn(&text, &[(at, at + 5)]);
        assert!(found.contains("wrong b b"), "{found}");
    }
}
