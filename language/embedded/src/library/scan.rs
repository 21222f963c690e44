//! Numbers in texts, and `scanf`.

use super::{Call, Table};
use crate::stop::Stop;

/// The integer at the start of a text, and its length with the spaces before it. Base 0 depends on
/// the digits.
pub(super) fn integer(text: &[u8], base: u32) -> Option<(i128, usize)> {
    let mut at = spaces(text);
    let negative = text.get(at) == Some(&b'-');
    at += usize::from(matches!(text.get(at), Some(b'-' | b'+')));
    let is_hex = text.get(at) == Some(&b'0')
        && matches!(text.get(at + 1), Some(b'x' | b'X'))
        && text.get(at + 2).is_some_and(u8::is_ascii_hexdigit);
    let base = match base {
        0 if is_hex => 16,
        0 if text.get(at) == Some(&b'0') => 8,
        0 => 10,
        base => base.clamp(2, 36),
    };
    at += if base == 16 && is_hex { 2 } else { 0 };
    let digits = text[at..].iter().map_while(|byte| char::from(*byte).to_digit(base));
    let (mut value, mut count) = (0_i128, 0);
    for digit in digits {
        value = value.saturating_mul(i128::from(base)).saturating_add(i128::from(digit)).min(1 << 100);
        count += 1;
    }
    (count > 0).then_some((if negative { -value } else { value }, at + count))
}

/// An integer of 64 bits, as `strtol` and `strtoul` limit it.
pub(super) fn limited(value: i128, signed: bool) -> u64 {
    match i64::try_from(value) {
        Ok(value) => value as u64,
        Err(_) if signed => (if value < 0 { i64::MIN } else { i64::MAX }) as u64,
        Err(_) if value.unsigned_abs() > u128::from(u64::MAX) => u64::MAX,
        Err(_) => value as u64,
    }
}

fn spaces(text: &[u8]) -> usize {
    text.iter().take_while(|byte| byte.is_ascii_whitespace()).count()
}

fn begins(text: &[u8], word: &str) -> bool {
    text.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word.as_bytes()))
}

/// The floating-point number at the start of a text, rounded to a `double` or to a `float`, and its
/// length with the spaces before it.
pub(super) fn float(text: &[u8], single: bool) -> Option<(f64, usize)> {
    let start = spaces(text);
    let negative = text.get(start) == Some(&b'-');
    let at = start + usize::from(matches!(text.get(start), Some(b'-' | b'+')));
    let (value, length) = magnitude(&text[at..], single)?;
    Some((if negative { -value } else { value }, at + length))
}

