//! Facts about the memory side: the scoreboard, the load/store queue, the last access of a warp,
//! and the variables in memory.

use super::registers::row_name;
use super::warps::{LANES, of_lanes};
use super::{Fact, Scene, Value, time};
use crate::render::number::{count, plural};
use crate::words::{access_kind, memory_space};
use isa::terms::{Terms, capital};
use sim_core::debug::{
    AccessView, BankView, Message, PendingLoad, QueuedAccess, ScoreboardEntry, Transaction,
};
use sim_core::host::Mode;

/// Messages of one instruction that the queue lists.
const MESSAGES: usize = 4;

/// An amount as a cell.
fn amount(name: &str, number: impl Into<u64>) -> Fact {
    Fact::new(name, Value::Count(number.into()))
}

impl Scene<'_, '_> {
    /// Registers of the warp in focus whose values cannot be used.
    pub(super) fn scoreboard(&self) -> Fact {
        self.of_warp("busy registers", |scene, warp| {
            let entries = scene.session.scoreboard(warp.sm, warp.slot);
            if entries.is_empty() {
                return Fact::words("busy registers", "All registers of the warp can be used.");
            }
            let is_needed = entries.iter().any(|entry| entry.needed);
            let row = |entry: ScoreboardEntry| {
                let ready = entry.ready.map_or("pending in memory".to_owned(), count);
                let by = entry.producer.map_or(Fact::words("computed by", ""), |by| {
                    let words = format!("line {}, issued at {}", scene.words.place(by.pc), count(by.cycle));
                    Fact::words("computed by", words)
                });
                let name = entry.name.unwrap_or_else(|| row_name(entry.kind, entry.row));
                let cells = vec![
                    Fact::words("register", name.clone()),
                    Fact::words("usable from cycle", ready),
                    by,
                    Fact::new("wait of its readers", Value::State(entry.wait, entry.wait.label())),
                ];
                Fact::row(name, cells).mark(entry.needed)
            };
            let mut all: Vec<Fact> = entries.into_iter().map(row).collect();
            if is_needed {
                all.push(Fact::words("", "* the next instruction needs it"));
            }
            let heading = format!("Busy registers at {}:", time(scene.session));
            Fact::group("busy registers", heading, all)
        })
    }

    /// The load/store queue, the pending loads and the MSHRs of the L1 of the SM in focus.
    pub(super) fn queue(&self) -> Fact {
        let sm = self.focus.sm;
        let Some(queue) = self.session.queue(sm) else { return Fact::default() };
        let entry = |entry: QueuedAccess| {
            let address = |message: &Message| format!("{:#x}", message.address);
            let mut left: Vec<String> = entry.left.iter().take(MESSAGES).map(address).collect();
            if entry.left.len() > MESSAGES {
                left.push(format!("and {} more", entry.left.len() - MESSAGES));
            }
            let cells = vec![
                Fact::new("warp", Value::Number(entry.slot.into())),
                self.place("line", entry.pc),
                Fact::words("kind", entry.kind.label()),
                amount("ready at", entry.ready),
                amount("sent", entry.sent),
                Fact::words("left: lowest address", left.join(" ")),
            ];
            Fact::row(format!("warp {}", entry.slot), cells)
        };
        let load = |load: PendingLoad| {
            let cells = vec![
                Fact::new("warp", Value::Number(load.slot.into())),
                self.place("line", load.pc),
                amount("issued at", load.issued),
                amount("replies left", load.replies),
            ];
            Fact::row(format!("warp {}", load.slot), cells)
        };
        let heading = format!(
            "{} {sm}, {}: {} of {} entries of the load/store queue in use",
            self.words.terms().sm,
            time(self.session),
            queue.entries.len(),
            queue.capacity
        );
        let loads = match queue.loads.len() as u64 {
            0 => "none".to_owned(),
            number => plural(number, "pending load"),
        };
        let mut all: Vec<Fact> = queue.entries.into_iter().map(entry).collect();
        all.push(Fact::group("pending loads", loads, queue.loads.into_iter().map(load).collect()));
        if let Some(l1) = queue.l1 {
            let heading = format!("{} of {} MSHRs in use", l1.lines.len(), l1.capacity);
            let fill = |fill: &sim_core::debug::Fill| {
                let poisoned = if fill.poisoned { ", poisoned by a store" } else { "" };
                let waiting = plural(fill.waiting.into(), "message");
                Fact::words(format!("line {:#010x}", fill.address), format!("{waiting} wait{poisoned}"))
            };
            all.push(Fact::group("MSHRs of the L1", heading, l1.lines.iter().map(fill).collect()));
        }
        Fact::group("queue", heading, all)
    }

