//! Loads, stores and atomics: undefined bytes become undefined registers and the reverse.

use super::Initcheck;
use super::origin::{Origin, OriginPlace, Undefined};
use super::report::Use;
use super::rule::Rule;
use super::shadow::low_bits;
use super::state::{At, Values};
use crate::exec::Access;
use crate::exec::mask::lanes;
use crate::gpu::functional::Executed;
use isa::sem::atomic::Operation;
use isa::uop::{MemoryKind, Width};

/// Lanes of an access by the state space of their addresses; parameters and constants, which are
/// always defined, are in none.
type Parts = [(OriginPlace, u32); 3];

fn parts(executed: &Executed) -> Parts {
    let parts = executed.parts();
    [
        (OriginPlace::Shared, parts.shared),
        (OriginPlace::Local, parts.local),
        (OriginPlace::Global, parts.global),
    ]
}

/// Returns the first byte and the number of bytes if the lanes access the same bytes, or all lanes
/// of the warp access contiguous bytes.
fn range(access: &Access, part: u32) -> Option<(u32, u32)> {
    match access.strides.whole(&access.addr)? {
        0 => Some((access.addr[0], access.bytes)),
        stride if stride == access.bytes && part == u32::MAX => Some((access.addr[0], 32 * access.bytes)),
        _ => None,
    }
}

impl Initcheck {
    /// Follows an access to memory.
    pub(super) fn memory(&mut self, executed: &Executed, rule: &Rule) {
        let Executed { kernel, warp, pc, access, .. } = *executed;
        if access.mask == 0 {
            return;
        }
        let index = warp.index as usize;
        let Some(memory) = kernel.program.code[pc as usize].op.memory() else { return };
        let wrong = self.warps[index].undefined[rule.srcs[0] as usize] & access.mask;
        if wrong != 0 {
            self.used(executed, Use::Address, rule.srcs[0], wrong);
        }
        let parts = parts(executed);
        match memory.kind {
            MemoryKind::Load => self.load(executed, rule, parts, memory.width),
            MemoryKind::Store => {
                for (place, part) in parts.into_iter().filter(|(_, part)| *part != 0) {
                    self.store(executed, rule, place, part, memory.width.rows());
                }
            }
            MemoryKind::Atomic | MemoryKind::Cas | MemoryKind::Reduction => {
                self.atomic(executed, rule, parts);
            }
        }
    }

    fn load(&mut self, executed: &Executed, rule: &Rule, parts: Parts, width: Width) {
        let Executed { warp, access, .. } = *executed;
        let elements = width.rows();
        let mut undefined = [0; 4];
        for (place, part) in parts {
            if part != 0 {
                self.missing(executed, place, part, elements, &mut undefined);
            }
        }
        let state = &mut self.warps[warp.index as usize];
        if undefined == [0; 4] {
            for slot in &rule.dsts[..elements] {
                state.undefined[*slot as usize] &= !access.mask;
            }
            return;
        }
        let bytes = access.bytes / elements as u32;
        for (element, slot) in (0..).zip(&rule.dsts[..elements]) {
            let mut values = Values::NONE;
            for (place, part) in parts {
                for lane in lanes(part & undefined[element as usize]) {
                    let value = self.undefined_in(executed, place, lane, element * bytes, bytes);
                    let bits =
                        if bytes == 8 { value.bits } else { width.extension()(value.bits as u32).into() };
                    values.set(lane, Undefined { bits, ..value });
                }
            }
            self.warps[warp.index as usize].write(*slot, access.mask, undefined[element as usize], &values);
        }
    }