/// A floating-point number without a sign.
fn magnitude(text: &[u8], single: bool) -> Option<(f64, usize)> {
    for word in ["infinity", "inf"] {
        if begins(text, word) {
            return Some((f64::INFINITY, word.len()));
        }
    }
    if begins(text, "nan") {
        let inner = text.iter().skip(4).take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_');
        let end = 4 + inner.count();
        let has_inner = text.get(3) == Some(&b'(') && text.get(end) == Some(&b')');
        return Some((f64::NAN, if has_inner { end + 1 } else { 3 }));
    }
    if begins(text, "0x")
        && let Some((value, length)) = hexadecimal(&text[2..], single)
    {
        return Some((value, 2 + length));
    }
    let digits = |at: usize| text[at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let whole = digits(0);
    let mut at = whole;
    if text.get(at) == Some(&b'.') {
        at += 1 + digits(at + 1);
    }
    if at <= 1 && whole == 0 {
        return None;
    }
    if begins(&text[at..], "e") {
        let from = at + 1 + usize::from(matches!(text.get(at + 1), Some(b'-' | b'+')));
        let count = digits(from.min(text.len()));
        at = if count > 0 { from + count } else { at };
    }
    let number = std::str::from_utf8(&text[..at]).ok()?;
    let value = if single { f64::from(number.parse::<f32>().ok()?) } else { number.parse().ok()? };
    Some((value, at))
}

/// A hexadecimal number behind its `0x`.
fn hexadecimal(text: &[u8], single: bool) -> Option<(f64, usize)> {
    let (mut significand, mut exponent, mut count, mut at) = (0_u64, 0_i64, 0, 0);
    let (mut has_point, mut rest) = (false, false);
    while let Some(byte) = text.get(at) {
        if *byte == b'.' && !has_point {
            has_point = true;
        } else if let Some(digit) = char::from(*byte).to_digit(16) {
            count += 1;
            if significand >> 59 == 0 {
                significand = significand << 4 | u64::from(digit);
                exponent -= if has_point { 4 } else { 0 };
            } else {
                rest |= digit != 0;
                exponent += if has_point { 0 } else { 4 };
            }
        } else {
            break;
        }
        at += 1;
    }
    if count == 0 {
        return None;
    }
    if begins(&text[at..], "p")
        && text.get(at + 1).is_some_and(|byte| !byte.is_ascii_whitespace())
        && let Some((power, length)) = integer(&text[at + 1..], 10)
    {
        exponent = exponent.saturating_add(power.clamp(-100_000, 100_000) as i64);
        at += 1 + length;
    }
    Some((rounded(significand << 1 | u64::from(rest), exponent - 1, single), at))
}

/// `significand * 2^exponent`, rounded to the nearest, ties to even.
fn rounded(significand: u64, exponent: i64, single: bool) -> f64 {
    let (bits, least) = if single { (24, -149) } else { (53, -1074) };
    let dropped = (64 - i64::from(significand.leading_zeros()) - bits).max(least - exponent).max(0);
    if dropped > 64 {
        return 0.0;
    }
    let kept = u128::from(significand) >> dropped;
    let (rest, half) = (u128::from(significand) - (kept << dropped), (1_u128 << dropped) >> 1);
    let up = rest > half || rest == half && half != 0 && kept & 1 != 0;
    let value = libm::ldexp((kept + u128::from(up)) as f64, (exponent + dropped) as i32);
    if single { f64::from(value as f32) } else { value }
}

/// How much of a text `scanf` takes for an integer, as far as this is more than `strtol` takes: it
/// takes a `0x` without digits behind it.
fn prefix(text: &[u8], base: u32) -> usize {
    let sign = usize::from(matches!(text.first(), Some(b'-' | b'+')));
    if matches!(base, 0 | 16) && begins(&text[sign..], "0x") { sign + 2 } else { 0 }
}

/// How much of a text `scanf` takes for a floating-point number. It looks one character ahead, so
/// that the exponent of `1e+` is taken, although the number is 1; `0x` is taken if the width has
/// room for a digit.
fn float_length(text: &[u8], width: usize) -> Option<usize> {
    let sign = usize::from(matches!(text.first(), Some(b'-' | b'+')));
    let rest = &text[sign..];
    if begins(rest, "n") {
        return begins(rest, "nan").then_some(sign + 3);
    }
    if begins(rest, "i") {
        let word = if begins(rest, "infi") { "infinity" } else { "inf" };
        return begins(rest, word).then_some(sign + word.len());
    }
    let is_hexadecimal = begins(rest, "0x") && width > sign + 2;
    let mark = if is_hexadecimal { b'p' } else { b'e' };
    let from = if is_hexadecimal { 2 } else { 0 };
    let (mut at, mut has_point, mut has_exponent, mut has_digit) = (from, false, false, false);
    while let Some(byte) = rest.get(at) {
        let before = at.checked_sub(1).map_or(0, |before| rest[before].to_ascii_lowercase());
        if byte.is_ascii_digit() || is_hexadecimal && !has_exponent && byte.is_ascii_hexdigit() {
            has_digit = true;
        } else if *byte == b'.' && !has_point && !has_exponent {
            has_point = true;
        } else if byte.eq_ignore_ascii_case(&mark) && has_digit && !has_exponent {
            has_exponent = true;
        } else if !(matches!(byte, b'-' | b'+') && has_exponent && before == mark) {
            break;
        }
        at += 1;
    }
    (at > from).then_some(sign + at)
}

/// Most characters that are the start of a number, but no number: `-infinit`.
const LONGEST_START: usize = 8;

/// A conversion of a format of `scanf`.
struct Conversion<'f> {
    skip: bool,
    /// Most characters.
    width: usize,
    size: &'f [u8],
    kind: u8,
    /// Characters between the brackets of `%[`.
    set: &'f [u8],
}

impl<'f> Conversion<'f> {
    /// The conversion behind a `%`, and the rest of the format.
    fn read(format: &'f [u8]) -> Option<(Self, &'f [u8])> {
        let skip = format.first() == Some(&b'*');
        let rest = &format[usize::from(skip)..];
        let (digits, rest) = rest.split_at(rest.iter().take_while(|byte| byte.is_ascii_digit()).count());
        let width =
            std::str::from_utf8(digits).ok().and_then(|text| text.parse().ok()).filter(|width| *width > 0);
        let is_size = |byte: &&u8| matches!(byte, b'h' | b'l' | b'z' | b'j' | b't' | b'L');
        let (size, rest) = rest.split_at(rest.iter().take_while(is_size).count());
        let (kind, mut rest) = rest.split_first()?;
        let mut set = &[][..];
        if *kind == b'[' {
            // A bracket at the start belongs to the set.
            let from = 1 + usize::from(rest.first() == Some(&b'^'));
            let end = from + rest.iter().skip(from).position(|byte| *byte == b']')?;
            (set, rest) = (&rest[..end], &rest[end + 1..]);
        }
        Some((Self { skip, width: width.unwrap_or(usize::MAX), size, kind: *kind, set }, rest))
    }

    /// Whether the set has a character.
    fn has(&self, byte: u8) -> bool {
        let inverted = self.set.first() == Some(&b'^');
        let mut rest = &self.set[usize::from(inverted)..];
        let mut found = false;
        while let Some((first, after)) = rest.split_first() {
            if let [b'-', last, after @ ..] = after {
                found |= (*first..=*last).contains(&byte);
                rest = after;
            } else {
                found |= *first == byte;
                rest = after;
            }
        }
        found != inverted
    }

