//! The constant cache of an SM. It affects only timing: values are read at issue from the launch's
//! copy of constant memory.
//!
//! The lanes are processed in groups. Each different address of a group is a separate access of
//! `pass_cycles` cycles; a constant wider than `word_bytes` takes several accesses. Accesses that
//! exceed the slots of the instruction are replayed. An instruction with missing lines holds its
//! warp until all lines have arrived. Its results can be used after the remaining latency. A
//! missing line is requested once, independent of the number of waiting warps. The cluster receives
//! the requests and returns the lines ([`crate::cluster`]).
//!
//! Invariant `constant-cache-times`: A constant takes the time of the cache level that has its
//! line, different addresses are serialized, and one request is sent for each missing line.

use super::Memory;
use super::replies::NO_LOAD;
use crate::cache::{Miss, Mshr, Place, Tags};
use crate::config::ConstCacheConfig;
use crate::counters::{ConstCounters, WarpState};
use crate::exec::Row32;
use crate::mem::bank;
use crate::sm::context::SmContext;
use crate::sm::decode::Decoded;
use crate::sm::execute::{ExtraSlots, Issue};
use crate::sm::front::Front;
use crate::sm::scheduler::bits;
use crate::sm::warps::{Control, WarpTable};
use crate::state::{CloneFrom, Part, Value};
use crate::time::NEVER;
use isa::uop::Class;
use std::collections::VecDeque;

/// Wait of a warp for missing lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Value)]
struct Waiting {
    /// Number of lines that have not arrived.
    lines: u32,
    /// The instruction that needs them.
    pc: u32,
    /// Shader cycles from the arrival of the last line until the results can be used.
    rest: u32,
    /// Tag of the load of global or local memory that is another part of the instruction.
    tag: u16,
}

/// The cache and the warps that wait for it.
#[derive(CloneFrom, Debug, Part)]
pub(super) struct Constants {
    #[state(fixed)]
    config: ConstCacheConfig,
    #[state(part)]
    tags: Tags,
    #[state(fixed)]
    line_shift: u32,
    /// MSHRs: the warp slots that wait for each line.
    #[state(part)]
    mshr: Mshr<u32>,
    /// Waits, indexed by warp slot.
    waiting: Vec<Waiting>,
    /// Missing lines that have not been requested from the cluster.
    misses: VecDeque<u32>,
    counters: ConstCounters,
}

