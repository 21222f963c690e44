//! `printf` and `sscanf` of host code against the C library of the host: random formats.
//!
//! `WARPSIM_HOST_FORMATS=1000000 cargo test --release --workspace --test formats` compares more of
//! them than CI; `WARPSIM_HOST_SEED=7` starts at another seed.

#[path = "../common/mod.rs"]
#[expect(dead_code, reason = "each test uses a part")]
mod common;
#[path = "../common/native.rs"]
#[expect(dead_code, reason = "each test uses a part")]
mod native;
mod print;
mod scan;

use native::compiled;
use std::fmt::Write as _;
use test_support::random::{Numbers, setting};

/// Most statements of a function.
const FUNCTION: usize = 100;

/// Most statements of a program.
const PROGRAM: u64 = 4000;

const HEAD: &str = r#"#include <stdio.h>
#include <string.h>
static double number(unsigned long long bits) {
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}
static void show(const char *bytes) {
    printf("|");
    for (int at = 0; at < 80; at++)
        if (bytes[at]) printf("%d:%x ", at, bytes[at]);
}
"#;

/// A program of statements, each of which prints a line.
fn program(statements: &[String]) -> String {
    let mut text = HEAD.to_owned();
    for (number, part) in statements.chunks(FUNCTION).enumerate() {
        let _ = writeln!(text, "static void part{number}(void) {{");
        for statement in part {
            text.extend(["    ", statement, "\n"]);
        }
        text.push_str("}\n");
    }
    text.push_str("int main(void) {\n");
    for number in 0..statements.len().div_ceil(FUNCTION) {
        let _ = writeln!(text, "    part{number}();");
    }
    text + "    return 0;\n}\n"
}

/// Compares what the statements of a generator print.
fn compare(test: &str, statement: fn(&mut Numbers) -> String) {
    let (count, first) = (setting("WARPSIM_HOST_FORMATS", 500), setting("WARPSIM_HOST_SEED", 0));
    let (mut seen, mut failures) = (0, 0);
    for start in (first..first + count).step_by(PROGRAM as usize) {
        let seeds = start..(start + PROGRAM).min(first + count);
        let statements: Vec<String> = seeds.map(|seed| statement(&mut Numbers::new(seed))).collect();
        let text = program(&statements);
        let run = common::run("formats.cu", &text, "fermi", &[]);
        assert_eq!((run.code, run.message.as_str()), (0, ""), "the program ends");
        assert_eq!(run.out.lines().count(), statements.len(), "each statement prints a line");
        let Some(expected) = compiled(&text, "-O0", test) else { return };
        assert_eq!(expected.lines().count(), statements.len(), "each statement prints a line");
        for (statement, (found, expected)) in statements.iter().zip(run.out.lines().zip(expected.lines())) {
            seen += 1;
            if found != expected {
                failures += 1;
                if failures <= 20 {
                    println!("{statement}\n  prints  {found}\n  not     {expected}");
                }
            }
        }
    }
    println!("{test}: {seen} formats are compared");
    assert_eq!(failures, 0, "formats of {test} that differ from those of the C library");
}

#[test]
fn printf_prints_what_the_c_library_prints() {
    compare("printf against the C library", print::statement);
}

#[test]
fn sscanf_reads_what_the_c_library_reads() {
    compare("sscanf against the C library", scan::statement);
}
