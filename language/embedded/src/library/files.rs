//! Files of `stdio.h`, below the folder of the program. A file is read and written in memory, and
//! stored when it is flushed or closed.

use super::file::File;
use super::folder::{Refusal, plain};
use super::scan::Scanned;
use super::{Call, Table, errno};
use crate::memory::Kind;
use crate::stop::Stop;

/// Standard input.
pub(super) const STDIN: u64 = 1;
const STDOUT: u64 = 2;
pub(super) const STDERR: u64 = 3;
/// Most open files.
const MOST: usize = 1000;
/// Most bytes of standard input.
const LARGEST_INPUT: usize = 1 << 30;

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
                call.fail(errno::of(why));
                return Ok(u64::MAX);
            }
        }
    }
    Ok(bytes.len() as u64)
}

fn file<'c>(call: &'c mut Call<'_>, stream: u64) -> Result<&'c mut File, Stop> {
    if stream == STDIN {
        let input = || File { reads: true, largest: LARGEST_INPUT, ..File::default() };
        return Ok(call.host.files.entry(STDIN).or_insert_with(input));
    }
    match call.host.files.get_mut(&stream) {
        Some(file) => Ok(file),
        None if stream == 0 => Err(Stop::Mistake("a null `FILE` pointer is used".to_owned())),
        None => Err(Stop::Mistake("a `FILE` is used that is not open".to_owned())),
    }
}

/// Waits for the next part of standard input. The user sees what was printed before.
fn wait(call: &mut Call<'_>) -> Result<(), Stop> {
    call.host.flush();
    let bytes = call.host.streams.input().ok_or(Stop::Interrupted)?;
    let one = file(call, STDIN)?;
    one.closed = bytes.is_empty();
    if one.bytes.len() + bytes.len() > LARGEST_INPUT {
        let most = LARGEST_INPUT >> 20;
        return Err(Stop::Mistake(format!("standard input has more than the limit of {most} MiB")));
    }
    one.bytes.extend(bytes);
    Ok(())
}

/// Returns a file that has as much as a read needs, if there is as much.
fn filled<'c>(
    call: &'c mut Call<'_>,
    stream: u64,
    is_enough: impl Fn(&File) -> bool,
) -> Result<&'c mut File, Stop> {
    let is_filled = |one: &File| one.closed || is_enough(one);
    while stream == STDIN && !is_filled(&*file(call, STDIN)?) {
        wait(call)?;
    }
    file(call, stream)
}

/// `fscanf`.
pub(super) fn scan(call: &mut Call<'_>, stream: u64, format: &[u8], first: usize) -> Result<u64, Stop> {
    loop {
        let one = file(call, stream)?;
        let can_grow = stream == STDIN && !one.closed;
        // Taken out while `call` has the other parts.
        let bytes = std::mem::take(&mut one.bytes);
        let text = bytes.get(one.at..).unwrap_or_default();
        let scanned = super::scan::scan(call, text, format, first);
        let one = file(call, stream)?;
        one.bytes = bytes;
        let Scanned { count, read, is_cut, is_at_end } = scanned?;
        if is_cut && can_grow {
            wait(call)?;
            continue;
        }
        one.pass(read);
        one.ended |= is_at_end;
        return Ok(i64::from(count) as u64);
    }
}

/// Up to `most` bytes of standard input: at least one, if there is one.
pub(super) fn part_of_input(call: &mut Call<'_>, most: usize) -> Result<Vec<u8>, Stop> {
    Ok(filled(call, STDIN, |one| !one.rest().is_empty())?.take(most))
}

