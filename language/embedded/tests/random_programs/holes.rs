//! Texts with holes: `$[a$|b$]` is one of its parts; `$K[a$|b$]` is one and keeps it for `$K`; `$T`
//! is an integer type, `$n` a digit, `$N` a number below 1000, and `$@` the number of the function.

use test_support::random::Numbers;

const TYPES: [&str; 13] = [
    "bool", "char", "schar", "uchar", "short", "ushort", "int", "int", "unsigned", "long", "ulong", "llong",
    "ullong",
];

/// A text with its holes filled.
pub fn filled(text: &str, numbers: &mut Numbers, at: u64) -> String {
    let mut kept = Vec::new();
    let mut rest = text;
    part(&mut rest, numbers, at, &mut kept)
}

/// The text up to the end of a part of a choice.
fn part(rest: &mut &str, numbers: &mut Numbers, at: u64, kept: &mut Vec<(char, String)>) -> String {
    let mut out = String::new();
    while let Some((head, tail)) = rest.split_once('$') {
        out += head;
        let hole = tail.chars().next().expect("a hole has a name");
        if matches!(hole, '|' | ']') {
            *rest = &rest[head.len()..];
            return out;
        }
        *rest = &tail[1..];
        match hole {
            '@' => out += &at.to_string(),
            'n' => out += &numbers.below(10).to_string(),
            'N' => out += &numbers.below(1000).to_string(),
            'T' => out += numbers.one_of(&TYPES),
            '[' => out += &choice(rest, numbers, at, kept),
            name if rest.starts_with('[') => {
                *rest = &rest[1..];
                let made = choice(rest, numbers, at, kept);
                out += &made;
                kept.push((name, made));
            }
            name => {
                let found = kept.iter().rev().find(|(one, _)| *one == name);
                out += &found.unwrap_or_else(|| panic!("${name} has no value")).1;
            }
        }
    }
    out += std::mem::take(rest);
    out
}

/// One part of a choice, behind its `[`.
fn choice(rest: &mut &str, numbers: &mut Numbers, at: u64, kept: &mut Vec<(char, String)>) -> String {
    let mut parts = Vec::new();
    loop {
        parts.push(part(rest, numbers, at, kept));
        let is_end = rest.starts_with("$]");
        *rest = rest.get(2..).expect("a choice has an end");
        if is_end {
            return parts.swap_remove(numbers.below(parts.len()));
        }
    }
}
