//! `info threads`: the threads of the resident blocks. Consecutive threads at the same line have
//! one row.

use super::front::InFocus;
use crate::render::number::count;
use crate::render::table::{Column, Columns};
use isa::types::Dim3;
use report::words::Words;
use sim_core::debug::{Session, WarpView};

/// Consecutive threads of a block at one instruction.
struct Run {
    block: Dim3,
    sm: u32,
    first: u64,
    last: u64,
    /// Next instruction; `None` after the exit.
    pc: Option<u32>,
    in_focus: bool,
}

/// `info threads`.
pub fn threads(session: &Session<'_>, words: &Words, in_focus: InFocus) -> String {
    let (_, extents) = session.extents();
    let mut warps = session.warps();
    warps.sort_by_key(|warp| (warp.block, warp.index));
    let mut runs: Vec<Run> = Vec::new();
    for warp in &warps {
        for lane in 0..32 {
            let number = u64::from(32 * warp.index + lane);
            if number >= extents.count() {
                break;
            }
            let (block, pc) = (warp.block_index, pc_of(warp, lane));
            let is_here = in_focus == InFocus { sm: warp.sm, slot: warp.slot, lane };
            match runs.last_mut() {
                Some(run) if (run.block, run.pc) == (block, pc) => {
                    run.last = number;
                    run.in_focus |= is_here;
                }
                _ => {
                    let (first, last) = (number, number);
                    runs.push(Run { block, sm: warp.sm, first, last, pc, in_focus: is_here });
                }
            }
        }
    }
    let thread = |number: u64| {
        let (x, y) = (u64::from(extents.x), u64::from(extents.y));
        format!("({},{},{})", number % x, number / x % y, number / x / y)
    };
    let columns = [Column::Words(1), Column::Words(12), Column::Words(12), Column::Words(12)];
    let more = [Column::Numbers(6), Column::Numbers(4), Column::Numbers(7)];
    let mut table = Columns::new(&[&columns[..], &more].concat());
    table = table.titles(&["", "block", "thread", "to thread", "count", "sm", "line"]);
    for run in &runs {
        table.row(&[
            if run.in_focus { "*" } else { "" },
            &run.block.to_string(),
            &thread(run.first),
            &thread(run.last),
            &count(run.last - run.first + 1),
            &run.sm.to_string(),
            &run.pc.map_or("exited".to_owned(), |pc| words.place(pc).to_string()),
        ]);
    }
    if runs.is_empty() { "No thread is resident.\n".to_owned() } else { table.draw() }
}

/// The next instruction of a lane: that of the uppermost entry of the stack that has the lane.
fn pc_of(warp: &WarpView, lane: u32) -> Option<u32> {
    if warp.live >> lane & 1 == 0 {
        return None;
    }
    if warp.active >> lane & 1 == 1 {
        return Some(warp.pc);
    }
    let entry = warp.stack.iter().rev().find(|entry| entry.mask >> lane & 1 == 1);
    entry.map(|entry| entry.pc)
}
