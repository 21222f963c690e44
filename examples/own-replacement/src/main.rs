//! `warpsim` with the replacement policy of this crate, for example:
//! `run matmul-naive --chip fermi --set sm.l1.replacement=srrip`.

use own_replacement::Srrip;
use std::process::ExitCode;
use warpsim::Argument;

fn main() -> ExitCode {
    warpsim::cli(|registry| {
        let bits = Argument::new("bits", 1..=8, 2, "Bits of the prediction of each line.");
        registry.replacement_with("srrip", [bits], |[bits], seat| Srrip::new(bits as u32, seat));
    })
}
