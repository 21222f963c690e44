//! Attributes of C++: `[[name, space::name(arguments)]]`.

use super::ast::Alignment;
use super::keyword::Keyword;
use super::parser::{Failed, Parser, Step};
use crate::diagnostics::Diagnostic;
use crate::lex::{Punct, TokenKind};
use crate::source::Span;

/// Attributes of the standard that change no value and no layout.
const STANDARD: [&str; 9] = [
    "assume",
    "carries_dependency",
    "deprecated",
    "fallthrough",
    "likely",
    "maybe_unused",
    "nodiscard",
    "noreturn",
    "unlikely",
];

/// Attributes of GNU's compiler that change no value and no layout.
const GNU: [&str; 34] = [
    "access",
    "alloc_align",
    "alloc_size",
    "always_inline",
    "artificial",
    "assume_aligned",
    "cold",
    "const",
    "deprecated",
    "fallthrough",
    "flatten",
    "format",
    "format_arg",
    "gnu_inline",
    "hot",
    "leaf",
    "malloc",
    "may_alias",
    "no_sanitize",
    "noclone",
    "noinline",
    "nonnull",
    "noreturn",
    "nothrow",
    "optimize",
    "pure",
    "returns_nonnull",
    "sentinel",
    "target",
    "unavailable",
    "unused",
    "used",
    "visibility",
    "warn_unused_result",
];

impl Parser<'_> {
    /// Whether `[[` of an attribute is here.
    pub(super) fn attribute_follows(&self) -> bool {
        self.attribute_follows_at(0)
    }

    /// Whether `[[` of an attribute is at a later token.
    pub(super) fn attribute_follows_at(&self, ahead: usize) -> bool {
        self.side.is_cpp()
            && self.is_at(ahead, Punct::LeftBracket)
            && self.is_at(ahead + 1, Punct::LeftBracket)
    }

    /// Parses attributes, if there are any. Returns the alignment that they ask for.
    pub(super) fn attributes(&mut self) -> Step<Alignment> {
        let mut align = Alignment::default();
        while self.attribute_follows() {
            let open = self.span();
            self.bump();
            self.bump();
            self.attributes_inner(&mut align)?;
            self.expect_close(Punct::RightBracket, open)?;
            self.expect_close(Punct::RightBracket, open)?;
        }
        Ok(align)
    }

    /// Parses attributes where they cannot change the layout.
    pub(super) fn plain_attributes(&mut self) -> Step<()> {
        let start = self.span();
        let align = self.attributes()?;
        if let Some(span) = align.packed {
            return self.unsupported(span, "`packed` for anything but a class or a member");
        }
        if align.bytes.is_some() {
            let span = self.since(start);
            return self.unsupported(span, "`gnu::aligned` at this place");
        }
        Ok(())
    }

    fn attributes_inner(&mut self, align: &mut Alignment) -> Step<()> {
        let mut space = None;
        if self.accept_keyword(Keyword::Using) {
            space = Some(self.attribute_word()?);
            self.expect(Punct::Colon, "after the namespace of the attributes")?;
        }
        while !self.is(Punct::RightBracket) {
            if self.accept(Punct::Comma) {
                continue;
            }
            let start = self.span();
            let mut own = space.clone();
            let mut name = self.attribute_word()?;
            if self.accept(Punct::ColonColon) {
                own = Some(std::mem::replace(&mut name, self.attribute_word()?));
            }
            let place = self.since(start);
            self.attribute(own.as_deref(), &name, place, align)?;
        }
        Ok(())
    }

    /// A name in an attribute, which may be a keyword. The underscores around it have no meaning.
    fn attribute_word(&mut self) -> Step<String> {
        let TokenKind::Name(symbol) = self.kind() else {
            return self.unexpected("expected the name of an attribute");
        };
        let text = self.text(symbol);
        let inner = text.strip_prefix("__").and_then(|text| text.strip_suffix("__")).unwrap_or(text);
        let inner = inner.to_owned();
        self.bump();
        Ok(inner)
    }

    /// One attribute from behind its name.
    fn attribute(&mut self, space: Option<&str>, name: &str, place: Span, align: &mut Alignment) -> Step<()> {
        match (space, name) {
            (Some("gnu" | "clang"), "packed") => align.packed = Some(place),
            (Some("gnu" | "clang"), "aligned") if self.is(Punct::LeftParen) => {
                // `alignment` takes the name first.
                self.at -= 1;
                align.bytes = self.alignment()?;
                return Ok(());
            }
            (None, name) if STANDARD.contains(&name) => {}
            (Some("gnu" | "clang"), name) if GNU.contains(&name) => {}
            (None | Some("msvc"), "no_unique_address") | (Some("gnu" | "clang"), _) => {
                let shown = space.map_or(String::new(), |space| format!("{space}::"));
                self.unsupported::<()>(place, &format!("the attribute `{shown}{name}`"))?;
                return Err(Failed);
            }
            _ => {
                let shown = space.map_or(String::new(), |space| format!("{space}::"));
                let message = format!("attribute `{shown}{name}` is not known");
                self.out.push(Diagnostic::warning("attribute", place, message).label("it has no effect"));
            }
        }
        if self.is(Punct::LeftParen) {
            let open = self.span();
            self.skip_parentheses();
            if self.ended() {
                self.error("syntax", open, "`(` has no `)`", "opened here");
                return Err(Failed);
            }
        }
        Ok(())
    }
}
