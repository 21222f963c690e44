//! The state of a launch at one cycle, as the panes of the stepper show it.

use super::Stepper;
use isa::uop::{OperandKind, TO_EXIT};
use report::recorded::access::{Access, describe as access_of};
use report::recorded::number;
use serde::{Deserialize, Serialize};
use sim_core::debug::{BarrierWarp, Register, SPAN, Session, WarpView};

/// The warp that the panes show.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
pub struct Focus {
    /// SM.
    pub sm: u32,
    /// Warp slot.
    pub slot: u32,
}

/// The state of a launch.
#[derive(Debug, Serialize)]
pub struct View {
    /// Shader cycle before which everything is complete.
    pub cycle: u64,
    /// Whether the launch has ended.
    pub ended: bool,
    /// Blocks that have retired.
    pub retired: u64,
    /// Resident blocks.
    pub blocks: Vec<BlockRow>,
    /// Warps of the SM in focus.
    pub warps: Vec<WarpRow>,
    /// The warp in focus, if it is resident.
    pub warp: Option<Warp>,
    /// States of the warps of the SM in the last issue cycles.
    pub timeline: Timeline,
    /// The load/store queue of the SM.
    pub queue: Queue,
}

/// A resident block.
#[derive(Debug, Serialize)]
pub struct BlockRow {
    /// SM.
    pub sm: u32,
    /// Index in the grid.
    pub index: String,
    /// Warp slots, as numbers.
    pub slots: Vec<u32>,
}

/// A resident warp in the list.
#[derive(Debug, Serialize)]
pub struct WarpRow {
    /// Warp slot.
    pub slot: u32,
    /// Block.
    pub block: String,
    /// Number in the block.
    pub index: u32,
    /// Source line of the next instruction.
    pub line: u32,
    /// Active lanes, as a mask.
    pub active: u32,
    /// Lanes that have not exited, as a mask.
    pub live: u32,
    /// State in the last issue cycle; empty before the first.
    pub state: &'static str,
    /// Reason of the state.
    pub why: String,
}

/// An entry of the reconvergence stack.
#[derive(Debug, Serialize)]
pub struct StackRow {
    /// Lanes.
    pub mask: u32,
    /// Source line at which they continue.
    pub line: u32,
    /// Micro-op at which they continue.
    pub pc: u32,
    /// Source line at which they reconverge; absent if they do so at the exit.
    pub until: Option<u32>,
}

/// A register.
#[derive(Debug, Serialize)]
pub struct RegisterRow {
    /// PTX name; absent for an intermediate value.
    pub name: Option<String>,
    /// Row of the register file, such as `w3`.
    pub row: String,
    /// `word`, `double` or `predicate`.
    pub kind: &'static str,
    /// Values by lane, in hexadecimal.
    pub values: Vec<String>,
    /// Source line of the latest writer.
    pub line: u32,
    /// Whether the latest writer issued in the last issue cycle.
    pub changed: bool,
    /// Cycle from which the value can be used, or `pending`; empty if it can be used.
    pub busy: String,
    /// Whether the next instruction needs the register and it is busy.
    pub needed: bool,
}

/// A barrier with arrivals.
#[derive(Debug, Serialize)]
pub struct BarrierRow {
    /// Number.
    pub id: u32,
    /// Arrivals so far, in warps.
    pub count: u32,
    /// Arrivals that complete it.
    pub required: u32,
    /// Warps that have not arrived: slot and source line.
    pub missing: Vec<[u32; 2]>,
}

/// The warp in focus.
#[derive(Debug, Serialize)]
pub struct Warp {
    /// Next instruction.
    pub text: String,
    /// Its source line.
    pub line: u32,
    /// Reconvergence stack, the running entry last.
    pub stack: Vec<StackRow>,
    /// Registers that the warp has written.
    pub registers: Vec<RegisterRow>,
    /// Barriers of its block.
    pub barriers: Vec<BarrierRow>,
    /// Its last access to memory.
    pub access: Option<Access>,
    /// Words of the shared memory of its block, in hexadecimal.
    pub shared: Vec<String>,
}

/// State of a warp in an issue cycle: its number, whether an instruction issues, the source line.
pub type Cell = (i8, bool, u32);

/// States by issue cycle.
#[derive(Debug, Serialize)]
pub struct Timeline {
    /// First shader cycle.
    pub from: u64,
    /// Shader cycles of an issue cycle.
    pub period: u64,
    /// Warp slots with their cells; the number of the state is -1 without a warp.
    pub rows: Vec<(u32, Vec<Cell>)>,
}

/// The memory side of the SM.
#[derive(Debug, Serialize)]
pub struct Queue {
    /// Entries of the load/store queue.
    pub capacity: u32,
    /// Instructions in it: warp slot, source line, messages that have not left.
    pub entries: Vec<[u32; 3]>,
    /// Pending loads: warp slot, source line, replies that have not arrived.
    pub loads: Vec<[u32; 3]>,
}

