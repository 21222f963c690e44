//! The constant cache of an SM, which moves only time: values were read at issue, from the launch's own image.
//!
//! Lanes are looked at group by group; each different address of a group is an access of its own, which takes
//! `pass_cycles`. What does not fit into the slots of the instruction is replayed. An instruction of which a line is missing
//! holds its warp until all its lines are there; its results can be used when what is left of its latency has passed. A
//! line that is on its way is asked for once, however many warps wait for it. The cluster takes the lines to ask for and
//! brings them ([`crate::cluster`]).

use super::replies::NO_LOAD;
use crate::cache::{Miss, Mshr, Place, Tags};
use crate::config::ConstCacheConfig;
use crate::counters::{ConstCounters, WarpState};
use crate::exec::Row32;
use crate::mem::bank;
use crate::sm::Sm;
use crate::sm::execute::{Extra, Issue};
use crate::sm::scheduler::bits;
use crate::sm::setup::Setup;
use crate::time::NEVER;
use isa::uop::Class;
use std::collections::VecDeque;

/// What a warp waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Waiting {
    /// Lines still to come.
    lines: u32,
    /// The instruction that needs them.
    pc: u32,
    /// Hot cycles from the last line's arrival until its results can be used.
    rest: u32,
    /// The load of global or local memory that is another part of it.
    tag: u16,
}

/// The cache, and who waits for it.
#[derive(Clone, Debug)]
pub(in crate::sm) struct Constants {
    config: ConstCacheConfig,
    tags: Tags,
    line_shift: u32,
    /// The warp slots that wait for each line.
    mshr: Mshr<u32>,
    /// By warp slot.
    waiting: Vec<Waiting>,
    /// Lines that the cluster has not been asked for yet.
    misses: VecDeque<u32>,
    counters: ConstCounters,
}

impl Constants {
    /// The empty cache of SM number `sm`, which has `warps` warp slots.
    pub(in crate::sm) fn new(config: ConstCacheConfig, warps: usize, sm: u32) -> Self {
        Self {
            config,
            tags: Tags::new(config.shape, Place::SmConstants(sm)),
            line_shift: config.shape.line_bytes.trailing_zeros(),
            mshr: Mshr::unlimited(),
            waiting: vec![Waiting { lines: 0, pc: 0, rest: 0, tag: NO_LOAD }; warps],
            misses: VecDeque::new(),
            counters: ConstCounters::default(),
        }
    }

    /// Whether there are lines to request from the cluster.
    pub(in crate::sm) fn has_misses(&self) -> bool {
        !self.misses.is_empty()
    }

    /// `warp` needs the line of device address `address`, and waits for it if it is not there.
    fn look_up(&mut self, warp: u32, address: u32) {
        let line = address >> self.line_shift;
        if self.tags.hit(line.into()).is_some() {
            self.counters.hits += 1;
            return;
        }
        self.counters.misses += 1;
        self.waiting[warp as usize].lines += 1;
        if let Miss::New(_) = self.mshr.miss(line.into(), warp) {
            self.misses.push_back(line);
        }
    }

    /// The lanes `mask` of `warp` read at `addr`, behind `base`. Returns the accesses it takes, and how many it would take
    /// if the lanes of each group agreed.
    fn read(&mut self, warp: u32, base: u32, addr: &Row32, mask: u32) -> (u32, u32) {
        let all = if self.config.group >= 32 { u32::MAX } else { (1 << self.config.group) - 1 };
        let groups = || (0..32).step_by(self.config.group as usize).map(|first| mask & all << first);
        let least = groups().filter(|lanes| *lanes != 0).count() as u32;
        // Lanes that take no part repeat the address of one that does.
        if addr.iter().fold(0, |differ, at| differ | at ^ addr[0]) == 0 {
            self.counters.accesses += u64::from(least);
            self.look_up(warp, base + addr[0]);
            return (least, least);
        }
        let accesses = groups().map(|lanes| different(addr, lanes, 0).count_ones()).sum();
        self.counters.accesses += u64::from(accesses);
        for lane in bits(different(addr, mask, self.line_shift).into()) {
            self.look_up(warp, base + addr[lane as usize]);
        }
        (accesses, least)
    }
}

