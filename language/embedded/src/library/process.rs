//! The process: its end, its environment, and what it knows of the machine.

use super::{Call, Table, errno};
use crate::memory::Kind;
use crate::stop::Stop;
use cuda::source::Span;

pub(super) const TABLE: Table = &[
    ("atexit", |call| {
        let function = call.word(0);
        call.host.at_exit.push((0, function));
        Ok(0)
    }),
    ("at_quick_exit", |call| {
        let function = call.word(0);
        call.host.at_quick_exit.push((0, function));
        Ok(0)
    }),
    ("quick_exit", |call| {
        call.host.at_exit = std::mem::take(&mut call.host.at_quick_exit);
        Err(Stop::Exit(call.int(0)))
    }),
    ("_Exit", leave),
    ("_exit", leave),
    // The environment is empty at the start of each program, so that each run is the same.
    ("getenv", |call| {
        let name = call.text(0)?.to_vec();
        Ok(call.host.environment.get(&name).copied().unwrap_or(0))
    }),
    ("setenv", |call| {
        let name = call.text(0)?.to_vec();
        if name.is_empty() || name.contains(&b'=') {
            call.fail(errno::EINVAL);
            return Ok(u64::MAX);
        }
        if call.int(2) == 0 && call.host.environment.contains_key(&name) {
            return Ok(0);
        }
        let mut value = call.text(1)?.to_vec();
        value.push(0);
        let kind = Kind::Global("the environment".into());
        let Ok(address) = call.memory.allocate(value.len() as u64, kind, true, Span::NONE) else {
            call.fail(errno::ENOMEM);
            return Ok(u64::MAX);
        };
        call.memory.write(address, &value)?;
        call.host.environment.insert(name, address);
        Ok(0)
    }),
    ("unsetenv", |call| {
        let name = call.text(0)?.to_vec();
        call.host.environment.remove(&name);
        Ok(0)
    }),
    // The text is part of the environment: `name=value`, or `name` to remove it.
    ("putenv", |call| {
        let text = call.text(0)?.to_vec();
        match text.iter().position(|byte| *byte == b'=') {
            Some(at) => {
                let value = call.word(0) + at as u64 + 1;
                call.host.environment.insert(text[..at].to_vec(), value);
            }
            None => {
                call.host.environment.remove(&text);
            }
        }
        Ok(0)
    }),
    ("__ws_thread_number", |call| Ok(call.host.thread)),
    ("isatty", |call| {
        let is_terminal = matches!(call.int(0), 1) && call.host.is_terminal();
        Ok(is_terminal.into())
    }),
    ("sysconf", |call| {
        Ok(match call.int(0) {
            // _SC_CLK_TCK, _SC_PAGESIZE, _SC_NPROCESSORS_CONF and _SC_NPROCESSORS_ONLN,
            // _SC_PHYS_PAGES and _SC_AVPHYS_PAGES.
            2 => 100,
            30 => PAGE,
            83 | 84 => 1,
            85 | 86 => call.memory.room() / PAGE,
            _ => {
                call.fail(errno::EINVAL);
                u64::MAX
            }
        })
    }),
];

/// Bytes of a page.
const PAGE: u64 = 4096;

/// `_exit`: nothing else is executed.
fn leave(call: &mut Call<'_>) -> Result<u64, Stop> {
    call.host.at_exit.clear();
    Err(Stop::Exit(call.int(0)))
}
