//! Launches whose schedule the host program chooses, action by action.

use super::gpu::{Gpu, HostError};
use super::launch::Launch;
use crate::debug::{Debugger, Session};
use crate::gpu::interleaved::played::Played;
use crate::gpu::interleaved::{Action, Interleaved, Order};
use crate::mem::map::AddressMap;
use std::sync::Arc;

/// Most warps of a launch whose schedule is chosen.
pub const MOST_WARPS: u64 = 64;

/// Why the schedule of a launch cannot be chosen.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InterleaveError {
    /// The launch fails.
    #[error(transparent)]
    Host(#[from] HostError),
    /// The launch has too many warps.
    #[error("the launch has {warps} warps; at most {MOST_WARPS} can be interleaved")]
    Warps {
        /// Warps of the launch.
        warps: u64,
    },
    /// The blocks are not resident at the same time.
    #[error("the launch has {blocks} blocks, of which the chip holds {resident} at the same time")]
    Blocks {
        /// Blocks of the launch.
        blocks: u64,
        /// Blocks that are resident at the same time.
        resident: u64,
    },
}

impl Gpu {
    /// Returns a launch before its first action. It has a copy of device memory, and the memory of
    /// this GPU does not change; [`Self::adopt`] takes the copy back.
    ///
    /// # Errors
    /// The launch exceeds the limits of the chip, or has too many warps, or blocks that are not
    /// resident at the same time.
    pub fn interleave(&self, launch: &Launch, order: Order) -> Result<Interleaved, InterleaveError> {
        Ok(self.before(launch, order)?.begun())
    }

    /// Calls the front end of a debugger for the schedule `actions` of a launch, which must be the
    /// one of a launch that ends. Returns the launch at the end of the schedule, or `None` if the
    /// front end has [killed](Session::kill) it. The memory of this GPU does not change.
    ///
    /// # Errors
    /// As for [`Self::interleave`].
    ///
    /// # Panics
    /// An action is not possible.
    pub fn debug_schedule(
        &self,
        launch: &Launch,
        order: Order,
        actions: Arc<[Action]>,
        debugger: &mut dyn Debugger,
    ) -> Result<Option<Interleaved>, InterleaveError> {
        let played = Played::new(self.before(launch, order)?, actions, &self.chip);
        let mut session = Session::interleaved(played, &self.chip);
        debugger.debug(&mut session);
        let (played, killed) = session.into_interleaved();
        Ok((!killed).then(|| played.into_machine()))
    }

    /// Returns a launch before its first instruction.
    fn before(&self, launch: &Launch, order: Order) -> Result<Interleaved, InterleaveError> {
        let ready = self.checked(launch, None, self.launches)?;
        let sms = self.chip.clusters * self.chip.cluster.sms;
        let blocks = ready.kernel.grid.count();
        let resident = u64::from(ready.launched.occupancy.blocks) * u64::from(sms);
        if blocks > resident {
            return Err(InterleaveError::Blocks { blocks, resident });
        }
        let warps = blocks.saturating_mul(ready.kernel.warps_per_block().into());
        if warps > MOST_WARPS {
            return Err(InterleaveError::Warps { warps });
        }
        let map = AddressMap::of(&ready.chip);
        Ok(Interleaved::new(ready.kernel, self.memory.clone(), order, map, sms))
    }

    /// Replaces device memory by the memory of a launch that has ended.
    pub fn adopt(&mut self, launch: &Interleaved) {
        self.memory = launch.memory().clone();
    }
}
