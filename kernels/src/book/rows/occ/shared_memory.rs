//! OCC-12: how many blocks fit by their shared memory.

use crate::RunError;
use crate::book::{Bench, Claim, Finding, Row, Shown};
use crate::measure::lab::Lab;
use sim_core::host::Launch;
use sim_core::occupancy::{BlockNeeds, SmResources};

pub static CLAIMS: &[Claim] = &[Claim { id: "OCC-12", show: by_shared_memory }];

/// A kernel that does nothing, with four words of arguments like those of the matrix product.
const IDLE: &str = ".version 1.4\n.target sm_10\n.entry idle (.param .u32 a, .param .u32 b, .param .u32 c, .param .u32 d)\n{ exit; }\n";
const THREADS: u32 = 64;

/// By shared memory alone, for bare blocks by the calculator and for launched ones, which hold their launch state and
/// arguments there too.
fn by_shared_memory(bench: &Bench, row: &Row) -> Result<Shown, RunError> {
    let chip = bench.chip("g80", &[])?;
    let kilobytes = row.read::<2>("{} kB and {} kB shared per block")?;
    let bare = row.read::<2>("{} and {} blocks by shared memory alone")?;
    let [asked, rounded, launched] = row.read("({}, rounded to {}): {} blocks")?;

    let mut shown = Shown::new("the occupancy calculator on G80, and a launch of blocks of 64 threads");
    for (kilobytes, expected) in kilobytes.into_iter().zip(bare) {
        let shared_bytes = 1024 * kilobytes as u32;
        let needs = BlockNeeds { threads: THREADS, registers: 0, shared_bytes };
        let blocks = SmResources::of(&chip).occupancy(needs).limits.shared;
        shown.find(Finding::exact(format!("bare {shared_bytes} B: blocks"), expected, blocks.into()));
    }
    let mut lab = Lab::new(chip, "idle.ptx", IDLE, isa::Options::default())?;
    let mut launch = Launch::new(lab.module, "idle", 1, THREADS);
    launch.dynamic_shared = 1024 * kilobytes[0] as u32;
    launch.args = vec![sim_core::host::Arg::U32(0); 4];
    let occupancy = lab.run(&launch)?.launch.occupancy;
    shown.find(Finding::exact("launched: bytes asked", asked, f64::from(occupancy.needs.shared_bytes)));
    shown.find(Finding::exact("launched: bytes taken", rounded, occupancy.shared_per_block as f64));
    shown.find(Finding::exact("launched: blocks", launched, occupancy.limits.shared.into()));
    shown.because(format!(
        "A launched block holds {} B of launch state and arguments in shared memory beside its own.",
        occupancy.needs.shared_bytes - launch.dynamic_shared
    ));
    Ok(shown)
}
