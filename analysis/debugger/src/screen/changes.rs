//! Values at the previous stop, so that changed values can be highlighted.

use report::inspect::registers::{Written, written};
use sim_core::debug::Session;
use std::collections::BTreeMap;

/// Values of a register at a stop.
#[derive(Clone, Copy, Debug)]
struct Value {
    /// Lanes that had written the register.
    lanes: u32,
    row: [u64; 32],
}

/// Registers of the warps of one SM and shared memory of its blocks at a stop.
#[derive(Debug, Default)]
pub struct Stop {
    sm: u32,
    /// By warp slot: block, and values by PTX name.
    warps: BTreeMap<u32, (u64, BTreeMap<String, Value>)>,
    /// Shared memory by block.
    shared: BTreeMap<u64, Vec<u8>>,
}

impl Stop {
    /// The values of SM `sm` now.
    pub fn of(session: &Session<'_>, sm: u32) -> Self {
        let mut stop = Self { sm, ..Self::default() };
        for warp in session.warps().into_iter().filter(|warp| warp.sm == sm) {
            let value = |one: Written| (one.name, Value { lanes: one.register.lanes, row: one.values });
            let values = written(session, sm, warp.slot).into_iter().map(value);
            stop.warps.insert(warp.slot, (warp.block, values.collect()));
            if let Some(bytes) = session.shared(warp.block) {
                stop.shared.entry(warp.block).or_insert_with(|| bytes.to_vec());
            }
        }
        stop
    }

    /// Returns the mask of the lanes of a register that have another value than at this stop, or
    /// had not written it then. No lane of a warp that was
    /// not resident has changed.
    pub fn changed(&self, (sm, slot, block): (u32, u32, u64), now: &Written) -> u32 {
        let Some((_, values)) = self.warps.get(&slot).filter(|(of, _)| self.sm == sm && *of == block) else {
            return 0;
        };
        let before = values.get(&now.name);
        let is_changed = |lane: &u32| {
            let same = |before: &Value| {
                before.lanes >> lane & 1 == 1 && before.row[*lane as usize] == now.values[*lane as usize]
            };
            !before.is_some_and(same)
        };
        super::text::bits(now.register.lanes).filter(is_changed).fold(0, |mask, lane| mask | 1 << lane)
    }

    /// Whether the word at `address` of the shared memory of a block differs from `now`.
    pub fn shared_changed(&self, block: u64, address: usize, now: &[u8]) -> bool {
        let before = self.shared.get(&block).and_then(|bytes| bytes.get(address..address + now.len()));
        before.is_some_and(|before| before != now)
    }
}
