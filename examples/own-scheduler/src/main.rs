//! `warpsim` with the policies of this crate:
//! `cargo run --release -p own-scheduler -- run matmul-naive --set sm.scheduler=memory_first`.

use own_scheduler::{CacheConscious, MemoryFirst, YoungestFirst};
use std::process::ExitCode;
use warpsim::Argument;

fn main() -> ExitCode {
    warpsim::cli(|registry| {
        registry.scheduler("youngest_first", |_sm, _scheduler| YoungestFirst);
        let patience = Argument::new("patience", 0..=1_000_000, 16, "Times that a warp is passed over.");
        registry.scheduler_with("memory_first", [patience], |[patience], _sm, _scheduler| {
            MemoryFirst::new(patience as u32)
        });
        let points = Argument::new("points", 0..=1_000_000, 400, "Points of a warp for a lost line.");
        registry.scheduler_with("cache_conscious", [points], |[points], _sm, _scheduler| {
            CacheConscious::new(points)
        });
    })
}
