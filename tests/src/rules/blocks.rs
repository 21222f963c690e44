//! Rules about blocks: the order in which they start, what they take up, and that they give it back
//! once.

use super::film::issues;
use super::{Film, Held};
use isa::uop::{Class, Op};
use sim_core::observe::What;
use std::collections::{BTreeMap, BTreeSet};

/// Every block starts once, in the order of the grid, not faster than the dispatcher's pace; the
/// first ones go over all clusters before a cluster gets a second one.
pub fn start_in_order(film: &Film) -> Held {
    let clusters = u64::from(film.chip.clusters);
    let mut last: Option<(u64, u64)> = None;
    let mut started = 0;
    let mut starts: Vec<(u64, u64, u32)> = film
        .events
        .iter()
        .filter_map(|event| match event.what {
            What::BlockStarted { block, .. } => Some((event.cycle, block, event.sm)),
            _ => None,
        })
        .collect();
    // Blocks that arrive on different SMs within one issue cycle are told in the order of the SMs.
    starts.sort_by_key(|(cycle, block, _)| (*cycle, *block));
    for (cycle, block, sm) in starts {
        let broken = |what: String| Err(format!("RULE block order: block {block} on SM {sm}: {what}"));
        if block != started {
            return broken(format!("block {started} should have been next"));
        }
        let pace = u64::from(film.chip.dispatch.block_cycles.max(1));
        if let Some((before, _)) = last
            && cycle + film.period() <= before + pace
        {
            return broken(format!("it starts at {cycle}, the one before at {before}: faster than the pace"));
        }
        let sms = u64::from(film.chip.cluster.sms);
        let place = block % clusters * sms + block / clusters;
        if block < clusters * sms && place != u64::from(sm) {
            return broken(format!("its place is SM {place}"));
        }
        last = Some((cycle, block));
        started += 1;
    }
    if started == film.blocks {
        Ok(started)
    } else {
        Err(format!("RULE block order: {started} of {} blocks have started", film.blocks))
    }
}

/// In no cycle do the blocks of an SM take up more than it has, and no warp slot is two warps'.
pub fn never_overcommitted(film: &Film) -> Held {
    let (sm_has, block) = (&film.chip.sm, &film.report.launch.occupancy);
    let mut full = 0;
    for sm in 0..film.sms() {
        let mut resident: BTreeMap<u64, u64> = BTreeMap::new();
        for event in film.of_sm(sm) {
            match event.what {
                What::BlockStarted { block, warps, .. } => {
                    let taken = resident.values().fold(0, |mask, warps| mask | warps);
                    if taken & warps != 0 || u64::from(warps.count_ones()) != film.warps_per_block() {
                        return Err(format!(
                            "RULE resources: block {block} gets warp slots {warps:#x} of SM {sm}, of which \
                             {taken:#x} are taken"
                        ));
                    }
                    resident.insert(block, warps);
                }
                What::BlockRetired { block, .. } => {
                    resident.remove(&block);
                }
                _ => continue,
            }
            let blocks = resident.len() as u64;
            let takes = [
                ("block slots", blocks, u64::from(sm_has.max_blocks)),
                ("warp slots", blocks * film.warps_per_block(), sm_has.max_warps.into()),
                ("thread slots", blocks * u64::from(film.threads), sm_has.max_threads.into()),
                ("registers", blocks * block.registers_per_block, sm_has.registers.into()),
                ("bytes of shared memory", blocks * block.shared_per_block, sm_has.shared_bytes.into()),
            ];
            if let Some((what, takes, has)) = takes.iter().find(|(_, takes, has)| takes > has) {
                return Err(format!(
                    "RULE resources: at cycle {} the {blocks} blocks of SM {sm} take up {takes} {what} of {has}",
                    event.cycle
                ));
            }
            full += u64::from(blocks == u64::from(block.blocks));
        }
    }
    Ok(full)
}

/// Whether something comes home for an instruction: loads and atomics with a result.
fn is_answered(op: Op) -> bool {
    match op.class() {
        Class::LdGlobal | Class::LdLocal => true,
        Class::AtomGlobal => op.shape().dst().is_some(),
        _ => false,
    }
}

/// A block gives its slots back exactly once, when all its warps have exited and all its loads are
/// home, and nothing is told of a slot that no block has.
pub fn freed_exactly_once(film: &Film) -> Held {
    let mut freed = BTreeSet::new();
    for sm in 0..film.sms() {
        let mut resident: BTreeMap<u64, u64> = BTreeMap::new();
        let mut running = 0u64;
        let (mut loads, mut perhaps) = (BTreeSet::<(u32, u64)>::new(), BTreeSet::new());
        for event in film.of_sm(sm) {
            let broken =
                |what: String| Err(format!("RULE slots freed once: SM {sm}, cycle {}: {what}", event.cycle));
            let mut named = None;
            match &event.what {
                What::BlockStarted { block, warps, .. } => {
                    resident.insert(*block, *warps);
                    running |= warps;
                }
                What::BlockRetired { block, warps } => {
                    if resident.remove(block) != Some(*warps) || !freed.insert(*block) {
                        return broken(format!(
                            "block {block} gives back {warps:#x}, which it does not have"
                        ));
                    }
                    if running & warps != 0 {
                        return broken(format!(
                            "block {block} goes, its warps {:#x} do not",
                            running & warps
                        ));
                    }
                    if let Some((warp, since)) = loads.iter().find(|(warp, _)| warps >> warp & 1 == 1) {
                        return broken(format!(
                            "block {block} goes, a load of warp {warp} of {since} does not"
                        ));
                    }
                }
                What::State { warp, .. } => {
                    named = Some(*warp);
                    if let Some(issued) = issues(event)
                        && is_answered(film.inst(issued.origin.pc).op)
                        && issued.guarded != 0
                    {
                        // What a generic address leads to in shared memory is there at once.
                        let generic = film.inst(issued.origin.pc).op.is_generic();
                        let answered = if generic { &mut perhaps } else { &mut loads };
                        answered.insert((*warp, issued.origin.cycle));
                    }
                    if issues(event).is_some_and(|i| film.inst(i.origin.pc).op != Op::Exit)
                        && running >> warp & 1 == 0
                    {
                        return broken(format!("warp slot {warp} issues after its last exit"));
                    }
                }
                What::Stack { warp, entries } => {
                    named = Some(*warp);
                    if entries.is_empty() {
                        running &= !(1 << warp);
                    }
                }
                What::LoadCompleted { load, .. } => {
                    named = Some(load.warp);
                    let load_is = (load.warp, load.cycle);
                    if !loads.remove(&load_is) && !perhaps.contains(&load_is) {
                        return broken(format!("a load comes home that nobody waits for: {load:?}"));
                    }
                }
            }
            let slots = resident.values().fold(0, |mask, warps| mask | warps);
            if let Some(warp) = named.filter(|warp| slots >> warp & 1 == 0) {
                return broken(format!(
                    "something is told of slot {warp}, which no block has: {:?}",
                    event.what
                ));
            }
        }
        if let Some((block, warps)) = resident.first_key_value() {
            return Err(format!(
                "RULE slots freed once: block {block} keeps {warps:#x} of SM {sm} at the end"
            ));
        }
    }
    Ok(freed.len() as u64)
}
