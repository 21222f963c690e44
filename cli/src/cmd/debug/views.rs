//! What `info scoreboard`, `queue`, `access`, `timeline` and `barrier` print.

use super::front::InFocus;
use super::show::lanes_of;
use super::stops::Point;
use crate::render::number::{count, plural};
use crate::render::table::{Column, Columns, line, wrapped};
use isa::source::Files;
use isa::uop::OperandKind;
use report::words::Words;
use report::words::{access_kind, memory_space};
use sim_core::debug::{
    AccessView, BankView, BarrierView, BarrierWarp, Cell, Message, QueueView, ScoreboardEntry, Session,
    Transaction, WarpView,
};
use sim_core::host::Mode;
use sim_core::stats::WarpState;

/// Issue cycles of a line of the timeline.
const CYCLES: u64 = 60;

/// Messages of one instruction that `info queue` lists.
const MESSAGES: usize = 4;

/// Letters of the timeline and their meanings.
const LETTERS: &str = "I issues, + further slots of its instruction, e eligible, p pipe busy, q load/store \
    queue full, f fetch, x execution, c constant, s shared and m memory dependency, B barrier, F fence, . exited";

/// `info scoreboard`.
pub fn scoreboard(session: &Session<'_>, words: &Words, warp: &WarpView) -> String {
    let entries = session.scoreboard(warp.sm, warp.slot);
    if entries.is_empty() {
        return "All registers of the warp can be used.\n".to_owned();
    }
    let columns = [Column::Words(1), Column::Words(10), Column::Words(22), Column::Words(24), Column::Rest];
    let mut table =
        Columns::new(&columns).titles(&["", "register", "usable from cycle", "computed by", "by"]);
    for entry in &entries {
        let ready = entry.ready.map_or("pending in memory".to_owned(), count);
        let by = entry.producer.map_or(String::new(), |by| {
            format!("line {}, issued at {}", words.place(by.pc), count(by.cycle))
        });
        let mark = if entry.needed { "*" } else { "" };
        table.row(&[mark, &register(entry), &ready, &by, producer(entry.wait)]);
    }
    let note = "  * the next instruction needs it\n";
    let text = format!("Busy registers at shader cycle {}:\n{}", count(session.cycle()), table.draw());
    if entries.iter().any(|entry| entry.needed) { text + note } else { text }
}

/// Name of a register, or of a row with an intermediate value.
fn register(entry: &ScoreboardEntry) -> String {
    let kind = match entry.kind {
        OperandKind::W | OperandKind::Addr => "w",
        OperandKind::D => "d",
        OperandKind::P => "p",
    };
    entry.name.clone().unwrap_or_else(|| format!("({kind}{})", entry.row))
}

/// What computes a value for which a warp waits in this state.
fn producer(wait: WarpState) -> &'static str {
    match wait {
        WarpState::ExecutionDependency => "execution unit",
        WarpState::ConstantDependency => "constant memory",
        WarpState::SharedDependency => "shared memory",
        WarpState::MemoryDependency => "memory load",
        WarpState::Issuing
        | WarpState::NotSelected
        | WarpState::PipeBusy
        | WarpState::LsuFull
        | WarpState::Fetch
        | WarpState::Barrier
        | WarpState::Membar
        | WarpState::Exited => wait.label(),
    }
}

