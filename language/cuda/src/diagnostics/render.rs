//! Draws a diagnostic on its source lines.

use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};

use super::{Diagnostic, Severity};
use crate::source::{FileId, Sources, Span};

/// Bytes of a line that are drawn on either side of a label in a very long line.
const AROUND: usize = 200;

/// Macro expansions that are shown; the innermost and the outermost ones are kept.
const MAX_EXPANSIONS: usize = 6;

/// A label with the text around it.
struct Drawn<'s> {
    file: FileId,
    /// Number of the first line of `text`.
    line: usize,
    /// The lines of the label.
    text: &'s str,
    /// Offset of `text` in the file.
    offset: usize,
    /// Kind, range in the file, and text of each label.
    labels: Vec<(AnnotationKind, std::ops::Range<usize>, String)>,
}

/// Returns the text of the message.
pub fn render(diagnostic: &Diagnostic, sources: &Sources) -> String {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let labels = all_labels(diagnostic, sources);
    if let Some((_, span, _)) = labels.iter().find(|(_, span, _)| sources.is_hidden(*span)) {
        return hidden(level, diagnostic.code, *span, sources);
    }
    let title = level.primary_title(diagnostic.message.as_str()).id(diagnostic.code);
    let mut group = Group::with_title(title);
    let drawn = excerpts(labels, sources);
    for excerpt in &drawn {
        let snippet =
            Snippet::source(excerpt.text).line_start(excerpt.line).path(&sources.file(excerpt.file).name);
        let annotations = excerpt.labels.iter().map(|(kind, range, text)| {
            let limit = excerpt.text.len();
            let start = range.start.saturating_sub(excerpt.offset).min(limit);
            let end = range.end.saturating_sub(excerpt.offset).clamp(start, limit);
            kind.span(start..end).label(text.as_str())
        });
        group = group.element(snippet.fold(true).annotations(annotations));
    }
    for note in &diagnostic.notes {
        group = group.element(Level::NOTE.message(note.as_str()));
    }
    for help in &diagnostic.helps {
        group = group.element(Level::HELP.message(help.as_str()));
    }
    Renderer::plain().render(&[group])
}

/// Returns a message about a hidden file: its words may come from the text of the file.
fn hidden(level: Level<'_>, code: &str, span: Span, sources: &Sources) -> String {
    let mut group =
        Group::with_title(level.primary_title("a problem at a line whose text is not shown").id(code));
    if let Some(place) = sources.spelling(span) {
        let name = sources.file(place.file).name.as_str();
        group =
            group.element(Origin::path(name).line(place.line as usize).char_column(place.column as usize));
    }
    let note = "the file is neither below the folder of the source nor below a folder of `-I`";
    group = group.element(Level::NOTE.message(note));
    let help = "if the file may be shown, add its folder with `-I DIR`";
    Renderer::plain().render(&[group.element(Level::HELP.message(help))])
}

/// The labels of the message, and those of the macros that produced its main place.
fn all_labels(diagnostic: &Diagnostic, sources: &Sources) -> Vec<(AnnotationKind, Span, String)> {
    let mut labels = Vec::new();
    if diagnostic.span == Span::NONE {
        return labels;
    }
    let mut chain = Vec::new();
    let mut at = diagnostic.span;
    while let Some(expansion) = sources.expansion(at) {
        let name = &expansion.name;
        chain.push((AnnotationKind::Context, at, format!("in the definition of macro `{name}`")));
        at = expansion.call;
    }
    // The primary place is where the user wrote the macro.
    labels.push((AnnotationKind::Primary, at, diagnostic.label.clone()));
    if chain.len() > MAX_EXPANSIONS {
        chain.drain(MAX_EXPANSIONS / 2..chain.len() - MAX_EXPANSIONS / 2);
    }
    chain.retain(|(_, span, _)| sources.file_of(*span).is_some_and(|file| !sources.file(file).builtin));
    labels.extend(chain.into_iter().rev());
    for (span, text) in &diagnostic.labels {
        labels.push((AnnotationKind::Context, sources.outermost(*span), text.clone()));
    }
    labels
}

