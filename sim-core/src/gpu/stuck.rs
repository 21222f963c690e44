//! Why nothing moves: what each warp and each queue of a hung machine waits for.

use super::machine::Machine;
use crate::sm::Sm;
use crate::sm::scheduler::bits;
use crate::stats::WarpState;
use crate::stats::report::WaitReport;

/// The hot cycle at which the last warp came to rest.
pub fn last_change(machine: &Machine) -> u64 {
    machine.clusters.iter().flat_map(|c| &c.sms).map(Sm::last_change).max().unwrap_or(0)
}

/// Who waits for what, SMs first. `lines` are the program's source lines by instruction.
pub fn explain(machine: &Machine, lines: &[u32]) -> Vec<WaitReport> {
    let sms = machine.clusters.iter().flat_map(|c| &c.sms);
    let mut waits: Vec<WaitReport> = sms.flat_map(|sm| warps_of(sm, lines)).collect();
    for (partition, _) in &machine.partitions {
        let stuck = partition.stuck();
        if !partition.quiet() {
            waits.push(WaitReport {
                who: format!("partition {}", stuck.partition),
                what: format!(
                    "{} links with requests, {} in the pipeline, {} in the DRAM queue, {} loads unanswered",
                    stuck.links.len(),
                    stuck.in_pipeline,
                    stuck.in_dram,
                    stuck.loads_in_flight
                ),
                line: None,
            });
        }
    }
    let (retired, blocks) = machine.dispatcher.progress();
    waits.push(WaitReport {
        who: "block dispatcher".to_owned(),
        what: format!("{retired} of {blocks} blocks have retired"),
        line: None,
    });
    waits
}

fn warps_of(sm: &Sm, lines: &[u32]) -> Vec<WaitReport> {
    let mut waits = Vec::new();
    for block in sm.resident() {
        for slot in bits(block.warps) {
            let (warp, state) = sm.warp(slot);
            if state == WarpState::Exited {
                continue;
            }
            let what = match state {
                WarpState::Barrier => barrier(block, slot),
                state => state.explanation().to_owned(),
            };
            waits.push(WaitReport {
                who: format!(
                    "SM {} warp slot {slot}: block {}, warp {}",
                    sm.id(),
                    warp.id.ctaid,
                    warp.id.index
                ),
                what,
                line: Some(sm.waiting_line(slot, lines)),
            });
        }
    }
    waits
}

/// Which barrier a warp waits at, who is there, and who is missing.
fn barrier(block: &crate::sm::block::BlockSlot, slot: u32) -> String {
    let Some((id, here)) = block.barriers.waiting().find(|(_, mask)| mask >> slot & 1 == 1) else {
        return "leaving a barrier".to_owned();
    };
    let arrived = here.count_ones();
    let expected = block.live.count_ones();
    format!("barrier {id}: {arrived} of {expected} warps have arrived; the others wait elsewhere")
}
