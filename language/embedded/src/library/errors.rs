//! Functions of the runtime that do not return an error code.

use super::{Host, WithRuntime};
use crate::memory::{Kind, Memory};
use crate::stop::Stop;
use cuda::source::Span;
use warpsim_cuda::runtime::error::Error;

/// The functions.
pub(super) const TABLE: &[(&str, WithRuntime)] = &[
    ("cudaGetLastError", |runtime, thread, _, _, _| Ok(runtime.take_last_error(thread).0 as u64)),
    ("cudaPeekAtLastError", |runtime, thread, _, _, _| Ok(runtime.last_error(thread).0 as u64)),
    ("__ws_error", |_, thread, _, _, words| {
        thread.last = Error(words.first().map_or(0, |code| *code as i32));
        Ok(thread.last.0 as u64)
    }),
    ("cudaGetErrorString", |_, _, host, memory, words| text(host, memory, words, true)),
    ("cudaGetErrorName", |_, _, host, memory, words| text(host, memory, words, false)),
    ("exit", |_, _, _, _, words| Err(Stop::Exit(words.first().map_or(0, |code| *code as i32)))),
];

/// The address of the text of an error.
fn text(host: &mut Host, memory: &mut Memory, words: &[u64], long: bool) -> Result<u64, Stop> {
    let code = words.first().map_or(0, |code| *code as i32);
    if let Some(known) = host.texts.get(&(code, long)) {
        return Ok(*known);
    }
    let unknown = "unrecognized error code";
    let text = Error(code).texts().map_or(unknown, |(name, text)| if long { text } else { name });
    let text = text.trim_end_matches('\0');
    let address = memory.allocate(text.len() as u64 + 1, Kind::Global("".into()), true, Span::NONE)?;
    memory.write(address, text.as_bytes())?;
    host.texts.insert((code, long), address);
    Ok(address)
}
