//! The timed machine's description of its state for [`classify`].

use super::round::Bytes;
use super::{At, Seen, Unfinished, World, classify, round};
use crate::cluster::Cluster;
use crate::gpu::machine::Machine;
use crate::gpu::stuck::report::{NotStarted, QueueStuck, StuckClass, StuckReport};
use crate::mem::atomic;
use crate::mem::map::AddressMap;
use crate::mem::partition::{Partition, lanes};
use crate::sm::Sm;
use crate::sm::scheduler::bits;
use crate::time::message::{PartitionOutbox, Request, RequestKind, Words};
use isa::uop::{Class, Inst};

/// Returns the shader cycle of the last change of a warp, a block, a message or a memory access, in
/// any component. A launch without due events ends there; no counter includes later cycles.
pub fn last_change(machine: &Machine) -> u64 {
    let clusters = machine.clusters.iter().map(Cluster::last_change);
    let partitions = machine.partitions.iter().map(|(partition, _)| partition.last_change());
    clusters.chain(partitions).fold(machine.dispatcher.last_change, u64::max)
}

/// Iterates over the next instructions of the warps of a kernel that have not exited.
pub fn next_instructions(machine: &Machine, kernel: usize) -> impl Iterator<Item = u32> {
    sms_of(machine, kernel).flat_map(warps_of).filter_map(|seen| match seen.at {
        At::Going => Some(seen.warp.simt.pc()),
        At::Barrier { pc, .. } | At::Fence { pc } => Some(pc),
        At::Exited => None,
    })
}

/// Explains why each running kernel did not end, in the order of the kernels, with cycles from its
/// arrival on. All shader cycles before `now` are complete. `idle` means that no event is due.
pub fn explain(machine: &Machine, now: u64, idle: bool) -> Vec<StuckReport> {
    let images = Images { map: machine.map, partitions: &machine.partitions };
    let memory = seen_alike(machine, now, &images);
    let stalled =
        sms(machine).any(|sm| !sm.memory().sent_all()) || machine.partitions.iter().any(|p| !p.0.quiet());
    let world = World { idle, closed: closed(machine), memory, leftover: stalled };
    let seen = |k| {
        let arrival = machine.dispatcher.arrival_of(k);
        let warps = sms_of(machine, k).flat_map(warps_of);
        warps.map(|seen| Seen { since: seen.since.saturating_sub(arrival), ..seen }).collect()
    };
    let launch = |k| Unfinished {
        kernel: machine.kernel(k),
        seen: seen(k),
        queues: queues(machine, k, idle),
        not_started: not_started(machine, k),
    };
    classify(machine.running().map(launch).collect(), &world)
}

/// Returns the reports of the running kernels if it can be proved, while the machine still runs,
/// that none of them can end. All shader cycles before `now` are complete.
pub fn proved(machine: &Machine, now: u64) -> Option<Vec<StuckReport>> {
    if !closed(machine) {
        return None;
    }
    // The first warp alone distinguishes most launches that still work from launches that do not.
    let images = Images { map: machine.map, partitions: &machine.partitions };
    let memory = seen_alike(machine, now, &images);
    let going = |seen: &Seen| matches!(seen.at, At::Going | At::Fence { .. });
    let first = |k| Some((machine.kernel(k), sms_of(machine, k).flat_map(warps_of).find(going)?));
    let (kernel, first) = machine.running().find_map(first)?;
    round::of(kernel, first.warp, first.shared, &first.coming, memory)?;
    let stuck = explain(machine, now, false);
    stuck.iter().all(|stuck| stuck.class != StuckClass::Limit).then_some(stuck)
}

/// Returns the blocks that cannot start: blocks of kernel `k`, or if all of these have been sent,
/// of the first other kernel.
fn not_started(machine: &Machine, k: usize) -> Option<NotStarted> {
    let waiting = |of| Some((of, machine.dispatcher.waiting_for_space(of)?));
    let (of, (first, blocks)) = waiting(k).or_else(|| machine.running().find_map(waiting))?;
    let kernel = machine.kernel(of);
    let resident = sms_of(machine, k).flat_map(Sm::resident);
    Some(NotStarted {
        kernel: (of != k).then(|| kernel.program.name.clone()),
        first: kernel.grid.index_of(first),
        blocks,
        holders: resident.map(|block| machine.kernel(k).grid.index_of(block.block)).collect(),
    })
}

/// Returns global memory if every SM sees it as the partitions hold it: no L1 has an outdated line.
/// Otherwise the values of loads are unknown.
fn seen_alike<'m>(machine: &Machine, now: u64, images: &'m Images<'m>) -> Option<&'m dyn Bytes> {
    let word = |at| images.load(at, 4) as u32;
    let alike = sms(machine).filter_map(|sm| sm.memory().l1()).all(|l1| l1.agrees(now, word));
    alike.then_some(images)
}

/// Shader cycles between two consecutive close examinations, and their number.
const CLOSE_LOOKS: (u64, u64) = (37, 64);

