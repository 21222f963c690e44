//! The conversions of C's `printf`, applied to values of a host program or to a record of the
//! device. The device has found the arguments by the same grammar
//! (`machine/isa/src/library/print.template`): flags, a width, a precision, at most one `h`, `l`,
//! and the type. A `*` is a width, never a precision. Other texts are no conversions.

use super::word;
use isa::library::{MAX_ARGUMENTS, RECORD_WORDS};
use std::fmt::Write as _;

/// Largest width and precision of C.
const WIDEST: usize = i32::MAX as usize;

/// Digits after the point from which on all digits of a `double` are zeros.
const DIGITS: usize = 1100;

/// The types of conversions.
const TYPES: &[u8] = b"diouxXcspeEfFgGaA";

/// The values that a format converts.
pub trait Values {
    /// Takes the next value of 4 or 8 bytes; `None` if there is none.
    fn take(&mut self, bytes: usize) -> Option<u64>;

    /// Takes the next string, of which at most `most` bytes are printed.
    fn string(&mut self, most: Option<usize>) -> Option<Vec<u8>>;

    /// Bytes of an address and of a `long`.
    fn address_bytes(&self) -> usize;

    /// The position of the last character of a conversion in the text behind its `%`: its type, or
    /// a character that no conversion has.
    fn end(&self, text: &[u8]) -> Option<usize>;
}

/// Returns the text that `printf` prints; `None` if a width or precision makes it longer than
/// `most` bytes.
pub fn format(format: &[u8], values: &mut dyn Values, most: usize) -> Option<Vec<u8>> {
    let (mut out, mut rest) = (Vec::new(), format);
    while let Some(begin) = rest.iter().position(|byte| *byte == b'%') {
        out.extend_from_slice(&rest[..begin]);
        let Some(end) = values.end(&rest[begin + 1..]).map(|end| begin + 1 + end) else {
            rest = &rest[begin..];
            break;
        };
        let room = most.saturating_sub(out.len());
        convert(&rest[begin..=end], values, room, &mut out)?;
        rest = &rest[end + 1..];
    }
    out.extend_from_slice(rest);
    Some(out)
}

/// Returns the text of a record; `None` if it is longer than `most` bytes. `address_bytes` is the
/// size of an address.
pub(super) fn record(record: &[u8], address_bytes: u32, most: usize) -> Option<Vec<u8>> {
    let header = 4 * RECORD_WORDS as usize;
    let part = |from: usize, bytes: usize| {
        let from = from.min(record.len());
        &record[from..from.saturating_add(bytes).min(record.len())]
    };
    let format = part(header, word(record, 12) as usize);
    let arguments = header + format.len().next_multiple_of(4);
    let values = part(arguments, word(record, 16) as usize);
    let mut arguments = Arguments {
        values,
        at: 0,
        strings: part(arguments + values.len(), record.len()),
        count: 0,
        address_bytes: address_bytes as usize,
    };
    self::format(format, &mut arguments, most)
}

/// The arguments of a record that were not converted.
struct Arguments<'r> {
    values: &'r [u8],
    at: usize,
    strings: &'r [u8],
    count: usize,
    address_bytes: usize,
}

impl Values for Arguments<'_> {
    fn take(&mut self, bytes: usize) -> Option<u64> {
        if self.count == MAX_ARGUMENTS {
            return None;
        }
        self.count += 1;
        self.at = self.at.next_multiple_of(bytes) + bytes;
        let low = word(self.values, self.at - bytes);
        let high = if bytes == 8 { word(self.values, self.at - 4) } else { 0 };
        Some(u64::from(high) << 32 | u64::from(low))
    }

    fn string(&mut self, most: Option<usize>) -> Option<Vec<u8>> {
        self.take(self.address_bytes)?;
        let length = word(self.strings, 0);
        self.strings = self.strings.get(4..).unwrap_or_default();
        if length == u32::MAX {
            return Some(b"(null)".to_vec());
        }
        let (text, _) = self.strings.split_at((length as usize).min(self.strings.len()));
        self.strings = self.strings.get(text.len().next_multiple_of(4)..).unwrap_or_default();
        Some(text[..most.unwrap_or(text.len()).min(text.len())].to_vec())
    }

    fn address_bytes(&self) -> usize {
        self.address_bytes
    }

    fn end(&self, text: &[u8]) -> Option<usize> {
        let (mut has_point, mut has_short) = (false, false);
        text.iter().position(|byte| match byte {
            b'*' => has_point,
            b'.' => {
                has_point = true;
                false
            }
            b'h' => std::mem::replace(&mut has_short, true),
            b'-' | b'+' | b' ' | b'#' | b'0'..=b'9' | b'l' => false,
            _ => true,
        })
    }
}