/// Of `lanes` the lowest one for each different value of address >> `shift`.
fn different(addr: &Row32, lanes: u32, shift: u32) -> u32 {
    let (mut left, mut first) = (lanes, 0);
    while left != 0 {
        let lowest = left & left.wrapping_neg();
        let key = addr[lowest.trailing_zeros() as usize] >> shift;
        first |= lowest;
        left =
            bits(left.into()).filter(|lane| addr[*lane as usize] >> shift != key).fold(0, |m, l| m | 1 << l);
    }
    first
}

impl Sm {
    /// What follows from the load from constant memory in `access`, at `pc`, behind `base`: the slots of its accesses go
    /// into `extra`. Returns the hot cycles that they add to its latency.
    pub(in crate::sm) fn constant_load(
        &mut self,
        issue: Issue<'_>,
        base: u32,
        extra: &mut Extra,
        setup: &Setup,
    ) -> u64 {
        let Issue { warp, decoded, .. } = issue;
        let pc = decoded.main;
        let Some(constants) = self.memory.constants.as_mut().filter(|_| self.memory.access.mask != 0) else {
            return 0;
        };
        let config = constants.config;
        constants.counters.requests += 1;
        let (accesses, least) = constants.read(warp, base, &self.memory.access.addr, self.memory.access.mask);
        self.output |= constants.has_misses();
        let cycles = |accesses: u32| u64::from(accesses * config.pass_cycles);
        let own = u64::from(decoded.slots) * self.period;
        let free = self.period.cycle_from(cycles(least).max(own));
        let replays = self.period.cycle_from(cycles(accesses)).saturating_sub(free);
        extra.constant += replays;
        extra.passing += cycles(accesses);
        // The part of a generic access takes the time of a load of its own.
        let class = if decoded.class == Class::LdParam { Class::LdParam } else { Class::LdConst };
        let latency = u32::from(setup.config.classes[class as usize].latency);
        self.wait_for_lines(warp, pc, latency - config.hit_cycles);
        replays * self.period
    }

    /// The instruction has a word of constant memory, or of the parameters there, as an operand.
    pub(in crate::sm) fn read_operand(&mut self, issue: Issue<'_>, setup: &Setup) {
        let Issue { warp, decoded, .. } = issue;
        let pc = decoded.main;
        let Some(constants) = &mut self.memory.constants else { return };
        if self.memory.access.mask == 0 || decoded.constant >= bank::PARAMETERS && !setup.params_in_bank {
            return;
        }
        constants.counters.operands += 1;
        constants.counters.accesses += 1;
        constants.look_up(warp, decoded.constant);
        self.output |= constants.has_misses();
        // What a hit costs is part of its latency.
        let operands = &setup.config.operands;
        let of_param = decoded.constant >= bank::PARAMETERS;
        let price = if of_param { operands.param } else { operands.constant };
        self.wait_for_lines(warp, pc, decoded.latency.saturating_sub(price.latency));
    }

    /// Holds `warp` if lines are missing to its instruction at `pc`, whose results can be used `rest` hot cycles after the
    /// last of them has come.
    fn wait_for_lines(&mut self, warp: u32, pc: u32, rest: u32) {
        let Some(constants) = &mut self.memory.constants else { return };
        let waiting = &mut constants.waiting[warp as usize];
        if waiting.lines > 0 {
            *waiting = Waiting { lines: waiting.lines, pc, rest, tag: NO_LOAD };
            self.warps.control[warp].hold(NEVER, WarpState::ConstantDependency);
        }
    }

    /// Of the instruction of `warp` that has just read constants: the load `tag` of global or local memory is another part.
    pub(in crate::sm) fn constants_of_load(&mut self, warp: u32, tag: u16) {
        if let Some(constants) = &mut self.memory.constants {
            constants.waiting[warp as usize].tag = tag;
        }
    }

    /// The next line to ask for: whether it is one of code, and its first byte.
    pub fn missing_line(&mut self) -> Option<(bool, u32)> {
        let constants = self
            .memory
            .constants
            .as_mut()
            .and_then(|constants| Some(constants.misses.pop_front()? << constants.line_shift));
        constants.map(|address| (false, address)).or_else(|| Some((true, self.front.missing_code()?)))
    }