    /// Adds to `undefined`, for each element of a vector, the lanes whose bytes are not all
    /// defined.
    fn missing(
        &self,
        executed: &Executed,
        place: OriginPlace,
        part: u32,
        elements: usize,
        undefined: &mut [u32; 4],
    ) {
        let access = executed.access;
        let bytes = access.bytes / elements as u32;
        let each_lane = |mask: &dyn Fn(u32) -> u16, undefined: &mut [u32; 4]| {
            let whole = low_bits(access.bytes) as u16;
            for lane in lanes(part) {
                let mask = mask(access.addr[lane]);
                if mask & whole == whole {
                    continue;
                }
                for (element, undefined) in (0..elements as u32).zip(&mut *undefined) {
                    let of = low_bits(bytes) as u16;
                    *undefined |= u32::from(mask >> (element * bytes) & of != of) << lane;
                }
            }
        };
        match place {
            OriginPlace::Shared => {
                let shared = &self.shared;
                let range = range(access, part);
                if !shared.is_full() && !range.is_some_and(|(at, bytes)| shared.covers(at, bytes)) {
                    each_lane(&|at| shared.mask(at), undefined);
                }
            }
            OriginPlace::Global => {
                let written = &self.written;
                if !range(access, part).is_some_and(|(at, bytes)| written.covers(at, bytes)) {
                    each_lane(&|at| written.mask(at), undefined);
                }
            }
            OriginPlace::Local => {
                let local = &self.warps[executed.warp.index as usize].local;
                let mut left = part;
                while left != 0 {
                    let at = access.addr[left.trailing_zeros() as usize];
                    let same = lanes(left).filter(|lane| access.addr[*lane] == at);
                    let same = same.fold(0, |all, lane| all | 1 << lane);
                    for (element, undefined) in (0..elements as u32).zip(&mut *undefined) {
                        *undefined |= local.missing(at + element * bytes, bytes, same);
                    }
                    left &= !same;
                }
            }
            OriginPlace::Register | OriginPlace::Division => {}
        }
    }

    /// Returns the undefined value of `bytes` bytes, `plus` bytes behind the address of a lane.
    fn undefined_in(
        &mut self,
        executed: &Executed,
        place: OriginPlace,
        lane: usize,
        plus: u32,
        bytes: u32,
    ) -> Undefined {
        let Executed { warp, pc, access, .. } = *executed;
        let state = &self.warps[warp.index as usize];
        let at = access.addr[lane] + plus;
        let stored = |word: u32| match place {
            OriginPlace::Shared => self.shared.stored.get(&word),
            OriginPlace::Local => state.local.stored.get(&(word, lane as u32)),
            OriginPlace::Global | OriginPlace::Register | OriginPlace::Division => None,
        };
        let mask = match place {
            OriginPlace::Shared => self.shared.mask(at),
            OriginPlace::Local => state.local.mask(at, lane as u32),
            OriginPlace::Global => self.written.mask(at),
            OriginPlace::Register | OriginPlace::Division => 0,
        };
        let missing = !mask & low_bits(bytes) as u16;
        let mut undefined = 0;
        let mut from = None;
        for byte in (0..bytes).filter(|byte| missing >> byte & 1 != 0) {
            let word = stored((at + byte) / 4);
            from = from.or(word);
            let bits = word.map_or(u64::MAX, |word| word.bits >> (8 * ((at + byte) % 4)));
            undefined |= (bits & 0xff) << (8 * byte);
        }
        if place == OriginPlace::Global {
            undefined = self.written.missing_bits(at, bytes);
        } else if let Some(from) = from {
            return Undefined { bits: undefined, ..*from };
        }
        let origin = Origin {
            place,
            pc,
            address: Some(at + missing.trailing_zeros().min(bytes - 1)),
            bytes: missing.count_ones(),
            warp: warp.index,
            lane: lane as u32,
            interval: state.interval,
            raced: false,
        };
        let kept = place == OriginPlace::Global;
        Undefined { origin: self.origins.number(origin), bits: undefined, kept }
    }

    /// Whether a value has the undefined bits of the global memory that it is written to, and
    /// defined bits beside them: a change of a bit-field writes them back.
    fn is_written_back(&self, value: &Undefined, address: u32, bytes: u32) -> bool {
        let all = low_bits(8 * bytes);
        let origin = self.origins.get(value.origin);
        let is_here = origin.place == OriginPlace::Global
            && origin.address.is_none_or(|at| (address..address + bytes).contains(&at));
        let bits = value.bits & all;
        value.kept && is_here && bits != all && bits & !self.written.missing_bits(address, bytes) == 0
    }

