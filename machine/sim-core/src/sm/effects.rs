//! Effects of instructions that concern other warps, caches, or global and local memory: messages,
//! missing lines of constants, barriers, fences and exits.

use super::Sm;
use super::barrier::OtherCount;
use super::context::SmContext;
use super::decode::NO_CONSTANT;
use super::execute::{ExtraSlots, Issue};
use super::memory::access::Queued;
use super::memory::generic::Served;
use super::memory::textures::Fetch;
use crate::counters::WarpState;
use crate::exec::Step;
use crate::exec::trap::{Fault, FaultKind, Trap};
use crate::hooks::Mutant;
use crate::mem::bank;
use crate::time::NEVER;

impl Sm {
    /// Applies the effects of an executed instruction. Without further delay the result can be used
    /// from shader cycle `usable` on. Adds further costs to `extra`.
    #[inline(never)]
    pub(super) fn apply(
        &mut self,
        issue: Issue<'_>,
        done: Step,
        mut usable: u64,
        extra: &mut ExtraSlots,
        context: &SmContext,
    ) {
        let Issue { warp, now, decoded, .. } = issue;
        if decoded.constant != NO_CONSTANT {
            self.memory.read_operand(issue, &mut self.warps.control[warp], context);
            self.output |= self.memory.has_misses();
        }
        if self.memory.access.past != 0 {
            self.account.pcs[decoded.main as usize].past(self.memory.access.take_past());
        }
        let control = &mut self.warps.control[warp];
        let lanes = self.memory.access.mask;
        match done {
            Step::Const => usable += self.constant_load(issue, bank::CONSTANTS, extra, context),
            Step::Param if context.params_in_bank => {
                usable += self.constant_load(issue, bank::PARAMETERS, extra, context);
            }
            Step::Shared => {
                let cost = self.memory.shared_replays(decoded.slots, decoded.latency, context);
                (extra.replay, extra.passing) = (cost.replay.into(), cost.passing.into());
                usable += cost.late;
                if self.memory.access.atomic.is_some() && lanes != 0 {
                    // The atomic is a loop of instructions: the next instruction waits until the
                    // last lane has finished.
                    control.hold(usable, WarpState::SharedDependency);
                }
            }
            Step::Global if lanes != 0 => {
                let queued = self.memory.queue_global(issue, self.warps.age[warp], context);
                return self.queued(issue, queued, context);
            }
            Step::Local if lanes != 0 => {
                let queued = self.memory.queue_local(issue, self.warps.age[warp], context);
                return self.queued(issue, queued, context);
            }
            Step::Generic if lanes != 0 => {
                let age = self.warps.age[warp];
                let served = self.memory.queue_generic(issue, extra, control, age, context);
                self.output |= self.memory.has_misses();
                return match served {
                    Served::Queued(queued) => self.queued(issue, queued, context),
                    Served::Here { usable, producer } => {
                        self.front.scoreboard.set(warp, decoded.dsts(), usable, producer);
                    }
                };
            }
            Step::Texture if lanes != 0 => {
                self.memory.fetch(issue);
                return self.fetching(issue, context);
            }
            Step::Next | Step::Param | Step::Global | Step::Local | Step::Generic | Step::Texture => {}
            Step::NotTaken | Step::Taken | Step::Diverged => {
                if decoded.conditional {
                    self.account.branched(decoded.main, done == Step::Diverged);
                }
                control.hold(usable, WarpState::Fetch);
            }
            Step::Jump | Step::Exit => control.hold(usable, WarpState::Fetch),
            Step::Barrier => {
                self.account.inst.barriers += 1;
                let partial = lanes != self.warps.of(warp).live;
                self.account.pcs[decoded.main as usize].partial += u64::from(partial);
                self.arrive(issue, context);
            }
            Step::FenceBlock | Step::FenceGlobal => {
                if !context.hooks.is(Mutant::FencesDoNothing) {
                    self.fence(issue, done == Step::FenceGlobal, context);
                }
            }
            Step::LastExit => {
                let until = now + u64::from(context.config.barrier_cycles);
                let released = self.warps.last_exit(warp, until, &context.kernel.program);
                self.front.wake_warps(released, self.period.cycle_from(until));
            }
        }
        self.front.scoreboard.results(warp, decoded, usable);
    }

