//! Random C++ programs print what they print with g++, as functions of the host and in a kernel of
//! one thread.
//!
//! `WARPSIM_RANDOM_PROGRAMS=100000 cargo test -p embedded --test random_programs -- --ignored`
//! compares more functions than the usual run; `WARPSIM_RANDOM_SEED=7` starts at another seed, and
//! `WARPSIM_RANDOM_KIND=3` selects one kind. g++ checks the programs for undefined behavior then.
//!
//! The usual run has the kinds that agree. In each of the others some construct is refused.

mod arithmetic;
#[path = "../common/mod.rs"]
#[expect(dead_code, reason = "each test uses a part")]
mod common;
mod holes;

use std::fmt::Write as _;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::Command;
use test_support::random::{Numbers, setting};
use test_support::tools::say;

/// Kinds of functions for both sides, and for the host.
const BOTH: &str = include_str!("both.txt");
const HOST: &str = include_str!("host.txt");
/// The start of each program.
const HEAD: &str = include_str!("head.txt");

/// A function of a program, and whether the device executes it, too.
struct Part {
    at: u64,
    text: String,
    is_both: bool,
}

/// A number behind the last kind: arithmetic.
const ARITHMETIC: usize = usize::MAX;

/// The kinds whose functions agree; half of the functions are arithmetic.
const AGREED: [usize; 20] = [0, 1, 2, 4, 5, 6, 7, 8, 9, 11, 12, 13, 14, 15, 16, 17, 19, 21, 22, 23];

/// The function of a seed.
fn part(at: u64, kind: Option<usize>, agreed: bool) -> Part {
    let numbers = &mut Numbers::new(at);
    let both: Vec<&str> = BOTH.split("---\n").collect();
    let host: Vec<&str> = HOST.split("---\n").collect();
    let count = both.len() + host.len();
    // As many functions of arithmetic as of all other kinds: they have the most combinations.
    let any = match numbers.below(2) {
        0 if agreed => numbers.one_of(&AGREED),
        0 => numbers.below(count),
        _ => ARITHMETIC,
    };
    let kind = kind.unwrap_or(any);
    let (text, is_both) = match both.get(kind) {
        Some(text) => (holes::filled(text, numbers, at), true),
        None if kind < count => (holes::filled(host[kind - both.len()], numbers, at), false),
        None => (arithmetic::function(numbers, at as usize), true),
    };
    Part { at, text, is_both }
}

/// The program of some functions, and the first line of each.
fn program(parts: &[Part]) -> (String, Vec<usize>) {
    let (mut text, mut lines) = (HEAD.to_owned(), Vec::new());
    let mut calls = String::new();
    for Part { at, text: one, is_both } in parts {
        lines.push(text.lines().count() + 1);
        text += one;
        if *is_both {
            let _ =
                writeln!(text, "#ifdef __CUDACC__\n__global__ void k{at}(Log *o) {{ f{at}(*o); }}\n#endif");
        }
        let _ = writeln!(calls, "    host(f{at}, {at});");
        if *is_both {
            let _ = writeln!(calls, "    DEVICE({at});");
        }
    }
    let _ = writeln!(text, "int main() {{\n{calls}}}");
    (text, lines)
}

/// What g++ prints, or why there is nothing; `None` without g++.
fn native(text: &str, is_checked: bool) -> Option<Result<String, String>> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (source, binary) = (folder.path().join("random.cpp"), folder.path().join("random"));
    std::fs::write(&source, text).expect("the source is written");
    let mut command = Command::new("g++");
    command.args(["-std=c++17", "-O0", "-w", "-ffp-contract=off", "-o"]).arg(&binary).arg(&source);
    if is_checked {
        command.args(["-fsanitize=undefined", "-fno-sanitize=alignment,vptr", "-fno-sanitize-recover=all"]);
    }
    let made = command.output().ok()?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    if !made.status.success() {
        return Some(Err(text(&made.stderr)));
    }
    let ran = Command::new(&binary).output().expect("the program starts");
    let is_right = ran.status.success() && ran.stderr.is_empty();
    Some(if is_right { Ok(text(&ran.stdout)) } else { Err(text(&ran.stderr)) })
}

