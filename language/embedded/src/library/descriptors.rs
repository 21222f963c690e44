//! Files of POSIX (`open`, `read`, `stat`, `mkdir` and others), below the folder of the program. A
//! descriptor is the number of a `FILE` less one, so that `fdopen` and `fileno` name the same file.

use super::file::File;
use super::files::{self, STDERR, STDIN};
use super::folder::{Entry, Refusal};
use super::{Call, Table, errno};
use crate::stop::Stop;

/// Flags of `open`, as Linux has them.
const O_ACCMODE: i32 = 3;
const O_WRONLY: i32 = 1;
const O_CREAT: i32 = 0o100;
const O_EXCL: i32 = 0o200;
const O_TRUNC: i32 = 0o1000;
const O_APPEND: i32 = 0o2000;
/// Kinds of files in `st_mode`, with the permissions of new files.
const REGULAR: u32 = 0o100_644;
const FOLDER: u32 = 0o040_755;
const TERMINAL: u32 = 0o020_620;
const PIPE: u32 = 0o010_600;

/// The number of the `FILE` of a descriptor.
fn number(call: &Call<'_>, at: usize) -> u64 {
    u64::try_from(call.int(at)).map_or(0, |descriptor| descriptor + 1)
}

/// Sets `errno`, and returns -1.
fn failed(call: &mut Call<'_>, code: i32) -> u64 {
    call.fail(code);
    u64::MAX
}

fn refused(call: &mut Call<'_>, path: &str, why: Refusal) -> u64 {
    call.host.refuse(path, why);
    failed(call, errno::of(why))
}

fn path(call: &Call<'_>, at: usize) -> Result<String, Stop> {
    Ok(String::from_utf8_lossy(call.text(at)?).into_owned())
}

/// The open file of a descriptor, without the standard streams.
fn file<'c>(call: &'c mut Call<'_>, at: usize) -> Option<&'c mut File> {
    let number = number(call, at);
    if number <= STDERR { None } else { call.host.files.get_mut(&number) }
}

fn open(call: &mut Call<'_>, flags: i32) -> Result<u64, Stop> {
    let path = path(call, 0)?;
    let writes = flags & O_ACCMODE != 0;
    let creates = flags & O_CREAT != 0;
    let known = O_ACCMODE | O_CREAT | O_EXCL | O_TRUNC | O_APPEND;
    if flags & !known != 0 {
        let rest = flags & !known;
        return Err(Stop::Mistake(format!("the flags {rest:#o} of `open` are not supported")));
    }
    let found = call.host.folder().look(&path);
    match found {
        Ok(_) if creates && flags & O_EXCL != 0 => return Ok(failed(call, errno::EEXIST)),
        Ok(Entry::Folder) => return Ok(failed(call, errno::of(Refusal::IsFolder))),
        Err(Refusal::Missing) if creates => {}
        Err(why) => return Ok(refused(call, &path, why)),
        Ok(Entry::File(_)) => {}
    }
    let is_new = found.is_err();
    if writes || is_new {
        let permitted = call.host.folder().permits(&path);
        if let Err(why) = permitted {
            return Ok(refused(call, &path, why));
        }
    }
    let bytes = if is_new || writes && flags & O_TRUNC != 0 {
        Vec::new()
    } else {
        let read = call.host.folder().read(&path);
        match read {
            Ok(bytes) => bytes,
            Err(why) => return Ok(refused(call, &path, why)),
        }
    };
    let one = File {
        path,
        largest: call.host.folder().largest(),
        reads: flags & O_ACCMODE != O_WRONLY,
        writes,
        appends: flags & O_APPEND != 0,
        changed: is_new || writes && flags & O_TRUNC != 0,
        bytes,
        ..File::default()
    };
    Ok(match files::add(call, one) {
        0 => u64::MAX,
        number => number - 1,
    })
}

/// `stat` and `fstat`: what a program learns of a file. The layout is that of the header.
fn describe(call: &mut Call<'_>, mode: u32, size: usize) -> Result<u64, Stop> {
    let to = call.word(1);
    call.memory.write(to, &mode.to_le_bytes())?;
    call.memory.write(to + 8, &(size as u64).to_le_bytes())?;
    call.memory.write(to + 16, &4096_u64.to_le_bytes())?;
    call.memory.write(to + 24, &(size as u64).div_ceil(512).to_le_bytes())?;
    Ok(0)
}

fn stat(call: &mut Call<'_>) -> Result<u64, Stop> {
    let path = path(call, 0)?;
    // What was written to an open file counts, although it is stored later.
    let open = call.host.files.values().find(|file| file.is_at(&path)).map(|file| file.bytes.len());
    let found = call.host.folder().look(&path);
    match found {
        Ok(Entry::Folder) => describe(call, FOLDER, 4096),
        Ok(Entry::File(size)) => describe(call, REGULAR, open.unwrap_or(size)),
        Err(why) => Ok(failed(call, errno::of(why))),
    }
}

