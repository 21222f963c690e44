//! Rules about blocks: the order in which they start, the resources that they use, and that they
//! free them once.

use super::trace::issues;
use super::{RuleResult, Trace};
use isa::uop::{Class, Op};
use sim_core::observe::What;
use std::collections::{BTreeMap, BTreeSet};

/// Every block starts once, in the order of the grid, at most at the dispatcher's rate; every
/// cluster gets a block before any cluster gets a second one.
pub fn start_in_order(trace: &Trace) -> RuleResult {
    let clusters = u64::from(trace.chip.clusters);
    let mut last: Option<(u64, u64)> = None;
    let mut started = 0;
    let mut starts: Vec<(u64, u64, u32)> = trace
        .events
        .iter()
        .filter_map(|event| match event.what {
            What::BlockStarted { block, .. } => Some((event.cycle, block, event.sm)),
            _ => None,
        })
        .collect();
    // Blocks that arrive on different SMs within one issue cycle are reported in the order of the
    // SMs.
    starts.sort_by_key(|(cycle, block, _)| (*cycle, *block));
    for (cycle, block, sm) in starts {
        let broken = |what: String| Err(format!("RULE block order: block {block} on SM {sm}: {what}"));
        if block != started {
            return broken(format!("block {started} should have been next"));
        }
        let interval = u64::from(trace.chip.dispatch.block_cycles.max(1));
        if let Some((before, _)) = last
            && cycle + trace.period() <= before + interval
        {
            return broken(format!(
                "it starts at {cycle}, the one before at {before}: faster than the dispatcher's rate"
            ));
        }
        let sms = u64::from(trace.chip.cluster.sms);
        let place = block % clusters * sms + block / clusters;
        if block < clusters * sms && place != u64::from(sm) {
            return broken(format!("it belongs on SM {place}"));
        }
        last = Some((cycle, block));
        started += 1;
    }
    if started == trace.blocks {
        Ok(started)
    } else {
        Err(format!("RULE block order: {started} of {} blocks have started", trace.blocks))
    }
}

/// In no cycle do the blocks of an SM use more resources than it has, and no two warps share a
/// slot.
pub fn never_overcommitted(trace: &Trace) -> RuleResult {
    let (sm_has, block) = (&trace.chip.sm, &trace.report.launch.occupancy);
    let mut full = 0;
    for sm in 0..trace.sms() {
        let mut resident: BTreeMap<u64, u64> = BTreeMap::new();
        for event in trace.of_sm(sm) {
            match event.what {
                What::BlockStarted { block, warps, .. } => {
                    let taken = resident.values().fold(0, |mask, warps| mask | warps);
                    if taken & warps != 0 || u64::from(warps.count_ones()) != trace.warps_per_block() {
                        return Err(format!(
                            "RULE resources: block {block} gets warp slots {warps:#x} of SM {sm}, of which \
                             {taken:#x} are in use"
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
            let used = [
                ("block slots", blocks, u64::from(sm_has.max_blocks)),
                ("warp slots", blocks * trace.warps_per_block(), sm_has.max_warps.into()),
                ("thread slots", blocks * u64::from(trace.threads), sm_has.max_threads.into()),
                ("registers", blocks * block.registers_per_block, sm_has.registers.into()),
                ("bytes of shared memory", blocks * block.shared_per_block, sm_has.shared_bytes.into()),
            ];
            if let Some((what, used, has)) = used.iter().find(|(_, used, has)| used > has) {
                return Err(format!(
                    "RULE resources: at cycle {} the {blocks} blocks of SM {sm} use {used} {what} of {has}",
                    event.cycle
                ));
            }
            full += u64::from(blocks == u64::from(block.blocks));
        }
    }
    Ok(full)
}

/// Whether an instruction gets a reply: loads, and atomics with a result.
fn has_reply(op: Op) -> bool {
    match op.class() {
        Class::LdGlobal | Class::LdLocal => true,
        Class::AtomGlobal => op.shape().dst().is_some(),
        _ => false,
    }
}

/// A block frees its slots exactly once, when all its warps have exited and all its loads have
/// completed, and no event names a slot without a block.
pub fn freed_exactly_once(trace: &Trace) -> RuleResult {
    let mut freed = BTreeSet::new();
    for sm in 0..trace.sms() {
        let mut resident: BTreeMap<u64, u64> = BTreeMap::new();
        let mut running = 0u64;
        let (mut loads, mut perhaps) = (BTreeSet::<(u32, u64, u32)>::new(), BTreeSet::new());
        for event in trace.of_sm(sm) {
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
                        return broken(format!("block {block} frees {warps:#x}, which it does not have"));
                    }
                    if running & warps != 0 {
                        return broken(format!(
                            "block {block} retires while its warps {:#x} still run",
                            running & warps
                        ));
                    }
                    if let Some((warp, since, _)) = loads.iter().find(|(warp, ..)| warps >> warp & 1 == 1) {
                        return broken(format!(
                            "block {block} retires while a load of warp {warp} from cycle {since} is pending"
                        ));
                    }
                }
                What::State { warp, .. } => {
                    named = Some(*warp);
                    if let Some(issued) = issues(event)
                        && has_reply(trace.inst(issued.origin.pc).op)
                        && issued.guarded != 0
                    {
                        // A generic access to shared memory completes without a reply.
                        let generic = trace.inst(issued.origin.pc).op.is_generic();
                        let pending = if generic { &mut perhaps } else { &mut loads };
                        // Two ports may issue two loads of a warp in one cycle.
                        pending.insert((*warp, issued.origin.cycle, issued.origin.pc));
                    }
                    if issues(event).is_some_and(|i| trace.inst(i.origin.pc).op != Op::Exit)
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
                    let load_is = (load.warp, load.cycle, load.pc);
                    if !loads.remove(&load_is) && !perhaps.contains(&load_is) {
                        return broken(format!("a reply arrives for no pending load: {load:?}"));
                    }
                }
                What::Written { by, .. } => named = Some(by.warp),
            }
            let slots = resident.values().fold(0, |mask, warps| mask | warps);
            if let Some(warp) = named.filter(|warp| slots >> warp & 1 == 0) {
                return broken(format!(
                    "an event names slot {warp}, which belongs to no block: {:?}",
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
