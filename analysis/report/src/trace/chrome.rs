//! The trace as Chrome trace events in JSON, for Perfetto: a process for each SM, a track for each
//! warp slot, and blocks and loads as asynchronous slices. One microsecond of the file is one
//! shader cycle.

use super::text::Names;
use super::{Sink, Writer};
use crate::words::stack;
use serde_json::{Value, json};
use sim_core::observe::{Event, Launched, Watch, What, Why};
use sim_core::stats::WarpState;
use std::collections::BTreeMap;
use std::fmt::Write;

/// First number of a load, which is larger than all block numbers.
const LOADS: u64 = 1 << 40;

/// An open slice.
#[derive(Debug)]
struct Slice {
    start: u64,
    pc: u32,
    lanes: u32,
    state: WarpState,
    why: Why,
    values: Option<String>,
}

/// The writer.
#[derive(Debug, Default)]
pub struct Chrome {
    names: Names,
    /// Whether the list already has an element.
    comma: bool,
    /// Open slices by SM and warp slot.
    open: BTreeMap<(u32, u32), Slice>,
    /// Resident blocks with their SM and name.
    blocks: BTreeMap<u64, (u32, String)>,
    loads: u64,
    /// A load that has returned, before its values.
    returned: Option<Returned>,
}

/// Number, end, SM and name of a load.
type Returned = (u64, u64, u32, String);

impl Chrome {
    fn add(&mut self, event: &Value, out: &mut String) {
        out.push_str(if self.comma { ",\n" } else { "\n" });
        self.comma = true;
        out.push_str(&event.to_string());
    }

    /// Ends the slice of a warp slot at cycle `end`.
    fn close(&mut self, sm: u32, warp: u32, end: u64, out: &mut String) {
        let Some(slice) = self.open.remove(&(sm, warp)) else { return };
        let Slice { start, pc, lanes, state, why, values } = slice;
        if start >= end {
            return;
        }
        let words = &self.names.words;
        let issuing = state == WarpState::Issuing;
        let name = if issuing { words.opcode(pc) } else { state.label() };
        let mut args = json!({
            "pc": pc,
            "line": words.line(pc),
            "instruction": words.text(pc),
            "mask": format!("0x{lanes:08x}"),
            "lanes": lanes.count_ones(),
            "state": state.label(),
        });
        if let Why::Issued(issued) = why {
            args["guarded_mask"] = format!("0x{:08x}", issued.guarded).into();
            args["slots_held"] = issued.held.into();
            args["slots_replayed"] = (issued.replay + issued.constant).into();
            args["transactions"] = issued.transactions.into();
        } else {
            args["reason"] = words.why(&why, start).into();
        }
        if let Some(values) = values {
            args["values"] = values.into();
        }
        let slice = json!({
            "ph": "X", "pid": sm, "tid": warp, "ts": start, "dur": end - start, "name": name,
            "cat": if issuing { "issue" } else { "wait" }, "args": args,
        });
        self.add(&slice, out);
    }

    /// Adds the begin or end event of an asynchronous slice.
    fn mark(&mut self, phase: &str, category: &str, id: u64, at: (u64, u32), name: &str, out: &mut String) {
        let (ts, sm) = at;
        let id = format!("0x{id:x}");
        let event =
            json!({ "ph": phase, "cat": category, "id": id, "pid": sm, "tid": 0, "ts": ts, "name": name });
        self.add(&event, out);
    }

    /// Ends the load that has returned.
    fn end_load(&mut self, values: Option<String>, out: &mut String) {
        let Some((id, ts, sm, name)) = self.returned.take() else { return };
        let mut event = json!({
            "ph": "e", "cat": "load", "id": format!("0x{id:x}"), "pid": sm, "tid": 0, "ts": ts, "name": name,
        });
        if let Some(values) = values {
            event["args"] = json!({ "values": values });
        }
        self.add(&event, out);
    }
}