    /// Reads constant memory relative to `base`. Returns the shader cycles by which the result is
    /// delayed.
    pub(super) fn constant_load(
        &mut self,
        issue: Issue<'_>,
        base: u32,
        extra: &mut ExtraSlots,
        context: &SmContext,
    ) -> u64 {
        let control = &mut self.warps.control[issue.warp];
        let late = self.memory.constant_load(issue, base, extra, control, context);
        self.output |= self.memory.has_misses();
        late
    }

    /// Records that the messages of an instruction are in the load/store queue.
    fn queued(&mut self, issue: Issue<'_>, queued: Queued, context: &SmContext) {
        let Issue { warp, decoded, cycle, .. } = issue;
        let Queued { links, transactions, pending } = queued;
        let control = &mut self.warps.control[warp];
        control.links |= links;
        control.queued += 1;
        if pending {
            self.warps.block_of(warp).loads += 1;
            if !context.hooks.is(Mutant::ScoreboardIgnoresLoads) {
                self.front.scoreboard.set_pending(warp, decoded.dsts());
            }
        }
        self.account.pcs[decoded.main as usize].transactions += u64::from(transactions);
        // The L1 looks the messages up before the cluster has something to send.
        if self.memory.l1().is_some() {
            self.queued = true;
        } else {
            self.output = true;
        }
        if self.memory.queue_is_full() {
            self.account.queue_is_full(cycle + 1);
        }
    }

    /// Removes the next texture fetch for the texture units of the cluster.
    pub(crate) fn next_fetch(&mut self) -> Option<Fetch> {
        self.memory.next_fetch()
    }

    /// Removes the addresses of the texels of the fetch that was removed last.
    pub(crate) fn texels(&mut self, fetch: Fetch) -> impl Iterator<Item = u32> {
        self.memory.texels(fetch.texels)
    }

    /// Records that a texture fetch is on its way to the texture units.
    fn fetching(&mut self, issue: Issue<'_>, context: &SmContext) {
        let Issue { warp, decoded, .. } = issue;
        self.warps.block_of(warp).loads += 1;
        if !context.hooks.is(Mutant::ScoreboardIgnoresLoads) {
            self.front.scoreboard.set_pending(warp, decoded.dsts());
        }
        self.output = true;
    }

    /// Executes the arrival of a warp at a barrier.
    fn arrive(&mut self, issue: Issue<'_>, context: &SmContext) {
        let Issue { warp, now, .. } = issue;
        let (lanes, arrival) = (self.memory.access.mask, self.memory.access.arrival);
        match self.warps.arrive(warp, issue.pc(), lanes, &arrival, context.hooks) {
            Ok(release) => {
                let late = u64::from(context.hooks.is(Mutant::BarrierReleasesLate)) * self.period;
                let until = now + u64::from(context.config.barrier_cycles) + late;
                let released = self.warps.release(release, until, &context.kernel.program);
                self.front.wake_warps(released, self.period.cycle_from(until));
            }
            Err(OtherCount(first)) => {
                let all = self.warps.block_of(warp).warps.count_ones();
                let threads = 32 * if arrival.warps == 0 { all } else { arrival.warps };
                let kind = FaultKind::OtherBarrierCount { barrier: arrival.id, threads, first };
                let arch = self.warps.of(warp);
                let fault = Fault { kind, lanes };
                self.traps.push(Trap::at(issue.pc(), &context.kernel, arch, fault, Some(self.id), now));
                self.warps.control[warp].hold(NEVER, WarpState::Exited);
            }
        }
    }

    /// Executes `membar`: the warp waits for the replies of the partitions, or until its own
    /// accesses have left the queue.
    fn fence(&mut self, issue: Issue<'_>, global: bool, context: &SmContext) {
        let Issue { warp, .. } = issue;
        self.warps.held_at(warp, issue.pc(), self.memory.access.mask);
        let control = &mut self.warps.control[warp];
        if global && control.links != 0 {
            control.hold(NEVER, WarpState::Membar);
            let links = control.links;
            control.fences = links.count_ones();
            let queued = self.memory.queue_fence(issue, self.warps.age[warp], links);
            self.queued(issue, queued, context);
            self.warps.control[warp].links = 0;
        } else if !global && control.queued > 0 {
            control.wants_queue_empty = true;
            control.hold(NEVER, WarpState::Membar);
        }
    }
}
