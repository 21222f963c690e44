//! Words of traces and of the debugger: instructions, and the reasons for waits.

use crate::render::number::plural;
use isa::source::{Files, Place};
use isa::terms::Terms;
use isa::uop::issue::issues;
use isa::uop::{MemoryKind, MemorySpace, Program, TO_EXIT};
use sim_core::config::Chip;
use sim_core::observe::Entry;
use sim_core::observe::{Issued, Launched, Origin, Why};

/// Names of the instructions and units of one launch.
#[derive(Debug, Default)]
pub struct Words {
    /// Source line and PTX text of each instruction.
    code: Vec<(u32, String)>,
    files: Files,
    units: Vec<String>,
    /// Shader cycles of an issue cycle.
    pub period: u64,
}

impl Words {
    /// Returns the names of a launch.
    pub fn new(launch: &Launched<'_>) -> Self {
        Self::of(launch.program, launch.chip)
    }

    /// Returns the names of a program on a chip.
    pub fn of(program: &Program, chip: &Chip) -> Self {
        let sm = &chip.sm;
        let code = instructions(program);
        Self {
            code,
            files: program.source.files().clone(),
            units: sm.units.iter().map(|unit| unit.name.clone()).collect(),
            period: u64::from(sm.issue_period).max(1),
        }
    }

    /// Returns the source line of an instruction.
    pub fn line(&self, pc: u32) -> u32 {
        self.code.get(pc as usize).map_or(0, |(line, _)| *line)
    }

    /// Returns the source line of an instruction, for texts: with its file if there are several.
    pub fn place(&self, pc: u32) -> Place<'_> {
        self.files.place(self.line(pc))
    }

    /// Returns the file of an instruction, and its line in that file.
    pub fn source_line(&self, pc: u32) -> (&str, u32) {
        self.files.at(self.line(pc)).map_or(("", 0), |(file, line)| (&file.name, line))
    }

    /// Returns the files of the program.
    pub fn files(&self) -> &Files {
        &self.files
    }

    /// Returns the words of the language of the program.
    pub fn terms(&self) -> &'static Terms {
        Terms::of(&self.files)
    }

    /// Returns the PTX text of an instruction, on one line.
    pub fn text(&self, pc: u32) -> &str {
        self.code.get(pc as usize).map_or("(end of the kernel)", |(_, text)| text)
    }

    /// Returns opcode and types of an instruction, without guard and operands.
    pub fn opcode(&self, pc: u32) -> &str {
        self.text(pc).split(' ').find(|word| !word.starts_with('@')).unwrap_or("")
    }

    /// Reason for the state of a warp in cycle `cycle`; empty if the state needs no reason.
    pub fn why(&self, why: &Why, cycle: u64) -> String {
        let line =
            |origin: &Option<Origin>| self.files.place(origin.map_or(0, |origin| self.line(origin.pc)));
        match why {
            Why::Issued(issued) => self.issued(issued, cycle),
            Why::Taken { by } => format!("the scheduler serves warp {by}"),
            Why::LeftEmpty => "the scheduling policy left the slot empty".to_owned(),
            Why::Unit { unit, user, free } => {
                let name = self.units.get(usize::from(*unit)).map_or("", String::as_str);
                let Origin { warp, pc, .. } = user;
                format!("unit {name} is busy with line {} of warp {warp} until {free}", self.place(*pc))
            }
            Why::QueueFull => "the load/store queue is full".to_owned(),
            Why::Fetch { after, until } => {
                let after =
                    after.map_or("start of the warp".to_owned(), |_| format!("after line {}", line(after)));
                match until {
                    Some(until) => format!("{after}, until {until}"),
                    None => format!("{after}, waits for code that is missing in the instruction cache"),
                }
            }
            Why::Register { producer, ready } => {
                let whose = producer.map_or("a value".to_owned(), |Origin { pc, cycle, .. }| {
                    format!("line {}, issued at {cycle}", self.place(pc))
                });
                match ready {
                    Some(ready) => format!("waits for {whose}: usable at {ready}"),
                    None => format!("waits for {whose}: pending in memory"),
                }
            }
            Why::Barrier { at, until: Some(until), .. } => {
                format!("barrier of line {} is complete, continues at {until}", line(at))
            }
            Why::Barrier { at, id, arrived, live, .. } => {
                let id = id.map_or(String::new(), |id| format!(" {id}"));
                let all = plural((*live).into(), "warp");
                format!("barrier{id} of line {}: {arrived} of {all} arrived", line(at))
            }
            Why::Fence { answers: 0, queued: 0 } => "the fence is complete".to_owned(),
            Why::Fence { answers: 0, queued } => {
                format!("{} in the load/store queue", plural((*queued).into(), "instruction"))
            }
            Why::Fence { answers, .. } => format!("waits for {}", plural((*answers).into(), "answer")),
            Why::Exited { live: 0, loads: 0 } => format!("its {} ends", self.terms().block),
            Why::Exited { live, loads } => {
                let (number, what) = if *live == 0 { (loads, "pending load") } else { (live, "warp") };
                format!("waits for {} of its {}", plural((*number).into(), what), self.terms().block)
            }
            Why::Trapped => "stopped by a trap".to_owned(),
        }
    }

    /// Slot number and guard of an issuing instruction.
    fn issued(&self, issued: &Issued, cycle: u64) -> String {
        let Issued { origin, held, replay, .. } = issued;
        let (slot, slots) = ((cycle - origin.cycle) / self.period, issued.slots());
        let mut parts = Vec::new();
        if slots > 1 {
            let what = match slot {
                _ if slot <= *held => "",
                _ if slot <= held + replay => ", replay for bank conflicts",
                _ => ", replay for other addresses of constant memory",
            };
            parts.push(format!("slot {} of {slots}{what}", slot + 1));
        }
        parts.extend(guard(issued));
        parts.join("; ")
    }
}

