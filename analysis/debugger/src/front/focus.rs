//! The focus: the warp and the lane that commands are about.

use super::command::Focus;
use super::{Front, InFocus};
use isa::terms::Terms;
use isa::types::Dim3;
use report::inspect::terms;
use sim_core::debug::Session;

impl Front {
    /// Moves the focus to the first of some lanes, or to one that executes the next instruction.
    pub fn choose(&mut self, session: &Session<'_>, lanes: Option<u32>) {
        let Ok(warp) = self.warp(session) else { return };
        if let Some(lanes) = lanes {
            self.focus.lane = lanes.trailing_zeros() % 32;
            self.is_chosen = true;
        } else if warp.active >> self.focus.lane & 1 == 0 && warp.active != 0 {
            self.focus.lane = warp.active.trailing_zeros();
        }
    }

    /// Moves the focus to a warp.
    pub fn look_at(&mut self, sm: u32, slot: u32) {
        self.focus = InFocus { sm, slot, ..self.focus };
    }

    /// Applies a change of the focus.
    pub(super) fn change_focus(&mut self, session: &Session<'_>, change: &Focus) -> Result<(), String> {
        let Focus { block, thread, sm, warp, lane, device, launch, shown: _ } = *change;
        if let Some(device) = device.filter(|device| *device != 0) {
            return Err(format!("device {device} does not exist; the only device is 0"));
        }
        if let Some(launch) = launch.filter(|launch| *launch != session.launch()) {
            return Err(format!(
                "kernel {} (launch {launch}) does not run now; kernel {} (launch {}) does",
                launch.saturating_sub(1),
                session.launch() - 1,
                session.launch()
            ));
        }
        let mut focus = self.focus;
        let (grid, extents) = session.extents();
        let Terms { thread: thread_word, block: block_word, blocks: blocks_word, sm: sm_word, an_sm, .. } =
            terms(session);
        if let Some(sm) = sm {
            if sm >= session.sms() {
                return Err(format!(
                    "{sm_word} {sm} does not exist; the chip has {} {sm_word}s",
                    session.sms()
                ));
            }
            (focus.sm, focus.slot) = (sm, 0);
        }
        let block =
            block.or_else(|| thread.and(session.warp(focus.sm, focus.slot)).map(|warp| warp.block_index));
        if let Some(index) = block {
            if index.x >= grid.x || index.y >= grid.y || index.z >= grid.z {
                return Err(format!("{block_word} {index} is outside of the {blocks_word} {grid}"));
            }
            let resident = session.blocks().into_iter().find(|block| block.index == index);
            let resident = resident
                .ok_or_else(|| format!("{block_word} {index} is not resident now; see `info blocks`"))?;
            let thread = thread.unwrap_or(Dim3::new(0, 0, 0));
            if thread.x >= extents.x || thread.y >= extents.y || thread.z >= extents.z {
                return Err(format!("{thread_word} {thread} is outside of the {block_word} {extents}"));
            }
            let linear = (thread.z * extents.y + thread.y) * extents.x + thread.x;
            let number = warp.unwrap_or(linear / 32);
            let slots = (0..64).filter(|slot| resident.warps >> slot & 1 == 1);
            let of = |slot: &u32| session.warp(resident.sm, *slot).is_some_and(|warp| warp.index == number);
            let slot = slots.into_iter().find(of);
            focus.slot = slot.ok_or_else(|| format!("{block_word} {index} has no warp {number}"))?;
            (focus.sm, focus.lane) = (resident.sm, linear % 32);
        } else if let Some(slot) = warp {
            let slots = session.warp_slots();
            if slot >= slots {
                return Err(format!("warp slot {slot} does not exist; {an_sm} has {slots} warp slots"));
            }
            focus.slot = slot;
        }
        if let Some(lane) = lane {
            if lane > 31 {
                return Err(format!("lane {lane} does not exist; a warp has lanes 0 to 31"));
            }
            focus.lane = lane;
        }
        self.focus = focus;
        Ok(())
    }
}
