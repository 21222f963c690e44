//! The log of a launch, as the functional machine executes it.

use super::{Access, Kind, Space};
use crate::run::Prepared;
use isa::sem::atomic::Operation;
use sim_core::exec;
use sim_core::exec::Step;
use sim_core::exec::mask::lanes;
use sim_core::gpu::functional::{Ending, Executed};
use sim_core::host::{Gpu, HostError, Launch};
use std::collections::BTreeMap;

/// Launches on the functional machine and adds all accesses to shared and global memory to `log`, as those of launch
/// number `number`. The launch may end as it likes; what was accessed until then is logged.
pub fn record(
    gpu: &mut Gpu,
    launch: &Launch,
    number: u32,
    log: &mut Vec<Access>,
) -> Result<Ending, HostError> {
    // Of each warp: instructions executed and barriers passed.
    let mut warps: BTreeMap<(u64, u32), (u64, u32)> = BTreeMap::new();
    let watch = |executed: Executed| {
        let Executed { warp, line, step, access, .. } = executed;
        let (instructions, barriers) = warps.entry((warp.block, warp.index)).or_default();
        *instructions += 1;
        let parts = match step {
            Step::Global => [(Space::Global, access.mask), (Space::Shared, 0)],
            Step::Shared => [(Space::Shared, access.mask), (Space::Global, 0)],
            // Local memory is nobody else's, and constants are never written.
            Step::Generic => [(Space::Global, access.parts.global), (Space::Shared, access.parts.shared)],
            // The warp executes nothing more before the others have come.
            Step::Barrier(arrival) => {
                // Those for a part of the block order less than a count can tell: they count for nothing.
                *barriers += u32::from(arrival.waits && arrival.warps == 0);
                return;
            }
            _ => return,
        };
        let accesses = parts.into_iter().flat_map(|(space, part)| lanes(part).map(move |lane| (space, lane)));
        log.extend(accesses.map(|(space, lane)| Access {
            launch: number,
            block: warp.block as u32,
            warp: warp.index,
            lane: lane as u32,
            instruction: *instructions,
            barriers: *barriers,
            space,
            address: access.addr[lane],
            bytes: access.bytes,
            kind: kind(access),
            line,
        }));
    };
    Ok(gpu.launch_watched(launch, watch)?.ending)
}

/// What an access does to its bytes.
fn kind(access: &exec::Access) -> Kind {
    use Operation::{Add, And, MaxS, MaxU, MinS, MinU, Or, Xor};
    match access.atomic {
        None if access.store => Kind::Write,
        None => Kind::Read,
        Some(operation) => {
            let commutes = matches!(operation, Add | And | Or | Xor | MinS | MinU | MaxS | MaxU);
            let blind = access.op.shape().dst().is_none();
            if commutes && blind {
                Kind::Reduction(16 * access.bytes as u8 + operation as u8)
            } else {
                Kind::Atomic
            }
        }
    }
}

/// The log of a random case, which must finish.
pub fn record_case(prepared: &Prepared) -> Vec<Access> {
    let mut log = Vec::new();
    let ending = prepared.watched(|gpu, launch| record(gpu, launch, 0, &mut log));
    assert_eq!(ending, Ok(Ending::Finished));
    log
}
