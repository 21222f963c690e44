//! Facts about warps, threads, blocks and SMs.

use super::{Fact, InFocus, Place, Scene, Value, label, time};
use crate::render::number::{count, plural};
use isa::terms::Terms;
use isa::types::Dim3;
use isa::uop::TO_EXIT;
use sim_core::debug::{BarrierView, BarrierWarp, ScoreboardEntry, WarpView};
use sim_core::host::Mode;
use sim_core::stats::WarpState;

/// Title of a column of lanes.
pub const LANES: &str = "lanes 0 to 31";

/// Lanes as a value.
pub fn of_lanes(mask: u32) -> Value {
    Value::Lanes { active: mask, live: u32::MAX }
}

/// A number as a cell.
fn number(name: &str, number: impl Into<u64>) -> Fact {
    Fact::new(name, Value::Number(number.into()))
}

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

impl Scene<'_, '_> {
    /// The kernel that runs, as `info cuda kernels` lists it.
    pub(super) fn kernels(&self) -> Fact {
        let session = self.session;
        let (grid, block) = session.extents();
        let terms = self.words.terms();
        let cells = vec![
            Fact::new("kernel", Value::Number(u64::from(session.launch()).saturating_sub(1))),
            Fact::new("launch", Value::Number(session.launch().into())),
            Fact::new(format!("resident {}s", terms.block), Value::Number(session.blocks().len() as u64)),
            Fact::words(terms.blocks, grid.to_string()),
            Fact::words(terms.block, block.to_string()),
            Fact::words("name", crate::mangled::plain(&session.program().name)),
        ];
        let row = Fact::row("kernel", cells).mark(true);
        Fact { children: vec![row], ..Fact::default() }
    }

    /// The chip, as `info cuda devices` lists it.
    pub(super) fn devices(&self) -> Fact {
        let (session, chip) = (self.session, self.session.chip());
        let terms = self.words.terms();
        let cells = vec![
            Fact::new("device", Value::Number(0)),
            Fact::words("chip", chip.name.clone()),
            Fact::new(format!("{}s", terms.sm), Value::Number(session.sms().into())),
            Fact::new(format!("warps of {}", terms.an_sm), Value::Number(session.warp_slots().into())),
            Fact::new("lanes", Value::Number(32)),
        ];
        let row = Fact::row("device", cells).mark(true);
        Fact { children: vec![row], ..Fact::default() }
    }

    /// Warps of the SM in focus; of all SMs on the interleaved machine, where each has one block.
    pub(super) fn warps(&self) -> Fact {
        let mode = self.session.mode();
        let terms = self.words.terms();
        let row = |warp: WarpView| {
            let WarpView { sm, slot, active, live, .. } = warp;
            let line = if live == 0 { Fact::words("line", "") } else { self.place("line", warp.pc) };
            let state = warp.status.map_or(Fact::words("state", ""), |status| {
                let value = Value::State(status.state, label(status.state, mode));
                let why = self.words.why(&status.why, self.since(&warp));
                let children = if why.is_empty() { Vec::new() } else { vec![Fact::words("why", why)] };
                Fact { children, ..Fact::new("state", value) }
            });
            let cells = vec![
                number("warp", slot),
                Fact::words(terms.block, format!("{}.{}", warp.block_index, warp.index)),
                line,
                Fact::new(LANES, Value::Lanes { active, live }),
                state,
            ];
            let name = format!("warp {slot}");
            Fact::row(name, cells)
                .mark((sm, slot) == (self.focus.sm, self.focus.slot))
                .at(Place::Warp { sm, slot })
        };
        let sm = self.focus.sm;
        let all = self.session.is_scheduled();
        let of_sm = self.session.warps().into_iter().filter(|warp| all || warp.sm == sm);
        let heading = match mode {
            Mode::Timed => format!("{} {sm}, {}", terms.sm, time(self.session)),
            Mode::Functional => time(self.session),
        };
        Fact::group("warps", heading, of_sm.map(row).collect())
    }