    /// The last memory access of the warp in focus.
    pub(super) fn access(&self) -> Fact {
        self.of_warp("access", |scene, warp| {
            let Some(access) = scene.session.last_access(warp.sm, warp.slot) else {
                return Fact::words("access", "The warp has not accessed memory.");
            };
            let AccessView { pc, cycle, kind, space, bytes, lanes, ref addresses, .. } = access;
            let (kind, space) = (access_kind(kind), memory_space(space, scene.words.terms()));
            let when = match scene.session.mode() {
                Mode::Functional => format!("after {} warp instructions", count(cycle)),
                Mode::Timed => format!("at shader cycle {}", count(cycle)),
            };
            let line = scene.words.place(pc);
            let heading = format!("line {line}, issued {when}: {}", scene.words.text(pc));
            let all = plural(lanes.count_ones().into(), "lane");
            let bank = |lane: usize| {
                let banks = access.banks.as_ref().filter(|banks| banks.lanes >> lane & 1 == 1)?;
                Some(amount("bank", banks.of_lane[lane]))
            };
            let address = |lane: usize| {
                let one = Fact::new(format!("lane {lane:>2}"), Value::Address(addresses[lane]));
                Fact { children: bank(lane).into_iter().collect(), ..one }
            };
            let each = (0..32).filter(|lane| lanes >> lane & 1 == 1).map(address).collect();
            let text = format!("{space} {kind} of {} by {all}", plural(bytes.into(), "byte"));
            let mut all = vec![Fact::group("addresses", text, each)];
            all.extend((!access.transactions.is_empty()).then(|| transactions(&access)));
            all.extend(access.banks.as_ref().map(bank_conflicts));
            Fact::group("access", heading, all)
        })
    }

    /// Variables in the shared memory of the block in focus.
    pub(super) fn shared(&self) -> Fact {
        let Terms { block, shared, .. } = self.words.terms();
        self.of_warp(shared, |scene, warp| {
            let bytes = scene.session.shared(warp.block).map_or(0, <[u8]>::len);
            let heading =
                format!("{} of {block} {}: {} bytes", capital(shared), warp.block_index, count(bytes as u64));
            let row = |variable: &isa::uop::Symbol| {
                let cells = vec![
                    Fact::words("address", format!("{:#06x}", variable.offset)),
                    amount("bytes", variable.bytes),
                    Fact::words("name", variable.name.clone()),
                ];
                Fact::row(variable.name.clone(), cells)
            };
            Fact::group(*shared, heading, scene.session.program().shared.iter().map(row).collect())
        })
    }

    /// Allocations of global memory.
    pub(super) fn global(&self) -> Fact {
        let row = |one: &sim_core::debug::Allocation| {
            let name = one.name.as_deref().unwrap_or("");
            let cells = vec![
                Fact::new("address", Value::Address(one.start)),
                amount("bytes", one.end() - u64::from(one.start)),
                Fact::words("name", name),
            ];
            Fact::row(format!("{:#010x}", one.start), cells)
        };
        Fact::group("global memory", "", self.session.allocations().iter().map(row).collect())
    }
}

fn transactions(access: &AccessView) -> Fact {
    let verdict = if access.is_uncoalesced() { "uncoalesced" } else { "coalesced" };
    let heading = format!(
        "{verdict}: {}, at least {} for an aligned access to consecutive words",
        plural(access.transactions.len() as u64, "transaction"),
        access.fewest
    );
    let moved = format!(
        "{} requested, {} transferred",
        plural(access.requested().into(), "byte"),
        plural(access.transferred().into(), "byte")
    );
    // Lanes of an uncoalesced group have separate transactions, often of one segment.
    let mut rows: Vec<(Transaction, u32)> = Vec::new();
    for one in &access.transactions {
        let same = |(row, _): &&mut (Transaction, u32)| Transaction { lanes: row.lanes, ..*one } == *row;
        match rows.iter_mut().find(same) {
            Some((row, times)) => {
                row.lanes |= one.lanes;
                *times += 1;
            }
            None => rows.push((*one, 1)),
        }
    }
    let row = |(one, times): (Transaction, u32)| {
        let cells = vec![
            Fact::new("segment", Value::Address(one.address)),
            amount("bytes", one.span),
            amount("moved", one.bytes),
            amount("times", times),
            Fact::new(LANES, of_lanes(one.lanes)),
        ];
        Fact::row(format!("{:#x}", one.address), cells)
    };
    let all = std::iter::once(Fact::words("", moved)).chain(rows.into_iter().map(row));
    Fact::group("transactions", heading, all.collect())
}

/// The lanes of each bank, group by group.
fn bank_conflicts(view: &BankView) -> Fact {
    let verdict = if view.has_conflict() { "bank conflict" } else { "no bank conflict" };
    let rounds = if view.rounds > 1 { format!(", {} rounds", view.rounds) } else { String::new() };
    let passes = if view.passes == 1 { "pass" } else { "passes" };
    let heading = format!("{verdict}: {} {passes}, {} without conflicts{rounds}", view.passes, view.fewest);
    let of_group = |first: u32| {
        let of_bank = |bank: u32| {
            let lanes = (first..first + view.group).filter(|lane| view.lanes >> lane & 1 == 1);
            let own = lanes.filter(|lane| view.of_lane[*lane as usize] == bank);
            let own: Vec<String> = own.map(|lane| lane.to_string()).collect();
            (!own.is_empty()).then(|| format!("{bank}:{}", own.join("+")))
        };
        let used: Vec<String> = (0..view.banks).filter_map(of_bank).collect();
        let name = format!("lanes {first} to {}, bank:lanes", first + view.group - 1);
        (!used.is_empty()).then(|| Fact::words(name, used.join(" ")))
    };
    Fact::group("banks", heading, (0..32).step_by(view.group as usize).filter_map(of_group).collect())
}