/// Groups labels of the same lines.
fn excerpts(labels: Vec<(AnnotationKind, Span, String)>, sources: &Sources) -> Vec<Drawn<'_>> {
    let mut drawn: Vec<Drawn> = Vec::new();
    for (kind, span, text) in labels {
        let Some(location) = sources.spelling(span) else { continue };
        let file = sources.file(location.file);
        let base = sources.start(location.file);
        let (start, end) = ((span.start - base) as usize, (span.end.max(span.start) - base) as usize);
        let end = end.min(file.text.len()).max(start.min(file.text.len()));
        let start = start.min(end);
        // A label that covers several lines is drawn on the first.
        let line_start = file.text[..start].rfind('\n').map_or(0, |at| at + 1);
        let line_end = file.text[start..].find('\n').map_or(file.text.len(), |at| start + at);
        let end = end.min(line_end);
        let from = file.text.floor_char_boundary(start.saturating_sub(AROUND)).max(line_start);
        let to = file.text.ceil_char_boundary((end + AROUND).min(file.text.len())).min(line_end);
        let (from, to) =
            if line_end - line_start <= 2 * AROUND { (line_start, line_end) } else { (from, to) };
        let near = drawn.iter_mut().find(|one| {
            one.file == location.file
                && from.abs_diff(one.offset) <= 4096
                && line_end - line_start <= 2 * AROUND
        });
        if let Some(one) = near {
            let last = (one.offset + one.text.len()).max(to);
            if from < one.offset {
                one.offset = from;
                one.line = location.line as usize;
            }
            one.text = &file.text[one.offset..last];
            one.labels.push((kind, start..end, text));
            continue;
        }
        drawn.push(Drawn {
            file: location.file,
            line: location.line as usize,
            text: &file.text[from..to],
            offset: from,
            labels: vec![(kind, start..end, text)],
        });
    }
    drawn
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Expansion;

    #[test]
    fn labels_are_drawn_on_their_lines() {
        let mut sources = Sources::default();
        let file = sources.add("k.cu", "int a;\nint b = c;\n".to_owned(), false).unwrap();
        let base = sources.start(file);
        let diagnostic = Diagnostic::error("undeclared-name", Span::new(base + 15, base + 16), "no `c`")
            .label("not found")
            .at(Span::new(base + 4, base + 5), "similar name")
            .help("write `a`");
        let expected = "error[undeclared-name]: no `c`
 --> k.cu:2:9
  |
1 | int a;
  |     - similar name
2 | int b = c;
  |         ^ not found
  |
  = help: write `a`";
        assert_eq!(diagnostic.render(&sources), expected);
    }

    #[test]
    fn a_hidden_file_is_named_and_not_quoted() {
        let mut sources = Sources::default();
        let file = sources.add("/etc/secret", "one\n two words\n".to_owned(), false).unwrap();
        let own = sources.add("k.cu", "int a;\n".to_owned(), false).unwrap();
        sources.hide(file);
        let base = sources.start(file);
        let place = Span::new(base + 5, base + 8);
        let expected = "error[undeclared-name]: a problem at a line whose text is not shown
--> /etc/secret:2:2
 = note: the file is neither below the folder of the source nor below a folder of `-I`
 = help: if the file may be shown, add its folder with `-I DIR`";
        let error =
            Diagnostic::error("undeclared-name", place, "`two` is not declared").help("write `words`");
        assert_eq!(error.render(&sources), expected);
        // A message about the own file names a word of the hidden one.
        let span = Span::new(sources.start(own), sources.start(own) + 3);
        let other = Diagnostic::error("undeclared-name", span, "`two` is declared twice").at(place, "`two`");
        assert_eq!(other.render(&sources), expected);
        let name = sources.expand(Expansion { name: "M".into(), call: span, definition: place });
        let expanded = Span { expansion: name, ..place };
        assert_eq!(Diagnostic::error("undeclared-name", expanded, "no `two`").render(&sources), expected);
        sources.forget_hidden();
        assert_eq!((&*sources.file(file).text, sources.line_text(own, 1)), ("   \n          \n", "int a;"));
    }

    #[test]
    fn the_use_of_a_macro_is_primary() {
        let mut sources = Sources::default();
        let file = sources.add("k.cu", "#define M c\nint b = M;\n".to_owned(), false).unwrap();
        let base = sources.start(file);
        let expansion = sources.expand(Expansion {
            name: "M".into(),
            call: Span::new(base + 20, base + 21),
            definition: Span::new(base + 8, base + 9),
        });
        let span = Span { start: base + 10, end: base + 11, expansion };
        let drawn = Diagnostic::error("x", span, "no `c`").label("here").render(&sources);
        assert!(drawn.contains("k.cu:2:9") && drawn.contains("definition of macro `M`"), "{drawn}");
    }
}