    /// Writes values with undefined bits to global memory: a use, except of the bits around a
    /// bit-field.
    #[cold]
    fn store_output(&mut self, executed: &Executed, rule: &Rule, part: u32, elements: usize) {
        let Executed { warp, pc, access, .. } = *executed;
        let at = At { pc, warp: warp.index };
        let bytes = access.bytes / elements as u32;
        for (element, slot) in (0..).zip(&rule.srcs[1..=elements]) {
            let wrong = self.warps[warp.index as usize].undefined[*slot as usize] & part;
            let mut used = 0;
            for lane in lanes(part) {
                let address = access.addr[lane].wrapping_add(element * bytes);
                let mut left = 0;
                if wrong >> lane & 1 != 0 {
                    let state = &self.warps[warp.index as usize];
                    let value = state.value(*slot, lane, at, &mut self.origins);
                    if self.is_written_back(&value, address, bytes) {
                        left = value.bits;
                    } else if value.bits & low_bits(8 * bytes) != 0 {
                        used |= 1 << lane;
                    }
                }
                self.written.add_bits(address, bytes, left);
            }
            self.used_at(executed, Use::Output, *slot, used, (element * bytes, bytes));
        }
    }

    fn store(&mut self, executed: &Executed, rule: &Rule, place: OriginPlace, part: u32, elements: usize) {
        let Executed { warp, access, .. } = *executed;
        let state = &mut self.warps[warp.index as usize];
        let values = &rule.srcs[1..=elements];
        let wrong = values.iter().fold(0, |all, slot| all | state.undefined[*slot as usize]) & part;
        let range = range(access, part);
        match place {
            OriginPlace::Global => {
                if wrong != 0 {
                    self.store_output(executed, rule, part, elements);
                } else {
                    self.write_global(access, part, range);
                }
            }
            OriginPlace::Shared if wrong == 0 => {
                let races = self.origins.has_suspects(state.interval);
                if let (Some((at, bytes)), false) = (range, races) {
                    if !self.shared.is_full() {
                        self.shared.set(at, bytes, true);
                    }
                    return;
                }
                if self.shared.is_full() && !races {
                    return;
                }
                for lane in lanes(part) {
                    self.shared.set(access.addr[lane], access.bytes, true);
                    if races {
                        self.origins.written(warp.index, access.addr[lane], access.bytes);
                    }
                }
            }
            OriginPlace::Local if wrong == 0 => {
                if range.is_some_and(|(_, bytes)| bytes == access.bytes) {
                    state.local.set(access.addr[0], access.bytes, part, true);
                } else {
                    for lane in lanes(part) {
                        state.local.set(access.addr[lane], access.bytes, 1 << lane, true);
                    }
                }
            }
            OriginPlace::Shared | OriginPlace::Local => {
                self.store_undefined(executed, rule, place, part, elements);
            }
            OriginPlace::Register | OriginPlace::Division => {}
        }
    }

    /// Processes a store to shared or local memory of values of which some are undefined.
    #[cold]
    fn store_undefined(
        &mut self,
        executed: &Executed,
        rule: &Rule,
        place: OriginPlace,
        part: u32,
        elements: usize,
    ) {
        let Executed { warp, pc, access, .. } = *executed;
        let at = At { pc, warp: warp.index };
        let bytes = access.bytes / elements as u32;
        for lane in lanes(part) {
            for (element, slot) in (0..).zip(&rule.srcs[1..=elements]) {
                let state = &self.warps[warp.index as usize];
                let defined = state.undefined[*slot as usize] >> lane & 1 == 0;
                let value = (!defined).then(|| state.value(*slot, lane, at, &mut self.origins));
                self.put(executed, place, lane, access.addr[lane] + element * bytes, bytes, value);
            }
        }
    }