/// Flags, width, precision and size of a conversion.
#[derive(Default)]
#[expect(clippy::struct_excessive_bools, reason = "the five flags of C are independent of each other")]
struct Spec {
    left: bool,
    plus: bool,
    space: bool,
    alternate: bool,
    zero: bool,
    width: usize,
    precision: Option<usize>,
    shorts: u32,
    longs: u32,
}

impl Spec {
    /// Reads the characters between `%` and the type. `None`: a `*` has no argument.
    fn read(text: &[u8], arguments: &mut dyn Values) -> Option<Self> {
        let mut spec = Self::default();
        let mut in_width = false;
        for byte in text {
            match byte {
                b'-' => spec.left = true,
                b'+' => spec.plus = true,
                b' ' => spec.space = true,
                b'#' => spec.alternate = true,
                b'0' if !in_width && spec.precision.is_none() => spec.zero = true,
                b'0'..=b'9' => {
                    let digit = usize::from(byte - b'0');
                    let longer = |number: usize| (10 * number + digit).min(WIDEST);
                    if let Some(precision) = &mut spec.precision {
                        *precision = longer(*precision);
                    } else {
                        (spec.width, in_width) = (longer(spec.width), true);
                    }
                }
                b'.' => spec.precision = Some(0),
                b'*' => {
                    let number = arguments.take(4)? as u32 as i32;
                    let size = (number.unsigned_abs() as usize).min(WIDEST);
                    if spec.precision.is_some() {
                        spec.precision = (number >= 0).then_some(size);
                    } else {
                        (spec.width, in_width) = (size, true);
                        spec.left |= number < 0;
                    }
                }
                b'h' => spec.shorts += 1,
                b'l' => spec.longs += 1,
                b'z' | b'j' | b't' | b'q' => spec.longs += 2,
                _ => {}
            }
        }
        Some(spec)
    }

    /// Adds a text with a sign or prefix, padded to the width; with zeros after the prefix if
    /// `zeros` allows it.
    fn pad(&self, prefix: &str, text: &[u8], zeros: bool, out: &mut Vec<u8>) {
        let missing = self.width.saturating_sub(prefix.len() + text.len());
        let fill = |byte: u8, wanted: bool| std::iter::repeat_n(byte, if wanted { missing } else { 0 });
        let zeros = zeros && self.zero && !self.left;
        out.extend(fill(b' ', !zeros && !self.left));
        out.extend_from_slice(prefix.as_bytes());
        out.extend(fill(b'0', zeros));
        out.extend_from_slice(text);
        out.extend(fill(b' ', self.left));
    }

    fn sign(&self, negative: bool) -> &'static str {
        match (negative, self.plus, self.space) {
            (true, ..) => "-",
            (_, true, _) => "+",
            (_, _, true) => " ",
            _ => "",
        }
    }
}

