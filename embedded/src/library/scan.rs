//! Numbers in texts, and `scanf`.

use super::{Call, Table};
use crate::stop::Stop;

/// The integer at the start of a text, and its length with the spaces before it. Base 0 depends on
/// the digits.
pub(super) fn integer(text: &[u8], base: u32) -> Option<(i128, usize)> {
    let mut at = text.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
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

/// The floating-point number at the start of a text, and its length with the spaces before it.
pub(super) fn float(text: &[u8]) -> Option<(f64, usize)> {
    let start = text.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
    let mut at = start + usize::from(matches!(text.get(start), Some(b'-' | b'+')));
    let rest = text[at..].to_ascii_lowercase();
    for word in ["infinity", "inf", "nan"] {
        if rest.starts_with(word.as_bytes()) {
            let value = if word == "nan" { f64::NAN } else { f64::INFINITY };
            let value = if text.get(start) == Some(&b'-') { -value } else { value };
            return Some((value, at + word.len()));
        }
    }
    let digits = |at: &mut usize| {
        let count = text[*at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        *at += count;
        count
    };
    let mut count = digits(&mut at);
    if text.get(at) == Some(&b'.') {
        at += 1;
        count += digits(&mut at);
    }
    if count == 0 {
        return None;
    }
    if matches!(text.get(at), Some(b'e' | b'E')) {
        let mut end = at + 1 + usize::from(matches!(text.get(at + 1), Some(b'-' | b'+')));
        if digits(&mut end) > 0 {
            at = end;
        }
    }
    let number = std::str::from_utf8(&text[start..at]).ok()?;
    let number = number.strip_prefix('+').unwrap_or(number);
    Some((number.parse().ok()?, at))
}

/// A place that `scanf` stores to.
struct Target {
    address: u64,
    bytes: Vec<u8>,
}

/// Reads a text by a format. Returns the number of values, or -1 without input, and the bytes that
/// were read.
#[expect(clippy::too_many_lines, reason = "one step for each part of a conversion, in their order")]
pub(super) fn scan(
    call: &mut Call<'_>,
    text: &[u8],
    format: &[u8],
    first: usize,
) -> Result<(i32, usize), Stop> {
    let (mut at, mut next, mut count) = (0, first, 0);
    let mut targets: Vec<Target> = Vec::new();
    let mut rest = format;
    let mut ended = false;
    while let Some((byte, after)) = rest.split_first() {
        rest = after;
        let spaces = |at: usize| text[at..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        if byte.is_ascii_whitespace() {
            at += spaces(at);
            continue;
        }
        if *byte != b'%' {
            if text.get(at) != Some(byte) {
                ended |= at >= text.len();
                break;
            }
            at += 1;
            continue;
        }
        let skip = rest.first() == Some(&b'*');
        rest = &rest[usize::from(skip)..];
        let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let width = std::str::from_utf8(&rest[..digits]).ok().and_then(|text| text.parse::<usize>().ok());
        rest = &rest[digits..];
        let sizes =
            rest.iter().take_while(|byte| matches!(byte, b'h' | b'l' | b'z' | b'j' | b't' | b'L')).count();
        let size = &rest[..sizes];
        let Some((kind, after)) = rest[sizes..].split_first() else { break };
        rest = after;
        let mut set = Vec::new();
        let mut inverted = false;
        if *kind == b'[' {
            inverted = rest.first() == Some(&b'^');
            rest = &rest[usize::from(inverted)..];
            let end = rest.iter().skip(1).position(|byte| *byte == b']').map_or(rest.len(), |end| end + 1);
            let mut inner = &rest[..end];
            while let [low, b'-', high, tail @ ..] = inner {
                set.extend(*low..=*high);
                inner = tail;
            }
            set.extend_from_slice(inner);
            rest = rest.get(end + 1..).unwrap_or_default();
        }
        if *kind == b'%' {
            at += spaces(at);
            if text.get(at) != Some(&b'%') {
                break;
            }
            at += 1;
            continue;
        }
        if !matches!(kind, b'c' | b'[' | b'n') {
            at += spaces(at);
        }
        if at >= text.len() && *kind != b'n' {
            ended = true;
            break;
        }
        let window = &text[at..text.len().min(at.saturating_add(width.unwrap_or(usize::MAX)))];
        let (bytes, length) = match kind {
            b'd' | b'i' | b'u' | b'x' | b'X' | b'o' | b'p' => {
                let base = match kind {
                    b'i' => 0,
                    b'x' | b'X' | b'p' => 16,
                    b'o' => 8,
                    _ => 10,
                };
                let Some((value, length)) = integer(window, base) else { break };
                let all = (value as u64).to_le_bytes();
                let wide = match size {
                    b"hh" => 1,
                    b"h" => 2,
                    b"" if *kind != b'p' => 4,
                    _ => 8,
                };
                (all[..wide].to_vec(), length)
            }
            b'f' | b'e' | b'g' | b'a' | b'E' | b'G' => {
                let Some((value, length)) = float(window) else { break };
                if size == b"l" {
                    (value.to_le_bytes().to_vec(), length)
                } else {
                    ((value as f32).to_le_bytes().to_vec(), length)
                }
            }
            b's' => {
                let length = window.iter().take_while(|byte| !byte.is_ascii_whitespace()).count();
                let mut word = window[..length].to_vec();
                word.push(0);
                (word, length)
            }
            b'c' => {
                let length = width.unwrap_or(1).min(window.len());
                (window[..length].to_vec(), length)
            }
            b'[' => {
                let length = window.iter().take_while(|byte| set.contains(byte) != inverted).count();
                if length == 0 {
                    break;
                }
                let mut word = window[..length].to_vec();
                word.push(0);
                (word, length)
            }
            b'n' => ((at as u32).to_le_bytes().to_vec(), 0),
            _ => break,
        };
        at += length;
        if !skip {
            if next >= call.words.len() {
                return Err(Stop::Mistake("`scanf` has more conversions than there are values".to_owned()));
            }
            targets.push(Target { address: call.word(next), bytes });
            next += 1;
            count += i32::from(*kind != b'n');
        }
    }
    for Target { address, bytes } in targets {
        call.memory.write(address, &bytes)?;
    }
    Ok((if count == 0 && ended { -1 } else { count }, at))
}

pub(super) const TABLE: Table = &[("sscanf", |call| {
    let (text, format) = (call.text(0)?.to_vec(), call.text(1)?.to_vec());
    let (count, _) = scan(call, &text, &format, 2)?;
    Ok(i64::from(count) as u64)
})];
