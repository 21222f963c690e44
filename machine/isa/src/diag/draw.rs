//! Draws a diagnostic on its source lines. The cost depends on those lines, not on the length of
//! the text.

use super::{Diagnostic, Found, Places, Severity};
use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};
use std::ops::Range;

/// Maximum number of bytes of source text in one snippet.
const MAX_SOURCE: usize = 1 << 16;

/// Number of bytes that are shown on either side of the start of a label in a line longer than
/// `MAX_SOURCE`.
const AROUND: usize = 200;

/// Labels of one file whose lines are close to each other.
struct Excerpt<'t> {
    /// Name of the file.
    name: &'t str,
    /// Text of the file.
    text: &'t str,
    /// Byte range of the text that is drawn: whole lines, or a part of one long line.
    source: Range<usize>,
    /// Start of the first line.
    line: usize,
    /// Kind, byte range in the text, and message of each label.
    labels: Vec<(AnnotationKind, Range<usize>, &'t str)>,
}

/// Returns the diagnostic drawn on its source lines, without color.
pub fn draw<P: Copy>(diagnostic: &Diagnostic<P>, texts: &impl Places<P>) -> String {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        // A note has no excerpt: nothing in the text is wrong.
        Severity::Note => return diagnostic.to_string(),
    };
    let labels = texts.labels(diagnostic);
    let found: Vec<(Found, &str)> =
        labels.iter().filter_map(|(place, label)| Some((texts.find(*place)?, &**label))).collect();
    if let Some((place, _)) = found.iter().find(|(place, _)| place.is_hidden) {
        return hidden(level, diagnostic.code, place);
    }
    let mut group = Group::with_title(level.primary_title(diagnostic.message.as_str()).id(diagnostic.code));
    for Excerpt { name, text, source, line, labels } in excerpts(found) {
        let number = text[..line].matches('\n').count() + 1;
        let mut snippet = Snippet::source(&text[source.clone()]).line_start(number).fold(true);
        if source.start == line {
            snippet = snippet.path(name);
        } else {
            let column = text[line..labels[0].1.start].chars().count() + 1;
            group = group.element(Origin::path(name).line(number).char_column(column));
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

/// Returns a message about a hidden file: the words of the diagnostic may come from its text.
fn hidden(level: Level<'_>, code: &str, place: &Found) -> String {
    let (line, column) = place.location();
    let origin = Origin::path(place.name).line(line).char_column(column);
    let note = "the file is neither below the folder of the source nor below a folder of `-I`";
    let help = "if the file may be shown, add its folder with `-I DIR`";
    let title = level.primary_title("a problem at a line whose text is not shown").id(code);
    let group = Group::with_title(title).element(origin).element(Level::NOTE.message(note));
    Renderer::plain().render(&[group.element(Level::HELP.message(help))])
}

/// Groups the labels into excerpts; the excerpt with the primary label comes first.
fn excerpts<'t>(labels: Vec<(Found<'t>, &'t str)>) -> Vec<Excerpt<'t>> {
    let mut excerpts: Vec<Excerpt> = Vec::new();
    for (i, (Found { name, text, range, .. }, label)) in labels.into_iter().enumerate() {
        let kind = if i == 0 { AnnotationKind::Primary } else { AnnotationKind::Context };
        let line = text[..range.start].rfind('\n').map_or(0, |newline| newline + 1);
        let whole = line..line_end(text, range.end);
        if whole.len() > MAX_SOURCE {
            let (source, range) = part(text, line, range);
            excerpts.push(Excerpt { name, text, source, line, labels: vec![(kind, range, label)] });
            continue;
        }
        let near = excerpts.iter_mut().find(|place| {
            place.source.start == place.line
                && place.name == name
                && std::ptr::eq(place.text, text)
                && union(&place.source, &whole).len() <= MAX_SOURCE
        });
        match near {
            Some(place) => {
                place.source = union(&place.source, &whole);
                place.line = place.source.start;
                place.labels.push((kind, range, label));
            }
            None => {
                excerpts.push(Excerpt {
                    name,
                    text,
                    source: whole,
                    line,
                    labels: vec![(kind, range, label)],
                });
            }
        }
    }
    excerpts
}

/// Returns the drawn part of a label that covers too much text, and the label in it: its first
/// line, or the part of that line around the start of the label.
fn part(text: &str, line: usize, range: Range<usize>) -> (Range<usize>, Range<usize>) {
    let whole = line..line_end(text, range.start);
    let end = range.end.min(whole.end);
    let source = if whole.len() <= MAX_SOURCE {
        whole
    } else {
        let start = text.floor_char_boundary(range.start.saturating_sub(AROUND)).max(line);
        start..text.floor_char_boundary(range.start + 2 * AROUND).min(whole.end)
    };
    let end = end.min(source.end);
    (source, range.start..end)
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
        let first = Diagnostic::error("E0110", labels.next().unwrap(), "wrong").label("here");
        draw(&labels.fold(first, |diagnostic, span| diagnostic.at(span, "and here")), &("k.ptx", text))
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
