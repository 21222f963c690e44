//! Properties that must hold for any bytes: the fuzzer's targets search for counterexamples.
//!
//! `tests/fuzz` has a target for each, which passes the input of libFuzzer.
//! `tests/tests/it/fuzz.rs` checks them in every build, with randomly damaged PTX of the
//! repository, random bytes, and inputs found by fuzzing. Each panics if its property does not
//! hold. CONTRIBUTING.md describes how to run them.

pub mod code;

use isa::diag::{Diagnostic, render_all};
use isa::ptx::lex::{TokenKind, lex_from};
use isa::ptx::parse::parse;
use isa::uop::{disasm, verify::verify};

/// Converts bytes to text, up to the first invalid UTF-8.
fn text(bytes: &[u8]) -> &str {
    match str::from_utf8(bytes) {
        Ok(text) => text,
        Err(e) => str::from_utf8(&bytes[..e.valid_up_to()]).unwrap_or_default(),
    }
}

/// The lexer splits any text into complete tokens in order, with one end token; each invalid
/// character gets an error at its position.
pub fn lexer(bytes: &[u8]) {
    let text = text(bytes);
    let (tokens, diagnostics) = lex_from(text, 0);
    let mut end = 0;
    for token in &tokens {
        let range = token.span.range();
        assert!(end <= range.start && text.get(range.clone()).is_some(), "{token:?} after {end}");
        assert_eq!(token.kind == TokenKind::End, range.is_empty(), "{token:?}");
        end = range.end;
    }
    assert_eq!(tokens.last().map(|token| token.kind), Some(TokenKind::End));
    assert_eq!(tokens.iter().any(|token| token.kind == TokenKind::Error), !diagnostics.is_empty());
    rendered(text, &diagnostics);
}

/// The parser accepts any text, and its diagnostics can be rendered.
pub fn parser(bytes: &[u8]) {
    let text = text(bytes);
    let (_, diagnostics) = parse(text);
    rendered(text, &diagnostics);
}

/// Any text gives errors or compiles, and a compiled module is valid and can be disassembled.
pub fn lowering(bytes: &[u8]) {
    let text = text(bytes);
    let (module, diagnostics) = isa::compile("fuzz.ptx", text);
    rendered(text, &diagnostics);
    assert_eq!(module.is_none(), diagnostics.iter().any(Diagnostic::is_error), "{text}");
    for program in module.iter().flat_map(|module| &module.entries) {
        verify(program).unwrap_or_else(|errors| panic!("{}\n{text}", errors.join("\n")));
        assert!(!disasm::program(program).is_empty());
    }
}

/// Diagnostics can be rendered, and are not empty when rendered.
fn rendered(text: &str, diagnostics: &[Diagnostic]) {
    assert_eq!(render_all(diagnostics, "fuzz.ptx", text).is_empty(), diagnostics.is_empty());
}