/// Compares programs of `count` functions from `first` on, and prints the functions that differ.
fn compare(count: u64, first: u64, is_checked: bool) {
    let kind = setting("WARPSIM_RANDOM_KIND", u64::MAX);
    let kind = (kind != u64::MAX).then_some(kind as usize);
    let together = setting("WARPSIM_RANDOM_TOGETHER", 50);
    let (mut failures, mut start) = (0, first);
    while start < first + count {
        let end = (start + together).min(first + count);
        let mut parts: Vec<Part> = (start..end).map(|at| part(at, kind, !is_checked)).collect();
        start = end;
        // A function that is refused is removed, for the others to be compared.
        let found = loop {
            let (text, lines) = program(&parts);
            let run = catch_unwind(AssertUnwindSafe(|| common::run("random.cu", &text, "fermi", &[])));
            match run {
                Ok(run) if run.code == 0 && run.message.is_empty() => break run.out + &run.err,
                Ok(run) => {
                    println!("seeds from {}: {} {}{}", parts[0].at, run.code, run.message, run.err);
                    failures += 1;
                    break run.out;
                }
                Err(problem) => {
                    let message = problem.downcast_ref::<String>().map_or("a panic", String::as_str);
                    let error = message.find("error").map_or(message, |at| &message[at..]);
                    let line = error.split("random.cu:").nth(1).and_then(|rest| {
                        rest.split(|c: char| !c.is_ascii_digit()).next()?.parse::<usize>().ok()
                    });
                    failures += 1;
                    let refused = line.map(|line| lines.partition_point(|one| *one <= line));
                    let Some(at) = refused.and_then(|at| at.checked_sub(1)).filter(|_| parts.len() > 1)
                    else {
                        println!("seeds from {}: {message}", parts[0].at);
                        parts.clear();
                        break String::new();
                    };
                    let removed = parts.remove(at);
                    println!("seed {}: {error}", removed.at);
                }
            }
        };
        let Some(expected) = native(&program(&parts).0, is_checked) else {
            return say("!!!! SKIPPED: random programs: needs a compiler (g++)\n");
        };
        let differs = |expected: &String| expected.lines().ne(found.lines());
        let again = expected.as_ref().is_ok_and(|expected| is_checked && differs(expected));
        // With the checks, g++ 12 evaluates the right operand of some shifts first.
        let unchecked = if again { native(&program(&parts).0, false) } else { None };
        let expected = unchecked.unwrap_or(expected).unwrap_or_else(|message| {
            failures += 1;
            let shown: Vec<&str> = message.lines().take(12).collect();
            println!("g++, seeds from {}: {}", parts.first().map_or(0, |one| one.at), shown.join("\n"));
            String::new()
        });
        for (found, expected) in found.lines().zip(expected.lines()) {
            if found != expected {
                failures += 1;
                let mut words = found.split(' ').zip(expected.split(' ')).enumerate();
                let first = words.find(|(_, (found, expected))| found != expected);
                println!("{}: word, found and expected: {first:?}", &found[..found.find(':').unwrap_or(0)]);
            }
        }
        if found.lines().count() != expected.lines().count() {
            println!("seeds from {start}: the number of lines differs");
        }
    }
    assert_eq!(failures, 0, "the lines above name the seeds of functions that differ");
}

#[test]
fn random_programs_agree_with_the_cpp_compiler() {
    compare(50, 0, false);
}

#[test]
#[ignore = "long"]
fn many_random_programs_agree_with_the_cpp_compiler() {
    let first = setting("WARPSIM_RANDOM_SEED", 0);
    compare(setting("WARPSIM_RANDOM_PROGRAMS", 1_000), first, true);
}

/// Prints a program, for another compiler.
#[test]
#[ignore = "prints a program"]
fn a_random_program_can_be_read() {
    let at = setting("WARPSIM_RANDOM_SEED", 0);
    let kind = setting("WARPSIM_RANDOM_KIND", u64::MAX);
    println!("{}", program(&[part(at, (kind != u64::MAX).then_some(kind as usize), false)]).0);
}
