//! The log of a launch, as functional mode executes it.

use super::Access;
use sim_core::check::race::Follower;
use sim_core::host::Ending;
use sim_core::host::{Gpu, HostError, Launch};
use warpsim_check::run::Prepared;

/// All accesses of one launch to shared and global memory.
pub type Log = Vec<Access>;

/// Runs a launch in functional mode and logs all accesses to shared and global memory.
/// However the launch ends, the accesses until then are logged.
pub fn record(gpu: &mut Gpu, launch: &Launch) -> Result<(Ending, Log), HostError> {
    let (mut log, mut follower) = (Log::new(), Follower::default());
    let end =
        gpu.launch_observed(launch, |executed| follower.follow(&executed, |access, _| log.push(*access)))?;
    Ok((end.ending, log))
}

/// Returns the log of a random case, which must finish.
pub fn record_case(prepared: &Prepared) -> Log {
    let recorded = prepared.observed(record);
    let (ending, log) = recorded.unwrap_or_else(|e| panic!("the launch fits the chip: {e}"));
    assert_eq!(ending, Ending::Finished);
    log
}
