//! One streaming multiprocessor: its state, and the blocks that move in and out.

use super::account::Ledgers;
use super::block::BlockSlot;
use super::coalesce::Coalescer;
use super::constants::Constants;
use super::decode::{Decoded, decode_program, scoreboard_entries};
use super::fetch::Fetch;
use super::l1::L1;
use super::lsu::Lsu;
use super::mail::Load;
use super::scheduler::{OwnScheduler, Policy, SchedulerFault, bits};
use super::scoreboard::Scoreboard;
use super::units::Units;
use super::watched::Watched;
use crate::config::SmConfig;
use crate::exec::{Access, Kernel, Warp, WarpId};
use crate::hooks::Hooks;
use crate::mem::local::LocalArea;
use crate::mem::map::AddressMap;
use crate::stats::WarpState;
use crate::time::NEVER;
use crate::time::message::Reply;
use crate::time::period::Period;
use crate::time::wheel::Wheel;
use crate::trap::Trap;
use std::sync::Arc;

/// What all SMs of a launch share: immutable while it runs.
#[derive(Clone, Debug)]
pub struct Setup {
    /// The launch.
    pub kernel: Arc<Kernel>,
    /// Its instructions as timing sees them.
    pub code: Vec<Decoded>,
    /// The SM's configuration.
    pub config: SmConfig,
    /// What turns its accesses into messages.
    pub coalescer: Coalescer,
    /// Where the traffic of local memory goes.
    pub local: LocalArea,
    /// Parameters lie in constant memory, not in shared memory.
    pub params_in_bank: bool,
    /// A user's scheduling policy, instead of the configuration's.
    pub scheduler: Option<OwnScheduler>,
    /// Test switches.
    pub hooks: Hooks,
}

impl Setup {
    /// Decodes the launch's program for SMs of `config`, whose memory lies as `map` says and moves in bursts of
    /// `burst_bytes`.
    pub fn new(
        kernel: Arc<Kernel>,
        config: SmConfig,
        map: AddressMap,
        burst_bytes: u32,
        hooks: Hooks,
    ) -> Self {
        let code = decode_program(&kernel.program, &config);
        let coalescer = Coalescer { config: config.lsu, map, burst_bytes };
        let (local, params_in_bank) = (LocalArea::NONE, false);
        Self { kernel, code, config, coalescer, local, params_in_bank, scheduler: None, hooks }
    }

    /// With local memory's traffic going to `area`.
    #[must_use]
    pub fn local(mut self, area: LocalArea) -> Self {
        self.local = area;
        self
    }

    /// With parameters in constant memory, or in shared memory.
    #[must_use]
    pub fn params_in_bank(mut self, in_bank: bool) -> Self {
        self.params_in_bank = in_bank;
        self
    }

    /// With a user's scheduling policy, if there is one.
    #[must_use]
    pub fn scheduler(mut self, scheduler: Option<OwnScheduler>) -> Self {
        self.scheduler = scheduler;
        self
    }
}

/// What timing keeps of a warp, beside its architectural state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Control {
    /// Its block's slot.
    pub block: u8,
    /// Until this hot cycle it cannot issue, whatever its registers say ([`NEVER`]: until someone lets it go) …
    pub hold: u64,
    /// … because of this: `Fetch`, `ConstantDependency`, `Barrier`, `Membar` or `Exited`.
    pub hold_state: WarpState,
    /// Until this hot cycle its last instruction takes up issue slots, whatever else it waits for.
    pub issuing: u64,
    /// Its instructions in the load/store queue.
    pub queued: u32,
    /// Fence answers it waits for.
    pub fences: u32,
    /// Partitions that it has sent to since its last fence.
    pub links: u64,
    /// It waits for its own transactions to leave the load/store queue (`membar.cta`).
    pub wants_queue_empty: bool,
    /// Hot cycle from which on it has run with the same lanes.
    pub since: u64,
    /// The last barrier or fence that it executed …
    pub held_at: u32,
    /// … and the lanes that did.
    pub held_lanes: u32,
}

impl Control {
    /// Of a warp of the block in slot `block`, which may issue from hot cycle `hold` on.
    fn new(block: usize, hold: u64) -> Self {
        Self {
            since: hold,
            held_at: 0,
            held_lanes: 0,
            block: block as u8,
            hold,
            hold_state: WarpState::Fetch,
            issuing: 0,
            queued: 0,
            fences: 0,
            links: 0,
            wants_queue_empty: false,
        }
    }
}

