//! Memory and texts: `string.h`, `malloc` and its like.

use super::{Call, Table};
use crate::memory::{Fault, Kind};
use crate::stop::Stop;

pub(super) const TABLE: Table = &[
    ("malloc", |call| Ok(allocate(call, call.word(0), false))),
    ("calloc", |call| match call.word(0).checked_mul(call.word(1)) {
        Some(size) => Ok(allocate(call, size, true)),
        None => Ok(0),
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
        let from = call.memory.bytes(call.word(1), 1).map_err(Stop::Fault)?.len();
        let mut text = if from == 0 || size == 0 { Vec::new() } else { limited(call, call.word(1), size)? };
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
        let text = limited(call, call.word(1), call.word(2) as usize)?;
        put(call, call.word(0) + front, text)?;
        Ok(call.word(0))
    }),
    ("strcmp", |call| Ok(order(call.text(0)?, call.text(1)?))),
    ("strncmp", |call| {
        let size = call.word(2) as usize;
        Ok(order(&limited(call, call.word(0), size)?, &limited(call, call.word(1), size)?))
    }),
    ("strcasecmp", |call| {
        Ok(order(&call.text(0)?.to_ascii_lowercase(), &call.text(1)?.to_ascii_lowercase()))
    }),
    ("strncasecmp", |call| {
        let size = call.word(2) as usize;
        let (a, b) = (limited(call, call.word(0), size)?, limited(call, call.word(1), size)?);
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
        let at = if part.is_empty() {
            Some(0)
        } else {
            text.windows(part.len()).position(|window| window == part)
        };
        Ok(at.map_or(0, |at| call.word(0) + at as u64))
    }),
    ("strdup", |call| {
        let text = call.text(0)?.to_vec();
        let to = allocate(call, text.len() as u64 + 1, false);
        put(call, to, text)
    }),
    ("strtok", |call| {
        let from = if call.word(0) == 0 { call.host.token } else { call.word(0) };
        if from == 0 {
            return Ok(0);
        }
        let (text, set) = (call.memory.text(from)?.to_vec(), call.text(1)?.to_vec());
        let Some(start) = text.iter().position(|byte| !set.contains(byte)) else {
            call.host.token = 0;
            return Ok(0);
        };
        let end = text[start..].iter().position(|byte| set.contains(byte)).map(|end| start + end);
        call.host.token = 0;
        if let Some(end) = end {
            call.memory.write(from + end as u64, &[0])?;
            call.host.token = from + end as u64 + 1;
        }
        Ok(from + start as u64)
    }),
    ("strspn", |call| {
        let (text, set) = (call.text(0)?, call.text(1)?);
        Ok(text.iter().position(|byte| !set.contains(byte)).unwrap_or(text.len()) as u64)
    }),
    ("strcspn", |call| {
        let (text, set) = (call.text(0)?, call.text(1)?);
        Ok(text.iter().position(|byte| set.contains(byte)).unwrap_or(text.len()) as u64)
    }),
    ("strpbrk", |call| {
        let (text, set) = (call.text(0)?, call.text(1)?);
        let at = text.iter().position(|byte| set.contains(byte));
        Ok(at.map_or(0, |at| call.word(0) + at as u64))
    }),
    ("strerror", |call| {
        let to = allocate(call, 6, false);
        put(call, to, b"error".to_vec())
    }),
    ("abort", |_| Err(Stop::Abort)),
];

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
fn allocate(call: &mut Call<'_>, size: u64, zero: bool) -> u64 {
    call.memory.allocate(size, Kind::Heap, zero, call.span).unwrap_or(0)
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

/// At most `most` bytes of a text.
fn limited(call: &Call<'_>, address: u64, most: usize) -> Result<Vec<u8>, Stop> {
    let mut text = Vec::new();
    while text.len() < most {
        let [byte] = call.memory.load::<1>(address.wrapping_add(text.len() as u64))?;
        if byte == 0 {
            break;
        }
        text.push(byte);
    }
    Ok(text)
}

/// The sign that comparisons of texts return.
fn order(a: &[u8], b: &[u8]) -> u64 {
    (a.cmp(b) as i64) as u64
}
