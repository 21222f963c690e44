//! State of the grid that rules can read: the blocks that have started, and where and when.

use super::setup::Setup;
use sim_core::observe::{Event, What};

/// Blocks of a launch that have started.
#[derive(Clone, Debug, Default)]
pub struct Grid {
    /// Number of blocks of the launch.
    pub blocks: u64,
    /// Number of blocks that have started.
    pub started: u64,
    /// Number of blocks that have retired.
    pub retired: u64,
    /// The last block did not have the next number.
    pub out_of_order: bool,
    /// The last block started sooner after the one before than the dispatcher's rate allows.
    pub too_fast: bool,
    /// The last block is among the first ones, and its cluster had one before another had any.
    pub misplaced: bool,
    /// The numbers behind that.
    pub text: Option<String>,
    last: Option<u64>,
}

impl Grid {
    /// A grid of `blocks` blocks, of which none has started.
    pub(super) fn new(blocks: u64) -> Self {
        Self { blocks, ..Self::default() }
    }

    /// Applies a block's start or end.
    pub(super) fn apply(&mut self, event: &Event, setup: &Setup) {
        (self.out_of_order, self.too_fast, self.misplaced, self.text) = (false, false, false, None);
        let What::BlockStarted { block, .. } = event.what else {
            self.retired += 1;
            return;
        };
        let (clusters, sms) = (u64::from(setup.chip.clusters), u64::from(setup.chip.cluster.sms));
        self.out_of_order = block != self.started;
        let interval = u64::from(setup.chip.dispatch.block_cycles.max(1));
        self.too_fast = self.last.is_some_and(|last| event.cycle + setup.period() <= last + interval);
        let place = block % clusters * sms + block / clusters;
        self.misplaced = block < clusters * sms && place != u64::from(event.sm);
        self.text = match (self.out_of_order, self.last, self.misplaced) {
            (true, ..) => Some(format!("block {} is next", self.started)),
            (_, Some(last), false) => Some(format!("the block before started at shader cycle {last}")),
            (_, _, true) => Some(format!("it belongs on SM {place}")),
            _ => None,
        };
        self.started += 1;
        self.last = Some(event.cycle);
    }

    /// The launch has finished.
    pub(super) fn end(&mut self) {
        (self.out_of_order, self.too_fast, self.misplaced) = (false, false, false);
        self.text = Some(format!("{} of {} blocks have started", self.started, self.blocks));
    }
}