impl Stepper {
    /// Describes the launch, with the warp in focus.
    pub fn view(&self, focus: Focus) -> View {
        let session = &self.session;
        let bits = |mask: u64| (0..64).filter(|slot| mask >> slot & 1 == 1).collect();
        let blocks = session.blocks();
        let block = |block: &sim_core::debug::Block| BlockRow {
            sm: block.sm,
            index: block.index.to_string(),
            slots: bits(block.warps),
        };
        let warps = session.warps();
        let in_sm = warps.iter().filter(|warp| warp.sm == focus.sm);
        View {
            cycle: session.cycle(),
            ended: session.has_ended(),
            retired: session.retired(),
            blocks: blocks.iter().map(block).collect(),
            warps: in_sm.map(|warp| self.row(warp)).collect(),
            warp: session.warp(focus.sm, focus.slot).map(|warp| self.warp(&warp)),
            timeline: timeline(session, &self.words, focus.sm),
            queue: self.queue(focus.sm),
        }
    }

    fn row(&self, warp: &WarpView) -> WarpRow {
        let status = warp.status;
        let cycle = self.session.cycle();
        WarpRow {
            slot: warp.slot,
            block: warp.block_index.to_string(),
            index: warp.index,
            line: self.words.line(warp.pc),
            active: warp.active,
            live: warp.live,
            state: status.map_or("", |status| status.state.label()),
            why: status.map_or(String::new(), |status| {
                self.words
                    .why(&status.why, status.since.max(cycle.saturating_sub(self.session.issue_period())))
            }),
        }
    }

    fn warp(&self, warp: &WarpView) -> Warp {
        let session = &self.session;
        let line = |pc: u32| self.words.line(pc);
        let stack = warp.stack.iter().map(|entry| StackRow {
            mask: entry.mask,
            line: line(entry.pc),
            pc: entry.pc,
            until: (entry.reconv != TO_EXIT).then(|| line(entry.reconv)),
        });
        let missing = |warp: &BarrierWarp| [warp.slot, line(warp.pc)];
        let barriers = session.barriers(warp.block).into_iter().map(|barrier| BarrierRow {
            id: barrier.id,
            count: barrier.count,
            required: barrier.required,
            missing: barrier.missing.iter().map(missing).collect(),
        });
        let shared = session.shared(warp.block).unwrap_or_default();
        let word = |bytes: &[u8]| {
            let word = bytes.iter().rev().fold(0u32, |word, byte| word << 8 | u32::from(*byte));
            format!("{word:08x}")
        };
        Warp {
            text: self.words.text(warp.pc).to_owned(),
            line: line(warp.pc),
            stack: stack.collect(),
            registers: self.registers(warp),
            barriers: barriers.collect(),
            access: session.last_access(warp.sm, warp.slot).map(|access| access_of(&access, &self.words)),
            shared: shared.chunks(4).map(word).collect(),
        }
    }

    fn registers(&self, warp: &WarpView) -> Vec<RegisterRow> {
        let session = &self.session;
        let busy = session.scoreboard(warp.sm, warp.slot);
        let row = |register: Register| {
            let values = session.row(warp.sm, warp.slot, register.kind, register.row)?;
            let (kind, letter, digits) = match register.kind {
                OperandKind::W | OperandKind::Addr => ("word", 'w', 8),
                OperandKind::D => ("double", 'd', 16),
                OperandKind::P => ("predicate", 'p', 1),
            };
            let busy = busy.iter().find(|one| (one.kind, one.row) == (register.kind, register.row));
            let ready = |cycle: Option<u64>| cycle.map_or("pending".to_owned(), |cycle| cycle.to_string());
            Some(RegisterRow {
                name: register.name,
                row: format!("{letter}{}", register.row),
                kind,
                values: values.iter().map(|value| format!("{value:0digits$x}")).collect(),
                line: self.words.line(register.pc),
                changed: register.cycle + session.issue_period() >= session.cycle(),
                busy: busy.map_or(String::new(), |one| ready(one.ready)),
                needed: busy.is_some_and(|one| one.needed),
            })
        };
        session.registers(warp.sm, warp.slot).into_iter().filter_map(row).collect()
    }

    fn queue(&self, sm: u32) -> Queue {
        let Some(queue) = self.session.queue(sm) else {
            return Queue { capacity: 0, entries: Vec::new(), loads: Vec::new() };
        };
        let entry = |entry: &sim_core::debug::QueuedAccess| {
            [entry.slot, self.words.line(entry.pc), entry.left.len() as u32]
        };
        let load = |load: &sim_core::debug::PendingLoad| [load.slot, self.words.line(load.pc), load.replies];
        Queue {
            capacity: queue.capacity,
            entries: queue.entries.iter().map(entry).collect(),
            loads: queue.loads.iter().map(load).collect(),
        }
    }
}

fn timeline(session: &Session<'_>, words: &report::words::Words, sm: u32) -> Timeline {
    let Some(timeline) = session.timeline(sm, SPAN) else {
        return Timeline { from: 0, period: 1, rows: Vec::new() };
    };
    let cell = |cell: &Option<sim_core::debug::Cell>| {
        cell.map_or((-1, false, 0), |cell| (number(cell.state), cell.issues, words.line(cell.pc)))
    };
    let rows = timeline.rows.iter().map(|row| (row.slot, row.cells.iter().map(cell).collect()));
    Timeline { from: timeline.from, period: timeline.period, rows: rows.collect() }
}