/// A streaming multiprocessor. Methods take the time as hot cycles; see the module's files for its parts.
pub struct Sm {
    /// Index within the cluster.
    pub(super) index: u8,
    pub(super) period: Period,
    // what it holds
    pub(super) warps: Vec<Warp>,
    pub(super) control: Vec<Control>,
    pub(super) blocks: Vec<BlockSlot>,
    free_slots: u64,
    // why warps wait
    pub(super) scoreboard: Scoreboard,
    pub(super) wheel: Wheel,
    pub(super) units: Units,
    pub(super) lsu: Lsu,
    pub(super) l1: Option<Box<L1>>,
    pub(super) constants: Option<Constants>,
    pub(super) fetch: Option<Fetch>,
    // who can issue
    pub(super) policies: Vec<Policy>,
    /// For each scheduler the warp slots that belong to it.
    pub(super) scheduler_warps: Vec<u64>,
    /// For each scheduler the hot cycle from which it may issue again.
    pub(super) port_free: Vec<u64>,
    /// Schedulers have a second port.
    pub(super) two_ports: bool,
    /// Warps whose next instruction waits for nothing but a unit or the queue.
    pub(super) ready: u64,
    /// For each unit the ready warps that need it.
    pub(super) needs_unit: [u64; super::units::MAX_UNITS],
    /// For each unit the ready warps whose instruction the second port could issue to it, beside another warp's.
    pub(super) second_unit: [u64; super::units::MAX_UNITS],
    /// Ready warps that need room in the load/store queue.
    pub(super) needs_queue: u64,
    // what policies look at, by warp slot: see `scheduler::View`
    pub(super) age: Vec<u64>,
    pub(super) last_issue: Vec<u64>,
    pub(super) rank: Vec<u8>,
    pub(super) block: Vec<u64>,
    /// Global loads on their way, by tag, and tags that are free.
    pub(super) loads: Vec<Load>,
    pub(super) free_loads: Vec<u16>,
    /// Filled by each instruction that is executed.
    pub(super) access: Access,
    /// Filled by each line that comes for the L1: the replies that it holds.
    pub(super) filled: Vec<Reply>,
    /// A part of it, as the coalescer is to see it: words of local memory.
    pub(super) part: Access,
    /// Who watches it, if anybody does.
    pub(super) watched: Option<Box<Watched>>,
    /// Where every slot and warp cycle went.
    pub ledgers: Ledgers,
    /// It has queued a message or released a block since the cluster last looked.
    pub(super) output: bool,
    /// Blocks whose slots were released, with the hot cycle: the cluster tells the dispatcher.
    pub retired: Vec<u64>,
    /// Illegal things that warps did, in the order of cycles.
    pub traps: Vec<Trap>,
    /// The first thing that a user's scheduling policy did wrong.
    pub scheduler_fault: Option<SchedulerFault>,
    /// The earliest hot cycle at which [`Self::tick`] may do something.
    pub wake: u64,
}

impl Sm {
    /// SM number `id` of the chip, `index` of its cluster, empty.
    pub fn new(id: u32, index: u8, setup: &Setup) -> Self {
        let config = &setup.config;
        let warps = config.max_warps as usize;
        let rows = setup.kernel.program.rows;
        let schedulers = config.schedulers as usize;
        let mut empty = Warp::empty(rows, setup.kernel.program.call_depth);
        empty.id.sm = id;
        let all_slots = if warps == 64 { u64::MAX } else { (1 << warps) - 1 };
        Self {
            index,
            period: Period::new(config.issue_period),
            warps: vec![empty; warps],
            control: vec![Control::new(0, 0); warps],
            blocks: vec![BlockSlot::empty(setup.kernel.shared_bytes); config.max_blocks as usize],
            free_slots: all_slots,
            scoreboard: Scoreboard::new(warps, scoreboard_entries(&setup.kernel.program)),
            wheel: Wheel::default(),
            units: Units::new(&config.units, schedulers, Period::new(config.issue_period)),
            lsu: Lsu::new(config.lsu, setup.hooks),
            l1: config.l1.map(|l1| Box::new(L1::new(l1, &setup.coalescer, setup.hooks, id))),
            constants: config.const_cache.map(|cache| Constants::new(cache, warps, id)),
            fetch: config.instr_cache.map(|cache| Fetch::new(cache, id)),
            policies: (0..schedulers)
                .map(|s| {
                    let own = setup.scheduler.as_ref();
                    Policy::new(config.policy, own, id, s as u32, config.schedulers)
                })
                .collect(),
            scheduler_warps: (0..schedulers)
                .map(|s| (s..warps).step_by(schedulers).fold(0, |mask, w| mask | 1 << w))
                .collect(),
            port_free: vec![0; schedulers],
            two_ports: config.second_port.ports() == 2,
            ready: 0,
            needs_unit: [0; super::units::MAX_UNITS],
            second_unit: [0; super::units::MAX_UNITS],
            needs_queue: 0,
            age: vec![0; warps],
            last_issue: vec![0; warps],
            rank: vec![0; warps],
            block: vec![0; warps],
            loads: Vec::new(),
            free_loads: Vec::new(),
            access: Access::new(),
            filled: Vec::new(),
            part: Access::new(),
            watched: None,
            ledgers: Ledgers::new(warps, schedulers, config.second_port.ports(), setup.code.len()),
            output: false,
            retired: Vec::new(),
            traps: Vec::new(),
            scheduler_fault: None,
            wake: NEVER,
        }
    }

