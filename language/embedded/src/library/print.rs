//! `printf` and its like.

use super::numbered::{goes_on, in_order};
use super::{Call, Table, errno};
use crate::memory::{Fault, Memory};
use crate::stop::Stop;
use sim_core::host::{Values, format};

pub(super) const TABLE: Table = &[
    ("printf", |call| {
        let text = formatted(call, 0)?;
        call.host.print(&text);
        Ok(text.len() as u64)
    }),
    ("fprintf", |call| {
        let text = formatted(call, 1)?;
        super::files::write(call, call.word(0), &text)
    }),
    ("sprintf", |call| {
        let mut text = formatted(call, 1)?;
        text.push(0);
        call.memory.write(call.word(0), &text)?;
        Ok(text.len() as u64 - 1)
    }),
    ("snprintf", |call| {
        let text = formatted(call, 2)?;
        write_part(call, &text)
    }),
    ("vprintf", |call| {
        let text = formatted_list(call, 0)?;
        call.host.print(&text);
        Ok(text.len() as u64)
    }),
    ("vfprintf", |call| {
        let text = formatted_list(call, 1)?;
        super::files::write(call, call.word(0), &text)
    }),
    ("vsprintf", |call| {
        let mut text = formatted_list(call, 1)?;
        text.push(0);
        call.memory.write(call.word(0), &text)?;
        Ok(text.len() as u64 - 1)
    }),
    ("vsnprintf", |call| {
        let text = formatted_list(call, 2)?;
        write_part(call, &text)
    }),
    ("puts", |call| {
        let mut text = call.text(0)?.to_vec();
        text.push(b'\n');
        call.host.print(&text);
        Ok(text.len() as u64)
    }),
    ("putchar", |call| {
        call.host.print(&[call.word(0) as u8]);
        Ok(call.word(0))
    }),
    ("fputs", |call| {
        let text = call.text(0)?.to_vec();
        super::files::write(call, call.word(1), &text)
    }),
    ("fputc", put),
    ("putc", put),
    ("perror", |call| {
        let mut text = if call.word(0) == 0 { Vec::new() } else { call.text(0)?.to_vec() };
        if !text.is_empty() {
            text.extend_from_slice(b": ");
        }
        let code = call.errno();
        text.extend_from_slice(errno::text(code).as_bytes());
        text.push(b'\n');
        call.host.print_error(&text);
        Ok(0)
    }),
    ("__ws_assert", |call| {
        let shown = |at: usize, call: &Call<'_>| -> Result<String, Stop> {
            Ok(String::from_utf8_lossy(call.text(at)?).into_owned())
        };
        let (text, file, function) = (shown(0, call)?, shown(1, call)?, shown(3, call)?);
        let (name, line) = (&call.host.name, call.int(2));
        let message = format!("{name}: {file}:{line}: {function}: Assertion `{text}' failed.\n");
        call.host.print_error(message.as_bytes());
        Err(Stop::Abort)
    }),
];

fn put(call: &mut Call<'_>) -> Result<u64, Stop> {
    super::files::write(call, call.word(1), &[call.word(0) as u8])?;
    Ok(call.word(0))
}

/// Writes what fits of the text of `snprintf`.
fn write_part(call: &mut Call<'_>, text: &[u8]) -> Result<u64, Stop> {
    let size = call.word(1) as usize;
    if let Some(most) = size.checked_sub(1) {
        let mut part = text[..text.len().min(most)].to_vec();
        part.push(0);
        call.memory.write(call.word(0), &part)?;
    }
    Ok(text.len() as u64)
}

/// The text of a format at an argument, and of the values behind it.
fn formatted(call: &mut Call<'_>, at: usize) -> Result<Vec<u8>, Stop> {
    let words = call.words[at + 1..].to_vec();
    formatted_words(call, at, &words)
}

/// The text of a format at an argument, and of the `va_list` behind it.
fn formatted_list(call: &mut Call<'_>, at: usize) -> Result<Vec<u8>, Stop> {
    let list = call.word(at + 1);
    let bytes = if list == 0 { &[][..] } else { call.memory.rest(list)? };
    let words: Vec<u64> = bytes
        .chunks_exact(8)
        .map(|chunk| chunk.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte)))
        .collect();
    formatted_words(call, at, &words)
}

