//! Words for warps, places in memory and lines, for texts and documents.

use super::answer::Answer;
use crate::launch_file::Area;
use isa::source::Files;
use sim_core::host::{End, Interleaved, Touch, Waiting, Why};
use warpsim_check::explore::Side;

/// Most words of memory that are named for a loop.
const MOST_WORDS: usize = 4;

/// Block and warp of a warp number.
pub fn warp(start: &Interleaved, number: u32) -> (u32, u32) {
    let per_block = start.warps_per_block().max(1);
    (number / per_block, number % per_block)
}

/// A line of the program, with its file if there are several.
pub fn line(start: &Interleaved, pc: u32) -> String {
    files(start).place(start.line(pc)).to_string()
}

/// The files of the program.
pub fn files(start: &Interleaved) -> &Files {
    start.program().source.files()
}

/// The variable or buffer that is touched, with the index of the first element.
pub fn place(start: &Interleaved, areas: &[Area], touch: &Touch) -> String {
    let Some((name, first)) = start.object_at(touch) else { return format!("{:#x}", touch.first) };
    let offset = touch.first - first;
    match areas.iter().find(|area| area.address == first && area.name == name) {
        Some(area) => format!("{name}[{}]", offset / area.ty.bytes()),
        None if offset == 0 => name,
        None => format!("{name}+{offset}"),
    }
}

/// Returns the verb for a side of a race.
pub fn verb(side: &Side) -> &'static str {
    match (side.touch.writes, side.touch.synchronizes) {
        (true, false) => "writes",
        (true, true) => "writes (atomic or volatile)",
        (false, false) => "reads",
        (false, true) => "reads (atomic or volatile)",
    }
}

/// The end of an outcome that has no result, one line for each fact.
pub fn end(answer: &Answer<'_>, end: &End) -> Vec<String> {
    match end {
        End::Finished | End::Redundant => Vec::new(),
        End::Trapped(trap) => {
            let (block, line) = (trap.block.x, line(answer.start, trap.pc));
            vec![format!("block {block}, warp {}, line {line}: {}", trap.warp, trap.fault.kind)]
        }
        End::Hung(waiting) => waiting.iter().map(|one| waits(answer, one, waiting)).collect(),
    }
}

fn waits(answer: &Answer<'_>, one: &Waiting, all: &[Waiting]) -> String {
    let (block, index) = warp(answer.start, one.number);
    let head = format!("block {block}, warp {index}");
    let at = line(answer.start, one.pc);
    match &one.why {
        Why::Barrier(number) => {
            let missing = all.iter().filter(|other| {
                let other_block = warp(answer.start, other.number).0;
                other_block == block && !matches!(&other.why, Why::Barrier(id) if id == number)
            });
            let missing: Vec<String> =
                missing.map(|other| warp(answer.start, other.number).1.to_string()).collect();
            let missing = match missing.len() {
                0 => String::new(),
                1 => format!(" for warp {}", missing[0]),
                _ => format!(" for warps {}", missing.join(", ")),
            };
            format!("{head} waits at barrier {number}, line {at}{missing}")
        }
        Why::Spins(touches) => {
            let mut words: Vec<String> =
                touches.iter().map(|touch| place(answer.start, &answer.areas, touch)).collect();
            words.dedup();
            words.truncate(MOST_WORDS);
            format!("{head} repeats the loop at line {at} until {} changes", words.join(" or "))
        }
        Why::Endless => format!("{head} repeats the loop at line {at} forever"),
    }
}