    /// The cycle at which the reason of a state is described.
    fn since(&self, warp: &WarpView) -> u64 {
        let since = warp.status.map_or(0, |status| status.since);
        self.session.cycle().saturating_sub(1).max(since)
    }

    /// Threads of the resident blocks. Consecutive threads at the same line have one row.
    pub(super) fn threads(&self) -> Fact {
        let (_, extents) = self.session.extents();
        let Terms { thread: word, block: group, sm, .. } = self.words.terms();
        let mut warps = self.session.warps();
        warps.sort_by_key(|warp| (warp.block, warp.index));
        let mut runs: Vec<Run> = Vec::new();
        for warp in &warps {
            for lane in 0..32 {
                let number = u64::from(32 * warp.index + lane);
                if number >= extents.count() {
                    break;
                }
                let (block, pc) = (warp.block_index, pc_of(warp, lane));
                let is_here = self.focus == InFocus { sm: warp.sm, slot: warp.slot, lane };
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
        let row = |run: Run| {
            let line = match run.pc {
                Some(pc) => self.place("line", pc),
                None => Fact::new("line", Value::Line("exited".to_owned())),
            };
            let cells = vec![
                Fact::words(*group, run.block.to_string()),
                Fact::words(*word, thread(extents, run.first)),
                Fact::words(format!("to {word}"), thread(extents, run.last)),
                Fact::new("count", Value::Count(run.last - run.first + 1)),
                number(&sm.to_lowercase(), run.sm),
                line,
            ];
            Fact::row(format!("{group} {}", run.block), cells).mark(run.in_focus)
        };
        if runs.is_empty() {
            return Fact::words(format!("{word}s"), format!("No {word} is resident."));
        }
        Fact::group(format!("{word}s"), "", runs.into_iter().map(row).collect())
    }

    /// Lanes of the warp in focus.
    pub(super) fn lanes(&self) -> Fact {
        self.of_warp("lanes", |scene, warp| {
            let (_, block) = scene.session.extents();
            let first = u64::from(32 * warp.index);
            let row = |lane: u32| {
                let state = match (warp.active >> lane & 1, warp.live >> lane & 1) {
                    (1, _) => "active",
                    (_, 1) => "inactive",
                    _ => "exited",
                };
                let name = scene.words.terms().thread;
                let thread = Fact::words(name, thread(block, first + u64::from(lane)));
                let cells = vec![number("lane", lane), thread, Fact::words("state", state)];
                Fact::row(format!("lane {lane}"), cells).mark(lane == scene.focus.lane)
            };
            let lanes = (0..32).take_while(|lane| first + u64::from(*lane) < block.count());
            Fact::group("lanes", "", lanes.map(row).collect())
        })
    }

    /// Resident blocks.
    pub(super) fn blocks(&self) -> Fact {
        let Terms { block: word, sm, .. } = self.words.terms();
        let row = |block: sim_core::debug::Block| {
            let cells = vec![
                number(&sm.to_lowercase(), block.sm),
                Fact::words(*word, block.index.to_string()),
                number("warps", block.warps.count_ones()),
                number("running", block.live.count_ones()),
                Fact::new("since cycle", Value::Count(block.since)),
            ];
            Fact::row(format!("{word} {}", block.index), cells)
        };
        let (grid, _) = self.session.extents();
        let ended = count(self.session.retired());
        let mut all: Vec<Fact> = self.session.blocks().into_iter().map(row).collect();
        all.push(Fact::words("", format!("{ended} of {} {word}s have ended", count(grid.count()))));
        Fact::group(format!("{word}s"), "", all)
    }

    /// SMs with their resident blocks and warps.
    pub(super) fn sms(&self) -> Fact {
        let blocks = self.session.blocks();
        let Terms { block, sm: word, .. } = self.words.terms();
        let row = |sm: u32| {
            let of_sm = || blocks.iter().filter(|block| block.sm == sm);
            let warps: u32 = of_sm().map(|block| block.live.count_ones()).sum();
            let cells = vec![
                number(&word.to_lowercase(), sm),
                number(&format!("{block}s"), of_sm().count() as u64),
                number("warps", warps),
            ];
            Fact::row(format!("{word} {sm}"), cells)
        };
        Fact::group(format!("{word}s"), "", (0..self.session.sms()).map(row).collect())
    }

    /// Returns the state of a warp and its reason in words.
    pub fn state(&self, warp: &WarpView) -> String {
        let Some(status) = warp.status else { return "has not been scheduled".to_owned() };
        let mode = self.session.mode();
        let name = label(status.state, mode);
        let why = self.words.why(&status.why, self.since(warp));
        let is_ready = mode == Mode::Functional && status.state == WarpState::NotSelected;
        if why.is_empty() || is_ready { name.to_owned() } else { format!("{name} ({why})") }
    }

    /// Time, state, lanes and place of the warp in focus.
    pub(super) fn warp(&self) -> Fact {
        self.of_warp("warp", |scene, warp| {
            let loads: Vec<String> =
                warp.pending.iter().map(|load| format!("line {}", scene.words.place(load.pc))).collect();
            let loads = if loads.is_empty() { "none".to_owned() } else { loads.join(", ") };
            let Terms { block, sm, .. } = scene.words.terms();
            let all = vec![
                Fact::words("time", time(scene.session)),
                Fact::words("state", scene.state(warp)),
                Fact::new("active lanes", of_lanes(warp.active)),
                Fact::new("lanes that have not exited", of_lanes(warp.live)),
                Fact::words("pending loads", loads),
                Fact::words(*block, warp.block_index.to_string()),
                number(&format!("warp in the {block}"), warp.index),
                number(sm, warp.sm),
                number("warp slot", warp.slot),
            ];
            Fact::group("warp", "", all)
        })
    }

    /// State of the warp in focus, and what it waits for.
    pub(super) fn why(&self) -> Fact {
        self.of_warp("state", |scene, warp| {
            let session = scene.session;
            let mut all = Vec::new();
            let status = warp.status;
            let wait = session.wait(warp.sm, warp.slot);
            if let Some(status) = status.filter(|_| session.mode() == Mode::Timed) {
                let mut since = format!("cycle {}", count(status.since));
                if let Some(until) = wait.as_ref().and_then(|wait| wait.until) {
                    since.extend([", until cycle ", &count(until)]);
                }
                all.push(Fact::words("in this state since", since));
            }
            if let Some(status) = status.filter(|one| one.state != WarpState::Exited && warp.live != 0) {
                let (name, pc) = if status.state == WarpState::Issuing {
                    ("issued", status.pc)
                } else {
                    ("next", warp.pc)
                };
                all.push(scene.instruction(name, pc));
                let wait = wait.into_iter();
                all.extend(wait.clone().flat_map(|wait| wait.registers).map(|one| scene.needed(one)));
                let load = |load: sim_core::debug::PendingLoad| {
                    let replies = if load.replies == 1 { "reply" } else { "replies" };
                    let line = scene.words.place(load.pc);
                    Fact::words("load", format!("line {line} waits for {} {replies}", load.replies))
                };
                all.extend(wait.clone().flat_map(|wait| wait.loads).map(load));
                all.extend(wait.filter_map(|wait| wait.barrier).flat_map(|one| scene.missing(&one)));
            }
            Fact::group("state", scene.state(warp), all)
        })
    }

    /// An instruction: its line and its text.
    pub(super) fn instruction(&self, name: &str, pc: u32) -> Fact {
        let text = format!("line {}: {}", self.words.place(pc), self.words.text(pc));
        Fact::words(name, text).at(Place::Line(self.words.line(pc)))
    }

    /// A register that the next instruction needs.
    fn needed(&self, register: ScoreboardEntry) -> Fact {
        let by = register.producer.map_or(String::new(), |by| {
            format!(" of line {}, issued in cycle {}", self.words.place(by.pc), count(by.cycle))
        });
        let name = register.name.unwrap_or_else(|| "an intermediate value".to_owned());
        let ready = match register.ready {
            Some(ready) => format!("usable from cycle {}", count(ready)),
            None => "pending in memory".to_owned(),
        };
        Fact::words("needs", format!("{name}{by}: {ready}"))
    }

    /// The warps that have not arrived at a barrier.
    fn missing(&self, barrier: &BarrierView) -> Vec<Fact> {
        let BarrierView { id, count, required, missing, .. } = barrier;
        let all = plural((*required).into(), "warp");
        let arrived = Fact::words(format!("barrier {id}"), format!("{count} of {all} have arrived"));
        let warp = |warp: &BarrierWarp| {
            let place = Place::Line(self.words.line(warp.pc));
            Fact::words("missing", format!("warp {}, at line {}", warp.index, self.words.place(warp.pc)))
                .at(place)
        };
        std::iter::once(arrived).chain(missing.iter().map(warp)).collect()
    }

    /// The reconvergence stack of the warp in focus, the running entry first.
    pub(super) fn stack(&self) -> Fact {
        self.of_warp("stack", |scene, warp| {
            if warp.stack.is_empty() {
                return Fact::words("stack", "The stack is empty: all lanes have exited.");
            }
            let row = |(i, entry): (usize, &sim_core::observe::Entry)| {
                let until = match entry.reconv {
                    TO_EXIT => Fact::words("reconverges at", "exit"),
                    pc => Fact::words("reconverges at", format!("line {}", scene.words.place(pc)))
                        .at(Place::Line(scene.words.line(pc))),
                };
                let what = if i == 0 { "running" } else { "waiting" };
                let lanes = Fact::new(LANES, of_lanes(entry.mask));
                let cells = vec![Fact::words("", what), lanes, scene.place("line", entry.pc), until];
                Fact::row(if i == 0 { what.to_owned() } else { format!("{what} {i}") }, cells)
            };
            Fact::group("stack", "", warp.stack.iter().rev().enumerate().map(row).collect())
        })
    }

    /// The current line.
    pub(super) fn line(&self) -> Fact {
        self.of_warp("line", |scene, warp| {
            let (file, line) = scene.words.source_line(warp.pc);
            let place = Place::Line(scene.words.line(warp.pc));
            Fact::words("line", format!("{file}:{line}\t{}", scene.words.text(warp.pc))).at(place)
        })
    }

    /// Barriers of the block in focus at which warps have arrived.
    pub(super) fn barrier(&self) -> Fact {
        self.of_warp("barriers", |scene, warp| {
            let (word, block) = (scene.words.terms().block, warp.block_index);
            let barriers = scene.session.barriers(warp.block);
            if barriers.is_empty() {
                let text = format!("No warp of {word} {block} has arrived at a barrier.");
                return Fact::words("barriers", text);
            }
            let one = |BarrierView { id, count, required, arrived, missing, .. }: BarrierView| {
                let row = |what: &str, one: BarrierWarp| {
                    let cells = vec![
                        Fact::words("", what),
                        number("warp", one.index),
                        number("slot", one.slot),
                        scene.place("line", one.pc),
                        Fact::new(LANES, of_lanes(one.lanes)),
                    ];
                    Fact::row(format!("warp {}", one.index), cells)
                };
                let arrived = arrived.into_iter().map(|one| row("arrived", one));
                let rows = arrived.chain(missing.into_iter().map(|one| row("missing", one))).collect();
                let heading =
                    format!("Barrier {id} of {word} {block}: {count} of {required} warps have arrived");
                Fact::group(format!("barrier {id}"), heading, rows)
            };
            Fact::group("barriers", "", barriers.into_iter().map(one).collect())
        })
    }
}

/// Returns the index of thread `number` of a block with these extents.
pub fn thread(block: Dim3, number: u64) -> String {
    let (x, y) = (u64::from(block.x), u64::from(block.y));
    format!("({},{},{})", number % x, number / x % y, number / x / y)
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
