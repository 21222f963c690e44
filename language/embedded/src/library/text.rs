//! Memory and texts: `string.h`, `malloc` and its like.

use super::{Call, Table, errno};
use crate::memory::{Fault, Kind, Refused};
use crate::stop::Stop;

pub(super) const TABLE: Table = &[
    ("malloc", |call| Ok(allocate(call, call.word(0), false))),
    ("calloc", |call| match call.word(0).checked_mul(call.word(1)) {
        Some(size) => Ok(allocate(call, size, true)),
        None => Ok(allocate(call, u64::MAX, true)),
    }),
    ("realloc", reallocate),
    // What `new` and containers use: without memory the program stops.
    ("__ws_malloc", |call| {
        let made = allocate(call, call.word(0), false);
        if made == 0 { Err(Stop::Fault(Fault::Exhausted(call.word(0)))) } else { Ok(made) }
    }),
    ("__ws_calloc", |call| {
        let size = call.word(0).saturating_mul(call.word(1));
        let made = allocate(call, size, true);
        if made == 0 { Err(Stop::Fault(Fault::Exhausted(size))) } else { Ok(made) }
    }),
    ("__ws_realloc", |call| {
        let made = reallocate(call)?;
        if made == 0 { Err(Stop::Fault(Fault::Exhausted(call.word(1)))) } else { Ok(made) }
    }),
    ("free", |call| {
        call.memory.free(call.word(0), &Kind::Heap, call.span)?;
        Ok(0)
    }),
    ("memcpy", copy),
    ("memmove", copy),
    ("memset", |call| {
        let value = call.word(1) as u8;
        call.memory.range(call.word(0), call.word(2))?.fill(value);
        Ok(call.word(0))
    }),
    ("memcmp", |call| {
        let (a, b) =
            (call.memory.bytes(call.word(0), call.word(2))?, call.memory.bytes(call.word(1), call.word(2))?);
        Ok(order(a, b))
    }),
    ("memchr", |call| {
        let bytes = call.memory.bytes(call.word(0), call.word(2))?;
        let at = bytes.iter().position(|byte| *byte == call.word(1) as u8);
        Ok(at.map_or(0, |at| call.word(0) + at as u64))
    }),
    ("strlen", |call| Ok(call.text(0)?.len() as u64)),
    ("strcpy", |call| {
        let text = call.text(1)?.to_vec();
        put(call, call.word(0), text)
    }),
    ("strncpy", |call| {
        let size = call.word(2) as usize;
        let mut text = call.memory.text_within(call.word(1), size)?.to_vec();
        // Checks the target before the text gets this length.
        call.memory.bytes(call.word(0), size as u64)?;
        text.resize(size, 0);
        call.memory.write(call.word(0), &text)?;
        Ok(call.word(0))
    }),
    ("strcat", |call| {
        let (front, text) = (call.text(0)?.len() as u64, call.text(1)?.to_vec());
        put(call, call.word(0) + front, text)?;
        Ok(call.word(0))
    }),
    ("strncat", |call| {
        let front = call.text(0)?.len() as u64;
        let text = call.memory.text_within(call.word(1), call.word(2) as usize)?.to_vec();
        put(call, call.word(0) + front, text)?;
        Ok(call.word(0))
    }),
    ("strcmp", |call| Ok(order(call.text(0)?, call.text(1)?))),
    ("strncmp", |call| {
        let size = call.word(2) as usize;
        Ok(order(call.memory.text_within(call.word(0), size)?, call.memory.text_within(call.word(1), size)?))
    }),
    ("strcasecmp", |call| {
        Ok(order(&call.text(0)?.to_ascii_lowercase(), &call.text(1)?.to_ascii_lowercase()))
    }),
    ("strncasecmp", |call| {
        let size = call.word(2) as usize;
        let (a, b) =
            (call.memory.text_within(call.word(0), size)?, call.memory.text_within(call.word(1), size)?);
        Ok(order(&a.to_ascii_lowercase(), &b.to_ascii_lowercase()))
    }),
    ("strchr", |call| {
        let (text, wanted) = (call.text(0)?, call.word(1) as u8);
        let at = if wanted == 0 { Some(text.len()) } else { text.iter().position(|byte| *byte == wanted) };
        Ok(at.map_or(0, |at| call.word(0) + at as u64))
    }),
    ("strrchr", |call| {
        let (text, wanted) = (call.text(0)?, call.word(1) as u8);
        let at = if wanted == 0 { Some(text.len()) } else { text.iter().rposition(|byte| *byte == wanted) };
        Ok(at.map_or(0, |at| call.word(0) + at as u64))
    }),
    ("strstr", |call| {
        let (text, part) = (call.text(0)?, call.text(1)?);
        let at = if part.is_empty() { Some(0) } else { find(text, part) };
        Ok(at.map_or(0, |at| call.word(0) + at as u64))
    }),
    ("strdup", |call| {
        let text = call.text(0)?.to_vec();
        let to = allocate(call, text.len() as u64 + 1, false);
        put(call, to, text)
    }),
    ("strndup", |call| {
        let text = call.memory.text_within(call.word(0), call.word(1) as usize)?.to_vec();
        let to = allocate(call, text.len() as u64 + 1, false);
        put(call, to, text)
    }),
    ("strnlen", |call| Ok(call.memory.text_within(call.word(0), call.word(1) as usize)?.len() as u64)),
    ("strcasestr", |call| {
        let (text, part) = (call.text(0)?.to_ascii_lowercase(), call.text(1)?.to_ascii_lowercase());
        let at = if part.is_empty() { Some(0) } else { find(&text, &part) };
        Ok(at.map_or(0, |at| call.word(0) + at as u64))
    }),
    ("memrchr", |call| {
        let bytes = call.memory.bytes(call.word(0), call.word(2))?;
        let at = bytes.iter().rposition(|byte| *byte == call.word(1) as u8);
        Ok(at.map_or(0, |at| call.word(0) + at as u64))
    }),
    ("memmem", |call| {
        let bytes = call.memory.bytes(call.word(0), call.word(1))?;
        let part = call.memory.bytes(call.word(2), call.word(3))?;
        let at = if part.is_empty() { Some(0) } else { find(bytes, part) };
        Ok(at.map_or(0, |at| call.word(0) + at as u64))
    }),
    ("strtok", |call| {
        let (start, rest) = token(call, call.host.token)?;
        call.host.token = rest;
        Ok(start)
    }),
    ("strtok_r", |call| {
        let before = if call.word(0) == 0 { u64::from_le_bytes(call.memory.load(call.word(2))?) } else { 0 };
        let (start, rest) = token(call, before)?;
        call.memory.write(call.word(2), &rest.to_le_bytes())?;
        Ok(start)
    }),
    ("strspn", |call| {
        let (text, set) = (call.text(0)?, table(call.text(1)?));
        Ok(text.iter().position(|byte| !set[usize::from(*byte)]).unwrap_or(text.len()) as u64)
    }),
    ("strcspn", |call| {
        let (text, set) = (call.text(0)?, table(call.text(1)?));
        Ok(text.iter().position(|byte| set[usize::from(*byte)]).unwrap_or(text.len()) as u64)
    }),
    ("strpbrk", |call| {
        let (text, set) = (call.text(0)?, table(call.text(1)?));
        let at = text.iter().position(|byte| set[usize::from(*byte)]);
        Ok(at.map_or(0, |at| call.word(0) + at as u64))
    }),
    ("abort", |_| Err(Stop::Abort)),
];

