//! Runs a litmus test under all schedules of the interleaved machine.

use super::run::compiled;
use super::{Litmus, Outcome, Placement, Shown};
use sim_core::config::Chip;
use sim_core::host::{AddressMap, Arg, DevicePtr, Gpu, Interleaved, Launch, Order};
use std::collections::BTreeSet;
use warpsim_check::explore::{Asks, Limits, OutcomeKind, Search, explore};

/// Returns the outcomes of all schedules under `order`, with the words placed as `placement` says,
/// and the number of schedules.
///
/// # Errors
/// A schedule does not finish, or not all schedules could be run.
pub fn outcomes(
    litmus: &Litmus,
    order: Order,
    placement: Placement,
) -> Result<(BTreeSet<Outcome>, u64), String> {
    let mut gpu = Gpu::new(Chip::builtin("g80").ok_or("no G80")?);
    let module = gpu.load(compiled(litmus)).map_err(|e| e.to_string())?;
    let chunk = AddressMap::of(gpu.chip()).chunk_bytes();
    let apart = if placement == Placement::OnePartition { 4 } else { chunk };
    let mut allocate = |bytes: u32| gpu.malloc(bytes.into()).map_err(|e| e.to_string());
    let x = allocate(2 * chunk)?;
    let y = x.offset(apart);
    let written = allocate(8 * litmus.blocks)?;
    let control = allocate(8 * litmus.blocks)?;
    // Each block stores one word before its test, which no thread reads.
    let plugs = allocate(4 * litmus.blocks)?;
    for block in 0..litmus.blocks {
        let bytes = [0_u32.to_le_bytes(), plugs.offset(4 * block).address().to_le_bytes()].concat();
        gpu.copy_in(control.offset(8 * block), &bytes).map_err(|e| e.to_string())?;
    }
    let args = [x, y, written, control].map(Arg::Ptr);
    let launch = Launch::new(module, "k", litmus.blocks, litmus.threads).args(args);
    let start = gpu.interleave(&launch, order).map_err(|e| e.to_string())?;
    let word = |state: &Interleaved, at: DevicePtr| state.memory().load::<4>(at.address());
    let result = |state: &Interleaved| -> Vec<u8> {
        let shown = litmus.shows.iter().flat_map(|shown| match *shown {
            Shown::Written { block, word: index } => word(state, written.offset(8 * block + 4 * index)),
            Shown::Final(index) => word(state, [x, y][index]),
        });
        shown.collect()
    };
    let asks = Asks { result: &result, goes_on: &mut |_| true };
    let limits = Limits { schedules: 1_000_000, ..Limits::default() };
    let found = explore(&start, Search::Exhaustive, limits, asks);
    if !found.is_exhaustive() {
        return Err(format!("{} schedules are not all", found.schedules));
    }
    let outcome = |kind: &OutcomeKind| match kind {
        OutcomeKind::Finished(bytes) => {
            Ok(bytes.as_chunks().0.iter().map(|word| u32::from_le_bytes(*word)).collect())
        }
        other => Err(format!("{other:?}")),
    };
    let outcomes = found.outcomes.iter().map(|one| outcome(&one.kind)).collect::<Result<_, _>>()?;
    Ok((outcomes, found.schedules))
}
