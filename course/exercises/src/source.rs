//! Rules about the source of a submission: words that it must have, or must not have.

use cuda::diagnostics::Diagnostics;
use cuda::lex::{Interner, Lexer, TokenKind};
use cuda::source::Sources;

/// The tokens of a text; comments and blanks are none.
#[derive(Debug)]
pub struct Tokens<'t>(Vec<&'t str>);

impl<'t> Tokens<'t> {
    /// Reads a text.
    pub fn new(text: &'t str) -> Self {
        let (mut sources, mut names) = (Sources::default(), Interner::default());
        let mut diagnostics = Diagnostics::default();
        let Some(file) = sources.add("source", text, false) else { return Self(Vec::new()) };
        let start = sources.start(file);
        let mut lexer = Lexer::new(&sources, file);
        let mut tokens = Vec::new();
        loop {
            let token = lexer.next(text, &mut names, &mut diagnostics);
            if matches!(token.kind, TokenKind::End) {
                return Self(tokens);
            }
            let place = (token.span.start - start) as usize..(token.span.end - start) as usize;
            tokens.extend(text.get(place));
        }
    }

    /// Whether these tokens are in the text, one after the other.
    pub fn has(&self, words: &str) -> bool {
        let wanted = Tokens::new(words).0;
        !wanted.is_empty() && self.0.windows(wanted.len()).any(|part| part == wanted)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_longer_names_do_not_count() {
        let tokens = Tokens::new("// __shared__ a\n__global__ void k() { atomicAdd_block( &x,1); /* y */ }");
        assert!(tokens.has("__global__ void") && tokens.has("atomicAdd_block(&x, 1)"));
        assert!(!tokens.has("__shared__") && !tokens.has("atomicAdd") && !tokens.has("y") && !tokens.has(""));
    }
}