/// `info queue`.
pub fn queue(session: &Session<'_>, words: &Words, sm: u32) -> String {
    let Some(QueueView { capacity, entries, loads, l1 }) = session.queue(sm) else { return String::new() };
    let mut out = format!(
        "SM {sm}, shader cycle {}: {} of {capacity} entries of the load/store queue in use\n",
        count(session.cycle()),
        entries.len()
    );
    if !entries.is_empty() {
        let columns = [Column::Numbers(4), Column::Numbers(5), Column::Words(11), Column::Numbers(12)];
        let more = [Column::Numbers(5), Column::Words(1), Column::Rest];
        let mut table = Columns::new(&[&columns[..], &more].concat());
        table = table.titles(&["warp", "line", "kind", "ready at", "sent", "", "left: lowest address"]);
        for entry in &entries {
            let address = |message: &Message| format!("{:#x}", message.address);
            let mut left: Vec<String> = entry.left.iter().take(MESSAGES).map(address).collect();
            if entry.left.len() > MESSAGES {
                left.push(format!("and {} more", entry.left.len() - MESSAGES));
            }
            table.row(&[
                &entry.slot.to_string(),
                &words.place(entry.pc).to_string(),
                entry.kind.label(),
                &count(entry.ready),
                &entry.sent.to_string(),
                "",
                &left.join(" "),
            ]);
        }
        out += &table.draw();
    }
    line(&mut out, format!("{}:", plural(loads.len() as u64, "pending load")));
    if !loads.is_empty() {
        let columns = [Column::Numbers(4), Column::Numbers(5), Column::Numbers(12), Column::Numbers(12)];
        let mut table = Columns::new(&columns).titles(&["warp", "line", "issued at", "replies left"]);
        for load in &loads {
            let (slot, line) = (load.slot.to_string(), words.place(load.pc).to_string());
            table.row(&[&slot, &line, &count(load.issued), &load.replies.to_string()]);
        }
        out += &table.draw();
    }
    if let Some(l1) = l1 {
        line(&mut out, format!("L1: {} of {} MSHRs in use", l1.lines.len(), l1.capacity));
        for fill in &l1.lines {
            let poisoned = if fill.poisoned { ", poisoned by a store" } else { "" };
            let waiting = plural(fill.waiting.into(), "message");
            line(&mut out, format!("  line {:#010x}: {waiting} wait{poisoned}", fill.address));
        }
    }
    out
}

/// `info access`.
pub fn access(session: &Session<'_>, words: &Words, warp: &WarpView) -> String {
    let Some(access) = session.last_access(warp.sm, warp.slot) else {
        return "The warp has not accessed memory.\n".to_owned();
    };
    let AccessView { pc, cycle, kind, space, bytes, lanes, ref addresses, .. } = access;
    let (kind, space) = (access_kind(kind), memory_space(space));
    let when = match session.mode() {
        Mode::Functional => format!("after {} warp instructions", count(cycle)),
        Mode::Timed => format!("at shader cycle {}", count(cycle)),
    };
    let mut out = format!("line {}, issued {when}: {}\n", words.place(pc), words.text(pc));
    let all = plural(lanes.count_ones().into(), "lane");
    line(&mut out, format!("{space} {kind} of {} by {all}", plural(bytes.into(), "byte")));
    let active: Vec<usize> = (0..32).filter(|lane| lanes >> lane & 1 == 1).collect();
    for part in active.chunks(4) {
        let one = |lane: &usize| format!("  lane {lane:>2}: {:#010x}", addresses[*lane]);
        line(&mut out, part.iter().map(one).collect::<String>());
    }
    if !access.transactions.is_empty() {
        out += &transactions(&access);
    }
    if let Some(banks) = &access.banks {
        out += &bank_conflicts(banks);
    }
    out
}

fn transactions(access: &AccessView) -> String {
    let verdict = if access.is_uncoalesced() { "uncoalesced" } else { "coalesced" };
    let mut out = format!(
        "{verdict}: {}, at least {} for an aligned access to consecutive words\n\
         {} requested, {} transferred\n",
        plural(access.transactions.len() as u64, "transaction"),
        access.fewest,
        plural(access.requested().into(), "byte"),
        plural(access.transferred().into(), "byte")
    );
    let columns = [Column::Words(12), Column::Numbers(6), Column::Numbers(6), Column::Numbers(6)];
    let mut table = Columns::new(&[&columns[..], &[Column::Words(1), Column::Rest]].concat());
    table = table.titles(&["segment", "bytes", "moved", "times", "", "lanes 0 to 31"]);
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
    for (Transaction { lanes, address, span, bytes, .. }, times) in rows {
        let [span, bytes, times] = [span, bytes, times].map(|number| number.to_string());
        let lanes = format!("[{}]", lanes_of(lanes));
        table.row(&[&format!("{address:#010x}"), &span, &bytes, &times, "", &lanes]);
    }
    out += &table.draw();
    out
}

fn passes(number: u32) -> String {
    if number == 1 { "1 pass".to_owned() } else { format!("{number} passes") }
}

