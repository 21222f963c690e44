//! The words of rules: formulas with a name.

use super::formula::{Formula, is};
use super::moment::Moment;
use super::setup::Warp;
use super::slot::Slot;
use sim_core::observe::What;

/// The scheduler issues an instruction.
pub fn issues() -> Formula {
    is(|m| m.issued().is_some())
}

/// The scheduler's issue slot is not held by an instruction of an earlier cycle.
pub fn free() -> Formula {
    is(|m| m.sm.schedulers[m.scheduler as usize].free_since <= m.cycle)
}

/// At least `warps` warps of the scheduler can issue.
pub fn eligible_warps(warps: u32) -> Formula {
    is(move |m| m.eligible().count_ones() >= warps)
}

/// The warp can issue, or does.
pub fn eligible() -> Formula {
    is(|m| m.eligible() >> m.warp.slot & 1 == 1)
}

/// The scheduler selects the warp.
pub fn selected() -> Formula {
    is(|m| m.selected() == Some(m.warp))
}

/// The scheduler issues another warp although this one can issue.
pub fn passed_over() -> Formula {
    issues() & eligible() & !selected()
}

/// The other warp of the pair can issue, or does.
pub fn other_eligible() -> Formula {
    is(|m| m.eligible() >> m.other.slot & 1 == 1)
}

/// The scheduler selects the other warp of the pair.
pub fn other_selected() -> Formula {
    is(|m| m.selected() == Some(m.other))
}

/// The scheduler issues another warp than the time before.
pub fn switches() -> Formula {
    is(|m| {
        let previous = m.sm.schedulers[m.scheduler as usize].previous;
        previous.is_some() && m.selected().is_some() && m.selected() != previous
    })
}

/// The warp that issues could have issued before, when the scheduler was free.
pub fn late() -> Formula {
    is(|m| {
        let since = m.selected().and_then(|warp| m.sm.slots[warp.slot as usize].as_ref());
        since.is_some_and(|slot| {
            m.cycle > slot.eligible_since.max(m.sm.schedulers[m.scheduler as usize].free_since)
        })
    })
}

/// The oldest warp of the scheduler that can issue.
fn oldest(m: &Moment<'_>) -> Option<Warp> {
    m.eligible_warps().min_by_key(|warp| warp.age)
}

/// The scheduler selects the oldest warp that can issue.
pub fn selects_oldest() -> Formula {
    is(|m| m.selected() == oldest(m))
}

/// The warp that issued the time before can issue.
pub fn previous_eligible() -> Formula {
    is(|m| {
        let previous = m.sm.schedulers[m.scheduler as usize].previous;
        previous.is_some_and(|previous| m.eligible_warps().any(|warp| warp == previous))
    })
}

/// The warp's wait is over, by the event that began it, but its state is the same.
pub fn overslept() -> Formula {
    is(|m| {
        let until = m.slot().filter(|slot| slot.why.is_none_or(|why| why.issued().is_none()));
        let until = until.and_then(Slot::until);
        until.is_some_and(|until| until.div_ceil(m.sm.period) <= m.cycle)
    })
}

/// The warp waits at a barrier.
pub fn at_a_barrier() -> Formula {
    is(|m| m.slot().is_some_and(|slot| slot.barrier.is_some()))
}

/// The warp waits at a barrier although all warps of the block had arrived in time.
pub fn kept_at_a_barrier() -> Formula {
    is(|m| {
        let wait = m.slot().and_then(|slot| slot.barrier);
        wait.and_then(|wait| wait.due).is_some_and(|due| due <= m.cycle)
    })
}

/// The warp leaves a barrier.
pub fn leaves_a_barrier() -> Formula {
    is(|m| m.slot().is_some_and(|slot| slot.left.is_some()))
}

/// The warp leaves a barrier in the issue cycle in which it has to.
pub fn leaves_in_time() -> Formula {
    is(|m| m.slot().and_then(|slot| slot.left).is_some_and(|wait| wait.due == Some(m.cycle)))
}

/// A block becomes resident.
pub fn block_starts() -> Formula {
    is(|m| m.event.is_some_and(|event| matches!(event.what, What::BlockStarted { .. })))
}

/// A block frees its slots.
pub fn block_retires() -> Formula {
    is(|m| m.event.is_some_and(|event| matches!(event.what, What::BlockRetired { .. })))
}
