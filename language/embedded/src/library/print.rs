//! `printf` and its like.

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
    formatted_words(call, at, &call.words[at + 1..])
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

/// Whether a conversion goes on behind a character: a flag, a digit, or the size of a value. C
/// libraries print a conversion without a known letter as it is: `12 % : text`.
fn goes_on(byte: u8) -> bool {
    matches!(byte, b'-' | b'+' | b' ' | b'#' | b'0'..=b'9' | b'.' | b'*' | b'\'' | b'$')
        || matches!(byte, b'h' | b'l' | b'z' | b'j' | b't' | b'q' | b'L')
}

/// Whether a format has the conversion `%n`, which would write.
fn writes(format: &[u8]) -> bool {
    let mut rest = format;
    while let Some(begin) = rest.iter().position(|byte| *byte == b'%') {
        rest = &rest[begin + 1..];
        let is_last = |byte: &u8| !goes_on(*byte);
        let Some(end) = rest.iter().position(is_last) else { break };
        if rest[end] == b'n' {
            return true;
        }
        rest = &rest[end + 1..];
    }
    false
}

/// Most bytes of the text of one call.
const LONGEST: u64 = 64 << 20;

fn formatted_words(call: &Call<'_>, at: usize, words: &[u64]) -> Result<Vec<u8>, Stop> {
    let text = call.text(at)?.to_vec();
    if writes(&text) {
        return Err(Stop::Mistake("`%n` in a format of `printf` is not supported".to_owned()));
    }
    let mut values = Arguments { memory: call.memory, words, stop: None, missing: false };
    let most = call.memory.room().min(LONGEST);
    let out = format(&text, &mut values, most as usize);
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
    call.memory.touch(out.len() as u64);
    Ok(out)
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