    /// Writes `bytes` bytes of shared or local memory by one lane: a defined value, or an undefined
    /// one.
    fn put(
        &mut self,
        executed: &Executed,
        place: OriginPlace,
        lane: usize,
        address: u32,
        bytes: u32,
        value: Option<Undefined>,
    ) {
        let warp = executed.warp.index;
        let state = &mut self.warps[warp as usize];
        let all = low_bits(8 * bytes);
        let bits = value.map_or(0, |value| value.bits & all);
        let is_shared = place == OriginPlace::Shared;
        let is_undefined = |byte: u32| bits >> (8 * byte) & 0xff != 0;
        for byte in 0..bytes {
            let (at, defined) = (address + byte, !is_undefined(byte));
            if is_shared {
                self.shared.set(at, 1, defined);
            } else {
                state.local.set(at, 1, 1 << lane, defined);
            }
        }
        if is_shared && bits != all && self.origins.has_suspects(state.interval) {
            self.origins.written(warp, address, bytes);
        }
        let Some(value) = value.filter(|_| bits != 0) else { return };
        for byte in (0..bytes).filter(|byte| is_undefined(*byte)) {
            let (at, new) = (address + byte, Undefined { bits: u32::MAX.into(), kept: false, ..value });
            let word = if is_shared {
                self.shared.stored.entry(at / 4).or_insert(new)
            } else {
                state.local.stored.entry((at / 4, lane as u32)).or_insert(new)
            };
            let shift = 8 * (at % 4);
            word.bits = word.bits & !(0xff << shift) | (bits >> (8 * byte) & 0xff) << shift;
            word.origin = value.origin;
        }
    }

    fn write_global(&mut self, access: &Access, part: u32, range: Option<(u32, u32)>) {
        if let Some((at, bytes)) = range {
            self.written.add(at, bytes.into());
        } else {
            lanes(part).for_each(|lane| self.written.add(access.addr[lane], access.bytes.into()));
        }
    }

    /// Processes an atomic, lanes in ascending order.
    fn atomic(&mut self, executed: &Executed, rule: &Rule, parts: Parts) {
        let Executed { warp, pc, access, .. } = *executed;
        let index = warp.index as usize;
        let exchanges = access.atomic == Some(Operation::Exch);
        let at = At { pc, warp: warp.index };
        let mut undefined = [0; 4];
        for (place, part) in parts.into_iter().filter(|(_, part)| *part != 0) {
            self.missing(executed, place, part, 1, &mut undefined);
        }
        let operands = [rule.srcs[1], rule.srcs[2]];
        let wrong = operands.map(|slot| self.warps[index].undefined[slot as usize] & access.mask);
        let mut values = Values::NONE;
        if undefined[0] | wrong[0] | wrong[1] == 0 {
            for (place, part) in parts.into_iter().filter(|(_, part)| *part != 0) {
                self.store(executed, rule, place, part, 1);
            }
            self.warps[index].write(rule.dsts[0], access.mask, 0, &values);
            return;
        }
        let mut results = 0;
        for (place, part) in parts {
            if place == OriginPlace::Global {
                for (slot, wrong) in operands.into_iter().zip(wrong) {
                    self.used(executed, Use::Output, slot, wrong & part);
                }
            }
            for lane in lanes(part) {
                let address = access.addr[lane];
                let mut missing = [0; 4];
                self.missing(executed, place, 1 << lane, 1, &mut missing);
                let whole = |value: Undefined| Undefined { bits: u64::MAX, kept: false, ..value };
                let old = (missing[0] != 0)
                    .then(|| whole(self.undefined_in(executed, place, lane, 0, access.bytes)));
                let state = &self.warps[index];
                let operand =
                    operands.into_iter().find(|slot| state.undefined[*slot as usize] >> lane & 1 == 1);
                let operand = operand.map(|slot| whole(state.value(slot, lane, at, &mut self.origins)));
                let new = if exchanges { operand } else { old.or(operand) };
                match (place, new) {
                    (OriginPlace::Global, None) => self.written.add(address, access.bytes.into()),
                    (OriginPlace::Global, Some(value)) => {
                        // The result is defined after the finding.
                        self.used_lane(executed, Use::Output, value.origin, lane);
                        self.written.add(address, access.bytes.into());
                        continue;
                    }
                    (
                        OriginPlace::Shared
                        | OriginPlace::Local
                        | OriginPlace::Register
                        | OriginPlace::Division,
                        new,
                    ) => {
                        self.put(executed, place, lane, address, access.bytes, new);
                    }
                }
                if let Some(old) = old {
                    results |= 1 << lane;
                    values.set(lane, old);
                }
            }
        }
        self.warps[index].write(rule.dsts[0], access.mask, results, &values);
    }
}
