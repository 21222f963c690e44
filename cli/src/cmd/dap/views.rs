//! Groups about a warp: its state, SIMT stack, busy registers, last memory access, barriers.

use super::frames::Frame;
use super::groups::Group;
use super::protocol::Variable;
use super::stop::time;
use super::variables::{Place, fact};
use crate::render::number::{count, plural};
use isa::uop::TO_EXIT;
use sim_core::debug::{AccessView, BarrierView, BarrierWarp, ScoreboardEntry};

/// Lanes as text: all, one, or a mask.
pub fn lanes(mask: u32) -> String {
    match mask.count_ones() {
        0 => "none".to_owned(),
        32 => "all 32".to_owned(),
        1 => format!("lane {}", mask.trailing_zeros()),
        some => format!("{some} of 32 ({mask:#010x})"),
    }
}

/// State of a warp and its reason.
pub fn warp(place: &Place<'_, '_>, frame: Frame) -> Vec<Variable> {
    let Place { session, words, .. } = place;
    let Some(warp) = session.warp(frame.sm, frame.slot) else { return Vec::new() };
    let mut all = vec![fact("time", time(session))];
    match warp.status {
        Some(status) => {
            let why = words.why(&status.why, session.cycle().saturating_sub(1).max(status.since));
            all.push(fact("state", status.state.label()));
            all.push(fact("why", if why.is_empty() { "-".to_owned() } else { why }));
            all.push(fact("since cycle", count(status.since)));
        }
        None => all.push(fact("state", "has not been scheduled")),
    }
    if let Some(until) = session.wait(frame.sm, frame.slot).and_then(|wait| wait.until) {
        all.push(fact("until cycle", count(until)));
    }
    all.push(fact("active lanes", lanes(warp.active)));
    all.push(fact("lanes that have not exited", lanes(warp.live)));
    let loads: Vec<String> =
        warp.pending.iter().map(|load| format!("line {}", words.place(load.pc))).collect();
    all.push(fact("pending loads", if loads.is_empty() { "none".to_owned() } else { loads.join(", ") }));
    all.push(fact("block", warp.block_index.to_string()));
    all.push(fact("warp in the block", warp.index.to_string()));
    all.push(fact("SM", warp.sm.to_string()));
    all.push(fact("warp slot", warp.slot.to_string()));
    all
}

/// The SIMT stack, the running entry first.
pub fn stack(place: &Place<'_, '_>, frame: Frame) -> Vec<Variable> {
    let Some(warp) = place.session.warp(frame.sm, frame.slot) else { return Vec::new() };
    let entry = |(i, entry): (usize, &sim_core::observe::Entry)| {
        let until = match entry.reconv {
            TO_EXIT => "exit".to_owned(),
            pc => format!("line {}", place.words.place(pc)),
        };
        let name = if i == 0 { "running".to_owned() } else { format!("waiting {i}") };
        let line = place.words.place(entry.pc);
        fact(name, format!("{} at line {line}, reconverges at {until}", lanes(entry.mask)))
    };
    warp.stack.iter().rev().enumerate().map(entry).collect()
}

/// The registers whose values cannot be used.
pub fn scoreboard(place: &Place<'_, '_>, frame: Frame) -> Vec<Variable> {
    let entry = |one: ScoreboardEntry| {
        let ready = match one.ready {
            Some(ready) => format!("usable at cycle {}", count(ready)),
            None => "pending in memory".to_owned(),
        };
        let by = one.producer.map_or_else(String::new, |by| {
            format!(", written by line {} in cycle {}", place.words.place(by.pc), count(by.cycle))
        });
        let needed = if one.needed { "; the next instruction needs it" } else { "" };
        let name = one.name.unwrap_or_else(|| format!("intermediate value {}", one.row));
        fact(name, format!("{ready}{by}{needed}"))
    };
    let all: Vec<Variable> = place.session.scoreboard(frame.sm, frame.slot).into_iter().map(entry).collect();
    if all.is_empty() { vec![fact("busy registers", "none")] } else { all }
}

/// The last memory access of the warp.
pub fn access(place: &mut Place<'_, '_>, frame: Frame) -> Vec<Variable> {
    let Some(access) = place.session.last_access(frame.sm, frame.slot) else {
        return vec![fact("access", "none")];
    };
    let AccessView { pc, cycle, lanes: of, bytes, addresses, transactions, fewest, banks, .. } = &access;
    let line = place.words.place(*pc);
    let mut all = vec![
        fact("instruction", format!("line {line}: {}", place.words.text(*pc))),
        fact("issued in cycle", count(*cycle)),
        fact("lanes", lanes(*of)),
        fact("bytes of a lane", bytes.to_string()),
    ];
    let lane = |lane: u32| {
        let address = addresses[lane as usize];
        let bank = banks.as_ref().filter(|banks| banks.lanes >> lane & 1 == 1);
        let bank = bank.map_or_else(String::new, |banks| format!(", bank {}", banks.of_lane[lane as usize]));
        (format!("lane {lane}"), format!("{address:#x}{bank}"))
    };
    let each = (0..32).filter(|lane| of >> lane & 1 == 1).map(lane).collect();
    let addresses = place.groups.add(Group::Facts(each));
    let value = format!("of {}", plural(of.count_ones().into(), "lane"));
    all.push(Variable { variables_reference: addresses, ..fact("addresses", value) });
    if !transactions.is_empty() {
        let one = |(i, one): (usize, &sim_core::debug::Transaction)| {
            (format!("[{i}]"), format!("{} bytes at {:#x} for {}", one.bytes, one.address, lanes(one.lanes)))
        };
        let each = transactions.iter().enumerate().map(one).collect();
        let group = place.groups.add(Group::Facts(each));
        let number = plural(transactions.len() as u64, "transaction");
        let value = format!(
            "{number}, at least {fewest} for these lanes; {} bytes moved, {} asked for",
            count(access.transferred().into()),
            count(access.requested().into())
        );
        all.push(Variable { variables_reference: group, ..fact("transactions", value) });
    }
    if let Some(banks) = banks {
        let passes = plural(banks.passes.into(), "pass").replace("passs", "passes");
        all.push(fact("bank passes", format!("{passes}, at least {} without conflicts", banks.fewest)));
    }
    all
}

/// The barriers of the block at which warps have arrived.
pub fn barriers(place: &mut Place<'_, '_>, frame: Frame) -> Vec<Variable> {
    let Some(warp) = place.session.warp(frame.sm, frame.slot) else { return Vec::new() };
    let barrier = |one: BarrierView| {
        let name = |state: &str, warp: &BarrierWarp| {
            let at = format!("{state} line {}, {}", place.words.place(warp.pc), lanes(warp.lanes));
            (format!("warp {}", warp.index), at)
        };
        let arrived = one.arrived.iter().map(|warp| name("arrived at", warp));
        let missing = one.missing.iter().map(|warp| name("missing, at", warp));
        let group = place.groups.add(Group::Facts(arrived.chain(missing).collect()));
        let value = format!("{} of {} warps have arrived", one.count, one.required);
        Variable { variables_reference: group, ..fact(format!("barrier {}", one.id), value) }
    };
    let all: Vec<Variable> = place.session.barriers(warp.block).into_iter().map(barrier).collect();
    if all.is_empty() { vec![fact("barriers", "no warp waits")] } else { all }
}
