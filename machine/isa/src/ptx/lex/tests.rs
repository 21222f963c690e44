//! Tests of tokens, their places, and invalid text.

use super::*;

fn kinds(text: &str) -> Vec<(TokenKind, &str)> {
    let (tokens, diagnostics) = lex_from(text, 0);
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    tokens.iter().map(|t| (t.kind, &text[t.span.range()])).collect()
}

#[test]
fn words_and_dots() {
    use TokenKind::{
        At, Bang, Comma, Dot, End, Ident, LBracket, Minus, Plus, RBracket, Semicolon, Underscore,
    };
    let expected = vec![
        (At, "@"),
        (Bang, "!"),
        (Ident, "%p1"),
        (Ident, "ld"),
        (Dot, ".global"),
        (Dot, ".v4"),
        (Ident, "_ZZ3dotE1c"),
        (Comma, ","),
        (LBracket, "["),
        (Ident, "%r1"),
        (Plus, "+"),
        (Minus, "-"),
        (TokenKind::Int, "4"),
        (RBracket, "]"),
        (Comma, ","),
        (Ident, "%tid"),
        (Dot, ".x"),
        (Comma, ","),
        (Underscore, "_"),
        (Semicolon, ";"),
        (Ident, "$L__BB0_2"),
        (End, ""),
    ];
    let text = "@!%p1 ld.global.v4 _ZZ3dotE1c,[%r1+-4], %tid.x, _; // x\n/* ** y */ $L__BB0_2";
    assert_eq!(kinds(text), expected);
}

#[test]
fn numbers() {
    use TokenKind::{Decimal, End, F32, F64, Int};
    let text = "0 017 42U 0xFfU 0b101 0f3F800000 0D3FF0000000000000 1.5 2.3e-4 1e5 2.";
    let found: Vec<TokenKind> = kinds(text).iter().map(|(k, _)| *k).collect();
    assert_eq!(found, [Int, Int, Int, Int, Int, F32, F64, Decimal, Decimal, Decimal, Decimal, End]);
}

#[test]
fn the_first_token_of_each_line_is_marked() {
    let (tokens, _) = lex_from("a b\n  c // d\n/* e */ f g", 0);
    let first: Vec<bool> = tokens.iter().map(|t| t.first_on_line).collect();
    assert_eq!(first, [true, false, true, true, false, true]);
}

#[test]
fn very_many_comments_do_not_overflow_the_stack() {
    for comment in ["/**/", "//\n", "#\n ", " /* */ // \n"] {
        let (tokens, faults) = lex_from(&comment.repeat(1_000_000), 0);
        assert_eq!((tokens.len(), faults.len()), (1, 0), "{comment}");
    }
}

#[test]
fn the_longest_number_is_taken() {
    use TokenKind::{Decimal, Dot, End, Error, Ident, Int, Plus};
    let found = |text: &str| -> Vec<TokenKind> { lex_from(text, 0).0.iter().map(|t| t.kind).collect() };
    assert_eq!(found("1.5e3x 2e-3x"), [Decimal, Ident, Decimal, Ident, End]);
    assert_eq!(found("1.2.3 1..2 0x1.5"), [Decimal, Dot, Decimal, Dot, Int, Dot, End]);
    assert_eq!(
        found("2e5x 2e 0x 0b12 42UU 0f3F8000001 0f3F80000 09a"),
        [[Error; 8].as_slice(), &[End]].concat()
    );
    assert_eq!(found("2e+ 1.e+5"), [Error, Plus, Decimal, End]);
}

#[test]
fn a_sequence_of_invalid_characters_is_one_error() {
    let (tokens, diagnostics) = lex_from("add \\\\ü\\ b", 0);
    assert_eq!(diagnostics.len(), 1);
    assert_eq!(diagnostics[0].labels[0].0, Span::new(4, 9));
    assert_eq!(tokens.iter().filter(|t| t.kind == TokenKind::Error).count(), 4);
    assert_eq!(tokens[tokens.len() - 2].kind, TokenKind::Ident);
}
