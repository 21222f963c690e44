//! Places of diagnostics in included files and macros.

use super::Diagnostic;
use crate::source::{Sources, Span};
use isa::diag::{Found, Places};

/// Macro expansions that are shown; the innermost and the outermost ones are kept.
const MAX_EXPANSIONS: usize = 6;

impl Places<Span> for Sources {
    fn find(&self, span: Span) -> Option<Found<'_>> {
        let id = self.file_of(span)?;
        let (file, first) = (self.file(id), self.start(id) as usize);
        let span = isa::span::Span { start: span.start, end: span.end.max(span.start) };
        let mut found = Found { is_hidden: file.hidden, ..Found::new(&file.name, &file.text, first, span) };
        // A label that covers several lines is drawn on the first.
        if let Some(line) = found.text[found.range.clone()].find('\n') {
            found.range.end = found.range.start + line;
        }
        Some(found)
    }

    /// The primary label is where the user wrote the macro. The labels of the macros that produced
    /// its place follow.
    fn labels(&self, diagnostic: &Diagnostic) -> Vec<(Span, String)> {
        let Some(((place, label), others)) = diagnostic.labels.split_first() else { return Vec::new() };
        if *place == Span::NONE {
            return Vec::new();
        }
        let mut chain = Vec::new();
        let mut at = *place;
        while let Some(expansion) = self.expansion(at) {
            chain.push((at, format!("in the definition of macro `{}`", expansion.name)));
            at = expansion.call;
        }
        if chain.len() > MAX_EXPANSIONS {
            chain.drain(MAX_EXPANSIONS / 2..chain.len() - MAX_EXPANSIONS / 2);
        }
        chain.retain(|(span, _)| self.file_of(*span).is_some_and(|file| !self.file(file).builtin));
        let others = others.iter().map(|(span, text)| (self.outermost(*span), text.clone()));
        std::iter::once((at, label.clone())).chain(chain.into_iter().rev()).chain(others).collect()
    }
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
