//! Rendered errors of lexer and parser; every code appears at least once.

mod module;
mod statements;
mod tokens;

use super::*;
use crate::diag::{MAX_ERRORS, render_all};

fn assert_diagnostics(text: &str, expected: &str) {
    let found = render_all(&parse(text).1, "k.ptx", text);
    assert_eq!(found, expected.trim(), "\n{found}\n");
}

#[test]
fn a_text_that_is_too_long() {
    let (_, found) = parse_with_limit(".version 1.4", 0, 4);
    assert_eq!(
        render_all(&found, "k.ptx", ".version 1.4"),
        r"
error[E0104]: the file has 12 bytes; this simulator accepts at most 4
 --> k.ptx:1:1
  |
1 | .version 1.4
  | ^ the file is too large"
            .trim()
    );
}

#[test]
fn a_flood_of_errors() {
    for line in ["\\\n", "frob;\n", "1 2 3;\n", "}\n", ".entry {} \n"] {
        let (_, found) = parse(&line.repeat(5000));
        assert_eq!(found.len(), MAX_ERRORS + 1, "{line}");
        assert_eq!(found[MAX_ERRORS].code, "E0104", "{line}");
    }
}

#[test]
fn blocks_and_expressions_nested_too_deeply() {
    let text =
        format!(".version 1.4\n.target sm_10\n.entry k {{{}{}}}\n", "{".repeat(100_000), "}".repeat(100_000));
    let (_, found) = parse(&text);
    assert_eq!(found.iter().map(|d| d.code).collect::<Vec<_>>(), ["E0113"]);
    assert_eq!(found[0].message, "blocks are nested too deeply");
    for open in ["(", "-", "~", "!", "1+(", "2*-(", "1?", "1?2:", "(.u64)"] {
        let text = format!(".version 1.4\n.target sm_10\n.global .u32 a = {}1;\n", open.repeat(100_000));
        let (_, found) = parse(&text);
        assert_eq!(found.iter().map(|d| d.code).collect::<Vec<_>>(), ["E0113"], "{open}");
    }
}

/// Tests: `every-code-has-a-case`.
#[test]
fn every_code_has_a_test() {
    let files = [
        include_str!("module.rs"),
        include_str!("statements.rs"),
        include_str!("tokens.rs"),
        include_str!("mod.rs"),
    ];
    let tests = files.concat();
    for (code, meaning) in CODES {
        let rendered = format!("error[{code}]");
        let named = format!("[\"{code}\"]");
        assert!(tests.contains(&rendered) || tests.contains(&named), "{code} ({meaning}) is not tested");
    }
}
