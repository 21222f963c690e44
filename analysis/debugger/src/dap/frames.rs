//! Threads and stack frames: each warp is a thread, and each entry of its SIMT stack a frame.

use super::program::DapProgram as Launched;
use super::protocol::Source;
use isa::terms::Terms;
use isa::uop::Program;
use report::inspect::terms;
use report::words::Words;
use serde_json::{Value, json};
use sim_core::debug::{Session, WarpView};

/// A frame that the client has asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frame {
    /// Number of the SM.
    pub sm: u32,
    /// Warp slot.
    pub slot: u32,
    /// Lanes of the entry of the SIMT stack.
    pub lanes: u32,
}

/// Number of the host code as a thread; warps have smaller ones.
pub const HOST: u64 = 1_000_000_000;

/// The host code as a thread.
pub fn host() -> Value {
    json!({ "id": HOST, "name": "host" })
}

/// Returns the number of a warp as a thread: the same for the whole launch.
pub fn thread_id(session: &Session<'_>, warp: &WarpView) -> u64 {
    let (_, block) = session.extents();
    warp.block * block.count().div_ceil(32) + u64::from(warp.index) + 1
}

/// Returns the resident warp with a thread number.
///
/// # Errors
/// The warp is not resident.
pub fn warp_of(session: &Session<'_>, thread: u64) -> Result<WarpView, String> {
    let found = session.warps().into_iter().find(|warp| thread_id(session, warp) == thread);
    found.ok_or_else(|| format!("the warp with thread number {thread} is not resident"))
}

/// The threads: all resident warps, in the order of their blocks.
pub fn threads(session: &Session<'_>) -> Value {
    let mut warps = session.warps();
    warps.sort_by_key(|warp| (warp.block, warp.index));
    let Terms { block: word, sm, .. } = terms(session);
    let thread = |warp: &WarpView| {
        let exited = if warp.live == 0 { " (exited)" } else { "" };
        let (block, index) = (warp.block_index, warp.index);
        let name = format!("{word} {block} warp {index}, {sm} {}{exited}", warp.sm);
        json!({ "id": thread_id(session, warp), "name": name })
    };
    let all: Vec<Value> = warps.iter().map(thread).collect();
    // A client takes an empty list for a lost program.
    if all.is_empty() { json!([{ "id": 1, "name": "no resident warp" }]) } else { Value::from(all) }
}

/// The frames of a warp: the entries of its SIMT stack, the running entry first.
pub fn stack(
    session: &Session<'_>,
    words: &Words,
    program: Option<&Launched>,
    warp: &WarpView,
    frames: &mut Vec<Frame>,
) -> Vec<Value> {
    let mut all = Vec::new();
    for (i, entry) in warp.stack.iter().rev().enumerate() {
        frames.push(Frame { sm: warp.sm, slot: warp.slot, lanes: entry.mask });
        let state = if i == 0 { "" } else { ", wait" };
        let lanes = match entry.mask.count_ones() {
            32 => "all lanes".to_owned(),
            1 => format!("lane {}", entry.mask.trailing_zeros()),
            _ => format!("lanes {:08x}", entry.mask),
        };
        let line = words.line(entry.pc);
        let (source, line) = program.map_or((Source::default(), line), |program| program.at(line));
        all.push(json!({
            "id": frames.len(),
            "name": format!("{} ({lanes}{state})", function(session.program(), entry.pc)),
            "line": line,
            "column": 1,
            "source": source,
        }));
    }
    all
}

/// The function or kernel of an instruction.
fn function(program: &Program, pc: u32) -> &str {
    let own = program.functions.iter().find(|function| (function.start..function.end).contains(&pc));
    own.map_or(&program.name, |function| &function.name)
}
