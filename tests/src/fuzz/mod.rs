//! What must hold whatever the bytes are: the properties that the fuzzer's targets look for
//! counterexamples of.
//!
//! `fuzz/` has a target for each, which hands on what libFuzzer makes up; `tests/tests/fuzz.rs`
//! holds them on every build, over the PTX of the tree damaged at random, bytes at random, and what
//! fuzzing has found. Each panics where its property does not hold. docs/FUZZING.md says how to run
//! them.

pub mod code;

use isa::diag::{Diagnostic, render_all};
use isa::ptx::lex::{TokenKind, lex};
use isa::ptx::parse::parse;
use isa::uop::{disasm, verify::verify};

/// The text that bytes are: what is no text ends it.
fn text(bytes: &[u8]) -> &str {
    match str::from_utf8(bytes) {
        Ok(text) => text,
        Err(e) => str::from_utf8(&bytes[..e.valid_up_to()]).unwrap_or_default(),
    }
}

/// Any text is tokens that stand in order, whole, and inside it, with one at the end; each thing
/// that is none is complained about in its place.
pub fn lexer(bytes: &[u8]) {
    let text = text(bytes);
    let (tokens, diagnostics) = lex(text);
    let mut end = 0;
    for token in &tokens {
        let range = token.span.range();
        assert!(end <= range.start && text.get(range.clone()).is_some(), "{token:?} behind {end}");
        assert_eq!(token.kind == TokenKind::End, range.is_empty(), "{token:?}");
        end = range.end;
    }
    assert_eq!(tokens.last().map(|token| token.kind), Some(TokenKind::End));
    assert_eq!(tokens.iter().any(|token| token.kind == TokenKind::Error), !diagnostics.is_empty());
    drawn(text, &diagnostics);
}

/// Any text is a tree and complaints that can be drawn.
pub fn parser(bytes: &[u8]) {
    let text = text(bytes);
    let (_, diagnostics) = parse(text);
    drawn(text, &diagnostics);
}

/// Any text is complained about or compiles, and what it compiles to is verified and can be shown.
pub fn lowering(bytes: &[u8]) {
    let text = text(bytes);
    let (module, diagnostics) = isa::compile("fuzz.ptx", text);
    drawn(text, &diagnostics);
    assert_eq!(module.is_none(), diagnostics.iter().any(Diagnostic::is_error), "{text}");
    for program in module.iter().flat_map(|module| &module.entries) {
        verify(program).unwrap_or_else(|errors| panic!("{}\n{text}", errors.join("\n")));
        assert!(!disasm::program(program).is_empty());
    }
}

/// Diagnostics can be drawn, and are there when drawn.
fn drawn(text: &str, diagnostics: &[Diagnostic]) {
    assert_eq!(render_all(diagnostics, "fuzz.ptx", text).is_empty(), diagnostics.is_empty());
}
