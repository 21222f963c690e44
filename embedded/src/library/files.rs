//! Files of `stdio.h`, below the folder of the program. A file is read and written in memory, and
//! stored when it is flushed or closed.

use super::file::File;
use super::folder::Refusal;
use super::{Call, Host, Table};
use crate::stop::Stop;

/// Standard input.
pub(super) const STDIN: u64 = 1;
const STDOUT: u64 = 2;
const STDERR: u64 = 3;
/// Most open files.
const MOST: usize = 1000;

/// Writes to a stream.
pub(super) fn write(call: &mut Call<'_>, stream: u64, bytes: &[u8]) -> Result<u64, Stop> {
    match stream {
        STDOUT => call.host.print(bytes),
        STDERR => call.host.print_error(bytes),
        _ => {
            let one = file(call, stream)?;
            if let Err(why) = one.write(bytes) {
                let path = one.path.clone();
                call.host.refuse(&path, why);
                return Ok(u64::MAX);
            }
        }
    }
    Ok(bytes.len() as u64)
}

fn file<'c>(call: &'c mut Call<'_>, stream: u64) -> Result<&'c mut File, Stop> {
    if stream == STDIN {
        let Host { files, streams, .. } = &mut *call.host;
        let read = || File { bytes: streams.input(), reads: true, ..File::default() };
        return Ok(files.entry(STDIN).or_insert_with(read));
    }
    match call.host.files.get_mut(&stream) {
        Some(file) => Ok(file),
        None if stream == 0 => Err(Stop::Mistake("a null `FILE` pointer is used".to_owned())),
        None => Err(Stop::Mistake("a `FILE` is used that is not open".to_owned())),
    }
}

/// `fscanf`.
pub(super) fn scan(call: &mut Call<'_>, stream: u64, format: &[u8], first: usize) -> Result<u64, Stop> {
    let one = file(call, stream)?;
    let text = one.bytes.get(one.at..).unwrap_or_default().to_vec();
    let (count, read) = super::scan::scan(call, &text, format, first)?;
    let one = file(call, stream)?;
    one.at += read;
    one.ended |= count < 0;
    Ok(i64::from(count) as u64)
}

fn character(call: &mut Call<'_>, stream: u64) -> Result<u64, Stop> {
    Ok(file(call, stream)?.take(1).first().map_or(u64::MAX, |byte| u64::from(*byte)))
}

fn open(call: &mut Call<'_>) -> Result<u64, Stop> {
    let path = String::from_utf8_lossy(call.text(0)?).into_owned();
    let mode = call.text(1)?.to_vec();
    if call.host.files.len() >= MOST {
        return Ok(0);
    }
    let plus = mode.contains(&b'+');
    let kind = mode.first().copied().unwrap_or(b'r');
    let bytes = match (kind, call.host.folder.read(&path)) {
        (b'w', _) | (b'a', Err(Refusal::Missing)) => Vec::new(),
        (_, Ok(bytes)) => bytes,
        (_, Err(_)) => return Ok(0),
    };
    let one = File {
        path,
        bytes,
        largest: call.host.folder.largest(),
        reads: kind == b'r' || plus,
        writes: kind != b'r' || plus,
        appends: kind == b'a',
        changed: kind == b'w',
        ..File::default()
    };
    let number = call.host.files.keys().next_back().map_or(16, |last| (last + 1).max(16));
    call.host.files.insert(number, one);
    if !call.host.store(number) {
        call.host.files.remove(&number);
        return Ok(0);
    }
    Ok(number)
}

pub(super) const TABLE: Table = &[
    ("fopen", open),
    ("fclose", |call| {
        if call.word(0) <= STDERR && call.word(0) > 0 {
            return Ok(0);
        }
        file(call, call.word(0))?;
        let stored = call.host.store(call.word(0));
        call.host.files.remove(&call.word(0));
        Ok(if stored { 0 } else { u64::MAX })
    }),
    ("fflush", |call| {
        match call.word(0) {
            0..=STDERR => call.host.flush(),
            stream => {
                file(call, stream)?;
                if !call.host.store(stream) {
                    return Ok(u64::MAX);
                }
            }
        }
        Ok(0)
    }),
    ("fread", |call| {
        let (size, count) = (call.word(1), call.word(2));
        let Some(all) = size.checked_mul(count).filter(|all| *all > 0) else { return Ok(0) };
        let one = file(call, call.word(3))?;
        let bytes = if one.reads { one.take(all as usize) } else { Vec::new() };
        call.memory.write(call.word(0), &bytes)?;
        Ok(bytes.len() as u64 / size)
    }),
    ("fwrite", |call| {
        let (size, count) = (call.word(1), call.word(2));
        let Some(all) = size.checked_mul(count).filter(|all| *all > 0) else { return Ok(0) };
        let bytes = call.memory.bytes(call.word(0), all)?.to_vec();
        let written = write(call, call.word(3), &bytes)?;
        Ok(if written == u64::MAX { 0 } else { count })
    }),
    ("fgets", |call| {
        let most = usize::try_from(call.int(1)).unwrap_or(0).saturating_sub(1);
        let one = file(call, call.word(2))?;
        let rest = one.bytes.get(one.at..).unwrap_or_default();
        let end = rest.iter().take(most).position(|byte| *byte == b'\n').map_or(most, |end| end + 1);
        let mut line = one.take(end);
        if line.is_empty() {
            return Ok(0);
        }
        line.push(0);
        call.memory.write(call.word(0), &line)?;
        Ok(call.word(0))
    }),
    ("fgetc", |call| character(call, call.word(0))),
    ("getc", |call| character(call, call.word(0))),
    ("getchar", |call| character(call, STDIN)),
    ("fscanf", |call| {
        let format = call.text(1)?.to_vec();
        scan(call, call.word(0), &format, 2)
    }),
    ("scanf", |call| {
        let format = call.text(0)?.to_vec();
        scan(call, STDIN, &format, 1)
    }),
    ("ungetc", |call| {
        let one = file(call, call.word(1))?;
        one.at = one.at.saturating_sub(1);
        one.ended = false;
        Ok(call.word(0))
    }),
    ("feof", |call| Ok(u64::from(file(call, call.word(0))?.ended))),
    ("ferror", |_| Ok(0)),
    ("setvbuf", |_| Ok(0)),
    ("fseek", |call| {
        let (offset, from) = (call.word(1) as i64, call.int(2));
        let one = file(call, call.word(0))?;
        let start = match from {
            0 => 0,
            1 => one.at as i64,
            _ => one.bytes.len() as i64,
        };
        let Some(at) = start.checked_add(offset).and_then(|at| usize::try_from(at).ok()) else {
            return Ok(u64::MAX);
        };
        (one.at, one.ended) = (at.min(one.largest), false);
        Ok(0)
    }),
    ("ftell", |call| Ok(file(call, call.word(0))?.at as u64)),
    ("rewind", |call| {
        let one = file(call, call.word(0))?;
        (one.at, one.ended) = (0, false);
        Ok(0)
    }),
];