impl Writer for Chrome {
    fn begin(&mut self, launch: &Launched<'_>, watch: &Watch, out: &mut Sink) {
        let out = out.buffer();
        self.names = Names::new(launch, watch);
        let header = json!({
            "kernel": launch.program.name,
            "file": launch.program.source.name,
            "chip": launch.chip.name,
            "launch": launch.number,
            "grid": launch.grid.to_string(),
            "block": launch.block.to_string(),
            "time_unit": "1 us of this file is 1 shader cycle",
            "issue_cycle": self.names.words.period,
        });
        let _ = write!(out, "{{\"otherData\":{header},\n\"traceEvents\":[");
        let word = self.names.words.terms().sm;
        for sm in watch.sms.clone() {
            let name = json!({ "name": format!("{word} {sm}") });
            self.add(&json!({ "ph": "M", "pid": sm, "name": "process_name", "args": name }), out);
            for warp in watch.warps.clone() {
                let name = json!({ "name": format!("warp slot {warp}") });
                let event = json!({ "ph": "M", "pid": sm, "tid": warp, "name": "thread_name", "args": name });
                self.add(&event, out);
            }
        }
    }

    fn event(&mut self, event: &Event, out: &mut Sink) {
        let out = out.buffer();
        let Event { cycle, sm, what } = event;
        if !matches!(what, What::Written { .. }) {
            self.end_load(None, out);
        }
        match what {
            What::BlockStarted { block, ctaid, since, .. } => {
                let name = format!("{} {block}, index {ctaid}", self.names.words.terms().block);
                self.mark("b", "block", *block, (*since, *sm), &name, out);
                self.blocks.insert(*block, (*sm, name));
            }
            What::BlockRetired { block, warps } => {
                for warp in (0..64).filter(|warp| warps >> warp & 1 == 1) {
                    self.close(*sm, warp, *cycle, out);
                }
                if let Some((sm, name)) = self.blocks.remove(block) {
                    self.mark("e", "block", *block, (*cycle, sm), &name, out);
                }
            }
            What::State { warp, pc, lanes, state, why } => {
                self.close(*sm, *warp, *cycle, out);
                let slice =
                    Slice { start: *cycle, pc: *pc, lanes: *lanes, state: *state, why: *why, values: None };
                self.open.insert((*sm, *warp), slice);
            }
            What::Stack { warp, entries } => {
                let args = json!({ "stack": stack(entries) });
                let event = json!({
                    "ph": "i", "s": "t", "pid": sm, "tid": warp, "ts": cycle, "name": "stack", "cat": "stack",
                    "args": args,
                });
                self.add(&event, out);
            }
            What::LoadCompleted { load, usable, .. } => {
                let name = format!("load of line {}, warp {}", self.names.words.place(load.pc), load.warp);
                let id = LOADS + self.loads;
                self.loads += 1;
                self.mark("b", "load", id, (load.cycle, *sm), &name, out);
                self.returned = Some((id, *usable, *sm, name));
            }
            What::Written { by, lanes, rows } => {
                let values = self.names.values.text(by.pc, *lanes, rows);
                if by.cycle != *cycle {
                    self.end_load(values, out);
                } else if let Some(slice) = self.open.get_mut(&(*sm, by.warp)) {
                    slice.values = values;
                }
            }
        }
    }

    fn end(&mut self, end: u64, out: &mut Sink) -> u64 {
        let (complete, out) = (end, out.buffer());
        self.end_load(None, out);
        // The state at the beginning of an issue cycle is counted for the whole issue cycle.
        let end = end.next_multiple_of(self.names.words.period);
        for (sm, warp) in self.open.keys().copied().collect::<Vec<_>>() {
            self.close(sm, warp, end, out);
        }
        for (block, (sm, name)) in std::mem::take(&mut self.blocks) {
            self.mark("e", "block", block, (end, sm), &name, out);
        }
        out.push_str("\n]}\n");
        complete
    }
}
