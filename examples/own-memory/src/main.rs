//! `warpsim` with the components of this crate, for example:
//! `run matmul-naive --chip fermi --set sm.l1.replacement=srrip`.

use own_memory::{MissRate, Slices, Srrip, Stride, covering, exclusive_or};
use std::process::ExitCode;
use warpsim::Argument;

fn main() -> ExitCode {
    warpsim::cli(|registry| {
        let bits = Argument::new("bits", 1..=8, 2, "Bits of the prediction of each line.");
        registry.replacement_with("srrip", [bits], |[bits], seat| Srrip::new(bits as u32, seat));
        registry.prefetcher("stride", |_sm| Stride::default());
        let percent = Argument::new("misses", 0..=100, 50, "Most misses of 100 loads.");
        registry.throttle_with("miss_rate", [percent], |[misses], _sm| MissRate::new(misses));
        registry.coalescing_rule("covering", covering);
        let bytes = Argument::new("bytes", 32..=128, 32, "Size of each transaction.");
        registry.coalescing_rule_with("sectors", [bytes], |[bytes], _lanes| bytes as u32);
        registry.address_map("exclusive_or", exclusive_or);
        let cycles = Argument::new("cycles", 1..=1_000_000, 64, "Command cycles of a slice.");
        registry.dram_scheduler_with("slices", [cycles], |[cycles], _partition| Slices::new(cycles));
    })
}