/// Changes a folder, and reports an error.
fn change(
    call: &mut Call<'_>,
    change: impl FnOnce(&mut dyn super::Folder, &str) -> Result<(), Refusal>,
) -> Result<u64, Stop> {
    let path = path(call, 0)?;
    let done = change(&mut **call.host.folder(), &path);
    match done {
        Ok(()) => Ok(0),
        Err(why) => Ok(refused(call, &path, why)),
    }
}

pub(super) const TABLE: Table = &[
    ("open", |call| open(call, call.int(1))),
    ("creat", |call| open(call, O_WRONLY | O_CREAT | O_TRUNC)),
    ("close", |call| {
        let number = number(call, 0);
        if number > 0 && number <= STDERR {
            return Err(Stop::Mistake("`close` of a standard stream is not supported".to_owned()));
        }
        if file(call, 0).is_none() {
            return Ok(failed(call, errno::EBADF));
        }
        let stored = call.host.store(number);
        call.host.files.remove(&number);
        match stored {
            Ok(()) => Ok(0),
            Err(why) => Ok(failed(call, errno::of(why))),
        }
    }),
    ("read", |call| {
        let (number, to, most) = (number(call, 0), call.word(1), call.word(2));
        let bytes = if number == STDIN {
            files::part_of_input(call, most as usize)?
        } else {
            match file(call, 0) {
                Some(one) if one.reads => one.take(most as usize),
                _ => return Ok(failed(call, errno::EBADF)),
            }
        };
        call.memory.write(to, &bytes)?;
        Ok(bytes.len() as u64)
    }),
    ("write", |call| {
        let number = number(call, 0);
        let is_stream = number == STDIN + 1 || number == STDERR;
        if !is_stream && !file(call, 0).is_some_and(|one| one.writes) {
            return Ok(failed(call, errno::EBADF));
        }
        let bytes = call.memory.bytes(call.word(1), call.word(2))?.to_vec();
        files::write(call, number, &bytes)
    }),
    ("lseek", |call| {
        let (offset, from) = (call.word(1) as i64, call.int(2));
        let Some(one) = file(call, 0) else { return Ok(failed(call, errno::EBADF)) };
        let start = match from {
            0 => 0,
            1 => one.at as i64,
            2 => one.bytes.len() as i64,
            _ => return Ok(failed(call, errno::EINVAL)),
        };
        let at = start.checked_add(offset).and_then(|at| usize::try_from(at).ok());
        let Some(at) = at.filter(|at| *at <= one.largest) else { return Ok(failed(call, errno::EINVAL)) };
        one.at = at;
        Ok(at as u64)
    }),
    ("ftruncate", |call| {
        let size = call.word(1) as usize;
        match file(call, 0) {
            Some(one) if one.writes && size <= one.largest => {
                one.bytes.resize(size, 0);
                one.changed = true;
                Ok(0)
            }
            _ => Ok(failed(call, errno::EINVAL)),
        }
    }),
    ("fdopen", |call| {
        let number = number(call, 0);
        if number > STDERR && file(call, 0).is_none() {
            call.fail(errno::EBADF);
            return Ok(0);
        }
        Ok(number)
    }),
    ("stat", stat),
    ("lstat", stat),
    ("fstat", |call| {
        let number = number(call, 0);
        if number > 0 && number <= STDERR {
            let is_terminal = number == STDIN + 1 && call.host.is_terminal();
            return describe(call, if is_terminal { TERMINAL } else { PIPE }, 0);
        }
        let Some(one) = file(call, 0) else { return Ok(failed(call, errno::EBADF)) };
        let size = one.bytes.len();
        describe(call, REGULAR, size)
    }),
    ("access", |call| {
        let path = path(call, 0)?;
        let found = call.host.folder().look(&path);
        match found {
            // Files are not executed.
            Ok(Entry::File(_)) if call.int(1) & 1 != 0 => Ok(failed(call, errno::of(Refusal::Path))),
            Ok(_) => Ok(0),
            Err(why) => Ok(failed(call, errno::of(why))),
        }
    }),
    ("mkdir", |call| change(call, |folder, path| folder.make_folder(path))),
    ("rmdir", |call| change(call, |folder, path| folder.remove_folder(path))),
    // The names in a folder, each with a NUL behind it, in memory of `malloc`; 0 with an error.
    ("__ws_list", |call| {
        let path = path(call, 0)?;
        let names = call.host.folder().list(&path);
        match names {
            Ok(names) => {
                let text: Vec<u8> =
                    names.iter().flat_map(|name| name.bytes().chain([0])).chain([0]).collect();
                let made = super::text::allocate(call, text.len() as u64, false);
                if made != 0 {
                    call.memory.write(made, &text)?;
                }
                Ok(made)
            }
            Err(why) => {
                call.fail(errno::of(why));
                Ok(0)
            }
        }
    }),
];