/// Returns the shader cycle of the next examination after `at`: the next power of two. No proof is
/// possible while an atomic that changes a word is under way, or while a warp has passed a branch
/// and its atomic is still pending. So in kernels whose atomics have replies, each examination is
/// followed by several more at short distances.
pub fn next_look(machine: &Machine, at: u64) -> u64 {
    let power = 1 << at.max(1).ilog2();
    let answered = |inst: &Inst| inst.op.class() == Class::AtomGlobal && inst.op.shape().dst().is_some();
    let (step, count) = CLOSE_LOOKS;
    let code = |k| &machine.kernel(k).program.code;
    if at - power < step * count && machine.running().flat_map(code).any(answered) {
        at + step
    } else {
        power.saturating_mul(2)
    }
}

/// Returns the SMs of a kernel.
fn sms_of(machine: &Machine, kernel: usize) -> impl Iterator<Item = &Sm> {
    machine.clusters_of(kernel).iter().flat_map(|c| &c.sms)
}

/// Returns the SMs of all kernels that have not ended.
fn sms(machine: &Machine) -> impl Iterator<Item = &Sm> {
    machine.running().flat_map(|kernel| sms_of(machine, kernel))
}

/// Whether no request under way changes memory, every resident block has a live warp, and the
/// dispatcher can send no other block. Memory must also be unchanged since the oldest pending load
/// was issued, so that all pending loads return the current values.
///
/// A store or an atomic under way changes nothing if it would leave its words as they are now. If
/// this is true of all of them, the first one that is ordered changes nothing. The next one then
/// sees the same memory, and so on.
fn closed(machine: &Machine) -> bool {
    let resident: u64 = sms(machine).map(|sm| sm.resident().count() as u64).sum();
    let living = sms(machine).all(|sm| sm.resident().all(|block| block.live != 0));
    let under_way = sms(machine).flat_map(|sm| sm.memory().queued_requests());
    let arrived = machine.partitions.iter().flat_map(|(partition, _)| partition.requests());
    let located = |chunk| {
        let (partition, local) = machine.map.locate(chunk);
        (machine.partitions[partition as usize].0.image(), local)
    };
    let changes = |(request, words): (&Request, Option<&Words>)| match request.kind {
        RequestKind::Store => {
            let (image, local) = located(request.chunk);
            words.is_none_or(|words| lanes::changes(image, local, request, words))
        }
        RequestKind::Atomic(operation) | RequestKind::Reduction(operation) => {
            let (image, local) = located(request.chunk);
            words.is_none_or(|words| atomic::changes(image, local, request, words, operation))
        }
        RequestKind::Load
        | RequestKind::Fill { .. }
        | RequestKind::Fence
        | RequestKind::LocalLoad
        | RequestKind::LocalStore
        | RequestKind::Line
        | RequestKind::Texture => false,
    };
    let written_to = under_way.chain(arrived).any(changes);
    let written = machine.partitions.iter().map(|(partition, _)| partition.last_write()).max().unwrap_or(0);
    let settled = sms(machine).filter_map(|sm| sm.memory().oldest_load()).all(|issued| issued > written);
    living && !written_to && settled && machine.dispatcher.waits_for(resident)
}

fn warps_of(sm: &Sm) -> impl Iterator<Item = Seen<'_>> {
    sm.resident().flat_map(move |block| {
        bits(block.warps).map(move |slot| {
            let (warp, since, at) = sm.status(slot);
            let at = match (block.barriers.of(slot), at) {
                (Some((barrier, gathering)), At::Barrier { pc, lanes, .. }) => {
                    At::Barrier { barrier, counted: gathering.counted(), pc, lanes }
                }
                // It has left the barrier, or is about to leave it.
                (None, At::Barrier { .. }) => At::Going,
                (_, at) => at,
            };
            let place = Some((sm.id(), slot));
            Seen { place, warp, shared: &block.shared, since, at, coming: sm.memory().coming(slot).collect() }
        })
    })
}

/// Returns the progress of the dispatcher with a kernel and, if no event is due, the queues that
/// are not empty.
fn queues(machine: &Machine, kernel: usize, idle: bool) -> Vec<QueueStuck> {
    let mut queues = Vec::new();
    for (partition, _) in &machine.partitions {
        if idle && !partition.quiet() {
            let stuck = partition.stuck();
            queues.push(QueueStuck {
                who: format!("partition {}", stuck.partition),
                what: format!(
                    "{} links with requests, {} in the pipeline, {} in the DRAM queue, {} loads unanswered",
                    stuck.links.len(),
                    stuck.in_pipeline,
                    stuck.in_dram,
                    stuck.loads_in_flight
                ),
            });
        }
    }
    let (retired, blocks) = machine.dispatcher.progress(kernel);
    queues.push(QueueStuck {
        who: "block dispatcher".to_owned(),
        what: format!("{retired} of {blocks} blocks have retired"),
    });
    queues
}

/// Global memory, as the partitions hold it.
struct Images<'m> {
    map: AddressMap,
    partitions: &'m [(Partition, PartitionOutbox)],
}

impl Bytes for Images<'_> {
    fn load(&self, address: u32, bytes: u32) -> u64 {
        let (partition, local) = self.map.locate(address);
        let image = self.partitions[partition as usize].0.image();
        match bytes {
            1 => u64::from(image.load::<1>(local)[0]),
            2 => u64::from(u16::from_le_bytes(image.load(local))),
            4 => u64::from(u32::from_le_bytes(image.load(local))),
            _ => u64::from_le_bytes(image.load(local)),
        }
    }
}