/// `getdelim`: a line in memory of `malloc`, whose address and size are at the first arguments.
fn line(call: &mut Call<'_>, delimiter: u8, stream: u64) -> Result<u64, Stop> {
    let end = |rest: &[u8]| rest.iter().position(|byte| *byte == delimiter).map(|end| end + 1);
    let one = filled(call, stream, |one| end(one.rest()).is_some())?;
    let end = end(one.rest()).unwrap_or(usize::MAX);
    let mut line = one.take(end);
    if line.is_empty() {
        one.ended = true;
        return Ok(u64::MAX);
    }
    let read = line.len() as u64;
    line.push(0);
    let (place, size) = (call.word(0), call.word(1));
    let mut to = u64::from_le_bytes(call.memory.load(place)?);
    let room = if to == 0 { 0 } else { u64::from_le_bytes(call.memory.load(size)?) };
    if room < line.len() as u64 {
        let room = (line.len() as u64).max(120).max(2 * room);
        let made = super::text::allocate(call, room, false);
        if made == 0 {
            return Ok(u64::MAX);
        }
        call.memory.free(to, &Kind::Heap, call.span)?;
        to = made;
        call.memory.write(place, &to.to_le_bytes())?;
        call.memory.write(size, &room.to_le_bytes())?;
    }
    call.memory.write(to, &line)?;
    Ok(read)
}

fn character(call: &mut Call<'_>, stream: u64) -> Result<u64, Stop> {
    let one = filled(call, stream, |one| !one.rest().is_empty())?;
    Ok(one.take(1).first().map_or(u64::MAX, |byte| u64::from(*byte)))
}

fn open(call: &mut Call<'_>) -> Result<u64, Stop> {
    let path = String::from_utf8_lossy(call.text(0)?).into_owned();
    let mode = call.text(1)?.to_vec();
    let plus = mode.contains(&b'+');
    let kind = mode.first().copied().unwrap_or(b'r');
    let writes = kind != b'r' || plus;
    let permitted = if writes { call.host.folder().permits(&path) } else { Ok(()) };
    if let Err(why) = permitted {
        call.host.refuse(&path, why);
        call.fail(errno::of(why));
        return Ok(0);
    }
    let found = if kind == b'w' { Err(Refusal::Missing) } else { call.host.folder().read(&path) };
    let (bytes, is_new) = match found {
        Ok(bytes) => (bytes, false),
        Err(Refusal::Missing) if matches!(kind, b'w' | b'a') => (Vec::new(), true),
        Err(why) => {
            call.fail(errno::of(why));
            return Ok(0);
        }
    };
    call.memory.touch(bytes.len() as u64);
    let one = File {
        path,
        bytes,
        largest: call.host.folder().largest(),
        reads: kind == b'r' || plus,
        writes,
        appends: kind == b'a',
        changed: is_new,
        ..File::default()
    };
    Ok(add(call, one))
}

/// Adds an open file, and returns its number; 0 if it cannot be stored.
pub(super) fn add(call: &mut Call<'_>, one: File) -> u64 {
    // The smallest one that is free, as descriptors have it.
    let mut numbers = STDERR + 1..=STDERR + MOST as u64;
    let Some(number) = numbers.find(|number| !call.host.files.contains_key(number)) else {
        call.fail(errno::EMFILE);
        return 0;
    };
    call.host.files.insert(number, one);
    if let Err(why) = call.host.store(number) {
        call.host.files.remove(&number);
        call.fail(errno::of(why));
        return 0;
    }
    number
}

/// Stores an open file; -1 if that fails.
fn store(call: &mut Call<'_>, stream: u64) -> Result<u64, Stop> {
    let one = file(call, stream)?;
    let bytes = if one.changed { one.bytes.len() } else { 0 };
    call.memory.touch(bytes as u64);
    match call.host.store(stream) {
        Ok(()) => Ok(0),
        Err(why) => {
            call.fail(errno::of(why));
            Ok(u64::MAX)
        }
    }
}