/// Splits a format at its first conversion `%n`: the text in front, the bytes of the number that it
/// stores, and the text behind.
fn split_at_count(format: &[u8]) -> Option<(&[u8], usize, &[u8])> {
    let mut at = 0;
    while let Some(begin) = format[at..].iter().position(|byte| *byte == b'%') {
        let begin = at + begin;
        let length = format[begin + 1..].iter().position(|byte| !goes_on(*byte))?;
        let (spec, behind) = format[begin + 1..].split_at(length);
        if behind[0] == b'n' {
            let bytes = match spec {
                [] => 4,
                b"h" => 2,
                b"hh" => 1,
                _ => 8,
            };
            return Some((&format[..begin], bytes, &behind[1..]));
        }
        at = begin + 1 + length + 1;
    }
    None
}

/// Most bytes of the text of one call.
const LONGEST: u64 = 64 << 20;

fn formatted_words(call: &mut Call<'_>, at: usize, words: &[u64]) -> Result<Vec<u8>, Stop> {
    let mut text = call.text(at)?.to_vec();
    let mut words = std::borrow::Cow::Borrowed(words);
    if let Some((plain, values)) = in_order(&text, &words)? {
        (text, words) = (plain, values.into());
    }
    let mut values = Arguments { memory: call.memory, words: &words, stop: None, missing: false };
    let most = call.memory.room().min(LONGEST);
    let (mut out, mut counts, mut rest) = (Some(Vec::new()), Vec::new(), &text[..]);
    while let Some((front, bytes, behind)) = split_at_count(rest) {
        append(&mut out, front, &mut values, most);
        let count = out.as_ref().map_or(0, Vec::len) as u64;
        counts.extend(values.take(8).map(|address| (address, count.to_le_bytes(), bytes)));
        rest = behind;
    }
    append(&mut out, rest, &mut values, most);
    if let Some(stop) = values.stop {
        return Err(stop);
    }
    if values.missing {
        let shown = String::from_utf8_lossy(&text).into_owned();
        return Err(Stop::Mistake(format!(
            "the format {shown:?} has more conversions than there are values"
        )));
    }
    let out = out.ok_or(match most {
        LONGEST => Stop::Mistake(format!("a text of `printf` is longer than {} MiB", LONGEST >> 20)),
        _ => Stop::Fault(Fault::Exhausted(most + 1)),
    })?;
    for (address, count, bytes) in counts {
        call.memory.write(address, &count[..bytes])?;
    }
    call.memory.touch(out.len() as u64);
    Ok(out)
}

/// Appends the text of a part of a format; nothing remains of a text that is too long.
fn append(out: &mut Option<Vec<u8>>, part: &[u8], values: &mut Arguments<'_>, most: u64) {
    *out = out.take().and_then(|mut text| {
        let more = format(part, values, most as usize - text.len())?;
        text.extend(more);
        Some(text)
    });
}

/// The values of a call.
struct Arguments<'c> {
    memory: &'c Memory,
    words: &'c [u64],
    stop: Option<Stop>,
    missing: bool,
}

impl Values for Arguments<'_> {
    fn take(&mut self, bytes: usize) -> Option<u64> {
        let Some((first, rest)) = self.words.split_first() else {
            self.missing = true;
            return None;
        };
        self.words = rest;
        Some(if bytes == 4 { *first & 0xffff_ffff } else { *first })
    }

    fn string(&mut self, most: Option<usize>) -> Option<Vec<u8>> {
        let address = self.take(8)?;
        if address == 0 {
            return Some(b"(null)".to_vec());
        }
        // With a precision the text needs no end.
        if let Some(most) = most
            && let Ok(bytes) = self.memory.bytes(address, most as u64)
            && !bytes.contains(&0)
        {
            return Some(bytes.to_vec());
        }
        match self.memory.text(address) {
            Ok(text) => Some(text.to_vec()),
            Err(fault) => {
                self.stop = Some(Stop::Fault(fault));
                None
            }
        }
    }

    fn address_bytes(&self) -> usize {
        8
    }

    fn end(&self, text: &[u8]) -> Option<usize> {
        text.iter().position(|byte| !goes_on(*byte))
    }
}