/// Converts the next argument by `text`, from `%` to the type. A text without a known type, or
/// without an argument, is copied. `None` if it has more than `room` bytes.
fn convert(text: &[u8], arguments: &mut dyn Values, room: usize, out: &mut Vec<u8>) -> Option<()> {
    let (kind, inner) = (text[text.len() - 1], &text[1..text.len() - 1]);
    if kind == b'%' {
        // `%%`; with a flag or a width between them too.
        out.push(b'%');
        return Some(());
    }
    if !TYPES.contains(&kind) {
        out.extend_from_slice(text);
        return Some(());
    }
    let spec = Spec::read(inner, arguments);
    if let Some(spec) = &spec {
        // The precision of a string is no length: it only makes a text shorter.
        let digits = spec.precision.filter(|_| !matches!(kind, b's' | b'c' | b'p')).unwrap_or(0);
        if spec.width.max(digits) > room {
            return None;
        }
    }
    if spec.and_then(|spec| argument(kind, &spec, arguments, out)).is_none() {
        out.extend_from_slice(text);
    }
    Some(())
}

/// Converts the next argument; `None` without an argument or for an unknown type.
fn argument(kind: u8, spec: &Spec, arguments: &mut dyn Values, out: &mut Vec<u8>) -> Option<()> {
    match kind {
        b'd' | b'i' | b'o' | b'u' | b'x' | b'X' => {
            // A `long` has the size of an address.
            let wide = spec.longs >= if arguments.address_bytes() == 8 { 1 } else { 2 };
            let bits = arguments.take(if wide { 8 } else { 4 })?;
            let width = match (wide, spec.shorts) {
                (true, _) => 64,
                (false, 0) => 32,
                (false, 1) => 16,
                (false, _) => 8,
            };
            integer(kind, spec, bits << (64 - width) >> (64 - width), width, out);
        }
        b'c' => {
            let character = arguments.take(4)? as u8;
            spec.pad("", &[character], false, out);
        }
        b's' => {
            let string = arguments.string(spec.precision)?;
            let shown = spec.precision.map_or(string.len(), |most| most.min(string.len()));
            spec.pad("", &string[..shown], false, out);
        }
        b'p' => match arguments.take(arguments.address_bytes())? {
            0 => spec.pad("", b"(nil)", false, out),
            address => spec.pad("", format!("{address:#x}").as_bytes(), false, out),
        },
        b'e' | b'E' | b'f' | b'F' | b'g' | b'G' | b'a' | b'A' => {
            float(kind, spec, f64::from_bits(arguments.take(8)?), out);
        }
        _ => return None,
    }
    Some(())
}

/// Converts an integer of `width` bits, zero-extended.
fn integer(kind: u8, spec: &Spec, bits: u64, width: u32, out: &mut Vec<u8>) {
    let signed = matches!(kind, b'd' | b'i');
    let negative = signed && bits >> (width - 1) & 1 != 0;
    let magnitude = if negative { bits.wrapping_neg() << (64 - width) >> (64 - width) } else { bits };
    let mut digits = match kind {
        b'o' => format!("{magnitude:o}"),
        b'x' => format!("{magnitude:x}"),
        b'X' => format!("{magnitude:X}"),
        _ => magnitude.to_string(),
    };
    if spec.precision == Some(0) && magnitude == 0 {
        digits.clear();
    }
    let least = spec.precision.unwrap_or(1);
    if digits.len() < least {
        digits.insert_str(0, &"0".repeat(least - digits.len()));
    }
    if kind == b'o' && spec.alternate && !digits.starts_with('0') {
        digits.insert(0, '0');
    }
    let prefix = match kind {
        b'x' if spec.alternate && magnitude != 0 => "0x",
        b'X' if spec.alternate && magnitude != 0 => "0X",
        b'd' | b'i' => spec.sign(negative),
        _ => "",
    };
    spec.pad(prefix, digits.as_bytes(), spec.precision.is_none(), out);
}