impl Constants {
    /// The empty cache of SM number `sm`, which has `warps` warp slots.
    pub(super) fn new(config: ConstCacheConfig, warps: usize, sm: u32) -> Self {
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

    /// Looks up the line of device address `address` for `warp`. If the line is missing, the warp
    /// waits for it.
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

    /// Reads constants of `bytes` bytes for the lanes `mask` of `warp` at `addr`, relative to
    /// `base`. Returns the number of accesses, and the number that would be needed if all lanes of
    /// a group read the same word.
    fn read(&mut self, warp: u32, base: u32, addr: &Row32, mask: u32, bytes: u32) -> (u32, u32) {
        let words = bytes.div_ceil(self.config.word_bytes);
        let all = if self.config.group >= 32 { u32::MAX } else { (1 << self.config.group) - 1 };
        let groups = || (0..32).step_by(self.config.group as usize).map(|first| mask & all << first);
        let least = groups().filter(|lanes| *lanes != 0).count() as u32;
        // Inactive lanes repeat the address of an active lane.
        if addr.iter().fold(0, |differ, at| differ | at ^ addr[0]) == 0 {
            self.counters.accesses += u64::from(least * words);
            self.look_up(warp, base + addr[0]);
            return (least * words, least);
        }
        let different_words = groups().map(|lanes| different(addr, lanes, 0).count_ones()).sum::<u32>();
        let accesses = different_words * words;
        self.counters.accesses += u64::from(accesses);
        for lane in bits(different(addr, mask, self.line_shift).into()) {
            self.look_up(warp, base + addr[lane as usize]);
        }
        (accesses, least)
    }

    /// Holds the warp if lines of its instruction are missing. Its results can be used `rest`
    /// shader cycles after the last line has arrived.
    fn wait_for_lines(&mut self, issue: Issue<'_>, rest: u32, control: &mut Control) {
        let waiting = &mut self.waiting[issue.warp as usize];
        if waiting.lines > 0 {
            *waiting = Waiting { lines: waiting.lines, pc: issue.pc(), rest, tag: NO_LOAD };
            control.hold(NEVER, WarpState::ConstantDependency);
        }
    }

    /// Installs the missing line at `address`. Returns the mask of the warps that wait for it.
    fn install(&mut self, address: u32) -> u64 {
        let line = address >> self.line_shift;
        self.tags.install(line.into());
        let mut warps = 0;
        self.mshr.fill_line(line.into(), |warp| warps |= 1 << warp);
        warps
    }
}

/// For each different value of address >> `shift`, the lowest lane of `lanes`.
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

impl Memory {
    /// Reads the words of constant memory in [`Self::access`], relative to `base`. Adds the slots
    /// of the accesses to `extra`, and holds the warp if lines are missing. Returns the shader
    /// cycles that the accesses add to the latency.
    pub(in crate::sm) fn constant_load(
        &mut self,
        issue: Issue<'_>,
        base: u32,
        extra: &mut ExtraSlots,
        control: &mut Control,
        context: &SmContext,
    ) -> u64 {
        let Issue { warp, decoded, .. } = issue;
        let Some(constants) = self.constants.as_mut().filter(|_| self.access.mask != 0) else { return 0 };
        let config = constants.config;
        constants.counters.requests += 1;
        let (accesses, least) =
            constants.read(warp, base, &self.access.addr, self.access.mask, self.access.bytes);
        let cycles = |accesses: u32| u64::from(accesses * config.pass_cycles);
        let own = u64::from(decoded.slots) * self.period;
        let free = self.period.cycle_from(cycles(least).max(own));
        let replays = self.period.cycle_from(cycles(accesses)).saturating_sub(free);
        extra.constant += replays;
        extra.passing += cycles(accesses);
        // The constant part of a generic access has the latency of a separate load.
        let class = if decoded.class == Class::LdParam { Class::LdParam } else { Class::LdConst };
        let latency = u32::from(context.config.classes[class as usize].latency);
        constants.wait_for_lines(issue, latency.saturating_sub(config.hit_cycles), control);
        replays * self.period
    }

    /// Reads the operand of an instruction that is a word of constant memory or of the parameters
    /// in constant memory. Holds the warp if the line is missing.
    pub(in crate::sm) fn read_operand(
        &mut self,
        issue: Issue<'_>,
        control: &mut Control,
        context: &SmContext,
    ) {
        let Issue { warp, decoded, .. } = issue;
        let Some(constants) = &mut self.constants else { return };
        if self.access.mask == 0 || decoded.constant >= bank::PARAMETERS && !context.params_in_bank {
            return;
        }
        constants.counters.operands += 1;
        constants.counters.accesses += 1;
        constants.look_up(warp, decoded.constant);
        // The latency of the instruction includes the cost of a hit.
        let operands = &context.config.operands;
        let of_param = decoded.constant >= bank::PARAMETERS;
        let price = if of_param { operands.param } else { operands.constant };
        constants.wait_for_lines(issue, decoded.latency.saturating_sub(price.latency), control);
    }

    /// Links the constant access just issued by `warp` to pending load `tag` of global or local
    /// memory of the same instruction.
    pub(super) fn constants_of_load(&mut self, warp: u32, tag: u16) {
        if let Some(constants) = &mut self.constants {
            constants.waiting[warp as usize].tag = tag;
        }
    }

    /// Whether there are lines to request from the cluster.
    pub(in crate::sm) fn has_misses(&self) -> bool {
        self.constants.as_ref().is_some_and(|constants| !constants.misses.is_empty())
    }

    /// Address of the next line of constants to request.
    pub(in crate::sm) fn missing_constants(&mut self) -> Option<u32> {
        let constants = self.constants.as_mut()?;
        Some(constants.misses.pop_front()? << constants.line_shift)
    }

