//! The buffer of a watched SM, and what has to be remembered to tell the reasons of waits.
//!
//! It sees every instruction that the SM issues from the launch's beginning on, since what a warp
//! waits for may have been issued long before the watched cycles.

use super::Watch;
use super::event::{Event, Issued, Origin, What, Why};
use crate::config::MAX_UNITS;
use crate::counters::WarpState;
use crate::exec::simt::{Entry, SimtStack};

/// How a warp stands, as last told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Standing {
    /// The instruction charged.
    pub pc: u32,
    /// Lanes that execute it.
    pub lanes: u32,
    /// State.
    pub state: WarpState,
    /// Why.
    pub why: Why,
}

/// What a watched SM has beside its state.
#[derive(Clone, Debug)]
pub struct Recorder {
    sm: u32,
    period: u64,
    /// Watched warp slots.
    pub warps: u64,
    /// Watched issue cycles: from here …
    pub from: u64,
    /// … and before here.
    pub to: u64,
    /// All issue cycles before this one are recorded.
    pub until: u64,
    /// What held when the watch began has been told.
    pub begun: bool,
    told: Vec<Option<Standing>>,
    stacks: Vec<Vec<Entry>>,
    /// For each warp slot the last instruction issued.
    issued: Vec<Option<Issued>>,
    /// For each warp slot and scoreboard entry who makes the value.
    producers: Vec<Option<Origin>>,
    registers: usize,
    /// For each pipe of the units the last instruction that went in.
    users: Vec<Origin>,
    /// For each scheduler the warp that issued last.
    takers: Vec<u32>,
    events: Vec<Event>,
}

impl Recorder {
    /// Of SM number `sm` with `slots` warp slots of `registers` scoreboard entries and `schedulers`
    /// schedulers, whose issue cycles are `period` hot cycles long.
    pub fn new(
        watch: &Watch,
        sm: u32,
        period: u64,
        slots: usize,
        registers: usize,
        schedulers: usize,
    ) -> Self {
        let warps = (0..slots as u32).filter(|w| watch.warps.contains(w)).fold(0, |mask, w| mask | 1 << w);
        Self {
            sm,
            period,
            warps,
            from: watch.cycles.start.div_ceil(period),
            to: watch.cycles.end.div_ceil(period),
            until: 0,
            begun: false,
            told: vec![None; slots],
            stacks: vec![Vec::new(); slots],
            issued: vec![None; slots],
            producers: vec![None; slots * registers],
            registers,
            users: vec![Origin::default(); schedulers * MAX_UNITS],
            takers: vec![0; schedulers],
            events: Vec::new(),
        }
    }

    /// Whether issue cycle `cycle` is to be told.
    pub fn wants(&self, cycle: u64) -> bool {
        self.from <= cycle && cycle < self.to
    }

    fn watches(&self, warp: u32) -> bool {
        self.warps >> warp & 1 == 1
    }

    /// Tells what holds from issue cycle `cycle` on.
    pub fn tell(&mut self, cycle: u64, what: What) {
        if self.begun && self.wants(cycle) {
            debug_assert!(
                self.events.last().is_none_or(|e| e.cycle <= cycle * self.period),
                "told in order of time"
            );
            self.events.push(Event { cycle: cycle * self.period, sm: self.sm, what });
        }
    }

    /// From issue cycle `cycle` on the warp stands so.
    pub fn tell_state(&mut self, cycle: u64, warp: u32, standing: Standing) {
        if !self.watches(warp) || !self.wants(cycle) || self.told[warp as usize] == Some(standing) {
            return;
        }
        self.told[warp as usize] = Some(standing);
        let Standing { pc, lanes, state, why } = standing;
        self.tell(cycle, What::State { warp, pc, lanes, state, why });
    }

    /// Tells the warp's stack if it has changed since it was told last.
    pub fn tell_stack(&mut self, cycle: u64, warp: u32, stack: &SimtStack) {
        if !self.watches(warp) || !self.begun {
            return;
        }
        let told = &mut self.stacks[warp as usize];
        // The running entry moves from instruction to instruction: that is no change.
        let running = stack.depth().saturating_sub(1);
        let fixed = |i: usize, e: Entry| (e.mask, e.reconv, if i == running { 0 } else { e.pc });
        let same = told.len() == stack.depth()
            && told.iter().zip(stack.entries()).enumerate().all(|(i, (a, b))| fixed(i, *a) == fixed(i, b));
        if same {
            return;
        }
        told.clear();
        told.extend(stack.entries());
        let entries = told.clone();
        self.tell(cycle, What::Stack { warp, entries });
    }

    /// A warp moves in or out of the slot: what was known of it is forgotten.
    pub fn forget(&mut self, warp: u32) {
        let w = warp as usize;
        self.told[w] = None;
        self.stacks[w].clear();
        self.issued[w] = None;
        self.producers[w * self.registers..][..self.registers].fill(None);
    }

    /// `warp` has the first port of `scheduler`, or keeps it from issuing.
    pub fn takes(&mut self, scheduler: usize, warp: u32) {
        self.takers[scheduler] = warp;
    }

    /// An instruction issues into `pipe`; `registers` are the scoreboard entries of its results.
    pub fn issue(&mut self, pipe: usize, registers: &[u16], issued: Issued) {
        let Issued { origin, lanes, .. } = issued;
        let warp = origin.warp as usize;
        self.users[pipe] = origin;
        self.issued[warp] = Some(issued);
        for register in registers {
            self.producers[warp * self.registers + *register as usize] = Some(origin);
        }
        let (state, why) = (WarpState::Issuing, Why::Issued(issued));
        let standing = Standing { pc: origin.pc, lanes, state, why };
        self.tell_state(origin.cycle / self.period, origin.warp, standing);
    }

    /// The last instruction that the warp in a slot has issued.
    pub fn issued(&self, warp: u32) -> Option<Issued> {
        self.issued[warp as usize]
    }

    /// Who makes the value of a scoreboard entry.
    pub fn producer(&self, warp: u32, register: u16) -> Option<Origin> {
        self.producers[warp as usize * self.registers + register as usize]
    }

    /// The last instruction that went into a pipe.
    pub fn user(&self, pipe: usize) -> Origin {
        self.users[pipe]
    }

    /// The warp that issued last from a scheduler.
    pub fn taker(&self, scheduler: usize) -> u32 {
        self.takers[scheduler]
    }

    /// Hands on what holds from hot cycles before `before` on.
    pub fn drain(&mut self, before: u64, out: &mut Vec<Event>) {
        let end = self.events.partition_point(|event| event.cycle < before);
        out.extend(self.events.drain(..end));
    }
}
