//! Several texts together: a file, its bases, and the `--set` arguments that change it.
//!
//! Spans count through all texts, so that a [`Span`] is a place in any of them. The code that makes
//! a complaint does not need to know the text of each value.

use isa::diag::{Diagnostic, Found, Places, render_source};
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

    /// Order of the texts in complaints: arguments, the file, its base, and so on.
    fn rank(&self, span: Span) -> usize {
        let place = self.place_of(span);
        place.filter(|at| !self.texts[*at].over).map_or(0, |at| at + 1)
    }
}

impl Places for Sources {
    fn find(&self, span: Span) -> Option<Found<'_>> {
        let source = self.texts.iter().find(|s| s.holds(span))?;
        Some(Found::new(&source.name, &source.text, source.base, span))
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
        diagnostics.sort_by_key(|d| (!d.is_error(), d.start()));
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
        f.write_str(&render_source(&self.diagnostics, &self.sources))
    }
}

impl std::error::Error for Complaints {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_label_on_another_text_is_drawn_on_its_line() {
        let mut sources = Sources::default();
        let file = sources.add("chip.ron", "(\n  a: 1,\n)");
        let set = sources.add("--set", "b=2");
        let diagnostic = Diagnostic::error("E0510", Span::new(set + 2, set + 3), "a and b clash")
            .label("b is 2")
            .at(Span::new(file + 7, file + 8), "a is 1");
        let expected = "error[E0510]: a and b clash
 --> --set:1:3
  |
1 | b=2
  |   ^ b is 2
  |
 ::: chip.ron:2:6
  |
2 |   a: 1,
  |      - a is 1";
        assert_eq!(diagnostic.render(&sources), expected);
    }
}