/// The next token, and where the search after it begins: `strtok` and `strtok_r`. `before`: where
/// it begins without a text.
fn token(call: &mut Call<'_>, before: u64) -> Result<(u64, u64), Stop> {
    let from = if call.word(0) == 0 { before } else { call.word(0) };
    if from == 0 {
        return Ok((0, 0));
    }
    let set = table(call.text(1)?);
    let (mut start, mut end) = (None, None);
    // A token needs no more of the text than its own bytes.
    for at in from.. {
        let [byte] = call.memory.load(at)?;
        if byte == 0 {
            break;
        }
        match (set[usize::from(byte)], start) {
            (false, None) => start = Some(at),
            (true, Some(_)) => {
                end = Some(at);
                break;
            }
            _ => {}
        }
    }
    let Some(start) = start else { return Ok((0, 0)) };
    if let Some(end) = end {
        call.memory.write(end, &[0])?;
    }
    call.memory.touch(end.unwrap_or(from).saturating_sub(from));
    Ok((start, end.map_or(0, |end| end + 1)))
}

fn reallocate(call: &mut Call<'_>) -> Result<u64, Stop> {
    let (old, size) = (call.word(0), call.word(1));
    let new = allocate(call, size, false);
    if old == 0 || new == 0 {
        return Ok(new);
    }
    if let Some(before) = call.memory.size(old) {
        call.memory.copy(new, old, before.min(size))?;
    }
    call.memory.free(old, &Kind::Heap, call.span)?;
    Ok(new)
}