/// The lanes of each bank, group by group.
fn bank_conflicts(view: &BankView) -> String {
    let verdict = if view.has_conflict() { "bank conflict" } else { "no bank conflict" };
    let rounds = if view.rounds > 1 { format!(", {} rounds", view.rounds) } else { String::new() };
    let mut out = format!("{verdict}: {}, {} without conflicts{rounds}\n", passes(view.passes), view.fewest);
    for first in (0..32).step_by(view.group as usize) {
        let of_bank = |bank: u32| -> Vec<String> {
            let lanes = (first..first + view.group).filter(|lane| view.lanes >> lane & 1 == 1);
            lanes.filter(|lane| view.of_lane[*lane as usize] == bank).map(|lane| lane.to_string()).collect()
        };
        let used: Vec<(u32, Vec<String>)> = (0..view.banks)
            .map(|bank| (bank, of_bank(bank)))
            .filter(|(_, lanes)| !lanes.is_empty())
            .collect();
        if used.is_empty() {
            continue;
        }
        let each = |(bank, lanes): &(u32, Vec<String>)| format!("{bank}:{}", lanes.join("+"));
        let text = used.iter().map(each).collect::<Vec<_>>().join(" ");
        let head = format!("lanes {first} to {}, bank:lanes", first + view.group - 1);
        for one in wrapped(&head, &format!(" {text}"), 2, 80) {
            line(&mut out, one);
        }
    }
    out
}

/// `info timeline`.
pub fn timeline(session: &Session<'_>, in_focus: InFocus) -> String {
    let Some(timeline) = session.timeline(in_focus.sm, CYCLES) else { return String::new() };
    let mut out = format!(
        "SM {}: {} before shader cycle {}, the first begins at {}\n",
        in_focus.sm,
        plural(timeline.cycles as u64, "issue cycle"),
        count(session.cycle()),
        count(timeline.from)
    );
    for row in &timeline.rows {
        let letters: String = row.cells.iter().map(|cell| cell.map_or(' ', letter)).collect();
        let mark = if row.slot == in_focus.slot { '*' } else { ' ' };
        line(&mut out, format!("{mark} warp {:>2} |{letters}|", row.slot));
    }
    for one in wrapped(" ", LETTERS, 2, 80) {
        line(&mut out, one);
    }
    out
}

/// Returns the letter of a state in the timeline.
pub fn letter(cell: Cell) -> char {
    match cell.state {
        WarpState::Issuing if cell.issues => 'I',
        WarpState::Issuing => '+',
        WarpState::NotSelected => 'e',
        WarpState::PipeBusy => 'p',
        WarpState::LsuFull => 'q',
        WarpState::Fetch => 'f',
        WarpState::ExecutionDependency => 'x',
        WarpState::ConstantDependency => 'c',
        WarpState::SharedDependency => 's',
        WarpState::MemoryDependency => 'm',
        WarpState::Barrier => 'B',
        WarpState::Membar => 'F',
        WarpState::Exited => '.',
    }
}

/// `info barrier`.
pub fn barrier(session: &Session<'_>, words: &Words, warp: &WarpView) -> String {
    let barriers = session.barriers(warp.block);
    if barriers.is_empty() {
        return format!("No warp of block {} has arrived at a barrier.\n", warp.block_index);
    }
    let mut out = String::new();
    for BarrierView { id, count, required, arrived, missing, .. } in &barriers {
        let block = warp.block_index;
        line(&mut out, format!("Barrier {id} of block {block}: {count} of {required} warps have arrived"));
        let columns = [Column::Words(9), Column::Numbers(5), Column::Numbers(5), Column::Numbers(5)];
        let mut table = Columns::new(&[&columns[..], &[Column::Words(1), Column::Rest]].concat());
        table = table.titles(&["", "warp", "slot", "line", "", "lanes 0 to 31"]);
        let all =
            arrived.iter().map(|one| ("arrived", one)).chain(missing.iter().map(|one| ("missing", one)));
        for (what, BarrierWarp { slot, index, pc, lanes }) in all {
            let (slot, line) = (slot.to_string(), words.place(*pc).to_string());
            table.row(&[what, &index.to_string(), &slot, &line, "", &format!("[{}]", lanes_of(*lanes))]);
        }
        out += &table.draw();
    }
    out
}

/// `info breakpoints`.
pub fn breakpoints(points: &[Option<Point>], files: &Files) -> String {
    let shown = |point: &Option<Point>| Some(point.as_ref()?.shown(files));
    let all = (1..).zip(points).filter_map(|(number, point)| Some(format!("{number}: {}\n", shown(point)?)));
    let text: String = all.collect();
    if text.is_empty() { "No breakpoints or watchpoints.\n".to_owned() } else { text }
}
