//! How a launch ended.

use super::session::Session;
use crate::exec::trap::Trap;
use crate::gpu::run::Stop;
use isa::types::Dim3;

/// End of a launch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// All blocks have ended.
    Finished,
    /// A thread trapped; `None` if a user's scheduling policy made an illegal choice.
    Trapped(Option<TrapView>),
    /// The launch can make no progress.
    Hung,
    /// The cycle limit was reached.
    Limit,
}

/// The first trap of a launch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrapView {
    /// Description of the fault.
    pub message: String,
    /// Block index in the grid.
    pub block: Dim3,
    /// Number of the warp in its block.
    pub warp: u32,
    /// One-based line of the PTX source.
    pub line: u32,
}

impl Session<'_> {
    /// Returns how the launch ended; `None` if it has not.
    pub fn ending(&self) -> Option<Ending> {
        let ended = self.state.ended.as_ref()?;
        let sms = self.state.running.machine.clusters.iter().flat_map(|cluster| &cluster.sms);
        let place = |trap: &&Trap| (trap.cycle, trap.sm, trap.block.z, trap.block.y, trap.block.x, trap.warp);
        let first = || sms.flat_map(|sm| &sm.traps).min_by_key(place);
        Some(match ended.stop {
            Stop::Finished(_) => Ending::Finished,
            Stop::Trapped(_) => Ending::Trapped(first().map(|trap| TrapView {
                message: trap.fault.kind.to_string(),
                block: trap.block,
                warp: trap.warp,
                line: trap.line,
            })),
            Stop::Limit(_) => Ending::Limit,
            Stop::Hung | Stop::Paused(_) => Ending::Hung,
        })
    }
}
