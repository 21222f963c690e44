//! Ready warps: how long they waited for their unit, for the load/store queue and for other warps,
//! and their issue.

use super::Account;
use crate::counters::{PcCounters, WarpState};
use crate::exec::mask::count;
use crate::sm::decode::Need;
use crate::sm::front::kinds::FrontEnd;
use crate::sm::units::Units;
use crate::time::NEVER;

impl Account {
    /// From issue cycle `at` on, the warp of `scheduler` is ready: it waits only for the `need` of
    /// its next instruction and for other warps.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "on the path of every instruction, in several pipelines")]
    pub(in crate::sm) fn enter_ready<F: FrontEnd>(
        &mut self,
        warp: u32,
        (scheduler, need): (usize, Need),
        at: u64,
        units: &mut Units,
    ) {
        let i = &mut self.intervals[warp];
        debug_assert!(self.states[warp] != WarpState::NotSelected, "ready warps leave by `issue`");
        if at > i.since {
            self.pcs[i.pc as usize].warp.add(self.states[warp], at - i.since);
        }
        i.since = at;
        self.begin_ready::<F>(warp, (scheduler, need), at, units);
    }

    /// Same as [`Self::enter_ready`], for a warp that has issued in the cycle before: no cycles of
    /// another state have passed.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "on the path of every instruction, in several pipelines")]
    pub(in crate::sm) fn ready_after_issue<F: FrontEnd>(
        &mut self,
        warp: u32,
        (scheduler, need): (usize, Need),
        at: u64,
        units: &mut Units,
    ) {
        debug_assert!(self.states[warp] == WarpState::Issuing, "the warp has issued");
        debug_assert!(self.intervals[warp].since == at, "in the cycle before");
        self.begin_ready::<F>(warp, (scheduler, need), at, units);
    }

    /// Stores the counts at issue cycle `at`, in which a warp becomes ready.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "on the path of every instruction, in several pipelines")]
    fn begin_ready<F: FrontEnd>(
        &mut self,
        warp: u32,
        (scheduler, need): (usize, Need),
        at: u64,
        units: &mut Units,
    ) {
        self.count_queue_full(at, units);
        self.states[warp] = WarpState::NotSelected;
        let i = &mut self.intervals[warp];
        i.pc = i.next;
        i.busy = F::busy_seen(units, need.unit(), scheduler, at);
        if need.queued() {
            i.full = units.queue_full_seen(need.unit(), scheduler);
        }
    }

    /// Counts the cycles before issue cycle `at` for which the warp of `scheduler` was ready.
    /// `busy_seen` returns the count of its unit. Returns the counters of its instruction.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "on the path of every instruction, in several pipelines")]
    pub(super) fn count_ready(
        &mut self,
        warp: u32,
        (scheduler, need): (usize, Need),
        at: u64,
        units: &mut Units,
        busy_seen: impl FnOnce(&Units, u8, usize, u64) -> u64,
    ) -> &mut PcCounters {
        self.count_queue_full(at, units);
        let i = &self.intervals[warp];
        debug_assert!(self.states[warp] == WarpState::NotSelected, "only ready warps issue");
        let counters = &mut self.pcs[i.pc as usize];
        if at > i.since {
            let unit = need.unit();
            let busy = busy_seen(units, unit, scheduler, at) - i.busy;
            let mut other = (at - i.since) - busy;
            if need.queued() {
                let full = units.queue_full_seen(unit, scheduler).wrapping_sub(i.full);
                counters.warp.add(WarpState::LsuFull, full);
                other -= full;
            }
            counters.warp.add(WarpState::PipeBusy, busy);
            counters.warp.add(WarpState::NotSelected, other);
        }
        counters
    }

    /// The ready warp of `scheduler` issues its instruction at issue cycle `at`, for the lanes
    /// `side`.
    #[inline]
    pub(in crate::sm) fn issue<F: FrontEnd>(
        &mut self,
        warp: u32,
        (scheduler, need): (usize, Need),
        side: u32,
        at: u64,
        units: &mut Units,
    ) {
        let counters = self.count_ready(warp, (scheduler, need), at, units, F::busy_at_issue);
        counters.executed += 1;
        counters.threads += u64::from(count(side));
        counters.warp.add(WarpState::Issuing, 1);
        self.states[warp] = WarpState::Issuing;
        self.intervals[warp].since = at + 1;
    }

    /// A warp that issues also issues the instruction at `pc`, for the lanes `side`. Its cycle is
    /// charged to that instruction.
    pub fn issue_more(&mut self, warp: u32, pc: u32, side: u32) {
        let i = &mut self.intervals[warp];
        debug_assert!(self.states[warp] == WarpState::Issuing, "the warp issues two instructions");
        self.pcs[i.pc as usize].warp[WarpState::Issuing] -= 1;
        i.pc = pc;
        let counters = &mut self.pcs[pc as usize];
        counters.executed += 1;
        counters.threads += u64::from(count(side));
        counters.warp.add(WarpState::Issuing, 1);
    }

    /// Corrects the busy count of a ready warp, which issues through a unit other than its own.
    pub fn not_busy_now(&mut self, warp: u32) {
        self.intervals[warp].busy += 1;
    }

    /// The load/store queue is full from `at` on.
    pub fn queue_is_full(&mut self, at: u64) {
        self.full_from = at;
    }

    /// The load/store queue has a free entry again from issue cycle `at` on.
    pub fn queue_has_space(&mut self, at: u64, units: &mut Units) {
        self.count_queue_full(at, units);
        self.full_from = NEVER;
    }

    #[inline]
    fn count_queue_full(&mut self, until: u64, units: &mut Units) {
        if self.full_from < until {
            units.count_queue_full(self.full_from, until);
            self.full_from = until;
        }
    }
}