    /// SM number in the chip.
    pub fn id(&self) -> u32 {
        self.warps[0].id.sm
    }

    /// The first issue cycle that begins at or after hot cycle `now`.
    pub(super) fn issue_cycle(&self, now: u64) -> u64 {
        self.period.cycle_from(now)
    }

    /// Looks at `warp` again in issue cycle `at`.
    pub(super) fn look_at(&mut self, warp: u32, at: u64) {
        self.wheel.insert(warp, at);
        self.wake = self.wake.min(at * self.period);
    }

    /// Block number `block` arrives; it was sent because its slots are free.
    pub fn start_block(&mut self, now: u64, block: u64, setup: &Setup) {
        let since = self.issue_cycle(now);
        self.record_until(since);
        let kernel = &setup.kernel;
        let slot = self.blocks.iter().position(|b| !b.resident).expect("the dispatcher counts block slots");
        let mut mask = 0;
        for index in 0..kernel.warps_per_block() {
            let warp = self.free_slots.trailing_zeros();
            debug_assert!(warp < 64, "the dispatcher counts warp slots");
            self.free_slots &= self.free_slots - 1;
            mask |= 1 << warp;
            let w = warp as usize;
            let id = WarpId {
                block,
                ctaid: kernel.grid.index_of(block),
                index,
                sm: self.warps[w].id.sm,
                slot: warp,
            };
            self.warps[w].start(id, kernel.threads());
            self.scoreboard.clear(warp);
            self.control[w] = Control::new(slot, now + u64::from(setup.config.block_start_cycles));
            self.age[w] = block * u64::from(kernel.warps_per_block()) + u64::from(index);
            self.last_issue[w] = 0;
            self.block[w] = block;
            self.ledgers.start(warp, WarpState::Fetch, since);
            self.fetch_next(warp, None, setup);
            self.look_at(warp, since);
        }
        self.blocks[slot].start(block, mask, since);
        self.record_block(slot, since);
        self.ledgers.block_started(since);
    }

    /// Hot cycle of its first trap or scheduler's fault, because of which the launch must stop; [`NEVER`] without.
    pub fn must_stop(&self) -> u64 {
        let trap = self.traps.first().map_or(NEVER, |trap| trap.cycle);
        trap.min(self.scheduler_fault.as_ref().map_or(NEVER, |fault| fault.cycle))
    }

    /// Whether the cluster has something to send for it: a message, a request for a line, or the end of a block.
    pub fn take_output(&mut self) -> bool {
        let missing = self.constants.as_ref().is_some_and(Constants::has_misses)
            || self.fetch.as_ref().is_some_and(Fetch::has_misses);
        std::mem::take(&mut self.output) || missing
    }

    /// The head of the load/store queue, and from when it may leave.
    pub fn lsu(&self) -> &Lsu {
        &self.lsu
    }

    /// From issue cycle `at` on a warp has nothing left to execute: it has exited or is stopped by a trap.
    pub(super) fn exited(&mut self, warp: u32, at: u64) {
        let slot = self.control[warp as usize].block as usize;
        let block = &mut self.blocks[slot];
        // A trap leaves it where it is, for the report.
        block.exited |= 1 << warp & !block.live;
        self.retire_if_done(slot, at);
    }

    /// Releases a block's slots at issue cycle `at` if its warps have exited and its loads are home.
    pub(super) fn retire_if_done(&mut self, slot: usize, at: u64) {
        if !self.blocks[slot].done() {
            return;
        }
        self.record_retired(slot, at);
        let mask = self.blocks[slot].warps;
        for warp in bits(mask) {
            self.ledgers.stop(warp, at);
        }
        let block = &mut self.blocks[slot];
        block.resident = false;
        self.free_slots |= mask;
        self.ledgers.block_retired(block.since, at, u64::from(mask.count_ones()));
        self.retired.push(at * self.period);
        self.output = true;
        self.wake = self.wake.min(at * self.period);
    }

    /// Resident blocks with their warps, for explanations.
    pub fn resident(&self) -> impl Iterator<Item = &BlockSlot> {
        self.blocks.iter().filter(|b| b.resident)
    }
}