/// Converts a floating-point number.
fn float(kind: u8, spec: &Spec, value: f64, out: &mut Vec<u8>) {
    let sign = spec.sign(value.is_sign_negative());
    let upper = kind.is_ascii_uppercase();
    let cased = |text: String| if upper { text.to_ascii_uppercase() } else { text };
    if !value.is_finite() {
        let text = cased(if value.is_nan() { "nan".to_owned() } else { "inf".to_owned() });
        return spec.pad(sign, text.as_bytes(), false, out);
    }
    let value = value.abs();
    let precision = spec.precision.unwrap_or(6);
    let kind = kind.to_ascii_lowercase();
    let text = match kind {
        b'a' => hexadecimal(value, spec),
        b'e' => exponential(value, precision, spec.alternate),
        b'f' => fixed(value, precision, spec.alternate),
        _ => shortest(value, precision.max(1), spec.alternate),
    };
    let prefix = match (kind, upper) {
        (b'a', false) => format!("{sign}0x"),
        (b'a', true) => format!("{sign}0X"),
        _ => sign.to_owned(),
    };
    spec.pad(&prefix, cased(text).as_bytes(), true, out);
}

/// `%f`: digits after the point as the precision says; `point` keeps a point without digits.
fn fixed(value: f64, precision: usize, point: bool) -> String {
    let shown = precision.min(DIGITS);
    let mut text = format!("{value:.shown$}");
    text.extend(std::iter::repeat_n('0', precision - shown));
    if point && precision == 0 {
        text.push('.');
    }
    text
}

/// `%e`: one digit before the point, an exponent of at least two digits.
fn exponential(value: f64, precision: usize, point: bool) -> String {
    let shown = precision.min(DIGITS);
    let text = format!("{value:.shown$e}");
    let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let point = if point && precision == 0 { "." } else { "" };
    let zeros = "0".repeat(precision - shown);
    format!("{digits}{point}{zeros}e{}{:02}", if exponent < 0 { '-' } else { '+' }, exponent.abs())
}

/// `%g`: the form of `%e` for exponents below -4 or from the precision on, without zeros at the
/// end; `zeros` keeps them.
fn shortest(value: f64, precision: usize, zeros: bool) -> String {
    let scientific = exponential(value, precision - 1, zeros);
    let (digits, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let power: i32 = exponent.parse().unwrap_or(0);
    let trimmed = |text: &str| {
        if !text.contains('.') || zeros {
            return text.to_owned();
        }
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    };
    if power < -4 || power >= precision as i32 {
        return format!("{}e{exponent}", trimmed(digits));
    }
    trimmed(&fixed(value, (precision as i64 - 1 - i64::from(power)) as usize, zeros))
}

/// `%a` without its prefix: the digits of the significand, 52 bits after the point, rounded to
/// nearest even at the precision.
fn hexadecimal(value: f64, spec: &Spec) -> String {
    const FRACTION: u32 = 52;
    let bits = value.to_bits();
    let (biased, fraction) = ((bits >> FRACTION) as i32, bits & ((1 << FRACTION) - 1));
    let mut significand = fraction | u64::from(biased != 0) << FRACTION;
    let exponent = match (biased, fraction) {
        (0, 0) => 0,
        (0, _) => -1022,
        _ => biased - 1023,
    };
    if let Some(cut) = spec.precision.and_then(|precision| 13_usize.checked_sub(precision)) {
        let shift = 4 * cut as u32;
        let (half, rest) = ((1_u64 << shift) >> 1, significand & ((1_u64 << shift) - 1));
        significand -= rest;
        if rest > half || rest == half && half != 0 && significand >> shift & 1 != 0 {
            significand += 1 << shift;
        }
    }
    let digits = format!("{:013x}", significand & ((1 << FRACTION) - 1));
    let shown = match spec.precision {
        None => digits.trim_end_matches('0').to_owned(),
        Some(precision) => digits.chars().chain(std::iter::repeat('0')).take(precision).collect(),
    };
    let point = if shown.is_empty() && !spec.alternate { "" } else { "." };
    let mut text = format!("{}{point}{shown}", significand >> FRACTION);
    let sign = if exponent < 0 { '-' } else { '+' };
    let _ = write!(text, "p{sign}{}", exponent.abs());
    text
}

#[cfg(test)]
mod tests;