/// Memory of `malloc`; a null pointer if there is none.
pub(super) fn allocate(call: &mut Call<'_>, size: u64, zero: bool) -> u64 {
    let made = call.memory.allocate(size, Kind::Heap, zero, call.span);
    made.unwrap_or_else(|_| {
        call.memory.note_refused(Refused { bytes: size, place: call.span });
        call.fail(errno::ENOMEM);
        0
    })
}

fn copy(call: &mut Call<'_>) -> Result<u64, Stop> {
    call.memory.copy(call.word(0), call.word(1), call.word(2))?;
    Ok(call.word(0))
}

/// Stores a text with its NUL.
fn put(call: &mut Call<'_>, to: u64, mut text: Vec<u8>) -> Result<u64, Stop> {
    text.push(0);
    call.memory.write(to, &text)?;
    Ok(to)
}

/// Which bytes are in a set.
fn table(set: &[u8]) -> [bool; 256] {
    let mut table = [false; 256];
    for byte in set {
        table[usize::from(*byte)] = true;
    }
    table
}

/// The first place of `part` in `text`: in time that is linear in their lengths (Knuth, Morris and
/// Pratt).
fn find(text: &[u8], part: &[u8]) -> Option<usize> {
    // For each prefix of `part`, the length of its longest proper suffix that is a prefix.
    let mut overlaps = vec![0_u32; part.len()];
    let longer = |overlaps: &[u32], mut length: usize, byte: u8| {
        while length > 0 && part[length] != byte {
            length = overlaps[length - 1] as usize;
        }
        length + usize::from(part[length] == byte)
    };
    for at in 1..part.len() {
        overlaps[at] = longer(&overlaps, overlaps[at - 1] as usize, part[at]) as u32;
    }
    let mut length = 0;
    for (at, byte) in text.iter().enumerate() {
        length = longer(&overlaps, length, *byte);
        if length == part.len() {
            return Some(at + 1 - length);
        }
    }
    None
}

/// What comparisons of texts return: the difference of the first bytes that differ, as glibc 2.36
/// does on x86-64. The standard defines the sign only.
fn order(a: &[u8], b: &[u8]) -> u64 {
    let differing = a.iter().zip(b).position(|(one, other)| one != other).unwrap_or(a.len().min(b.len()));
    let byte = |text: &[u8]| i64::from(text.get(differing).copied().unwrap_or(0));
    (byte(a) - byte(b)) as u64
}

#[cfg(test)]
mod tests {
    use super::find;

    #[test]
    fn a_part_is_found_as_a_search_of_each_place_finds_it() {
        let texts = ["", "a", "ab", "aab", "abab", "aabaabaaab", "bbbbbbab", "abcabcabd"];
        for text in texts.map(str::as_bytes) {
            for part in texts.map(str::as_bytes).into_iter().filter(|part| !part.is_empty()) {
                let expected = text.windows(part.len()).position(|window| window == part);
                assert_eq!(find(text, part), expected, "{text:?} {part:?}");
            }
        }
        let (text, part) = (vec![b'a'; 1 << 20], [vec![b'a'; 1 << 19], vec![b'b']].concat());
        assert_eq!(find(&text, &part), None);
    }
}