/// The guard of an instruction, if it is false for some lanes.
pub fn guard(issued: &Issued) -> Option<String> {
    let Issued { lanes, guarded, .. } = issued;
    match guarded {
        _ if guarded == lanes => None,
        0 => Some("guard false for all lanes".to_owned()),
        guarded => Some(format!("guard true for lanes {guarded:08x}")),
    }
}

/// The transactions of a memory access, if there are any.
pub fn transactions(issued: &Issued) -> Option<String> {
    (issued.transactions > 0).then(|| plural(u64::from(issued.transactions), "transaction"))
}

/// Formats a reconvergence stack, the running entry first.
pub fn stack(entries: &[Entry]) -> String {
    if entries.is_empty() {
        return "empty: all lanes have exited".to_owned();
    }
    let until = |entry: &Entry| match entry.reconv {
        TO_EXIT => "exit".to_owned(),
        pc => format!("pc {pc}"),
    };
    let one = |(i, e): (usize, &Entry)| {
        let verb = if i == 0 { "runs" } else { "waits" };
        format!("{:08x} {verb} at pc {} until {}", e.mask, e.pc, until(e))
    };
    entries.iter().rev().enumerate().map(one).collect::<Vec<_>>().join(", ")
}

/// Line and text of the instruction of each micro-op. The texts of fused instructions follow `+`.
fn instructions(program: &Program) -> Vec<(u32, String)> {
    let mut all = Vec::with_capacity(program.code.len());
    for issue in issues(&program.code) {
        let (line, mut text) = ptx(program, issue.main);
        for fused in (issue.first..issue.end).filter(|pc| *pc != issue.main) {
            text += " + ";
            text += &ptx(program, fused).1;
        }
        all.extend(vec![(line, text); issue.end - issue.first]);
    }
    all
}

/// Source line and text of the PTX instruction from which the micro-op at `pc` was compiled, with
/// single spaces.
fn ptx(program: &Program, pc: usize) -> (u32, String) {
    let line = program.lines.get(pc).copied().unwrap_or(0);
    let words: Vec<&str> = program.ptx_text(pc as u32).split_whitespace().collect();
    (line, words.join(" ").trim_end_matches([';', ' ']).to_owned())
}

/// Returns the word for a kind of access; all atomics have the same one.
pub fn access_kind(kind: MemoryKind) -> &'static str {
    match kind {
        MemoryKind::Load => "load",
        MemoryKind::Store => "store",
        MemoryKind::Atomic | MemoryKind::Cas | MemoryKind::Reduction => "atomic",
    }
}

/// Returns the word for a state space.
pub fn memory_space(space: MemorySpace, terms: &Terms) -> &'static str {
    match space {
        MemorySpace::Shared if terms.is_opencl() => "local",
        MemorySpace::Local if terms.is_opencl() => "private",
        MemorySpace::Param => "parameter",
        MemorySpace::Const => "constant",
        MemorySpace::Shared => "shared",
        MemorySpace::Global => "global",
        MemorySpace::Local => "local",
        MemorySpace::Generic => "generic",
    }
}
