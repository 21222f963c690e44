//! Random calls of `sscanf`.
//!
//! Numbers that their type does not have are undefined in C, but not in the library of GNU, which
//! reads them as `strtol` does: they are compared too. Texts are shorter than their arrays.

use super::print::integer;
use std::fmt::Write as _;
use test_support::random::Numbers;

/// Most characters of the text.
const LONGEST: usize = 70;

/// Characters of an integer.
fn whole(numbers: &mut Numbers) -> String {
    let value = integer(numbers) >> numbers.one_of(&[0, 32, 48]);
    let sign = numbers.one_of(&["", "", "", "-", "+"]);
    match numbers.below(8) {
        0 => format!("{sign}{value:#x}"),
        1 => format!("{sign}{value:X}"),
        2 => format!("{sign}0{value:o}"),
        3 => format!("{sign}0{}", value % 1000),
        4 => format!(
            "{sign}{}",
            numbers.one_of(&["", "0", "0x", "0X1", "0xg", "09", "08", "1f", "99999999999999999999"])
        ),
        _ => format!("{sign}{value}"),
    }
}

/// Characters of a floating-point number.
fn real(numbers: &mut Numbers) -> String {
    let sign = numbers.one_of(&["", "", "", "-", "+"]);
    let edges = [
        "inf",
        "INF",
        "infinity",
        "Infinity",
        "nan",
        "NaN",
        "in",
        "infi",
        "na",
        ".",
        ".5",
        "5.",
        "1e",
        "1e+",
        "1e-5",
        "1.5E3",
        "0x1p3",
        "0x1.8p-2",
        "0xA.8",
        "0x",
        "0x.",
        "0x.8p1",
        "1e400",
        "1e-400",
        "4.9e-324",
        "0x1p",
        "e5",
        "1.00000017881393421514957253748434595763683319091796875001",
        "16777217",
        "0x1.0000010000000001p0",
        "nan(1)",
        "0x1p-1080",
        "0x1p2000",
    ];
    match numbers.below(4) {
        0 => format!("{sign}{}", numbers.one_of(&edges)),
        1 => {
            format!("{sign}{}", f64::from_bits(super::print::float(numbers)).abs()).chars().take(40).collect()
        }
        2 => format!("{sign}{:e}", f64::from_bits(super::print::float(numbers)).abs()),
        _ => format!("{sign}{}.{}", numbers.below(1000), numbers.below(100_000)),
    }
}

fn word(numbers: &mut Numbers) -> String {
    (0..numbers.below(9)).map(|_| char::from(numbers.one_of(b"abcxyzABZ_019-]^.,"))).collect()
}

/// A set of characters, as `%[` has it.
fn set(numbers: &mut Numbers) -> String {
    let mut text = numbers.one_of(&["[a", "[.", "[^0", "[]", "[^]", "[a-f", "[-"]).to_owned();
    for _ in 0..=numbers.below(3) {
        text += numbers.one_of(&["a-z", "0-9", "A-Z", "_", ".", "abc", "x", ",", "1", "^"]);
    }
    text + numbers.one_of(&["]", "]", "-]"])
}

/// A part of a format with text for it, and the variable that it writes: type, value and how it is
/// printed.
struct Part {
    format: String,
    text: String,
    variable: Option<(&'static str, &'static str, &'static str)>,
}

fn part(numbers: &mut Numbers) -> Part {
    let skip = numbers.below(6) == 0;
    let kind = char::from(numbers.one_of(b"diuxXodifegascnn[[%"));
    let mut format = "%".to_owned();
    if kind == '%' {
        return Part { format: "%%".to_owned(), text: "%".to_owned(), variable: None };
    }
    if kind != 'n' {
        format += if skip { "*" } else { "" };
        if numbers.below(3) == 0 {
            let _ = write!(format, "{}", numbers.below(8) + 1);
        }
    }
    let sizes = [
        ("hh", "signed char", "%d"),
        ("h", "short", "%d"),
        ("", "int", "%d"),
        ("", "int", "%d"),
        ("l", "long", "%ld"),
        ("ll", "long long", "%lld"),
        ("z", "long", "%ld"),
    ];
    let (text, variable) = match kind {
        'd' | 'i' | 'u' | 'x' | 'X' | 'o' | 'n' => {
            let (size, of, shown) = numbers.one_of(&sizes);
            format += size;
            (if kind == 'n' { String::new() } else { whole(numbers) }, (of, "-7", shown))
        }
        'f' | 'e' | 'g' | 'a' => {
            let is_double = numbers.below(2) == 0;
            format += if is_double { "l" } else { "" };
            (real(numbers), (if is_double { "double" } else { "float" }, "-7", "%.17g"))
        }
        _ => (word(numbers), ("char", "zz", "")),
    };
    if kind == '[' {
        format += &set(numbers);
    } else {
        format.push(kind);
    }
    Part { format, text, variable: (!skip || kind == 'n').then_some(variable) }
}

/// A statement that prints a line: the value of `sscanf`, and what it has written.
pub fn statement(numbers: &mut Numbers) -> String {
    let (mut format, mut text) = (String::new(), String::new());
    let (mut declared, mut arguments, mut printed) = (String::new(), String::new(), String::new());
    for number in 0..=numbers.below(4) {
        let part = part(numbers);
        let (between, spaces) =
            numbers.one_of(&[("", " "), (" ", " "), (" ", "\\t \\n"), (",", ","), ("", ""), ("=", "")]);
        format += &part.format;
        format += between;
        text += &if numbers.below(10) == 0 { whole(numbers) } else { part.text };
        text += spaces;
        let Some((of, value, shown)) = part.variable else { continue };
        if of == "char" {
            let _ = write!(declared, "char v{number}[80] = \"{value}\"; ");
            let _ = write!(arguments, ", v{number}");
            let _ = write!(printed, "show(v{number}); ");
        } else {
            let _ = write!(declared, "{of} v{number} = {value}; ");
            let _ = write!(arguments, ", &v{number}");
            let _ = write!(printed, "printf(\"|{shown}\", v{number}); ");
        }
    }
    if numbers.below(8) == 0 {
        text.truncate(numbers.below(text.len() + 1));
    }
    text.truncate(LONGEST);
    let text = text.trim_end_matches('\\');
    format!(
        "{{ {declared}int count = sscanf(\"{text}\", \"{format}\"{arguments}); printf(\"%d\", count); {printed}\
         printf(\"\\n\"); }}"
    )
}
