//! Values at the previous stop, so that changed values can be highlighted.

use sim_core::debug::{Register, Session};
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
            let value = |register: Register| {
                let row = session.row(sm, warp.slot, register.kind, register.row)?;
                Some((register.name?, Value { lanes: register.lanes, row }))
            };
            let values = latest(session, sm, warp.slot).into_iter().filter_map(value);
            stop.warps.insert(warp.slot, (warp.block, values.collect()));
            if let Some(bytes) = session.shared(warp.block) {
                stop.shared.entry(warp.block).or_insert_with(|| bytes.to_vec());
            }
        }
        stop
    }

    /// Returns the mask of the lanes of a register that have another value than at this stop, or
    /// had not written it then. `row` and `lanes` are of the present. No lane of a warp that was
    /// not resident has changed.
    pub fn changed(&self, (sm, slot, block): (u32, u32, u64), register: &Register, row: &[u64; 32]) -> u32 {
        let Some((_, values)) = self.warps.get(&slot).filter(|(of, _)| self.sm == sm && *of == block) else {
            return 0;
        };
        let before = register.name.as_ref().and_then(|name| values.get(name));
        let is_changed = |lane: &u32| {
            let same = |before: &Value| {
                before.lanes >> lane & 1 == 1 && before.row[*lane as usize] == row[*lane as usize]
            };
            !before.is_some_and(same)
        };
        super::text::bits(register.lanes).filter(is_changed).fold(0, |mask, lane| mask | 1 << lane)
    }

    /// Whether the word at `address` of the shared memory of a block differs from `now`.
    pub fn shared_changed(&self, block: u64, address: usize, now: &[u8]) -> bool {
        let before = self.shared.get(&block).and_then(|bytes| bytes.get(address..address + now.len()));
        before.is_some_and(|before| before != now)
    }
}

/// Returns the rows of a warp that hold PTX registers, the latest written first. A register that
/// has several rows has its latest one.
pub fn latest(session: &Session<'_>, sm: u32, slot: u32) -> Vec<Register> {
    let mut all = session.registers(sm, slot);
    all.retain(|register| register.name.is_some());
    all.sort_by_key(|register| (u64::MAX - register.cycle, register.row));
    let mut seen = std::collections::BTreeSet::new();
    all.retain(|register| seen.insert(register.name.clone()));
    all
}
