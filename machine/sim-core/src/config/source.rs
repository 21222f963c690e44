//! Several texts together: a file, its bases, and the `--set` arguments that change it.
//!
//! Spans count through all texts, so that a [`Span`] is a place in any of them. The code that makes
//! a complaint does not need to know the text of each value.

use isa::diag::Diagnostic;
use isa::span::Span;
use std::fmt;

/// The texts, the file first.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    texts: Vec<Source>,
}

#[derive(Clone, Debug)]
struct Source {
    name: String,
    text: String,
    base: usize,
    /// Whether the text is an argument, which applies on top of the files.
    over: bool,
}

impl Source {
    fn holds(&self, span: Span) -> bool {
        (self.base..=self.base + self.text.len()).contains(&(span.start as usize))
    }

    fn local(&self, span: Span) -> Span {
        Span::new(span.start as usize - self.base, span.end as usize - self.base)
    }
}

impl Sources {
    /// Adds a text with the name that complaints show; returns the start of its spans.
    pub fn add(&mut self, name: impl Into<String>, text: impl Into<String>) -> usize {
        let base = self.texts.last().map_or(0, |s| s.base + s.text.len() + 1);
        self.texts.push(Source { name: name.into(), text: text.into(), base, over: false });
        base
    }

    /// Adds an argument, which applies on top of the files; returns the start of its spans.
    pub fn add_over(&mut self, name: impl Into<String>, text: impl Into<String>) -> usize {
        let base = self.add(name, text);
        if let Some(last) = self.texts.last_mut() {
            last.over = true;
        }
        base
    }

    /// The position of the text that has the span, in the order of adding.
    pub fn place_of(&self, span: Span) -> Option<usize> {
        self.texts.iter().position(|s| s.holds(span))
    }

    /// The text that has the span, and the span within the text.
    pub fn text_of(&self, span: Span) -> (&str, Span) {
        self.find(span).map_or(("", Span::default()), |s| (&*s.text, s.local(span)))
    }

    /// Returns the name and the text that have the span, and the span within the text.
    pub fn at(&self, span: Span) -> Option<(&str, &str, Span)> {
        self.find(span).map(|source| (&*source.name, &*source.text, source.local(span)))
    }

    /// Order of the texts in complaints: arguments, the file, its base, and so on.
    fn rank(&self, span: Span) -> usize {
        let place = self.place_of(span);
        place.filter(|at| !self.texts[*at].over).map_or(0, |at| at + 1)
    }

    fn find(&self, span: Span) -> Option<&Source> {
        self.texts.iter().find(|s| s.holds(span))
    }

    /// Draws a complaint on the text of its primary label. Labels on other texts become notes.
    pub fn render(&self, diagnostic: &Diagnostic) -> String {
        let Some(primary) = diagnostic.labels.first().and_then(|(span, _)| self.find(*span)) else {
            return diagnostic.render("", "");
        };
        let mut drawn = diagnostic.clone();
        drawn.labels.clear();
        for (span, label) in &diagnostic.labels {
            match self.find(*span) {
                Some(s) if s.base == primary.base => drawn.labels.push((s.local(*span), label.clone())),
                Some(s) => {
                    let local = s.local(*span);
                    let line = isa::span::LineIndex::new(&s.text).line(local.start);
                    let one_line = !s.text.contains('\n');
                    let place = if one_line { s.text.clone() } else { format!("line {line}") };
                    drawn.notes.push(format!("{label} ({} {place})", s.name));
                }
                None => {}
            }
        }
        drawn.render(&primary.name, &primary.text)
    }
}

/// Complaints together with their texts.
#[derive(Clone, Debug, Default)]
pub struct Complaints {
    /// In source order, errors first.
    pub diagnostics: Vec<Diagnostic>,
    /// The texts.
    pub sources: Sources,
}

impl Complaints {
    /// Sorts the complaints. If a value of a file contradicts a value of an argument, the label of
    /// the argument is first, because the user has just written it. The label of a file is before
    /// that of its base.
    pub fn new(mut diagnostics: Vec<Diagnostic>, sources: Sources) -> Self {
        for diagnostic in &mut diagnostics {
            diagnostic.labels.sort_by_key(|(span, _)| sources.rank(*span));
        }
        diagnostics.sort_by_key(|d| (!d.is_error(), d.labels.first().map_or(0, |(s, _)| s.start)));
        Self { diagnostics, sources }
    }

    /// Whether there are no complaints.
    pub fn is_empty(&self) -> bool {
        self.diagnostics.is_empty()
    }
}

impl fmt::Display for Complaints {
    /// All complaints, drawn on their source lines.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, diagnostic) in self.diagnostics.iter().enumerate() {
            let gap = if i == 0 { "" } else { "\n\n" };
            write!(f, "{gap}{}", self.sources.render(diagnostic))?;
        }
        Ok(())
    }
}

impl std::error::Error for Complaints {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_label_on_another_text_becomes_a_note() {
        let mut sources = Sources::default();
        let file = sources.add("chip.ron", "(\n  a: 1,\n)");
        let set = sources.add("--set", "b=2");
        let diagnostic = Diagnostic::error("E0510", "a and b clash", Span::new(set + 2, set + 3), "b is 2")
            .label(Span::new(file + 7, file + 8), "a is 1");
        let drawn = sources.render(&diagnostic);
        assert!(drawn.contains("--set:1:3") && drawn.contains("b=2"), "{drawn}");
        assert!(drawn.contains("a is 1 (chip.ron line 2)"), "{drawn}");
    }
}
