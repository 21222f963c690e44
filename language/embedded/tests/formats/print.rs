//! Random calls of `printf` without undefined behavior.
//!
//! A flag, a precision or a size is only beside conversions for which C defines it, and each
//! conversion has an argument of its type.

use std::fmt::Write as _;
use test_support::random::Numbers;

/// Floating-point numbers at the edges of their conversions, as bits.
const FLOATS: [u64; 16] = [
    0,
    1 << 63,
    0x7ff0_0000_0000_0000,
    0xfff0_0000_0000_0000,
    0x7ff8_0000_0000_0000,
    0xfff8_0000_0000_0000,
    1,
    0x000f_ffff_ffff_ffff,
    0x0010_0000_0000_0000,
    0x7fef_ffff_ffff_ffff,
    0x3fef_ffff_ffff_ffff,
    0x3fff_ffff_ffff_ffff,
    0x3ff8_0000_0000_0000,
    0x3ff0_8000_0000_0000,
    0x8000_0000_0000_0001,
    0x3ff0_0000_0000_0000,
];

/// A number of 64 bits of any size; edges are frequent.
pub fn integer(numbers: &mut Numbers) -> u64 {
    let edges = [0, 1, 7, 8, 9, 10, 127, 128, 255, 256, 32_767, 32_768, 65_535, 1 << 31, 1 << 63];
    match numbers.below(5) {
        0 => numbers.one_of(&edges),
        1 => numbers.one_of(&edges).wrapping_neg(),
        2 => (numbers.one_of(&edges)).wrapping_sub(1),
        _ => numbers.bits() >> numbers.below(64),
    }
}

/// The bits of a floating-point number.
pub fn float(numbers: &mut Numbers) -> u64 {
    let whole = (numbers.below(2_000_001) as f64) - 1_000_000.0;
    match numbers.below(7) {
        0 => numbers.one_of(&FLOATS),
        1 => numbers.bits(),
        // Ties of roundings.
        2 => (whole / (1_u64 << numbers.below(20)) as f64).to_bits(),
        // Powers of ten and their neighbors.
        3 => {
            let power = 10_f64.powi(numbers.below(40) as i32 - 20).to_bits();
            power.wrapping_add(numbers.below(3) as u64).wrapping_sub(1)
        }
        // Around the changes of the exponent of `%g`.
        4 => {
            let nines = (10_f64.powi(numbers.below(9) as i32) - 0.5) / 10_f64.powi(numbers.below(12) as i32);
            nines.to_bits()
        }
        5 => (whole / 10_f64.powi(numbers.below(8) as i32)).to_bits(),
        _ => (whole * 10_f64.powi(numbers.below(60) as i32 - 30)).to_bits(),
    }
}

/// Text for a literal.
fn text(numbers: &mut Numbers, most: usize) -> String {
    let letters = b"abcXYZ 0189.,;:+-*/_()[]{}<>=!#$&@^~|'";
    (0..numbers.below(most + 1)).map(|_| char::from(numbers.one_of(letters))).collect()
}

/// A width or a precision: digits or `*`.
fn size(numbers: &mut Numbers, arguments: &mut Vec<String>) -> String {
    let number = match numbers.below(12) {
        0 => numbers.below(400),
        1..=3 => numbers.below(40),
        _ => numbers.below(12),
    };
    if numbers.below(4) == 0 {
        arguments.push(format!("{}{number}", numbers.one_of(&["", "", "-"])));
        return "*".to_owned();
    }
    number.to_string()
}

/// Adds a conversion and its arguments.
fn conversion(numbers: &mut Numbers, format: &mut String, arguments: &mut Vec<String>) {
    let kind = char::from(numbers.one_of(b"diuxXocsfFeEgGaAdxfeg"));
    let flags = match kind {
        'c' | 's' => "-",
        'd' | 'i' => "-+ 0",
        'u' => "-0",
        'x' | 'X' | 'o' => "-#0",
        _ => "-+ #0",
    };
    format.push('%');
    let mut is_alternate = false;
    for flag in flags.chars() {
        if numbers.below(4) == 0 {
            format.push(flag);
            is_alternate |= flag == '#';
        }
    }
    if numbers.below(2) == 0 {
        // A zero would be a flag.
        *format += size(numbers, arguments).trim_start_matches('0');
    }
    if kind != 'c' && numbers.below(2) == 0 {
        format.push('.');
        if numbers.below(8) != 0 {
            *format += &size(numbers, arguments);
        }
    }
    match kind {
        'c' => arguments.push(format!("'{}'", char::from(numbers.one_of(b"aZ0 %#.")))),
        's' => {
            let most = numbers.one_of(&[0, 3, 10, 10, 300]);
            arguments.push(format!("\"{}\"", text(numbers, most)));
        }
        'd' | 'i' | 'u' | 'x' | 'X' | 'o' => {
            let (size, of) = numbers.one_of(&[
                ("", "int"),
                ("", "int"),
                ("hh", "int"),
                ("h", "int"),
                ("l", "long"),
                ("ll", "long long"),
                ("z", "long"),
                ("j", "long"),
                ("t", "long"),
            ]);
            *format += size;
            let sign = if matches!(kind, 'd' | 'i') { "" } else { "unsigned " };
            arguments.push(format!("({sign}{of}){:#x}ull", integer(numbers)));
        }
        _ => {
            *format += numbers.one_of(&["", "", "", "l"]);
            let mut bits = float(numbers);
            // With `#`, the library of GNU (2.36) prints `1.e+06` for 999999.99 instead of the
            // `1.00000e+06` of C. Other numbers begin with another digit.
            let shown = format!("{:e}", f64::from_bits(bits).abs());
            if matches!(kind, 'g' | 'G') && is_alternate && shown.starts_with('9') {
                bits ^= 1 << 53;
            }
            arguments.push(format!("number({bits:#x}ull)"));
        }
    }
    format.push(kind);
}

/// A statement that prints a line: the text of a format, and the value of `printf`.
pub fn statement(numbers: &mut Numbers) -> String {
    let (mut format, mut arguments) = (text(numbers, 4), Vec::new());
    for _ in 0..=numbers.below(3) {
        conversion(numbers, &mut format, &mut arguments);
        format += numbers.one_of(&["", "|", "%%", " and "]);
    }
    let mut call = format!("printf(\"{format}\"");
    for argument in arguments {
        let _ = write!(call, ", {argument}");
    }
    format!("printf(\"=%d\\n\", {call}));")
}