    /// Processes the missing line of constants at `address`, which arrives at shader cycle `now`.
    /// Warps that wait for no other line may issue again.
    pub(in crate::sm) fn constants_came(
        &mut self,
        now: u64,
        address: u32,
        warps: &mut WarpTable,
        front: &mut Front,
        code: &[Decoded],
    ) {
        let Some(constants) = &mut self.constants else { return };
        for warp in bits(constants.install(address)) {
            let waiting = &mut constants.waiting[warp as usize];
            waiting.lines -= 1;
            if waiting.lines > 0 {
                continue;
            }
            let Waiting { pc, rest, tag, .. } = *waiting;
            let usable = now + u64::from(rest);
            let decoded = &code[pc as usize];
            front.scoreboard.delay(warp, decoded.dsts(), usable, decoded.producer);
            if let Some(load) = self.loads.get_mut(tag).filter(|load| load.is_of(warp)) {
                load.rest = load.rest.max(usable);
            }
            let control = &mut warps.control[warp];
            if control.hold_state != WarpState::ConstantDependency && control.hold > now {
                // A later wait of the instruction has an end; the registers may be ready after it.
                front.ready_at[warp] = NEVER;
                if control.hold != NEVER {
                    front.wake_warp(warp, self.period.cycle_from(control.hold));
                }
            }
            if control.hold_state == WarpState::ConstantDependency {
                control.hold = now;
                front.wake_warp(warp, self.period.cycle_from(now));
            }
        }
    }

    /// Puts a line into the cache without a request.
    #[cfg(test)]
    pub(in crate::sm) fn have_line(&mut self, line: u32) {
        self.constants.as_mut().expect("the SM has a constant cache").tags.install(line.into());
    }

    /// Counters of the constant cache.
    pub fn constant_counters(&self) -> ConstCounters {
        self.constants.as_ref().map(|constants| constants.counters).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cache::{CacheShape, Replacement, SetIndex};

    fn cache(group: u32) -> Constants {
        let shape = CacheShape {
            bytes: 256,
            line_bytes: 64,
            ways: 2,
            replacement: Replacement::Lru,
            index: SetIndex::Modulo,
        };
        Constants::new(ConstCacheConfig { shape, hit_cycles: 8, group, word_bytes: 4, pass_cycles: 2 }, 2, 0)
    }

    #[test]
    fn different_addresses_of_a_group_are_separate_accesses() {
        let row = |f: fn(u32) -> u32| std::array::from_fn(|lane| f(lane as u32));
        let take = |group, addr: Row32, mask| cache(group).read(0, 0, &addr, mask, 4);
        assert_eq!([take(16, [8; 32], u32::MAX), take(32, [8; 32], u32::MAX)], [(2, 2), (1, 1)]);
        assert_eq!(take(16, [8; 32], 0xff), (1, 1), "a half-warp without active lanes reads nothing");
        assert_eq!(take(16, row(|l| 4 * l), u32::MAX), (32, 2));
        assert_eq!(take(32, row(|l| 4 * (l % 5)), u32::MAX), (5, 1));
        assert_eq!(
            take(16, row(|l| 4 * (l / 16)), u32::MAX),
            (2, 2),
            "the half-warps differ, but all lanes within each agree"
        );
        assert_eq!(take(32, row(|l| 4 * (l / 16)), u32::MAX), (2, 1));
        assert_eq!(take(32, row(|l| 4 * l), 0x8000_0001), (2, 1), "only active lanes count");
        let wide = |bytes, addr: Row32| cache(16).read(0, 0, &addr, u32::MAX, bytes);
        assert_eq!([wide(2, [8; 32]), wide(8, [8; 32]), wide(16, [16; 32])], [(2, 2), (4, 2), (8, 2)]);
        assert_eq!(wide(8, row(|l| 8 * (l % 2))), (8, 2), "two words of two accesses for each half-warp");
    }

    /// Tests: `constant-cache-times`.
    #[test]
    fn a_line_is_requested_once_and_every_lookup_is_counted() {
        let mut c = cache(32);
        let lines: Row32 = std::array::from_fn(|lane| 32 * (lane as u32 % 4));
        c.read(0, 0, &lines, u32::MAX, 4);
        c.read(1, 0, &[70; 32], u32::MAX, 4);
        assert_eq!((&c.misses, c.waiting[0].lines, c.waiting[1].lines), (&VecDeque::from([0, 1]), 2, 1));
        assert_eq!((c.counters.accesses, c.counters.hits, c.counters.misses), (5, 0, 3));
        let mut warps = Vec::new();
        c.mshr.fill_line(1, |warp| warps.push(warp));
        assert_eq!(warps, [0, 1]);
    }
}