    /// The line at `address`, which was missing, is there; `code`: of the program.
    pub fn line_came(&mut self, now: u64, code: bool, address: u32, setup: &Setup) {
        self.record_until(self.period.cycle_from(now));
        if code {
            self.front.code_came(self.period.cycle_from(now), address);
        } else {
            self.constants_came(now, address, setup);
        }
    }

    fn constants_came(&mut self, now: u64, address: u32, setup: &Setup) {
        let Some(constants) = &mut self.memory.constants else { return };
        let line = address >> constants.line_shift;
        constants.tags.install(line.into());
        let mut warps = 0;
        constants.mshr.fill_line(line.into(), |warp| warps |= 1 << warp);
        for warp in bits(warps) {
            self.line_here(warp, now, setup);
        }
    }

    /// One of the lines that `warp` waits for is there; with the last one it goes on.
    fn line_here(&mut self, warp: u32, now: u64, setup: &Setup) {
        let Some(constants) = &mut self.memory.constants else { return };
        let waiting = &mut constants.waiting[warp as usize];
        waiting.lines -= 1;
        if waiting.lines > 0 {
            return;
        }
        let Waiting { pc, rest, tag, .. } = *waiting;
        let usable = now + u64::from(rest);
        let decoded = &setup.code[pc as usize];
        for register in decoded.dsts() {
            self.front.scoreboard.delay(warp, *register, usable, decoded.producer);
        }
        if tag != NO_LOAD && self.memory.loads[tag as usize].is_of(warp) {
            let load = &mut self.memory.loads[tag as usize];
            load.rest = load.rest.max(usable);
        }
        let control = &mut self.warps.control[warp];
        if control.hold_state == WarpState::ConstantDependency {
            control.hold = now;
            self.front.wake_warp(warp, self.period.cycle_from(now));
        }
    }

    /// Puts a line into the cache that nobody has asked for.
    #[cfg(test)]
    pub(in crate::sm) fn have_line(&mut self, line: u32) {
        self.memory.constants.as_mut().expect("it has a cache").tags.install(line.into());
    }

    /// What its constant cache has counted.
    pub fn constant_counters(&self) -> ConstCounters {
        self.memory.constants.as_ref().map(|constants| constants.counters).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cache::{CacheShape, Replacement};

    fn cache(group: u32) -> Constants {
        let shape = CacheShape { bytes: 256, line_bytes: 64, ways: 2, replacement: Replacement::Lru };
        Constants::new(ConstCacheConfig { shape, hit_cycles: 8, group, pass_cycles: 2 }, 2, 0)
    }

    #[test]
    fn different_addresses_of_a_group_are_accesses_of_their_own() {
        let row = |f: fn(u32) -> u32| std::array::from_fn(|lane| f(lane as u32));
        let take = |group, addr: Row32, mask| cache(group).read(0, 0, &addr, mask);
        assert_eq!([take(16, [8; 32], u32::MAX), take(32, [8; 32], u32::MAX)], [(2, 2), (1, 1)]);
        assert_eq!(take(16, [8; 32], 0xff), (1, 1), "a half-warp without lanes asks for nothing");
        assert_eq!(take(16, row(|l| 4 * l), u32::MAX), (32, 2));
        assert_eq!(take(32, row(|l| 4 * (l % 5)), u32::MAX), (5, 1));
        assert_eq!(
            take(16, row(|l| 4 * (l / 16)), u32::MAX),
            (2, 2),
            "the half-warps differ, no lane of either does"
        );
        assert_eq!(take(32, row(|l| 4 * (l / 16)), u32::MAX), (2, 1));
        assert_eq!(take(32, row(|l| 4 * l), 0x8000_0001), (2, 1), "only lanes that take part");
    }

    #[test]
    fn a_line_is_asked_for_once_and_counted_for_each_who_looks() {
        let mut c = cache(32);
        let lines: Row32 = std::array::from_fn(|lane| 32 * (lane as u32 % 4));
        c.read(0, 0, &lines, u32::MAX);
        c.read(1, 0, &[70; 32], u32::MAX);
        assert_eq!((&c.misses, c.waiting[0].lines, c.waiting[1].lines), (&VecDeque::from([0, 1]), 2, 1));
        assert_eq!((c.counters.accesses, c.counters.hits, c.counters.misses), (5, 0, 3));
        let mut warps = Vec::new();
        c.mshr.fill_line(1, |warp| warps.push(warp));
        assert_eq!(warps, [0, 1]);
    }
}