    /// Converts the start of a text: the bytes of the variable, and the length that is read. `None`
    /// if the text does not fit.
    fn convert(&self, text: &[u8]) -> Option<(Vec<u8>, usize)> {
        match self.kind {
            b'd' | b'i' | b'u' | b'x' | b'X' | b'o' | b'p' => {
                let base = match self.kind {
                    b'i' => 0,
                    b'x' | b'X' | b'p' => 16,
                    b'o' => 8,
                    _ => 10,
                };
                let (value, length) = integer(text, base)?;
                let bytes = limited(value, matches!(self.kind, b'd' | b'i')).to_le_bytes();
                Some((bytes[..self.bytes()].to_vec(), length.max(prefix(text, base))))
            }
            b'f' | b'F' | b'e' | b'E' | b'g' | b'G' | b'a' | b'A' => {
                let length = float_length(text, self.width)?;
                let single = self.size != b"l";
                let (value, _) = float(&text[..length], single)?;
                let (short, long) = ((value as f32).to_le_bytes(), value.to_le_bytes());
                Some((if single { short.to_vec() } else { long.to_vec() }, length))
            }
            b's' | b'[' => {
                let is_part = |byte: &&u8| match self.kind {
                    b's' => !byte.is_ascii_whitespace(),
                    _ => self.has(**byte),
                };
                let mut word: Vec<u8> = text.iter().take_while(is_part).copied().collect();
                let length = word.len();
                word.push(0);
                (length > 0).then_some((word, length))
            }
            b'c' => {
                let length = if self.width == usize::MAX { 1 } else { text.len() };
                Some((text[..length].to_vec(), length))
            }
            b'%' => text.starts_with(b"%").then_some((Vec::new(), 1)),
            _ => None,
        }
    }

    /// Most characters that the conversion reads.
    fn most(&self) -> usize {
        if matches!(self.kind, b'c' | b'%') && self.width == usize::MAX { 1 } else { self.width }
    }

    /// Bytes of an integer variable.
    fn bytes(&self) -> usize {
        match self.size {
            b"hh" => 1,
            b"h" => 2,
            b"" if self.kind != b'p' => 4,
            _ => 8,
        }
    }
}

/// What `scanf` has read.
pub(super) struct Scanned {
    /// Number of values, or -1 without input.
    pub count: i32,
    /// Bytes that were read.
    pub read: usize,
    /// Whether more text could change the values.
    pub is_cut: bool,
    /// Whether it has looked for a character behind the end, as `feof` tells.
    pub is_at_end: bool,
}

/// Reads a text by a format.
pub(super) fn scan(call: &mut Call<'_>, text: &[u8], format: &[u8], first: usize) -> Result<Scanned, Stop> {
    let (mut at, mut next, mut count) = (0, first, 0);
    let mut rest = format;
    let (mut ended, mut is_cut, mut is_at_end) = (false, false, false);
    while let Some((byte, after)) = rest.split_first() {
        rest = after;
        if byte.is_ascii_whitespace() {
            at += spaces(&text[at..]);
            is_at_end |= at >= text.len();
            continue;
        }
        if *byte != b'%' {
            if text.get(at) != Some(byte) {
                ended = at >= text.len();
                is_at_end |= ended;
                break;
            }
            at += 1;
            continue;
        }
        let Some((conversion, after)) = Conversion::read(rest) else { break };
        rest = after;
        if !matches!(conversion.kind, b'c' | b'[' | b'n') {
            at += spaces(&text[at..]);
        }
        let bytes = if conversion.kind == b'n' {
            at.to_le_bytes()[..conversion.bytes()].to_vec()
        } else {
            if at >= text.len() {
                (ended, is_at_end) = (true, true);
                break;
            }
            let part = &text[at..at.saturating_add(conversion.width).min(text.len())];
            // A value ends before the first character that does not belong to it.
            let has_room = part.len() < conversion.most();
            let Some((bytes, length)) = conversion.convert(part) else {
                let is_start = part.len() <= LONGEST_START && !part.iter().any(u8::is_ascii_whitespace);
                is_cut |= has_room && is_start;
                break;
            };
            is_at_end |= has_room && length == part.len();
            at += length;
            bytes
        };
        if !conversion.skip && conversion.kind != b'%' {
            if next >= call.words.len() {
                return Err(Stop::Mistake("`scanf` has more conversions than there are values".to_owned()));
            }
            call.memory.write(call.word(next), &bytes)?;
            next += 1;
            count += i32::from(conversion.kind != b'n');
        }
    }
    let count = if count == 0 && ended { -1 } else { count };
    Ok(Scanned { count, read: at, is_cut: is_cut || is_at_end, is_at_end })
}

pub(super) const TABLE: Table = &[("sscanf", |call| {
    let (text, format) = (call.text(0)?.to_vec(), call.text(1)?.to_vec());
    Ok(i64::from(scan(call, &text, &format, 2)?.count) as u64)
})];