/// `remove` and `rename`: changes the folder, then the paths of the open files of the old path.
fn change(call: &mut Call<'_>, new: Option<&str>) -> Result<u64, Stop> {
    let old = String::from_utf8_lossy(call.text(0)?).into_owned();
    let done = match new {
        Some(new) => call.host.folder().rename(&old, new),
        None => call.host.folder().remove(&old),
    };
    if let Err(why) = done {
        call.fail(errno::of(why));
        return Ok(u64::MAX);
    }
    let (from, to) = (plain(&old), new.and_then(plain));
    for file in call.host.files.values_mut() {
        let at = plain(&file.path);
        match new {
            Some(new) if at == from => new.clone_into(&mut file.path),
            // The file at the new path is replaced.
            Some(_) if at == to => file.is_removed = true,
            None if at == from => file.is_removed = true,
            Some(_) | None => {}
        }
    }
    Ok(0)
}

pub(super) const TABLE: Table = &[
    ("fopen", open),
    ("fclose", |call| {
        if call.word(0) <= STDERR && call.word(0) > 0 {
            return Ok(0);
        }
        let stored = store(call, call.word(0))?;
        call.host.files.remove(&call.word(0));
        Ok(stored)
    }),
    ("remove", |call| change(call, None)),
    ("unlink", |call| change(call, None)),
    ("rename", |call| {
        let new = String::from_utf8_lossy(call.text(1)?).into_owned();
        change(call, Some(&new))
    }),
    ("fflush", |call| {
        match call.word(0) {
            0..=STDERR => call.host.flush(),
            stream => return store(call, stream),
        }
        Ok(0)
    }),
    ("fread", |call| {
        let (size, count) = (call.word(1), call.word(2));
        let Some(all) = size.checked_mul(count).filter(|all| *all > 0) else { return Ok(0) };
        let one = filled(call, call.word(3), |one| one.rest().len() as u64 >= all)?;
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
        let end = |rest: &[u8]| rest.iter().take(most).position(|byte| *byte == b'\n').map(|end| end + 1);
        let is_enough = |one: &File| one.rest().len() >= most || end(one.rest()).is_some();
        let one = filled(call, call.word(2), is_enough)?;
        let end = end(one.rest()).unwrap_or(most);
        let mut line = one.take(end);
        if line.is_empty() {
            return Ok(0);
        }
        line.push(0);
        call.memory.write(call.word(0), &line)?;
        Ok(call.word(0))
    }),
    ("getline", |call| line(call, b'\n', call.word(2))),
    ("getdelim", |call| line(call, call.word(2) as u8, call.word(3))),
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
        let (value, one) = (call.int(0), file(call, call.word(1))?);
        let is_pushed = value != -1 && one.push(value as u8);
        Ok(if is_pushed { u64::from(value as u8) } else { u64::MAX })
    }),
    ("feof", |call| Ok(u64::from(file(call, call.word(0))?.ended))),
    ("ferror", |_| Ok(0)),
    ("clearerr", |call| {
        file(call, call.word(0))?.ended = false;
        Ok(0)
    }),
    ("tmpfile", |call| {
        // A file without a name, which is never stored.
        let largest = call.host.folder().largest();
        let one = File { largest, reads: true, writes: true, is_removed: true, ..File::default() };
        Ok(add(call, one))
    }),
    ("setvbuf", |_| Ok(0)),
    ("fseek", |call| {
        let (offset, from) = (call.word(1) as i64, call.int(2));
        let one = filled(call, call.word(0), |_| matches!(from, 0 | 1))?;
        let start = match from {
            0 => 0,
            1 => one.at as i64,
            _ => one.bytes.len() as i64,
        };
        let Some(at) = start.checked_add(offset).and_then(|at| usize::try_from(at).ok()) else {
            return Ok(u64::MAX);
        };
        one.seek(at.min(one.largest));
        Ok(0)
    }),
    ("ftell", |call| Ok(file(call, call.word(0))?.at as u64)),
    ("rewind", |call| {
        file(call, call.word(0))?.seek(0);
        Ok(0)
    }),
];
